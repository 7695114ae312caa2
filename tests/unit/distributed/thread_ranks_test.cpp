// Ranks that are threads: what they exchange, who is missed, and groups of them.
#include <gtest/gtest.h>

#include <cstring>

#include "on_ranks.hpp"
#include "seiche/error.hpp"

namespace seiche::distributed::test {
namespace {

using namespace std::chrono_literals;
using Shared = std::shared_ptr<Communicator>;

const auto all_well = [](int ranks) { return std::vector<std::string>(static_cast<std::size_t>(ranks), "accepted"); };

/// An exchange in which rank a sends a + 2 b + 1 numbers to rank b, each of them 100 a + b; checks what comes.
void exchange_numbers(const Device& device, Communicator& own) {
    const int ranks = own.size(), rank = own.rank();
    Exchange exchange;
    exchange.device = device;
    std::vector<std::int32_t> sent;
    std::uint64_t received = 0;
    for (int other = 0; other < ranks; ++other) {
        const auto to = static_cast<std::uint64_t>(rank + 2 * other + 1),
                   from = static_cast<std::uint64_t>(other + 2 * rank + 1);
        exchange.send_bytes.push_back(4 * to);
        exchange.send_offsets.push_back(4 * sent.size());
        sent.insert(sent.end(), to, 100 * rank + other);
        exchange.receive_bytes.push_back(4 * from);
        exchange.receive_offsets.push_back(4 * received);
        received += from;
    }
    exchange.send = device.allocate(4 * sent.size());
    exchange.receive = device.allocate(4 * received);
    Queue queue = device.create_queue();
    queue.upload(exchange.send, sent.data(), 4 * sent.size());
    own.all_to_all_v(queue, exchange);
    std::vector<std::int32_t> got(received), expected;
    queue.download(got.data(), exchange.receive, 4 * received);
    for (int other = 0; other < ranks; ++other)
        expected.insert(expected.end(), static_cast<std::size_t>(other + 2 * rank + 1), 100 * other + rank);
    if (got != expected) throw InternalError("wrong numbers on rank " + std::to_string(rank));
}

TEST(ThreadRanks, ExchangeOnOneDevice) {
    const Device device = Device::open("reference");
    for (const int ranks : {1, 2, 5})
        EXPECT_EQ(on_ranks(ranks, 20s, [&](Shared& own) { exchange_numbers(device, *own); }), all_well(ranks));
}

TEST(ThreadRanks, ExchangeBetweenDevicesThroughTheHost) {
    Device other;
    try {
        other = Device::open("cpu");
    } catch (const Unsupported& error) {
        GTEST_SKIP() << error.what();
    }
    const Device devices[] = {Device::open("reference"), other};
    EXPECT_EQ(on_ranks(3, 20s, [&](Shared& own) { exchange_numbers(devices[own->rank() % 2], *own); }), all_well(3));
}

TEST(ThreadRanks, GatherTexts) {
    EXPECT_EQ(on_ranks(4, 20s,
                       [](Shared& own) {
                           for (int round = 0; round < 50; ++round) {
                               const std::string word = std::string(static_cast<std::size_t>(own->rank()), 'x');
                               const auto texts = own->all_gather(word + std::to_string(round));
                               for (std::size_t rank = 0; rank < 4; ++rank)
                                   if (texts.at(rank) != std::string(rank, 'x') + std::to_string(round))
                                       throw InternalError("wrong text");
                           }
                       }),
              all_well(4));
}

TEST(ThreadRanks, AreSplitByColorAndKey) {
    const Device device = Device::open("reference");
    EXPECT_EQ(on_ranks(5, 20s,
                       [&](Shared& own) {
                           const int rank = own->rank();
                           // Ranks 4, 2, 0 and ranks 3, 1; then nobody but rank 3.
                           const Shared half = own->split(rank % 2, -rank), third = own->split(rank == 3 ? 7 : -1, 0);
                           if (half->size() != (rank % 2 ? 2 : 3) || half->rank() != (4 - rank) / 2)
                               throw InternalError("wrong place");
                           exchange_numbers(device, *half);
                           if ((third != nullptr) != (rank == 3)) throw InternalError("wrong group");
                           own->barrier();
                       }),
              all_well(5));
}

TEST(ThreadRanks, NameTheOneThatDoesNotCome) {
    const auto said = on_ranks(3, 300ms, [](Shared& own) {
        if (own->rank() == 1)
            std::this_thread::sleep_for(1500ms);  // it is there, and does something else
        else
            own->barrier();
    });
    EXPECT_EQ(said[0], "BackendError: all-gather: rank 1 of 3 did not come within 0.3 s");
    EXPECT_EQ(said[2], said[0]);
}

TEST(ThreadRanks, NameTheOneThatEnded) {
    const auto start = std::chrono::steady_clock::now();
    const auto said = on_ranks(3, 60s, [](Shared& own) {
        if (own->rank() == 2) return;
        try {
            own->barrier();
        } catch (const AbsentRank& error) {
            if (error.rank != 2) throw InternalError("another rank");
        }
        own->barrier();  // says the same again
    });
    EXPECT_EQ(said[0], "BackendError: all-gather: rank 2 of 3 has ended, expected it to take part");
    EXPECT_EQ(said[1], said[0]);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
}

TEST(ThreadRanks, RefuseSizesThatDoNotAgree) {
    const Device device = Device::open("reference");
    const auto said = on_ranks(2, 20s, [&](Shared& own) {
        Queue queue = device.create_queue();
        Exchange exchange{device, device.allocate(64), device.allocate(64), {8, 8}, {0, 8}, {8, 8}, {0, 8}};
        if (own->rank() == 1) exchange.receive_bytes = {16, 8};
        own->all_to_all_v(queue, exchange);
    });
    EXPECT_EQ(said[0], "InvalidProblem: exchange: rank 1 expected 16 bytes from rank 0, which sends 8");
    EXPECT_EQ(said[1], said[0]);
    EXPECT_EQ(on_ranks(1, 20s,
                       [&](Shared& own) {
                           Queue queue = device.create_queue();
                           own->all_to_all_v(queue, {device, {}, {}, {0}, {0}, {0}, {}});
                       })[0],
              "InvalidProblem: exchange: expected a number for each of 1 ranks, got 0");
    EXPECT_EQ(refusal([] { thread_ranks(0); }), "InvalidProblem: ranks: expected at least 1, got 0");
}

}  // namespace
}  // namespace seiche::distributed::test
