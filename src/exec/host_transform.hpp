// A discrete Fourier transform on the host, for the spectra in constant tables; of double, long double or
// double-double.
#pragma once

#include <cstdint>
#include <vector>

#include "support/double_double.hpp"
#include "support/primes.hpp"
#include "support/twiddle.hpp"

namespace seiche::exec {

inline double sum(double a, double b) { return a + b; }
inline long double sum(long double a, long double b) { return a + b; }
inline DoubleDouble sum(DoubleDouble a, DoubleDouble b) { return support::add(a, b); }
inline double product(double a, double b) { return a * b; }
inline long double product(long double a, long double b) { return a * b; }
inline DoubleDouble product(DoubleDouble a, DoubleDouble b) { return support::multiply(a, b); }
inline double negative(double a) { return -a; }
inline long double negative(long double a) { return -a; }
inline DoubleDouble negative(DoubleDouble a) { return support::negative(a); }
inline double quotient(double a, std::uint64_t n) { return a / static_cast<double>(n); }
inline long double quotient(long double a, std::uint64_t n) { return a / static_cast<long double>(n); }
inline DoubleDouble quotient(DoubleDouble a, std::uint64_t n) {
    return support::divide(a, DoubleDouble(static_cast<long double>(n)));
}

/// A complex number on the host.
template <class Real>
struct Point {
    Real re{}, im{};
};
template <class Real>
Point<Real> sum(Point<Real> a, Point<Real> b) {
    return {sum(a.re, b.re), sum(a.im, b.im)};
}
template <class Real>
Point<Real> product(Point<Real> a, Point<Real> b) {
    return {sum(product(a.re, b.re), negative(product(a.im, b.im))), sum(product(a.re, b.im), product(a.im, b.re))};
}

/// exp(-2 pi i k / n).
template <class Real>
Point<Real> root(std::uint64_t k, std::uint64_t n) {
    const support::ComplexExtended w = support::twiddle_extended(k, n);
    return {static_cast<Real>(w.re), static_cast<Real>(w.im)};
}
template <>
inline Point<DoubleDouble> root(std::uint64_t k, std::uint64_t n) {
    const ComplexDoubleDouble w = support::twiddle_double_double(k, n);
    return {w.re, w.im};
}

/// exp(-pi i k^2 / n).
template <class Real>
Point<Real> chirp(std::uint64_t k, std::uint64_t n) {
    return root<Real>(support::multiply_mod(k, k, 2 * n), 2 * n);
}

/// A plain mixed-radix transform (Cooley & Tukey 1965), used once per plan, in more than the plan's precision where the
/// host has that.
template <class Real>
class HostTransform {
public:
    explicit HostTransform(std::uint64_t n) : n_(n), roots_(n), factors_(support::prime_factors(n)) {
        for (std::uint64_t k = 0; k < n; ++k) roots_[k] = root<Real>(k, n);
    }

    std::vector<Point<Real>> run(const std::vector<Point<Real>>& x) const {
        std::vector<Point<Real>> y(n_);
        step(x.data(), 1, y.data(), 0);
        return y;
    }

private:
    /// y = transform of n_/stride points of x, `stride` apart; `level` counts the factors split off so far.
    void step(const Point<Real>* x, std::uint64_t stride, Point<Real>* y, std::size_t level) const {
        const std::uint64_t n = n_ / stride;
        if (n == 1) {
            *y = *x;
            return;
        }
        const std::uint64_t r = factors_[level], m = n / r;
        for (std::uint64_t j = 0; j < r; ++j) step(x + j * stride, stride * r, y + j * m, level + 1);
        std::vector<Point<Real>> leg(r);
        for (std::uint64_t k = 0; k < m; ++k) {
            for (std::uint64_t j = 0; j < r; ++j) leg[j] = product(y[j * m + k], roots_[j * k * stride]);
            for (std::uint64_t q = 0; q < r; ++q) {
                Point<Real> all = leg[0];
                for (std::uint64_t j = 1; j < r; ++j) all = sum(all, product(leg[j], roots_[j * q % r * (n_ / r)]));
                y[q * m + k] = all;
            }
        }
    }

    std::uint64_t n_;
    std::vector<Point<Real>> roots_;
    std::vector<std::uint64_t> factors_;
};

}  // namespace seiche::exec
