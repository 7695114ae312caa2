// How a core's butterflies are distributed to the threads of a group, and where their points and results lie among a
// sequence's. One map serves a kernel's values and the host's numbers, which count bank conflicts and describe flows.
//
// A stage of radix r has n/r butterflies. Butterfly b = q s + p (s: product of the radices before) takes points b + j
// n/r and leaves its results at q r s + k s + p. Every stage may distribute its butterflies in another order.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/contract/spec.hpp"

namespace seiche::kernels {

/// Which butterflies a thread has together as its own 2 v and 2 v + 1: any, b and butterflies - 1 - b, or b and
/// butterflies - b; or of mirrored columns of bins.
enum class Pairing : std::uint8_t { none, mirrored, opposite, columns };

/// A stage of a core, or a redistribution of its points: one of radix 1.
struct CoreStage {
    std::uint32_t radix = 1;
    std::uint32_t s = 1;            ///< Product of the radices before.
    std::uint32_t butterflies = 1;  ///< Of a sequence.
    std::uint32_t per_thread = 1;   ///< Butterflies. Without GroupShape: 1.
    ThreadOrder order = ThreadOrder::element_fastest;
    Pairing pairing = Pairing::none;
    std::uint32_t copy = 0;      ///< Of the twiddles.
    bool redistributes = false;  ///< A convolution's points of memory, which may be fewer than the core's.
    bool keeps = false;          ///< A convolution's second core begins, with the points that the first ended with.

    std::size_t points() const { return std::size_t{per_thread} * radix; }  ///< Of a thread.
};

/// The stages of a pass, in order. Throws InternalError where a stage would have to load and store in different orders.
std::vector<CoreStage> core_stages(const KernelSpec& spec);
/// From one of a thread's butterflies to the next, but for its neighbours.
inline std::uint32_t butterfly_stride(const GroupShape& shape) { return shape.threads * shape.exchange.neighbours; }

/// One butterfly of one thread. `Arithmetic` is that of HostIndex, or of a kernel's values.
template <class Arithmetic>
struct ThreadButterflyOf {
    using Index = typename Arithmetic::Index;
    using Condition = typename Arithmetic::Condition;
    Index sequence_in_group{}, butterfly{};
    Condition exists = Arithmetic::always();
    Condition owns = Arithmetic::always();  ///< As exists, but false for its own mirror that the thread has already.
    Index lane{};   ///< A butterfly of the thread from which it has others, apart by butterfly_stride(); or none.
    Index block{};  ///< Of neighbouring butterflies.
    Index flat{};   ///< The point's place among all of the group's, with ThreadOrder::flat.
};

/// The type of a constant beside such an index: numbers of 32 bits stay so.
template <class Index>
using ConstantOf = std::conditional_t<std::is_same_v<Index, std::uint32_t>, std::uint32_t, std::uint64_t>;

/// Indices of one thread as numbers. Its group has no column that is its own mirror.
struct HostIndex {
    using Index = std::uint32_t;
    using Condition = bool;
    Index of_thread = 0;
    /// Of opposite pairs of an odd count butterfly 0, its own mirror, has the middle one beside it. So bank conflicts
    /// are counted: the layouts that were measured were chosen by that.
    bool doubles_middle = false;

    static Condition always() { return true; }
    Index thread() const { return of_thread; }
    static Index number(Index x) { return x; }
    static Condition less(Index a, std::uint64_t b) { return a < b; }
    static Condition equal(Index a, std::uint64_t b) { return a == b; }
    static Condition not_equal(Index a, std::uint64_t b) { return a != b; }
    static Index select(Condition when, Index a, Index b) { return when ? a : b; }
    static Condition both(Condition a, Condition b) { return a && b; }
    static Condition is_at_work() { return true; }
    static Condition has_own_mirrors() { return false; }
    Index mirror_of_first(Index butterflies) const {
        return butterflies % 2 == 0 || doubles_middle ? butterflies / 2 : 0;
    }
    static bool has_lane(Index) { return false; }  // what a kernel's text gains by it is no matter here
};

/// The other butterfly of a pair, from the first one.
template <class Arithmetic>
ThreadButterflyOf<Arithmetic> mirror_of(const GroupShape& shape, const CoreStage& stage, std::uint32_t u,
                                        ThreadButterflyOf<Arithmetic> where, const Arithmetic& on) {
    using Index = typename Arithmetic::Index;
    using Condition = typename Arithmetic::Condition;
    const ConstantOf<Index> butterflies = stage.butterflies, last = shape.sequences - 1;
    const Index b = where.butterfly, own = where.sequence_in_group;
    const bool is_even = butterflies % 2 == 0;
    if (stage.pairing == Pairing::mirrored) {
        where.butterfly = on.number(butterflies - 1) - b;
        if (shape.has_mirrors_in_group()) where.sequence_in_group = on.number(last) - own;
        if (!is_even) where.owns = on.both(where.exists, on.not_equal(b, butterflies / 2));
        return where;
    }
    if (stage.pairing == Pairing::opposite) {  // butterfly 0 is its own mirror
        where.butterfly = on.number(butterflies) - b;
        if (u != 1) return where;
        const Condition is_first = on.equal(b, 0);
        where.butterfly = on.select(is_first, on.mirror_of_first(butterflies), where.butterfly);
        if (!is_even) where.owns = on.both(where.exists, on.not_equal(b, 0));
        return where;
    }
    const Condition has_own = on.has_own_mirrors();
    const Condition is_column_0 = has_own & on.equal(own, 0);
    const Condition is_middle = has_own & on.equal(own, last);
    where.sequence_in_group = on.select(is_column_0 | is_middle, own, on.number(last) - own);
    where.butterfly = on.select(is_column_0, on.number(butterflies), on.number(butterflies - 1)) - b;
    if (u != 1) return where;
    const Condition is_first = is_column_0 & on.equal(b, 0);
    where.butterfly = on.select(is_first, on.number(butterflies / 2), where.butterfly);
    return where;
}

/// Butterfly u of the thread.
template <class Arithmetic>
ThreadButterflyOf<Arithmetic> butterfly_of_thread(const GroupShape& shape, const CoreStage& stage, std::uint32_t u,
                                                  const Arithmetic& on) {
    using Index = typename Arithmetic::Index;
    const ConstantOf<Index> threads = shape.threads, sequences = shape.sequences,
                            neighbours = shape.exchange.neighbours, butterflies = stage.butterflies,
                            group = shape.group_threads();
    const Index thread = on.thread();
    ThreadButterflyOf<Arithmetic> where;
    if (stage.order == ThreadOrder::flat) {
        where.flat = thread + ConstantOf<Index>{u} * group;
        where.sequence_in_group = where.flat / butterflies;
        where.butterfly = where.flat % butterflies;
        if ((u + 1) * group > butterflies * sequences) where.exists = on.less(where.flat, butterflies * sequences);
        where.exists = on.both(where.exists, on.is_at_work());
        where.owns = where.exists;
        return where;
    }
    const bool elements_first = stage.order == ThreadOrder::element_fastest;
    const Index lane = elements_first ? thread % threads : thread / sequences;
    where.sequence_in_group = elements_first ? thread / threads : thread % sequences;
    where.lane = lane * neighbours + on.number(u % neighbours);
    if (stage.pairing != Pairing::none) {
        const ConstantOf<Index> pairs = (butterflies + 1) / 2, first = u / 2 * threads;
        where.butterfly = where.lane + first;
        where.lane = {};
        if (first + threads > pairs) where.exists = on.less(where.butterfly, pairs);
        where.owns = where.exists;
        return u % 2 == 0 ? where : mirror_of(shape, stage, u, where, on);
    }
    const ConstantOf<Index> row = u / neighbours, stride = butterfly_stride(shape);
    where.block = lane + row * threads;
    where.butterfly = where.lane + row * stride;
    if ((row + 1) * stride > butterflies) where.exists = on.less(where.block, butterflies / neighbours);
    where.exists = on.both(where.exists, on.is_at_work());
    where.owns = where.exists;
    return where;
}

/// The butterfly's place p within its run of s; the same value for all of a thread where the threads come in whole
/// runs.
template <class Arithmetic>
typename Arithmetic::Index place_in_run(const GroupShape& shape, const CoreStage& stage,
                                        const ThreadButterflyOf<Arithmetic>& where) {
    const bool is_whole = Arithmetic::has_lane(where.lane) && butterfly_stride(shape) % stage.s == 0;
    return (is_whole ? where.lane : where.butterfly) % ConstantOf<typename Arithmetic::Index>{stage.s};
}

/// The place among its sequence's of result 0 of butterfly b, whose place in its run is p, where blocks of radix s
/// results have `padding` elements between them. Result k lies k s behind it, and point j lies j `butterflies` behind
/// b.
template <class Index>
Index place_of_results(const CoreStage& stage, Index b, Index p, ConstantOf<Index> padding = 0) {
    return b / ConstantOf<Index>{stage.s} * (ConstantOf<Index>{stage.radix} * stage.s + padding) + p;
}

/// Where thread `thread` of a group has point or result `leg` of its butterfly u.
struct HostPlace {
    bool exists = false;
    std::uint32_t sequence = 0, place = 0;  ///< Of the group, and within it.
};
HostPlace place(const GroupShape& shape, const CoreStage& stage, std::uint32_t u, std::uint32_t thread,
                std::uint32_t leg, bool of_result, bool doubles_middle = false);
/// The thread that has each point, or result: that of sequence q at place e is entry q n + e.
std::vector<std::uint32_t> threads_of_places(const GroupShape& shape, const CoreStage& stage, bool of_results);

}  // namespace seiche::kernels
