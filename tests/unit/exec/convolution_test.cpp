// Convolutions move what they must and no more, counted by the interpreter, without races: one read of the signal, one
// write of what is wanted of the result, and between them one round trip for each axis but the last.
#include <gtest/gtest.h>

#include "exec/spectral.hpp"
#include "planner/spectral.hpp"
#include "problem/convolution.hpp"
#include "seiche/convolution.hpp"
#include "seiche/spectral.hpp"
#include "tests/unit/exec/limits.hpp"

namespace {

using namespace seiche;

struct Moved {
    std::uint64_t read = 0, written = 0, sectors = 0, ideal_sectors = 0;
    std::size_t kernels = 0;
};

void expect_sound(const AnalysisReport& k) {
    SCOPED_TRACE(k.kernel + (k.findings.empty() ? "" : ": " + k.findings.front()));
    EXPECT_EQ(k.out_of_bounds, 0u);
    EXPECT_EQ(k.uninitialised_reads, 0u);
    EXPECT_EQ(k.races, 0u);
}

/// What an execution moves. The preparation is looked at for faults only.
Moved moved(const Convolution& convolution, const DeviceLimits& limits) {
    for (const AnalysisReport& k : exec::analyse_preparation(exec::draft(convolution, limits, {}), limits))
        expect_sound(k);
    Moved sum;
    for (const AnalysisReport& k : analyse(convolution, limits)) {
        expect_sound(k);
        sum.read += k.bytes_read;
        sum.written += k.bytes_written;
        sum.sectors += k.sectors;
        sum.ideal_sectors += k.sectors_ideal;
        ++sum.kernels;
    }
    return sum;
}

Convolution convolution(std::vector<std::uint64_t> signal, std::vector<std::uint64_t> kernel) {
    Convolution c;
    c.signal = std::move(signal);
    c.kernel = std::move(kernel);
    return c;
}

/// Passes that share a launch, or a kernel, on either side of the middle. Counters of a launch begin at 0.
TEST(SpectralBytes, PlanesShareLaunchesAndKernels) {
    struct Case {
        DeviceLimits limits;
        std::vector<std::uint64_t> lengths;
        SpectralNumbers numbers;
        const char* shared;
        std::uint64_t trips;  // of the spectrum
    };
    DeviceLimits small_memories = hopper();
    small_memories.cache_bytes = 1 << 18;
    small_memories.shared_bytes = small_memories.shared_bytes_per_unit = 70 * 1024;
    DeviceLimits few_units = with_clusters();
    few_units.compute_units = 16;  // which four planes do not leave idle
    for (const Case& c : {Case{small_memories, {8, 96, 96}, SpectralNumbers::complex, "pipelined with", 8},
                          Case{few_units, {4, 256, 256}, SpectralNumbers::real, "cluster=8", 4},
                          Case{hopper(), {5, 96, 96}, SpectralNumbers::real, ", then ", 4}}) {
        SpectralProblem p;
        p.lengths = c.lengths;
        p.numbers = c.numbers;
        p.middle = "return value / (1 + k0 + i2);";
        const PlanReport report = inspect(p, c.limits);
        SCOPED_TRACE(report.text());
        EXPECT_NE(report.text().find(c.shared), std::string::npos);
        std::uint64_t moved = 0;
        for (const AnalysisReport& k : analyse(p, c.limits)) {
            expect_sound(k);
            moved += k.bytes_read + k.bytes_written;
        }
        const bool is_real = c.numbers == SpectralNumbers::real;
        const std::uint64_t rows = c.lengths[0] * c.lengths[1], n = c.lengths[2];
        const std::uint64_t signal = rows * n * (is_real ? 4 : 8), spectrum = 8 * rows * (is_real ? n / 2 + 1 : n);
        // A c2r by itself reads the bin in the middle of half a row twice; counters are beside.
        EXPECT_LE(moved, 2 * signal + c.trips * spectrum + 8 * rows + 4096);
    }
}

TEST(ConvolutionBytes, OneAxisOnChipIsOneRoundTrip) {
    for (const DeviceLimits& limits : {hopper(), simd_cpu()})
        for (const bool complex : {false, true}) {
            Convolution c = convolution({1000}, {24});
            c.complex = complex;
            c.batch = 4;
            c.block = 1;
            const Moved m = moved(c, limits);
            const std::uint64_t element = complex ? 8 : 4;
            EXPECT_EQ(m.kernels, 1u);
            EXPECT_EQ(m.read, 4 * 1000 * element) << inspect(c, limits).recipe;
            EXPECT_EQ(m.written, 4 * 1023 * element);
        }
}

/// A kernel shorter than the signal is pruned in its preparation, of primes in a loop too.
TEST(ConvolutionBytes, CircularOnesReadNothingUnwritten) {
    for (const DeviceLimits& limits : {hopper(), simd_cpu()})
        for (const char* text :
             {"43 * 1 circular", "37 * 5 circular f64", "41 * 14 circular", "31 * 2 circular complex",
              "3x43 * 2x7 circular complex batch=2", "47 * 20 circular", "101 * 3 circular", "86 * 9 circular",
              "94 * 1 circular f64", "5x37 * 1x3 circular", "64 * 3 circular", "129 * 40 circular complex f64"}) {
            SCOPED_TRACE(text);
            moved(parse_convolution(text), limits);
        }
}

/// Of lengths whose core was measured to be faster, in a loop or not, which the recipe tells.
TEST(ConvolutionBytes, MeasuredCoresAreOneRoundTrip) {
    struct Case {
        std::uint64_t signal, kernel;
        const char* core;
        bool in_loop;
    };
    for (const Case& one :
         {Case{1500, 1001, "(stockham 2560 16 10 16)", true}, Case{4000, 2100, "(stockham 6144 32 12 16)", false}}) {
        Convolution c = convolution({one.signal}, {one.kernel});
        c.complex = true;
        c.batch = 2;
        c.block = 1;
        const PlanReport report = inspect(c, hopper());
        EXPECT_NE(report.recipe.find(one.core), std::string::npos) << report.recipe;
        EXPECT_EQ(report.kernels.front().spec.find(" core-loop") != std::string::npos, one.in_loop);
        const Moved m = moved(c, hopper());
        EXPECT_EQ(m.kernels, 1u);
        EXPECT_EQ(m.read, 2 * 8 * one.signal);
        EXPECT_EQ(m.written, 2 * 8 * (one.signal + one.kernel - 1));
    }
}

/// Around every length whose core was measured, which may be taken where the model would take a shorter one.
TEST(ConvolutionBytes, MeasuredLengthsHoldTheResult) {
    for (const std::uint64_t n : {2048u, 2560u, 5120u, 6144u, 8192u, 12288u, 16384u})
        for (const bool complex : {true, false})
            for (const std::uint64_t beside : {0u, 1u, 2u, 3u}) {
                Convolution c = convolution({(complex ? 1 : 2) * n - 100 - 1 + beside}, {101});
                c.complex = complex;
                c.block = 1;
                const planner::SpectralDesign d = planner::design(problem::normalise(c), hopper(), {});
                EXPECT_GE(d.lengths.front(), c.signal[0] + c.kernel[0] - 1) << to_string(c);
            }
    Convolution c = convolution({4500}, {101});
    c.complex = true;
    c.block = 1;
    const auto length = [&](const Tuning& tuning) {
        return planner::design(problem::normalise(c), hopper(), tuning).lengths.front();
    };
    Tuning tuned;
    tuned.transforms_per_group = 1;
    EXPECT_EQ(length({}), 5120u);
    EXPECT_LT(length(tuned), 5120u) << "the shape is not that which was measured";
}

TEST(ConvolutionBytes, AnotherAxisIsAnotherRoundTripEachWay) {
    for (const DeviceLimits& limits : {hopper(), simd_cpu()}) {
        const Convolution c = convolution({100, 120}, {7, 9});
        const Moved m = moved(c, limits);
        const PlanReport report = inspect(c, limits);
        ASSERT_EQ(m.kernels, 3u) << report.recipe;
        // Rows of the signal in, their halved spectra out; columns of those in, of the wanted rows out; rows back.
        const std::uint64_t row = report.kernels[0].bytes_written / 100;
        const std::uint64_t read = 100 * 120 * 4 + 100 * row + 106 * row;
        EXPECT_GE(m.read, read) << report.text();
        EXPECT_LE(m.read, read + 106 * 8);  // a c2r may read the bin in the middle twice
        EXPECT_EQ(m.written, 100 * row + 106 * row + 106 * 128 * 4);
        EXPECT_LE(row, 8 * (2 * 128 / 2 + 1));
    }
}

TEST(ConvolutionBytes, LongAxesGoBackThroughTheirFirstPassesOnly) {
    for (const DeviceLimits& limits : {hopper(), simd_cpu()}) {
        Convolution c = convolution({40000}, {30000});
        c.complex = true;
        const Moved m = moved(c, limits);
        EXPECT_EQ(m.kernels, 3u);  // two passes each way would be four
    }
}

TEST(ConvolutionBytes, BlocksReadTheirOverlapTwice) {
    for (const DeviceLimits& limits : {hopper(), simd_cpu()}) {
        Convolution c = convolution({10000}, {33});
        c.block = 256;
        const Moved m = moved(c, limits);
        EXPECT_EQ(m.kernels, 1u);
        EXPECT_EQ(m.written, 10032u * 4);
        EXPECT_EQ(inspect(c, limits).kernels[0].bytes_written, m.written);
        EXPECT_EQ(m.read, (10000u + 44 * 32) * 4);  // 45 blocks
    }
}

std::uint64_t flops(const Convolution& c) {
    std::uint64_t sum = 0;
    for (const AnalysisReport& k : analyse(c, hopper())) sum += k.flops;
    return sum;
}

/// A right-angle convolution has half as many points as its signal has numbers, in one pass, in blocks and in several
/// passes, whose workspaces are half as long too.
TEST(ConvolutionBytes, RealAxesTakeACoreOfHalfTheirLength) {
    for (const ConvolutionProduct product : {ConvolutionProduct::convolve, ConvolutionProduct::correlate}) {
        for (const ConvolutionMode mode : {ConvolutionMode::full, ConvolutionMode::same, ConvolutionMode::valid}) {
            for (const std::uint64_t kernel : {20u, 900u, 30000u}) {
                Convolution c = convolution({kernel < 30000 ? 2048u : 40000u}, {kernel});
                c.product = product;
                c.mode = mode;
                c.batch = 2;  // groups of two signals
                SCOPED_TRACE(std::string(to_string(mode)) + " of " + std::to_string(kernel));
                const PlanReport real = inspect(c, hopper());
                EXPECT_NE(real.recipe.find("right-angle"), std::string::npos) << real.recipe;
                const Moved m = moved(c, hopper());
                EXPECT_LE(m.read + m.written, real.moved_bytes);  // which has the spectra, read from a cache
                if (kernel == 900) {                              // in one kernel
                    EXPECT_EQ(m.read, 2 * 2048u * 4);
                    EXPECT_EQ(m.written, 2 * result_lengths(c).front() * 4);
                    EXPECT_LE(4 * m.sectors, 5 * m.ideal_sectors);
                }
                const std::uint64_t own = flops(c);
                c.complex = true;
                const PlanReport twin = inspect(c, hopper());
                EXPECT_LT(100 * own, 70 * flops(c)) << real.recipe << twin.recipe;
                EXPECT_LT(100 * real.moved_bytes, 62 * twin.moved_bytes) << real.recipe << twin.recipe;
                EXPECT_LE(real.workspace_bytes, twin.workspace_bytes * 6 / 10);
            }
        }
    }
}

/// What folds back of a circular convolution is wanted, with its own sign.
TEST(ConvolutionBytes, RightAnglesAreForLinearConvolutions) {
    const auto is_right_angled = [](const Convolution& c, const DeviceLimits& limits) {
        return inspect(c, limits).recipe.find("right-angle") != std::string::npos;
    };
    Convolution c = convolution({1000}, {100});
    EXPECT_TRUE(is_right_angled(c, hopper()));
    EXPECT_TRUE(is_right_angled(c, simd_cpu()));
    c.block = 315;  // no whole number of points
    EXPECT_FALSE(is_right_angled(c, hopper()));
    c.block = 0;
    c.mode = ConvolutionMode::circular;
    EXPECT_FALSE(is_right_angled(c, hopper()));
    EXPECT_FALSE(is_right_angled(convolution({100, 120}, {7, 9}), hopper()));  // halved as r2c is
}

/// Sums for the outputs lie in scratch too, beside both arrays of the core: what had no room ended the process on PoCL.
TEST(ConvolutionBytes, SumsOfChannelsHaveRoomInScratch) {
    DeviceLimits limits = simd_cpu();
    limits.shared_bytes = 1 << 20;
    for (const std::uint64_t n : {500u, 12000u, 30000u})
        for (const bool is_complex : {false, true}) {
            Convolution c = convolution({n}, {n});
            c.inputs = c.outputs = 4;
            c.complex = is_complex;
            const PlanReport report = inspect(c, limits);
            for (const KernelReport& kernel : report.kernels)
                EXPECT_LE(kernel.shared_bytes, limits.shared_bytes) << to_string(c) << " " << report.recipe;
        }
}

/// A matrix of channels takes padded lengths whose last pass can have its sums: 3200 and 4320 points could not.
TEST(ConvolutionBytes, MatricesOfChannelsHaveAKernelForTheirSums) {
    DeviceLimits limits = simd_cpu();
    limits.vector_bytes = 64;
    for (const char* text : {"17 * 2188 same correlate complex f32 inputs=2 outputs=2 channels=symmetric",
                             "85 * 4139 full complex f64 inputs=3 outputs=2 batch=3", "3100 * 30 full real inputs=2"})
        for (const DeviceLimits& device : {limits, simd_cpu(), hopper()})
            EXPECT_EQ(inspect(parse_convolution(text), device).recipe.find("unfused"), std::string::npos) << text;
}

/// Of numbers in two halves a CPU's kernels touch as many bytes as those of points do, and compute half as much.
TEST(ConvolutionBytes, RightAnglesOnACpu) {
    for (const std::uint64_t kernel : {900u, 30000u}) {
        Convolution c = convolution({kernel == 900 ? 2048u : 40000u}, {kernel});
        const Moved real = moved(c, simd_cpu());
        std::uint64_t own = 0, twin = 0;
        for (const AnalysisReport& k : analyse(c, simd_cpu())) own += k.flops;
        if (kernel == 900) {
            EXPECT_EQ(real.read, 2048u * 4);
            EXPECT_EQ(real.written, result_lengths(c).front() * 4);
        }
        c.complex = true;
        for (const AnalysisReport& k : analyse(c, simd_cpu())) twin += k.flops;
        EXPECT_LT(100 * own, 80 * twin) << kernel;
    }
}

TEST(ConvolutionBytes, MatricesOfChannelsReadEachChannelOnce) {
    for (const DeviceLimits& limits : {hopper(), simd_cpu()}) {
        Convolution c = convolution({500}, {12});
        c.inputs = 3;
        c.outputs = 2;
        c.batch = 2;
        const Moved m = moved(c, limits);
        EXPECT_EQ(m.kernels, 1u);
        EXPECT_EQ(m.read, 2 * 3 * 500u * 4);
        EXPECT_EQ(m.written, 2 * 2 * 511u * 4);
    }
}

}  // namespace
