// Eight threads plan and execute at once, on the interpreter and on the processor: one plan for all, and their own;
// every answer must be right.
#include <gtest/gtest.h>

#include <atomic>
#include <complex>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "seiche/error.hpp"
#include "seiche/plan.hpp"

namespace seiche {
namespace {

using Signal = std::vector<std::complex<float>>;

Signal ramp(std::size_t n, std::size_t seed) {
    Signal x(n);
    for (std::size_t j = 0; j < n; ++j) x[j] = {static_cast<float>((j * 7 + seed) % 13) - 6, static_cast<float>(j % 5)};
    return x;
}

bool same_bits(const Signal& a, const Signal& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

/// Runs `body(thread)` in eight threads that start together.
template <class Body>
void in_eight_threads(const Body& body) {
    std::atomic<int> ready{0};
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 8; ++t)
        threads.emplace_back([&, t] {
            ++ready;
            while (ready < 8) std::this_thread::yield();
            body(t);
        });
    for (std::thread& thread : threads) thread.join();
}

class Threads : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        try {
            device = Device::open(GetParam());
        } catch (const Error& error) {
            GTEST_SKIP() << "SKIPPED: no device: " << error.what();
        }
    }
    Device device;
};

TEST_P(Threads, ShareOnePlan) {
    const bool is_fast = device.info().backend == Backend::cpu;  // and has threads of its own for much work
    const std::size_t count = is_fast ? 60 * 600 : 180;
    const Plan plan(device, parse_problem(is_fast ? "60 c2c f32 batch=600" : "60 c2c f32 batch=3"));
    std::vector<Signal> expected;
    for (std::size_t t = 0; t < 8; ++t) expected.push_back(plan.forward(ramp(count, t)));
    std::atomic<int> wrong{0};
    in_eight_threads([&](std::size_t t) {
        for (int i = 0; i < 5; ++i)
            if (!same_bits(plan.forward(ramp(count, t)), expected[t])) ++wrong;
    });
    EXPECT_EQ(wrong, 0);
}

TEST_P(Threads, PlanAtOnce) {
    const char* problems[] = {"32 c2c f32", "45 c2c f32", "17 c2c f32", "16x4 c2c f32 in-place"};
    std::vector<Signal> inputs, expected;
    for (const char* text : problems) {
        const Plan plan(Device::open(GetParam()), parse_problem(text));
        inputs.push_back(ramp(plan.input_bytes() / sizeof(std::complex<float>), 1));
        expected.push_back(plan.forward(inputs.back()));
    }
    std::atomic<int> wrong{0};
    in_eight_threads([&](std::size_t t) {
        for (std::size_t i = 0; i < 8; ++i) {
            const std::size_t p = (i + t / 2) % 4;  // two threads at a time want the same
            const Plan plan(device, parse_problem(problems[p]));
            if (!same_bits(plan.forward(inputs[p]), expected[p])) ++wrong;
        }
    });
    EXPECT_EQ(wrong, 0);
}

INSTANTIATE_TEST_SUITE_P(On, Threads, testing::Values("reference", "cpu"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace seiche
