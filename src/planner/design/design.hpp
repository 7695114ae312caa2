// The algorithms that design() chooses from, one file each.
#pragma once

#include <optional>

#include "planner/axis_question.hpp"
#include "planner/recipe.hpp"

namespace seiche::planner {

/// Direct: one pass where it fits on chip, else the fewest (Bailey, "FFTs in external or hierarchical memory", 1990).
/// Passes with primes too large for a butterfly are convolutions in one kernel. Nothing: n has no such passes.
std::optional<AxisRecipe> design_direct(const AxisQuestion& question);

/// A prime as a convolution of n - 1 points in one kernel (Rader, "Discrete Fourier transforms when the number of data
/// samples is prime", 1968), or its even and its odd part as one of at least n - 2 points each. Nothing where n is no
/// prime, it does not fit on chip, or Bluestein's is faster and nobody asks for it.
std::optional<AxisRecipe> design_rader(const AxisQuestion& question);

inline constexpr std::uint64_t longest_bluestein = std::uint64_t{1} << 32;

/// Through a convolution of padded length (Bluestein, "A linear filtering approach to the computation of discrete
/// Fourier transform", 1970), in one kernel where it fits on chip. Any n up to longest_bluestein.
AxisRecipe design_bluestein(const AxisQuestion& question);

/// The fewest points of Bluestein's convolution: of points and results together, less one.
std::uint64_t least_padded_length(const AxisQuestion& question);

/// A complex axis, by butterflies alone if its factors are small, else by the cheapest of what fits.
AxisRecipe design_axis(const AxisQuestion& question);

/// A real axis of so many points, in one kernel where that fits on chip, else beside a complex transform of its points.
AxisRecipe design_real_axis(const problem::Axis& axis, AxisQuestion question);
/// Of rows beside other axes in one group (has_rows_in_group).
AxisRecipe design_rows_of_group(const problem::Axis& axis, AxisQuestion question);

/// One pass of n points by butterflies, or by the cheaper convolution that fits; nothing where none does, or where the
/// tuning asks for another algorithm.
std::optional<Pass> choose_pass(const AxisQuestion& question);

/// One pass of n points as a convolution in one kernel: nothing where it does not fit. `is_strided` as in AxisQuestion.
std::optional<Pass> rader_pass(const AxisQuestion& question);
std::optional<Pass> bluestein_pass(const AxisQuestion& question);

}  // namespace seiche::planner
