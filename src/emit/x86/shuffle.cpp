// From lanes to steps: patterns that were seen before are looked up, others searched for.
#include "emit/x86/shuffle.hpp"

#include <stdexcept>
#include <string>

#include "emit/machine/pattern_cache.hpp"
#include "emit/x86/shuffle_search.hpp"

namespace seiche::emit::x86 {

namespace {

std::invalid_argument bad(const char* what) { return std::invalid_argument(std::string("shuffle: ") + what); }

void check_registers(InstructionSet set, unsigned register_bytes, unsigned lane_bytes, unsigned sources) {
    if ((register_bytes != 16 && register_bytes != 32 && register_bytes != 64) || register_bytes > widest_register(set))
        throw bad("the instruction set has no registers of this size");
    if (lane_bytes != 2 && lane_bytes != 4 && lane_bytes != 8) throw bad("lanes have 2, 4 or 8 bytes");
    if (sources == 0 || sources > Draft::first_step) throw bad("there are 1 to 16 sources");
}

/// With the caller's sources.
Draft find_draft(const Shape& shape, const machine::Pattern& pattern, bool share) {
    static auto* const cache = new machine::PatternCache<Draft>;  // never destroyed: a thread may ask to the end
    std::string kind;
    for (const unsigned part :
         {static_cast<unsigned>(shape.set), shape.register_bytes, shape.lane_bytes, share ? 1u : 0u})
        kind.push_back(static_cast<char>(part));
    Draft draft =
        cache->find(std::move(kind), pattern.goal, [&] { return search_shuffle(shape, pattern.goal, share); });
    for (DraftStep& step : draft.steps) {
        step.a = pattern.named(step.a, Draft::first_step);
        step.b = pattern.named(step.b, Draft::first_step);
    }
    draft.result = pattern.named(draft.result, Draft::first_step);
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
    std::vector<machine::Pattern> patterns;
    patterns.reserve(registers.size());
    for (const std::vector<LaneSource>& lanes : registers)
        patterns.emplace_back(machine::goal_of(register_bytes, lane_bytes, sources, lanes));
    // The fewest steps of one register may be more for all of them.
    const bool may_share = registers.size() > 1 && set == InstructionSet::avx2 && register_bytes == 32;
    Draft best;
    std::vector<std::uint16_t> best_results;
    for (const bool share : {false, true}) {
        if (share && !may_share) continue;
        Draft all;
        std::vector<std::uint16_t> results;
        results.reserve(patterns.size());
        for (const machine::Pattern& pattern : patterns) {
            const Shape shape{set, register_bytes, pattern.goal.lane_bytes};
            results.push_back(all.append(find_draft(shape, pattern, share)));
        }
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
