// Exchanges by peer copies and by IPC, in queues that run in any order that their marks allow, on a device of memory
// alone: no byte is wrong, and with the marks forgotten some are.
#include <gtest/gtest.h>

#include <numeric>

#include "fake_queues.hpp"
#include "on_ranks.hpp"
#include "seiche/distributed/plan.hpp"

namespace seiche::distributed::test {
namespace {

using namespace std::chrono_literals;
using Shared = std::shared_ptr<Communicator>;
using Numbers = std::vector<std::int32_t>;

constexpr int rounds = 4;

/// How many numbers rank a sends to rank b: between some ranks none.
std::uint64_t count(int a, int b) { return static_cast<std::uint64_t>((a + 2 * b) % 4); }

/// What one rank sends and receives, again and again in the same buffers.
class Rank {
public:
    Rank(const Device& device, FakeQueues& queues, const Communicator& ranks)
        : queues_(queues), rank_(ranks.rank()), size_(ranks.size()), queue_(device.create_queue()) {
        exchange_.device = device;
        std::uint64_t sent = 1, received = 1;  // offsets are not 0
        for (int other = 0; other < size_; ++other) {
            exchange_.send_offsets.push_back(4 * sent);
            exchange_.send_bytes.push_back(4 * count(rank_, other));
            sent += count(rank_, other);
            exchange_.receive_offsets.push_back(4 * received);
            exchange_.receive_bytes.push_back(4 * count(other, rank_));
            received += count(other, rank_);
        }
        exchange_.send = device.allocate(4 * sent);
        exchange_.receive = device.allocate(4 * received);
    }

    Queue& queue() { return queue_; }
    Exchange& exchange() { return exchange_; }

    /// Enqueues that the numbers to send are written.
    void write(int round) {
        Numbers numbers{-1};
        for (int to = 0; to < size_; ++to)
            numbers.insert(numbers.end(), count(rank_, to), 10000 * round + 100 * rank_ + to);
        queues_.enqueue(queue_, [this, numbers] { queue_.upload(exchange_.send, numbers.data(), 4 * numbers.size()); });
    }
    /// Enqueues that what was received is compared.
    void compare(int round) {
        queues_.enqueue(queue_, [this, round] {
            Numbers got(exchange_.receive.buffer.bytes() / 4), expected{0};
            queue_.download(got.data(), exchange_.receive, 4 * got.size());
            got[0] = 0;
            for (int from = 0; from < size_; ++from)
                expected.insert(expected.end(), count(from, rank_), 10000 * round + 100 * from + rank_);
            wrong += got != expected;
        });
    }

    int wrong = 0;

private:
    FakeQueues& queues_;
    int rank_, size_;
    Queue queue_;
    Exchange exchange_;
};

/// A world for one test: what its queues hold, and the ranks, which live until those have run.
struct World {
    FakeQueues queues;
    std::vector<std::shared_ptr<Rank>> ranks;
    FakeIpc::World shared;

    int wrong() const {
        return std::accumulate(ranks.begin(), ranks.end(), 0, [](int sum, const std::shared_ptr<Rank>& rank) {
            return sum + (rank ? rank->wrong : 0);
        });
    }
};

/// Every rank's rounds, enqueued alone.
void enqueue_rounds(World& world, const Device& device, Communicator& own) {
    const auto rank = std::make_shared<Rank>(device, world.queues, own);
    world.ranks[static_cast<std::size_t>(own.rank())] = rank;
    for (int round = 0; round < rounds; ++round) {
        rank->write(round);
        own.all_to_all_v(rank->queue(), rank->exchange());
        rank->compare(round);
    }
}

std::vector<std::string> on_peers(int ranks, const ThreadOptions& options, const std::function<void(Shared&)>& action) {
    std::vector<Shared> all = thread_ranks(ranks, options);
    std::vector<std::string> said(all.size());
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < all.size(); ++rank)
        threads.emplace_back([&action, &text = said[rank], own = std::move(all[rank])]() mutable {
            text = refusal([&] { action(own); });
            own.reset();
        });
    for (std::thread& thread : threads) thread.join();
    return said;
}

std::vector<std::string> all_well(int ranks) {
    return std::vector<std::string>(static_cast<std::size_t>(ranks), "accepted");
}

ThreadOptions options_of(std::shared_ptr<Peers> peers, Transport transport = Transport::peer) {
    ThreadOptions options;
    options.time_limit = 20s;
    options.transport = transport;
    options.peers = std::move(peers);
    return options;
}

/// How many of the ranks' rounds have wrong numbers, with this order of the queues.
int wrong_of_peers(int ranks, std::uint64_t seed, Forget forget) {
    World world;
    world.ranks.resize(static_cast<std::size_t>(ranks));
    world.queues.forget = forget;
    const auto peers = std::make_shared<FakePeers>(world.queues);
    const Device devices[] = {Device::open("reference"), Device::open("reference")};
    const auto said = on_peers(ranks, options_of(peers), [&](Shared& own) {
        enqueue_rounds(world, devices[own->rank() % 2], *own);
        if (own->transport() != "peer copies") throw InternalError("went by " + own->transport());
    });
    EXPECT_EQ(said, all_well(ranks));
    world.queues.run(seed);
    return world.wrong();
}

int wrong_of_ipc(int ranks, std::uint64_t seed, Forget forget) {
    World world;
    world.ranks.resize(static_cast<std::size_t>(ranks));
    world.queues.forget = forget;
    const Device device = Device::open("reference");
    const auto said = on_ranks(ranks, 20s, [&](Shared& own) {
        const auto ipc = std::make_shared<FakeIpc>(world.queues, world.shared, std::to_string(own->rank()));
        enqueue_rounds(world, device, *ipc_ranks(own, device, ipc));
    });
    EXPECT_EQ(said, all_well(ranks));
    world.queues.run(seed);
    return world.wrong();
}

template <class Wrong>
int wrong_of_seeds(const Wrong& wrong, Forget forget) {
    int sum = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) sum += wrong(1 + static_cast<int>(seed % 5), seed, forget);
    return sum;
}

TEST(Peers, ExchangeInAnyOrderOfTheQueues) { EXPECT_EQ(wrong_of_seeds(wrong_of_peers, Forget::nothing), 0); }

TEST(Peers, NeedBothMarks) {
    EXPECT_GT(wrong_of_seeds(wrong_of_peers, Forget::written), 0);
    EXPECT_GT(wrong_of_seeds(wrong_of_peers, Forget::taken), 0);
}

TEST(Ipc, ExchangesInAnyOrderOfTheQueues) { EXPECT_EQ(wrong_of_seeds(wrong_of_ipc, Forget::nothing), 0); }

TEST(Ipc, NeedsBothMarks) {
    EXPECT_GT(wrong_of_seeds(wrong_of_ipc, Forget::written), 0);
    EXPECT_GT(wrong_of_seeds(wrong_of_ipc, Forget::taken), 0);
}

TEST(Peers, AreConnectedOnceForEachPair) {
    World world;
    world.ranks.resize(3);
    const auto peers = std::make_shared<FakePeers>(world.queues);
    const Device device = Device::open("reference");
    EXPECT_EQ(on_peers(3, options_of(peers), [&](Shared& own) { enqueue_rounds(world, device, *own); }), all_well(3));
    EXPECT_EQ(peers->connections, 3);  // each rank's device with itself, which all have
}

/// What a plan of 8 x 6 x 4 f32 on 2 ranks copies, and its text.
std::pair<std::uint64_t, std::string> copied_with(std::optional<std::uint64_t> shortest_row, Transport transport) {
    World world;
    const auto peers = std::make_shared<FakePeers>(world.queues);
    peers->row = shortest_row;
    const Device device = Device::open("reference");
    std::pair<std::uint64_t, std::string> found;
    EXPECT_EQ(on_peers(2, options_of(peers, transport),
                       [&](Shared& own) {
                           Problem problem;
                           problem.lengths = {8, 6, 4};
                           const Boxes boxes{slab(problem.lengths, 0, 2), slab(problem.lengths, 1, 2)};
                           const DistributedPlan plan(device, problem, boxes, own);
                           if (own->rank() == 0) found = {plan.bytes_copied(), plan.describe()};
                       }),
              all_well(2));
    return found;
}

TEST(Peers, TakeRowsInsteadOfPacking) {
    const std::string text = "transform axes 1,2\nexchange 768 bytes in 2 messages, in rows\ntransform axes 0\n";
    EXPECT_EQ(copied_with(1, Transport::peer), (std::pair<std::uint64_t, std::string>(0, text)));
    EXPECT_EQ(copied_with(96, Transport::automatic).second, text);  // 3 x 4 elements
    EXPECT_GT(copied_with(97, Transport::peer).first, 0);
    EXPECT_GT(copied_with({}, Transport::peer).first, 0);
    EXPECT_GT(copied_with(1, Transport::host).first, 0);
}

TEST(Peers, ThatFailOnOneRankLeaveTheOthersInOrder) {
    World world;
    world.ranks.resize(2);
    const auto peers = std::make_shared<FakePeers>(world.queues);
    peers->copies_until_failure = 1;
    const Device device = Device::open("reference");
    const auto said = on_peers(2, options_of(peers), [&](Shared& own) { enqueue_rounds(world, device, *own); });
    const bool first_failed = said[0] == "BackendError: a copy that fails";
    const std::string failed = std::to_string(first_failed ? 0 : 1);
    EXPECT_EQ(said[first_failed ? 0 : 1], "BackendError: a copy that fails");
    EXPECT_EQ(said[first_failed ? 1 : 0],
              "BackendError: exchange: rank " + failed + " of 2 has ended, expected it to take part");
    world.queues.run(1);  // throws if a mark is never recorded
}

TEST(Peers, RefuseSizesThatDoNotAgree) {
    World world;
    world.ranks.resize(2);
    const Device device = Device::open("reference");
    const auto options = options_of(std::make_shared<FakePeers>(world.queues));
    const auto said = on_peers(2, options, [&](Shared& own) {
        Queue queue = device.create_queue();
        Exchange exchange{device, device.allocate(64), device.allocate(64), {8, 8}, {0, 8}, {8, 8}, {0, 8}};
        if (own->rank() == 1) exchange.receive_bytes = {16, 8};
        own->all_to_all_v(queue, exchange);
    });
    EXPECT_EQ(said[0], "InvalidProblem: exchange: rank 1 expected 16 bytes from rank 0, which sends 8");
    EXPECT_EQ(said[1], said[0]);
}

TEST(Peers, AreWhatWasAskedFor) {
    World world;
    const Device device = Device::open("reference");
    EXPECT_EQ(refusal([] { thread_ranks(2, options_of(nullptr)); }),
              "Unsupported: transport: expected a driver for peer copies, found none: is there an NVIDIA card?");

    /// Connects nothing.
    class Apart final : public FakeDriver<Peers> {
    public:
        using FakeDriver::FakeDriver;
        bool connects(const Device&, const Device&) override { return false; }
        void connect(const Device&, const Device&) override {}
    };
    const auto apart = std::make_shared<Apart>(world.queues);
    const auto exchange = [&](Shared& own) {
        Queue queue = device.create_queue();
        own->all_to_all_v(queue, {device, {}, {}, {0, 0}, {0, 0}, {0, 0}, {0, 0}});
        if (own->transport() != "the host's memory") throw InternalError("went by " + own->transport());
    };
    for (const std::string& text : on_peers(2, options_of(apart), exchange))
        EXPECT_EQ(text,
                  "Unsupported: transport: expected devices that copy from each other's memory on all ranks, got "
                  "reference on rank 0");
    EXPECT_EQ(on_peers(2, options_of(apart, Transport::automatic), exchange), all_well(2));
    EXPECT_EQ(on_peers(2, options_of(std::make_shared<FakePeers>(world.queues), Transport::host), exchange),
              all_well(2));
}

TEST(Ipc, RefusesThreadsAndOtherMachines) {
    World world;
    const Device device = Device::open("reference");
    const auto said_with = [&](const std::function<std::pair<std::string, std::string>(int)>& names) {
        return on_ranks(3, 20s, [&](Shared& own) {
            const auto [process, machine] = names(own->rank());
            ipc_ranks(own, device, std::make_shared<FakeIpc>(world.queues, world.shared, process, machine));
        });
    };
    for (const std::string& text : said_with([](int) { return std::pair<std::string, std::string>("all", "one"); }))
        EXPECT_EQ(text,
                  "InvalidProblem: ipc: expected a process for each rank, got ranks 0 and 1 in one: peer copies "
                  "are for threads");
    for (const std::string& text : said_with([](int rank) {
             return std::pair<std::string, std::string>(std::to_string(rank), rank == 2 ? "two" : "one");
         }))
        EXPECT_EQ(text, "InvalidProblem: ipc: expected all ranks on one machine, got rank 2 on another than rank 0");
    EXPECT_EQ(on_ranks(1, 20s, [&](Shared& own) { ipc_ranks(own, device, nullptr); })[0],
              "Unsupported: ipc: expected a driver for it, found none: is there an NVIDIA card?");
}

TEST(Ipc, IsSplitAsTheRanksAre) {
    World world;
    world.ranks.resize(3);
    const Device device = Device::open("reference");
    EXPECT_EQ(on_ranks(3, 20s,
                       [&](Shared& own) {
                           const auto ipc =
                               std::make_shared<FakeIpc>(world.queues, world.shared, std::to_string(own->rank()));
                           const Shared group = ipc_ranks(own, device, ipc)->split(own->rank() == 1 ? -1 : 0, 0);
                           if ((group == nullptr) != (own->rank() == 1)) throw InternalError("wrong group");
                           if (group) enqueue_rounds(world, device, *group);
                       }),
              all_well(3));
    world.queues.run(7);
    EXPECT_EQ(world.wrong(), 0);
}

}  // namespace
}  // namespace seiche::distributed::test
