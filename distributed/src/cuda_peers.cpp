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

class CudaPeers final : public CudaMarks<Peers> {
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
};

}  // namespace

std::shared_ptr<Peers> cuda_peers() {
    if (!driver().problem.empty()) return nullptr;
    static const auto peers = std::make_shared<CudaPeers>();
    return peers;
}

}  // namespace seiche::distributed
