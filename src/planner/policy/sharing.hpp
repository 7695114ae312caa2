// Which passes share kernels and launches.
#pragma once

#include "planner/lower/lowering.hpp"

namespace seiche::planner {

/// Makes passes of a launch each share kernels and launches, as the tuning asks or where that is faster. `groups`:
/// whose memories should hold what lies between passes (Recipe::groups_per_cluster). Notes in `sharing` what was
/// chosen. Refused where the tuning asks for what cannot be.
[[nodiscard]] Refusal choose_sharing(Arrays& arrays, Schedule& schedule, std::uint32_t groups, Sharing& sharing);

/// The measured radices of kernels of one pass each, now that it is known which those are.
void take_measured_radices(const Arrays& arrays, Schedule& schedule);

/// The cores of all launches.
std::vector<LaunchRecipe> launches_of(const Schedule& schedule);

}  // namespace seiche::planner
