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
Draft find_draft(const Goal& goal) {
    static auto* const cache = new machine::PatternCache<Draft>;  // never destroyed: a thread may ask to the end
    const machine::Pattern pattern(goal);
    Draft draft =
        cache->find({static_cast<char>(goal.lane_bytes)}, pattern.goal, [&] { return search_shuffle(pattern.goal); });
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
    Draft all;
    ShuffleProgram program;
    for (const std::vector<LaneSource>& lanes : registers)
        program.results.push_back(all.append(find_draft(goal_of(lane_bytes, sources, lanes))));
    const auto number = [&](std::uint16_t value) {
        return static_cast<std::uint16_t>(value < Draft::first_step ? value : value - Draft::first_step + sources);
    };
    for (ShuffleStep step : all.steps) {
        step.a = number(step.a);
        step.b = number(step.b);
        program.steps.push_back(step);
    }
    for (std::uint16_t& result : program.results) result = number(result);
    return program;
}

}  // namespace seiche::emit::arm64
