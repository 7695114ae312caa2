// OpenCL as it is loaded at run time: the few types, constants and functions that this backend uses, declared here so
// that no vendor header is needed. Names and values are those of the Khronos OpenCL 1.2 specification.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/library.hpp"

namespace seiche::runtime::opencl {

using Int = std::int32_t;
using Uint = std::uint32_t;
using Ulong = std::uint64_t;
using Bitfield = std::uint64_t;
using Property = std::intptr_t;
using Platform = struct PlatformTag*;
using DeviceId = struct DeviceTag*;
using Context = struct ContextTag*;
using CommandQueue = struct QueueTag*;
using Memory = struct MemoryTag*;
using Program = struct ProgramTag*;
using KernelHandle = struct KernelTag*;
using EventHandle = struct EventTag*;
using ContextCallback = void (*)(const char*, const void*, std::size_t, void*);
using ProgramCallback = void (*)(Program, void*);

// name, result, parameters
#define SEICHE_OPENCL_SYMBOLS(X)                                                                                      \
    X(clGetPlatformIDs, Int, (Uint, Platform*, Uint*))                                                                \
    X(clGetPlatformInfo, Int, (Platform, Uint, std::size_t, void*, std::size_t*))                                     \
    X(clGetExtensionFunctionAddressForPlatform, void*, (Platform, const char*))                                       \
    X(clGetDeviceIDs, Int, (Platform, Bitfield, Uint, DeviceId*, Uint*))                                              \
    X(clGetDeviceInfo, Int, (DeviceId, Uint, std::size_t, void*, std::size_t*))                                       \
    X(clCreateContext, Context, (const Property*, Uint, const DeviceId*, ContextCallback, void*, Int*))               \
    X(clRetainContext, Int, (Context))                                                                                \
    X(clReleaseContext, Int, (Context))                                                                               \
    X(clCreateCommandQueue, CommandQueue, (Context, DeviceId, Bitfield, Int*))                                        \
    X(clRetainCommandQueue, Int, (CommandQueue))                                                                      \
    X(clReleaseCommandQueue, Int, (CommandQueue))                                                                     \
    X(clGetCommandQueueInfo, Int, (CommandQueue, Uint, std::size_t, void*, std::size_t*))                             \
    X(clCreateBuffer, Memory, (Context, Bitfield, std::size_t, void*, Int*))                                          \
    X(clRetainMemObject, Int, (Memory))                                                                               \
    X(clReleaseMemObject, Int, (Memory))                                                                              \
    X(clGetMemObjectInfo, Int, (Memory, Uint, std::size_t, void*, std::size_t*))                                      \
    X(clEnqueueWriteBuffer, Int,                                                                                      \
      (CommandQueue, Memory, Uint, std::size_t, std::size_t, const void*, Uint, const EventHandle*, EventHandle*))    \
    X(clEnqueueReadBuffer, Int,                                                                                       \
      (CommandQueue, Memory, Uint, std::size_t, std::size_t, void*, Uint, const EventHandle*, EventHandle*))          \
    X(clEnqueueCopyBuffer, Int,                                                                                       \
      (CommandQueue, Memory, Memory, std::size_t, std::size_t, std::size_t, Uint, const EventHandle*, EventHandle*))  \
    X(clEnqueueMapBuffer, void*,                                                                                      \
      (CommandQueue, Memory, Uint, Bitfield, std::size_t, std::size_t, Uint, const EventHandle*, EventHandle*, Int*)) \
    X(clEnqueueUnmapMemObject, Int, (CommandQueue, Memory, void*, Uint, const EventHandle*, EventHandle*))            \
    X(clCreateProgramWithSource, Program, (Context, Uint, const char**, const std::size_t*, Int*))                    \
    X(clCreateProgramWithBinary, Program,                                                                             \
      (Context, Uint, const DeviceId*, const std::size_t*, const unsigned char**, Int*, Int*))                        \
    X(clBuildProgram, Int, (Program, Uint, const DeviceId*, const char*, ProgramCallback, void*))                     \
    X(clGetProgramBuildInfo, Int, (Program, DeviceId, Uint, std::size_t, void*, std::size_t*))                        \
    X(clGetProgramInfo, Int, (Program, Uint, std::size_t, void*, std::size_t*))                                       \
    X(clReleaseProgram, Int, (Program))                                                                               \
    X(clCreateKernel, KernelHandle, (Program, const char*, Int*))                                                     \
    X(clReleaseKernel, Int, (KernelHandle))                                                                           \
    X(clSetKernelArg, Int, (KernelHandle, Uint, std::size_t, const void*))                                            \
    X(clEnqueueNDRangeKernel, Int,                                                                                    \
      (CommandQueue, KernelHandle, Uint, const std::size_t*, const std::size_t*, const std::size_t*, Uint,            \
       const EventHandle*, EventHandle*))                                                                             \
    X(clEnqueueMarkerWithWaitList, Int, (CommandQueue, Uint, const EventHandle*, EventHandle*))                       \
    X(clEnqueueBarrierWithWaitList, Int, (CommandQueue, Uint, const EventHandle*, EventHandle*))                      \
    X(clGetEventInfo, Int, (EventHandle, Uint, std::size_t, void*, std::size_t*))                                     \
    X(clWaitForEvents, Int, (Uint, const EventHandle*))                                                               \
    X(clGetEventProfilingInfo, Int, (EventHandle, Uint, std::size_t, void*, std::size_t*))                            \
    X(clReleaseEvent, Int, (EventHandle))                                                                             \
    X(clFlush, Int, (CommandQueue))                                                                                   \
    X(clFinish, Int, (CommandQueue))

// Of OpenCL 2.0; null where the loader is older.
#define SEICHE_OPENCL_POINTER_SYMBOLS(X)                                                             \
    X(clSetKernelArgSVMPointer, Int, (KernelHandle, Uint, const void*))                              \
    X(clEnqueueSVMMemcpy, Int,                                                                       \
      (CommandQueue, Uint, void*, const void*, std::size_t, Uint, const EventHandle*, EventHandle*)) \
    X(clEnqueueSVMMap, Int,                                                                          \
      (CommandQueue, Uint, Bitfield, void*, std::size_t, Uint, const EventHandle*, EventHandle*))    \
    X(clEnqueueSVMUnmap, Int, (CommandQueue, void*, Uint, const EventHandle*, EventHandle*))

inline constexpr Bitfield device_type_cpu = 1u << 1, device_type_gpu = 1u << 2, device_type_all = 0xffffffffu;
inline constexpr Bitfield mem_read_write = 1u << 0, mem_alloc_host_ptr = 1u << 4, map_read = 1u << 0,
                          map_write = 1u << 1, queue_out_of_order = 1u << 0, queue_profiling = 1u << 1;
inline constexpr Uint platform_version = 0x0901, platform_name = 0x0902;
inline constexpr Uint device_type = 0x1000, device_vendor_id = 0x1001, device_max_compute_units = 0x1002,
                      device_max_work_group_size = 0x1004, device_max_mem_alloc_size = 0x1010,
                      device_global_mem_cacheline_size = 0x101d, device_global_mem_cache_size = 0x101e,
                      device_global_mem_size = 0x101f, device_local_mem_size = 0x1023, device_available = 0x1027,
                      device_compiler_available = 0x1028, device_name = 0x102b, driver_version = 0x102d,
                      device_version = 0x102f, device_extensions = 0x1030, device_double_fp_config = 0x1032,
                      device_platform = 0x1031, device_single_fp_config = 0x101b,
                      device_native_vector_width_float = 0x103a, device_opencl_c_version = 0x103d,
                      device_warp_size_nv = 0x4003, device_capability_major_nv = 0x4000,
                      device_capability_minor_nv = 0x4001, device_wavefront_width_amd = 0x4043;
inline constexpr Ulong fp_denorm = 1u << 0, fp_round_to_nearest = 1u << 2, fp_fma = 1u << 5,
                       fp_correctly_rounded_divide_sqrt = 1u << 7;
inline constexpr Uint program_binary_sizes = 0x1165, program_binaries = 0x1166, program_build_log = 0x1183;
inline constexpr Uint queue_context = 0x1090, queue_device = 0x1091, queue_properties = 0x1093;
inline constexpr Uint device_max_subgroups = 0x105c, device_all_c_versions = 0x1066,
                      device_preferred_group_multiple = 0x1067, device_c_features = 0x106f,
                      device_subgroup_sizes_intel = 0x4108;
inline constexpr Uint device_svm_capabilities = 0x1053, alloc_type_intel = 0x419a, alloc_base_intel = 0x419b,
                      alloc_size_intel = 0x419c, alloc_unknown_intel = 0x4196;
inline constexpr Uint mem_size = 0x1102, mem_context = 0x1106, event_context = 0x11d4;
inline constexpr Uint profiling_command_end = 0x1283;
inline constexpr Int success = 0, device_not_found = -1, out_of_resources = -5, out_of_host_memory = -6,
                     invalid_value = -30, platform_not_found = -1001;

struct NamedVersion {       // cl_name_version
    std::uint32_t version;  ///< Major in the upper 10 bits, minor in the next 10.
    char name[64];
};

struct Api {
#define SEICHE_DECLARE(name, result, parameters) result(*name) parameters = nullptr;
    SEICHE_OPENCL_SYMBOLS(SEICHE_DECLARE)
    SEICHE_OPENCL_POINTER_SYMBOLS(SEICHE_DECLARE)
#undef SEICHE_DECLARE
    std::string problem;  ///< Why there is no OpenCL; empty if there is.
    std::string remedy;
};

/// Loads the library that SEICHE_OPENCL_LIBRARY names, or libOpenCL, once.
const Api& api();

/// "CL_OUT_OF_RESOURCES (-5)", or "code -1234".
std::string error_name(Int code);

/// What may be behind a code, and the way out: "; the host has not enough memory: use smaller buffers ..."; or nothing.
std::string hint(Int code);

/// Throws BackendError naming the call, the code and what was being done, unless `code` is success.
void check(Int code, const char* call, const std::string& doing = {});

}  // namespace seiche::runtime::opencl
