// The search for the steps of one goal.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "emit/x86/shuffle_match.hpp"

namespace seiche::emit::x86 {

/// What is kept small, the first before the others.
struct Cost {
    unsigned steps = 0;
    unsigned constants = 0;
    unsigned latency = 0;
    bool operator<(const Cost& other) const {
        return std::tie(steps, constants, latency) < std::tie(other.steps, other.constants, other.latency);
    }
    bool operator<=(const Cost& other) const { return !(other < *this); }
};

/// Steps and the value that they lead to. Values are numbered as sources, and from first_step on as steps.
struct Draft {
    static constexpr unsigned first_step = 16;

    std::vector<DraftStep> steps;
    std::uint16_t result = 0;

    /// The value of the step, which is taken once.
    std::uint16_t add(const DraftStep& step);
    /// Takes over another's steps; its result's value here.
    std::uint16_t append(const Draft& other);
    Cost cost() const;
};

/// What may be made without a search: nothing of a goal that nobody looks at, a source, or one step.
std::optional<Draft> make_at_once(const Shape& shape, const Goal& goal);

/// The lanes that an operand, a or b, must hold so that an instruction may choose them: all ways, one after the other,
/// until `visit(immediate, goal)` returns false. What the instruction moves as one lane may be several of the goal.
template <typename Visit>
class Arrangement {
public:
    Arrangement(const Select& select, const Goal& wanted, bool of_b, const Visit& visit)
        : select_(select), wanted_(wanted), of_b_(of_b), visit_(visit), parts_(select.lane_bytes / wanted.lane_bytes) {
        const unsigned slots = select.shared ? select.lanes_per_group() : wanted.count / parts_;
        for (unsigned slot = 0; slot < slots; ++slot)
            if (select.from_b(slot) == of_b) slots_[count_++] = slot;
        choose(0, Goal::nothing(wanted.lane_bytes, wanted.count));
    }

private:
    /// Of the slot's lanes: puts them at the choice's places; false if other lanes are there.
    bool place(unsigned slot, unsigned choice, Goal& goal, bool& wanted) const {
        const unsigned group = select_.lanes_per_group(), count = wanted_.count / parts_;
        for (unsigned i = slot; i < count; i += select_.shared ? group : count) {
            for (unsigned k = 0; k < parts_; ++k) {
                const std::uint16_t lane = wanted_.lanes[i * parts_ + k];
                if (lane == Goal::any) continue;
                wanted = true;
                std::uint16_t& at = goal.lanes[(i - i % group + choice) * parts_ + k];
                if (at != Goal::any && at != lane) return false;
                at = lane;
            }
        }
        return true;
    }
    /// The place of the first lane that the slot wants, in lanes of the instruction.
    std::optional<unsigned> place_of(unsigned slot) const {
        for (unsigned i = 0; i < parts_; ++i)
            if (const std::uint16_t lane = wanted_.lanes[slot * parts_ + i]; lane != Goal::any)
                return Goal::place(lane) / parts_;
        return std::nullopt;
    }
    /// Where a transpose of four blocks has them: its first exchange leaves one of two at its place, and its second
    /// finds blocks 2 and 3 behind blocks 0 and 1, the second operand's behind both.
    unsigned first_choice(unsigned k) const {
        if (!select_.is_of_four_blocks()) return 0;
        const std::optional<unsigned> own = place_of(slots_[k]);
        if (!own) return 0;
        return place_of(slots_[1 - k]) ? *own / 2 + k * 2 : *own;
    }
    /// Of two blocks of which nobody looks at one, that is the one two further: so it may be another register's.
    unsigned immediate() const {
        std::array<unsigned, 8> choices = choices_;
        if (select_.is_of_four_blocks())
            for (const unsigned k : {0u, 1u})
                if (!place_of(slots_[k]) && place_of(slots_[1 - k])) choices[k] = choices[1 - k] ^ 2u;
        unsigned bits = 0;
        for (unsigned k = 0; k < count_; ++k) bits |= select_.bits_for(slots_[k], choices[k], of_b_);
        return bits;
    }
    bool choose(unsigned k, const Goal& goal) {
        if (k == count_) return visit_(immediate(), goal);
        const unsigned first = first_choice(k);
        for (unsigned i = 0; i < 1u << select_.bits; ++i) {
            choices_[k] = i ^ first;
            Goal next = goal;
            bool wanted = false;
            if (!place(slots_[k], choices_[k], next, wanted)) continue;
            if (!choose(k + 1, next)) return false;
            if (!wanted) break;  // the other choices are as good
        }
        return true;
    }

    const Select& select_;
    const Goal& wanted_;
    bool of_b_;
    const Visit& visit_;
    unsigned parts_;  ///< Lanes of the goal that are one of the instruction.
    std::array<unsigned, 8> slots_{}, choices_{};
    unsigned count_ = 0;
};

/// Lanes of the goal that a step takes from a or from b, at the places where it looks for them. It moves lanes of
/// lane_bytes.
template <typename OriginOf>
Goal operand_of(const Goal& wanted, unsigned lane_bytes, bool of_b, const OriginOf& origin) {
    const unsigned parts = lane_bytes / wanted.lane_bytes;
    Goal goal = Goal::nothing(wanted.lane_bytes, wanted.count);
    for (unsigned i = 0; i < wanted.count; ++i) {
        const Origin from = origin(i / parts);
        if (from.of_b == of_b) goal.lanes[from.place * parts + i % parts] = wanted.lanes[i];
    }
    return goal;
}
/// Lanes of the goal that a select takes from a or from b, where they are.
inline Goal operand_of(const Goal& wanted, const Select& select, bool of_b) {
    return operand_of(wanted, select.lane_bytes, of_b, [&](unsigned i) { return Origin{select.from_b(i), i}; });
}

/// A goal of one or two sources that is no single step. `share`: prefers to interleave by unpacks, which the other half
/// has too.
Draft search_pair(const Shape& shape, const Goal& goal, bool share);
/// Any goal.
Draft search_shuffle(const Shape& shape, const Goal& goal, bool share);
/// Bytes of each source put to their places among zeros, and all of them together: for any goal, without AVX-512.
Draft gather_bytes(const Goal& goal);

}  // namespace seiche::emit::x86
