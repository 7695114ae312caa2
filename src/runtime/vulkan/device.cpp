// Vulkan devices: finding them, and what planning needs to know of each.
#include "runtime/vulkan/device.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "runtime/vulkan/module.hpp"
#include "runtime/vulkan/queue.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/vulkan.hpp"

namespace seiche::runtime::vulkan {

namespace {

std::vector<PhysicalDevice> all_devices() {
    // Enumerating makes drivers load; some do not like two threads then.
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    Uint count = 0;
    if (api().vkEnumeratePhysicalDevices(api().instance, &count, nullptr) != success) return {};
    std::vector<PhysicalDevice> devices(count);
    api().vkEnumeratePhysicalDevices(api().instance, &count, devices.data());
    devices.resize(count);
    return devices;
}

std::vector<QueueFamily> families_of(const Api& api, PhysicalDevice device) {
    Uint count = 0;
    api.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
    std::vector<QueueFamily> families(count);
    api.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
    return families;
}

std::optional<Uint> compute_family(const Api& api, PhysicalDevice device) {
    const std::vector<QueueFamily> families = families_of(api, device);
    for (Uint index = 0; index < families.size(); ++index)
        if ((families[index].queueFlags & queue_compute) != 0) return index;
    return std::nullopt;
}

bool has_extension(const Api& api, PhysicalDevice device, const char* name) {
    Uint count = 0;
    if (api.vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr) != success) return false;
    std::vector<ExtensionProperties> all(count);
    api.vkEnumerateDeviceExtensionProperties(device, nullptr, &count, all.data());
    return std::any_of(all.begin(), all.end(),
                       [&](const ExtensionProperties& one) { return std::strcmp(one.extensionName, name) == 0; });
}

constexpr const char* storage_8_extension = "VK_KHR_8bit_storage";
constexpr const char* portability_extension = "VK_KHR_portability_subset";
constexpr const char* driver_extension = "VK_KHR_driver_properties";

/// Features that a device was made with by its caller.
using Enabled = seiche::vulkan::NativeDevice;

/// What the device says, each part only if it knows of it.
struct Facts {
    Properties2 properties;
    SubgroupProperties subgroup;
    Maintenance3Properties maintenance;
    DriverProperties driver;
    Features2 features;
    Storage16Features storage_16;
    Storage8Features storage_8;
    bool has_storage_8 = false;

    Facts(const Api& api, PhysicalDevice device) : has_storage_8(has_extension(api, device, storage_8_extension)) {
        properties.header.pNext = &subgroup;
        subgroup.header.pNext = &maintenance;
        if (has_extension(api, device, driver_extension)) maintenance.header.pNext = &driver;
        api.vkGetPhysicalDeviceProperties2(device, &properties);
        features.header.pNext = &storage_16;
        if (has_storage_8) storage_16.header.pNext = &storage_8;
        api.vkGetPhysicalDeviceFeatures2(device, &features);
    }
    void restrict_to(const Enabled& enabled) {
        features.features.shaderFloat64 &= enabled.shader_float64 ? 1u : 0u;
        features.features.shaderInt64 &= enabled.shader_int64 ? 1u : 0u;
        features.features.shaderStorageImageExtendedFormats &= enabled.storage_image_extended_formats ? 1u : 0u;
        storage_16.storageBuffer16BitAccess &= enabled.storage_buffer_16bit ? 1u : 0u;
        storage_8.storageBuffer8BitAccess &= enabled.storage_buffer_8bit ? 1u : 0u;
    }
    Facts(const Facts&) = delete;
    Facts& operator=(const Facts&) = delete;
};

bool is_gpu(Uint type) { return type == type_integrated_gpu || type == type_discrete_gpu || type == type_virtual_gpu; }

DeviceLimits limits_of(const Api& api, PhysicalDevice device, const Facts& facts) {
    const Limits& said = facts.properties.properties.limits;
    DeviceLimits limits;
    limits.architecture = facts.properties.properties.deviceName;
    limits.subgroup_size = std::max(facts.subgroup.subgroupSize, Uint{1});
    limits.max_group_size = std::min(said.maxComputeWorkGroupInvocations, said.maxComputeWorkGroupSize[0]);
    limits.shared_bytes = limits.shared_bytes_per_unit = said.maxComputeSharedMemorySize;
    limits.registers_per_thread = 128;  // Vulkan does not say; what nearly every GPU has without spilling
    limits.compute_units = is_gpu(facts.properties.properties.deviceType) ? 32 : 1;
    MemoryProperties memory{};
    api.vkGetPhysicalDeviceMemoryProperties(device, &memory);
    limits.memory_bytes = 0;
    for (Uint heap = 0; heap < memory.memoryHeapCount; ++heap)
        if ((memory.memoryHeaps[heap].flags & heap_device_local) != 0)
            limits.memory_bytes = std::max(limits.memory_bytes, memory.memoryHeaps[heap].size);
    limits.max_allocation_bytes = facts.maintenance.maxMemoryAllocationSize;
    // A descriptor reaches no further than maxStorageBufferRange, and may begin a little before the array.
    limits.max_buffer_bytes = std::bit_floor(said.maxStorageBufferRange - said.minStorageBufferOffsetAlignment);
    limits.fp64 = facts.features.features.shaderFloat64 != 0;
    // Vulkan promises no single rounding of an fma; lavapipe makes two operations of it, elsewhere a plan tries it.
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

DeviceInfo describe(const Api& api, PhysicalDevice device, const Enabled* enabled) {
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
    Facts facts(api, device);
    if (enabled != nullptr) facts.restrict_to(*enabled);
    if (facts.driver.driverID == driver_llvmpipe) info.description += " (lavapipe)";
    info.driver += ", " + std::string(facts.driver.driverName) + " " + facts.driver.driverInfo + " " +
                   std::to_string(properties.driverVersion);
    info.limits = limits_of(api, device, facts);
    info.available = compute_family(api, device).has_value();
    if (!info.available) {
        info.problem = "it has no queue for compute work";
        info.remedy = "use another device";
    }
    return info;
}

LogicalDevice create_device(PhysicalDevice physical, Uint family) {
    const Facts facts(api(), physical);
    const float priority = 1;
    DeviceQueueCreateInfo queue;
    queue.queueFamilyIndex = family;
    queue.pQueuePriorities = &priority;
    // Of what it offers only what kernels may use.
    Features2 wanted;
    wanted.features.shaderFloat64 = facts.features.features.shaderFloat64;
    wanted.features.shaderInt64 = facts.features.features.shaderInt64;
    wanted.features.shaderStorageImageExtendedFormats = facts.features.features.shaderStorageImageExtendedFormats;
    Storage16Features storage_16;
    storage_16.storageBuffer16BitAccess = facts.storage_16.storageBuffer16BitAccess;
    Storage8Features storage_8;
    storage_8.storageBuffer8BitAccess = facts.storage_8.storageBuffer8BitAccess;
    wanted.header.pNext = &storage_16;
    DeviceCreateInfo info;
    info.header.pNext = &wanted;
    info.pQueueCreateInfos = &queue;
    std::vector<const char*> extensions;
    if (facts.has_storage_8) {
        storage_16.header.pNext = &storage_8;
        extensions.push_back(storage_8_extension);
    }
    // Who has this one must be told that the program knows of it.
    if (has_extension(api(), physical, portability_extension)) extensions.push_back(portability_extension);
    info.enabledExtensionCount = static_cast<Uint>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
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
      has_extended_formats(handles.has_extended_formats),
      owns(handles.queue == nullptr) {
    if (owns) api->vkGetDeviceQueue(device, queue_family, 0, &queue);
    api->vkGetPhysicalDeviceProperties(physical, &properties);
    api->vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    timestamp_bits = families_of(*api, physical)[queue_family].timestampValidBits;
}

void Session::settle() {
    const std::lock_guard lock(submitting);
    api->vkQueueWaitIdle(queue);
}

std::vector<DeviceInfo> list() {
    if (!api().problem.empty()) return {absent(api().problem, api().remedy)};
    const std::vector<PhysicalDevice> devices = all_devices();
    std::vector<DeviceInfo> infos;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        infos.push_back(describe(api(), devices[i], nullptr));
        infos.back().name += ":" + std::to_string(i);
    }
    if (infos.empty())
        infos.push_back(absent("the Vulkan loader is here, but no driver offers a device",
                               "install a driver; on Debian and Ubuntu `apt install mesa-vulkan-drivers` runs on any "
                               "CPU"));
    return infos;
}

std::shared_ptr<Device> open(const DeviceInfo& info) {
    const std::vector<PhysicalDevice> devices = all_devices();
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (info.name != "vulkan:" + std::to_string(i)) continue;
        const Uint family = compute_family(api(), devices[i]).value_or(0);
        const LogicalDevice device = create_device(devices[i], family);
        const std::shared_ptr<const Api> functions(&api(), [](const Api*) {});
        const bool has_formats = Facts(api(), devices[i]).features.features.shaderStorageImageExtendedFormats != 0;
        const Session::Handles handles{devices[i], device, family, nullptr, has_formats};
        return std::make_shared<VulkanDevice>(std::make_shared<Session>(functions, handles), info);
    }
    throw Unsupported("vulkan: there is no device " + info.name + " any more");
}

std::shared_ptr<Device> adopt(const seiche::vulkan::NativeDevice& native) {
    const std::shared_ptr<const Api> functions =
        api_of(static_cast<Instance>(native.instance), native.get_instance_proc_addr);
    const Session::Handles handles{static_cast<PhysicalDevice>(native.physical_device),
                                   static_cast<LogicalDevice>(native.device), native.queue_family,
                                   static_cast<QueueHandle>(native.queue), native.storage_image_extended_formats};
    const std::vector<QueueFamily> families = families_of(*functions, handles.physical);
    if (native.queue_family >= families.size() || (families[native.queue_family].queueFlags & queue_compute) == 0)
        throw InvalidProblem("vulkan interop: expected a queue family that can compute, got " +
                             std::to_string(native.queue_family) + " of " + std::to_string(families.size()));
    DeviceInfo info = describe(*functions, handles.physical, &native);
    if (!info.available) throw Unsupported(info.name + ": " + info.problem + " (" + info.remedy + ")");
    return std::make_shared<VulkanDevice>(std::make_shared<Session>(functions, handles), std::move(info));
}

VulkanDevice::VulkanDevice(std::shared_ptr<Session> session, DeviceInfo info)
    : session_(std::move(session)), info_(std::move(info)) {}

emit::Target VulkanDevice::target() const {
    emit::Target target;
    target.dialect = emit::Dialect::spirv_vulkan;
    target.architecture = info_.limits.architecture;
    target.fast_fma = info_.limits.fast_fma;
    target.pairs_as_words = info_.limits.vectors == Vectors::implicit_simd;
    return target;
}

std::string VulkanDevice::compiler_version() const {
    std::string id;
    for (const std::uint8_t byte : session_->properties.pipelineCacheUUID) id += std::to_string(byte) + ".";
    return info_.driver + ", " + id;
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
    return std::make_shared<VulkanImage>(session_, format, width, height);
}

std::shared_ptr<Queue> VulkanDevice::create_queue() { return make_queue(session_); }

}  // namespace seiche::runtime::vulkan
