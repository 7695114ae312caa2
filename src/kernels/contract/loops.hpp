// Loops over sequences, and which elements of a sequence are read or written.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "support/loop.hpp"

namespace seiche::kernels {

using support::Gap;
using support::Loop;
using support::Range;

/// The elements of a sequence that are read or written; the others count as 0, or are not wanted. Their index along the
/// axis is found as in Chirp. No ranges: all.
struct Kept {
    std::vector<Range> ranges;  ///< Sorted, apart from each other.
    std::uint64_t element_stride = 1;
    std::int32_t loop = -1;
    std::uint64_t loop_step = 1;    ///< The index of the loop counts so much.
    std::optional<Range> own = {};  ///< Beside that, of the sequence's elements only these.
    bool operator==(const Kept&) const = default;
};

}  // namespace seiche::kernels
