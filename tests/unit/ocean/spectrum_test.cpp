// Spectra of the sea: values by hand, integrals, and the amplitudes drawn from them.
#include "ocean/spectrum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "ocean/scene.hpp"

namespace seiche::ocean {
namespace {

constexpr double pi = std::numbers::pi;
const Wind some_wind{10, 0.4, 100'000};

TEST(Ocean, DispersionOfDeepWater) {
    for (const double k : {0.001, 0.05, 1.0, 300.0}) EXPECT_NEAR(dispersion(k) * dispersion(k), 9.81 * k, 1e-12 * k);
    // A swell of 156 m has a period of 10 s.
    EXPECT_NEAR(2 * pi / dispersion(2 * pi / 156.13), 10.0, 1e-3);
}

TEST(Ocean, JonswapByHand) {
    const Spectrum spectrum(SpectrumKind::jonswap, some_wind);
    EXPECT_NEAR(spectrum.jonswap_peak(), 1.0081737, 1e-6);
    // 0.076 (100 / 981000)^0.22 9.81^2 / omega_p^5 exp(-5/4) 3.3
    EXPECT_NEAR(spectrum.jonswap(spectrum.jonswap_peak()), 0.8789284, 1e-6);
    EXPECT_LT(spectrum.jonswap(0.5), 1e-6);
    // Far beyond the peak Phillips' tail is left: S(2 omega) / S(omega) = 2^-5.
    EXPECT_NEAR(spectrum.jonswap(40) / spectrum.jonswap(20), 1.0 / 32, 1e-5);
}

/// Variance by an integral over frequencies.
double variance(const Spectrum& spectrum) {
    double sum = 0;
    constexpr double step = 0.002;
    for (double omega = step / 2; omega < 40; omega += step) sum += spectrum.jonswap(omega) * step;
    return sum;
}

TEST(Ocean, VarianceOfJonswap) {
    // alpha g^2 / (5 omega_p^4) without the peak's enhancement; with it by 1 / (1 - 0.287 ln 3.3) more (DNV-RP-C205).
    const double alpha = 0.076 * std::pow(100.0 / 981'000, 0.22), peak = 1.0081737;
    const double expected = alpha * 9.81 * 9.81 / (5 * std::pow(peak, 4)) / (1 - 0.287 * std::log(3.3));
    EXPECT_NEAR(variance(Spectrum(SpectrumKind::jonswap, some_wind)), expected, 0.02 * expected);
}

TEST(Ocean, SpreadingIsAShare) {
    const Spectrum spectrum(SpectrumKind::jonswap, some_wind);
    for (const double omega : {0.5, 0.9, 1.008, 1.5, 4.0, 20.0}) {
        double sum = 0;
        constexpr int steps = 2000;
        for (int i = 0; i < steps; ++i) sum += spectrum.spreading(omega, -pi + (i + 0.5) * 2 * pi / steps);
        EXPECT_NEAR(sum * 2 * pi / steps, 1, 1e-3) << omega;
        EXPECT_DOUBLE_EQ(spectrum.spreading(omega, 0.7), spectrum.spreading(omega, -0.7));
        EXPECT_GT(spectrum.spreading(omega, 0), spectrum.spreading(omega, 1));
    }
}

TEST(Ocean, DensityIsJonswapOverWaveVectors) {
    const Spectrum spectrum(SpectrumKind::jonswap, some_wind);
    double sum = 0;
    constexpr int turns = 180;
    // Rings of wave numbers that grow by a hundredth.
    for (double k = 1e-3; k < 160; k *= 1.01)
        for (int i = 0; i < turns; ++i) {
            const double theta = i * 2 * pi / turns, middle = k * std::sqrt(1.01);
            sum += spectrum.density({middle * std::cos(theta), middle * std::sin(theta)}) * middle * 0.01 * k * 2 * pi /
                   turns;
        }
    EXPECT_NEAR(sum, variance(spectrum), 0.01 * sum);
}

TEST(Ocean, PhillipsByHand) {
    const Spectrum spectrum(SpectrumKind::phillips, {10, 0, 1});
    // 0.0081 / 2 exp(-(9.81 / 100)^2) 2 / pi
    EXPECT_NEAR(spectrum.density({1, 0}), 0.00255362, 1e-8);
    EXPECT_NEAR(spectrum.density({2, 0}) / spectrum.density({1, 0}), 1.0 / 16, 1e-3);
    EXPECT_NEAR(spectrum.density({std::sqrt(0.5), std::sqrt(0.5)}), 0.00255362 / 2, 1e-8);
    EXPECT_EQ(spectrum.density({-1, 0.1}), 0);
    EXPECT_EQ(spectrum.density({0, 0}), 0);
    // Waves much longer than U^2 / g are not there.
    EXPECT_LT(spectrum.density({0.01, 0}), 1e-30);
}

TEST(Ocean, PatchesShareTheWaveNumbers) {
    for (const std::uint32_t size : {16u, 64u, 512u}) {
        const Spectrum spectrum(SpectrumKind::jonswap, some_wind);
        const std::vector<Patch> all = patches(spectrum, 3, size);
        ASSERT_EQ(all.size(), 3u);
        EXPECT_EQ(all[0].k_min, 0);
        EXPECT_GE(all[0].length * spectrum.peak_wave_number(), 4 * 2 * pi * (1 - 1e-9));
        for (std::size_t p = 0; p < 3; ++p) {
            EXPECT_GT(all[p].k_max, all[p].k_min);
            EXPECT_LE(all[p].k_max, pi * size / all[p].length * (1 + 1e-9));
            if (p == 0) continue;
            EXPECT_EQ(all[p].k_min, all[p - 1].k_max);
            const double ratio = all[p - 1].length / all[p].length;
            EXPECT_GT(std::abs(ratio - std::round(ratio)), 0.1);
        }
    }
}

std::complex<float> with(const Amplitude& a) { return {a.with_re, a.with_im}; }
std::complex<float> opposite(const Amplitude& a) { return {a.opposite_re, a.opposite_im}; }

TEST(Ocean, SpectraAreHermitian) {
    constexpr std::size_t size = 32;
    const Spectrum spectrum(SpectrumKind::jonswap, some_wind);
    const Patch patch = patches(spectrum, 3, size)[1];
    const std::vector<Amplitude> all = amplitudes(spectrum, patch, size, 5);
    std::size_t waves = 0;
    for (std::size_t row = 0; row < size; ++row)
        for (std::size_t column = 0; column < size; ++column) {
            const Amplitude& here = all[row * size + column];
            const Amplitude& there = all[(size - row) % size * size + (size - column) % size];
            EXPECT_EQ(opposite(here), std::conj(with(there))) << row << " " << column;
            if (row == size / 2 || column == size / 2) {
                EXPECT_EQ(std::abs(with(here)), 0);
            }
            waves += with(here) != std::complex<float>() ? 1 : 0;
        }
    EXPECT_GT(waves, size * size / 2);
    EXPECT_EQ(std::abs(with(all[0])), 0);
}

TEST(Ocean, ALargerSizeAddsWavesAndChangesNone) {
    const Spectrum spectrum(SpectrumKind::phillips, some_wind);
    const Patch patch{100, 0.3, 0, 0.8};
    const auto small = amplitudes(spectrum, patch, 32, 9), large = amplitudes(spectrum, patch, 64, 9);
    for (std::int64_t row = -15; row < 16; ++row)
        for (std::int64_t column = -15; column < 16; ++column) {
            const auto at = [&](std::int64_t size) {
                return static_cast<std::size_t>((row + size) % size * size + (column + size) % size);
            };
            EXPECT_EQ(with(small[at(32)]), with(large[at(64)]));
        }
    const auto other = amplitudes(spectrum, patch, 32, 10);
    EXPECT_NE(with(small[1]), with(other[1]));
}

TEST(Ocean, VarianceOfHeightsIsTheSumOfTheSpectrum) {
    for (const SpectrumKind kind : {SpectrumKind::phillips, SpectrumKind::jonswap}) {
        Settings settings;
        settings.spectrum = kind;
        settings.size = 64;
        double drawn = 0, expected = 0;
        constexpr int seeds = 24;
        for (int seed = 0; seed < seeds; ++seed) {
            settings.seed = static_cast<std::uint64_t>(seed);
            for (const PatchOfWaves& one : make_waves(settings)) drawn += one.height_variance / seeds;
        }
        const Spectrum spectrum(kind, settings.wind);
        for (const Patch& patch : patches(spectrum, 3, 64)) {
            const double step = 2 * pi / patch.length;
            for (int row = -31; row < 32; ++row)
                for (int column = -31; column < 32; ++column) {
                    const double k = step * std::hypot(row, column);
                    if (k < patch.k_min || k >= patch.k_max) continue;
                    const double angle = std::atan2(row, column) + patch.rotation;
                    expected += spectrum.density({k * std::cos(angle), k * std::sin(angle)}) * step * step;
                }
        }
        EXPECT_NEAR(drawn, expected, 0.1 * expected);
    }
}

}  // namespace
}  // namespace seiche::ocean
