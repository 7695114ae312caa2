// Arrays in several buffers: because the problem says so, or because one exceeds a buffer argument.
#pragma once

#include "planner/recipe.hpp"
#include "planner/spectral.hpp"

namespace seiche::planner {

/// Says of every step in which buffers its arrays lie, for the problem's batch. Throws Unsupported where that is more
/// than a kernel takes.
void assign_parts(Schedule& schedule, const problem::Canonical& problem, const DeviceLimits& limits,
                  const Tuning& tuning);

/// Whether assign_parts would leave every array of the schedule in one buffer that a binding reaches.
bool are_arrays_whole(const Schedule& schedule, const problem::Canonical& problem, const DeviceLimits& limits,
                      const Tuning& tuning);

/// What a textbook recipe alternates with an output that is an image: an image of the same format and width. Of other
/// plans workspaces are buffers.
problem::ArrayImage workspace_image(const problem::Canonical& problem, const Tuning& tuning);

/// As assign_parts, of a convolution's kernels (`is_preparation`) or of its execution.
void assign_parts(SpectralSchedule& schedule, const SpectralDesign& design, bool is_preparation,
                  const DeviceLimits& limits, const Tuning& tuning);

}  // namespace seiche::planner
