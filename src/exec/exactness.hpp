// Whether a device's fp64 is exact enough for double-double arithmetic: a small kernel tries it.
#pragma once

#include <string>
#include <vector>

#include "ir/kernel.hpp"
#include "seiche/device.hpp"

namespace seiche::exec {

/// Operands of the trials, all first ones and then all second ones, and what exact arithmetic makes of them: all sums,
/// their errors, all products, and what a fused multiply-add finds that they lack.
struct ExactnessTrials {
    std::vector<double> operands, results;
};
const ExactnessTrials& exactness_trials();

/// The kernel that makes the results of the operands, in registers of so many lanes.
ir::Kernel exactness_kernel(unsigned lanes);

/// What is wrong with a device that made these results; empty: nothing.
std::string exactness_fault(const std::vector<double>& results);

/// Runs the trials. Throws Unsupported that names what the device lacks.
void require_exact_fp64(const Device& device);

}  // namespace seiche::exec
