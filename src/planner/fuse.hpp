// Two passes over memory that become one kernel, because a group, or a cluster of groups, holds what lies between them.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/recipe.hpp"

namespace seiche::planner {

/// Two lengths whose product is n, as alike as can be, each a multiple of `ranks` and of small primes only; empty:
/// there are none.
std::vector<std::uint32_t> lengths_across(std::uint64_t n, std::uint32_t ranks, std::uint32_t largest_prime);

/// Steps that tuning.groups_per_cluster makes one; `is_in_place`: of a problem whose input and output are the same
/// memory. Throws Unsupported where it asks for what is not to be had.
void fuse_passes(Schedule& schedule, bool is_in_place, const DeviceLimits& limits, const Tuning& tuning);

/// Fills in both shapes of two passes in one kernel. Throws Unsupported where the device holds too little.
void choose_fused_shape(kernels::KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning);

}  // namespace seiche::planner
