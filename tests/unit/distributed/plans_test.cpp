// Distributed plans and redistributions: how many exchanges they take, what they copy, and what they refuse.
#include <gtest/gtest.h>

#include <cstring>

#include "case.hpp"
#include "on_ranks.hpp"
#include "seiche/distributed/redistribution.hpp"

namespace seiche::distributed::test {
namespace {

using namespace std::chrono_literals;
using Shared = std::shared_ptr<Communicator>;
using Numbers = std::vector<std::uint64_t>;

Device reference() {
    static const Device device = Device::open("reference");
    return device;
}

struct Found {
    int exchanges = 0, copies = 0;
    std::uint64_t sent = 0, copied = 0, workspace = 0;
};

/// The plan on each rank.
std::vector<Found> planned(const std::string& problem, const Boxes& boxes, const DistributedOptions& options = {}) {
    std::vector<Found> found(boxes.input.size());
    const auto said = on_ranks(static_cast<int>(found.size()), 20s, [&](Shared& own) {
        const DistributedPlan plan(reference(), parse_problem(problem), boxes, own, options);
        found[static_cast<std::size_t>(own->rank())] = {plan.exchanges(), plan.copies(), plan.bytes_sent(),
                                                        plan.bytes_copied(), plan.workspace_bytes()};
    });
    for (const std::string& text : said) EXPECT_EQ(text, "accepted");
    return found;
}

TEST(DistributedPlans, OfSlabsInTransposedOrderExchangeOnce) {
    const Numbers n{8, 8, 8};
    for (const Found& rank : planned("8x8x8", {slab(n, 0, 4), slab(n, 1, 4)})) {
        EXPECT_EQ(rank.exchanges, 1);
        EXPECT_EQ(rank.sent, 8 * 8 * 8 * 8 / 4 * 3 / 4u);  // the least possible: all but the part that stays
        // One side of the exchange is copied, the other is the store or the load of a transform.
        EXPECT_EQ(rank.copied, 8 * 8 * 8 * 8 / 4u);
        EXPECT_EQ(rank.copies, 1);  // of all four messages, which are alike
    }
}

TEST(DistributedPlans, CopyUnequalPartsApart) {
    const Numbers n{7, 8};
    for (const Found& rank : planned("7x8", {slab(n, 0, 4), slab(n, 1, 4)})) EXPECT_LE(rank.copies, 2);
}

TEST(DistributedPlans, OfSlabsInNaturalOrderExchangeTwice) {
    const Numbers n{8, 8, 8};
    for (const Found& rank : planned("8x8x8", {slab(n, 0, 4), slab(n, 0, 4)})) EXPECT_EQ(rank.exchanges, 2);
}

TEST(DistributedPlans, OfPencilsExchangeTwiceWithFewRanks) {
    const Numbers n{8, 8, 8};
    const Boxes boxes{pencils(n, {0, 1}, 2, 4), pencils(n, {1, 2}, 2, 4)};
    DistributedOptions options;
    options.decomposition = Decomposition::pencils;
    for (const Found& rank : planned("8x8x8", boxes, options)) {
        EXPECT_EQ(rank.exchanges, 2);
        EXPECT_EQ(rank.sent, 64 * 8 * 3 / 4 + 64 * 8 * 1 / 2u);  // three quarters to a row, a half to a column
    }
}

TEST(DistributedPlans, OfAxesThatEachRankHasWholeExchangeNothing) {
    const Numbers n{8, 8, 8};
    for (const Found& rank : planned("8x8x8 axes=1,2", {slab(n, 0, 4), slab(n, 0, 4)})) {
        EXPECT_EQ(rank.exchanges, 0);
        EXPECT_EQ(rank.copied, 0u);
        EXPECT_EQ(rank.workspace, 0u);
    }
}

TEST(DistributedPlans, TransformTheHalvedAxisFirstOrLast) {
    const Numbers real{8, 6, 10}, complex{8, 6, 6};
    for (const Found& rank : planned("8x6x10 r2c", {slab(real, 0, 2), slab(complex, 1, 2)})) {
        EXPECT_EQ(rank.exchanges, 1);
        EXPECT_EQ(rank.sent, 8 * 6 * 6 * 8 / 4u);  // half of what it has, of the halved array
    }
    for (const Found& rank : planned("8x6x10 c2r", {slab(complex, 1, 2), slab(real, 0, 2)}))
        EXPECT_EQ(rank.exchanges, 1);
}

/// What each rank says when rank 1 has others; the same on all of them.
std::string disagreement(const std::string& first, const Boxes& boxes, const std::string& second, const Boxes& others,
                         const DistributedOptions& options = {}) {
    const auto said = on_ranks(2, 20s, [&](Shared& own) {
        const bool is_first = own->rank() == 0;
        DistributedPlan(reference(), parse_problem(is_first ? first : second), is_first ? boxes : others, own,
                        is_first ? DistributedOptions() : options);
    });
    EXPECT_EQ(said[0], said[1]);
    return said[0];
}

TEST(DistributedPlans, RefuseRanksThatDisagree) {
    const Numbers n{8, 4};
    const Boxes boxes{slab(n, 0, 2), slab(n, 1, 2)}, natural{slab(n, 0, 2), slab(n, 0, 2)};
    EXPECT_EQ(disagreement("8x4", boxes, "8x4 f64", boxes),
              "InvalidProblem: problem: expected the same on all ranks, got '8x4 c2c f32' on rank 0 and '8x4 c2c f64' "
              "on rank 1");
    const std::string said = disagreement("8x4", boxes, "8x4", natural);
    EXPECT_EQ(said.find("InvalidProblem: output boxes: expected the same on all ranks, got '2 boxes, "), 0u) << said;
    DistributedOptions options;
    options.decomposition = Decomposition::slabs;
    EXPECT_EQ(
        disagreement("8x4", boxes, "8x4", boxes, options),
        "InvalidProblem: decomposition: expected the same on all ranks, got 'any' on rank 0 and 'slabs' on rank 1");
    // Another call altogether.
    const auto said_by = on_ranks(2, 20s, [&](Shared& own) {
        if (own->rank() == 0)
            DistributedPlan(reference(), parse_problem("8x4"), boxes, own);
        else
            Redistribution(reference(), {}, n, boxes.input, boxes.output, own);
    });
    EXPECT_EQ(said_by[0].find("InvalidProblem: problem: expected the same on all ranks, got "), 0u) << said_by[0];
    EXPECT_NE(said_by[1].find("expected the same"), std::string::npos) << said_by[1];
}

TEST(DistributedPlans, TellAllRanksWhatOneCannotDo) {
    const Numbers n{8, 4};
    // Overlapping strides on rank 1 alone.
    const auto said = on_ranks(2, 20s, [&](Shared& own) {
        Boxes boxes{slab(n, 0, 2), slab(n, 1, 2)};
        if (own->rank() == 1) boxes.output[1].strides = {1, 1};
        DistributedPlan(reference(), parse_problem("8x4"), boxes, own);
    });
    EXPECT_EQ(said[1].find("InvalidProblem: output.strides: "), 0u) << said[1];
    EXPECT_EQ(said[0], "InvalidProblem: rank 1: " + said[1].substr(said[1].find(' ') + 1));
}

std::string refused(const std::string& problem, const Boxes& boxes) {
    return refusal([&] { DistributedPlan(reference(), parse_problem(problem), boxes, thread_ranks(1)[0]); });
}

TEST(DistributedPlans, RefuseWhatCannotBeDistributed) {
    const Numbers n{8, 4};
    const Boxes boxes{slab(n, 0, 1), slab(n, 0, 1)};
    EXPECT_EQ(refused("8x4 signal-zeros=0:4-8", boxes),
              "Unsupported: signal_zeros: expected none in a transform over several ranks");
    EXPECT_EQ(refused("8x4 istrides=1,8", boxes),
              "Unsupported: input.strides (those of the boxes hold): expected none in a transform over several ranks");
    EXPECT_EQ(refused("8x4 dct2 spectrum-order=pass", boxes),
              "Unsupported: spectrum_order but for c2c: expected none in a transform over several ranks");
    EXPECT_EQ(refused("8x4 axes=0,-2", boxes), "InvalidProblem: axes: expected each once, got axis 0 twice");
    EXPECT_EQ(refused("8x4 axes=2", boxes), "InvalidProblem: axes: expected an axis from -2 to 1, got 2");
    EXPECT_EQ(refused("8x4", {slab(n, 0, 2), slab(n, 0, 1)}),
              "InvalidProblem: boxes.input: expected a box for each of 1 ranks, got 2");
    EXPECT_EQ(refused("8x4 r2c", boxes),
              "InvalidProblem: boxes.output[0]: expected lower <= upper <= 3 along axis 1, got [0..8) x [0..4)");
    EXPECT_EQ(refusal([&] { DistributedPlan(reference(), parse_problem("8x4"), boxes, nullptr); }),
              "InvalidProblem: communicator: expected one, got none");
    EXPECT_EQ(refusal([&] { DistributedPlan({}, parse_problem("8x4"), boxes, thread_ranks(1)[0]); }),
              "InvalidProblem: device: expected one that was opened, got none");
}

TEST(DistributedPlans, RefuseExecutionsThatLackSomething) {
    const Numbers n{8, 3};
    Queue queue = reference().create_queue();
    const DistributedPlan plan(reference(), parse_problem("8x4 r2c"), {slab({8, 4}, 0, 1), slab(n, 0, 1)},
                               thread_ranks(1)[0]);
    DistributedExecution execution;
    EXPECT_EQ(refusal([&] { plan.execute(queue, execution); }),
              "InvalidProblem: input: expected at least 128 bytes, got 0");
    execution.input = reference().allocate(128);
    execution.output = BufferView(reference().allocate(256), 72);
    EXPECT_EQ(refusal([&] { plan.execute(queue, execution); }),
              "InvalidProblem: output: expected at least 192 bytes, got 184");
    execution.output = reference().allocate(192);
    execution.direction = Direction::inverse;
    EXPECT_EQ(refusal([&] { plan.execute(queue, execution); }),
              "InvalidProblem: direction: expected the plan's only one, got the other");
}

/// Moves an array whose elements are their own numbers, and checks where each has come.
void redistribute(Communicator& own, const Shared& shared, Random& random, const Element& element) {
    const Numbers lengths{1 + random.below(6), 1 + random.below(7), 1 + random.below(5)};
    const std::uint64_t batch = 1 + random.below(2);
    const std::vector<Box> from = random_boxes(random, lengths, own.size()),
                           to = random_boxes(random, lengths, own.size());
    const Redistribution plan(reference(), element, lengths, from, to, shared, batch);
    const auto numbers = [&](const Box& box) {
        std::vector<float> values;
        for (std::uint64_t b = 0; b < batch; ++b)
            for (std::uint64_t i = box.lower[0]; i < box.upper[0]; ++i)
                for (std::uint64_t j = box.lower[1]; j < box.upper[1]; ++j)
                    for (std::uint64_t k = box.lower[2]; k < box.upper[2]; ++k)
                        for (std::uint64_t part = 0; part < (element.is_complex ? 2 : 1); ++part)
                            values.push_back(static_cast<float>((((b * 8 + i) * 8 + j) * 8 + k) * 2 + part + 1));
        return values;
    };
    const auto rank = static_cast<std::size_t>(own.rank());
    const std::vector<float> sent = numbers(from[rank]), expected = numbers(to[rank]);
    if (plan.input_bytes() != 4 * sent.size() || plan.output_bytes() != 4 * expected.size())
        throw InternalError("wrong sizes");
    Queue queue = reference().create_queue();
    const auto allocate = [](std::uint64_t bytes) { return bytes == 0 ? Buffer() : reference().allocate(bytes); };
    const Buffer input = allocate(plan.input_bytes()), output = allocate(plan.output_bytes());
    if (!sent.empty()) queue.upload(input, sent.data(), plan.input_bytes());
    plan.execute(queue, input, output, allocate(plan.workspace_bytes()));
    std::vector<float> got(expected.size());
    if (!got.empty()) queue.download(got.data(), output, plan.output_bytes());
    if (got != expected) throw InternalError("wrong elements on rank " + std::to_string(rank));
}

TEST(Redistributions, BringEachElementToItsBox) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const int ranks = 1 + static_cast<int>(seed % 6);
        const auto said = on_ranks(ranks, 20s, [&](Shared& own) {
            Random random(seed);
            redistribute(*own, own, random, {Precision::f32, Storage::same, seed % 2 == 0});
        });
        EXPECT_EQ(said, std::vector<std::string>(static_cast<std::size_t>(ranks), "accepted")) << "seed " << seed;
    }
}

}  // namespace
}  // namespace seiche::distributed::test
