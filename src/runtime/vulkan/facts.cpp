// What a physical device says of itself.
#include "runtime/vulkan/facts.hpp"

#include <algorithm>
#include <cstring>

#include "seiche/interop/vulkan.hpp"

namespace seiche::runtime::vulkan {

namespace {

constexpr const char* storage_8_extension = "VK_KHR_8bit_storage";
constexpr const char* portability_extension = "VK_KHR_portability_subset";
constexpr const char* driver_extension = "VK_KHR_driver_properties";
constexpr const char* timeline_extension = "VK_KHR_timeline_semaphore";
constexpr const char* push_extension = "VK_KHR_push_descriptor";
constexpr const char* address_extension = "VK_KHR_buffer_device_address";
constexpr const char* subgroup_size_extension = "VK_EXT_subgroup_size_control";
constexpr const char* nvidia_units_extension = "VK_NV_shader_sm_builtins";
constexpr const char* amd_units_extension = "VK_AMD_shader_core_properties";
constexpr const char* amd_active_units_extension = "VK_AMD_shader_core_properties2";
constexpr const char* arm_units_extension = "VK_ARM_shader_core_builtins";

class Names {
public:
    Names(const Api& api, PhysicalDevice device) {
        check(enumerate(all_,
                        [&](Uint* count, ExtensionProperties* all) {
                            return api.vkEnumerateDeviceExtensionProperties(device, nullptr, count, all);
                        }),
              "vkEnumerateDeviceExtensionProperties");
    }
    bool has(const char* name) const {
        return std::any_of(all_.begin(), all_.end(),
                           [&](const ExtensionProperties& one) { return std::strcmp(one.extensionName, name) == 0; });
    }

private:
    std::vector<ExtensionProperties> all_;
};

Bool both(Bool has, bool is_enabled) { return has != 0 && is_enabled ? 1 : 0; }

}  // namespace

std::vector<QueueFamily> families_of(const Api& api, PhysicalDevice device) {
    Uint count = 0;
    api.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
    std::vector<QueueFamily> families(count);
    api.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
    return families;
}

bool is_gpu(Uint device_type) {
    return device_type == type_integrated_gpu || device_type == type_discrete_gpu || device_type == type_virtual_gpu;
}

/// What may be asked for. A caller may have enabled it as a part of a newer version, without the extension.
struct Facts::Wanted {
    bool driver, storage_8, timeline, push_descriptors, subgroup_sizes, addresses;
    bool nvidia_units, amd_units, amd_active_units, arm_units;  // questions only, which nobody has to enable

    Wanted(const Names& names, const seiche::vulkan::NativeDevice* enabled)
        : driver(names.has(driver_extension)),
          storage_8(names.has(storage_8_extension)),
          timeline(enabled != nullptr ? enabled->timeline_semaphore : names.has(timeline_extension)),
          push_descriptors(enabled != nullptr ? enabled->push_descriptor : names.has(push_extension)),
          subgroup_sizes(enabled != nullptr ? enabled->subgroup_size_control : names.has(subgroup_size_extension)),
          addresses(enabled != nullptr ? enabled->buffer_device_address : names.has(address_extension)),
          nvidia_units(names.has(nvidia_units_extension)),
          amd_units(names.has(amd_units_extension)),
          amd_active_units(names.has(amd_active_units_extension)),
          arm_units(names.has(arm_units_extension)) {}
};

Facts::Facts(const Api& api, PhysicalDevice device, const seiche::vulkan::NativeDevice* enabled)
    : is_callers(enabled != nullptr) {
    const Names names(api, device);
    const Wanted wanted(names, enabled);
    ask_properties(api, device, wanted);
    ask_features(api, device, wanted);
    has_storage_8 = wanted.storage_8;
    if (enabled != nullptr) restrict_to(*enabled);
    const auto use = [&](bool is_used, const char* name) {
        if (is_used) extensions.push_back(name);
    };
    use(wanted.storage_8, storage_8_extension);
    use(timeline.timelineSemaphore != 0, timeline_extension);
    use(wanted.push_descriptors, push_extension);
    use(addresses.bufferDeviceAddress != 0, address_extension);
    use(subgroup_features.subgroupSizeControl != 0, subgroup_size_extension);
    // Who has this one must be told that the program knows of it.
    use(names.has(portability_extension), portability_extension);
}

void Facts::ask_properties(const Api& api, PhysicalDevice device, const Wanted& wanted) {
    Chain chain(properties.header);
    chain.add(subgroup.header);
    chain.add(maintenance.header);
    if (wanted.driver) chain.add(driver.header);
    if (wanted.push_descriptors) chain.add(push_descriptors.header);
    if (wanted.subgroup_sizes) chain.add(subgroup_sizes.header);
    if (wanted.nvidia_units) chain.add(nvidia_units.header);
    if (wanted.amd_units) chain.add(amd_units.header);
    if (wanted.amd_active_units) chain.add(amd_active_units.header);
    if (wanted.arm_units) chain.add(arm_units.header);
    api.vkGetPhysicalDeviceProperties2(device, &properties);
}

void Facts::ask_features(const Api& api, PhysicalDevice device, const Wanted& wanted) {
    Chain chain(features.header);
    chain.add(storage_16.header);
    if (wanted.storage_8) chain.add(storage_8.header);
    if (wanted.timeline) chain.add(timeline.header);
    if (wanted.addresses) chain.add(addresses.header);
    if (wanted.subgroup_sizes) chain.add(subgroup_features.header);
    api.vkGetPhysicalDeviceFeatures2(device, &features);
}

void Facts::restrict_to(const seiche::vulkan::NativeDevice& enabled) {
    Features& all = features.features;
    all.shaderFloat64 = both(all.shaderFloat64, enabled.shader_float64);
    all.shaderInt64 = both(all.shaderInt64, enabled.shader_int64);
    all.shaderStorageImageExtendedFormats =
        both(all.shaderStorageImageExtendedFormats, enabled.storage_image_extended_formats);
    storage_16.storageBuffer16BitAccess = both(storage_16.storageBuffer16BitAccess, enabled.storage_buffer_16bit);
    storage_8.storageBuffer8BitAccess = both(storage_8.storageBuffer8BitAccess, enabled.storage_buffer_8bit);
    subgroup_features.computeFullSubgroups =
        both(subgroup_features.computeFullSubgroups, enabled.compute_full_subgroups);
}

Uint Facts::planned_subgroup_size() const {
    constexpr Uint narrowest = 16;
    const bool may_choose = subgroup_features.subgroupSizeControl != 0 &&
                            (subgroup_sizes.requiredSubgroupSizeStages & stage_compute) != 0 &&
                            subgroup_sizes.minSubgroupSize < subgroup_sizes.maxSubgroupSize;
    if (!may_choose) return std::max(subgroup.subgroupSize, Uint{1});
    return std::min(std::max(subgroup_sizes.minSubgroupSize, narrowest), subgroup_sizes.maxSubgroupSize);
}

}  // namespace seiche::runtime::vulkan
