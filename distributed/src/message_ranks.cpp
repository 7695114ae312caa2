// Ranks that are processes: exchanges of messages that are started together and waited for with a time limit. Messages
// from rank to rank, and no collective operation, since only so it is known which rank is missing.
#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <utility>

#include "exchange_checks.hpp"
#include "seiche/distributed/messages.hpp"
#include "seiche/interop/cpu.hpp"
#include "seiche/interop/untyped.hpp"

namespace seiche::distributed {

namespace {

using Clock = std::chrono::steady_clock;
using Bytes = std::vector<std::byte>;

/// One for all groups: every call waits for its messages, and two ranks make their calls in the same order.
constexpr int message_tag = 0;

/// The messages and the state that all groups of these processes share.
struct World {
    std::shared_ptr<Messages> messages;
    MessageOptions options;
    int absent = -1;  ///< In the numbers of `messages`.
    std::string failure;

    /// A message under way, the rank at its other end, and what has to live as long.
    struct Message {
        std::unique_ptr<Messages::Request> request;
        int partner = 0;
    };
};

/// What is under way when a rank is missed may be read or written by the messages at any time after: it is never freed.
template <class... T>
void keep_forever(T&&... values) {
    static std::mutex mutex;
    static auto* const kept = new std::vector<std::shared_ptr<void>>;
    const std::lock_guard lock(mutex);
    (kept->push_back(std::make_shared<std::decay_t<T>>(std::forward<T>(values))), ...);
}

/// The address of the view where messages reach it, or null.
std::byte* address(const Exchange& exchange, const BufferView& view, bool reads_device_memory) {
    std::byte* start = nullptr;
    if (!view.buffer) return nullptr;
    switch (exchange.device.info().backend) {
        case Backend::cpu: start = static_cast<std::byte*>(cpu::data(view.buffer)); break;
        case Backend::cuda:
            // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's addresses are numbers
            if (reads_device_memory) start = reinterpret_cast<std::byte*>(cuda::untyped::address(view.buffer));
            break;
        case Backend::hip:
            if (reads_device_memory) start = static_cast<std::byte*>(hip::untyped::address(view.buffer));
            break;
        default: break;
    }
    return start == nullptr ? nullptr : start + view.byte_offset;
}

/// The end of the last part.
std::uint64_t extent(const std::vector<std::uint64_t>& offsets, const std::vector<std::uint64_t>& bytes) {
    std::uint64_t end = 0;
    for (std::size_t rank = 0; rank < bytes.size(); ++rank)
        if (bytes[rank] != 0) end = std::max(end, offsets[rank] + bytes[rank]);
    return end;
}

class MessageRank final : public Communicator {
public:
    MessageRank(std::shared_ptr<World> world, std::vector<int> members, std::size_t rank)
        : world_(std::move(world)), members_(std::move(members)), rank_(rank) {}

    int rank() const override { return static_cast<int>(rank_); }
    int size() const override { return static_cast<int>(members_.size()); }

    void all_to_all_v(Queue& queue, const Exchange& exchange) override {
        check_exchange(exchange, members_.size());
        check_agreement(rank_, exchange.send_bytes[rank_], rank_, exchange.receive_bytes[rank_]);
        const std::uint64_t sent = extent(exchange.send_offsets, exchange.send_bytes),
                            received = extent(exchange.receive_offsets, exchange.receive_bytes);
        const bool direct = world_->options.reads_device_memory;
        std::byte *from = address(exchange, exchange.send, direct), *to = address(exchange, exchange.receive, direct);
        queue.wait();
        transport_ = (from == nullptr && sent != 0) || (to == nullptr && received != 0)
                         ? "messages of the host's memory"
                         : "messages of device memory";
        Bytes sent_host, received_host;
        if (from == nullptr && sent != 0) {
            sent_host.resize(static_cast<std::size_t>(sent));
            queue.download(sent_host.data(), exchange.send, sent_host.size());
            from = sent_host.data();
        }
        const bool is_staged = to == nullptr && received != 0;
        if (is_staged) {
            received_host.resize(static_cast<std::size_t>(received));
            to = received_host.data();
        }
        if (world_->absent >= 0) fail();
        std::vector<World::Message> messages;
        const bool is_started = start(messages, exchange, from, to);
        if (is_started && exchange.send_bytes[rank_] != 0) keep_own(queue, exchange, from, to, is_staged);
        if (!is_started || !wait(messages)) {
            keep_forever(std::move(messages), std::move(sent_host), std::move(received_host), exchange);
            fail();
        }
        if (is_staged) upload(queue, exchange, to);
    }

    std::string transport() const override { return transport_; }

    std::vector<std::string> all_gather(const std::string& own) override {
        std::vector<std::uint64_t> sizes(members_.size(), own.size());
        gather(sizes, Mine(&sizes[rank_], sizeof(sizes[rank_])),
               [&](std::size_t rank) { return Theirs(&sizes[rank], sizeof(sizes[rank])); });
        std::vector<std::string> texts(members_.size());
        for (std::size_t rank = 0; rank < texts.size(); ++rank)
            texts[rank].resize(static_cast<std::size_t>(sizes[rank]));
        texts[rank_] = own;
        gather(texts, Mine(texts[rank_].data(), own.size()),
               [&](std::size_t rank) { return Theirs(texts[rank].data(), texts[rank].size()); });
        return texts;
    }

    std::shared_ptr<Communicator> split(int color, int key) override {
        const std::vector<std::size_t> places = members_of_split(*this, color, key);
        if (color < 0) return nullptr;
        std::vector<int> members;
        members.reserve(places.size());
        for (const std::size_t place : places) members.push_back(members_[place]);
        const auto own = static_cast<std::size_t>(std::find(places.begin(), places.end(), rank_) - places.begin());
        return std::make_shared<MessageRank>(world_, std::move(members), own);
    }

private:
    using Mine = std::pair<const void*, std::size_t>;
    using Theirs = std::pair<void*, std::size_t>;

    [[noreturn]] void fail() const {
        const auto place = std::find(members_.begin(), members_.end(), world_->absent);
        throw AbsentRank(place == members_.end() ? -1 : static_cast<int>(place - members_.begin()), world_->failure);
    }

    /// Starts a message. False, with the failure in the world, if that cannot be done.
    template <class Start>
    bool post(std::vector<World::Message>& messages, std::size_t partner, const Start& start) {
        try {
            messages.push_back({start(members_[partner]), members_[partner]});
            return true;
        } catch (const Error& error) {
            return miss({members_[partner]}, error.reason());
        }
    }

    bool start(std::vector<World::Message>& messages, const Exchange& exchange, const std::byte* from, std::byte* to) {
        Messages& world = *world_->messages;
        // Each begins with the next rank, so that not all send to the same one at first.
        for (std::size_t i = 1; i < members_.size(); ++i) {
            const std::size_t source = (rank_ + members_.size() - i) % members_.size();
            const std::uint64_t bytes = exchange.receive_bytes[source];
            std::byte* const room = to + exchange.receive_offsets[source];
            if (bytes != 0 &&
                !post(messages, source, [&](int rank) { return world.receive(room, bytes, rank, message_tag); }))
                return false;
        }
        for (std::size_t i = 1; i < members_.size(); ++i) {
            const std::size_t target = (rank_ + i) % members_.size();
            const std::uint64_t bytes = exchange.send_bytes[target];
            const std::byte* const data = from + exchange.send_offsets[target];
            if (bytes != 0 &&
                !post(messages, target, [&](int rank) { return world.send(data, bytes, rank, message_tag); }))
                return false;
        }
        return true;
    }

    /// What this rank has for itself.
    void keep_own(Queue& queue, const Exchange& exchange, const std::byte* from, std::byte* to, bool is_staged) {
        if (from == nullptr || to == nullptr) return;  // a rank that sends or receives nothing
        if (is_staged) {
            std::memcpy(to + exchange.receive_offsets[rank_], from + exchange.send_offsets[rank_],
                        static_cast<std::size_t>(exchange.send_bytes[rank_]));
            return;
        }
        BufferView source = exchange.send, target = exchange.receive;
        source.byte_offset += exchange.send_offsets[rank_];
        target.byte_offset += exchange.receive_offsets[rank_];
        queue.copy(target, source, exchange.send_bytes[rank_]);
    }

    void upload(Queue& queue, const Exchange& exchange, const std::byte* from) {
        for (std::size_t rank = 0; rank < members_.size(); ++rank) {
            if (exchange.receive_bytes[rank] == 0) continue;
            BufferView target = exchange.receive;
            target.byte_offset += exchange.receive_offsets[rank];
            queue.upload(target, from + exchange.receive_offsets[rank],
                         static_cast<std::size_t>(exchange.receive_bytes[rank]));
        }
    }

    /// False, with the failure in the world, if not all are done in time.
    bool wait(std::vector<World::Message>& messages) {
        const Clock::time_point end = Clock::now() + world_->options.time_limit;
        std::string error;
        for (unsigned round = 0; !messages.empty(); ++round) {
            bool has_moved = false;
            for (std::size_t i = 0; i < messages.size();) {
                bool is_done = false;
                try {
                    is_done = messages[i].request->is_done();
                } catch (const Error& e) {
                    return miss({messages[i].partner}, e.reason());
                }
                has_moved = has_moved || is_done;
                if (is_done)
                    messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(i));
                else
                    ++i;
            }
            if (messages.empty()) break;
            if (Clock::now() > end) {
                std::set<int> missing;
                for (const World::Message& message : messages) missing.insert(message.partner);
                return miss(missing, {});
            }
            if (has_moved) round = 0;
            // Messages move while they are asked for: a while without a pause, then the processor is others' too.
            if (round > 2000)
                std::this_thread::sleep_for(std::chrono::microseconds(50));
            else if (round > 100)
                std::this_thread::yield();
        }
        return true;
    }

    bool miss(const std::set<int>& missing, const std::string& reason) {
        world_->absent = *missing.begin();
        world_->messages->abandon();
        std::string ranks;
        for (const int rank : missing) ranks += (ranks.empty() ? "" : ", ") + std::to_string(rank);
        world_->failure = std::string("messages: rank") + (missing.size() > 1 ? "s " : " ") + ranks + " of " +
                          std::to_string(world_->messages->size()) +
                          (reason.empty() ? " did not answer within " + seconds(world_->options.time_limit)
                                          : " cannot be reached: " + reason);
        return false;
    }

    /// Sends the others what `mine` says, and receives from each where `theirs` says. `keeps` is what both point into.
    template <class Keeps, class Room>
    void gather(Keeps& keeps, const Mine& mine, const Room& theirs) {
        if (world_->absent >= 0) fail();
        Messages& world = *world_->messages;
        std::vector<World::Message> messages;
        bool is_sound = true;
        for (std::size_t rank = 0; is_sound && rank < members_.size(); ++rank) {
            const auto [room, bytes] = theirs(rank);
            if (rank == rank_ || bytes == 0) continue;
            is_sound = post(messages, rank, [&, to = room, count = bytes](int from) {
                return world.receive(to, count, from, message_tag);
            });
        }
        for (std::size_t rank = 0; is_sound && rank < members_.size(); ++rank) {
            const auto [data, bytes] = mine;
            if (rank == rank_ || bytes == 0) continue;
            is_sound = post(messages, rank, [&, from = data, count = bytes](int to) {
                return world.send(from, count, to, message_tag);
            });
        }
        if (is_sound && wait(messages)) return;
        keep_forever(std::move(messages), std::move(keeps));
        fail();
    }

    std::shared_ptr<World> world_;
    std::vector<int> members_;  ///< Their ranks among those of the messages.
    std::size_t rank_;
    std::string transport_;
};

}  // namespace

std::shared_ptr<Communicator> communicator(std::shared_ptr<Messages> messages, const MessageOptions& options) {
    if (!messages) throw InvalidProblem("communicator: expected messages, got none");
    const auto world = std::make_shared<World>();
    world->messages = std::move(messages);
    world->options = options;
    std::vector<int> members(static_cast<std::size_t>(world->messages->size()));
    std::iota(members.begin(), members.end(), 0);
    const int rank = world->messages->rank();
    return std::make_shared<MessageRank>(world, std::move(members), static_cast<std::size_t>(rank));
}

}  // namespace seiche::distributed
