// Level Zero as its loader gives it at run time: the few types, constants and functions that this backend uses,
// declared here so that no header of it is needed. Names and values are those of the specification's version 1.0, but
// for the timer's unit (1.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

#include "runtime/library.hpp"

namespace seiche::runtime::level_zero {

using Result = std::uint32_t;
using Uint = std::uint32_t;
using Driver = struct DriverTag*;
using DeviceHandle = struct DeviceTag*;
using Context = struct ContextTag*;
using CommandList = struct CommandListTag*;
using ModuleHandle = struct ModuleTag*;
using BuildLog = struct BuildLogTag*;
using KernelHandle = struct KernelTag*;
using EventPool = struct EventPoolTag*;
using EventHandle = struct EventTag*;

// ---- Structures; the first number says which one it is

struct Uuid {
    std::uint8_t id[16] = {};
};

struct DriverProperties {
    Uint stype = 0x1;
    void* pNext = nullptr;
    Uuid uuid;
    Uint driverVersion = 0;
};

struct DeviceProperties {
    Uint stype = 0x3;
    void* pNext = nullptr;
    Uint type = 0, vendorId = 0, deviceId = 0, flags = 0, subdeviceId = 0, coreClockRate = 0;
    std::uint64_t maxMemAllocSize = 0;
    Uint maxHardwareContexts = 0, maxCommandQueuePriority = 0, numThreadsPerEU = 0, physicalEUSimdWidth = 0,
         numEUsPerSubslice = 0, numSubslicesPerSlice = 0, numSlices = 0;
    std::uint64_t timerResolution = 0;  ///< Nanoseconds a tick, or ticks a second where `stype` asks for those.
    Uint timestampValidBits = 0, kernelTimestampValidBits = 0;
    Uuid uuid;
    char name[256] = {};
};

struct ComputeProperties {
    Uint stype = 0x4;
    void* pNext = nullptr;
    Uint maxTotalGroupSize = 0, maxGroupSizeX = 0, maxGroupSizeY = 0, maxGroupSizeZ = 0;
    Uint maxGroupCount[3] = {};
    Uint maxSharedLocalMemory = 0, numSubGroupSizes = 0;
    Uint subGroupSizes[8] = {};
};

struct ModuleProperties {
    Uint stype = 0x5;
    void* pNext = nullptr;
    Uint spirvVersionSupported = 0, flags = 0, fp16flags = 0, fp32flags = 0, fp64flags = 0, maxArgumentsSize = 0,
         printfBufferSize = 0;
    Uuid nativeKernelSupported;
};

struct QueueGroupProperties {
    Uint stype = 0x6;
    void* pNext = nullptr;
    Uint flags = 0;
    std::size_t maxMemoryFillPatternSize = 0;
    Uint numQueues = 0;
};

struct MemoryProperties {
    Uint stype = 0x7;
    void* pNext = nullptr;
    Uint flags = 0, maxClockRate = 0, maxBusWidth = 0;
    std::uint64_t totalSize = 0;
    char name[256] = {};
};

struct CacheProperties {
    Uint stype = 0x9;
    void* pNext = nullptr;
    Uint flags = 0;
    std::size_t cacheSize = 0;
};

struct ContextDesc {
    Uint stype = 0xd;
    const void* pNext = nullptr;
    Uint flags = 0;
};

struct QueueDesc {
    Uint stype = 0xe;
    const void* pNext = nullptr;
    Uint ordinal = 0, index = 0, flags = 0, mode = 0, priority = 0;
};

struct EventPoolDesc {
    Uint stype = 0x10;
    const void* pNext = nullptr;
    Uint flags = 0, count = 1;
};

struct EventDesc {
    Uint stype = 0x11;
    const void* pNext = nullptr;
    Uint index = 0, signal = 0, wait = 0;
};

struct DeviceMemoryDesc {
    Uint stype = 0x15;
    const void* pNext = nullptr;
    Uint flags = 0, ordinal = 0;
};

struct HostMemoryDesc {
    Uint stype = 0x16;
    const void* pNext = nullptr;
    Uint flags = 0;
};

struct AllocationProperties {
    Uint stype = 0x17;
    void* pNext = nullptr;
    Uint type = 0;
    std::uint64_t id = 0, pageSize = 0;
};

struct ModuleDesc {
    Uint stype = 0x1b;
    const void* pNext = nullptr;
    Uint format = 0;
    std::size_t inputSize = 0;
    const std::uint8_t* pInputModule = nullptr;
    const char* pBuildFlags = nullptr;
    const void* pConstants = nullptr;
};

struct KernelDesc {
    Uint stype = 0x1d;
    const void* pNext = nullptr;
    Uint flags = 0;
    const char* pKernelName = nullptr;
};

struct GroupCount {
    Uint x = 1, y = 1, z = 1;
};

struct TimestampSpan {
    std::uint64_t kernelStart = 0, kernelEnd = 0;
};
struct KernelTimestamp {
    TimestampSpan global, context;
};

// ---- Functions: name and parameters; each gives a Result

#define SEICHE_LEVEL_ZERO_FREE_SYMBOLS(X)                                                    \
    X(zeInit, (Uint))                                                                        \
    X(zeDriverGet, (Uint*, Driver*))                                                         \
    X(zeDriverGetApiVersion, (Driver, Uint*))                                                \
    X(zeDriverGetProperties, (Driver, DriverProperties*))                                    \
    X(zeDeviceGet, (Driver, Uint*, DeviceHandle*))                                           \
    X(zeDeviceGetProperties, (DeviceHandle, DeviceProperties*))                              \
    X(zeDeviceGetComputeProperties, (DeviceHandle, ComputeProperties*))                      \
    X(zeDeviceGetModuleProperties, (DeviceHandle, ModuleProperties*))                        \
    X(zeDeviceGetMemoryProperties, (DeviceHandle, Uint*, MemoryProperties*))                 \
    X(zeDeviceGetCacheProperties, (DeviceHandle, Uint*, CacheProperties*))                   \
    X(zeDeviceGetCommandQueueGroupProperties, (DeviceHandle, Uint*, QueueGroupProperties*))  \
    X(zeContextCreate, (Driver, const ContextDesc*, Context*))                               \
    X(zeContextDestroy, (Context))                                                           \
    X(zeMemGetAllocProperties, (Context, const void*, AllocationProperties*, DeviceHandle*)) \
    X(zeModuleCreate, (Context, DeviceHandle, const ModuleDesc*, ModuleHandle*, BuildLog*))  \
    X(zeModuleDestroy, (ModuleHandle))                                                       \
    X(zeModuleBuildLogGetString, (BuildLog, std::size_t*, char*))                            \
    X(zeModuleBuildLogDestroy, (BuildLog))                                                   \
    X(zeModuleGetNativeBinary, (ModuleHandle, std::size_t*, std::uint8_t*))                  \
    X(zeKernelCreate, (ModuleHandle, const KernelDesc*, KernelHandle*))                      \
    X(zeKernelDestroy, (KernelHandle))                                                       \
    X(zeKernelSetGroupSize, (KernelHandle, Uint, Uint, Uint))                                \
    X(zeEventHostSynchronize, (EventHandle, std::uint64_t))                                  \
    X(zeEventQueryKernelTimestamp, (EventHandle, KernelTimestamp*))

// Called one at a time: see Serial.
#define SEICHE_LEVEL_ZERO_SERIAL_SYMBOLS(X)                                                                           \
    X(zeMemAllocDevice, (Context, const DeviceMemoryDesc*, std::size_t, std::size_t, DeviceHandle, void**))           \
    X(zeMemAllocHost, (Context, const HostMemoryDesc*, std::size_t, std::size_t, void**))                             \
    X(zeMemFree, (Context, void*))                                                                                    \
    X(zeKernelSetArgumentValue, (KernelHandle, Uint, std::size_t, const void*))                                       \
    X(zeCommandListCreateImmediate, (Context, DeviceHandle, const QueueDesc*, CommandList*))                          \
    X(zeCommandListDestroy, (CommandList))                                                                            \
    X(zeCommandListAppendBarrier, (CommandList, EventHandle, Uint, EventHandle*))                                     \
    X(zeCommandListAppendMemoryCopy, (CommandList, void*, const void*, std::size_t, EventHandle, Uint, EventHandle*)) \
    X(zeCommandListAppendLaunchKernel,                                                                                \
      (CommandList, KernelHandle, const GroupCount*, EventHandle, Uint, EventHandle*))                                \
    X(zeEventPoolCreate, (Context, const EventPoolDesc*, Uint, DeviceHandle*, EventPool*))                            \
    X(zeEventPoolDestroy, (EventPool))                                                                                \
    X(zeEventCreate, (EventPool, const EventDesc*, EventHandle*))                                                     \
    X(zeEventDestroy, (EventHandle))                                                                                  \
    X(zeEventHostReset, (EventHandle))

#define SEICHE_LEVEL_ZERO_SYMBOLS(X) SEICHE_LEVEL_ZERO_FREE_SYMBOLS(X) SEICHE_LEVEL_ZERO_SERIAL_SYMBOLS(X)

inline constexpr Result success = 0, device_lost = 0x70000001, out_of_host_memory = 0x70000002,
                        out_of_device_memory = 0x70000003, module_build_failure = 0x70000004,
                        insufficient_permissions = 0x70010000, dependency_unavailable = 0x70020000,
                        uninitialized = 0x78000001, invalid_native_binary = 0x7800000f;
inline constexpr Uint init_gpu_only = 1, device_type_gpu = 1, api_version_1_2 = 0x00010002;
inline constexpr Uint structure_device_properties_1_2 = 0x00020006;  ///< As DeviceProperties, with ticks a second.
inline constexpr Uint module_fp64 = 2;
inline constexpr Uint fp_denorm = 1, fp_round_to_nearest = 4, fp_fma = 32;
inline constexpr Uint queue_group_compute = 1, queue_asynchronous = 2;
inline constexpr Uint format_spirv = 0, format_native = 1;
inline constexpr Uint pool_host_visible = 1, pool_timestamps = 4, scope_host = 4;
inline constexpr Uint memory_unknown = 0, memory_device = 2;
inline constexpr std::uint64_t for_ever = UINT64_MAX;

/// Whoever calls a function of SEICHE_LEVEL_ZERO_SERIAL_SYMBOLS holds it, and takes no other lock meanwhile.
std::mutex& driver_mutex();

/// A function of the driver that is called by one thread at a time. The specification lets lists, events and memory of
/// several threads be used at once; Intel's driver 22.43 then corrupts the submission that all lists of a device share
/// (its zeCommandListCreateImmediate and zeCommandListAppendMemoryCopy crash). None of these waits for the device.
template <class Signature>
class Serial;

template <class... Parameters>
class Serial<Result(Parameters...)> {
public:
    Serial& operator=(Result (*function)(Parameters...)) {
        function_ = function;
        return *this;
    }
    Result operator()(Parameters... parameters) const {
        const std::lock_guard lock(driver_mutex());
        return function_(parameters...);
    }

private:
    Result (*function_)(Parameters...) = nullptr;
};

struct Api {
#define SEICHE_DECLARE(name, parameters) Result(*name) parameters = nullptr;
    SEICHE_LEVEL_ZERO_FREE_SYMBOLS(SEICHE_DECLARE)
#undef SEICHE_DECLARE
#define SEICHE_DECLARE(name, parameters) Serial<Result parameters> name;
    SEICHE_LEVEL_ZERO_SERIAL_SYMBOLS(SEICHE_DECLARE)
#undef SEICHE_DECLARE
    std::string path;     ///< Of the loader.
    std::string problem;  ///< Why Level Zero cannot be used; empty if it can.
    std::string remedy;
};

/// Loads the library that SEICHE_LEVEL_ZERO_LIBRARY names, or libze_loader, and starts its drivers, once.
const Api& api();

/// "ZE_RESULT_ERROR_DEVICE_LOST"; "code 0x..." for one that has no name here.
std::string error_name(Result code);

/// Throws BackendError naming the call, the code, what was being done and the way out, unless `code` is success.
void check(Result code, const char* call, const std::string& doing = {});

}  // namespace seiche::runtime::level_zero
