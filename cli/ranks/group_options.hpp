// The options of commands that run ranks; a build without transforms over several ranks has them too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/command/command_line.hpp"

namespace seiche::cli {

/// As RankGroup has them (group.hpp), which such a build does not know.
struct GroupOptions {
    std::uint32_t ranks = 0;  ///< None were asked for.
    std::vector<std::string> devices;
    bool mpi = false;
    std::string mpi_library, transport = "automatic", launcher;
    bool any() const {
        return ranks != 0 || mpi || !devices.empty() || !mpi_library.empty() || transport != "automatic" ||
               !launcher.empty();
    }
};

void add_group_options(Command& command, GroupOptions& options);

/// Measures the fabric between ranks of this machine, or of the cluster where they are processes, and writes it.
/// Throws Failure where a rank failed, Unsupported in a build without ranks.
void measure_fabric_file(const std::string& path, const GroupOptions& group, const std::string& device, bool json);

/// What `check` and `bench` do with ranks.
struct RankedOptions {
    GroupOptions group;
    bool pencils = false, natural = false;
    bool any() const { return group.any() || pencils || natural; }
};

/// Those of the group, and how the array is cut.
void add_ranked_options(Command& command, RankedOptions& options);

/// Of the command line: `command` is its name, which a launcher starts again for each rank.
struct RankedWork {
    std::string command;
    std::vector<std::string> problems;
    std::string device;
    unsigned repeat = 1;
};

/// Times each problem over the ranks, and compares it with one device's (timed_ranks.hpp). Throws the same.
void run_over_ranks(const RankedWork& work, const RankedOptions& options);

}  // namespace seiche::cli
