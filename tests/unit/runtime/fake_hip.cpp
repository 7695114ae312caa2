// A library with the names of HIP's runtime and of hiprtc: two cards, memory on the host, a record of what was asked of
// it, and any function to fail on demand. Kernels do nothing; a program compiles to four letters.
#include "fake_hip.hpp"

#include <cstdlib>
#include <cstring>
#include <map>

namespace {

FakeHipRecord record;

constexpr int invalid_value = 1, out_of_memory = 2, launch_failure = 719;
constexpr int compilation_failed = 6;
constexpr std::size_t properties_bytes = 792, architecture_offset = 396;  // hipDeviceProp_t of HIP 5

bool fails(const char* call) { return record.failing == call; }

/// The code of a call of the runtime.
int code(const char* call) { return fails(call) ? launch_failure : 0; }

int note(const char* call) {
    record.calls += std::string(call) + " ";
    return code(call);
}

int made(const char* call, int& count) {
    if (fails(call)) return launch_failure;
    ++count;
    return 0;
}

/// What is given back is gone, whatever the call says.
int gone(const char* call, int& count) {
    --count;
    return code(call);
}

int moved(const char* call, void* to, const void* from, std::size_t bytes) {
    if (fails(call)) return launch_failure;
    std::memmove(to, from, bytes);
    return 0;
}

}  // namespace

extern "C" {

FakeHipRecord* fake_hip_record() { return &record; }

int hipInit(unsigned) { return code("hipInit"); }
int hipRuntimeGetVersion(int* version) {
    *version = 60200000;
    return code("hipRuntimeGetVersion");
}
const char* hipGetErrorName(int code) {
    if (fails("hipGetErrorName")) return nullptr;
    return code == out_of_memory    ? "hipErrorOutOfMemory"
           : code == launch_failure ? "hipErrorLaunchFailure"
                                    : "hipOther";
}
const char* hipGetErrorString(int) { return fails("hipGetErrorString") ? nullptr : "as the fake runtime says"; }
int hipGetDeviceCount(int* count) {
    *count = 2;
    return code("hipGetDeviceCount");
}
int hipDeviceGetName(char* name, int bytes, int device) {
    std::strncpy(name, device == 0 ? "gfx90a, a fake" : "Fake Navi", static_cast<std::size_t>(bytes));
    return code("hipDeviceGetName");
}
int hipDeviceGetAttribute(int* value, int which, int device) {
    static const std::map<int, int> known{{19, 8388608}, {56, 1024}, {63, 110}, {74, 65536}, {87, 64}, {10002, 65536}};
    const auto found = known.find(which);
    if (found == known.end()) return invalid_value;
    *value = which == 87 && device == 1 ? 32 : found->second;
    return code("hipDeviceGetAttribute");
}
int hipDeviceTotalMem(std::size_t* bytes, int) {
    *bytes = std::size_t{1} << 36;
    return code("hipDeviceTotalMem");
}
int hipGetDeviceProperties(char* properties, int device) {
    std::memset(properties, 0, properties_bytes);
    std::strcpy(properties, device == 0 ? "gfx90a, a fake" : "Fake Navi");
    std::strcpy(properties + architecture_offset, device == 0 ? "gfx90a:sramecc+:xnack-" : "gfx1030");
    return code("hipGetDeviceProperties");
}
int hipGetDevice(int* device) {
    *device = record.device;
    return code("hipGetDevice");
}
int hipSetDevice(int device) {
    if (!fails("hipSetDevice")) record.device = device;
    return code("hipSetDevice");
}

int hipModuleLoadData(void** module, const void*) {
    *module = &record;
    return made("hipModuleLoadData", record.modules);
}
int hipModuleUnload(void*) { return gone("hipModuleUnload", record.modules); }
int hipModuleGetFunction(void** function, void*, const char* name) {
    record.function = name;
    *function = &record;
    return code("hipModuleGetFunction");
}
int hipModuleLaunchKernel(void*, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned shared, void* stream, void** arguments, void**) {
    const unsigned grid[3] = {gx, gy, gz}, block[3] = {bx, by, bz};
    std::memcpy(record.grid, grid, sizeof grid);
    std::memcpy(record.block, block, sizeof block);
    record.shared = shared;
    record.stream = stream;
    std::memcpy(&record.first_argument, arguments[0], sizeof record.first_argument);
    return note("hipModuleLaunchKernel");
}

int hipMalloc(void** address, std::size_t bytes) {
    if (bytes > (std::size_t{1} << 32)) return out_of_memory;
    if (fails("hipMalloc")) return launch_failure;
    *address = std::malloc(bytes);
    return made("hipMalloc", record.allocations);
}
int hipFree(void* address) {
    std::free(address);
    return gone("hipFree", record.allocations);
}
int hipHostMalloc(void** address, std::size_t bytes, unsigned) {
    if (fails("hipHostMalloc")) return launch_failure;
    *address = std::malloc(bytes);
    return made("hipHostMalloc", record.allocations);
}
int hipHostFree(void* address) {
    std::free(address);
    return gone("hipHostFree", record.allocations);
}
int hipMemcpyHtoDAsync(void* to, const void* from, std::size_t bytes, void*) {
    return moved("hipMemcpyHtoDAsync", to, from, bytes);
}
int hipMemcpyDtoHAsync(void* to, const void* from, std::size_t bytes, void*) {
    return moved("hipMemcpyDtoHAsync", to, from, bytes);
}
int hipMemcpyDtoDAsync(void* to, const void* from, std::size_t bytes, void*) {
    return moved("hipMemcpyDtoDAsync", to, from, bytes);
}
int hipStreamCreateWithFlags(void** stream, unsigned) {
    *stream = &record.streams;
    return made("hipStreamCreateWithFlags", record.streams);
}
int hipStreamDestroy(void*) { return gone("hipStreamDestroy", record.streams); }
int hipStreamSynchronize(void*) { return note("hipStreamSynchronize"); }
int hipStreamWaitEvent(void* stream, void* event, unsigned) {
    record.stream = stream;
    record.event = event;
    return note("hipStreamWaitEvent");
}
int hipEventCreate(void** event) {
    *event = &record.events;
    return made("hipEventCreate", record.events);
}
int hipEventRecord(void* event, void* stream) {
    record.stream = stream;
    record.event = event;
    return note("hipEventRecord");
}
int hipEventSynchronize(void*) { return code("hipEventSynchronize"); }
int hipEventElapsedTime(float* milliseconds, void*, void*) {
    *milliseconds = 1.5f;
    return code("hipEventElapsedTime");
}
int hipEventDestroy(void*) { return gone("hipEventDestroy", record.events); }

int hiprtcVersion(int* major, int* minor) {
    *major = 9;
    *minor = 0;
    return fails("hiprtcVersion") ? compilation_failed : 0;
}
const char* hiprtcGetErrorString(int) { return fails("hiprtcGetErrorString") ? nullptr : "HIPRTC_ERROR_FAKE"; }
int hiprtcCreateProgram(void** program, const char*, const char*, int, const char* const*, const char* const*) {
    if (fails("hiprtcCreateProgram")) return compilation_failed;
    ++record.programs;
    *program = &record.programs;
    return 0;
}
int hiprtcCompileProgram(void*, int count, const char* const* options) {
    record.options.clear();
    for (int i = 0; i < count; ++i) record.options += std::string(options[i]) + " ";
    return fails("hiprtcCompileProgram") ? compilation_failed : 0;
}
int hiprtcGetCodeSize(void*, std::size_t* bytes) {
    *bytes = 4;
    return fails("hiprtcGetCodeSize") ? compilation_failed : 0;
}
int hiprtcGetCode(void*, char* code) {
    std::memcpy(code, "code", 4);
    return fails("hiprtcGetCode") ? compilation_failed : 0;
}
int hiprtcGetProgramLogSize(void*, std::size_t* bytes) {
    *bytes = 16;
    return fails("hiprtcGetProgramLogSize") ? compilation_failed : 0;
}
int hiprtcGetProgramLog(void*, char* log) {
    std::strcpy(log, "error: a fake");
    return fails("hiprtcGetProgramLog") ? compilation_failed : 0;
}
int hiprtcDestroyProgram(void**) {
    --record.programs;
    return fails("hiprtcDestroyProgram") ? compilation_failed : 0;
}

}  // extern "C"
