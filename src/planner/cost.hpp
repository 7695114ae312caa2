// What a recipe costs, well enough to choose between ways to the same transform.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/design.hpp"

namespace seiche::planner {

/// Of one of the threads that share a transform of n points: butterflies and the twiddles between them. A thread that
/// has none in a stage's last slot waits for the others.
double operations_of_thread(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads);

/// The cost of one sequence in arithmetic operations of a device's lanes; moves of points count as so many.
double cost(const AxisRecipe& recipe, const AxisQuestion& question);
/// The same of one pass over its own n points.
double cost(const Pass& pass, const AxisQuestion& question);

}  // namespace seiche::planner
