// Two passes over memory in one launch, the second close behind the first.
#pragma once

#include "planner/recipe.hpp"

namespace seiche::planner {

/// Makes the first two steps that may share a launch one, with a step before it that clears its counters, where
/// tuning.trailing_passes asks for it or it pays; `is_in_place`: of a problem whose input
/// and output are the same memory. False: there are none, and all stays as it is. Its arrays must be
/// whole (parts.hpp): what other groups see is not looked for in parts or behind addresses.
bool trail_passes(Schedule& schedule, bool is_in_place, const DeviceLimits& limits, const Tuning& tuning);

/// Whether a device whose groups may wait for each other should let passes over so many bytes trail each other: it was
/// measured on cards that have clusters of groups too.
bool is_worth_trailing(std::uint64_t bytes, const DeviceLimits& limits);

/// The same of so many slices of what lies between two passes, of which a cache should have several.
bool can_pay_to_trail(std::uint64_t slice_bytes, std::uint64_t slices, const DeviceLimits& limits);

/// Whether two passes in one launch, of these shapes, were seen to be faster than a launch each, or should be by their
/// cost (trail_cost.hpp).
bool gains_by_trailing(const kernels::KernelSpec& first, const DeviceLimits& limits);

/// Whether a tuning leaves it to the planner which passes trail each other.
bool leaves_trailing_open(const Tuning& tuning);

}  // namespace seiche::planner
