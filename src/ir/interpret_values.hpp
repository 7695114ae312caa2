// How the interpreter stores scalars: booleans as bytes, integers as they are, narrow ones in 32 bits, halves as floats
// that are rounded to the half type.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "ir/interpret_core.hpp"
#include "ir/round.hpp"

namespace seiche::ir {

template <Scalar S>
struct StoredType;
template <>
struct StoredType<Scalar::boolean> {
    using type = std::uint8_t;
};
template <>
struct StoredType<Scalar::i8> {
    using type = std::int32_t;
};
template <>
struct StoredType<Scalar::u8> {
    using type = std::uint32_t;
};
template <>
struct StoredType<Scalar::i16> {
    using type = std::int32_t;
};
template <>
struct StoredType<Scalar::u16> {
    using type = std::uint32_t;
};
template <>
struct StoredType<Scalar::i32> {
    using type = std::int32_t;
};
template <>
struct StoredType<Scalar::u32> {
    using type = std::uint32_t;
};
template <>
struct StoredType<Scalar::u64> {
    using type = std::uint64_t;
};
template <>
struct StoredType<Scalar::f16> {
    using type = float;
};
template <>
struct StoredType<Scalar::bf16> {
    using type = float;
};
template <>
struct StoredType<Scalar::f32> {
    using type = float;
};
template <>
struct StoredType<Scalar::f64> {
    using type = double;
};
template <Scalar S>
using Stored = typename StoredType<S>::type;

constexpr std::uint32_t stored_bytes(Scalar s) {
    switch (s) {
        case Scalar::none: return 0;
        case Scalar::boolean: return 1;
        case Scalar::u64:
        case Scalar::f64: return 8;
        default: return 4;
    }
}

constexpr bool is_half(Scalar s) { return s == Scalar::f16 || s == Scalar::bf16; }
constexpr bool is_float(Scalar s) { return s >= Scalar::f16; }

/// Calls f.operator()<S>() for the scalar type s. `none` answers as boolean does.
template <class F>
auto with_scalar(Scalar s, F&& f) {
    switch (s) {
        case Scalar::i32: return f.template operator()<Scalar::i32>();
        case Scalar::u32: return f.template operator()<Scalar::u32>();
        case Scalar::u64: return f.template operator()<Scalar::u64>();
        case Scalar::f16: return f.template operator()<Scalar::f16>();
        case Scalar::bf16: return f.template operator()<Scalar::bf16>();
        case Scalar::f32: return f.template operator()<Scalar::f32>();
        case Scalar::f64: return f.template operator()<Scalar::f64>();
        default: return f.template operator()<Scalar::boolean>();
    }
}

/// The same with the types that live in memory only.
template <class F>
auto with_any_scalar(Scalar s, F&& f) {
    switch (s) {
        case Scalar::i8: return f.template operator()<Scalar::i8>();
        case Scalar::u8: return f.template operator()<Scalar::u8>();
        case Scalar::i16: return f.template operator()<Scalar::i16>();
        case Scalar::u16: return f.template operator()<Scalar::u16>();
        default: return with_scalar(s, std::forward<F>(f));
    }
}

/// What memory has of a narrow integer.
template <Scalar S>
using Narrow =
    std::conditional_t<S == Scalar::i8, std::int8_t,
                       std::conditional_t<S == Scalar::u8, std::uint8_t,
                                          std::conditional_t<S == Scalar::i16, std::int16_t, std::uint16_t>>>;

/// Rounds to half precision, ties to even, overflow to infinity.
SEICHE_INLINE float round_f16(float x) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t sign = bits & 0x80000000u, size = bits & 0x7fffffffu;
    // Below 2^-14 the quantum is 2^-24, which is the unit in the last place of 0.5.
    const float tiny = (std::bit_cast<float>(size) + 0.5f) - 0.5f;
    std::uint32_t rounded = (size + 0xfffu + ((size >> 13) & 1u)) & ~0x1fffu;
    rounded = rounded >= 0x47800000u ? 0x7f800000u : rounded;
    rounded = size < 0x38800000u ? std::bit_cast<std::uint32_t>(tiny) : rounded;
    rounded = size > 0x7f800000u ? 0x7fc00000u : rounded;
    return std::bit_cast<float>(rounded | sign);
}
SEICHE_INLINE float round_bf16(float x) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t sign = bits & 0x80000000u, size = bits & 0x7fffffffu;
    std::uint32_t rounded = (size + 0x7fffu + ((size >> 16) & 1u)) & 0xffff0000u;
    rounded = size > 0x7f800000u ? 0x7fc00000u : rounded;
    return std::bit_cast<float>(rounded | sign);
}

/// Rounds a result to the stored form of type S: what any arithmetic on a half ends with.
template <Scalar S>
SEICHE_INLINE Stored<S> rounded(float x) {
    if constexpr (S == Scalar::f16)
        return round_f16(x);
    else if constexpr (S == Scalar::bf16)
        return round_bf16(x);
    else
        return static_cast<Stored<S>>(x);
}
template <Scalar S>
SEICHE_INLINE Stored<S> rounded(double x) {
    if constexpr (S == Scalar::f16)
        return round_to_f16(x);
    else if constexpr (S == Scalar::bf16)
        return round_double(x, 8, -126, 0x1p128);
    else
        return static_cast<Stored<S>>(x);
}

inline std::uint16_t f16_bits(float x) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(round_f16(x));
    const std::uint32_t sign = (bits >> 16) & 0x8000u, size = bits & 0x7fffffffu;
    std::uint32_t half;
    if (size > 0x7f800000u)
        half = 0x7e00u;
    else if (size == 0x7f800000u)
        half = 0x7c00u;
    else if (size < 0x38800000u)
        half = static_cast<std::uint32_t>(std::bit_cast<float>(size) * 0x1p24f);
    else
        half = (size - 0x38000000u) >> 13;
    return static_cast<std::uint16_t>(sign | half);
}
inline float f16_value(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000u) << 16, size = bits & 0x7fffu;
    std::uint32_t value;
    if (size > 0x7c00u)
        value = 0x7fc00000u;
    else if (size == 0x7c00u)
        value = 0x7f800000u;
    else if (size < 0x400u)
        value = std::bit_cast<std::uint32_t>(static_cast<float>(size) * 0x1p-24f);
    else
        value = (size << 13) + 0x38000000u;
    return std::bit_cast<float>(value | sign);
}

/// A scalar of type S as memory holds it.
template <Scalar S>
struct Memory {
    static constexpr std::size_t bytes = scalar_bytes(S);
    static SEICHE_INLINE Stored<S> get(const std::byte* from) {
        if constexpr (is_half(S)) {
            std::uint16_t bits;
            std::memcpy(&bits, from, sizeof bits);
            if constexpr (S == Scalar::f16)
                return f16_value(bits);
            else
                return std::bit_cast<float>(std::uint32_t{bits} << 16);
        } else if constexpr (is_narrow(S)) {
            Narrow<S> value;
            std::memcpy(&value, from, sizeof value);
            return value;
        } else {
            Stored<S> value;
            std::memcpy(&value, from, sizeof value);
            return value;
        }
    }
    static SEICHE_INLINE void put(std::byte* to, Stored<S> value) {
        if constexpr (is_half(S)) {
            std::uint16_t bits;
            if constexpr (S == Scalar::f16)
                bits = f16_bits(value);
            else
                bits = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
            std::memcpy(to, &bits, sizeof bits);
        } else if constexpr (is_narrow(S)) {
            const auto narrow = static_cast<Narrow<S>>(value);
            std::memcpy(to, &narrow, sizeof narrow);
        } else {
            std::memcpy(to, &value, sizeof value);
        }
    }
};

}  // namespace seiche::ir
