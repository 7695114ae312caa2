// A Vulkan device with two buffers and a timed queue, the loader opened at run time: what a Vulkan peer needs.
#include "bench/vulkan_device.hpp"

#include <cstring>

#include "bench/loaded_library.hpp"

namespace seiche::bench::vulkan {
#define SEICHE_DEFINE(name) PFN_##name name = nullptr;
SEICHE_BENCH_VULKAN(SEICHE_DEFINE)
#undef SEICHE_DEFINE
}  // namespace seiche::bench::vulkan

namespace seiche::bench {

using namespace vulkan;

namespace {

void load_functions() {
    static const LoadedLibrary library({"libvulkan.so.1"}, "/usr/lib");
#define SEICHE_FIND(name) library.find(name, #name);
    SEICHE_BENCH_VULKAN(SEICHE_FIND)
#undef SEICHE_FIND
}

bool is_named(const std::string& name, const std::string& wanted) {
    return name.find(wanted) != std::string::npos || wanted.find(name) != std::string::npos;
}

/// What was written before, by whomever, is seen by whatever follows.
void full_barrier(VkCommandBuffer commands) {
    VkMemoryBarrier barrier{};
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
                         &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace

void check_vulkan(VkResult code, const char* call) {
    if (code != VK_SUCCESS) throw PeerError(std::string(call) + " failed with code " + std::to_string(code));
}

VulkanDevice::VulkanDevice(const Case& what) : bytes_(what.bytes()) {
    load_functions();
    try {
        make(what);
    } catch (...) {
        destroy();
        throw;
    }
}

VulkanDevice::~VulkanDevice() { destroy(); }

void VulkanDevice::make(const Case& what) {
    VkApplicationInfo application{};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.apiVersion = VK_API_VERSION_1_1;
    VkInstanceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pApplicationInfo = &application;
    check_vulkan(vkCreateInstance(&info, nullptr, &instance), "vkCreateInstance");
    choose(what);
    create(what.has_doubles());
    constexpr VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    input_ = allocate(usage, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    if (!what.in_place) output_ = allocate(usage, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    input = input_.buffer;
    output = what.in_place ? input_.buffer : output_.buffer;
}

// Several cards of one name: the one of the case's number, which counts as the loader does.
void VulkanDevice::choose(const Case& what) {
    std::uint32_t count = 0;
    check_vulkan(vkEnumeratePhysicalDevices(instance, &count, nullptr), "vkEnumeratePhysicalDevices");
    std::vector<VkPhysicalDevice> all(count);
    check_vulkan(vkEnumeratePhysicalDevices(instance, &count, all.data()), "vkEnumeratePhysicalDevices");
    std::string seen;
    for (std::uint32_t index = 0; index < count; ++index) {
        VkPhysicalDeviceProperties properties{};
        vkGetPhysicalDeviceProperties(all[index], &properties);
        seen += (seen.empty() ? "" : ", ") + std::string(properties.deviceName);
        const bool is_numbered = index == static_cast<std::uint32_t>(what.device_index);
        if (!is_named(properties.deviceName, what.device_name) || (physical != nullptr && !is_numbered)) continue;
        if (properties.limits.maxStorageBufferRange < bytes_)
            throw PeerError("vkfft-vulkan: expected at most " +
                            std::to_string(properties.limits.maxStorageBufferRange) +
                            " bytes, which one descriptor reaches, got " + std::to_string(bytes_));
        physical = all[index];
        name_ = properties.deviceName;
        nanoseconds_ = properties.limits.timestampPeriod;
    }
    if (physical == nullptr) throw PeerError("no Vulkan device named '" + what.device_name + "', only " + seen);
}

void VulkanDevice::create(bool needs_fp64) {
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
    while (family_ < count && ((families[family_].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0)) ++family_;
    if (family_ == count || families[family_].timestampValidBits == 0)
        throw PeerError(name_ + " has no queue that computes and tells the time");
    timestamp_bits_ = families[family_].timestampValidBits;
    VkPhysicalDeviceFeatures has{}, wanted{};
    vkGetPhysicalDeviceFeatures(physical, &has);
    if (needs_fp64 && has.shaderFloat64 == VK_FALSE) throw PeerError(name_ + " has no shaderFloat64");
    wanted.shaderFloat64 = has.shaderFloat64;
    wanted.shaderInt64 = has.shaderInt64;
    const float priority = 1;
    VkDeviceQueueCreateInfo of_queue{};
    of_queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    of_queue.queueFamilyIndex = family_;
    of_queue.queueCount = 1;
    of_queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &of_queue;
    info.pEnabledFeatures = &wanted;
    check_vulkan(vkCreateDevice(physical, &info, nullptr, &device), "vkCreateDevice");
    vkGetDeviceQueue(device, family_, 0, &queue);
    VkCommandPoolCreateInfo of_pool{};
    of_pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    of_pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    of_pool.queueFamilyIndex = family_;
    check_vulkan(vkCreateCommandPool(device, &of_pool, nullptr, &pool), "vkCreateCommandPool");
    VkFenceCreateInfo of_fence{};
    of_fence.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
    check_vulkan(vkCreateFence(device, &of_fence, nullptr, &fence), "vkCreateFence");
    VkQueryPoolCreateInfo of_queries{};
    of_queries.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
    of_queries.queryType = VK_QUERY_TYPE_TIMESTAMP;
    of_queries.queryCount = 2;
    check_vulkan(vkCreateQueryPool(device, &of_queries, nullptr, &queries_), "vkCreateQueryPool");
}

void VulkanDevice::destroy() {
    if (device != nullptr) {
        vkDeviceWaitIdle(device);
        release(input_);
        release(output_);
        if (queries_ != nullptr) vkDestroyQueryPool(device, queries_, nullptr);
        if (fence != nullptr) vkDestroyFence(device, fence, nullptr);
        if (pool != nullptr) vkDestroyCommandPool(device, pool, nullptr);
        vkDestroyDevice(device, nullptr);
    }
    if (instance != nullptr) vkDestroyInstance(instance, nullptr);
}

VulkanDevice::Memory VulkanDevice::allocate(VkBufferUsageFlags usage, VkMemoryPropertyFlags wanted) {
    Memory made;
    VkBufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = bytes_;
    info.usage = usage;
    check_vulkan(vkCreateBuffer(device, &info, nullptr, &made.buffer), "vkCreateBuffer");
    VkMemoryRequirements needs{};
    vkGetBufferMemoryRequirements(device, made.buffer, &needs);
    VkPhysicalDeviceMemoryProperties memory{};
    vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    VkMemoryAllocateInfo allocation{};
    allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocation.allocationSize = needs.size;
    const auto suits = [&](std::uint32_t type) {
        return (needs.memoryTypeBits >> type & 1) != 0 && (memory.memoryTypes[type].propertyFlags & wanted) == wanted;
    };
    while (allocation.memoryTypeIndex < memory.memoryTypeCount && !suits(allocation.memoryTypeIndex))
        ++allocation.memoryTypeIndex;
    VkResult code = allocation.memoryTypeIndex == memory.memoryTypeCount
                        ? VK_ERROR_OUT_OF_DEVICE_MEMORY
                        : vkAllocateMemory(device, &allocation, nullptr, &made.memory);
    if (code == VK_SUCCESS) code = vkBindBufferMemory(device, made.buffer, made.memory, 0);
    if (code != VK_SUCCESS) release(made);
    check_vulkan(code, "vkAllocateMemory");
    return made;
}

void VulkanDevice::release(Memory& memory) {
    if (memory.buffer != nullptr) vkDestroyBuffer(device, memory.buffer, nullptr);
    if (memory.memory != nullptr) vkFreeMemory(device, memory.memory, nullptr);
    memory = {};
}

void VulkanDevice::submit(const std::function<void(VkCommandBuffer)>& record) {
    VkCommandBufferAllocateInfo allocation{};
    allocation.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocation.commandPool = pool;
    allocation.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    allocation.commandBufferCount = 1;
    VkCommandBuffer commands = nullptr;
    check_vulkan(vkAllocateCommandBuffers(device, &allocation, &commands), "vkAllocateCommandBuffers");
    const auto run_all = [&] {
        VkCommandBufferBeginInfo begin{};
        begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
        begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
        check_vulkan(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
        record(commands);
        check_vulkan(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
        VkSubmitInfo info{};
        info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
        info.commandBufferCount = 1;
        info.pCommandBuffers = &commands;
        check_vulkan(vkQueueSubmit(queue, 1, &info, fence), "vkQueueSubmit");
        check_vulkan(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
        check_vulkan(vkResetFences(device, 1, &fence), "vkResetFences");
    };
    try {
        run_all();
    } catch (...) {
        vkDeviceWaitIdle(device);
        vkFreeCommandBuffers(device, pool, 1, &commands);
        throw;
    }
    vkFreeCommandBuffers(device, pool, 1, &commands);
}

/// By way of memory that the host sees too.
void VulkanDevice::stage(const std::function<void(void*)>& before, VkBuffer from, VkBuffer to,
                         const std::function<void(const void*)>& after) {
    Memory staging = allocate(VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                              VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    try {
        void* mapped = nullptr;
        check_vulkan(vkMapMemory(device, staging.memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory");
        if (before) before(mapped);
        submit([&](VkCommandBuffer commands) {
            // All ones: a NaN in either precision.
            if (before) vkCmdFillBuffer(commands, output, 0, VK_WHOLE_SIZE, 0xffffffffu);
            full_barrier(commands);
            const VkBufferCopy whole{0, 0, bytes_};
            vkCmdCopyBuffer(commands, from == nullptr ? staging.buffer : from, to == nullptr ? staging.buffer : to, 1,
                            &whole);
            full_barrier(commands);
        });
        if (after) after(mapped);
    } catch (...) {
        release(staging);
        throw;
    }
    release(staging);
}

void VulkanDevice::load(const void* data) {
    stage([&](void* to) { std::memcpy(to, data, bytes_); }, nullptr, input, {});
}

void VulkanDevice::read(void* data) {
    stage({}, output, nullptr, [&](const void* from) { std::memcpy(data, from, bytes_); });
}

double VulkanDevice::run(unsigned count, const std::function<void(VkCommandBuffer)>& record) {
    submit([&](VkCommandBuffer commands) {
        vkCmdResetQueryPool(commands, queries_, 0, 2);
        full_barrier(commands);
        vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, 0);
        for (unsigned i = 0; i < count; ++i) {
            record(commands);
            full_barrier(commands);
        }
        vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, 1);
    });
    std::uint64_t ticks[2] = {};
    check_vulkan(vkGetQueryPoolResults(device, queries_, 0, 2, sizeof ticks, ticks, sizeof *ticks,
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                 "vkGetQueryPoolResults");
    const std::uint64_t unused = 64 - timestamp_bits_;  // bits that say nothing
    return static_cast<double>((ticks[1] - ticks[0]) << unused >> unused) * nanoseconds_ * 1e-6 / count;
}

}  // namespace seiche::bench
