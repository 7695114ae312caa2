// In place with two layouts, where the last pass reads the input too: it takes a copy, which a pass of its own makes in
// a workspace. Only the last pass stores in the output (Arrays::rests_before_output).
#include <algorithm>
#include <span>
#include <utility>

#include "planner/lower/lowering.hpp"
#include "seiche/error.hpp"
#include "support/layout.hpp"

namespace seiche::planner {

namespace {

using problem::Canonical;
using problem::Coordinate;

/// The steps up to the last one that reads the input.
std::span<const Step> reading_steps(const Schedule& schedule) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < schedule.steps.size(); ++i)
        if (schedule.steps[i].source == Role::input) count = i + 1;
    return {schedule.steps.data(), count};
}

/// A workspace that holds nothing until all of the input has been read.
std::optional<Role> free_workspace(const Schedule& schedule) {
    const std::span<const Step> reading = reading_steps(schedule);
    const auto is_used = [&](Role role) {
        return std::any_of(reading.begin(), reading.end(), [role](const Step& step) {
            return step.source == role || step.target == role ||
                   (step.spec.pipeline.has_between && step.between == role) ||
                   (kernels::has_counters(step.spec) && step.counters == role);
        });
    };
    for (const Role role : {Role::workspace_a, Role::workspace_b})
        if (!is_used(role)) return role;
    return std::nullopt;
}

/// The input as it lies in the workspace: dense, in the order that it has. An array of real numbers takes an odd count
/// of them, so that no pass sees two numbers as one where the copy has stored them one by one.
void lay_densely(Canonical& problem) {
    std::vector<support::Mode<1>> layout;
    for (const problem::Axis& axis : problem.axes) layout.push_back({axis.input_count(), {axis.input_stride}});
    for (const problem::Loop& loop : problem.loops) layout.push_back({loop.count, {loop.input_stride}});
    const std::vector<std::int64_t> strides = support::dense_strides(layout);
    auto next = strides.begin();
    for (problem::Axis& axis : problem.axes) axis.input_stride = *next++;
    for (problem::Loop& loop : problem.loops) loop.input_stride = *next++;
    const auto elements = static_cast<std::int64_t>(support::size(layout));
    problem.batch.input_distance = problem.input_is_real && elements % 2 == 0 ? elements + 1 : elements;
}

/// The copy itself, from the input to an output that lies as `copied` has its input.
Canonical copy_of_input(const Canonical& problem, const Canonical& copied) {
    Canonical copy;
    copy.is_conjugated = problem.is_conjugated;
    copy.precision = problem.precision;
    copy.storage = problem.storage;
    copy.input_is_real = copy.output_is_real = problem.input_is_real;
    copy.input_planar = problem.input_planar;
    copy.input_byte_offset = problem.input_byte_offset;
    copy.input_part_bytes = problem.input_part_bytes;
    for (std::size_t i = 0; i < problem.axes.size(); ++i)
        copy.loops.push_back(
            {problem.axes[i].input_count(), problem.axes[i].input_stride, copied.axes[i].input_stride});
    for (std::size_t i = 0; i < problem.loops.size(); ++i)
        copy.loops.push_back({problem.loops[i].count, problem.loops[i].input_stride, copied.loops[i].input_stride});
    copy.batch = {problem.batch.count, problem.batch.input_distance, copied.batch.input_distance};
    return copy;
}

problem::DirectionStages& stages_in(Canonical& problem, Direction direction) {
    return problem.stages[direction == Direction::forward ? 0 : 1];
}

/// A function reads the problem's own array, so that the copy is of what it gives.
void load_by_copy(Canonical& copy, const Canonical& problem, Direction direction) {
    stages_in(copy, direction).load = problem.stages_of(direction).load;
    for (Coordinate coordinate : problem.coordinates) {
        if (coordinate.kind == Coordinate::Kind::loop) coordinate.index += problem.axes.size();
        if (coordinate.kind == Coordinate::Kind::axis) coordinate.kind = Coordinate::Kind::loop;
        copy.coordinates.push_back(coordinate);
    }
}

Step copying_step(const Canonical& copy, const DeviceLimits& limits, const LowerOptions& options) {
    LowerOptions own;
    own.direction = options.direction;
    own.tuning.movement_only = options.tuning.movement_only;
    own.tuning.buffer_bytes = options.tuning.buffer_bytes;
    own.output_is_scratch = true;
    return lower_launches({}, copy, limits, own).steps.front();
}

/// Whether a function loads what is copied.
bool is_loaded_by_copy(const Canonical& problem, Direction direction) {
    const auto& load = problem.stages_of(direction).load;
    return load && load->function;
}

}  // namespace

bool writes_too_early(const Schedule& schedule) {
    const std::span<const Step> reading = reading_steps(schedule);
    return std::any_of(reading.begin(), reading.end(), [](const Step& step) { return step.target == Role::output; });
}

Canonical problem_of_copy(const Canonical& problem, Direction direction) {
    if (is_loaded_by_copy(problem, direction) && problem.storage != Storage::same)
        throw Unsupported(
            "a load function in place with two layouts, which takes a copy of the input: expected storage of the "
            "arithmetic's numbers, so that what it gives is not rounded there; a text or a plan out of place does");
    Canonical copied = problem;
    copied.placement = Placement::out_of_place;
    copied.has_two_layouts = false;
    copied.input_planar = false;
    copied.input_byte_offset = copied.input_part_bytes = 0;
    lay_densely(copied);
    if (is_loaded_by_copy(problem, direction)) stages_in(copied, direction).load = nullptr;
    return copied;
}

bool add_copy_of_input(Schedule& schedule, const Canonical& problem, const Canonical& copied,
                       const DeviceLimits& limits, const LowerOptions& options) {
    const std::optional<Role> role = free_workspace(schedule);
    if (!role) return false;
    std::uint64_t& elements =
        *role == Role::workspace_a ? schedule.workspace_a_elements : schedule.workspace_b_elements;
    const auto own_elements = static_cast<std::uint64_t>(copied.batch.input_distance);
    elements = std::max(elements, copied.input_is_real ? (own_elements + 1) / 2 : own_elements);
    for (Step& step : schedule.steps)
        for (Role* const used : {&step.source, &step.target})
            if (*used == Role::input) *used = *role;
    Canonical copying = copy_of_input(problem, copied);
    if (is_loaded_by_copy(problem, options.direction)) load_by_copy(copying, problem, options.direction);
    Step copy = copying_step(copying, limits, options);
    copy.spec.name += "_copy";
    copy.target = *role;
    schedule.steps.insert(schedule.steps.begin(), std::move(copy));
    return true;
}

}  // namespace seiche::planner
