// Which passes are pipelined in one launch.
#pragma once

#include <optional>

#include "planner/recipe.hpp"

namespace seiche::planner {

/// Makes the first two steps that may share a launch one, behind a step that clears its counters, where
/// tuning.trailing_passes asks for it or it pays, and a third if it may follow; says which. `is_in_place`: the
/// problem's input and output are the same memory. Empty: there are none, and the schedule is unchanged. Its arrays
/// must be whole (lower/parts.hpp).
std::optional<Pipelining> pipeline_passes(Schedule& schedule, bool is_in_place, const DeviceLimits& limits,
                                          const Tuning& tuning);

/// Whether a cache holds what lies between the passes and the batch is worth one launch more.
bool pays_to_pipeline(const kernels::KernelSpec& first, const kernels::KernelSpec& second, const DeviceLimits& limits);

/// Whether pipelined passes of these shapes are faster than a launch each, by measurement or by cost
/// (pipeline_cost.hpp).
bool gains_by_pipelining(const kernels::KernelSpec& first, const DeviceLimits& limits);

}  // namespace seiche::planner
