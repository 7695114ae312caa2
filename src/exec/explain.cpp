// Explanations of plans, and values followed through them.
#include <cstring>

#include "exec/flow.hpp"
#include "exec/inspect.hpp"
#include "problem/problem.hpp"
#include "seiche/error.hpp"

namespace seiche::exec {

namespace {

Draft one_way(const problem::Canonical& problem, const DeviceLimits& limits, const Tuning& tuning) {
    PlanOptions options;
    options.directions = problem.has(Direction::forward) ? Directions::forward : Directions::inverse;
    options.tuning = tuning;
    return draft(problem, limits, options);
}

Explanation explained(const Draft& draft, const FlowQuestion& question, const Problem& stated) {
    Explanation explanation;
    explanation.plan = report(draft, question.problem, stated);
    describe_flow(draft.schedules.front(), question, explanation);
    return explanation;
}

template <class Real>
std::vector<std::complex<double>> run_plan(const DraftSchedule& schedule, const problem::Canonical& problem,
                                           const FlowPlaces& places, const std::vector<std::complex<double>>& input) {
    using Complex = std::complex<Real>;
    const auto at = [](std::uint64_t byte_offset, std::uint64_t element) {
        return static_cast<std::size_t>(byte_offset + element * sizeof(Complex));
    };
    std::vector<std::byte> memory(problem.input_bytes(problem.batch.count));
    for (std::size_t i = 0; i < input.size(); ++i) {
        const Complex value(input[i]);
        std::memcpy(memory.data() + at(problem.input_byte_offset, places.input[i]), &value, sizeof value);
    }
    memory = interpret(schedule, problem, std::move(memory));
    std::vector<std::complex<double>> result;
    for (const std::uint64_t place : places.output) {
        Complex value;
        std::memcpy(&value, memory.data() + at(problem.output_byte_offset, place), sizeof value);
        result.emplace_back(value);
    }
    return result;
}

}  // namespace

Explanation explain(const Problem& problem, const DeviceLimits& limits, const Tuning& tuning,
                    std::uint32_t most_lines) {
    const problem::Canonical canonical = problem::normalise(problem);
    return explained(one_way(canonical, limits, tuning), {canonical, limits, most_lines}, problem);
}

FollowedValues follow(const Problem& problem, const DeviceLimits& limits, const Tuning& tuning,
                      const std::vector<std::complex<double>>& input) {
    const problem::Canonical canonical = problem::normalise(problem);
    const bool is_plain = canonical.storage == Storage::same && !canonical.input_planar && !canonical.output_planar &&
                          !canonical.input_image && !canonical.output_image && canonical.input_part_bytes == 0 &&
                          canonical.output_part_bytes == 0;
    if (!is_plain || (canonical.precision != Precision::f32 && canonical.precision != Precision::f64))
        throw InvalidProblem("following values: expected interleaved arrays of f32 or f64, got '" + to_string(problem) +
                             "'");
    const Draft draft = one_way(canonical, limits, tuning);
    constexpr std::uint32_t most_lines = 4096;
    const Explanation explanation = explained(draft, {canonical, limits, most_lines}, problem);
    if (explanation.is_core_only)
        throw InvalidProblem("following values: expected a complex transform, got a real kind");
    if (!explanation.no_graph.empty()) throw InvalidProblem("following values: " + explanation.no_graph);
    if (input.size() != explanation.lines)
        throw InvalidProblem("following values: expected " + std::to_string(explanation.lines) + " of them, got " +
                             std::to_string(input.size()));
    FollowedValues values;
    values.steps = follow_graph(explanation, input);
    const DraftSchedule& schedule = draft.schedules.front();
    const FlowPlaces places = places_of(schedule);
    values.result = canonical.precision == Precision::f32 ? run_plan<float>(schedule, canonical, places, input)
                                                          : run_plan<double>(schedule, canonical, places, input);
    return values;
}

}  // namespace seiche::exec
