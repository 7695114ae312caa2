// Two or three passes over memory in one launch, pipelined.
#pragma once

#include <optional>

#include "planner/recipe.hpp"

namespace seiche::planner {

/// Makes the first two steps that may share a launch one, behind a step that clears its counters, where
/// tuning.trailing_passes asks for it or it pays, and a third if it may follow; says which. `is_in_place`: the problem's
/// input and output are the same memory. Empty: there are none, and the schedule is unchanged. Its arrays must be whole
/// (parts.hpp).
std::optional<Pipelining> pipeline_passes(Schedule& schedule, bool is_in_place, const DeviceLimits& limits,
                                          const Tuning& tuning);

/// The same with these passes, as their radices are. False: they cannot share one.
bool pipeline_as(const Pipelining& pipelining, Schedule& schedule, bool is_in_place, const DeviceLimits& limits,
                 const Tuning& tuning);

/// Whether pipelining passes over so many bytes is worth it on this device.
bool is_worth_pipelining(std::uint64_t bytes, const DeviceLimits& limits);

/// The same for slices of what lies between two passes, of which a cache should hold several.
bool can_pay_to_pipeline(std::uint64_t slice_bytes, std::uint64_t slices, const DeviceLimits& limits);

/// Whether pipelined passes of these shapes are faster than a launch each, by measurement or by cost
/// (pipeline_cost.hpp).
bool gains_by_pipelining(const kernels::KernelSpec& first, const DeviceLimits& limits);

bool leaves_pipelining_open(const Tuning& tuning);

}  // namespace seiche::planner
