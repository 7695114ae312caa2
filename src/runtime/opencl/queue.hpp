// OpenCL command queues and buffers, our own and the caller's.
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/opencl/device.hpp"

namespace seiche::runtime::opencl {

class OpenclBuffer final : public Buffer {
public:
    /// Takes over one reference.
    OpenclBuffer(std::shared_ptr<Session> session, Memory memory, std::uint64_t bytes)
        : session_(std::move(session)), memory_(memory), bytes_(bytes) {}
    ~OpenclBuffer() override { api().clReleaseMemObject(memory_); }
    OpenclBuffer(const OpenclBuffer&) = delete;
    OpenclBuffer& operator=(const OpenclBuffer&) = delete;

    std::uint64_t bytes() const override { return bytes_; }
    Memory memory() const { return memory_; }

private:
    std::shared_ptr<Session> session_;
    Memory memory_;
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
    void copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset,
              std::uint64_t bytes) override;
    void launch(const Launch& launch) override;
    void wait() override;
    std::shared_ptr<Event> record() override;
    double milliseconds(const Event& from, const Event& to) override;

    CommandQueue handle() const { return queue_; }

private:
    std::shared_ptr<Session> session_;
    CommandQueue queue_;
};

std::shared_ptr<Buffer> allocate_buffer(const std::shared_ptr<Session>& session, std::uint64_t bytes);
std::shared_ptr<Queue> make_queue(const std::shared_ptr<Session>& session);

}  // namespace seiche::runtime::opencl
