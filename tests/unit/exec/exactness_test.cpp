// The trials of a device's fp64: a good device passes, and each way of being careless is named.
#include "exec/exactness.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ir/interpret.hpp"

namespace seiche::exec {
namespace {

std::vector<double> interpreted(unsigned lanes) {
    std::vector<double> operands = exactness_trials().operands, results(exactness_trials().results.size());
    const auto bound = [](std::vector<double>& memory) {
        return ir::BoundBuffer{reinterpret_cast<std::byte*>(memory.data()), memory.size() * sizeof(double)};
    };
    ir::Launch launch;
    launch.buffers = {bound(operands), bound(results)};
    ir::interpret(exactness_kernel(lanes), launch);
    return results;
}

TEST(Exactness, TheInterpreterIsExact) {
    EXPECT_EQ(exactness_fault(interpreted(1)), "");
    EXPECT_EQ(exactness_fault(interpreted(4)), "");
    EXPECT_NO_THROW(require_exact_fp64(Device::open("reference")));
}

/// What a device would answer whose four columns come from these functions.
template <class Sum, class Product, class Fma>
std::vector<double> answers(Sum sum, Product product, Fma fma) {
    const std::vector<double>& operands = exactness_trials().operands;
    const std::size_t count = operands.size() / 2;
    std::vector<double> results(4 * count);
    for (std::size_t i = 0; i < count; ++i) {
        const double a = operands[i], b = operands[count + i], s = sum(a, b), c = sum(s, -a), p = product(a, b);
        results[i] = s;
        results[count + i] = sum(sum(a, -sum(s, -c)), sum(b, -c));
        results[2 * count + i] = p;
        results[3 * count + i] = fma(a, b, -p);
    }
    return results;
}

double plain_sum(double a, double b) { return a + b; }
double plain_product(double a, double b) { return a * b; }
double fused(double a, double b, double c) { return std::fma(a, b, c); }
double flushed(double x) { return std::fpclassify(x) == FP_SUBNORMAL ? 0.0 : x; }
double cut(long double x) { return static_cast<double>(std::trunc(std::ldexp(x, 52)) * 0x1p-52L); }

TEST(Exactness, NamesWhatADeviceLacks) {
    EXPECT_EQ(exactness_fault(answers(plain_sum, plain_product, fused)), "");
    const auto twice = [](double a, double b, double c) {
        const volatile double p = a * b;
        return p + c;
    };
    EXPECT_EQ(exactness_fault(answers(plain_sum, plain_product, twice)), "rounds its fused multiply-adds twice");
    const auto flushing = [](double a, double b) { return flushed(a * b); };
    EXPECT_EQ(exactness_fault(answers(plain_sum, flushing, fused)), "flushes denormals to zero");
    const auto flushing_fma = [](double a, double b, double c) { return flushed(std::fma(a, b, c)); };
    EXPECT_EQ(exactness_fault(answers(plain_sum, plain_product, flushing_fma)), "flushes denormals to zero");
    const auto cutting = [](double a, double b) { return cut(static_cast<long double>(a) + b); };
    EXPECT_EQ(exactness_fault(answers(cutting, plain_product, fused)),
              "does not round its sums and products once, to nearest");
    std::vector<double> reassociated = exactness_trials().results;
    const std::size_t count = exactness_trials().operands.size() / 2;
    for (std::size_t i = 0; i < count; ++i) reassociated[count + i] = 0;  // (a - (s - c)) + (b - c) by algebra
    EXPECT_EQ(exactness_fault(reassociated), "does not keep to the order of its sums");
}

}  // namespace
}  // namespace seiche::exec
