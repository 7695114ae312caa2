// Single outputs of a Fourier transform from its definition: how a long result is checked without transforming it
// again.
#pragma once

#include <algorithm>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace seiche::cli {

/// exp(-2 pi i k / n), k reduced exactly to an eighth of a turn; `Real` is long double, rounded once, or Quad.
template <class Real = long double>
std::complex<Real> root_of_unity(std::uint64_t k, std::uint64_t n);

/// Rows of roots exp(-+2 pi i j k / n) for one k, as products of a fine and a coarse table; exactly reduced, of any
/// length.
template <class Real = long double>
class BinRoots {
public:
    BinRoots(std::uint64_t n, std::uint64_t k, bool inverse);
    /// sum over j < n of x[j] root(j)
    template <class T>
    std::complex<Real> sum(const std::complex<T>* x) const {
        return sum(0, n_, [x](std::uint64_t j) { return x[j]; });
    }
    /// sum over begin <= j < end of get(j) root(j): of complex numbers, or of real ones in half the time.
    template <class Get>
    std::complex<Real> sum(std::uint64_t begin, std::uint64_t end, const Get& get) const;
    std::complex<Real> at(std::uint64_t j) const { return coarse_[j / block] * fine_[j % block]; }

private:
    static constexpr std::uint64_t block = 1024;
    std::uint64_t n_;
    std::vector<std::complex<Real>> fine_, coarse_;
};

template <class Real>
template <class Get>
std::complex<Real> BinRoots<Real>::sum(std::uint64_t begin, std::uint64_t end, const Get& get) const {
    std::complex<Real> total = 0;
    for (std::uint64_t first = begin; first < end;) {
        const std::uint64_t start = first / block * block, last = std::min(start + block, end);
        Real re = 0, im = 0;
        for (; first < last; ++first) {
            const auto x = get(first);
            const Real c = fine_[first - start].real(), d = fine_[first - start].imag();
            if constexpr (requires { x.imag(); }) {
                const Real a = x.real(), b = x.imag();
                re += a * c - b * d;
                im += a * d + b * c;
            } else {
                re += x * c;
                im += x * d;
            }
        }
        total += std::complex<Real>{re, im} * coarse_[start / block];
    }
    return total;
}

/// Output `bin` (one index per axis) of the unscaled transform of a dense row-major array along all axes: `get(i)` is
/// its element i.
template <class Real = long double, std::invocable<std::uint64_t> Get>
std::complex<Real> dft_bin(const Get& get, const std::vector<std::uint64_t>& lengths,
                           const std::vector<std::uint64_t>& bin, bool inverse) {
    std::vector<BinRoots<Real>> roots;
    for (std::size_t axis = 0; axis < lengths.size(); ++axis) roots.emplace_back(lengths[axis], bin[axis], inverse);
    const std::uint64_t n = lengths.back();
    std::uint64_t rows = 1;
    for (std::size_t axis = 0; axis + 1 < lengths.size(); ++axis) rows *= lengths[axis];
    std::complex<Real> total = 0;
    for (std::uint64_t row = 0; row < rows; ++row) {
        std::complex<Real> factor = 1;
        std::uint64_t rest = row;
        for (std::size_t axis = lengths.size() - 1; axis-- > 0;) {
            factor *= roots[axis].at(rest % lengths[axis]);
            rest /= lengths[axis];
        }
        total += factor * roots.back().sum(0, n, [&](std::uint64_t j) { return get(row * n + j); });
    }
    return total;
}
template <class Real = long double, class T>
std::complex<Real> dft_bin(const std::complex<T>* x, const std::vector<std::uint64_t>& lengths,
                           const std::vector<std::uint64_t>& bin, bool inverse) {
    return dft_bin<Real>([x](std::uint64_t i) { return x[i]; }, lengths, bin, inverse);
}

}  // namespace seiche::cli
