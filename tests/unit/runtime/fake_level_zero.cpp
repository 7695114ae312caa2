// A library with the names of Level Zero's loader: a driver of two devices, memory on the host, a record of what was
// asked of it, and any function to fail on demand. Kernels do nothing; a module's native binary is four letters.
#include "fake_level_zero.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <set>

#include "runtime/level_zero/api.hpp"

namespace {

using namespace seiche::runtime::level_zero;

FakeLevelZeroRecord record;
std::set<const void*> allocated;
std::uint64_t argument_words[2];
std::uint64_t signalled_at[64];

constexpr Result invalid_kernel_name = 0x78000011;

/// A handle that tells its kind in a debugger, and is never null.
template <class Handle>
Handle handle(std::uintptr_t kind, std::uintptr_t index = 0) {
    return reinterpret_cast<Handle>(kind * 0x1000 + 16 * index);
}
template <class Handle>
std::uintptr_t index_of(Handle given, std::uintptr_t kind) {
    return (reinterpret_cast<std::uintptr_t>(given) - kind * 0x1000) / 16;
}

Result code(const char* call) { return record.failing == call ? device_lost : success; }

Result made(const char* call, int& count) {
    if (code(call) != success) return device_lost;
    ++count;
    return success;
}

/// What is given back is gone, whatever the call says.
Result gone(const char* call, int& count) {
    --count;
    if (record.busy) ++record.freed_early;
    return code(call);
}

Result appended(const char* call, const char* what, CommandList list) {
    if (code(call) != success) return device_lost;
    record.calls += what;
    record.list = list;
    record.busy = true;
    return success;
}

void signal(EventHandle event) {
    if (event == nullptr) return;
    record.tick = (record.tick + 25) & 0xffffffff;
    signalled_at[index_of(event, 9)] = record.tick;
}

Result allocate(const char* call, std::size_t bytes, void** address) {
    if (bytes > (std::size_t{1} << 32)) return out_of_device_memory;
    if (code(call) != success) return device_lost;
    *address = std::malloc(bytes);
    allocated.insert(*address);
    ++record.allocations;
    return success;
}

}  // namespace

extern "C" {

FakeLevelZeroRecord* fake_level_zero_record() { return &record; }

Result zeInit(Uint) { return code("zeInit"); }
Result zeDriverGet(Uint* count, Driver* drivers) {
    *count = 1;
    if (drivers != nullptr) drivers[0] = handle<Driver>(1);
    return code("zeDriverGet");
}
Result zeDriverGetApiVersion(Driver, Uint* version) {
    *version = 0x00010003;
    return code("zeDriverGetApiVersion");
}
Result zeDriverGetProperties(Driver, DriverProperties* properties) {
    properties->driverVersion = 4711;
    return code("zeDriverGetProperties");
}
Result zeDeviceGet(Driver, Uint* count, DeviceHandle* devices) {
    *count = 2;
    if (devices != nullptr)
        for (unsigned i = 0; i < 2; ++i) devices[i] = handle<DeviceHandle>(2, i);
    return code("zeDeviceGet");
}
Result zeDeviceGetProperties(DeviceHandle device, DeviceProperties* properties) {
    const bool first = index_of(device, 2) == 0;
    properties->type = record.no_gpu ? 2 : 1;
    properties->deviceId = first ? 0x56a0 : 0x0bd5;
    properties->maxMemAllocSize = std::uint64_t{1} << 32;
    properties->physicalEUSimdWidth = first ? 8 : 16;
    properties->numSubslicesPerSlice = first ? 4 : 8;
    properties->numSlices = 8;
    properties->timerResolution = properties->stype == structure_device_properties_1_2 ? 1000000000 : 1;
    properties->kernelTimestampValidBits = 32;
    std::strcpy(properties->name, first ? "Fake Arc" : "Fake Max");
    return code("zeDeviceGetProperties");
}
Result zeDeviceGetComputeProperties(DeviceHandle device, ComputeProperties* properties) {
    const bool first = index_of(device, 2) == 0;
    properties->maxTotalGroupSize = properties->maxGroupSizeX = 1024;
    properties->maxGroupCount[0] = 1u << 20;
    properties->maxGroupCount[1] = properties->maxGroupCount[2] = 65535;
    properties->maxSharedLocalMemory = first ? 65536 : 131072;
    const Uint sizes[3] = {8, 16, 32}, skipped = record.only_wide ? 2 : first ? 0 : 1;
    properties->numSubGroupSizes = 3 - skipped;
    std::copy(sizes + skipped, std::end(sizes), properties->subGroupSizes);
    return code("zeDeviceGetComputeProperties");
}
Result zeDeviceGetModuleProperties(DeviceHandle, ModuleProperties* properties) {
    properties->flags = record.no_doubles ? 1 : 1 | module_fp64;
    properties->fp32flags = fp_fma | fp_denorm;
    properties->fp64flags = fp_fma | fp_denorm | fp_round_to_nearest;
    return code("zeDeviceGetModuleProperties");
}
Result zeDeviceGetMemoryProperties(DeviceHandle, Uint* count, MemoryProperties* properties) {
    *count = 1;
    if (properties != nullptr) properties[0].totalSize = std::uint64_t{1} << 34;
    return code("zeDeviceGetMemoryProperties");
}
Result zeDeviceGetCacheProperties(DeviceHandle, Uint* count, CacheProperties* properties) {
    *count = 2;
    if (properties != nullptr) properties[0].cacheSize = 65536, properties[1].cacheSize = 16777216;
    return code("zeDeviceGetCacheProperties");
}
Result zeDeviceGetCommandQueueGroupProperties(DeviceHandle, Uint* count, QueueGroupProperties* properties) {
    *count = 2;
    if (properties != nullptr) {
        properties[0].flags = 2;
        properties[1].flags = 3;
        properties[0].numQueues = properties[1].numQueues = 1;
    }
    return code("zeDeviceGetCommandQueueGroupProperties");
}

Result zeContextCreate(Driver, const ContextDesc*, Context* context) {
    *context = handle<Context>(3, 1 + static_cast<std::uintptr_t>(record.contexts));
    return made("zeContextCreate", record.contexts);
}
Result zeContextDestroy(Context) { return gone("zeContextDestroy", record.contexts); }
Result zeMemAllocDevice(Context, const DeviceMemoryDesc*, std::size_t bytes, std::size_t, DeviceHandle,
                        void** address) {
    record.device_bytes = bytes;
    return allocate("zeMemAllocDevice", bytes, address);
}
Result zeMemAllocHost(Context, const HostMemoryDesc*, std::size_t bytes, std::size_t, void** address) {
    return allocate("zeMemAllocHost", bytes, address);
}
Result zeMemFree(Context, void* address) {
    allocated.erase(address);
    std::free(address);
    return gone("zeMemFree", record.allocations);
}
Result zeMemGetAllocProperties(Context, const void* address, AllocationProperties* properties, DeviceHandle*) {
    properties->type = allocated.count(address) != 0 ? memory_device : memory_unknown;
    return code("zeMemGetAllocProperties");
}

Result zeModuleCreate(Context, DeviceHandle, const ModuleDesc* description, ModuleHandle* module, BuildLog* log) {
    record.format = description->format;
    if (log != nullptr) {
        *log = handle<BuildLog>(4);
        ++record.logs;
    }
    if (code("zeModuleCreate") != success) return module_build_failure;
    *module = handle<ModuleHandle>(5);
    ++record.modules;
    return success;
}
Result zeModuleDestroy(ModuleHandle) { return gone("zeModuleDestroy", record.modules); }
Result zeModuleBuildLogGetString(BuildLog, std::size_t* bytes, char* text) {
    *bytes = 21;
    if (text != nullptr) std::strcpy(text, "warning\nerror: a fake");
    return code("zeModuleBuildLogGetString");
}
Result zeModuleBuildLogDestroy(BuildLog) {
    --record.logs;
    return code("zeModuleBuildLogDestroy");
}
Result zeModuleGetNativeBinary(ModuleHandle, std::size_t* bytes, std::uint8_t* binary) {
    *bytes = 4;
    if (binary != nullptr) std::memcpy(binary, "code", 4);
    return code("zeModuleGetNativeBinary");
}
Result zeKernelCreate(ModuleHandle, const KernelDesc* description, KernelHandle* kernel) {
    record.kernel = description->pKernelName;
    if (record.kernel.empty()) return invalid_kernel_name;
    *kernel = handle<KernelHandle>(6);
    return made("zeKernelCreate", record.kernels);
}
Result zeKernelDestroy(KernelHandle) { return gone("zeKernelDestroy", record.kernels); }
Result zeKernelSetGroupSize(KernelHandle, Uint x, Uint y, Uint z) {
    const unsigned group[3] = {x, y, z};
    std::memcpy(record.group, group, sizeof group);
    return code("zeKernelSetGroupSize");
}
Result zeKernelSetArgumentValue(KernelHandle, Uint index, std::size_t bytes, const void* value) {
    if (index < 2) std::memcpy(&argument_words[index], value, bytes);
    return code("zeKernelSetArgumentValue");
}

Result zeCommandListCreateImmediate(Context, DeviceHandle, const QueueDesc* description, CommandList* list) {
    record.ordinal = description->ordinal;
    static std::uintptr_t made_so_far = 0;
    *list = handle<CommandList>(7, made_so_far++ % 128);
    return made("zeCommandListCreateImmediate", record.lists);
}
Result zeCommandListDestroy(CommandList list) {
    --record.lists;
    if (record.busy && record.list == list) ++record.freed_early;  // the work of another list is no matter
    return code("zeCommandListDestroy");
}
Result zeCommandListAppendBarrier(CommandList list, EventHandle event, Uint, EventHandle*) {
    signal(event);
    return appended("zeCommandListAppendBarrier", event != nullptr ? "barrier+event " : "barrier ", list);
}
Result zeCommandListAppendMemoryCopy(CommandList list, void* to, const void* from, std::size_t bytes, EventHandle, Uint,
                                     EventHandle*) {
    const Result result = appended("zeCommandListAppendMemoryCopy", "copy ", list);
    if (result == success) std::memmove(to, from, bytes);
    return result;
}
Result zeCommandListAppendLaunchKernel(CommandList list, KernelHandle, const GroupCount* groups, EventHandle, Uint,
                                       EventHandle*) {
    const unsigned grid[3] = {groups->x, groups->y, groups->z};
    std::memcpy(record.grid, grid, sizeof grid);
    std::memcpy(&record.first_buffer, &argument_words[0], sizeof record.first_buffer);
    record.first_offset = argument_words[1];
    return appended("zeCommandListAppendLaunchKernel", "launch ", list);
}

Result zeEventPoolCreate(Context, const EventPoolDesc*, Uint, DeviceHandle*, EventPool* pool) {
    *pool = handle<EventPool>(8);
    return made("zeEventPoolCreate", record.pools);
}
Result zeEventPoolDestroy(EventPool) { return gone("zeEventPoolDestroy", record.pools); }
Result zeEventCreate(EventPool, const EventDesc*, EventHandle* event) {
    *event = handle<EventHandle>(9, static_cast<std::uintptr_t>(record.events) % 64);
    return made("zeEventCreate", record.events);
}
Result zeEventDestroy(EventHandle) { return gone("zeEventDestroy", record.events); }
Result zeEventHostSynchronize(EventHandle, std::uint64_t) {
    record.busy = false;
    return code("zeEventHostSynchronize");
}
Result zeEventHostReset(EventHandle) { return code("zeEventHostReset"); }
Result zeEventQueryKernelTimestamp(EventHandle event, KernelTimestamp* times) {
    times->global.kernelEnd = signalled_at[index_of(event, 9)];
    return code("zeEventQueryKernelTimestamp");
}

}  // extern "C"
