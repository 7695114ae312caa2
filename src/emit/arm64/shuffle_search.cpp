// Which instruction is the last, what its operands must hold then, and how these are made.
#include "emit/arm64/shuffle_search.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace seiche::emit::arm64 {

using machine::count_sources;
using machine::doubled;
using machine::in_place;
using machine::only_from;
using machine::sources_of;
using machine::Widths;

namespace {

constexpr unsigned bytes_of_register = 16;

/// An instruction of two operands whose lanes have fixed places.
struct Fixed {
    ShuffleOp op;
    unsigned lane_bytes;
    unsigned from = 0;
};

std::vector<Fixed> list_fixed(unsigned narrowest, bool has_all) {
    using enum ShuffleOp;
    std::vector<Fixed> all{{zip1, 8}, {zip2, 8}};
    for (unsigned lane = 4; lane >= narrowest; lane /= 2)
        for (const ShuffleOp op : {zip1, zip2, trn1, trn2, uzp1, uzp2})
            if (has_all || op == zip1 || op == zip2) all.push_back({op, lane});
    for (unsigned from = 1; has_all && from < bytes_of_register / narrowest; ++from)
        all.push_back({align, narrowest, from});
    return all;
}

/// Those that there are for goals with lanes of so many bytes. Of lanes of 8 bytes the others are ZIP1 and ZIP2 too.
const std::vector<Fixed>& fixed_ones(unsigned lane_bytes, bool share = false) {
    static const auto* const of_words = new std::vector<Fixed>(list_fixed(4, true));
    static const auto* const of_halves = new std::vector<Fixed>(list_fixed(2, true));
    static const auto* const zips_of_words = new std::vector<Fixed>(list_fixed(4, false));
    static const auto* const zips_of_halves = new std::vector<Fixed>(list_fixed(2, false));
    if (share) return lane_bytes == 4 ? *zips_of_words : *zips_of_halves;
    return lane_bytes == 4 ? *of_words : *of_halves;
}

ShuffleStep step_of(ShuffleOp op, unsigned lane_bytes, unsigned a, unsigned b, unsigned from = 0, unsigned to = 0) {
    ShuffleStep step;
    step.op = op;
    step.lane_bytes = static_cast<std::uint8_t>(lane_bytes);
    step.a = static_cast<std::uint16_t>(a);
    step.b = static_cast<std::uint16_t>(b);
    step.from = static_cast<std::uint8_t>(from);
    step.to = static_cast<std::uint8_t>(to);
    return step;
}

/// Lanes of the goal that an operand must hold, at the places where the instruction looks for them.
Goal operand_of(const Goal& wanted, const Fixed& fixed, bool of_b) {
    const unsigned parts = fixed.lane_bytes / wanted.lane_bytes, n = bytes_of_register / fixed.lane_bytes;
    Goal goal = Goal::nothing(wanted.lane_bytes, wanted.count);
    for (unsigned i = 0; i < wanted.count; ++i) {
        const Origin from = origin_of(fixed.op, n, fixed.from, i / parts);
        if (from.of_b == of_b && wanted.wants(i)) goal.lanes[from.place * parts + i % parts] = wanted.lanes[i];
    }
    return goal;
}

/// One value that holds both, where their lanes do not collide.
std::optional<Goal> merged(const Goal& a, const Goal& b) {
    Goal both = a;
    for (unsigned i = 0; i < b.count; ++i) {
        if (!b.wants(i)) continue;
        if (both.wants(i) && both.lanes[i] != b.lanes[i]) return std::nullopt;
        both.lanes[i] = b.lanes[i];
    }
    return both;
}

std::vector<std::uint8_t> table_of(const Goal& goal, unsigned source) {
    constexpr std::uint8_t nothing = 0xff;
    std::vector<std::uint8_t> bytes(bytes_of_register, nothing);
    for (unsigned i = 0; i < goal.count; ++i)
        for (unsigned k = 0; k < goal.lane_bytes; ++k)
            if (goal.wants(i) && Goal::source(goal.lanes[i]) == source)
                bytes[i * goal.lane_bytes + k] =
                    static_cast<std::uint8_t>(Goal::place(goal.lanes[i]) * goal.lane_bytes + k);
    return bytes;
}

// ---- One step

std::optional<ShuffleStep> match_fixed(const Goal& goal, unsigned a, unsigned b, bool share) {
    for (const Fixed& fixed : fixed_ones(goal.lane_bytes, share)) {
        const Goal x = operand_of(goal, fixed, false), y = operand_of(goal, fixed, true);
        const bool fits =
            in_place(x) && in_place(y) && (sources_of(x) & ~(1u << a)) == 0 && (sources_of(y) & ~(1u << b)) == 0;
        if (fits) return step_of(fixed.op, fixed.lane_bytes, a, b, fixed.from);
    }
    return std::nullopt;
}

/// Lanes of one register in another order inside 8 or 4 bytes, or one of them everywhere.
std::optional<ShuffleStep> match_single(const Goal& goal, unsigned a) {
    const Widths widths(goal);
    for (const unsigned lane_bytes : {8u, 4u, 2u}) {
        const std::optional<Goal>* const wide = lane_bytes >= goal.lane_bytes ? &widths.of(lane_bytes) : nullptr;
        if (wide == nullptr || !*wide) continue;
        const Goal& lanes = **wide;
        const auto is = [&](const auto& place_of) {
            for (unsigned i = 0; i < lanes.count; ++i)
                if (lanes.wants(i) && Goal::place(lanes.lanes[i]) != place_of(i)) return false;
            return true;
        };
        for (unsigned from = 0; from < lanes.count; ++from)
            if (is([&](unsigned) { return from; })) return step_of(ShuffleOp::duplicate, lane_bytes, a, a, from);
        if (lane_bytes < 8 && is([&](unsigned i) { return i ^ (8 / lane_bytes - 1); }))
            return step_of(ShuffleOp::rev64, lane_bytes, a, a);
        if (lane_bytes < 4 && is([&](unsigned i) { return i ^ (4 / lane_bytes - 1); }))
            return step_of(ShuffleOp::rev32, lane_bytes, a, a);
    }
    return std::nullopt;
}

/// All lanes of a are at their places, but for one that is b's.
std::optional<ShuffleStep> match_insert(const Goal& goal, unsigned a, unsigned b, bool share) {
    if (share) return std::nullopt;
    const Widths widths(goal);
    for (const unsigned lane_bytes : {8u, 4u, 2u}) {
        const std::optional<Goal>* const wide = lane_bytes >= goal.lane_bytes ? &widths.of(lane_bytes) : nullptr;
        if (wide == nullptr || !*wide) continue;
        const Goal& lanes = **wide;
        int other = -1;
        bool fits = true;
        for (unsigned i = 0; i < lanes.count && fits; ++i) {
            if (!lanes.wants(i) || lanes.lanes[i] == Goal::lane(a, i)) continue;
            fits = other < 0 && Goal::source(lanes.lanes[i]) == b;
            other = static_cast<int>(i);
        }
        if (!fits || other < 0) continue;
        const auto to = static_cast<unsigned>(other);
        return step_of(ShuffleOp::insert, lane_bytes, a, b, Goal::place(lanes.lanes[to]), to);
    }
    return std::nullopt;
}

std::optional<ShuffleStep> match_table(const Goal& goal, unsigned a, unsigned b, bool) {
    if (a != b && !in_place(only_from(goal, 1u << a))) return std::nullopt;
    ShuffleStep step = step_of(a == b ? ShuffleOp::table : ShuffleOp::table_among, goal.lane_bytes, a, b);
    step.constant = table_of(goal, b);
    return step;
}

std::optional<ShuffleStep> one_step(const Goal& goal, bool share) {
    const std::uint32_t sources = sources_of(goal);
    const auto low = static_cast<unsigned>(std::countr_zero(sources));
    const auto high = static_cast<unsigned>(std::bit_width(sources)) - 1;
    if (low == high)
        if (auto step = match_single(goal, low)) return step;
    for (const auto match : {match_fixed, match_insert, match_table}) {
        if (auto step = match(goal, low, high, share)) return step;
        if (low == high) continue;
        if (auto step = match(goal, high, low, share)) return step;
    }
    return std::nullopt;
}

/// Nothing of a goal that nobody looks at, a source, or one step.
std::optional<Draft> make_at_once(const Goal& goal, bool share) {
    const std::uint32_t sources = sources_of(goal);
    Draft draft;
    if (sources == 0) return draft;
    if (std::has_single_bit(sources) && in_place(goal)) {
        draft.result = static_cast<std::uint16_t>(std::countr_zero(sources));
        return draft;
    }
    if (std::popcount(sources) > 2) return std::nullopt;
    const std::optional<ShuffleStep> step = one_step(goal, share);
    if (!step) return std::nullopt;
    draft.result = draft.add(*step);
    return draft;
}

// ---- Several

/// One source after the other is put among the others by a table: always possible.
Draft gather(const Goal& goal) {
    std::uint32_t rest = sources_of(goal);
    Draft draft;
    bool is_first = true;
    for (unsigned source = 0; source < Draft::first_step && is_first; ++source) {  // one that is at its place
        const Goal own = only_from(goal, 1u << source);
        if ((rest >> source & 1u) == 0 || !in_place(own)) continue;
        draft.result = static_cast<std::uint16_t>(source);
        rest &= ~(1u << source);
        is_first = false;
    }
    for (; rest != 0; rest &= rest - 1) {
        const auto source = static_cast<unsigned>(std::countr_zero(rest));
        ShuffleStep step = step_of(is_first ? ShuffleOp::table : ShuffleOp::table_among, goal.lane_bytes,
                                   is_first ? source : draft.result, source);
        step.constant = table_of(goal, source);
        draft.result = draft.add(step);
        is_first = false;
    }
    return draft;
}

class Search {
public:
    explicit Search(bool share) : share_(share) {}

    Draft run(const Goal& goal) {
        if (const std::optional<Draft> once = make_at_once(goal, share_)) return *once;
        Draft best = gather(goal);
        const std::size_t least = std::max<std::size_t>(count_sources(goal) - 1, 2);
        for (const Fixed& fixed : fixed_ones(goal.lane_bytes, share_)) {
            const std::optional<Draft> draft = end_in(fixed, goal);
            if (draft && draft->cost() < best.cost()) best = *draft;
            if (best.cost().steps <= least && best.cost().constants == 0) break;
        }
        return best;
    }

private:
    /// Enough for what is regular; a search of everything would be long.
    static constexpr unsigned most_goals = 200;

    std::optional<Draft> made(const Goal& goal) {
        if (const std::optional<Draft> once = make_at_once(goal, share_)) return once;
        if (budget_ == 0) return std::nullopt;
        --budget_;
        return run(goal);
    }

    std::optional<Draft> end_in(const Fixed& fixed, const Goal& goal) {
        const Goal a = operand_of(goal, fixed, false), b = operand_of(goal, fixed, true);
        const unsigned sources = count_sources(goal);
        // What is as hard as the goal leads nowhere.
        const bool is_easier = sources > 2 && count_sources(a) < sources && count_sources(b) < sources;
        std::optional<Draft> x, y;
        const std::optional<Goal> both = merged(a, b);
        if (const std::optional<Draft> one = both ? make_at_once(*both, share_) : std::nullopt) {
            x = y = one;
        } else if (is_easier) {
            x = made(a);
            if (x) y = made(b);
        } else if (sources <= 2) {
            x = make_at_once(a, share_);
            if (x) y = make_at_once(b, share_);
        }
        if (!x || !y) return std::nullopt;
        Draft draft;
        const std::uint16_t first = draft.append(*x), second = draft.append(*y);
        draft.result = draft.add(step_of(fixed.op, fixed.lane_bytes, first, second, fixed.from));
        return draft;
    }

    const bool share_;
    unsigned budget_ = most_goals;
};

}  // namespace

Origin origin_of(ShuffleOp op, unsigned n, unsigned from, unsigned i) {
    switch (op) {
        case ShuffleOp::zip1: return {i % 2 == 1, i / 2};
        case ShuffleOp::zip2: return {i % 2 == 1, n / 2 + i / 2};
        case ShuffleOp::uzp1: return {i >= n / 2, 2 * i % n};
        case ShuffleOp::uzp2: return {i >= n / 2, 2 * i % n + 1};
        case ShuffleOp::trn1: return {i % 2 == 1, i / 2 * 2};
        case ShuffleOp::trn2: return {i % 2 == 1, i / 2 * 2 + 1};
        default: return {i + from >= n, (i + from) % n};
    }
}

std::uint16_t Draft::add(const ShuffleStep& step) {
    const auto known = std::find(steps.begin(), steps.end(), step);
    const auto value = static_cast<std::uint16_t>(first_step + (known - steps.begin()));
    if (known == steps.end()) steps.push_back(step);
    return value;
}

std::uint16_t Draft::append(const Draft& other) {
    std::vector<std::uint16_t> values;
    const auto here = [&](std::uint16_t value) { return value < first_step ? value : values[value - first_step]; };
    for (ShuffleStep step : other.steps) {
        step.a = here(step.a);
        step.b = here(step.b);
        values.push_back(add(step));
    }
    return here(other.result);
}

Cost Draft::cost() const {
    const auto constants =
        std::count_if(steps.begin(), steps.end(), [](const ShuffleStep& step) { return !step.constant.empty(); });
    return {steps.size(), static_cast<std::size_t>(constants)};
}

Draft search_shuffle(const Goal& goal, bool share) { return Search(share).run(goal); }

}  // namespace seiche::emit::arm64
