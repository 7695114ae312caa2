// Patterns of lanes that were asked for before.
#pragma once

#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emit/machine/lanes.hpp"
#include "emit/machine/shuffle_goal.hpp"

namespace seiche::emit::machine {

/// Throws std::invalid_argument for lanes that are not there. Lanes of 8 bytes become pairs, and so do pairs of lanes
/// of 2 that stay together.
inline Goal goal_of(unsigned register_bytes, unsigned lane_bytes, unsigned sources,
                    const std::vector<LaneSource>& lanes) {
    Goal goal = Goal::nothing(lane_bytes, register_bytes / lane_bytes);
    if (lanes.size() > goal.count) throw std::invalid_argument("shuffle: more lanes than a register has");
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        if (lanes[i].source == LaneSource::any) continue;
        if (lanes[i].source >= sources || lanes[i].lane >= goal.count)
            throw std::invalid_argument("shuffle: a lane that is not there");
        goal.lanes[i] = Goal::lane(lanes[i].source, lanes[i].lane);
    }
    if (lane_bytes == 8) return narrowed(goal, 4);
    if (lane_bytes == 2)
        if (const std::optional<Goal> words = doubled(goal)) return *words;
    return goal;
}

/// A goal whose sources are numbered as they come, so that a pattern is found again with other sources.
struct Pattern {
    Goal goal;
    std::vector<std::uint16_t> sources;  ///< Which they are.

    explicit Pattern(const Goal& of) : goal(of) {
        for (unsigned i = 0; i < goal.count; ++i) {
            if (!goal.wants(i)) continue;
            const auto source = static_cast<std::uint16_t>(Goal::source(goal.lanes[i]));
            const auto known = std::find(sources.begin(), sources.end(), source);
            const auto number = static_cast<unsigned>(known - sources.begin());
            if (known == sources.end()) sources.push_back(source);
            goal.lanes[i] = Goal::lane(number, Goal::place(goal.lanes[i]));
        }
    }
    /// The caller's number of a value, of which those below `steps` are sources.
    std::uint16_t named(std::uint16_t value, unsigned steps) const {
        return value < steps && !sources.empty() ? sources[value] : value;
    }
};

/// Drafts of patterns. It forgets everything when it is full.
template <class Draft>
class PatternCache {
public:
    /// `kind`: what besides the lanes tells patterns apart.
    template <class Make>
    Draft find(std::string kind, const Goal& goal, const Make& make) {
        for (unsigned i = 0; i < goal.count; ++i) {
            kind.push_back(static_cast<char>(goal.lanes[i] & 0xff));
            kind.push_back(static_cast<char>(goal.lanes[i] >> 8));
        }
        {
            const std::lock_guard lock(mutex_);
            if (const auto found = drafts_.find(kind); found != drafts_.end()) return found->second;
        }
        Draft draft = make();
        const std::lock_guard lock(mutex_);
        if (drafts_.size() >= most_drafts) drafts_.clear();
        drafts_.emplace(std::move(kind), draft);
        return draft;
    }

private:
    static constexpr std::size_t most_drafts = 2048;  ///< About a megabyte.

    std::mutex mutex_;
    std::unordered_map<std::string, Draft> drafts_;
};

}  // namespace seiche::emit::machine
