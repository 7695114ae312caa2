// The judge: discrete Fourier transforms in extended precision on the host, of any length, rank and set of axes.
// Mixed radix after Cooley and Tukey, "An algorithm for the machine calculation of complex Fourier series" (1965);
// large primes after Bluestein, "A linear filtering approach to the computation of discrete Fourier transform" (1970).
#include "cli/reference/reference_dft.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "cli/reference/dft_bins.hpp"
#include "cli/system/in_parallel.hpp"
#include "seiche/error.hpp"

namespace seiche::cli {
namespace {

constexpr std::size_t largest_direct = 50;
constexpr std::size_t worth_threads = std::size_t{1} << 15;  // points

// std::complex multiplies with a check for NaN, which costs more than the product.
inline Wide times(const Wide& a, const Wide& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

std::vector<std::size_t> factorize(std::size_t n) {
    std::vector<std::size_t> factors;
    for (; n % 4 == 0; n /= 4) factors.push_back(4);
    for (std::size_t p = 2; p * p <= n; ++p) {
        for (; n % p == 0; n /= p) factors.push_back(p);
    }
    if (n > 1) factors.push_back(n);
    return factors;
}

}  // namespace

/// A transform of prime length p as a convolution with the chirp exp(-pi i k^2 / p), done in a power of two >= 2p - 1.
struct BluesteinTables {
    explicit BluesteinTables(std::size_t prime);
    void run(Wide* x, std::size_t workers) const;

    std::size_t p;
    ReferenceDft inner;
    std::vector<Wide> chirp;     // exp(-pi i k^2 / p)
    std::vector<Wide> spectrum;  // of the wrapped conjugate chirp, divided by the inner length
};

namespace {

std::size_t power_of_two_from(std::size_t n) {
    std::size_t m = 1;
    while (m < n) m *= 2;
    return m;
}

// Transforms every line of a dense array along the axis whose elements are `stride` apart.
void transform_axis(std::vector<Wide>& data, std::size_t stride, const ReferenceDft& dft, Direction direction) {
    const std::size_t n = dft.length();
    std::vector<Wide> line(n);
    for (std::size_t outer = 0; outer < data.size(); outer += n * stride) {
        for (std::size_t inner = 0; inner < stride; ++inner) {
            Wide* first = data.data() + outer + inner;
            dft.run(first, stride, line.data(), direction);
            for (std::size_t k = 0; k < n; ++k) first[k * stride] = line[k];
        }
    }
}

}  // namespace

BluesteinTables::BluesteinTables(std::size_t prime) : p(prime), inner(power_of_two_from(2 * prime - 1)), chirp(prime) {
    const std::size_t m = inner.length();
    std::vector<Wide> wrapped(m);
    in_ranges(p, 0, [&](std::size_t first, std::size_t end) {
        for (std::size_t k = first; k < end; ++k) {
            chirp[k] = root_of_unity((k * k) % (2 * p), 2 * p);
            const Wide back = std::conj(chirp[k]) / static_cast<long double>(m);
            wrapped[k] = back;
            if (k > 0) wrapped[m - k] = back;
        }
    });
    spectrum.resize(m);
    inner.run(wrapped.data(), 1, spectrum.data(), Direction::forward);
}

void BluesteinTables::run(Wide* x, std::size_t workers) const {
    const std::size_t m = inner.length();
    std::vector<Wide> a(m), b(m);
    const auto multiply = [workers](Wide* to, const Wide* left, const std::vector<Wide>& right) {
        in_ranges(right.size(), workers, [&](std::size_t first, std::size_t end) {
            for (std::size_t k = first; k < end; ++k) to[k] = times(left[k], right[k]);
        });
    };
    multiply(a.data(), x, chirp);
    inner.run(a.data(), 1, b.data(), Direction::forward, workers);
    multiply(b.data(), b.data(), spectrum);
    inner.run(b.data(), 1, a.data(), Direction::inverse, workers);
    multiply(x, a.data(), chirp);
}

ReferenceDft::ReferenceDft(std::uint64_t n) : n_(static_cast<std::size_t>(n)) {
    if (n == 0) throw InvalidProblem("a transform's length must be at least 1, got 0");
    radices_ = factorize(n_);
    std::map<std::size_t, std::shared_ptr<const BluesteinTables>> by_prime;
    for (const std::size_t r : radices_) {
        std::shared_ptr<const BluesteinTables> tables;
        if (r > largest_direct) {
            auto& known = by_prime[r];
            if (!known) known = std::make_shared<const BluesteinTables>(r);
            tables = known;
        }
        bluestein_.push_back(std::move(tables));
    }
    roots_.resize(n_);
    in_ranges(n_, 0, [&](std::size_t first, std::size_t end) {
        for (std::size_t k = first; k < end; ++k) roots_[k] = root_of_unity(k, n);
    });
}

void ReferenceDft::run(const Wide* in, std::size_t stride, Wide* out, Direction direction, std::size_t workers) const {
    recurse(in, stride, out, {0, workers});
    if (direction == Direction::forward) return;
    // The inverse is the forward transform with the outputs 1 ... n-1 reversed.
    for (std::size_t k = 1, other = n_ - 1; k < other; ++k, --other) std::swap(out[k], out[other]);
}

void ReferenceDft::recurse(const Wide* in, std::size_t stride, Wide* out, Level level) const {
    if (level.index == radices_.size()) {
        out[0] = in[0];
        return;
    }
    const std::size_t r = radices_[level.index];
    std::size_t m = 1;
    for (std::size_t i = level.index + 1; i < radices_.size(); ++i) m *= radices_[i];
    if (level.workers == 1 || r * m < worth_threads) {
        for (std::size_t q = 0; q < r; ++q) recurse(in + q * stride, stride * r, out + q * m, {level.index + 1, 1});
    } else {
        const std::size_t each = (level.workers + r - 1) / r;
        in_parallel(r, level.workers, [&](std::size_t q) {
            recurse(in + q * stride, stride * r, out + q * m, {level.index + 1, each});
        });
    }
    combine(out, m, level);
}

// Joins r transforms of length m, one after another in `out`, into one of length r m.
void ReferenceDft::combine(Wide* out, std::size_t m, Level level) const {
    if (level.workers == 1 || radices_[level.index] * m < worth_threads || m == 1) {
        combine_columns(out, {m, 0, m}, level);
    } else {
        const std::size_t pieces = std::min(m, 4 * level.workers);
        in_parallel(pieces, level.workers, [&](std::size_t i) {
            combine_columns(out, {m, i * m / pieces, (i + 1) * m / pieces}, {level.index, 1});
        });
    }
}

void ReferenceDft::combine_columns(Wide* out, const Columns& columns, Level level) const {
    const std::size_t m = columns.m;
    const std::size_t r = radices_[level.index], step = n_ / (r * m);  // step: from a root of r m to the table of n
    const BluesteinTables* bluestein = bluestein_[level.index].get();
    std::vector<Wide> t(r);
    for (std::size_t k = columns.first; k < columns.end; ++k) {
        t[0] = out[k];
        for (std::size_t q = 1; q < r; ++q) t[q] = times(out[k + q * m], roots_[q * k * step]);
        if (r == 2) {
            out[k] = t[0] + t[1];
            out[k + m] = t[0] - t[1];
        } else if (r == 4) {
            const Wide a = t[0] + t[2], b = t[0] - t[2], c = t[1] + t[3], d = t[1] - t[3];
            const Wide minus_i_d{d.imag(), -d.real()};
            out[k] = a + c;
            out[k + m] = b + minus_i_d;
            out[k + 2 * m] = a - c;
            out[k + 3 * m] = b - minus_i_d;
        } else if (bluestein != nullptr) {
            bluestein->run(t.data(), level.workers);
            for (std::size_t q = 0; q < r; ++q) out[k + q * m] = t[q];
        } else {
            for (std::size_t p = 0; p < r; ++p) {
                Wide sum = t[0];
                for (std::size_t q = 1; q < r; ++q) sum += times(t[q], roots_[(p * q % r) * (n_ / r)]);
                out[k + p * m] = sum;
            }
        }
    }
}

std::vector<Wide> reference_dft(const std::vector<Wide>& x, Direction direction) {
    std::vector<Wide> out(x.size());
    ReferenceDft(x.size()).run(x.data(), 1, out.data(), direction);
    return out;
}

std::vector<Wide> reference_dft(const std::vector<Wide>& x, const std::vector<std::uint64_t>& shape,
                                const std::vector<int>& axes, Direction direction) {
    const int rank = static_cast<int>(shape.size());
    std::uint64_t total = 1;
    for (const std::uint64_t n : shape) total *= n;
    if (total != x.size()) {
        throw InvalidProblem("the shape holds " + std::to_string(total) + " elements, got " + std::to_string(x.size()));
    }
    std::vector<bool> chosen(shape.size(), axes.empty());
    for (const int axis : axes) {
        const int from_first = axis < 0 ? axis + rank : axis;
        if (from_first < 0 || from_first >= rank || chosen[static_cast<std::size_t>(from_first)]) {
            throw InvalidProblem("axes must be distinct and within the rank " + std::to_string(rank) + ", got " +
                                 std::to_string(axis));
        }
        chosen[static_cast<std::size_t>(from_first)] = true;
    }
    std::vector<Wide> data = x;
    std::size_t stride = x.size();
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        stride /= static_cast<std::size_t>(shape[axis]);
        if (chosen[axis] && shape[axis] > 1) transform_axis(data, stride, ReferenceDft(shape[axis]), direction);
    }
    return data;
}

}  // namespace seiche::cli
