// Which lengths have butterflies on a device, and the radices of a core.
#pragma once

#include "planner/axis_question.hpp"
#include "planner/recipe.hpp"
#include "planner/shape/shape.hpp"

namespace seiche::planner {

/// Whether butterflies of a device make passes of n points of such an axis.
bool has_butterflies(const AxisQuestion& question, std::uint64_t n);

/// The radices of a core, or those that the tuning forces. Throws Unsupported if these do not make its length.
Stockham choose_core(const AxisQuestion& question, const CoreQuestion& core);

}  // namespace seiche::planner
