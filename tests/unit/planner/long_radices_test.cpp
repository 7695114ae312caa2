// Radices beyond 16 of long transforms: where they are taken, with how many threads, and that each thread has points.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "planner/shape/shape.hpp"

namespace {

using namespace seiche;
using Radices = std::vector<std::uint32_t>;

Radices chosen(std::uint32_t n, const DeviceLimits& limits, Precision precision = Precision::f32) {
    return planner::choose_radices({n, false, false, precision}, limits);
}

DeviceLimits card() {
    DeviceLimits limits;
    limits.architecture = "sm_100";
    limits.shared_bytes = 227 * 1024;
    limits.shared_bytes_per_unit = 228 * 1024;
    return limits;
}

TEST(LongRadices, SpareAStage) {
    struct Case {
        std::uint32_t n;
        Radices radices;
    };
    for (const Case& one : {Case{3000, {15, 10, 20}}, Case{16384, {32, 16, 32}}, Case{8000, {32, 10, 25}},
                            Case{7776, {32, 9, 27}}, Case{8192, {16, 8, 8, 8}}, Case{4096, {16, 16, 16}},
                            Case{1000, {10, 10, 10}}, Case{2187, {9, 9, 9, 3}}, Case{2401, {7, 7, 7, 7}}})
        EXPECT_EQ(chosen(one.n, card()), one.radices) << one.n;
}

/// Not with more threads than a group may have, of which 3380 points by 13 x 13 x 20 are 260.
TEST(LongRadices, AreOfAGroup) {
    DeviceLimits limits;
    limits.max_group_size = 256;
    limits.shared_bytes = limits.shared_bytes_per_unit = 32 * 1024;
    for (std::uint32_t n = 3000; n <= 4096; ++n) {
        const Radices radices = chosen(n, limits);
        const planner::CoreQuestion core{n, false, false, Precision::f32};
        if (radices.empty()) continue;
        EXPECT_LE(planner::threads_for_core(radices, core, limits), 256u) << n;
    }
}

/// Where shared memory holds too few groups for one to compute while another loads, fewer exchanges count for more.
TEST(LongRadices, SpareAStageOfAPowerOfTwoOnASmallUnit) {
    DeviceLimits limits;
    limits.shared_bytes_per_unit = 100 * 1024;
    EXPECT_EQ(chosen(8192, limits), (Radices{32, 16, 16}));
    EXPECT_EQ(chosen(4096, limits), (Radices{16, 16, 16}));
}

/// A second slot of a few threads would be computed by all.
TEST(Threads, HaveNoSlotForTheRestOfAStage) {
    const auto threads = [](const Radices& radices, std::uint32_t n) {
        return planner::threads_for_core(radices, {n, false, false, Precision::f64}, card());
    };
    EXPECT_EQ(threads({16, 15, 15}, 3600), 240u);
    EXPECT_EQ(threads({9, 8}, 72), 8u) << "short ones have their own rules";
    EXPECT_EQ(threads({15, 15, 14}, 3150), 225u);
    EXPECT_EQ(threads({10, 10, 10}, 1000), 100u);
    EXPECT_EQ(threads({16, 12, 8}, 1536), 96u) << "fewer threads with two whole slots are as good";
    EXPECT_EQ(threads({9, 9, 9, 3}, 2187), 243u);
}

TEST(LongRadices, LeaveEachThreadItsPoints) {
    const DeviceLimits limits = card();
    for (std::uint32_t n = 2000; n <= 16384; n += 112) {
        const planner::CoreQuestion core{n, false, false, Precision::f32};
        if (!planner::fits_one_pass(core, limits)) continue;
        const Radices radices = chosen(n, limits);
        if (radices.empty() || !planner::is_long(radices, core, limits)) continue;
        EXPECT_EQ(std::accumulate(radices.begin(), radices.end(), 1u, std::multiplies<>()), n);
        EXPECT_LT(radices.size(), 5u);
        const std::uint32_t threads = planner::threads_for_core(radices, core, limits);
        EXPECT_GE(threads, n / *std::max_element(radices.begin(), radices.end())) << n;
        EXPECT_LE(threads, limits.max_group_size) << n;
        EXPECT_LE(planner::groups_of_long(radices, n, threads), 2u) << n;
    }
}

/// More points than 16 of each of 1024 threads, f64 8: of these lengths one group holds them nevertheless.
TEST(LongRadices, LetOneGroupHoldLongerTransforms) {
    const DeviceLimits limits = card();
    for (const std::uint32_t n : {18432u, 19683u, 20000u, 20480u}) {
        const planner::CoreQuestion core{n, false, false, Precision::f32};
        EXPECT_TRUE(planner::fits_one_pass(core, limits)) << n;
        const Radices radices = chosen(n, limits);
        EXPECT_EQ(std::accumulate(radices.begin(), radices.end(), 1u, std::multiplies<>()), n);
        const std::uint32_t threads = planner::threads_for_core(radices, core, limits);
        EXPECT_LE(threads, limits.max_group_size) << n;
        for (const std::uint32_t r : radices) EXPECT_LE((n / r + threads - 1) / threads * r, 35u) << n;
    }
    EXPECT_TRUE(planner::fits_one_pass({10000, false, false, Precision::f64}, limits));
    EXPECT_FALSE(planner::fits_one_pass({32768, false, false, Precision::f32}, limits));
    EXPECT_FALSE(planner::fits_one_pass({20000, true, false, Precision::f32}, limits)) << "columns";
    EXPECT_FALSE(planner::fits_one_pass({20000, false, true, Precision::f32}, limits)) << "a convolution";
    DeviceLimits small = limits;
    small.shared_bytes = 48 * 1024;
    EXPECT_TRUE(planner::fits_one_pass({20000, false, false, Precision::f32}, small)) << "in two pieces";
    EXPECT_FALSE(planner::fits_one_pass({19683, false, false, Precision::f32}, small)) << "no radix is even";
}

TEST(LongRadices, AreForPlentyOfRegisters) {
    DeviceLimits few = card();
    few.registers_per_thread = 64;
    DeviceLimits cpu = card();
    cpu.vectors = Vectors::implicit_simd;
    const auto largest = [](const Radices& radices) { return *std::max_element(radices.begin(), radices.end()); };
    EXPECT_LE(largest(chosen(3000, few)), 16u);
    EXPECT_LE(largest(chosen(1716, card(), Precision::f64)), 16u) << "short rows of doubles";
    EXPECT_LE(largest(chosen(3000, few, Precision::f64)), 16u);
    EXPECT_EQ(planner::choose_radices({3000, true, false, Precision::f32}, card()).size(), 4u);
    EXPECT_FALSE(planner::is_long({15, 10, 20}, {3000, false, true, Precision::f32}, card()));
    EXPECT_FALSE(planner::is_long({15, 10, 20}, {3000, false, false, Precision::f32}, cpu));
}

}  // namespace
