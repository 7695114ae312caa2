// Vulkan devices: finding them, and what planning needs to know of each.
#include "runtime/vulkan/device.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "runtime/published.hpp"
#include "runtime/vulkan/facts.hpp"
#include "runtime/vulkan/module.hpp"
#include "runtime/vulkan/queue.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/vulkan.hpp"

namespace seiche::runtime::vulkan {

namespace {

constexpr const char* no_compute = "it has no queue for compute work";
constexpr const char* enumerating = "vkEnumeratePhysicalDevices";

Result find_devices(std::vector<PhysicalDevice>& devices) {
    // Enumerating makes drivers load; some do not like two threads then.
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    return enumerate(devices, [](Uint* count, PhysicalDevice* all) {
        return api().vkEnumeratePhysicalDevices(api().instance, count, all);
    });
}

std::optional<Uint> compute_family(const Api& api, PhysicalDevice device) {
    const std::vector<QueueFamily> families = families_of(api, device);
    for (Uint index = 0; index < families.size(); ++index)
        if ((families[index].queueFlags & queue_compute) != 0) return index;
    return std::nullopt;
}

DeviceLimits limits_of(const Api& api, PhysicalDevice device, const Facts& facts) {
    const Limits& said = facts.properties.properties.limits;
    DeviceLimits limits;
    limits.architecture = facts.properties.properties.deviceName;
    limits.subgroup_size = facts.planned_subgroup_size();
    limits.fixed_subgroups =
        facts.subgroup_features.subgroupSizeControl && facts.subgroup_features.computeFullSubgroups;
    limits.max_group_size = std::min(said.maxComputeWorkGroupInvocations, said.maxComputeWorkGroupSize[0]);
    limits.shared_bytes = limits.shared_bytes_per_unit = said.maxComputeSharedMemorySize;
    limits.registers_per_thread = 128;  // Vulkan does not say; what nearly every GPU has without spilling
    limits.compute_units = compute_units(facts);
    const Properties& chip = facts.properties.properties;
    if (const std::uint64_t bytes = published_cache_bytes(chip.vendorID, chip.deviceName); bytes != 0)
        limits.cache_bytes = bytes;
    MemoryProperties memory{};
    api.vkGetPhysicalDeviceMemoryProperties(device, &memory);
    limits.memory_bytes = 0;
    for (Uint heap = 0; heap < memory.memoryHeapCount; ++heap)
        if ((memory.memoryHeaps[heap].flags & heap_device_local) != 0)
            limits.memory_bytes = std::max(limits.memory_bytes, memory.memoryHeaps[heap].size);
    limits.max_allocation_bytes = facts.maintenance.maxMemoryAllocationSize;
    // A descriptor reaches no further than maxStorageBufferRange, and may begin a little before the array.
    limits.max_buffer_bytes = std::bit_floor(said.maxStorageBufferRange - said.minStorageBufferOffsetAlignment);
    // An address is a number of 64 bits. Indices are signed ones of 32, and the smallest element of an array is a half.
    constexpr std::uint64_t most_indexed = std::uint64_t{1} << 32;
    if (facts.addresses.bufferDeviceAddress != 0 && facts.features.features.shaderInt64 != 0)
        limits.max_addressed_bytes = std::min(limits.max_allocation_bytes, most_indexed);
    limits.fp64 = facts.features.features.shaderFloat64 != 0;
    // Vulkan promises no single rounding of an fma; lavapipe makes two operations of it, elsewhere a plan tries it.
    limits.bounds_registers = false;
    limits.waits_for_groups = facts.driver.driverID != driver_llvmpipe;  // which ends loops after 65535 rounds
    limits.fast_fma = facts.driver.driverID != driver_llvmpipe;
    limits.exact_fp64 = limits.fp64 && limits.fast_fma;
    limits.fp16_storage = facts.storage_16.storageBuffer16BitAccess != 0;
    // Points of f32 are moved as words of 64 bits then.
    const bool is_cpu = facts.properties.properties.deviceType == type_cpu;
    if (is_cpu && facts.features.features.shaderInt64 != 0) limits.vectors = Vectors::implicit_simd;
    return limits;
}

DeviceInfo absent(const std::string& problem, const std::string& remedy) {
    DeviceInfo info;
    info.name = "vulkan";
    info.backend = Backend::vulkan;
    info.problem = problem;
    info.remedy = remedy;
    return info;
}

std::string version_text(Uint version) {
    return std::to_string(version >> 22 & 0x7f) + "." + std::to_string(version >> 12 & 0x3ff) + "." +
           std::to_string(version & 0xfff);
}

/// What one device says; throws BackendError where it does not say it.
DeviceInfo describe(const Api& api, PhysicalDevice device, const seiche::vulkan::NativeDevice* enabled) {
    DeviceInfo info;
    info.name = "vulkan";
    info.backend = Backend::vulkan;
    Properties properties{};
    api.vkGetPhysicalDeviceProperties(device, &properties);
    info.description = properties.deviceName;
    info.is_gpu = is_gpu(properties.deviceType);
    info.driver = "Vulkan " + version_text(properties.apiVersion);
    if (properties.apiVersion < version_1_1) {
        info.problem = "its driver knows Vulkan " + version_text(properties.apiVersion) + ", expected 1.1";
        info.remedy = "install a newer driver of this device";
        return info;
    }
    const Facts facts(api, device, enabled);
    if (facts.driver.driverID == driver_llvmpipe) info.description += " (lavapipe)";
    info.driver += ", " + std::string(facts.driver.driverName) + " " + facts.driver.driverInfo + " " +
                   std::to_string(properties.driverVersion);
    info.limits = limits_of(api, device, facts);
    info.available = compute_family(api, device).has_value();
    if (!info.available) {
        info.problem = no_compute;
        info.remedy = "use another device";
    }
    return info;
}

/// As one of a list, whose other devices are listed whatever this one does.
DeviceInfo describe_or_say_why(PhysicalDevice device) {
    try {
        return describe(api(), device, nullptr);
    } catch (const BackendError& error) {
        const std::string line = error.what(), before = "vulkan: ";
        DeviceInfo info =
            absent(line.substr(line.find(before) + before.size()), "install another driver of this device");
        Properties properties{};
        api().vkGetPhysicalDeviceProperties(device, &properties);
        info.description = properties.deviceName;
        info.is_gpu = is_gpu(properties.deviceType);
        return info;
    }
}

LogicalDevice create_device(PhysicalDevice physical, Uint family, const Facts& facts) {
    const float priority = 1;
    DeviceQueueCreateInfo queue;
    queue.queueFamilyIndex = family;
    queue.pQueuePriorities = &priority;
    // Of what it offers only what kernels and queues may use.
    Features2 wanted;
    wanted.features.shaderFloat64 = facts.features.features.shaderFloat64;
    wanted.features.shaderInt64 = facts.features.features.shaderInt64;
    wanted.features.shaderStorageImageExtendedFormats = facts.features.features.shaderStorageImageExtendedFormats;
    Storage16Features storage_16;
    storage_16.storageBuffer16BitAccess = facts.storage_16.storageBuffer16BitAccess;
    Storage8Features storage_8;
    storage_8.storageBuffer8BitAccess = facts.storage_8.storageBuffer8BitAccess;
    TimelineFeatures timeline;
    timeline.timelineSemaphore = facts.timeline.timelineSemaphore;
    AddressFeatures addresses;
    addresses.bufferDeviceAddress = facts.addresses.bufferDeviceAddress;
    SubgroupSizeFeatures subgroups;
    subgroups.subgroupSizeControl = facts.subgroup_features.subgroupSizeControl;
    subgroups.computeFullSubgroups = facts.subgroup_features.computeFullSubgroups;
    Chain chain(wanted.header);
    chain.add(storage_16.header);
    if (facts.has_storage_8) chain.add(storage_8.header);
    if (timeline.timelineSemaphore != 0) chain.add(timeline.header);
    if (addresses.bufferDeviceAddress != 0) chain.add(addresses.header);
    if (subgroups.subgroupSizeControl != 0) chain.add(subgroups.header);
    DeviceCreateInfo info;
    info.header.pNext = &wanted;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<Uint>(facts.extensions.size());
    info.ppEnabledExtensionNames = facts.extensions.data();
    LogicalDevice device = nullptr;
    check(api().vkCreateDevice(physical, &info, nullptr, &device), "vkCreateDevice",
          facts.properties.properties.deviceName);
    return device;
}

}  // namespace

Session::Session(std::shared_ptr<const Api> functions, const Handles& handles)
    : api(std::move(functions)),
      physical(handles.physical),
      device(handles.device),
      queue_family(handles.queue_family),
      queue(handles.queue),
      extensions(handles.extensions),
      has_extended_formats(handles.has_extended_formats),
      owns(handles.queue == nullptr) {
    if (owns) api->vkGetDeviceQueue(device, queue_family, 0, &queue);
    api->vkGetPhysicalDeviceProperties(physical, &properties);
    api->vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    timestamp_bits = families_of(*api, physical)[queue_family].timestampValidBits;
}

Result Session::settle() {
    const std::lock_guard lock(submitting);
    return api->vkQueueWaitIdle(queue);
}

std::vector<DeviceInfo> list() {
    if (!api().problem.empty()) return {absent(api().problem, api().remedy)};
    const std::string remedy =
        "install a driver; on Debian and Ubuntu `apt install mesa-vulkan-drivers` runs on any CPU";
    std::vector<PhysicalDevice> devices;
    if (const Result code = find_devices(devices); code != success)
        return {absent("the Vulkan loader is here, but " + failure(code, enumerating), remedy)};
    std::vector<DeviceInfo> infos;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        infos.push_back(describe_or_say_why(devices[i]));
        infos.back().name += ":" + std::to_string(i);
    }
    if (infos.empty()) infos.push_back(absent("the Vulkan loader is here, but no driver offers a device", remedy));
    return infos;
}

std::shared_ptr<Device> open(const DeviceInfo& info) {
    std::vector<PhysicalDevice> devices;
    check(find_devices(devices), enumerating);
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (info.name != "vulkan:" + std::to_string(i)) continue;
        const std::optional<Uint> family = compute_family(api(), devices[i]);
        if (!family) throw Unsupported("vulkan: " + info.name + ": " + no_compute);
        const Facts facts(api(), devices[i], nullptr);
        const LogicalDevice device = create_device(devices[i], *family, facts);
        const std::shared_ptr<const Api> functions(&api(), [](const Api*) {});
        const bool has_formats = facts.features.features.shaderStorageImageExtendedFormats != 0;
        const Session::Handles handles{devices[i], device, *family, nullptr, extensions_of(api(), device, facts),
                                       has_formats};
        return make_owned<VulkanDevice>(make_owned<Session>(functions, handles), info);
    }
    throw Unsupported("vulkan: there is no device " + info.name + " any more");
}

std::shared_ptr<Device> adopt(const seiche::vulkan::NativeDevice& native) {
    const std::shared_ptr<const Api> functions =
        api_of(static_cast<Instance>(native.instance), native.get_instance_proc_addr);
    Session::Handles handles;
    handles.physical = static_cast<PhysicalDevice>(native.physical_device);
    handles.device = static_cast<LogicalDevice>(native.device);
    handles.queue_family = native.queue_family;
    handles.queue = static_cast<QueueHandle>(native.queue);
    handles.has_extended_formats = native.storage_image_extended_formats;
    const std::vector<QueueFamily> families = families_of(*functions, handles.physical);
    if (native.queue_family >= families.size() || (families[native.queue_family].queueFlags & queue_compute) == 0)
        throw InvalidProblem("vulkan interop: expected a queue family that can compute, got " +
                             std::to_string(native.queue_family) + " of " + std::to_string(families.size()));
    DeviceInfo info = describe(*functions, handles.physical, &native);
    if (!info.available) throw Unsupported(info.name + ": " + info.problem + " (" + info.remedy + ")");
    handles.extensions = extensions_of(*functions, handles.device, Facts(*functions, handles.physical, &native));
    note_driver_in_use(Backend::vulkan);
    return make_owned<VulkanDevice>(make_owned<Session>(functions, handles), std::move(info));
}

VulkanDevice::VulkanDevice(std::shared_ptr<Session> session, DeviceInfo info)
    : session_(std::move(session)), info_(std::move(info)) {}

emit::Target VulkanDevice::target() const {
    emit::Target target;
    target.dialect = emit::Dialect::spirv_vulkan;
    target.architecture = info_.limits.architecture;
    target.fast_fma = info_.limits.fast_fma;
    target.pairs_as_words = target.joins_words = info_.limits.vectors == Vectors::implicit_simd;
    return target;
}

std::string VulkanDevice::compiler_version() const {
    std::string id;
    for (const std::uint8_t byte : session_->properties.pipelineCacheUUID) id += std::to_string(byte) + ".";
    // What layouts and pipelines are made with beside their module.
    const Extensions& extensions = session_->extensions;
    return info_.driver + ", " + id + " " + std::to_string(extensions.most_push_descriptors) + " " +
           std::to_string(extensions.most_subgroup == 0 ? 0 : extensions.subgroup_size);
}

Binary VulkanDevice::compile(const emit::Source& source) { return compile_pipeline(session_, source); }

std::shared_ptr<Module> VulkanDevice::load(const emit::Source& source, const Binary& binary) {
    return load_pipeline(session_, source, binary);
}

std::shared_ptr<Module> VulkanDevice::build(const emit::Source& source) { return load_pipeline(session_, source, {}); }

std::shared_ptr<Buffer> VulkanDevice::allocate(std::uint64_t bytes) {
    if (bytes > info_.limits.max_allocation_bytes)
        throw BackendError("vulkan: a buffer of " + std::to_string(bytes) + " bytes, expected at most " +
                           std::to_string(info_.limits.max_allocation_bytes) + " on " + info_.name);
    return allocate_buffer(session_, bytes);
}

std::shared_ptr<Image> VulkanDevice::allocate_image(ImageFormat format, std::uint32_t width, std::uint32_t height) {
    return make_owned<VulkanImage>(session_, format, width, height);
}

std::shared_ptr<Queue> VulkanDevice::create_queue() { return make_queue(session_); }

}  // namespace seiche::runtime::vulkan
