// Radix-2 transforms of n = 2^b points on a processor (Cooley & Tukey, "An algorithm for the machine calculation of
// complex Fourier series", 1965; Gentleman & Sande, "Fast Fourier transforms for fun and profit", 1966), as the text
// 000 (Mota, 2022) presents them. `Roots` is one of roots.hpp.
#pragma once

#include <complex>
#include <cstddef>
#include <utility>
#include <vector>

namespace seiche::study {

inline unsigned log2_of(std::size_t n) {
    unsigned bits = 0;
    while (n >> (bits + 1)) ++bits;
    return bits;
}

inline std::size_t bit_reversed(std::size_t i, unsigned bits) {
    std::size_t result = 0;
    for (unsigned b = 0; b < bits; ++b, i >>= 1) result = result << 1 | (i & 1);
    return result;
}

template <class Real>
std::complex<Real> product(std::complex<Real> a, std::complex<Real> b) {
    // Not operator*, which looks after infinities.
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

template <class Complex>
void permute(const Complex* in, Complex* out, std::size_t n) {
    const unsigned bits = log2_of(n);
    for (std::size_t i = 0; i < n; ++i) out[bit_reversed(i, bits)] = in[i];
}

template <class Complex>
void permute_in_place(Complex* x, std::size_t n) {
    const unsigned bits = log2_of(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t j = bit_reversed(i, bits);
        if (i < j) std::swap(x[i], x[j]);
    }
}

/// The stages of decimation in time, on points in bit-reversed order (000, algorithm 1).
template <class Complex, class Roots>
void stages_in_time(Complex* x, std::size_t n, const Roots& roots) {
    for (std::size_t m = 2; m <= n; m *= 2)
        for (std::size_t k = 0; k < n; k += m) {
            auto walk = roots.walk(m);
            for (std::size_t j = 0; j < m / 2; ++j) {
                const Complex a = x[k + j], b = product(walk.next(), x[k + j + m / 2]);
                x[k + j] = a + b;
                x[k + j + m / 2] = a - b;
            }
        }
}

/// The stages of decimation in frequency, which leave bit-reversed order (000, algorithm 2, with the operands and the
/// sign of the exponent put right: the first half minus the second, and -1 forward).
template <class Complex, class Roots>
void stages_in_frequency(Complex* x, std::size_t n, const Roots& roots) {
    for (std::size_t m = n; m >= 2; m /= 2)
        for (std::size_t k = 0; k < n; k += m) {
            auto walk = roots.walk(m);
            for (std::size_t j = 0; j < m / 2; ++j) {
                const Complex a = x[k + j], b = x[k + j + m / 2];
                x[k + j] = a + b;
                x[k + j + m / 2] = product(a - b, walk.next());
            }
        }
}

/// Points `stride` apart; decimation in time by recursion, which needs no bit reversal (000, section 3, "recursive").
template <class Complex, class Roots>
void recurse(const Complex* in, Complex* out, std::pair<std::size_t, std::size_t> n_and_stride, const Roots& roots) {
    const auto [n, stride] = n_and_stride;
    if (n == 1) {
        out[0] = in[0];
        return;
    }
    const std::size_t half = n / 2;
    recurse(in, out, {half, 2 * stride}, roots);
    recurse(in + stride, out + half, {half, 2 * stride}, roots);
    auto walk = roots.walk(n);
    for (std::size_t k = 0; k < half; ++k) {
        const Complex a = out[k], b = product(walk.next(), out[k + half]);
        out[k] = a + b;
        out[k + half] = a - b;
    }
}

/// Natural order without a bit reversal (000, section 4.1, equations 10 and 11, after OK Ojisan's introduction to
/// Stockham's transform): the stages of decimation in frequency, then from the shortest transforms to the longest the
/// halves of each are put together, x[q + 2 p] = y[q + p] and x[q + 2 p + 1] = y[q + p + m], from one array to the
/// other. For transforms of two points, the last stage, that is a copy and is skipped. The text puts it after the
/// butterflies of each stage, where the next stage would find its points elsewhere: it belongs after the stages of the
/// halves. Returns the array that has the result.
template <class Complex, class Roots>
Complex* natural_order(Complex* y, Complex* x, std::size_t n, const Roots& roots) {
    stages_in_frequency(y, n, roots);
    for (std::size_t m = 2; 2 * m <= n; m *= 2) {
        for (std::size_t q = 0; q < n; q += 2 * m)
            for (std::size_t p = 0; p < m; ++p) {
                x[q + 2 * p] = y[q + p];
                x[q + 2 * p + 1] = y[q + p + m];
            }
        std::swap(x, y);
    }
    return y;
}

}  // namespace seiche::study
