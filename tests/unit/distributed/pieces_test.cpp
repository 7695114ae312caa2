// Exchanges in pieces: which pieces there are, and whole plans in queues that run in any order that their marks allow.
#include "pieces.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "fake_queues.hpp"
#include "on_ranks.hpp"
#include "seiche/distributed/plan.hpp"

namespace seiche::distributed::test {
namespace {

using namespace std::chrono_literals;
using Shared = std::shared_ptr<Communicator>;
using Values = std::vector<std::complex<float>>;

constexpr int rounds = 2;

TEST(Pieces, HaveEachElementOnce) {
    const Box box{{2, 3, 0}, {5, 14, 4}};
    for (std::uint64_t count = 1; count < 14; ++count) {
        const Cut cut{1, count};
        std::uint64_t next = 3;
        for (std::uint64_t piece = 0; piece < count; ++piece) {
            const Box part = pieces_of(box, cut, piece, piece + 1);
            EXPECT_EQ(part.lower[1], next);
            next = part.upper[1];
            EXPECT_EQ(part.extent(0), 3u);
            EXPECT_EQ(part.extent(2), 4u);
        }
        EXPECT_EQ(next, 14u);
    }
}

TEST(Pieces, AreCutAlongAnAxisThatIsNotTransformed) {
    Step step;
    step.axes = {1, 2};
    step.before = step.after = {Box{{0, 0, 0}, {3, 8, 8}}, Box{{3, 0, 0}, {8, 8, 8}}};
    EXPECT_EQ(cut_of(step, 2, 4).axis, 0u);
    EXPECT_EQ(cut_of(step, 2, 4).count, 4u);
    EXPECT_EQ(cut_of(step, 2, 9).count, 5u);
    step.axes = {0, 1, 2};
    EXPECT_EQ(cut_of(step, 2, 4).count, 1u);
}

TEST(Pieces, OfStagesMeetEachOnce) {
    for (std::uint64_t before = 1; before < 7; ++before)
        for (std::uint64_t after = 1; after < 7; ++after) {
            std::vector<int> met(before * after, 0);
            for (const Stage& stage : stages_of({0, before}, {0, after}))
                for (std::uint64_t i = stage.from_first; i < stage.from_last; ++i)
                    for (std::uint64_t j = stage.to_first; j < stage.to_last; ++j) ++met[i * after + j];
            EXPECT_EQ(met, std::vector<int>(before * after, 1)) << before << " " << after;
        }
}

/// Slabs on two cards with the memory of an H200: the choice for the exchange of complex numbers after axes 1 and 2.
std::uint64_t chosen(const std::vector<std::uint64_t>& lengths, std::uint64_t element_bytes, bool goes_back = false) {
    DeviceLimits limits;
    limits.memory_bytes_per_second = 4'800'000'000'000;
    Step planes, columns;
    planes.before = planes.after = slab(lengths, 0, 2);
    planes.axes = goes_back ? std::vector<int>{} : std::vector<int>{1, 2};
    columns.before = columns.after = slab(lengths, 1, 2);
    columns.axes = {0};
    const Load load =
        goes_back ? load_of(columns, planes, 0, element_bytes) : load_of(planes, columns, 0, element_bytes);
    return best_pieces(load, limits);
}

// LAB-0115 has the times of 1 to 16 pieces.
TEST(Pieces, AreAsManyAsWereFastest) {
    EXPECT_EQ(chosen({64, 48, 40}, 8), 1u);
    EXPECT_EQ(chosen({128, 96, 41}, 2 * 16), 1u);
    EXPECT_EQ(chosen({256, 256, 256}, 8), 2u);
    EXPECT_EQ(chosen({512, 512, 512}, 8), 4u);
    EXPECT_EQ(chosen({512, 512, 257}, 8), 2u);
    EXPECT_EQ(chosen({512, 512, 512}, 16), 4u);
    EXPECT_EQ(chosen({1024, 1024, 1024}, 8), 8u);
    EXPECT_EQ(chosen({512, 512, 512}, 8, true), 2u);  // with natural order this exchange decides
}

TEST(Pieces, AreOneWhereNothingCanBeHidden) {
    DeviceLimits limits;
    EXPECT_EQ(best_pieces({}, limits), 1u);
    EXPECT_EQ(best_pieces({std::uint64_t{1} << 36, 0, 0, 0}, limits), 1u);
    EXPECT_EQ(best_pieces({0, 0, std::uint64_t{1} << 36, std::uint64_t{1} << 36}, limits), 1u);
    EXPECT_EQ(best_pieces({std::uint64_t{1} << 33, 0, std::uint64_t{1} << 36, 0}, limits), 8u);
}

float number(std::uint64_t place, int round) {
    return static_cast<float>(std::sin(static_cast<double>(place * 7 + 1) * (round + 1.3)));
}

/// One rank's plan, buffers and results.
struct Rank {
    DistributedPlan plan;
    Queue queue;
    DistributedExecution execution;
    Box input, output;
    std::vector<Values> results = std::vector<Values>(rounds);
};

struct Question {
    std::vector<std::uint64_t> lengths;
    Boxes boxes;
    DistributedOptions options;
    std::uint64_t batch = 1;
};

/// Calls visit(place in the whole array, place in the box).
template <class Visit>
void for_box(const Question& question, const Box& box, const Visit& visit) {
    const auto& n = question.lengths;
    std::uint64_t own = 0;
    for (std::uint64_t b = 0; b < question.batch; ++b)
        for (std::uint64_t x = box.lower[0]; x < box.upper[0]; ++x)
            for (std::uint64_t y = box.lower[1]; y < box.upper[1]; ++y)
                for (std::uint64_t z = box.lower[2]; z < box.upper[2]; ++z)
                    visit(((b * n[0] + x) * n[1] + y) * n[2] + z, own++);
}

Problem problem_of(const Question& question) {
    Problem problem;
    problem.lengths = question.lengths;
    problem.batch = question.batch;
    return problem;
}

std::shared_ptr<Rank> enqueue_rounds(FakeQueues& queues, const Device& device, const Question& question, Shared& own) {
    auto rank = std::make_shared<Rank>();
    const auto place = static_cast<std::size_t>(own->rank());
    rank->plan = DistributedPlan(device, problem_of(question), question.boxes, own, question.options);
    rank->queue = device.create_queue();
    {
        const std::lock_guard lock(queues.mutex());
        queues.mains.insert(rank->queue.impl().get());
    }
    rank->input = question.boxes.input[place];
    rank->output = question.boxes.output[place];
    rank->execution.input = device.allocate(rank->plan.input_bytes());
    rank->execution.output = device.allocate(rank->plan.output_bytes());
    rank->execution.workspace = device.allocate(rank->plan.workspace_bytes());
    for (int round = 0; round < rounds; ++round) {
        Values values(rank->plan.input_bytes() / sizeof(Values::value_type));
        for_box(question, rank->input, [&](std::uint64_t whole, std::uint64_t i) {
            values[i] = {number(2 * whole, round), number(2 * whole + 1, round)};
        });
        queues.enqueue(rank->queue, [rank = rank.get(), values] {
            rank->queue.upload(rank->execution.input, values.data(), values.size() * sizeof(values[0]));
        });
        rank->plan.execute(rank->queue, rank->execution);
        queues.enqueue(rank->queue, [rank = rank.get(), round] {
            Values& result = rank->results[static_cast<std::size_t>(round)];
            result.resize(rank->plan.output_bytes() / sizeof(Values::value_type));
            rank->queue.download(result.data(), rank->execution.output, rank->plan.output_bytes());
        });
    }
    return rank;
}

Values alone(const Device& device, const Question& question, int round) {
    const Plan plan(device, problem_of(question));
    Values values(plan.input_bytes() / sizeof(Values::value_type));
    for (std::uint64_t i = 0; i < values.size(); ++i) values[i] = {number(2 * i, round), number(2 * i + 1, round)};
    Queue queue = device.create_queue();
    Execution execution;
    execution.input = device.allocate(plan.input_bytes());
    execution.output = device.allocate(plan.output_bytes());
    if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
    queue.upload(execution.input, values.data(), plan.input_bytes());
    plan.execute(queue, execution);
    queue.download(values.data(), execution.output, plan.output_bytes());
    return values;
}

/// How many numbers are wrong when the queues run in the order of this seed.
std::uint64_t wrong(const Question& question, std::uint64_t seed, Forget forget) {
    const auto ranks = question.boxes.input.size();
    const Device device = Device::open("reference");
    FakeQueues queues;
    queues.forget = forget;
    const auto peers = std::make_shared<FakePeers>(queues);
    peers->row = 1;
    ThreadOptions how;
    how.time_limit = 20s;
    how.transport = Transport::peer;
    how.peers = peers;
    std::vector<std::shared_ptr<Rank>> all(ranks);
    std::vector<Shared> ends = thread_ranks(static_cast<int>(ranks), how);
    std::vector<std::string> said(ranks);
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < ranks; ++rank)
        threads.emplace_back([&, rank] {
            said[rank] = refusal([&] { all[rank] = enqueue_rounds(queues, device, question, ends[rank]); });
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(said, std::vector<std::string>(ranks, "accepted"));
    queues.run(seed);
    std::uint64_t found = 0;
    for (int round = 0; round < rounds; ++round) {
        const Values expected = alone(device, question, round);
        for (const auto& rank : all)
            for_box(question, rank->output, [&](std::uint64_t whole, std::uint64_t i) {
                found += !(std::abs(expected[whole] - rank->results[static_cast<std::size_t>(round)][i]) < 1e-3f);
            });
    }
    return found;
}

/// Slabs in transposed and natural order, and pencils, of which each step but the first and last is between exchanges.
std::vector<Question> questions(std::uint64_t pieces) {
    const std::vector<std::uint64_t> n{12, 10, 8};
    DistributedOptions slabs, pencils_too;
    slabs.pieces = pencils_too.pieces = pieces;
    pencils_too.decomposition = Decomposition::pencils;
    return {{n, {slab(n, 0, 2), slab(n, 1, 2)}, slabs},
            {n, {slab(n, 0, 3), slab(n, 1, 3)}, slabs, 2},
            {n, {slab(n, 0, 3), slab(n, 0, 3)}, slabs},
            {n, {pencils(n, {0, 1}, 2, 2), pencils(n, {1, 2}, 2, 2)}, pencils_too},
            {n, {pencils(n, {0, 1}, 2, 2), pencils(n, {0, 1}, 2, 2)}, pencils_too}};
}

TEST(PlansInPieces, AreRightInEveryOrderOfQueues) {
    for (std::uint64_t pieces = 1; pieces <= 5; ++pieces)
        for (const Question& question : questions(pieces))
            for (std::uint64_t seed = 0; seed < 8; ++seed)
                ASSERT_EQ(wrong(question, seed, Forget::nothing), 0u) << pieces << " pieces, order " << seed;
}

TEST(PlansInPieces, AreWrongWhenAnOrderIsForgotten) {
    for (const Forget forget : {Forget::made, Forget::come}) {
        std::uint64_t found = 0;
        for (std::uint64_t seed = 0; seed < 8; ++seed) found += wrong(questions(3)[0], seed, forget);
        EXPECT_GT(found, 0u);
    }
}

}  // namespace
}  // namespace seiche::distributed::test
