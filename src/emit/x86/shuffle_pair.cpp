// Goals of one or two sources in two or three steps: each last instruction there may be, and what makes its operands.
#include "emit/x86/shuffle_search.hpp"

namespace seiche::emit::x86 {

namespace {

/// An operand of the last step.
struct Part {
    enum class Kind : std::uint8_t { nothing, source, step };

    Kind kind = Kind::nothing;
    std::uint16_t source = 0;
    unsigned immediate = 0;  ///< Of the last step.
    DraftStep step;

    Cost cost() const {
        if (kind != Kind::step) return {};
        return {1, has_constant(step.op) ? 1u : 0u, shuffle_latency(step.op)};
    }
};

std::optional<Part> part_of(const Shape& shape, const Goal& goal, unsigned immediate = 0) {
    Part part;
    part.immediate = immediate;
    const std::uint32_t sources = sources_of(goal);
    if (sources == 0) return part;
    if (std::has_single_bit(sources) && in_place(goal)) {
        part.kind = Part::Kind::source;
        part.source = static_cast<std::uint16_t>(std::countr_zero(sources));
        return part;
    }
    const std::optional<DraftStep> step = one_step(shape, goal);
    if (!step) return std::nullopt;
    part.kind = Part::Kind::step;
    part.step = *step;
    return part;
}

class PairSearch {
public:
    PairSearch(const Shape& shape, const Goal& goal, bool share) : shape_(shape), goal_(goal), share_(share) {
        const std::uint32_t sources = sources_of(goal);
        low_ = static_cast<unsigned>(std::countr_zero(sources));
        high_ = static_cast<unsigned>(std::bit_width(sources)) - 1;
    }

    std::optional<Draft> run() {
        for (const Select& select : selects_of(shape_))
            if (select.two) end_in_two(select);
        end_in_unpack();
        end_in_align();
        end_in_blend();
        for (const Select& select : selects_of(shape_))
            if (!select.two && !is_best_possible()) end_in_one(select);
        end_in_bytes();
        end_in_permute();
        if (!found_) return std::nullopt;
        return draft();
    }

private:
    /// Two steps inside blocks by immediates: nothing is better.
    bool is_best_possible() const { return found_ && best_ <= Cost{2, 0, 2}; }

    void consider(const DraftStep& last, const Part& a, const Part& b) {
        const Cost x = a.cost(), y = b.cost();
        Cost cost{1 + x.steps + y.steps, x.constants + y.constants + (has_constant(last.op) ? 1u : 0u),
                  std::max(x.latency, y.latency) + shuffle_latency(last.op)};
        const bool shared = share_ && last.op == ShuffleOp::permute_2x128 && is_unpack(a) && is_unpack(b);
        if (shared) cost = {};
        if (found_ && best_ <= cost) return;
        found_ = true;
        best_ = cost;
        last_ = last;
        a_ = a;
        b_ = b;
    }
    static bool is_unpack(const Part& part) {
        return part.kind == Part::Kind::step && part.step.op >= ShuffleOp::unpack_low_16 &&
               part.step.op <= ShuffleOp::unpack_high_64;
    }

    void end_in_two(const Select& select) {
        const std::optional<Part> a = best_part(select, false);
        if (!a) return;
        const std::optional<Part> b = best_part(select, true);
        if (!b) return;
        DraftStep last;
        last.op = select.op;
        last.immediate = static_cast<std::uint8_t>(a->immediate | b->immediate);
        consider(last, *a, *b);
    }
    std::optional<Part> best_part(const Select& select, bool of_b) const {
        std::optional<Part> best;
        const auto visit = [&](unsigned immediate, const Goal& goal) {
            const std::optional<Part> part = part_of(shape_, goal, immediate);
            if (part && (!best || part->cost() < best->cost())) best = part;
            return !best || best->kind == Part::Kind::step;
        };
        Arrangement(select, goal_, of_b, visit);
        return best;
    }

    template <typename OriginOf>
    void end_in(ShuffleOp op, unsigned immediate, unsigned lane_bytes, const OriginOf& origin) {
        const std::optional<Part> a = part_of(shape_, operand_of(goal_, lane_bytes, false, origin));
        if (!a) return;
        const std::optional<Part> b = part_of(shape_, operand_of(goal_, lane_bytes, true, origin));
        if (!b) return;
        DraftStep last;
        last.op = op;
        last.immediate = static_cast<std::uint8_t>(immediate);
        consider(last, *a, *b);
    }
    void end_in_unpack() {
        for (const unsigned lane_bytes : {8u, 4u, 2u}) {
            if (lane_bytes < goal_.lane_bytes) continue;
            for (const bool high : {false, true})
                end_in(unpack_op(lane_bytes, high), 0, lane_bytes,
                       [&](unsigned i) { return unpack_origin(lane_bytes, high, i); });
        }
    }
    void end_in_align() {
        const unsigned group = 16 / goal_.lane_bytes;
        for (unsigned shift = 1; shift < group; ++shift)
            end_in(ShuffleOp::align_bytes, shift * goal_.lane_bytes, goal_.lane_bytes,
                   [&](unsigned i) { return align_origin(group, shift, i); });
    }

    /// Each source's lanes at their places. Blends of 16-bit lanes have a mask for each block alike.
    void end_in_blend() {
        if (low_ == high_) return;
        const std::optional<Part> a = part_of(shape_, only_from(goal_, 1u << low_));
        if (!a) return;
        const std::optional<Part> b = part_of(shape_, only_from(goal_, 1u << high_));
        if (!b) return;
        Goal places = goal_;
        for (unsigned i = 0; i < goal_.count; ++i)
            if (goal_.wants(i)) places.lanes[i] = Goal::lane(Goal::source(goal_.lanes[i]), i);
        const std::optional<DraftStep> blend = one_step(shape_, places);
        if (blend && (blend->op == ShuffleOp::blend_16 || blend->op == ShuffleOp::blend_32))
            consider(*blend, blend->a == low_ ? *a : *b, blend->a == low_ ? *b : *a);
    }

    void end_in_one(const Select& select) {
        const auto visit = [&](unsigned immediate, const Goal& goal) {
            DraftStep last;
            last.op = select.op;
            last.immediate = static_cast<std::uint8_t>(immediate);
            if (const auto part = part_of(shape_, goal)) consider(last, *part, Part());
            return !is_best_possible();
        };
        Arrangement(select, goal_, false, visit);
    }

    /// The last step moves bytes inside blocks: each block's lanes must come from one block.
    void end_in_bytes() {
        const unsigned block = 16 / goal_.lane_bytes;
        Goal blocks = Goal::nothing(16, goal_.count / block);
        DraftStep last;
        last.op = ShuffleOp::shuffle_bytes;
        last.wanted = goal_;
        for (unsigned i = 0; i < goal_.count; ++i) {
            if (!goal_.wants(i)) continue;
            const unsigned place = Goal::place(goal_.lanes[i]);
            const std::uint16_t from = Goal::lane(Goal::source(goal_.lanes[i]), place / block);
            std::uint16_t& at = blocks.lanes[i / block];
            if (at != Goal::any && at != from) return;
            at = from;
            last.wanted.lanes[i] = Goal::lane(0, i - i % block + place % block);
        }
        if (const auto part = part_of(shape_, narrowed(blocks, goal_.lane_bytes))) consider(last, *part, Part());
    }

    /// The last step moves 32-bit lanes anywhere: all of them must have been brought into one register.
    void end_in_permute() {
        if (shape_.set == InstructionSet::sse42 || shape_.register_bytes == 16 || goal_.lane_bytes != 4) return;
        if (low_ == high_) return;
        Goal places = Goal::nothing(4, goal_.count);
        bool fits = true;
        for (unsigned i = 0; i < goal_.count && fits; ++i) {
            if (!goal_.wants(i)) continue;
            std::uint16_t& at = places.lanes[Goal::place(goal_.lanes[i])];
            fits = at == Goal::any || at == goal_.lanes[i];
            at = goal_.lanes[i];
        }
        if (fits) permute_from(places);
        permute_from_blocks();
        permute_from_chosen();
    }
    /// `gathered` has every lane of the goal somewhere.
    void permute_from(const Goal& gathered) {
        const std::optional<Part> part = part_of(shape_, gathered);
        if (!part) return;
        DraftStep last;
        last.op = ShuffleOp::permute_across_32;
        last.wanted = goal_;
        for (unsigned i = 0; i < goal_.count; ++i) {
            if (!goal_.wants(i)) continue;
            const auto at = std::find(gathered.lanes.begin(), gathered.lanes.begin() + gathered.count, goal_.lanes[i]);
            last.wanted.lanes[i] = Goal::lane(0, static_cast<unsigned>(at - gathered.lanes.begin()));
        }
        consider(last, *part, Part());
    }
    void permute_from_blocks() {
        Goal blocks = Goal::nothing(16, goal_.count / 4);
        unsigned count = 0;
        for (unsigned i = 0; i < goal_.count; ++i) {
            if (!goal_.wants(i)) continue;
            const std::uint16_t from = Goal::lane(Goal::source(goal_.lanes[i]), Goal::place(goal_.lanes[i]) / 4);
            const auto end = blocks.lanes.begin() + count;
            if (std::find(blocks.lanes.begin(), end, from) != end) continue;
            if (count == blocks.count) return;
            blocks.lanes[count++] = from;
        }
        permute_from(narrowed(blocks, 4));
    }
    /// By shuffle_32: two lanes of every block of each source, and the same in all blocks.
    void permute_from_chosen() {
        Goal gathered = Goal::nothing(4, goal_.count);
        for (const bool second : {false, true}) {
            std::array<bool, 4> used{};
            const unsigned source = second ? high_ : low_;
            for (unsigned i = 0; i < goal_.count; ++i)
                if (goal_.wants(i) && Goal::source(goal_.lanes[i]) == source)
                    used[Goal::place(goal_.lanes[i]) % 4] = true;
            unsigned at = second ? 2 : 0;
            for (unsigned column = 0; column < 4; ++column) {
                if (!used[column]) continue;
                if (at == (second ? 4u : 2u)) return;
                for (unsigned block = 0; block < goal_.count; block += 4)
                    gathered.lanes[block + at] = Goal::lane(source, block + column);
                ++at;
            }
        }
        permute_from(gathered);
    }

    Draft draft() const {
        Draft result;
        const auto value = [&](const Part& part, const Part& other) {
            const Part& taken = part.kind == Part::Kind::nothing ? other : part;
            return taken.kind == Part::Kind::step ? result.add(taken.step) : taken.source;
        };
        DraftStep last = last_;
        last.a = value(a_, b_);
        last.b = value(b_, a_);
        result.result = result.add(last);
        return result;
    }

    const Shape& shape_;
    const Goal& goal_;
    bool share_;
    unsigned low_ = 0, high_ = 0;
    bool found_ = false;
    Cost best_;
    DraftStep last_;
    Part a_, b_;
};

}  // namespace

Draft search_pair(const Shape& shape, const Goal& goal, bool share) {
    const std::optional<Draft> draft = PairSearch(shape, goal, share).run();
    return draft ? *draft : gather_bytes(goal);
}

}  // namespace seiche::emit::x86
