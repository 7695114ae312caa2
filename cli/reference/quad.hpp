// The widest numbers of the host, for judging double-double results: 113 bits of significand where the compiler has
// them.
#pragma once

#include <cmath>
#include <limits>

#include "seiche/double_double.hpp"

namespace seiche::cli {

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Quad;
inline constexpr bool has_quad = true;
#else
using Quad = long double;  // binary128 on AArch64
inline constexpr bool has_quad = std::numeric_limits<long double>::digits >= 113;
#endif

inline Quad to_quad(DoubleDouble x) { return static_cast<Quad>(x.hi) + static_cast<Quad>(x.lo); }

/// What a result in T is judged in.
template <class T>
struct Judging {
    using Real = long double;
};
template <>
struct Judging<DoubleDouble> {
    using Real = Quad;
};

template <class Real>
Real widened(float x) {
    return x;
}
template <class Real>
Real widened(double x) {
    return x;
}
template <class Real>
Real widened(DoubleDouble x) {
    return to_quad(x);
}

template <class Real>
Real square_root(Real x) {
    const auto root = static_cast<Real>(std::sqrt(static_cast<long double>(x)));
    return (root + x / root) / 2;  // a step of Newton's iteration
}

}  // namespace seiche::cli
