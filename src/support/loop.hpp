// Loops that walk an input and an output together.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace seiche::support {

/// Indices from begin to end - 1.
struct Range {
    std::uint64_t begin = 0, end = 0;
    bool operator==(const Range&) const = default;
};

/// From index `at` of a loop on, `skipped` indices are left out.
struct Gap {
    std::uint64_t at = 0;
    std::uint64_t skipped = 0;
    bool operator==(const Gap&) const = default;
};

/// Strides in elements, below 0 where what the loop repeats lies before the first. A list of loops is a layout
/// (layout.hpp) in two arrays, of which the input is the first.
struct Loop {
    std::uint64_t count = 1;
    std::int64_t input_stride = 0, output_stride = 0;
    std::vector<Gap> gaps = {};  ///< By rising `at`; the loop counts what is not left out.
    bool operator==(const Loop&) const = default;
};

inline std::array<std::int64_t, 2> strides_of(const Loop& loop) { return {loop.input_stride, loop.output_stride}; }
inline void set_strides(Loop& loop, const std::array<std::int64_t, 2>& strides) {
    loop.input_stride = strides[0];
    loop.output_stride = strides[1];
}
inline bool is_affine(const Loop& loop) { return loop.gaps.empty(); }

}  // namespace seiche::support
