// Memory that has an address on the host: shared virtual memory (OpenCL 2.0) and Intel's unified shared memory.
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/opencl/device.hpp"

namespace seiche::runtime::opencl {

/// What an address is of.
enum class Place { object, svm, usm };  // object: a cl_mem, which has none

/// The functions of cl_intel_unified_shared_memory, which a platform gives by name.
struct UsmApi {
    Int (*set_argument)(KernelHandle, Uint, const void*) = nullptr;
    Int (*copy)(CommandQueue, Uint, void*, const void*, std::size_t, Uint, const EventHandle*, EventHandle*) = nullptr;
    Int (*describe)(Context, const void*, Uint, std::size_t, void*, std::size_t*) = nullptr;
    explicit operator bool() const { return set_argument != nullptr && copy != nullptr && describe != nullptr; }
};

/// `bytes` bytes of the caller's from `address` on. Throws InvalidProblem for what is no such memory, Unsupported where
/// `device` has none, with what it lacks.
std::shared_ptr<Buffer> wrap_svm(const OpenclDevice& device, void* address, std::uint64_t bytes);
std::shared_ptr<Buffer> wrap_usm(const OpenclDevice& device, void* address, std::uint64_t bytes);

}  // namespace seiche::runtime::opencl
