// The accuracy contract on one backend, the one that SEICHE_TEST_DEVICE names. Prints its seed and its worst cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <random>

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

SampleLimits sample_limits() {
    SampleLimits limits;
    if (device_name() == "reference" && !full_sweep()) {  // some thousand times slower than a device
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
        if (!full_sweep()) plan.directions = seed % 8 < 4 ? Directions::forward : Directions::inverse;
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

    /// A compiler for CPUs takes seconds for a kernel that is not in the cache yet: the everyday run checks as many
    /// problems of the (shuffled) sample as fit in `budget`, but some in any case.
    bool goes_on(std::size_t total) {
        ++checked_;
        const bool more = full_sweep() || checked_ <= 10 || std::chrono::steady_clock::now() - start_ < budget;
        if (!more) std::cout << "the time was up after " << checked_ - 1 << " of " << total << "\n";
        return more;
    }

    void expect_all_accurate(std::vector<Problem> problems, std::mt19937_64& random) {
        std::shuffle(problems.begin(), problems.end(), random);
        for (const Problem& problem : problems) {
            if (!goes_on(problems.size())) return;
            expect_accurate(problem, random());
        }
    }

    void TearDown() override {
        for (const auto& [bluestein, worst] : worst_)
            std::cout << "worst " << (bluestein ? "Bluestein" : "smooth") << " " << worst.text() << "\n";
    }

    static constexpr std::chrono::seconds budget{40};

    std::optional<Device> device_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::size_t checked_ = 0;
    std::map<bool, Outcome> worst_;
};

TEST_P(Accuracy, Lengths) {
    std::mt19937_64 random(sample_seed());
    expect_all_accurate(length_sample(sample_limits(), GetParam(), random), random);
}

TEST_P(Accuracy, Layouts) {
    std::mt19937_64 random(sample_seed() + 1);
    expect_all_accurate(layout_sample(full_sweep() ? 400 : 60, GetParam(), random), random);
}

TEST_P(Accuracy, Properties) {
    std::mt19937_64 random(sample_seed() + 2);
    std::vector<PropertyCase> cases;
    for (const std::uint64_t length :
         {1u, 2u, 3u, 4u, 13u, 17u, 60u, 64u, 97u, 121u, 512u, 1000u, 1021u, 8192u, 10007u, 1u << 18})
        for (const Direction direction : {Direction::forward, Direction::inverse})
            cases.push_back({length, GetParam(), direction, random()});
    std::shuffle(cases.begin(), cases.end(), random);
    for (const PropertyCase& c : cases) {
        if (!goes_on(cases.size())) return;
        for (const auto property :
             {check_impulse, check_linearity, check_time_shift, check_isolation, check_batch_independence})
            for (const std::string& line : property(*device_, c)) ADD_FAILURE() << line;
    }
}

INSTANTIATE_TEST_SUITE_P(Precisions, Accuracy, testing::Values(Precision::f32, Precision::f64),
                         [](const auto& info) { return info.param == Precision::f32 ? "f32" : "f64"; });

}  // namespace
}  // namespace seiche::accuracy
