// Recipes as text, and what design() refuses.
#include "planner/recipe.hpp"

#include <gtest/gtest.h>

#include "seiche/error.hpp"
#include "tests/unit/planner/card_of_kind.hpp"

namespace {

using namespace seiche;

std::string recipe(const std::string& text, const Tuning& tuning = {}) {
    DeviceLimits limits;
    limits.architecture = "sm_100";
    limits.shared_bytes = 227 * 1024;
    limits.waits_for_groups = false;  // no pipelined passes
    return planner::to_string(planner::design(problem::normalise(parse_problem(text)), limits, tuning));
}

TEST(Recipe, PrintsItself) {
    EXPECT_EQ(recipe("4096 c2c f32"), "(stockham 4096 16 16 16)");
    EXPECT_EQ(recipe("1048576 c2c f32"), "(four-step 1048576 (stockham 1024 16 8 8) (stockham 1024 16 8 8))");
    EXPECT_EQ(recipe("67108864 c2c f32"),
              "(four-step 67108864 (stockham 1024 16 8 8) (stockham 256 16 16) (stockham 256 16 16))");
    EXPECT_EQ(recipe("268435456 c2c f32"),
              "(four-step 268435456 (stockham 1024 16 8 8) (stockham 1024 16 8 8) (stockham 256 16 16))");
    EXPECT_EQ(recipe("31 c2c f32"), "(stockham 31 31)");
    EXPECT_EQ(recipe("272 c2c f32"), "(stockham 272 17 16)");
    EXPECT_EQ(recipe("127 c2c f32"), "(bluestein 127 (stockham 256 32 8))");
    EXPECT_EQ(recipe("1009 c2c f32"), "(rader 1009 (stockham 1008 12 12 7))");
    EXPECT_EQ(recipe("2018 c2c f32"), "(bluestein 2018 (stockham 4096 32 8 16))");
    EXPECT_EQ(recipe("1033216 c2c f32"),
              "(four-step 1033216 (stockham 1024 16 8 8) (rader 1009 (stockham 1008 12 12 7)))");
    EXPECT_EQ(recipe("1000003 c2c f32"),
              "(bluestein 1000003 (four-step 2097152 (stockham 2048 16 16 8) (stockham 1024 16 8 8)))");
    EXPECT_EQ(recipe("64x64 c2c f32"), "(axes (stockham 64 8 8) (stockham 64 8 8))");
    EXPECT_EQ(recipe("1 c2c f32"), "(copy)");
    EXPECT_EQ(recipe("4096 c2c f64x2"), "(stockham 4096 8 8 8 8)");
    EXPECT_EQ(recipe("8192 c2c f64x2"), "(four-step 8192 (stockham 128 8 4 4) (stockham 64 8 8))");
}

/// A complete recipe says all that was chosen: lowered again, it gives the same launches. On a device whose compiler
/// decides on registers, a plane's common threads follow from radices that the design had, not from those it got.
TEST(Recipe, GivesItsLaunchesAgain) {
    DeviceLimits gpu;
    gpu.architecture = "dg2";
    gpu.subgroup_size = 16;
    gpu.registers_per_thread = 64;
    gpu.shared_bytes = 65536;
    gpu.cache_bytes = std::uint64_t{16} << 20;
    gpu.bounds_registers = gpu.fp64 = false;
    for (const DeviceLimits& limits : {gpu, card_of_kind()}) {
        for (const char* text :
             {"80x80 batch=5242", "262144 batch=64", "65536 batch=9", "100x100x100", "512x512 r2c"}) {
            const problem::Canonical canonical = problem::normalise(parse_problem(text));
            const planner::LowerOptions options{Direction::forward, {}};
            const planner::Planned planned =
                planner::plan(planner::design(canonical, limits, {}), canonical, limits, options);
            EXPECT_EQ(planner::lower(planned.recipe, canonical, limits, options), planned.schedule) << text;
        }
    }
}

/// Nor do threads whose points are fewer than a butterfly's change what radices decide.
TEST(Recipe, GivesSmallClustersAgain) {
    const problem::Canonical canonical = problem::normalise(parse_problem("32 batch=1048576 in-place"));
    planner::LowerOptions options{Direction::forward, {}};
    options.tuning.groups_per_cluster = 4;
    const planner::Planned planned =
        planner::plan(planner::design(canonical, card_of_kind(), options.tuning), canonical, card_of_kind(), options);
    EXPECT_EQ(planner::lower(planned.recipe, canonical, card_of_kind(), options), planned.schedule);
}

TEST(Recipe, TuningIsObeyedOrRefused) {
    Tuning tuning;
    tuning.radices = {4, 16, 16};
    EXPECT_EQ(recipe("1024 c2c f32", tuning), "(stockham 1024 4 16 16)");
    EXPECT_THROW(recipe("2048 c2c f32", tuning), Unsupported);
    EXPECT_THROW(recipe("64x16 c2c f32", tuning), Unsupported);
    Tuning passes;
    passes.passes = {64, 64};
    EXPECT_EQ(recipe("4096 c2c f32", passes), "(four-step 4096 (stockham 64 8 8) (stockham 64 8 8))");
}

// What nobody asked for is not what a refusal speaks of: groups of few threads and registers, clusters of eight.
TEST(Recipe, ClustersThatHoldNoTwoPassesAreDoneWithout) {
    DeviceLimits limits;
    limits.max_group_size = 64;
    limits.registers_per_thread = 32;
    limits.shared_bytes = 64 * 1024;
    limits.max_cluster_size = 8;
    limits.sector_bytes = 128;
    const auto designed = [&](const Tuning& tuning) {
        return planner::design(problem::normalise(parse_problem("65536 r2hc batch=5")), limits, tuning);
    };
    EXPECT_EQ(designed({}).groups_per_cluster, 0u);
    Tuning asked;
    asked.groups_per_cluster = 8;
    EXPECT_THROW(designed(asked), Unsupported);
}

// Butterflies of 17 points and more where Bluestein's transform, by what was measured of it, takes longer.
TEST(Recipe, RadersAndBluesteinsByWhatTheyTake) {
    EXPECT_EQ(recipe("5279 c2c f32"), "(rader 5279 (stockham 5278 29 14 13))");
    EXPECT_EQ(recipe("4093 c2c f32"), "(bluestein 4093 (stockham 8192 32 16 16))");
    EXPECT_EQ(recipe("1009 c2c f64"), "(rader 1009 (stockham 1008 12 12 7))");
    EXPECT_EQ(recipe("1021 c2c f64"), "(bluestein 1021 (stockham 2048 16 8 16))");
    EXPECT_EQ(recipe("1171 c2c f64"), "(rader 1171 (stockham 1170 13 10 9))");
    EXPECT_EQ(recipe("103 c2c f32").rfind("(bluestein 103 ", 0), 0u) << "as many stages";
    EXPECT_EQ(recipe("239 c2c f32"), "(bluestein 239 (stockham 512 32 16))");
    Tuning tuning;
    tuning.algorithm = Algorithm::rader;
    EXPECT_EQ(recipe("103 c2c f32", tuning), "(rader 103 (stockham 102 17 6))");
    EXPECT_EQ(recipe("41 c2c f32"), "(stockham 41 41)");
    EXPECT_EQ(recipe("94 c2c f64").rfind("(bluestein 94 ", 0), 0u);
}

// Both parts of a prime where the padded whole fits in no kernel, and where they were faster.
TEST(Recipe, PrimesByParity) {
    DeviceLimits small;
    small.shared_bytes = small.shared_bytes_per_unit = 32 << 10;
    const auto designed = [](const std::string& text, const DeviceLimits& limits, const Tuning& tuning = {}) {
        return to_string(planner::design(problem::normalise(parse_problem(text)), limits, tuning));
    };
    EXPECT_EQ(designed("4211 c2c f32", small).rfind("(rader-even-odd 4211 (stockham ", 0), 0u);
    EXPECT_EQ(designed("503 c2c f32", small).rfind("(bluestein 503 (stockham ", 0), 0u) << "fits";
    EXPECT_NE(designed("8422 r2c f32", small).find(" beside)"), std::string::npos) << "no real elements";
    EXPECT_EQ(designed("4211 c2c f32 istrides=2", small).find("even-odd"), std::string::npos) << "not timed";
    Tuning tuning;
    tuning.algorithm = Algorithm::rader;
    tuning.radices = {11, 9};
    EXPECT_EQ(designed("101 c2c f32", small, tuning), "(rader-even-odd 101 (stockham 99 11 9))");
    tuning.radices = {7, 14};
    EXPECT_THROW(designed("101 c2c f32", small, tuning), Unsupported) << "98 points are too few";
    tuning.radices = {10, 10};
    EXPECT_EQ(designed("101 c2c f32", small, tuning), "(rader 101 (stockham 100 10 10))");
}

// One kernel of a padded convolution that was measured, instead of passes with a large prime, and in real kinds too.
TEST(Recipe, PaddedConvolutionsInsteadOfPasses) {
    EXPECT_EQ(recipe("2936 c2c f32 batch=999"), "(bluestein 2936 (stockham 6144 32 12 16))");
    EXPECT_EQ(recipe("5561 c2c f32 batch=9999"), "(bluestein 5561 (stockham 12288 32 24 16))");
    EXPECT_EQ(recipe("4661 c2c f64 batch=999"), "(bluestein 4661 (stockham 10240 20 8 8 8))");
    EXPECT_EQ(recipe("9999 c2c f32 batch=999").rfind("(four-step ", 0), 0u) << "passes are as fast";
    EXPECT_EQ(recipe("2936 c2c f32 batch=999 istrides=2").rfind("(four-step ", 0), 0u) << "not timed";
    DeviceLimits limits;
    limits.architecture = "sm_100";
    limits.shared_bytes = 227 * 1024;
    limits.compute_units = 132;
    const planner::Recipe few = planner::design(problem::normalise(parse_problem("2936 batch=131")), limits, {});
    EXPECT_EQ(few.axes.at(0).passes.size(), 2u) << "of which all units have a part";
    Tuning tuning;
    tuning.passes = {367, 8};
    EXPECT_EQ(recipe("2936 c2c f32 batch=999", tuning).rfind("(four-step ", 0), 0u);
    EXPECT_EQ(recipe("1487 r2c f64"), "(r2c 1487 (bluestein 1487 (stockham 2304 24 12 8)) one-sided)");
    EXPECT_EQ(recipe("5374 c2r f32"), "(c2r 5374 (bluestein 2687 (stockham 6144 32 12 16)))");
}

// Real numbers are the points, of which half of the spectrum is left out, where a map would take longer.
TEST(Recipe, OddRealLengthsAreOneSided) {
    EXPECT_EQ(recipe("4375 r2c f32"), "(r2c 4375 (stockham 4375 7 25 25) one-sided)");
    EXPECT_EQ(recipe("105 c2r f64"), "(c2r 105 (stockham 105 15 7) one-sided)");
    EXPECT_NE(recipe("59049 c2r f64").find(" one-sided)"), std::string::npos);
    EXPECT_NE(recipe("100003 r2c f32").find(" one-sided)"), std::string::npos);
    EXPECT_NE(recipe("3x1319 r2c f32").find(" one-sided)"), std::string::npos);
    EXPECT_EQ(recipe("1125 dct2 f32"), "(dct2 1125 (stockham 1125 15 15 5) one-sided)");
    EXPECT_EQ(recipe("1487 dst4 f64"), "(dst4 1487 (bluestein 1487 (stockham 2304 24 12 8)) one-sided)");
    EXPECT_EQ(recipe("3x1125 c2r f32"), "(axes (stockham 3 3) (c2r 1125 (stockham 1125 15 15 5) one-sided))");
    for (const std::string text : {"21 r2hc f32", "27 dct3 f64", "21 c2r f64", "59049 dht f32", "100003 dst3 f64",
                                   "3x1125 r2c f32", "3x1125 dct2 f32"})
        EXPECT_NE(recipe(text).find(" one-sided)"), std::string::npos) << text;
    EXPECT_NE(recipe("183 r2c f32").find("bluestein 183"), std::string::npos) << "three threads of 61";
    EXPECT_EQ(recipe("159 r2c f32"), "(r2c 159 (stockham 159 53 3) one-sided)");
    for (const std::string text :
         {"15 r2c f32", "15 c2r f64", "1009 r2c f32", "1026 r2c f32", "131 c2r f16", "15 dct4 f32", "15 dht f64",
          "1009 dct3 f32", "1126 dct4 f32", "1125 dct1 f32", "1125 dst2 f32 signal-zeros=0:1000-1125"})
        EXPECT_EQ(recipe(text).find(" one-sided)"), std::string::npos) << text << " has a map, or pairs";
    Tuning tuning;
    tuning.padded_length = 2240;
    EXPECT_EQ(recipe("1487 r2c f64", tuning).substr(0, 41), "(r2c 1487 (bluestein 1487 (stockham 2240 ");
    tuning.padded_length = 2200;
    EXPECT_THROW(recipe("1487 r2c f64", tuning), Unsupported) << "points and results are 1487 and 744";
    tuning.padded_length = 2240;
    EXPECT_THROW(recipe("1487 f64", tuning), Unsupported);
}

TEST(Recipe, RealKindsChooseAndAreForcedAsComplexOnes) {
    EXPECT_EQ(recipe("202 r2c f32"), "(r2c 202 (rader 101 (stockham 100 10 10)))");
    EXPECT_EQ(recipe("1009 dct2 f32"), "(dct2 1009 (rader 1009 (stockham 1008 12 12 7)))");
    EXPECT_EQ(recipe("94 dct4 f32"), "(dct4 94 (bluestein 47 (stockham 98 14 7)))");
    EXPECT_NE(recipe("65537 dct1 f32").find(" beside)"), std::string::npos);
    Tuning tuning;
    tuning.passes = {101};
    EXPECT_EQ(recipe("202 r2c f32", tuning), "(r2c 202 (rader 101 (stockham 100 10 10)))");
    tuning.passes = {64, 2};
    EXPECT_NE(recipe("256 r2c f32", tuning).find(" beside)"), std::string::npos);
    EXPECT_THROW(recipe("512 r2c f32", tuning), Unsupported);
    tuning = {};
    tuning.algorithm = Algorithm::bluestein;
    tuning.padded_length = 216;
    EXPECT_EQ(recipe("202 r2c f32", tuning).rfind("(r2c 202 (bluestein 101 (stockham 216 ", 0), 0u);
    tuning.padded_length = 200;
    EXPECT_THROW(recipe("202 r2c f32", tuning), Unsupported);
    tuning = {};
    tuning.algorithm = Algorithm::rader;
    const std::string parity = recipe("166 r2c f32", tuning);  // 83 - 1 is 2 x 41
    EXPECT_EQ(parity.rfind("(r2c 166 (rader-even-odd 83 (stockham ", 0), 0u) << parity;
    EXPECT_NE(parity.find(" beside)"), std::string::npos) << parity;
    tuning.algorithm = Algorithm::direct;
    EXPECT_THROW(recipe("202 r2c f32", tuning), Unsupported);
}

TEST(Recipe, TuningOfAnotherKindOfDeviceIsRefused) {
    const problem::Canonical problem = problem::normalise(parse_problem("64 c2c f32 batch=4"));
    const auto lower = [&](const DeviceLimits& limits, const Tuning& tuning) {
        return planner::plan(planner::design(problem, limits, tuning), problem, limits, {Direction::forward, tuning})
            .schedule;
    };
    DeviceLimits simd;
    simd.vectors = Vectors::explicit_simd;
    Tuning lanes, threads, sequences;
    lanes.vector_lanes = 4;
    threads.threads_per_transform = 8;
    sequences.transforms_per_group = 4;
    EXPECT_THROW(lower({}, lanes), Unsupported);
    EXPECT_NO_THROW(lower(simd, lanes));
    EXPECT_THROW(lower(simd, threads), Unsupported);
    EXPECT_NO_THROW(lower({}, threads));
    EXPECT_EQ(std::get<kernels::GroupShape>(lower({}, sequences).steps[0].spec.shape).sequences, 4u);
    EXPECT_EQ(std::get<kernels::SimdShape>(lower(simd, sequences).steps[0].spec.shape).units_per_group, 4u);
}

TEST(Recipe, PassesThatDoNotFitAreRefused) {
    Tuning passes;
    passes.passes = {2, std::uint64_t{1} << 33};
    EXPECT_THROW(recipe("17179869184 c2c f32", passes), Unsupported);
    passes.passes = {65536, 16};
    EXPECT_THROW(recipe("1048576 c2c f32", passes), Unsupported);
}

TEST(Recipe, MoreSequencesThanAKernelCountsAreRefused) {
    const auto lower = [](const std::string& text) {
        const problem::Canonical problem = problem::normalise(parse_problem(text));
        return planner::plan(planner::design(problem, {}, {}), problem, {}, {}).schedule;
    };
    EXPECT_EQ(lower("2147483648x2 c2c f32 axes=1").steps.size(), 1u);
    EXPECT_THROW(lower("2147483649x2 c2c f32 axes=1"), Unsupported);
}

TEST(Recipe, RefusesDoubleWhereThereIsNone) {
    DeviceLimits limits;
    limits.fp64 = false;
    EXPECT_THROW(planner::design(problem::normalise(parse_problem("16 c2c f64")), limits, {}), Unsupported);
    EXPECT_THROW(planner::design(problem::normalise(parse_problem("16 c2c f64x2")), limits, {}), Unsupported);
}

TEST(Recipe, RefusesDoubleDoubleWhereDoubleIsNotExact) {
    DeviceLimits limits;
    limits.exact_fp64 = false;
    EXPECT_NO_THROW(planner::design(problem::normalise(parse_problem("16 c2c f64")), limits, {}));
    EXPECT_THROW(planner::design(problem::normalise(parse_problem("16 c2c f64x2")), limits, {}), Unsupported);
    Problem staged = parse_problem("16 c2c f64x2");
    staged.forward_load = "return 2 * value;";
    EXPECT_THROW(planner::design(problem::normalise(staged), {}, {}), Unsupported);
}

}  // namespace
