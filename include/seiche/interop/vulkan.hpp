// Your own Vulkan instance, device, queue and buffers, and plans recorded into your own command buffers. No Vulkan
// header is needed or included: dispatchable handles (VkInstance, VkDevice, VkQueue, VkCommandBuffer) are `void*`, the
// others (VkBuffer) are numbers, as `(uint64_t)handle` makes them.
#pragma once

#include <cstdint>
#include <memory>

#include "seiche/convolution.hpp"
#include "seiche/device.hpp"
#include "seiche/image.hpp"
#include "seiche/plan.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::vulkan {

/// Your device. Nothing of it is ever destroyed, and nothing is used that is not said to be enabled.
struct NativeDevice {
    void* instance = nullptr;         ///< VkInstance, made with apiVersion 1.1 or newer.
    void* physical_device = nullptr;  ///< VkPhysicalDevice of Vulkan 1.1 or newer.
    void* device = nullptr;           ///< VkDevice.
    void* queue = nullptr;            ///< VkQueue that can compute, for `Queue`s and for freeing memory.
    std::uint32_t queue_family = 0;   ///< Of that queue, and of the command buffers that plans are recorded into.
    /// PFN_vkGetInstanceProcAddr through which all functions are found; null: that of this machine's Vulkan loader.
    void* get_instance_proc_addr = nullptr;
    // Which features the device was made with. Those that are left out make plans that need them Unsupported.
    bool shader_float64 = false;        ///< For f64.
    bool shader_int64 = false;          ///< For stages with 64-bit integers, and for speed on a CPU.
    bool storage_buffer_16bit = false;  ///< storageBuffer16BitAccess, for f16 and bf16 in memory.
    bool storage_buffer_8bit = false;   ///< storageBuffer8BitAccess and its extension, for stages with 8-bit buffers.
    bool storage_image_extended_formats = false;  ///< shaderStorageImageExtendedFormats, for images of rg32f.
    // What spares time or memory where it is enabled, by an extension or as a part of a newer version.
    bool timeline_semaphore = false;      ///< timelineSemaphore (VK_KHR_timeline_semaphore, 1.2): `wait_for`, `signal`.
    bool push_descriptor = false;         ///< VK_KHR_push_descriptor, or pushDescriptor of 1.4: no descriptor sets.
    bool subgroup_size_control = false;   ///< subgroupSizeControl (VK_EXT_subgroup_size_control, 1.3).
    bool compute_full_subgroups = false;  ///< computeFullSubgroups, of the same extension.
    /// bufferDeviceAddress (VK_KHR_buffer_device_address, 1.2), used with shaderInt64 for arrays beyond
    /// maxStorageBufferRange: without it they are bound in pieces; with it their buffers must have been made with the
    /// usage SHADER_DEVICE_ADDRESS.
    bool buffer_device_address = false;
};

/// A device of Seiche's on yours. Its queue is used by one thread at a time, as Vulkan demands: while Seiche's
/// `Queue`s, buffers or plans of it are at work or let go, nothing else may submit to it. Throws InvalidProblem for a
/// null handle or a queue family that cannot compute, Unsupported for a driver older than Vulkan 1.1.
Device device(const NativeDevice& native);

/// `bytes` of your VkBuffer from its start, whose usage includes STORAGE_BUFFER (and TRANSFER_SRC and TRANSFER_DST for
/// Queue::download, upload and copy). An array in the middle of it is a BufferView with an offset. It stays yours, and
/// must live as long as what uses it.
Buffer buffer(const Device& device, std::uint64_t buffer, std::uint64_t bytes);

/// Your VkImageView, a two-dimensional one of one level and layer whose format (VK_FORMAT_R32G32_SFLOAT ...) is this
/// one and whose image has the usage STORAGE. Where an execution runs, it is in the layout GENERAL: bringing it there,
/// and into another one afterwards, is for your barriers. It stays yours, and must live as long as what uses it. Throws
/// InvalidProblem for null, no format or no texel.
Image image(const Device& device, std::uint64_t view, ImageFormat format, std::uint32_t width, std::uint32_t height);

/// What is enqueued on `queue` from now on (an execution, a copy) begins when your timeline VkSemaphore has at least
/// this value. Nothing is waited for here, and the value may be signalled later; until it is, whatever waits for the
/// queue waits too, be it giving up a buffer or plan of the device. Throws InvalidProblem for null, Unsupported where
/// the device was made without timelineSemaphore.
void wait_for(Queue& queue, std::uint64_t semaphore, std::uint64_t value);

/// Your timeline VkSemaphore gets this value, which must be above its present one, when all that was enqueued on
/// `queue` before has run; it is submitted at once, in a batch too. The semaphore must live until then. Throws as
/// `wait_for`.
void signal(Queue& queue, std::uint64_t semaphore, std::uint64_t value);

/// The arguments of an execution, bound once: owns the descriptor sets (of kernels whose descriptors do not go into the
/// command buffer), and keeps plan, buffers and workspace. What it
/// records may be submitted to any queue of the device's family.
class Bindings {
public:
    /// Checks the arguments as Plan::execute does. Throws InvalidProblem for one that is wrong or of another device.
    Bindings(const Plan& plan, const Execution& execution);
    Bindings(const ConvolutionPlan& plan, const ConvolutionExecution& execution);

    /// Appends the execution to a command buffer that is being recorded, outside a render pass; allocates nothing, so
    /// that it may be recorded as often as you like. It begins with a barrier that makes writes of shaders and
    /// transfers before it visible to it (of other stages, and of other queues, your own barrier must), has one between
    /// kernels, and ends with one that makes its writes visible to shaders, transfers and the host. Pipeline,
    /// descriptor set 0 and push constants of the compute bind point are others afterwards. The Bindings must live
    /// until the commands have run. Throws InvalidProblem for null.
    void record(void* command_buffer) const;

private:
    class Impl;
    std::shared_ptr<const Impl> impl_;
};

/// The native objects behind Seiche's own. Throw InvalidProblem for those of another backend.
void* device_handle(const Device& device);
void* queue_handle(const Queue& queue);
std::uint64_t buffer_handle(const Buffer& buffer);

}  // namespace seiche::vulkan
SEICHE_EXPORT_END
