// Lowering: a recipe becomes kernel specs, the buffers between them, and the stages that make them one transform.
#include <algorithm>

#include "kernels/contract/generate.hpp"
#include "planner/lower/lowering.hpp"
#include "planner/parts.hpp"
#include "planner/pipeline.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

namespace {

/// What passes of complex points leave in workspaces has 16-bit storage too where arrays have and a GPU waits for
/// memory: three passes then move 4 times the points' bytes where they moved 6.
bool leaves_halves_between(const Arrays& arrays, const Recipe& recipe) {
    const problem::Canonical& problem = arrays.problem;
    const bool is_16_bit = problem.storage == Storage::f16 || problem.storage == Storage::bf16;
    const auto is_complex = [](const AxisRecipe& axis) { return axis.kind == Kind::c2c && axis.padded == 0; };
    return is_16_bit && problem.precision == Precision::f32 && !problem.is_compact &&
           arrays.limits.vectors == Vectors::subgroups && !recipe.textbook &&
           std::all_of(recipe.axes.begin(), recipe.axes.end(), is_complex);
}

/// A problem without points to transform.
void add_copy(Lowering& l) {
    const Arrays& arrays = l.arrays;
    const DoubleDouble scale = arrays.problem.scale(arrays.options.direction);
    if (arrays.problem.in_place() && scale == 1.0 && !arrays.has_stages()) return;
    Step step = l.passes.step_between({Role::input, arrays.input}, {Role::output, arrays.output});
    const Place end = l.places.end();
    step.target = end.role;
    step.spec.out.offset = arrays.offset(end, false);
    KernelSpec& spec = step.spec;
    if (arrays.problem.input_is_real) {
        spec.in.format = spec.out.format = kernels::Format::real;
        spec.in.elements = kernels::MappedReals{{Kind::r2hc, 1, false, 1, -1}};
        spec.out.elements = kernels::MappedReals{{Kind::hc2r, 1, false, 1, -1}};
    }
    spec.radices = {1};
    spec.loops = l.passes.other_loops(arrays.problem.axes.size(), arrays.input, arrays.output);
    spec.loops.push_back(l.passes.batch_loop(arrays.input, arrays.output));
    spec.in_place = arrays.problem.in_place();
    if (scale != 1.0) spec.out.stages.push_back(kernels::Multiply{scale});
    l.passes.push(step, {{arrays.problem.axes.size()}, arrays.input, arrays.output});
}

void add_axes(Lowering& l, const Recipe& recipe) {
    const bool rests = l.arrays.rests_before_output();
    for (const AxisRecipe& axis : recipe.axes) {
        l.places.is_last_axis = rests && &axis == &recipe.axes.back();
        l.places.leaves_aside = l.arrays.options.rest == Rest::at_end && !rests && &axis + 1 == &recipe.axes.back() &&
                                ends_in_two_passes(recipe);
        const std::size_t first = l.passes.steps.size();
        add_axis(l, axis);
        note_growth(l, axis, first);
        l.passes.done[axis.axis] = true;
    }
}

Schedule lower_as_asked(const Recipe& recipe, const problem::Canonical& problem, const DeviceLimits& limits,
                        const LowerOptions& options) {
    Lowering l(problem, limits, options);
    l.arrays.has_narrow_workspaces = leaves_halves_between(l.arrays, recipe);
    const bool is_copy = !recipe.textbook && recipe.axes.empty();
    if (recipe.textbook)
        add_textbook(l, *recipe.textbook);
    else if (is_copy)
        add_copy(l);
    else if (recipe.has_register_rows)
        add_register_rows(l, recipe);
    else
        add_axes(l, recipe);
    if (!is_copy) add_outer_stages(l);
    if (l.arrays.has_stages()) add_user_stages(l);
    add_texels(l);
    Schedule schedule = l.schedule();
    if (!recipe.has_register_rows) fuse(l.arrays, schedule, recipe.groups_per_cluster);
    pipeline(l.arrays, schedule);
    finish(l.arrays, schedule);
    return schedule;
}

/// Whether the passes of an axis are worth pipelining if the last one works in place: two of a real axis, one of them
/// with its bins, or the last two of three. Measured: LAB-0020.
bool may_pipeline(const Recipe& recipe, const problem::Canonical& problem, const DeviceLimits& limits,
                  const Tuning& tuning) {
    if (recipe.axes.empty() || recipe.groups_per_cluster != 0 || !leaves_pipelining_open(tuning)) return false;
    const AxisRecipe& axis = recipe.axes.back();
    const bool has_bins = axis.kind == Kind::r2c || axis.kind == Kind::c2r, is_one = recipe.axes.size() == 1;
    std::uint64_t bytes = problem.complex_bytes() * problem.transforms_per_array() * problem.batch.count;
    for (const AxisRecipe& each : recipe.axes) bytes *= each.n;
    const bool may =
        is_one ? (has_bins && axis.passes.size() == 2) || axis.passes.size() == 3 : ends_in_two_passes(recipe);
    return may && is_worth_pipelining(bytes, limits);
}

bool has_pipeline(const Schedule& schedule) {
    return std::any_of(schedule.steps.begin(), schedule.steps.end(),
                       [](const Step& step) { return !step.spec.pipeline.next.empty(); });
}

/// Whether one array of a real axis may have its points in the output before it has its results: it is all the
/// problem's, and rows begin at whole sectors there as they do in a workspace, so that passes are as fast.
bool has_room_in_output(const Recipe& recipe, const problem::Canonical& problem, const DeviceLimits& limits,
                        Direction direction) {
    if (recipe.textbook || recipe.has_register_rows || recipe.axes.size() != 1 || problem.axes.size() != 1)
        return false;
    const AxisRecipe& axis = recipe.axes.front();
    const bool has_points = problem.storage == Storage::same && !problem.output_planar && !problem.input_image &&
                            !problem.output_image && !problem.has_two_layouts &&
                            problem.stages_of(direction) == problem::DirectionStages{};
    if (axis.kind == Kind::c2c || axis.padded != 0 || !has_points || !problem.axes[0].kept(direction, false).empty())
        return false;
    const std::uint64_t bytes = problem.complex_bytes() / (problem.output_is_real ? 2 : 1);
    const auto is_at_sector = [&](std::int64_t stride) {
        return support::magnitude(stride) * bytes % limits.sector_bytes == 0;
    };
    return problem.output_byte_offset % limits.sector_bytes == 0 &&
           (problem.batch.count == 1 || is_at_sector(problem.batch.output_distance)) &&
           std::all_of(problem.loops.begin(), problem.loops.end(),
                       [&](const problem::Loop& loop) { return is_at_sector(loop.output_stride); });
}

/// The same passes with one workspace instead of two, if they can be had.
Schedule with_one_workspace(Schedule schedule, const Recipe& recipe, const problem::Canonical& problem,
                            const DeviceLimits& limits, LowerOptions options) {
    if (schedule.workspace_a_elements == 0 || schedule.workspace_b_elements == 0 ||
        !has_room_in_output(recipe, problem, limits, options.direction))
        return schedule;
    options.rest = Rest::in_one_workspace;
    const Schedule spare = lower_as_asked(recipe, problem, limits, options);
    const auto elements = [](const Schedule& one) { return one.workspace_a_elements + one.workspace_b_elements; };
    const bool is_alike = spare.steps.size() == schedule.steps.size() && !has_pipeline(spare);
    return is_alike && elements(spare) < elements(schedule) ? spare : schedule;
}

}  // namespace

bool ends_in_two_passes(const Recipe& recipe) {
    const auto is_complex = [](const AxisRecipe& axis) { return axis.kind == Kind::c2c && axis.padded == 0; };
    return recipe.axes.size() > 1 && recipe.axes.back().passes.size() == 2 &&
           std::all_of(recipe.axes.begin(), recipe.axes.end(), is_complex);
}

Schedule lower_passes(const Recipe& recipe, const problem::Canonical& problem, const DeviceLimits& limits,
                      const LowerOptions& options) {
    LowerOptions own = options;
    const bool is_asked = options.tuning.trailing_passes;
    if (is_asked || may_pipeline(recipe, problem, limits, options.tuning)) own.rest = Rest::at_end;
    Schedule schedule = lower_as_asked(recipe, problem, limits, own);
    if (is_asked || has_pipeline(schedule)) return schedule;
    if (own.rest == Rest::at_end) {
        own.rest = options.rest;
        schedule = lower_as_asked(recipe, problem, limits, own);
    }
    return with_one_workspace(schedule, recipe, problem, limits, own);
}

Schedule lower(const Recipe& recipe, const problem::Canonical& problem, const DeviceLimits& limits,
               const LowerOptions& options) {
    Schedule schedule = (problem.has_two_layouts ? lower_two_layouts : lower_passes)(recipe, problem, limits, options);
    assign_parts(schedule, problem, limits, options.tuning);
    for (Step& step : schedule.steps) step.spec = kernels::complete(std::move(step.spec));
    return schedule;
}

}  // namespace seiche::planner
