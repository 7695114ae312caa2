// Loops over sequences, and which elements of a sequence are read or written.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace seiche::kernels {

/// From index `at` of a loop on, `skipped` indices are left out.
struct Gap {
    std::uint64_t at = 0;
    std::uint64_t skipped = 0;
    bool operator==(const Gap&) const = default;
};

/// One loop over sequences. Strides in elements, below 0 where sequences lie before the first.
struct Loop {
    std::uint64_t count = 1;
    std::int64_t input_stride = 0;
    std::int64_t output_stride = 0;
    std::vector<Gap> gaps = {};  ///< By rising `at`; the loop counts what is not left out.
    bool operator==(const Loop&) const = default;
};

/// Indices from begin to end - 1.
struct Range {
    std::uint64_t begin = 0, end = 0;
    bool operator==(const Range&) const = default;
};

/// The elements of a sequence that are read or written; the others count as 0, or are not wanted. Their index along the
/// axis is found as in Chirp. No ranges: all.
struct Kept {
    std::vector<Range> ranges;  ///< Sorted, apart from each other.
    std::uint64_t element_stride = 1;
    std::int32_t loop = -1;
    std::uint64_t loop_step = 1;  ///< The index of the loop counts so much.
    std::optional<Range> own;     ///< Beside that, of the sequence's elements only these.
    bool operator==(const Kept&) const = default;
};

}  // namespace seiche::kernels
