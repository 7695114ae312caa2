// Operators that have real-to-real axes.
#pragma once

#include "planner/spectral.hpp"

namespace seiche::planner {

SpectralDesign design_by_kinds(const problem::CanonicalSpectral& spectral, const DeviceLimits& limits,
                               const Tuning& tuning);

}  // namespace seiche::planner
