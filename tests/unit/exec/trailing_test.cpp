// Passes in one launch, each close behind the one before: no race, every byte once in each pass, counters that
// begin at 0, and where the planner chooses it.
#include <gtest/gtest.h>

#include <algorithm>

#include "exec/inspect.hpp"
#include "kernels/contract/generate.hpp"
#include "planner/recipe.hpp"
#include "problem/problem.hpp"
#include "seiche/error.hpp"
#include "tests/unit/exec/limits.hpp"

namespace {

using namespace seiche;

DeviceLimits with_waits() {
    DeviceLimits limits = hopper();
    limits.cache_bytes = std::uint64_t{50} << 20;
    limits.max_cluster_size = 16;
    return limits;
}

Tuning asked() {
    Tuning tuning;
    tuning.trailing_passes = true;
    return tuning;
}

struct Case {
    const char* problem;
    std::vector<std::uint64_t> passes = {};
};

void expect_no_race(const Case& one) {
    SCOPED_TRACE(one.problem);
    const Problem problem = parse_problem(one.problem);
    const problem::Canonical canonical = problem::normalise(problem);
    Tuning tuning;
    tuning.trailing_passes = true;
    tuning.passes = one.passes;
    const std::vector<AnalysisReport> reports = exec::analyse(canonical, with_waits(), tuning);
    ASSERT_EQ(reports.size(), 2u) << "counters, and both passes";
    for (const AnalysisReport& r : reports) {
        SCOPED_TRACE(r.findings.empty() ? "" : r.findings.front());
        EXPECT_EQ(r.out_of_bounds + r.uninitialised_reads + r.races, 0u);
    }
    std::uint64_t bytes = 2 * canonical.batch.count * canonical.complex_bytes();
    for (const std::uint64_t length : problem.lengths) bytes *= length;
    if (is_real_to_real(canonical.axes.front().kind)) bytes /= 2;
    EXPECT_GE(reports.back().bytes_written, bytes);
    EXPECT_LE(reports.back().bytes_written, bytes + bytes / 8) << "counters beside";
}

TEST(Trailing, GroupsWaitForWhatTheyRead) {
    for (const Case& one : {Case{"4096 batch=9", {64, 64}}, Case{"4095 batch=5", {63, 65}}, Case{"64x64 batch=3"},
                            Case{"30x48 f64 batch=4"}, Case{"262144 batch=2"}})
        expect_no_race(one);
}

/// A second pass that stores where the first one loads, slice by slice; passes that both stay in place; planes that a
/// group has on chip, and their third axis.
TEST(Trailing, InPlaceAndBehindPlanes) {
    for (const Case& one : {Case{"4096 in-place batch=9", {64, 64}}, Case{"4095 f64 in-place batch=3", {63, 65}},
                            Case{"64x64 in-place batch=3"}, Case{"8x16x16 batch=9"},
                            Case{"16x16x16 f64 in-place batch=3"}, Case{"20x20x20 batch=2"}})
        expect_no_race(one);
    const PlanReport cube =
        exec::describe(parse_problem("64x64x64 batch=64"), with_waits(), {Directions::both, asked()});
    EXPECT_NE(cube.kernels.back().spec.find(", then "), std::string::npos) << "planes on chip";
    EXPECT_LT(cube.workspace_bytes, 64u << 10);
}

/// Types II to IV: points folded from numbers, or made of a spectrum's, go by way of memory of their own to numbers or
/// bins, which may be where the first pass loads. Stored numbers are pairs where columns meet.
TEST(Trailing, RealToReal) {
    for (const Case& one : {Case{"512 dct2 batch=9", {16, 16}}, Case{"512 dct3 batch=9", {16, 16}},
                            Case{"512 dct4 batch=9", {16, 16}}, Case{"2560 dst2 in-place batch=5", {40, 32}},
                            Case{"2560 dst3 f64 batch=5", {40, 32}}, Case{"1024 dst4 f64 in-place batch=3", {16, 32}},
                            Case{"4800 dct2 batch=3", {50, 48}}, Case{"4800 dct3 in-place batch=3", {50, 48}},
                            Case{"512 dct3 istrides=3 idist=1600 odist=520 batch=6", {16, 16}}})
        expect_no_race(one);
}

/// Where types II to IV trail by themselves: powers of two whose slices are small beside the cache, and what was
/// measured, each direction in the passes of its own type.
TEST(Trailing, RealToRealByItself) {
    const auto specs = [](const char* text, Directions directions) {
        std::vector<std::string> all;
        for (const KernelReport& kernel : exec::describe(parse_problem(text), with_waits(), {directions, {}}).kernels)
            all.push_back(kernel.spec);
        return all;
    };
    const auto trails = [&](const char* text) {
        return specs(text, Directions::forward).back().find("pipelined with") != std::string::npos;
    };
    EXPECT_TRUE(trails("131072 dct2 batch=1024"));
    EXPECT_TRUE(trails("524288 dst4 batch=256"));
    EXPECT_TRUE(trails("262144 dct3 f64 batch=256"));
    EXPECT_FALSE(trails("1048576 dct2 batch=128")) << "slices of a twelfth of the cache";
    EXPECT_FALSE(trails("131072 dct2 batch=16")) << "a small batch";
    EXPECT_FALSE(trails("180000 dct2 batch=700")) << "measured in a launch each";
    EXPECT_FALSE(trails("172800 dct4 batch=700")) << "not measured";
    const std::string measured = specs("48000 dct4 batch=2000", Directions::forward).back();
    EXPECT_NE(measured.find("n=480 "), std::string::npos) << measured;
    EXPECT_NE(measured.find("pipelined with c2c f32 n=50 "), std::string::npos) << measured;
    const std::vector<std::string> inverse = specs("48000 dct2 batch=2", Directions::inverse);
    ASSERT_EQ(inverse.size(), 2u) << "type III in two passes, as if it had been asked for";
    EXPECT_EQ(inverse, specs("48000 dct3 batch=2", Directions::forward));
    const std::vector<std::string> both = specs("48000 dct2 batch=2", Directions::both);
    EXPECT_EQ(std::vector<std::string>(both.begin() + 2, both.end()), inverse);
}

/// Of three passes the last two: slices are runs of what the first left beside each other, so that they are short
/// beside the transform. The same of an axis of two passes whose neighbours are another axis's points.
TEST(Trailing, LastTwoOfThree) {
    struct Three {
        Case one;
        const char* slices;
    };
    for (const Three& three :
         {Three{{"8192 batch=2", {32, 16, 16}}, "slice=256 in runs of 16 every 32"},
          Three{{"32768 f64 in-place", {128, 16, 16}}, "slice=256 in runs of 16 every 128"},
          Three{{"8192x32"}, "slice=2048 in runs of 32 every 32"}, Three{{"8192x32 f64 in-place"}, "every 32"}}) {
        SCOPED_TRACE(three.one.problem);
        const Problem problem = parse_problem(three.one.problem);
        const problem::Canonical canonical = problem::normalise(problem);
        Tuning tuning;
        tuning.trailing_passes = true;
        tuning.passes = three.one.passes;
        const std::vector<AnalysisReport> reports = exec::analyse(canonical, with_waits(), tuning);
        ASSERT_EQ(reports.size(), 3u) << "the first pass, counters, and both others";
        for (const AnalysisReport& r : reports) {
            SCOPED_TRACE(r.findings.empty() ? "" : r.findings.front());
            EXPECT_EQ(r.out_of_bounds + r.uninitialised_reads + r.races, 0u);
        }
        const std::uint64_t points = canonical.n * canonical.transforms_per_array() * canonical.batch.count;
        const std::uint64_t bytes = 2 * points * canonical.complex_bytes();
        EXPECT_GE(reports.back().bytes_written, bytes);
        EXPECT_LE(reports.back().bytes_written, bytes + bytes / 8) << "counters beside";
        const PlanReport plan = exec::describe(problem, with_waits(), {Directions::forward, tuning});
        EXPECT_NE(plan.kernels.back().spec.find(three.slices), std::string::npos) << plan.kernels.back().spec;
    }
    EXPECT_NE(exec::describe(parse_problem("134217728"), with_waits(), {Directions::forward, asked()})
                  .recipe.find("(stockham 2048 16 16 8) (stockham 256 16 16) (stockham 256 16 16)"),
              std::string::npos)
        << "a first pass that leaves slices a cache has room for";
}

/// Bluestein's three passes: the second turns round in place, the third stores in the output, and what lies between
/// them has room for some transforms, which take turns.
TEST(Trailing, ThreePassesOfAConvolution) {
    DeviceLimits small = with_waits();
    small.compute_units = 1;
    for (const Case& one :
         {Case{"134 batch=50", {16, 18}}, Case{"142 f64 planar batch=37", {20, 16}},
          Case{"536 in-place batch=24 inverse-scale=1/n", {36, 30}},
          Case{"201 istrides=2 idist=500 odist=230 batch=33", {36, 12}}, Case{"134 batch=2", {16, 18}}}) {
        SCOPED_TRACE(one.problem);
        const Problem problem = parse_problem(one.problem);
        const problem::Canonical canonical = problem::normalise(problem);
        Tuning tuning = asked();
        tuning.passes = one.passes;
        const std::vector<AnalysisReport> reports = exec::analyse(canonical, small, tuning);
        ASSERT_EQ(reports.size(), 2u) << "counters, and three passes";
        for (const AnalysisReport& r : reports) {
            SCOPED_TRACE(r.findings.empty() ? "" : r.findings.front());
            EXPECT_EQ(r.out_of_bounds + r.uninitialised_reads + r.races, 0u);
        }
        const std::uint64_t padded = one.passes[0] * one.passes[1];
        const std::uint64_t bytes = (canonical.n + 2 * padded) * canonical.batch.count * canonical.complex_bytes();
        EXPECT_GE(reports.back().bytes_written, bytes);
        EXPECT_LE(reports.back().bytes_written, bytes + bytes / 8) << "counters beside";
    }
}

/// What lies between the passes of a real axis is in the output, which the last one works on in place: bytes of both,
/// those of a spectrum's last element too, and no workspace but the counters.
void expect_real_axis(const Case& one) {
    SCOPED_TRACE(one.problem);
    const Problem problem = parse_problem(one.problem);
    const problem::Canonical canonical = problem::normalise(problem);
    Tuning tuning;
    tuning.trailing_passes = true;
    tuning.passes = one.passes;
    const std::vector<AnalysisReport> reports = exec::analyse(canonical, with_waits(), tuning);
    ASSERT_EQ(reports.size(), 2u) << "counters, and both passes";
    for (const AnalysisReport& r : reports) {
        SCOPED_TRACE(r.findings.empty() ? "" : r.findings.front());
        EXPECT_EQ(r.out_of_bounds + r.uninitialised_reads + r.races, 0u);
    }
    const bool stores_spectrum = canonical.axes.front().kind == Kind::r2c;
    const std::uint64_t lines = canonical.transforms_per_array() * canonical.batch.count;
    const std::uint64_t points = lines * canonical.axes.front().length / 2;
    const std::uint64_t read = 2 * points + (stores_spectrum ? 0 : lines);
    const std::uint64_t written = 2 * points + (stores_spectrum ? lines : 0);
    const std::uint64_t of_counters = written * canonical.complex_bytes() / 8;
    EXPECT_GE(reports.back().bytes_read, read * canonical.complex_bytes());
    EXPECT_LE(reports.back().bytes_read, read * canonical.complex_bytes() + of_counters);
    EXPECT_GE(reports.back().bytes_written, written * canonical.complex_bytes());
    EXPECT_LE(reports.back().bytes_written, written * canonical.complex_bytes() + of_counters);
    const PlanReport plan = exec::describe(problem, with_waits(), {Directions::both, tuning});
    EXPECT_LE(plan.workspace_bytes, 2 * canonical.complex_bytes() * canonical.batch.count);
}

TEST(Trailing, RealAxesInTheOutput) {
    for (const Case& one :
         {Case{"4096 r2c batch=3", {64, 32}}, Case{"4096 c2r batch=3", {32, 64}},
          Case{"6144 r2c f64 batch=2", {64, 48}}, Case{"6144 c2r f64 batch=2", {48, 64}}, Case{"262144 r2c batch=2"},
          Case{"262144 c2r"}, Case{"60000 r2c batch=2", {500, 60}}, Case{"80000 r2c", {400, 100}},
          Case{"48000 c2r", {300, 80}}, Case{"30000 r2c f64", {300, 50}}, Case{"66000 r2c", {330, 100}},
          Case{"40000 c2r f64", {500, 40}}})
        expect_real_axis(one);
}

std::size_t trailing_kernels(const std::string& text, const Tuning& tuning = {}) {
    const Problem problem = parse_problem(text);
    const bool is_forward = problem::normalise(problem).has(Direction::forward);
    const PlanReport plan =
        exec::describe(problem, with_waits(), {is_forward ? Directions::forward : Directions::inverse, tuning});
    std::size_t count = 0;
    for (const KernelReport& kernel : plan.kernels) count += kernel.spec.find("pipelined with") != std::string::npos;
    return count;
}

/// Batches of many times the cache, slices of a part of it, and groups that were seen to gain.
TEST(Trailing, ChosenWhereItPays) {
    for (const char* text : {"262144 batch=128",
                             "1048576 batch=32",
                             "262144 f64 batch=64",
                             "512x512 batch=128",
                             "512x512x512",
                             "196608 batch=170",
                             "1000000 batch=33",
                             "512x512 r2c batch=256",
                             "524288 r2c batch=256",
                             "1048576 c2r batch=64",
                             "262144 r2c f64 batch=256",
                             "262144 c2r batch=512",
                             "512x512 in-place batch=128",
                             "262144 in-place batch=128",
                             "64x64x64 f64 batch=64",
                             "16777216 batch=8",
                             "1024x1024 r2c batch=64",
                             "131072 f64 batch=256",
                             "16777216 f64 batch=4",
                             "30000 batch=2236",
                             "60000 batch=1118",
                             "800000 batch=83",
                             "160x160 batch=2621",
                             "600x600 batch=186",
                             "20000 f64 batch=1677",
                             "2097152 f16 batch=64",
                             "4194304 f16 batch=32",
                             "33554432 f64 batch=2",
                             "20011 batch=1676",
                             "10007 f64 batch=1676",
                             "60000 r2c batch=2000",
                             "200000 r2c batch=600",
                             "640000 r2c batch=200",
                             "2097152 batch=32",
                             "1048576 f64 batch=32",
                             "4194304 c2r batch=32",
                             "2097152 r2c f64 batch=32",
                             "2048x1024 batch=32",
                             "1024x1024 f64 batch=32",
                             "1048576 in-place batch=64",
                             "8192x8192",
                             "16384x400 f64 batch=5",
                             "500x500 batch=268",
                             "78125 batch=858",
                             "49152 f64 batch=341",
                             "400000 f64 batch=83",
                             "500000 batch=134"})
        EXPECT_EQ(trailing_kernels(text), 1u) << text;
    for (const char* text : {"262144 batch=8",         "4194304 batch=8",
                             "117649 batch=285",       "2097152 f64 batch=16",
                             "24576 f64 batch=682",    "2097152 in-place batch=32",
                             "4096 batch=8192",        "524288 r2c batch=16",
                             "2048x2048 r2c batch=32", "524288 r2c in-place batch=128",
                             "131072 r2c batch=512",   "64x64x64 batch=128",
                             "200000 r2c batch=16",    "343x343 batch=570",
                             "78125 f16 batch=858",    "30000 batch=16",
                             "30000 f16 batch=4472",   "20011 batch=16",
                             "972000 f64 batch=34",    "100003 batch=335",
                             "4194304 r2c batch=32",   "1000000 r2c batch=128",
                             "390625 batch=171",       "65537 f64 batch=511"})
        EXPECT_EQ(trailing_kernels(text), 0u) << text;
    for (const char* text : {"65537 batch=1024", "10007 f64 in-place batch=3353", "20011 planar batch=1676"}) {
        const PlanReport plan = exec::describe(parse_problem(text), with_waits(), {Directions::forward, {}});
        ASSERT_EQ(plan.kernels.size(), 2u) << text << ": counters, and three passes";
        EXPECT_NE(plan.kernels.back().spec.find(", pipelined with c2c",
                                                plan.kernels.back().spec.find(", pipelined with") + 1),
                  std::string::npos)
            << plan.kernels.back().spec;
    }
    Tuning separate;
    separate.separate_passes = true;
    EXPECT_EQ(trailing_kernels("262144 batch=128", separate), 0u);
}

/// As measured, else those that cost the least; the usual ones where passes do not trail.
TEST(Trailing, PassesOfAnyLength) {
    const auto passes = [](const std::string& text, const Tuning& tuning = {}) {
        const planner::Recipe recipe = planner::design(problem::normalise(parse_problem(text)), with_waits(), tuning);
        std::vector<std::uint32_t> lengths;
        for (const planner::Pass& pass : recipe.axes.front().passes) lengths.push_back(pass.n);
        return lengths;
    };
    using List = std::vector<std::uint32_t>;
    EXPECT_EQ(passes("30000 batch=2236"), (List{400, 75}));
    EXPECT_EQ(passes("40000 batch=1677"), (List{400, 100}));
    EXPECT_EQ(passes("46656 batch=1438"), (List{144, 324})) << "not 24 x 18 points";
    EXPECT_EQ(passes("500000 batch=134"), (List{1000, 500})) << "800 x 625 would be two launches";
    EXPECT_EQ(passes("20000 f64 batch=1677"), (List{500, 40}));
    EXPECT_EQ(passes("36000 f64 batch=932"), (List{144, 250})) << "as measured";
    EXPECT_EQ(passes("16777216 batch=4"), (List{1024, 256, 64})) << "a measured one";
    EXPECT_EQ(passes("33554432 batch=2"), (List{2048, 128, 128}));
    EXPECT_EQ(passes("8388608 batch=8"), (List{4096, 2048})) << "as measured";
    Tuning separate;
    separate.separate_passes = true;
    for (const List& usual :
         {passes("30000 batch=16"), passes("30000 f16 batch=4472"), passes("30000 batch=2236", separate)})
        EXPECT_EQ(usual, (List{200, 150}));
    EXPECT_EQ(passes("4782969 batch=14"), (List{2187, 2187})) << "as measured";
    EXPECT_EQ(passes("4782969 f64 batch=7").size(), 3u);
}

/// Columns of a prime that is a loop have no usual radices instead of it.
TEST(Trailing, NotOfPrimesInLoops) {
    for (const char* text : {"11392 batch=9999", "14240 batch=9999"}) {
        const problem::Canonical problem = problem::normalise(parse_problem(text));
        const planner::Recipe recipe = planner::design(problem, with_waits(), {});
        const planner::Schedule schedule =
            planner::plan(recipe, problem, with_waits(), {Direction::forward, {}}).schedule;
        for (const planner::Step& step : schedule.steps) EXPECT_TRUE(step.spec.pipeline.next.empty()) << text;
    }
}

/// Of halves alone, whose units are busy for longer than memory.
TEST(Trailing, LargeRadicesOfHalves) {
    const auto spec_of = [](const char* text) {
        return exec::describe(parse_problem(text), with_waits(), {Directions::forward, {}}).kernels.back().spec;
    };
    const std::string of_halves = spec_of("524288 f16 batch=256"), of_floats = spec_of("524288 batch=128");
    EXPECT_NE(of_halves.find("n=1024 radices=32x32 threads=32 sequences=8 exchange=full"), std::string::npos)
        << of_halves;
    EXPECT_NE(of_halves.find("n=512 radices=32x16 threads=16 sequences=16 exchange=full"), std::string::npos)
        << of_halves;
    EXPECT_NE(of_floats.find("n=1024 radices=16x8x8"), std::string::npos) << of_floats;
    EXPECT_EQ(spec_of("4194304 f16 batch=32").find("radices=32x"), std::string::npos) << "passes of 128 points";
}

TEST(Trailing, WhatIsNotToBeHadIsRefused) {
    Tuning tuning;
    tuning.trailing_passes = true;
    EXPECT_THROW(trailing_kernels("4096 batch=3", tuning), Unsupported) << "one pass";
    EXPECT_THROW(trailing_kernels("262144 dct1", tuning), Unsupported) << "a map before the first pass, one behind";
    tuning.separate_passes = true;
    EXPECT_THROW(trailing_kernels("262144", tuning), Unsupported);
    tuning.separate_passes = false;
    DeviceLimits limits = with_waits();
    limits.waits_for_groups = false;
    EXPECT_THROW(exec::describe(parse_problem("262144"), limits, {Directions::forward, tuning}), Unsupported);
}

std::string refusal(const char* problem, const DeviceLimits& limits, Tuning tuning = {}) {
    tuning.trailing_passes = true;
    try {
        exec::describe(parse_problem(problem), limits, {Directions::forward, tuning});
    } catch (const Unsupported& error) {
        return error.what();
    }
    return {};
}

/// One launch would store over what it has still to load.
TEST(Trailing, InPlaceWithTwoLayoutsPassesAreApart) {
    const auto kernels = [](const char* text) {
        return exec::describe(parse_problem(text), with_waits(), {Directions::forward, {}}).kernels;
    };
    EXPECT_EQ(kernels("65536 dct2 odist=65537 batch=4096").size(), 2u) << "counters, and both passes";
    const std::vector<KernelReport> apart = kernels("65536 dct2 in-place odist=65537 batch=4096");
    ASSERT_EQ(apart.size(), 3u);
    EXPECT_NE(apart.front().spec.find("folded-in(dct2)"), std::string::npos) << "no copy: " << apart.front().spec;
    EXPECT_NE(refusal("65536 dct2 in-place odist=65537 batch=4096", with_waits()).find("arrays that lie alike"),
              std::string::npos)
        << refusal("65536 dct2 in-place odist=65537 batch=4096", with_waits());
}

/// A limit of bindings, which all but CUDA and HIP have, matters to arrays beyond it alone.
TEST(Trailing, ArraysAreOfOneBuffer) {
    DeviceLimits limits = with_waits();
    limits.max_buffer_bytes = std::uint64_t{32} << 20;
    EXPECT_EQ(refusal("262144 batch=16", limits), "");
    const std::string several =
        "Unsupported: tuning.trailing_passes: expected arrays of one buffer, of which a kernel takes at most 33554432 "
        "bytes here, got longer ones";
    EXPECT_EQ(refusal("262144 batch=17", limits), several);
    limits.max_addressed_bytes = std::uint64_t{4} << 30;
    EXPECT_EQ(refusal("262144 batch=17", limits), several) << "by its address";
    Problem parts = parse_problem("262144 batch=16");
    parts.input.part_bytes = std::uint64_t{8} << 20;
    Tuning tuning;
    tuning.trailing_passes = true;
    EXPECT_THROW(exec::describe(parts, with_waits(), {Directions::forward, tuning}), Unsupported) << "the caller's";
}

TEST(Trailing, RefusalsSayWhy) {
    const std::string wanted =
        "Unsupported: tuning.trailing_passes: expected two passes of complex points in a row, the second in place "
        "or back to where the first began, or the two of types II to IV, in groups of as many threads, got ";
    EXPECT_EQ(refusal("4096 batch=3", with_waits()), wanted + "1 pass");
    EXPECT_EQ(refusal("81 dct2 in-place", with_waits()), wanted + "1 pass");
    EXPECT_EQ(refusal("262145 dct1", with_waits()), wanted + "3 passes of which no two are so");
    DeviceLimits cpu = with_waits();
    cpu.vectors = Vectors::explicit_simd;
    EXPECT_NE(refusal("262144", cpu).find("expected a GPU"), std::string::npos) << refusal("262144", cpu);
}

/// The cache's room is for what is between the passes: the second's results do not stay in it.
TEST(Trailing, StoresOfTheSecondPassStream) {
    const problem::Canonical canonical = problem::normalise(parse_problem("262144 batch=128"));
    const planner::Recipe recipe = planner::design(canonical, with_waits(), {});
    const planner::Schedule schedule = planner::plan(recipe, canonical, with_waits(), {}).schedule;
    const ir::Kernel kernel = kernels::generate(schedule.steps.back().spec);
    const auto stores = [&](ir::CacheHint hint) {
        return std::count_if(kernel.code.begin(), kernel.code.end(),
                             [&](const ir::Instruction& i) { return i.op == ir::Op::global_store && i.hint == hint; });
    };
    EXPECT_EQ(stores(ir::CacheHint::streaming), 32);
    EXPECT_EQ(stores(ir::CacheHint::normal), 32);
}

/// Runs that are parts of a cache's lines bring the rest with them.
TEST(Columns, LoadWholeLines) {
    const auto has_hint = [](const char* text) {
        const problem::Canonical canonical = problem::normalise(parse_problem(text));
        const planner::Recipe recipe = planner::design(canonical, with_waits(), {});
        const ir::Kernel kernel =
            kernels::generate(planner::plan(recipe, canonical, with_waits(), {}).schedule.steps.front().spec);
        return std::any_of(kernel.code.begin(), kernel.code.end(),
                           [](const ir::Instruction& i) { return i.hint == ir::CacheHint::line; });
    };
    EXPECT_TRUE(has_hint("4194304 batch=16")) << "runs of a sector";
    EXPECT_FALSE(has_hint("10000000 batch=6")) << "runs of a line";
    EXPECT_FALSE(has_hint("4096 batch=16")) << "rows";
}

/// A workspace has room for a ticket and a count of each slice, also of the narrowest points.
TEST(Trailing, CountersHaveRoom) {
    Tuning tuning;
    tuning.trailing_passes = true;
    for (const char* text : {"262144 batch=3", "262144", "5x64x64", "262144 f16-arithmetic batch=2"}) {
        const problem::Canonical canonical = problem::normalise(parse_problem(text));
        DeviceLimits limits = with_waits();
        limits.fp16_arithmetic = true;
        const PlanReport plan = exec::describe(parse_problem(text), limits, {Directions::forward, tuning});
        const std::uint64_t slices = canonical.axes.size() > 2 ? canonical.axes.front().length : canonical.batch.count;
        EXPECT_GE(plan.workspace_bytes, sizeof(std::uint32_t) * (slices + 1)) << text;
    }
}

}  // namespace
