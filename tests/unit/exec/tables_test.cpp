// Tables hold what their sections say, against direct evaluation.
#include "exec/tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>

#include "seiche/error.hpp"
#include "seiche/half.hpp"

namespace {

using namespace seiche;
using namespace seiche::kernels;

std::complex<double> entry(const std::vector<std::byte>& bytes, std::size_t scalar, std::size_t split) {
    double parts[2];
    std::memcpy(&parts[0], bytes.data() + scalar * sizeof(double), sizeof(double));
    std::memcpy(&parts[1], bytes.data() + (scalar + split) * sizeof(double), sizeof(double));
    return {parts[0], parts[1]};
}

std::complex<double> root(double k, double n) {
    const long double angle = -2 * acosl(-1.0L) * k / n;
    return {static_cast<double>(cosl(angle)), static_cast<double>(sinl(angle))};
}

TEST(Tables, StageTwiddlesInterleaved) {
    const std::vector<TableSection> sections{{StageTwiddles{4, 8, 1}, 24, 0, 1}};
    const std::vector<std::byte> bytes = exec::table_bytes(sections, Precision::f64);
    ASSERT_EQ(bytes.size(), 24 * 16u);
    for (unsigned j = 1; j < 4; ++j) {
        for (unsigned p = 0; p < 8; ++p) {
            EXPECT_LT(std::abs(entry(bytes, 2 * ((j - 1) * 8 + p), 1) - root(j * p, 32)), 1e-16) << j << ' ' << p;
        }
    }
}

/// The larger error of an entry's two parts.
long double error_of(std::complex<double> entry, std::uint64_t k, std::uint64_t n) {
    const long double angle = -2 * acosl(-1.0L) * static_cast<long double>(k % n) / static_cast<long double>(n);
    return std::max(fabsl(entry.real() - cosl(angle)), fabsl(entry.imag() - sinl(angle)));
}

/// Long tables are products of two short ones in extended precision, rounded once: half a unit, and a hundredth.
TEST(Tables, ManyRootsAreRoundedOnce) {
    constexpr long double bound = 1.01L / (std::uint64_t{1} << 54);
    const std::vector<std::byte> stage =
        exec::table_bytes({{StageTwiddles{16, 4096, 1}, 15 * 4096, 0, 1}}, Precision::f64);
    for (unsigned j = 1; j < 16; ++j)
        for (unsigned p = 0; p < 4096; ++p)
            ASSERT_LT(error_of(entry(stage, 2 * ((j - 1) * 4096 + p), 1), j * p, 65536), bound) << j << ' ' << p;
    constexpr unsigned length = 50021, count = 40000;
    const std::vector<std::byte> powers =
        exec::table_bytes({{PowerTable{length, 3, count}, count, 0, 1}}, Precision::f64);
    for (unsigned k = 0; k < count; ++k) ASSERT_LT(error_of(entry(powers, 2 * k, 1), 3 * k, length), bound) << k;
}

TEST(Tables, MergedTwiddlesHaveARowForEveryPairOfALevel) {
    const std::vector<TableSection> sections{{MergedTwiddles{8, 8}, 32, 0, 1}};
    const std::vector<std::byte> bytes = exec::table_bytes(sections, Precision::f64);
    ASSERT_EQ(bytes.size(), 32 * 16u);
    for (unsigned p = 0; p < 8; ++p) {
        const double expected[] = {p / 16.0, p / 32.0, p / 64.0, (p + 8) / 64.0};
        for (unsigned row = 0; row < 4; ++row)
            EXPECT_LT(std::abs(entry(bytes, 2 * (row * 8 + p), 1) - root(expected[row], 1)), 1e-16) << row << ' ' << p;
    }
}

TEST(Tables, StageTwiddlesRepeatInSplitBlocks) {
    const std::vector<TableSection> sections{{PowerTable{7, 1, 8}, 8, 0, 1}, {StageTwiddles{3, 4, 8}, 16, 8, 8}};
    const std::vector<std::byte> bytes = exec::table_bytes(sections, Precision::f64);
    for (unsigned j = 1; j < 3; ++j) {
        for (unsigned lane = 0; lane < 8; ++lane) {
            EXPECT_LT(std::abs(entry(bytes, 2 * (8 + (j - 1) * 8) + lane, 8) - root(j * (lane % 4), 12)), 1e-16);
        }
    }
}

TEST(Tables, RootsInTheOrderOfAPrimesPlaces) {
    const std::vector<TableSection> sections{{RaderPlaces{7}, 7, 0, 1}, {RootTable{56, 4, 1, 7, 7}, 7, 7, 1}};
    const std::vector<std::byte> bytes = exec::table_bytes(sections, Precision::f64);
    const unsigned powers_of_3[] = {1, 3, 2, 6, 4, 5};  // modulo 7
    for (unsigned j = 0; j < 6; ++j) {
        EXPECT_EQ(entry(bytes, 2 * powers_of_3[j], 1).real(), j);
        EXPECT_LT(std::abs(entry(bytes, 2 * (7 + j), 1) - root(4.0 * powers_of_3[j] + 1, 56)), 1e-16) << j;
    }
    EXPECT_EQ(entry(bytes, 0, 1).real(), 6);
    EXPECT_LT(std::abs(entry(bytes, 2 * (7 + 6), 1) - root(1, 56)), 1e-16);
}

/// A half is the nearest to the number itself, not to a float near it.
TEST(Tables, HalvesAreRoundedOnce) {
    const std::uint64_t n = 5000;
    const std::vector<std::byte> bytes = exec::table_bytes({{PowerTable{n, 1, n}, n, 0, 1}}, Precision::f16);
    ASSERT_EQ(bytes.size(), n * 4);
    for (std::uint64_t k = 0; k < n; ++k) {
        const long double angle = -2 * acosl(-1.0L) * static_cast<long double>(k) / n;
        const long double exact[] = {cosl(angle), sinl(angle)};
        for (unsigned part = 0; part < 2; ++part) {
            std::uint16_t half = 0;
            std::memcpy(&half, bytes.data() + 4 * k + 2 * part, 2);
            if (std::fabs(exact[part]) < 0x1p-40L) continue;  // 0, to what a long double has of pi
            const auto error = [&](int step) {
                return fabsl(from_f16(static_cast<std::uint16_t>(half + step)) - exact[part]);
            };
            EXPECT_LE(error(0), error(1)) << k;
            EXPECT_LE(error(0), error(-1)) << k;
        }
    }
}

TEST(Tables, SpectrumOfTheChirp) {
    const std::uint64_t n = 5, m = 12;
    const std::vector<TableSection> sections{{SpectrumTable{n, m}, m, 0, 1}};
    const std::vector<std::byte> bytes = exec::table_bytes(sections, Precision::f64);
    for (std::uint64_t k = 0; k < m; ++k) {
        std::complex<double> sum;
        for (std::int64_t j = -4; j <= 4; ++j) {
            const double angle = std::acos(-1.0) * static_cast<double>(j * j) / static_cast<double>(n);
            sum +=
                std::polar(1.0, angle) * root(static_cast<double>(j) * static_cast<double>(k), static_cast<double>(m));
        }
        EXPECT_LT(std::abs(entry(bytes, 2 * k, 1) - sum / static_cast<double>(m)), 1e-14) << k;
    }
}

/// Of seven points of which the first four results are wanted, and the other way.
TEST(Tables, SpectrumOfTheChirpOfFewerResults) {
    const std::uint64_t n = 7, m = 10;
    for (const std::uint64_t results : {4u, 7u}) {
        const std::vector<TableSection> sections{{SpectrumTable{n, m, results}, m, 0, 1}};
        const std::vector<std::byte> bytes = exec::table_bytes(sections, Precision::f64);
        const auto ahead = static_cast<std::int64_t>(results);
        for (std::uint64_t k = 0; k < m; ++k) {
            std::complex<double> sum;
            for (std::int64_t lag = ahead - 10; lag < ahead; ++lag) {
                const double angle = std::acos(-1.0) * static_cast<double>(lag * lag) / static_cast<double>(n);
                sum += std::polar(1.0, angle) *
                       root(static_cast<double>(lag) * static_cast<double>(k), static_cast<double>(m));
            }
            EXPECT_LT(std::abs(entry(bytes, 2 * k, 1) - sum / static_cast<double>(m)), 1e-14) << results << " " << k;
        }
    }
}

/// Long ones are computed in parts, from short tables of roots, their spectra in two passes.
TEST(Tables, LongChirpsAndTheirSpectra) {
    constexpr std::uint64_t n = 100003;
    for (const std::uint64_t m : {262144u, 202500u, 225280u, 201586u}) {  // 2^18, 450^2, 2^12 5 11, 2 7^2 11^2 17
        const std::vector<TableSection> sections{{ChirpTable{n}, n, 0, 1}, {SpectrumTable{n, m}, m, n, 1}};
        const std::vector<std::byte> bytes = exec::table_bytes(sections, Precision::f64);
        for (std::uint64_t j = 0; j < n; ++j)
            ASSERT_LT(std::abs(entry(bytes, 2 * j, 1) - root(static_cast<double>(j * j % (2 * n)), 2 * n)), 2.3e-16)
                << j;
        for (const std::uint64_t k : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{77777}, m / 2, m - 1}) {
            std::complex<double> sum = 1;
            for (std::uint64_t j = 1; j < n; ++j)
                sum += 2.0 * std::conj(entry(bytes, 2 * j, 1)) *
                       root(static_cast<double>(j * k % m), static_cast<double>(m)).real();
            EXPECT_LT(std::abs(entry(bytes, 2 * (n + k), 1) - sum / static_cast<double>(m)), 1e-15) << m << ' ' << k;
        }
    }
}

/// Of a prime's numbers in the order of its generator's powers, backwards.
TEST(Tables, SpectrumOfRadersRoots) {
    constexpr std::uint64_t prime = 40961, n = prime - 1;  // 2^13 5; 3 generates
    const std::vector<std::byte> bytes = exec::table_bytes({{RaderSpectrumTable{prime}, n, 0, 1}}, Precision::f64);
    std::uint64_t back = 1;  // 1 / 3
    while (back * 3 % prime != 1) ++back;
    for (const std::uint64_t k : {0u, 1u, 5u, 12345u, 40959u}) {
        std::complex<double> sum;
        std::uint64_t power = 1;
        for (std::uint64_t j = 0; j < n; ++j) {
            sum += root(static_cast<double>(power), prime) * root(static_cast<double>(j * k % n), n);
            power = power * back % prime;
        }
        EXPECT_LT(std::abs(entry(bytes, 2 * k, 1) - sum / static_cast<double>(n)), 1e-15) << k;
    }
}

/// The cosines of the powers of the generator, by the sum of places, and the sines behind them.
TEST(Tables, SpectraOfRadersEvenAndOddPart) {
    constexpr std::uint64_t prime = 103, n = 105, generator = 5;
    const std::vector<std::byte> bytes =
        exec::table_bytes({{RaderSpectrumTable{prime, n}, 2 * n, 0, 1}}, Precision::f64);
    for (const std::uint64_t k : {0u, 1u, 52u, 104u}) {
        std::complex<double> even, odd;
        std::uint64_t power = 1;
        for (std::uint64_t j = 0; j < prime - 2; ++j) {
            const std::complex<double> w = root(static_cast<double>(power), prime),
                                       back = std::conj(root(static_cast<double>(j * k % n), n));
            even += w.real() * back;
            odd += std::complex<double>(0, w.imag()) * back;
            power = power * generator % prime;
        }
        EXPECT_LT(std::abs(entry(bytes, 2 * k, 1) - even / static_cast<double>(n)), 1e-15) << k;
        EXPECT_LT(std::abs(entry(bytes, 2 * (n + k), 1) - odd / static_cast<double>(n)), 1e-15) << k;
    }
}

TEST(Tables, BeyondTheHostsMemoryAreRefusedBeforehand) {
    constexpr std::uint64_t n = (std::uint64_t{1} << 31) + 11, m = std::uint64_t{5} << 30;
    const std::vector<TableSection> sections{{ChirpTable{n}, n, 0, 1}, {SpectrumTable{n, m}, m, n, 1}};
    constexpr std::uint64_t needed = m * 16 + (n + m) * 8;  // the signal, beside the bytes in f32
    EXPECT_NO_THROW(exec::expect_room(sections, Precision::f32, needed));
    EXPECT_NO_THROW(exec::expect_room(sections, Precision::f32, 0));
    try {
        exec::expect_room(sections, Precision::f32, needed - 1);
        FAIL() << "no error";
    } catch (const BackendError& error) {
        EXPECT_NE(std::string(error.what()).find(std::to_string(needed)), std::string::npos) << error.what();
    }
    EXPECT_THROW(exec::expect_room(sections, Precision::f64, needed), BackendError);
}

}  // namespace
