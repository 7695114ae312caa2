// Lowering: a recipe becomes kernel specs, the buffers between them, and the stages that make them one transform.
//
// Pass p of an axis has n_p points, s = n_1 ... n_{p-1} results before it and m = n_{p+1} ... points after it. It takes
// points j m s + q s + k' and leaves them at q n_p s + k s + k' (Stockham at the level of passes), after the twiddle
// w_{n_p s}^{j k'}. With m = 1 both are the same places, so that the last pass of an axis may work in place; the others
// may not. In pass order (lower_order.cpp) every pass does.
#include <algorithm>
#include <cmath>

#include "planner/blocks.hpp"
#include "planner/lowering.hpp"
#include "planner/measured_cores.hpp"
#include "planner/parts.hpp"
#include "planner/pipeline.hpp"
#include "planner/shape.hpp"
#include "seiche/error.hpp"
#include "support/text.hpp"

namespace seiche::planner {

namespace {

/// Kernels count sequences in 32 bits; half leaves room for the last group's surplus.
constexpr std::uint64_t most_sequences = std::uint64_t{1} << 31;

}  // namespace

void merge(std::vector<Loop>& loops) {
    for (std::size_t i = 0; i + 1 < loops.size();) {
        Loop& inner = loops[i];
        const Loop& outer = loops[i + 1];
        const bool are_whole = inner.gaps.empty() && outer.gaps.empty();
        if (are_whole && outer.input_stride == inner.count * inner.input_stride &&
            outer.output_stride == inner.count * inner.output_stride) {
            inner.count *= outer.count;
            loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        } else {
            ++i;
        }
    }
}

void sort_by_stride(std::vector<Loop>& loops) {
    std::stable_sort(loops.begin(), loops.end(),
                     [](const Loop& a, const Loop& b) { return a.input_stride < b.input_stride; });
}

std::int32_t Lowering::find_loop(const KernelSpec& spec) const {
    const auto found = std::find(spec.loops.begin(), spec.loops.end(), *loop_index_);
    return static_cast<std::int32_t>(found - spec.loops.begin());
}

Lowering::Place Lowering::workspace(Role role, std::size_t longer, std::uint64_t length) {
    Place place{role, workspace_view(problem_, longer, length)};
    std::uint64_t& elements =
        role == Role::workspace_a ? schedule_.workspace_a_elements : schedule_.workspace_b_elements;
    const std::uint64_t bytes = 2 * stored_bytes(problem_.precision, storage_of(role)),
                        whole = problem_.complex_bytes();
    elements = std::max(elements, (place.view.batch * bytes + whole - 1) / whole);
    return place;
}

/// What passes of complex points leave in workspaces is rounded to halves too where memory has such and a GPU waits for
/// it: three passes then move 4 times the points' bytes where they moved 6.
bool Lowering::leaves_halves_between(const Recipe& recipe) const {
    const bool is_16_bit = problem_.storage == Storage::f16 || problem_.storage == Storage::bf16;
    const auto is_complex = [](const AxisRecipe& axis) { return axis.kind == Kind::c2c && axis.padded == 0; };
    return is_16_bit && problem_.precision == Precision::f32 && !problem_.is_compact &&
           limits_.vectors == Vectors::subgroups && !recipe.textbook &&
           std::all_of(recipe.axes.begin(), recipe.axes.end(), is_complex);
}

std::vector<Loop> Lowering::other_loops(std::size_t axis, const View& source, const View& target) const {
    std::vector<Loop> loops;
    for (std::size_t i = 0; i < problem_.axes.size(); ++i) {
        if (i != axis && complex_count(problem_.axes[i]) > 1) loops.push_back(axis_loop(i, source, target));
    }
    for (std::size_t i = 0; i < problem_.loops.size(); ++i) {
        loops.push_back({problem_.loops[i].count, source.loops[i], target.loops[i]});
    }
    sort_by_stride(loops);
    if (!has_stages()) merge(loops);  // stages take logical indices from them
    return loops;
}

kernels::Kept Lowering::kept(std::size_t axis, bool input) const {
    kernels::Kept result;
    for (const problem::Range& range : problem_.axes[axis].kept(options_.direction, input))
        result.ranges.push_back({range.begin, range.end});
    return result;
}

/// Along another axis: what pruning leaves of the spectrum where that is transformed already, else of the signal.
Loop Lowering::axis_loop(std::size_t axis, const View& source, const View& target) const {
    Loop loop{complex_count(problem_.axes[axis]), source.axes[axis], target.axes[axis]};
    const kernels::Kept own = kept(axis, !done_[axis]);
    if (own.ranges.empty()) return loop;
    loop.count = 0;
    std::uint64_t reached = 0;
    for (const kernels::Range& range : own.ranges) {
        if (range.begin > reached) loop.gaps.push_back({loop.count, range.begin - reached});
        loop.count += range.end - range.begin;
        reached = range.end;
    }
    return loop;
}

/// Point j of the axis is element j / m of the first pass, and loop q has the remainder.
void Lowering::keep_input(KernelSpec& spec, const Part& part) const {
    if (problem_.is_right_angled) turn_halves(spec, part.m, part.m == 1 ? -1 : find_loop(spec), true);
    spec.in.kept = points_kept_in_;
    if (spec.in.kept.ranges.empty() || part.m == 1) return;
    spec.in.kept.element_stride = part.m;
    spec.in.kept.loop = find_loop(spec);
}

/// Result k s + k' of the axis is element k of the last pass, and loop k' has the remainder.
void Lowering::keep_output(KernelSpec& spec, const Part& part) const {
    spec.out.kept = points_kept_out_;
    if (spec.out.kept.ranges.empty() || part.s == 1) return;
    spec.out.kept.element_stride = part.s;
    spec.out.kept.loop = find_loop(spec);
}

KernelSpec& Lowering::add_pass(const Part& part, const Place& source, const Place& target) {
    Step step;
    step.source = source.role;
    step.target = target.role;
    KernelSpec& spec = step.spec;
    const std::uint64_t in = source.view.axes[part.axis], out = target.view.axes[part.axis];
    spec.precision = problem_.precision;
    spec.in.storage = storage_of(source.role);
    spec.out.storage = storage_of(target.role);
    spec.in.set_planar(is_planar(source.role));
    spec.out.set_planar(is_planar(target.role));
    spec.n = part.pass->core.n;
    spec.radices = part.pass->core.radices;
    spec.in.stride = part.input_step() * in;
    spec.out.stride = part.output_step() * out;
    spec.in.offset = offset(source, true);
    spec.out.offset = offset(target, false);
    spec.loops = other_loops(part.axis, source.view, target.view);
    loop_index_.reset();
    if (part.stays) {
        add_staying_loops(part, in, out, spec);
    } else {
        add_own_loops(part, in, out, spec);
    }
    spec.loops.push_back({problem_.batch.count, source.view.batch, target.view.batch});
    spec.in_place = is_same_memory(source, target);
    const std::uint64_t twiddled = part.stays ? part.m : part.s;
    const bool is_before = !part.stays || options_.direction == Direction::inverse;  // of the core
    std::optional<kernels::FourStepTwiddle> twiddle;
    if (twiddled > 1) twiddle = {std::uint64_t{part.pass->n} * twiddled, static_cast<std::uint32_t>(find_loop(spec))};
    if (twiddle && is_before) spec.in.stages.push_back(*twiddle);
    add_convolution(*part.pass, spec);
    if (twiddle && !is_before) spec.out.stages.push_back(*twiddle);
    schedule_.steps.push_back(step);
    record(part, source.view, target.view);
    present_ = target;
    return schedule_.steps.back().spec;
}

void Lowering::record(const Part& part, const View& source, const View& target) {
    records_.push_back({part, source, target, {}});
    for (std::size_t i = 0; i < problem_.axes.size(); ++i)
        records_.back().others.push_back(axis_loop(i, source, target));
}

/// Over the results before the pass and over the points after it.
void Lowering::add_own_loops(const Part& part, std::uint64_t in, std::uint64_t out, KernelSpec& spec) {
    const Loop k{part.s, in, out}, q{part.m, part.s * in, std::uint64_t{part.pass->n} * part.s * out};
    if (part.s > 1) spec.loops.push_back(k);
    if (part.m > 1) spec.loops.push_back(q);
    if (part.s > 1 || part.m > 1) loop_index_ = part.s > 1 ? k : q;
    sort_by_stride(spec.loops);
}

/// The middle and the ends of a convolution that is one kernel. Rader's second core is a forward one too: its outputs
/// are the inverse's, backwards, which makes the order of the store that of the load.
void Lowering::add_convolution(const Pass& pass, KernelSpec& spec) {
    if (pass.algorithm == Algorithm::rader) {
        spec.convolution.prime = pass.n;
        spec.convolution.stages = {kernels::RaderSpectrum{pass.n, splits_parity(pass) ? pass.core.n : 0}};
    } else if (pass.algorithm == Algorithm::bluestein) {
        spec.in.stages.push_back(kernels::Chirp{pass.n});
        spec.convolution.stages = {kernels::ChirpSpectrum{pass.n, pass.core.n}, kernels::SwapParts{}};
        spec.out.stages = {kernels::SwapParts{}, kernels::Chirp{pass.n}};
    }
}

std::vector<Lowering::Part> Lowering::parts_of(const AxisRecipe& axis) const {
    std::vector<Part> parts;
    std::uint64_t s = 1, m = axis.padded ? axis.padded : axis.n;
    for (const Pass& pass : axis.passes) {
        m /= pass.n;
        parts.push_back({axis.axis, &pass, s, m, stays_in_order(axis)});
        s *= pass.n;
    }
    return parts;
}

/// Where complex data rest between the axes: in the output, but if that is real, not there.
Lowering::Place Lowering::home() {
    if (options_.rests_in_input) return is_last_axis_ ? Place{Role::output, output_} : Place{Role::input, input_};
    if (rests_before_output() && !is_complex_to_real()) return is_last_axis_ ? end() : before_output();
    if (!is_complex_to_real()) return {Role::output, output_};
    return problem_.in_place() || may_use_input() ? Place{Role::input, input_} : workspace(Role::workspace_a, 0, 0);
}

/// Memory that holds nothing.
Lowering::Place Lowering::aside(bool before_output) {
    const std::optional<Place> own = own_array();
    if (own && !(before_output && own->role == Role::output)) return *own;
    const Role role = other_workspace();
    return points_ ? workspace(role, points_->axis, points_->count) : workspace(role, 0, 0);
}

/// Where a complex transform leaves its results.
Lowering::Place Lowering::result() {
    if (!points_) return home();
    if (points_->result) return *points_->result;
    const std::optional<Place> here = resting_points();
    return here ? *here : aside(true);
}

/// Where the pass before the last leaves its results, if the last one works in place on them.
std::optional<Lowering::Place> Lowering::before_last() {
    if ((!options_.ends_in_place && !options_.spares_workspace) || is_last_axis_) return std::nullopt;
    const std::optional<Place> last = !points_            ? std::optional(home())
                                      : points_->may_rest ? points_->result
                                                          : std::nullopt;
    return last && last->role == Role::output ? last : std::nullopt;
}

Lowering::Place Lowering::target_of(const Part& part, std::size_t passes_left) {
    if (part.is_last()) return leaves_aside_ ? aside() : result();
    if (const std::optional<Place> last = before_last())
        return passes_left == 1 && !is_same_memory(present_, *last) ? *last : aside();
    if (const std::optional<Place> output = output_before_map(); output && passes_left == 1) return *output;
    return points_ || is_last_axis_ || is_same_memory(present_, home()) ? aside() : result();
}

bool ends_in_two_passes(const Recipe& recipe) {
    const auto is_plain = [](const AxisRecipe& axis) { return axis.kind == Kind::c2c && axis.padded == 0; };
    return recipe.axes.size() > 1 && recipe.axes.back().passes.size() == 2 &&
           std::all_of(recipe.axes.begin(), recipe.axes.end(), is_plain);
}

void Lowering::add_axis(const AxisRecipe& axis) {
    if (axis.kind != Kind::c2c) {
        add_real(axis);
        return;
    }
    const std::size_t first = schedule_.steps.size();
    points_kept_in_ = kept(axis.axis, true);
    points_kept_out_ = kept(axis.axis, false);
    add_complex(axis);
    for (std::size_t i = first; i < schedule_.steps.size(); ++i) {
        complex_steps_.push_back(i);
        Step& step = schedule_.steps[i];  // real numbers as they are: of a convolution of one axis
        step.spec.in.set_real(problem_.input_is_real && step.source == Role::input);
        step.spec.out.set_real(problem_.output_is_real && step.target == Role::output);
    }
}

void Lowering::add_complex(const AxisRecipe& axis) {
    if (axis.padded != 0) {
        add_bluestein(axis);
        return;
    }
    if (stays_in_order(axis)) {
        add_in_order(axis);
        return;
    }
    const std::vector<Part> parts = parts_of(axis);
    for (const Part& part : parts) {
        const auto passes_left = static_cast<std::size_t>(&parts.back() - &part);
        KernelSpec& spec = add_pass(part, present_, target_of(part, passes_left));
        if (part.s == 1) keep_input(spec, part);
        if (part.is_last()) keep_output(spec, part);
    }
}

void Lowering::copy() {
    const DoubleDouble scale = problem_.scale(options_.direction);
    if (problem_.in_place() && scale == 1.0 && !has_stages()) return;
    Step step;
    step.target = end().role;
    if (problem_.input_is_real) {
        step.spec.in.format = step.spec.out.format = kernels::Format::real;
        step.spec.in.elements = kernels::MappedReals{{Kind::r2hc, 1, false, 1, -1}};
        step.spec.out.elements = kernels::MappedReals{{Kind::hc2r, 1, false, 1, -1}};
    }
    step.spec.precision = problem_.precision;
    step.spec.in.storage = storage_of(Role::input);
    step.spec.out.storage = storage_of(Role::output);
    step.spec.in.set_planar(problem_.input_planar);
    step.spec.out.set_planar(problem_.output_planar);
    step.spec.radices = {1};
    step.spec.loops = other_loops(problem_.axes.size(), input_, output_);
    step.spec.loops.push_back({problem_.batch.count, input_.batch, output_.batch});
    step.spec.in_place = problem_.in_place();
    if (scale != 1.0) step.spec.out.stages.push_back(kernels::Multiply{scale});
    schedule_.steps.push_back(step);
    records_.push_back({{problem_.axes.size(), nullptr, 1, 1}, input_, output_, {}});
}

void Lowering::fuse(std::uint32_t groups) {
    const bool is_asked = options_.tuning.groups_per_cluster != 0;
    if (is_asked) fuse_passes(schedule_, problem_.in_place(), limits_, options_.tuning);
    if (is_asked || groups == 0 || options_.tuning.trailing_passes) return;
    options_.tuning.groups_per_cluster = groups;
    fuse_where_it_pays(schedule_, problem_.in_place(), limits_, options_.tuning);
}

/// Of a cube whose planes a group has on chip the third axis trails these.
bool Lowering::trail_planes() {
    if (!options_.tuning.trailing_passes || schedule_.steps.size() < 3) return false;
    Schedule fused = schedule_;
    Tuning of_group = options_.tuning;
    of_group.groups_per_cluster = 1;
    if (!fuse_where_it_pays(fused, problem_.in_place(), limits_, of_group) ||
        !pipeline_passes(fused, problem_.in_place(), limits_, options_.tuning) ||
        fused.steps[1].spec.on_chip.next.empty())
        return false;
    schedule_ = fused;
    return true;
}

void Lowering::trail() {
    const Tuning& tuning = options_.tuning;
    const bool are_whole = are_arrays_whole(schedule_, problem_, limits_, tuning);
    if ((are_whole && (trail_planes() || pipeline_passes(schedule_, problem_.in_place(), limits_, tuning))) ||
        !tuning.trailing_passes)
        return;
    const std::string name = "tuning.trailing_passes: ";
    if (!are_whole)
        throw Unsupported(name + "expected arrays of one buffer, of which a kernel takes at most " +
                          std::to_string(bytes_of_part(limits_, tuning)) + " bytes here, got longer ones");
    if (limits_.vectors != Vectors::subgroups)
        throw Unsupported(name + "expected a GPU, whose groups have many threads, got " + limits_.architecture);
    const std::size_t passes = schedule_.steps.size();
    throw Unsupported(name +
                      "expected two passes of complex points in a row, the second in place or back to where the first "
                      "began, or the two of types II to IV, in groups of as many threads, got " +
                      std::to_string(passes) + (passes == 1 ? " pass" : " passes of which no two are so"));
}

/// By now it is known which passes have kernels of their own.
void Lowering::take_measured_radices(KernelSpec& spec) const {
    const Tuning& tuning = options_.tuning;
    if (!tuning.radices.empty() || tuning.threads_per_transform || tuning.transforms_per_group) return;
    if (const std::optional<MeasuredCore> core = measured_core(spec, limits_)) spec.radices = core->radices;
}

namespace {

/// The core's points, or those of a block's axes, the slowest first.
std::string lengths_of(const KernelSpec& spec) {
    if (spec.register_rows().empty()) return std::to_string(spec.n);
    std::vector<std::uint64_t> lengths;
    for (const kernels::BlockAxis& axis : spec.register_rows()) lengths.insert(lengths.begin(), axis.map.length);
    return support::join_numbers(lengths, "x");
}

}  // namespace

void Lowering::finish(Step& step) {
    KernelSpec& spec = step.spec;
    const std::size_t number = static_cast<std::size_t>(&step - schedule_.steps.data());
    const bool is_forward = problem_.as_planned(options_.direction) == Direction::forward;
    spec.name =
        std::string(is_forward ? "forward" : "inverse") + "_" + std::to_string(number) + "_n" + lengths_of(spec);
    spec.movement_only = options_.tuning.movement_only;
    const std::uint64_t sequences = kernels::sequences_per_batch(spec);
    if (sequences > most_sequences) {
        throw Unsupported("a pass of " + lengths_of(spec) +
                          " points: expected at most 2^31 sequences in an array, got " + std::to_string(sequences));
    }
    const auto take_for_then = [&spec] {
        kernels::for_each_then(spec, [&](KernelSpec& next) {
            next.movement_only = spec.movement_only;
            next.loops.back().count = 0;
        });
    };
    if (!spec.register_rows().empty()) {
        choose_block_shape(spec, limits_, options_.tuning);
    } else if (spec.textbook()) {
        // The text says which thread has what.
    } else if (!spec.pipeline.next.empty()) {
        for (KernelSpec* pass = &spec; !pass->pipeline.next.empty();) {
            pass = &pass->pipeline.next.front();
            pass->movement_only = spec.movement_only;
            pass->loops.back().count = 0;
        }
        take_for_then();
    } else if (spec.on_chip.next.empty()) {
        take_measured_radices(spec);
        choose_shape(spec, limits_, options_.tuning, sequences * problem_.batch.count);
    } else {
        (spec.on_chip.own_threads ? choose_group_shape : choose_fused_shape)(spec, limits_, options_.tuning);
        take_for_then();
    }
    spec.loops.back().count = 0;  // the batch is an argument of the launch: plans that differ in it share kernels
}

namespace {

/// Whether the passes of an axis would trail each other if the last one worked in place, and would be worth it: two of
/// a real one, one of which has its bins, or the last two of three. Measured on an H200, of copy, separate and
/// trailing: r2c of 2^18 numbers 0.43 and 0.45, 2^19 0.37 and 0.43, 2^20 0.34 and 0.39, 2^21 0.31 and 0.34; c2r 0.39
/// and 0.47, 0.39 and 0.44, 0.36 and 0.40, 0.37 and 0.38.
bool may_trail(const Recipe& recipe, const problem::Canonical& problem, const DeviceLimits& limits,
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

bool has_trailing(const Schedule& schedule) {
    return std::any_of(schedule.steps.begin(), schedule.steps.end(),
                       [](const Step& step) { return !step.spec.pipeline.next.empty(); });
}

/// Whether one array of a real axis may have its points in the output before it has its results: it is all the
/// problem's, and rows begin at whole sectors there as they do in a workspace, so that passes are as fast.
bool has_room_in_output(const Recipe& recipe, const problem::Canonical& problem, const DeviceLimits& limits,
                        Direction direction) {
    if (recipe.textbook || recipe.is_block || recipe.axes.size() != 1 || problem.axes.size() != 1) return false;
    const AxisRecipe& axis = recipe.axes.front();
    const bool is_plain = problem.storage == Storage::same && !problem.output_planar && !problem.input_image &&
                          !problem.output_image && !problem.has_two_layouts &&
                          problem.stages_of(direction) == problem::DirectionStages{};
    if (axis.kind == Kind::c2c || axis.padded != 0 || !is_plain || !problem.axes[0].kept(direction, false).empty())
        return false;
    const std::uint64_t bytes = problem.complex_bytes() / (problem.output_is_real ? 2 : 1);
    const auto is_at_sector = [&](std::uint64_t stride) { return stride * bytes % limits.sector_bytes == 0; };
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
    options.spares_workspace = true;
    const Schedule spare = Lowering(problem, limits, options).run(recipe);
    const auto elements = [](const Schedule& one) { return one.workspace_a_elements + one.workspace_b_elements; };
    const bool is_alike = spare.steps.size() == schedule.steps.size() && !has_trailing(spare);
    return is_alike && elements(spare) < elements(schedule) ? spare : schedule;
}

}  // namespace

Schedule lower_passes(const Recipe& recipe, const problem::Canonical& problem, const DeviceLimits& limits,
                      const LowerOptions& options) {
    LowerOptions own = options;
    const bool is_asked = options.tuning.trailing_passes;
    own.ends_in_place = is_asked || may_trail(recipe, problem, limits, options.tuning);
    Schedule schedule = Lowering(problem, limits, own).run(recipe);
    if (is_asked || has_trailing(schedule)) return schedule;
    if (own.ends_in_place) {
        own.ends_in_place = false;
        schedule = Lowering(problem, limits, own).run(recipe);
    }
    return with_one_workspace(schedule, recipe, problem, limits, own);
}

Schedule lower(const Recipe& recipe, const problem::Canonical& problem, const DeviceLimits& limits,
               const LowerOptions& options) {
    Schedule schedule = (problem.has_two_layouts ? lower_two_layouts : lower_passes)(recipe, problem, limits, options);
    assign_parts(schedule, problem, limits, options.tuning);
    return schedule;
}

}  // namespace seiche::planner
