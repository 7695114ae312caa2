// OpenCL command queues and buffers, our own and the caller's.
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/opencl/device.hpp"
#include "runtime/opencl/pointers.hpp"

namespace seiche::runtime::opencl {

class OpenclBuffer final : public Buffer {
public:
    /// Takes over one reference.
    OpenclBuffer(std::shared_ptr<Session> session, Memory memory, std::uint64_t bytes)
        : session_(std::move(session)), memory_(memory), bytes_(bytes) {}
    /// The caller's, and not freed.
    OpenclBuffer(std::shared_ptr<Session> session, Place place, void* address, std::uint64_t bytes,
                 const UsmApi& usm = {})
        : session_(std::move(session)),
          place_(place),
          address_(static_cast<std::byte*>(address)),
          usm_(usm),
          bytes_(bytes) {}
    ~OpenclBuffer() override {
        if (memory_ != nullptr) api().clReleaseMemObject(memory_);
    }
    OpenclBuffer(const OpenclBuffer&) = delete;
    OpenclBuffer& operator=(const OpenclBuffer&) = delete;

    std::uint64_t bytes() const override { return bytes_; }
    const Session& session() const { return *session_; }
    Place place() const { return place_; }
    Memory memory() const { return memory_; }        ///< Of an object; else null.
    std::byte* address() const { return address_; }  ///< Of the others; else null.
    const UsmApi& usm() const { return usm_; }

private:
    std::shared_ptr<Session> session_;
    Place place_ = Place::object;
    Memory memory_ = nullptr;
    std::byte* address_ = nullptr;
    UsmApi usm_;
    std::uint64_t bytes_;
};

/// A buffer in memory that the driver chose on the host (CL_MEM_ALLOC_HOST_PTR), mapped as long as it lives: what
/// drivers of GPUs copy from and to without a detour.
class OpenclHostMemory final : public HostMemory {
public:
    OpenclHostMemory(std::shared_ptr<Session> session, std::uint64_t bytes);
    ~OpenclHostMemory() override;
    OpenclHostMemory(const OpenclHostMemory&) = delete;
    OpenclHostMemory& operator=(const OpenclHostMemory&) = delete;

    void* data() const override { return data_; }
    std::uint64_t bytes() const override { return bytes_; }

private:
    std::shared_ptr<Session> session_;
    CommandQueue queue_ = nullptr;
    Memory memory_ = nullptr;
    void* data_ = nullptr;
    std::uint64_t bytes_;
};

class OpenclEvent final : public Event {
public:
    explicit OpenclEvent(EventHandle event) : event_(event) {}
    ~OpenclEvent() override { api().clReleaseEvent(event_); }
    OpenclEvent(const OpenclEvent&) = delete;
    OpenclEvent& operator=(const OpenclEvent&) = delete;
    EventHandle handle() const { return event_; }

private:
    EventHandle event_;
};

class OpenclQueue final : public Queue {
public:
    /// Takes over one reference.
    OpenclQueue(std::shared_ptr<Session> session, CommandQueue queue) : session_(std::move(session)), queue_(queue) {}
    ~OpenclQueue() override;
    OpenclQueue(const OpenclQueue&) = delete;
    OpenclQueue& operator=(const OpenclQueue&) = delete;

    void upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) override;
    void download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) override;
    void enqueue_upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) override;
    void enqueue_download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) override;
    void copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset,
              std::uint64_t bytes) override;
    void launch(const Launch& launch) override;
    void wait() override;
    std::shared_ptr<Event> record() override;
    double milliseconds(const Event& from, const Event& to) override;

    /// What is enqueued from now on begins after these events of the same context.
    void wait_for(Uint count, const EventHandle* events);
    /// Complete when all before is; the caller's to release.
    EventHandle mark();

    CommandQueue handle() const { return queue_; }
    const std::shared_ptr<Session>& session() const { return session_; }

private:
    void write(const OpenclBuffer& to, std::uint64_t offset, const void* from, std::size_t bytes, bool waits);
    void read(void* to, const OpenclBuffer& from, std::uint64_t offset, std::size_t bytes, bool waits);
    void copy_mapped(const OpenclBuffer& to, std::uint64_t to_offset, const OpenclBuffer& from,
                     std::uint64_t from_offset, std::size_t bytes);

    std::shared_ptr<Session> session_;
    CommandQueue queue_;
};

std::shared_ptr<Buffer> allocate_buffer(const std::shared_ptr<Session>& session, std::uint64_t bytes);
std::shared_ptr<HostMemory> allocate_host_memory(const std::shared_ptr<Session>& session, std::uint64_t bytes);
std::shared_ptr<Queue> make_queue(const std::shared_ptr<Session>& session);

}  // namespace seiche::runtime::opencl
