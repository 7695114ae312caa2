// Butterflies of large primes: which rows of spectra have them, in which order, and with how many threads a group.
#include <gtest/gtest.h>

#include "planner/recipe.hpp"
#include "seiche/problem.hpp"

namespace {

using namespace seiche;
using Radices = std::vector<std::uint32_t>;

DeviceLimits card() {
    DeviceLimits limits;
    limits.architecture = "sm_100";
    limits.shared_bytes = 227 * 1024;
    limits.shared_bytes_per_unit = 228 * 1024;
    return limits;
}

kernels::KernelSpec planned(const std::string& text, Direction direction = Direction::forward,
                            const DeviceLimits& limits = card()) {
    const problem::Canonical canonical = problem::normalise(parse_problem(text));
    const planner::Recipe recipe = planner::design(canonical, limits, {});
    const auto steps = planner::plan(recipe, canonical, limits, {direction, {}}).schedule.steps;
    EXPECT_EQ(steps.size(), 1u) << text;
    return steps.front().spec;
}

kernels::GroupShape shape_of(const kernels::KernelSpec& spec) { return std::get<kernels::GroupShape>(spec.shape); }

/// Up to those of complex rows; a prime's alone to 47; no other kinds, columns, or devices without bounded registers.
TEST(LargePrimes, OfPairs) {
    for (const std::string kind : {"r2c", "c2r"}) {
        const Direction direction = kind == "c2r" ? Direction::inverse : Direction::forward;
        const auto is_by_butterflies = [&](std::uint32_t n, const std::string& precision) {
            const std::string text = std::to_string(2 * n) + " " + kind + " " + precision + " batch=9";
            const kernels::KernelSpec spec = planned(text, direction);
            return spec.n == n && spec.convolution.stages.empty();
        };
        for (const std::uint32_t n : {123, 4440, 6405, 47, 3721}) EXPECT_TRUE(is_by_butterflies(n, "f32")) << n << kind;
        for (const std::uint32_t n : {992, 2322, 1763, 43}) EXPECT_TRUE(is_by_butterflies(n, "f64")) << n << kind;
        for (const std::uint32_t n : {53, 61, 67, 134}) EXPECT_FALSE(is_by_butterflies(n, "f32")) << n << kind;
        for (const std::uint32_t n : {47, 94}) EXPECT_FALSE(is_by_butterflies(n, "f64")) << n << kind;
    }
    EXPECT_FALSE(planned("246 dct2 f32 batch=9").convolution.stages.empty());
    DeviceLimits unbounded = card();
    unbounded.bounds_registers = false;
    EXPECT_FALSE(planned("246 r2c f32 batch=9", Direction::forward, unbounded).convolution.stages.empty());
}

/// c2r stores the runs of its largest radix, but where its results are moved as one run or registers are few.
TEST(LargePrimes, EndTwoStages) {
    const auto radices = [](const std::string& text) { return planned(text, Direction::inverse).radices; };
    EXPECT_EQ(radices("296 c2r f32 batch=99"), (Radices{4, 37}));
    EXPECT_EQ(planned("296 r2c f32 batch=99").radices, (Radices{37, 4}));
    EXPECT_EQ(radices("530 c2r f32 batch=99"), (Radices{5, 53, 1}));
    EXPECT_EQ(radices("266 c2r f32 batch=99"), (Radices{19, 7, 1}));
    EXPECT_EQ(radices("180 c2r f64 batch=99"), (Radices{9, 10}));
    EXPECT_EQ(radices("76 c2r f64 batch=99"), (Radices{2, 19}));
    EXPECT_EQ(radices("492 c2r f64 batch=99"), (Radices{41, 6}));
}

/// Groups of spectra whose last subgroup idles have twice the sequences; those that move a run as many as they need.
TEST(LargePrimes, GroupsOfSpectra) {
    const auto sequences = [](const std::string& text, Direction direction) {
        return shape_of(planned(text, direction)).sequences;
    };
    EXPECT_EQ(sequences("322 r2c f32 batch=99", Direction::forward), 8u);   // of 7 threads
    EXPECT_EQ(sequences("290 c2r f32 batch=99", Direction::inverse), 16u);  // of 5
    EXPECT_EQ(sequences("240 r2c f32 batch=99", Direction::forward), 8u);   // of 10
    EXPECT_EQ(sequences("518 c2r f32 batch=99", Direction::inverse), 32u);  // 37 x 7
    EXPECT_EQ(sequences("518 r2c f64 batch=99", Direction::forward), 8u);
    EXPECT_EQ(sequences("50 r2c f32 batch=99", Direction::forward), 64u);  // 5 x 5 as one run
}

/// Odd r2c and c2r, of which one side has half as many points: runs where threads are few, whose stage of radix 1 has
/// the points that are kept.
TEST(LargePrimes, RunsOfUnequalSides) {
    const auto radices = [](const std::string& text, Direction direction) { return planned(text, direction).radices; };
    using Radices = std::vector<std::uint32_t>;
    EXPECT_EQ(radices("93 r2c f32 batch=99", Direction::forward), (Radices{1, 31, 3, 1}));
    EXPECT_EQ(radices("141 r2c f32 batch=99", Direction::forward), (Radices{47, 3, 1}));
    EXPECT_EQ(radices("105 c2r f32 batch=99", Direction::inverse), (Radices{15, 7, 1}));
    EXPECT_EQ(radices("57 c2r f64 batch=99", Direction::inverse), (Radices{19, 3, 1}));
    EXPECT_EQ(radices("81 c2r f32 batch=99", Direction::inverse), (Radices{9, 9}));
    EXPECT_EQ(radices("217 r2c f64 batch=99", Direction::forward), (Radices{31, 7}));
    EXPECT_EQ(radices("93 r2c f32 odist=50 batch=99", Direction::forward), (Radices{31, 3})) << "with room between";
    const kernels::KernelSpec r2c = planned("93 r2c f32 batch=99", Direction::forward);
    EXPECT_EQ(kernels::redistributed_points(r2c, true), 93u);
    EXPECT_EQ(kernels::redistributed_points(r2c, false), 47u);
    const kernels::KernelSpec dct2 = planned("63 dct2 f32 batch=99", Direction::forward);
    EXPECT_EQ(kernels::redistributed_points(dct2, true), 63u);
    EXPECT_EQ(kernels::redistributed_points(dct2, false), 32u) << "two numbers each, but for the first";
    const kernels::KernelSpec pruned = planned("93 f32 batch=99 spectrum-zeros=0:47-93", Direction::forward);
    EXPECT_EQ(kernels::redistributed_points(pruned, false), 93u) << "sequences of all lie apart";
}

/// Two large radices of doubles have a slot each; beside the others 29 has as many threads as it has butterflies.
TEST(LargePrimes, ThreadsOfDoubles) {
    const auto threads = [](const std::string& text) { return shape_of(planned(text)).threads; };
    EXPECT_EQ(threads("899 f64 batch=99"), 31u);
    EXPECT_EQ(threads("3441 f64 batch=99"), 111u);
    EXPECT_EQ(threads("2668 f64 batch=99"), 116u);
    EXPECT_EQ(threads("3526 r2c f64 batch=99"), 43u);
    EXPECT_EQ(threads("7482 f64 batch=99"), 174u) << "258 would have fewer registers";
    EXPECT_EQ(threads("328 f64 batch=99"), 8u) << "not as many as a small radix has";
    EXPECT_EQ(threads("2871 f64 batch=99"), 99u);
    EXPECT_EQ(threads("2784 r2c f64 batch=99"), 48u);
    EXPECT_EQ(shape_of(planned("1856 f64 batch=99")).min_groups_per_unit, 4u) << "of two subgroups each";
    EXPECT_EQ(threads("1763 f32 batch=99"), 43u) << "41 would have two butterflies of 41 points";
    EXPECT_EQ(threads("2537 f32 batch=99"), 59u);
    EXPECT_EQ(threads("15222 f32 batch=99"), 354u) << "258 would spill";
    EXPECT_EQ(threads("7007 f64 batch=99"), 637u) << "539 would spill";
    EXPECT_EQ(threads("3458 f32 batch=99"), 182u) << "266 would be alone";
}

/// Columns of them are in groups whose threads have all registers.
TEST(LargePrimes, ColumnsOfDoubles) {
    for (const std::uint32_t n : {899, 989, 1073, 1763, 3441}) {
        const kernels::GroupShape shape = shape_of(planned(std::to_string(n) + "x64 f64 axes=0 batch=9"));
        EXPECT_LE(shape.threads * shape.sequences, 256u) << n;
        EXPECT_GE(shape.sequences, 2u) << n << ": whole sectors";
    }
}

}  // namespace
