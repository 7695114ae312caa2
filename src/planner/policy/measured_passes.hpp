// Lengths of passes over memory that were measured to be faster than those that the planner would choose by a rule.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/axis_question.hpp"
#include "planner/recipe.hpp"

namespace seiche::planner {

/// First to last; empty: none are known, or not for such an axis or device.
std::vector<std::uint32_t> measured_passes(const AxisQuestion& q);

/// The same of the points of r2c (`stores_bins`) or c2r, conjugate pairs in the last or the first of passes of which
/// two are pipelined.
std::vector<std::uint64_t> measured_passes_for_bins(bool stores_bins, const AxisQuestion& q);
/// Passes of the points of r2c in a launch each, whatever the batch; empty: none are known.
std::vector<std::uint64_t> measured_lone_passes_for_bins(const AxisQuestion& q);
/// Two pipelined passes of the points of f32 r2c; empty: none are known.
std::vector<std::uint64_t> measured_pair_for_bins(const AxisQuestion& q);
/// Passes of the points of types II to IV, first to last, in a launch each or in one.
std::vector<std::uint64_t> measured_passes_of_folded(Kind kind, const AxisQuestion& q);
}  // namespace seiche::planner
