// Two passes over memory in one launch: the second trails the first so closely that a cache has what lies between them.
//
// Groups draw tickets from a counter as they begin, and the ticket says which group of which pass they are: first some
// of the leading pass, then both passes in turn, at last the rest of the trailing pass. A group of the trailing pass
// waits until all groups of the leading one have stored their part of its slice. Those drew earlier tickets, so that
// they are under way, whatever the order in which a device begins its groups (as Merrill & Garland, "Single-pass
// parallel prefix scan with decoupled look-back", 2016).
#include <algorithm>
#include <numeric>

#include "kernels/group.hpp"

namespace seiche::kernels {

using ir::Value;

/// A beat is the fewest groups of the leading pass that have a whole number of the trailing pass's beside them.
GroupKernel::Drawn GroupKernel::drawn(Value ticket, std::uint64_t groups, std::uint64_t trailing_groups) {
    ir::Builder& build = frame_.builder;
    const std::uint64_t of_slice = std::gcd(groups, trailing_groups);
    const std::uint64_t leading = std::max<std::uint64_t>(1, groups / of_slice), trailing = trailing_groups / of_slice;
    const Value beats = frame_.total / spec_.slice * of_slice;
    const Value ahead = build.binary(ir::Op::min, frame_.u32((spec_.lead + leading - 1) / leading), beats);
    const Value alone = ahead * leading, in_turn = (beats - ahead) * (leading + trailing);
    const Value behind = ticket - alone, beat = behind / (leading + trailing), in_beat = behind % (leading + trailing);
    const Value is_alone = build.less(ticket, alone), is_in_turn = build.less(behind, in_turn);
    const Value leads = build.less(in_beat, frame_.u32(leading));
    const Value of_beat =
        build.select(leads, alone + beat * leading + in_beat, beat * trailing + (in_beat - frame_.u32(leading)));
    const Value last = (beats - ahead) * trailing + (behind - in_turn);
    return {is_alone | (is_in_turn & leads), build.select(is_alone, ticket, build.select(is_in_turn, of_beat, last))};
}

/// The last group of a slice has what is left of it.
void GroupKernel::take(Value group) {
    const std::uint64_t sequences = shape_.sequences, slice = spec_.slice, groups = (slice + sequences - 1) / sequences;
    group_ = group;
    frame_.total = {};
    if (const std::uint64_t run = spec_.slice_run) {
        const std::uint64_t beside = spec_.slice_period / run, of_run = run / sequences;
        const Value of_slice = group / groups, in_slice = group % groups;
        first_sequence_ = of_slice / beside * (beside * slice) + of_slice % beside * run +
                          in_slice / of_run * spec_.slice_period + in_slice % of_run * sequences;
        return;
    }
    if (slice % sequences == 0) return;
    const Value begin = group / groups * slice;
    first_sequence_ = begin + group % groups * sequences;
    frame_.total = begin + slice;
}

ir::Kernel GroupKernel::build_trailing() {
    if (spec_.then.empty()) return build_trailing(nullptr);
    GroupKernel beside(spec_.then.front(), Frame(spec_.then.front(), frame_));
    return build_trailing(&beside);
}

/// `beside`: the second half of the leading pass, where that is two passes that a group has on chip.
ir::Kernel GroupKernel::build_trailing(GroupKernel* beside) {
    ir::Builder& build = frame_.builder;
    const KernelSpec& second = spec_.trailing.front();
    GroupKernel next(second, Frame(second, frame_));
    build.kernel().launch.min_groups_per_unit = shape_.min_groups_per_unit;
    std::uint32_t extent = 0;
    for (GroupKernel* pass : {this, &next}) {
        if (!pass->exchanges() || (pass == this && beside)) continue;
        pass->choose_layout();
        extent = std::max(extent, pass->exchange_extent());
    }
    if (beside) extent = std::max(extent, choose_fused_layout(*beside));
    if (extent != 0) declare_planes(extent);
    std::copy(std::begin(plane_), std::end(plane_), std::begin(next.plane_));
    std::copy(std::begin(plane_offset_), std::end(plane_offset_), std::begin(next.plane_offset_));

    const std::uint64_t groups = groups_per_slice(spec_), trailing = groups_per_slice(second);
    const Drawn ticket = drawn(build.take_ticket(frame_.counters, frame_.u64(0)), groups, trailing);
    build.begin_if(ticket.is_leading);
    take(ticket.group);
    if (beside) {
        beside->group_ = group_;
        run_fused(*beside);
    } else {
        run_once();
    }
    const auto counter = [&](std::uint64_t of_slice) {
        return frame_.widen(ticket.group / of_slice) + std::uint64_t{1};
    };
    build.signal(frame_.counters, counter(groups));
    build.begin_else();
    build.wait_until(frame_.counters, counter(trailing), frame_.u32(groups));
    next.take(ticket.group);
    const std::size_t begin = build.kernel().code.size();
    next.run_once();
    build.end_if();
    if (spec_.streams_input) hint_loads(ir::CacheHint::streaming);
    // The cache's room is for what is between the passes: 2^27 points 0.33 of copy and 0.36 on an H100, 2^20 0.56 and
    // 0.60; 2^19 and f64 100000 lose up to 1 %.
    for (std::size_t k = begin; k < build.kernel().code.size(); ++k)
        if (ir::Instruction& i = build.kernel().code[k]; i.op == ir::Op::global_store)
            i.hint = ir::CacheHint::streaming;
    return build.finish();
}

}  // namespace seiche::kernels
