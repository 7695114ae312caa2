// How one axis is split into two pipelined passes by cost.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "planner/axis_question.hpp"
#include "planner/recipe.hpp"

namespace seiche::planner {

using Split = std::pair<std::uint64_t, std::uint64_t>;

/// Whether launches of such an axis have a cost, the batch is worth one, and the tuning leaves it open.
bool is_cut_by_cost(const AxisQuestion& q);

/// Splits into two possible passes, neither 16 times as long as the other.
std::vector<Split> splits_of_two(const AxisQuestion& q);

/// The launch with both passes of an axis of so many elements, and no others; empty: they cannot share one.
std::optional<kernels::KernelSpec> pipelined_launch(const AxisQuestion& q, Kind kind, std::uint64_t length,
                                                    const Split& split);

}  // namespace seiche::planner
