// CUDA streams and memory, our own and the caller's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "runtime/cuda/device.hpp"

namespace seiche::runtime::cuda {

class Repetition;

class CudaBuffer final : public Buffer {
public:
    /// `owned`: freed at the end. The caller's memory is not.
    CudaBuffer(std::shared_ptr<Session> session, Address address, std::uint64_t bytes, bool owned)
        : session_(std::move(session)), address_(address), bytes_(bytes), owned_(owned) {}
    /// Of addresses that show the same `period` bytes again and again; throws BackendError if that fails.
    static std::shared_ptr<CudaBuffer> repeating(const std::shared_ptr<Session>& session, std::uint64_t period,
                                                 std::uint64_t bytes);
    ~CudaBuffer() override;
    CudaBuffer(const CudaBuffer&) = delete;
    CudaBuffer& operator=(const CudaBuffer&) = delete;

    std::uint64_t bytes() const override { return bytes_; }
    Address address() const { return address_; }
    const Session& session() const { return *session_; }

private:
    std::shared_ptr<Session> session_;
    Address address_;
    std::uint64_t bytes_;
    bool owned_;
    std::shared_ptr<Repetition> repetition_;
};

/// What the period of repeated memory on a session's card must be a multiple of, in bytes.
std::uint64_t repetition_granularity(const Session& session);

/// Pinned, for all cards.
class CudaHostMemory final : public HostMemory {
public:
    CudaHostMemory(std::shared_ptr<Session> session, void* data, std::uint64_t bytes)
        : session_(std::move(session)), data_(data), bytes_(bytes) {}
    ~CudaHostMemory() override;
    CudaHostMemory(const CudaHostMemory&) = delete;
    CudaHostMemory& operator=(const CudaHostMemory&) = delete;

    void* data() const override { return data_; }
    std::uint64_t bytes() const override { return bytes_; }

private:
    std::shared_ptr<Session> session_;
    void* data_;
    std::uint64_t bytes_;
};

class CudaEvent final : public Event {
public:
    CudaEvent(std::shared_ptr<Session> session, EventHandle event) : session_(std::move(session)), event_(event) {}
    ~CudaEvent() override { api().cuEventDestroy(event_); }
    CudaEvent(const CudaEvent&) = delete;
    CudaEvent& operator=(const CudaEvent&) = delete;
    EventHandle handle() const { return event_; }

private:
    std::shared_ptr<Session> session_;
    EventHandle event_;
};

class CudaQueue final : public Queue {
public:
    /// `owned`: destroyed at the end. The caller's stream is not.
    CudaQueue(std::shared_ptr<Session> session, Stream stream, bool owned)
        : session_(std::move(session)), stream_(stream), owned_(owned) {}
    ~CudaQueue() override;
    CudaQueue(const CudaQueue&) = delete;
    CudaQueue& operator=(const CudaQueue&) = delete;

    void upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) override;
    void download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) override;
    void enqueue_upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) override;
    void enqueue_download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) override;
    void copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset,
              std::uint64_t bytes) override;
    void launch(const Launch& launch) override;
    /// The context stays current in between.
    void begin_batch() override;
    void end_batch() override;
    void wait() override;
    std::shared_ptr<Event> record() override;
    double milliseconds(const Event& from, const Event& to) override;

    /// What is enqueued from now on begins after what the event has last recorded.
    void wait_for(EventHandle event);
    /// The event, of the caller or of ours, records this point.
    void record(EventHandle event);

    Stream handle() const { return stream_; }

private:
    std::shared_ptr<Session> session_;
    Stream stream_;
    bool owned_;
    std::optional<Current> current_;  // of a batch
    unsigned batches_ = 0;
};

std::shared_ptr<Buffer> allocate_buffer(const std::shared_ptr<Session>& session, std::uint64_t bytes);
std::shared_ptr<HostMemory> allocate_host_memory(const std::shared_ptr<Session>& session, std::uint64_t bytes);
std::shared_ptr<Queue> make_queue(const std::shared_ptr<Session>& session);

}  // namespace seiche::runtime::cuda
