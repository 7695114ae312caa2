// Plans that several threads make on one device.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <thread>
#include <vector>

#include "seiche/plan.hpp"

namespace seiche::test {

inline Problem of_length(std::uint64_t length) {
    Problem problem;
    problem.lengths = {length};
    return problem;
}

/// That the plan's tables are what they should be: a spectrum of one frequency.
inline void expect_right(const Plan& plan, std::uint64_t length) {
    std::vector<std::complex<float>> wave(length);
    for (std::uint64_t j = 0; j < length; ++j)
        wave[j] = std::polar(1.0f, static_cast<float>(2 * std::numbers::pi * static_cast<double>(3 * j % length) /
                                                      static_cast<double>(length)));
    const auto bins = plan.forward(wave);
    for (std::uint64_t k = 0; k < length; ++k)
        ASSERT_NEAR(std::abs(bins[k] - std::complex<float>(k == 3 ? static_cast<float>(length) : 0)), 0,
                    1e-5 * static_cast<double>(length))
            << length << ", bin " << k;
}

/// Plans of the same and of different problems, made at once and tried.
inline void plan_from_threads(const Device& device) {
    constexpr std::uint64_t threads = 8, plans = 3;
    std::vector<std::thread> running;
    for (std::uint64_t t = 0; t < threads; ++t)
        running.emplace_back([&device, t] {
            for (std::uint64_t p = 0; p < plans; ++p) {
                const std::uint64_t length = 128 + 8 * (t % 4 + 4 * p);  // each in two threads
                expect_right(Plan(device, of_length(length)), length);
            }
        });
    for (std::thread& thread : running) thread.join();
}

}  // namespace seiche::test
