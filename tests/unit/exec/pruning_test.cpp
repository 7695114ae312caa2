// Pruned plans move what pruning leaves and no more, counted by the interpreter, without races and in whole sectors.
#include <gtest/gtest.h>

#include "exec/draft.hpp"
#include "exec/inspect.hpp"
#include "tests/unit/exec/limits.hpp"

namespace {

using namespace seiche;

struct Moved {
    std::uint64_t read = 0, written = 0, sectors = 0, ideal_sectors = 0;
};

/// What the kernels of the forward plan touch, which has to be what the plan's report says.
Moved moved(const std::string& text, const DeviceLimits& limits) {
    SCOPED_TRACE(text);
    const problem::Canonical problem = problem::normalise(parse_problem(text));
    const PlanReport report = exec::describe(parse_problem(text), limits, {});
    const std::vector<AnalysisReport> kernels = exec::analyse(problem, limits, {});
    Moved sum;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const AnalysisReport& k = kernels[i];
        SCOPED_TRACE(k.kernel + (k.findings.empty() ? "" : ": " + k.findings.front()));
        EXPECT_EQ(k.out_of_bounds, 0u);
        EXPECT_EQ(k.uninitialised_reads, 0u);
        EXPECT_EQ(k.races, 0u);
        EXPECT_EQ(k.bytes_read, report.kernels[i].bytes_read);
        EXPECT_EQ(k.bytes_written, report.kernels[i].bytes_written);
        sum.read += k.bytes_read;
        sum.written += k.bytes_written;
        sum.sectors += k.sectors;
        sum.ideal_sectors += k.sectors_ideal;
    }
    return sum;
}

TEST(Pruning, HalfZeroPlanesMoveNineSixteenthsOfTheBytes) {
    // Rows: a half of each of a half of them in, whole ones out. Columns: a half of each in, whole ones out.
    constexpr std::uint64_t all = 128 * 128 * 8;
    for (const DeviceLimits& limits : {hopper(), simd_cpu()}) {
        const Moved m = moved("128x128 signal-zeros=0:64-128,1:64-128", limits);
        EXPECT_EQ(m.read, all / 4 + all / 2);
        EXPECT_EQ(m.written, all / 2 + all);
        if (limits.vectors == Vectors::subgroups) {
            EXPECT_EQ(m.sectors, m.ideal_sectors);
        }
    }
}

TEST(Pruning, UnwantedSpectrumIsNotStored) {
    constexpr std::uint64_t all = 128 * 128 * 8;
    const Moved m = moved("128x128 spectrum-zeros=0:64-128,1:64-128", hopper());
    EXPECT_EQ(m.read, all + all / 2);
    EXPECT_EQ(m.written, all / 2 + all / 4);
    EXPECT_EQ(m.sectors, m.ideal_sectors);
}

TEST(Pruning, HalfZeroCubesMoveSevenSixteenthsOfTheBytes) {
    constexpr std::uint64_t all = 32 * 32 * 32 * 8;
    const Moved m = moved("32x32x32 signal-zeros=0:16-32,1:16-32,2:16-32", hopper());
    EXPECT_EQ(m.read, all / 8 + all / 4 + all / 2);
    EXPECT_EQ(m.written, all / 4 + all / 2 + all);
}

TEST(Pruning, SeveralBlocksAndSeveralPasses) {
    Moved m = moved("240 batch=64 signal-zeros=0:3-50,0:100-131,0:239-240 spectrum-zeros=0:7-240", hopper());
    EXPECT_EQ(m.read, 64u * 8 * (240 - 47 - 31 - 1));
    EXPECT_EQ(m.written, 64u * 8 * 7);
    m = moved("32768 signal-zeros=0:10000-32768 spectrum-zeros=0:0-30000", hopper());
    EXPECT_EQ(m.read, 8u * (10000 + 32768));
    EXPECT_EQ(m.written, 8u * (32768 + 2768));
}

TEST(Pruning, RealArraysMoveOnlyTheirOwn) {
    const Moved m = moved("64x96 r2c signal-zeros=0:32-64,1:48-96 spectrum-zeros=1:20-49", hopper());
    EXPECT_EQ(m.read, 4u * 32 * 48 + 8u * 32 * 20);
    EXPECT_EQ(m.written, 8u * 32 * 20 + 8u * 64 * 20);
    const Moved odd = moved("75 dct2 batch=32 signal-zeros=0:38-75 spectrum-zeros=0:0-1", hopper());
    EXPECT_EQ(odd.read, 4u * 32 * 38);
    EXPECT_EQ(odd.written, 4u * 32 * 74);
    for (const DeviceLimits& limits : {hopper(), simd_cpu()}) {
        for (const char* n : {"101", "202", "94"}) {  // a prime, twice one, and what is padded
            const std::string text = std::string(n) + " dct2 batch=32 signal-zeros=0:51-" + n;
            const Moved convolved = moved(text + " spectrum-zeros=0:0-1", limits);
            EXPECT_EQ(convolved.read, 32u * 4 * 51) << n;
            EXPECT_EQ(convolved.written, 32u * 4 * (std::stoul(n) - 1)) << n;
        }
    }
    // Elements that do not fit on chip become points in a pass of their own, and come from them in another.
    DeviceLimits tight = hopper();
    tight.shared_bytes = 512;
    const Moved beside = moved("101 dct2 batch=32 signal-zeros=0:51-101 spectrum-zeros=0:0-1", tight);
    EXPECT_EQ(beside.read, 32u * (4 * 51 + 8 * 101 + 8 * 51));
    EXPECT_EQ(beside.written, 32u * (8 * 101 + 8 * 101 + 4 * 100));
}

/// Primes in a loop, whose kept points lie side by side: those that are left out are nowhere in shared memory.
TEST(Pruning, PrimesReadNothingUnwritten) {
    for (const DeviceLimits& limits : {hopper(), simd_cpu()})
        for (const char* text :
             {"43 batch=40 signal-zeros=0:20-43 idist=20", "37 f64 batch=40 signal-zeros=0:1-37 idist=1",
              "31 r2c batch=40 signal-zeros=0:12-31 idist=12", "47 batch=40 signal-zeros=0:5-47 idist=5",
              "101 batch=40 signal-zeros=0:60-101 idist=60", "82 dct2 batch=40 signal-zeros=0:30-82 idist=30"}) {
            SCOPED_TRACE(text);
            moved(text, limits);
        }
}

TEST(Pruning, ZerosAreNotComputedEither) {
    const auto flops = [](const char* text) {
        const problem::Canonical problem = problem::normalise(parse_problem(text));
        return exec::analyse(problem, hopper(), {}).front().flops;
    };
    EXPECT_LT(flops("256 batch=16 signal-zeros=0:32-256"), flops("256 batch=16") * 4 / 5);
    EXPECT_LT(flops("256 batch=16 signal-zeros=0:16-256"), flops("256 batch=16") * 2 / 3);  // the second stage's
}

}  // namespace
