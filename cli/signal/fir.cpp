// Filters of finite length with linear phase by the window method, with Kaiser's window (J. F. Kaiser, "Nonrecursive
// digital filter design using the I0-sinh window function", 1974).
#include "cli/signal/fir.hpp"

#include <cmath>
#include <numbers>

namespace seiche::cli::signal {
namespace {

using std::numbers::pi;

/// (taps - 1) times the transition as a fraction of the rate; below 21 dB a rectangular window suffices.
double width_factor(double attenuation) { return attenuation > 21 ? (attenuation - 7.95) / (2 * pi * 2.285) : 0.9222; }

/// The ideal low pass up to `edge`, x taps from its middle.
double sinc(double edge, double x) { return x == 0 ? 2 * edge : std::sin(2 * pi * edge * x) / (pi * x); }

/// Where the amplitude is made 1: the first band that is let through.
double reference(const Band& band) {
    if (band.is_stopped) return band.low ? 0 : 0.5;
    if (!band.low) return 0;
    return band.high ? (*band.low + *band.high) / 2 : 0.5;
}

}  // namespace

std::uint64_t taps_for(const Steepness& steepness) {
    const double steps = std::ceil(width_factor(steepness.attenuation) / steepness.transition);
    const auto count = static_cast<std::uint64_t>(steps) + 1;
    return count | 1;
}

double transition_of(std::uint64_t taps, double attenuation) {
    return width_factor(attenuation) / static_cast<double>(taps - 1);
}

double kaiser_beta(double attenuation) {
    if (attenuation > 50) return 0.1102 * (attenuation - 8.7);
    if (attenuation > 21) return 0.5842 * std::pow(attenuation - 21, 0.4) + 0.07886 * (attenuation - 21);
    return 0;
}

std::vector<double> windowed_sinc(const Band& band, std::uint64_t taps, double beta) {
    std::vector<double> h(taps);
    const double middle = static_cast<double>(taps - 1) / 2, frequency = reference(band);
    double gain = 0;
    for (std::uint64_t j = 0; j < taps; ++j) {
        const double x = static_cast<double>(j) - middle, place = middle > 0 ? x / middle : 0;
        const double inside = sinc(band.high.value_or(0.5), x) - sinc(band.low.value_or(0), x);
        const double ideal = band.is_stopped ? sinc(0.5, x) - inside : inside;
        h[j] = ideal * std::cyl_bessel_i(0, beta * std::sqrt(1 - place * place)) / std::cyl_bessel_i(0, beta);
        gain += h[j] * std::cos(2 * pi * frequency * x);
    }
    for (double& value : h) value /= gain;
    return h;
}

}  // namespace seiche::cli::signal
