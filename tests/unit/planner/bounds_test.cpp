// Planning is bounded: products of tunings do not wrap, and what cannot fit is refused before anything is searched.
#include <gtest/gtest.h>

#include <ctime>

#include "seiche/convolution.hpp"
#include "seiche/error.hpp"
#include "seiche/inspect.hpp"
#include "seiche/wisdom.hpp"

namespace {

using namespace seiche;

/// Of a device as small as a profile may say.
DeviceLimits modest() {
    DeviceLimits limits;
    limits.subgroup_size = 64;
    limits.shared_bytes = limits.shared_bytes_per_unit = 64 * 1024;
    limits.registers_per_thread = 256;
    limits.compute_units = 104;
    limits.bounds_registers = false;
    return limits;
}

std::string verdict(const std::string& text, const Tuning& tuning, const DeviceLimits& limits) {
    try {
        inspect(parse_problem(text), limits, tuning);
    } catch (const Error& error) {
        return error.what();
    }
    return "planned";
}

/// Of the processor, whatever else the machine does. Sanitizers are many times slower.
double seconds_for(const std::string& text, const DeviceLimits& limits) {
    const std::clock_t start = std::clock();
    verdict(text, {}, limits);
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

TEST(Bounded, ProductsOfTuningsDoNotWrap) {
    Tuning clusters, threads, nearly;
    clusters.groups_per_cluster = 65536;
    threads.threads_per_transform = 2147483648;
    threads.transforms_per_group = 2;
    nearly.threads_per_transform = 2147483649;
    nearly.transforms_per_group = 2;
    for (const char* text : {"64", "64 batch=5", "37x41", "12x10 r2c", "1000003", "64x64x64"})
        for (const Tuning& tuning : {clusters, threads, nearly})
            EXPECT_TRUE(verdict(text, tuning, modest()).starts_with("InvalidProblem: tuning.")) << text;
    EXPECT_THROW(parse_tuning("threads=2147483648"), InvalidProblem);
    EXPECT_THROW(parse_tuning("groups-per-cluster=65"), InvalidProblem);
}

TEST(Bounded, ThreadsHoldNoMorePointsThanAnyRegistersHave) {
    Tuning tuning;
    tuning.threads_per_transform = 1;
    const std::string said = verdict("8192", tuning, modest());
    EXPECT_TRUE(said.starts_with("Unsupported: tuning.threads_per_transform: expected at most 256 points")) << said;
    EXPECT_EQ(verdict("64", tuning, modest()), "planned");
}

TEST(Bounded, PaddedLengthsAreNotManyTimesWhatIsNeeded) {
    Tuning tuning;
    tuning.padded_length = std::uint64_t{1} << 38;
    const std::string said = verdict("257", tuning, modest());
    EXPECT_NE(said.find("points of at most 8208, got 274877906944"), std::string::npos) << said;
}

TEST(Bounded, WhatCannotFitIsRefusedAtOnce) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    constexpr double most = 30;
#else
    constexpr double most = 1;
#endif
    for (const DeviceLimits& limits : {modest(), DeviceLimits{}})
        for (const char* text :
             {"10429496729500003", "461168601842738790", "506543665146494976", "6793277308457", "623678392793",
              "4294967291 f64", "4294967311", "10429496729500003 r2c", "461168601842738790 dct2",
              "646419487279 batch=3", "4294967291x4294967291", "97x9223372036854775807"})
            EXPECT_LT(seconds_for(text, limits), most) << text;
    EXPECT_TRUE(verdict("10429496729500003", {}, modest()).starts_with("Unsupported: "));
    EXPECT_TRUE(verdict("461168601842738790", {}, modest()).starts_with("Unsupported: "));
}

/// Blocks of as many points as the kernel step by one; the sum over all of them is not a loop over 2^30.
TEST(Bounded, PointsOfBlocksAreCountedAtOnce) {
    const auto read = [](const std::string& text) {
        const PlanReport report = inspect(parse_convolution(text), modest());
        return report.kernels.front().bytes_read;
    };
    const auto floats = [&](std::uint64_t signal, std::uint64_t kernel, std::uint64_t block) {
        return read(std::to_string(signal) + " * " + std::to_string(kernel) + " block=" + std::to_string(block));
    };
    // Beside the signal's floats: the spectrum of a block, one complex number.
    EXPECT_EQ(floats(16, 2, 2), 4 * 32 + 8);
    EXPECT_EQ(floats(1000, 2, 2) - floats(16, 2, 2), 4u * 2 * (1000 - 16));
    const std::clock_t start = std::clock();
    EXPECT_EQ(floats(1u << 30, 2, 2) - floats(16, 2, 2), 4 * 2 * ((std::uint64_t{1} << 30) - 16));
    EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 1);
}

}  // namespace
