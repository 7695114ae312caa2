// CUDA's driver as it is loaded at run time: the few types, constants and functions that this backend uses, declared
// here so that no vendor header is needed. Names, values and layouts are those of the CUDA driver API, 12.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/library.hpp"

namespace seiche::runtime::cuda {

using Result = int;
using Ordinal = int;  // CUdevice
using Address = std::uint64_t;
using MemoryHandle = std::uint64_t;
using Context = struct ContextTag*;
using Stream = struct StreamTag*;
using ModuleHandle = struct ModuleTag*;
using Function = struct FunctionTag*;
using EventHandle = struct EventTag*;
using Linker = struct LinkerTag*;

struct MemoryLocation {     // CUmemLocation
    std::int32_t type = 1;  // a card
    std::int32_t ordinal = 0;
};

struct MemoryProperties {   // CUmemAllocationProp
    std::int32_t type = 1;  // pinned
    std::int32_t handles = 0;
    MemoryLocation location;
    void* windows = nullptr;
    unsigned char flags[8] = {};
};

struct MemoryAccess {  // CUmemAccessDesc
    MemoryLocation location;
    std::int32_t flags = 3;  // to read and to write
};

struct LaunchAttribute {  // CUlaunchAttribute
    std::int32_t id = 0;
    std::int32_t padding = 0;
    union {
        char whole[64];
        std::uint32_t cluster[3];
        std::int32_t cooperative;
        std::int32_t programmatic_stream_serialization;
    } value = {};
};

struct LaunchConfig {  // CUlaunchConfig
    std::uint32_t grid[3] = {1, 1, 1};
    std::uint32_t block[3] = {1, 1, 1};
    std::uint32_t shared_bytes = 0;
    Stream stream = nullptr;
    LaunchAttribute* attributes = nullptr;
    std::uint32_t attribute_count = 0;
};

// member, exported name, parameters; every one gives a Result
#define SEICHE_CUDA_SYMBOLS(X)                                                                                  \
    X(cuInit, "cuInit", (std::uint32_t))                                                                        \
    X(cuDriverGetVersion, "cuDriverGetVersion", (int*))                                                         \
    X(cuGetErrorName, "cuGetErrorName", (Result, const char**))                                                 \
    X(cuGetErrorString, "cuGetErrorString", (Result, const char**))                                             \
    X(cuDeviceGetCount, "cuDeviceGetCount", (int*))                                                             \
    X(cuDeviceGet, "cuDeviceGet", (Ordinal*, int))                                                              \
    X(cuDeviceGetName, "cuDeviceGetName", (char*, int, Ordinal))                                                \
    X(cuDeviceGetAttribute, "cuDeviceGetAttribute", (int*, int, Ordinal))                                       \
    X(cuDeviceTotalMem, "cuDeviceTotalMem_v2", (std::size_t*, Ordinal))                                         \
    X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (Context*, Ordinal))                                \
    X(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (Ordinal))                                     \
    X(cuCtxPushCurrent, "cuCtxPushCurrent_v2", (Context))                                                       \
    X(cuCtxPopCurrent, "cuCtxPopCurrent_v2", (Context*))                                                        \
    X(cuCtxGetCurrent, "cuCtxGetCurrent", (Context*))                                                           \
    X(cuCtxGetDevice, "cuCtxGetDevice", (Ordinal*))                                                             \
    X(cuModuleLoadData, "cuModuleLoadData", (ModuleHandle*, const void*))                                       \
    X(cuModuleUnload, "cuModuleUnload", (ModuleHandle))                                                         \
    X(cuModuleGetFunction, "cuModuleGetFunction", (Function*, ModuleHandle, const char*))                       \
    X(cuFuncGetAttribute, "cuFuncGetAttribute", (int*, int, Function))                                          \
    X(cuFuncSetAttribute, "cuFuncSetAttribute", (Function, int, int))                                           \
    X(cuLaunchKernelEx, "cuLaunchKernelEx", (const LaunchConfig*, Function, void**, void**))                    \
    X(cuOccupancyMaxActiveClusters, "cuOccupancyMaxActiveClusters", (int*, Function, const LaunchConfig*))      \
    X(cuLinkCreate, "cuLinkCreate_v2", (std::uint32_t, std::int32_t*, void**, Linker*))                         \
    X(cuLinkAddData, "cuLinkAddData_v2",                                                                        \
      (Linker, std::int32_t, void*, std::size_t, const char*, std::uint32_t, std::int32_t*, void**))            \
    X(cuLinkComplete, "cuLinkComplete", (Linker, void**, std::size_t*))                                         \
    X(cuLinkDestroy, "cuLinkDestroy", (Linker))                                                                 \
    X(cuMemAlloc, "cuMemAlloc_v2", (Address*, std::size_t))                                                     \
    X(cuMemFree, "cuMemFree_v2", (Address))                                                                     \
    X(cuMemGetAllocationGranularity, "cuMemGetAllocationGranularity",                                           \
      (std::size_t*, const MemoryProperties*, std::int32_t))                                                    \
    X(cuMemCreate, "cuMemCreate", (MemoryHandle*, std::size_t, const MemoryProperties*, std::uint64_t))         \
    X(cuMemRelease, "cuMemRelease", (MemoryHandle))                                                             \
    X(cuMemAddressReserve, "cuMemAddressReserve", (Address*, std::size_t, std::size_t, Address, std::uint64_t)) \
    X(cuMemAddressFree, "cuMemAddressFree", (Address, std::size_t))                                             \
    X(cuMemMap, "cuMemMap", (Address, std::size_t, std::size_t, MemoryHandle, std::uint64_t))                   \
    X(cuMemUnmap, "cuMemUnmap", (Address, std::size_t))                                                         \
    X(cuMemSetAccess, "cuMemSetAccess", (Address, std::size_t, const MemoryAccess*, std::size_t))               \
    X(cuMemHostAlloc, "cuMemHostAlloc", (void**, std::size_t, std::uint32_t))                                   \
    X(cuMemFreeHost, "cuMemFreeHost", (void*))                                                                  \
    X(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", (Address, const void*, std::size_t, Stream))                   \
    X(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", (void*, Address, std::size_t, Stream))                         \
    X(cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", (Address, Address, std::size_t, Stream))                       \
    X(cuMemcpyPeerAsync, "cuMemcpyPeerAsync", (Address, Context, Address, Context, std::size_t, Stream))        \
    X(cuStreamCreate, "cuStreamCreate", (Stream*, std::uint32_t))                                               \
    X(cuStreamDestroy, "cuStreamDestroy_v2", (Stream))                                                          \
    X(cuStreamSynchronize, "cuStreamSynchronize", (Stream))                                                     \
    X(cuStreamWaitEvent, "cuStreamWaitEvent", (Stream, EventHandle, std::uint32_t))                             \
    X(cuEventCreate, "cuEventCreate", (EventHandle*, std::uint32_t))                                            \
    X(cuEventRecord, "cuEventRecord", (EventHandle, Stream))                                                    \
    X(cuEventSynchronize, "cuEventSynchronize", (EventHandle))                                                  \
    X(cuEventElapsedTime, "cuEventElapsedTime", (float*, EventHandle, EventHandle))                             \
    X(cuEventDestroy, "cuEventDestroy_v2", (EventHandle))

inline constexpr Result success = 0, out_of_memory = 2, no_device = 100;
inline constexpr int attribute_max_threads = 1, attribute_warp_size = 10, attribute_multiprocessors = 16,
                     attribute_memory_kilohertz = 36, attribute_bus_bits = 37, attribute_l2_bytes = 38,
                     attribute_major = 75, attribute_minor = 76, attribute_shared_per_multiprocessor = 81,
                     attribute_shared_optin = 97, attribute_cluster_launch = 120;
inline constexpr std::int32_t jit_error_log = 5, jit_error_log_bytes = 6, jit_target_from_context = 8,
                              jit_input_ptx = 1;
inline constexpr int function_local_bytes = 3, function_max_dynamic_shared = 8, function_any_cluster_size = 14;
inline constexpr std::int32_t launch_cooperative = 2, launch_cluster = 4, launch_programmatic_stream_serialization = 6;
inline constexpr std::uint32_t stream_non_blocking = 1, host_memory_portable = 1;
inline constexpr std::uintptr_t legacy_default_stream = 1;  // as a handle; 0 is the same one
inline constexpr int oldest_version = 12000;                // of driver and compiler, as CUDA counts
/// From here on a graph can be captured of launches that begin early.
inline constexpr int early_launch_version = 12030;
/// Its assembler knows PTX 8.6, with fences of shared memory alone.
inline constexpr int arrivals_version = 12070;
/// What mends a driver that is there and does not answer.
inline constexpr const char* driver_remedy =
    "see whether nvidia-smi works; after an update of the driver restart the machine";

struct Api {
#define SEICHE_DECLARE(name, exported, parameters) Result(*name) parameters = nullptr;
    SEICHE_CUDA_SYMBOLS(SEICHE_DECLARE)
#undef SEICHE_DECLARE
    int version = 0;      ///< Of the driver: 1000 * major + 10 * minor.
    std::string problem;  ///< Why CUDA cannot be used; empty if it can.
    std::string remedy;
};

/// Loads libcuda and starts the driver, once.
const Api& api();

/// "12.4".
std::string version_text(int version);

/// Names the call, the code, what was being done and the way out.
std::string failure(Result code, const char* call, const std::string& doing);

/// Throws BackendError naming the call, the code, what was being done and the way out, unless `code` is success.
void check(Result code, const char* call, const std::string& doing = {});

}  // namespace seiche::runtime::cuda
