// Queues, buffers and events of the processor: every call has finished when it returns.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "runtime/backend.hpp"
#include "runtime/system.hpp"

namespace seiche::runtime::cpu {

/// Of a cache line, and of the widest vector.
inline constexpr std::align_val_t alignment{64};

struct FreeAligned {
    void operator()(std::byte* data) const { ::operator delete(data, alignment); }
};
using AlignedBytes = std::unique_ptr<std::byte[], FreeAligned>;

/// Memory of the host, zero at first; or the caller's, which is not freed.
class CpuBuffer final : public Buffer {
public:
    /// Throws BackendError if the host has not enough memory.
    explicit CpuBuffer(std::uint64_t bytes);
    CpuBuffer(void* data, std::uint64_t bytes) : data_(static_cast<std::byte*>(data)), bytes_(bytes) {}
    std::uint64_t bytes() const override { return bytes_; }
    std::byte* data() const { return data_; }

private:
    AlignedBytes small_;
    Pages large_;
    std::byte* data_ = nullptr;
    std::uint64_t bytes_;
};

class CpuEvent final : public Event {
public:
    std::chrono::steady_clock::time_point when = std::chrono::steady_clock::now();
};

/// Work runs in the calling thread and in those of threads.hpp, which have no order to keep: nothing is enqueued.
class CpuQueue final : public Queue {
public:
    bool survives_fork() const override { return true; }
    void upload(Buffer& to, std::uint64_t offset, const void* from, std::size_t bytes) override;
    void download(void* to, Buffer& from, std::uint64_t offset, std::size_t bytes) override;
    void copy(Buffer& to, std::uint64_t to_offset, Buffer& from, std::uint64_t from_offset,
              std::uint64_t bytes) override;
    void launch(const Launch& launch) override;
    void wait() override {}
    std::shared_ptr<Event> record() override { return std::make_shared<CpuEvent>(); }
    double milliseconds(const Event& from, const Event& to) override;
};

}  // namespace seiche::runtime::cpu
