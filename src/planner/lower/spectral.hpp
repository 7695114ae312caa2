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
/// The modes of one axis; what lies between two ranges of them is a gap.
kernels::Loop loop_of_modes(std::uint64_t bins, const std::vector<problem::Range>& kept, std::int64_t stride);
// spectral_sums.cpp
/// The middle stage with sums where it has a kernel of its own, on the spectrum that lies at `place`.
Step step_of_bins(const SpectralDesign& design, const Place& place, const DeviceLimits& limits);
/// Behind the step that has parts of sums, if there is one: what they lie in, and the step that adds them.
void add_sums(SpectralSchedule& all, const SpectralDesign& design, const DeviceLimits& limits);
/// Of a real signal of one axis all bins are there, in pairs; else half of them, which count for all in sums.
void set_pairs_of_bins(const SpectralDesign& design, kernels::UserProgram& user);

}  // namespace seiche::planner
