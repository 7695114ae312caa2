// The judge itself, against direct summation: signs, order of axes, and the inverse by reflection.
#include "tests/accuracy/judge.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace seiche::accuracy {
namespace {

using Extended = std::complex<long double>;

/// Direct summation over a 2-D array, sign -1 or +1.
std::vector<Extended> direct(const std::vector<std::complex<double>>& x, std::size_t rows, std::size_t columns,
                             long double sign) {
    constexpr long double turn = 2 * 3.14159265358979323846264338327950288L;
    std::vector<Extended> y(x.size());
    for (std::size_t k = 0; k < rows; ++k)
        for (std::size_t l = 0; l < columns; ++l)
            for (std::size_t i = 0; i < rows; ++i)
                for (std::size_t j = 0; j < columns; ++j) {
                    const long double angle =
                        sign * turn *
                        (static_cast<long double>(i * k % rows) / static_cast<long double>(rows) +
                         static_cast<long double>(j * l % columns) / static_cast<long double>(columns));
                    y[k * columns + l] += Extended(x[i * columns + j]) * std::polar(1.0L, angle);
                }
    return y;
}

void expect_near(const std::vector<QuadComplex>& quad, const std::vector<Extended>& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(static_cast<double>(quad[i].re - expected[i].real()), 0, 1e-16) << i;
        EXPECT_NEAR(static_cast<double>(quad[i].im - expected[i].imag()), 0, 1e-16) << i;
    }
}

TEST(Judge, AgreesWithDirectSummation) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const std::vector<std::uint64_t> lengths{6, 7};
    std::vector<std::complex<double>> x(42);
    for (auto& value : x) value = {uniform(random), uniform(random)};
    Judge judge(lengths);
    const auto forward = judge.forward(x);
    expect_near(forward, direct(x, 6, 7, -1));
    expect_near(inverse_from_forward(forward, lengths), direct(x, 6, 7, 1));
}

TEST(Judge, MeasuresRelativeErrors) {
    const std::vector<QuadComplex> exact{{3, 4}, {0, 0}};
    EXPECT_EQ(relative_square_error({{6, 8}, {0, 0}}, exact, 2), 0.0);
    EXPECT_DOUBLE_EQ(relative_square_error({{3, 4}, {0, 1}}, exact, 1), 1.0 / 25);
    EXPECT_TRUE(std::isnan(relative_square_error({{NAN, 4}, {0, 1}}, exact, 1)));
}

}  // namespace
}  // namespace seiche::accuracy
