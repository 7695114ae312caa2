// A library with the names of CUDA's driver: three cards, memory on the host, and a record of what was asked of it.
// Kernels do nothing but leave their arguments in the record. A stream under capture records, and forbids what a driver
// forbids then. FAKE_CUDA_FAILS names one of the two functions that start the driver, which then fails.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "fake_cuda.hpp"

namespace {

std::mutex mutex;
FakeCudaRecord record;
thread_local std::vector<void*> contexts;
std::map<const void*, void*> owners;                            // contexts of modules, functions, streams and events
std::map<std::uint64_t, std::pair<std::size_t, void*>> memory;  // by address: bytes and context
std::map<std::uint64_t, std::size_t> mapped;                    // by address: bytes
std::map<const void*, std::string> functions;
void* captured_stream = nullptr;
bool is_capturing = false;

int count_of_cards() {
    const char* value = std::getenv("FAKE_CUDA_CARDS");
    return value != nullptr ? std::atoi(value) : 3;
}

constexpr std::size_t granularity = 1 << 16;
constexpr int invalid_value = 1, out_of_memory = 2, no_device = 100, invalid_context = 201, invalid_ptx = 218,
              invalid_handle = 400, illegal_address = 700, capture_unsupported = 900, unknown = 999;

bool fails(const char* name) {
    const char* value = std::getenv("FAKE_CUDA_FAILS");
    return value != nullptr && std::strcmp(value, name) == 0;
}

int note(const std::string& call) {
    record.calls += call + " ";
    return contexts.empty() ? invalid_context : 0;
}

/// A call that a capture of any mode forbids.
int call(const char* name) {
    const std::lock_guard lock(mutex);
    if (is_capturing) {
        record.forbidden += std::string(name) + " ";
        return capture_unsupported;
    }
    return note(name);
}

/// Of memory and addresses, which belong to no context.
int call_anywhere(const char* name) {
    const std::lock_guard lock(mutex);
    record.calls += std::string(name) + " ";
    return 0;
}

/// One that a stream under capture records, if it names objects of the current context only.
int enqueue(const std::string& name, const std::vector<void*>& of, void* stream) {
    const std::lock_guard lock(mutex);
    for (const void* context : of)
        if (context != nullptr && !contexts.empty() && context != contexts.back()) {
            record.strayed += name + " ";
            return invalid_handle;
        }
    if (is_capturing && stream == captured_stream) record.captured += name + " ";
    if (is_capturing && stream == nullptr && captured_stream != nullptr) {  // the default stream waits for all others
        record.forbidden += name + " ";
        return capture_unsupported;
    }
    return note(name);
}

/// Null for an object that the caller made up.
void* owner(const void* object) {
    const std::lock_guard lock(mutex);
    const auto found = owners.find(object);
    return found == owners.end() ? nullptr : found->second;
}

void* owner_of_memory(std::uint64_t address) {
    const std::lock_guard lock(mutex);
    auto after = memory.upper_bound(address);
    if (after == memory.begin()) return nullptr;
    --after;
    return address < after->first + after->second.first ? after->second.second : nullptr;
}

void* made() {
    const std::lock_guard lock(mutex);
    static std::uintptr_t last = 0x10000;
    void* object = reinterpret_cast<void*>(last += 16);
    owners[object] = contexts.empty() ? nullptr : contexts.back();
    return object;
}

void forget(const void* object) {
    const std::lock_guard lock(mutex);
    owners.erase(object);
}

int copied(const char* name, void* to, const void* from, std::size_t bytes, const std::vector<void*>& of,
           void* stream) {
    const int code = enqueue(name, of, stream);
    if (code == 0) std::memmove(to, from, bytes);
    return code;
}

void launched(const FakeCudaLaunch& launch) {
    const std::lock_guard lock(mutex);
    record.launch = launch;
    record.launches.push_back(launch);
}

void keep_arguments(void** arguments) {
    std::memcpy(&record.first_argument, arguments[0], sizeof record.first_argument);
    std::memcpy(&record.last_argument, arguments[record.argument_count - 1], sizeof record.last_argument);
}

std::string name_of(const void* function) {
    const std::lock_guard lock(mutex);
    return functions[function];
}

void note_current(const char* call) {
    const std::lock_guard lock(mutex);
    record.current_calls += call;
}

void* current() { return contexts.empty() ? nullptr : contexts.back(); }

void* host(std::uint64_t address) { return reinterpret_cast<void*>(address); }

}  // namespace

extern "C" {

FakeCudaRecord* fake_cuda_record() { return &record; }

int cuInit(unsigned) {
    if (fails("cuInit")) return unknown;
    return count_of_cards() == 0 ? no_device : 0;
}
int cuDriverGetVersion(int* version) {
    if (fails("cuDriverGetVersion")) return unknown;
    const char* value = std::getenv("FAKE_CUDA_VERSION");
    *version = value != nullptr ? std::atoi(value) : 13000;
    return 0;
}
int cuGetErrorName(int code, const char** name) {
    *name = code == out_of_memory     ? "CUDA_ERROR_OUT_OF_MEMORY"
            : code == no_device       ? "CUDA_ERROR_NO_DEVICE"
            : code == illegal_address ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : code == unknown         ? "CUDA_ERROR_UNKNOWN"
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
    static const char* const names[] = {"Fake Hopper", "Fake Volta", "Fake Blackwell"};
    std::strncpy(name, names[ordinal], static_cast<std::size_t>(size));
    return 0;
}
int cuDeviceGetAttribute(int* value, int which, int ordinal) {
    static const std::map<int, int> hopper{{1, 1024}, {10, 32}, {16, 132},    {36, 2619000}, {37, 5120}, {38, 52428800},
                                           {75, 9},   {76, 0},  {81, 233472}, {97, 232448},  {120, 1}};
    const auto found = hopper.find(which);
    if (found == hopper.end()) return invalid_value;
    static constexpr int majors[] = {9, 7, 10};
    *value = which == 75 ? majors[ordinal] : found->second;
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
    note_current("cuCtxPushCurrent ");
    contexts.push_back(context);
    return 0;
}
int cuCtxPopCurrent_v2(void** context) {
    note_current("cuCtxPopCurrent ");
    if (contexts.empty()) return invalid_context;
    *context = contexts.back();
    contexts.pop_back();
    return 0;
}
int cuCtxGetCurrent(void** context) {
    *context = contexts.empty() ? nullptr : contexts.back();
    return 0;
}
int cuCtxSetCurrent(void* context) {
    if (!contexts.empty()) contexts.pop_back();
    if (context != nullptr) contexts.push_back(context);
    return 0;
}
int cuCtxGetId(void* context, unsigned long long* id) {
    *id = 100 * record.context_generation + reinterpret_cast<std::uintptr_t>(context);
    return 0;
}
int cuCtxGetDevice(int* ordinal) {
    if (contexts.empty()) return invalid_context;
    *ordinal = static_cast<int>(reinterpret_cast<std::uintptr_t>(contexts.back())) - 1;
    return 0;
}
int cuModuleLoadData(void** module, const void* image) {
    const int code = call("cuModuleLoadData");
    if (code != 0) return code;
    record.image.assign(static_cast<const char*>(image), 4);
    ++record.modules;
    *module = made();
    return 0;
}
int cuModuleUnload(void* module) {
    --record.modules;
    const void* context = owner(module);
    if (context != current()) record.strayed += "cuModuleUnload ";
    forget(module);
    return 0;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
    record.function = name;
    *function = made();
    if (owner(module) != current()) record.strayed += "cuModuleGetFunction ";
    functions[*function] = name;
    return call("cuModuleGetFunction");
}
int cuFuncGetAttribute(int* value, int, void*) {
    *value = 0;
    return 0;
}
int cuFuncSetAttribute(void*, int which, int value) {
    if (which == 8) record.dynamic_shared_allowed = value;
    if (which == 14) record.any_cluster_size = value;
    return call("cuFuncSetAttribute");
}

struct FakeLinker {
    char* log;
    std::string code;
};
int cuLinkCreate_v2(unsigned count, int* options, void** values, FakeLinker** linker) {
    const int code = call("cuLinkCreate");
    if (code != 0) return code;
    const std::lock_guard lock(mutex);
    *linker = new FakeLinker{};
    ++record.linkers;
    for (unsigned k = 0; k < count; ++k)
        if (options[k] == 5) (*linker)->log = static_cast<char*>(values[k]);
    return 0;
}
/// "Assembles" every text to the same code, but for nonsense.
int cuLinkAddData_v2(FakeLinker* linker, int kind, void* data, std::size_t bytes, const char*, unsigned, int*, void**) {
    const std::lock_guard lock(mutex);
    record.assembled.assign(static_cast<const char*>(data), bytes - 1);
    if (kind != 1) return invalid_value;
    if (record.assembled.find("nonsense") != std::string::npos) {
        std::strcpy(linker->log, "ptxas faulty, line 1; error : unknown word nonsense\nptxas fatal : aborted\n");
        return invalid_ptx;
    }
    linker->code = "machine code";
    return 0;
}
int cuLinkComplete(FakeLinker* linker, void** code, std::size_t* bytes) {
    *code = linker->code.data();
    *bytes = linker->code.size();
    return 0;
}
int cuLinkDestroy(FakeLinker* linker) {
    const std::lock_guard lock(mutex);
    delete linker;
    --record.linkers;
    return 0;
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
int cuOccupancyMaxActiveClusters(int* clusters, void*, const FakeConfig* config) {
    const unsigned* groups = config->attributes[0].value;
    *clusters = groups[0] * groups[1] * groups[2] <= record.largest_cluster ? 1 : 0;
    return config->attributes[0].id == 4 ? 0 : unknown;
}
int cuLaunchKernelEx(const FakeConfig* config, void* function, void** arguments, void**) {
    FakeCudaLaunch launch{{config->grid[0], config->grid[1], config->grid[2]},
                          {config->block[0], config->block[1], config->block[2]},
                          {1, 1, 1},
                          config->shared,
                          config->stream,
                          config->count,
                          false,
                          current(),
                          name_of(function)};
    for (unsigned a = 0; a < config->count; ++a) {
        const FakeConfig::Attribute& attribute = config->attributes[a];
        if (attribute.id == 4) std::memcpy(launch.cluster, attribute.value, sizeof launch.cluster);
        if (attribute.id == 6) launch.early = attribute.value[0] == 1;
    }
    launched(launch);
    keep_arguments(arguments);
    return enqueue("cuLaunchKernelEx", {owner(function), owner(config->stream)}, config->stream);
}
int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
    if (bytes > (std::size_t{1} << 32)) return out_of_memory;
    const int code = call("cuMemAlloc");
    if (code != 0) return code;
    ++record.allocations;
    *address = reinterpret_cast<std::uint64_t>(std::malloc(bytes));
    const std::lock_guard lock(mutex);
    memory[*address] = {bytes, current()};
    return 0;
}
int cuMemFree_v2(std::uint64_t address) {
    const int code = call("cuMemFree");
    if (code != 0) return code;
    if (owner_of_memory(address) != current()) record.strayed += "cuMemFree ";
    --record.allocations;
    const std::lock_guard lock(mutex);
    memory.erase(address);
    std::free(host(address));
    return 0;
}
int cuMemGetAllocationGranularity(std::size_t* bytes, const void*, int) {
    *bytes = granularity;
    return call_anywhere("cuMemGetAllocationGranularity");
}
int cuMemCreate(std::uint64_t* handle, std::size_t bytes, const void*, std::uint64_t) {
    if (bytes % granularity != 0) return invalid_value;
    const int code = call_anywhere("cuMemCreate");
    if (code != 0) return code;
    const int file = memfd_create("fake", 0);
    if (ftruncate(file, static_cast<off_t>(bytes)) != 0) return out_of_memory;
    ++record.allocations;
    *handle = static_cast<std::uint64_t>(file);
    return 0;
}
int cuMemRelease(std::uint64_t handle) {
    close(static_cast<int>(handle));
    --record.allocations;
    return call_anywhere("cuMemRelease");
}
int cuMemAddressReserve(std::uint64_t* address, std::size_t bytes, std::size_t, std::uint64_t, std::uint64_t) {
    const int code = call_anywhere("cuMemAddressReserve");
    if (code != 0) return code;
    ++record.allocations;
    *address = reinterpret_cast<std::uint64_t>(
        mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    const std::lock_guard lock(mutex);
    memory[*address] = {bytes, current()};
    return 0;
}
int cuMemAddressFree(std::uint64_t address, std::size_t bytes) {
    const int code = call_anywhere("cuMemAddressFree");
    --record.allocations;
    const std::lock_guard lock(mutex);
    memory.erase(address);
    munmap(host(address), bytes);
    return code;
}
int cuMemMap(std::uint64_t address, std::size_t bytes, std::size_t from, std::uint64_t handle, std::uint64_t) {
    const int code = call_anywhere("cuMemMap");
    if (code != 0) return code;
    ++record.allocations;
    mmap(host(address), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, static_cast<int>(handle), static_cast<off_t>(from));
    const std::lock_guard lock(mutex);
    mapped[address] = bytes;
    return 0;
}
int cuMemUnmap(std::uint64_t address, std::size_t bytes) {
    const std::lock_guard lock(mutex);
    for (auto it = mapped.lower_bound(address); it != mapped.end() && it->first < address + bytes;) {
        --record.allocations;
        it = mapped.erase(it);
    }
    record.calls += "cuMemUnmap ";
    return 0;
}
int cuMemSetAccess(std::uint64_t address, std::size_t bytes, const void*, std::size_t) {
    const int code = call_anywhere("cuMemSetAccess");
    if (code == 0) mprotect(host(address), bytes, PROT_READ | PROT_WRITE);
    return code;
}
int cuMemHostAlloc(void** address, std::size_t bytes, unsigned) {
    if (bytes > (std::size_t{1} << 32)) return out_of_memory;
    const int code = call("cuMemHostAlloc");
    if (code != 0) return code;
    ++record.allocations;
    *address = std::malloc(bytes);
    return 0;
}
int cuMemFreeHost(void* address) {
    --record.allocations;
    std::free(address);
    return call("cuMemFreeHost");
}
int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes, void* stream) {
    return copied("cuMemcpyHtoDAsync", host(to), from, bytes, {owner_of_memory(to), owner(stream)}, stream);
}
int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void* stream) {
    return copied("cuMemcpyDtoHAsync", to, host(from), bytes, {owner_of_memory(from), owner(stream)}, stream);
}
int cuMemcpyDtoDAsync_v2(std::uint64_t to, std::uint64_t from, std::size_t bytes, void* stream) {
    return copied("cuMemcpyDtoDAsync", host(to), host(from), bytes,
                  {owner_of_memory(to), owner_of_memory(from), owner(stream)}, stream);
}
int cuMemcpyPeerAsync(std::uint64_t to, void* to_context, std::uint64_t from, void* from_context, std::size_t bytes,
                      void* stream) {
    if (owner_of_memory(to) != to_context || owner_of_memory(from) != from_context) return invalid_value;
    return copied("cuMemcpyPeerAsync", host(to), host(from), bytes, {owner(stream)}, stream);
}
int cuStreamCreate(void** stream, unsigned) {
    const int code = call("cuStreamCreate");
    if (code != 0) return code;
    ++record.streams;
    *stream = made();
    return 0;
}
int cuStreamDestroy_v2(void* stream) {
    --record.streams;
    forget(stream);
    return 0;
}
int cuStreamSynchronize(void*) { return call("cuStreamSynchronize"); }
int cuStreamWaitEvent(void* stream, void*, unsigned) {  // the event may be of any card
    return enqueue("cuStreamWaitEvent", {owner(stream)}, stream);
}
int cuStreamBeginCapture_v2(void* stream, int) {
    const std::lock_guard lock(mutex);
    captured_stream = stream;
    is_capturing = true;
    record.captured.clear();
    record.forbidden.clear();
    return 0;
}
int cuStreamEndCapture(void* stream, void** graph) {
    const std::lock_guard lock(mutex);
    if (!is_capturing || stream != captured_stream) return invalid_value;
    is_capturing = false;
    *graph = &record.captured;
    return 0;
}
int cuEventCreate(void** event, unsigned) {
    const int code = call("cuEventCreate");
    if (code != 0) return code;
    ++record.events;
    *event = made();
    return 0;
}
int cuEventRecord(void* event, void* stream) { return enqueue("cuEventRecord", {owner(event), owner(stream)}, stream); }
int cuEventSynchronize(void*) { return call("cuEventSynchronize"); }
int cuEventElapsedTime(float* milliseconds, void*, void*) {
    *milliseconds = 1.5f;
    return 0;
}
int cuEventDestroy_v2(void* event) {
    --record.events;
    forget(event);
    return 0;
}

}  // extern "C"
