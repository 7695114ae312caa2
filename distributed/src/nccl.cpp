// Ranks whose exchanges are NCCL's. Its functions are declared here, as NCCL 2.7 and later have them.
#include "seiche/distributed/nccl.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "agreement.hpp"
#include "cuda_driver.hpp"
#include "exchange_checks.hpp"
#include "loaded_library.hpp"
#include "seiche/distributed/messages.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/untyped.hpp"

namespace seiche::distributed {

namespace {

using Comm = struct NcclCommTag*;
struct UniqueId {
    char bytes[128] = {};
};
constexpr int bytes_type = 0;  // ncclInt8
/// Of one send: messages of more go in parts, which arrive in the order of the group.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

struct Nccl {
    int (*get_unique_id)(UniqueId*) = nullptr;
    int (*comm_init_rank)(Comm*, int, UniqueId, int) = nullptr;
    int (*comm_destroy)(Comm) = nullptr;
    int (*group_start)() = nullptr;
    int (*group_end)() = nullptr;
    int (*send)(const void*, std::size_t, int, int, Comm, void*) = nullptr;
    int (*receive)(void*, std::size_t, int, int, Comm, void*) = nullptr;
    const char* (*error_string)(int) = nullptr;

    explicit Nccl(const std::string& name) {
        LoadedLibrary library({name.empty() ? "libnccl.so.2" : name});
        library.find(get_unique_id, "ncclGetUniqueId");
        library.find(comm_init_rank, "ncclCommInitRank");
        library.find(comm_destroy, "ncclCommDestroy");
        library.find(group_start, "ncclGroupStart");
        library.find(group_end, "ncclGroupEnd");
        library.find(send, "ncclSend");
        library.find(receive, "ncclRecv");
        library.find(error_string, "ncclGetErrorString");
        if (!library.problem().empty()) throw Unsupported("nccl: expected NCCL 2.7 or newer, got " + library.problem());
    }

    void check(int code, const char* call, const char* hint = "") const {
        if (code == 0) return;
        const char* const text = error_string(code);
        throw BackendError("nccl: " + std::string(call) + " failed with " +
                           (text == nullptr ? "code " + std::to_string(code) : text) + hint);
    }
};

class NcclRank final : public Communicator {
public:
    NcclRank(std::shared_ptr<Communicator> ranks, Device device, NcclOptions options)
        : ranks_(std::move(ranks)), device_(std::move(device)), options_(std::move(options)) {}

    /// Apart from construction, so that what was made goes when a rank fails.
    void start() {
        UniqueId id;
        together(*ranks_, [&] {
            if (!device_ || device_.info().backend != Backend::cuda)
                throw Unsupported("nccl: expected a device of CUDA, got " +
                                  (device_ ? device_.info().name : std::string("none")));
            nccl_ = std::make_shared<const Nccl>(options_.library);
            if (rank() == 0) nccl_->check(nccl_->get_unique_id(&id), "ncclGetUniqueId");
        });
        const std::string first = ranks_->all_gather(std::string(id.bytes, sizeof(id.bytes))).front();
        first.copy(id.bytes, sizeof(id.bytes));
        together(*ranks_, [&] {
            const cuda_driver::Current current(cuda_driver::context_of(device_));
            nccl_->check(nccl_->comm_init_rank(&comm_, size(), id, rank()), "ncclCommInitRank",
                         ", expected a card of its own for each rank: NCCL_DEBUG=WARN says more");
        });
    }
    ~NcclRank() override {
        if (comm_ == nullptr) return;
        try {
            const cuda_driver::Current current(cuda_driver::context_of(device_));
            nccl_->comm_destroy(comm_);
        } catch (const Error&) {
            return;  // the context is gone, and NCCL's memory with it
        }
    }
    NcclRank(const NcclRank&) = delete;
    NcclRank& operator=(const NcclRank&) = delete;

    int rank() const override { return ranks_->rank(); }
    int size() const override { return ranks_->size(); }
    std::vector<std::string> all_gather(const std::string& own) override { return ranks_->all_gather(own); }
    void barrier() override { ranks_->barrier(); }
    std::string transport() const override { return "NCCL"; }

    void all_to_all_v(Queue& queue, const Exchange& exchange) override {
        const auto ranks = static_cast<std::size_t>(size()), own = static_cast<std::size_t>(rank());
        check_exchange(exchange, ranks);
        check_agreement(own, exchange.send_bytes[own], own, exchange.receive_bytes[own]);
        const auto address = [](const BufferView& view, std::uint64_t offset) {
            // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's addresses are numbers
            return reinterpret_cast<void*>(cuda::untyped::address(view.buffer) + view.byte_offset + offset);
        };
        void* const stream = cuda::untyped::stream(queue);
        const cuda_driver::Current current(cuda_driver::context_of(device_));
        nccl_->check(nccl_->group_start(), "ncclGroupStart");
        int code = 0;
        for (std::size_t i = 1; i < ranks && code == 0; ++i) {
            const std::size_t to = (own + i) % ranks, from = (own + ranks - i) % ranks;
            for_parts(exchange.send_bytes[to], most_bytes, [&](std::uint64_t offset, std::uint64_t bytes) {
                if (code == 0)
                    code =
                        nccl_->send(address(exchange.send, exchange.send_offsets[to] + offset),
                                    static_cast<std::size_t>(bytes), bytes_type, static_cast<int>(to), comm_, stream);
            });
            for_parts(exchange.receive_bytes[from], most_bytes, [&](std::uint64_t offset, std::uint64_t bytes) {
                if (code == 0)
                    code = nccl_->receive(address(exchange.receive, exchange.receive_offsets[from] + offset),
                                          static_cast<std::size_t>(bytes), bytes_type, static_cast<int>(from), comm_,
                                          stream);
            });
        }
        const int end = nccl_->group_end();  // also after a failure: groups are the thread's
        nccl_->check(code, "ncclSend or ncclRecv");
        nccl_->check(end, "ncclGroupEnd");
        keep_own(queue, exchange, own);
    }

    std::shared_ptr<Communicator> split(int color, int key) override {
        std::shared_ptr<Communicator> group = ranks_->split(color, key);
        return group ? nccl_ranks(std::move(group), device_, options_) : nullptr;
    }

private:
    static void keep_own(Queue& queue, const Exchange& exchange, std::size_t own) {
        if (exchange.send_bytes[own] == 0) return;
        BufferView source = exchange.send, target = exchange.receive;
        source.byte_offset += exchange.send_offsets[own];
        target.byte_offset += exchange.receive_offsets[own];
        queue.copy(target, source, exchange.send_bytes[own]);
    }

    std::shared_ptr<Communicator> ranks_;
    Device device_;
    NcclOptions options_;
    std::shared_ptr<const Nccl> nccl_;
    Comm comm_ = nullptr;
};

}  // namespace

std::shared_ptr<Communicator> nccl_ranks(std::shared_ptr<Communicator> ranks, const Device& device,
                                         const NcclOptions& options) {
    if (!ranks) throw InvalidProblem("nccl: expected ranks, got none");
    auto own = std::make_shared<NcclRank>(std::move(ranks), device, options);
    own->start();
    return own;
}

}  // namespace seiche::distributed
