// Vulkan queues and buffers.
#include "runtime/vulkan/queue.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime/vulkan/module.hpp"
#include "runtime/vulkan/record.hpp"
#include "seiche/error.hpp"

namespace seiche::runtime::vulkan {

namespace {

constexpr std::size_t ring = 32;            // command buffers under way before a launch has to wait
constexpr std::size_t pieces_of_slot = 16;  // of work in one of them
constexpr std::size_t least_staged = std::size_t{64} << 10, most_staged = std::size_t{8} << 20;  // bytes

}  // namespace

Uint memory_type(const Session& session, Uint allowed, Uint wanted) {
    for (const Uint flags : {wanted, Uint{0}})
        for (Uint type = 0; type < session.memory.memoryTypeCount; ++type) {
            const bool fits = (session.memory.memoryTypes[type].propertyFlags & flags) == flags;
            if (fits && (allowed >> type & 1u) != 0) return type;
        }
    throw BackendError("vulkan: no memory type fits a storage buffer");
}

// ---- Buffers

VulkanBuffer::VulkanBuffer(std::shared_ptr<Session> session, std::uint64_t bytes, Uint wanted)
    : session_(std::move(session)), bytes_(bytes) {
    const std::string what = std::to_string(bytes) + " bytes";
    BufferCreateInfo info;
    info.size = std::max<std::uint64_t>(bytes, 4);
    const bool has_address = session_->extensions.has_addresses;
    info.usage =
        usage_transfer_source | usage_transfer_target | usage_storage | (has_address ? usage_device_address : 0);
    check(session_->api->vkCreateBuffer(session_->device, &info, nullptr, &handle_), "vkCreateBuffer", what);
    try {
        MemoryRequirements needs{};
        session_->api->vkGetBufferMemoryRequirements(session_->device, handle_, &needs);
        MemoryAllocateInfo memory;
        memory.allocationSize = needs.size;
        memory.memoryTypeIndex = memory_type(*session_, needs.memoryTypeBits, wanted);
        MemoryAllocateFlags flags;
        if (has_address) memory.header.pNext = &flags;
        check(session_->api->vkAllocateMemory(session_->device, &memory, nullptr, &memory_), "vkAllocateMemory", what);
        check(session_->api->vkBindBufferMemory(session_->device, handle_, memory_, 0), "vkBindBufferMemory", what);
    } catch (...) {
        destroy();
        throw;
    }
}

VulkanBuffer::VulkanBuffer(std::shared_ptr<Session> session, BufferHandle handle, std::uint64_t bytes)
    : session_(std::move(session)), bytes_(bytes), handle_(handle), owns_(false) {}

VulkanBuffer::~VulkanBuffer() { destroy(); }

void VulkanBuffer::destroy() {
    if (!owns_) return;
    session_->settle();
    session_->api->vkDestroyBuffer(session_->device, handle_, nullptr);
    session_->api->vkFreeMemory(session_->device, memory_, nullptr);
}

std::uint64_t VulkanBuffer::address() const {
    BufferDeviceAddressInfo info;
    info.buffer = handle_;
    return session_->extensions.vkGetBufferDeviceAddress(session_->device, &info);
}

void* VulkanBuffer::map() const {
    void* bytes = nullptr;
    check(session_->api->vkMapMemory(session_->device, memory_, 0, bytes_, 0, &bytes), "vkMapMemory");
    return bytes;
}

std::shared_ptr<Buffer> allocate_buffer(const std::shared_ptr<Session>& session, std::uint64_t bytes) {
    return make_owned<VulkanBuffer>(session, bytes, memory_device_local);
}

// ---- Events

VulkanEvent::VulkanEvent(std::shared_ptr<Session> session) : session_(std::move(session)) {
    QueryPoolCreateInfo info;
    info.queryType = query_timestamp;
    check(session_->api->vkCreateQueryPool(session_->device, &info, nullptr, &pool_), "vkCreateQueryPool");
}

std::uint64_t VulkanEvent::ticks() const {
    std::uint64_t value = 0;
    check(session_->api->vkGetQueryPoolResults(session_->device, pool_, 0, 1, sizeof value, &value, sizeof value,
                                               query_64 | query_wait),
          "vkGetQueryPoolResults");
    return session_->timestamp_bits < 64 ? value & ((std::uint64_t{1} << session_->timestamp_bits) - 1) : value;
}

// ---- Queues

std::shared_ptr<Queue> make_queue(const std::shared_ptr<Session>& session) { return make_owned<VulkanQueue>(session); }

VulkanQueue::VulkanQueue(std::shared_ptr<Session> session)
    : session_(std::move(session)), timeline_(session_), slots_(ring) {
    CommandPoolCreateInfo info;
    info.flags = pool_resets_buffers;
    info.queueFamilyIndex = session_->queue_family;
    check(session_->api->vkCreateCommandPool(session_->device, &info, nullptr, &pool_), "vkCreateCommandPool");
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
    check(session_->api->vkAllocateCommandBuffers(session_->device, &commands, &slot.commands),
          "vkAllocateCommandBuffers");
    if (timeline_.is_there()) return;
    const FenceCreateInfo fence;
    check(session_->api->vkCreateFence(session_->device, &fence, nullptr, &slot.ticket.fence), "vkCreateFence");
}

void VulkanQueue::make_descriptors(Slot& slot) {
    const std::array<DescriptorPoolSize, 2> sizes{{{descriptor_storage_buffer, pieces_of_slot * most_buffers},
                                                   {descriptor_storage_image, pieces_of_slot * most_images}}};
    DescriptorPoolCreateInfo descriptors;
    descriptors.maxSets = pieces_of_slot;
    descriptors.poolSizeCount = sizes.size();
    descriptors.pPoolSizes = sizes.data();
    check(session_->api->vkCreateDescriptorPool(session_->device, &descriptors, nullptr, &slot.descriptors),
          "vkCreateDescriptorPool");
}

void VulkanQueue::destroy() {
    session_->settle();
    for (Slot& slot : slots_) {
        session_->api->vkDestroyFence(session_->device, slot.ticket.fence, nullptr);
        session_->api->vkDestroyDescriptorPool(session_->device, slot.descriptors, nullptr);
    }
    session_->api->vkDestroyCommandPool(session_->device, pool_, nullptr);
}

VulkanQueue::~VulkanQueue() { destroy(); }

void VulkanQueue::wait_for(Slot& slot) {
    if (!slot.in_flight) return;
    timeline_.wait_for(slot.ticket);
    slot.in_flight = false;
    slot.keeps.clear();
}

VulkanQueue::Slot& VulkanQueue::open_slot() {
    if (open_ != nullptr) return *open_;
    Slot& slot = slots_[next_];
    next_ = (next_ + 1) % slots_.size();
    wait_for(slot);
    if (slot.descriptors != nullptr)
        check(session_->api->vkResetDescriptorPool(session_->device, slot.descriptors, 0), "vkResetDescriptorPool");
    CommandBufferBeginInfo begin;
    begin.flags = begin_one_time;
    check(session_->api->vkBeginCommandBuffer(slot.commands, &begin), "vkBeginCommandBuffer");
    open_ = &slot;
    pieces_ = 0;
    return slot;
}

template <class Body>
VulkanQueue::Slot& VulkanQueue::enqueue(Body&& body) {
    Slot& slot = open_slot();
    constexpr Uint work = pipeline_stage_compute | pipeline_stage_transfer, access = access_shader | access_transfer;
    record_barrier(*session_, slot.commands, {work, access, work, access});
    try {
        body(slot);
    } catch (...) {
        if (batches_ == 0) open_ = nullptr;
        throw;
    }
    if (++pieces_ == pieces_of_slot || batches_ == 0) flush();
    return slot;
}

void VulkanQueue::flush() {
    if (open_ == nullptr) return;
    Slot& slot = *open_;
    open_ = nullptr;
    check(session_->api->vkEndCommandBuffer(slot.commands), "vkEndCommandBuffer");
    timeline_.submit(slot.commands, slot.ticket);
    slot.in_flight = true;
}

void VulkanQueue::end_batch() {
    if (--batches_ == 0) flush();
}

// As much as has been moved at once: drivers take the longer the more there is, and plans want a few kilobytes.
void* VulkanQueue::staging(std::size_t bytes) {
    if (!staging_ || staging_->bytes() < bytes) {
        auto buffer = std::make_unique<VulkanBuffer>(session_, std::bit_ceil(std::max(bytes, least_staged)),
                                                     memory_host_visible | memory_host_coherent);
        staging_bytes_ = buffer->map();
        staging_ = std::move(buffer);
    }
    return staging_bytes_;
}

void VulkanQueue::upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) {
    const auto* source = static_cast<const std::byte*>(from);
    for (std::size_t done = 0; done < bytes; done += most_staged) {
        const std::size_t part = std::min(bytes - done, most_staged);
        std::memcpy(staging(part), source + done, part);
        const BufferCopy region{0, offset + done, part};
        Slot& slot = enqueue([&](Slot& taken) {
            session_->api->vkCmdCopyBuffer(taken.commands, staging_->handle(), own(*session_, to).handle(), 1, &region);
        });
        flush();
        wait_for(slot);
    }
}

void VulkanQueue::download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) {
    auto* target = static_cast<std::byte*>(to);
    for (std::size_t done = 0; done < bytes; done += most_staged) {
        const std::size_t part = std::min(bytes - done, most_staged);
        void* const staged = staging(part);
        const BufferCopy region{offset + done, 0, part};
        Slot& slot = enqueue([&](Slot& taken) {
            session_->api->vkCmdCopyBuffer(taken.commands, own(*session_, from).handle(), staging_->handle(), 1,
                                           &region);
            record_barrier(*session_, taken.commands,
                           {pipeline_stage_transfer, access_transfer, pipeline_stage_host, access_host_read});
        });
        flush();
        wait_for(slot);
        std::memcpy(target + done, staged, part);
    }
}

void VulkanQueue::copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset,
                       std::uint64_t bytes) {
    if (bytes == 0) return;
    const BufferCopy region{from_offset, to_offset, bytes};
    enqueue([&](Slot& slot) {
        session_->api->vkCmdCopyBuffer(slot.commands, own(*session_, from).handle(), own(*session_, to).handle(), 1,
                                       &region);
    });
}

void VulkanQueue::launch(const Launch& launch) {
    const VulkanModule& module = own_module(*session_, launch);
    if (launch.groups[0] == 0 || launch.groups[1] == 0 || launch.groups[2] == 0) return;
    enqueue([&](Slot& slot) {
        if (module.pushes_descriptors())
            return record_launch(*session_, slot.commands, bound_launch(*session_, launch));
        if (slot.descriptors == nullptr) make_descriptors(slot);
        record_launch(*session_, slot.commands, bound_launch(*session_, launch, slot.descriptors));
    });
}

void VulkanQueue::wait() {
    flush();
    if (timeline_.is_there()) timeline_.wait_for(timeline_.last());
    for (Slot& slot : slots_) wait_for(slot);
}

// What was enqueued before does not wait.
void VulkanQueue::wait_for(Semaphore semaphore, Size value) {
    flush();
    timeline_.wait_with_next(semaphore, value);
}

void VulkanQueue::signal(Semaphore semaphore, Size value) {
    timeline_.signal_with_next(semaphore, value);
    if (open_ != nullptr) return flush();
    Ticket ticket;
    timeline_.submit(nullptr, ticket);
}

std::shared_ptr<Event> VulkanQueue::record() {
    if (session_->timestamp_bits == 0) throw Unsupported("vulkan: this device's queue has no timestamps");
    auto event = make_owned<VulkanEvent>(session_);
    Slot& slot = enqueue([&](Slot& taken) {
        session_->api->vkCmdResetQueryPool(taken.commands, event->pool(), 0, 1);
        session_->api->vkCmdWriteTimestamp(taken.commands, pipeline_stage_bottom, event->pool(), 0);
    });
    slot.keeps.push_back(event);
    return event;
}

double VulkanQueue::milliseconds(const Event& from, const Event& to) {
    flush();
    const std::uint64_t first = dynamic_cast<const VulkanEvent&>(from).ticks(),
                        last = dynamic_cast<const VulkanEvent&>(to).ticks();
    return static_cast<double>(last - first) * static_cast<double>(session_->properties.limits.timestampPeriod) * 1e-6;
}

}  // namespace seiche::runtime::vulkan
