// Transforms over 1 to 8 ranks that are threads, equal to one device's, by way of the host and by peer copies. More:
// --count N, from --seed S on; --device NAME for another device alone.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "case.hpp"
#include "seiche/distributed/peers.hpp"
#include "seiche/error.hpp"

namespace seiche::distributed::test {
namespace {

std::uint64_t count = 60, first_seed = 1;
std::string device_name;

/// Peer copies on a device whose queues run what is enqueued at once: a mark is reached when it is recorded, and must
/// have been when it is waited for.
class ImmediatePeers final : public Peers {
public:
    struct Recorded final : Mark {
        std::atomic<bool> is_recorded = false;
    };
    bool connects(const Device&, const Device&) override { return true; }
    void connect(const Device&, const Device&) override {}
    std::shared_ptr<Mark> make_mark(const Device&) override { return std::make_shared<Recorded>(); }
    void record(Queue&, Mark& mark) override { dynamic_cast<Recorded&>(mark).is_recorded = true; }
    void wait_for(Queue&, Mark& mark) override {
        if (!dynamic_cast<Recorded&>(mark).is_recorded) throw InternalError("a mark that was never recorded");
    }
    void copy(Queue& queue, const BufferView& to, const BufferView& from, std::uint64_t bytes) override {
        queue.copy(to, from, bytes);
    }
    std::optional<std::uint64_t> shortest_row() const override { return 1; }
};

/// A driver's peer copies, of rows of any length: the cases are small.
class ShortRows final : public Peers {
public:
    explicit ShortRows(std::shared_ptr<Peers> driver) : driver_(std::move(driver)) {}
    bool connects(const Device& one, const Device& other) override { return driver_->connects(one, other); }
    void connect(const Device& own, const Device& other) override { driver_->connect(own, other); }
    std::shared_ptr<Mark> make_mark(const Device& device) override { return driver_->make_mark(device); }
    void record(Queue& queue, Mark& mark) override { driver_->record(queue, mark); }
    void wait_for(Queue& queue, Mark& mark) override { driver_->wait_for(queue, mark); }
    void copy(Queue& queue, const BufferView& to, const BufferView& from, std::uint64_t bytes) override {
        driver_->copy(queue, to, from, bytes);
    }
    std::optional<std::uint64_t> shortest_row() const override { return 1; }
    void copy_rows(Queue& queue, const Device& to_device, const BufferView& to, const Device& from_device,
                   const BufferView& from, const Rows& rows) override {
        driver_->copy_rows(queue, to_device, to, from_device, from, rows);
    }

private:
    std::shared_ptr<Peers> driver_;
};

/// What is wrong on any rank.
std::string fault_of_threads(const Device& device, const Case& one, int ranks, const ThreadOptions& options) {
    const auto communicators = thread_ranks(ranks, options);
    std::vector<std::string> faults(communicators.size());
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < communicators.size(); ++rank)
        threads.emplace_back([&, rank] {
            try {
                faults[rank] = fault(device, one, communicators[rank]);
            } catch (const std::exception& error) {
                faults[rank] = one.text() + "\n  rank " + std::to_string(rank) + ": " + error.what();
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& text : faults)
        if (!text.empty()) return text;
    return {};
}

/// `make` is random_case or random_line.
void run_cases(const char* name, std::uint64_t cases, ThreadOptions options = {},
               Case (*make)(std::uint64_t, int) = random_case) {
    options.time_limit = std::chrono::seconds(20);
    if (!device_name.empty() && device_name != name) GTEST_SKIP() << "another device was asked for";
    Device device;
    try {
        device = Device::open(name);
    } catch (const Unsupported& error) {
        GTEST_SKIP() << error.what();
    }
    for (std::uint64_t seed = first_seed; seed < first_seed + cases; ++seed) {
        const int ranks = 1 + static_cast<int>(seed % 8);
        Case one = make(seed, ranks);
        one.options.pieces = 1 + seed / 8 % 5;
        ASSERT_EQ(fault_of_threads(device, one, ranks, options), "");
    }
}

TEST(ThreadCases, AreEqualToOneDeviceOnTheProcessor) { run_cases("cpu", count); }

TEST(ThreadCases, AreEqualToOneDeviceByPeerCopies) {
    ThreadOptions options;
    options.transport = Transport::peer;
    options.peers = std::make_shared<ImmediatePeers>();
    run_cases("cpu", count, options);
}

TEST(ThreadCases, OfOneAxisAreEqualToOneDevice) { run_cases("cpu", count, {}, random_line); }

TEST(ThreadCases, OfOneAxisAreEqualToOneDeviceByPeerCopies) {
    ThreadOptions options;
    options.transport = Transport::peer;
    options.peers = std::make_shared<ImmediatePeers>();
    run_cases("cpu", count, options, random_line);
}

TEST(ThreadCases, OfOneAxisAreEqualToOneDeviceInterpreted) { run_cases("reference", count / 10, {}, random_line); }

TEST(ThreadCases, OfOneAxisAreEqualToOneDeviceWithOpencl) { run_cases("opencl:pocl", count / 60, {}, random_line); }

TEST(ThreadCases, AreEqualToOneDeviceInterpreted) { run_cases("reference", count / 10); }

/// A driver with queues of its own; its kernels take long to compile.
TEST(ThreadCases, AreEqualToOneDeviceWithOpencl) { run_cases("opencl:pocl", count / 60); }

TEST(ThreadCases, AreEqualToOneDeviceThatWasAskedFor) {
    if (device_name.empty()) GTEST_SKIP() << "no --device";
    ThreadOptions options;
    if (options.peers) options.peers = std::make_shared<ShortRows>(options.peers);
    run_cases(device_name.c_str(), count, options);
}

}  // namespace
}  // namespace seiche::distributed::test

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::strcmp(argv[i], "--count") == 0)
            seiche::distributed::test::count = std::strtoull(argv[i + 1], nullptr, 10);
        if (std::strcmp(argv[i], "--seed") == 0)
            seiche::distributed::test::first_seed = std::strtoull(argv[i + 1], nullptr, 10);
        if (std::strcmp(argv[i], "--device") == 0) seiche::distributed::test::device_name = argv[i + 1];
    }
    return RUN_ALL_TESTS();
}
