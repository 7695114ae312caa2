// What all ranks have to say alike, compared before anything else, so that no rank waits for one that went elsewhere.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "seiche/distributed/box.hpp"
#include "seiche/distributed/communicator.hpp"

namespace seiche::distributed {

/// Names and values that are to be the same on all ranks.
using Terms = std::vector<std::pair<std::string, std::string>>;

/// Calls `work` on each rank. Where it throws on one, all throw: that rank its own error, the others one of the same
/// kind with the rank and the reason.
void together(Communicator& communicator, const std::function<void()>& work);

/// Throws InvalidProblem on all ranks if one has another value than rank 0.
void agree(Communicator& communicator, const Terms& terms);

/// Throws InvalidProblem unless there is a box for each rank.
void check_counts(const std::vector<Box>& boxes, const Communicator& communicator, const char* name);

/// All boxes in a few characters; strides do not count.
std::string digest(const std::vector<Box>& boxes);

}  // namespace seiche::distributed
