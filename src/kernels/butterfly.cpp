// Butterflies by derivation: powers of two and other prime powers by Cooley & Tukey ("An algorithm for the machine
// calculation of complex Fourier series", 1965), coprime factors by Good ("The interaction algorithm and practical
// Fourier analysis", 1958) and Thomas, odd primes by the symmetry of x[j] and x[n-j]. Powers of two are made of pairs
// a + w b, a - w b, six fused multiply-adds each (Linzer & Feig, "Implementation of efficient FFT algorithms on fused
// multiply-add architectures", 1993; Goedecker, "Fast radix 2, 3, 4, and 5 kernels for fast Fourier transformations on
// computers with overlapping multiply-add instructions", 1997).
#include "kernels/butterfly.hpp"

#include <bit>
#include <cmath>
#include <functional>

#include "support/double_double.hpp"
#include "support/primes.hpp"
#include "support/twiddle.hpp"

namespace seiche::kernels {

namespace {

using ir::Builder;
using ir::Complex;
using ir::Value;

/// x times factor j, or, without factors, times exp(-2 pi i k / n).
struct Point {
    Complex x;
    std::size_t k = 0, n = 1;
    const Factors* factors = nullptr;
    std::size_t j = 0;
    bool is_turned = false;  // -i times that factor

    Complex w() const {
        const Complex factor = (*factors)(j);
        return is_turned ? -times_i(factor) : factor;
    }
};
using PointList = std::vector<Point>;
using Results = std::vector<Complex>;

struct Pair {
    Complex sum, difference;
};

/// Makes operations of a transform, with or without products fused into the sums behind them.
struct Arithmetic {
    Builder& builder;
    bool fuses = true;

    Value mad(Value a, Value b, Value c) const { return builder.mad(a, b, c); }
    template <class Number>
    Value constant(ir::Type type, const Number& value) const {
        return builder.constant(type, value);
    }
};

/// A double-double product and sum costs more than a sum: there the fewest products count.
Arithmetic arithmetic_for(Builder& builder, const Results& x, Products products) {
    return {builder, products == Products::fused && x[0].re.type().scalar != ir::Scalar::dd};
}

/// exp(-2 pi i k / n) as the type has it.
ComplexDoubleDouble root(ir::Type type, std::size_t k, std::size_t n) {
    if (type.scalar == ir::Scalar::dd) return support::twiddle_double_double(k, n);
    const support::ComplexValue w = support::twiddle(k, n);
    return {w.re, w.im};
}

/// Multiplies by exp(-2 pi i k / n) at the least cost: nothing, a sign, an exchange, or one scaling for eighths.
Complex rotate(const Arithmetic& math, Complex x, std::size_t k, std::size_t n) {
    k %= n;
    if (k == 0) return x;
    if (2 * k == n) return -x;
    if (4 * k == n) return -times_i(x);
    if (4 * k == 3 * n) return times_i(x);
    const ir::Type type = x.re.type();
    if (8 * k % n == 0) {
        const Value half = math.constant(type, support::sqrt_half);
        switch (8 * k / n) {
            case 1: return Complex{x.re + x.im, x.im - x.re} * half;
            case 3: return Complex{x.im - x.re, -(x.re + x.im)} * half;
            case 5: return Complex{-(x.re + x.im), x.re - x.im} * half;
            default: return Complex{x.re - x.im, x.re + x.im} * half;
        }
    }
    const ComplexDoubleDouble w = root(type, k, n);
    const Value c = math.constant(type, w.re), s = math.constant(type, w.im),
                minus_s = math.constant(type, support::negative(w.im));
    const Value re = math.mad(x.re, c, x.im * minus_s);
    return {re, math.mad(x.re, s, x.im * c)};
}

Complex resolved(const Arithmetic& math, const Point& p) {
    return p.factors ? p.x * p.w() : rotate(math, p.x, p.k, p.n);
}

PointList plain(const Results& x) {
    PointList points;
    for (const Complex& value : x) points.push_back({value});
    return points;
}

/// a + w b and a - w b, which is 2 a less the sum.
Pair pair(const Arithmetic& math, const Complex& a, const Complex& b, const Complex& w) {
    const Complex sum{math.mad(-w.im, b.im, math.mad(w.re, b.re, a.re)),
                      math.mad(w.im, b.re, math.mad(w.re, b.im, a.im))};
    const bool is_alone = sum.re.id() == a.re.id() && sum.im.id() == a.im.id();  // b is zero
    if (is_alone) return {a, a};
    const Value two = math.constant(a.re.type(), 2);
    return {sum, {math.mad(a.re, two, -sum.re), math.mad(a.im, two, -sum.im)}};
}

/// a + w b and a - w b for w = exp(-2 pi i k / n), which is no power of i.
Pair pair(const Arithmetic& math, const Complex& a, const Complex& b, std::size_t k, std::size_t n) {
    const ir::Type type = a.re.type();
    const support::ComplexExtended w = support::twiddle_extended(k, n);
    // w b is the larger part of w, or i times it, times a number that takes the ratio of the parts, which is at most 1.
    const bool is_mostly_real = std::abs(w.re) >= std::abs(w.im);
    const Value u = is_mostly_real ? b.re : b.im, v = is_mostly_real ? b.im : b.re;
    const Value ratio = math.constant(type, static_cast<double>(is_mostly_real ? w.im / w.re : w.re / w.im));
    const Value re = math.mad(v, math.constant(type, -math.builder.float_value(ratio)), u);
    const Value im = math.mad(u, ratio, v);
    const auto larger = static_cast<double>(is_mostly_real ? w.re : w.im);
    const Value plus = math.constant(type, larger), minus = math.constant(type, -larger);
    const Value plus_re = is_mostly_real ? plus : minus, minus_re = is_mostly_real ? minus : plus;
    return {{math.mad(re, plus_re, a.re), math.mad(im, plus, a.im)},
            {math.mad(re, minus_re, a.re), math.mad(im, minus, a.im)}};
}

/// Their sum and difference, in which the products of the second are fused.
Pair pair(const Arithmetic& math, const Complex& a, const Point& b) {
    if (b.factors && math.fuses) return pair(math, a, b.x, b.w());
    if (!b.factors && 4 * b.k % b.n != 0 && math.fuses) return pair(math, a, b.x, b.k, b.n);
    const Complex own = resolved(math, b);
    return {a + own, a - own};
}

/// a + i s b and a - i s b.
Pair pair_across(const Arithmetic& math, const Complex& a, const Complex& b, const DoubleDouble& s) {
    const ir::Type type = a.re.type();
    if (!math.fuses) {
        const Complex turned = times_i(b * math.constant(type, s));
        return {a + turned, a - turned};
    }
    const Value plus = math.constant(type, s.hi), minus = math.constant(type, -s.hi);
    return {{math.mad(b.im, minus, a.re), math.mad(b.re, plus, a.im)},
            {math.mad(b.im, plus, a.re), math.mad(b.re, minus, a.im)}};
}

/// Of exp(-2 pi i k / n) the imaginary part, over that for another k.
double sine_ratio(std::size_t k, std::size_t other, std::size_t n) {
    return static_cast<double>(support::twiddle_extended(k, n).im / support::twiddle_extended(other, n).im);
}

/// The j from 1 to (n - 1) / 2 for which that of j k is the largest.
std::size_t largest_sine(std::size_t k, std::size_t n) {
    std::size_t largest = 1;
    for (std::size_t j = 2; j <= (n - 1) / 2; ++j)
        largest = std::abs(sine_ratio(j * k, largest * k, n)) > 1 ? j : largest;
    return largest;
}

std::size_t smallest_prime(std::size_t n) {
    for (std::size_t p = 2; p * p <= n; ++p) {
        if (n % p == 0) return p;
    }
    return n;
}

/// Takes results k and n - k without their sines: the first point and the sums of x[j] and x[n-j] times cosines.
using TakeEven = std::function<void(std::size_t k, const Complex& even)>;

void even_parts(const Arithmetic& math, const Complex& first, const Results& sum, const TakeEven& take) {
    const std::size_t n = 2 * sum.size() + 1;
    for (std::size_t k = 1; k <= sum.size(); ++k) {
        Complex even = first;
        for (std::size_t j = 1; j <= sum.size(); ++j) {
            const Value c = math.constant(first.re.type(), root(first.re.type(), j * k % n, n).re);
            even = {math.mad(sum[j - 1].re, c, even.re), math.mad(sum[j - 1].im, c, even.im)};
        }
        take(k, even);
    }
}

/// The same for n = 1 mod 4 with half the products. In the order of a generator's powers the cosines are a cyclic
/// convolution (Rader, 1968) of an even length h, which is one of length h / 2 of the sums of what lies h / 2 apart and
/// a skew one of the differences (Winograd, "On computing the discrete Fourier transform", 1978).
void even_parts_by_halves(const Arithmetic& math, const Complex& first, const Results& sum, const TakeEven& take) {
    const std::size_t n = 2 * sum.size() + 1, quarter = sum.size() / 2, g = support::primitive_root(n);
    std::vector<std::size_t> power{1};
    while (power.size() < n - 1) power.push_back(power.back() * g % n);
    const auto element = [&](std::size_t i) { return std::min(power[i], n - power[i]); };
    const auto cosine = [&](std::size_t i) { return support::twiddle_extended(power[i], n).re; };
    std::vector<Pair> x;
    for (std::size_t i = 0; i < quarter; ++i) {
        const Complex &a = sum[element(i) - 1], &b = sum[element(i + quarter) - 1];
        x.push_back({a + b, a - b});
    }
    for (std::size_t m = 0; m < quarter; ++m) {
        Complex cyclic = first, skew;
        for (std::size_t i = 0; i < quarter; ++i) {
            const long double a = cosine(i + m), b = cosine(i + m + quarter);
            const Value c = math.constant(first.re.type(), static_cast<double>((a + b) / 2));
            const Value d = math.constant(first.re.type(), static_cast<double>((a - b) / 2));
            const auto& [plus, minus] = x[i];
            cyclic = {math.mad(plus.re, c, cyclic.re), math.mad(plus.im, c, cyclic.im)};
            skew = i == 0 ? minus * d : Complex{math.mad(minus.re, d, skew.re), math.mad(minus.im, d, skew.im)};
        }
        take(element(m), cyclic + skew);
        take(element(m + quarter), cyclic - skew);
    }
}

/// Primes from which on half the products are worth their sums.
constexpr std::size_t least_by_halves = 29;

/// An odd prime: sums and differences of x[j] and x[n-j] halve the multiplications. Sines are taken over the largest of
/// their sum, which saves another.
Results odd_prime(const Arithmetic& math, const PointList& x) {
    const std::size_t n = x.size(), half = (n - 1) / 2;
    const Complex first = resolved(math, x[0]);
    const ir::Type type = first.re.type();
    Results sum, difference, y(n);
    for (std::size_t j = 1; j <= half; ++j) {
        const Pair both = pair(math, resolved(math, x[j]), x[n - j]);
        sum.push_back(both.sum);
        difference.push_back(both.difference);
    }
    y[0] = first;
    for (const Complex& s : sum) y[0] = y[0] + s;
    const auto add_sines = [&](std::size_t k, const Complex& even) {
        const std::size_t largest = math.fuses ? largest_sine(k, n) : 0;
        const DoubleDouble scale = largest ? root(type, largest * k % n, n).im : DoubleDouble{1, 0};
        Complex odd;
        for (std::size_t j = 1; j <= half; ++j) {
            const Value s = largest ? math.constant(type, sine_ratio(j * k, largest * k, n))
                                    : math.constant(type, root(type, j * k % n, n).im);
            const Complex d = difference[j - 1];
            odd = j == 1 ? d * s : Complex{math.mad(d.re, s, odd.re), math.mad(d.im, s, odd.im)};
        }
        const Pair both = pair_across(math, even, odd, scale);
        y[k] = both.sum;
        y[n - k] = both.difference;
    };
    const bool by_halves = half % 2 == 0 && n >= least_by_halves && type.scalar != ir::Scalar::dd;
    by_halves ? even_parts_by_halves(math, first, sum, add_sines) : even_parts(math, first, sum, add_sines);
    return y;
}

Results transform(const Arithmetic& math, const PointList& x);

/// Coprime factors need no twiddles: j = (j1 n2 + j2 n1) mod n, k by the Chinese remainder theorem.
Results good_thomas(const Arithmetic& math, const PointList& x, std::size_t n1) {
    const std::size_t n = x.size(), n2 = n / n1;
    std::vector<Results> rows(n1);
    for (std::size_t j1 = 0; j1 < n1; ++j1) {
        PointList row(n2);
        for (std::size_t j2 = 0; j2 < n2; ++j2) row[j2] = x[(j1 * n2 + j2 * n1) % n];
        rows[j1] = transform(math, row);
    }
    Results y(n);
    for (std::size_t k2 = 0; k2 < n2; ++k2) {
        Results column(n1);
        for (std::size_t j1 = 0; j1 < n1; ++j1) column[j1] = rows[j1][k2];
        column = transform(math, plain(column));
        for (std::size_t k1 = 0; k1 < n1; ++k1) {
            for (std::size_t k = 0; k < n; ++k) {
                if (k % n1 == k1 && k % n2 == k2) y[k] = column[k1];
            }
        }
    }
    return y;
}

/// j = j1 n2 + j2, k = k1 + n1 k2, with twiddles between.
Results cooley_tukey(const Arithmetic& math, const PointList& x, std::size_t n1) {
    const std::size_t n = x.size(), n2 = n / n1;
    std::vector<Results> columns(n2);
    for (std::size_t j2 = 0; j2 < n2; ++j2) {
        PointList column(n1);
        for (std::size_t j1 = 0; j1 < n1; ++j1) column[j1] = x[j1 * n2 + j2];
        columns[j2] = transform(math, column);
    }
    Results y(n);
    for (std::size_t k1 = 0; k1 < n1; ++k1) {
        PointList row(n2);
        for (std::size_t j2 = 0; j2 < n2; ++j2) row[j2] = {columns[j2][k1], j2 * k1, n};
        const Results made = transform(math, row);
        for (std::size_t k2 = 0; k2 < n2; ++k2) y[k1 + n1 * k2] = made[k2];
    }
    return y;
}

/// Of every other point from `first` on, `step` apart: pairs of the transforms of the even and of the odd ones.
/// `factor(x, k, n)` is x as a point with the factor of pair k of n points.
template <class Factor>
Results of_pairs(const Arithmetic& math, const PointList& x, std::size_t first, std::size_t step,
                 const Factor& factor) {
    const std::size_t n = x.size() / step;
    if (n == 2) {
        const Pair both = pair(math, resolved(math, x[first]), factor(x[first + step], 0, 2));
        return {both.sum, both.difference};
    }
    const Results even = of_pairs(math, x, first, 2 * step, factor);
    const Results odd = of_pairs(math, x, first + step, 2 * step, factor);
    Results y(n);
    for (std::size_t i = 0; i < n / 2; ++i) {
        const std::size_t k = i / 2 + i % 2 * (n / 4);  // neighbours share a factor, but for a quarter turn
        const Pair both = pair(math, even[k], factor({odd[k]}, k, n));
        y[k] = both.sum;
        y[k + n / 2] = both.difference;
    }
    return y;
}

Results transform(const Arithmetic& math, const PointList& x) {
    const std::size_t n = x.size();
    if (n == 1) return {resolved(math, x[0])};
    if (std::has_single_bit(n) && (math.fuses || n == 2)) {
        return of_pairs(math, x, 0, 1, [](const Point& point, std::size_t k, std::size_t length) {
            return length == 2 ? point : Point{point.x, k, length};
        });
    }
    if (std::has_single_bit(n)) return cooley_tukey(math, x, n > 8 ? 4 : 2);
    const std::size_t p = smallest_prime(n);
    if (p == n) return odd_prime(math, x);
    std::size_t power = 1;
    for (std::size_t rest = n; rest % p == 0; rest /= p) power *= p;
    return power == n ? cooley_tukey(math, x, p) : good_thomas(math, x, power);
}

}  // namespace

Results butterfly(Builder& builder, const Results& x, Products products) {
    return transform(arithmetic_for(builder, x, products), plain(x));
}

Results butterfly(Builder& builder, const Results& x, const Factors& factors, Products products) {
    PointList points = plain(x);
    for (std::size_t j = 1; j < x.size(); ++j) {
        points[j].factors = &factors;
        points[j].j = j;
    }
    return transform(arithmetic_for(builder, x, products), points);
}

Results merged_butterfly(Builder& builder, const Results& x, const Factors& factors) {
    return of_pairs(arithmetic_for(builder, x, Products::fused), plain(x), 0, 1,
                    [&](const Point& point, std::size_t k, std::size_t n) {
                        const std::size_t row = n == 2 ? 0 : n / 4 + k % (n / 4);
                        return Point{point.x, 0, 1, &factors, row, 4 * k >= n && n > 2};
                    });
}

}  // namespace seiche::kernels
