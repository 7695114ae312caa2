// The passes of an axis on a device of explicit SIMD, a processor: what its caches hold and how its lanes fill.
#pragma once

#include <cstdint>
#include <vector>

#include "planner/axis_question.hpp"
#include "planner/recipe.hpp"

namespace seiche::planner {

/// Lengths of the passes of the fewest nanoseconds by a model of caches and lanes; one: the whole axis in one kernel.
/// Empty: the model does not know this precision or these factors, and the usual rules hold.
std::vector<std::uint32_t> simd_passes(const AxisQuestion& question);

/// Whether so many points of a real axis, which fit one kernel, are divided among threads as several passes instead,
/// because there are fewer sequences than threads.
bool divides_real_axis(const AxisQuestion& question);

}  // namespace seiche::planner
