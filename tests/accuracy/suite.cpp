// What the accuracy programs share: the device that SEICHE_TEST_DEVICE names, a time budget, replay lines and the worst
// cases.
#include "tests/accuracy/suite.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "seiche/error.hpp"

namespace seiche::accuracy {

namespace {

/// Nothing where this machine has no such device; CTest then counts the test as skipped.
std::optional<Device> open_device() {
    try {
        return Device::open(device_name());
    } catch (const Unsupported& error) {
        std::cout << "SKIPPED: no device " << device_name() << ": " << error.what() << "\n";
        return std::nullopt;
    }
}

std::string class_of(const Problem& problem) {
    const Shape shape = shape_of(problem);
    std::string name;
    for (const Kind kind : shape.kinds) {
        if (kind == Kind::c2c && !shape.is_complex()) continue;
        const std::string word = to_string(kind);
        if (name.empty()) name = word;
        if (name != word) name = "mixed";
    }
    const Way way = size_of(problem).way;
    return name + (way == Way::smooth ? " smooth" : way == Way::rader ? " Rader" : " Bluestein");
}

/// Of a test. Kernels that a driver compiles take up to seconds each, so that a larger one would check few more.
constexpr std::chrono::seconds budget(2);

}  // namespace

std::string device_name() {
    const char* name = std::getenv("SEICHE_TEST_DEVICE");
    return name == nullptr ? "reference" : name;
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

void Suite::SetUp() {
    device_ = open_device();
    if (!device_) GTEST_SKIP();
    if (GetParam() == Precision::f64 && !device_->limits().fp64) GTEST_SKIP() << "no fp64 on this device";
    if (compiles_slowly()) least_ = std::min<std::size_t>(least_, 6);
    std::cout << "seed " << sample_seed() << " (SEICHE_TEST_SEED) on " << device_->info().name << "\n";
}

void Suite::TearDown() {
    for (const auto& [name, worst] : worst_) std::cout << "worst " << name << " " << worst.text() << "\n";
}

void Suite::expect_all_accurate(std::vector<Problem> problems, std::mt19937_64& random) {
    std::shuffle(problems.begin(), problems.end(), random);
    for (const Problem& problem : problems) {
        if (!goes_on(problems.size())) return;
        expect_accurate(problem, random());
    }
}

bool Suite::compiles_slowly() const {
    const DeviceInfo& info = device_->info();
    return !info.is_gpu && info.backend != Backend::reference && info.backend != Backend::cpu;
}

bool Suite::goes_on(std::size_t total) {
    ++checked_;
    const bool more = full_sweep() || checked_ <= least_ || std::chrono::steady_clock::now() - start_ < budget;
    if (!more) std::cout << "the time was up after " << checked_ - 1 << " of " << total << "\n";
    return more;
}

void Suite::expect_accurate(const Problem& problem, std::uint64_t seed, const Tuning& tuning) {
    const Shape shape = shape_of(problem);
    CheckOptions options;
    options.seed = seed;
    options.view_offset_elements = seed % 4;
    options.is_textbook = !tuning.recipe.empty();
    PlanOptions plan;
    plan.tuning = tuning;
    if (!full_sweep() && shape.has(Direction::forward) && shape.has(Direction::inverse))
        plan.directions = seed % 8 < 4 ? Directions::forward : Directions::inverse;
    options.directions = plan.directions;
    const std::string replay = "seiche check '" + to_string(problem) + "' --device " + device_name() +
                               (tuning.recipe.empty() ? "" : " --recipe " + tuning.recipe);
    try {
        const Outcome outcome = check(Plan(*device_, problem, plan), options);
        EXPECT_TRUE(outcome.passed()) << replay << " --seed " << seed << "\n  " << outcome.text();
        Outcome& worst = worst_[class_of(problem)];
        if (worst.bound == 0 || outcome.error / outcome.bound > worst.error / worst.bound) worst = outcome;
    } catch (const Error& error) {
        ADD_FAILURE() << replay << "\n  " << error.what();
    }
}

}  // namespace seiche::accuracy
