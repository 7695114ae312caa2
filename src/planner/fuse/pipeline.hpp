// Two or three passes over memory in one launch, pipelined.
#pragma once

#include "planner/recipe.hpp"

namespace seiche::planner {

/// Makes these steps of a schedule one launch, with the radices that they have, behind a step that clears its counters.
/// `is_in_place`: the problem's input and output are the same memory. False: they cannot share one. Arrays must be
/// whole (lower/parts.hpp).
bool pipeline_as(const Pipelining& pipelining, Schedule& schedule, bool is_in_place, const DeviceLimits& limits,
                 const Tuning& tuning);

/// Whether a tuning leaves it to the planner which passes share a launch.
bool leaves_pipelining_open(const Tuning& tuning);

}  // namespace seiche::planner
