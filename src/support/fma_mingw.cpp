// a b + c, rounded once, where the C library cannot: by the processor's instruction, else in a wider type.
#include <bit>
#include <cmath>
#include <cstdint>

#include "support/fma.hpp"

namespace seiche::support {
namespace {

__extension__ typedef __float128 Quad;
__extension__ typedef unsigned __int128 QuadBits;

/// The sum in a type W whose products of the narrower type are exact, rounded to odd: of the two neighbours of an
/// inexact sum the one whose last bit is 1. Rounding that to the narrower type, which has at least two bits less, gives
/// what one rounding gives (S. Boldo and G. Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
template <class W, class Bits>
W sum_to_odd(W product, W c) {
    const W sum = product + c, part = sum - product;
    const W error = (product - (sum - part)) + (c - part);  // exactly what the sum leaves out (Knuth)
    const Bits bits = std::bit_cast<Bits>(sum);
    // Zero, infinity and NaN, whose error is zero or no number, stay.
    if (!(error < 0 || error > 0) || (bits & 1) != 0) return sum;
    return std::bit_cast<W>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

bool has_instruction() {
    static const bool has = __builtin_cpu_supports("fma") != 0;
    return has;
}

__attribute__((target("fma"))) double by_instruction(double a, double b, double c) { return __builtin_fma(a, b, c); }
__attribute__((target("fma"))) float by_instruction(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

}  // namespace

double fma_in_quad(double a, double b, double c) {
    return static_cast<double>(sum_to_odd<Quad, QuadBits>(static_cast<Quad>(a) * static_cast<Quad>(b), c));
}

float fma_in_double(float a, float b, float c) {
    return static_cast<float>(sum_to_odd<double, std::uint64_t>(static_cast<double>(a) * static_cast<double>(b), c));
}

double fma(double a, double b, double c) { return has_instruction() ? by_instruction(a, b, c) : fma_in_quad(a, b, c); }
float fma(float a, float b, float c) { return has_instruction() ? by_instruction(a, b, c) : fma_in_double(a, b, c); }

}  // namespace seiche::support
