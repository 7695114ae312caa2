// Where a pass's points lie in shared memory while they change hands. The choice is part of a spec: complete() makes it
// by counting bank conflicts, and a generator only reads it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace seiche::kernels {

/// A permutation of shared memory that spreads strided accesses over the banks.
struct Swizzle {
    enum class Rule : std::uint8_t { none, exclusive_or, pad } rule = Rule::none;
    unsigned shift_a = 0,
             shift_b = 0;  ///< exclusive_or: index ^ ((index >> a ^ index >> b) & mask); pad: index + (index >> a).
    unsigned mask = 31;    ///< Banks of one element's width, less one.
    bool operator==(const Swizzle&) const = default;

    std::uint32_t apply(std::uint32_t index) const;
    /// Elements needed for `count` of them.
    std::uint32_t extent(std::uint32_t count) const;
};

/// Sequence q has its point e at q pitch + e, before swizzling.
struct SharedPlaces {
    Swizzle swizzle;
    std::uint32_t pitch = 0;
    bool operator==(const SharedPlaces&) const = default;
};

/// The places of everything that a pass has in shared memory. All counts are of elements of one component's array.
struct PassPlaces {
    SharedPlaces own;                        ///< Between the stages of the core.
    std::optional<SharedPlaces> transposed;  ///< Of what the pass before leaves on chip; empty: as `own`.
    std::optional<SharedPlaces> bins;        ///< Of a plane's conjugate pairs; empty: as `own`.
    /// Padding behind each block of a stage's results, for each stage of the core.
    std::vector<std::uint32_t> behind_blocks;
    std::uint32_t padded_sequence = 0;  ///< Extent of a sequence with such padding; 0: there is none.
    /// Of the first pass of a kernel: what all its passes need. 0: nothing passes through shared memory.
    std::uint32_t extent = 0;
    bool operator==(const PassPlaces&) const = default;
};

/// Where a group has the numbers of its blocks, with RegisterRows.
struct BlockPlaces {
    std::vector<std::uint32_t> axes;  ///< From one number of an axis to the next.
    std::uint32_t block = 1;          ///< And from one block to the next.
    bool operator==(const BlockPlaces&) const = default;
};

}  // namespace seiche::kernels
