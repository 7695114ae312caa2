// What the accuracy programs share: the device that SEICHE_TEST_DEVICE names, a time budget, replay lines and the worst
// cases.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/accuracy/checker.hpp"
#include "tests/accuracy/sample.hpp"

namespace seiche::accuracy {

std::string device_name();
SampleLimits sample_limits();

/// A test by precision; skipped where this machine has no such device.
class Suite : public testing::TestWithParam<Precision> {
protected:
    void SetUp() override;
    void TearDown() override;

    /// Shuffled, until the time is up.
    void expect_all_accurate(std::vector<Problem> problems, std::mt19937_64& random);
    /// The everyday run checks as many problems of the (shuffled) sample as fit in the budget, but some in any case.
    bool goes_on(std::size_t total);
    void expect_accurate(const Problem& problem, std::uint64_t seed, const Tuning& tuning = {});
    /// Whether a driver compiles kernels for this machine's processor, which takes it up to seconds for each.
    bool compiles_slowly() const;

    std::optional<Device> device_;
    std::size_t least_ = 10;  ///< Checked in any case; fewer where kernels compile slowly.

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::size_t checked_ = 0;
    std::map<std::string, Outcome> worst_;  // by kind and class
};

inline std::string precision_name(const testing::TestParamInfo<Precision>& info) {
    return info.param == Precision::f16 ? "f16" : info.param == Precision::f32 ? "f32" : "f64";
}

}  // namespace seiche::accuracy
