// Arithmetic on double-double numbers on the host, for tables and constants. The error bounds are those of Joldes,
// Muller and Popescu, "Tight and rigorous error bounds for basic building blocks of double-word arithmetic" (2017),
// with u = 2^-53; nothing here is for numbers near overflow or underflow.
#pragma once

#include <cmath>

#include "seiche/double_double.hpp"
#include "support/fma.hpp"

namespace seiche::support {

inline constexpr DoubleDouble sqrt_2{0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54};
inline constexpr DoubleDouble sqrt_half{0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55};

/// a + b exactly, for |a| >= |b| or a = 0 (Dekker 1971).
inline DoubleDouble fast_two_sum(double a, double b) {
    const double s = a + b;
    return {s, b - (s - a)};
}

/// a + b exactly (Knuth).
inline DoubleDouble two_sum(double a, double b) {
    const double s = a + b, c = s - a;
    return {s, (a - (s - c)) + (b - c)};
}

/// a b exactly.
inline DoubleDouble two_product(double a, double b) {
    const double p = a * b;
    return {p, fma(a, b, -p)};
}

inline DoubleDouble negative(DoubleDouble a) { return {-a.hi, -a.lo}; }

/// Relative error at most 3 u^2 + 13 u^3 (their algorithm 6).
inline DoubleDouble add(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble s = two_sum(a.hi, b.hi), t = two_sum(a.lo, b.lo);
    const DoubleDouble v = fast_two_sum(s.hi, s.lo + t.hi);
    return fast_two_sum(v.hi, t.lo + v.lo);
}
inline DoubleDouble subtract(DoubleDouble a, DoubleDouble b) { return add(a, negative(b)); }

/// Relative error at most 5 u^2 (their algorithm 11).
inline DoubleDouble multiply(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble p = two_product(a.hi, b.hi);
    const double crossed = fma(a.lo, b.hi, a.hi * b.lo);
    return fast_two_sum(p.hi, p.lo + crossed);
}

/// Two steps of long division; a few u^2.
inline DoubleDouble divide(DoubleDouble a, DoubleDouble b) {
    const double first = a.hi / b.hi;
    const DoubleDouble rest = subtract(a, multiply(b, first));
    return fast_two_sum(first, rest.hi / b.hi);
}

/// One step of Newton's iteration from the double's root; a few u^2. a > 0.
inline DoubleDouble square_root(DoubleDouble a) {
    const double root = std::sqrt(a.hi);
    const DoubleDouble rest = subtract(a, two_product(root, root));
    return fast_two_sum(root, rest.hi / (2 * root));
}

}  // namespace seiche::support
