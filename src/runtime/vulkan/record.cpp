// What a launch comes to in a command buffer.
#include "runtime/vulkan/record.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/vulkan/module.hpp"
#include "runtime/vulkan/queue.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::vulkan {

VulkanBuffer& own(const Session& session, Buffer& buffer) {
    auto* ours = dynamic_cast<VulkanBuffer*>(&buffer);
    if (ours == nullptr)
        throw InvalidProblem("vulkan: the buffer belongs to another backend, expected one of this device");
    if (&ours->session() != &session)
        throw InvalidProblem("vulkan: the buffer belongs to another Vulkan device, expected one of this device");
    return *ours;
}

namespace {

const VulkanImage& own_image(const Session& session, const Image& image) {
    const auto* ours = dynamic_cast<const VulkanImage*>(&image);
    if (ours == nullptr)
        throw InvalidProblem("vulkan: the image belongs to another backend, expected one of this device");
    if (&ours->session() != &session)
        throw InvalidProblem("vulkan: the image belongs to another Vulkan device, expected one of this device");
    return *ours;
}

}  // namespace

const VulkanModule& own_module(const Session& session, const Launch& launch) {
    const auto* module = dynamic_cast<const VulkanModule*>(launch.module);
    if (module == nullptr || &module->session() != &session)
        throw InvalidProblem("vulkan: the plan is one of another device, expected one of the queue's");
    const ir::Kernel& kernel = module->kernel();
    if (launch.buffer_count != kernel.buffers.size() || launch.scalar_count != kernel.scalars.size() ||
        launch.buffer_count > most_buffers || launch.image_count != kernel.images.size() ||
        launch.image_count > most_images)
        throw InternalError(
            "vulkan: kernel " + kernel.name + " takes " + std::to_string(kernel.buffers.size()) + " buffers, at most " +
            std::to_string(most_buffers) + ", " + std::to_string(kernel.scalars.size()) + " scalars and " +
            std::to_string(kernel.images.size()) + " images, got " + std::to_string(launch.buffer_count) + ", " +
            std::to_string(launch.scalar_count) + " and " + std::to_string(launch.image_count));
    return *module;
}

namespace {

using Writes = std::array<WriteDescriptorSet, most_buffers + most_images>;

/// The descriptors of a launch as Vulkan takes them; they point into it.
Writes writes_of(const BoundLaunch& launch) {
    const ir::Kernel& kernel = launch.module->kernel();
    const auto buffers = static_cast<Uint>(kernel.buffers.size()), images = static_cast<Uint>(kernel.images.size());
    Writes writes;
    for (Uint b = 0, count = 0; b < buffers + images; ++b) {
        if (b < buffers && kernel.buffers[b].by_address) continue;
        WriteDescriptorSet& write = writes[count++];
        write.dstSet = launch.set;
        write.dstBinding = b;
        write.descriptorCount = 1;
        write.descriptorType = b < buffers ? descriptor_storage_buffer : descriptor_storage_image;
        if (b < buffers)
            write.pBufferInfo = &launch.buffers[b];
        else
            write.pImageInfo = &launch.images[b - buffers];
    }
    return writes;
}

}  // namespace

// A descriptor starts at a multiple of what the device wants and of the element; what is left goes to the push
// constants.
BoundLaunch bound_launch(const Session& session, const Launch& launch) {
    const auto& module = static_cast<const VulkanModule&>(*launch.module);
    const ir::Kernel& kernel = module.kernel();
    const Limits& limits = session.properties.limits;
    BoundLaunch bound;
    bound.module = &module;
    bool is_aligned = true;
    bound.groups = launch.groups;
    for (Uint b = 0, a = 0; b < launch.buffer_count; ++b) {
        const VulkanBuffer& buffer = own(session, *launch.buffers[b].buffer);
        if (kernel.buffers[b].by_address) {
            const std::uint64_t address = buffer.address() + launch.buffers[b].byte_offset;
            std::memcpy(&bound.pushed[module.push_constants().addresses[a++]], &address, sizeof address);
            continue;
        }
        const std::uint64_t element = ir::type_bytes(kernel.buffers[b].element), offset = launch.buffers[b].byte_offset;
        const std::uint64_t start = offset - offset % std::max(limits.minStorageBufferOffsetAlignment, element);
        const auto rest = static_cast<std::uint32_t>((offset - start) / element);
        is_aligned = is_aligned && rest == 0;
        std::memcpy(&bound.pushed[4 * std::size_t{b}], &rest, sizeof rest);
        const std::uint64_t whole = std::max<std::uint64_t>(buffer.bytes(), 4);
        bound.buffers[b] = {buffer.handle(), start,
                            std::min<std::uint64_t>(whole - start, limits.maxStorageBufferRange)};
    }
    bound.pipeline = is_aligned ? module.pipeline() : module.unaligned_pipeline();
    for (Uint i = 0; i < launch.image_count; ++i)
        bound.images[i].imageView = own_image(session, *launch.images[i]).view();
    for (std::size_t s = 0; s < launch.scalar_count; ++s)  // little-endian: the low bytes come first
        std::memcpy(&bound.pushed[module.push_constants().scalars[s]], &launch.scalars[s],
                    ir::type_bytes(kernel.scalars[s].type));
    return bound;
}

BoundLaunch bound_launch(const Session& session, const Launch& launch, DescriptorPool pool) {
    BoundLaunch bound = bound_launch(session, launch);
    DescriptorSetAllocateInfo info;
    info.descriptorPool = pool;
    info.pSetLayouts = &bound.module->set_layout();
    check(session.api->vkAllocateDescriptorSets(session.device, &info, &bound.set), "vkAllocateDescriptorSets",
          bound.module->kernel().name);
    session.api->vkUpdateDescriptorSets(session.device, bound.module->descriptors(), writes_of(bound).data(), 0,
                                        nullptr);
    return bound;
}

// A dispatch may be shorter than the grid; the groups of the next begin where it ended.
void record_launch(const Session& session, CommandBuffer commands, const BoundLaunch& launch) {
    const Api& api = *session.api;
    const VulkanModule& module = *launch.module;
    api.vkCmdBindPipeline(commands, bind_compute, launch.pipeline);
    if (launch.set != nullptr)
        api.vkCmdBindDescriptorSets(commands, bind_compute, module.layout(), 0, 1, &launch.set, 0, nullptr);
    else if (module.descriptors() != 0)
        session.extensions.vkCmdPushDescriptorSet(commands, bind_compute, module.layout(), 0, module.descriptors(),
                                                  writes_of(launch).data());
    if (const Uint bytes = module.push_constants().bytes; bytes != 0)
        api.vkCmdPushConstants(commands, module.layout(), stage_compute, 0, bytes, launch.pushed.data());
    const Uint most = session.properties.limits.maxComputeWorkGroupCount[0];
    for (std::uint64_t first = 0; first < launch.groups[0]; first += most) {
        const auto count = static_cast<Uint>(std::min<std::uint64_t>(launch.groups[0] - first, most));
        if (first == 0)  // which validation layers before 1.4.315 watch for races, as they do not the other
            api.vkCmdDispatch(commands, count, launch.groups[1], launch.groups[2]);
        else
            api.vkCmdDispatchBase(commands, static_cast<Uint>(first), 0, 0, count, launch.groups[1], launch.groups[2]);
    }
}

void record_barrier(const Session& session, CommandBuffer commands, const Barrier& barrier) {
    MemoryBarrier memory;
    memory.srcAccessMask = barrier.source_access;
    memory.dstAccessMask = barrier.target_access;
    session.api->vkCmdPipelineBarrier(commands, barrier.source_stages, barrier.target_stages, 0, 1, &memory, 0, nullptr,
                                      0, nullptr);
}

}  // namespace seiche::runtime::vulkan
