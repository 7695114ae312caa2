// Double-double arithmetic and twiddles of the host against quad precision.
#include "support/double_double.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/twiddle.hpp"

// Of libquadmath, whose header only g++ finds.
extern "C" {
__float128 cosq(__float128);
__float128 sinq(__float128);
__float128 acosq(__float128);
__float128 sqrtq(__float128);
}

namespace seiche::support {
namespace {

__float128 quad(DoubleDouble x) { return static_cast<__float128>(x.hi) + static_cast<__float128>(x.lo); }

double distance(DoubleDouble got, __float128 exact) {
    const __float128 d = quad(got) - exact;
    return static_cast<double>(d < 0 ? -d : d);
}

bool is_normalised(DoubleDouble x) { return x.hi + x.lo == x.hi; }

/// Of 106 bits, of either sign and some orders of magnitude.
DoubleDouble random_number(std::mt19937_64& random) {
    const auto part = [&] { return static_cast<double>(static_cast<std::int64_t>(random()) >> 10); };
    const double hi = std::ldexp(part(), static_cast<int>(random() % 20));
    return two_sum(hi, hi * part() * 0x1p-107);
}

TEST(DoubleDouble, ArithmeticKeepsItsBounds) {
    std::mt19937_64 random(1);
    constexpr double unit = 0x1p-106;
    for (int i = 0; i < 100000; ++i) {
        const DoubleDouble a = random_number(random);
        DoubleDouble b = random_number(random);
        if (i % 4 == 0) b = two_sum(-a.hi, static_cast<double>(i % 7) * a.lo);  // cancels
        if (a.hi == 0 || b.hi == 0) continue;
        const __float128 sum = quad(a) + quad(b), product = quad(a) * quad(b), quotient = quad(a) / quad(b);
        // A quad's own rounding is 2^-113, of the sum that of its operands.
        EXPECT_LE(distance(add(a, b), sum),
                  3.1 * unit * std::abs(static_cast<double>(sum)) + 0x1p-112 * std::abs(a.hi));
        EXPECT_LE(distance(multiply(a, b), product), 5.1 * unit * std::abs(static_cast<double>(product)));
        EXPECT_LE(distance(divide(a, b), quotient), 15 * unit * std::abs(static_cast<double>(quotient)));
        const DoubleDouble positive = a.hi < 0 ? negative(a) : a;
        const __float128 root = sqrtq(quad(positive));
        EXPECT_LE(distance(square_root(positive), root), 4 * unit * static_cast<double>(root));
        for (const DoubleDouble x : {add(a, b), multiply(a, b), divide(a, b), square_root(positive)})
            EXPECT_TRUE(is_normalised(x));
    }
}

TEST(DoubleDouble, Conversions) {
    EXPECT_EQ(DoubleDouble(0.1L).hi, 0.1);
    EXPECT_EQ(static_cast<long double>(DoubleDouble(0.1L)), 0.1L);
    EXPECT_EQ(static_cast<double>(DoubleDouble(1.0, 0x1p-54)), 1.0);
}

void expect_root(std::uint64_t k, std::uint64_t n, ComplexDoubleDouble w) {
    // k / n is rounded to 2^-113 of itself, which the angle of up to 2 pi makes 2^-110.
    const __float128 angle = 2 * acosq(-1) * (static_cast<__float128>(k % n) / static_cast<__float128>(n));
    EXPECT_LE(distance(w.re, cosq(angle)), 0x1p-107 + 0x1p-109) << k << "/" << n;
    EXPECT_LE(distance(w.im, -sinq(angle)), 0x1p-107 + 0x1p-109) << k << "/" << n;
    EXPECT_TRUE(is_normalised(w.re) && is_normalised(w.im)) << k << "/" << n;
}

TEST(DoubleDouble, TwiddlesOfEveryShortLength) {
    for (std::uint64_t n = 1; n <= 200; ++n)
        for (std::uint64_t k = 0; k < 2 * n; ++k) expect_root(k, n, twiddle_double_double(k, n));
}

TEST(DoubleDouble, TwiddlesOfRandomLongLengths) {
    std::mt19937_64 random(2);
    for (int i = 0; i < 5000; ++i) {
        const std::uint64_t n = (random() >> (i % 60)) | 1, k = i % 3 == 0 ? random() % 16 : random() % n;
        expect_root(k, n, twiddle_double_double(k, n));
    }
}

TEST(DoubleDouble, ChirpsReduceTheirSquares) {
    for (const std::uint64_t k : {0ull, 1ull, 5ull, 1000003ull, (1ull << 40) + 7}) {
        const std::uint64_t n = 1000033;
        const auto square = static_cast<unsigned __int128>(k) * k;
        expect_root(static_cast<std::uint64_t>(square % (2 * n)), 2 * n, chirp_double_double(k, n));
    }
}

TEST(DoubleDouble, EighthsAreExact) {
    for (const std::uint64_t n : {8ull, 1ull << 20, 1ull << 63}) {
        EXPECT_EQ(twiddle_double_double(0, n), (ComplexDoubleDouble{1.0, 0.0}));
        EXPECT_EQ(twiddle_double_double(n / 4, n), (ComplexDoubleDouble{0.0, -1.0}));
        EXPECT_EQ(twiddle_double_double(n / 2, n), (ComplexDoubleDouble{-1.0, 0.0}));
        EXPECT_EQ(twiddle_double_double(n / 4 * 3, n), (ComplexDoubleDouble{0.0, 1.0}));
        EXPECT_FALSE(std::signbit(twiddle_double_double(0, n).im.hi));
        EXPECT_FALSE(std::signbit(twiddle_double_double(n / 4, n).re.hi));
        const ComplexDoubleDouble eighth = twiddle_double_double(n / 8, n);
        EXPECT_EQ(eighth.re, negative(eighth.im));
        EXPECT_LE(distance(eighth.re, sqrtq(0.5)), 0x1p-108);
    }
}

}  // namespace
}  // namespace seiche::support
