// What one rank sends in an exchange by level of the fabric, and how long that takes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "regions.hpp"
#include "seiche/distributed/fabric.hpp"

namespace seiche::distributed {

/// In bytes.
struct Traffic {
    std::uint64_t kept = 0, inside = 0, between = 0;
    std::uint64_t inside_messages = 0, between_messages = 0;
};

Traffic traffic_of(const std::vector<Box>& from, const std::vector<Box>& to, std::size_t rank,
                   std::uint64_t element_bytes, std::uint64_t ranks_per_node);

struct ExchangeTime {
    double seconds = 0, message_seconds = 0;
    std::string limit = {};  ///< As EstimatedStep has it.
};

/// Both levels go at a time.
ExchangeTime time_of(const Traffic& traffic, const Fabric& fabric);

/// Throws InvalidProblem unless the fabric has a speed for all that so many ranks do.
void check_fabric(const Fabric& fabric, std::size_t ranks);

}  // namespace seiche::distributed
