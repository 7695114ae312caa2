// a b + c is rounded once, whatever the C library does.
#include "support/fma.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace seiche::support {

#ifdef __MINGW32__
double fma_in_quad(double a, double b, double c);
float fma_in_double(float a, float b, float c);
#endif

namespace {

__extension__ typedef __float128 Quad;

TEST(Fma, gives_the_rounding_error_of_a_product_exactly) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> number(0.5, 1);
    for (int i = 0; i < 100000; ++i) {
        const double a = number(random), b = number(random), product = a * b;
        const Quad error = static_cast<Quad>(a) * static_cast<Quad>(b) - static_cast<Quad>(product);
        ASSERT_EQ(static_cast<Quad>(fma(a, b, -product)), error) << a << " " << b;
        const auto x = static_cast<float>(a), y = static_cast<float>(b), p = x * y;
        ASSERT_EQ(fma(x, y, -p), static_cast<float>(static_cast<double>(x) * y - p)) << x << " " << y;
#ifdef __MINGW32__
        ASSERT_EQ(static_cast<Quad>(fma_in_quad(a, b, -product)), error) << a << " " << b;
        const double c = number(random) - 0.7;
        ASSERT_EQ(fma_in_quad(a, b, c), fma(a, b, c)) << a << " " << b << " " << c;
        const auto z = static_cast<float>(c);
        ASSERT_EQ(fma_in_double(x, y, z), fma(x, y, z)) << x << " " << y << " " << z;
#endif
    }
}

/// Sums that lie just beside the middle between two numbers, where two roundings go wrong.
TEST(Fma, is_not_misled_by_the_middle) {
    const double above = 1 + 0x1p-53, tiny = 0x1p-120;
    EXPECT_EQ(fma(1 + 0x1p-52, 0x1p-53, 1.0), 1 + 0x1p-52);
    EXPECT_EQ(fma(above, above, tiny), 1.0);
    EXPECT_EQ(fma(1.0, 0x1p-53, 1.0), 1.0);
    EXPECT_EQ(fma(tiny, tiny, 1.0), 1.0);
    EXPECT_EQ(fma(1 + 0x1p-23f, 0x1p-24f, 1.0f), 1 + 0x1p-23f);
    EXPECT_EQ(fma(0x1p-60f, 0x1p-60f, 1.0f), 1.0f);
}

TEST(Fma, keeps_what_is_no_number) {
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(fma(infinity, 2.0, 1.0), infinity);
    EXPECT_EQ(fma(2.0, 3.0, -infinity), -infinity);
    EXPECT_TRUE(std::isnan(fma(infinity, 0.0, 1.0)));
    EXPECT_TRUE(std::isnan(fma(infinity, 1.0, -infinity)));
    EXPECT_TRUE(std::signbit(fma(-0.0, 1.0, -0.0)));
#ifdef __MINGW32__
    EXPECT_EQ(fma_in_quad(infinity, 2.0, 1.0), infinity);
    EXPECT_TRUE(std::isnan(fma_in_quad(infinity, 0.0, 1.0)));
    EXPECT_TRUE(std::signbit(fma_in_quad(-0.0, 1.0, -0.0)));
#endif
}

}  // namespace
}  // namespace seiche::support
