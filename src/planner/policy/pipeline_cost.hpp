// The cost of two pipelined passes by the shapes of their groups, fitted to measurements.
#pragma once

#include "kernels/contract/spec.hpp"
#include "seiche/device.hpp"

namespace seiche::planner {

/// Whether `pipeline_cost` was fitted to such passes: one dense complex axis of f32 or f64, not both of a power of two.
bool has_pipeline_cost(const kernels::KernelSpec& first, const DeviceLimits& limits);

/// log2 of an H100's milliseconds for 10^9 bytes of input, of the launch of `first` and the next pass of
/// `first.pipeline`: linear in what the shapes touch, idle and lack (PipelineFit).
double pipeline_cost(const kernels::KernelSpec& first);

/// The same for a core of r2c or c2r, conjugate pairs in the last or the first. Measured: LAB-0020.
bool has_pipeline_cost_of_bins(const kernels::KernelSpec& first, const DeviceLimits& limits);
double pipeline_cost_of_bins(const kernels::KernelSpec& first);

}  // namespace seiche::planner
