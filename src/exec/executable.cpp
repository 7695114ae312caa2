// Execution of a compiled plan.
#include "exec/executable.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "exec/builder.hpp"
#include "exec/launch.hpp"
#include "exec/step_arguments.hpp"
#include "expression/compile.hpp"
#include "planner/lower/parts.hpp"
#include "seiche/error.hpp"
#include "support/primes.hpp"

namespace seiche::exec {

namespace {

constexpr std::uint64_t workspace_alignment = 256;

/// So many bytes as buffers of `part` bytes each, the last with the rest.
void add_parts(std::uint64_t bytes, std::uint64_t part, std::vector<std::uint64_t>& parts) {
    for (; bytes > part; bytes -= part) parts.push_back(part);
    if (bytes != 0) parts.push_back(bytes);
}

}  // namespace

std::shared_ptr<const Executable> Executable::build(const BuildRequest& request, const SavedPlan* saved) {
    DeviceLimits limits = request.device.limits();
    for (;;) {
        try {
            return Builder(request, limits, saved).build();
        } catch (const runtime::NoSuchCluster& error) {
            // What the card says of its kind is not what this card has, part of which may be another's.
            const std::uint32_t fewer = error.groups / 2;
            if (request.options.tuning.groups_per_cluster != 0 || fewer == 0 || fewer >= limits.max_cluster_size) throw;
            limits.max_cluster_size = fewer;
        }
    }
}

std::uint64_t Executable::aligned_bytes(std::uint64_t elements_per_array, std::uint64_t batch) const {
    constexpr std::uint64_t most = std::uint64_t{1} << 62;  // so that the sum of two has 64 bits
    std::uint64_t bytes = 0;
    if (!support::checked_multiply(elements_per_array, batch, bytes) ||
        !support::checked_multiply(bytes, canonical().complex_bytes(), bytes) || bytes > most)
        throw InvalidProblem("batch: expected workspaces of at most 2^62 bytes, got a batch of " +
                             std::to_string(batch) + " arrays that need more");
    return (bytes + workspace_alignment - 1) / workspace_alignment * workspace_alignment;
}

std::uint64_t Executable::buffer_limit() const {
    return planner::bytes_of_part(request_.device.limits(), request_.options.tuning);
}

std::uint64_t Executable::most_a_elements() const {
    return std::max(schedules_[0].workspace_a_elements, schedules_[1].workspace_a_elements);
}
std::uint64_t Executable::most_b_elements() const {
    return std::max(schedules_[0].workspace_b_elements, schedules_[1].workspace_b_elements);
}

bool Executable::reads_input(Direction direction) const {
    const auto& load = canonical().stages_of(direction).load;
    return canonical().shares_buffer() || !load || load->reads_value;
}

bool Executable::writes_output(Direction direction) const {
    const auto& store = canonical().stages_of(direction).store;
    if (canonical().shares_buffer() || !store || store->writes_array()) return true;
    const std::vector<LoadedStep>& steps = schedules_[static_cast<int>(direction)].steps;
    return std::any_of(steps.begin(), steps.end() - 1,
                       [](const LoadedStep& step) { return step.planned.target == planner::Role::output; });
}

std::uint64_t Executable::input_bytes(std::uint64_t batch) const {
    if (canonical().input_image) return 0;
    if (canonical().shares_buffer()) return std::max(canonical().input_bytes(batch), canonical().output_bytes(batch));
    for (const Direction direction : {Direction::forward, Direction::inverse})
        if (schedules_[static_cast<int>(direction)].is_built && reads_input(direction))
            return canonical().input_bytes(batch);
    return 0;
}

std::uint64_t Executable::output_bytes(std::uint64_t batch) const {
    if (canonical().output_image) return 0;
    if (canonical().shares_buffer()) return input_bytes(batch);
    for (const Direction direction : {Direction::forward, Direction::inverse})
        if (schedules_[static_cast<int>(direction)].is_built && writes_output(direction))
            return canonical().output_bytes(batch);
    return 0;
}

problem::ArrayImage Executable::workspace_image() const {
    if (most_a_elements() == 0) return {};
    return planner::workspace_image(canonical(), request_.options.tuning);
}

std::uint64_t Executable::workspace_bytes(std::uint64_t batch) const {
    if (workspace_image()) return 0;
    std::uint64_t most = 0;
    for (const LoadedSchedule& schedule : schedules_)
        most = std::max(most, aligned_bytes(schedule.workspace_a_elements, batch) +
                                  aligned_bytes(schedule.workspace_b_elements, batch));
    return most;
}

std::vector<std::uint64_t> Executable::workspace_part_bytes(std::uint64_t batch) const {
    std::vector<std::uint64_t> parts;
    while (const std::uint64_t bytes = workspace_part_bytes(batch, parts.size())) parts.push_back(bytes);
    return parts;
}

/// One after the other: those of the first workspace, then those of the second.
std::uint64_t Executable::workspace_part_bytes(std::uint64_t batch, std::size_t part) const {
    if (workspace_image()) return 0;
    const std::uint64_t limit = buffer_limit(), whole = workspace_bytes(batch);
    if (limit == 0 || whole <= limit) return part == 0 ? whole : 0;
    for (const planner::Role role : {planner::Role::workspace_a, planner::Role::workspace_b}) {
        const Pieces pieces = pieces_of(role, batch);
        if (pieces.first != 0 && part-- == 0) return pieces.first;
        const std::uint64_t count = (pieces.rest + limit - 1) / limit;
        if (part < count) return std::min(limit, pieces.rest - part * limit);
        part -= count;
    }
    return 0;
}

Executable::Pieces Executable::pieces_of(planner::Role workspace, std::uint64_t batch) const {
    std::uint64_t most = 0, addressed = 0;
    bool in_several = false;
    for (const LoadedSchedule& schedule : schedules_) {
        const bool is_a = workspace == planner::Role::workspace_a;
        const std::uint64_t bytes =
            aligned_bytes(is_a ? schedule.workspace_a_elements : schedule.workspace_b_elements, batch);
        most = std::max(most, bytes);
        const auto look = [&](planner::Role role, const planner::Parts& parts) {
            if (role != workspace) return;
            if (parts.by_address) addressed = std::max(addressed, bytes);
            in_several = in_several || parts.count > 1;
        };
        for (const LoadedStep& step : schedule.steps) {
            look(step.planned.source, step.planned.source_parts);
            look(step.planned.target, step.planned.target_parts);
        }
    }
    const std::uint64_t limit = buffer_limit();
    if (addressed <= limit) return {0, 1, most};
    if (!in_several) return {most, 1, 0};
    const std::uint64_t in_first = addressed / limit;
    return {addressed, in_first, most - in_first * limit};
}

std::vector<std::uint64_t> Executable::array_part_bytes(bool input, std::uint64_t batch) const {
    const problem::Canonical& c = canonical();
    const std::uint64_t part = input ? c.input_part_bytes : c.output_part_bytes;
    const std::uint64_t needed = input ? input_bytes(batch) : output_bytes(batch);
    if (needed == 0) return {};
    if (part == 0) return {needed};
    const std::uint64_t in = c.input_half_bytes(batch), out = c.output_half_bytes(batch);
    std::vector<std::uint64_t> parts;
    add_parts(c.shares_buffer() ? std::max(in, out) : input ? in : out, part, parts);
    return parts;
}

std::uint64_t Executable::array_bytes(planner::Role role, Direction direction, std::uint64_t batch) const {
    const LoadedSchedule& schedule = schedules_[static_cast<int>(direction)];
    const problem::Canonical& c = canonical();
    switch (role) {
        case planner::Role::input:
        case planner::Role::output: {
            const bool input = role == planner::Role::input;
            const std::uint64_t in = c.input_half_bytes(batch), out = c.output_half_bytes(batch);
            const std::uint64_t held = c.shares_buffer() ? std::max(in, out) : input ? in : out;
            const bool is_given = (input ? c.input_part_bytes : c.output_part_bytes) != 0;
            return is_given ? held : held - (input ? c.input_base() : c.output_base());
        }
        case planner::Role::workspace_a: return schedule.workspace_a_elements * batch * c.complex_bytes();
        default: return schedule.workspace_b_elements * batch * c.complex_bytes();
    }
}

void Executable::check_parts(Direction direction, std::uint64_t batch) const {
    for (const LoadedStep& loaded : schedules_[static_cast<int>(direction)].steps) {
        const planner::Step& step = loaded.planned;
        using Array = std::pair<planner::Role, const planner::Parts&>;
        for (const auto& [role, parts] : {Array{step.source, step.source_parts}, Array{step.target, step.target_parts},
                                          Array{step.between, step.between_parts}}) {
            if (parts.bytes == 0) continue;  // in one, however large
            const std::uint64_t needed = planner::parts_for(array_bytes(role, direction, batch), parts.bytes);
            if (needed <= parts.count) continue;
            throw InvalidProblem("execution.batch: expected arrays in at most " + std::to_string(parts.count) +
                                 " buffers of " + std::to_string(parts.bytes) +
                                 " bytes, as for the problem's batch of " + std::to_string(canonical().batch.count) +
                                 ", got a batch of " + std::to_string(batch) + " that needs " + std::to_string(needed));
        }
    }
}

Executable::Located Executable::argument(planner::Role role, const Arguments& arguments) const {
    switch (role) {
        case planner::Role::input: return {arguments.input, canonical().input_base()};
        case planner::Role::output: return {arguments.output, canonical().output_base()};
        case planner::Role::workspace_a: return {workspace_a(arguments), 0};
        case planner::Role::workspace_b:
        case planner::Role::workspace_c:
        case planner::Role::workspace_d:
        case planner::Role::partials:
        case planner::Role::sums: break;  // of spectral operators only
    }
    return {workspace_b(arguments), 0};
}

ArrayArgument Executable::workspace_a(const Arguments& arguments) const {
    ArrayArgument array = arguments.workspace;
    if (array.part_count != 0) array.in_first = pieces_of(planner::Role::workspace_a, arguments.batch).in_first;
    return array;
}

ArrayArgument Executable::workspace_b(const Arguments& arguments) const {
    ArrayArgument array = arguments.workspace;
    if (array.part_count != 0) {
        const Pieces pieces = pieces_of(planner::Role::workspace_a, arguments.batch);
        const std::uint64_t limit = buffer_limit(), of_rest = pieces.rest == 0 ? 0 : (pieces.rest - 1) / limit + 1;
        const std::size_t before = (pieces.first != 0 ? 1 : 0) + of_rest;
        array.parts += before;
        array.part_count -= before;
        array.in_first = pieces_of(planner::Role::workspace_b, arguments.batch).in_first;
        return array;
    }
    const LoadedSchedule& schedule = schedules_[static_cast<int>(arguments.direction)];
    array.whole.byte_offset += aligned_bytes(schedule.workspace_a_elements, arguments.batch);
    return array;
}

/// Only the problem's own arrays are planar.
Executable::Located Executable::imaginary(planner::Role role, const Arguments& arguments) const {
    if (role == planner::Role::input) return {arguments.input_imaginary, canonical().input_base()};
    return {arguments.output_imaginary, canonical().output_base()};
}

void Executable::execute(runtime::Queue& queue, const Arguments& arguments) const {
    const LoadedSchedule& schedule = schedules_[static_cast<int>(arguments.direction)];
    if (!schedule.is_built) throw InternalError("a direction for which the plan was not built");
    if (arguments.batch <= schedule.at_once) return run(queue, schedule, arguments);
    const problem::Canonical& c = canonical();
    Arguments slice = arguments;
    for (std::uint64_t first = 0; first < arguments.batch; first += schedule.at_once) {
        slice.batch = std::min(schedule.at_once, arguments.batch - first);
        slice.input.whole.byte_offset =
            arguments.input.whole.byte_offset +
            first * static_cast<std::uint64_t>(c.batch.input_distance) * c.input_element_bytes();
        slice.output.whole.byte_offset =
            arguments.output.whole.byte_offset +
            first * static_cast<std::uint64_t>(c.batch.output_distance) * c.output_element_bytes();
        run(queue, schedule, slice);
    }
}

/// On the processor, where what a step leaves is then in the caches for the next; elsewhere all of them at once.
std::uint64_t Executable::arrays_at_once(const LoadedSchedule& schedule, Direction direction) const {
    constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
    constexpr std::int64_t least_bytes = 16 << 10;  // apart, so that no slice is a few columns of an array
    const problem::Canonical& c = canonical();
    const auto uses_batch = [](const auto& stage) { return stage && expression::uses_batch(*stage); };
    const problem::DirectionStages& stages = c.stages_of(direction);
    if (device().info().backend != Backend::cpu || schedule.steps.size() < 2 || c.input_planar || c.output_planar ||
        c.input_part_bytes != 0 || c.output_part_bytes != 0 || (c.shares_buffer() && !c.in_place()) ||
        uses_batch(stages.load) || uses_batch(stages.store))
        return all;
    const std::int64_t in = c.batch.input_distance * static_cast<std::int64_t>(c.input_element_bytes());
    const std::int64_t out = c.batch.output_distance * static_cast<std::int64_t>(c.output_element_bytes());
    if (in < least_bytes || out < least_bytes) return all;
    const std::uint64_t bytes = static_cast<std::uint64_t>(in + out) + aligned_bytes(schedule.workspace_a_elements, 1) +
                                aligned_bytes(schedule.workspace_b_elements, 1);
    const std::uint64_t room = limits_.compute_units * std::max<std::uint64_t>(limits_.unit_cache_bytes, 1u << 20);
    return std::max<std::uint64_t>(room / bytes, 1);
}

void Executable::run(runtime::Queue& queue, const LoadedSchedule& schedule, const Arguments& arguments) const {
    runtime::in_one_batch(queue, [&] {
        for (const LoadedStep& step : schedule.steps) launch(queue, step, arguments);
    });
}

runtime::Image* Executable::image(planner::Role role, const Arguments& arguments) {
    if (role == planner::Role::input) return arguments.input_image;
    return role == planner::Role::output ? arguments.output_image : arguments.workspace_image;
}

void Executable::launch(runtime::Queue& queue, const LoadedStep& step, const Arguments& arguments) const {
    const kernels::KernelSpec& spec = step.planned.spec;
    Parameters parameters;
    const auto add = [&parameters](const Located& where, const planner::Parts& parts) {
        parameters.add(where.array, where.byte_offset, parts);
    };
    for_each_argument(step.planned, !step.table.empty(), [&](const StepArgument& own) {
        switch (own.parameter) {
            case kernels::Parameter::table: return parameters.add(step.table);
            case kernels::Parameter::load_stage: return add({{arguments.load.buffers[own.index]}, 0}, own.parts);
            case kernels::Parameter::store_stage: return add({{arguments.store.buffers[own.index]}, 0}, own.parts);
            default: break;
        }
        if (own.image)
            parameters.add(image(own.role, arguments));
        else
            add(own.is_imaginary() ? imaginary(own.role, arguments) : argument(own.role, arguments), own.parts);
    });
    parameters.add_scalar(kernels::sequences_per_batch(spec) * arguments.batch);
    parameters.add_scalars(spec, expression::Side::load, arguments.load);
    parameters.add_scalars(spec, expression::Side::store, arguments.store);
    parameters.fill_gaps();
    exec::launch(queue, step, arguments.batch, parameters);
}

}  // namespace seiche::exec
