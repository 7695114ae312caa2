// Passes of a real axis, with conjugate pairs in the first or the last.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/axis_question.hpp"
#include "planner/recipe.hpp"

namespace seiche::planner {

/// Passes of a real axis that needs several, where they handle conjugate pairs and `recipe`'s cannot, or are faster:
/// columns in groups of two sectors (stored: four), even counts of points. Empty: `recipe`'s.
std::vector<std::uint64_t> passes_for_bins(const problem::Axis& axis, const AxisRecipe& recipe, const AxisQuestion& q);

}  // namespace seiche::planner
