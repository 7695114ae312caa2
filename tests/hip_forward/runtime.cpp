// HIP's runtime functions that Seiche loads, forwarded to CUDA's driver, which is loaded at run time. The card is given
// out as one with 64 KiB of shared memory and wavefronts of 32, gfx1030.
#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <type_traits>

#include "hip_forward/forward.hpp"

namespace hip_forward {
namespace {

constexpr int invalid_value = 1, no_device = 100, invalid_device = 101;
constexpr int shared_bytes = 65536;
constexpr std::size_t properties_bytes = 792, architecture_offset = 396;  // hipDeviceProp_t of HIP 5

// member, exported name, parameters; every one gives a code
#define CUDA_SYMBOLS(X)                                                                                     \
    X(init, "cuInit", (unsigned))                                                                           \
    X(error_name, "cuGetErrorName", (int, const char**))                                                    \
    X(error_string, "cuGetErrorString", (int, const char**))                                                \
    X(device_count, "cuDeviceGetCount", (int*))                                                             \
    X(device_name, "cuDeviceGetName", (char*, int, int))                                                    \
    X(device_attribute, "cuDeviceGetAttribute", (int*, int, int))                                           \
    X(total_memory, "cuDeviceTotalMem_v2", (std::size_t*, int))                                             \
    X(retain, "cuDevicePrimaryCtxRetain", (void**, int))                                                    \
    X(set_context, "cuCtxSetCurrent", (void*))                                                              \
    X(load, "cuModuleLoadData", (void**, const void*))                                                      \
    X(unload, "cuModuleUnload", (void*))                                                                    \
    X(get_function, "cuModuleGetFunction", (void**, void*, const char*))                                    \
    X(function_attribute, "cuFuncGetAttribute", (int*, int, void*))                                         \
    X(set_function_attribute, "cuFuncSetAttribute", (void*, int, int))                                      \
    X(launch, "cuLaunchKernel",                                                                             \
      (void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**)) \
    X(allocate, "cuMemAlloc_v2", (std::uint64_t*, std::size_t))                                             \
    X(free, "cuMemFree_v2", (std::uint64_t))                                                                \
    X(allocate_host, "cuMemHostAlloc", (void**, std::size_t, unsigned))                                     \
    X(free_host, "cuMemFreeHost", (void*))                                                                  \
    X(to_device, "cuMemcpyHtoDAsync_v2", (std::uint64_t, const void*, std::size_t, void*))                  \
    X(to_host, "cuMemcpyDtoHAsync_v2", (void*, std::uint64_t, std::size_t, void*))                          \
    X(on_device, "cuMemcpyDtoDAsync_v2", (std::uint64_t, std::uint64_t, std::size_t, void*))                \
    X(stream_create, "cuStreamCreate", (void**, unsigned))                                                  \
    X(stream_destroy, "cuStreamDestroy_v2", (void*))                                                        \
    X(stream_wait, "cuStreamSynchronize", (void*))                                                          \
    X(stream_wait_event, "cuStreamWaitEvent", (void*, void*, unsigned))                                     \
    X(event_create, "cuEventCreate", (void**, unsigned))                                                    \
    X(event_record, "cuEventRecord", (void*, void*))                                                        \
    X(event_wait, "cuEventSynchronize", (void*))                                                            \
    X(event_elapsed, "cuEventElapsedTime", (float*, void*, void*))                                          \
    X(event_destroy, "cuEventDestroy_v2", (void*))

struct Driver {
#define DECLARE(name, exported, parameters) int(*name) parameters = nullptr;
    CUDA_SYMBOLS(DECLARE)
#undef DECLARE
    int state = no_device;  ///< What hipInit gives.
    std::string problem;
};

Driver load_driver() {
    Driver driver;
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        driver.problem = "no NVIDIA driver to forward to";
        return driver;
    }
    bool complete = true;
    const auto take = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        complete = complete && function != nullptr;
    };
#define TAKE(name, exported, parameters) take(driver.name, exported);
    CUDA_SYMBOLS(TAKE)
#undef TAKE
    if (!complete) {
        driver.problem = "the NVIDIA driver is too old";
        return driver;
    }
    driver.state = driver.init(0);
    if (driver.state != 0) driver.problem = "cuInit failed";
    return driver;
}

const Driver& driver() {
    static const Driver loaded = load_driver();
    return loaded;
}

thread_local int current_device = 0;

/// Makes the current card's primary context current, which stays retained until the process ends.
int bind() {
    static std::mutex mutex;
    static std::map<int, void*> contexts;
    if (driver().state != 0) return driver().state;
    void* context = nullptr;
    {
        const std::lock_guard lock(mutex);
        void*& known = contexts[current_device];
        if (known == nullptr)
            if (const int code = driver().retain(&known, current_device); code != 0) return code;
        context = known;
    }
    return driver().set_context(context);
}

template <class Call>
int bound(const Call& call) {
    const int code = bind();
    return code != 0 ? code : call();
}

std::uint64_t number(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

int attribute(int which, int device) {
    int value = 0;
    return driver().device_attribute(&value, which, device) == 0 ? value : 0;
}

}  // namespace

std::string card_architecture() {
    if (const char* named = std::getenv("HIP_FORWARD_ARCHITECTURE")) return named;
    if (driver().state != 0) return "sm_90";
    return "sm_" + std::to_string(10 * attribute(75, current_device) + attribute(76, current_device));
}

}  // namespace hip_forward

using hip_forward::bound;
using hip_forward::driver;
using hip_forward::number;

extern "C" {

int hipInit(unsigned) { return driver().state; }
int hipRuntimeGetVersion(int* version) {
    *version = 60000000;
    return 0;
}

const char* hipGetErrorName(int code) {
    switch (code) {
        case 0: return "hipSuccess";
        case 1: return "hipErrorInvalidValue";
        case 2: return "hipErrorOutOfMemory";
        case 100: return "hipErrorNoDevice";
        case 101: return "hipErrorInvalidDevice";
        case 209: return "hipErrorNoBinaryForGpu";
        case 700: return "hipErrorIllegalAddress";
        case 719: return "hipErrorLaunchFailure";
        default: break;
    }
    const char* name = nullptr;
    return driver().state == 0 && driver().error_name(code, &name) == 0 ? name : "hipErrorUnknown";
}
const char* hipGetErrorString(int code) {
    const char* meaning = nullptr;
    if (driver().state == 0 && driver().error_string(code, &meaning) == 0) return meaning;
    return driver().problem.c_str();
}

int hipGetDeviceCount(int* count) { return driver().state != 0 ? driver().state : driver().device_count(count); }
int hipDeviceGetName(char* name, int bytes, int device) { return driver().device_name(name, bytes, device); }
int hipDeviceGetAttribute(int* value, int which, int device) {
    static const std::map<int, int> same{{19, 38}, {56, 1}, {63, 16}, {87, 10}, {10002, 81}};
    const auto found = same.find(which);
    *value = hip_forward::shared_bytes;
    if (which == 74) return 0;
    return found == same.end() ? hip_forward::invalid_value : driver().device_attribute(value, found->second, device);
}
int hipDeviceTotalMem(std::size_t* bytes, int device) { return driver().total_memory(bytes, device); }
int hipGetDeviceProperties(char* properties, int device) {
    std::memset(properties, 0, hip_forward::properties_bytes);
    std::strcpy(properties + hip_forward::architecture_offset, "gfx1030");
    return driver().device_name(properties, 256, device);
}

int hipGetDevice(int* device) {
    *device = hip_forward::current_device;
    return driver().state;
}
int hipSetDevice(int device) {
    int count = 0;
    if (const int code = hipGetDeviceCount(&count); code != 0) return code;
    if (device < 0 || device >= count) return hip_forward::invalid_device;
    hip_forward::current_device = device;
    return hip_forward::bind();
}

int hipModuleLoadData(void** module, const void* image) {
    return bound([&] { return driver().load(module, image); });
}
int hipModuleUnload(void* module) {
    return bound([&] { return driver().unload(module); });
}
// On AMD's cards shared memory given at the launch needs no permission.
int hipModuleGetFunction(void** function, void* module, const char* name) {
    constexpr int own_shared_bytes = 1, most_dynamic_bytes = 8;
    return bound([&] {
        int code = driver().get_function(function, module, name), own = 0;
        if (code == 0) code = driver().function_attribute(&own, own_shared_bytes, *function);
        if (code != 0) return code;
        return driver().set_function_attribute(*function, most_dynamic_bytes, hip_forward::shared_bytes - own);
    });
}
int hipModuleLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned shared, void* stream, void** arguments, void** extra) {
    return bound([&] { return driver().launch(function, gx, gy, gz, bx, by, bz, shared, stream, arguments, extra); });
}

int hipMalloc(void** address, std::size_t bytes) {
    std::uint64_t made = 0;
    const int code = bound([&] { return driver().allocate(&made, bytes); });
    *address = reinterpret_cast<void*>(made);
    return code;
}
int hipFree(void* address) {
    return bound([&] { return driver().free(number(address)); });
}
int hipHostMalloc(void** address, std::size_t bytes, unsigned flags) {
    return bound([&] { return driver().allocate_host(address, bytes, flags); });
}
int hipHostFree(void* address) {
    return bound([&] { return driver().free_host(address); });
}
int hipMemcpyHtoDAsync(void* to, const void* from, std::size_t bytes, void* stream) {
    return bound([&] { return driver().to_device(number(to), from, bytes, stream); });
}
int hipMemcpyDtoHAsync(void* to, void* from, std::size_t bytes, void* stream) {
    return bound([&] { return driver().to_host(to, number(from), bytes, stream); });
}
int hipMemcpyDtoDAsync(void* to, void* from, std::size_t bytes, void* stream) {
    return bound([&] { return driver().on_device(number(to), number(from), bytes, stream); });
}

int hipStreamCreateWithFlags(void** stream, unsigned flags) {
    return bound([&] { return driver().stream_create(stream, flags); });
}
int hipStreamDestroy(void* stream) {
    return bound([&] { return driver().stream_destroy(stream); });
}
int hipStreamSynchronize(void* stream) {
    return bound([&] { return driver().stream_wait(stream); });
}
int hipStreamWaitEvent(void* stream, void* event, unsigned flags) {
    return bound([&] { return driver().stream_wait_event(stream, event, flags); });
}
int hipEventCreate(void** event) {
    return bound([&] { return driver().event_create(event, 0); });
}
int hipEventRecord(void* event, void* stream) {
    return bound([&] { return driver().event_record(event, stream); });
}
int hipEventSynchronize(void* event) {
    return bound([&] { return driver().event_wait(event); });
}
int hipEventElapsedTime(float* milliseconds, void* from, void* to) {
    return bound([&] { return driver().event_elapsed(milliseconds, from, to); });
}
int hipEventDestroy(void* event) {
    return bound([&] { return driver().event_destroy(event); });
}

}  // extern "C"
