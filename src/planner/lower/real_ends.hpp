// How the ends of a real axis's core in several passes go to memory without a pass of maps: elements are folded into
// points, or conjugate pairs are made of them in registers.
#pragma once

#include "planner/lower/lowering.hpp"

namespace seiche::planner {

/// Types II to IV: the first pass of the core takes its points from the elements, or the last one leaves them there.
/// The same of real-to-real kinds of odd lengths, in one pass or several.
bool may_fold(const Lowering& l, const AxisRecipe& axis, const Place& place, bool is_load);
/// A pass of several that took points from this place, or left them there, takes or leaves elements.
void fold(const Lowering& l, KernelSpec& spec, const kernels::RealMap& map, const Place& place, bool is_load);

/// r2c and c2r: the first pass of the core makes its points of the spectrum's elements, or the last one makes these of
/// its bins, where mirrored columns are in one group.
bool may_pair_bins(const Lowering& l, const AxisRecipe& axis, bool is_load);
/// As fold(). False: its columns cannot be mirrored in one group.
bool pair_bins(const Lowering& l, KernelSpec& spec, kernels::RealMap map, const Place& place, bool is_load);

}  // namespace seiche::planner
