// The judge itself is judged by direct summation.
#include "cli/reference/reference_dft.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

#include "seiche/error.hpp"

namespace seiche::cli {
namespace {

constexpr long double tolerance = 0x1p-58L;  // direct summation loses a few bits itself

std::vector<Wide> random_values(std::size_t n, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<long double> values(-1, 1);
    std::vector<Wide> x(n);
    for (Wide& v : x) v = {values(random), values(random)};
    return x;
}

// One output of the definition; the angle is reduced before it is rounded.
Wide direct_bin(const std::vector<Wide>& x, std::size_t k, Direction direction) {
    const long double sign = direction == Direction::forward ? -1 : 1;
    const auto n = static_cast<std::uint64_t>(x.size());
    Wide sum = 0;
    for (std::uint64_t j = 0; j < n; ++j) {
        const long double turn = static_cast<long double>(j * k % n) / static_cast<long double>(n);
        const long double angle = sign * 2 * std::acos(-1.0L) * turn;
        sum += x[j] * Wide{std::cos(angle), std::sin(angle)};
    }
    return sum;
}

long double relative_error(const std::vector<Wide>& got, const std::vector<Wide>& expected) {
    long double error = 0, size = 0;
    for (std::size_t k = 0; k < got.size(); ++k) {
        error += std::norm(got[k] - expected[k]);
        size += std::norm(expected[k]);
    }
    return std::sqrt(error / size);
}

TEST(ReferenceDft, EqualsDirectSummation) {
    std::vector<std::size_t> lengths = {251, 256, 360, 509, 1001, 1009, 2 * 53, 53 * 59, 4 * 61};
    for (std::size_t n = 1; n <= 64; ++n) lengths.push_back(n);
    for (const std::size_t n : lengths) {
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
            if (n > 600 && direction == Direction::inverse) continue;  // slow, and nothing new
            const auto x = random_values(n, n);
            std::vector<Wide> expected(n);
            for (std::size_t k = 0; k < n; ++k) expected[k] = direct_bin(x, k, direction);
            EXPECT_LT(relative_error(reference_dft(x, direction), expected), tolerance) << "length " << n;
        }
    }
}

TEST(ReferenceDft, LongTransformsEqualDirectSummationInSomeBins) {
    for (const std::size_t n : {std::size_t{1} << 16, std::size_t{59049}, std::size_t{65537}, std::size_t{101 * 512}}) {
        const auto x = random_values(n, 7);
        const auto got = reference_dft(x, Direction::forward);
        const long double size = std::sqrt(static_cast<long double>(n) * 2 / 3);  // of a bin, in the mean
        for (const std::size_t k : {std::size_t{0}, std::size_t{1}, n / 3, n / 2, n - 1}) {
            EXPECT_LT(std::abs(got[k] - direct_bin(x, k, Direction::forward)) / size, 16 * tolerance)
                << n << ", bin " << k;
        }
    }
}

TEST(ReferenceDft, TransformsChosenAxesOnly) {
    const std::vector<std::uint64_t> shape = {3, 4, 5};
    const auto x = random_values(60, 3);
    const auto got = reference_dft(x, shape, {0, -1}, Direction::inverse);
    std::vector<Wide> expected(60);
    for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t b = 0; b < 4; ++b) {
            for (std::size_t c = 0; c < 5; ++c) {
                for (std::size_t j = 0; j < 15; ++j) {
                    const auto turn = static_cast<long double>((a * (j / 5) * 5 + c * (j % 5) * 3) % 15) / 15;
                    const long double angle = 2 * std::acos(-1.0L) * turn;
                    expected[20 * a + 5 * b + c] +=
                        x[20 * (j / 5) + 5 * b + j % 5] * Wide{std::cos(angle), std::sin(angle)};
                }
            }
        }
    }
    EXPECT_LT(relative_error(got, expected), tolerance);
    EXPECT_LT(relative_error(reference_dft(x, {60}, {}, Direction::forward), reference_dft(x, Direction::forward)),
              1e-30L);
}

TEST(ReferenceDft, RefusesWhatMakesNoSense) {
    EXPECT_THROW(ReferenceDft(0), InvalidProblem);
    EXPECT_THROW(reference_dft(std::vector<Wide>(6), {2, 2}, {}, Direction::forward), InvalidProblem);
    EXPECT_THROW(reference_dft(std::vector<Wide>(6), {2, 3}, {2}, Direction::forward), InvalidProblem);
    EXPECT_THROW(reference_dft(std::vector<Wide>(6), {2, 3}, {1, -1}, Direction::forward), InvalidProblem);
}

}  // namespace
}  // namespace seiche::cli
