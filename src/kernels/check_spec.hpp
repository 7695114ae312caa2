// Refuses specs that contradict themselves where their types allow it: a defect of the planner. All throw InternalError
// with the kernel's name, what was expected, and the spec.
#pragma once

#include <string>

#include "kernels/contract/spec.hpp"

namespace seiche::kernels {

/// A kernel with all of its passes.
void check_spec(const KernelSpec& spec);

/// A pass and the next one, which takes its points on chip.
void check_on_chip(const KernelSpec& spec);
/// A pass and the next one in the same persistent launch.
void check_pipeline(const KernelSpec& spec);

void expect(const KernelSpec& spec, bool holds, const std::string& what);

}  // namespace seiche::kernels
