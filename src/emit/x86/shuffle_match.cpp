// Matching one instruction after the other against a goal, the cheapest first.
#include "emit/x86/shuffle_match.hpp"

namespace seiche::emit::x86 {

namespace {

constexpr int undecided = -1;

/// A goal with the sources that take the parts of a and b.
struct Pair {
    const Shape& shape;
    const Widths& widths;
    unsigned a = 0;
    unsigned b = 0;

    DraftStep step(ShuffleOp op, unsigned immediate = 0) const {
        return {op,
                static_cast<std::uint16_t>(a),
                static_cast<std::uint16_t>(takes_two(op) ? b : a),
                static_cast<std::uint8_t>(immediate),
                0,
                {}};
    }
    bool evex() const { return shape.set == InstructionSet::avx512; }
};

/// Of blocks that nobody looks at, those two further: registers of a transpose are then made by equal steps.
void choose_neighbours(std::array<int, 8>& choices) {
    for (std::size_t i = 0; i < 4; ++i)
        if (choices[i] == undecided && choices[i ^ 1u] != undecided) choices[i] = choices[i ^ 1u] ^ 2;
}

std::optional<DraftStep> match_select(const Pair& pair, const Select& select) {
    const std::optional<Goal>& goal = pair.widths.of(select.lane_bytes);
    if (!goal) return std::nullopt;
    const unsigned group = select.lanes_per_group();
    std::array<int, 8> choices{};
    choices.fill(undecided);
    unsigned immediate = 0;
    for (unsigned i = 0; i < goal->count; ++i) {
        const unsigned slot = select.slot(i);
        if (!goal->wants(i)) continue;
        const std::uint16_t lane = goal->lanes[i];
        const unsigned first = i - i % group, place = Goal::place(lane);
        if (Goal::source(lane) != (select.from_b(i) ? pair.b : pair.a)) return std::nullopt;
        if (place < first || place >= first + group) return std::nullopt;
        const int choice = static_cast<int>(place - first);
        if (choices[slot] != undecided && choices[slot] != choice) return std::nullopt;
        choices[slot] = choice;
    }
    if (select.is_of_four_blocks()) choose_neighbours(choices);
    for (unsigned i = 0; i < goal->count; ++i) {
        const unsigned slot = select.slot(i);
        const unsigned choice = choices[slot] == undecided ? 0 : static_cast<unsigned>(choices[slot]);
        immediate |= select.bits_for(slot, choice, select.from_b(i));
    }
    return pair.step(select.op, immediate);
}

/// Whether each lane comes from where `origin` says.
template <typename OriginOf>
bool comes_from(const Pair& pair, const Goal& goal, const OriginOf& origin) {
    for (unsigned i = 0; i < goal.count; ++i) {
        if (!goal.wants(i)) continue;
        const Origin from = origin(i);
        if (goal.lanes[i] != Goal::lane(from.of_b ? pair.b : pair.a, from.place)) return false;
    }
    return true;
}

std::optional<DraftStep> match_unpack(const Pair& pair, unsigned lane_bytes) {
    const std::optional<Goal>& goal = pair.widths.of(lane_bytes);
    if (!goal) return std::nullopt;
    for (const bool high : {false, true})
        if (comes_from(pair, *goal, [&](unsigned i) { return unpack_origin(lane_bytes, high, i); }))
            return pair.step(unpack_op(lane_bytes, high));
    return std::nullopt;
}

std::optional<DraftStep> match_align(const Pair& pair, unsigned lane_bytes, ShuffleOp op) {
    const std::optional<Goal>& goal = pair.widths.of(lane_bytes);
    if (!goal) return std::nullopt;
    const unsigned group = (op == ShuffleOp::align_bytes ? 16 : pair.shape.register_bytes) / lane_bytes;
    for (unsigned shift = 1; shift < group; ++shift)
        if (comes_from(pair, *goal, [&](unsigned i) { return align_origin(group, shift, i); }))
            return pair.step(op, op == ShuffleOp::align_bytes ? shift * lane_bytes : shift);
    return std::nullopt;
}

/// Bit i: lane i is of b. Nothing if a lane is not at its place.
std::optional<std::uint32_t> blend_mask(const Pair& pair, const Goal& goal) {
    std::uint32_t mask = 0;
    for (unsigned i = 0; i < goal.count; ++i) {
        if (!goal.wants(i)) continue;
        if (Goal::place(goal.lanes[i]) != i) return std::nullopt;
        const unsigned source = Goal::source(goal.lanes[i]);
        if (source != pair.a && source != pair.b) return std::nullopt;
        if (source == pair.b) mask |= 1u << i;
    }
    return mask;
}

std::optional<DraftStep> match_blend_16(const Pair& pair, const Goal& goal) {
    const std::optional<std::uint32_t> mask = blend_mask(pair, goal);
    if (!mask) return std::nullopt;
    const std::uint32_t all = *mask | *mask >> 8;
    for (unsigned i = 0; i < goal.count; ++i)
        if (goal.wants(i) && (all >> i % 8 & 1u) != (*mask >> i & 1u)) return std::nullopt;
    return pair.step(ShuffleOp::blend_16, all & 0xff);
}

std::optional<DraftStep> match_blend(const Pair& pair) {
    if (const std::optional<Goal>& goal = pair.widths.of(4)) {
        const std::optional<std::uint32_t> mask = blend_mask(pair, *goal);
        return mask ? std::optional(pair.step(ShuffleOp::blend_32, *mask)) : std::nullopt;
    }
    return match_blend_16(pair, *pair.widths.of(2));
}

std::optional<DraftStep> match_blend_masked(const Pair& pair) {
    const std::optional<Goal>& words = pair.widths.of(4);
    const std::optional<std::uint32_t> mask = blend_mask(pair, words ? *words : *pair.widths.of(2));
    if (!mask) return std::nullopt;
    DraftStep step = pair.step(words ? ShuffleOp::blend_masked_32 : ShuffleOp::blend_masked_16);
    step.mask = *mask;
    return step;
}

/// Half of each block in place, four 16-bit lanes of the other half chosen among themselves.
std::optional<DraftStep> match_half_16(const Pair& pair, bool high) {
    const Goal& goal = *pair.widths.of(2);
    std::array<int, 4> choices{};
    choices.fill(undecided);
    unsigned immediate = 0;
    for (unsigned i = 0; i < goal.count; ++i) {
        if (!goal.wants(i)) continue;
        const unsigned place = Goal::place(goal.lanes[i]);
        if (place / 4 != i / 4) return std::nullopt;
        if ((i % 8 >= 4) != high) {
            if (place != i) return std::nullopt;
            continue;
        }
        const int choice = static_cast<int>(place % 4);
        if (choices[i % 4] != undecided && choices[i % 4] != choice) return std::nullopt;
        choices[i % 4] = choice;
    }
    for (unsigned i = 0; i < 4; ++i)
        immediate |= (choices[i] == undecided ? 0 : static_cast<unsigned>(choices[i])) << 2 * i;
    return pair.step(high ? ShuffleOp::permute_high_16 : ShuffleOp::permute_low_16, immediate);
}

std::optional<DraftStep> match_broadcast(const Pair& pair) {
    for (const unsigned lane_bytes : {8u, 4u, 2u}) {
        const std::optional<Goal>& goal = pair.widths.of(lane_bytes);
        if (!goal || (lane_bytes == 8 && pair.shape.register_bytes == 16)) continue;
        const ShuffleOp op = lane_bytes == 8   ? ShuffleOp::broadcast_64
                             : lane_bytes == 4 ? ShuffleOp::broadcast_32
                                               : ShuffleOp::broadcast_16;
        if (comes_from(pair, *goal, [](unsigned) { return Origin{}; })) return pair.step(op);
    }
    return std::nullopt;
}

/// The step with the goal as its constant.
DraftStep with_constant(const Pair& pair, ShuffleOp op, const Goal& goal) {
    DraftStep step = pair.step(op);
    step.wanted = goal;
    for (unsigned i = 0; i < goal.count; ++i)
        if (goal.wants(i))
            step.wanted.lanes[i] =
                Goal::lane(Goal::source(goal.lanes[i]) == pair.a ? 0 : 1, Goal::place(goal.lanes[i]));
    return step;
}

bool stays_in_blocks(const Goal& goal) {
    const unsigned block = 16 / goal.lane_bytes;
    for (unsigned i = 0; i < goal.count; ++i)
        if (goal.wants(i) && Goal::place(goal.lanes[i]) / block != i / block) return false;
    return true;
}

std::optional<DraftStep> match_inside(const Pair& pair) {
    const bool narrow = !pair.widths.of(4);
    if (pair.a != pair.b && !pair.evex())
        if (auto step = match_blend(pair)) return step;
    for (const Select& select : selects_of(pair.shape))
        if (select.op == ShuffleOp::permute_32 && pair.a == pair.b)
            if (auto step = match_select(pair, select)) return step;
    for (const unsigned lane_bytes : {8u, 4u, 2u})
        if (narrow || lane_bytes != 2)
            if (auto step = match_unpack(pair, lane_bytes)) return step;
    for (const Select& select : selects_of(pair.shape))
        if (select.two && !crosses_blocks(select.op))
            if (auto step = match_select(pair, select)) return step;
    for (const bool high : {false, true})
        if (narrow && pair.a == pair.b)
            if (auto step = match_half_16(pair, high)) return step;
    return match_align(pair, narrow ? 2 : 4, ShuffleOp::align_bytes);
}

std::optional<DraftStep> match_across(const Pair& pair) {
    if (pair.shape.set == InstructionSet::sse42) return std::nullopt;
    if (pair.a == pair.b)
        if (auto step = match_broadcast(pair)) return step;
    for (const Select& select : selects_of(pair.shape))
        if (crosses_blocks(select.op) && (select.two || pair.a == pair.b))
            if (auto step = match_select(pair, select)) return step;
    if (pair.evex() && pair.widths.of(4) && pair.shape.register_bytes > 16)
        return match_align(pair, 4, ShuffleOp::align_across_32);
    return std::nullopt;
}

std::optional<DraftStep> match_constant(const Pair& pair, const Goal& goal) {
    const std::optional<Goal>& words = pair.widths.of(4);
    if (pair.a == pair.b) {
        if (stays_in_blocks(goal)) return with_constant(pair, ShuffleOp::shuffle_bytes, goal);
        if (words && pair.shape.set != InstructionSet::sse42)
            return with_constant(pair, ShuffleOp::permute_across_32, *words);
        if (pair.evex()) return with_constant(pair, ShuffleOp::permute_across_16, goal);
        return std::nullopt;
    }
    if (!pair.evex()) return std::nullopt;
    if (auto step = match_blend_masked(pair)) return step;
    return words ? with_constant(pair, ShuffleOp::permute_two_32, *words)
                 : with_constant(pair, ShuffleOp::permute_two_16, goal);
}

std::vector<Select> list_selects(InstructionSet set, unsigned register_bytes) {
    using enum ShuffleOp;
    std::vector<Select> list{{permute_32, 4, 16, 2, 2, false, true, 0},
                             {shuffle_64, 8, 16, 1, 1, true, false, 0},
                             {shuffle_32, 4, 16, 2, 2, true, true, 0}};
    if (register_bytes == 16) return list;
    list.push_back({permute_across_64, 8, 32, 2, 2, false, true, 0});
    if (set == InstructionSet::avx2)
        list.push_back({permute_2x128, 16, 32, 1, 4, true, true, 2});
    else if (register_bytes == 32)
        list.push_back({shuffle_128, 16, 32, 1, 1, true, true, 0});
    else
        list.push_back({shuffle_128, 16, 64, 2, 2, true, true, 0});
    return list;
}

}  // namespace

const std::vector<Select>& selects_of(const Shape& shape) {
    static const auto* const narrow = new std::vector(list_selects(InstructionSet::sse42, 16));
    static const auto* const avx2 = new std::vector(list_selects(InstructionSet::avx2, 32));
    static const auto* const half = new std::vector(list_selects(InstructionSet::avx512, 32));
    static const auto* const full = new std::vector(list_selects(InstructionSet::avx512, 64));
    if (shape.register_bytes == 16) return *narrow;
    if (shape.register_bytes == 64) return *full;
    return shape.set == InstructionSet::avx2 ? *avx2 : *half;
}

Origin unpack_origin(unsigned lane_bytes, bool high, unsigned i) {
    const unsigned block = 16 / lane_bytes, at = i % block;
    return {at % 2 == 1, i - at + (high ? block / 2 : 0) + at / 2};
}

Origin align_origin(unsigned group, unsigned shift, unsigned i) {
    const unsigned at = i % group + shift, first = i - i % group;
    return at < group ? Origin{true, first + at} : Origin{false, first + at - group};
}

ShuffleOp unpack_op(unsigned lane_bytes, bool high) {
    using enum ShuffleOp;
    if (lane_bytes == 2) return high ? unpack_high_16 : unpack_low_16;
    if (lane_bytes == 4) return high ? unpack_high_32 : unpack_low_32;
    return high ? unpack_high_64 : unpack_low_64;
}

bool has_constant(ShuffleOp op) {
    using enum ShuffleOp;
    return op == shuffle_bytes || op == blend_masked_16 || op == blend_masked_32 || op >= permute_across_16;
}

bool crosses_blocks(ShuffleOp op) { return op >= ShuffleOp::broadcast_16; }

bool takes_two(ShuffleOp op) {
    using enum ShuffleOp;
    switch (op) {
        case permute_32:
        case permute_low_16:
        case permute_high_16:
        case shuffle_bytes:
        case broadcast_16:
        case broadcast_32:
        case broadcast_64:
        case permute_across_64:
        case permute_across_16:
        case permute_across_32: return false;
        default: return true;
    }
}

bool takes_immediate(ShuffleOp op) {
    using enum ShuffleOp;
    switch (op) {
        case permute_32:
        case shuffle_32:
        case shuffle_64:
        case permute_low_16:
        case permute_high_16:
        case align_bytes:
        case blend_16:
        case blend_32:
        case permute_across_64:
        case permute_2x128:
        case shuffle_128:
        case align_across_32: return true;
        default: return false;
    }
}

unsigned shuffle_latency(ShuffleOp op) { return crosses_blocks(op) ? 3 : 1; }

std::optional<DraftStep> one_step(const Shape& shape, const Goal& goal) {
    const std::uint32_t sources = sources_of(goal);
    if (sources == 0 || std::popcount(sources) > 2) return std::nullopt;
    const unsigned low = static_cast<unsigned>(std::countr_zero(sources));
    const unsigned high = static_cast<unsigned>(std::bit_width(sources)) - 1;
    const Widths widths(goal);
    const Pair pair{shape, widths, low, high}, swapped{shape, widths, high, low};
    if (auto step = match_inside(pair)) return step;
    if (low != high)
        if (auto step = match_inside(swapped)) return step;
    if (auto step = match_across(pair)) return step;
    if (low != high)
        if (auto step = match_across(swapped)) return step;
    return match_constant(pair, goal);
}

}  // namespace seiche::emit::x86
