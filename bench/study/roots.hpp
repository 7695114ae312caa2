// Roots of unity for the algorithms of the study, by the methods that the texts use and by a table.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <vector>

namespace seiche::study {

/// The sign of the exponent.
enum class Sign : int { forward = -1, inverse = 1 };

/// exp(sign 2 pi i k / n), k below n: the angle is reduced to an octant in integers, so that each part is rounded once.
template <class Real>
std::complex<Real> root(std::size_t k, std::size_t n, Sign sign) {
    k %= n;
    const std::size_t octant = 8 * k / n;
    const std::size_t nearest = (octant + 1) / 2;  // the multiple of a quarter turn beside it
    const long double rest = (4 * static_cast<long double>(k) - static_cast<long double>(nearest * n)) /
                             (4 * static_cast<long double>(n)) * 2 * std::numbers::pi_v<long double>;
    const long double c = std::cos(rest), s = std::sin(rest);
    const std::complex<long double> turns[] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
    const std::complex<long double> w = turns[nearest % 4];
    const long double imaginary = sign == Sign::forward ? -w.imag() : w.imag();
    return {static_cast<Real>(w.real()), static_cast<Real>(imaginary)};
}

/// A walk gives w^0, w^1, w^2, ... of w = exp(sign 2 pi i step / m) where m divides the n that the roots are made for.
/// From a table of n roots, each rounded once.
template <class Real>
class TableRoots {
public:
    TableRoots(std::size_t n, Sign sign) : table_(n) {
        for (std::size_t k = 0; k < n; ++k) table_[k] = root<Real>(k, n, sign);
    }

    class Walk {
    public:
        Walk(const std::vector<std::complex<Real>>& table, std::size_t stride)
            : table_(table.data()), size_(table.size()), stride_(stride) {}
        std::complex<Real> next() {
            const std::complex<Real> w = table_[at_];
            at_ += stride_;
            at_ -= size_ & -static_cast<std::size_t>(at_ >= size_);  // without a branch: no processor could guess it
            return w;
        }

    private:
        const std::complex<Real>* table_;
        std::size_t size_, at_ = 0, stride_;
    };
    Walk walk(std::size_t m, std::size_t step = 1) const { return {table_, step % m * (table_.size() / m)}; }
    std::complex<Real> power(std::size_t k) const { return table_[k]; }

private:
    std::vector<std::complex<Real>> table_;
};

/// A sine and a cosine for every root, of an angle that is rounded to the precision first: as the listings of 000 and
/// 004 have it.
template <class Real>
class ComputedRoots {
public:
    ComputedRoots(std::size_t n, Sign sign) : n_(n), sign_(sign) {}

    static std::complex<Real> at(std::size_t k, std::size_t m, Sign sign) {
        const Real angle = 2 * std::numbers::pi_v<Real> * static_cast<Real>(k) / static_cast<Real>(m);
        return {std::cos(angle), sign == Sign::forward ? -std::sin(angle) : std::sin(angle)};
    }

    class Walk {
    public:
        Walk(std::size_t m, std::size_t step, Sign sign) : m_(m), step_(step), sign_(sign) {}
        std::complex<Real> next() {
            const std::complex<Real> w = at(k_, m_, sign_);
            k_ = (k_ + step_) % m_;
            return w;
        }

    private:
        std::size_t m_, step_, k_ = 0;
        Sign sign_;
    };
    Walk walk(std::size_t m, std::size_t step = 1) const { return {m, step % m, sign_}; }
    std::complex<Real> power(std::size_t k) const { return at(k, n_, sign_); }

private:
    std::size_t n_;
    Sign sign_;
};

/// Each root is the one before times w, as algorithms 1 and 2 of 000 have it: errors grow along the walk.
/// There is no root out of order.
template <class Real>
class RecurrentRoots {
public:
    RecurrentRoots(std::size_t n, Sign sign) : first_(n, sign) {}

    class Walk {
    public:
        explicit Walk(std::complex<Real> w) : w_(w) {}
        std::complex<Real> next() {
            const std::complex<Real> now = now_;
            now_ = {now.real() * w_.real() - now.imag() * w_.imag(), now.real() * w_.imag() + now.imag() * w_.real()};
            return now;
        }

    private:
        std::complex<Real> w_, now_{1, 0};
    };
    Walk walk(std::size_t m, std::size_t step = 1) const {
        auto first = first_.walk(m, step);
        first.next();
        return Walk(first.next());
    }

private:
    TableRoots<Real> first_;
};

}  // namespace seiche::study
