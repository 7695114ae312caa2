// What lies between two passes in runs of a workspace: which plans have it, and that every access of memory and of
// shared memory is whole.
#include <gtest/gtest.h>

#include "exec/inspect.hpp"
#include "problem/problem.hpp"
#include "seiche/problem.hpp"
#include "tests/unit/exec/limits.hpp"

namespace seiche {
namespace {

DeviceLimits with_fast_memory() {
    DeviceLimits limits = with_clusters();
    limits.memory_bytes_per_second = 4'800'000'000'000;
    limits.cache_bytes = std::uint64_t{60} << 20;
    limits.waits_for_groups = true;
    return limits;
}

PlanReport planned(const std::string& text, const DeviceLimits& limits = with_fast_memory()) {
    return exec::describe(parse_problem(text), limits, {});
}

bool has(const std::string& text, const std::string& what, const DeviceLimits& limits = with_fast_memory()) {
    return planned(text, limits).recipe.find(what) != std::string::npos;
}

// As many sequences as make a run of the second pass a line of the cache, if a tile holds them.
TEST(Runs, OfPlanesAndLongLengths) {
    for (const char* text : {"2048x2048 batch=4", "4096x4096", "2048x2048 in-place batch=16", "2048x4096 batch=8",
                             "1920x1920 batch=18", "2160x3840 batch=8", "2048x2048 f64 batch=8"})
        EXPECT_TRUE(has(text, " (runs 2)")) << text << ": " << planned(text).recipe;
    for (const char* text : {"4096x2048 batch=8", "4096x1024 batch=16", "4194304 batch=16", "4194304 in-place batch=4"})
        EXPECT_TRUE(has(text, " (runs 4)")) << text << ": " << planned(text).recipe;
}

// Small batches stay in the cache; one column of a block is a part of a sector; long rows and large butterflies lack
// registers; lines are whole; others are pipelined.
TEST(Runs, NotOfOthers) {
    for (const char* text :
         {"2048x2048", "4194304 batch=2", "4032x2048 batch=8", "2048x32 f64 batch=256", "1200x3584 batch=16",
          "2048x2160 batch=15", "2000x2000 batch=17", "4000x4000", "1024x4096 batch=16", "1024x1024 batch=64",
          "2097152 batch=32", "2048x2048 r2c batch=16", "2097152 c2r batch=16 in-place", "8388608 r2c batch=16",
          "2048x2048 overwrite-input batch=16", "2048x2048 planar batch=16"})
        EXPECT_FALSE(has(text, "(runs")) << text << ": " << planned(text).recipe;
    EXPECT_FALSE(has("2048x2048 batch=16", "(runs", with_clusters())) << "memory is not so fast";
}

// The workspace holds every point once, and no byte is moved more than before.
TEST(Runs, MoveWhatTheyHaveTo) {
    const PlanReport runs = planned("2048x2048 batch=4"), rows = planned("2048x2048 overwrite-input batch=4");
    EXPECT_EQ(runs.workspace_bytes, 4u * 2048 * 2048 * 8);
    EXPECT_EQ(rows.workspace_bytes, 0u);
    EXPECT_EQ(runs.moved_bytes, rows.moved_bytes);
    Tuning tuning;
    tuning.transforms_per_group = 4;
    tuning.separate_passes = true;
    DeviceLimits limits = with_fast_memory();
    limits.cache_bytes = 1024;
    for (const char* text : {"256x128", "128x256 in-place", "256x128 f64"}) {
        const std::vector<AnalysisReport> reports =
            exec::analyse(problem::normalise(parse_problem(text)), limits, tuning);
        ASSERT_EQ(reports.size(), 2u) << text;
        for (const AnalysisReport& r : reports) {
            SCOPED_TRACE(text + (" " + r.kernel) + (r.findings.empty() ? "" : ": " + r.findings.front()));
            EXPECT_EQ(r.out_of_bounds + r.uninitialised_reads + r.races, 0u);
            EXPECT_EQ(r.sectors, r.sectors_ideal);
            EXPECT_LE(4 * r.shared_wavefronts, 5 * r.shared_wavefronts_ideal);
        }
    }
}

}  // namespace
}  // namespace seiche
