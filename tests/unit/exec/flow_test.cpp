// Flow graphs are those of the plans: followed, they give what the plan's own kernels give, and the transform; and
// the bytes that they say pass through shared memory are those that the analyser counts.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "exec/inspect.hpp"
#include "seiche/error.hpp"
#include "seiche/explain.hpp"
#include "tests/support/textbook_recipes.hpp"
#include "tests/unit/exec/flow_bytes.hpp"
#include "tests/unit/exec/limits.hpp"

namespace {

using namespace seiche;
using Values = std::vector<std::complex<double>>;

Values random_values(std::size_t count) {
    std::mt19937 engine(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Values values(count);
    for (auto& value : values) value = {uniform(engine), uniform(engine)};
    return values;
}

double distance(const Values& a, const Values& b) {
    double fault = 0, energy = 0;
    EXPECT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        fault += std::norm(a[i] - b[i]);
        energy += std::norm(b[i]);
    }
    return std::sqrt(fault / energy);
}

/// The direct sum along every axis of a dense array.
Values direct(Values values, const std::vector<std::uint64_t>& lengths) {
    std::size_t inner = 1;
    for (std::size_t axis = lengths.size(); axis-- > 0; inner *= lengths[axis]) {
        const std::size_t n = lengths[axis];
        Values next(values.size());
        for (std::size_t at = 0; at < values.size(); ++at) {
            const std::size_t k = at / inner % n, first = at - k * inner;
            for (std::size_t j = 0; j < n; ++j)
                next[at] +=
                    values[first + j * inner] *
                    std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n));
        }
        values = std::move(next);
    }
    return values;
}

struct Case {
    std::string problem;
    Tuning tuning = {};
};

void expect_followed(const Case& one, const DeviceLimits& limits) {
    SCOPED_TRACE(one.problem);
    const Problem problem = parse_problem(one.problem);
    std::size_t count = 1;
    for (const std::uint64_t n : problem.lengths) count *= n;
    const Values input = random_values(count);
    const FollowedValues followed = follow(problem, limits, one.tuning, input);
    const Values& last = followed.steps.back().back();
    EXPECT_LT(distance(last, direct(input, problem.lengths)), 1e-14 * static_cast<double>(count));
    EXPECT_LT(distance(followed.result, last), 3e-7);
}

TEST(Flow, OnePassIsFollowed) {
    for (const char* problem : {"2", "3", "8", "12", "16", "60", "64", "256", "1000", "8 f64"})
        for (const DeviceLimits& limits : {hopper(), simd_cpu(), DeviceLimits{}}) expect_followed({problem}, limits);
}

TEST(Flow, ForcedRadicesAreFollowed) {
    Tuning tuning;
    tuning.radices = {2, 2, 2};
    expect_followed({"8", tuning}, hopper());
    const Explanation explanation = explain(parse_problem("8"), hopper(), tuning);
    std::size_t stages = 0;
    for (const FlowStep& step : explanation.kernels.at(0).steps)
        if (step.kind == FlowKind::butterflies) {
            ++stages;
            EXPECT_EQ(step.radix, 2u);
            EXPECT_EQ(step.nodes.size(), 4u);
        }
    EXPECT_EQ(stages, 3u);
    tuning.radices = {4, 2, 8, 3};
    expect_followed({"192", tuning}, hopper());
}

TEST(Flow, SeveralPassesAndAxesAreFollowed) {
    Tuning tuning;
    tuning.passes = {8, 8};
    for (const DeviceLimits& limits : {hopper(), simd_cpu()}) {
        expect_followed({"64", tuning}, limits);
        expect_followed({"4x4"}, limits);
        expect_followed({"6x5x4"}, limits);
    }
    tuning.passes = {4, 8, 4};
    expect_followed({"128", tuning}, hopper());
}

// Two passes in one launch are two of the graph, and what clears their counters is none.
TEST(Flow, PassesThatTrailAreFollowed) {
    Tuning tuning;
    tuning.trailing_passes = true;
    for (const auto& [problem, passes] : std::vector<std::pair<std::string, std::vector<std::uint64_t>>>{
             {"256", {16, 16}}, {"512 r2c", {16, 16}}, {"4096", {16, 16, 16}}}) {
        SCOPED_TRACE(problem);
        tuning.passes = passes;
        if (parse_problem(problem).kind == Kind::c2c) expect_followed({problem, tuning}, hopper());
        const Explanation explanation = explain(parse_problem(problem), hopper(), tuning);
        ASSERT_EQ(explanation.kernels.size(), passes.size());
        const std::size_t last = passes.size() - 1;
        for (std::size_t i = 0; i <= last; ++i) EXPECT_EQ(explanation.kernels[i].trails, i == last);
        EXPECT_EQ(explanation.kernels[last].kernel.name, explanation.kernels[last - 1].kernel.name);
        EXPECT_EQ(explanation.kernels[last - 1].target, "output");
        EXPECT_EQ(explanation.plan.kernels.size(), passes.size());  // one of them clears
    }
}

/// Places in memory that are not every other number's: texels of one and of two points, planes, several buffers.
TEST(Flow, ArraysOfOtherLayoutsAreFollowed) {
    for (const DeviceLimits& limits : {hopper(), simd_cpu()})
        for (const char* problem :
             {"8 image=rg32f", "8 image=rgba32f", "10 oimage=rgba32f", "6x4 image=rgba32f iwidth=6",
              "16 iimage=rgba32f", "16 planar", "12 f64 iplanar", "16 oplanar", "64 parts=128"})
            expect_followed({problem}, limits);
    Tuning tuning;
    tuning.recipe = "stockham-radix-2";
    expect_followed({"8x16 iimage=rgba32f oimage=rg32f", tuning}, hopper());
}

/// The texels are made by a pass of their own, in which every number stays on its line.
TEST(Flow, TexelsOfTwoPointsAreAStep) {
    const Explanation explanation = explain(parse_problem("7 oimage=rgba32f owidth=2"), hopper());
    EXPECT_EQ(explanation.no_graph, "");
    ASSERT_EQ(explanation.kernels.size(), 2u);
    const KernelFlow& texels = explanation.kernels[1];
    ASSERT_EQ(texels.steps.size(), 1u);
    EXPECT_EQ(texels.steps[0].lines, 7u);
    ASSERT_EQ(texels.steps[0].nodes.size(), 7u);
    for (std::uint32_t line = 0; line < 7; ++line) {
        EXPECT_EQ(texels.steps[0].nodes[line].from, std::vector<std::uint32_t>{line});
        EXPECT_EQ(texels.steps[0].nodes[line].to, std::vector<std::uint32_t>{line});
    }
    EXPECT_EQ(explanation.places_out, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(Flow, RaderAndBluesteinAreFollowed) {
    for (const DeviceLimits& limits : {hopper(), simd_cpu()}) {
        expect_followed({"37"}, limits);
        expect_followed({"37x3"}, limits);
        Tuning tuning;
        tuning.algorithm = Algorithm::bluestein;
        expect_followed({"11", tuning}, limits);
        expect_followed({"47", tuning}, limits);
        tuning.passes = {8, 4};
        tuning.padded_length = 32;
        expect_followed({"13", tuning}, limits);
    }
}

/// Two convolutions of a prime, one after the other, are beside each other in the graph.
TEST(Flow, EvenAndOddPartsOfPrimesAreFollowed) {
    Tuning tuning;
    tuning.algorithm = Algorithm::rader;
    tuning.radices = {3, 5};
    expect_followed({"17", tuning}, hopper());
    expect_followed({"13", tuning}, hopper());
    const Explanation explanation = expect_counted_bytes("17 batch=32", hopper(), tuning);
    EXPECT_EQ(explanation.kernels.at(0).steps.at(0).lines, 1u + 2 * 15);
    tuning.radices = {8, 8, 8};
    expect_counted_bytes("499 batch=2", hopper(), tuning);
    expect_counted_bytes("499 f64 batch=2", hopper(), tuning);
}

/// r2c or c2r of n numbers.
void expect_halves_followed(const Case& one) {
    SCOPED_TRACE(one.problem);
    const Problem problem = parse_problem(one.problem);
    const std::size_t n = problem.lengths[0], half = n / 2 + 1;
    const bool is_forward = problem.kind == Kind::r2c;
    Values whole = random_values(n);
    if (is_forward)
        for (std::complex<double>& x : whole) x = x.real();
    for (std::size_t k = half; !is_forward && k < n; ++k) whole[k] = std::conj(whole[n - k]);
    const Values given(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(is_forward ? n : half));
    if (!is_forward) {  // the inverse, and of bin 0 the real part alone
        whole[0] = whole[0].real();
        for (std::complex<double>& x : whole) x = std::conj(x);
    }
    Values expected = direct(whole, problem.lengths);
    if (is_forward) expected.resize(half);
    const FollowedValues followed = follow(problem, hopper(), one.tuning, given);
    EXPECT_LT(distance(followed.steps.back().back(), expected), 1e-14 * static_cast<double>(n));
    EXPECT_LT(distance(followed.result, expected), 1e-6);
}

TEST(Flow, OneSidedSpectraAreFollowed) {
    for (const std::string text : {"45 r2c f32", "99 c2r f32", "99 c2r f64"}) expect_halves_followed({text, {}});
    Tuning tuning;
    tuning.passes = {9, 5};
    for (const std::string text : {"45 r2c f32", "45 c2r f64"}) expect_halves_followed({text, tuning});
    tuning.passes.clear();
    tuning.algorithm = Algorithm::bluestein;
    for (const std::string text : {"47 r2c f32", "47 c2r f32"}) expect_halves_followed({text, tuning});
    tuning.passes = {16, 8};
    for (const std::string text : {"67 r2c f64", "67 c2r f32"}) expect_halves_followed({text, tuning});
}

TEST(Flow, OnePassInSharedMemoryOfAClusterIsFollowed) {
    DeviceLimits limits = hopper();
    limits.max_cluster_size = 8;
    Tuning tuning;
    tuning.passes = {16, 16};
    for (const std::uint32_t groups : {1u, 2u}) {
        tuning.groups_per_cluster = groups;
        expect_followed({"256", tuning}, limits);
        const Explanation explanation = explain(parse_problem("256"), limits, tuning);
        ASSERT_EQ(explanation.kernels.size(), 1u);
        bool crosses = false;
        for (const FlowStep& step : explanation.kernels[0].steps)
            crosses = crosses || step.before.level == MemoryLevel::cluster;
        EXPECT_EQ(crosses, groups > 1);
    }
}

TEST(Flow, CubesOfAGroupAreFollowed) {
    for (const char* problem : {"2x3x4", "4x4x4 batch=2", "8x2x6 in-place", "3x4x5x2"}) {
        const Explanation explanation = explain(parse_problem(problem), hopper(), {});
        ASSERT_FALSE(explanation.kernels.empty());
        expect_followed({problem, {}}, hopper());
    }
    EXPECT_EQ(explain(parse_problem("2x3x4"), hopper(), {}).kernels.size(), 1u);
    EXPECT_EQ(explain(parse_problem("3x4x5x2"), hopper(), {}).kernels.size(), 2u);
}

TEST(Flow, ConvolutionsInAGroupAreFollowed) {
    Tuning tuning;
    tuning.groups_per_cluster = 1;
    for (const std::vector<std::uint64_t>& passes : {std::vector<std::uint64_t>{2, 67}, {67, 2}, {3, 83}, {2, 73}}) {
        tuning.passes = passes;
        const std::string problem = std::to_string(passes[0] * passes[1]);
        EXPECT_EQ(explain(parse_problem(problem), hopper(), tuning).kernels.size(), 1u);
        expect_followed({problem, tuning}, hopper());
    }
}

TEST(Flow, TilesOfALongerAxisAreFollowed) {
    DeviceLimits limits = hopper();
    limits.max_cluster_size = 8;
    Tuning tuning;
    for (const std::vector<std::uint64_t>& passes :
         {std::vector<std::uint64_t>{4, 8, 8}, {16, 4, 4}, {4, 4, 4, 4}, {6, 4, 10}}) {
        tuning.passes = passes;
        tuning.groups_per_cluster = 2;
        std::uint64_t n = 1;
        for (const std::uint64_t pass : passes) n *= pass;
        const std::string problem = std::to_string(n);
        EXPECT_LT(explain(parse_problem(problem), limits, tuning).kernels.size(), passes.size());
        expect_followed({problem.c_str(), tuning}, limits);
    }
}

TEST(Flow, TextbookRecipesAreFollowed) {
    for (const char* problem :
         {"2", "8", "16", "32", "64", "8x16", "16 in-place", "6", "15", "60", "12x15 batch=2", "63 in-place"})
        for (const TextbookRecipe& recipe : recipes_for(problem)) {
            Tuning tuning;
            tuning.recipe = recipe.name;
            expect_followed({problem, tuning}, hopper());
        }
}

/// A group of few threads, so that there are several launches of few stages on chip.
TEST(Flow, SeveralLaunchesOfStagesOnChipAreFollowed) {
    DeviceLimits limits = hopper();
    limits.max_group_size = 8;
    limits.subgroup_size = 4;
    for (const char* name : {"locality", "locality-unpadded", "locality-straightforward", "locality-transposing"}) {
        Tuning tuning;
        tuning.recipe = name;
        for (const char* problem : {"64", "256", "512", "64x32"}) expect_followed({problem, tuning}, limits);
    }
}

/// A group of 8 threads, clusters of 4: launches, levels of a cluster and levels of a group.
TEST(Flow, LevelsThatWaitForTheirBlocksAreFollowed) {
    DeviceLimits limits = hopper();
    limits.max_group_size = 8;
    limits.max_cluster_size = 4;
    Tuning tuning;
    tuning.recipe = "level-by-block";
    for (const char* problem : {"4", "16", "32", "128", "16x64"}) expect_followed({problem, tuning}, limits);
    const Explanation explanation = explain(parse_problem("32"), limits, tuning);
    std::vector<MemoryLevel> levels;
    for (const FlowStep& step : explanation.kernels.at(0).steps) levels.push_back(step.before.level);
    using enum MemoryLevel;
    EXPECT_EQ(levels, (std::vector<MemoryLevel>{cluster, cluster, shared, shared, shared}));
}

TEST(Flow, LevelsThatWaitForFlagsAreFollowed) {
    DeviceLimits limits = hopper();
    limits.max_group_size = 8;
    Tuning tuning;
    tuning.recipe = "level-by-flag";
    for (const char* problem : {"8", "16", "64", "16x32"}) expect_followed({problem, tuning}, limits);
    const Explanation explanation = explain(parse_problem("64"), limits, tuning);
    std::vector<MemoryLevel> levels;
    for (const FlowStep& step : explanation.kernels.at(0).steps) levels.push_back(step.before.level);
    using enum MemoryLevel;
    EXPECT_EQ(levels, (std::vector<MemoryLevel>{registers, global, global, shared, shared, shared}));
    limits.max_cluster_size = 4;
    for (const char* problem : {"8", "16", "32", "64 batch=2", "256", "16x64"})
        expect_followed({problem, tuning}, limits);
    levels.clear();
    for (const FlowStep& step : explain(parse_problem("64"), limits, tuning).kernels.at(0).steps)
        levels.push_back(step.before.level);
    EXPECT_EQ(levels, (std::vector<MemoryLevel>{registers, cluster, cluster, shared, shared, shared}));
}

TEST(Flow, BytesOfTextbookRecipesAreThoseThatTheAnalyserCounts) {
    for (const char* name :
         {"locality", "locality-transposing", "matrix", "dif", "cooley-tukey-one-pass", "level-by-block"}) {
        SCOPED_TRACE(name);
        Tuning tuning;
        tuning.recipe = name;
        DeviceLimits limits = hopper();
        limits.max_group_size = 64;
        expect_counted_bytes("64 batch=3", limits, tuning);
    }
}

TEST(Flow, BytesThroughSharedMemoryAreThoseThatTheAnalyserCounts) {
    for (const char* text : {"64 batch=64", "1024 batch=8", "1024 f64 batch=4", "256x256", "8 batch=512", "37 batch=32",
                             "12x12 batch=8", "20x16 batch=4"}) {
        SCOPED_TRACE(text);
        for (const KernelFlow& kernel : expect_counted_bytes(text, hopper()).kernels)
            for (const FlowStep& step : kernel.steps) {
                const Exchange& e = step.before;
                EXPECT_EQ(e.same_thread + e.same_subgroup + e.same_group + e.other_group, e.points);
            }
    }
}

/// 1024 points as 16 x 8 x 8 with 64 threads: results of a first stage lie 16 to a thread, next to each other, and the
/// next stage's butterfly b takes points b + 128 j.
TEST(Flow, WhoHasAPointIsCounted) {
    const Explanation explanation = explain(parse_problem("1024 batch=8"), hopper());
    const KernelFlow& kernel = explanation.kernels.at(0);
    ASSERT_EQ(explanation.plan.recipe, "(stockham 1024 16 8 8)");
    ASSERT_EQ(kernel.steps.size(), 3u);
    EXPECT_EQ(kernel.steps[0].before.level, MemoryLevel::registers);
    const Exchange& first = kernel.steps[1].before;
    EXPECT_EQ(first.points, 1024u * kernel.sequences_per_group);
    std::uint64_t stays = 0, near = 0;
    for (std::uint64_t at = 0; at < 1024; ++at) {
        const std::uint64_t before = at / 16, after = at % 128 % 64;
        stays += before == after;
        near += before != after && before / 32 == after / 32;
    }
    EXPECT_EQ(first.same_thread, stays * kernel.sequences_per_group);
    EXPECT_EQ(first.same_subgroup, near * kernel.sequences_per_group);
}

/// 64 points as 8 x 8 with two threads, which have butterflies 0 to 3 and 4 to 7 of either stage.
TEST(Flow, NeighboursBelongToOneThread) {
    DeviceLimits limits;
    limits.vectors = Vectors::implicit_simd;
    limits.subgroup_size = 8;
    limits.shared_bytes = limits.shared_bytes_per_unit = 32 * 1024;
    const Explanation explanation = expect_counted_bytes("64 batch=16", limits);
    const KernelFlow& kernel = explanation.kernels.at(0);
    ASSERT_EQ(explanation.plan.recipe, "(stockham 64 8 8)");
    ASSERT_NE(explanation.plan.text().find("neighbours=4"), std::string::npos);
    std::uint64_t stays = 0;
    for (std::uint64_t at = 0; at < 64; ++at) stays += at / 8 / 4 == at % 8 / 4;
    EXPECT_EQ(kernel.steps.at(1).before.same_thread, stays * kernel.sequences_per_group);
}

TEST(Flow, WhatHasNoGraphSaysWhy) {
    EXPECT_NE(explain(parse_problem("1024"), hopper()).no_graph.find("1024 lines"), std::string::npos);
    EXPECT_EQ(explain(parse_problem("1024"), hopper(), {}, 1024).no_graph, "");
    EXPECT_THROW(follow(parse_problem("9 r2c"), hopper(), {}, Values(9, {0, 1})), InvalidProblem);
    EXPECT_THROW(follow(parse_problem("16"), hopper(), {}, Values(8)), InvalidProblem);
    EXPECT_THROW(follow(parse_problem("16 f16"), hopper(), {}, Values(16)), InvalidProblem);
    EXPECT_THROW(explain(parse_problem("0"), hopper()), InvalidProblem);
}

/// Mota 2022, section 2.2: one period of a cosine in 8 points.
TEST(Flow, TheEightPointCosineHasTwoLines) {
    const double h = std::sqrt(0.5);
    Tuning tuning;
    tuning.radices = {2, 2, 2};
    const FollowedValues followed = follow(parse_problem("8"), hopper(), tuning, {1, h, 0, -h, -1, -h, 0, h});
    const Values expected{0, 4, 0, 0, 0, 0, 0, 4};
    EXPECT_LT(distance(followed.steps.back().back(), expected), 1e-15);
    EXPECT_LT(distance(followed.result, expected), 1e-7);
}

}  // namespace
