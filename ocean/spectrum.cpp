// Spectra of wind waves on deep water, and amplitudes drawn from them.
#include "ocean/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace seiche::ocean {

namespace {

constexpr double pi = std::numbers::pi;

/// Sebastiano Vigna's splitmix64: one step, a good mixing of 64 bits.
std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/// In (0, 1].
double uniform(std::uint64_t bits) { return (static_cast<double>(bits >> 11) + 1) * 0x1p-53; }

/// A complex Gaussian number of mean |z|^2 = 1, by Box and Muller.
std::complex<double> gaussian(std::uint64_t key) {
    const double radius = std::sqrt(-std::log(uniform(mix(key))));
    return std::polar(radius, 2 * pi * uniform(mix(key ^ 0x5851f42d4c957f2dull)));
}

/// What tells the wave vectors of all patches apart; the rotation and side of a patch tell it from the others.
std::uint64_t key_of(std::uint64_t seed, const Patch& patch, std::int64_t column, std::int64_t row) {
    const auto millimetres = static_cast<std::uint64_t>(std::llround(patch.rotation * 1000) + (1 << 20));
    return mix(mix(mix(seed) + millimetres) + (static_cast<std::uint64_t>(column) << 32) +
               (static_cast<std::uint64_t>(row) & 0xffffffffull));
}

double phillips(double k, double theta, double speed) {
    constexpr double alpha = 0.0081;
    const double along = std::cos(theta), length = speed * speed / gravity;
    if (along <= 0) return 0;
    return alpha / 2 * std::exp(-1 / (k * k * length * length)) / (k * k * k * k) * (2 / pi) * along * along;
}

}  // namespace

double dispersion(double k) { return std::sqrt(gravity * k); }

Spectrum::Spectrum(SpectrumKind kind, const Wind& wind) : kind_(kind), wind_(wind) {}

double Spectrum::jonswap_peak() const { return 22 * std::cbrt(gravity * gravity / (wind_.speed * wind_.fetch)); }

double Spectrum::jonswap(double omega) const {
    const double alpha = 0.076 * std::pow(wind_.speed * wind_.speed / (wind_.fetch * gravity), 0.22);
    const double peak = jonswap_peak(), sigma = omega <= peak ? 0.07 : 0.09;
    const double distance = (omega - peak) / (sigma * peak), r = std::exp(-distance * distance / 2);
    return alpha * gravity * gravity / std::pow(omega, 5) * std::exp(-1.25 * std::pow(peak / omega, 4)) *
           std::pow(3.3, r);
}

double Spectrum::spreading(double omega, double theta) const {
    const double ratio = omega / jonswap_peak();
    const double exponent = -2.33 - 1.45 * (wind_.speed * jonswap_peak() / gravity - 1.17);
    const double s = ratio < 1 ? 6.97 * std::pow(ratio, 4.06) : 9.77 * std::pow(ratio, exponent);
    // The integral of cos^2s(theta / 2) over a turn is 2 sqrt(pi) Gamma(s + 1/2) / Gamma(s + 1).
    const double norm = std::exp(std::lgamma(s + 1) - std::lgamma(s + 0.5)) / (2 * std::sqrt(pi));
    return norm * std::pow(std::abs(std::cos(theta / 2)), 2 * s);
}

double Spectrum::density(WaveVector k) const {
    const double length = std::hypot(k.x, k.z);
    if (length == 0) return 0;
    const double theta = std::atan2(k.z, k.x) - wind_.direction;
    if (kind_ == SpectrumKind::phillips) return phillips(length, theta, wind_.speed);
    const double omega = dispersion(length), by_wave_number = gravity / (2 * omega);
    return jonswap(omega) * spreading(omega, theta) * by_wave_number / length;
}

double Spectrum::peak_wave_number() const {
    if (kind_ == SpectrumKind::jonswap) return jonswap_peak() * jonswap_peak() / gravity;
    // k exp(-1 / (k l)^2) / k^4 is highest at k l = sqrt(2 / 3).
    return std::sqrt(2.0 / 3) * gravity / (wind_.speed * wind_.speed);
}

std::vector<Patch> patches(const Spectrum& spectrum, int count, std::uint32_t size) {
    constexpr double ratio = 5.618, waves_across = 4;
    std::vector<Patch> all(static_cast<std::size_t>(count));
    double length = std::max(waves_across * 2 * pi / spectrum.peak_wave_number(), 20.0), k_min = 0;
    for (std::size_t p = 0; p < all.size(); ++p, length /= ratio) {
        const double step = 2 * pi / length, most = step * (size / 2);
        all[p] = {length, 0.45 * static_cast<double>(p), k_min, most};
        // The next patch takes over where it has a few waves to a side, or where this one ends.
        if (p + 1 < all.size()) all[p].k_max = std::min(4 * step * ratio, 0.9 * most);
        k_min = all[p].k_max;
    }
    return all;
}

std::vector<Amplitude> amplitudes(const Spectrum& spectrum, const Patch& patch, std::uint32_t size,
                                  std::uint64_t seed) {
    const double step = 2 * pi / patch.length, cosine = std::cos(patch.rotation), sine = std::sin(patch.rotation);
    const auto half = static_cast<std::int64_t>(size) / 2;
    const auto drawn = [&](std::int64_t column, std::int64_t row) -> std::complex<double> {
        const double x = step * static_cast<double>(column), z = step * static_cast<double>(row);
        const double length = std::hypot(x, z);
        if (length < patch.k_min || length >= patch.k_max || column == -half || row == -half) return 0;
        const double density = spectrum.density({cosine * x - sine * z, sine * x + cosine * z});
        return std::sqrt(density / 2) * step * gaussian(key_of(seed, patch, column, row));
    };
    std::vector<Amplitude> all(std::size_t{size} * size);
    for (std::int64_t row = -half; row < half; ++row)
        for (std::int64_t column = -half; column < half; ++column) {
            const std::complex<double> with = drawn(column, row);
            const std::complex<double> opposite = column == -half || row == -half ? 0 : std::conj(drawn(-column, -row));
            const std::int64_t count = 2 * half;
            all[static_cast<std::size_t>((row + count) % count * count + (column + count) % count)] = {
                static_cast<float>(with.real()), static_cast<float>(with.imag()), static_cast<float>(opposite.real()),
                static_cast<float>(opposite.imag())};
        }
    return all;
}

}  // namespace seiche::ocean
