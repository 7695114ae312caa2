// Passes over memory in one launch: each trails the one before so closely that a cache has what lies between them.
//
// Groups draw tickets from a counter as they begin, and the ticket says which group of which pass they are: first some
// of the leading pass, then this and what trails it in turn, at last the rest of what trails. Of three passes those are
// the second and the third, by the same rule. A group of a trailing pass waits until all groups of the one before have
// stored their part of its slice. Those drew earlier tickets, so that they are under way, whatever the order in which a
// device begins its groups (as Merrill & Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016).
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

#include "kernels/group/group.hpp"

namespace seiche::kernels {

using ir::Value;

/// A beat is the fewest groups of a pass that have a whole number of those behind it beside them.
GroupKernel::Drawn GroupKernel::drawn(const Ticket& ticket, std::uint64_t groups, std::uint64_t groups_behind) {
    ir::Builder& build = frame_.builder;
    const std::uint64_t of_slice = std::gcd(groups, groups_behind);
    const std::uint64_t leading = std::max<std::uint64_t>(1, groups / of_slice), trailing = groups_behind / of_slice;
    const Value beats = ticket.slices * of_slice;
    const Value ahead =
        build.binary(ir::Op::min, frame_.u32((spec_.pipeline.prefetch_distance + leading - 1) / leading), beats);
    const Value alone = ahead * leading, in_turn = (beats - ahead) * (leading + trailing);
    const Value behind = ticket.number - alone;
    const Value beat = behind / (leading + trailing), in_beat = behind % (leading + trailing);
    const Value is_alone = build.less(ticket.number, alone), is_in_turn = build.less(behind, in_turn);
    const Value leads = build.less(in_beat, frame_.u32(leading));
    const Value of_beat =
        build.select(leads, alone + beat * leading + in_beat, beat * trailing + (in_beat - frame_.u32(leading)));
    const Value last = (beats - ahead) * trailing + (behind - in_turn);
    return {is_alone | (is_in_turn & leads),
            build.select(is_alone, ticket.number, build.select(is_in_turn, of_beat, last))};
}

/// The last group of a slice has what is left of it.
void GroupKernel::take(Value group) {
    const std::uint64_t sequences = shape_.sequences, slice = spec_.slices.sequences,
                        groups = (slice + sequences - 1) / sequences;
    group_ = group;
    frame_.total = {};
    if (const std::uint64_t run = spec_.slices.run) {
        const std::uint64_t beside = spec_.slices.period / run, of_run = run / sequences;
        const Value of_slice = group / groups, in_slice = group % groups;
        first_sequence_ = of_slice / beside * (beside * slice) + of_slice % beside * run +
                          in_slice / of_run * spec_.slices.period + in_slice % of_run * sequences;
        return;
    }
    if (slice % sequences == 0) return;
    const Value begin = group / groups * slice;
    first_sequence_ = begin + group % groups * sequences;
    frame_.total = begin + slice;
}

ir::Kernel GroupKernel::build_trailing() {
    ir::Builder& build = frame_.builder;
    std::vector<std::unique_ptr<GroupKernel>> behind;
    for (const KernelSpec* spec = &spec_; !spec->pipeline.next.empty(); spec = &spec->pipeline.next.front()) {
        const KernelSpec& next = spec->pipeline.next.front();
        const Frame& before = behind.empty() ? frame_ : behind.back()->frame_;
        behind.push_back(std::make_unique<GroupKernel>(next, Frame(next, before)));
    }
    // The second half of the leading pass, where that is two passes that a group has on chip.
    std::optional<GroupKernel> beside;
    if (!spec_.on_chip.next.empty())
        beside.emplace(spec_.on_chip.next.front(), Frame(spec_.on_chip.next.front(), frame_));
    build.kernel().launch.min_groups_per_unit = shape_.min_groups_per_unit;
    const std::uint32_t extent = choose_common_layout(beside ? &*beside : nullptr, behind);
    if (extent != 0) declare_planes(extent);
    for (const std::unique_ptr<GroupKernel>& pass : behind) {
        std::copy(std::begin(plane_), std::end(plane_), std::begin(pass->plane_));
        std::copy(std::begin(plane_offset_), std::end(plane_offset_), std::begin(pass->plane_offset_));
    }
    const Value number = build.take_ticket(frame_.counters, frame_.u64(0));
    run_in_turn({number, frame_.total / spec_.slices.sequences, behind.size()}, beside ? &*beside : nullptr, behind);
    if (spec_.pipeline.streams_input) hint_loads(ir::CacheHint::streaming);
    return build.finish();
}

/// Elements of a plane.
std::uint32_t GroupKernel::choose_common_layout(GroupKernel* beside, Passes behind) {
    std::uint32_t extent = 0;
    const auto choose = [&extent](GroupKernel& pass) {
        if (!pass.exchanges()) return;
        pass.choose_layout();
        extent = std::max(extent, pass.exchange_extent());
    };
    if (!beside) choose(*this);
    for (const std::unique_ptr<GroupKernel>& pass : behind) choose(*pass);
    return beside ? std::max(extent, choose_fused_layout(*beside)) : extent;
}

/// Behind that of the tickets, each slice has one of each pass that others wait for.
Value GroupKernel::counter(const Ticket& ticket, std::uint64_t pass, Value slice) {
    const Value first = frame_.widen(slice);
    return (ticket.counters == 1 ? first : first * ticket.counters) + (pass + 1);
}

/// The cache's room is for what is between the passes. On an H100, of copy: 2^27 points 0.33 and 0.36, 2^20 0.56 and
/// 0.60, while 2^19 and f64 100000 lose up to 1 %. A third pass is the last to load it: 65537
/// points with its loads so 0.209, with the input's too 0.213, with the second pass's instead 0.206.
void GroupKernel::keep_between(std::size_t begin, bool is_last_to_load) {
    std::vector<ir::Instruction>& code = frame_.builder.kernel().code;
    for (std::size_t k = begin; k < code.size(); ++k) {
        const bool is_load = is_last_to_load && code[k].op == ir::Op::global_load && code[k].symbol == frame_.in;
        if (is_load || code[k].op == ir::Op::global_store) code[k].hint = ir::CacheHint::streaming;
    }
}

/// A group is one of this pass, or of one of those behind it.
void GroupKernel::run_in_turn(const Ticket& ticket, GroupKernel* beside, Passes behind) {
    ir::Builder& build = frame_.builder;
    const std::uint64_t groups = groups_per_slice(spec_);
    const auto take_behind_others = [&](Value group) {
        if (ticket.pass != 0)
            build.wait_until(frame_.counters, counter(ticket, ticket.pass - 1, group / groups),
                             frame_.u32(groups_before_));
        take(group);
    };
    if (behind.empty()) {
        take_behind_others(ticket.number);
        const std::size_t begin = build.kernel().code.size();
        run_once();
        keep_between(begin, ticket.pass > 1);
        return;
    }
    std::uint64_t groups_behind = 0;
    for (const std::unique_ptr<GroupKernel>& pass : behind) groups_behind += groups_per_slice(pass->spec_);
    const Drawn of_pass = drawn(ticket, groups, groups_behind);
    build.begin_if(of_pass.is_leading);
    take_behind_others(of_pass.group);
    if (beside) {
        beside->group_ = group_;
        run_fused(*beside);
        beside->store();
    } else {
        run_once();
    }
    build.signal(frame_.counters, counter(ticket, ticket.pass, of_pass.group / groups));
    build.begin_else();
    behind.front()->groups_before_ = groups;
    behind.front()->run_in_turn({of_pass.group, ticket.slices, ticket.counters, ticket.pass + 1}, nullptr,
                                behind.subspan(1));
    build.end_if();
}

}  // namespace seiche::kernels
