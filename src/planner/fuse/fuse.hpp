// Fused passes: two passes over memory in one kernel, because a group or a cluster holds what lies between them.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/recipe.hpp"
#include "support/refusal.hpp"

namespace seiche::planner {

using support::Refusal;

/// Lengths of the passes of one axis of n points that tuning.groups_per_cluster makes fewer: two where a cluster holds
/// the whole transform; else two that share a tile in a cluster, and a third pass; else two such pairs. Lengths of a
/// pair are multiples of the cluster's groups. Empty: there are none.
std::vector<std::uint32_t> lengths_in_clusters(std::uint64_t n, Precision precision, const DeviceLimits& limits,
                                               const Tuning& tuning);

/// Whether a group holds a cube of the three axes that vary fastest.
bool holds_cube(const problem::Canonical& problem, const DeviceLimits& limits);

/// Whether all of a problem's elements are kept, in arrays of the arithmetic's storage, as they lie.
bool has_whole_arrays(const problem::Canonical& problem);

/// Whether a group holds a plane or a cube of real rows with one-sided spectra (AxisRecipe::one_sided): the three
/// fastest axes, or two, where rows are short, of odd length, or such that conjugate pairs cannot be in one thread.
bool has_rows_in_group(const problem::Canonical& problem, const DeviceLimits& limits);

/// Makes passes one kernel in this way, in tuning.groups_per_cluster groups. `is_in_place`: the problem's input and
/// output are the same memory. False: the schedule is unchanged, since that is not possible.
bool fuse_as(FusedAs as, Schedule& schedule, bool is_in_place, const DeviceLimits& limits, const Tuning& tuning);

/// Makes one kernel of a plane's operator: rows, columns with the middle between their two runs, and rows back. False:
/// the schedule is unchanged, since no group holds it.
bool fuse_operator(Schedule& schedule, const DeviceLimits& limits);

/// Fills in both shapes of two fused passes with as many threads; refused where the device holds too little.
[[nodiscard]] Refusal choose_fused_shape(kernels::KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning);
/// The same of a kernel whose passes have threads of their own (OnChip::own_threads).
[[nodiscard]] Refusal choose_group_shape(kernels::KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning);

}  // namespace seiche::planner
