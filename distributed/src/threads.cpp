// Ranks that are threads of one process. They meet twice in each call: when all have said where their data is, and when
// all have taken what they need of the others'.
#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <utility>

#include "exchange_checks.hpp"
#include "seiche/distributed/communicator.hpp"

namespace seiche::distributed {

namespace {

using Clock = std::chrono::steady_clock;

/// What the ranks of one group share.
struct Group {
    Group(std::size_t count, std::chrono::milliseconds limit)
        : time_limit(limit), arrivals(count), has_left(count), exchanges(count), texts(count) {}

    const std::chrono::milliseconds time_limit;
    std::mutex mutex;
    std::condition_variable change;
    std::vector<std::uint64_t> arrivals;  ///< How often each rank has come to a meeting.
    std::vector<char> has_left;           ///< Its communicator is gone.
    int absent = -1;                      ///< The rank that was missed first.
    std::string failure;                  ///< Empty as long as nobody is missed.
    // Written by a rank before a meeting, read by the others after it.
    std::vector<std::shared_ptr<const Exchange>> exchanges;
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
        queue.wait();  // the others read what was enqueued
        group_->exchanges[rank_] = std::make_shared<const Exchange>(exchange);
        meet("exchange");
        std::exception_ptr failure;  // thrown when nobody reads what was published here any more
        try {
            take_all(queue, exchange);
        } catch (...) {
            failure = std::current_exception();
        }
        meet("exchange");
        if (failure) std::rethrow_exception(failure);
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
            if (!child) known = child = std::make_shared<Group>(members.size(), group_->time_limit);
        }
        meet("split");  // nobody goes on, and perhaps ends, before all have the group
        if (!child) return nullptr;
        const auto own = std::find(members.begin(), members.end(), rank_);
        return std::make_shared<ThreadRank>(child, static_cast<std::size_t>(own - members.begin()));
    }

private:
    void fail() const { throw AbsentRank(group_->absent, group_->failure); }

    /// Waits until all ranks have come as often as this one.
    void meet(const char* call) {
        std::unique_lock lock(group_->mutex);
        if (group_->absent >= 0) fail();
        const std::uint64_t meeting = ++group_->arrivals[rank_];
        group_->change.notify_all();
        const auto is_late = [&](std::size_t rank) { return group_->arrivals[rank] < meeting; };
        const auto first = [&](bool gone) {
            for (std::size_t rank = 0; rank < group_->size(); ++rank)
                if (is_late(rank) && (!gone || group_->has_left[rank])) return static_cast<int>(rank);
            return -1;
        };
        const bool in_time = group_->change.wait_until(lock, Clock::now() + group_->time_limit, [&] {
            return group_->absent >= 0 || first(true) >= 0 || first(false) < 0;
        });
        if (group_->absent < 0) {
            if (first(false) < 0) return;
            group_->absent = in_time ? first(true) : first(false);
            const std::string who =
                std::string(call) + ": rank " + std::to_string(group_->absent) + " of " + std::to_string(size());
            group_->failure = in_time ? who + " has ended, expected it to take part"
                                      : who + " did not come within " + seconds(group_->time_limit);
            group_->change.notify_all();
        }
        fail();
    }

    void take_all(Queue& queue, const Exchange& exchange) {
        // Every rank checks all, so that all of them throw.
        for (std::size_t from = 0; from < group_->size(); ++from)
            for (std::size_t to = 0; to < group_->size(); ++to)
                check_agreement(from, group_->exchanges[from]->send_bytes[to], to,
                                group_->exchanges[to]->receive_bytes[from]);
        for (std::size_t i = 0; i < group_->size(); ++i) take(queue, exchange, (rank_ + i) % group_->size());
        queue.wait();
    }

    /// Copies what `from` has for this rank.
    void take(Queue& queue, const Exchange& own, std::size_t from) {
        const Exchange& other = *group_->exchanges[from];
        const std::uint64_t bytes = own.receive_bytes[from];
        if (bytes == 0) return;
        BufferView target = own.receive, source = other.send;
        target.byte_offset += own.receive_offsets[from];
        source.byte_offset += other.send_offsets[rank_];
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
};

}  // namespace

std::vector<std::shared_ptr<Communicator>> thread_ranks(int count, std::chrono::milliseconds time_limit) {
    if (count < 1) throw InvalidProblem("ranks: expected at least 1, got " + std::to_string(count));
    const auto group = std::make_shared<Group>(static_cast<std::size_t>(count), time_limit);
    std::vector<std::shared_ptr<Communicator>> ranks;
    for (std::size_t rank = 0; rank < group->size(); ++rank) ranks.push_back(std::make_shared<ThreadRank>(group, rank));
    return ranks;
}

}  // namespace seiche::distributed
