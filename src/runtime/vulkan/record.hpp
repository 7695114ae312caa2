// What a launch comes to in a command buffer: descriptors, push constants and dispatches, for queues and recordings.
#pragma once

#include <array>
#include <cstddef>

#include "runtime/vulkan/device.hpp"

namespace seiche::runtime::vulkan {

class VulkanModule;
class VulkanBuffer;

constexpr std::size_t most_buffers = 32;      // of one kernel: more than its push constants hold offsets
constexpr std::size_t most_images = 2;        // likewise: an input and an output
constexpr std::size_t most_push_bytes = 128;  // what every device has

using PushedBytes = std::array<std::byte, most_push_bytes>;

/// A buffer of this device; throws InvalidProblem for one of another.
VulkanBuffer& own(const Session& session, Buffer& buffer);
/// The launch's kernel; throws InvalidProblem for one of another device, InternalError for arguments that are not its.
const VulkanModule& own_module(const Session& session, const Launch& launch);

/// A launch whose arguments Vulkan has been told of, or will be in the command buffer.
struct BoundLaunch {
    const VulkanModule* module = nullptr;
    Pipeline pipeline = nullptr;
    DescriptorSet set = nullptr;  ///< Null: the descriptors go into the command buffer.
    std::array<DescriptorBufferInfo, most_buffers> buffers;
    std::array<DescriptorImageInfo, most_images> images;
    PushedBytes pushed{};
    std::array<std::uint32_t, 3> groups{1, 1, 1};
};
/// Of a launch that own_module has found right: with descriptors that go into the command buffer, of a kernel that
/// takes them so.
BoundLaunch bound_launch(const Session& session, const Launch& launch);
/// With a set of `pool`, which is filled.
BoundLaunch bound_launch(const Session& session, const Launch& launch, DescriptorPool pool);
void record_launch(const Session& session, CommandBuffer commands, const BoundLaunch& launch);

/// Makes what was written before visible to what follows.
struct Barrier {
    Uint source_stages = 0, source_access = 0, target_stages = 0, target_access = 0;
};
void record_barrier(const Session& session, CommandBuffer commands, const Barrier& barrier);

}  // namespace seiche::runtime::vulkan
