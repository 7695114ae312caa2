// What a recipe costs, well enough to choose between ways to the same transform.
#pragma once

#include "planner/axis_question.hpp"
#include "planner/recipe.hpp"

namespace seiche::planner {

/// The cost of one sequence in arithmetic operations of a device's lanes; moves of points count as so many.
double cost(const AxisRecipe& recipe, const AxisQuestion& question);
double cost(const Pass& pass, const AxisQuestion& question);

}  // namespace seiche::planner
