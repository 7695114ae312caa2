// Passes of a processor: what the model of caches and lanes chooses, and for how many threads.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "planner/recipe.hpp"
#include "problem/problem.hpp"
#include "seiche/device.hpp"
#include "seiche/problem.hpp"

namespace {

using namespace seiche;

DeviceLimits processor(std::uint32_t threads, std::uint32_t vector_bytes = 64) {
    DeviceLimits limits;
    limits.architecture = "x86-64-avx512";
    limits.vectors = Vectors::explicit_simd;
    limits.subgroup_size = 1;
    limits.vector_bytes = vector_bytes;
    limits.max_group_size = 1;
    limits.shared_bytes = limits.shared_bytes_per_unit = 1u << 20;
    limits.compute_units = threads;
    limits.memory_bytes = limits.max_allocation_bytes = 8ull << 30;
    limits.sector_bytes = 64;
    return limits;
}

std::vector<std::uint32_t> passes(const std::string& text, const DeviceLimits& limits) {
    const planner::Recipe recipe = planner::design(problem::normalise(parse_problem(text)), limits, {});
    std::vector<std::uint32_t> lengths;
    for (const planner::AxisRecipe& axis : recipe.axes)
        for (const planner::Pass& pass : axis.passes) lengths.push_back(pass.n);
    return lengths;
}

using Lengths = std::vector<std::uint32_t>;

TEST(SimdPasses, RegistersOfTheSecondPassBeginAtMultiplesOfTheLanes) {
    EXPECT_EQ(passes("15000", processor(1)), (Lengths{40, 375}));
    EXPECT_EQ(passes("2000", processor(1)), (Lengths{16, 125}));
    EXPECT_EQ(passes("65536 f64", processor(1)), (Lengths{256, 256}));
}

TEST(SimdPasses, ADriversLaunchesAreDearer) {
    DeviceLimits pocl = processor(2);
    pocl.max_group_size = 4096;
    EXPECT_EQ(passes("1000", processor(2)), (Lengths{8, 125}));
    EXPECT_EQ(passes("1000", pocl), (Lengths{1000}));
    EXPECT_EQ(passes("15000", pocl), (Lengths{120, 125}));
}

TEST(SimdPasses, TwoPassesAreDearWhereTheSecondCacheIsSmall) {
    DeviceLimits limits = processor(1, 32);
    EXPECT_EQ(passes("10000 f64", limits), (Lengths{100, 100})) << "not known: 2 MiB";
    limits.unit_cache_bytes = 2 << 20;
    EXPECT_EQ(passes("10000 f64", limits), (Lengths{100, 100}));
    limits.unit_cache_bytes = 256 << 10;
    EXPECT_EQ(passes("10000 f64", limits), (Lengths{10000}));
}

TEST(SimdPasses, SequencesThatFillTheLanesStayInScratch) {
    EXPECT_EQ(passes("3125 batch=21", processor(1)), (Lengths{3125}));
    EXPECT_EQ(passes("2401 f64 batch=28", processor(1)), (Lengths{2401}));
    EXPECT_EQ(passes("2197 f64 batch=30", processor(1)), (Lengths{2197}));
    EXPECT_EQ(passes("4096x4096", processor(1)), (Lengths{4096, 4096}));
}

TEST(SimdPasses, ALongRealSequenceIsDividedAmongThreads) {
    EXPECT_EQ(passes("65536 r2c", processor(1)), (Lengths{32768}));
    EXPECT_EQ(passes("65536 r2c", processor(2)), (Lengths{256, 128}));
    EXPECT_EQ(passes("65536 r2c batch=8", processor(2)), (Lengths{32768}));
    EXPECT_EQ(passes("4096 r2c", processor(2)), (Lengths{2048}));
}

TEST(SimdPasses, APaddedLengthIsCutInTwo) {
    // A convolution runs between its passes: one across the sequences will not do.
    EXPECT_EQ(passes("1109x8 hc2r,dst1", processor(2)).size(), 3u);
}

TEST(SimdPasses, PairsOfBinsGoInRegisters) {
    const problem::Canonical problem = problem::normalise(parse_problem("131072 c2r f64"));
    const DeviceLimits limits = processor(2);
    const planner::Recipe recipe = planner::design(problem, limits, {});
    const auto spec = planner::plan(recipe, problem, limits, {Direction::inverse, {}}).schedule.steps.front().spec;
    ASSERT_TRUE(spec.is_repacking());
    EXPECT_EQ(std::get<kernels::SimdShape>(spec.shape).lanes, 8u);
}

std::uint32_t lanes(const std::string& text, std::uint32_t threads) {
    const problem::Canonical problem = problem::normalise(parse_problem(text));
    const DeviceLimits limits = processor(threads);
    const planner::Recipe recipe = planner::design(problem, limits, {});
    const auto spec = planner::plan(recipe, problem, limits, {Direction::forward, {}}).schedule.steps.front().spec;
    return std::get<kernels::SimdShape>(spec.shape).lanes;
}

TEST(SimdPasses, FewSequencesAreDividedAmongThreads) {
    EXPECT_EQ(lanes("1000 batch=16", 1), 16u);
    EXPECT_EQ(lanes("1000 batch=16", 2), 8u);
    EXPECT_EQ(lanes("1000 batch=66", 2), 16u);
    EXPECT_EQ(lanes("16 batch=16", 2), 16u);  // one thread's
}

TEST(SimdPasses, ThereIsALaneHoweverManyThreads) {
    const problem::Canonical problem = problem::normalise(parse_problem("255x37 batch=8"));
    DeviceLimits limits = processor(1u << 20);
    limits.sector_bytes = 5;
    const planner::Recipe recipe = planner::design(problem, limits, {});
    const planner::Schedule schedule = planner::plan(recipe, problem, limits, {Direction::forward, {}}).schedule;
    for (const planner::Step& step : schedule.steps) EXPECT_GE(std::get<kernels::SimdShape>(step.spec.shape).lanes, 1u);
}

TEST(SimdPasses, WhatTheTuningSaysHolds) {
    Tuning tuning;
    tuning.passes = {125, 120};
    const planner::Recipe recipe = planner::design(problem::normalise(parse_problem("15000")), processor(1), tuning);
    EXPECT_EQ(recipe.axes.front().passes.front().n, 125u);
}

}  // namespace
