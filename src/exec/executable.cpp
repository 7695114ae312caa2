// Execution of a compiled plan.
#include "exec/executable.hpp"

#include <algorithm>
#include <string>

#include "exec/builder.hpp"
#include "exec/launch.hpp"
#include "seiche/error.hpp"

namespace seiche::exec {

namespace {

constexpr std::uint64_t part_alignment = 256;

}  // namespace

std::shared_ptr<const Executable> Executable::build(const BuildRequest& request, const SavedPlan* saved) {
    return Builder(request, saved).build();
}

std::uint64_t Executable::part_bytes(std::uint64_t elements_per_array, std::uint64_t batch) const {
    const std::uint64_t bytes = elements_per_array * batch * canonical().complex_bytes();
    return (bytes + part_alignment - 1) / part_alignment * part_alignment;
}

bool Executable::reads_input(Direction direction) const {
    const auto& load = canonical().stages_of(direction).load;
    return canonical().in_place() || !load || load->reads_value;
}

bool Executable::writes_output(Direction direction) const {
    const auto& store = canonical().stages_of(direction).store;
    if (canonical().in_place() || !store || store->result != expression::no_node) return true;
    const std::vector<LoadedStep>& steps = schedules_[static_cast<int>(direction)].steps;
    return std::any_of(steps.begin(), steps.end() - 1,
                       [](const LoadedStep& step) { return step.target == planner::Role::output; });
}

std::uint64_t Executable::input_bytes(std::uint64_t batch) const {
    for (const Direction direction : {Direction::forward, Direction::inverse})
        if (schedules_[static_cast<int>(direction)].is_built && reads_input(direction))
            return canonical().input_bytes(batch);
    return 0;
}

std::uint64_t Executable::output_bytes(std::uint64_t batch) const {
    for (const Direction direction : {Direction::forward, Direction::inverse})
        if (schedules_[static_cast<int>(direction)].is_built && writes_output(direction))
            return canonical().output_bytes(batch);
    return 0;
}

std::uint64_t Executable::workspace_bytes(std::uint64_t batch) const {
    std::uint64_t most = 0;
    for (const LoadedSchedule& schedule : schedules_) {
        most = std::max(
            most, part_bytes(schedule.workspace_a_elements, batch) + part_bytes(schedule.workspace_b_elements, batch));
    }
    return most;
}

runtime::BufferArgument Executable::argument(planner::Role role, const Arguments& arguments) const {
    switch (role) {
        case planner::Role::input:
            return {arguments.input.buffer, arguments.input.byte_offset + canonical().input_byte_offset};
        case planner::Role::output:
            return {arguments.output.buffer, arguments.output.byte_offset + canonical().output_byte_offset};
        case planner::Role::workspace_a: return arguments.workspace;
        case planner::Role::workspace_b:
        case planner::Role::workspace_c: break;  // of convolutions only
    }
    const LoadedSchedule& schedule = schedules_[static_cast<int>(arguments.direction)];
    return {arguments.workspace.buffer,
            arguments.workspace.byte_offset + part_bytes(schedule.workspace_a_elements, arguments.batch)};
}

/// Only the problem's own arrays are planar.
runtime::BufferArgument Executable::imaginary(planner::Role role, const Arguments& arguments) const {
    if (role == planner::Role::input)
        return {arguments.input_imaginary.buffer,
                arguments.input_imaginary.byte_offset + canonical().input_byte_offset};
    return {arguments.output_imaginary.buffer, arguments.output_imaginary.byte_offset + canonical().output_byte_offset};
}

void Executable::execute(runtime::Queue& queue, const Arguments& arguments) const {
    const LoadedSchedule& schedule = schedules_[static_cast<int>(arguments.direction)];
    if (!schedule.is_built) {
        const bool is_forward = arguments.direction == Direction::forward;
        throw InvalidProblem(std::string("execution.direction: expected ") + (is_forward ? "inverse" : "forward") +
                             ", the only one of this plan, got " + (is_forward ? "forward" : "inverse"));
    }
    for (const LoadedStep& step : schedule.steps) launch(queue, step, arguments);
}

void Executable::launch(runtime::Queue& queue, const LoadedStep& step, const Arguments& arguments) const {
    Parameters parameters;
    parameters.add(argument(step.source, arguments));
    parameters.add(argument(step.target, arguments));
    if (step.spec.input_planar) parameters.add(imaginary(step.source, arguments));
    if (step.spec.output_planar) parameters.add(imaginary(step.target, arguments));
    if (step.table) parameters.add({step.table.get(), 0});
    parameters.add_scalar(kernels::sequences_per_batch(step.spec) * arguments.batch);
    parameters.add(step.spec.load, arguments.load);
    parameters.add(step.spec.store, arguments.store);
    parameters.fill_gaps();
    exec::launch(queue, step, arguments.batch, parameters);
}

}  // namespace seiche::exec
