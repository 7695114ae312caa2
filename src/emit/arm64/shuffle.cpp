// From lanes to steps: patterns that were seen before are looked up, others searched for.
#include "emit/arm64/shuffle.hpp"

#include <stdexcept>
#include <string>

#include "emit/arm64/shuffle_search.hpp"
#include "emit/machine/pattern_cache.hpp"

namespace seiche::emit::arm64 {

namespace {

std::invalid_argument bad(const char* what) { return std::invalid_argument(std::string("shuffle: ") + what); }

Goal goal_of(unsigned lane_bytes, unsigned sources, const std::vector<LaneSource>& lanes) {
    constexpr unsigned register_bytes = 16;
    if (lane_bytes != 2 && lane_bytes != 4 && lane_bytes != 8) throw bad("lanes have 2, 4 or 8 bytes");
    if (sources == 0 || sources > Draft::first_step) throw bad("there are 1 to 16 sources");
    return machine::goal_of(register_bytes, lane_bytes, sources, lanes);
}

/// With the caller's sources.
Draft find_draft(const machine::Pattern& pattern, bool share) {
    static auto* const cache = new machine::PatternCache<Draft>;  // never destroyed: a thread may ask to the end
    const std::string kind{static_cast<char>(pattern.goal.lane_bytes), share ? '1' : '0'};
    Draft draft = cache->find(kind, pattern.goal, [&] { return search_shuffle(pattern.goal, share); });
    for (ShuffleStep& step : draft.steps) {
        step.a = pattern.named(step.a, Draft::first_step);
        step.b = pattern.named(step.b, Draft::first_step);
    }
    draft.result = pattern.named(draft.result, Draft::first_step);
    return draft;
}

}  // namespace

ShuffleProgram lower_shuffles(unsigned lane_bytes, unsigned sources,
                              const std::vector<std::vector<LaneSource>>& registers) {
    std::vector<machine::Pattern> patterns;
    patterns.reserve(registers.size());
    for (const std::vector<LaneSource>& lanes : registers) patterns.emplace_back(goal_of(lane_bytes, sources, lanes));
    // The fewest steps of one register may be more for all of them.
    Draft best;
    std::vector<std::uint16_t> results;
    for (const bool share : {false, true}) {
        if (share && registers.size() == 1) continue;
        Draft all;
        std::vector<std::uint16_t> values;
        for (const machine::Pattern& pattern : patterns) values.push_back(all.append(find_draft(pattern, share)));
        if (share && !(all.cost() < best.cost())) continue;
        best = std::move(all);
        results = std::move(values);
    }
    const auto number = [&](std::uint16_t value) {
        return static_cast<std::uint16_t>(value < Draft::first_step ? value : value - Draft::first_step + sources);
    };
    ShuffleProgram program;
    for (ShuffleStep step : best.steps) {
        step.a = number(step.a);
        step.b = number(step.b);
        program.steps.push_back(std::move(step));
    }
    for (const std::uint16_t result : results) program.results.push_back(number(result));
    return program;
}

}  // namespace seiche::emit::arm64
