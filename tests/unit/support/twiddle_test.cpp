// Twiddles against quad precision: the last bit counts.
#include "support/twiddle.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

// Of libquadmath, whose header only g++ finds.
extern "C" {
__float128 cosq(__float128);
__float128 sinq(__float128);
__float128 acosq(__float128);
}

namespace seiche::support {
namespace {

struct Quad {
    __float128 re, im;
};

__float128 magnitude(__float128 x) { return x < 0 ? -x : x; }

/// exp(-2 pi i k / n) for k < n, with the argument's error far below that of a double.
Quad quad_twiddle(std::uint64_t k, std::uint64_t n) {
    const __float128 angle = 2 * acosq(-1) * (static_cast<__float128>(k) / static_cast<__float128>(n));
    return {cosq(angle), -sinq(angle)};
}

template <class T>
double ulps(T value, __float128 exact) {
    if (value == 0) return magnitude(exact) < 1e-30 ? 0 : std::numeric_limits<double>::infinity();
    const T size = std::abs(value);
    const T unit = std::nextafter(size, std::numeric_limits<T>::infinity()) - size;
    return static_cast<double>(magnitude(static_cast<__float128>(value) - exact) / static_cast<__float128>(unit));
}

template <class T>
void expect_rounded_once(std::uint64_t k, std::uint64_t n, T re, T im) {
    const Quad exact = quad_twiddle(k % n, n);
    const double allowed = 0.5 + (sizeof(T) == 8 ? 0.004 : 1e-6);  // an ulp below a power of two is half as large
    EXPECT_LE(ulps(re, exact.re), allowed) << k << "/" << n;
    EXPECT_LE(ulps(im, exact.im), allowed) << k << "/" << n;
}

TEST(Twiddle, EveryShortLength) {
    for (std::uint64_t n = 1; n <= 300; ++n)
        for (std::uint64_t k = 0; k < 2 * n; ++k) {
            const ComplexValue w = twiddle(k, n);
            const ComplexFloat f = twiddle_float(k, n);
            expect_rounded_once(k, n, w.re, w.im);
            expect_rounded_once(k, n, f.re, f.im);
        }
}

TEST(Twiddle, RandomLongLengths) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 20000; ++i) {
        const std::uint64_t n = (random() >> (i % 60)) | 1, k = random() % n;
        const ComplexValue w = twiddle(k, n);
        const ComplexFloat f = twiddle_float(k, n);
        expect_rounded_once(k, n, w.re, w.im);
        expect_rounded_once(k, n, f.re, f.im);
    }
}

TEST(Twiddle, EighthsAreExact) {
    for (const std::uint64_t n : {8ull, 1ull << 20, 1ull << 63}) {
        EXPECT_EQ(twiddle(0, n), (ComplexValue{1, 0}));
        EXPECT_EQ(twiddle(n / 4, n), (ComplexValue{0, -1}));
        EXPECT_EQ(twiddle(n / 2, n), (ComplexValue{-1, 0}));
        EXPECT_EQ(twiddle(n / 4 * 3, n), (ComplexValue{0, 1}));
        EXPECT_FALSE(std::signbit(twiddle(0, n).im));
        EXPECT_FALSE(std::signbit(twiddle(n / 4, n).re));
        const double h = std::sqrt(0.5);
        EXPECT_EQ(twiddle(n / 8, n), (ComplexValue{h, -h}));
        EXPECT_EQ(twiddle(n / 8 * 3, n), (ComplexValue{-h, -h}));
        EXPECT_EQ(twiddle(n / 8 * 5, n), (ComplexValue{-h, h}));
        EXPECT_EQ(twiddle(n / 8 * 7, n), (ComplexValue{h, h}));
    }
}

TEST(Chirp, SquaresAreReducedExactly) {
    std::mt19937_64 random(2);
    for (int i = 0; i < 2000; ++i) {
        const std::uint64_t n = (random() >> (1 + i % 60)) | 1, k = random() % n;
        const auto square = static_cast<unsigned __int128>(k) * k;
        const std::uint64_t reduced = static_cast<std::uint64_t>(square % (2 * n));
        const ComplexValue w = chirp(k, n);
        const ComplexFloat f = chirp_float(k, n);
        expect_rounded_once(reduced, 2 * n, w.re, w.im);
        expect_rounded_once(reduced, 2 * n, f.re, f.im);
    }
    EXPECT_EQ(chirp(3, 9), (ComplexValue{-1, 0}));
}

}  // namespace
}  // namespace seiche::support
