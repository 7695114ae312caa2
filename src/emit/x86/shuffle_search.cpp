// Drafts, and goals of more than two sources: a tree without waste where there is one, else parts that are joined.
#include "emit/x86/shuffle_search.hpp"

namespace seiche::emit::x86 {

namespace {

bool is_same(const DraftStep& x, const DraftStep& y) {
    if (x.op != y.op || x.a != y.a || x.b != y.b || x.immediate != y.immediate || x.mask != y.mask) return false;
    return x.wanted.count == y.wanted.count && x.wanted.lane_bytes == y.wanted.lane_bytes &&
           std::equal(x.wanted.lanes.begin(), x.wanted.lanes.begin() + x.wanted.count, y.wanted.lanes.begin());
}

/// A step of two drafts.
Draft join(ShuffleOp op, unsigned immediate, const Draft& a, const Draft& b) {
    Draft draft;
    DraftStep step;
    step.op = op;
    step.immediate = static_cast<std::uint8_t>(immediate);
    step.a = draft.append(a);
    step.b = draft.append(b);
    draft.result = draft.add(step);
    return draft;
}

/// A blend of values 0 and 1, the first with the lanes of some sources, the second with the others.
std::optional<Draft> blend(const Shape& shape, const Goal& goal, std::uint32_t first) {
    Goal places = goal;
    for (unsigned i = 0; i < goal.count; ++i)
        if (goal.wants(i)) places.lanes[i] = Goal::lane(first >> Goal::source(goal.lanes[i]) & 1u ? 0 : 1, i);
    return make_at_once(shape, places);
}
Draft join_blend(const Draft& blend, const Draft& first, const Draft& second) {
    Draft draft;
    const std::uint16_t x = draft.append(first), y = draft.append(second);
    DraftStep last = blend.steps.front();
    last.a = last.a == 0 ? x : y;
    last.b = last.b == 0 ? x : y;
    draft.result = draft.add(last);
    return draft;
}

/// Steps that each join two values of different sources: one fewer than sources, which is the least there is.
class TreeSearch {
public:
    TreeSearch(const Shape& shape, bool constants) : shape_(shape), constants_(constants) {}

    std::optional<Draft> run(const Goal& goal) {
        if (budget_ == 0) return std::nullopt;
        --budget_;
        const unsigned sources = count_sources(goal);
        if (sources <= 2) return leaf(goal, sources);
        for (const Select& select : selects_of(shape_))
            if (select.two && crosses_blocks(select.op))
                if (auto draft = end_in_select(select, goal)) return draft;
        for (const unsigned lane_bytes : {8u, 4u, 2u})
            if (lane_bytes >= shape_.lane_bytes)
                if (auto draft = end_in_unpack(lane_bytes, goal)) return draft;
        for (const Select& select : selects_of(shape_))
            if (select.two && !crosses_blocks(select.op))
                if (auto draft = end_in_select(select, goal)) return draft;
        return end_in_blend(goal);
    }

    /// What an operand of the select must be, in the first arrangement that is a tree. Adds its bits to the immediate.
    std::optional<Draft> operand(const Select& select, const Goal& wanted, bool of_b, unsigned& immediate) {
        std::optional<Draft> found;
        const auto visit = [&](unsigned bits, const Goal& goal) {
            found = run(goal);
            if (found) immediate |= bits;
            return !found;
        };
        Arrangement(select, wanted, of_b, visit);
        return found;
    }

private:
    /// Enough for what is regular; a search of everything would be long.
    static constexpr unsigned most_goals = 100;

    std::optional<Draft> leaf(const Goal& goal, unsigned sources) const {
        if (sources == 1 && !in_place(goal)) return std::nullopt;
        std::optional<Draft> draft = make_at_once(shape_, goal);
        if (draft && !constants_ && draft->cost().constants > 0) return std::nullopt;
        return draft;
    }
    static bool are_apart(const Goal& a, const Goal& b) {
        const std::uint32_t x = sources_of(a), y = sources_of(b);
        return x != 0 && y != 0 && (x & y) == 0;
    }

    std::optional<Draft> end_in_select(const Select& select, const Goal& goal) {
        if (!are_apart(operand_of(goal, select, false), operand_of(goal, select, true))) return std::nullopt;
        unsigned immediate = 0;
        const std::optional<Draft> a = operand(select, goal, false, immediate);
        if (!a) return std::nullopt;
        const std::optional<Draft> b = operand(select, goal, true, immediate);
        if (!b) return std::nullopt;
        return join(select.op, immediate, *a, *b);
    }
    std::optional<Draft> end_in_unpack(unsigned lane_bytes, const Goal& goal) {
        for (const bool high : {false, true}) {
            const auto origin = [&](unsigned i) { return unpack_origin(lane_bytes, high, i); };
            const Goal a = operand_of(goal, lane_bytes, false, origin), b = operand_of(goal, lane_bytes, true, origin);
            if (!are_apart(a, b)) return std::nullopt;
            const std::optional<Draft> x = run(a);
            if (!x) continue;
            const std::optional<Draft> y = run(b);
            if (y) return join(unpack_op(lane_bytes, high), 0, *x, *y);
        }
        return std::nullopt;
    }

    /// A source whose lanes are at their places is blended into the rest.
    std::optional<Draft> end_in_blend(const Goal& goal) {
        const std::uint32_t sources = sources_of(goal);
        for (unsigned source = 0; source < Draft::first_step; ++source) {
            const Goal own = only_from(goal, 1u << source);
            if ((sources >> source & 1u) == 0 || !in_place(own)) continue;
            const std::optional<Draft> step = blend(shape_, goal, 1u << source);
            if (!step || (!constants_ && step->cost().constants > 0)) continue;
            if (const auto rest = run(only_from(goal, sources & ~(1u << source))))
                return join_blend(*step, *make_at_once(shape_, own), *rest);
        }
        return std::nullopt;
    }

    const Shape& shape_;
    bool constants_;
    unsigned budget_ = most_goals;
};

/// Goals of more than two sources that are no tree: ways to divide them.
class PartSearch {
public:
    PartSearch(const Shape& shape, const Goal& goal, bool share) : shape_(shape), goal_(goal), share_(share) {}

    Draft run() {
        for (const Select& select : selects_of(shape_))
            if (select.two && shape_.set != InstructionSet::avx512) end_in_select(select);
        end_in_blend();
        if (!best_) best_ = gather_bytes(goal_);
        return *best_;
    }

private:
    void consider(const Draft& draft) {
        const Cost cost = draft.cost();
        if (best_ && best_cost_ <= cost) return;
        best_ = draft;
        best_cost_ = cost;
    }

    void end_in_select(const Select& select) {
        // Without lanes of both, one operand would be as hard as the goal.
        if (sources_of(operand_of(goal_, select, false)) == 0) return;
        if (sources_of(operand_of(goal_, select, true)) == 0) return;
        unsigned immediate = 0;
        const Draft a = operand(select, false, immediate), b = operand(select, true, immediate);
        consider(join(select.op, immediate, a, b));
    }
    /// The best arrangement that a single step makes, else the first.
    Draft operand(const Select& select, bool of_b, unsigned& immediate) const {
        std::optional<Draft> best;
        std::optional<Goal> first;
        unsigned bits = 0, first_bits = 0;
        Cost best_cost;
        const auto visit = [&](unsigned choice, const Goal& goal) {
            if (!first) {
                first = goal;
                first_bits = choice;
            }
            const std::optional<Draft> draft = make_at_once(shape_, goal);
            if (!draft || (best && best_cost <= draft->cost())) return true;
            best = draft;
            best_cost = draft->cost();
            bits = choice;
            return true;
        };
        Arrangement(select, goal_, of_b, visit);
        immediate |= best ? bits : first_bits;
        return best ? *best : search_shuffle(shape_, *first, share_);
    }

    /// Half of the sources, and the other half; pairs stay together.
    void end_in_blend() {
        std::uint32_t first = 0, rest = sources_of(goal_);
        const unsigned sources = count_sources(goal_);
        if (sources % 2 == 1 && shape_.set == InstructionSet::avx512) return end_in_last();
        unsigned count = sources / 2;
        if (count > 1 && count % 2 == 1) ++count;
        for (; count > 0; --count) {
            first |= rest & (~rest + 1);
            rest &= rest - 1;
        }
        const std::optional<Draft> step = blend(shape_, goal_, first);
        if (!step) return;
        consider(join_blend(*step, search_shuffle(shape_, only_from(goal_, first), share_),
                            search_shuffle(shape_, only_from(goal_, rest), share_)));
    }
    /// Lanes of the last source are put among those of the others, which are at their places.
    void end_in_last() {
        const std::uint32_t sources = sources_of(goal_), last = std::bit_floor(sources);
        Goal places = goal_;
        for (unsigned i = 0; i < goal_.count; ++i) {
            if (!goal_.wants(i)) continue;
            const bool of_last = (last >> Goal::source(goal_.lanes[i]) & 1u) != 0;
            places.lanes[i] = of_last ? Goal::lane(1, Goal::place(goal_.lanes[i])) : Goal::lane(0, i);
        }
        Draft source;
        source.result = static_cast<std::uint16_t>(std::countr_zero(last));
        consider(join_blend(*make_at_once(shape_, places),
                            search_shuffle(shape_, only_from(goal_, sources & ~last), share_), source));
    }

    const Shape& shape_;
    const Goal& goal_;
    bool share_;
    std::optional<Draft> best_;
    Cost best_cost_;
};

/// Two blocks by a tree each, of avx2 and 32 bytes: the trees of a register interleaved with it begin alike.
std::optional<Draft> end_in_blocks(const Shape& shape, const Goal& goal) {
    TreeSearch search(shape, false);
    for (const Select& select : selects_of(shape)) {
        if (select.op != ShuffleOp::permute_2x128) continue;
        unsigned immediate = 0;
        const std::optional<Draft> a = search.operand(select, goal, false, immediate);
        if (!a) return std::nullopt;
        const std::optional<Draft> b = search.operand(select, goal, true, immediate);
        if (b) return join(select.op, immediate, *a, *b);
    }
    return std::nullopt;
}

/// A tree that moves no lane to another block, then a permute, of avx2 and 32 bytes: as many steps as sources.
std::optional<Draft> end_in_permute(const Shape& shape, const Goal& goal) {
    if (goal.lane_bytes != 4) return std::nullopt;
    Goal gathered = Goal::nothing(4, goal.count);
    DraftStep last;
    last.op = ShuffleOp::permute_across_32;
    last.wanted = goal;
    for (unsigned i = 0; i < goal.count; ++i) {
        if (!goal.wants(i)) continue;
        unsigned at = Goal::place(goal.lanes[i]) / 4 * 4;
        const unsigned end = at + 4;
        while (at < end && gathered.wants(at) && gathered.lanes[at] != goal.lanes[i]) ++at;
        if (at == end) return std::nullopt;
        gathered.lanes[at] = goal.lanes[i];
        last.wanted.lanes[i] = Goal::lane(0, at);
    }
    std::optional<Draft> draft = TreeSearch(shape, false).run(gathered);
    if (!draft) return std::nullopt;
    last.a = last.b = draft->result;
    draft->result = draft->add(last);
    return draft;
}

/// The lanes of the goal that stay in their block, or those that do not; nobody looks at the others.
Goal only_inside(const Goal& goal, bool inside) {
    const unsigned block = 16 / goal.lane_bytes;
    Goal part = goal;
    for (unsigned i = 0; i < goal.count; ++i)
        if (goal.wants(i) && (Goal::place(goal.lanes[i]) / block == i / block) != inside) part.lanes[i] = Goal::any;
    return part;
}

}  // namespace

std::uint16_t Draft::add(const DraftStep& step) {
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (is_same(steps[i], step)) return static_cast<std::uint16_t>(first_step + i);
    steps.push_back(step);
    return static_cast<std::uint16_t>(first_step + steps.size() - 1);
}

std::uint16_t Draft::append(const Draft& other) {
    std::vector<std::uint16_t> values;
    const auto here = [&](std::uint16_t value) { return value < first_step ? value : values[value - first_step]; };
    for (DraftStep step : other.steps) {
        step.a = here(step.a);
        step.b = here(step.b);
        values.push_back(add(step));
    }
    return here(other.result);
}

Cost Draft::cost() const {
    Cost cost{static_cast<unsigned>(steps.size()), 0, 0};
    std::vector<unsigned> ready(first_step + steps.size(), 0);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const DraftStep& step = steps[i];
        ready[first_step + i] = std::max(ready[step.a], ready[step.b]) + shuffle_latency(step.op);
        cost.latency = std::max(cost.latency, ready[first_step + i]);
        if (has_constant(step.op)) ++cost.constants;
    }
    return cost;
}

std::optional<Draft> make_at_once(const Shape& shape, const Goal& goal) {
    const std::uint32_t sources = sources_of(goal);
    Draft draft;
    if (sources == 0) return draft;
    if (std::has_single_bit(sources) && in_place(goal)) {
        draft.result = static_cast<std::uint16_t>(std::countr_zero(sources));
        return draft;
    }
    const std::optional<DraftStep> step = one_step(shape, goal);
    if (!step) return std::nullopt;
    draft.result = draft.add(*step);
    return draft;
}

Draft gather_bytes(const Goal& goal) {
    Draft draft;
    bool first = true;
    for (unsigned source = 0; source < Draft::first_step; ++source) {
        for (const bool inside : {true, false}) {
            Goal part = only_inside(only_from(goal, 1u << source), inside);
            if (sources_of(part) == 0) continue;
            DraftStep move;
            move.a = move.b = static_cast<std::uint16_t>(source);
            if (!inside) {  // the halves are exchanged first
                move.op = ShuffleOp::permute_across_64;
                move.immediate = 0x4e;
                move.a = move.b = draft.add(move);
                move.immediate = 0;
            }
            move.op = ShuffleOp::shuffle_bytes;
            for (unsigned i = 0; i < part.count; ++i)
                if (part.wants(i)) part.lanes[i] = Goal::lane(0, Goal::place(part.lanes[i]));
            move.wanted = part;
            const std::uint16_t moved = draft.add(move);
            DraftStep both;
            both.op = ShuffleOp::bit_or;
            both.a = draft.result;
            both.b = moved;
            draft.result = first ? moved : draft.add(both);
            first = false;
        }
    }
    return draft;
}

Draft search_shuffle(const Shape& shape, const Goal& goal, bool share) {
    if (const std::optional<Draft> once = make_at_once(shape, goal)) return *once;
    if (count_sources(goal) <= 2) return search_pair(shape, goal, share);
    if (const std::optional<Draft> tree = TreeSearch(shape, false).run(goal)) return *tree;
    if (shape.set == InstructionSet::avx512)
        if (const std::optional<Draft> tree = TreeSearch(shape, true).run(goal)) return *tree;
    if (shape.set == InstructionSet::avx2 && shape.register_bytes == 32) {
        if (share)
            if (const std::optional<Draft> blocks = end_in_blocks(shape, goal)) return *blocks;
        // Without a tree there are as many steps as sources at least.
        if (const auto permuted = end_in_permute(shape, goal)) return *permuted;
    }
    return PartSearch(shape, goal, share).run();
}

}  // namespace seiche::emit::x86
