// Which passes a real axis has, whose bins meet in the first or the last of them.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/design.hpp"

namespace seiche::planner {

/// Passes for a real axis that is designed in several: so that its bins can meet where they cannot in those that it
/// has, or that are faster than these. The columns of the pass where bins meet are whole groups' runs of two sectors,
/// of four where they are stored, and their points even. Empty: as it is.
std::vector<std::uint64_t> passes_for_bins(const problem::Axis& axis, const AxisRecipe& recipe, const AxisQuestion& q);

/// Whether two passes of r2c were measured to be faster trailing each other.
bool are_of_trailing_bins(std::uint32_t first, std::uint32_t second);
/// And whether groups then have as many of the last pass's columns as all are a multiple of, before others are tried.
bool divide_columns_of_bins(std::uint32_t first, std::uint32_t second);

}  // namespace seiche::planner
