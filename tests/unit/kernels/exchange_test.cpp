// Swizzles: counted by hand, without conflict where it matters, one to one, and the same on the host and in a kernel.
#include "kernels/group/bank_conflicts.hpp"

#include <gtest/gtest.h>

#include <set>

#include "run.hpp"

namespace seiche::test {
namespace {

using kernels::AccessPattern;
using kernels::choose_swizzle;
using kernels::ExclusiveOr;
using kernels::Swizzle;
using kernels::wavefronts;

AccessPattern strided(std::uint32_t lanes, std::uint32_t stride) {
    AccessPattern pattern;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) pattern.push_back(lane * stride);
    return pattern;
}

TEST(Wavefronts, AsCountedByHand) {
    const Swizzle none;
    EXPECT_EQ(wavefronts({strided(32, 1)}, none, 4), 1u);
    EXPECT_EQ(wavefronts({strided(32, 2)}, none, 4), 2u);
    EXPECT_EQ(wavefronts({strided(32, 3)}, none, 4), 1u);  // odd strides visit every bank
    EXPECT_EQ(wavefronts({strided(32, 32)}, none, 4), 32u);
    EXPECT_EQ(wavefronts({strided(32, 0)}, none, 4), 1u);  // one address is broadcast
    EXPECT_EQ(wavefronts({strided(8, 8)}, none, 4), 2u);   // banks 0, 8, 16, 24, twice
    EXPECT_EQ(wavefronts({strided(32, 1)}, none, 8), 2u);  // 16 lanes at a time
    EXPECT_EQ(wavefronts({strided(32, 2)}, none, 8), 4u);
    EXPECT_EQ(wavefronts({strided(32, 16)}, none, 8), 32u);
    EXPECT_EQ(wavefronts({strided(32, 1), strided(32, 2)}, none, 4), 3u);
    EXPECT_EQ(wavefronts({}, none, 4), 0u);
    EXPECT_EQ(wavefronts({strided(32, 32)}, {Swizzle::Rule::pad, 5, 0, 31}, 4), 1u);
    EXPECT_EQ(wavefronts({strided(32, 32)}, {Swizzle::Rule::exclusive_or, 5, 0, 31}, 4), 1u);
}

/// What a stage of radix r writes after s points were done, and what the next of radix `next` reads, first subgroup.
std::vector<AccessPattern> stage_patterns(std::uint32_t n, std::uint32_t r, std::uint32_t s, std::uint32_t next) {
    std::vector<AccessPattern> all;
    const auto butterflies = [](std::uint32_t count) { return std::min(count, 32u); };
    for (const std::uint32_t leg : {0u, r / 2, r - 1}) {
        AccessPattern writes;
        for (std::uint32_t b = 0; b < butterflies(n / r); ++b) writes.push_back(b / s * r * s + leg * s + b % s);
        all.push_back(writes);
    }
    for (const std::uint32_t leg : {0u, next / 2, next - 1}) {
        AccessPattern reads;
        for (std::uint32_t b = 0; b < butterflies(n / next); ++b) reads.push_back(b + leg * (n / next));
        all.push_back(reads);
    }
    return all;
}

std::uint64_t ideal(const std::vector<AccessPattern>& patterns, unsigned element_bytes) {
    const std::size_t lanes = 128 / element_bytes;
    std::uint64_t total = 0;
    for (const AccessPattern& pattern : patterns) total += (pattern.size() + lanes - 1) / lanes;
    return total;
}

TEST(ChooseSwizzle, LeavesNoConflictInStagesOfPowersOfTwo) {
    struct Case {
        std::uint32_t n, r, s, next;
    };
    for (const Case& c :
         {Case{64, 8, 1, 8}, Case{256, 16, 1, 16}, Case{512, 8, 8, 8}, Case{1024, 16, 1, 8}, Case{1024, 8, 16, 8},
          Case{4096, 16, 1, 16}, Case{4096, 16, 16, 16}, Case{8192, 16, 32, 16}}) {
        for (const unsigned bytes : {4u, 8u}) {
            const std::vector<AccessPattern> patterns = stage_patterns(c.n, c.r, c.s, c.next);
            const Swizzle chosen = choose_swizzle(patterns, bytes, ExclusiveOr::free);
            EXPECT_EQ(wavefronts(patterns, chosen, bytes), ideal(patterns, bytes))
                << c.n << ' ' << c.r << ' ' << c.s << ' ' << bytes;
        }
    }
}

TEST(ChooseSwizzle, AvoidsOneThatIsGivenWhereAnotherIsAsGood) {
    const std::vector<AccessPattern> patterns = stage_patterns(256, 16, 1, 16);
    const Swizzle first = choose_swizzle(patterns, 8, ExclusiveOr::free);
    const Swizzle other = choose_swizzle(patterns, 8, ExclusiveOr::free, &first);
    EXPECT_NE(first, other);
    EXPECT_EQ(wavefronts(patterns, first, 8), wavefronts(patterns, other, 8));
    EXPECT_EQ(choose_swizzle(patterns, 8, ExclusiveOr::free, &other), first);
    const Swizzle none{Swizzle::Rule::none, 0, 0, 31};
    EXPECT_EQ(choose_swizzle({strided(32, 1)}, 4, ExclusiveOr::free, &none), none);  // nothing is simpler
}

TEST(ChooseSwizzle, TakesTheSimplestOfEquals) {
    EXPECT_EQ(choose_swizzle({strided(32, 1)}, 4, ExclusiveOr::free).rule, Swizzle::Rule::none);
    EXPECT_EQ(choose_swizzle({strided(32, 5)}, 4, ExclusiveOr::never).rule, Swizzle::Rule::none);
    EXPECT_EQ(choose_swizzle({strided(32, 32)}, 4, ExclusiveOr::free).rule, Swizzle::Rule::exclusive_or);
    EXPECT_EQ(choose_swizzle({strided(32, 96)}, 4, ExclusiveOr::never).rule, Swizzle::Rule::pad);
    EXPECT_EQ(choose_swizzle({strided(32, 96)}, 4, ExclusiveOr::where_worthwhile).rule, Swizzle::Rule::pad);
    EXPECT_EQ(
        choose_swizzle({strided(32, 96), strided(32, 3 << 10), strided(32, 1)}, 4, ExclusiveOr::where_worthwhile).rule,
        Swizzle::Rule::exclusive_or);
}

std::vector<Swizzle> all_swizzles() {
    std::vector<Swizzle> all{{}};
    for (const unsigned mask : {15u, 31u}) {
        for (unsigned a = 3; a <= 5; ++a) all.push_back({Swizzle::Rule::pad, a, 0, mask});
        for (unsigned a = 4; a <= 9; ++a) {
            if ((1u << a) <= mask) continue;
            all.push_back({Swizzle::Rule::exclusive_or, a, 0, mask});
            for (const unsigned b : {1u, 2u, 3u, 11u}) all.push_back({Swizzle::Rule::exclusive_or, a, b, mask});
        }
    }
    return all;
}

TEST(Swizzle, IsOneToOneWithinItsExtent) {
    for (const Swizzle& swizzle : all_swizzles()) {
        for (const std::uint32_t count : {1u, 31u, 32u, 33u, 1000u, 4096u}) {
            std::set<std::uint32_t> places;
            for (std::uint32_t i = 0; i < count; ++i) places.insert(swizzle.apply(i));
            EXPECT_EQ(places.size(), count);
            EXPECT_LT(*places.rbegin(), swizzle.extent(count));
        }
    }
}

/// Places of index + constant for index = 0 .. count-1, as a kernel computes them.
std::vector<std::uint32_t> places_in_a_kernel(const Swizzle& swizzle, std::uint32_t count, std::uint32_t constant,
                                              bool is_disjoint) {
    ir::Builder build("places");
    build.kernel().launch.group = {count, 1, 1};
    const std::uint32_t out = output(build, ir::Scalar::u32);
    const ir::Value index = build.thread_id();
    build.global_store(out, build.convert(index, ir::Scalar::u64),
                       kernels::swizzled(swizzle, index, constant, is_disjoint));
    std::vector<std::uint32_t> places(count);
    run(build.finish(), {bound(places)});
    return places;
}

TEST(Swizzle, IsTheSameInAKernel) {
    constexpr std::uint32_t count = 512;
    for (const Swizzle& swizzle : all_swizzles()) {
        for (const std::uint32_t constant : {0u, 1u, 24u, 100u, 512u, 1536u, 7 * 512u}) {
            const bool is_disjoint = constant % count == 0;
            const std::vector<std::uint32_t> places = places_in_a_kernel(swizzle, count, constant, is_disjoint);
            for (std::uint32_t i = 0; i < count; ++i) {
                ASSERT_EQ(places[i], swizzle.apply(i + constant))
                    << i << '+' << constant << " a " << swizzle.shift_a << " b " << swizzle.shift_b;
            }
        }
    }
}

}  // namespace
}  // namespace seiche::test
