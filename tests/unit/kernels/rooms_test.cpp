// Padding between the blocks and the sequences of an exchange: the same results, bit by bit, wherever points lie, and
// no two words in one bank.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kernels/group/bank_conflicts.hpp"
#include "run_spec.hpp"

namespace seiche::test {
namespace {

using kernels::BlockedAccess;
using kernels::BlockedExchange;
using kernels::choose_paddings;
using kernels::CoreLoop;
using kernels::ExchangeCost;
using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::Padding;
using kernels::Paddings;
using kernels::Swizzle;

constexpr std::uint32_t subgroup = 32;

/// Leg 0 of all butterflies of one sequence: what a stage of radix r writes behind s others, and the next one reads.
BlockedExchange exchange_of(std::uint32_t n, std::uint32_t r, std::uint32_t s, std::uint32_t next) {
    BlockedExchange exchange{r * s, false, {}};
    for (const bool writes : {true, false}) {
        const std::uint32_t radix = writes ? r : next;
        for (std::uint32_t first = 0; first < n / radix; first += subgroup) {
            BlockedAccess access{{}, {}, radix, writes && s == 1 ? r : 1};
            for (std::uint32_t b = first; b < std::min(first + subgroup, n / radix); ++b) {
                access.places.push_back(writes ? b / s * r * s + b % s : b);
                access.sequences.push_back(0);
            }
            exchange.accesses.push_back(access);
        }
    }
    return exchange;
}

std::uint64_t ideal(const BlockedExchange& exchange, unsigned bytes) {
    std::uint64_t sum = 0;
    for (const BlockedAccess& access : exchange.accesses)
        sum += access.count * ((access.places.size() * bytes + 127) / 128);
    return sum;
}

TEST(ExchangeCost, CountsRunsInWords) {
    const Swizzle none, pad{Swizzle::Rule::pad, 5, 0, 31};
    const BlockedExchange exchange{20, false, {{{0, 20, 40, 60, 80, 100, 120, 140}, {0, 0, 0, 0, 0, 0, 0, 0}, 20, 20}}};
    // 16 bytes each of 8 lanes fill the banks once, 80 bytes apart; 8 bytes of a word the other way round.
    EXPECT_EQ(kernels::exchange_cost(exchange, {0, 160}, none, 4), (ExchangeCost{5, 5}));
    EXPECT_EQ(kernels::exchange_cost(exchange, {2, 160}, none, 4).instructions, 10u);
    EXPECT_EQ(kernels::exchange_cost(exchange, {1, 160}, none, 4), (ExchangeCost{20, 20})) << "no address is even";
    EXPECT_EQ(kernels::exchange_cost(exchange, {0, 160}, pad, 4).instructions, 40u) << "each place is computed";
    BlockedExchange of_several = exchange;
    of_several.has_sequences = true;
    EXPECT_EQ(kernels::exchange_cost(of_several, {0, 160}, none, 4), (ExchangeCost{5, 5}));
    EXPECT_EQ(kernels::exchange_cost(of_several, {0, 161}, none, 4).instructions, 20u) << "no sequence is aligned";
}

TEST(ChoosePaddings, LeavesNoConflictBetweenWholePoints) {
    struct Case {
        std::uint32_t n, r, s, next;
    };
    for (const Case& c :
         {Case{2401, 7, 7, 7}, Case{2401, 7, 49, 7}, Case{2197, 13, 13, 13}, Case{9604, 14, 49, 14},
          Case{10000, 25, 20, 20}, Case{15625, 25, 25, 25}, Case{12288, 32, 1, 12}, Case{12288, 12, 32, 32},
          Case{4096, 16, 1, 16}, Case{4096, 16, 16, 16}, Case{8192, 32, 1, 16}}) {
        for (const unsigned bytes : {4u, 8u}) {
            const BlockedExchange exchange = exchange_of(c.n, c.r, c.s, c.next);
            const Paddings rooms = choose_paddings({exchange}, c.n, 1, c.n / 8, bytes);
            SCOPED_TRACE(testing::Message() << c.n << ' ' << c.r << ' ' << c.s << ' ' << bytes);
            // Where a subgroup reads from two blocks, what lies between them is not read.
            const double most = c.r * c.s % subgroup == 0 ? 1 : 1.2;
            const auto least = static_cast<double>(ideal(exchange, bytes));
            EXPECT_TRUE(bytes == 4 || static_cast<double>(rooms.cost.wavefronts) <= most * least);
            EXPECT_LE(rooms.cost, kernels::exchange_cost(exchange, {0, c.n}, Swizzle{}, bytes));
            EXPECT_LE(rooms.extent, c.n + c.n / 8);
            EXPECT_EQ(rooms.extent, c.n + rooms.behind_blocks.front() * (c.n / (c.r * c.s) - 1));
        }
    }
}

TEST(ChoosePaddings, KeepsSequencesApart) {
    BlockedExchange exchange{25, true, {}};
    for (const std::uint32_t leg : {0u, 1u}) {
        BlockedAccess access{{}, {}, 25, 1};
        for (std::uint32_t lane = 0; lane < subgroup; ++lane) {
            access.places.push_back(leg);
            access.sequences.push_back(lane);
        }
        exchange.accesses.push_back(access);
    }
    const Paddings rooms = choose_paddings({exchange}, 100, subgroup, 16, 4);
    EXPECT_EQ(rooms.pitch % 2, 1u);
    EXPECT_LE(rooms.pitch, 116u);
    EXPECT_GE(rooms.pitch, rooms.extent);
    EXPECT_EQ(rooms.cost.wavefronts, 50u);
    const Paddings tight = choose_paddings({exchange}, 100, subgroup, 0, 4);
    EXPECT_EQ(tight.pitch, 100u) << "there is no room";
    EXPECT_GT(tight.cost, rooms.cost);
}

KernelSpec row(std::uint32_t n, const std::vector<std::uint32_t>& radices) {
    KernelSpec spec;
    spec.n = n;
    spec.radices = radices;
    spec.loops = {{0, n, n}};
    return spec;
}

/// Whether something lies elsewhere then.
bool expect_alike(KernelSpec spec, GroupShape shape, std::uint32_t room) {
    constexpr std::uint64_t batch = 5;
    spec.shape = shape;
    const Run without = run_of(spec, batch);
    shape.exchange.padding = room;
    spec.shape = shape;
    const Run with = run_of(spec, batch);
    expect_same_bits(with, without, spec);
    const std::uint32_t planes = shape.exchange.components, real = 4;
    EXPECT_LE(with.shared_bytes, std::uint64_t{shape.sequences} * (spec.n + room + 32) * planes * real + 64);
    return with.shared_bytes != without.shared_bytes || with.instructions != without.instructions;
}

TEST(Paddings, GiveTheSameBits) {
    std::size_t changed = 0;
    for (const std::uint32_t planes : {1u, 2u}) {
        for (const std::uint32_t sequences : {1u, 3u}) {
            for (const bool is_whole : {false, true}) {
                GroupShape shape;
                shape.exchange.components = planes;
                shape.sequences = sequences;
                shape.exchange.whole_points = is_whole && planes == 2;
                const auto alike = [&](std::uint32_t n, const std::vector<std::uint32_t>& radices,
                                       std::uint32_t threads) {
                    shape.threads = threads;
                    changed += expect_alike(row(n, radices), shape, n / 8);
                };
                alike(343, {7, 7, 7}, 49);
                alike(343, {7, 7, 7}, 20);  // slots that some threads have
                alike(360, {8, 9, 5}, 45);
                alike(1000, {10, 5, 20}, 50);
                alike(512, {16, 8, 4}, 32);
                alike(256, {32, 8}, 8);
                shape.load_order = shape.store_order = kernels::ThreadOrder::sequence_fastest;
                alike(360, {8, 9, 5}, 45);
                shape.load_order = shape.store_order = kernels::ThreadOrder::flat;
                alike(100, {25, 4, 1}, 4);
            }
        }
    }
    EXPECT_GT(changed, 40u);
}

TEST(Paddings, GiveTheSameBitsInConvolutions) {
    for (const bool in_loop : {false, true}) {
        KernelSpec spec = row(240, {4, 15, 4});
        spec.loops = {{0, 120, 120}};
        spec.in.stages = {kernels::Chirp{120}};
        spec.convolution.stages = {kernels::ChirpSpectrum{120, 240, 1, -1}, kernels::SwapParts{}};
        spec.out.stages = {kernels::SwapParts{}, kernels::Chirp{120}};
        GroupShape shape;
        shape.threads = 16;
        if (in_loop) shape.form = CoreLoop{};
        expect_alike(spec, shape, 30);
        KernelSpec prime = row(72, {1, 3, 8, 3, 1});
        prime.convolution.prime = 73;
        prime.loops = {{0, 73, 73}};
        prime.convolution.stages = {kernels::RaderSpectrum{73}, kernels::SwapParts{}};
        prime.out.stages = {kernels::SwapParts{}};
        expect_alike(prime, shape, 16);
    }
}

}  // namespace
}  // namespace seiche::test
