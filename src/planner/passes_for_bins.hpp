// Passes of a real axis, with conjugate pairs in the first or the last.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/design.hpp"

namespace seiche::planner {

/// Passes of a real axis that needs several, where they handle conjugate pairs and `recipe`'s cannot, or are faster:
/// columns in groups of two sectors (stored: four), even counts of points. Empty: `recipe`'s.
std::vector<std::uint64_t> passes_for_bins(const problem::Axis& axis, const AxisRecipe& recipe, const AxisQuestion& q);

/// Whether two passes of r2c were measured to be faster pipelined.
bool are_of_pipelined_bins(std::uint32_t first, std::uint32_t second);
/// And whether groups take a divisor of the last pass's columns first.
bool divide_columns_of_bins(std::uint32_t first, std::uint32_t second);

}  // namespace seiche::planner
