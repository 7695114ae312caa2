// What a recipe costs, well enough to choose between ways to the same transform.
#pragma once

#include "planner/design.hpp"

namespace seiche::planner {

/// The cost of one sequence in arithmetic operations of a device's lanes; moves of points count as so many.
double cost(const AxisRecipe& recipe, const AxisQuestion& question);
/// The same of one pass over its own n points.
double cost(const Pass& pass, const AxisQuestion& question);

}  // namespace seiche::planner
