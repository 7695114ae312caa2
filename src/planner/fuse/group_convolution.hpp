// Convolutions on chip: a transform of two passes in one group's kernel, of which one or both are Rader's or
// Bluestein's.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/recipe.hpp"
#include "support/refusal.hpp"

namespace seiche::planner {

using support::Refusal;

/// Lengths of two passes that make n, the last of them a convolution, which a group may hold: a prime factor beyond
/// those of butterflies, behind what is left. Empty: n has no such factor, or its other factors are none of a pass.
std::vector<std::uint32_t> lengths_with_convolution(std::uint64_t n, Precision precision, const DeviceLimits& limits);

/// A pass of such a kernel: by butterflies if its primes are small; else the cheaper of Rader's convolution, of a point
/// less than the prime, and Bluestein's.
Pass pass_in_group(std::uint32_t n, Precision precision, const DeviceLimits& limits);

/// Whether a group has threads and memory for passes of these lengths.
bool holds_convolution(const std::vector<std::uint32_t>& lengths, Precision precision, const DeviceLimits& limits);

/// Whether one of two passes in a kernel is a convolution.
bool has_convolution(const kernels::KernelSpec& fused);

/// Fuses two passes of which one is a convolution. False: the schedule is unchanged.
bool fuse_convolution(Schedule& schedule, bool is_in_place, const DeviceLimits& limits);

/// Fills in the shapes of such a kernel's passes; refused where a group holds too little.
[[nodiscard]] Refusal choose_convolution_shape(kernels::KernelSpec& spec, const DeviceLimits& limits,
                                               const Tuning& tuning);

}  // namespace seiche::planner
