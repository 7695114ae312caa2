// Peer copies between cards of CUDA. Where a card cannot access another's memory, the driver takes the copy by way of
// the host by itself, in the same order.
#include <memory>

#include "cuda_driver.hpp"
#include "cuda_mark.hpp"
#include "seiche/distributed/peers.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/untyped.hpp"

namespace seiche::distributed {

namespace {

using namespace cuda_driver;

class CudaPeers final : public Peers {
public:
    bool connects(const Device& one, const Device& other) override {
        return one.info().backend == Backend::cuda && other.info().backend == Backend::cuda;
    }
    void connect(const Device& own, const Device& other) override {
        const Context context = context_of(own), theirs = context_of(other);
        if (context == theirs) return;
        const int card = card_of(own), their_card = card_of(other);
        int can_access = 0;
        if (card != their_card) check(driver().can_access_peer(&can_access, card, their_card), "cuDeviceCanAccessPeer");
        if (can_access == 0) return;
        const Current current(context);
        const Result code = driver().enable_peer_access(theirs, 0);
        if (code != access_is_enabled) check(code, "cuCtxEnablePeerAccess");
    }
    std::shared_ptr<Mark> make_mark(const Device& device) override {
        return std::make_shared<CudaMark>(device, event_without_time);
    }
    void record(Queue& queue, Mark& mark) override { cuda::untyped::record(queue, event_of(mark)); }
    void wait_for(Queue& queue, Mark& mark) override { cuda::untyped::wait_for(queue, event_of(mark)); }
    void copy(Queue& queue, const BufferView& to, const BufferView& from, std::uint64_t bytes) override {
        queue.copy(to, from, bytes);
    }
    std::optional<std::uint64_t> shortest_row() const override { return shortest_fast_row; }
    void copy_rows(Queue& queue, const Device& to_device, const BufferView& to, const Device& from_device,
                   const BufferView& from, const Rows& rows) override {
        cuda_driver::copy_rows(queue, to_device, to, from_device, from, rows);
    }
};

}  // namespace

std::shared_ptr<Peers> cuda_peers() {
    if (!driver().problem.empty()) return nullptr;
    static const auto peers = std::make_shared<CudaPeers>();
    return peers;
}

}  // namespace seiche::distributed
