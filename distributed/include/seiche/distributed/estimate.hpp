// Estimates: the time that a transform over several ranks should take on a fabric, which need not be there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/distributed/fabric.hpp"
#include "seiche/distributed/plan.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::distributed {

/// A step of the rank that has most to do in it.
struct EstimatedStep {
    std::string what = {};                              ///< "transform axes 1,2", "pack", "exchange", "unpack".
    std::uint64_t memory_bytes = 0;                     ///< Read and written in the rank's own memory.
    std::uint64_t inside_bytes = 0, between_bytes = 0;  ///< Sent to ranks of the same node, and of others.
    std::uint64_t messages = 0;                         ///< In so many messages.
    double seconds = 0;
    double message_seconds = 0;  ///< Of these, those that count messages and not bytes.
    std::string limit = {};      ///< What takes that long: "memory", "inside a node" or "between nodes".
};

struct Estimate {
    std::vector<EstimatedStep> steps = {};
    double seconds = 0;  ///< Of all steps, one after the other.
    /// Where exchanges can go in pieces beside transforms, which is inside one node: as many as cost least, and the
    /// time then. Else 1, and `seconds`.
    std::uint64_t pieces = 1;
    double seconds_in_pieces = 0;
    /// Of the array whose axes the steps name: the problem's, or with two for one (Decomposition::four_step).
    std::vector<std::uint64_t> lengths = {};
};

/// The model: a pass takes the bytes that its kernels move, as the planner of a device with these limits counts them,
/// over the speed of memory. An exchange takes the longer of its two levels; each takes its bytes over the link's speed
/// and its messages one by one. Nothing is said of the time to launch. Of one rank there is no exchange. Throws as
/// DistributedPlan does, and InvalidProblem for ranks on several nodes of a fabric with no speed between them.
Estimate estimate(const Problem& problem, const Boxes& boxes, const Fabric& fabric, const DeviceLimits& limits,
                  const DistributedOptions& options = {});

}  // namespace seiche::distributed
SEICHE_EXPORT_END
