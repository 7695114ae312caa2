// The level-by-level transform of split arrays that the text 004 (Wang, a class report) gives for a processor and for
// CUDA: every element of a level is computed by itself, without a branch, as a thread would.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "bench/study/radix2.hpp"

namespace seiche::study {

template <class Real>
struct SplitArrays {
    std::vector<Real> real, imaginary;
    explicit SplitArrays(std::size_t n) : real(n), imaginary(n) {}
};

/// Element t of level l: t is place i of block k of n / 2^l points; the first half of a block adds (sign 1), the second
/// subtracts and multiplies by w^kmax (sign -1). Corrections: 2^l is 1 << l where the text has `1<<1`, and the
/// exponent's sign is the roots' own: the text's is positive, which is the inverse without its scale.
template <class Real, class Roots>
void split_level(const SplitArrays<Real>& from, SplitArrays<Real>& to, unsigned level, const Roots& roots) {
    const auto n = static_cast<std::ptrdiff_t>(from.real.size());
    const std::ptrdiff_t blocks = std::ptrdiff_t{1} << level, size = n / blocks, half = size / 2;
    for (std::ptrdiff_t t = 0; t < n; ++t) {
        const std::ptrdiff_t k = t / size, i = t - k * size;
        const std::ptrdiff_t kmax = std::max<std::ptrdiff_t>(0, (i - half) * blocks);
        const std::ptrdiff_t sign = 1 - 2 * (i / half % 2);
        const std::complex<Real> w = roots.power(static_cast<std::size_t>(kmax));
        const auto own = static_cast<std::size_t>(t), other = static_cast<std::size_t>(t + sign * half);
        const Real plus = static_cast<Real>(1 + sign) / 2, minus = static_cast<Real>(1 - sign) / 2;
        const Real re = from.real[other] - from.real[own], im = from.imaginary[other] - from.imaginary[own];
        to.real[own] = plus * (from.real[own] + from.real[other]) + minus * (w.real() * re - w.imag() * im);
        to.imaginary[own] =
            plus * (from.imaginary[own] + from.imaginary[other]) + minus * (w.real() * im + w.imag() * re);
    }
}

/// All levels, from one pair of arrays to the other, and the bit reversal, which reads the pair that the parity of log2
/// n says. (log2 is counted in integers: the text's quotient of logarithms may be rounded down.)
template <class Real, class Roots>
void split_levels(SplitArrays<Real>& even, SplitArrays<Real>& odd, SplitArrays<Real>& out, const Roots& roots) {
    const std::size_t n = even.real.size();
    const unsigned levels = log2_of(n);
    for (unsigned level = 0; level < levels; ++level)
        split_level(level % 2 == 0 ? even : odd, level % 2 == 0 ? odd : even, level, roots);
    const SplitArrays<Real>& last = levels % 2 == 0 ? even : odd;
    for (std::size_t j = 0; j < n; ++j) {
        const std::size_t from = bit_reversed(j, levels);
        out.real[j] = last.real[from];
        out.imaginary[j] = last.imaginary[from];
    }
}

}  // namespace seiche::study
