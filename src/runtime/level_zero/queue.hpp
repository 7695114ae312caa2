// Level Zero command lists, memory and events, our own and the caller's.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "runtime/level_zero/device.hpp"

namespace seiche::runtime::level_zero {

class LevelZeroBuffer final : public Buffer {
public:
    /// `owned`: freed at the end, when the queues' work is done. The caller's memory is not.
    LevelZeroBuffer(std::shared_ptr<Session> session, void* address, std::uint64_t bytes, bool owned)
        : session_(std::move(session)), address_(address), bytes_(bytes), owned_(owned) {}
    ~LevelZeroBuffer() override;
    LevelZeroBuffer(const LevelZeroBuffer&) = delete;
    LevelZeroBuffer& operator=(const LevelZeroBuffer&) = delete;

    std::uint64_t bytes() const override { return bytes_; }
    void* address() const { return address_; }
    const Session& session() const { return *session_; }

private:
    std::shared_ptr<Session> session_;
    void* address_;
    std::uint64_t bytes_;
    bool owned_;
};

/// An event that the host sees, in a pool of its own.
class LevelZeroEvent final : public Event {
public:
    /// `flags`: of the pool.
    LevelZeroEvent(std::shared_ptr<Session> session, Uint flags);
    ~LevelZeroEvent() override;
    LevelZeroEvent(const LevelZeroEvent&) = delete;
    LevelZeroEvent& operator=(const LevelZeroEvent&) = delete;
    EventHandle handle() const { return event_; }

private:
    std::shared_ptr<Session> session_;
    EventPool pool_ = nullptr;
    EventHandle event_ = nullptr;
};

/// Host memory that every device reaches, and that is free of work whenever it is given up.
class HostMemory {
public:
    HostMemory(std::shared_ptr<Session> session, std::size_t bytes);
    ~HostMemory() { api().zeMemFree(session_->context(), address_); }
    HostMemory(const HostMemory&) = delete;
    HostMemory& operator=(const HostMemory&) = delete;
    std::size_t bytes() const { return bytes_; }
    void* address() const { return address_; }

private:
    std::shared_ptr<Session> session_;
    void* address_ = nullptr;
    std::size_t bytes_;
};

/// Work on an immediate command list. A list has no order of its own, so that a barrier is before every command.
class LevelZeroQueue final : public Queue {
public:
    /// `owned`: destroyed at the end. The caller's list is not. Takes the list over even where it throws.
    LevelZeroQueue(std::shared_ptr<Session> session, CommandList list, bool owned);
    ~LevelZeroQueue() override;
    LevelZeroQueue(const LevelZeroQueue&) = delete;
    LevelZeroQueue& operator=(const LevelZeroQueue&) = delete;

    void upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) override;
    void download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) override;
    void copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset,
              std::uint64_t bytes) override;
    void launch(const Launch& launch) override;
    void wait() override;
    std::shared_ptr<Event> record() override;
    double milliseconds(const Event& from, const Event& to) override;

    CommandList handle() const { return list_; }
    /// Waits for what was enqueued, from whichever thread. Never throws.
    void settle() noexcept;

private:
    void finish();
    std::size_t stage(std::uint64_t bytes);

    std::shared_ptr<Session> session_;
    CommandList list_;
    bool owned_;
    std::mutex mutex_;      // of the list and of the event: another thread may give memory up meanwhile
    bool pending_ = false;  // something was enqueued that nobody has waited for
    std::unique_ptr<LevelZeroEvent> done_;
    std::unique_ptr<HostMemory> staging_;  // a device need not reach other memory of the host
};

/// Appends to any command list: a barrier, then the launch. Throws InvalidProblem for a plan or a buffer of another
/// device.
void append_launch(const Session& session, CommandList list, const Launch& launch);
void append_barrier(CommandList list, EventHandle signal = nullptr);

std::shared_ptr<Buffer> allocate_buffer(const std::shared_ptr<Session>& session, std::uint64_t bytes);
std::shared_ptr<Queue> make_queue(const std::shared_ptr<Session>& session);

}  // namespace seiche::runtime::level_zero
