// In place with two layouts. The passes are those of a transform out of place, of which only the last one stores in the
// output (Lowering::rests_before_output). Where that one reads the input too, it takes a copy, which a pass of its own
// makes in the workspace.
#include <algorithm>
#include <span>
#include <utility>

#include "planner/lowering.hpp"
#include "seiche/error.hpp"

namespace seiche::planner {

namespace {

using problem::Canonical;

/// The steps up to the last one that reads the input.
std::span<const Step> reading_steps(const Schedule& schedule) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < schedule.steps.size(); ++i)
        if (schedule.steps[i].source == Role::input) count = i + 1;
    return {schedule.steps.data(), count};
}

bool writes_too_early(const Schedule& schedule) {
    const std::span<const Step> reading = reading_steps(schedule);
    return std::any_of(reading.begin(), reading.end(), [](const Step& step) { return step.target == Role::output; });
}

/// Passes in one launch, of which the last one stores while others have still to load.
bool have_trailing(const Schedule& schedule) {
    return std::any_of(schedule.steps.begin(), schedule.steps.end(),
                       [](const Step& step) { return !step.spec.trailing.empty(); });
}

/// A workspace that holds nothing until all of the input has been read.
std::optional<Role> free_workspace(const Schedule& schedule) {
    const std::span<const Step> reading = reading_steps(schedule);
    const auto is_used = [&](Role role) {
        return std::any_of(reading.begin(), reading.end(), [role](const Step& step) {
            return step.source == role || step.target == role || (step.spec.has_between && step.between == role) ||
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
    struct Dimension {
        std::uint64_t* stride;
        std::uint64_t count;
    };
    std::vector<Dimension> dimensions;
    for (problem::Axis& axis : problem.axes) dimensions.push_back({&axis.input_stride, axis.input_count()});
    for (problem::Loop& loop : problem.loops) dimensions.push_back({&loop.input_stride, loop.count});
    std::stable_sort(dimensions.begin(), dimensions.end(),
                     [](const Dimension& a, const Dimension& b) { return *a.stride < *b.stride; });
    std::uint64_t stride = 1;
    for (const Dimension& dimension : dimensions) {
        *dimension.stride = stride;
        stride *= dimension.count;
    }
    problem.batch.input_distance = problem.input_is_real && stride % 2 == 0 ? stride + 1 : stride;
}

/// The transform of the copy.
Canonical of_copy(const Canonical& problem) {
    Canonical copied = problem;
    copied.placement = Placement::out_of_place;
    copied.has_two_layouts = false;
    copied.input_planar = false;
    copied.input_byte_offset = copied.input_part_bytes = 0;
    lay_densely(copied);
    return copied;
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

Step copying_step(const Canonical& copy, const DeviceLimits& limits, const LowerOptions& options) {
    LowerOptions own;
    own.direction = options.direction;
    own.tuning.movement_only = options.tuning.movement_only;
    own.tuning.buffer_bytes = options.tuning.buffer_bytes;
    own.output_is_scratch = true;
    return lower_passes({}, copy, limits, own).steps.front();
}

}  // namespace

Schedule lower_two_layouts(const Recipe& recipe, const Canonical& problem, const DeviceLimits& limits,
                           const LowerOptions& options) {
    const auto& load = problem.stages_of(options.direction).load;
    Schedule schedule = lower_passes(recipe, problem, limits, options);
    if ((load && !load->reads_value) || !writes_too_early(schedule)) return schedule;
    if (have_trailing(schedule) && !options.tuning.trailing_passes) {
        LowerOptions apart = options;
        apart.tuning.separate_passes = true;
        Schedule separate = lower_passes(recipe, problem, limits, apart);
        if (!writes_too_early(separate)) return separate;
    }
    if (load && load->function)
        throw Unsupported(
            "a load function in place with two layouts: expected passes that need no copy of the input, which the "
            "function would have to read; a text or a plan out of place does");
    const Canonical copied = of_copy(problem);
    LowerOptions own = options;
    own.input_is_scratch = true;
    schedule = lower_passes(recipe, copied, limits, own);
    if (!free_workspace(schedule)) {  // passes that trail each other have points and counters in both
        if (options.tuning.trailing_passes)
            throw Unsupported(
                "tuning.trailing_passes: expected arrays that lie alike, because the transform is in place");
        own.tuning.separate_passes = true;
        schedule = lower_passes(recipe, copied, limits, own);
    }
    const std::optional<Role> role = free_workspace(schedule);
    if (!role) throw InternalError("in place with two layouts: no workspace for the input");
    std::uint64_t& elements =
        *role == Role::workspace_a ? schedule.workspace_a_elements : schedule.workspace_b_elements;
    const std::uint64_t own_elements = copied.batch.input_distance;
    elements = std::max(elements, copied.input_is_real ? (own_elements + 1) / 2 : own_elements);
    for (Step& step : schedule.steps)
        for (Role* const used : {&step.source, &step.target})
            if (*used == Role::input) *used = *role;
    Step copy = copying_step(copy_of_input(problem, copied), limits, options);
    copy.spec.name += "_copy";
    copy.target = *role;
    schedule.steps.insert(schedule.steps.begin(), std::move(copy));
    return schedule;
}

}  // namespace seiche::planner
