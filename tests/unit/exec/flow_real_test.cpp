// Flow graphs of real kinds, of pruned arrays and of plans with stages of the user's: followed, they give what the
// plan's own kernels give, and for some the sums of the definition.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "exec/inspect.hpp"
#include "seiche/error.hpp"
#include "seiche/explain.hpp"
#include "tests/unit/exec/flow_bytes.hpp"
#include "tests/unit/exec/limits.hpp"

namespace {

using namespace seiche;
using Values = std::vector<std::complex<double>>;

double distance(const Values& a, const Values& b) {
    double fault = 0, energy = 0;
    EXPECT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        fault += std::norm(a[i] - b[i]);
        energy += std::norm(b[i]);
    }
    return std::sqrt(fault / energy);
}

DeviceLimits with_clusters() {
    DeviceLimits limits = hopper();
    limits.max_cluster_size = 8;
    return limits;
}

/// How many kernels it has.
std::size_t expect_followed(const std::string& text, const DeviceLimits& limits, const Tuning& tuning = {}) {
    SCOPED_TRACE(text);
    const Problem problem = parse_problem(text);
    const Explanation explanation = explain(problem, limits, tuning, 4096);
    EXPECT_EQ(explanation.no_graph, "");
    const bool takes_real = problem.kind != Kind::c2c && problem.kind != Kind::c2r && !explanation.has_pairs_in;
    std::mt19937 engine(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Values input(explanation.lines);
    for (auto& value : input) value = {uniform(engine), takes_real ? 0 : uniform(engine)};
    const FollowedValues followed = follow(problem, limits, tuning, input);
    EXPECT_LT(distance(followed.result, followed.steps.back().back()), 5e-7);
    return explanation.kernels.size();
}

TEST(FlowReal, OneKernelIsFollowed) {
    for (const DeviceLimits& limits : {hopper(), simd_cpu()})
        for (const char* problem : {"1 r2c",     "2 r2c",    "16 r2c",   "9 r2c",    "37 r2c",
                                    "74 r2c",    "16 c2r",   "15 c2r",   "16 r2hc",  "16 hc2r",
                                    "13 dht",    "9 dct1",   "16 dct2",  "15 dct2",  "16 dct3",
                                    "16 dct4",   "9 dct4",   "7 dst1",   "16 dst2",  "16 dst3",
                                    "16 dst4",   "600 dct2", "600 dct3", "600 dct4", "16 dct2 orthonormal",
                                    "8 dct2 f64"})
            EXPECT_EQ(expect_followed(problem, limits), 1u);
}

TEST(FlowReal, SeveralAxesAreFollowed) {
    for (const DeviceLimits& limits : {hopper(), simd_cpu()})
        for (const char* problem : {"6x8 r2c", "6x8 c2r", "4x5x6 r2c", "6x8 r2c in-place", "8x6 dct2", "4x3x8 dst3",
                                    "8x6 dct4 axes=0", "5x6 r2c halved=0", "6x8 r2c istrides=-8,-1 ioffset=188",
                                    "6x8 c2r ostrides=8,-1 istrides=-5,1 ioffset=200 ooffset=28",
                                    "8x6 dct2 in-place istrides=-6,-1 ioffset=188"})
            expect_followed(problem, limits);
}

/// With a kernel that copies the input first.
TEST(FlowReal, TwoLayoutsInPlaceAreFollowed) {
    for (const DeviceLimits& limits : {hopper(), simd_cpu()}) {
        for (const char* problem :
             {"16 in-place odist=20", "16 r2c in-place istrides=2 ostrides=1", "16 c2r in-place istrides=1 ostrides=2",
              "16 dct2 in-place ostrides=2", "9 dct2 in-place ostrides=2", "16 dst4 in-place ooffset=64"})
            EXPECT_EQ(expect_followed(problem, limits), 2u) << problem;
        for (const char* problem : {"6x8 in-place ostrides=1,6", "6x8 r2c in-place istrides=8,1 ostrides=5,1",
                                    "5x6 r2c in-place halved=0", "8x6 dct2 in-place ostrides=1,8"})
            expect_followed(problem, limits);
    }
}

/// Of c2r what is no spectrum of real numbers too.
TEST(FlowReal, PlanesAreFollowed) {
    Tuning tuning;
    tuning.groups_per_cluster = 1;
    for (const char* problem :
         {"6x8 r2c", "6x8 c2r", "5x12 r2c", "5x12 c2r", "7x6 r2c", "7x6 c2r in-place", "3x18 r2c"})
        EXPECT_EQ(expect_followed(problem, hopper(), tuning), 1u);
    for (const char* problem :
         {"3x4x8 r2c", "3x4x8 c2r", "5x7 r2c", "7x5 c2r", "4x3x9 r2c in-place", "3x5x6 c2r in-place"})
        EXPECT_EQ(expect_followed(problem, hopper(), tuning), 1u);
    for (const char* problem : {"2x3x4x8 r2c", "2x3x4x8 c2r"})
        EXPECT_EQ(expect_followed(problem, hopper(), tuning), 2u);
    tuning.groups_per_cluster = 2;
    for (const char* problem : {"16x32 r2c", "16x32 c2r"})
        EXPECT_EQ(expect_followed(problem, with_clusters(), tuning), 1u);
}

/// Points of odd lengths, folded from elements: by butterflies, as a convolution in one kernel or three, and in passes.
TEST(FlowReal, OddLengthsAreFollowed) {
    Tuning passes, convolution;
    passes.passes = {9, 15};
    convolution.algorithm = Algorithm::bluestein;
    Tuning of_passes = convolution;
    of_passes.padded_length = 240;
    of_passes.passes = {16, 15};
    for (const std::string kind :
         {"r2c", "c2r", "dht", "r2hc", "hc2r", "dct2", "dct3", "dct4", "dst2", "dst3", "dst4"}) {
        EXPECT_EQ(expect_followed("135 " + kind, hopper()), 1u);
        EXPECT_EQ(expect_followed("135 " + kind, hopper(), passes), 2u);
        EXPECT_EQ(expect_followed("83 " + kind, hopper()), 1u);
        EXPECT_EQ(expect_followed("135 " + kind + " f64", hopper(), of_passes), 3u);
    }
    for (const char* problem : {"135 dct2 orthonormal", "125 dst3 orthonormal", "125 dct4 orthonormal f64"})
        EXPECT_EQ(expect_followed(problem, hopper()), 1u);
}

/// A pass of maps, points folded in or out, and bins that meet in a pass: all are kernels of several.
TEST(FlowReal, SeveralPassesAreFollowed) {
    Tuning tuning;
    tuning.passes = {8, 8};
    for (const DeviceLimits& limits : {hopper(), simd_cpu()})
        for (const char* kind : {"r2c", "c2r", "dht", "hc2r", "dct2", "dct3", "dct4", "dst2", "dst3", "dst4"})
            EXPECT_GT(expect_followed(std::string("128 ") + kind, limits, tuning), 1u);
    EXPECT_GT(expect_followed("65 dct1", hopper(), tuning), 1u);
    tuning.passes = {32, 32};
    for (const char* problem : {"2048 r2c", "2048 c2r", "2048 dct2", "2048 dct3", "2048 dct4"})
        EXPECT_EQ(expect_followed(problem, hopper(), tuning), 2u);
    tuning.passes = {16, 32};
    tuning.groups_per_cluster = 2;
    for (const char* problem : {"1024 r2c", "1024 c2r"})
        EXPECT_EQ(expect_followed(problem, with_clusters(), tuning), 1u);
}

TEST(FlowReal, PrunedArraysAreFollowed) {
    Tuning tuning;
    for (const DeviceLimits& limits : {hopper(), simd_cpu()}) {
        for (const char* problem :
             {"64 signal-zeros=0:16-64", "64 spectrum-zeros=0:3-60", "8x8 signal-zeros=0:3-5,1:2-6",
              "8x8x4 spectrum-zeros=0:3-5,1:2-6,2:0-1", "37 signal-zeros=0:16-30", "32 r2c signal-zeros=0:16-32",
              "8x16 r2c signal-zeros=0:3-5 spectrum-zeros=1:3-6", "16x12 dct3 spectrum-zeros=0:0-3,1:8-11"})
            expect_followed(problem, limits);
        tuning.passes = {8, 8};
        for (const char* problem : {"64 signal-zeros=0:16-64", "64 spectrum-zeros=0:3-60",
                                    "128 r2c signal-zeros=0:16-32", "128 dct2 spectrum-zeros=0:16-32"})
            expect_followed(problem, limits, tuning);
    }
    const Explanation half = explain(parse_problem("8 signal-zeros=0:2-8"), hopper());
    EXPECT_EQ(half.lines, 2u);
    EXPECT_EQ(half.places_in, (std::vector<std::uint64_t>{0, 1}));
    EXPECT_EQ(half.places_out.size(), 8u);
}

TEST(FlowReal, StagesOfTheUsersAreStepsWithoutLines) {
    Problem problem = parse_problem("16");
    problem.forward_load.text = "return value * 2";
    problem.forward_store.text = "return conj(value)";
    const Explanation explanation = explain(problem, hopper());
    EXPECT_TRUE(explanation.has_user_stages);
    EXPECT_EQ(explanation.no_graph, "");
    const std::vector<FlowStep>& steps = explanation.kernels.at(0).steps;
    EXPECT_EQ(steps.front().kind, FlowKind::user_stage);
    EXPECT_NE(steps.front().text.find("value * 2"), std::string::npos);
    EXPECT_EQ(steps.back().kind, FlowKind::user_stage);
    EXPECT_TRUE(steps.back().nodes.empty());
    // Without them the graph is the transform.
    Values input(16);
    input[3] = 1;
    const FollowedValues followed = follow(problem, hopper(), {}, input);
    Values expected;
    for (int k = 0; k < 16; ++k) expected.push_back(std::polar(1.0, -2 * std::numbers::pi * 3 * k / 16));
    EXPECT_LT(distance(followed.steps.back().back(), expected), 1e-14);
    EXPECT_LT(distance(followed.result, expected), 1e-6);
    problem = parse_problem("16 dct2");
    problem.forward_store.text = "return value * 3";
    EXPECT_EQ(explain(problem, hopper()).kernels.back().steps.back().kind, FlowKind::user_stage);
}

/// One impulse through type II of 8 numbers: 2 cos(pi k (2 j + 1) / 16).
TEST(FlowReal, ACosineTransformIsItsSums) {
    const Explanation explanation = explain(parse_problem("8 dct2"), hopper());
    ASSERT_FALSE(explanation.has_pairs_in);
    ASSERT_EQ(explanation.lines, 8u);
    for (int j = 0; j < 8; ++j) {
        Values input(8), expected;
        input[static_cast<std::size_t>(j)] = 1;
        for (int k = 0; k < 8; ++k) expected.emplace_back(2 * std::cos(std::numbers::pi * k * (2 * j + 1) / 16));
        EXPECT_LT(distance(follow(parse_problem("8 dct2"), hopper(), {}, input).steps.back().back(), expected), 1e-14);
    }
}

/// Bins 1 and 3 of 4 points make results 1 and 3 of 8 numbers, bin 2 makes its own, bin 0 makes 0 and 4.
TEST(FlowReal, WhoMeetsWhomInR2c) {
    const Explanation explanation = explain(parse_problem("8 r2c"), hopper());
    EXPECT_TRUE(explanation.has_pairs_in);
    EXPECT_EQ(explanation.lines, 4u);
    const FlowStep& map = explanation.kernels.at(0).steps.back();
    ASSERT_EQ(map.kind, FlowKind::real_map);
    EXPECT_EQ(map.lines, 5u);
    std::vector<std::vector<std::uint32_t>> from, to;
    for (const FlowNode& node : map.nodes) from.push_back(node.from), to.push_back(node.to);
    EXPECT_EQ(from, (std::vector<std::vector<std::uint32_t>>{{0}, {1, 3}, {2}}));
    EXPECT_EQ(to, (std::vector<std::vector<std::uint32_t>>{{0, 4}, {1, 3}, {2}}));
}

TEST(FlowReal, BytesThroughSharedMemoryAreThoseThatTheAnalyserCounts) {
    for (const char* text :
         {"256 r2c batch=64",  "255 r2c batch=64",   "256 c2r batch=64",  "1024 dct2 batch=64",  "60 dct2 batch=64",
          "256 dct3 batch=64", "1024 dct4 batch=64", "63 dct4 batch=64",  "256 dht batch=64",    "63 c2r batch=64",
          "63 hc2r batch=64",  "63 dct2 batch=64",   "63 dct3 batch=64",  "60 dct3 batch=64",    "60 dct4 batch=64",
          "63 dht batch=64",   "256 hc2r batch=64",  "63 dst4 batch=64",  "60 r2c f64 batch=64", "65 dct1 batch=64",
          "16x64 r2c batch=4", "16x16 r2c batch=4",  "40x36 r2c batch=4", "36x40 c2r batch=4"})
        expect_counted_bytes(text, hopper());
}

}  // namespace
