// Devices of little shared memory, on which a long sequence passes through it in pieces: one round trip through memory
// as on larger ones, without races.
#include <gtest/gtest.h>

#include "exec/inspect.hpp"
#include "tests/unit/exec/limits.hpp"

namespace {

using namespace seiche;

DeviceLimits with_shared(std::uint32_t kilobytes) {
    DeviceLimits limits = hopper();
    limits.shared_bytes = kilobytes * 1024;
    return limits;
}

/// `slack`: how often shared memory may be touched beyond the ideal.
struct Case {
    const char* problem;
    std::uint32_t kilobytes;
    double slack = 1;
};

TEST(Pieces, ReplaceASecondPass) {
    for (const Case& one : {Case{"16384 batch=2", 48}, Case{"16384 batch=2", 16}, Case{"8192 f64 batch=2", 48},
                            Case{"16384 planar", 48}, Case{"16384 in-place", 32}, Case{"12288 batch=2", 48, 1.2}}) {
        const Problem problem = parse_problem(one.problem);
        const problem::Canonical canonical = problem::normalise(problem);
        const DeviceLimits limits = with_shared(one.kilobytes);
        SCOPED_TRACE(std::string(one.problem) + " in " + std::to_string(one.kilobytes) + " KiB");
        const std::vector<AnalysisReport> reports = exec::analyse(canonical, limits, {});
        ASSERT_EQ(reports.size(), 1u);
        const AnalysisReport& r = reports.front();
        SCOPED_TRACE(r.findings.empty() ? "" : r.findings.front());
        EXPECT_EQ(r.out_of_bounds + r.uninitialised_reads + r.races, 0u);
        const std::uint64_t bytes = canonical.n * canonical.batch.count * canonical.complex_bytes();
        EXPECT_EQ(r.bytes_read, bytes);
        EXPECT_EQ(r.bytes_written, bytes);
        EXPECT_EQ(r.sectors, r.sectors_ideal);
        EXPECT_LE(static_cast<double>(r.shared_wavefronts), one.slack * static_cast<double>(r.shared_wavefronts_ideal));
        const PlanReport plan = exec::describe(problem, limits, {Directions::forward, {}});
        EXPECT_LE(plan.kernels.front().shared_bytes, one.kilobytes * 1024);
    }
}

/// With room for a part of all points nothing is cut.
TEST(Pieces, AreTakenOnlyWherePartsHaveNoRoom) {
    const auto kernel = [](const char* text, std::uint32_t kilobytes) {
        return exec::describe(parse_problem(text), with_shared(kilobytes), {Directions::forward, {}})
            .kernels.front()
            .spec;
    };
    EXPECT_NE(kernel("16384", 48).find("chunks=2"), std::string::npos);
    EXPECT_NE(kernel("16384", 16).find("chunks=4"), std::string::npos);
    EXPECT_EQ(kernel("16384", 64).find("pieces"), std::string::npos);
    EXPECT_EQ(kernel("8192", 48).find("pieces"), std::string::npos);
}

/// A compiler that is not told how many groups a unit should hold takes registers for one: shorter passes, and runs of
/// one sector.
TEST(GreedyCompilers, HaveShorterPassesAndRuns) {
    DeviceLimits told = with_shared(48), greedy = told;
    greedy.bounds_registers = false;
    const auto kernels = [](const char* text, const DeviceLimits& limits) {
        return exec::describe(parse_problem(text), limits, {Directions::forward, {}}).kernels;
    };
    EXPECT_EQ(kernels("4194304 batch=8", told).size(), 2u);
    EXPECT_EQ(kernels("4194304 batch=8", greedy).size(), 3u);
    for (const KernelReport& kernel : kernels("1048576 batch=32", told)) EXPECT_EQ(kernel.group_size, 512u);
    for (const KernelReport& kernel : kernels("1048576 batch=32", greedy)) EXPECT_EQ(kernel.group_size, 256u);
}

}  // namespace
