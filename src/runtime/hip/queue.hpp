// HIP streams and memory, our own and the caller's.
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/hip/device.hpp"

namespace seiche::runtime::hip {

class HipBuffer final : public Buffer {
public:
    /// `owned`: freed at the end. The caller's memory is not.
    HipBuffer(int ordinal, Address address, std::uint64_t bytes, bool owned)
        : ordinal_(ordinal), address_(address), bytes_(bytes), owned_(owned) {}
    ~HipBuffer() override {
        if (owned_) api().hipFree(address_);
    }
    HipBuffer(const HipBuffer&) = delete;
    HipBuffer& operator=(const HipBuffer&) = delete;

    std::uint64_t bytes() const override { return bytes_; }
    Address address() const { return address_; }
    int ordinal() const { return ordinal_; }

private:
    int ordinal_;
    Address address_;
    std::uint64_t bytes_;
    bool owned_;
};

/// Pinned, for all cards.
class HipHostMemory final : public HostMemory {
public:
    HipHostMemory(void* data, std::uint64_t bytes) : data_(data), bytes_(bytes) {}
    ~HipHostMemory() override { api().hipHostFree(data_); }
    HipHostMemory(const HipHostMemory&) = delete;
    HipHostMemory& operator=(const HipHostMemory&) = delete;

    void* data() const override { return data_; }
    std::uint64_t bytes() const override { return bytes_; }

private:
    void* data_;
    std::uint64_t bytes_;
};

class HipEvent final : public Event {
public:
    explicit HipEvent(EventHandle event) : event_(event) {}
    ~HipEvent() override { api().hipEventDestroy(event_); }
    HipEvent(const HipEvent&) = delete;
    HipEvent& operator=(const HipEvent&) = delete;
    EventHandle handle() const { return event_; }

private:
    EventHandle event_;
};

class HipQueue final : public Queue {
public:
    /// `owned`: destroyed at the end. The caller's stream is not.
    HipQueue(int ordinal, Stream stream, bool owned) : ordinal_(ordinal), stream_(stream), owned_(owned) {}
    ~HipQueue() override {
        if (owned_) api().hipStreamDestroy(stream_);
    }
    HipQueue(const HipQueue&) = delete;
    HipQueue& operator=(const HipQueue&) = delete;

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

    /// By the caller's event, as it was last recorded on whatever stream.
    void wait_for(EventHandle event);
    void record(EventHandle event);

    Stream handle() const { return stream_; }

private:
    int ordinal_;
    Stream stream_;
    bool owned_;
};

std::shared_ptr<Buffer> allocate_buffer(int ordinal, std::uint64_t bytes);
std::shared_ptr<HostMemory> allocate_host_memory(int ordinal, std::uint64_t bytes);
std::shared_ptr<Queue> make_queue(int ordinal);

}  // namespace seiche::runtime::hip
