// A discrete Fourier transform on the host, for the spectra in constant tables; of double, long double or
// double-double.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
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

/// Points that nobody has set yet: who sets them first, on several processors, takes their pages.
template <class Real>
class Points {
public:
    explicit Points(std::uint64_t count) : size_(count), memory_(Allocator().allocate(count), Release{count}) {}
    std::uint64_t size() const { return size_; }
    Point<Real>* data() { return memory_.get(); }
    const Point<Real>* data() const { return memory_.get(); }
    Point<Real>& operator[](std::uint64_t i) { return memory_.get()[i]; }
    const Point<Real>& operator[](std::uint64_t i) const { return memory_.get()[i]; }

private:
    using Allocator = std::allocator<Point<Real>>;
    static_assert(std::is_trivially_destructible_v<Point<Real>> && std::is_trivially_copyable_v<Point<Real>>);
    struct Release {
        std::uint64_t count;
        void operator()(Point<Real>* points) const { Allocator().deallocate(points, count); }
    };
    std::uint64_t size_;
    std::unique_ptr<Point<Real>[], Release> memory_;
};

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

/// exp(-2 pi i k / n), k < n, where many are wanted: a product of two entries of short tables, a few units of Real's
/// last place off, which is below what rounding to less adds. Double-doubles have no such room.
template <class Real>
class Roots {
public:
    explicit Roots(std::uint64_t n) : shift_(static_cast<int>(std::bit_width(n)) / 2) {
        for (std::uint64_t k = 0; k < std::uint64_t{1} << shift_; ++k) fine_.push_back(root<Real>(k, n));
        for (std::uint64_t k = 0; k < n; k += std::uint64_t{1} << shift_) coarse_.push_back(root<Real>(k, n));
    }
    Point<Real> operator()(std::uint64_t k) const {
        return product(coarse_[k >> shift_], fine_[k & ((std::uint64_t{1} << shift_) - 1)]);
    }

private:
    int shift_;
    std::vector<Point<Real>> fine_, coarse_;
};
template <>
class Roots<DoubleDouble> {
public:
    explicit Roots(std::uint64_t n) : n_(n) {}
    Point<DoubleDouble> operator()(std::uint64_t k) const { return root<DoubleDouble>(k, n_); }

private:
    std::uint64_t n_;
};

/// Of exp(-pi i k^2 / n) for k, k + 1 and so on, which of the roots of 2 n they are: k^2 modulo 2 n, by differences.
class ChirpIndices {
public:
    ChirpIndices(std::uint64_t k, std::uint64_t n)
        : turn_(2 * n), index_(support::multiply_mod(k, k, turn_)), step_((2 * k + 1) % turn_) {}
    std::uint64_t next() {
        const std::uint64_t index = index_;
        index_ = wrapped(index_ + step_);
        step_ = wrapped(step_ + 2);
        return index;
    }

private:
    std::uint64_t wrapped(std::uint64_t k) const { return k < turn_ ? k : k - turn_; }
    std::uint64_t turn_, index_, step_;
};

/// A transform in the caches of one processor: every factor in turn, in natural order by turns between two arrays
/// (Stockham, in Cochran et al. 1967).
template <class Real>
class ShortTransform {
public:
    explicit ShortTransform(std::uint64_t n) : n_(n), roots_(n) {
        const Roots<Real> roots(n);
        for (std::uint64_t k = 0; k < n; ++k) roots_[k] = roots(k);
        for (const std::uint64_t prime : support::prime_factors(n)) {
            const bool makes_four = prime == 2 && !factors_.empty() && factors_.back() == 2;
            if (makes_four)
                factors_.back() = 4;
            else
                factors_.push_back(prime);
        }
    }
    std::uint64_t length() const { return n_; }

    /// Of x, with room for as much in `other`; the results are where it says, in one of the two.
    Point<Real>* run(Point<Real>* x, Point<Real>* other) const {
        std::uint64_t done = 1;
        for (const std::uint64_t r : factors_) {
            const Stage stage{r, done, n_ / (done * r)};
            switch (r) {
                case 2: stage_2(x, other, stage); break;
                case 4: stage_4(x, other, stage); break;
                default: stage_any(x, other, stage); break;
            }
            std::swap(x, other);
            done *= r;
        }
        return x;
    }

private:
    /// Legs begin `done * rest` points apart, in runs of `done`.
    struct Stage {
        std::uint64_t r, done, rest;
    };

    void stage_2(const Point<Real>* x, Point<Real>* y, const Stage& stage) const {
        const std::uint64_t run = stage.done, leg = run * stage.rest;
        for (std::uint64_t p = 0; p < stage.rest; ++p) {
            const Point<Real> w = roots_[p * run];
            const Point<Real>* from = x + p * run;
            Point<Real>* to = y + 2 * p * run;
            for (std::uint64_t q = 0; q < run; ++q) {
                const Point<Real> a = from[q], b = from[q + leg];
                to[q] = sum(a, b);
                to[q + run] = product(difference(a, b), w);
            }
        }
    }

    void stage_4(const Point<Real>* x, Point<Real>* y, const Stage& stage) const {
        const std::uint64_t run = stage.done, leg = run * stage.rest;
        for (std::uint64_t p = 0; p < stage.rest; ++p) {
            const Point<Real> w1 = roots_[p * run], w2 = roots_[2 * p * run], w3 = roots_[3 * p * run];
            const Point<Real>* from = x + p * run;
            Point<Real>* to = y + 4 * p * run;
            for (std::uint64_t q = 0; q < run; ++q) {
                const Point<Real> a = from[q], b = from[q + leg], c = from[q + 2 * leg], d = from[q + 3 * leg];
                const Point<Real> even = sum(a, c), odd = sum(b, d), s = difference(a, c), t = difference(b, d);
                const Point<Real> turned{t.im, negative(t.re)};  // -i t
                to[q] = sum(even, odd);
                to[q + run] = product(sum(s, turned), w1);
                to[q + 2 * run] = product(difference(even, odd), w2);
                to[q + 3 * run] = product(difference(s, turned), w3);
            }
        }
    }

    void stage_any(const Point<Real>* x, Point<Real>* y, const Stage& stage) const {
        const std::uint64_t r = stage.r, run = stage.done, leg = run * stage.rest;
        std::vector<Point<Real>> matrix(r * r);
        for (std::uint64_t k = 0; k < r * r; ++k) matrix[k] = roots_[k / r * (k % r) % r * (n_ / r)];
        for (std::uint64_t p = 0; p < stage.rest; ++p) {
            for (std::uint64_t t = 0; t < r; ++t) {
                const Point<Real> w = roots_[p * t * run];
                Point<Real>* to = y + (r * p + t) * run;
                for (std::uint64_t q = 0; q < run; ++q) {
                    const Point<Real>* from = x + p * run + q;
                    Point<Real> all = from[0];
                    for (std::uint64_t j = 1; j < r; ++j) all = sum(all, product(from[j * leg], matrix[t * r + j]));
                    to[q] = product(all, w);
                }
            }
        }
    }

    std::uint64_t n_;
    std::vector<Point<Real>> roots_;
    std::vector<std::uint64_t> factors_;
};

/// A transform that is used once per plan, in more than the plan's precision where the host has that: of long lengths
/// in two passes over a matrix (Gentleman and Sande 1966), whose columns and rows fit caches, on all processors.
template <class Real>
class HostTransform {
public:
    explicit HostTransform(std::uint64_t n)
        : n_(n), columns_(n < many ? 1 : near_root(n)), along_columns_(n / columns_), along_rows_(columns_) {}

    /// Calls put(k, frequency k of x) for every k, on several threads; uses x up. Long lengths have no second array,
    /// whose pages would be touched for the first time.
    template <class Put>
    void run(Points<Real> x, const Put& put) const {
        if (columns_ == 1) {
            Points<Real> other(n_);
            const Point<Real>* results = along_columns_.run(x.data(), other.data());
            for (std::uint64_t k = 0; k < n_; ++k) put(k, results[k]);
            return;
        }
        transform_columns(x);
        transform_rows(x, put);
    }

private:
    static constexpr std::uint64_t many = std::uint64_t{1} << 14;  // points that are worth threads
    static constexpr std::uint64_t together = 8;                   // columns or rows, whose points share cache lines

    /// The largest divisor that is not above the square root.
    static std::uint64_t near_root(std::uint64_t n) {
        std::uint64_t best = 1;
        for (std::uint64_t d = 1; d * d <= n; ++d)
            if (n % d == 0) best = d;
        return best;
    }

    /// Calls body(first, end, memory for the points of one block and for one sequence) for blocks of 0 .. count-1.
    template <class Body>
    static void in_blocks(std::uint64_t count, std::uint64_t points, const Body& body) {
        const std::uint64_t blocks = (count + together - 1) / together;
        const std::uint64_t parts = std::min<std::uint64_t>(blocks, 4 * support::processors());
        support::parallel(parts, support::processors(), [&](std::uint64_t part) {
            Points<Real> block(together * points), other(points);
            for (std::uint64_t i = blocks * part / parts; i < blocks * (part + 1) / parts; ++i)
                body(i * together, std::min(count, (i + 1) * together), block.data(), other.data());
        });
    }

    /// Each column's transform where it was, times the roots of n.
    void transform_columns(Points<Real>& x) const {
        const std::uint64_t rows = along_columns_.length();
        const Roots<Real> roots(n_);
        in_blocks(columns_, rows, [&](std::uint64_t first, std::uint64_t end, Point<Real>* block, Point<Real>* other) {
            for (std::uint64_t i = 0; i < rows; ++i)
                for (std::uint64_t c = first; c < end; ++c) block[(c - first) * rows + i] = x[i * columns_ + c];
            for (std::uint64_t c = first; c < end; ++c) {
                Point<Real>* column = block + (c - first) * rows;
                const Point<Real>* result = along_columns_.run(column, other);
                for (std::uint64_t k = 0; k < rows; ++k) column[k] = product(result[k], roots(c * k));
            }
            for (std::uint64_t k = 0; k < rows; ++k)
                for (std::uint64_t c = first; c < end; ++c) x[k * columns_ + c] = block[(c - first) * rows + k];
        });
    }

    /// Each row's transform, as a column of the results.
    template <class Put>
    void transform_rows(Points<Real>& x, const Put& put) const {
        const std::uint64_t rows = along_columns_.length();
        in_blocks(rows, columns_, [&](std::uint64_t first, std::uint64_t end, Point<Real>* block, Point<Real>* other) {
            for (std::uint64_t k = first; k < end; ++k) {
                const Point<Real>* result = along_rows_.run(&x[k * columns_], other);
                std::copy_n(result, columns_, block + (k - first) * columns_);
            }
            for (std::uint64_t l = 0; l < columns_; ++l)
                for (std::uint64_t k = first; k < end; ++k) put(l * rows + k, block[(k - first) * columns_ + l]);
        });
    }

    std::uint64_t n_, columns_;
    ShortTransform<Real> along_columns_, along_rows_;
};

}  // namespace seiche::exec
