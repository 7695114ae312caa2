// Single outputs of every kind of transform from its definition: how a long result is checked, and what the judge is
// judged by.
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <vector>

#include "cli/reference/dft_bins.hpp"
#include "seiche/problem.hpp"

namespace seiche::cli {

/// One axis of a transform: what is computed along it.
struct KindAxis {
    Kind kind = Kind::c2c;
    std::uint64_t length = 1;  ///< Of the real array where it is halved.

    std::uint64_t input_count() const { return kind == Kind::c2r ? length / 2 + 1 : length; }
    std::uint64_t output_count() const { return kind == Kind::r2c ? length / 2 + 1 : length; }
    bool takes_reals() const { return kind != Kind::c2c && kind != Kind::c2r; }
    friend bool operator==(const KindAxis&, const KindAxis&) = default;
};

/// The factors f(j) of one output: sum over j of x[j] f(j). That of a c2r is the real part of this sum.
template <class Real = long double>
class KindBasis {
public:
    /// Of output `k`; `inverse` is the direction of c2c.
    KindBasis(const KindAxis& axis, std::uint64_t k, bool inverse);
    /// The sum, where get(j) is x[j]: a real number where the axis is of a real-to-real kind, which is faster for an
    /// r2c too.
    template <class Get>
    std::complex<Real> sum(const Get& get) const;

private:
    enum class Part { whole, conjugate, cosine, sine, hartley, negative_sine, half_complex };

    /// What makes a root of x[j]: the turn (p j + q) / d.
    struct Turn {
        Part part;
        std::uint64_t d, p, q;
    };
    static Turn turn_of(const KindAxis& axis, std::uint64_t k, bool inverse);
    KindBasis(const KindAxis& axis, const Turn& turn);
    Real weight(std::uint64_t j) const;
    /// Of a sum of real x[j] exp(-i angle), what f takes of it around j.
    std::complex<Real> part_of(const std::complex<Real>& sum, std::uint64_t j) const;

    KindAxis axis_;
    Part part_;
    BinRoots<Real> roots_;
    std::complex<Real> first_;
};

template <class Real>
template <class Get>
std::complex<Real> KindBasis<Real>::sum(const Get& get) const {
    const std::uint64_t n = axis_.length, count = axis_.input_count();
    // Within each of these ranges f is one multiple of one part: the edges and the middle may differ.
    std::array<std::uint64_t, 6> cuts{0, 1, (n + 1) / 2, n / 2 + 1, n - 1, count};
    for (std::uint64_t& cut : cuts) cut = std::min(cut, count);
    std::sort(cuts.begin(), cuts.end());
    std::complex<Real> total = 0;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
        const std::uint64_t begin = cuts[i], end = cuts[i + 1];
        if (begin < end) total += weight(begin) * part_of(roots_.sum(begin, end, get) * first_, begin);
    }
    return total;
}

/// Output `bin` (one index per axis) of the unscaled transform of a dense row-major array: `get(i)` is its element i,
/// a complex number whose imaginary part is 0 where the array is real.
template <class Real = long double, class Get>
std::complex<Real> kind_bin(const Get& get, const std::vector<KindAxis>& axes, const std::vector<std::uint64_t>& bin,
                            bool inverse) {
    std::uint64_t rows = 1;
    bool is_real = false;  // as long as nothing made the numbers complex
    for (const KindAxis& axis : axes) {
        rows *= axis.input_count();
        is_real = is_real || axis.takes_reals();
    }
    std::vector<std::complex<Real>> values;
    const auto sum_axis = [&](const KindBasis<Real>& basis, std::uint64_t count, const auto& element) {
        std::vector<std::complex<Real>> sums(rows);
        for (std::uint64_t row = 0; row < rows; ++row) {
            const std::uint64_t first = row * count;
            sums[row] = is_real ? basis.sum([&](std::uint64_t j) { return element(first + j).real(); })
                                : basis.sum([&](std::uint64_t j) { return element(first + j); });
        }
        return sums;
    };
    for (std::size_t a = axes.size(); a-- > 0;) {
        const KindBasis<Real> basis(axes[a], bin[a], inverse);
        const std::uint64_t count = axes[a].input_count();
        rows /= count;
        values = values.empty() ? sum_axis(basis, count, get)
                                : sum_axis(basis, count, [&](std::uint64_t i) { return values[i]; });
        is_real = is_real && axes[a].takes_reals() && axes[a].kind != Kind::r2c;
    }
    for (const KindAxis& axis : axes) {
        if (axis.kind == Kind::c2r) values[0] = values[0].real();
    }
    return values[0];
}

}  // namespace seiche::cli
