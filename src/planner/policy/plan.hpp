// Planning as a value: what cannot be had is no error there.
#pragma once

#include <optional>

#include "planner/recipe.hpp"

namespace seiche::planner {

/// As plan(), of arrays in one buffer each and specs that are not complete; empty: the device or the tuning refuses.
std::optional<Planned> try_plan(const Recipe& design, const problem::Canonical& problem, const DeviceLimits& limits,
                                const LowerOptions& options);

}  // namespace seiche::planner
