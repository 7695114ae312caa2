// `seiche plan --ranks`: what a transform over several ranks would do on a cluster, and how long that would take.
#pragma once

#include <cstdint>
#include <string>

#include "cli/command/command_line.hpp"
#include "cli/problem/profiles.hpp"

namespace seiche::cli {

struct RanksOptions {
    std::uint32_t ranks = 0;  ///< None were asked for.
    std::string fabric, cut = "best";
    bool natural = false;
    bool any() const { return ranks != 0 || !fabric.empty() || cut != "best" || natural; }
};

void add_ranks_options(Command& command, RanksOptions& options);

/// Prints the estimate, as JSON or for people. Without limits that were asked for, those of the fabric's cards count.
/// Throws Unsupported in a build without transforms over several ranks.
void plan_over_ranks(const std::string& problem, const RanksOptions& options, const LimitsOptions& limits, bool json);

}  // namespace seiche::cli
