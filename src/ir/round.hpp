// Rounding of a double to a narrower type, once.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace seiche::ir {

/// Rounds a double once to a type with `bits` of precision, least normal 2^min_exponent and `limit` = 2^(largest
/// exponent + 1).
inline float round_double(double x, int bits, int min_exponent, double limit) {
    const std::uint64_t all = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t sign = all & (1ull << 63), size = all & ~(1ull << 63);
    const double value = std::bit_cast<double>(size);
    if (!(value < std::numeric_limits<double>::infinity())) return static_cast<float>(x);
    double rounded;
    if (value < std::ldexp(1.0, min_exponent)) {
        const double magic = std::ldexp(1.0, 52 + min_exponent - (bits - 1));
        rounded = (value + magic) - magic;
    } else {
        const unsigned drop = static_cast<unsigned>(53 - bits);
        const std::uint64_t half = (1ull << (drop - 1)) - 1 + ((size >> drop) & 1);
        rounded = std::bit_cast<double>((size + half) & ~((1ull << drop) - 1));
        if (rounded >= limit) rounded = std::numeric_limits<double>::infinity();
    }
    return static_cast<float>(std::bit_cast<double>(std::bit_cast<std::uint64_t>(rounded) | sign));
}

/// To a half.
inline float round_to_f16(double x) { return round_double(x, 11, -14, 65536.0); }

}  // namespace seiche::ir
