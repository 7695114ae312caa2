// Spectra of wind waves on deep water: how much of the sea's variance each wave vector has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace seiche::ocean {

constexpr double gravity = 9.81;  ///< m/s^2.

/// Angular frequency in rad/s of waves of wave number `k` in rad/m on deep water: omega^2 = g k.
double dispersion(double k);

enum class SpectrumKind { phillips, jonswap };

struct Wind {
    double speed = 12;       ///< m/s, 10 m above the sea.
    double direction = 0;    ///< Radians from the x axis towards the z axis, to where it blows.
    double fetch = 300'000;  ///< Metres of open water that it has blown over; JONSWAP only.
};

/// A wave vector in rad/m.
struct WaveVector {
    double x = 0, z = 0;
};

class Spectrum {
public:
    Spectrum(SpectrumKind kind, const Wind& wind);

    /// Variance of the height per area of wave vectors, in m^2 / (rad/m)^2; 0 at k = 0. Its integral over all wave
    /// vectors is the variance of the sea's height.
    ///
    /// phillips  alpha / 2 exp(-1 / (k l)^2) / k^4 D(theta), l = U^2 / g, alpha = 0.0081, D = 2/pi cos^2(theta) with
    ///           the wind and 0 against it: J. Tessendorf, "Simulating Ocean Water", SIGGRAPH 2001, with an amplitude
    ///           that is Phillips' constant.
    /// jonswap   S(omega) D(omega, theta) (d omega / d k) / k, with S below.
    double density(WaveVector k) const;

    /// JONSWAP, K. Hasselmann and others, 1973: variance per angular frequency, in m^2 s, for frequencies > 0:
    /// alpha g^2 / omega^5 exp(-5/4 (omega_p / omega)^4) 3.3^r, alpha = 0.076 (U^2 / (F g))^0.22,
    /// omega_p = 22 (g^2 / (U F))^(1/3), r = exp(-(omega - omega_p)^2 / (2 sigma^2 omega_p^2)), sigma = 0.07 up to
    /// omega_p and 0.09 beyond.
    double jonswap(double omega) const;
    /// Angular frequency of JONSWAP's peak.
    double jonswap_peak() const;
    /// How JONSWAP's variance at a frequency is spread over directions, per radian, `theta` away from the wind:
    /// proportional to cos^2s(theta / 2) with the exponents of D. Hasselmann and others, 1980. Its integral is 1.
    double spreading(double omega, double theta) const;

    /// Wave number, in rad/m, at which the spectrum is highest, for choosing sizes.
    double peak_wave_number() const;

private:
    SpectrumKind kind_;
    Wind wind_;
};

/// A square of the sea that repeats, with the waves whose wave number is in [k_min, k_max).
struct Patch {
    double length = 1;    ///< Side in metres.
    double rotation = 0;  ///< Radians from the world's x axis to the patch's own, so that squares do not line up.
    double k_min = 0, k_max = 0;
};

/// `count` patches, each a few times smaller than the one before by a ratio that is no whole number, which share the
/// wave numbers between them: the sea repeats nowhere. The first is four waves of the peak wide.
std::vector<Patch> patches(const Spectrum& spectrum, int count, std::uint32_t size);

/// Amplitudes of a wave vector and of its opposite at time 0.
struct Amplitude {
    float with_re = 0, with_im = 0;          ///< h0(k).
    float opposite_re = 0, opposite_im = 0;  ///< conj(h0(-k)).
};

/// size x size amplitudes of a patch; element [row][column] is wave vector (column, row) 2 pi / length, where numbers
/// from size / 2 on are negative ones. The height of a point is the sum of h(k, t) exp(i k x) with
/// h = h0(k) exp(-i omega t) + conj(h0(-k)) exp(i omega t). Each h0 is a complex Gaussian number of variance
/// density / 2 times the area of a wave vector, made from seed, patch and wave vector alone: a larger size adds waves
/// and changes none. The wave vectors of size / 2, which have no opposite, are 0.
std::vector<Amplitude> amplitudes(const Spectrum& spectrum, const Patch& patch, std::uint32_t size, std::uint64_t seed);

}  // namespace seiche::ocean
