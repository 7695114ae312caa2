// The flow graph of a plan, from the specs of its kernels: points are followed by their addresses from pass to pass,
// and by Stockham's order inside one (Stockham, "High-speed convolution and correlation", 1966;
// kernels/group/group.cpp).
#include "exec/flow.hpp"

#include <algorithm>

#include "exec/flow_writer.hpp"

namespace seiche::exec {

using kernels::KernelSpec;
using kernels::Stage;

namespace {

bool has_user_stage(const DraftSchedule& schedule) {
    const auto is_users = [](const Stage& stage) { return std::holds_alternative<kernels::UserProgram>(stage); };
    return std::any_of(schedule.steps.begin(), schedule.steps.end(), [&](const DraftStep& step) {
        const KernelSpec &spec = step.step.spec, &last = kernels::last_pass(spec);
        return std::any_of(spec.in.stages.begin(), spec.in.stages.end(), is_users) ||
               std::any_of(last.out.stages.begin(), last.out.stages.end(), is_users);
    });
}

std::string too_many_lines(std::uint64_t lines, std::uint32_t most) {
    return "a graph of " + std::to_string(lines) + " lines is not readable, at most " + std::to_string(most) +
           " are drawn: it is left out";
}

const char* name_of(planner::Role role) {
    switch (role) {
        case planner::Role::input: return "input";
        case planner::Role::output: return "output";
        case planner::Role::workspace_a: return "workspace a";
        case planner::Role::workspace_b: return "workspace b";
        case planner::Role::workspace_c: return "workspace c";
        case planner::Role::partials: return "partial sums";
        case planner::Role::sums: return "sums";
        case planner::Role::workspace_d: break;
    }
    return "workspace d";
}

/// What a kernel's ways to memory are told from.
KernelSpec sequences_of(const KernelSpec& spec, bool input) {
    if (!spec.register_rows().empty()) return axis_of_rows(spec, input ? 0 : spec.register_rows().size() - 1);
    return spec.textbook() ? line_spec(spec) : spec;
}

KernelFlow describe_kernel(const DraftStep& drafted) {
    const KernelSpec& own = drafted.step.spec;
    const KernelSpec spec = sequences_of(own, true);
    KernelFlow flow;
    flow.source = name_of(drafted.step.source);
    flow.target = name_of(drafted.step.target);
    flow.points = spec.n;
    flow.sequences = kernels::sequences_per_batch(spec);
    flow.input_stride = spec.in.stride;
    flow.output_stride = spec.out.stride;
    flow.input_run = spec.in.run;
    flow.sequences_per_group = kernels::sequences_per_group(spec);
    if (const auto* shape = std::get_if<kernels::GroupShape>(&spec.shape)) {
        flow.threads = shape->threads;
        flow.groups_per_cluster = shape->groups_per_cluster;
    } else {
        flow.is_bundle = true;
    }
    if (own.textbook()) {
        flow.items = kernels::textbook_items(*own.textbook());
        flow.is_on_chip = kernels::works_on_chip(*own.textbook());
    }
    return flow;
}

std::uint64_t elements_of(const KernelSpec& spec, bool input) {
    if (!map_of(spec, input)) return 0;
    const RealSide side(spec, input);
    return side.axis_count() * std::max(side.elements(), side.points());
}

std::uint64_t widest(const DraftSchedule& schedule) {
    std::uint64_t most = 0;
    for (const DraftStep& step : schedule.steps) {
        const KernelSpec spec = sequences_of(step.step.spec, true);
        for (std::size_t i = 1; i < step.step.spec.register_rows().size(); ++i) {
            const KernelSpec axis = axis_of_rows(step.step.spec, i);
            most = std::max(most, kernels::sequences_per_batch(axis) * points_on_chip(axis));
        }
        most = std::max({most, kernels::sequences_per_batch(spec) * points_on_chip(spec), elements_of(spec, true),
                         elements_of(kernels::last_pass(spec), false)});
    }
    return most;
}

/// The elements that a pass reads or writes.
Lines lines_on(const KernelSpec& spec, bool input) {
    if (spec.texel_points() != 0) return texel_lines(spec);
    const KernelSpec& last = kernels::last_pass(spec);
    return map_of(input ? spec : last, input) ? RealSide(input ? spec : last, input).lines()
                                              : Side(spec, last, input).lines();
}

bool has_pairs(const problem::Canonical& problem, const KernelSpec& spec, bool input) {
    return (input ? problem.input_is_real : problem.output_is_real) && !spec.side(input).is_real();
}

}  // namespace

void describe_flow(const DraftSchedule& schedule, const FlowQuestion& question, Explanation& explanation) {
    explanation.direction = question.problem.as_planned(schedule.direction);
    explanation.has_user_stages = has_user_stage(schedule);
    const KernelSpec first = sequences_of(schedule.steps.front().step.spec, true),
                     last = sequences_of(schedule.steps.back().step.spec, false);
    explanation.has_pairs_in = has_pairs(question.problem, first, true);
    explanation.has_pairs_out = has_pairs(question.problem, kernels::last_pass(last), false);
    const std::uint64_t lines = widest(schedule);
    if (lines > question.most_lines) explanation.no_graph = too_many_lines(lines, question.most_lines);
    const bool has_graph = explanation.no_graph.empty();
    FlowWriter writer(question, has_graph);
    if (has_graph) {
        explanation.places_in = lines_on(first, true);
        explanation.places_out = lines_on(last, false);
        explanation.lines = static_cast<std::uint32_t>(explanation.places_in.size());
        writer.start(explanation.places_in);
    }
    for (const DraftStep& step : schedule.steps) {
        KernelFlow flow = describe_kernel(step);
        flow.kernel = report_step(step, explanation.direction, question.problem.batch.count);
        writer.write(step, flow);
        explanation.kernels.push_back(std::move(flow));
    }
}

}  // namespace seiche::exec
