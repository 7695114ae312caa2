// Factors, primality and modular arithmetic against plain counting and known values.
#include "support/primes.hpp"

#include <gtest/gtest.h>

#include <set>

#include "seiche/error.hpp"

namespace seiche::support {
namespace {

bool prime_by_counting(std::uint64_t n) {
    if (n < 2) return false;
    for (std::uint64_t d = 2; d * d <= n; ++d)
        if (n % d == 0) return false;
    return true;
}

bool smooth_by_counting(std::uint64_t n) {
    for (std::uint64_t p = 2; p <= 13; ++p)
        while (n % p == 0) n /= p;
    return n == 1;
}

TEST(Primes, AgreeWithCountingUpTo20000) {
    for (std::uint64_t n = 0; n <= 20000; ++n) EXPECT_EQ(is_prime(n), prime_by_counting(n)) << n;
}

TEST(Primes, LargeOnes) {
    EXPECT_TRUE(is_prime(18446744073709551557ull));  // the largest below 2^64
    EXPECT_FALSE(is_prime(18446744073709551555ull));
    EXPECT_FALSE(is_prime(3825123056546413051ull));  // strong pseudoprime to the nine bases 2 ... 23
    EXPECT_TRUE(is_prime((1ull << 61) - 1));
}

TEST(Primes, FactorsMultiplyBack) {
    for (const std::uint64_t n : {1ull, 2ull, 360ull, 4096ull, 1009ull * 1013, 4294967291ull * 4294967279ull,
                                  18446744073709551615ull, 3825123056546413051ull, 999999999989ull, 1ull << 63}) {
        std::uint64_t product = 1;
        for (const PrimePower& power : factorise(n)) {
            EXPECT_TRUE(is_prime(power.prime)) << power.prime;
            for (std::uint32_t i = 0; i < power.exponent; ++i) product *= power.prime;
        }
        EXPECT_EQ(product, n);
    }
    const std::vector<PrimePower> expected{{2, 3}, {3, 2}, {5, 1}};
    EXPECT_EQ(factorise(360), expected);
    EXPECT_TRUE(factorise(0).empty());
    EXPECT_TRUE(factorise(1).empty());
}

TEST(Smooth, AgreesWithCounting) {
    EXPECT_FALSE(is_smooth(0));
    for (std::uint64_t n = 1; n <= 20000; ++n) EXPECT_EQ(is_smooth(n), smooth_by_counting(n)) << n;
    EXPECT_TRUE(is_smooth(17, 17));
    EXPECT_FALSE(is_smooth(34, 13));
}

TEST(Smooth, NextIsTheSmallest) {
    for (std::uint64_t n = 1; n <= 20000; ++n) {
        std::uint64_t m = n;
        while (!smooth_by_counting(m)) ++m;
        EXPECT_EQ(next_smooth(n), m) << n;
    }
    EXPECT_EQ(next_smooth(1ull << 62), 1ull << 62);
    const std::uint64_t big = next_smooth((1ull << 62) - 1);
    EXPECT_GE(big, (1ull << 62) - 1);
    EXPECT_TRUE(is_smooth(big));
}

TEST(Modular, InverseAndPower) {
    for (const std::uint64_t m : {1ull, 2ull, 97ull, 360ull, 18446744073709551557ull})
        for (const std::uint64_t a : {1ull, 7ull, 11ull, 12345677ull}) {
            if (m != 1 && power_mod(a, 1, m) == 0) continue;
            EXPECT_EQ(multiply_mod(a, inverse_mod(a, m), m), 1 % m) << a << " mod " << m;
        }
    EXPECT_THROW(inverse_mod(6, 9), InternalError);
    EXPECT_EQ(power_mod(3, 200, 1000007), 3ull * power_mod(3, 199, 1000007) % 1000007);
    EXPECT_EQ(power_mod(2, 64, 18446744073709551557ull), 59u);  // 2^64 - (2^64 - 59)
}

TEST(Modular, PrimitiveRootsGenerateEverything) {
    for (const std::uint64_t p : {2ull, 3ull, 5ull, 7ull, 17ull, 257ull, 1009ull, 4093ull}) {
        const std::uint64_t g = primitive_root(p);
        std::set<std::uint64_t> seen;
        for (std::uint64_t e = 0, x = 1; e + 1 < p; ++e, x = x * g % p) seen.insert(x);
        EXPECT_EQ(seen.size(), p - 1) << p;
    }
    EXPECT_EQ(primitive_root(7), 3u);
    EXPECT_EQ(primitive_root(41), 6u);
    EXPECT_EQ(primitive_root(18446744073709551557ull), 2u);
    EXPECT_THROW(primitive_root(15), InternalError);
}

TEST(Checked, OverflowIsSeen) {
    std::uint64_t result = 0;
    EXPECT_TRUE(checked_multiply(1ull << 31, 1ull << 32, result));
    EXPECT_EQ(result, 1ull << 63);
    EXPECT_FALSE(checked_multiply(1ull << 32, 1ull << 32, result));
    EXPECT_TRUE(checked_add(~0ull - 1, 1, result));
    EXPECT_FALSE(checked_add(~0ull, 1, result));
}

}  // namespace
}  // namespace seiche::support
