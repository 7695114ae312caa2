// The judge: discrete Fourier transforms in extended precision on the host, of any length, rank and set of axes.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "seiche/problem.hpp"

namespace seiche::cli {

/// 64 bits of significand on x86: eleven more than fp64, so that its own rounding does not show in an error measured
/// with it.
using Wide = std::complex<long double>;

struct BluesteinTables;

/// Transforms of one length, with their tables. Unscaled in both directions. Mixed radix, decimation in time; prime
/// factors beyond 50 through Bluestein's convolution. Relative error about 2^-63 sqrt(log2 n).
class ReferenceDft {
public:
    /// Throws InvalidProblem for a length of 0.
    explicit ReferenceDft(std::uint64_t n);

    /// `in` has n elements `stride` apart, `out` has n dense ones; they must not overlap. On so many threads, which
    /// changes no bit.
    void run(const Wide* in, std::size_t stride, Wide* out, Direction direction, std::size_t workers = 1) const;
    std::size_t length() const { return n_; }

private:
    /// Which of the radices, and the threads for it.
    struct Level {
        std::size_t index, workers;
    };
    void recurse(const Wide* in, std::size_t stride, Wide* out, Level level) const;
    void combine(Wide* out, std::size_t m, Level level) const;
    /// Outputs first ... end - 1 of each of the transforms of length m.
    struct Columns {
        std::size_t m, first, end;
    };
    void combine_columns(Wide* out, const Columns& columns, Level level) const;

    std::size_t n_;
    std::vector<std::size_t> radices_;
    std::vector<Wide> roots_;                                        ///< exp(-2 pi i k / n)
    std::vector<std::shared_ptr<const BluesteinTables>> bluestein_;  ///< Beside radices_; null for small ones.
};

/// The unscaled transform of x.size() points.
std::vector<Wide> reference_dft(const std::vector<Wide>& x, Direction direction);

/// The unscaled transform of a dense row-major array along `axes` (negative counts from the last; empty: all).
/// Throws InvalidProblem when the shape does not match x.size() or an axis is out of range or named twice.
std::vector<Wide> reference_dft(const std::vector<Wide>& x, const std::vector<std::uint64_t>& shape,
                                const std::vector<int>& axes, Direction direction);

}  // namespace seiche::cli
