// Halves on the host: bit patterns of IEEE binary16 (f16) and bfloat16 (bf16), to and from float.
#pragma once

#include <cstdint>
#include <cstring>

#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

/// Rounded to nearest even; beyond 65504 an infinity; a NaN stays one.
inline std::uint16_t to_f16(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    const std::uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);
    if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);  // 65520 and more
    if (magnitude < 0x33000000u) return static_cast<std::uint16_t>(sign);
    std::uint32_t significand = magnitude - 0x38000000u, shift = 13;  // the exponents' biases differ by 112
    if (magnitude < 0x38800000u) {                                    // below 2^-14: subnormal, a multiple of 2^-24
        shift = 126 - (magnitude >> 23);
        significand = (magnitude & 0x7fffffu) | 0x800000u;
    }
    // A carry out of the fraction raises the exponent, as it should.
    const std::uint32_t to_even = significand >> shift & 1u;
    const std::uint32_t result = (significand + (1u << (shift - 1)) - 1 + to_even) >> shift;
    return static_cast<std::uint16_t>(sign | result);
}

inline float from_f16(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 0x1fu, fraction = half & 0x3ffu;
    if (exponent == 0) {
        const float value = static_cast<float>(fraction) * 0x1p-24f;
        return sign != 0 ? -value : value;
    }
    const std::uint32_t bits = sign | (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | fraction << 13;
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// Rounded to nearest even; a NaN stays one.
inline std::uint16_t to_bf16(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fc0u;
    return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

inline float from_bf16(std::uint16_t half) {
    const std::uint32_t bits = std::uint32_t{half} << 16;
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

}  // namespace seiche
SEICHE_EXPORT_END
