// The judge of real kinds, against direct summation of the definitions in seiche/problem.hpp, and the orthogonal
// matrices.
#include "tests/accuracy/real_judge.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace seiche::accuracy {
namespace {

using Data = std::vector<std::complex<double>>;
using Extended = std::complex<long double>;

constexpr long double pi = 3.14159265358979323846264338327950288L;

Data random_data(std::size_t count, bool is_real) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Data data(count);
    for (auto& value : data) {
        const double re = uniform(random);
        value = {re, is_real ? 0.0 : uniform(random)};
    }
    return data;
}

/// The factor of x[j] in output k, from the definitions.
long double factor(Kind kind, std::size_t n, std::size_t j, std::size_t k) {
    const auto N = static_cast<long double>(n), J = static_cast<long double>(j), K = static_cast<long double>(k);
    const long double edge = kind == Kind::dct1   ? (j == 0 || j == n - 1 ? 1 : 2)
                             : kind == Kind::dct3 ? (j == 0 ? 1 : 2)
                             : kind == Kind::dst3 ? (j == n - 1 ? 1 : 2)
                                                  : 2;
    switch (kind) {
        case Kind::dct1: return edge * std::cos(pi * J * K / (N - 1));
        case Kind::dct2: return edge * std::cos(pi * (J + 0.5L) * K / N);
        case Kind::dct3: return edge * std::cos(pi * J * (K + 0.5L) / N);
        case Kind::dct4: return edge * std::cos(pi * (J + 0.5L) * (K + 0.5L) / N);
        case Kind::dst1: return edge * std::sin(pi * (J + 1) * (K + 1) / (N + 1));
        case Kind::dst2: return edge * std::sin(pi * (J + 0.5L) * (K + 1) / N);
        case Kind::dst3: return edge * std::sin(pi * (J + 1) * (K + 0.5L) / N);
        case Kind::dst4: return edge * std::sin(pi * (J + 0.5L) * (K + 0.5L) / N);
        case Kind::dht: return std::cos(2 * pi * J * K / N) + std::sin(2 * pi * J * K / N);
        case Kind::r2hc: return 2 * k <= n ? std::cos(2 * pi * J * K / N) : -std::sin(2 * pi * J * (N - K) / N);
        default: break;
    }
    if (2 * j > n) return -2 * std::sin(2 * pi * (N - J) * K / N);  // hc2r
    return (j == 0 || 2 * j == n ? 1 : 2) * std::cos(2 * pi * J * K / N);
}

const std::vector<Kind> real_to_real{Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2,
                                     Kind::dst3, Kind::dst4, Kind::dht,  Kind::r2hc, Kind::hc2r};

void expect_near(const QuadComplex& got, const Extended& expected) {
    EXPECT_NEAR(static_cast<double>(got.re - expected.real()), 0, 1e-16);
    EXPECT_NEAR(static_cast<double>(got.im - expected.imag()), 0, 1e-16);
}

TEST(RealJudge, RealToRealKindsAreTheirDefinitions) {
    for (const Kind kind : real_to_real)
        for (const std::size_t n : {2u, 5u, 6u}) {
            SCOPED_TRACE(std::string(to_string(kind)) + " " + std::to_string(n));
            const Data x = random_data(n, true);
            const auto got = RealJudge({{n}, {kind}, false}).transform(x);
            for (std::size_t k = 0; k < n; ++k) {
                long double sum = 0;
                for (std::size_t j = 0; j < n; ++j) sum += x[j].real() * factor(kind, n, j, k);
                expect_near(got[k], sum);
            }
        }
}

TEST(RealJudge, KindsMixByAxis) {
    const Data x = random_data(20, true);
    const auto got = RealJudge({{4, 5}, {Kind::dst1, Kind::dct2}, false}).transform(x);
    for (std::size_t k = 0; k < 20; ++k) {
        long double sum = 0;
        for (std::size_t j = 0; j < 20; ++j)
            sum += x[j].real() * factor(Kind::dst1, 4, j / 5, k / 5) * factor(Kind::dct2, 5, j % 5, k % 5);
        expect_near(got[k], sum);
    }
}

/// exp(sign 2 pi i (j k / rows + ...)) of a 2-D array.
Extended root(const std::vector<std::uint64_t>& n, std::size_t j0, std::size_t j1, std::size_t k0, std::size_t k1) {
    const long double turn = static_cast<long double>(j0 * k0 % n[0]) / static_cast<long double>(n[0]) +
                             static_cast<long double>(j1 * k1 % n[1]) / static_cast<long double>(n[1]);
    return std::polar(1.0L, 2 * pi * turn);
}

TEST(RealJudge, HalvesAnyAxis) {
    const std::vector<std::uint64_t> n{4, 5};
    const Data x = random_data(20, true);
    for (const bool first : {true, false}) {
        const std::size_t rows = first ? 3 : 4, columns = first ? 5 : 3;
        const std::vector<Kind> kinds =
            first ? std::vector<Kind>{Kind::r2c, Kind::c2c} : std::vector<Kind>{Kind::c2c, Kind::r2c};
        const auto got = RealJudge({n, kinds, false}).transform(x);
        ASSERT_EQ(got.size(), rows * columns);
        for (std::size_t k = 0; k < rows * columns; ++k) {
            Extended sum = 0;
            for (std::size_t j = 0; j < 20; ++j)
                sum += Extended(x[j]) * std::conj(root(n, j / 5, j % 5, k / columns, k % columns));
            expect_near(got[k], sum);
        }
    }
}

/// Input that no real signal has: c2r is the real part of the sum in which all but the edges count twice.
TEST(RealJudge, ComplexToRealIgnoresWhatIsNotHermitian) {
    const std::vector<std::uint64_t> n{6, 5};
    for (const bool first : {true, false}) {
        const std::size_t rows = first ? 4 : 6, columns = first ? 5 : 3;
        const std::vector<Kind> kinds =
            first ? std::vector<Kind>{Kind::c2r, Kind::c2c} : std::vector<Kind>{Kind::c2c, Kind::c2r};
        const Data x = random_data(rows * columns, false);
        const auto got = RealJudge({n, kinds, false}).transform(x);
        ASSERT_EQ(got.size(), 30u);
        for (std::size_t k = 0; k < 30; ++k) {
            Extended sum = 0;
            for (std::size_t j = 0; j < rows * columns; ++j) {
                const std::size_t halved = first ? j / columns : j % columns;
                const long double weight = halved == 0 || 2 * halved == n[first ? 0 : 1] ? 1 : 2;
                sum += weight * Extended(x[j]) * root(n, j / columns, j % columns, k / 5, k % 5);
            }
            expect_near(got[k], sum.real());
        }
    }
}

TEST(RealJudge, OrthonormalTransformsKeepLengthsAndUndoEachOther) {
    for (const Kind kind :
         {Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4, Kind::dht}) {
        SCOPED_TRACE(to_string(kind));
        const Shape shape{{6, 5}, {kind, Kind::dct2}, true};
        const Data x = random_data(30, true);
        const auto y = RealJudge(shape).transform(x);
        Data rounded;
        double before = 0, after = 0;
        for (std::size_t i = 0; i < 30; ++i) {
            rounded.emplace_back(static_cast<double>(y[i].re));
            before += std::norm(x[i]);
            after += std::norm(rounded[i]);
        }
        EXPECT_NEAR(before, after, 1e-14);
        const auto again = RealJudge(shape.in(Direction::inverse)).transform(rounded);
        for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(static_cast<double>(again[i].re), x[i].real(), 1e-15);
    }
}

}  // namespace
}  // namespace seiche::accuracy
