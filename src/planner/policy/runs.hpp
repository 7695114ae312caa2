// Whether what lies between two passes is in runs of a workspace (lower/runs.cpp).
#pragma once

#include "planner/lower/lowering.hpp"

namespace seiche::planner {

/// Sequences of a group of the first pass, so that runs gain; 0: what lies between the passes lies as the results do.
std::uint32_t choose_runs(const Arrays& arrays, const Schedule& schedule);

}  // namespace seiche::planner
