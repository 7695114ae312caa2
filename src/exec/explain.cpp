// Explanations of plans, and values followed through them.
#include <algorithm>
#include <cstring>

#include "exec/flow.hpp"
#include "exec/inspect.hpp"
#include "kernels/contract/generate.hpp"
#include "problem/problem.hpp"
#include "seiche/error.hpp"

namespace seiche::exec {

namespace {

Draft one_way(const problem::Canonical& problem, const DeviceLimits& limits, const Tuning& tuning) {
    PlanOptions options;
    options.directions = first_direction(problem);
    options.tuning = tuning;
    return draft(problem, limits, options);
}

/// As if the pass had a launch of its own: every sequence is done, whatever the slices.
void leave_launch(kernels::KernelSpec& spec) {
    spec.pipeline.next.clear();
    spec.slices.sequences = spec.slices.run = spec.slices.period = spec.pipeline.prefetch_distance = 0;
    spec.pipeline.has_between = false;
    spec.in.hint = spec.out.hint = ir::CacheHint::normal;
    spec = kernels::complete(std::move(spec));
}

/// The passes of a schedule one by one, also those that trail another in its launch, and without what clears counters:
/// the graph is one of passes.
struct Passes {
    DraftSchedule schedule;
    std::vector<bool> trails;  ///< Of each step.
};

Passes passes_of(const DraftSchedule& schedule) {
    Passes passes{
        {schedule.direction, schedule.recipe, {}, schedule.workspace_a_elements, schedule.workspace_b_elements}, {}};
    const auto add = [&passes](const DraftStep& step, bool trails) {
        passes.schedule.steps.push_back(step);
        passes.trails.push_back(trails);
    };
    for (const DraftStep& step : schedule.steps) {
        const kernels::Textbook* textbook = step.step.spec.textbook();
        if (textbook && std::holds_alternative<kernels::Clearing>(textbook->work)) continue;
        if (step.step.spec.pipeline.next.empty()) {
            add(step, false);
            continue;
        }
        planner::Step pass = step.step;
        const planner::Role results = pass.spec.pipeline.has_between ? pass.target : pass.source;
        if (pass.spec.pipeline.has_between) {
            pass.target = pass.between;
            pass.spec.in_place = false;  // what lies between is memory of its own
        }
        leave_launch(pass.spec);
        add(draft_step(pass), false);
        for (const kernels::KernelSpec* next = &step.step.spec; !next->pipeline.next.empty();) {
            next = &next->pipeline.next.front();
            pass.spec = *next;
            pass.spec.name = step.step.spec.name;
            pass.source = pass.target;
            if (!next->in_place) pass.target = results;
            leave_launch(pass.spec);
            add(draft_step(pass), true);
        }
    }
    return passes;
}

Explanation explained(const Draft& draft, const FlowQuestion& question, const Problem& stated) {
    Explanation explanation;
    explanation.plan = report(draft, question.problem, stated);
    const Passes passes = passes_of(draft.schedules.front());
    describe_flow(passes.schedule, question, explanation);
    for (std::size_t i = 0; i < explanation.kernels.size(); ++i) explanation.kernels[i].trails = passes.trails[i];
    return explanation;
}

/// Of one side: its lines' places, whether a line is one real number, and of planes where the second one begins.
struct Elements {
    const std::vector<std::uint64_t>& places;
    std::uint64_t byte_offset = 0;
    bool is_real = false;
    std::uint64_t imaginary_offset = 0;
};

Elements elements_of(const problem::Canonical& problem, const Explanation& explanation, bool input) {
    const bool is_real = input ? problem.input_is_real : problem.output_is_real;
    const bool has_pairs = input ? explanation.has_pairs_in : explanation.has_pairs_out;
    const bool is_planar = input ? problem.input_planar : problem.output_planar;
    const std::uint64_t batch = problem.batch.count, base = input ? problem.input_base() : problem.output_base();
    const std::uint64_t half = input ? problem.input_elements(batch) * problem.input_element_bytes()
                                     : problem.output_elements(batch) * problem.output_element_bytes();
    return {input ? explanation.places_in : explanation.places_out, base, is_real && !has_pairs,
            is_planar ? base + half : 0};
}

/// Where the parts of a line's value lie, in bytes.
template <class Real>
struct PartsOfValue {
    std::uint64_t re = 0, im = 0;

    PartsOfValue(const Elements& elements, std::uint64_t place) {
        const bool is_planar = elements.imaginary_offset != 0;
        const std::uint64_t bytes = elements.is_real || is_planar ? sizeof(Real) : 2 * sizeof(Real);
        re = elements.byte_offset + place * bytes;
        im = is_planar ? elements.imaginary_offset + place * bytes : re + sizeof(Real);
    }
};

template <class Real>
void put(const Elements& elements, const std::vector<std::complex<double>>& values, std::vector<std::byte>& memory) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        const PartsOfValue<Real> at(elements, elements.places[i]);
        const Real re = static_cast<Real>(values[i].real()), im = static_cast<Real>(values[i].imag());
        std::memcpy(memory.data() + at.re, &re, sizeof re);
        if (!elements.is_real) std::memcpy(memory.data() + at.im, &im, sizeof im);
    }
}

template <class Real>
std::vector<std::complex<double>> get(const Elements& elements, const std::vector<std::byte>& memory) {
    std::vector<std::complex<double>> values;
    for (const std::uint64_t place : elements.places) {
        const PartsOfValue<Real> at(elements, place);
        Real re = 0, im = 0;
        std::memcpy(&re, memory.data() + at.re, sizeof re);
        if (!elements.is_real) std::memcpy(&im, memory.data() + at.im, sizeof im);
        values.emplace_back(re, im);
    }
    return values;
}

template <class Real>
std::vector<std::complex<double>> run_plan(const DraftSchedule& schedule, const problem::Canonical& problem,
                                           const Explanation& explanation,
                                           const std::vector<std::complex<double>>& input) {
    const std::uint64_t bytes =
        std::max(held_bytes(problem, true), problem.shares_buffer() ? held_bytes(problem, false) : 0);
    // What is not the graph's is no number: a kernel that took it would be found out.
    std::vector<std::byte> memory(bytes, std::byte{0xff});
    put<Real>(elements_of(problem, explanation, true), input, memory);
    memory = interpret(schedule, problem, std::move(memory));
    return get<Real>(elements_of(problem, explanation, false), memory);
}

/// Arrays whose numbers are those that are computed with, f32 or f64.
bool has_values_of(const problem::Canonical& problem) {
    const auto has_halves = [](const problem::ArrayImage& image) { return image.format == ImageFormat::rgba16f; };
    return problem.storage == Storage::same && !has_halves(problem.input_image) && !has_halves(problem.output_image) &&
           (problem.precision == Precision::f32 || problem.precision == Precision::f64);
}

/// The same without stages of the user's, which read and write arrays of theirs.
DraftSchedule without_user_stages(DraftSchedule schedule) {
    const auto leave_out = [](std::vector<kernels::Stage>& stages) {
        return std::erase_if(
            stages, [](const kernels::Stage& stage) { return std::holds_alternative<kernels::UserProgram>(stage); });
    };
    for (DraftStep& drafted : schedule.steps) {
        kernels::KernelSpec& spec = drafted.step.spec;
        std::size_t left_out = leave_out(spec.in.stages) + leave_out(spec.out.stages);
        kernels::for_each_then(spec, [&](kernels::KernelSpec& next) {
            left_out += leave_out(next.in.stages) + leave_out(next.out.stages);
        });
        if (left_out == 0) continue;
        drafted.step.stage_parts = {};
        drafted = draft_step(drafted.step);
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
    if (!has_values_of(canonical))
        throw InvalidProblem("following values: expected arrays of f32 or f64 without a storage of their own, got '" +
                             to_string(problem) + "'");
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
