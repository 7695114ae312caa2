// Planes and cubes of real numbers whose axes are all of real-to-real kinds, in one kernel of whole blocks.
#pragma once

#include "planner/recipe.hpp"

namespace seiche::planner {

/// Whether a group has such blocks whole, and a thread whole rows of each axis. Of what else a tuning may ask for there
/// are no blocks.
bool has_block(const problem::Canonical& problem, const DeviceLimits& limits, const Tuning& tuning);
/// The axes of one, the one whose elements lie the closest first.
std::vector<AxisRecipe> design_block(const problem::Canonical& problem);
/// Fills in its shape. Throws Unsupported where the device holds too little.
void choose_block_shape(kernels::KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning);

}  // namespace seiche::planner
