// Butterflies by derivation: powers of two and other prime powers by Cooley & Tukey ("An algorithm for the machine
// calculation of complex Fourier series", 1965), coprime factors by Good ("The interaction algorithm and practical
// Fourier analysis", 1958) and Thomas, odd primes by the symmetry of x[j] and x[n-j].
#include "kernels/butterfly.hpp"

#include <numeric>

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
    const std::size_t p = smallest_prime(n);
    if (p == n) return odd_prime(builder, x);
    if (p == 2 && (n & (n - 1)) == 0) return cooley_tukey(builder, x, n > 8 ? 4 : 2);
    std::size_t power = 1;
    for (std::size_t rest = n; rest % p == 0; rest /= p) power *= p;
    return power == n ? cooley_tukey(builder, x, p) : good_thomas(builder, x, power);
}

}  // namespace seiche::kernels
