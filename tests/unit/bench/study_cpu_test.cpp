// The study's algorithms on a processor: every one against the judge in extended precision, both signs, and what the
// corrections of the texts' listings change.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "bench/study/cpu_transforms.hpp"
#include "bench/study/radix2.hpp"
#include "cli/reference/reference_dft.hpp"

namespace seiche::study {
namespace {

template <class Real>
using Points = std::vector<std::complex<Real>>;

template <class Real>
Points<Real> random_points(std::size_t n) {
    std::mt19937 engine(static_cast<unsigned>(n));
    std::uniform_real_distribution<Real> uniform(-1, 1);
    Points<Real> points(n);
    for (auto& x : points) x = {uniform(engine), uniform(engine)};
    return points;
}

template <class Real>
Points<Real> transformed(const CpuAlgorithm& algorithm, const CpuQuestion& question, const Points<Real>& in) {
    const auto transform = make_cpu_transform<Real>(algorithm.name, question);
    Points<Real> own = in, out(in.size(), {7, 7});
    // Twice: what a first run leaves in the scratch memory must not matter.
    if (!algorithm.in_place) transform->run(own.data(), out.data());
    if (algorithm.in_place) out = own;
    transform->run(algorithm.in_place ? out.data() : own.data(), out.data());
    EXPECT_EQ(own, in) << "an input apart from the output stays";
    return out;
}

/// Relative L2, in units of the rounding unit.
template <class Real>
double error(const CpuAlgorithm& algorithm, const CpuQuestion& question) {
    const Points<Real> in = random_points<Real>(question.n);
    const Points<Real> out = transformed(algorithm, question, in);
    const std::vector<cli::Wide> wide(in.begin(), in.end());
    const auto exact =
        cli::reference_dft(wide, question.sign == Sign::forward ? Direction::forward : Direction::inverse);
    long double fault = 0, energy = 0;
    for (std::size_t k = 0; k < out.size(); ++k) {
        fault += std::norm(cli::Wide(out[k]) - exact[k]);
        energy += std::norm(exact[k]);
    }
    return static_cast<double>(std::sqrt(fault / energy)) * 2 /
           static_cast<double>(std::numeric_limits<Real>::epsilon());
}

/// Fast ones keep the bound of Seiche's own smooth lengths, u sqrt(log2 n); a sum of n terms in order errs by about u
/// sqrt(n / 6): its partial sums grow as the root of their count, and each is rounded.
double bound(const CpuAlgorithm& algorithm, std::size_t n) {
    const auto points = static_cast<double>(n);
    return algorithm.is_quadratic ? 1.5 + 0.5 * std::sqrt(points) : std::sqrt(std::max(1.0, std::log2(points)));
}

TEST(StudyCpu, EveryAlgorithmIsTheTransform) {
    for (const CpuAlgorithm& algorithm : cpu_algorithms())
        for (const Sign sign : {Sign::forward, Sign::inverse})
            for (std::size_t n = 1; n <= 2048; n *= 2) {
                if (algorithm.is_quadratic && n > 512) continue;
                SCOPED_TRACE(algorithm.name + " " + std::to_string(n));
                EXPECT_LE(error<float>(algorithm, {n, sign}), bound(algorithm, n));
                EXPECT_LE(error<double>(algorithm, {n, sign}), bound(algorithm, n));
            }
}

TEST(StudyCpu, SumsTakeAnyLength) {
    for (const CpuAlgorithm& algorithm : cpu_algorithms())
        for (const std::size_t n : {3u, 5u, 12u, 37u, 100u}) {
            if (!algorithm.is_quadratic) continue;
            EXPECT_LE(error<float>(algorithm, {n, Sign::forward}), bound(algorithm, n)) << algorithm.name << " " << n;
        }
}

TEST(StudyCpu, RootsAreRoundedOnce) {
    for (const std::size_t n : {1u, 2u, 3u, 4u, 7u, 8u, 12u, 1000u, 1024u})
        for (std::size_t k = 0; k < 2 * n; ++k) {
            const long double angle = 2 * 3.14159265358979323846264338327950288L * static_cast<long double>(k % n) /
                                      static_cast<long double>(n);
            const std::complex<double> w = root<double>(k, n, Sign::forward);
            EXPECT_NEAR(w.real(), static_cast<double>(std::cos(angle)), 1.2e-16) << k << " / " << n;
            EXPECT_NEAR(w.imag(), static_cast<double>(-std::sin(angle)), 1.2e-16) << k << " / " << n;
        }
    EXPECT_EQ(root<float>(2, 8, Sign::forward), std::complex<float>(0, -1));
    EXPECT_EQ(root<float>(2, 8, Sign::inverse), std::complex<float>(0, 1));
}

/// The twiddles of the texts' listings: within a few units where each is computed, and far worse by products.
TEST(StudyCpu, TwiddlesOfTheTextsCostAccuracy) {
    constexpr std::size_t n = 4096;
    for (const CpuAlgorithm& algorithm : cpu_algorithms()) {
        if (algorithm.is_quadratic) continue;
        SCOPED_TRACE(algorithm.name);
        const double table = error<float>(algorithm, {n, Sign::forward});
        EXPECT_LE(error<float>(algorithm, {n, Sign::forward, Twiddles::on_the_fly}), 3 * bound(algorithm, n));
        if (algorithm.name == "split-levels") continue;
        const double recurrence = error<float>(algorithm, {n, Sign::forward, Twiddles::recurrence});
        EXPECT_GT(recurrence, 4 * table);
        EXPECT_LE(recurrence, static_cast<double>(n));
    }
}

/// Mota 2022, section 2.2: one period of a cosine in 8 points.
TEST(StudyCpu, TheWorkedExample) {
    const double h = std::sqrt(0.5);
    const Points<double> in{1, h, 0, -h, -1, -h, 0, h};
    for (const CpuAlgorithm& algorithm : cpu_algorithms()) {
        const Points<double> out = transformed<double>(algorithm, {8, Sign::forward}, in);
        for (std::size_t k = 0; k < 8; ++k)
            EXPECT_NEAR(std::abs(out[k] - (k == 1 || k == 7 ? 4.0 : 0.0)), 0, 1e-15) << algorithm.name << " " << k;
    }
}

/// 000's algorithm 2 as it is printed, with the second half minus the first and a positive exponent, is not the
/// transform, in either direction.
TEST(StudyCpu, Algorithm2AsPrintedIsWrong) {
    constexpr std::size_t n = 8;
    const Points<double> in = random_points<double>(n);
    Points<double> x = in, printed(n);
    for (std::size_t m = n; m >= 2; m /= 2)
        for (std::size_t k = 0; k < n; k += m)
            for (std::size_t j = 0; j < m / 2; ++j) {
                const std::complex<double> a = x[k + j + m / 2], b = x[k + j];
                x[k + j] = a + b;
                x[k + j + m / 2] = (a - b) * root<double>(j, m, Sign::inverse);
            }
    permute(x.data(), printed.data(), n);
    for (const Sign sign : {Sign::forward, Sign::inverse}) {
        const Points<double> right = transformed<double>(cpu_algorithms()[4], {n, sign}, in);
        double difference = 0;
        for (std::size_t k = 0; k < n; ++k) difference = std::max(difference, std::abs(printed[k] - right[k]));
        EXPECT_GT(difference, 0.1);
    }
}

TEST(StudyCpu, BadQuestionsAreRefused) {
    EXPECT_THROW(make_cpu_transform<float>("fastest", {8}), std::invalid_argument);
    EXPECT_THROW(make_cpu_transform<float>("dit", {12}), std::invalid_argument);
    EXPECT_THROW(make_cpu_transform<float>("direct", {0}), std::invalid_argument);
    EXPECT_THROW(make_cpu_transform<float>("split-levels", {8, Sign::forward, Twiddles::recurrence}),
                 std::invalid_argument);
}

}  // namespace
}  // namespace seiche::study
