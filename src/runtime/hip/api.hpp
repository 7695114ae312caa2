// HIP's runtime as it is loaded at run time: the few types, constants and functions that this backend uses, declared
// here so that no vendor header is needed. Names and values are those of HIP 5.0 and later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/library.hpp"

namespace seiche::runtime::hip {

using Result = int;
using Address = void*;  // hipDeviceptr_t
using Stream = struct StreamTag*;
using ModuleHandle = struct ModuleTag*;
using Function = struct FunctionTag*;
using EventHandle = struct EventTag*;

// name, what it gives, parameters
#define SEICHE_HIP_SYMBOLS(X)                                                                              \
    X(hipInit, Result, (std::uint32_t))                                                                    \
    X(hipRuntimeGetVersion, Result, (int*))                                                                \
    X(hipGetErrorName, const char*, (Result))                                                              \
    X(hipGetErrorString, const char*, (Result))                                                            \
    X(hipGetDeviceCount, Result, (int*))                                                                   \
    X(hipDeviceGetName, Result, (char*, int, int))                                                         \
    X(hipDeviceGetAttribute, Result, (int*, int, int))                                                     \
    X(hipDeviceTotalMem, Result, (std::size_t*, int))                                                      \
    X(hipGetDeviceProperties, Result, (void*, int))                                                        \
    X(hipGetDevice, Result, (int*))                                                                        \
    X(hipSetDevice, Result, (int))                                                                         \
    X(hipModuleLoadData, Result, (ModuleHandle*, const void*))                                             \
    X(hipModuleUnload, Result, (ModuleHandle))                                                             \
    X(hipModuleGetFunction, Result, (Function*, ModuleHandle, const char*))                                \
    X(hipModuleLaunchKernel, Result,                                                                       \
      (Function, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, \
       std::uint32_t, Stream, void**, void**))                                                             \
    X(hipMalloc, Result, (Address*, std::size_t))                                                          \
    X(hipFree, Result, (Address))                                                                          \
    X(hipHostMalloc, Result, (void**, std::size_t, std::uint32_t))                                         \
    X(hipHostFree, Result, (void*))                                                                        \
    X(hipMemcpyHtoDAsync, Result, (Address, const void*, std::size_t, Stream))                             \
    X(hipMemcpyDtoHAsync, Result, (void*, Address, std::size_t, Stream))                                   \
    X(hipMemcpyDtoDAsync, Result, (Address, Address, std::size_t, Stream))                                 \
    X(hipStreamCreateWithFlags, Result, (Stream*, std::uint32_t))                                          \
    X(hipStreamDestroy, Result, (Stream))                                                                  \
    X(hipStreamSynchronize, Result, (Stream))                                                              \
    X(hipStreamWaitEvent, Result, (Stream, EventHandle, std::uint32_t))                                    \
    X(hipEventCreate, Result, (EventHandle*))                                                              \
    X(hipEventRecord, Result, (EventHandle, Stream))                                                       \
    X(hipEventSynchronize, Result, (EventHandle))                                                          \
    X(hipEventElapsedTime, Result, (float*, EventHandle, EventHandle))                                     \
    X(hipEventDestroy, Result, (EventHandle))

inline constexpr Result success = 0, out_of_memory = 2, no_device = 100, invalid_device = 101;
inline constexpr int attribute_l2_bytes = 19, attribute_max_threads = 56, attribute_compute_units = 63,
                     attribute_shared_bytes = 74, attribute_warp_size = 87, attribute_shared_per_unit = 10002;
inline constexpr std::uint32_t stream_non_blocking = 1, host_memory_portable = 1;
inline constexpr int oldest_version =
    50000000;  // of the runtime, as HIP counts; before it attributes had other numbers

struct Api {
#define SEICHE_DECLARE(name, result, parameters) result(*name) parameters = nullptr;
    SEICHE_HIP_SYMBOLS(SEICHE_DECLARE)
#undef SEICHE_DECLARE
    int version = 0;      ///< Of the runtime: 10000000 * major + 100000 * minor + patch.
    std::string path;     ///< Of the library.
    std::string problem;  ///< Why HIP cannot be used; empty if it can.
    std::string remedy;
};

/// Loads the library that SEICHE_HIP_LIBRARY names, or libamdhip64, and starts the runtime, once.
const Api& api();

/// "5.2".
std::string version_text(int version);

/// Throws BackendError naming the call, the code and what was being done, unless `code` is success.
void check(Result code, const char* call, const std::string& doing = {});

}  // namespace seiche::runtime::hip
