// Execution of a compiled plan.
#include "exec/executable.hpp"

#include <string>

#include "exec/builder.hpp"
#include "seiche/error.hpp"

namespace seiche::exec {

namespace {

constexpr std::uint64_t part_alignment = 256;
constexpr std::uint64_t most_groups = 0x7fffffff, most_sequences = 0xffffffff;

}  // namespace

std::shared_ptr<const Executable> Executable::build(const BuildRequest& request) { return Builder(request).build(); }

std::uint64_t Executable::part_bytes(std::uint64_t elements_per_array, std::uint64_t batch) const {
    const std::uint64_t bytes = elements_per_array * batch * canonical().complex_bytes();
    return (bytes + part_alignment - 1) / part_alignment * part_alignment;
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
        case planner::Role::workspace_b: break;
    }
    const LoadedSchedule& schedule = schedules_[static_cast<int>(arguments.direction)];
    return {arguments.workspace.buffer,
            arguments.workspace.byte_offset + part_bytes(schedule.workspace_a_elements, arguments.batch)};
}

void Executable::execute(runtime::Queue& queue, const Arguments& arguments) const {
    const LoadedSchedule& schedule = schedules_[static_cast<int>(arguments.direction)];
    if (!schedule.is_built) {
        const bool is_forward = arguments.direction == Direction::forward;
        throw InvalidProblem(std::string("execution.direction: expected ") + (is_forward ? "inverse" : "forward") +
                             ", the only one of this plan, got " + (is_forward ? "forward" : "inverse"));
    }
    for (const LoadedStep& step : schedule.steps) {
        const std::uint64_t sequences = kernels::sequences_per_batch(step.spec) * arguments.batch;
        const std::uint64_t groups = kernels::groups(step.spec, arguments.batch);
        // Kernels count sequences in 32 bits, those of the last group that do not exist too.
        if (groups > most_groups || groups * kernels::sequences_per_group(step.spec) > most_sequences) {
            throw Unsupported("batch " + std::to_string(arguments.batch) +
                              ": expected at most 2^31 groups and 2^32 sequences in a launch, got " +
                              std::to_string(groups) + " and " + std::to_string(sequences));
        }
        runtime::BufferArgument buffers[3] = {
            argument(step.source, arguments), argument(step.target, arguments), {step.table.get(), 0}};
        runtime::Launch launch;
        launch.module = step.module.get();
        launch.groups = {static_cast<std::uint32_t>(groups), 1, 1};
        launch.buffers = buffers;
        launch.buffer_count = step.table ? 3 : 2;
        launch.scalars = &sequences;
        launch.scalar_count = 1;
        queue.launch(launch);
    }
}

}  // namespace seiche::exec
