// Vulkan queues and buffers.
#include "runtime/vulkan/queue.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/vulkan/module.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::vulkan {

namespace {

constexpr std::size_t ring = 32;                            // pieces of work under way before a launch has to wait
constexpr std::size_t most_buffers = 32;                    // of one kernel: more than its push constants hold offsets
constexpr std::size_t most_push_bytes = 128;                // what every device has
constexpr std::size_t staging_size = std::size_t{8} << 20;  // bytes moved at once between host and device

VulkanBuffer& own(Buffer& buffer) {
    auto* ours = dynamic_cast<VulkanBuffer*>(&buffer);
    if (ours == nullptr)
        throw InvalidProblem("vulkan: the buffer belongs to another backend, expected one of this device");
    return *ours;
}

Uint memory_type(const Session& session, Uint allowed, Uint wanted) {
    for (const Uint flags : {wanted, Uint{0}})
        for (Uint type = 0; type < session.memory.memoryTypeCount; ++type) {
            const bool fits = (session.memory.memoryTypes[type].propertyFlags & flags) == flags;
            if (fits && (allowed >> type & 1u) != 0) return type;
        }
    throw BackendError("vulkan: no memory type fits a storage buffer");
}

}  // namespace

// ---- Buffers

VulkanBuffer::VulkanBuffer(std::shared_ptr<Session> session, std::uint64_t bytes, Uint wanted)
    : session_(std::move(session)), bytes_(bytes) {
    const std::string what = std::to_string(bytes) + " bytes";
    BufferCreateInfo info;
    info.size = std::max<std::uint64_t>(bytes, 4);
    info.usage = usage_transfer_source | usage_transfer_target | usage_storage;
    check(api().vkCreateBuffer(session_->device, &info, nullptr, &handle_), "vkCreateBuffer", what);
    try {
        MemoryRequirements needs{};
        api().vkGetBufferMemoryRequirements(session_->device, handle_, &needs);
        MemoryAllocateInfo memory;
        memory.allocationSize = needs.size;
        memory.memoryTypeIndex = memory_type(*session_, needs.memoryTypeBits, wanted);
        check(api().vkAllocateMemory(session_->device, &memory, nullptr, &memory_), "vkAllocateMemory", what);
        check(api().vkBindBufferMemory(session_->device, handle_, memory_, 0), "vkBindBufferMemory", what);
    } catch (...) {
        destroy();
        throw;
    }
}

VulkanBuffer::~VulkanBuffer() { destroy(); }

void VulkanBuffer::destroy() {
    session_->settle();
    api().vkDestroyBuffer(session_->device, handle_, nullptr);
    api().vkFreeMemory(session_->device, memory_, nullptr);
}

void* VulkanBuffer::map() const {
    void* bytes = nullptr;
    check(api().vkMapMemory(session_->device, memory_, 0, bytes_, 0, &bytes), "vkMapMemory");
    return bytes;
}

std::shared_ptr<Buffer> allocate_buffer(const std::shared_ptr<Session>& session, std::uint64_t bytes) {
    return std::make_shared<VulkanBuffer>(session, bytes, memory_device_local);
}

// ---- Events

VulkanEvent::VulkanEvent(std::shared_ptr<Session> session) : session_(std::move(session)) {
    QueryPoolCreateInfo info;
    info.queryType = query_timestamp;
    check(api().vkCreateQueryPool(session_->device, &info, nullptr, &pool_), "vkCreateQueryPool");
}

std::uint64_t VulkanEvent::ticks() const {
    std::uint64_t value = 0;
    check(api().vkGetQueryPoolResults(session_->device, pool_, 0, 1, sizeof value, &value, sizeof value,
                                      query_64 | query_wait),
          "vkGetQueryPoolResults");
    return session_->timestamp_bits < 64 ? value & ((std::uint64_t{1} << session_->timestamp_bits) - 1) : value;
}

// ---- Queues

std::shared_ptr<Queue> make_queue(const std::shared_ptr<Session>& session) {
    return std::make_shared<VulkanQueue>(session);
}

VulkanQueue::VulkanQueue(std::shared_ptr<Session> session) : session_(std::move(session)), slots_(ring) {
    CommandPoolCreateInfo info;
    info.flags = pool_resets_buffers;
    info.queueFamilyIndex = session_->queue_family;
    check(api().vkCreateCommandPool(session_->device, &info, nullptr, &pool_), "vkCreateCommandPool");
    try {
        for (Slot& slot : slots_) make_slot(slot);
    } catch (...) {
        destroy();
        throw;
    }
}

void VulkanQueue::make_slot(Slot& slot) {
    CommandBufferAllocateInfo commands;
    commands.commandPool = pool_;
    check(api().vkAllocateCommandBuffers(session_->device, &commands, &slot.commands), "vkAllocateCommandBuffers");
    const DescriptorPoolSize size{descriptor_storage_buffer, most_buffers};
    DescriptorPoolCreateInfo descriptors;
    descriptors.pPoolSizes = &size;
    check(api().vkCreateDescriptorPool(session_->device, &descriptors, nullptr, &slot.descriptors),
          "vkCreateDescriptorPool");
    const FenceCreateInfo fence;
    check(api().vkCreateFence(session_->device, &fence, nullptr, &slot.fence), "vkCreateFence");
}

void VulkanQueue::destroy() {
    for (Slot& slot : slots_) {
        if (slot.in_flight) api().vkWaitForFences(session_->device, 1, &slot.fence, 1, for_ever);
        api().vkDestroyFence(session_->device, slot.fence, nullptr);
        api().vkDestroyDescriptorPool(session_->device, slot.descriptors, nullptr);
    }
    api().vkDestroyCommandPool(session_->device, pool_, nullptr);
}

VulkanQueue::~VulkanQueue() { destroy(); }

void VulkanQueue::wait_for(Slot& slot) {
    if (!slot.in_flight) return;
    check(api().vkWaitForFences(session_->device, 1, &slot.fence, 1, for_ever), "vkWaitForFences");
    check(api().vkResetFences(session_->device, 1, &slot.fence), "vkResetFences");
    slot.in_flight = false;
    slot.keeps.reset();
}

template <class Body>
VulkanQueue::Slot& VulkanQueue::submit(Body&& body) {
    Slot& slot = slots_[next_];
    next_ = (next_ + 1) % slots_.size();
    wait_for(slot);
    CommandBufferBeginInfo begin;
    begin.flags = begin_one_time;
    check(api().vkBeginCommandBuffer(slot.commands, &begin), "vkBeginCommandBuffer");
    MemoryBarrier barrier;
    barrier.srcAccessMask = access_shader | access_transfer;
    barrier.dstAccessMask = access_shader | access_transfer;
    constexpr Uint work = pipeline_stage_compute | pipeline_stage_transfer;
    api().vkCmdPipelineBarrier(slot.commands, work, work, 0, 1, &barrier, 0, nullptr, 0, nullptr);
    body(slot);
    check(api().vkEndCommandBuffer(slot.commands), "vkEndCommandBuffer");
    SubmitInfo info;
    info.pCommandBuffers = &slot.commands;
    const std::lock_guard lock(session_->submitting);
    check(api().vkQueueSubmit(session_->queue, 1, &info, slot.fence), "vkQueueSubmit");
    slot.in_flight = true;
    return slot;
}

void* VulkanQueue::staging() {
    if (!staging_) {
        staging_ = std::make_unique<VulkanBuffer>(session_, staging_size, memory_host_visible | memory_host_coherent);
        staging_bytes_ = staging_->map();
    }
    return staging_bytes_;
}

void VulkanQueue::upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) {
    const auto* source = static_cast<const std::byte*>(from);
    for (std::size_t done = 0; done < bytes; done += staging_size) {
        const std::size_t part = std::min(bytes - done, staging_size);
        std::memcpy(staging(), source + done, part);
        const BufferCopy region{0, offset + done, part};
        wait_for(submit([&](Slot& slot) {
            api().vkCmdCopyBuffer(slot.commands, staging_->handle(), own(to).handle(), 1, &region);
        }));
    }
}

void VulkanQueue::download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) {
    auto* target = static_cast<std::byte*>(to);
    for (std::size_t done = 0; done < bytes; done += staging_size) {
        const std::size_t part = std::min(bytes - done, staging_size);
        void* const staged = staging();
        const BufferCopy region{offset + done, 0, part};
        wait_for(submit([&](Slot& slot) {
            api().vkCmdCopyBuffer(slot.commands, own(from).handle(), staging_->handle(), 1, &region);
            MemoryBarrier barrier;
            barrier.srcAccessMask = access_transfer;
            barrier.dstAccessMask = access_host_read;
            api().vkCmdPipelineBarrier(slot.commands, pipeline_stage_transfer, pipeline_stage_host, 0, 1, &barrier, 0,
                                       nullptr, 0, nullptr);
        }));
        std::memcpy(target + done, staged, part);
    }
}

void VulkanQueue::copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset,
                       std::uint64_t bytes) {
    if (bytes == 0) return;
    const BufferCopy region{from_offset, to_offset, bytes};
    submit([&](Slot& slot) { api().vkCmdCopyBuffer(slot.commands, own(from).handle(), own(to).handle(), 1, &region); });
}

// A descriptor starts at a multiple of what the device wants and of the element; what is left goes to the push
// constants.
void VulkanQueue::bind(Slot& slot, const VulkanModule& module, const Launch& launch) {
    const ir::Kernel& kernel = module.kernel();
    const Limits& limits = session_->properties.limits;
    std::array<std::byte, most_push_bytes> pushed{};
    std::array<DescriptorBufferInfo, most_buffers> infos;
    std::array<WriteDescriptorSet, most_buffers> writes;
    check(api().vkResetDescriptorPool(session_->device, slot.descriptors, 0), "vkResetDescriptorPool");
    DescriptorSetAllocateInfo info;
    info.descriptorPool = slot.descriptors;
    info.pSetLayouts = &module.set_layout();
    DescriptorSet set = nullptr;
    check(api().vkAllocateDescriptorSets(session_->device, &info, &set), "vkAllocateDescriptorSets", kernel.name);
    for (Uint b = 0; b < launch.buffer_count; ++b) {
        const VulkanBuffer& buffer = own(*launch.buffers[b].buffer);
        const std::uint64_t element = ir::type_bytes(kernel.buffers[b].element), offset = launch.buffers[b].byte_offset;
        const std::uint64_t start = offset - offset % std::max(limits.minStorageBufferOffsetAlignment, element);
        const auto rest = static_cast<std::uint32_t>((offset - start) / element);
        std::memcpy(&pushed[4 * std::size_t{b}], &rest, sizeof rest);
        const std::uint64_t whole = std::max<std::uint64_t>(buffer.bytes(), 4);
        infos[b] = {buffer.handle(), start, std::min<std::uint64_t>(whole - start, limits.maxStorageBufferRange)};
        writes[b].dstSet = set;
        writes[b].dstBinding = b;
        writes[b].descriptorCount = 1;
        writes[b].descriptorType = descriptor_storage_buffer;
        writes[b].pBufferInfo = &infos[b];
    }
    for (std::size_t s = 0; s < launch.scalar_count; ++s)  // little-endian: the low bytes come first
        std::memcpy(&pushed[module.push_constants().scalars[s]], &launch.scalars[s],
                    ir::type_bytes(kernel.scalars[s].type));
    api().vkUpdateDescriptorSets(session_->device, static_cast<Uint>(launch.buffer_count), writes.data(), 0, nullptr);
    api().vkCmdBindPipeline(slot.commands, bind_compute, module.pipeline());
    api().vkCmdBindDescriptorSets(slot.commands, bind_compute, module.layout(), 0, 1, &set, 0, nullptr);
    if (const Uint bytes = module.push_constants().bytes; bytes != 0)
        api().vkCmdPushConstants(slot.commands, module.layout(), stage_compute, 0, bytes, pushed.data());
}

// A dispatch may be shorter than the grid; the groups of the next begin where it ended.
void VulkanQueue::dispatch(CommandBuffer commands, const std::array<std::uint32_t, 3>& groups) const {
    const Uint most = session_->properties.limits.maxComputeWorkGroupCount[0];
    for (std::uint64_t first = 0; first < groups[0]; first += most) {
        const auto count = static_cast<Uint>(std::min<std::uint64_t>(groups[0] - first, most));
        api().vkCmdDispatchBase(commands, static_cast<Uint>(first), 0, 0, count, groups[1], groups[2]);
    }
}

void VulkanQueue::launch(const Launch& launch) {
    const auto& module = dynamic_cast<const VulkanModule&>(*launch.module);
    const ir::Kernel& kernel = module.kernel();
    if (launch.buffer_count != kernel.buffers.size() || launch.scalar_count != kernel.scalars.size() ||
        launch.buffer_count > most_buffers)
        throw InternalError("vulkan: kernel " + kernel.name + " takes " + std::to_string(kernel.buffers.size()) +
                            " buffers, at most " + std::to_string(most_buffers) + ", and " +
                            std::to_string(kernel.scalars.size()) + " scalars, got " +
                            std::to_string(launch.buffer_count) + " and " + std::to_string(launch.scalar_count));
    if (launch.groups[0] == 0 || launch.groups[1] == 0 || launch.groups[2] == 0) return;
    submit([&](Slot& slot) {
        bind(slot, module, launch);
        dispatch(slot.commands, launch.groups);
    });
}

void VulkanQueue::wait() {
    for (Slot& slot : slots_) wait_for(slot);
}

std::shared_ptr<Event> VulkanQueue::record() {
    if (session_->timestamp_bits == 0) throw Unsupported("vulkan: this device's queue has no timestamps");
    auto event = std::make_shared<VulkanEvent>(session_);
    Slot& slot = submit([&](Slot& taken) {
        api().vkCmdResetQueryPool(taken.commands, event->pool(), 0, 1);
        api().vkCmdWriteTimestamp(taken.commands, pipeline_stage_bottom, event->pool(), 0);
    });
    slot.keeps = event;
    return event;
}

double VulkanQueue::milliseconds(const Event& from, const Event& to) {
    const std::uint64_t first = dynamic_cast<const VulkanEvent&>(from).ticks(),
                        last = dynamic_cast<const VulkanEvent&>(to).ticks();
    return static_cast<double>(last - first) * static_cast<double>(session_->properties.limits.timestampPeriod) * 1e-6;
}

}  // namespace seiche::runtime::vulkan
