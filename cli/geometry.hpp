// Where the elements of a problem's transforms lie in its buffers, worked out here independently of the library.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "cli/reference_dft.hpp"
#include "seiche/problem.hpp"

namespace seiche::cli {

/// One axis, or the batch, with its strides in elements.
struct Dimension {
    std::uint64_t count = 1, input_stride = 1, output_stride = 1;
};

/// A problem as a set of transforms: which elements belong to which.
class Geometry {
public:
    explicit Geometry(const Problem& problem);

    std::uint64_t points() const { return points_; }          ///< Of one transform.
    std::uint64_t transforms() const { return transforms_; }  ///< With the batch.
    std::vector<std::uint64_t> lengths() const;               ///< Of the transformed axes.
    /// Elements that the buffers must have, counted from their start, with the byte offset.
    std::uint64_t input_elements() const { return input_elements_; }
    std::uint64_t output_elements() const { return output_elements_; }

    /// Positions in the input (or output) of every element of transform t, row-major, into `positions`.
    void positions(std::uint64_t t, bool output, std::vector<std::uint64_t>& positions) const;

private:
    std::vector<Dimension> axes_, loops_;
    std::uint64_t input_offset_ = 0, output_offset_ = 0;
    std::uint64_t points_ = 1, transforms_ = 1;
    std::uint64_t input_elements_ = 0, output_elements_ = 0;
};

}  // namespace seiche::cli
