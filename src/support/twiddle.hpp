// Roots of unity, reduced exactly and rounded once.
#pragma once

#include <cstdint>

#include "seiche/double_double.hpp"

namespace seiche::support {

struct ComplexFloat {
    float re = 0, im = 0;
    bool operator==(const ComplexFloat&) const = default;
};
struct ComplexValue {
    double re = 0, im = 0;
    bool operator==(const ComplexValue&) const = default;
};
/// At least 64 bits of significand where the platform has them (x87), more on others (AArch64).
struct ComplexExtended {
    long double re = 0, im = 0;
};

/// exp(-2 pi i k / n) for any k and n >= 1. The angle is reduced in integers to an octant, so that the error does not
/// grow with k: extended, within two units of its last place; rounded once from there to double (at most 0.502 ulp on
/// x86) or float. Multiples of an eighth turn give exact zeros and ones, and equal halves.
ComplexExtended twiddle_extended(std::uint64_t k, std::uint64_t n);
ComplexValue twiddle(std::uint64_t k, std::uint64_t n);
ComplexFloat twiddle_float(std::uint64_t k, std::uint64_t n);

/// Bluestein's chirp exp(-pi i k^2 / n), with k^2 mod 2n in integers; 1 <= n < 2^63.
ComplexExtended chirp_extended(std::uint64_t k, std::uint64_t n);
ComplexValue chirp(std::uint64_t k, std::uint64_t n);
ComplexFloat chirp_float(std::uint64_t k, std::uint64_t n);

/// The same to 106 bits: both parts within 2^-106 of the exact value.
ComplexDoubleDouble twiddle_double_double(std::uint64_t k, std::uint64_t n);
ComplexDoubleDouble chirp_double_double(std::uint64_t k, std::uint64_t n);

inline ComplexValue to_double(ComplexExtended w) { return {static_cast<double>(w.re), static_cast<double>(w.im)}; }
inline ComplexFloat to_float(ComplexExtended w) { return {static_cast<float>(w.re), static_cast<float>(w.im)}; }

}  // namespace seiche::support
