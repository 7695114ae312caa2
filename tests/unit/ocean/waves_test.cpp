// The waves on a device against direct sums over wave vectors, and the foam that they make.
#include "ocean/waves.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "ocean/sea.hpp"

namespace seiche::ocean {
namespace {

using Complex = std::complex<double>;

const Gpu& gpu() {
    static const Gpu only("vulkan");
    return only;
}

Settings small_sea(std::uint32_t size = 16) {
    Settings settings;
    settings.size = size;
    settings.width = 160;
    settings.height = 90;
    return settings;
}

/// Height, displacement in x and z, d D_x / d z, slopes in x and z, d D_x / d x, d D_z / d z of one point.
std::array<double, 8> direct_sum(const PatchOfWaves& waves, std::size_t size, std::size_t point, double time) {
    std::array<double, 8> sums{};
    const double unit = 2 * std::numbers::pi / waves.patch.length,
                 cell = waves.patch.length / static_cast<double>(size);
    const double x = cell * static_cast<double>(point % size), z = cell * static_cast<double>(point / size);
    const auto signed_index = [&](std::size_t i) {
        return i < size / 2 ? static_cast<double>(i) : static_cast<double>(i) - static_cast<double>(size);
    };
    for (std::size_t i = 0; i < size * size; ++i) {
        const double kx = unit * signed_index(i % size), kz = unit * signed_index(i / size), k = std::hypot(kx, kz);
        if (k == 0) continue;
        const Amplitude& a = waves.amplitudes[i];
        const Complex turn = std::polar(1.0, -std::sqrt(9.81 * k) * time), j(0, 1);
        const Complex h =
            Complex(a.with_re, a.with_im) * turn + Complex(a.opposite_re, a.opposite_im) * std::conj(turn);
        const Complex here = h * std::polar(1.0, kx * x + kz * z);
        const std::array<Complex, 8> terms{
            here,          j * (kx / k) * here, j * (kz / k) * here, -kx * kz / k * here,
            j * kx * here, j * kz * here,       -kx * kx / k * here, -kz * kz / k * here};
        for (std::size_t f = 0; f < 8; ++f) sums[f] += terms[f].real();
    }
    return sums;
}

void expect_direct_sums(const Algorithm& algorithm) {
    constexpr std::size_t size = 16, area = size * size;
    constexpr double time = 1.75;
    Sea sea(gpu(), small_sea(size), algorithm);
    sea.draw(time);
    const std::vector<std::complex<float>> fields = sea.waves().fields();
    ASSERT_EQ(fields.size(), 3 * 4 * area);
    for (std::size_t p = 0; p < 3; ++p) {
        std::array<double, 8> error{}, power{};
        for (std::size_t point = 0; point < area; ++point) {
            const std::array<double, 8> exact = direct_sum(sea.patches()[p], size, point, time);
            for (std::size_t f = 0; f < 8; ++f) {
                const std::complex<float> both = fields[(4 * p + f / 2) * area + point];
                const double got = static_cast<double>(f % 2 == 0 ? both.real() : both.imag());
                error[f] += (got - exact[f]) * (got - exact[f]);
                power[f] += exact[f] * exact[f];
            }
        }
        // Fields of one transform round together, the smaller one by the larger.
        for (std::size_t f = 0; f < 8; ++f)
            EXPECT_LT(std::sqrt(error[f]), 2e-6 * std::sqrt(power[f] + power[f ^ 1]))
                << "patch " << p << " field " << f;
    }
}

TEST(OceanWaves, FieldsAreDirectSums) { expect_direct_sums({automatic}); }
TEST(OceanWaves, FieldsByATextbookRecipe) { expect_direct_sums({"stockham-radix-2"}); }
/// One alternates between a pair of images, the other works in place in the output's.
TEST(OceanWaves, FieldsInImages) {
    for (const char* name : {automatic, "stockham-radix-4", "split-radix"}) {
        SCOPED_TRACE(name);
        expect_direct_sums({name, Arrays::images});
    }
}

/// Their transform is the fields, by a plan of another kind of arrays too, and asking for them changes no frame.
TEST(OceanWaves, SpectraAreWhatIsTransformed) {
    for (const Arrays arrays : {Arrays::buffers, Arrays::images}) {
        Sea sea(gpu(), small_sea(), {automatic, arrays});
        constexpr double time = 1.75;
        const std::vector<std::complex<float>> spectra = sea.spectra(time);
        sea.draw(time);
        const std::vector<std::complex<float>> fields = sea.waves().fields();
        ASSERT_EQ(spectra.size(), fields.size());
        // The first point's fields are the sums of all wave vectors'.
        constexpr std::size_t area = 16 * 16;
        for (std::size_t first = 0; first < fields.size(); first += area) {
            Complex sum = 0;
            double size = 0;
            for (std::size_t i = 0; i < area; ++i) {
                sum += Complex(spectra[first + i]);
                size += std::abs(Complex(spectra[first + i]));
            }
            EXPECT_LT(std::abs(sum - Complex(fields[first])), 1e-6 * size);
        }
    }
}

TEST(OceanWaves, ARecipeThatIsNotThere) { EXPECT_THROW(Sea(gpu(), small_sea(), {"no-such-recipe"}), std::exception); }

/// Mean foam after a second.
double mean_foam(const Settings& settings) {
    Sea sea(gpu(), settings, {automatic});
    for (int i = 0; i < 8; ++i) sea.advance(i / 8.0);
    double sum = 0;
    const std::vector<float> foam = sea.waves().foam();
    for (const float f : foam) {
        EXPECT_GE(f, 0);
        EXPECT_LE(f, 1);
        sum += static_cast<double>(f);
    }
    return sum / static_cast<double>(foam.size());
}

TEST(OceanWaves, FoamGrowsWithTheWind) {
    Settings settings = small_sea(64);
    settings.wind.speed = 5;
    const double light = mean_foam(settings);
    settings.wind.speed = 20;
    const double strong = mean_foam(settings);
    EXPECT_LT(light, 0.003);
    EXPECT_GT(strong, 0.02);
    settings.choppiness = 0;
    EXPECT_EQ(mean_foam(settings), 0);
}

}  // namespace
}  // namespace seiche::ocean
