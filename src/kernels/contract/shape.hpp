// How a pass is divided among threads.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "kernels/contract/shared_places.hpp"

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
    std::uint32_t transposed = 1;   ///< Sequences of one transform, in all groups: the points of the other pass.
    bool transposed_first = false;  ///< In the loops they follow each other; else those of neighbouring transforms do.
    bool beside = false;            ///< In a group those of neighbouring transforms follow each other; else of one.
    bool operator==(const Tile&) const = default;
};

/// How the points of a sequence change hands through shared memory.
struct SharedExchange {
    /// 2: real and imaginary parts are exchanged at once (full); 1: one after the other, in half the space (split).
    std::uint32_t components = 2;
    /// Runs of each sequence that are exchanged one after the other, in the space of one (can_exchange_in_chunks).
    std::uint32_t chunks = 1;
    /// Neighbouring butterflies that a thread has together, whose points are exchanged in one access
    /// (can_exchange_neighbours).
    std::uint32_t neighbours = 1;
    /// Padding: elements that a sequence may take beyond its points, where blocks are to lie apart instead of a
    /// swizzle.
    std::uint32_t padding = 0;
    /// Both parts of a point are exchanged in one access, with two components.
    bool whole_points = false;
    /// Of a prime's even and odd part: what one has for the other lies in shared memory, instead of in registers.
    bool holds_parity = false;
    /// Chosen by complete(), from all that is above.
    std::optional<PassPlaces> places;
    bool operator==(const SharedExchange&) const = default;
};

/// Where elements k and m - k of a real axis's core, or points j and m - 1 - j, come together.
enum class Mirrors : std::uint8_t {
    apart,      ///< Nowhere, or in shared memory.
    in_thread,  ///< Of spectra (may_pair_in_thread): a thread has bins k and m - k of the core's m.
    /// Sequences i and `sequences` - 1 - i of a group are mirrored columns. Where the output is folded, a thread has
    /// points j and m - 1 - j, which make pairs of neighbouring numbers. The output's elements are such pairs. Where
    /// one side has conjugate pairs, a thread has bins k and m - k; columns 0 and m / 2, their own mirrors, are in one
    /// group. Of the bins of a plane that several groups have, these are in the group.
    in_group,
};

/// The stages of the core follow each other in the text.
struct UnrolledCore {
    bool operator==(const UnrolledCore&) const = default;
};
/// A prime's butterfly between two redistributions, with two components and a thread for each sequence, as a loop
/// whose text is short (prime_in_loop).
struct PrimeLoop {
    std::uint32_t pairs = 1;  ///< Of results that the thread makes in a turn.
    bool parts_in_lanes =
        false;  ///< Two threads a sequence: one has the real parts of its points, the next the others.
    bool operator==(const PrimeLoop&) const = default;
};
/// Of a convolution whose radices are the same from either end: both runs of the core are turns of a loop.
struct CoreLoop {
    bool operator==(const CoreLoop&) const = default;
};
/// Each thread has so many whole sequences, a butterfly each: where another pass of the kernel has fewer threads than
/// this one has sequences. The last may be fewer.
struct WholeSequences {
    std::uint32_t of_thread = 1;
    bool operator==(const WholeSequences&) const = default;
};
using CoreForm = std::variant<UnrolledCore, PrimeLoop, CoreLoop, WholeSequences>;

/// What a thread has in registers beside its points; complete() chooses.
struct RegisterUse {
    /// High register pressure: each stage recomputes its indices instead of keeping them live.
    bool rematerialises_indices = false;
    /// Products of sums stay as they are written, where factors that many share would stay in registers.
    bool keeps_products = false;
    /// Twiddles of the next stage are loaded while its points lie in shared memory, and their registers are free.
    bool prefetches_twiddles = false;
    bool operator==(const RegisterUse&) const = default;
};

/// A GPU's kernel: `sequences` sequences a group, `threads` threads each; registers hold the data, shared memory
/// exchanges.
struct GroupShape {
    std::uint32_t threads = 1;
    std::uint32_t sequences = 1;
    ThreadOrder load_order = ThreadOrder::element_fastest;
    ThreadOrder store_order = ThreadOrder::element_fastest;
    std::uint32_t min_groups_per_unit = 0;
    SharedExchange exchange;
    Mirrors mirrors = Mirrors::apart;
    CoreForm form;
    /// A subgroup's lanes go to memory, global and shared, one after the other: where an access costs more than many
    /// operations, points are exchanged whole, at their own places, and twiddles are products of two factors.
    bool is_scalarised = false;
    /// Twiddles of radices that are no powers of two are products of two factors, so that a stage reads few of its
    /// table: where that is larger than what a multiprocessor caches, they come from afar.
    bool twiddle_products = false;
    RegisterUse registers;
    /// Of two passes in one kernel (OnChip): groups that share one transform through their shared memory.
    std::uint32_t groups_per_cluster = 1;
    std::optional<Tile> tile = {};

    bool has_mirrors_in_thread() const { return mirrors == Mirrors::in_thread; }
    bool has_mirrors_in_group() const { return mirrors == Mirrors::in_group; }
    const PrimeLoop* prime_loop() const { return std::get_if<PrimeLoop>(&form); }
    std::uint32_t pairs_in_turn() const { return prime_loop() ? prime_loop()->pairs : 0; }
    bool has_parts_in_lanes() const { return prime_loop() && prime_loop()->parts_in_lanes; }
    bool has_core_loop() const { return std::holds_alternative<CoreLoop>(form); }
    std::uint32_t sequences_of_thread() const {
        const auto* whole = std::get_if<WholeSequences>(&form);
        return whole ? whole->of_thread : 1;
    }
    std::uint32_t group_threads() const {
        return (threads * sequences + sequences_of_thread() - 1) / sequences_of_thread();
    }
    bool operator==(const GroupShape&) const = default;
};

/// A CPU's kernel: groups of one thread that carries SIMD registers; no barrier.
struct SimdShape {
    std::uint32_t lanes = 1;
    bool across = false;  ///< Lanes carry neighbouring sequences (true) or neighbouring butterflies of one (false).
    std::uint32_t units_per_group =
        1;  ///< Sequences (or registers of them) that one group works through, one after the other.
    bool operator==(const SimdShape&) const = default;
};

}  // namespace seiche::kernels
