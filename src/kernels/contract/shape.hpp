// How a pass is divided among threads.
#pragma once

#include <cstdint>
#include <optional>

namespace seiche::kernels {

/// How threads walk over the elements that a group loads or stores.
enum class ThreadOrder : std::uint8_t {
    element_fastest,   ///< Neighbouring threads have neighbouring elements of one sequence.
    sequence_fastest,  ///< Neighbouring threads have the same element of neighbouring sequences.
    flat,              ///< Neighbouring threads have neighbouring addresses of dense sequences; for radix 1 only.
};

/// Of two passes in one kernel that are a part of a longer transform, or columns: a cluster has some transforms that
/// lie beside each other in memory. This is how the sequences of one of the passes are counted.
struct Tile {
    std::uint32_t crossing = 1;   ///< Sequences of one transform, in all groups: the points of the other pass.
    bool crossing_first = false;  ///< In the loops they follow each other; else those of neighbouring transforms do.
    bool beside = false;          ///< In a group those of neighbouring transforms follow each other; else of one.
    bool operator==(const Tile&) const = default;
};

/// A GPU's kernel: `sequences` sequences a group, `threads` threads each; registers hold the data, shared memory
/// exchanges.
struct GroupShape {
    std::uint32_t threads = 1;
    std::uint32_t sequences = 1;
    std::uint32_t planes =
        2;  ///< 2: real and imaginary parts are exchanged at once; 1: one after the other, in half the space.
    /// Runs of each sequence that are exchanged one after the other, in the space of one (can_exchange_in_pieces).
    std::uint32_t pieces = 1;
    ThreadOrder load_order = ThreadOrder::element_fastest;
    ThreadOrder store_order = ThreadOrder::element_fastest;
    std::uint32_t min_groups_per_unit = 0;
    /// A subgroup's lanes go to memory, global and shared, one after the other: where an access costs more than many
    /// operations, points are exchanged whole, at their own places, and twiddles are products of two factors.
    bool one_by_one = false;
    /// Twiddles of radices that are no powers of two are products of two factors, so that a stage reads few of its
    /// table: where that is larger than what a unit caches, they come from afar.
    bool twiddle_products = false;
    /// Neighbouring butterflies that a thread has together, whose points are exchanged in one access
    /// (can_exchange_neighbours).
    std::uint32_t neighbours = 1;
    /// Of spectra (may_meet): a thread has bins k and m - k of the core's m.
    bool bins_meet = false;
    /// Registers are few beside the points: stages make indices anew, which folded by their bounds they would share.
    bool remakes_indices = false;
    /// Sequences i and `sequences` - 1 - i of a group are mirrored columns. Where the output is folded, a thread has
    /// points j and m - 1 - j, which make pairs of neighbouring numbers. The output's elements are such pairs. Where
    /// one side has bins, a thread has bins k and m - k; columns 0 and m / 2, their own mirrors, are in one group. Of
    /// the bins of a plane that several groups have, these are in the group.
    bool columns_meet = false;
    /// Both parts of a point are exchanged in one access, with two planes.
    bool whole_points = false;
    /// Elements that a sequence may take in shared memory beyond its points, where blocks of an exchange are to lie
    /// apart instead of a swizzle.
    std::uint32_t room = 0;
    /// Of a prime's butterfly between two deals, with two planes and a thread for each sequence: pairs of results that
    /// the thread makes in a turn of a loop (prime_in_loop), whose text is short; 0: there is no loop.
    std::uint32_t pairs_in_turn = 0;
    /// In such a loop, with two threads: one thread of a sequence has the real parts of its points, the next thread
    /// their imaginary ones.
    bool parts_in_lanes = false;
    /// Of a convolution whose radices are the same from either end: both runs of the core are turns of a loop.
    bool core_in_loop = false;
    /// Of a prime's even and odd part: what one has for the other lies in shared memory, instead of in registers.
    bool parity_in_shared = false;
    /// Of two passes in one kernel (OnChip): groups that share one transform through their shared memory.
    std::uint32_t groups_per_cluster = 1;
    std::optional<Tile> tile = {};
    bool operator==(const GroupShape&) const = default;
};

/// A CPU's kernel: groups of one thread that carries SIMD registers; no barrier.
struct BundleShape {
    std::uint32_t lanes = 1;
    bool across = false;  ///< Lanes carry neighbouring sequences (true) or neighbouring butterflies of one (false).
    std::uint32_t units_per_group =
        1;  ///< Sequences (or bundles of them) that one group works through, one after the other.
    bool operator==(const BundleShape&) const = default;
};

}  // namespace seiche::kernels
