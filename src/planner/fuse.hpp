// Two passes over memory that become one kernel, because a group, or a cluster of groups, holds what lies between them.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/recipe.hpp"

namespace seiche::planner {

/// Of one axis of n points in memory, by itself: lengths of the passes that tuning.groups_per_cluster makes fewer. Two
/// where a cluster holds the whole transform; else two that have a tile and a third that is a pass by itself; else
/// twice two that have a tile. Each of two is a multiple of the groups. Empty: there are none.
std::vector<std::uint32_t> lengths_in_clusters(std::uint64_t n, Precision precision, const DeviceLimits& limits,
                                               const Tuning& tuning);

/// Whether a group holds a cube of the three axes that vary fastest.
bool holds_cube(const problem::Canonical& problem, const DeviceLimits& limits);

/// Whether all of a problem's elements are kept, in arrays of the arithmetic's storage, as they lie.
bool is_plain(const problem::Canonical& problem);

/// Whether a group holds a plane or a cube of real rows, as they lie, and its spectrum, whose rows are one-sided then
/// (AxisRecipe::one_sided): the three axes that vary fastest, or two, where rows are short, of an odd length or such
/// that bins cannot meet.
bool has_rows_in_group(const problem::Canonical& problem, const DeviceLimits& limits);

/// Groups whose memories should hold what lies between two passes, by what was measured; 0: passes are separate, as
/// where the tuning is no open question.
std::uint32_t choose_fusion(const problem::Canonical& problem, const DeviceLimits& limits, const Tuning& tuning);

/// Steps that tuning.groups_per_cluster makes one; `is_in_place`: of a problem whose input and output are the same
/// memory. Throws Unsupported where it asks for what is not to be had.
void fuse_passes(Schedule& schedule, bool is_in_place, const DeviceLimits& limits, const Tuning& tuning);

/// The same where the planner asks: false, and all stays as it is, where it is not to be had, or threads would idle.
bool fuse_where_it_pays(Schedule& schedule, bool is_in_place, const DeviceLimits& limits, const Tuning& tuning);

/// Fills in both shapes of two passes in one kernel, which have as many threads. Throws Unsupported where the device
/// holds too little.
void choose_fused_shape(kernels::KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning);
/// The same of a kernel whose passes have threads of their own (Step::own_threads).
void choose_group_shape(kernels::KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning);

}  // namespace seiche::planner
