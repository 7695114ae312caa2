// Filters of finite length with linear phase by the window method, with Kaiser's window (J. F. Kaiser, "Nonrecursive
// digital filter design using the I0-sinh window function", 1974).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace seiche::cli::signal {

/// The frequencies from `low` to `high` are let through, or held back; one that is absent is 0 or half the rate.
struct Band {
    std::optional<double> low, high;  ///< As fractions of the sampling rate, between 0 and 1/2.
    bool is_stopped = false;
};

/// The attenuation of a filter in decibels, and from where to where it rises to that, as a fraction of the sampling
/// rate: half of it on each side of the band's edges, where the amplitude is one half.
struct Steepness {
    double attenuation = 60, transition = 0;
};

/// Kaiser's formulas. The least odd number of taps: odd, so that the middle is one of them.
std::uint64_t taps_for(const Steepness& steepness);
/// The transition that so many taps, at least 2, make.
double transition_of(std::uint64_t taps, double attenuation);
/// The window's parameter for an attenuation.
double kaiser_beta(double attenuation);

/// `taps` (odd) coefficients, scaled so that the middle of the band that is let through, or its end at 0 or half the
/// rate, keeps its amplitude: scipy.signal.firwin with window=('kaiser', beta).
std::vector<double> windowed_sinc(const Band& band, std::uint64_t taps, double beta);

}  // namespace seiche::cli::signal
