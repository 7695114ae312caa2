// Planes of real numbers in one kernel: no race, hardly a bank conflict, every byte once each way.
#include <gtest/gtest.h>

#include "exec/inspect.hpp"
#include "seiche/error.hpp"
#include "tests/unit/exec/flow_bytes.hpp"
#include "tests/unit/exec/limits.hpp"

namespace {

using namespace seiche;

/// `slack`: how often sectors may be touched beyond the ideal, since rows of n / 2 + 1 points begin anywhere, and
/// shared memory.
struct Case {
    const char* problem;
    double sectors = 1.25, wavefronts = 1.1;
};

std::uint64_t bytes_of(const problem::Canonical& canonical, bool input) {
    const std::uint64_t rows = canonical.n / canonical.axes.back().length * canonical.batch.count;
    const bool is_real = input == (canonical.axes.back().kind == Kind::r2c);
    return rows * (is_real ? canonical.axes.back().length : canonical.axes.back().length / 2 * 2 + 2) *
           canonical.stored_bytes();
}

void expect_round_trips(const Case& one, std::size_t kernels, const Tuning& tuning = {}) {
    SCOPED_TRACE(one.problem);
    const Problem problem = parse_problem(one.problem);
    const problem::Canonical canonical = problem::normalise(problem);
    const PlanReport plan = exec::describe(problem, with_clusters(), {Directions::both, tuning});
    const std::vector<AnalysisReport> reports = exec::analyse(canonical, with_clusters(), tuning);
    ASSERT_EQ(reports.size(), kernels);
    ASSERT_EQ(plan.kernels.size(), kernels);
    for (const AnalysisReport& r : reports) {
        SCOPED_TRACE(r.findings.empty() ? "" : r.findings.front());
        EXPECT_EQ(r.out_of_bounds + r.uninitialised_reads + r.races, 0u);
        EXPECT_LE(static_cast<double>(r.sectors), one.sectors * static_cast<double>(r.sectors_ideal));
        EXPECT_LE(static_cast<double>(r.shared_wavefronts),
                  one.wavefronts * static_cast<double>(r.shared_wavefronts_ideal));
    }
    EXPECT_EQ(reports.front().bytes_read, bytes_of(canonical, true));
    EXPECT_EQ(reports.back().bytes_written, bytes_of(canonical, false));
    for (std::size_t i = 0; i < kernels; ++i) {
        EXPECT_EQ(plan.kernels[i].bytes_read, reports[i].bytes_read);
        EXPECT_EQ(plan.kernels[i].bytes_written, reports[i].bytes_written);
    }
    EXPECT_TRUE(kernels > 1 || plan.workspace_bytes == 0);
}

TEST(FusedReal, PlanesInAGroup) {
    for (const Case& one :
         {Case{"64x64 r2c batch=2"}, Case{"64x64 c2r batch=2"}, Case{"64x64 r2c f64"}, Case{"64x64 c2r f64"},
          Case{"64x64 r2c in-place", 1.6}, Case{"64x64 c2r in-place", 1.6}, Case{"128x128 r2c batch=99"}})
        expect_round_trips(one, 1);
}

/// Odd lengths of the other axis, odd counts of points of a row: column 0 has no partner then.
TEST(FusedReal, OtherLengthsThanPowersOfTwo) {
    Tuning tuning;
    tuning.groups_per_cluster = 1;
    for (const Case& one :
         {Case{"100x100 r2c", 1.6, 1.35}, Case{"100x100 c2r", 1.6, 1.35}, Case{"15x20 r2c batch=9", 2.6, 1.6},
          Case{"15x20 c2r batch=9", 2.6, 1.6}, Case{"12x14 r2c batch=5", 2.6, 2}, Case{"12x14 c2r batch=5", 2.6, 2},
          Case{"9x50 r2c in-place", 2.6, 2}, Case{"9x50 c2r in-place", 2.6, 2}, Case{"2x90 c2r", 2.6, 2},
          Case{"4x90 c2r f64 batch=3", 2.6, 2}})
        expect_round_trips(one, 1, tuning);
}

/// Rows of an odd length, whose runs of memory begin anywhere, and all axes of a cube.
TEST(FusedReal, OneSidedRowsInAGroup) {
    // Threads load their own rows, in numbers or pairs of them: each sector again, from the first cache.
    for (const Case& one :
         {Case{"9x9 r2c batch=65", 4.7, 2}, Case{"9x9 c2r batch=65", 2.6, 2}, Case{"31x31 r2c batch=9", 4.7, 2},
          Case{"31x31 c2r batch=9", 2.6, 2}, Case{"32x33 r2c in-place batch=3", 4.7, 2}, Case{"32x33 c2r f64", 2.6, 2},
          Case{"4x4 r2c batch=99", 2.6, 2}, Case{"20x16 c2r batch=9", 1.6, 2}, Case{"16x16 r2c batch=40", 3, 1.2},
          Case{"16x16 c2r batch=39", 2.3, 1.6}, Case{"32x32 c2r batch=4", 1.5, 1.5},
          Case{"33x16 r2c f64 batch=3", 2.6, 2}, Case{"8x8x8 r2c batch=17", 2.6, 2}, Case{"8x8x8 c2r batch=17", 1.1, 2},
          Case{"8x8x8 r2c in-place batch=9", 2.6, 2}, Case{"5x7x9 r2c batch=13", 4.7, 2},
          Case{"5x7x9 c2r f64 batch=13", 1.6, 2}, Case{"12x16x20 r2c", 2.6, 2}, Case{"12x16x20 c2r", 1.1, 2}})
        expect_round_trips(one, 1);
    // Long ones come by way of shared memory, and go so.
    for (const Case& one :
         {Case{"60x60 r2c batch=2", 1.1, 1.2}, Case{"60x60 c2r batch=2", 1.1, 1.45},
          Case{"48x48 r2c f64 batch=2", 1.1, 1.1}, Case{"32x32 r2c batch=5"}, Case{"80x80 r2c", 1.1, 1.2},
          Case{"40x36 r2c in-place batch=3", 1.2, 1.3}, Case{"36x40 c2r in-place batch=3", 1.1, 1.3}})
        expect_round_trips(one, 1);
    for (const char* text : {"5x6x7x8 r2c batch=9", "5x6x7x8 c2r batch=9"}) expect_round_trips({text, 2.6, 2}, 2);
}

/// No thread has a row whole.
TEST(FusedReal, PlanesInParts) {
    for (const Case& one : {Case{"28x100 r2c batch=3", 1.5, 2}, Case{"11x104 c2r batch=9", 1.4, 2},
                            Case{"10x110 r2c f64 batch=3", 1.4, 2}, Case{"44x125 c2r", 2.6, 2}})
        expect_round_trips(one, 1);
}

TEST(FusedReal, PlanesInACluster) {
    for (const Case& one : {Case{"256x256 r2c batch=9"}, Case{"256x256 c2r batch=9"}, Case{"128x256 r2c f64"}})
        expect_round_trips(one, 1);
    Tuning tuning;
    for (const std::uint32_t groups : {2u, 4u}) {
        tuning.groups_per_cluster = groups;
        for (const Case& one : {Case{"24x48 r2c batch=3", 2.1, 2.1}, Case{"24x48 c2r batch=3", 2.1, 2.1},
                                Case{"32x16 c2r in-place", 3.3, 1.5}})
            expect_round_trips(one, 1, tuning);
    }
}

TEST(FusedReal, PlanesOfACube) {
    for (const Case& one : {Case{"8x64x64 r2c"}, Case{"8x64x64 c2r"}, Case{"8x64x64 c2r in-place", 1.6},
                            Case{"6x64x64 r2c in-place batch=2", 1.6}})
        expect_round_trips(one, 2);
    expect_round_trips({"4x4x32x64 c2r", 1.4}, 3);
    for (const Case& one :
         {Case{"60x22x21 r2c", 4.7, 2}, Case{"60x22x21 c2r", 2.6, 2}, Case{"24x36x30 r2c in-place", 2.6, 2},
          Case{"30x60x60 c2r", 1.4, 1.5}, Case{"26x45x12 r2c f64", 2.6, 2}, Case{"26x45x12 c2r f64", 2.6, 2}})
        expect_round_trips(one, 2);
}

TEST(FusedReal, IsChosenAsComplexPlanesAre) {
    const auto kernels = [](const char* text, const Tuning& tuning = {}) {
        return exec::describe(parse_problem(text), with_clusters(), {Directions::both, tuning}).kernels.size();
    };
    for (const char* text : {"64x64 r2c", "64x64 c2r batch=9", "100x100 r2c f64 batch=132", "256x256 c2r batch=9",
                             "9x50x80 r2c axes=1,2", "64x64 r2c in-place", "128x256 r2c f64"})
        EXPECT_EQ(kernels(text), 1u) << text;
    for (const char* text : {"64x63 r2c", "45x45 c2r f64", "16x16x16 r2c", "16x15x14 c2r in-place f64"})
        EXPECT_EQ(kernels(text), 1u) << text;
    // A length of a large prime, rows an odd number apart, no room, other storage, a stage, what is pruned, another
    // axis.
    for (const char* text : {"67x64 c2r", "63x63 c2r f64", "64x134 r2c", "64x64 r2c istrides=81,1", "1024x1024 r2c",
                             "64x64 r2c storage=f16", "64x64 r2c signal-zeros=0:32-64",
                             "64x64 c2r spectrum-zeros=1:10-33", "64x64 r2c halved=0"})
        EXPECT_EQ(kernels(text), 2u) << text;
    Tuning apart;
    apart.separate_passes = true;
    EXPECT_EQ(kernels("64x64 r2c", apart), 2u);
    EXPECT_EQ(kernels("8x64x64 c2r", apart), 3u);
    Problem with_stage = parse_problem("64x64 r2c");
    with_stage.forward_store = "return value * i0;";
    EXPECT_EQ(exec::describe(with_stage, with_clusters(), {Directions::both, {}}).kernels.size(), 2u);
    // Each group of a cluster has columns and their mirrors.
    Tuning tuning;
    tuning.groups_per_cluster = 5;
    EXPECT_THROW(kernels("20x30 r2c", tuning), Unsupported);
    tuning.groups_per_cluster = 3;
    EXPECT_EQ(kernels("21x36 r2c", tuning), 1u);
}

TEST(FusedReal, BytesThroughSharedMemoryAreThoseThatTheAnalyserCounts) {
    for (const char* text :
         {"16x16 r2c batch=64", "16x16 c2r batch=64", "24x40 r2c batch=64", "9x24 c2r batch=64", "32x64x16 c2r"})
        expect_counted_bytes(text, with_clusters());
    Tuning tuning;
    tuning.groups_per_cluster = 2;
    for (const char* text : {"16x16 r2c", "16x16 c2r"}) expect_counted_bytes(text, with_clusters(), tuning);
}

}  // namespace
