// Double-double numbers on the host: what arrays of Precision::f64x2 hold.
#pragma once

#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

/// The sum of two doubles that do not overlap: |lo| <= ulp(hi) / 2, about 31 decimal digits with the range of a double
/// (Dekker, "A floating-point technique for extending the available precision", 1971). In memory hi comes first.
/// Numbers below 2^-969 have fewer digits, because lo underflows.
struct DoubleDouble {
    double hi = 0, lo = 0;

    constexpr DoubleDouble() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): every double is such a number
    constexpr DoubleDouble(double value) : hi(value) {}
    /// As it is: the caller answers for |b| <= ulp(a) / 2.
    constexpr DoubleDouble(double a, double b) : hi(a), lo(b) {}
    /// Rounded to 106 bits where a long double has more.
    explicit DoubleDouble(long double value)
        : hi(static_cast<double>(value)), lo(static_cast<double>(value - static_cast<long double>(hi))) {}

    /// The nearest double.
    explicit constexpr operator double() const { return hi + lo; }
    /// Rounded to what a long double has.
    explicit constexpr operator long double() const {
        return static_cast<long double>(hi) + static_cast<long double>(lo);
    }

    friend constexpr bool operator==(const DoubleDouble& a, const DoubleDouble& b) {
        return a.hi == b.hi && a.lo == b.lo;
    }
    friend constexpr bool operator!=(const DoubleDouble& a, const DoubleDouble& b) { return !(a == b); }
};

/// A complex element: four doubles in memory, re.hi, re.lo, im.hi, im.lo.
struct ComplexDoubleDouble {
    DoubleDouble re, im;

    friend constexpr bool operator==(const ComplexDoubleDouble& a, const ComplexDoubleDouble& b) {
        return a.re == b.re && a.im == b.im;
    }
    friend constexpr bool operator!=(const ComplexDoubleDouble& a, const ComplexDoubleDouble& b) { return !(a == b); }
};

}  // namespace seiche
SEICHE_EXPORT_END
