// The two halves of a spectral operator's launches.
#pragma once

#include "planner/lower/lowering.hpp"

namespace seiche::planner {

/// The way to the spectrum, with the middle; gives where that lies.
Place to_spectrum(Lowering& l, const SpectralDesign& design);
/// The way from a spectrum that lies at `start` to the result.
void from_spectrum(Lowering& l, const SpectralDesign& design, const Place& start);
// spectral_modes.cpp
/// The matrix of weights of an operator whose spectrum is in memory, from there to workspace b. An input has dense
/// modes.
Step step_of_modes(const SpectralDesign& design, Role source, const DeviceLimits& limits);
/// Modes gathered from workspace a to the output, or scattered from the input to workspace a.
Step step_of_copy(const SpectralDesign& design, const DeviceLimits& limits);
/// The gradient of the weights, from modes to the output.
Step step_of_gradient(const SpectralDesign& design, const DeviceLimits& limits);

}  // namespace seiche::planner
