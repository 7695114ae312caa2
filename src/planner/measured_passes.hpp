// Lengths of passes over memory that were measured to be faster than those that the planner would choose by a rule.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/design.hpp"

namespace seiche::planner {

/// First to last; empty: none are known, or not of such an axis or device.
std::vector<std::uint32_t> measured_passes(const AxisQuestion& q);

}  // namespace seiche::planner
