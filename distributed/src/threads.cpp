// Ranks that are threads of one process. They meet in each call when all have said where their data is, and when all
// have taken what they need of the others': have copied it, or have enqueued that in their queues.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "exchange_checks.hpp"
#include "seiche/distributed/communicator.hpp"
#include "seiche/distributed/peers.hpp"

namespace seiche::distributed {

namespace {

using Clock = std::chrono::steady_clock;

/// What a rank has for the others. Its marks stand for "the bytes to send are written" and "what this rank takes of
/// others is copied".
struct Offer {
    Exchange exchange;
    std::shared_ptr<Peers::Mark> written, taken;
};
using Offers = std::vector<std::shared_ptr<const Offer>>;

/// What the ranks of one group share.
struct Group {
    Group(std::size_t count, ThreadOptions how)
        : options(std::move(how)), arrivals(count), has_left(count), offers(count), texts(count) {}

    const ThreadOptions options;
    std::mutex mutex;
    std::condition_variable change;
    std::vector<std::atomic<std::uint64_t>> arrivals;  ///< How often each rank has come to a meeting.
    std::vector<char> has_left;                        ///< Its communicator is gone.
    int absent = -1;                                   ///< The rank that was missed first.
    std::string failure;                               ///< Empty as long as nobody is missed.
    // Written by a rank before a meeting, read by the others after it.
    Offers offers;
    std::vector<std::string> texts;
    /// The groups that were split off: by the number of the meeting and the color.
    std::map<std::pair<std::uint64_t, int>, std::weak_ptr<Group>> children;

    std::size_t size() const { return arrivals.size(); }
};

class ThreadRank final : public Communicator {
public:
    ThreadRank(std::shared_ptr<Group> group, std::size_t rank) : group_(std::move(group)), rank_(rank) {}

    ~ThreadRank() override {
        const std::lock_guard lock(group_->mutex);
        group_->has_left[rank_] = 1;
        group_->change.notify_all();
    }

    int rank() const override { return static_cast<int>(rank_); }
    int size() const override { return static_cast<int>(group_->size()); }

    void all_to_all_v(Queue& queue, const Exchange& exchange) override {
        check_exchange(exchange, group_->size());
        group_->offers[rank_] = make_offer(queue, exchange);
        meet("exchange");
        // Ranks may be at their next exchange while this one still needs what they said in this one.
        const Offers offers = group_->offers;
        const bool by_peers = use_peers(offers);
        transport_ = by_peers ? "peer copies" : "the host's memory";
        if (!by_peers) {
            queue.wait();  // the others read what was enqueued
            meet("exchange");
        }
        std::exception_ptr failure;  // thrown when nobody reads what was offered here any more
        const auto guarded = [&](const auto& work) {
            try {
                work();
            } catch (...) {
                if (!failure) failure = std::current_exception();
            }
        };
        guarded([&] { by_peers ? enqueue_all(queue, offers) : take_all(queue, offers); });
        // Also after a failure: copies that were enqueued read the others' buffers.
        if (by_peers) guarded([&] { peers().record(queue, *offers[rank_]->taken); });
        meet("exchange");
        if (by_peers) guarded([&] { wait_for_takers(queue, offers); });
        if (failure) std::rethrow_exception(failure);
    }

    std::string transport() const override { return transport_; }
    std::optional<std::uint64_t> shortest_row(const Device& device) const override {
        const ThreadOptions& how = group_->options;
        if (how.transport == Transport::host || !how.peers || !how.peers->connects(device, device)) return {};
        return how.peers->shortest_row();
    }
    std::shared_ptr<Marks> marks(const Device& device) const override {
        return shortest_row(device) ? group_->options.peers : nullptr;
    }

    std::vector<std::string> all_gather(const std::string& own) override {
        group_->texts[rank_] = own;
        meet("all-gather");
        std::vector<std::string> texts = group_->texts;
        meet("all-gather");
        return texts;
    }

    std::shared_ptr<Communicator> split(int color, int key) override {
        const std::vector<std::size_t> members = members_of_split(*this, color, key);
        const std::uint64_t meeting = group_->arrivals[rank_];
        std::shared_ptr<Group> child;
        if (color >= 0) {
            const std::lock_guard lock(group_->mutex);
            std::weak_ptr<Group>& known = group_->children[{meeting, color}];
            child = known.lock();
            if (!child) known = child = std::make_shared<Group>(members.size(), group_->options);
        }
        meet("split");  // nobody goes on, and perhaps ends, before all have the group
        if (!child) return nullptr;
        const auto own = std::find(members.begin(), members.end(), rank_);
        return std::make_shared<ThreadRank>(child, static_cast<std::size_t>(own - members.begin()));
    }

private:
    /// Of one device that this rank has come with.
    struct OwnMarks {
        Device device;
        std::shared_ptr<Peers::Mark> written, taken;
    };

    void fail() const { throw AbsentRank(group_->absent, group_->failure); }

    /// Ranks come shortly after each other as a rule, and to wake a thread takes longer than what it has to do. Whether
    /// all have come within a moment.
    bool come_soon(std::uint64_t meeting) const {
        const Clock::time_point end = Clock::now() + std::chrono::microseconds(50);
        do {
            if (std::all_of(group_->arrivals.begin(), group_->arrivals.end(),
                            [&](const auto& arrivals) { return arrivals >= meeting; }))
                return true;
            std::this_thread::yield();
        } while (Clock::now() < end);
        return false;
    }

    /// Waits until all ranks have come as often as this one.
    void meet(const char* call) {
        std::unique_lock lock(group_->mutex);
        if (group_->absent >= 0) fail();
        const std::uint64_t meeting = ++group_->arrivals[rank_];
        group_->change.notify_all();
        lock.unlock();
        if (come_soon(meeting)) return;
        lock.lock();
        const auto is_late = [&](std::size_t rank) { return group_->arrivals[rank] < meeting; };
        const auto first = [&](bool gone) {
            for (std::size_t rank = 0; rank < group_->size(); ++rank)
                if (is_late(rank) && (!gone || group_->has_left[rank])) return static_cast<int>(rank);
            return -1;
        };
        const bool in_time = group_->change.wait_until(lock, Clock::now() + group_->options.time_limit, [&] {
            return group_->absent >= 0 || first(true) >= 0 || first(false) < 0;
        });
        if (group_->absent < 0) {
            if (first(false) < 0) return;
            group_->absent = in_time ? first(true) : first(false);
            const std::string who =
                std::string(call) + ": rank " + std::to_string(group_->absent) + " of " + std::to_string(size());
            group_->failure = in_time ? who + " has ended, expected it to take part"
                                      : who + " did not come within " + seconds(group_->options.time_limit);
            group_->change.notify_all();
        }
        fail();
    }

    Peers& peers() const { return *group_->options.peers; }

    std::shared_ptr<const Offer> make_offer(Queue& queue, const Exchange& exchange) {
        const auto offer = std::make_shared<Offer>();
        offer->exchange = exchange;
        const ThreadOptions& how = group_->options;
        if (how.transport == Transport::host || !how.peers || !how.peers->connects(exchange.device, exchange.device))
            return offer;
        const OwnMarks& own = marks_of(exchange.device);
        offer->written = own.written;
        offer->taken = own.taken;
        peers().record(queue, *offer->written);
        return offer;
    }

    /// Made when the rank first comes with this device.
    const OwnMarks& marks_of(const Device& device) {
        for (const OwnMarks& own : marks_)
            if (own.device.impl() == device.impl()) return own;
        return marks_.emplace_back(OwnMarks{device, peers().make_mark(device), peers().make_mark(device)});
    }

    /// The same on all ranks.
    bool use_peers(const Offers& offers) const {
        const Transport transport = group_->options.transport;
        if (transport == Transport::host) return false;
        for (std::size_t rank = 0; rank < offers.size(); ++rank) {
            if (offers[rank]->written && peers().connects(offers[0]->exchange.device, offers[rank]->exchange.device))
                continue;
            if (transport == Transport::automatic) return false;
            throw Unsupported("transport: expected devices that copy from each other's memory on all ranks, got " +
                              offers[rank]->exchange.device.info().name + " on rank " + std::to_string(rank));
        }
        return true;
    }

    /// Every rank checks all, so that all of them throw.
    static void check_all(const Offers& offers) {
        for (std::size_t from = 0; from < offers.size(); ++from)
            for (std::size_t to = 0; to < offers.size(); ++to)
                check_agreement(from, offers[from]->exchange.send_bytes[to], to,
                                offers[to]->exchange.receive_bytes[from]);
    }

    /// Where `from` has the bytes for this rank, and where they go.
    std::pair<BufferView, BufferView> views(const Offers& offers, std::size_t from) const {
        BufferView source = offers[from]->exchange.send, target = offers[rank_]->exchange.receive;
        source.byte_offset += offers[from]->exchange.send_offsets[rank_];
        target.byte_offset += offers[rank_]->exchange.receive_offsets[from];
        return {source, target};
    }

    /// Begins with the next rank, so that not all read from the same one at first.
    void enqueue_all(Queue& queue, const Offers& offers) {
        check_all(offers);
        const Exchange& own = offers[rank_]->exchange;
        for (std::size_t i = 1; i <= offers.size(); ++i) {
            const std::size_t from = (rank_ + i) % offers.size();
            if (own.receive_bytes[from] == 0) continue;
            if (from != rank_) {
                connect(own.device, offers[from]->exchange.device);
                peers().wait_for(queue, *offers[from]->written);
            }
            enqueue_copies(queue, offers, from);
        }
    }

    void enqueue_copies(Queue& queue, const Offers& offers, std::size_t from) {
        const Exchange &own = offers[rank_]->exchange, &other = offers[from]->exchange;
        if (own.rows.empty()) {
            const auto [source, target] = views(offers, from);
            peers().copy(queue, target, source, own.receive_bytes[from]);
        }
        for (std::size_t i = 0; !own.rows.empty() && i < own.rows[from].size(); ++i)
            peers().copy_rows(queue, own.device, own.receive, other.device, other.send, own.rows[from][i]);
    }

    void connect(const Device& own, const Device& other) {
        for (const auto& [one, another] : connected_)
            if (one.impl() == own.impl() && another.impl() == other.impl()) return;
        peers().connect(own, other);
        connected_.emplace_back(own, other);
    }

    /// This rank's queue goes on, and may write what it sent, when the others have copied it.
    void wait_for_takers(Queue& queue, const Offers& offers) {
        for (std::size_t to = 0; to < offers.size(); ++to)
            if (to != rank_ && offers[rank_]->exchange.send_bytes[to] != 0) peers().wait_for(queue, *offers[to]->taken);
    }

    void take_all(Queue& queue, const Offers& offers) {
        check_all(offers);
        if (!offers[rank_]->exchange.rows.empty())
            throw Unsupported("exchange: expected devices that copy from each other's memory for rows, got " +
                              offers[rank_]->exchange.device.info().name);
        for (std::size_t i = 0; i < offers.size(); ++i) take(queue, offers, (rank_ + i) % offers.size());
        queue.wait();
    }

    /// Copies what `from` has for this rank.
    void take(Queue& queue, const Offers& offers, std::size_t from) {
        const Exchange &own = offers[rank_]->exchange, &other = offers[from]->exchange;
        const std::uint64_t bytes = own.receive_bytes[from];
        if (bytes == 0) return;
        const auto [source, target] = views(offers, from);
        if (own.device.impl() == other.device.impl()) {
            queue.copy(target, source, bytes);
            return;
        }
        std::vector<std::byte> host(static_cast<std::size_t>(bytes));
        Queue theirs = other.device.create_queue();
        theirs.download(host.data(), source, host.size());
        queue.upload(target, host.data(), host.size());
    }

    std::shared_ptr<Group> group_;
    std::size_t rank_;
    std::vector<OwnMarks> marks_;
    std::vector<std::pair<Device, Device>> connected_;
    std::string transport_;
};

}  // namespace

std::vector<std::shared_ptr<Communicator>> thread_ranks(int count, const ThreadOptions& options) {
    if (count < 1) throw InvalidProblem("ranks: expected at least 1, got " + std::to_string(count));
    if (options.transport == Transport::peer && !options.peers)
        throw Unsupported("transport: expected a driver for peer copies, found none: is there an NVIDIA card?");
    const auto group = std::make_shared<Group>(static_cast<std::size_t>(count), options);
    std::vector<std::shared_ptr<Communicator>> ranks;
    for (std::size_t rank = 0; rank < group->size(); ++rank) ranks.push_back(std::make_shared<ThreadRank>(group, rank));
    return ranks;
}

std::vector<std::shared_ptr<Communicator>> thread_ranks(int count, std::chrono::milliseconds time_limit) {
    ThreadOptions options;
    options.time_limit = time_limit;
    return thread_ranks(count, options);
}

}  // namespace seiche::distributed
