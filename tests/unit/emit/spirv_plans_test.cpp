// Transforms by way of SPIR-V on a CPU: the flavour of OpenCL and Level Zero gives right answers, for the kernels of a
// CPU, of a modest GPU and of an Intel Arc, forward and back.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "seiche/plan.hpp"
#include "spirv_device.hpp"

namespace seiche::test {
namespace {

using Signal = std::vector<std::complex<double>>;

Signal noise(std::size_t count) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> real(-1, 1);
    Signal signal(count);
    for (auto& value : signal) value = {static_cast<float>(real(random)), static_cast<float>(real(random))};
    return signal;
}

// By definition, in extended precision.
Signal dft(const Signal& in, std::size_t n) {
    using Wide = std::complex<long double>;
    std::vector<Wide> turns(n);
    for (std::size_t k = 0; k < n; ++k)
        turns[k] = std::polar(
            1.0L, -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) / static_cast<long double>(n));
    Signal out(in.size());
    for (std::size_t start = 0; start < in.size(); start += n)
        for (std::size_t k = 0; k < n; ++k) {
            Wide sum = 0;
            for (std::size_t j = 0; j < n; ++j) sum += Wide(in[start + j]) * turns[j * k % n];
            out[start + k] = static_cast<std::complex<double>>(sum);
        }
    return out;
}

template <class T>
Signal transformed(const Device& device, const Problem& problem, const Signal& in) {
    const Plan plan(device, problem);
    const auto out = plan.forward(std::vector<std::complex<T>>(in.begin(), in.end()));
    return {out.begin(), out.end()};
}

double relative_error(const Signal& got, const Signal& want) {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
        difference += std::norm(got[i] - want[i]);
        size += std::norm(want[i]);
    }
    return std::sqrt(difference / size);
}

class SpirvPlans : public testing::TestWithParam<std::tuple<PlannedFor, const char*>> {};

TEST_P(SpirvPlans, give_the_transform) {
    std::string reason;
    const auto opened = open_spirv_device(std::get<0>(GetParam()), reason);
    if (!opened) GTEST_SKIP() << reason;
    const Device device(opened);
    const Problem problem = parse_problem(std::get<1>(GetParam()));
    const std::size_t n = problem.lengths[0], batch = problem.batch;
    const Signal in = noise(n * batch);
    const bool is_double = problem.precision == Precision::f64;
    const Signal out = is_double ? transformed<double>(device, problem, in) : transformed<float>(device, problem, in);
    const double unit = is_double ? std::ldexp(1.0, -53) : std::ldexp(1.0, -24);
    // Bluestein's bound, which the others keep too.
    EXPECT_LE(relative_error(out, dft(in, n)), 2.5 * unit * std::sqrt(std::log2(static_cast<double>(n))));
}

/// The same kernels, interpreted, are judged elsewhere.
template <class Element>
double difference_from_reference(const Device& device, const Problem& problem, std::vector<Element> in) {
    const Plan here(device, problem), there(Device::open("reference"), problem);
    const auto got = here.forward(in), want = there.forward(in);
    const auto back = here.inverse(want), back_there = there.inverse(want);
    double difference = 0, size = 0;
    const auto compare = [&](const auto& a, const auto& b) {
        for (std::size_t i = 0; i < b.size(); ++i) {
            difference += static_cast<double>(std::norm(a[i] - b[i]));
            size += static_cast<double>(std::norm(b[i]));
        }
    };
    compare(got, want);
    compare(back, back_there);
    return std::sqrt(difference / size);
}

class SpirvSchedules : public testing::TestWithParam<std::tuple<PlannedFor, const char*>> {};

TEST_P(SpirvSchedules, agree_with_the_interpreter_both_ways) {
    std::string reason;
    const auto opened = open_spirv_device(std::get<0>(GetParam()), reason);
    if (!opened) GTEST_SKIP() << reason;
    const Device device(opened);
    const Problem problem = parse_problem(std::get<1>(GetParam()));
    std::size_t points = problem.batch;
    for (const std::uint64_t n : problem.lengths) points *= n;
    const Signal in = noise(points);
    const double difference =
        difference_from_reference(device, problem, std::vector<std::complex<float>>(in.begin(), in.end()));
    EXPECT_LE(difference, 8 * std::ldexp(1.0, -24));
}

INSTANTIATE_TEST_SUITE_P(shapes, SpirvPlans,
                         testing::Combine(testing::Values(PlannedFor::gpu, PlannedFor::cpu, PlannedFor::arc),
                                          testing::Values("16 batch=5", "256 f64 batch=3", "1000 batch=2", "1009",
                                                          "2027 f64", "59 batch=7")));
INSTANTIATE_TEST_SUITE_P(shapes, SpirvSchedules,
                         testing::Combine(testing::Values(PlannedFor::gpu, PlannedFor::arc),
                                          testing::Values("65536", "12x10 batch=3", "37x41 inverse-scale=1/n")));

}  // namespace
}  // namespace seiche::test
