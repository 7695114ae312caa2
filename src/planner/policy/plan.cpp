// A complete recipe: where data rest between passes, and which passes share kernels and launches, in the order in which
// alternatives are tried.
#include <algorithm>

#include "planner/device_model.hpp"
#include "planner/fuse/pipeline.hpp"
#include "planner/measured/rules.hpp"
#include "planner/policy/plan.hpp"
#include "planner/policy/runs.hpp"
#include "planner/policy/sharing.hpp"
#include "seiche/error.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

namespace {

/// A problem on a device, and what is asked of it.
struct Question {
    const Recipe& design;
    const problem::Canonical& problem;
    const DeviceLimits& limits;
    LowerOptions options;
};

/// What passes of complex points leave in workspaces has 16-bit storage too where arrays have and a GPU waits for
/// memory: three passes then move 4 times the points' bytes where they moved 6.
bool leaves_16_bit_between(const Question& q) {
    const problem::Canonical& problem = q.problem;
    const bool is_16_bit = problem.storage == Storage::f16 || problem.storage == Storage::bf16;
    const auto is_complex = [](const AxisRecipe& axis) { return axis.kind == Kind::c2c && axis.padded == 0; };
    return is_16_bit && problem.precision == Precision::f32 && !problem.is_compact && is_gpu(q.limits) &&
           !q.design.textbook && std::all_of(q.design.axes.begin(), q.design.axes.end(), is_complex);
}

/// What comes of one way to plan.
struct Attempt {
    Planned planned;
    Refusal refusal = {};

    const Sharing& sharing() const { return planned.recipe.sharing; }
    const Schedule& schedule() const { return planned.schedule; }
};

/// Threads of a transform in the first two passes that are one kernel: of the radices that these got, lowering alone
/// would choose others. 0: their points are fewer than a butterfly's, so that radices alone decide.
std::uint32_t threads_of_whole(const Schedule& schedule) {
    for (const Step& step : schedule.steps) {
        const auto* shape = std::get_if<kernels::GroupShape>(&step.spec.shape);
        if (!shape || step.spec.on_chip.next.empty()) continue;
        const auto largest = [](const KernelSpec& pass) { return *std::ranges::max_element(pass.radices); };
        const std::uint32_t radix = std::max(largest(step.spec), largest(step.spec.on_chip.next.front()));
        return step.spec.n / shape->threads >= radix ? shape->threads : 0;
    }
    return 0;
}

/// With data resting so.
Attempt with_rest(const Question& q, Rest rest) {
    Attempt attempt{{q.design, {}}};
    Schedule& schedule = attempt.planned.schedule;
    Sharing& sharing = attempt.planned.recipe.sharing;
    sharing.rest = rest;
    sharing.has_16_bit_between = leaves_16_bit_between(q);
    Lowering l(q.problem, q.limits, q.options, rest);
    add_passes(l, attempt.planned.recipe);
    schedule = l.schedule();
    const bool has_axes = !q.design.has_register_rows;
    if (has_axes) attempt.refusal = choose_sharing(l.arrays, schedule, q.design.groups_per_cluster, sharing);
    if (attempt.refusal) return attempt;
    take_measured_radices(l.arrays, schedule);
    attempt.refusal = finish(l.arrays, schedule);
    if (attempt.refusal) return attempt;
    if (const std::uint32_t sequences = has_axes ? choose_runs(l.arrays, schedule) : 0; sequences) {
        sharing.sequences_of_run = sequences;
        attempt.refusal = lay_in_runs(l.arrays, schedule, sequences);
    }
    if (has_axes && !q.design.axes.empty()) sharing.launches = launches_of(schedule);
    if (sharing.fusion && sharing.fusion->as == FusedAs::whole) sharing.fusion->threads = threads_of_whole(schedule);
    return attempt;
}

/// Whether the passes of an axis are worth pipelining if the last one works in place: two of a real axis, one of them
/// with its bins, or the last two of three. Measured: LAB-0020.
bool may_pipeline(const Question& q) {
    const Recipe& recipe = q.design;
    if (recipe.axes.empty() || recipe.groups_per_cluster != 0 || !leaves_pipelining_open(q.options.tuning))
        return false;
    const AxisRecipe& axis = recipe.axes.back();
    const bool has_bins = axis.kind == Kind::r2c || axis.kind == Kind::c2r, is_one = recipe.axes.size() == 1;
    std::uint64_t bytes = q.problem.complex_bytes() * q.problem.transforms_per_array() * q.problem.batch.count;
    for (const AxisRecipe& each : recipe.axes) bytes *= each.n;
    const bool may =
        is_one ? (has_bins && axis.passes.size() == 2) || axis.passes.size() == 3 : ends_in_two_passes(recipe);
    return may && is_worth_pipelining(bytes, q.limits);
}

/// Whether real axes may have their points in the output before they have their results: it is all the problem's.
bool may_rest_in_output(const Question& q) {
    const problem::Canonical& problem = q.problem;
    const Direction direction = q.options.direction;
    const bool has_points = problem.storage == Storage::same && !problem.output_planar && !problem.input_image &&
                            !problem.output_image && !problem.has_two_layouts &&
                            problem.stages_of(direction) == problem::DirectionStages{};
    const auto has_core = [](const AxisRecipe& axis) { return axis.kind != Kind::c2c && !axis.one_sided; };
    const auto is_whole = [&](const problem::Axis& axis) { return axis.kept(direction, false).empty(); };
    return !q.design.textbook && !q.design.has_register_rows && has_points &&
           std::ranges::any_of(q.design.axes, has_core) && std::ranges::all_of(problem.axes, is_whole);
}

/// Whether rows begin at whole sectors in the output as they do in a workspace, so that passes are as fast.
bool has_rows_at_sectors(const Question& q) {
    const problem::Canonical& problem = q.problem;
    const std::uint64_t bytes = problem.complex_bytes() / (problem.output_is_real ? 2 : 1);
    const auto is_at_sector = [&](std::int64_t stride) {
        return support::magnitude(stride) * bytes % q.limits.sector_bytes == 0;
    };
    return problem.output_byte_offset % q.limits.sector_bytes == 0 &&
           (problem.batch.count == 1 || is_at_sector(problem.batch.output_distance)) &&
           std::all_of(problem.loops.begin(), problem.loops.end(),
                       [&](const problem::Loop& loop) { return is_at_sector(loop.output_stride); });
}

std::uint64_t workspace_elements(const Schedule& schedule) {
    return schedule.workspace_a_elements + schedule.workspace_b_elements;
}

/// Elements of the problem's larger array.
std::uint64_t array_elements(const problem::Canonical& problem) {
    std::uint64_t input = problem.transforms_per_array(), output = input;
    for (const problem::Axis& axis : problem.axes) {
        input *= axis.input_count();
        output *= axis.output_count();
    }
    const auto complex = [](std::uint64_t count, bool is_real) { return is_real ? (count + 1) / 2 : count; };
    return std::max(complex(input, problem.input_is_real), complex(output, problem.output_is_real));
}

/// Whether workspaces have more than one array's elements, or more than counters where the input is workspace too.
bool has_more_than_one_array(const Schedule& schedule, const problem::Canonical& problem) {
    constexpr std::uint64_t counters_of_array = 64;  // an array is so many times longer, at least
    const std::uint64_t array = array_elements(problem);
    return workspace_elements(schedule) > (problem.may_overwrite_input ? array / counters_of_array : array);
}

/// The same passes with less workspace, if they can be had: with one instead of two where they are as fast, and at any
/// rate where there is more than one array.
Attempt with_one_workspace(Attempt attempt, const Question& q) {
    const Schedule& schedule = attempt.schedule();
    const bool has_two = schedule.workspace_a_elements != 0 && schedule.workspace_b_elements != 0;
    const bool has_more = has_more_than_one_array(schedule, q.problem);
    const bool is_alone = q.design.axes.size() == 1 && q.problem.axes.size() == 1;
    if (!may_rest_in_output(q) || !(has_more || (has_two && is_alone && has_rows_at_sectors(q)))) return attempt;
    Attempt spare = with_rest(q, Rest::in_one_workspace);
    const bool is_alike = !spare.refusal && spare.schedule().steps.size() == schedule.steps.size();
    return is_alike && workspace_elements(spare.schedule()) < workspace_elements(schedule) ? spare : attempt;
}

/// Input and output are apart unless the problem is in place. Pipelined passes may need a workspace where those by
/// themselves go to and fro between the two arrays.
Attempt with_launches(const Question& q) {
    const bool is_asked = q.options.tuning.trailing_passes, rests_at_end = is_asked || may_pipeline(q);
    Attempt attempt = with_rest(q, rests_at_end ? Rest::at_end : Rest::in_output);
    if (attempt.refusal || is_asked) return attempt;
    if (attempt.sharing().pipelining) {
        const bool has_more = q.problem.may_overwrite_input && has_more_than_one_array(attempt.schedule(), q.problem);
        if (!rests_at_end || !has_more) return attempt;
        Attempt apart = with_rest(q, Rest::in_output);
        const bool has_less = !apart.refusal && !has_more_than_one_array(apart.schedule(), q.problem);
        return has_less ? apart : attempt;
    }
    if (rests_at_end) attempt = with_rest(q, Rest::in_output);
    return attempt.refusal ? attempt : with_one_workspace(std::move(attempt), q);
}

Attempt with_separate_passes(Question q) {
    q.options.tuning.separate_passes = true;
    Attempt attempt = with_launches(q);
    attempt.planned.recipe.sharing.keeps_passes_separate = true;
    return attempt;
}

/// Of a copy of the input.
Attempt with_copy(const Question& q) {
    const problem::Canonical copied = problem_of_copy(q.problem, q.options.direction);
    Question of_copy{q.design, copied, q.limits, q.options};
    of_copy.options.input_is_scratch = true;
    Attempt attempt = with_launches(of_copy);
    attempt.planned.recipe.sharing.copies_input = true;
    const auto is_added = [&] {
        return attempt.refusal || add_copy_of_input(attempt.planned.schedule, q.problem, copied, q.limits, q.options);
    };
    if (is_added()) return attempt;
    // Pipelined passes have points and counters in both workspaces.
    if (q.options.tuning.trailing_passes)
        return {std::move(attempt.planned),
                "tuning.trailing_passes: expected arrays that lie alike, because the transform is in place"};
    attempt = with_separate_passes(of_copy);
    attempt.planned.recipe.sharing.copies_input = true;
    if (!is_added()) throw InternalError("in place with two layouts: no workspace for the input");
    return attempt;
}

/// In place with two layouts: the passes are those of a transform out of place, the last of which must not read the
/// input.
Attempt with_two_layouts(const Question& q) {
    const auto& load = q.problem.stages_of(q.options.direction).load;
    Attempt attempt = with_launches(q);
    if (attempt.refusal || (load && !load->reads_value) || !writes_too_early(attempt.schedule())) return attempt;
    if (attempt.sharing().pipelining && !q.options.tuning.trailing_passes) {
        Attempt separate = with_separate_passes(q);
        if (separate.refusal || !writes_too_early(separate.schedule())) return separate;
    }
    return with_copy(q);
}

/// The axes' cores with the radices that their launches have, where the passes are the recipe's, one by one.
void take_radices_of_launches(Recipe& recipe) {
    std::vector<Stockham*> cores;
    for (AxisRecipe& axis : recipe.axes)
        for (Pass& pass : axis.passes) cores.push_back(&pass.core);
    std::vector<const Stockham*> launched;
    for (const LaunchRecipe& launch : recipe.sharing.launches)
        for (const KernelRecipe& kernel : launch.kernels)
            for (const Stockham& core : kernel.passes)
                if (core.n > 1) launched.push_back(&core);
    const auto is_of = [](const Stockham* one, const Stockham* core) { return one->n == core->n; };
    if (!std::equal(launched.begin(), launched.end(), cores.begin(), cores.end(), is_of)) return;
    for (std::size_t i = 0; i < cores.size(); ++i) cores[i]->radices = launched[i]->radices;
}

}  // namespace

std::optional<Planned> try_plan(const Recipe& design, const problem::Canonical& problem, const DeviceLimits& limits,
                                const LowerOptions& options) {
    Attempt attempt = with_launches({design, problem, limits, options});
    return attempt.refusal ? std::nullopt : std::optional(std::move(attempt.planned));
}

Planned plan(const Recipe& design, const problem::Canonical& problem, const DeviceLimits& limits,
             const LowerOptions& options) {
    const Question question{design, problem, limits, options};
    Attempt attempt = problem.has_two_layouts ? with_two_layouts(question) : with_launches(question);
    support::expect_none(attempt.refusal);
    Planned planned = std::move(attempt.planned);
    take_radices_of_launches(planned.recipe);
    complete(planned.schedule, problem, limits, options.tuning);
    return planned;
}

}  // namespace seiche::planner
