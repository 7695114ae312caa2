// Butterflies by derivation: powers of two and other prime powers by Cooley & Tukey ("An algorithm for the machine
// calculation of complex Fourier series", 1965), coprime factors by Good ("The interaction algorithm and practical
// Fourier analysis", 1958) and Thomas, odd primes by the symmetry of x[j] and x[n-j]. Powers of two are made of pairs
// a + w b, a - w b, six fused multiply-adds each (Linzer & Feig, "Implementation of efficient FFT algorithms on fused
// multiply-add architectures", 1993; Goedecker, "Fast radix 2, 3, 4, and 5 kernels for fast Fourier transformations on
// computers with overlapping multiply-add instructions", 1997).
#include "kernels/butterfly.hpp"

#include <bit>
#include <cmath>

#include "support/double_double.hpp"
#include "support/twiddle.hpp"

namespace seiche::kernels {

namespace {

using ir::Builder;
using ir::Complex;
using ir::Value;
using Points = std::vector<Complex>;

/// exp(-2 pi i k / n) as the type has it.
ComplexDoubleDouble root(ir::Type type, std::size_t k, std::size_t n) {
    if (type.scalar == ir::Scalar::dd) return support::twiddle_double_double(k, n);
    const support::ComplexValue w = support::twiddle(k, n);
    return {w.re, w.im};
}

/// Multiplies by exp(-2 pi i k / n) at the least cost: nothing, a sign, an exchange, or one scaling for eighths.
Complex rotate(Builder& builder, Complex x, std::size_t k, std::size_t n) {
    k %= n;
    if (k == 0) return x;
    if (2 * k == n) return -x;
    if (4 * k == n) return -times_i(x);
    if (4 * k == 3 * n) return times_i(x);
    const ir::Type type = x.re.type();
    if (8 * k % n == 0) {
        const Value half = builder.constant(type, support::sqrt_half);
        switch (8 * k / n) {
            case 1: return Complex{x.re + x.im, x.im - x.re} * half;
            case 3: return Complex{x.im - x.re, -(x.re + x.im)} * half;
            case 5: return Complex{-(x.re + x.im), x.re - x.im} * half;
            default: return Complex{x.re - x.im, x.re + x.im} * half;
        }
    }
    const ComplexDoubleDouble w = root(type, k, n);
    const Value c = builder.constant(type, w.re), s = builder.constant(type, w.im),
                minus_s = builder.constant(type, support::negative(w.im));
    const Value re = builder.mad(x.re, c, x.im * minus_s);
    return {re, builder.mad(x.re, s, x.im * c)};
}

struct Pair {
    Complex sum, difference;
};

/// a + w b and a - w b for w = exp(-2 pi i k / n), 0 <= k < n / 2.
Pair pair(Builder& builder, const Complex& a, const Complex& b, std::size_t k, std::size_t n) {
    if (4 * k % n == 0) {
        const Complex turned = rotate(builder, b, k, n);
        return {a + turned, a - turned};
    }
    const ir::Type type = a.re.type();
    const support::ComplexExtended w = support::twiddle_extended(k, n);
    // w b is the larger part of w, or i times it, times a number that takes the ratio of the parts, which is at most 1.
    const bool is_mostly_real = std::abs(w.re) >= std::abs(w.im);
    const Value u = is_mostly_real ? b.re : b.im, v = is_mostly_real ? b.im : b.re;
    const Value ratio = builder.constant(type, static_cast<double>(is_mostly_real ? w.im / w.re : w.re / w.im));
    const Value re = builder.mad(v, builder.constant(type, -builder.float_value(ratio)), u);
    const Value im = builder.mad(u, ratio, v);
    const auto larger = static_cast<double>(is_mostly_real ? w.re : w.im);
    const Value plus = builder.constant(type, larger), minus = builder.constant(type, -larger);
    const Value plus_re = is_mostly_real ? plus : minus, minus_re = is_mostly_real ? minus : plus;
    return {{builder.mad(re, plus_re, a.re), builder.mad(im, plus, a.im)},
            {builder.mad(re, minus_re, a.re), builder.mad(im, minus, a.im)}};
}

/// a + w b and a - w b, which is 2 a less the sum.
Pair pair(Builder& builder, const Complex& a, const Complex& b, const Complex& w) {
    const Complex sum{builder.mad(-w.im, b.im, builder.mad(w.re, b.re, a.re)),
                      builder.mad(w.im, b.re, builder.mad(w.re, b.im, a.im))};
    const bool is_alone = sum.re.id() == a.re.id() && sum.im.id() == a.im.id();  // b is zero
    if (is_alone) return {a, a};
    const Value two = builder.constant(a.re.type(), 2);
    return {sum, {builder.mad(a.re, two, -sum.re), builder.mad(a.im, two, -sum.im)}};
}

/// Of every other point from `first` on, `step` apart.
template <class MakePair>
Points of_pairs(const Points& x, std::size_t first, std::size_t step, const MakePair& make_pair) {
    const std::size_t n = x.size() / step;
    if (n == 1) return {x[first]};
    const Points even = of_pairs(x, first, 2 * step, make_pair), odd = of_pairs(x, first + step, 2 * step, make_pair);
    Points y(n);
    for (std::size_t k = 0; k < n / 2; ++k) {
        const Pair made = make_pair(even[k], odd[k], k, n);
        y[k] = made.sum;
        y[k + n / 2] = made.difference;
    }
    return y;
}

std::size_t smallest_prime(std::size_t n) {
    for (std::size_t p = 2; p * p <= n; ++p) {
        if (n % p == 0) return p;
    }
    return n;
}

/// An odd prime: sums and differences of x[j] and x[n-j] halve the multiplications.
Points odd_prime(Builder& builder, const Points& x) {
    const std::size_t n = x.size(), half = (n - 1) / 2;
    const ir::Type type = x[0].re.type();
    Points sum, difference, y(n);
    for (std::size_t j = 1; j <= half; ++j) {
        sum.push_back(x[j] + x[n - j]);
        difference.push_back(x[j] - x[n - j]);
    }
    y[0] = x[0];
    for (const Complex& s : sum) y[0] = y[0] + s;
    for (std::size_t k = 1; k <= half; ++k) {
        Complex even = x[0], odd;
        for (std::size_t j = 1; j <= half; ++j) {
            const ComplexDoubleDouble w = root(type, j * k % n, n);
            const Value c = builder.constant(type, w.re), s = builder.constant(type, w.im);
            even = {builder.mad(sum[j - 1].re, c, even.re), builder.mad(sum[j - 1].im, c, even.im)};
            const Complex d = difference[j - 1];
            odd = j == 1 ? d * s : Complex{builder.mad(d.re, s, odd.re), builder.mad(d.im, s, odd.im)};
        }
        y[k] = even + times_i(odd);
        y[n - k] = even - times_i(odd);
    }
    return y;
}

/// Coprime factors need no twiddles: j = (j1 n2 + j2 n1) mod n, k by the Chinese remainder theorem.
Points good_thomas(Builder& builder, const Points& x, std::size_t n1) {
    const std::size_t n = x.size(), n2 = n / n1;
    std::vector<Points> rows(n1, Points(n2));
    for (std::size_t j1 = 0; j1 < n1; ++j1) {
        for (std::size_t j2 = 0; j2 < n2; ++j2) rows[j1][j2] = x[(j1 * n2 + j2 * n1) % n];
        rows[j1] = butterfly(builder, rows[j1]);
    }
    Points y(n);
    for (std::size_t k2 = 0; k2 < n2; ++k2) {
        Points column(n1);
        for (std::size_t j1 = 0; j1 < n1; ++j1) column[j1] = rows[j1][k2];
        column = butterfly(builder, column);
        for (std::size_t k1 = 0; k1 < n1; ++k1) {
            for (std::size_t k = 0; k < n; ++k) {
                if (k % n1 == k1 && k % n2 == k2) y[k] = column[k1];
            }
        }
    }
    return y;
}

/// j = j1 n2 + j2, k = k1 + n1 k2, with twiddles between.
Points cooley_tukey(Builder& builder, const Points& x, std::size_t n1) {
    const std::size_t n = x.size(), n2 = n / n1;
    std::vector<Points> columns(n2, Points(n1));
    for (std::size_t j2 = 0; j2 < n2; ++j2) {
        for (std::size_t j1 = 0; j1 < n1; ++j1) columns[j2][j1] = x[j1 * n2 + j2];
        columns[j2] = butterfly(builder, columns[j2]);
        for (std::size_t k1 = 0; k1 < n1; ++k1) columns[j2][k1] = rotate(builder, columns[j2][k1], j2 * k1, n);
    }
    Points y(n);
    for (std::size_t k1 = 0; k1 < n1; ++k1) {
        Points row(n2);
        for (std::size_t j2 = 0; j2 < n2; ++j2) row[j2] = columns[j2][k1];
        row = butterfly(builder, row);
        for (std::size_t k2 = 0; k2 < n2; ++k2) y[k1 + n1 * k2] = row[k2];
    }
    return y;
}

}  // namespace

Points butterfly(Builder& builder, const Points& x) {
    const std::size_t n = x.size();
    if (n == 1) return x;
    if (n == 2) return {x[0] + x[1], x[0] - x[1]};
    // A product and sum of double-double numbers costs more than a sum: there few products count.
    const bool has_fused = x[0].re.type().scalar != ir::Scalar::dd;
    if (std::has_single_bit(n) && has_fused) {
        return of_pairs(x, 0, 1, [&](const Complex& a, const Complex& b, std::size_t k, std::size_t length) {
            return pair(builder, a, b, k, length);
        });
    }
    const std::size_t p = smallest_prime(n);
    if (p == n) return odd_prime(builder, x);
    if (std::has_single_bit(n)) return cooley_tukey(builder, x, n > 8 ? 4 : 2);
    std::size_t power = 1;
    for (std::size_t rest = n; rest % p == 0; rest /= p) power *= p;
    return power == n ? cooley_tukey(builder, x, p) : good_thomas(builder, x, power);
}

Points merged_butterfly(Builder& builder, const Points& x, const Points& factors) {
    return of_pairs(x, 0, 1, [&](const Complex& a, const Complex& b, std::size_t k, std::size_t n) {
        const bool is_turned = 4 * k >= n && n > 2;
        const Complex w = factors[n == 2 ? 0 : n / 4 + k % (n / 4)];
        return pair(builder, a, b, is_turned ? -times_i(w) : w);
    });
}

}  // namespace seiche::kernels
