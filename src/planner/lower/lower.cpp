// Lowering: a recipe becomes kernel specs, the buffers between them, and the stages that make them one transform.
#include <algorithm>

#include "kernels/contract/generate.hpp"
#include "planner/lower/lowering.hpp"
#include "planner/lower/parts.hpp"
#include "seiche/error.hpp"

namespace seiche::planner {

namespace {

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
    l.holds_axis = recipe.groups_per_cluster == 1 && recipe.axes.size() == 1;
    for (const AxisRecipe& axis : recipe.axes) {
        l.places.is_last_axis = rests && &axis == &recipe.axes.back();
        l.places.leaves_aside =
            l.arrays.rest == Rest::at_end && !rests && &axis + 1 == &recipe.axes.back() && ends_in_two_passes(recipe);
        const std::size_t first = l.passes.steps.size();
        add_axis(l, axis);
        note_growth(l, axis, first);
        l.passes.done[axis.axis] = true;
    }
}

/// Each pass with the radices of its launch.
void take_radices(Schedule& schedule, const Sharing& sharing) {
    auto step = schedule.steps.begin();
    for (const LaunchRecipe& launch : sharing.launches) {
        for (const KernelRecipe& kernel : launch.kernels) {
            for (const Stockham& core : kernel.passes) {
                if (step == schedule.steps.end()) throw InternalError("a recipe of more passes than its axes have");
                if (!step->spec.is_repacking()) step->spec.radices = core.radices;
                ++step;
            }
        }
    }
}

}  // namespace

bool ends_in_two_passes(const Recipe& recipe) {
    const auto is_complex = [](const AxisRecipe& axis) { return axis.kind == Kind::c2c && axis.padded == 0; };
    return recipe.axes.size() > 1 && recipe.axes.back().passes.size() == 2 &&
           std::all_of(recipe.axes.begin(), recipe.axes.end(), is_complex);
}

void add_passes(Lowering& l, const Recipe& recipe) {
    l.arrays.has_narrow_workspaces = recipe.sharing.has_16_bit_between;
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
}

Schedule lower_launches(const Recipe& recipe, const problem::Canonical& problem, const DeviceLimits& limits,
                        const LowerOptions& options) {
    LowerOptions own = options;
    own.tuning.separate_passes |= recipe.sharing.keeps_passes_separate;
    Lowering l(problem, limits, own, recipe.sharing.rest);
    add_passes(l, recipe);
    Schedule schedule = l.schedule();
    take_radices(schedule, recipe.sharing);
    share(l.arrays, schedule, recipe.sharing);
    support::expect_none(finish(l.arrays, schedule));
    if (const std::uint32_t sequences = recipe.sharing.sequences_of_run)
        support::expect_none(lay_in_runs(l.arrays, schedule, sequences));
    return schedule;
}

Schedule lower(const Recipe& recipe, const problem::Canonical& problem, const DeviceLimits& limits,
               const LowerOptions& options) {
    Schedule schedule;
    if (recipe.sharing.copies_input) {
        const problem::Canonical copied = problem_of_copy(problem, options.direction);
        LowerOptions own = options;
        own.input_is_scratch = true;
        schedule = lower_launches(recipe, copied, limits, own);
        if (!add_copy_of_input(schedule, problem, copied, limits, options))
            throw InternalError("in place with two layouts: no workspace for the input");
    } else {
        schedule = lower_launches(recipe, problem, limits, options);
    }
    complete(schedule, problem, limits, options.tuning);
    return schedule;
}

void complete(Schedule& schedule, const problem::Canonical& problem, const DeviceLimits& limits, const Tuning& tuning) {
    assign_parts(schedule, problem, limits, tuning);
    for (Step& step : schedule.steps) step.spec = kernels::complete(std::move(step.spec));
}

}  // namespace seiche::planner
