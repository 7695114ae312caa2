#include "kernels/group/overlap_add.hpp"

#include "kernels/tables.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

namespace {

class OverlapSum : Pass {
public:
    explicit OverlapSum(const Pass& pass)
        : Pass(pass),
          own_(*pass.spec.overlap_add()),
          build_(pass.frame.builder),
          places_(pass.spec),
          group_(build_.group_id()) {}

    void store() {
        const std::uint64_t groups = spec.loops[1].count;
        const Value in_signal = group_ % groups;
        first_ = frame.first_frame(in_signal);
        to_ = frame.widen(group_ / groups) * own_.samples();
        const auto bound = [&](std::uint64_t sample) { return std::min(std::max(sample, own_.begin), own_.end); };
        if (groups == 1) return store(frame.u32(own_.begin), frame.u32(own_.end));
        // Blocks of `hop` samples of which the group has all frames: from its first frame and the neighbours on.
        const std::uint64_t block = own_.neighbours();
        const Value begin = (in_signal * std::uint64_t{own_.advance} + block) * std::uint64_t{own_.hop};
        const Value end = begin + std::uint64_t{own_.advance} * own_.hop;
        const Value is_first = build_.compare(ir::Op::equal, in_signal, frame.u32(0));
        const Value is_last = build_.compare(ir::Op::equal, in_signal, frame.u32(groups - 1));
        const auto clipped = [&](Value sample) {
            return build_.binary(ir::Op::max, build_.binary(ir::Op::min, sample, frame.u32(bound(own_.end))),
                                 frame.u32(own_.begin));
        };
        store(build_.select(is_first, frame.u32(own_.begin), clipped(begin)),
              build_.select(is_last, frame.u32(own_.end), clipped(end)));
    }

private:
    /// Samples begin .. end-1 of the signal, neighbouring threads next to each other.
    void store(Value begin, Value end) {
        const Value from = build_.begin_loop(begin, end, frame.u32(threads.launched()));
        const Value sample = from + build_.thread_id();
        const Value exists = build_.less(sample, end);
        const Value last = sample / std::uint64_t{own_.hop}, within = sample % std::uint64_t{own_.hop};
        // All windows reach it where the first and the last frame that could are there.
        const Value is_at_end =
            build_.less(last, frame.u32(own_.neighbours())) | build_.less(frame.u32(own_.frames - 1), last);
        const Value zero = build_.constant(frame.real, 0), one = build_.constant(frame.real, 1);
        Value sum = zero, squares = zero, all = one;
        for (std::uint64_t r = 0; r <= own_.neighbours(); ++r) {
            const Reach reach = frame_of(last, within, r, exists);
            sum =
                sum + build_.shared_load(frame.frames, places_.place(reach.frame, reach.at), frame.real, reach.exists);
            const Value is_asked = r == 0 ? exists : reach.exists;  // the first says what all windows' sum would be
            const Complex window = frame.table_entry(window_table(spec, true), reach.at, is_asked & is_at_end);
            squares = squares + (r == 0 ? build_.select(reach.exists, window.re, zero) : window.re);
            if (r == 0) all = window.im;
        }
        const Value is_corrected = is_at_end & build_.less(zero, squares);
        const Value factor = build_.select(is_corrected, all / build_.select(is_corrected, squares, one), one);
        frame.store_sample(to_ + frame.widen(sample - frame.u32(own_.begin)), sum * factor, exists);
        build_.end_loop();
    }

    struct Reach {
        Value frame, at, exists;  // of the group, and of its numbers; whether it is there
    };
    /// Frame `last` - r, whose number `within` + r hop the sample is.
    Reach frame_of(Value last, Value within, std::uint64_t r, Value exists) const {
        const std::uint64_t length = own_.window.size();
        const Value at = within + r * own_.hop;
        const Value in_group = last - frame.u32(r) - first_;  // below the first it wraps to what is not less
        Value is_there = exists & build_.less(in_group, frame.u32(shape.sequences));
        if ((r + 1) * own_.hop > length) is_there = is_there & build_.less(at, frame.u32(length));
        return {in_group, at, is_there};
    }

    const OverlapAdd& own_;
    ir::Builder& build_;
    const FramePlaces places_;
    Value group_, first_, to_;
};

}  // namespace

bool frames_replace_points(const KernelSpec& spec) { return !spec.out.map() && spec.runs_once(); }

void store_overlapped(const Pass& pass) {
    pass.frame.builder.group_barrier();
    OverlapSum(pass).store();
}

}  // namespace seiche::kernels
