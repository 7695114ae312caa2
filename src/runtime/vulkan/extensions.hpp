// What a device may have beyond Vulkan 1.1 and this backend uses where it is there: structures, functions, and which of
// it one device has. Names, orders and values are those of the Khronos Vulkan 1.3 specification and of
// VK_KHR_push_descriptor.
#pragma once

#include "runtime/vulkan/api.hpp"

namespace seiche::runtime::vulkan {

struct Facts;

// ---- Timeline semaphores: VK_KHR_timeline_semaphore, Vulkan 1.2

struct TimelineFeatures {
    Header header{1000207000, nullptr};
    Bool timelineSemaphore = 0;
};
struct SemaphoreTypeCreateInfo {
    Header header{1000207002, nullptr};
    Uint semaphoreType = 1;  ///< Timeline.
    Size initialValue = 0;
};
struct TimelineSubmitInfo {
    Header header{1000207003, nullptr};
    Uint waitSemaphoreValueCount = 0;
    const Size* pWaitSemaphoreValues = nullptr;
    Uint signalSemaphoreValueCount = 0;
    const Size* pSignalSemaphoreValues = nullptr;
};
struct SemaphoreWaitInfo {
    Header header{1000207004, nullptr};
    Uint flags = 0, semaphoreCount = 1;
    const Semaphore* pSemaphores = nullptr;
    const Size* pValues = nullptr;
};

// ---- Descriptors in command buffers: VK_KHR_push_descriptor, Vulkan 1.4

struct PushDescriptorProperties {
    Header header{1000080000, nullptr};
    Uint maxPushDescriptors = 0;
};
inline constexpr Uint set_layout_push_descriptor = 1;

// ---- Subgroups of a size that the program chooses: VK_EXT_subgroup_size_control, Vulkan 1.3

struct SubgroupSizeProperties {
    Header header{1000225000, nullptr};
    Uint minSubgroupSize = 0, maxSubgroupSize = 0, maxComputeWorkgroupSubgroups = 0, requiredSubgroupSizeStages = 0;
};
struct SubgroupSizeFeatures {
    Header header{1000225002, nullptr};
    Bool subgroupSizeControl = 0, computeFullSubgroups = 0;
};
struct RequiredSubgroupSize {
    Header header{1000225001, nullptr};
    Uint requiredSubgroupSize = 0;
};
inline constexpr Uint stage_requires_full_subgroups = 2;

// ---- Buffers by their address: VK_KHR_buffer_device_address, Vulkan 1.2

struct AddressFeatures {
    Header header{1000257000, nullptr};
    Bool bufferDeviceAddress = 0, others[2]{};
};
struct BufferDeviceAddressInfo {
    Header header{1000244001, nullptr};
    BufferHandle buffer = nullptr;
};
struct MemoryAllocateFlags {
    Header header{1000060000, nullptr};
    Uint flags = 2, deviceMask = 0;  ///< Memory of buffers whose address is asked for.
};
inline constexpr Uint usage_device_address = 0x20000;

// ---- What one device has

// name, suffix of the extension, result, parameters
#define SEICHE_VULKAN_EXTENSION_SYMBOLS(X)                                                    \
    X(vkWaitSemaphores, "KHR", Result, (LogicalDevice, const SemaphoreWaitInfo*, Size))       \
    X(vkGetBufferDeviceAddress, "KHR", Size, (LogicalDevice, const BufferDeviceAddressInfo*)) \
    X(vkCmdPushDescriptorSet, "KHR", void, (CommandBuffer, Uint, PipelineLayout, Uint, Uint, const WriteDescriptorSet*))

/// Of a logical device: what was enabled, with the functions of it.
struct Extensions {
#define SEICHE_DECLARE(name, suffix, result, parameters) result(*name) parameters = nullptr;
    SEICHE_VULKAN_EXTENSION_SYMBOLS(SEICHE_DECLARE)
#undef SEICHE_DECLARE
    bool has_timeline = false;
    bool has_addresses = false;      ///< Of buffers.
    Uint most_push_descriptors = 0;  ///< That one kernel may take; 0: it has no push descriptors.
    /// Lanes of the subgroups that a pipeline may ask for; 0: it cannot.
    Uint least_subgroup = 0, most_subgroup = 0;
    Uint most_subgroups_of_group = 0;
    bool has_full_subgroups = false;
    Uint subgroup_size = 1;          ///< That plans are made for.
    Uint natural_subgroup_size = 1;  ///< Of pipelines that do not ask.
};

/// Throws InvalidProblem where a function is missing of what a caller says is enabled.
Extensions extensions_of(const Api& api, LogicalDevice device, const Facts& facts);

}  // namespace seiche::runtime::vulkan
