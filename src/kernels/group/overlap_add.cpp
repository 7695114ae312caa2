#include "kernels/group/overlap_add.hpp"

#include "kernels/tables.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Op;
using ir::Value;

namespace {

class OverlapSum : Pass {
public:
    explicit OverlapSum(const Pass& pass)
        : Pass(pass),
          own_(*pass.spec.overlap_add()),
          build_(pass.frame.builder),
          places_(pass.spec),
          hop_(own_.hop / places_.unit),
          group_(build_.group_id()) {}

    void store() {
        const std::uint64_t groups = spec.loops[1].count;
        const Value in_signal = group_ % groups;
        first_ = frame.first_frame(in_signal);
        to_ = frame.widen(group_ / groups) * own_.samples();
        const Value begin = frame.u32(own_.begin / places_.unit), end = frame.u32(own_.end / places_.unit);
        if (groups == 1) return store(begin, end, true);
        // Blocks of `hop` samples of which the group has all frames: from its first frame and the neighbours on.
        const Value own_begin =
            (in_signal * std::uint64_t{own_.advance} + std::uint64_t{own_.neighbours()}) * std::uint64_t{hop_};
        const Value own_end = own_begin + std::uint64_t{own_.advance} * hop_;
        const auto clipped = [&](Value sample) {
            return build_.binary(Op::max, build_.binary(Op::min, sample, end), begin);
        };
        const Value is_first = build_.compare(Op::equal, in_signal, frame.u32(0));
        const Value is_last = build_.compare(Op::equal, in_signal, frame.u32(groups - 1));
        build_.begin_if(is_first | is_last);
        store(build_.select(is_first, begin, clipped(own_begin)), build_.select(is_last, end, clipped(own_end)), true);
        build_.begin_else();
        store(clipped(own_begin), clipped(own_end), false);
        build_.end_if();
    }

private:
    /// Elements begin .. end-1 of the signal, samples or pairs of them, neighbouring threads next to each other. Only
    /// groups at the signal's ends have some that fewer frames reach.
    void store(Value begin, Value end, bool is_at_ends) {
        const Value from = build_.begin_loop(begin, end, frame.u32(threads.launched()));
        const Value sample = from + build_.thread_id();
        const Value exists = build_.less(sample, end);
        const Value last = sample / std::uint64_t{hop_}, within = sample % std::uint64_t{hop_};
        const ir::Type element = frame.real.with_lanes(places_.unit);
        Value sum = build_.constant(element, 0);
        for (std::uint64_t r = 0; r <= own_.neighbours(); ++r) {
            const Value at = within + r * hop_;
            const Value is_there = is_at_ends ? reached(last, at, r, exists) : in_frame(at, r, exists);
            sum = sum + build_.shared_load(frame.frames, place(last - first_, within, r), element, is_there);
        }
        if (is_at_ends) sum = corrected(sum, last, within, exists);
        const Value number = (sample - frame.u32(own_.begin / places_.unit)) * std::uint64_t{places_.unit};
        frame.store_sample(to_ + frame.widen(number), sum, exists);
        build_.end_loop();
    }

    Value corrected(Value sum, Value last, Value within, Value exists) const {
        const Value first = within * std::uint64_t{places_.unit};  // a number's
        if (places_.unit == 1) return sum * correction(last, first, exists);
        return sum *
               build_.compose({correction(last, first, exists), correction(last, first + std::uint64_t{1}, exists)});
    }

    /// Where frame `last` - r, the group's, has number `within` + r hop: a constant from the first one's, unless an odd
    /// hop changes between even and odd numbers.
    Value place(Value last, Value within, std::uint64_t r) const {
        const bool is_shifted = !places_.is_split() || own_.hop % 2 == 0;
        if (!is_shifted) return places_.place(last - frame.u32(r), within + r * hop_);
        const std::uint64_t step = places_.is_split() ? own_.hop / 2 : hop_;
        return places_.place(last, within) + (r * (step - places_.pitch) & 0xffffffffu);
    }

    Value in_frame(Value at, std::uint64_t r, Value exists) const {
        const std::uint64_t length = own_.window.size() / places_.unit;
        return (r + 1) * hop_ > length ? exists & build_.less(at, frame.u32(length)) : exists;
    }
    /// The same, and frame `last` - r is there.
    Value reached(Value last, Value at, std::uint64_t r, Value exists) const {
        const Value in_group = last - frame.u32(r) - first_;  // below the first it wraps to what is not less
        return in_frame(at, r, exists) & build_.less(in_group, frame.u32(shape.sequences));
    }

    /// The sum of all windows' squares over that of those which reach a sample, number `within` of the hop.
    Value correction(Value last, Value within, Value exists) const {
        const Value zero = build_.constant(frame.real, 0), one = build_.constant(frame.real, 1);
        Value squares = zero, all = one;
        for (std::uint64_t r = 0; r <= own_.neighbours(); ++r) {
            const Value at = within + r * own_.hop;
            const Value is_there = reached(last, at / std::uint64_t{places_.unit}, r, exists);
            const Value is_asked = r == 0 ? exists : is_there;  // the first says what all windows' sum would be
            const Complex window = frame.table_entry(window_table(spec, true), at, is_asked);
            squares = squares + build_.select(is_there, window.re, zero);
            if (r == 0) all = window.im;
        }
        const Value is_reached = build_.less(zero, squares);
        return build_.select(is_reached, all / build_.select(is_reached, squares, one), one);
    }

    const OverlapAdd& own_;
    ir::Builder& build_;
    const FramePlaces places_;
    const std::uint32_t hop_;  // in elements
    Value group_, first_, to_;
};

}  // namespace

bool frames_replace_points(const KernelSpec& spec) { return !spec.out.map() && spec.runs_once(); }

void store_overlapped(const Pass& pass) {
    pass.frame.builder.group_barrier();
    OverlapSum(pass).store();
}

}  // namespace seiche::kernels
