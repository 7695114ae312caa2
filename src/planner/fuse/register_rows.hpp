// Planes and cubes of real-to-real axes in one kernel of register-resident rows.
#pragma once

#include "planner/recipe.hpp"
#include "support/refusal.hpp"

namespace seiche::planner {

/// Whether a group holds whole blocks, and a thread whole rows of each axis; not where a tuning asks for anything else.
bool has_register_rows(const problem::Canonical& problem, const DeviceLimits& limits, const Tuning& tuning);
/// The axes of one, the one whose elements lie the closest first.
std::vector<AxisRecipe> design_register_rows(const problem::Canonical& problem);
/// Fills in its shape; refused where the device holds too little.
[[nodiscard]] support::Refusal choose_shape_of_rows(kernels::KernelSpec& spec, const DeviceLimits& limits,
                                                    const Tuning& tuning);

}  // namespace seiche::planner
