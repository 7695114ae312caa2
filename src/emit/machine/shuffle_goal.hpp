// What a register shall hold, lane by lane, while its shuffle is searched for.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace seiche::emit::machine {

/// A lane is its source's number and its place there, or nobody looks at it. Lanes of 2 or 4 bytes in the search; wider
/// ones for a look at instructions that move such.
struct Goal {
    static constexpr std::uint16_t any = 0xffff;
    static constexpr unsigned most_lanes = 32;

    unsigned lane_bytes = 4;
    unsigned count = 0;
    std::array<std::uint16_t, most_lanes> lanes{};

    static constexpr std::uint16_t lane(unsigned source, unsigned place) {
        return static_cast<std::uint16_t>(source << 5 | place);
    }
    static constexpr unsigned source(std::uint16_t lane) { return lane >> 5; }
    static constexpr unsigned place(std::uint16_t lane) { return lane & 31u; }

    static Goal nothing(unsigned lane_bytes, unsigned count) {
        Goal goal{lane_bytes, count, {}};
        std::fill_n(goal.lanes.begin(), count, any);
        return goal;
    }
    bool wants(unsigned i) const { return lanes[i] != any; }
};

/// Bit s: a lane comes from source s.
inline std::uint32_t sources_of(const Goal& goal) {
    std::uint32_t mask = 0;
    for (unsigned i = 0; i < goal.count; ++i)
        if (goal.wants(i)) mask |= 1u << Goal::source(goal.lanes[i]);
    return mask;
}
inline unsigned count_sources(const Goal& goal) { return static_cast<unsigned>(std::popcount(sources_of(goal))); }

/// Whether every lane that is looked at is at its place already.
inline bool in_place(const Goal& goal) {
    for (unsigned i = 0; i < goal.count; ++i)
        if (goal.wants(i) && Goal::place(goal.lanes[i]) != i) return false;
    return true;
}

/// The lanes of some sources alone.
inline Goal only_from(const Goal& goal, std::uint32_t sources) {
    Goal part = goal;
    for (unsigned i = 0; i < goal.count; ++i)
        if (goal.wants(i) && (sources >> Goal::source(goal.lanes[i]) & 1u) == 0) part.lanes[i] = Goal::any;
    return part;
}

/// The goal in lanes of twice the bytes, where pairs of lanes stay together.
inline std::optional<Goal> doubled(const Goal& goal) {
    Goal wide{goal.lane_bytes * 2, goal.count / 2, {}};
    for (unsigned i = 0; i < wide.count; ++i) {
        const std::uint16_t low = goal.lanes[std::size_t{i} * 2], high = goal.lanes[std::size_t{i} * 2 + 1];
        if (low == Goal::any && high == Goal::any) {
            wide.lanes[i] = Goal::any;
            continue;
        }
        const unsigned first = low != Goal::any ? low : high - 1u;
        if (low == Goal::any && (high & 1u) == 0) return std::nullopt;
        if ((first & 1u) != 0 || (high != Goal::any && high != first + 1)) return std::nullopt;
        wide.lanes[i] = Goal::lane(Goal::source(static_cast<std::uint16_t>(first)), (first & 31u) / 2);
    }
    return wide;
}

/// The goal in narrower lanes.
inline Goal narrowed(const Goal& goal, unsigned lane_bytes) {
    const unsigned parts = goal.lane_bytes / lane_bytes;
    Goal narrow = Goal::nothing(lane_bytes, goal.count * parts);
    for (unsigned i = 0; i < goal.count; ++i) {
        if (!goal.wants(i)) continue;
        for (unsigned k = 0; k < parts; ++k)
            narrow.lanes[std::size_t{i} * parts + k] =
                Goal::lane(Goal::source(goal.lanes[i]), Goal::place(goal.lanes[i]) * parts + k);
    }
    return narrow;
}

/// A goal in all widths of lanes that it has.
struct Widths {
    std::array<std::optional<Goal>, 4> goals;  ///< Of 2, 4, 8 and 16 bytes.

    explicit Widths(const Goal& goal) {
        std::size_t i = goal.lane_bytes == 2 ? 0 : 1;
        goals[i] = goal;
        for (; i + 1 < goals.size() && goals[i]; ++i) goals[i + 1] = doubled(*goals[i]);
    }
    const std::optional<Goal>& of(unsigned lane_bytes) const {
        return goals[static_cast<std::size_t>(std::countr_zero(lane_bytes)) - 1];
    }
};

}  // namespace seiche::emit::machine
