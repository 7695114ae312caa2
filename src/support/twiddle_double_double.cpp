// Roots of unity to 106 bits: the angle is reduced in integers to [0, pi/4], where Taylor's series of sine and cosine
// are summed in fixed point with 128 bits behind the point.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "support/double_double.hpp"
#include "support/primes.hpp"
#include "support/twiddle.hpp"

namespace seiche::support {

namespace {

__extension__ typedef __int128 i128;

constexpr int fraction_bits = 128;
/// pi / 4.
constexpr u128 quarter_pi = static_cast<u128>(0xc90fdaa22168c234u) << 64 | 0xc4c6628b80dc1cd1u;

/// The upper half of the product: that of two fractions.
constexpr u128 product(u128 a, u128 b) {
    const std::uint64_t a1 = static_cast<std::uint64_t>(a >> 64), a0 = static_cast<std::uint64_t>(a);
    const std::uint64_t b1 = static_cast<std::uint64_t>(b >> 64), b0 = static_cast<std::uint64_t>(b);
    const u128 low = static_cast<u128>(a0) * b0, left = static_cast<u128>(a1) * b0, right = static_cast<u128>(a0) * b1;
    const u128 middle = (low >> 64) + static_cast<std::uint64_t>(left) + static_cast<std::uint64_t>(right);
    return static_cast<u128>(a1) * b1 + (left >> 64) + (right >> 64) + (middle >> 64);
}

/// 1 / k! for k = 2 .. 33; (pi/4)^34 / 34! is below the last bit.
constexpr int most_terms = 33;
constexpr auto inverse_factorials = [] {
    std::array<u128, most_terms + 1> values{};
    values[2] = static_cast<u128>(1) << (fraction_bits - 1);
    for (int k = 3; k <= most_terms; ++k)
        values[static_cast<std::size_t>(k)] = values[static_cast<std::size_t>(k) - 1] / static_cast<unsigned>(k);
    return values;
}();

/// 1/first! - z (1/(first+2)! - z (...)), of whole terms up to `last`.
u128 alternating_series(u128 z, std::size_t first, std::size_t last) {
    u128 sum = inverse_factorials[last];
    for (std::size_t k = last; k > first; k -= 2) sum = inverse_factorials[k - 2] - product(z, sum);
    return sum;
}

DoubleDouble rounded(u128 v) {
    const auto upper = static_cast<std::uint64_t>(v >> 64);
    const auto bits =
        static_cast<int>(upper != 0 ? 64 + std::bit_width(upper) : std::bit_width(static_cast<std::uint64_t>(v)));
    constexpr int significand = 53;
    if (bits <= significand) return std::ldexp(static_cast<double>(static_cast<std::uint64_t>(v)), -fraction_bits);
    const int shift = bits - significand;
    const u128 top = (v >> shift) + ((v >> (shift - 1)) & 1);
    const auto rest = static_cast<i128>(v - (top << shift));  // also where top << shift is 2^128
    return {std::ldexp(static_cast<double>(static_cast<std::uint64_t>(top)), shift - fraction_bits),
            std::ldexp(static_cast<double>(rest), -fraction_bits)};
}

struct SineAndCosine {
    DoubleDouble sine, cosine;
};

/// Of rest / n eighths of a turn, rest <= n.
SineAndCosine of_eighths(std::uint64_t rest, std::uint64_t n) {
    if (rest == 0) return {0.0, 1.0};
    if (rest == n) return {sqrt_half, sqrt_half};
    const u128 first = static_cast<u128>(rest) << 64;
    const u128 second = first % n << 64;
    const u128 angle = product((first / n) << 64 | second / n, quarter_pi);
    const u128 square = product(angle, angle);
    const u128 beside_one = product(square, alternating_series(square, 2, 32));
    const u128 sine = angle - product(product(angle, square), alternating_series(square, 3, 33));
    return {rounded(sine), beside_one == 0 ? DoubleDouble(1.0) : rounded(-beside_one)};
}

}  // namespace

ComplexDoubleDouble twiddle_double_double(std::uint64_t k, std::uint64_t n) {
    // As in twiddle_extended.
    const u128 eighths = static_cast<u128>(k % n) * 8;
    const auto octant = static_cast<unsigned>(eighths / n);
    std::uint64_t rest = static_cast<std::uint64_t>(eighths % n);
    if ((octant & 1) != 0) rest = n - rest;
    auto [s, c] = of_eighths(rest, n);
    const bool is_swapped = octant == 1 || octant == 2 || octant == 5 || octant == 6;
    if (is_swapped) std::swap(c, s);
    const auto signed_part = [](DoubleDouble x, bool minus) {
        return minus ? DoubleDouble{0.0 - x.hi, 0.0 - x.lo} : x;  // never -0
    };
    // The cosine is negative from a quarter of a turn to three, and the imaginary part in the first half.
    return {signed_part(c, octant >= 2 && octant <= 5), signed_part(s, octant <= 3)};
}

ComplexDoubleDouble chirp_double_double(std::uint64_t k, std::uint64_t n) {
    return twiddle_double_double(multiply_mod(k, k, 2 * n), 2 * n);
}

}  // namespace seiche::support
