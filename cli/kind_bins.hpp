// Single outputs of every kind of transform from its definition: how a long result is checked, and what the judge is
// judged by.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdint>
#include <vector>

#include "cli/dft_bins.hpp"
#include "seiche/problem.hpp"

namespace seiche::cli {

/// One axis of a transform: what is computed along it.
struct KindAxis {
    Kind kind = Kind::c2c;
    std::uint64_t length = 1;  ///< Of the real array where it is halved.

    std::uint64_t input_count() const { return kind == Kind::c2r ? length / 2 + 1 : length; }
    std::uint64_t output_count() const { return kind == Kind::r2c ? length / 2 + 1 : length; }
    friend bool operator==(const KindAxis&, const KindAxis&) = default;
};

/// The factors f(j) of one output: sum over j of x[j] f(j). That of a c2r is the real part of this sum.
template <class Real = long double>
class KindBasis {
public:
    /// Of output `k`; `inverse` is the direction of c2c.
    KindBasis(const KindAxis& axis, std::uint64_t k, bool inverse);
    std::complex<Real> at(std::uint64_t j) const;

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

    KindAxis axis_;
    Part part_;
    BinRoots<Real> roots_;
    std::complex<Real> first_;
};

/// Output `bin` (one index per axis) of the unscaled transform of a dense row-major array: `get(i)` is its element i.
template <class Real = long double, class Get>
std::complex<Real> kind_bin(const Get& get, const std::vector<KindAxis>& axes, const std::vector<std::uint64_t>& bin,
                            bool inverse) {
    constexpr std::uint64_t block = 1024;  // partial sums keep the sum's own rounding small
    std::uint64_t rows = 1;
    for (const KindAxis& axis : axes) rows *= axis.input_count();
    std::vector<std::complex<Real>> values;
    for (std::size_t a = axes.size(); a-- > 0;) {
        const KindBasis<Real> basis(axes[a], bin[a], inverse);
        const std::uint64_t count = axes[a].input_count();
        rows /= count;
        std::vector<std::complex<Real>> factors(std::min(block, count)), sums(rows);
        for (std::uint64_t first = 0; first < count; first += block) {
            const std::uint64_t length = std::min(block, count - first);
            for (std::uint64_t j = 0; j < length; ++j) factors[j] = basis.at(first + j);
            for (std::uint64_t row = 0; row < rows; ++row) {
                Real re = 0, im = 0;
                for (std::uint64_t j = 0; j < length; ++j) {
                    const std::uint64_t at = row * count + first + j;
                    const std::complex<Real> x = values.empty() ? get(at) : values[at];
                    re += x.real() * factors[j].real() - x.imag() * factors[j].imag();
                    im += x.real() * factors[j].imag() + x.imag() * factors[j].real();
                }
                sums[row] += std::complex<Real>{re, im};
            }
        }
        values = std::move(sums);
    }
    for (const KindAxis& axis : axes) {
        if (axis.kind == Kind::c2r) values[0] = values[0].real();
    }
    return values[0];
}

}  // namespace seiche::cli
