// Explanations of plans, and values followed through them.
#include <algorithm>
#include <cstring>

#include "exec/flow.hpp"
#include "exec/inspect.hpp"
#include "problem/problem.hpp"
#include "seiche/error.hpp"

namespace seiche::exec {

namespace {

/// Of passes that share a launch the graph is that of passes by themselves.
Draft one_way(const problem::Canonical& problem, DeviceLimits limits, Tuning tuning) {
    if (tuning.recipe.empty()) limits.waits_for_groups = false;
    tuning.trailing_passes = false;
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

/// Of one side: its lines' places, and whether a line is one real number.
struct Elements {
    const std::vector<std::uint64_t>& places;
    std::uint64_t byte_offset = 0;
    bool is_real = false;
};

template <class Real>
void put(const Elements& elements, const std::vector<std::complex<double>>& values, std::vector<std::byte>& memory) {
    const std::size_t bytes = (elements.is_real ? 1 : 2) * sizeof(Real);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::complex<Real> value(values[i]);
        std::memcpy(memory.data() + elements.byte_offset + elements.places[i] * bytes, &value, bytes);
    }
}

template <class Real>
std::vector<std::complex<double>> get(const Elements& elements, const std::vector<std::byte>& memory) {
    const std::size_t bytes = (elements.is_real ? 1 : 2) * sizeof(Real);
    std::vector<std::complex<double>> values;
    for (const std::uint64_t place : elements.places) {
        std::complex<Real> value;
        std::memcpy(&value, memory.data() + elements.byte_offset + place * bytes, bytes);
        values.emplace_back(value);
    }
    return values;
}

template <class Real>
std::vector<std::complex<double>> run_plan(const DraftSchedule& schedule, const problem::Canonical& problem,
                                           const Explanation& explanation,
                                           const std::vector<std::complex<double>>& input) {
    const std::uint64_t batch = problem.batch.count;
    const std::uint64_t bytes =
        std::max(problem.input_bytes(batch), problem.in_place() ? problem.output_bytes(batch) : 0);
    // What is not the graph's is no number: a kernel that took it would be found out.
    std::vector<std::byte> memory(bytes, std::byte{0xff});
    put<Real>({explanation.places_in, problem.input_byte_offset, problem.input_is_real && !explanation.has_pairs_in},
              input, memory);
    memory = interpret(schedule, problem, std::move(memory));
    return get<Real>(
        {explanation.places_out, problem.output_byte_offset, problem.output_is_real && !explanation.has_pairs_out},
        memory);
}

/// The same without stages of the user's, which read and write arrays of theirs.
DraftSchedule without_user_stages(DraftSchedule schedule) {
    const auto leave_out = [](std::vector<kernels::Stage>& stages) {
        return std::erase_if(
            stages, [](const kernels::Stage& stage) { return std::holds_alternative<kernels::UserProgram>(stage); });
    };
    for (DraftStep& drafted : schedule.steps) {
        kernels::KernelSpec& spec = drafted.step.spec;
        std::size_t left_out = leave_out(spec.load) + leave_out(spec.store);
        for (kernels::KernelSpec& second : spec.then) left_out += leave_out(second.load) + leave_out(second.store);
        if (left_out != 0) drafted = draft_step(drafted.step);
    }
    return schedule;
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
    if (!explanation.no_graph.empty()) throw InvalidProblem("following values: " + explanation.no_graph);
    if (input.size() != explanation.lines)
        throw InvalidProblem("following values: expected " + std::to_string(explanation.lines) + " of them, got " +
                             std::to_string(input.size()));
    const bool takes_real = canonical.input_is_real && !explanation.has_pairs_in;
    if (takes_real &&
        std::any_of(input.begin(), input.end(), [](const std::complex<double>& value) { return value.imag() != 0; }))
        throw InvalidProblem("following values: expected real numbers, got complex ones");
    FollowedValues values;
    values.steps = follow_graph(explanation, input);
    const DraftSchedule schedule = without_user_stages(draft.schedules.front());
    values.result = canonical.precision == Precision::f32 ? run_plan<float>(schedule, canonical, explanation, input)
                                                          : run_plan<double>(schedule, canonical, explanation, input);
    return values;
}

}  // namespace seiche::exec
