// Real kinds too long for one pass, whose bins meet in the columns of their core's first or last pass: two round trips,
// counted without a GPU.
#include <gtest/gtest.h>

#include <cmath>

#include "exec/inspect.hpp"
#include "kernels/contract/spec.hpp"
#include "planner/recipe.hpp"
#include "problem/problem.hpp"
#include "tests/unit/exec/limits.hpp"

namespace {

using namespace seiche;

/// Elements that are more or fewer than those of the core's points: bins 0, m / 2 and m.
constexpr std::uint64_t lone_bins = 4;

PlanReport planned(const std::string& text, const DeviceLimits& limits = hopper()) {
    const Problem problem = parse_problem(text);
    const bool is_forward = problem::normalise(problem).has(Direction::forward);
    return exec::describe(problem, limits, {is_forward ? Directions::forward : Directions::inverse, {}});
}

/// What a profiler would say: `trips` round trips, each of which moves every byte once. Of a cluster's kernel factors
/// wait for the points.
std::vector<AnalysisReport> expect_trips(const std::string& text, std::size_t trips,
                                         const DeviceLimits& limits = hopper()) {
    const std::uint32_t most_registers = limits.max_cluster_size > 1 ? 176 : 160;
    const PlanReport plan = planned(text, limits);
    EXPECT_EQ(std::lround(100.0 * static_cast<double>(plan.moved_bytes) / static_cast<double>(plan.ideal_bytes)),
              std::lround(100.0 * static_cast<double>(trips)));
    const Problem problem = parse_problem(text);
    const problem::Canonical canonical = problem::normalise(problem);
    const std::vector<AnalysisReport> reports = exec::analyse(canonical, limits, {});
    EXPECT_EQ(reports.size(), trips);
    const std::uint64_t lines = canonical.transforms_per_array() * problem.batch;
    for (const AnalysisReport& r : reports) {
        SCOPED_TRACE(r.kernel + (r.findings.empty() ? "" : ": " + r.findings.front()));
        EXPECT_EQ(r.out_of_bounds + r.uninitialised_reads + r.races, 0u);
        EXPECT_NEAR(static_cast<double>(r.bytes_read + r.bytes_written), static_cast<double>(plan.ideal_bytes),
                    static_cast<double>(lines * lone_bins * canonical.complex_bytes()));
        EXPECT_LE(r.registers_live, most_registers);
    }
    return reports;
}

/// Runs of mirrored columns begin one element off those of their sectors, or bins 0 and m are beside the others.
void expect_long_runs(const AnalysisReport& r) {
    SCOPED_TRACE(r.kernel);
    EXPECT_LE(100 * r.sectors, 127 * r.sectors_ideal);
    EXPECT_LE(16 * r.shared_wavefronts, 17 * r.shared_wavefronts_ideal);
}

TEST(Columns, SpectraAreStoredByTheLastPass) {
    for (const std::string text :
         {"65536 r2c f32", "131072 r2c f64", "65536 r2hc f32 batch=2", "65536 dht f32", "65536 dct2 f32",
          "65536 dst2 f64", "65536 r2c f32 in-place batch=2", "2x65536 r2c f32 axes=1"}) {
        SCOPED_TRACE(text);
        expect_long_runs(expect_trips(text, 2).back());
    }
    for (const std::string text : {"65536 r2c f32 ostrides=2", "61440 r2c f32", "98304 dct2 f64"}) {
        SCOPED_TRACE(text);
        expect_trips(text, 2);
    }
}

TEST(Columns, SpectraAreLoadedByTheFirstPass) {
    for (const std::string text : {"65536 c2r f64", "131072 c2r f32", "65536 hc2r f32 batch=2", "65536 dct3 f32",
                                   "131072 dst3 f64", "65536 c2r f32 in-place batch=2"}) {
        SCOPED_TRACE(text);
        expect_long_runs(expect_trips(text, 2).front());
    }
    SCOPED_TRACE("61440 c2r f32");
    expect_trips("61440 c2r f32", 2);
}

/// Bytes of longer ones follow from the specs. One pass fewer than with one of maps, but for spectra of 2^23 floats: a
/// last pass of 2048 points would store runs of a sector, which two short ones do not.
TEST(Columns, EveryLongPowerOfTwoMakesAsManyTripsAsItsCore) {
    for (int log = 15; log <= 28; ++log) {
        for (const std::string kind : {" r2c f32", " c2r f32", " r2c f64", " c2r f64", " r2hc f32", " dct2 f32",
                                       " dct3 f32", " dst2 f64", " dst3 f64"}) {
            const std::string length = std::to_string(std::uint64_t{1} << log),
                              core = std::to_string(1ull << (log - 1));
            const PlanReport plan = planned(length + kind);
            Tuning separate;
            separate.separate_passes = true;
            const Problem half = parse_problem(core + kind.substr(kind.size() - 4));
            const PlanReport complex = exec::describe(half, hopper(), {Directions::forward, separate});
            const bool stores_short_runs =
                log == 23 && (kind == " r2c f32" || kind == " r2hc f32" || kind == " dct2 f32" || kind == " r2c f64");
            EXPECT_EQ(plan.kernels.size(), complex.kernels.size() + (stores_short_runs ? 1 : 0)) << length << kind;
            if (stores_short_runs) {
                EXPECT_NE(plan.kernels.back().spec.find("bins-out"), std::string::npos);
            }
        }
    }
}

/// Doubles of type II have more beside their points than a spectrum's: a thread of a group of 1024 has no registers for
/// them.
TEST(Columns, DoublesOfTypeTwoHaveRegisters) {
    for (const char* text : {"524288 dct2 f64", "1048576 dst2 f64", "2097152 dct2 f64"}) {
        const problem::Canonical canonical = problem::normalise(parse_problem(text));
        const planner::Schedule schedule =
            planner::plan(planner::design(canonical, hopper(), {}), canonical, hopper(), {Direction::forward, {}})
                .schedule;
        const auto& shape = std::get<kernels::GroupShape>(schedule.steps.back().spec.shape);
        EXPECT_TRUE(shape.has_mirrors_in_group()) << text;
        EXPECT_LE(shape.threads * shape.sequences, 512u) << text;
    }
}

/// One trip, where a cluster holds the core: a row of the second pass crosses to the group that has its mirror.
TEST(Columns, BinsMeetInTheMemoryOfACluster) {
    DeviceLimits clusters = hopper();
    clusters.max_cluster_size = 16;
    clusters.cache_bytes = 50 << 20;
    for (const std::string text : {"65536 r2c f32", "131072 r2c f32", "262144 r2c f32 batch=17",
                                   "65536 c2r f32 in-place batch=2", "131072 c2r f32", "262144 c2r f32 batch=17",
                                   "32768 r2c f64", "65536 c2r f64", "65536 r2hc f32", "65536 hc2r f32"}) {
        SCOPED_TRACE(text);
        expect_long_runs(expect_trips(text, 1, clusters).front());
    }
    EXPECT_EQ(planned("65536 dct2 f32", clusters).kernels.size(), 2u);
    EXPECT_EQ(planned("524288 r2c f32", clusters).kernels.size(), 2u);
    EXPECT_EQ(planned("65536 r2c f32 ostrides=2", clusters).kernels.size(), 2u);
}

/// 400000 points would be 640 x 625: of an even count of points and of columns in runs there are others.
TEST(Columns, SmoothLengthsAreCutSoThatBinsMeet) {
    for (const std::string text : {"600000 r2c f32", "800000 r2c f32", "1000000 c2r f32", "480000 r2c f64",
                                   "200000 c2r f64", "800000 dct2 f32", "3000000 dct3 f32", "640000 r2hc f32"})
        EXPECT_EQ(planned(text).kernels.size(), 2u) << text;
    EXPECT_EQ(planned("250000 r2c f32").kernels.size(), 2u);   // 500 x 250, by 10 columns and their mirrors
    EXPECT_EQ(planned("125000 r2c f32").kernels.size(), 3u);   // 62500 has two twos: none is left for the runs
    EXPECT_EQ(planned("1000000 r2c f32").kernels.size(), 3u);  // alone, in the cache
    EXPECT_EQ(planned("1000000 r2c f32 batch=128").kernels.size(), 2u);
    EXPECT_EQ(planned("4000000 r2c f32 batch=32").kernels.size(), 3u);
    EXPECT_EQ(planned("44100 r2c f32 batch=3000").kernels.size(), 3u);  // 22050 has one two
}

/// Where it cannot be had: odd lengths and columns, lines that lie beside each other, pruned spectra, a tuned shape.
TEST(Columns, ElseAPassOfMaps) {
    const auto has_bins = [](const std::string& text) {
        const PlanReport plan = planned(text);
        return plan.kernels.back().spec.find("bins-out") != std::string::npos;
    };
    EXPECT_TRUE(has_bins("65536 r2c f32"));
    EXPECT_FALSE(has_bins("59049 r2c f32"));
    EXPECT_FALSE(has_bins("118098 r2c f32"));
    EXPECT_FALSE(has_bins("65536x4 r2c f32 axes=0"));
    EXPECT_FALSE(has_bins("65536 r2c f32 spectrum-zeros=0:100-32769"));
    Tuning tuned, separate;
    tuned.threads_per_transform = 32;
    separate.separate_passes = true;
    for (const Tuning& tuning : {tuned, separate}) {
        const PlanReport plan = exec::describe(parse_problem("65536 r2c f32"), hopper(), {Directions::forward, tuning});
        EXPECT_EQ(plan.kernels.size(), 3u);
    }
}

}  // namespace
