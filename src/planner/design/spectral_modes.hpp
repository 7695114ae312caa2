// Operators of whose spectra some modes are kept, or have weights.
#pragma once

#include "planner/spectral.hpp"

namespace seiche::planner {

/// Of an operator whose spectrum is in memory.
SpectralDesign design_in_memory(const problem::CanonicalSpectral& spectral, const DeviceLimits& limits,
                                const Tuning& tuning);

}  // namespace seiche::planner
