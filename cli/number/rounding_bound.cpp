// How far a product of integer sequences by transforms in double precision may be from the true integers, proven.
#include "cli/number/rounding_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/text/failure.hpp"
#include "cli/text/text.hpp"

namespace seiche::cli::number {
namespace {

constexpr double u = 0x1p-53;  // half an ulp of 1: the relative error of one rounding
/// Of a complex multiplication, whichever of its products are fused with its sums: 2 sqrt(2) u, second order included.
constexpr double multiplication = 3 * u;
/// Of a tabulated root of unity: both parts are rounded once from 64 bits of significand or more, at most
/// sqrt(2) (u / 2) (1 + 2^-10).
constexpr double root = u;
static_assert(std::numeric_limits<long double>::digits >= 64, "the library rounds its roots from long double");

}  // namespace

double energy(const std::vector<std::int32_t>& values) {
    double sum = 0;
    for (const std::int32_t value : values) sum += static_cast<double>(value) * static_cast<double>(value);
    return sum;
}

int balance(double energy_x, double energy_y) {
    if (energy_x == 0 || energy_y == 0) return 0;
    return static_cast<int>(std::lround(std::log2(energy_x / energy_y) / 2));
}

double convolution_error_bound(double energy_x, double energy_y, unsigned log2_n) {
    // One level: an addition, and before it at most three factors from tables, each applied by a multiplication.
    const double level = std::log1p(u) + 3 * std::log1p(multiplication) + 3 * std::log1p(root);
    const double pointwise = std::log1p(multiplication) + std::log1p(u);
    const double relative = std::expm1(3 * log2_n * level + pointwise);
    const int shift = balance(energy_x, energy_y);
    const double norm = (std::ldexp(energy_x, -shift) + std::ldexp(energy_y, shift)) / 2;
    // For the rounding of the energies (2^30 terms at most) and of this function, and for underflow.
    constexpr double slack = 1 + 0x1p-20;
    return norm * relative * slack;
}

Rounded round_within(double bound, const std::vector<std::complex<double>>& values, double scale, std::size_t count) {
    Rounded rounded;
    rounded.values.reserve(count);
    for (std::size_t k = 0; k < values.size(); ++k) {
        const double value = values[k].real() * scale, whole = std::nearbyint(value);
        const double distance = std::max(std::abs(value - whole), std::abs(values[k].imag() * scale));
        const bool is_whole = distance <= bound && std::isfinite(value);
        if (!is_whole || (k >= count && whole != 0))
            throw Failure("expected sums within " + significant(bound, 3) + " of an integer, as proven, got " +
                          shortest(value) + " + " + shortest(values[k].imag() * scale) + " i as sum " +
                          std::to_string(k) + ": the device computes wrongly");
        rounded.distance = std::max(rounded.distance, distance);
        if (k < count) rounded.values.push_back(static_cast<std::int64_t>(whole));
    }
    return rounded;
}

}  // namespace seiche::cli::number
