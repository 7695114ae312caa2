// A library with the names of CUDA's driver: two cards, memory on the host, and a record of what was asked of it.
// Kernels do nothing but leave their arguments in the record.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "fake_cuda.hpp"

namespace {

std::mutex mutex;
FakeCudaRecord record;
thread_local std::vector<void*> contexts;

int count_of_cards() {
    const char* value = std::getenv("FAKE_CUDA_CARDS");
    return value != nullptr ? std::atoi(value) : 2;
}

constexpr int invalid_value = 1, out_of_memory = 2, no_device = 100, invalid_context = 201;

int note(const char* call) {
    const std::lock_guard lock(mutex);
    record.calls += std::string(call) + " ";
    return contexts.empty() ? invalid_context : 0;
}

}  // namespace

extern "C" {

FakeCudaRecord* fake_cuda_record() { return &record; }

int cuInit(unsigned) { return count_of_cards() == 0 ? no_device : 0; }
int cuDriverGetVersion(int* version) {
    const char* value = std::getenv("FAKE_CUDA_VERSION");
    *version = value != nullptr ? std::atoi(value) : 13000;
    return 0;
}
int cuGetErrorName(int code, const char** name) {
    *name = code == out_of_memory ? "CUDA_ERROR_OUT_OF_MEMORY"
            : code == no_device   ? "CUDA_ERROR_NO_DEVICE"
                                  : "CUDA_ERROR_OTHER";
    return 0;
}
int cuGetErrorString(int, const char** text) {
    *text = "as the fake driver says";
    return 0;
}
int cuDeviceGetCount(int* count) {
    *count = count_of_cards();
    return 0;
}
int cuDeviceGet(int* ordinal, int index) {
    *ordinal = index;
    return 0;
}
int cuDeviceGetName(char* name, int size, int ordinal) {
    std::strncpy(name, ordinal == 0 ? "Fake Hopper" : "Fake Volta", static_cast<std::size_t>(size));
    return 0;
}
int cuDeviceGetAttribute(int* value, int which, int ordinal) {
    static const std::map<int, int> hopper{{1, 1024}, {10, 32},     {16, 132},    {38, 52428800}, {75, 9},
                                           {76, 0},   {81, 233472}, {97, 232448}, {120, 1}};
    const auto found = hopper.find(which);
    if (found == hopper.end()) return invalid_value;
    *value = which == 75 && ordinal == 1 ? 7 : found->second;
    return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    *bytes = std::size_t{1} << 37;
    return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int ordinal) {
    ++record.contexts;
    *context = reinterpret_cast<void*>(static_cast<std::uintptr_t>(ordinal + 1));
    return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) {
    --record.contexts;
    return 0;
}
int cuCtxPushCurrent_v2(void* context) {
    contexts.push_back(context);
    return 0;
}
int cuCtxPopCurrent_v2(void** context) {
    *context = contexts.back();
    contexts.pop_back();
    return 0;
}
int cuCtxGetDevice(int* ordinal) {
    *ordinal = static_cast<int>(reinterpret_cast<std::uintptr_t>(contexts.back())) - 1;
    return 0;
}
int cuModuleLoadData(void** module, const void* image) {
    record.image.assign(static_cast<const char*>(image), 4);
    ++record.modules;
    *module = &record;
    return note("cuModuleLoadData");
}
int cuModuleUnload(void*) {
    --record.modules;
    return 0;
}
int cuModuleGetFunction(void** function, void*, const char* name) {
    record.function = name;
    *function = &record;
    return note("cuModuleGetFunction");
}
int cuFuncGetAttribute(int* value, int, void*) {
    *value = 0;
    return 0;
}
int cuFuncSetAttribute(void*, int which, int value) {
    if (which == 8) record.dynamic_shared_allowed = value;
    if (which == 14) record.any_cluster_size = value;
    return note("cuFuncSetAttribute");
}
int cuLaunchKernel(void*, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void* stream, void** arguments, void**) {
    record.launch = {{gx, gy, gz}, {bx, by, bz}, {1, 1, 1}, shared, stream, 0};
    std::memcpy(&record.first_argument, arguments[0], sizeof record.first_argument);
    std::memcpy(&record.last_argument, arguments[record.argument_count - 1], sizeof record.last_argument);
    return note("cuLaunchKernel");
}
struct FakeConfig {  // laid out as CUlaunchConfig
    unsigned grid[3], block[3], shared;
    void* stream;
    struct Attribute {
        int id, padding;
        unsigned value[16];
    } * attributes;
    unsigned count;
};
int cuLaunchKernelEx(const FakeConfig* config, void*, void**, void**) {
    record.launch = {{config->grid[0], config->grid[1], config->grid[2]},
                     {config->block[0], config->block[1], config->block[2]},
                     {1, 1, 1},
                     config->shared,
                     config->stream,
                     config->count};
    for (unsigned a = 0; a < config->count; ++a)
        if (config->attributes[a].id == 4)
            std::memcpy(record.launch.cluster, config->attributes[a].value, sizeof record.launch.cluster);
    return note("cuLaunchKernelEx");
}
int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
    if (bytes > (std::size_t{1} << 32)) return out_of_memory;
    ++record.allocations;
    *address = reinterpret_cast<std::uint64_t>(std::malloc(bytes));
    return note("cuMemAlloc");
}
int cuMemFree_v2(std::uint64_t address) {
    --record.allocations;
    std::free(reinterpret_cast<void*>(address));
    return note("cuMemFree");
}
int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes, void*) {
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
    return note("cuMemcpyHtoDAsync");
}
int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void*) {
    std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
    return note("cuMemcpyDtoHAsync");
}
int cuMemcpyDtoDAsync_v2(std::uint64_t to, std::uint64_t from, std::size_t bytes, void*) {
    std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
    return note("cuMemcpyDtoDAsync");
}
int cuStreamCreate(void** stream, unsigned) {
    ++record.streams;
    *stream = &record.streams;
    return note("cuStreamCreate");
}
int cuStreamDestroy_v2(void*) {
    --record.streams;
    return 0;
}
int cuStreamSynchronize(void*) { return note("cuStreamSynchronize"); }
int cuEventCreate(void** event, unsigned) {
    *event = &record;
    return note("cuEventCreate");
}
int cuEventRecord(void*, void*) { return note("cuEventRecord"); }
int cuEventSynchronize(void*) { return note("cuEventSynchronize"); }
int cuEventElapsedTime(float* milliseconds, void*, void*) {
    *milliseconds = 1.5f;
    return 0;
}
int cuEventDestroy_v2(void*) { return 0; }

}  // extern "C"
