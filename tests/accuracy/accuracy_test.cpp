// The accuracy contract on one backend, the one that SEICHE_TEST_DEVICE names. Prints its seed and its worst cases.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>

#include "seiche/error.hpp"
#include "tests/accuracy/checker.hpp"
#include "tests/accuracy/properties.hpp"
#include "tests/accuracy/sample.hpp"

namespace seiche::accuracy {
namespace {

std::string device_name() {
    const char* name = std::getenv("SEICHE_TEST_DEVICE");
    return name == nullptr ? "reference" : name;
}

/// Nothing where this machine has no such device; CTest then counts the test as skipped.
std::optional<Device> open_device() {
    try {
        return Device::open(device_name());
    } catch (const Unsupported& error) {
        std::cout << "SKIPPED: no device " << device_name() << ": " << error.what() << "\n";
        return std::nullopt;
    }
}

/// A CPU's compiler takes seconds for a kernel: it sees one direction of each problem, and fewer of them.
bool slow_to_compile() { return device_name() == "opencl" && !full_sweep(); }

SampleLimits sample_limits(Precision precision) {
    SampleLimits limits;
    if (slow_to_compile()) {
        limits.every_length_to = precision == Precision::f32 ? 40 : 16;
        limits.short_lengths = precision == Precision::f32 ? 16 : 6;
        limits.long_lengths = precision == Precision::f32 ? 6 : 3;
    }
    if (device_name() == "reference") {  // some thousand times slower than a device
        limits.points = 1u << 16;
        limits.longest = 1u << 18;
    }
    if (full_sweep()) {
        limits.every_length_to = 4096;
        limits.long_lengths = 60;
        limits.longest = 1ull << 22;
    }
    return limits;
}

class Accuracy : public testing::TestWithParam<Precision> {
protected:
    void SetUp() override {
        device_ = open_device();
        if (!device_) GTEST_SKIP();
        if (GetParam() == Precision::f64 && !device_->limits().fp64) GTEST_SKIP() << "no fp64 on this device";
        std::cout << "seed " << sample_seed() << " (SEICHE_TEST_SEED) on " << device_->info().name << "\n";
    }

    void expect_accurate(const Problem& problem, std::uint64_t seed) {
        CheckOptions options;
        options.seed = seed;
        options.view_offset_elements = seed % 4;
        PlanOptions plan;
        if (slow_to_compile()) plan.directions = seed % 8 < 4 ? Directions::forward : Directions::inverse;
        options.directions = plan.directions;
        const std::string replay = "seiche check '" + to_string(problem) + "' --device " + device_name();
        try {
            const Outcome outcome = check(Plan(*device_, problem, plan), options);
            EXPECT_TRUE(outcome.passed()) << replay << " --seed " << seed << "\n  " << outcome.text();
            Outcome& worst = worst_[size_of(problem).bluestein];
            if (outcome.error > worst.error) worst = outcome;
        } catch (const Error& error) {
            ADD_FAILURE() << replay << "\n  " << error.what();
        }
    }

    void TearDown() override {
        for (const auto& [bluestein, worst] : worst_)
            std::cout << "worst " << (bluestein ? "Bluestein" : "smooth") << " " << worst.text() << "\n";
    }

    std::optional<Device> device_;
    std::map<bool, Outcome> worst_;
};

TEST_P(Accuracy, Lengths) {
    std::mt19937_64 random(sample_seed());
    for (const Problem& problem : length_sample(sample_limits(GetParam()), GetParam(), random))
        expect_accurate(problem, random());
}

TEST_P(Accuracy, Layouts) {
    std::mt19937_64 random(sample_seed() + 1);
    const std::size_t count = full_sweep() ? 400 : slow_to_compile() ? 6 : 60;
    for (const Problem& problem : layout_sample(count, GetParam(), random)) expect_accurate(problem, random());
}

TEST_P(Accuracy, Properties) {
    std::mt19937_64 random(sample_seed() + 2);
    std::vector<std::uint64_t> lengths{4, 15, 17, 64, 8192};
    if (!slow_to_compile()) lengths.insert(lengths.end(), {1, 2, 3, 13, 60, 97, 121, 512, 1000, 1021, 10007, 1u << 18});
    for (const std::uint64_t length : lengths)
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
            const PropertyCase c{length, GetParam(), direction, random()};
            for (const auto property :
                 {check_impulse, check_linearity, check_time_shift, check_isolation, check_batch_independence})
                for (const std::string& line : property(*device_, c)) ADD_FAILURE() << line;
        }
}

INSTANTIATE_TEST_SUITE_P(Precisions, Accuracy, testing::Values(Precision::f32, Precision::f64),
                         [](const auto& info) { return info.param == Precision::f32 ? "f32" : "f64"; });

}  // namespace
}  // namespace seiche::accuracy
