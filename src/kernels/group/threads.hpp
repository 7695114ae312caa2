// What each thread of a group has: its butterflies at every stage, and the registers that hold their points.
#pragma once

#include <vector>

#include "kernels/group/pass_stages.hpp"
#include "kernels/group/sequences.hpp"
#include "kernels/pointwise.hpp"

namespace seiche::kernels {

/// Indices as a kernel's values.
struct KernelIndex {
    using Index = ir::Value;
    using Condition = ir::Value;
    Frame& frame;
    const Sequences& sequences;
    std::uint32_t at_work;  // threads that the pass has; 0: all

    static Condition always() { return {}; }
    Index thread() const { return frame.builder.thread_id(); }
    Index number(std::uint64_t x) const { return frame.u32(x); }
    Condition less(Index a, std::uint64_t b) const { return frame.builder.less(a, frame.u32(b)); }
    Condition equal(Index a, std::uint64_t b) const { return frame.builder.compare(ir::Op::equal, a, frame.u32(b)); }
    Condition not_equal(Index a, std::uint64_t b) const {
        return frame.builder.compare(ir::Op::not_equal, a, frame.u32(b));
    }
    Index select(Condition when, Index a, Index b) const { return frame.builder.select(when, a, b); }
    static Condition both(Condition a, Condition b) { return kernels::both(a, b); }
    Condition is_at_work() const { return at_work != 0 ? less(thread(), at_work) : Condition{}; }
    Index mirror_of_first(std::uint64_t butterflies) const {
        return number(butterflies % 2 == 0 ? butterflies / 2 : 0);
    }
    Condition has_own_mirrors() const { return sequences.has_own_mirrors(); }
    static bool has_lane(Index lane) { return static_cast<bool>(lane); }
};
using ThreadButterfly = ThreadButterflyOf<KernelIndex>;

/// A thread's points, [butterfly][leg] of the present stage, and what a prime has beside them: point 0, then frequency
/// 0, in the thread that has frequency 0 of the core.
struct Registers {
    std::vector<ir::Complex> points;
    ir::Complex beside;
};

class Threads : public PassStages {
public:
    /// Of a group of `launched` threads, which may be more than the pass has.
    Threads(Frame& frame, const KernelSpec& spec, const Sequences& sequences, std::uint32_t launched)
        : PassStages(spec), frame_(frame), sequences_(sequences), launched_(launched) {}

    std::uint32_t launched() const { return launched_; }

    ThreadButterfly butterfly(const CoreStage& stage, std::uint32_t u) const {
        return butterfly_of_thread(shape_, stage, u,
                                   KernelIndex{frame_, sequences_, count() < launched_ ? count() : 0});
    }
    ir::Value sequence(const ThreadButterfly& where) const { return sequences_.of(where.sequence_in_group); }
    ir::Value exists(const ThreadButterfly& where) const {
        return frame_.total ? both(frame_.builder.less(sequence(where), frame_.total), where.exists) : where.exists;
    }
    /// Calls visit(butterfly, i, leg) for each of a thread's points of a stage, which is `i` among its registers.
    template <class Visit>
    void for_each_point(const CoreStage& stage, const Visit& visit) const {
        for (std::uint32_t u = 0; u < stage.per_thread; ++u) {
            const ThreadButterfly where = butterfly(stage, u);
            for (std::uint32_t leg = 0; leg < stage.radix; ++leg) visit(where, u * stage.radix + leg, leg);
        }
    }
    ir::Value element(const CoreStage& stage, const ThreadButterfly& where, std::uint32_t leg) const {
        return where.butterfly + std::uint64_t{leg} * stage.butterflies;
    }
    Place place(const CoreStage& stage, const ThreadButterfly& where, std::uint32_t leg) const {
        return {element(stage, where, leg), sequence(where), exists(where)};
    }
    /// Point i's element is the butterfly's lane and this many times butterfly_stride().
    std::uint32_t row_of(const CoreStage& stage, std::uint32_t i) const {
        return (i / stage.radix + i % stage.radix * stage.per_thread) / shape_.exchange.neighbours;
    }

private:
    Frame& frame_;
    const Sequences& sequences_;
    std::uint32_t launched_;
};

}  // namespace seiche::kernels
