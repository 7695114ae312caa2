// Two passes in one kernel: no race within a cluster, no bank conflict, every byte once each way.
#include <gtest/gtest.h>

#include "exec/inspect.hpp"
#include "seiche/error.hpp"
#include "tests/unit/exec/limits.hpp"

namespace {

using namespace seiche;

/// `slack`: how often shared memory, and sectors, may be touched beyond the ideal.
struct Case {
    const char* problem;
    std::uint32_t groups;
    double slack = 1;
};

void expect_one_round_trip(const Case& one) {
    const Problem problem = parse_problem(one.problem);
    const problem::Canonical canonical = problem::normalise(problem);
    const std::uint64_t points = canonical.n * canonical.transforms_per_array() * canonical.batch.count;
    Tuning tuning;
    tuning.groups_per_cluster = one.groups;
    SCOPED_TRACE(std::string(one.problem) + " in clusters of " + std::to_string(one.groups));
    const PlanReport plan = exec::describe(problem, with_clusters(), {Directions::forward, tuning});
    const std::vector<AnalysisReport> reports = exec::analyse(canonical, with_clusters(), tuning);
    ASSERT_EQ(reports.size(), 1u);
    const AnalysisReport& r = reports.front();
    SCOPED_TRACE(r.findings.empty() ? "" : r.findings.front());
    EXPECT_EQ(r.out_of_bounds + r.uninitialised_reads + r.races, 0u);
    const std::uint64_t bytes = points * canonical.complex_bytes();
    EXPECT_EQ(r.bytes_read, bytes);
    EXPECT_EQ(r.bytes_written, bytes);
    EXPECT_EQ(plan.kernels.front().bytes_read, bytes);
    EXPECT_EQ(plan.kernels.front().bytes_written, bytes);
    EXPECT_EQ(plan.workspace_bytes, 0u);
    EXPECT_LE(static_cast<double>(r.sectors), one.slack * static_cast<double>(r.sectors_ideal));
    EXPECT_LE(static_cast<double>(r.shared_wavefronts), one.slack * static_cast<double>(r.shared_wavefronts_ideal));
}

TEST(Fused, OneTransformInTheGroupsOfACluster) {
    for (const Case& one :
         {Case{"4096 batch=3", 2}, Case{"32768 batch=2", 2}, Case{"32768", 4}, Case{"65536", 8}, Case{"131072", 16},
          Case{"262144", 16}, Case{"32768 f64", 8}, Case{"65536 in-place", 8}, Case{"32768 planar", 2}})
        expect_one_round_trip(one);
}

/// Multiples of 2^13 points go to clusters by themselves, up to what 8 groups hold well, and doubles as measured.
TEST(Fused, LengthsThatAreChosen) {
    const auto kernels = [](const char* text) {
        return exec::describe(parse_problem(text), with_clusters(), {Directions::forward, {}}).kernels.size();
    };
    for (const char* text :
         {"24576 batch=64", "40960 batch=64", "57344 batch=64", "24576 f64 batch=64", "18000 f64 batch=64"})
        EXPECT_EQ(kernels(text), 1u) << text;
    for (const char* text : {"28672 batch=64", "73728 batch=64", "28672 f64 batch=64", "24576 r2c f64 batch=64"})
        EXPECT_EQ(kernels(text), 2u) << text;
}

TEST(Fused, PlanesInAGroup) {
    for (const Case& one :
         {Case{"64x64 batch=3", 1}, Case{"16x16 batch=32", 1}, Case{"128x128 f64", 1}, Case{"256x256", 4}})
        expect_one_round_trip(one);
    // Rows that threads have whole come by way of shared memory.
    for (const Case& one :
         {Case{"8x8 batch=64", 1, 1.3}, Case{"12x12 batch=64", 1, 1.3}, Case{"20x16 batch=64 f64", 1, 1.3},
          Case{"24x24 batch=33", 1, 1.1}, Case{"100x32 batch=3", 1}, Case{"16x16x16", 1, 1.35}})
        expect_one_round_trip(one);
}

/// Rows that are no multiple of a sector, points that room spreads over the banks as well as it can: what crosses, and
/// what each pass exchanges, in places of its own.
TEST(Fused, OtherLengthsThanPowersOfTwo) {
    for (const Case& one :
         {Case{"30000", 4, 2}, Case{"30000", 5, 1.35}, Case{"46656", 4, 1.25}, Case{"24576", 8}, Case{"49152", 4},
          Case{"100x100 batch=2", 1, 1.35}, Case{"72x72", 1, 1.35}, Case{"96x96", 6}, Case{"100x100 f64", 4, 1.2}})
        expect_one_round_trip(one);
}

struct Tiled {
    const char* problem;
    std::uint32_t groups;
    std::vector<std::uint64_t> passes;
    std::size_t kernels = 2;
    double slack = 1;
};

void expect_round_trips(const Tiled& one) {
    const problem::Canonical canonical = problem::normalise(parse_problem(one.problem));
    Tuning tuning;
    tuning.groups_per_cluster = one.groups;
    tuning.passes = one.passes;
    SCOPED_TRACE(std::string(one.problem) + " in clusters of " + std::to_string(one.groups));
    const std::vector<AnalysisReport> reports = exec::analyse(canonical, with_clusters(), tuning);
    ASSERT_EQ(reports.size(), one.kernels);
    const std::uint64_t points = canonical.n * canonical.transforms_per_array() * canonical.batch.count;
    for (const AnalysisReport& r : reports) {
        SCOPED_TRACE(r.findings.empty() ? "" : r.findings.front());
        EXPECT_EQ(r.out_of_bounds + r.uninitialised_reads + r.races, 0u);
        EXPECT_EQ(r.bytes_read, points * canonical.complex_bytes());
        EXPECT_EQ(r.bytes_written, points * canonical.complex_bytes());
        EXPECT_LE(static_cast<double>(r.sectors), one.slack * static_cast<double>(r.sectors_ideal));
        EXPECT_LE(static_cast<double>(r.shared_wavefronts), one.slack * static_cast<double>(r.shared_wavefronts_ideal));
    }
}

struct Chosen {
    const char* problem;
    std::size_t kernels;
    std::uint32_t groups;  ///< Of the first kernel's clusters.
};

void expect_chosen(const Chosen& one, const DeviceLimits& limits, const Tuning& tuning = {}) {
    SCOPED_TRACE(one.problem);
    const PlanReport plan = exec::describe(parse_problem(one.problem), limits, {Directions::forward, tuning});
    ASSERT_EQ(plan.kernels.size(), one.kernels);
    const std::string cluster = "cluster=" + std::to_string(one.groups);
    EXPECT_EQ(plan.kernels.front().spec.find(cluster) != std::string::npos, one.groups > 1)
        << plan.kernels.front().spec;
}

// A transform or a few have more units in a cluster than in a group.
TEST(Fused, IsChosenForFew) {
    DeviceLimits limits = with_clusters();
    limits.registers_per_thread = 255;
    for (const Chosen& one :
         {Chosen{"2048", 1, 1}, Chosen{"4096", 1, 4}, Chosen{"8192", 1, 8}, Chosen{"16384", 1, 16},
          Chosen{"16384 batch=16", 1, 16}, Chosen{"16384 batch=17", 1, 8}, Chosen{"16384 batch=34", 1, 1},
          Chosen{"32768", 1, 16}, Chosen{"131072", 2, 1}, Chosen{"5000", 1, 1}, Chosen{"9000", 1, 1},
          Chosen{"10000", 1, 10}, Chosen{"12288", 1, 8}, Chosen{"14400", 1, 1}, Chosen{"4096 f64", 1, 4},
          Chosen{"16384 f64", 1, 16}, Chosen{"16384 r2c", 1, 1}, Chosen{"4096 f16", 1, 1}})
        expect_chosen(one, limits);
    DeviceLimits portable = limits;
    portable.max_cluster_size = 8;
    expect_chosen({"16384", 1, 8}, portable);
    expect_chosen({"12288", 1, 8}, portable);
}

DeviceLimits with_clusters_and_cache() {
    DeviceLimits limits = with_clusters();
    limits.cache_bytes = 50 << 20;
    return limits;
}

TEST(Fused, IsChosenWhereItWasFaster) {
    const DeviceLimits limits = with_clusters_and_cache();
    for (const Chosen& one : {Chosen{"32768 batch=64", 1, 8},
                              Chosen{"65536", 1, 16},
                              Chosen{"131072 batch=17", 2, 1},
                              Chosen{"131072 batch=512", 1, 16},
                              Chosen{"262144 batch=256", 2, 1},
                              Chosen{"16384 batch=64", 1, 1},
                              Chosen{"8192 f64 batch=64", 1, 4},
                              Chosen{"8192 f64 batch=512", 1, 1},
                              Chosen{"32768 f64 batch=64", 1, 16},
                              Chosen{"65536 f64", 2, 1},
                              Chosen{"65536 f64 batch=512", 1, 16},
                              Chosen{"6561 f64 batch=99", 1, 1},
                              Chosen{"24576 batch=99", 1, 8},
                              Chosen{"49152 batch=99", 1, 16},
                              Chosen{"73728 batch=99", 2, 1},
                              Chosen{"40000", 2, 1},
                              Chosen{"131072 r2c batch=99", 1, 16},
                              Chosen{"262144 r2c batch=512", 2, 1},
                              Chosen{"262144 r2c batch=17", 1, 8},
                              Chosen{"131072 r2c f64 batch=512", 2, 1},
                              Chosen{"64x64 batch=9", 1, 1},
                              Chosen{"128x128 batch=99", 1, 4},
                              Chosen{"128x128", 1, 16},
                              Chosen{"96x96 batch=99", 1, 4},
                              Chosen{"100x100 batch=99", 1, 1},
                              Chosen{"100x100 f64 batch=99", 1, 4},
                              Chosen{"96x96 f64 batch=99", 1, 8},
                              Chosen{"128x128 r2c batch=99", 1, 1},
                              Chosen{"256x256 batch=9", 1, 16},
                              Chosen{"256x256 f64 batch=512", 1, 16},
                              Chosen{"512x256 batch=512", 1, 16},
                              Chosen{"256x512 batch=512", 2, 1},
                              Chosen{"1024x128 batch=512", 2, 1},
                              Chosen{"4x4096 batch=99", 2, 1},
                              Chosen{"512x512", 2, 1},
                              Chosen{"64x64x64", 2, 1},
                              Chosen{"256x256x256", 2, 16},
                              Chosen{"50x81", 1, 1},
                              Chosen{"64x67", 2, 1}})
        expect_chosen(one, limits);
}

TEST(Fused, IsNotChosenWhereItCannotBeOrSomethingElseIsAskedFor) {
    const DeviceLimits limits = with_clusters_and_cache();
    for (const char* separate : {"64x67 r2c", "64x64 f16", "64x64 f64x2", "64x64 spectrum-order=pass",
                                 "64x64 istrides=1,64", "64x64 signal-zeros=0:32-64"})
        expect_chosen({separate, 2, 1}, limits);
    for (const Chosen& one :
         {Chosen{"32768", 2, 1}, Chosen{"128x128 batch=132", 1, 1}, Chosen{"128x128", 2, 1}, Chosen{"256x256", 2, 1}})
        expect_chosen(one, hopper());  // without clusters
    Tuning apart;
    apart.separate_passes = true;
    for (const char* problem : {"32768", "64x64"}) expect_chosen({problem, 2, 1}, limits, apart);
    Tuning asked;
    asked.groups_per_cluster = 4;
    expect_chosen({"256x256x256", 2, 4}, limits, asked);
    EXPECT_THROW(exec::describe(parse_problem("512x512x512"), limits, {Directions::forward, asked}), Unsupported);
    apart.groups_per_cluster = 2;
    EXPECT_THROW(exec::describe(parse_problem("32768"), limits, {Directions::forward, apart}), Unsupported);
}

TEST(Fused, ChosenKernelsAreSound) {
    for (const char* problem :
         {"64x64x64", "8x128x256 in-place", "24x20x30 in-place inverse-scale=1/n", "8192 f64 in-place"}) {
        SCOPED_TRACE(problem);
        const problem::Canonical canonical = problem::normalise(parse_problem(problem));
        for (const AnalysisReport& r : exec::analyse(canonical, with_clusters(), {})) {
            SCOPED_TRACE(r.findings.empty() ? "" : r.findings.front());
            EXPECT_EQ(r.out_of_bounds + r.uninitialised_reads + r.races, 0u);
            EXPECT_EQ(r.bytes_read, canonical.n * canonical.complex_bytes());
            EXPECT_EQ(r.bytes_written, r.bytes_read);
        }
    }
}

/// All three axes in one kernel, whatever the lengths: also where passes have different numbers of threads, and the
/// last group fewer cubes than others.
TEST(Fused, CubesThatAGroupHolds) {
    for (const char* text : {"2x2x2 batch=300", "4x4x4 in-place batch=65", "5x7x9 batch=13", "8x8x8 f64 batch=9",
                             "12x16x20", "3x5x64 batch=2", "8x16x32 planar", "24x24x24 inverse-scale=1/n",
                             "16x16x16 f64 in-place batch=2", "5x6x7 axes=0,1,2 batch=2"}) {
        SCOPED_TRACE(text);
        const Problem problem = parse_problem(text);
        const problem::Canonical canonical = problem::normalise(problem);
        const std::uint64_t bytes = canonical.n * canonical.batch.count * canonical.complex_bytes();
        const PlanReport plan = exec::describe(problem, with_clusters(), {Directions::both, {}});
        ASSERT_EQ(plan.kernels.size(), 2u) << "one each way";
        EXPECT_EQ(plan.workspace_bytes, 0u);
        EXPECT_EQ(plan.kernels.front().bytes_read + plan.kernels.front().bytes_written, 2 * bytes);
        const std::vector<AnalysisReport> reports = exec::analyse(canonical, with_clusters(), {});
        ASSERT_EQ(reports.size(), 1u);
        SCOPED_TRACE(reports.front().findings.empty() ? "" : reports.front().findings.front());
        EXPECT_EQ(reports.front().out_of_bounds + reports.front().uninitialised_reads + reports.front().races, 0u);
        EXPECT_EQ(reports.front().bytes_read, bytes);
        EXPECT_EQ(reports.front().bytes_written, bytes);
    }
}

TEST(Fused, CubesBesideOtherAxesAndThoseThatAreTooLarge) {
    const DeviceLimits limits = with_clusters_and_cache();
    for (const Chosen& one :
         {Chosen{"5x6x7x8 batch=99", 2, 1}, Chosen{"16x16x16x16 f64 batch=256", 2, 1}, Chosen{"4x4x4x4x4", 3, 1},
          Chosen{"32x32x32 batch=99", 2, 1}, Chosen{"24x24x24 f64 batch=99", 2, 1}, Chosen{"2x64x64 batch=99", 2, 1},
          Chosen{"8x8x8 spectrum-zeros=0:2-4", 3, 1}, Chosen{"8x8x8 f16", 3, 1}})
        expect_chosen(one, limits);
    Tuning asked;
    asked.groups_per_cluster = 1;
    expect_chosen({"8x8x8 batch=9", 1, 1}, limits, asked);
    asked.transforms_per_group = 3;
    expect_chosen({"8x8x8 batch=9", 1, 1}, limits, asked);
    asked.transforms_per_group = 64;
    EXPECT_THROW(exec::describe(parse_problem("8x8x8 batch=99"), limits, {Directions::forward, asked}), Unsupported);
}

TEST(Fused, TilesOfALongerAxis) {
    for (const Tiled& one : {Tiled{"262144", 4, {64, 32, 128}}, Tiled{"262144 f64", 2, {128, 64, 32}},
                             Tiled{"65536 in-place batch=2", 2, {64, 32, 32}}, Tiled{"65536", 2, {16, 16, 16, 16}},
                             Tiled{"4096x8 axes=0", 2, {64, 64}, 1}})
        expect_round_trips(one);
}

}  // namespace
