// Finds the functions of what a device has beyond Vulkan 1.1.
#include "runtime/vulkan/extensions.hpp"

#include <string>
#include <type_traits>

#include "runtime/vulkan/facts.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::vulkan {

// A device has no function of an extension that was not enabled, and none of a version that its instance does not know:
// where there are both, both work.
Extensions extensions_of(const Api& api, LogicalDevice device, const Facts& facts) {
    Extensions found;
    found.has_timeline = facts.timeline.timelineSemaphore != 0;
    found.has_addresses = facts.addresses.bufferDeviceAddress != 0;
    found.most_push_descriptors = facts.push_descriptors.maxPushDescriptors;
    if (facts.subgroup_features.subgroupSizeControl != 0 &&
        (facts.subgroup_sizes.requiredSubgroupSizeStages & stage_compute) != 0) {
        found.least_subgroup = facts.subgroup_sizes.minSubgroupSize;
        found.most_subgroup = facts.subgroup_sizes.maxSubgroupSize;
        found.most_subgroups_of_group = facts.subgroup_sizes.maxComputeWorkgroupSubgroups;
    }
    found.has_full_subgroups = facts.subgroup_features.computeFullSubgroups != 0;
    found.subgroup_size = facts.planned_subgroup_size();
    found.natural_subgroup_size = facts.subgroup.subgroupSize;
    const auto take = [&](auto& function, const std::string& name, const char* suffix, bool is_wanted) {
        if (!is_wanted) return;
        using Wanted = std::remove_reference_t<decltype(function)>;
        for (const std::string& called : {name + suffix, name})
            if (function == nullptr)
                function = reinterpret_cast<Wanted>(api.vkGetDeviceProcAddr(device, called.c_str()));
        if (function == nullptr && facts.is_callers)
            throw InvalidProblem(
                "vulkan interop: expected a device with what NativeDevice says is enabled, got one "
                "without " +
                name + suffix);
    };
    const auto is_wanted = [&](const std::string& name) {
        if (name == "vkWaitSemaphores") return found.has_timeline;
        if (name == "vkGetBufferDeviceAddress") return found.has_addresses;
        return found.most_push_descriptors != 0;
    };
#define SEICHE_TAKE(name, suffix, result, parameters) take(found.name, #name, suffix, is_wanted(#name));
    SEICHE_VULKAN_EXTENSION_SYMBOLS(SEICHE_TAKE)
#undef SEICHE_TAKE
    if (found.vkWaitSemaphores == nullptr) found.has_timeline = false;
    if (found.vkGetBufferDeviceAddress == nullptr) found.has_addresses = false;
    if (found.vkCmdPushDescriptorSet == nullptr) found.most_push_descriptors = 0;
    return found;
}

}  // namespace seiche::runtime::vulkan
