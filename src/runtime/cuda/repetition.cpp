// Memory that is mapped to many addresses, one after the other.
#include <algorithm>

#include "runtime/cuda/queue.hpp"

namespace seiche::runtime::cuda {

namespace {

MemoryProperties properties_on(const Session& session) {
    MemoryProperties properties;
    properties.location.ordinal = session.ordinal;
    return properties;
}

}  // namespace

/// Some memory, and the addresses at which it is. Neither is of a context.
class Repetition {
public:
    Repetition(std::shared_ptr<Session> session, std::uint64_t period, std::uint64_t bytes)
        : session_(std::move(session)), bytes_((std::max(bytes, period) + period - 1) / period * period) {
        try {
            map(period);
        } catch (...) {
            give_back();
            throw;
        }
    }
    ~Repetition() { give_back(); }
    Repetition(const Repetition&) = delete;
    Repetition& operator=(const Repetition&) = delete;
    Address address() const { return address_; }

private:
    void map(std::uint64_t period) {
        const MemoryProperties properties = properties_on(*session_);
        check(api().cuMemCreate(&handle_, period, &properties, 0), "cuMemCreate", std::to_string(period) + " bytes");
        has_memory_ = true;
        const std::string all = std::to_string(bytes_) + " bytes of addresses";
        check(api().cuMemAddressReserve(&address_, bytes_, 0, 0, 0), "cuMemAddressReserve", all);
        for (; mapped_ < bytes_; mapped_ += period)
            check(api().cuMemMap(address_ + mapped_, period, 0, handle_, 0), "cuMemMap", all);
        MemoryAccess access;
        access.location.ordinal = session_->ordinal;
        check(api().cuMemSetAccess(address_, bytes_, &access, 1), "cuMemSetAccess", all);
    }

    void give_back() {
        if (mapped_ != 0) api().cuMemUnmap(address_, mapped_);
        if (address_ != 0) api().cuMemAddressFree(address_, bytes_);
        if (has_memory_) api().cuMemRelease(handle_);
    }

    std::shared_ptr<Session> session_;
    std::uint64_t bytes_, mapped_ = 0;
    MemoryHandle handle_ = 0;
    Address address_ = 0;
    bool has_memory_ = false;
};

std::shared_ptr<CudaBuffer> CudaBuffer::repeating(const std::shared_ptr<Session>& session, std::uint64_t period,
                                                  std::uint64_t bytes) {
    auto repetition = make_owned<Repetition>(session, period, bytes);
    auto buffer = make_owned<CudaBuffer>(session, repetition->address(), bytes, false);
    buffer->repetition_ = std::move(repetition);
    return buffer;
}

std::uint64_t repetition_granularity(const Session& session) {
    const MemoryProperties properties = properties_on(session);
    std::size_t bytes = 0;
    check(api().cuMemGetAllocationGranularity(&bytes, &properties, 0), "cuMemGetAllocationGranularity");
    return bytes;
}

}  // namespace seiche::runtime::cuda
