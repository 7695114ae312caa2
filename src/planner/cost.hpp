// What a recipe costs, well enough to choose between ways to the same transform.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/design.hpp"

namespace seiche::planner {

/// Of one thread of a transform of n points: butterflies, idle ones included, and the twiddles between them.
double operations_of_thread(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads);

/// The cost of one sequence in arithmetic operations of a device's lanes; moves of points count as so many.
double cost(const AxisRecipe& recipe, const AxisQuestion& question);
double cost(const Pass& pass, const AxisQuestion& question);

}  // namespace seiche::planner
