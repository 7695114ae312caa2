// From lanes to steps: patterns that were seen before are looked up, others searched for.
#include "emit/x86/shuffle.hpp"

#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "emit/x86/shuffle_search.hpp"

namespace seiche::emit::x86 {

namespace {

/// A goal whose sources are numbered as they come, so that a pattern is found again with other sources.
struct Pattern {
    Shape shape;
    Goal goal;
    std::vector<std::uint16_t> sources;  ///< Which they are.
};

std::invalid_argument bad(const char* what) { return std::invalid_argument(std::string("shuffle: ") + what); }

void check_registers(InstructionSet set, unsigned register_bytes, unsigned lane_bytes, unsigned sources) {
    if ((register_bytes != 16 && register_bytes != 32 && register_bytes != 64) || register_bytes > widest_register(set))
        throw bad("the instruction set has no registers of this size");
    if (lane_bytes != 2 && lane_bytes != 4 && lane_bytes != 8) throw bad("lanes have 2, 4 or 8 bytes");
    if (sources == 0 || sources > Draft::first_step) throw bad("there are 1 to 16 sources");
}

Goal goal_of(unsigned register_bytes, unsigned lane_bytes, unsigned sources, const std::vector<LaneSource>& lanes) {
    Goal goal = Goal::nothing(lane_bytes, register_bytes / lane_bytes);
    if (lanes.size() > goal.count) throw bad("more lanes than a register has");
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        if (lanes[i].source == LaneSource::any) continue;
        if (lanes[i].source >= sources || lanes[i].lane >= goal.count) throw bad("a lane that is not there");
        goal.lanes[i] = Goal::lane(lanes[i].source, lanes[i].lane);
    }
    if (lane_bytes == 8) return narrowed(goal, 4);
    if (lane_bytes == 2)
        if (const std::optional<Goal> words = doubled(goal)) return *words;
    return goal;
}

Pattern pattern_of(InstructionSet set, unsigned register_bytes, const Goal& goal) {
    Pattern pattern{{set, register_bytes, goal.lane_bytes}, goal, {}};
    for (unsigned i = 0; i < goal.count; ++i) {
        if (!goal.wants(i)) continue;
        const auto source = static_cast<std::uint16_t>(Goal::source(goal.lanes[i]));
        const auto known = std::find(pattern.sources.begin(), pattern.sources.end(), source);
        const auto number = static_cast<unsigned>(known - pattern.sources.begin());
        if (known == pattern.sources.end()) pattern.sources.push_back(source);
        pattern.goal.lanes[i] = Goal::lane(number, Goal::place(goal.lanes[i]));
    }
    return pattern;
}

std::string key_of(const Pattern& pattern, bool share) {
    std::string key;
    key.reserve(4 + 2 * pattern.goal.count);
    for (const unsigned part : {static_cast<unsigned>(pattern.shape.set), pattern.shape.register_bytes,
                                pattern.shape.lane_bytes, share ? 1u : 0u})
        key.push_back(static_cast<char>(part));
    for (unsigned i = 0; i < pattern.goal.count; ++i) {
        key.push_back(static_cast<char>(pattern.goal.lanes[i] & 0xff));
        key.push_back(static_cast<char>(pattern.goal.lanes[i] >> 8));
    }
    return key;
}

/// Drafts of patterns that were asked for. It forgets everything when it is full.
class Cache {
public:
    Draft find(const Pattern& pattern, bool share) {
        const std::string key = key_of(pattern, share);
        {
            const std::lock_guard lock(mutex_);
            if (const auto found = drafts_.find(key); found != drafts_.end()) return found->second;
        }
        Draft draft = search_shuffle(pattern.shape, pattern.goal, share);
        const std::lock_guard lock(mutex_);
        if (drafts_.size() >= most_drafts) drafts_.clear();
        drafts_.emplace(key, draft);
        return draft;
    }

private:
    static constexpr std::size_t most_drafts = 2048;  ///< About a megabyte.

    std::mutex mutex_;
    std::unordered_map<std::string, Draft> drafts_;
};

/// With the caller's sources.
Draft find_draft(const Pattern& pattern, bool share) {
    static auto* const cache = new Cache;  // never destroyed: a thread may ask while the program ends
    Draft draft = cache->find(pattern, share);
    if (pattern.sources.empty()) return draft;
    const auto named = [&](std::uint16_t value) { return value < Draft::first_step ? pattern.sources[value] : value; };
    for (DraftStep& step : draft.steps) {
        step.a = named(step.a);
        step.b = named(step.b);
    }
    draft.result = named(draft.result);
    return draft;
}

std::vector<std::uint8_t> constant_bytes(const DraftStep& step) {
    using enum ShuffleOp;
    if (!has_constant(step.op) || step.op == blend_masked_16 || step.op == blend_masked_32) return {};
    const Goal& goal = step.wanted;
    const unsigned width = goal.lane_bytes;
    std::vector<std::uint8_t> bytes(std::size_t{goal.count} * width, 0);
    for (unsigned i = 0; i < goal.count; ++i) {
        const bool wants = goal.wants(i);
        const unsigned place = wants ? Goal::place(goal.lanes[i]) : 0;
        if (step.op == shuffle_bytes) {
            for (unsigned k = 0; k < width; ++k)
                bytes[i * width + k] = static_cast<std::uint8_t>(wants ? (place * width + k) % 16 : 0x80);
        } else {
            const bool of_b = wants && Goal::source(goal.lanes[i]) != 0;
            bytes[std::size_t{i} * width] = static_cast<std::uint8_t>(place + (of_b ? goal.count : 0));
        }
    }
    return bytes;
}

ShuffleProgram program_of(const Draft& draft, unsigned sources, const std::vector<std::uint16_t>& results) {
    const auto number = [&](std::uint16_t value) {
        return static_cast<std::uint16_t>(value < Draft::first_step ? value : value - Draft::first_step + sources);
    };
    ShuffleProgram program;
    for (const DraftStep& step : draft.steps)
        program.steps.push_back({step.op, number(step.a), number(takes_two(step.op) ? step.b : step.a), step.immediate,
                                 step.mask, constant_bytes(step)});
    for (const std::uint16_t result : results) program.results.push_back(number(result));
    return program;
}

}  // namespace

ShuffleProgram lower_shuffles(InstructionSet set, unsigned register_bytes, unsigned lane_bytes, unsigned sources,
                              const std::vector<std::vector<LaneSource>>& registers) {
    check_registers(set, register_bytes, lane_bytes, sources);
    std::vector<Pattern> patterns;
    patterns.reserve(registers.size());
    for (const std::vector<LaneSource>& lanes : registers)
        patterns.push_back(pattern_of(set, register_bytes, goal_of(register_bytes, lane_bytes, sources, lanes)));
    // The fewest steps of one register may be more for all of them.
    const bool may_share = registers.size() > 1 && set == InstructionSet::avx2 && register_bytes == 32;
    Draft best;
    std::vector<std::uint16_t> best_results;
    for (const bool share : {false, true}) {
        if (share && !may_share) continue;
        Draft all;
        std::vector<std::uint16_t> results;
        results.reserve(patterns.size());
        for (const Pattern& pattern : patterns) results.push_back(all.append(find_draft(pattern, share)));
        if (share && best.cost() <= all.cost()) continue;
        best = all;
        best_results = results;
    }
    return program_of(best, sources, best_results);
}

ShuffleProgram lower_shuffle(InstructionSet set, unsigned register_bytes, unsigned lane_bytes, unsigned sources,
                             const std::vector<LaneSource>& lanes) {
    return lower_shuffles(set, register_bytes, lane_bytes, sources, {lanes});
}

}  // namespace seiche::emit::x86
