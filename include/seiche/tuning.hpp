// Tuning: what changes only the speed of a plan, never its answer beyond rounding.
#pragma once

#include <cstdint>
#include <vector>

namespace seiche {

/// Leave everything at 0 or empty to let the cost model choose. A value that cannot be used for a problem is
/// Unsupported, never ignored.
struct Tuning {
    /// Butterflies of a one-pass transform, first to last; their product must be the length.
    std::vector<std::uint32_t> radices;
    /// Lengths of the passes over memory, first to last; their product must be the length.
    std::vector<std::uint64_t> passes;
    std::uint32_t threads_per_transform = 0;
    std::uint32_t transforms_per_group = 0;
    std::uint32_t vector_lanes = 0;  ///< SIMD lanes of an explicit_simd kernel.
    bool force_bluestein = false;    ///< Bluestein even where direct butterflies would do.
    bool movement_only = false;      ///< Replace the core by an identity: measures what data movement alone costs. The
                                     ///< answer is not a transform.

    friend bool operator==(const Tuning& a, const Tuning& b) {
        return a.radices == b.radices && a.passes == b.passes && a.threads_per_transform == b.threads_per_transform &&
               a.transforms_per_group == b.transforms_per_group && a.vector_lanes == b.vector_lanes &&
               a.force_bluestein == b.force_bluestein && a.movement_only == b.movement_only;
    }
};

}  // namespace seiche
