// Planes and cubes of real-to-real kinds in one kernel: no race, few bank conflicts, every byte once each way.
#include <gtest/gtest.h>

#include "exec/inspect.hpp"
#include "seiche/error.hpp"
#include "tests/unit/exec/flow_bytes.hpp"
#include "tests/unit/exec/limits.hpp"

namespace {

using namespace seiche;

/// `sectors`: how often they may be touched beyond the ideal, since runs begin and end within them; and wavefronts of
/// shared memory.
struct Case {
    const char* problem;
    double sectors = 1, wavefronts = 1.4;
};

void expect_one_pass(const Case& one) {
    SCOPED_TRACE(one.problem);
    const Problem problem = parse_problem(one.problem);
    const problem::Canonical canonical = problem::normalise(problem);
    const PlanReport plan = exec::describe(problem, with_clusters(), {Directions::forward, {}});
    const std::vector<AnalysisReport> reports = exec::analyse(canonical, with_clusters(), {});
    ASSERT_EQ(reports.size(), 1u);
    ASSERT_EQ(plan.kernels.size(), 1u);
    EXPECT_EQ(plan.workspace_bytes, 0u);
    std::uint64_t bytes = canonical.batch.count * canonical.transforms_per_array() * canonical.stored_bytes();
    for (const problem::Axis& axis : canonical.axes) bytes *= axis.length;
    const AnalysisReport& r = reports.front();
    SCOPED_TRACE(r.findings.empty() ? "" : r.findings.front());
    EXPECT_EQ(r.out_of_bounds + r.uninitialised_reads + r.races, 0u);
    EXPECT_LE(static_cast<double>(r.sectors), one.sectors * static_cast<double>(r.sectors_ideal));
    EXPECT_LE(static_cast<double>(r.shared_wavefronts),
              one.wavefronts * static_cast<double>(r.shared_wavefronts_ideal));
    EXPECT_EQ(r.bytes_read, bytes);
    EXPECT_EQ(r.bytes_written, bytes);
    EXPECT_EQ(plan.kernels.front().bytes_read, bytes);
    EXPECT_EQ(plan.kernels.front().bytes_written, bytes);
}

TEST(Block, MovesEveryByteOnce) {
    for (const Case& one :
         {Case{"8x8 dct2 batch=40"}, Case{"16x16 dct3 batch=8"}, Case{"32x32 dct4 batch=4"}, Case{"4x4 dst2 batch=96"},
          Case{"8x8 dct2 f64 batch=40"}, Case{"9x9 dct2 batch=35", 1.3}, Case{"15x15 dst4 batch=8", 1.3},
          Case{"64x64 dht"}, Case{"16x64 dct2 batch=6"}, Case{"8x8x8 dct2 batch=5"}, Case{"16x16x16 dct2 f64"},
          Case{"10x10x10 dct2 batch=6", 1.2}, Case{"15x15x15 dct1", 1.3, 1.7}, Case{"8x8 dct2 in-place batch=8"}})
        expect_one_pass(one);
}

TEST(Block, IsExplained) {
    for (const char* text :
         {"8x8 dct2 batch=8", "9x9 dct4 batch=14", "8x8x8 dct3", "5x6x7 dct1 batch=12", "12x10 dht f64 batch=30"})
        expect_counted_bytes(text, with_clusters());
    const Explanation explanation = explain(parse_problem("8x8 dct2"), with_clusters());
    EXPECT_TRUE(explanation.no_graph.empty());
    EXPECT_EQ(exec::describe(parse_problem("8x8 dct2"), with_clusters(), {}).recipe,
              "(block (dct2 8 (stockham 4 4)) (dct2 8 (stockham 4 4)))");
}

TEST(Block, IsChosenWhereAThreadHasRows) {
    const auto kernels = [](const char* text, const Tuning& tuning = {}) {
        return exec::describe(parse_problem(text), with_clusters(), {Directions::forward, tuning}).kernels.size();
    };
    for (const char* text : {"8x8 dct2", "128x128 dct2", "48x48 dct3 f64", "24x24x24 dct2", "8x8 dct2 storage=f16",
                             "8x8 dct2 istrides=20,1 batch=3 idist=200"})
        EXPECT_EQ(kernels(text), 1u) << text;
    // Long rows, rows of unlike counts, a large prime, none that are dense, what is pruned, a fourth axis, no
    // registers.
    for (const char* text :
         {"130x130 dct2", "64x64 dct2 f64", "8x64 dct2", "37x37 dct2", "8x8 dct2 istrides=40,2 batch=3 idist=500",
          "8x8 dct2 signal-zeros=0:4-8", "4x4x4x4 dct2", "16x16x64 dct2"})
        EXPECT_NE(kernels(text), 1u) << text;
    Tuning apart;
    apart.separate_passes = true;
    EXPECT_EQ(kernels("8x8 dct2", apart), 2u);
    Tuning four;
    four.groups_per_cluster = 1;
    four.transforms_per_group = 4;
    const PlanReport plan =
        exec::describe(parse_problem("8x8 dct2 batch=99"), with_clusters(), {Directions::forward, four});
    EXPECT_EQ(plan.kernels.front().group_size, 32u);
}

TEST(Block, SmallDevicesHaveSmallGroupsOfTinyBlocks) {
    DeviceLimits limits = with_clusters();
    limits.max_group_size = 64;
    limits.shared_bytes = 16 << 10;
    const auto group = [&](const char* text) {
        return exec::describe(parse_problem(text), limits, {Directions::forward, {}}).kernels.front().group_size;
    };
    EXPECT_EQ(group("2x2 dct2 batch=999"), 64u);
    EXPECT_EQ(group("7x9 dct2 batch=999"), 63u);
    EXPECT_EQ(group("1x2 dct2 batch=999"), 64u);
    limits.registers_per_thread = 64;
    const auto kernels = [&](const char* text) {
        return exec::describe(parse_problem(text), limits, {Directions::forward, {}}).kernels.size();
    };
    EXPECT_EQ(kernels("32x32 dct2"), 1u);
    EXPECT_EQ(kernels("62x62 dct2"), 2u);
}

TEST(Block, RefusesWhatItDoesNotHave) {
    const auto refusal = [](const DeviceLimits& limits, Tuning tuning) -> std::string {
        tuning.groups_per_cluster = 1;
        try {
            exec::describe(parse_problem("8x8 dct2"), limits, {Directions::forward, tuning});
        } catch (const Unsupported& error) {
            return error.what();
        }
        return "taken";
    };
    EXPECT_EQ(refusal(with_clusters(), {}), "taken");
    Tuning threads;
    threads.threads_per_transform = 3;
    EXPECT_NE(refusal(with_clusters(), threads).find("threads_per_transform: expected 0"), std::string::npos);
    Tuning bluestein;
    bluestein.algorithm = Algorithm::bluestein;
    EXPECT_NE(refusal(with_clusters(), bluestein), "taken");
    DeviceLimits simd = with_clusters();
    simd.vectors = Vectors::explicit_simd;
    EXPECT_NE(refusal(simd, {}).find("expected 0 on a SIMD device"), std::string::npos);
}

TEST(Block, HasTheUsersStages) {
    Problem problem = parse_problem("8x8 dct2 batch=8");
    problem.forward_load = std::string("return value * i0");
    problem.forward_store = std::string("return value * w[i0 * 8 + i1]");
    problem.forward_store.buffers = {{"w", StageType::f32, 64}};
    EXPECT_EQ(exec::describe(problem, with_clusters(), {Directions::forward, {}}).kernels.size(), 1u);
    const std::vector<AnalysisReport> reports = exec::analyse(problem::normalise(problem), with_clusters(), {});
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_EQ(reports[0].out_of_bounds + reports[0].uninitialised_reads + reports[0].races, 0u);
    EXPECT_EQ(reports[0].bytes_written, 8u * 64 * sizeof(float));
}

TEST(Block, SaysWhatAGroupDoesNotHold) {
    Tuning many;
    many.groups_per_cluster = 1;
    many.transforms_per_group = 200;
    try {
        exec::describe(parse_problem("8x8 dct2 batch=999"), with_clusters(), {Directions::forward, many});
        FAIL() << "expected Unsupported";
    } catch (const Unsupported& error) {
        EXPECT_NE(std::string(error.what()).find("a group of 1600 threads for 200 blocks of 64 numbers"),
                  std::string::npos)
            << error.what();
    }
}

}  // namespace
