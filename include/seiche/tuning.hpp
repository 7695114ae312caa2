// Tuning: what changes only the speed of a plan, never its answer beyond rounding.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

/// How the transform of one axis is reduced to butterflies.
enum class Algorithm : std::uint8_t {
    any,     ///< The cost model chooses.
    direct,  ///< Butterflies of the length's own factors; primes up to 31 or more, as the device has registers.
    rader,  ///< Of a prime n, in one kernel: a convolution of n - 1 points, a product of primes up to 13 or 31, or on a
            ///< GPU, of f32 and f64, two of at least n - 2 points each.
    bluestein,  ///< A convolution of a padded length; any n.
};

/// Where the roots of unity of a textbook recipe come from.
enum class TwiddleMethod : std::uint8_t {
    any,         ///< The recipe's own: a table.
    table,       ///< From memory, computed on the host and rounded once.
    on_the_fly,  ///< Sine and cosine of half turns in the kernel, to the last digits.
    native,      ///< The device's approximate sine and cosine; f32. Not exact.
    recurrence,  ///< Powers of the first root by multiplication. Not exact.
};

/// Leave everything at 0 or empty to let the cost model choose. A value that cannot be used for a problem is
/// Unsupported, never ignored. A value beyond the bounds below, which no device could use, is InvalidProblem, wherever
/// it comes from: a program, a text, wisdom or a saved plan.
struct Tuning {
    /// Butterflies of a one-pass transform, first to last; their product must be the length (of the convolution, where
    /// there is one). At most 64 of them.
    std::vector<std::uint32_t> radices;
    /// Lengths of the passes over memory, first to last; their product must be the length (Bluestein's padded one). At
    /// most 64 of them, each from 2 to 2^40.
    std::vector<std::uint64_t> passes;
    /// Of every transformed axis.
    Algorithm algorithm = Algorithm::any;
    /// Points of Bluestein's convolution, at least 2 n - 1 (r2c and c2r of odd n: n + n / 2), at most 16 times that or
    /// 4096, and a product of primes that have butterflies; makes the algorithm Bluestein's. Of a problem with one
    /// transformed axis.
    std::uint64_t padded_length = 0;
    /// Of one transform in one pass. Beside `groups_per_cluster` of each sequence of the first of two passes that are
    /// one kernel; each of its threads then has as many points of the second. At most 65536, and at most 256 points a
    /// thread.
    std::uint32_t threads_per_transform = 0;
    /// At most 65536, and so many threads in all.
    std::uint32_t transforms_per_group = 0;
    /// Groups (thread blocks) that keep one transform in their shared memories together, where a device has clusters,
    /// so that its two passes are one kernel; 1: one group keeps it, also the three passes of a small cube. Of a
    /// transform that is too long for that they keep a tile: parts of it that lie beside each other, whose first two
    /// passes, or last two, are one kernel. At most 64.
    std::uint32_t groups_per_cluster = 0;
    bool separate_passes = false;  ///< Each pass, also of maps, a kernel of its own, where one for two may be faster.
    /// Two passes in one launch, in which the second trails the first so closely that a cache still has what lies
    /// between them, of a device whose groups may wait for each other (`DeviceLimits::waits_for_groups`). The planner
    /// does so where it was measured to be faster; asked for, it is to be had of r2c, c2r and types II to IV in two
    /// passes, of the last two of three, in place, and of cubes whose planes a group holds too; of Bluestein's
    /// transform all three.
    bool trailing_passes = false;
    std::uint32_t vector_lanes = 0;  ///< SIMD lanes of an explicit_simd kernel: 1, 2, 4, 8 or 16.
    /// What one buffer argument of a kernel may have; a workspace, a table or an array in a larger buffer is bound in
    /// pieces. At least 256; 0: `DeviceLimits::max_buffer_bytes`.
    std::uint64_t buffer_bytes = 0;
    bool movement_only = false;  ///< Replace the core by an identity: measures what data movement alone costs. The
                                 ///< answer is not a transform.
    /// A published algorithm instead of what the planner would choose, by its name (`textbook_recipes`, textbook.hpp);
    /// beside it only `twiddles` and `buffer_bytes` may be set.
    std::string recipe;
    TwiddleMethod twiddles = TwiddleMethod::any;  ///< Of such a recipe.

    friend bool operator==(const Tuning& a, const Tuning& b) {
        return a.radices == b.radices && a.passes == b.passes && a.threads_per_transform == b.threads_per_transform &&
               a.transforms_per_group == b.transforms_per_group && a.groups_per_cluster == b.groups_per_cluster &&
               a.separate_passes == b.separate_passes && a.trailing_passes == b.trailing_passes &&
               a.vector_lanes == b.vector_lanes && a.algorithm == b.algorithm && a.padded_length == b.padded_length &&
               a.buffer_bytes == b.buffer_bytes && a.movement_only == b.movement_only && a.recipe == b.recipe &&
               a.twiddles == b.twiddles;
    }
};

}  // namespace seiche
SEICHE_EXPORT_END
