// A discrete Fourier transform on the host, for the spectra in constant tables; of double, long double or
// double-double.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/double_double.hpp"
#include "support/parallel.hpp"
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

template <class Real>
Point<Real> difference(Point<Real> a, Point<Real> b) {
    return {sum(a.re, negative(b.re)), sum(a.im, negative(b.im))};
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

/// exp(-2 pi i k / n), k < n, where many are wanted: a product of two entries of short tables in extended precision,
/// whose error, a few units of that, is below what rounding to double adds. Double-doubles have no such room.
template <class Real>
class Roots {
public:
    explicit Roots(std::uint64_t n) : n_(n), shift_(static_cast<int>(std::bit_width(n)) / 2) {
        for (std::uint64_t k = 0; k < std::uint64_t{1} << shift_; ++k) fine_.push_back(root<long double>(k, n));
        for (std::uint64_t k = 0; k < n; k += std::uint64_t{1} << shift_) coarse_.push_back(root<long double>(k, n));
    }
    Point<Real> operator()(std::uint64_t k) const {
        const Point<long double> w = product(coarse_[k >> shift_], fine_[k & ((std::uint64_t{1} << shift_) - 1)]);
        return {static_cast<Real>(w.re), static_cast<Real>(w.im)};
    }
    std::uint64_t length() const { return n_; }

private:
    std::uint64_t n_;
    int shift_;
    std::vector<Point<long double>> fine_, coarse_;
};
template <>
class Roots<DoubleDouble> {
public:
    explicit Roots(std::uint64_t n) : n_(n) {}
    Point<DoubleDouble> operator()(std::uint64_t k) const { return root<DoubleDouble>(k, n_); }
    std::uint64_t length() const { return n_; }

private:
    std::uint64_t n_;
};

/// exp(-pi i k^2 / n), from the roots of 2 n.
template <class Real>
Point<Real> chirp(std::uint64_t k, const Roots<Real>& roots) {
    return roots(support::multiply_mod(k, k, roots.length()));
}

/// A plain mixed-radix transform (Cooley & Tukey 1965), used once per plan, in more than the plan's precision where the
/// host has that.
template <class Real>
class HostTransform {
public:
    explicit HostTransform(std::uint64_t n) : n_(n), roots_(n) {
        const Roots<Real> roots(n);
        support::parallel_parts(n, [&](std::uint64_t begin, std::uint64_t end) {
            for (std::uint64_t k = begin; k < end; ++k) roots_[k] = roots(k);
        });
        for (const std::uint64_t prime : support::prime_factors(n)) {
            const bool makes_four = prime == 2 && !factors_.empty() && factors_.back() == 2;
            if (makes_four)
                factors_.back() = 4;
            else
                factors_.push_back(prime);
        }
    }

    std::vector<Point<Real>> run(const std::vector<Point<Real>>& x) const {
        std::vector<Point<Real>> y(n_);
        step(x.data(), y.data(), 1, 0);
        return y;
    }

private:
    /// y = transform of n_/stride points of x, `stride` apart; `level` counts the factors split off so far.
    void step(const Point<Real>* x, Point<Real>* y, std::uint64_t stride, std::size_t level) const {
        constexpr std::uint64_t many = std::uint64_t{1} << 17;  // points that are worth threads
        const std::uint64_t n = n_ / stride;
        if (n == 1) {
            *y = *x;
            return;
        }
        const std::uint64_t r = factors_[level], m = n / r;
        const auto leg = [&](std::uint64_t j) { step(x + j * stride, y + j * m, stride * r, level + 1); };
        const auto part = [&](std::uint64_t begin, std::uint64_t end) { combine(y, {r, m, stride}, begin, end); };
        if (n >= many) {
            support::parallel(r, support::processors(), leg);
            support::parallel_parts(m, part);
            return;
        }
        for (std::uint64_t j = 0; j < r; ++j) leg(j);
        part(0, m);
    }

    struct Split {
        std::uint64_t r, m, stride;
    };

    /// Results begin .. end-1 of the legs become one transform's.
    void combine(Point<Real>* y, const Split& split, std::uint64_t begin, std::uint64_t end) const {
        std::vector<Point<Real>> legs(split.r > 4 || split.r == 3 ? split.r : 0);
        for (std::uint64_t k = begin; k < end; ++k) {
            switch (split.r) {
                case 2: combine_2(y + k, split.m, k * split.stride); break;
                case 4: combine_4(y + k, split.m, k * split.stride); break;
                default: combine_any(y + k, split, k * split.stride, legs); break;
            }
        }
    }

    void combine_2(Point<Real>* y, std::uint64_t m, std::uint64_t root) const {
        const Point<Real> a = y[0], b = product(y[m], roots_[root]);
        y[0] = sum(a, b);
        y[m] = difference(a, b);
    }

    void combine_4(Point<Real>* y, std::uint64_t m, std::uint64_t root) const {
        const Point<Real> a = y[0], b = product(y[m], roots_[root]), c = product(y[2 * m], roots_[2 * root]),
                          d = product(y[3 * m], roots_[3 * root]);
        const Point<Real> even = sum(a, c), odd = sum(b, d), s = difference(a, c), t = difference(b, d);
        const Point<Real> turned{t.im, negative(t.re)};  // -i t
        y[0] = sum(even, odd);
        y[m] = sum(s, turned);
        y[2 * m] = difference(even, odd);
        y[3 * m] = difference(s, turned);
    }

    void combine_any(Point<Real>* y, const Split& split, std::uint64_t root, std::vector<Point<Real>>& legs) const {
        const std::uint64_t r = split.r, m = split.m;
        for (std::uint64_t j = 0; j < r; ++j) legs[j] = product(y[j * m], roots_[j * root]);
        for (std::uint64_t q = 0; q < r; ++q) {
            Point<Real> all = legs[0];
            for (std::uint64_t j = 1; j < r; ++j) all = sum(all, product(legs[j], roots_[j * q % r * (n_ / r)]));
            y[q * m] = all;
        }
    }

    std::uint64_t n_;
    std::vector<Point<Real>> roots_;
    std::vector<std::uint64_t> factors_;
};

}  // namespace seiche::exec
