// Pipelined passes: passes over memory in one launch, each so close behind the one before that a cache has what lies
// between them.
//
// Groups draw tickets from a counter as they begin, and the ticket says which group of which pass they are: first some
// of the first pass, then this and the second in turn, at last the rest of the second. With three passes these two are
// the second and the third, by the same rule. A group of a later pass waits until all groups of the one before have
// stored their part of its slice. Those drew earlier tickets, so that they are under way, whatever the order in which a
// device begins its groups (as Merrill & Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016).
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <span>

#include "kernels/group/on_chip.hpp"

namespace seiche::kernels {

using ir::Value;

namespace {

class PipelinedPasses {
public:
    explicit PipelinedPasses(const KernelSpec& spec);
    ir::Kernel build();

private:
    using Trailing = std::span<const std::unique_ptr<GroupKernel>>;
    struct Ticket {
        Value number, slices;           // among those of this pass and of those behind it; of the launch
        std::uint64_t pass = 0;         // which this is
        std::uint64_t groups_before{};  // of a slice of the pass before
    };
    struct Drawn {
        Value is_leading, group;  // of its pass, or a ticket of those behind it
    };
    void run_in_turn(GroupKernel& first, Trailing behind, const Ticket& ticket);
    Drawn drawn(const GroupKernel& first, const Ticket& ticket, std::uint64_t groups, std::uint64_t groups_behind);
    Value counter(std::uint64_t pass, Value slice);

    GroupKernel leading_;
    Frame& frame_;
    std::vector<std::unique_ptr<GroupKernel>> trailing_;
    std::optional<GroupKernel> beside_;  // the second half of the leading pass, where that is two passes on chip
};

PipelinedPasses::PipelinedPasses(const KernelSpec& spec) : leading_(spec), frame_(leading_.pass().frame) {
    for (const KernelSpec* one = &spec; !one->pipeline.next.empty(); one = &one->pipeline.next.front())
        trailing_.push_back(std::make_unique<GroupKernel>(one->pipeline.next.front(),
                                                          trailing_.empty() ? leading_ : *trailing_.back()));
    if (!spec.on_chip.next.empty()) beside_.emplace(spec.on_chip.next.front(), leading_);
    frame_.builder.kernel().launch.min_groups_per_unit = leading_.pass().shape.min_groups_per_unit;
}

ir::Kernel PipelinedPasses::build() {
    const KernelSpec& spec = leading_.pass().spec;
    leading_.pass().exchange.declare();
    for (const std::unique_ptr<GroupKernel>& one : trailing_) one->pass().exchange.share(leading_.pass().exchange);
    const Value number = frame_.builder.take_ticket(frame_.counters, frame_.u64(0));
    run_in_turn(leading_, trailing_, {number, frame_.total / spec.slices.sequences});
    leading_.hint_loads();
    return frame_.builder.finish();
}

/// A beat is the fewest groups of a pass that have a whole number of those behind it beside them.
PipelinedPasses::Drawn PipelinedPasses::drawn(const GroupKernel& first, const Ticket& ticket, std::uint64_t groups,
                                              std::uint64_t groups_behind) {
    ir::Builder& build = frame_.builder;
    const std::uint64_t of_slice = std::gcd(groups, groups_behind);
    const std::uint64_t leading = std::max<std::uint64_t>(1, groups / of_slice), trailing = groups_behind / of_slice;
    const Value beats = ticket.slices * of_slice;
    const Value ahead = build.binary(
        ir::Op::min, frame_.u32((first.pass().spec.pipeline.prefetch_distance + leading - 1) / leading), beats);
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

/// Behind that of the tickets, each slice has one of each pass that others wait for.
Value PipelinedPasses::counter(std::uint64_t pass, Value slice) {
    const Value first = frame_.widen(slice);
    return (trailing_.size() == 1 ? first : first * trailing_.size()) + (pass + 1);
}

/// A group is one of `first`, or of one of those behind it.
void PipelinedPasses::run_in_turn(GroupKernel& first, Trailing behind, const Ticket& ticket) {
    ir::Builder& build = frame_.builder;
    const std::uint64_t groups = groups_per_slice(first.pass().spec);
    const auto take_behind_others = [&](Value group) {
        if (ticket.pass != 0)
            build.wait_until(frame_.counters, counter(ticket.pass - 1, group / groups),
                             frame_.u32(ticket.groups_before));
        first.pass().sequences.take(group);
    };
    if (behind.empty()) {
        take_behind_others(ticket.number);
        const std::size_t begin = build.kernel().code.size();
        first.run_once();
        first.hint_loads(begin);
        first.hint_stores(begin);
        return;
    }
    std::uint64_t groups_behind = 0;
    for (const std::unique_ptr<GroupKernel>& one : behind) groups_behind += groups_per_slice(one->pass().spec);
    const Drawn of_pass = drawn(first, ticket, groups, groups_behind);
    build.begin_if(of_pass.is_leading);
    take_behind_others(of_pass.group);
    if (beside_ && ticket.pass == 0) {
        beside_->pass().sequences.follow(first.pass().sequences);
        FusedPasses(first, *beside_).run();
        beside_->store();
    } else {
        first.run_once();
    }
    build.signal(frame_.counters, counter(ticket.pass, of_pass.group / groups));
    build.begin_else();
    run_in_turn(*behind.front(), behind.subspan(1), {of_pass.group, ticket.slices, ticket.pass + 1, groups});
    build.end_if();
}

}  // namespace

ir::Kernel build_pipelined(const KernelSpec& spec) { return PipelinedPasses(spec).build(); }

}  // namespace seiche::kernels
