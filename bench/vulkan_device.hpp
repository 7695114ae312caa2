// A Vulkan device with two buffers and a timed queue, the loader opened at run time: what a Vulkan peer needs.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <functional>
#include <string>
#include <vector>

#include "bench/transform.hpp"

// Those that this program calls, and those that VkFFT's header does.
#define SEICHE_BENCH_VULKAN(X)                  \
    X(vkAllocateCommandBuffers)                 \
    X(vkAllocateDescriptorSets)                 \
    X(vkAllocateMemory)                         \
    X(vkBeginCommandBuffer)                     \
    X(vkBindBufferMemory)                       \
    X(vkCmdBindDescriptorSets)                  \
    X(vkCmdBindPipeline)                        \
    X(vkCmdCopyBuffer)                          \
    X(vkCmdDispatch)                            \
    X(vkCmdFillBuffer)                          \
    X(vkCmdPipelineBarrier)                     \
    X(vkCmdPushConstants)                       \
    X(vkCmdResetQueryPool)                      \
    X(vkCmdWriteTimestamp)                      \
    X(vkCreateBuffer)                           \
    X(vkCreateCommandPool)                      \
    X(vkCreateComputePipelines)                 \
    X(vkCreateDescriptorPool)                   \
    X(vkCreateDescriptorSetLayout)              \
    X(vkCreateDevice)                           \
    X(vkCreateFence)                            \
    X(vkCreateInstance)                         \
    X(vkCreatePipelineLayout)                   \
    X(vkCreateQueryPool)                        \
    X(vkCreateShaderModule)                     \
    X(vkDestroyBuffer)                          \
    X(vkDestroyCommandPool)                     \
    X(vkDestroyDescriptorPool)                  \
    X(vkDestroyDescriptorSetLayout)             \
    X(vkDestroyDevice)                          \
    X(vkDestroyFence)                           \
    X(vkDestroyInstance)                        \
    X(vkDestroyPipeline)                        \
    X(vkDestroyPipelineLayout)                  \
    X(vkDestroyQueryPool)                       \
    X(vkDestroyShaderModule)                    \
    X(vkDeviceWaitIdle)                         \
    X(vkEndCommandBuffer)                       \
    X(vkEnumeratePhysicalDevices)               \
    X(vkFreeCommandBuffers)                     \
    X(vkFreeMemory)                             \
    X(vkGetBufferMemoryRequirements)            \
    X(vkGetDeviceQueue)                         \
    X(vkGetPhysicalDeviceFeatures)              \
    X(vkGetPhysicalDeviceMemoryProperties)      \
    X(vkGetPhysicalDeviceProperties)            \
    X(vkGetPhysicalDeviceQueueFamilyProperties) \
    X(vkGetQueryPoolResults)                    \
    X(vkMapMemory)                              \
    X(vkQueueSubmit)                            \
    X(vkResetFences)                            \
    X(vkUnmapMemory)                            \
    X(vkUpdateDescriptorSets)                   \
    X(vkWaitForFences)

/// Vulkan's functions under their own names, set when the first device is made.
namespace seiche::bench::vulkan {
#define SEICHE_DECLARE(name) extern PFN_##name name;
SEICHE_BENCH_VULKAN(SEICHE_DECLARE)
#undef SEICHE_DECLARE
}  // namespace seiche::bench::vulkan

namespace seiche::bench {

/// Throws PeerError, naming the call, unless `code` is VK_SUCCESS.
void check_vulkan(VkResult code, const char* call);

/// The device that `what` names (or the first), with input and output buffers of the case's size in its own memory.
class VulkanDevice {
public:
    explicit VulkanDevice(const Case& what);
    ~VulkanDevice();
    VulkanDevice(const VulkanDevice&) = delete;
    VulkanDevice& operator=(const VulkanDevice&) = delete;

    void load(const void* data);
    void read(void* data);
    /// Device time in milliseconds of one of `count` calls of `record`, all in one command buffer, with a barrier of
    /// all memory between them.
    double run(unsigned count, const std::function<void(VkCommandBuffer)>& record);
    const std::string& name() const { return name_; }

    VkInstance instance = nullptr;
    VkPhysicalDevice physical = nullptr;
    VkDevice device = nullptr;
    VkQueue queue = nullptr;
    VkCommandPool pool = nullptr;
    VkFence fence = nullptr;
    VkBuffer input = nullptr, output = nullptr;  ///< In place: the same.

private:
    struct Memory {
        VkBuffer buffer = nullptr;
        VkDeviceMemory memory = nullptr;
    };

    void make(const Case& what);
    void choose(const Case& what);
    void create(bool needs_fp64);
    void destroy();
    Memory allocate(VkBufferUsageFlags usage, VkMemoryPropertyFlags wanted);
    void release(Memory& memory);
    void stage(const std::function<void(void*)>& before, VkBuffer from, VkBuffer to,
               const std::function<void(const void*)>& after);
    void submit(const std::function<void(VkCommandBuffer)>& record);

    std::uint64_t bytes_;
    Memory input_, output_;
    VkQueryPool queries_ = nullptr;
    std::uint32_t family_ = 0, timestamp_bits_ = 0;
    double nanoseconds_ = 1;  // of a tick of the device's clock
    std::string name_;
};

}  // namespace seiche::bench
