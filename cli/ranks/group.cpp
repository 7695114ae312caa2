#include "cli/ranks/group.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <thread>
#include <utility>

#include "seiche/distributed/ipc.hpp"
#include "seiche/distributed/mpi_abi.hpp"
#include "seiche/distributed/nccl.hpp"
#include "seiche/distributed/peers.hpp"
#include "seiche/error.hpp"

namespace seiche::cli {
namespace {

/// Peer copies of whole messages alone, so that they are packed as for other transports.
class WholeMessages final : public distributed::Peers {
public:
    explicit WholeMessages(std::shared_ptr<Peers> driver) : driver_(std::move(driver)) {}
    bool connects(const Device& one, const Device& other) override { return driver_->connects(one, other); }
    void connect(const Device& own, const Device& other) override { driver_->connect(own, other); }
    std::shared_ptr<Mark> make_mark(const Device& device) override { return driver_->make_mark(device); }
    void record(Queue& queue, Mark& mark) override { driver_->record(queue, mark); }
    void wait_for(Queue& queue, Mark& mark) override { driver_->wait_for(queue, mark); }
    void copy(Queue& queue, const BufferView& to, const BufferView& from, std::uint64_t bytes) override {
        driver_->copy(queue, to, from, bytes);
    }

private:
    std::shared_ptr<Peers> driver_;
};

/// The ranks, with the transport that was asked for where it needs the device.
std::shared_ptr<distributed::Communicator> with_transport(const RankGroup& group, const Device& device,
                                                          std::shared_ptr<distributed::Communicator> ranks) {
    if (group.transport == "nccl") return distributed::nccl_ranks(std::move(ranks), device, {group.nccl_library});
    if (group.transport == "ipc") return distributed::ipc_ranks(std::move(ranks), device);
    return ranks;
}

bool run_rank(const RankGroup& group, const std::string& program, const RankWork& work,
              std::shared_ptr<distributed::Communicator> ranks) {
    const int rank = ranks->rank();
    try {
        const std::string name =
            group.devices.empty() ? "" : group.devices[static_cast<std::size_t>(rank) % group.devices.size()];
        const Device device = Device::open(name);
        ranks = with_transport(group, device, std::move(ranks));
        work(ranks, device);
        return true;
    } catch (const std::exception& error) {
        std::cerr << program + ": rank " + std::to_string(rank) + ": " + error.what() + "\n";
        return false;
    }
}

}  // namespace

bool on_each_rank(const RankGroup& group, const std::string& program, const RankWork& work) {
    const auto limit = std::chrono::milliseconds(static_cast<std::int64_t>(1000 * group.time_limit));
    if (group.mpi) {
        if (group.transport == "peer")
            throw InvalidProblem("--transport peer: expected ranks that are threads, got --mpi");
        distributed::MessageOptions how;
        how.time_limit = limit;
        return run_rank(group, program, work, distributed::mpi::world(how, group.mpi_library));
    }
    distributed::ThreadOptions how;
    how.time_limit = limit;
    if (group.transport == "host") how.transport = distributed::Transport::host;
    if (group.transport == "peer") how.transport = distributed::Transport::peer;
    if (group.packed && how.peers) how.peers = std::make_shared<WholeMessages>(how.peers);
    auto ranks = distributed::thread_ranks(group.ranks, how);
    std::vector<char> right(ranks.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        threads.emplace_back([&, &is_right = right[i], own = std::move(ranks[i])]() mutable {
            is_right = run_rank(group, program, work, std::move(own));
        });
    for (std::thread& thread : threads) thread.join();
    return std::count(right.begin(), right.end(), 0) == 0;
}

}  // namespace seiche::cli
