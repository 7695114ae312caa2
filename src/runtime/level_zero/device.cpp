// Level Zero devices: finding them, and what planning needs to know of each.
#include "runtime/level_zero/device.hpp"

#include <algorithm>

#include "runtime/level_zero/module.hpp"
#include "runtime/level_zero/queue.hpp"
#include "runtime/published.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::level_zero {

namespace {

constexpr Uint line_bytes = 64;          // what the caches move
constexpr Uint preferred_subgroup = 16;  // that Intel's compiler takes where it has the registers

std::vector<DeviceOf> all_devices() {
    std::vector<DeviceOf> all;
    Uint driver_count = 0;
    if (api().zeDriverGet(&driver_count, nullptr) != success) return all;
    std::vector<Driver> drivers(driver_count);
    if (api().zeDriverGet(&driver_count, drivers.data()) != success) return all;
    for (const Driver driver : drivers) {
        Uint count = 0;
        if (api().zeDeviceGet(driver, &count, nullptr) != success) continue;
        std::vector<DeviceHandle> devices(count);
        if (api().zeDeviceGet(driver, &count, devices.data()) != success) continue;
        for (const DeviceHandle device : devices) all.push_back({driver, device});
    }
    return all;
}

Uint api_version(Driver driver) {
    Uint version = 0;
    check(api().zeDriverGetApiVersion(driver, &version), "zeDriverGetApiVersion");
    return version;
}

DeviceProperties properties_of(const DeviceOf& of) {
    DeviceProperties properties;
    if (api_version(of.driver) >= api_version_1_2) properties.stype = structure_device_properties_1_2;
    check(api().zeDeviceGetProperties(of.device, &properties), "zeDeviceGetProperties");
    return properties;
}

ComputeProperties compute_of(DeviceHandle device) {
    ComputeProperties compute;
    check(api().zeDeviceGetComputeProperties(device, &compute), "zeDeviceGetComputeProperties");
    return compute;
}

/// Arrays of properties are asked for twice: how many, and which.
template <class Properties>
std::vector<Properties> every(Result (*ask)(DeviceHandle, Uint*, Properties*), const char* call, DeviceHandle device) {
    Uint count = 0;
    check(ask(device, &count, nullptr), call);
    std::vector<Properties> all(count);
    check(ask(device, &count, all.data()), call);
    all.resize(count);
    return all;
}

void fill_memory(DeviceLimits& limits, const DeviceOf& of, const DeviceProperties& properties) {
    const auto memories = every(api().zeDeviceGetMemoryProperties, "zeDeviceGetMemoryProperties", of.device);
    if (!memories.empty()) limits.memory_bytes = memories.front().totalSize;  // what zeMemAllocDevice is asked for
    limits.max_allocation_bytes = properties.maxMemAllocSize;
    for (const CacheProperties& cache :
         every(api().zeDeviceGetCacheProperties, "zeDeviceGetCacheProperties", of.device))
        limits.cache_bytes = std::max<std::uint64_t>(limits.cache_bytes, cache.cacheSize);
    limits.sector_bytes = line_bytes;
}

void fill_arithmetic(DeviceLimits& limits, DeviceHandle device) {
    ModuleProperties module;
    check(api().zeDeviceGetModuleProperties(device, &module), "zeDeviceGetModuleProperties");
    constexpr Uint exact = fp_denorm | fp_round_to_nearest | fp_fma;
    limits.fp64 = (module.flags & module_fp64) != 0;
    limits.exact_fp64 = limits.fp64 && (module.fp64flags & exact) == exact;
    limits.fp16_arithmetic = false;  // not in the SPIR-V that is emitted; halves in memory every device has
    limits.fast_fma = (module.fp32flags & fp_fma) != 0;
}

/// Sizes of a subgroup, in rising order.
std::vector<Uint> subgroup_sizes(const ComputeProperties& compute) {
    const auto* first = std::begin(compute.subGroupSizes);
    std::vector<Uint> sizes(first,
                            first + std::min<std::size_t>(compute.numSubGroupSizes, std::size(compute.subGroupSizes)));
    std::sort(sizes.begin(), sizes.end());
    return sizes;
}

void fill_groups(DeviceLimits& limits, const ComputeProperties& compute, const DeviceProperties& properties) {
    const std::vector<Uint> sizes = subgroup_sizes(compute);
    const bool has_preferred = std::find(sizes.begin(), sizes.end(), preferred_subgroup) != sizes.end();
    limits.subgroup_size = sizes.empty() ? 0 : has_preferred ? preferred_subgroup : sizes.back();
    if (limits.subgroup_size == 0) return;
    limits.registers_per_thread =
        std::max(intel_lane_registers(properties.physicalEUSimdWidth, limits.subgroup_size), 32u);
    limits.max_group_size = std::min(compute.maxTotalGroupSize, compute.maxGroupSizeX);
    limits.shared_bytes = limits.shared_bytes_per_unit = compute.maxSharedLocalMemory;
    limits.compute_units = std::max(properties.numSlices * properties.numSubslicesPerSlice, 1u);
}

std::string version_text(Uint version) {
    return std::to_string(version >> 16) + "." + std::to_string(version & 0xffff);
}

void fill(DeviceInfo& info, const DeviceOf& of) {
    DriverProperties driver;
    check(api().zeDriverGetProperties(of.driver, &driver), "zeDriverGetProperties");
    const DeviceProperties properties = properties_of(of);
    info.description = properties.name;
    info.is_gpu = properties.type == device_type_gpu;
    info.driver =
        "Level Zero " + version_text(api_version(of.driver)) + ", driver " + std::to_string(driver.driverVersion);
    info.limits.bounds_registers = false;
    info.limits.architecture = std::string(properties.name) + ", device " + std::to_string(properties.deviceId);
    fill_groups(info.limits, compute_of(of.device), properties);
    fill_memory(info.limits, of, properties);
    fill_arithmetic(info.limits, of.device);
}

DeviceInfo describe(const DeviceOf& of, const std::string& name) {
    DeviceInfo info;
    info.name = name;
    info.backend = Backend::level_zero;
    info.remedy = "install a newer driver of this device";
    try {
        fill(info, of);
    } catch (const BackendError& error) {
        const std::string what = error.what(), whose = "level_zero: ";
        info.problem = what.substr(what.find(whose) + whose.size());  // the list says whose
        return info;
    }
    const DeviceLimits& limits = info.limits;
    if (limits.subgroup_size == 0 || limits.max_group_size == 0 || limits.shared_bytes == 0) {
        info.problem = "the driver does not say the size of its subgroups, groups or shared memory";
    } else if (!info.is_gpu) {
        info.problem = "it is no GPU";
        info.remedy = "use a GPU; a CPU is driven through OpenCL";
    } else {
        info.remedy.clear();
        info.available = true;
    }
    return info;
}

DeviceInfo absent(const std::string& problem, const std::string& remedy) {
    DeviceInfo info;
    info.name = "level_zero";
    info.backend = Backend::level_zero;
    info.problem = problem;
    info.remedy = remedy;
    return info;
}

std::string name_of(std::size_t index) { return "level_zero:" + std::to_string(index); }

}  // namespace

std::vector<DeviceInfo> list() {
    if (!api().problem.empty()) return {absent(api().problem, api().remedy)};
    const std::vector<DeviceOf> devices = all_devices();
    std::vector<DeviceInfo> infos;
    for (std::size_t i = 0; i < devices.size(); ++i) infos.push_back(describe(devices[i], name_of(i)));
    if (infos.empty())
        infos.push_back(absent("Level Zero shows no GPU", "see the groups render and video, and ZE_AFFINITY_MASK"));
    return infos;
}

std::shared_ptr<Device> open(const DeviceInfo& info) {
    const std::vector<DeviceOf> devices = all_devices();
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (info.name != name_of(i)) continue;
        const ContextDesc description;
        Context context = nullptr;
        check(api().zeContextCreate(devices[i].driver, &description, &context), "zeContextCreate", info.name);
        return make_owned<LevelZeroDevice>(make_owned<Session>(devices[i], context, true), info, false);
    }
    throw Unsupported("level_zero: there is no device " + info.name + " any more");
}

std::shared_ptr<Device> adopt(Driver driver, Context context, DeviceHandle device) {
    if (!api().problem.empty()) throw Unsupported("level_zero: " + api().problem + " (" + api().remedy + ")");
    const DeviceOf of{driver, device};
    const std::vector<DeviceOf> devices = all_devices();
    const auto found =
        std::find_if(devices.begin(), devices.end(), [&](const DeviceOf& one) { return one.device == device; });
    const std::string name =
        found == devices.end() ? "level_zero" : name_of(static_cast<std::size_t>(found - devices.begin()));
    DeviceInfo info = describe(of, name);
    if (!info.available) throw Unsupported(info.name + ": " + info.problem + " (" + info.remedy + ")");
    note_driver_in_use(Backend::level_zero);
    return make_owned<LevelZeroDevice>(make_owned<Session>(of, context, false), std::move(info), true);
}

// ---- Session

Session::Session(DeviceOf of, Context context, bool owned) : of_(of), context_(context), owned_(owned) {
    try {
        ask();
    } catch (...) {
        if (owned_) api().zeContextDestroy(context_);
        throw;
    }
}

Session::~Session() {
    if (owned_) api().zeContextDestroy(context_);
}

void Session::ask() {
    const auto groups =
        every(api().zeDeviceGetCommandQueueGroupProperties, "zeDeviceGetCommandQueueGroupProperties", of_.device);
    const auto computes = std::find_if(groups.begin(), groups.end(), [](const QueueGroupProperties& group) {
        return (group.flags & queue_group_compute) != 0 && group.numQueues != 0;
    });
    if (computes == groups.end()) throw Unsupported("level_zero: the device has no queue that computes");
    compute_group_ = static_cast<Uint>(computes - groups.begin());
    const ComputeProperties compute = compute_of(of_.device);
    std::copy(std::begin(compute.maxGroupCount), std::end(compute.maxGroupCount), most_groups_.begin());
    const std::vector<Uint> sizes = subgroup_sizes(compute);
    fewest_lanes_ = sizes.empty() ? 0 : sizes.front();
    const DeviceProperties properties = properties_of(of_);
    const auto resolution = static_cast<double>(std::max<std::uint64_t>(properties.timerResolution, 1));
    nanoseconds_per_tick_ = properties.stype == structure_device_properties_1_2 ? 1e9 / resolution : resolution;
    const Uint bits = properties.kernelTimestampValidBits;
    timestamp_mask_ = bits == 0 || bits >= 64 ? UINT64_MAX : (std::uint64_t{1} << bits) - 1;
}

void Session::add(LevelZeroQueue* queue) {
    const std::lock_guard lock(mutex_);
    queues_.insert(queue);
}

void Session::remove(LevelZeroQueue* queue) {
    const std::lock_guard lock(mutex_);
    queues_.erase(queue);
}

void Session::settle() noexcept {
    const std::lock_guard lock(mutex_);
    for (LevelZeroQueue* queue : queues_) queue->settle();
}

// ---- LevelZeroDevice

emit::Target LevelZeroDevice::target() const {
    emit::Target target;
    target.dialect = emit::Dialect::spirv_opencl;
    target.architecture = info_.limits.architecture;
    target.fast_fma = info_.limits.fast_fma;
    const std::uint32_t lanes = info_.limits.subgroup_size;
    if (must_state_intel_lanes(session_->fewest_lanes(), lanes)) target.subgroup_size = lanes;
    return target;
}

std::string LevelZeroDevice::compiler_version() const { return info_.driver; }

Binary LevelZeroDevice::compile(const emit::Source& source) { return compile_module(*session_, source); }

std::shared_ptr<Module> LevelZeroDevice::build(const emit::Source& source) { return build_module(session_, source); }

std::shared_ptr<Module> LevelZeroDevice::load(const emit::Source& source, const Binary& binary) {
    return load_module(session_, source, binary);
}

std::shared_ptr<Buffer> LevelZeroDevice::allocate(std::uint64_t bytes) { return allocate_buffer(session_, bytes); }

std::shared_ptr<Queue> LevelZeroDevice::create_queue() { return make_queue(session_); }

}  // namespace seiche::runtime::level_zero
