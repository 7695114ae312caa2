// What two passes in one launch take by the shapes of their groups, as it was measured.
#pragma once

#include "kernels/contract/spec.hpp"
#include "seiche/device.hpp"

namespace seiche::planner {

/// Whether two passes that trail each other are of the kind that `trailing_cost` was fitted to: of one complex axis of
/// f32 or f64 whose points lie one after another, not both of a power of two.
bool has_trailing_cost(const kernels::KernelSpec& first, const DeviceLimits& limits);

/// log2 of the milliseconds on an H100 for 10^9 bytes of the input, of a launch in which the next pass of
/// `first.pipeline` is behind `first`: a straight line that was fitted to measured pairs of passes
/// (docs/performance.md, "Splits by a cost").
double trailing_cost(const kernels::KernelSpec& first);

/// Up to which two passes of one launch are faster than a launch each where memory is an H200's: 1.4 times as fast as
/// the H100's, beside a cache that is 1.1 times as fast.
inline constexpr double most_trailing_cost = 0.36;

/// The same of the points of r2c's or c2r's core in two passes, whose bins meet in the last or in the first. Through
/// 925 and 565 pairs of 198 problems of 24000 to 2 000 000 numbers, from which the measured differ by factors of 1.13
/// and 1.10.
bool has_trailing_cost_of_bins(const kernels::KernelSpec& first, const DeviceLimits& limits);
double trailing_cost_of_bins(const kernels::KernelSpec& first);
inline constexpr double most_trailing_cost_of_bins = 0.45;

}  // namespace seiche::planner
