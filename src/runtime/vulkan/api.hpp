// Vulkan as it is loaded at run time: the few types, constants and functions that this backend uses, declared here so
// that no vendor header is needed. Names, orders and values are those of the Khronos Vulkan 1.1 specification.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/library.hpp"

namespace seiche::runtime::vulkan {

using Result = std::int32_t;
using Bool = std::uint32_t;
using Uint = std::uint32_t;
using Size = std::uint64_t;
using Instance = struct InstanceTag*;
using PhysicalDevice = struct PhysicalDeviceTag*;
using LogicalDevice = struct LogicalDeviceTag*;
using QueueHandle = struct QueueTag*;
using CommandBuffer = struct CommandBufferTag*;
using BufferHandle = struct BufferTag*;
using DeviceMemory = struct DeviceMemoryTag*;
using ShaderModule = struct ShaderModuleTag*;
using SetLayout = struct SetLayoutTag*;
using PipelineLayout = struct PipelineLayoutTag*;
using PipelineCache = struct PipelineCacheTag*;
using Pipeline = struct PipelineTag*;
using DescriptorPool = struct DescriptorPoolTag*;
using ImageHandle = struct ImageTag*;
using ImageView = struct ImageViewTag*;
using DescriptorSet = struct DescriptorSetTag*;
using CommandPool = struct CommandPoolTag*;
using Fence = struct FenceTag*;
using Semaphore = struct SemaphoreTag*;
using QueryPool = struct QueryPoolTag*;

// ---- What is asked of a device

struct Limits {
    Uint maxImageDimension[5];
    Uint maxTexelBufferElements, maxUniformBufferRange, maxStorageBufferRange, maxPushConstantsSize;
    Uint maxMemoryAllocationCount, maxSamplerAllocationCount;
    Size bufferImageGranularity, sparseAddressSpaceSize;
    Uint maxBoundDescriptorSets, perStageDescriptors[7], descriptorSets[8], vertexInput[5], tessellation[8];
    Uint geometry[5], fragment[4];
    Uint maxComputeSharedMemorySize, maxComputeWorkGroupCount[3], maxComputeWorkGroupInvocations;
    Uint maxComputeWorkGroupSize[3];
    Uint precisionBits[3], maxDrawIndexedIndexValue, maxDrawIndirectCount;
    float maxSamplerLodBias, maxSamplerAnisotropy;
    Uint maxViewports, maxViewportDimensions[2];
    float viewportBoundsRange[2];
    Uint viewportSubPixelBits;
    std::size_t minMemoryMapAlignment;
    Size minTexelBufferOffsetAlignment, minUniformBufferOffsetAlignment, minStorageBufferOffsetAlignment;
    std::int32_t minTexelOffset;
    Uint maxTexelOffset;
    std::int32_t minTexelGatherOffset;
    Uint maxTexelGatherOffset;
    float minInterpolationOffset, maxInterpolationOffset;
    Uint subPixelInterpolationOffsetBits, framebuffer[3], framebufferSampleCounts[4], maxColorAttachments;
    Uint sampledImageSampleCounts[5], maxSampleMaskWords;
    Bool timestampComputeAndGraphics;
    float timestampPeriod;  ///< Nanoseconds of one tick.
    Uint clipDistances[3], discreteQueuePriorities;
    float pointSizeRange[2], lineWidthRange[2], pointSizeGranularity, lineWidthGranularity;
    Bool strictLines, standardSampleLocations;
    Size optimalBufferCopyOffsetAlignment, optimalBufferCopyRowPitchAlignment, nonCoherentAtomSize;
};

struct Properties {
    Uint apiVersion, driverVersion, vendorID, deviceID, deviceType;
    char deviceName[256];
    std::uint8_t pipelineCacheUUID[16];
    Limits limits;
    Bool sparse[5];
};

struct Header {
    Uint sType;
    void* pNext;
};
struct Properties2 {
    Header header{1000059001, nullptr};
    Properties properties{};
};
struct SubgroupProperties {
    Header header{1000094000, nullptr};
    Uint subgroupSize = 0, supportedStages = 0, supportedOperations = 0;
    Bool quadOperationsInAllStages = 0;
};
struct Maintenance3Properties {
    Header header{1000168000, nullptr};
    Uint maxPerSetDescriptors = 0;
    Size maxMemoryAllocationSize = 0;
};
struct DriverProperties {
    Header header{1000196000, nullptr};
    Uint driverID = 0;
    char driverName[256]{}, driverInfo[256]{};
    std::uint8_t conformanceVersion[4]{};
};

struct Features {
    Bool before[29];
    Bool shaderStorageImageExtendedFormats;
    Bool between[9];
    Bool shaderFloat64, shaderInt64, shaderInt16;
    Bool after[13];
};
struct Features2 {
    Header header{1000059000, nullptr};
    Features features{};
};
struct Storage16Features {
    Header header{1000083000, nullptr};
    Bool storageBuffer16BitAccess = 0, others[3]{};
};
struct Storage8Features {
    Header header{1000177000, nullptr};
    Bool storageBuffer8BitAccess = 0, others[2]{};
};

struct QueueFamily {
    Uint queueFlags, queueCount, timestampValidBits, granularity[3];
};
struct MemoryProperties {
    Uint memoryTypeCount;
    struct {
        Uint propertyFlags, heapIndex;
    } memoryTypes[32];
    Uint memoryHeapCount;
    struct {
        Size size;
        Uint flags;
    } memoryHeaps[16];
};
struct ExtensionProperties {
    char extensionName[256];
    Uint specVersion;
};

// ---- What objects are made from

struct ApplicationInfo {
    Header header{0, nullptr};
    const char* pApplicationName = nullptr;
    Uint applicationVersion = 0;
    const char* pEngineName = nullptr;
    Uint engineVersion = 0, apiVersion = 0;
};
struct InstanceCreateInfo {
    Header header{1, nullptr};
    Uint flags = 0;
    const ApplicationInfo* pApplicationInfo = nullptr;
    Uint enabledLayerCount = 0;
    const char* const* ppEnabledLayerNames = nullptr;
    Uint enabledExtensionCount = 0;
    const char* const* ppEnabledExtensionNames = nullptr;
};
struct DeviceQueueCreateInfo {
    Header header{2, nullptr};
    Uint flags = 0, queueFamilyIndex = 0, queueCount = 1;
    const float* pQueuePriorities = nullptr;
};
struct DeviceCreateInfo {
    Header header{3, nullptr};
    Uint flags = 0, queueCreateInfoCount = 1;
    const DeviceQueueCreateInfo* pQueueCreateInfos = nullptr;
    Uint enabledLayerCount = 0;
    const char* const* ppEnabledLayerNames = nullptr;
    Uint enabledExtensionCount = 0;
    const char* const* ppEnabledExtensionNames = nullptr;
    const void* pEnabledFeatures = nullptr;
};
struct BufferCreateInfo {
    Header header{12, nullptr};
    Uint flags = 0;
    Size size = 0;
    Uint usage = 0, sharingMode = 0, queueFamilyIndexCount = 0;
    const Uint* pQueueFamilyIndices = nullptr;
};
struct MemoryRequirements {
    Size size, alignment;
    Uint memoryTypeBits;
};
struct MemoryAllocateInfo {
    Header header{5, nullptr};
    Size allocationSize = 0;
    Uint memoryTypeIndex = 0;
};
struct ShaderModuleCreateInfo {
    Header header{16, nullptr};
    Uint flags = 0;
    std::size_t codeSize = 0;  ///< In bytes.
    const Uint* pCode = nullptr;
};
struct SetLayoutBinding {
    Uint binding = 0, descriptorType = 0, descriptorCount = 1, stageFlags = 0;
    const void* pImmutableSamplers = nullptr;
};
struct SetLayoutCreateInfo {
    Header header{32, nullptr};
    Uint flags = 0, bindingCount = 0;
    const SetLayoutBinding* pBindings = nullptr;
};
struct PushConstantRange {
    Uint stageFlags = 0, offset = 0, size = 0;
};
struct PipelineLayoutCreateInfo {
    Header header{30, nullptr};
    Uint flags = 0, setLayoutCount = 1;
    const SetLayout* pSetLayouts = nullptr;
    Uint pushConstantRangeCount = 0;
    const PushConstantRange* pPushConstantRanges = nullptr;
};
struct PipelineCacheCreateInfo {
    Header header{17, nullptr};
    Uint flags = 0;
    std::size_t initialDataSize = 0;
    const void* pInitialData = nullptr;
};
struct ShaderStageCreateInfo {
    Header header{18, nullptr};
    Uint flags = 0, stage = 0;
    ShaderModule module = nullptr;
    const char* pName = nullptr;
    const void* pSpecializationInfo = nullptr;
};
struct ComputePipelineCreateInfo {
    Header header{29, nullptr};
    Uint flags = 0;
    ShaderStageCreateInfo stage;
    PipelineLayout layout = nullptr;
    Pipeline basePipelineHandle = nullptr;
    std::int32_t basePipelineIndex = -1;
};
struct DescriptorPoolSize {
    Uint type = 0, descriptorCount = 0;
};
struct DescriptorPoolCreateInfo {
    Header header{33, nullptr};
    Uint flags = 0, maxSets = 1, poolSizeCount = 1;
    const DescriptorPoolSize* pPoolSizes = nullptr;
};
struct DescriptorSetAllocateInfo {
    Header header{34, nullptr};
    DescriptorPool descriptorPool = nullptr;
    Uint descriptorSetCount = 1;
    const SetLayout* pSetLayouts = nullptr;
};
struct DescriptorBufferInfo {
    BufferHandle buffer = nullptr;
    Size offset = 0, range = 0;
};
struct DescriptorImageInfo {
    void* sampler = nullptr;
    ImageView imageView = nullptr;
    Uint imageLayout = 1;  ///< General.
};
struct WriteDescriptorSet {
    Header header{35, nullptr};
    DescriptorSet dstSet = nullptr;
    Uint dstBinding = 0, dstArrayElement = 0, descriptorCount = 0, descriptorType = 0;
    const DescriptorImageInfo* pImageInfo = nullptr;
    const DescriptorBufferInfo* pBufferInfo = nullptr;
    const void* pTexelBufferView = nullptr;
};
struct CommandPoolCreateInfo {
    Header header{39, nullptr};
    Uint flags = 0, queueFamilyIndex = 0;
};
struct CommandBufferAllocateInfo {
    Header header{40, nullptr};
    CommandPool commandPool = nullptr;
    Uint level = 0, commandBufferCount = 1;
};
struct CommandBufferBeginInfo {
    Header header{42, nullptr};
    Uint flags = 0;
    const void* pInheritanceInfo = nullptr;
};
struct MemoryBarrier {
    Header header{46, nullptr};
    Uint srcAccessMask = 0, dstAccessMask = 0;
};
struct ImageCreateInfo {
    Header header{14, nullptr};
    Uint flags = 0, imageType = 1, format = 0;  ///< Of type 1 an image has two dimensions.
    Uint extent[3]{1, 1, 1}, mipLevels = 1, arrayLayers = 1, samples = 1, tiling = 0;
    Uint usage = 0, sharingMode = 0, queueFamilyIndexCount = 0;
    const Uint* pQueueFamilyIndices = nullptr;
    Uint initialLayout = 0;
};
/// All of an image with one level and one layer of colours.
struct ImageRange {
    Uint aspectMask = 1, baseMipLevel = 0, levelCount = 1, baseArrayLayer = 0, layerCount = 1;
};
struct ImageViewCreateInfo {
    Header header{15, nullptr};
    Uint flags = 0;
    ImageHandle image = nullptr;
    Uint viewType = 1, format = 0, components[4]{};
    ImageRange subresourceRange;
};
struct ImageBarrier {
    Header header{45, nullptr};
    Uint srcAccessMask = 0, dstAccessMask = 0, oldLayout = 0, newLayout = 0;
    Uint srcQueueFamilyIndex = ~0u, dstQueueFamilyIndex = ~0u;
    ImageHandle image = nullptr;
    ImageRange subresourceRange;
};
struct BufferCopy {
    Size srcOffset = 0, dstOffset = 0, size = 0;
};
struct SubmitInfo {
    Header header{4, nullptr};
    Uint waitSemaphoreCount = 0;
    const Semaphore* pWaitSemaphores = nullptr;
    const Uint* pWaitDstStageMask = nullptr;
    Uint commandBufferCount = 1;
    const CommandBuffer* pCommandBuffers = nullptr;
    Uint signalSemaphoreCount = 0;
    const Semaphore* pSignalSemaphores = nullptr;
};
struct FenceCreateInfo {
    Header header{8, nullptr};
    Uint flags = 0;
};
struct SemaphoreCreateInfo {
    Header header{9, nullptr};
    Uint flags = 0;
};
struct QueryPoolCreateInfo {
    Header header{11, nullptr};
    Uint flags = 0, queryType = 0, queryCount = 1, pipelineStatistics = 0;
};

using Function = void (*)();

// name, result, parameters
#define SEICHE_VULKAN_SYMBOLS(X)                                                                                      \
    X(vkGetInstanceProcAddr, Function, (Instance, const char*))                                                       \
    X(vkCreateInstance, Result, (const InstanceCreateInfo*, const void*, Instance*))                                  \
    X(vkEnumerateInstanceVersion, Result, (Uint*))                                                                    \
    X(vkEnumerateInstanceExtensionProperties, Result, (const char*, Uint*, ExtensionProperties*))                     \
    X(vkEnumeratePhysicalDevices, Result, (Instance, Uint*, PhysicalDevice*))                                         \
    X(vkGetPhysicalDeviceProperties2, void, (PhysicalDevice, Properties2*))                                           \
    X(vkGetPhysicalDeviceProperties, void, (PhysicalDevice, Properties*))                                             \
    X(vkGetPhysicalDeviceFeatures2, void, (PhysicalDevice, Features2*))                                               \
    X(vkGetPhysicalDeviceQueueFamilyProperties, void, (PhysicalDevice, Uint*, QueueFamily*))                          \
    X(vkGetPhysicalDeviceMemoryProperties, void, (PhysicalDevice, MemoryProperties*))                                 \
    X(vkEnumerateDeviceExtensionProperties, Result, (PhysicalDevice, const char*, Uint*, ExtensionProperties*))       \
    X(vkCreateDevice, Result, (PhysicalDevice, const DeviceCreateInfo*, const void*, LogicalDevice*))                 \
    X(vkDestroyDevice, void, (LogicalDevice, const void*))                                                            \
    X(vkGetDeviceProcAddr, Function, (LogicalDevice, const char*))                                                    \
    X(vkGetDeviceQueue, void, (LogicalDevice, Uint, Uint, QueueHandle*))                                              \
    X(vkCreateBuffer, Result, (LogicalDevice, const BufferCreateInfo*, const void*, BufferHandle*))                   \
    X(vkDestroyBuffer, void, (LogicalDevice, BufferHandle, const void*))                                              \
    X(vkGetBufferMemoryRequirements, void, (LogicalDevice, BufferHandle, MemoryRequirements*))                        \
    X(vkAllocateMemory, Result, (LogicalDevice, const MemoryAllocateInfo*, const void*, DeviceMemory*))               \
    X(vkFreeMemory, void, (LogicalDevice, DeviceMemory, const void*))                                                 \
    X(vkBindBufferMemory, Result, (LogicalDevice, BufferHandle, DeviceMemory, Size))                                  \
    X(vkMapMemory, Result, (LogicalDevice, DeviceMemory, Size, Size, Uint, void**))                                   \
    X(vkCreateImage, Result, (LogicalDevice, const ImageCreateInfo*, const void*, ImageHandle*))                      \
    X(vkDestroyImage, void, (LogicalDevice, ImageHandle, const void*))                                                \
    X(vkGetImageMemoryRequirements, void, (LogicalDevice, ImageHandle, MemoryRequirements*))                          \
    X(vkBindImageMemory, Result, (LogicalDevice, ImageHandle, DeviceMemory, Size))                                    \
    X(vkCreateImageView, Result, (LogicalDevice, const ImageViewCreateInfo*, const void*, ImageView*))                \
    X(vkDestroyImageView, void, (LogicalDevice, ImageView, const void*))                                              \
    X(vkCreateShaderModule, Result, (LogicalDevice, const ShaderModuleCreateInfo*, const void*, ShaderModule*))       \
    X(vkDestroyShaderModule, void, (LogicalDevice, ShaderModule, const void*))                                        \
    X(vkCreateDescriptorSetLayout, Result, (LogicalDevice, const SetLayoutCreateInfo*, const void*, SetLayout*))      \
    X(vkDestroyDescriptorSetLayout, void, (LogicalDevice, SetLayout, const void*))                                    \
    X(vkCreatePipelineLayout, Result, (LogicalDevice, const PipelineLayoutCreateInfo*, const void*, PipelineLayout*)) \
    X(vkDestroyPipelineLayout, void, (LogicalDevice, PipelineLayout, const void*))                                    \
    X(vkCreatePipelineCache, Result, (LogicalDevice, const PipelineCacheCreateInfo*, const void*, PipelineCache*))    \
    X(vkGetPipelineCacheData, Result, (LogicalDevice, PipelineCache, std::size_t*, void*))                            \
    X(vkDestroyPipelineCache, void, (LogicalDevice, PipelineCache, const void*))                                      \
    X(vkCreateComputePipelines, Result,                                                                               \
      (LogicalDevice, PipelineCache, Uint, const ComputePipelineCreateInfo*, const void*, Pipeline*))                 \
    X(vkDestroyPipeline, void, (LogicalDevice, Pipeline, const void*))                                                \
    X(vkCreateDescriptorPool, Result, (LogicalDevice, const DescriptorPoolCreateInfo*, const void*, DescriptorPool*)) \
    X(vkResetDescriptorPool, Result, (LogicalDevice, DescriptorPool, Uint))                                           \
    X(vkDestroyDescriptorPool, void, (LogicalDevice, DescriptorPool, const void*))                                    \
    X(vkAllocateDescriptorSets, Result, (LogicalDevice, const DescriptorSetAllocateInfo*, DescriptorSet*))            \
    X(vkUpdateDescriptorSets, void, (LogicalDevice, Uint, const WriteDescriptorSet*, Uint, const void*))              \
    X(vkCreateCommandPool, Result, (LogicalDevice, const CommandPoolCreateInfo*, const void*, CommandPool*))          \
    X(vkDestroyCommandPool, void, (LogicalDevice, CommandPool, const void*))                                          \
    X(vkAllocateCommandBuffers, Result, (LogicalDevice, const CommandBufferAllocateInfo*, CommandBuffer*))            \
    X(vkBeginCommandBuffer, Result, (CommandBuffer, const CommandBufferBeginInfo*))                                   \
    X(vkEndCommandBuffer, Result, (CommandBuffer))                                                                    \
    X(vkCmdPipelineBarrier, void,                                                                                     \
      (CommandBuffer, Uint, Uint, Uint, Uint, const MemoryBarrier*, Uint, const void*, Uint, const ImageBarrier*))    \
    X(vkCmdCopyBuffer, void, (CommandBuffer, BufferHandle, BufferHandle, Uint, const BufferCopy*))                    \
    X(vkCmdBindPipeline, void, (CommandBuffer, Uint, Pipeline))                                                       \
    X(vkCmdBindDescriptorSets, void,                                                                                  \
      (CommandBuffer, Uint, PipelineLayout, Uint, Uint, const DescriptorSet*, Uint, const Uint*))                     \
    X(vkCmdPushConstants, void, (CommandBuffer, PipelineLayout, Uint, Uint, Uint, const void*))                       \
    X(vkCmdDispatch, void, (CommandBuffer, Uint, Uint, Uint))                                                         \
    X(vkCmdDispatchBase, void, (CommandBuffer, Uint, Uint, Uint, Uint, Uint, Uint))                                   \
    X(vkCmdResetQueryPool, void, (CommandBuffer, QueryPool, Uint, Uint))                                              \
    X(vkCmdWriteTimestamp, void, (CommandBuffer, Uint, QueryPool, Uint))                                              \
    X(vkQueueSubmit, Result, (QueueHandle, Uint, const SubmitInfo*, Fence))                                           \
    X(vkQueueWaitIdle, Result, (QueueHandle))                                                                         \
    X(vkCreateFence, Result, (LogicalDevice, const FenceCreateInfo*, const void*, Fence*))                            \
    X(vkDestroyFence, void, (LogicalDevice, Fence, const void*))                                                      \
    X(vkResetFences, Result, (LogicalDevice, Uint, const Fence*))                                                     \
    X(vkWaitForFences, Result, (LogicalDevice, Uint, const Fence*, Bool, Size))                                       \
    X(vkCreateSemaphore, Result, (LogicalDevice, const SemaphoreCreateInfo*, const void*, Semaphore*))                \
    X(vkDestroySemaphore, void, (LogicalDevice, Semaphore, const void*))                                              \
    X(vkCreateQueryPool, Result, (LogicalDevice, const QueryPoolCreateInfo*, const void*, QueryPool*))                \
    X(vkDestroyQueryPool, void, (LogicalDevice, QueryPool, const void*))                                              \
    X(vkGetQueryPoolResults, Result, (LogicalDevice, QueryPool, Uint, Uint, std::size_t, void*, Size, Uint))

inline constexpr Uint version_1_1 = 1u << 22 | 1u << 12;
inline constexpr Uint type_integrated_gpu = 1, type_discrete_gpu = 2, type_virtual_gpu = 3, type_cpu = 4;
inline constexpr Uint driver_llvmpipe = 13;
inline constexpr Uint queue_compute = 2;
inline constexpr Uint memory_device_local = 1, memory_host_visible = 2, memory_host_coherent = 4, heap_device_local = 1;
inline constexpr Uint usage_transfer_source = 1, usage_transfer_target = 2, usage_storage = 0x20,
                      image_usage_storage = 8;
inline constexpr Uint format_r32f = 100, format_rg32f = 103, format_rgba32f = 109, format_rgba16f = 97,
                      layout_general = 1;
inline constexpr Uint stage_compute = 0x20, descriptor_storage_image = 3, descriptor_storage_buffer = 7,
                      bind_compute = 1;
inline constexpr Uint pipeline_dispatch_base = 0x10;
inline constexpr Uint subgroup_basic = 1, subgroup_shuffle = 0x10;
inline constexpr Uint pool_resets_buffers = 2, begin_one_time = 1;
inline constexpr Uint pipeline_stage_compute = 0x800, pipeline_stage_transfer = 0x1000, pipeline_stage_host = 0x4000,
                      pipeline_stage_bottom = 0x2000, pipeline_stage_top = 1;
inline constexpr Uint access_shader = 0x20 | 0x40, access_transfer = 0x800 | 0x1000, access_host_read = 0x2000;
inline constexpr Uint query_timestamp = 2, query_64 = 1, query_wait = 2;
inline constexpr Size for_ever = ~Size{0};
inline constexpr Result success = 0, incomplete = 5;

struct Api {
#define SEICHE_DECLARE(name, result, parameters) result(*name) parameters = nullptr;
    SEICHE_VULKAN_SYMBOLS(SEICHE_DECLARE)
#undef SEICHE_DECLARE
    Instance instance = nullptr;  ///< One for the process.
    std::string problem;          ///< Why there is no Vulkan; empty if there is.
    std::string remedy;
};

/// Loads libvulkan and makes the instance, once.
const Api& api();

/// The functions of an instance that the caller made, found through `get_instance_proc_addr`, else through libvulkan.
/// Throws Unsupported, naming what is missing.
std::shared_ptr<const Api> api_of(Instance instance, void* get_instance_proc_addr);

/// All that `call(Uint* count, Element*)` lists, which is asked twice: how many there are, and for them. Where it fails
/// the list stays empty, since what was not written must not be used. There may be more meanwhile, which is no failure.
template <class Element, class Call>
Result enumerate(std::vector<Element>& all, const Call& call) {
    all.clear();
    Uint count = 0;
    if (const Result code = call(&count, nullptr); code != success) return code;
    std::vector<Element> found(count);
    const Result code = call(&count, found.data());
    if (code != success && code != incomplete) return code;
    found.resize(count);
    all = std::move(found);
    return success;
}

/// "VK_ERROR_DEVICE_LOST", or "code -1234".
std::string error_name(Result code);

/// "vkCreateBuffer (64 bytes) failed with VK_ERROR_OUT_OF_HOST_MEMORY", and what may help.
std::string failure(Result code, const char* call, const std::string& doing = {});

/// Throws BackendError with that, unless `code` is success.
void check(Result code, const char* call, const std::string& doing = {});

}  // namespace seiche::runtime::vulkan
