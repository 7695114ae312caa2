// An OpenCL device that is given SPIR-V: for those that do not take it, translated to LLVM bitcode by llvm-spirv.
#pragma once

#include <memory>
#include <string>

#include "runtime/backend.hpp"

namespace seiche::test {

/// For which device kernels are planned: the CPU that runs them, a modest GPU, an Intel Arc, as
/// profiles/intel-xe-hpg-arc-a770.json has it (with fp64, so that it computes all there is), or a stack of a Max, as
/// profiles/intel-xe-hpc-max-1550.json has it, whose modules state their lanes.
enum class PlannedFor { cpu, gpu, arc, max };

/// The device `opencl` with its kernels emitted as SPIR-V; null, with the reason, where there is no such device or no
/// translator.
std::shared_ptr<runtime::Device> open_spirv_device(PlannedFor planned_for, std::string& reason);

/// Writes the module to a new file, which the caller removes.
std::string write_module(const emit::Source& source);

}  // namespace seiche::test
