// Fabrics: how fast bytes go in a cluster, in its cards' memory, inside a node and between nodes.
#pragma once

#include <cstdint>
#include <string>

#include "seiche/device.hpp"
#include "seiche/distributed/communicator.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::distributed {

/// What one rank sends while all others do.
struct Link {
    double bytes_per_second = 0;  ///< In one direction.
    double seconds_per_message = 0;
};

/// Ranks 0 to `ranks_per_node` - 1 are on the first node, and so on. All ranks are alike.
struct Fabric {
    std::string name = {};
    std::string profile = {};  ///< What the cards are called, for programs that know cards by name, as the tool does.
    std::uint64_t ranks_per_node = 1;
    double memory_bytes_per_second = 0;  ///< That a copy in a rank's memory reaches, reads and writes together.
    Link inside = {};                    ///< To ranks of the same node.
    Link between = {};                   ///< To ranks of other nodes; 0 bytes per second: there are none.
};

/// Of a text with a line for each: "name TEXT", "profile TEXT", "ranks-per-node N", "memory N GB/s",
/// "inside N GB/s N us", "between N GB/s N us"; # begins a comment. Names may be missing, "inside" where a node has one
/// rank, and "between" where there is one node. Throws InvalidProblem, which says the line.
Fabric parse_fabric(const std::string& text);
std::string to_string(const Fabric& fabric);

struct FabricMeasurement {
    std::string node = {};  ///< The same for ranks of one node, and no other; empty: the name of the host.
    std::uint64_t bytes = std::uint64_t{64} << 20;  ///< That a rank sends, and copies in its memory, at a time.
    int repeat = 10;
};

/// Measures the fabric between these ranks, each with its device, by copies and exchanges of all ranks at a time; all
/// call this. Each figure is the slowest rank's median. Ranks of a node are neighbours, as many on each; InvalidProblem
/// else.
Fabric measure_fabric(Communicator& ranks, const Device& device, const FabricMeasurement& how = {});

}  // namespace seiche::distributed
SEICHE_EXPORT_END
