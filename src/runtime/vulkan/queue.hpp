// Vulkan buffers, and an in-order queue made of command buffers that are used again and again.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/vulkan/device.hpp"
#include "runtime/vulkan/timeline.hpp"

namespace seiche::runtime::vulkan {

/// The first type among `allowed` that has all of `wanted`, else any of them.
Uint memory_type(const Session& session, Uint allowed, Uint wanted);

class VulkanBuffer final : public Buffer {
public:
    /// Memory of the first type that has all of `wanted`, else of any.
    VulkanBuffer(std::shared_ptr<Session> session, std::uint64_t bytes, Uint wanted);
    /// One that is the caller's and stays so.
    VulkanBuffer(std::shared_ptr<Session> session, BufferHandle handle, std::uint64_t bytes);
    ~VulkanBuffer() override;
    VulkanBuffer(const VulkanBuffer&) = delete;
    VulkanBuffer& operator=(const VulkanBuffer&) = delete;

    std::uint64_t bytes() const override { return bytes_; }
    BufferHandle handle() const { return handle_; }
    /// On a device with addresses of buffers; a caller's was made with the usage for that.
    std::uint64_t address() const;
    const Session& session() const { return *session_; }
    /// The whole of it in the host's memory.
    void* map() const;

private:
    void destroy();

    std::shared_ptr<Session> session_;
    std::uint64_t bytes_;
    BufferHandle handle_ = nullptr;
    DeviceMemory memory_ = nullptr;
    bool owns_ = true;
};

/// A caller's image, by a view of it, or one of ours.
class VulkanImage final : public Image {
public:
    VulkanImage(std::shared_ptr<Session> session, ImageView view, ImageFormat format, std::uint32_t width,
                std::uint32_t height)
        : Image(format, width, height), session_(std::move(session)), view_(view) {}
    /// One that this object makes, in the layout GENERAL, and destroys. Throws Unsupported, BackendError.
    VulkanImage(std::shared_ptr<Session> session, ImageFormat format, std::uint32_t width, std::uint32_t height);
    ~VulkanImage() override;
    VulkanImage(const VulkanImage&) = delete;
    VulkanImage& operator=(const VulkanImage&) = delete;
    ImageView view() const { return view_; }
    const Session& session() const { return *session_; }
    bool is_same(const Image& other) const override {
        const auto* own = dynamic_cast<const VulkanImage*>(&other);
        return own != nullptr && own->view_ == view_;
    }

private:
    void make();
    void bring_into_layout() const;
    void destroy();

    std::shared_ptr<Session> session_;
    ImageView view_ = nullptr;
    ImageHandle own_ = nullptr;  // null: the caller's
    DeviceMemory memory_ = nullptr;
};

class VulkanEvent final : public Event {
public:
    explicit VulkanEvent(std::shared_ptr<Session> session);
    ~VulkanEvent() override { session_->api->vkDestroyQueryPool(session_->device, pool_, nullptr); }
    VulkanEvent(const VulkanEvent&) = delete;
    VulkanEvent& operator=(const VulkanEvent&) = delete;
    QueryPool pool() const { return pool_; }
    /// Ticks of the device's clock; waits for them.
    std::uint64_t ticks() const;

private:
    std::shared_ptr<Session> session_;
    QueryPool pool_ = nullptr;
};

/// Each piece of work waits for everything before it. It takes the next of a ring of command buffers and is submitted
/// at once; the pieces of a batch share command buffers, since a submission costs the host more than a short kernel
/// takes.
class VulkanQueue final : public Queue {
public:
    explicit VulkanQueue(std::shared_ptr<Session> session);
    ~VulkanQueue() override;
    VulkanQueue(const VulkanQueue&) = delete;
    VulkanQueue& operator=(const VulkanQueue&) = delete;

    void upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) override;
    void download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) override;
    void copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset,
              std::uint64_t bytes) override;
    void launch(const Launch& launch) override;
    void begin_batch() override { ++batches_; }
    void end_batch() override;
    void wait() override;
    std::shared_ptr<Event> record() override;
    double milliseconds(const Event& from, const Event& to) override;
    /// What is enqueued from now on begins when the caller's timeline semaphore has this value.
    void wait_for(Semaphore semaphore, Size value);
    /// The caller's timeline semaphore gets this value when all before has run.
    void signal(Semaphore semaphore, Size value);
    const Session& session() const { return *session_; }

private:
    struct Slot {
        CommandBuffer commands = nullptr;
        DescriptorPool descriptors = nullptr;  ///< Made for the first kernel that wants a set of them.
        Ticket ticket;
        bool in_flight = false;
        std::vector<std::shared_ptr<Event>> keeps;  ///< What the work needs until it is done.
    };

    void make_slot(Slot& slot);
    void make_descriptors(Slot& slot);
    void destroy();
    void wait_for(Slot& slot);
    /// The command buffer that is being recorded, else the next.
    Slot& open_slot();
    /// Records by `body` behind a barrier; outside a batch submits.
    template <class Body>
    Slot& enqueue(Body&& body);
    /// Submits what has been recorded.
    void flush();
    /// Memory that host and device see, at least so many bytes of it, with nothing under way.
    void* staging(std::size_t bytes);

    std::shared_ptr<Session> session_;
    Timeline timeline_;
    CommandPool pool_ = nullptr;
    std::vector<Slot> slots_;
    std::size_t next_ = 0;
    Slot* open_ = nullptr;  ///< Being recorded.
    std::size_t pieces_ = 0, batches_ = 0;
    std::unique_ptr<VulkanBuffer> staging_;
    void* staging_bytes_ = nullptr;
};

std::shared_ptr<Buffer> allocate_buffer(const std::shared_ptr<Session>& session, std::uint64_t bytes);
std::shared_ptr<Queue> make_queue(const std::shared_ptr<Session>& session);

}  // namespace seiche::runtime::vulkan
