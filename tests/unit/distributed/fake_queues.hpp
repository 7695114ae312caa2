// Queues that a test runs itself, in any order that their marks allow: what an exchange forgets to order shows as wrong
// bytes. Nothing of a device runs before `run`; copies are made in the real queues then.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "case.hpp"
#include "seiche/distributed/ipc.hpp"
#include "seiche/distributed/peers.hpp"
#include "seiche/error.hpp"

namespace seiche::distributed::test {

/// As CUDA's events: a wait is for what was recorded last when it was enqueued.
struct FakeMark final : Marks::Mark {
    std::uint64_t recorded = 0, reached = 0;
    std::thread::id by = {};  ///< The rank that recorded it last.
};

/// Marks that a broken exchange would not wait for. In an exchange in pieces: what was made and sent on in the second
/// queue, and what has come through it.
enum class Forget { nothing, written, taken, made, come };

class FakeQueues {
public:
    Forget forget = Forget::nothing;
    std::set<const void*> mains;  ///< The queues that plans are executed in, of a test with plans.

    /// It lives until the queues have run, as an event that is destroyed does.
    std::shared_ptr<FakeMark> make_mark() {
        const std::lock_guard lock(mutex_);
        return marks_.emplace_back(std::make_shared<FakeMark>());
    }
    std::mutex& mutex() { return mutex_; }
    void enqueue(const Queue& queue, std::function<void()> work) {
        const std::lock_guard lock(mutex_);
        queues_[queue.impl().get()].pending.push_back({[] { return true; }, std::move(work)});
    }
    void record(const Queue& queue, FakeMark& mark) {
        const std::lock_guard lock(mutex_);
        Fake& fake = queues_[queue.impl().get()];
        ++fake.records;
        mark.by = std::this_thread::get_id();
        fake.pending.push_back({[] { return true; }, [&mark, number = ++mark.recorded] { mark.reached = number; }});
    }
    void wait_for(const Queue& queue, FakeMark& mark) {
        const std::lock_guard lock(mutex_);
        Fake& fake = queues_[queue.impl().get()];
        // In an exchange a rank records twice: before it takes, and before others' copies are waited for.
        const bool is_own = mark.by == std::this_thread::get_id(), is_main = mains.count(queue.impl().get()) != 0;
        if (forget == (is_own                  ? is_main ? Forget::come : Forget::made
                       : fake.records % 2 == 1 ? Forget::written
                                               : Forget::taken))
            return;
        fake.pending.push_back({[&mark, number = mark.recorded] { return mark.reached >= number; }, [] {}});
    }

    /// Everything, in an order of this seed's.
    void run(std::uint64_t seed) {
        Random random(seed);
        for (;;) {
            std::vector<std::deque<Step>*> ready;
            bool is_done = true;
            for (auto& [queue, fake] : queues_) {
                is_done = is_done && fake.pending.empty();
                if (!fake.pending.empty() && fake.pending.front().is_ready()) ready.push_back(&fake.pending);
            }
            if (is_done) return;
            if (ready.empty()) throw InternalError("queues wait for each other for ever");
            std::deque<Step>& next = *ready[random.below(ready.size())];
            next.front().work();
            next.pop_front();
        }
    }

private:
    struct Step {
        std::function<bool()> is_ready;
        std::function<void()> work;
    };
    struct Fake {
        std::deque<Step> pending;
        unsigned records = 0;
    };

    std::mutex mutex_;
    std::map<const void*, Fake> queues_;
    std::vector<std::shared_ptr<FakeMark>> marks_;
};

/// Marks and copies of such queues, for Peers and Ipc.
template <class Base>
class FakeDriver : public Base {
public:
    explicit FakeDriver(FakeQueues& queues) : queues_(queues) {}

    std::shared_ptr<Marks::Mark> make_mark(const Device&) override { return queues_.make_mark(); }
    void record(Queue& queue, Marks::Mark& mark) override { queues_.record(queue, dynamic_cast<FakeMark&>(mark)); }
    void wait_for(Queue& queue, Marks::Mark& mark) override { queues_.wait_for(queue, dynamic_cast<FakeMark&>(mark)); }
    void enqueue(Queue& queue, const std::function<void()>& work) override { queues_.enqueue(queue, work); }
    void copy(Queue& queue, const BufferView& to, const BufferView& from, std::uint64_t bytes) override {
        if (copies_until_failure > 0 && --copies_until_failure == 0) throw BackendError("a copy that fails");
        queues_.enqueue(queue, [queue, to, from, bytes]() mutable { queue.copy(to, from, bytes); });
    }

    std::atomic<int> copies_until_failure = 0;  ///< 0: none fails.

private:
    FakeQueues& queues_;
};

class FakePeers final : public FakeDriver<Peers> {
public:
    using FakeDriver::FakeDriver;
    bool connects(const Device& one, const Device& other) override { return one.impl() && other.impl(); }
    void connect(const Device&, const Device&) override { ++connections; }
    std::optional<std::uint64_t> shortest_row() const override { return row; }

    std::optional<std::uint64_t> row;

    std::atomic<int> connections = 0;
};

/// One for each rank. Handles are numbers of what is shared, in a list that all have.
class FakeIpc final : public FakeDriver<Ipc> {
public:
    struct World {
        std::mutex mutex;
        std::vector<std::shared_ptr<Marks::Mark>> marks;
        std::vector<Buffer> buffers;
    };

    FakeIpc(FakeQueues& queues, World& world, std::string process, std::string machine = "one")
        : FakeDriver(queues), world_(world), process_(std::move(process)), machine_(std::move(machine)) {}

    void check(const Device&) override {}
    std::shared_ptr<Marks::Mark> make_mark(const Device& device) override {
        auto mark = FakeDriver::make_mark(device);
        const std::lock_guard lock(world_.mutex);
        return world_.marks.emplace_back(std::move(mark));
    }
    std::string share(Marks::Mark& mark) override {
        const std::lock_guard lock(world_.mutex);
        for (std::size_t i = 0; i < world_.marks.size(); ++i)
            if (world_.marks[i].get() == &mark) return std::to_string(i);
        throw InternalError("a mark that nobody made");
    }
    std::shared_ptr<Marks::Mark> open_mark(const Device&, const std::string& handle) override {
        const std::lock_guard lock(world_.mutex);
        return world_.marks.at(std::stoul(handle));
    }
    Shared share(const Device&, const BufferView& view) override {
        const std::lock_guard lock(world_.mutex);
        std::size_t i = 0;
        while (i < world_.buffers.size() && world_.buffers[i].impl() != view.buffer.impl()) ++i;
        if (i == world_.buffers.size()) world_.buffers.push_back(view.buffer);
        return {std::to_string(i), view.byte_offset, view.buffer.bytes()};
    }
    std::shared_ptr<const Buffer> open_memory(const Device&, const Shared& shared) override {
        const std::lock_guard lock(world_.mutex);
        return std::make_shared<const Buffer>(world_.buffers.at(std::stoul(shared.handle)));
    }
    std::string process() const override { return process_; }
    std::string machine() const override { return machine_; }

private:
    World& world_;
    std::string process_, machine_;
};

}  // namespace seiche::distributed::test
