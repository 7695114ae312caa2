// An OpenCL device that is given SPIR-V: for those that do not take it, translated to LLVM bitcode by llvm-spirv.
#pragma once

#include <memory>
#include <string>

#include "runtime/backend.hpp"

namespace seiche::test {

/// The device `opencl` with its kernels emitted as SPIR-V; null, with the reason, where there is no such device or no
/// translator. `vectors` says for which kind of device kernels are planned.
std::shared_ptr<runtime::Device> open_spirv_device(Vectors vectors, std::string& reason);

/// Writes the module to a new file, which the caller removes.
std::string write_module(const emit::Source& source);

}  // namespace seiche::test
