// Drafts and their reports: what a schedule launches and how many bytes it moves, from the specs and kernels alone.
#include "exec/draft.hpp"

#include <algorithm>

#include "exec/inspect.hpp"
#include "exec/step_arguments.hpp"
#include "ir/optimise.hpp"
#include "ir/verify.hpp"
#include "kernels/contract/generate.hpp"
#include "kernels/contract/tables.hpp"
#include "planner/lower/buffers.hpp"
#include "problem/kinds.hpp"
#include "seiche/error.hpp"
#include "support/enumerators.hpp"
#include "support/parallel.hpp"
#include "support/primes.hpp"

namespace seiche::exec {

namespace {

using kernels::KernelSpec;

/// The sum over each block b of max(0, u - b step), b from 0 to count - 1.
std::uint64_t sum_of_rests(std::int64_t u, std::uint64_t step, std::uint64_t count) {
    if (u <= 0) return 0;
    const std::uint64_t rest = static_cast<std::uint64_t>(u), terms = std::min(count, (rest - 1) / step + 1);
    return static_cast<std::uint64_t>(support::u128{terms} * rest - support::u128{step} * terms * (terms - 1) / 2);
}

/// Of blocks that overlap, or keep a part of what they have. Of points before `end` a block has as many as lie after
/// its begin, less those after its end.
std::uint64_t points_of_blocks(const KernelSpec& spec, const kernels::Kept& kept) {
    const kernels::Loop& loop = spec.loops[static_cast<std::size_t>(kept.loop)];
    const bool has_halves = spec.in.has_halves() || spec.out.has_halves();
    const kernels::Range own = kept.own.value_or(kernels::Range{0, (has_halves ? 2 : 1) * std::uint64_t{spec.n}});
    const kernels::Range all = kept.ranges.front();
    const auto before = [&](std::uint64_t end) {
        const auto rests = [&](std::uint64_t edge) {
            return sum_of_rests(static_cast<std::int64_t>(end) - static_cast<std::int64_t>(edge), kept.loop_step,
                                loop.count);
        };
        return rests(own.begin) - rests(own.end);
    };
    return kernels::sequences_per_batch(spec) / loop.count * (before(all.end) - before(all.begin));
}

/// Elements of one array that a side of the kernel touches: a chirp keeps only the points that are not padding.
std::uint64_t points(const KernelSpec& spec, const std::vector<kernels::Stage>& stages) {
    if (spec.textbook())
        return kernels::sequences_per_batch(spec) / spec.loops[0].count * kernels::textbook_points(spec);
    if (!spec.register_rows().empty()) return kernels::sequences_per_batch(spec) * kernels::numbers_of_rows(spec);
    if (const kernels::SumPartials* partials = spec.sum_partials())
        return partials->sums * (&stages == &spec.in.stages ? partials->count : 1);
    const std::uint64_t all = kernels::sequences_per_batch(spec) * spec.n;
    const bool is_load = &stages == &spec.in.stages;
    if (const kernels::Folded* fold = spec.side(is_load).folded()) {
        const std::uint64_t columns = fold->loop < 0 ? 1 : spec.loops[static_cast<std::size_t>(fold->loop)].count;
        return kernels::sequences_per_batch(spec) / columns * fold->length / (spec.side(is_load).is_real() ? 1 : 2);
    }
    const kernels::Kept& kept = spec.side(is_load).kept;
    // Other loops count points between a sequence's own.
    const bool has_blocks = kept.loop_step != 1 || (kept.loop >= 0 && kept.element_stride == 1);
    if (!kept.ranges.empty() && has_blocks) return points_of_blocks(spec, kept);
    const std::uint64_t of_point = spec.side(is_load).has_halves() ? 2 : 1;
    if (!kept.ranges.empty()) {
        const std::uint64_t per_line = spec.is_repacking() ? spec.loops[0].count : kept.element_stride * spec.n;
        return all / per_line * kernels::kept_count(kept.ranges);
    }
    if (of_point > 1) return of_point * all;
    if (spec.texel_points() != 0) return all / spec.loops[0].count * spec.texel_points();
    if (spec.is_repacking()) {
        const kernels::RealMap& map = spec.in.map() ? *spec.in.map() : *spec.out.map();
        const kernels::RealCore inner = kernels::real_core(map.kind, map.length);
        // Points that are not paired make an even spectrum, of which one half is read.
        const bool is_half_read = spec.out.map() && !inner.is_paired && map_items(spec) == kernels::MapItem::pair;
        const std::uint64_t lines = all / spec.loops[0].count;
        const std::uint64_t core = is_half_read ? map_item_count(spec) : inner.points;
        const bool is_of_elements = is_load == (spec.in.map() != nullptr);
        const bool is_seen_as_real = spec.side(is_load).is_real();
        if (!is_of_elements) return lines * (is_seen_as_real ? 2 * core : core);
        return lines * (is_load ? kernels::loaded_elements(map) : kernels::stored_elements(map));
    }
    if (kernels::is_mirrored(spec, is_load)) return all;  // pairs of elements
    if (const kernels::RealMap* map = spec.side(is_load).bins())
        return kernels::sequences_per_batch(spec) / spec.loops[static_cast<std::size_t>(map->loop)].count *
               (kernels::is_of_plane(*map) ? spec.n : 1) *
               (is_load ? kernels::loaded_elements(*map) : kernels::stored_elements(*map));
    if (is_load && spec.in.map()) return kernels::sequences_per_batch(spec) * kernels::loaded_elements(*spec.in.map());
    if (!is_load && spec.out.map())
        return kernels::sequences_per_batch(spec) * kernels::stored_elements(*spec.out.map());
    const std::uint32_t own = kernels::sequence_points(spec, stages);
    if (own != spec.n) return kernels::sequences_per_batch(spec) * own;
    for (const kernels::Stage& stage : stages) {
        const kernels::Chirp* chirp = std::get_if<kernels::Chirp>(&stage);
        if (chirp) return all / (chirp->element_stride * spec.n) * chirp->length;
    }
    return all;
}

const expression::Program* user_program(const std::vector<kernels::Stage>& stages) {
    const kernels::UserProgram* user = kernels::user_stage(stages);
    return user ? user->program.get() : nullptr;
}

bool reads_input(const KernelSpec& spec) {
    const expression::Program* user = user_program(spec.in.stages);
    return !user || user->reads_value;
}
bool writes_output(const KernelSpec& spec) {
    const expression::Program* user = user_program(spec.out.stages);
    return !user || user->writes_array();
}

}  // namespace

std::uint64_t stage_bytes(const KernelSpec& spec, bool written) {
    std::uint64_t bytes = 0;
    for (const expression::Side side : kernels::user_sides) {
        const expression::Program* user = user_program(kernels::stages_of(spec, side));
        for (std::size_t i = 0; user && i < user->buffers.size(); ++i)
            if (user->written[i] == written) bytes += user->buffers[i].count * bytes_of(user->buffers[i].type);
    }
    return bytes;
}

namespace {

/// Spectra are read by every batch entry, from a cache but for the first.
std::uint64_t spectrum_bytes(const KernelSpec& launched, std::uint64_t batch) {
    if (kernels::has_mode_channels(launched))
        return kernels::sequences_per_batch(launched) *
               (launched.mode_gradient() ? batch : launched.convolution.channels.inputs) *
               launched.convolution.channels.outputs * 2 * stored_bytes(launched.precision, Storage::same);
    const kernels::SpectrumProduct* product = kernels::spectrum_product(launched);
    if (!product) return 0;
    const KernelSpec& spec = kernels::pass_with_middle(launched);
    std::uint64_t entries = spec.n * spec.convolution.channels.spectrum(spec.convolution.channels.outputs - 1,
                                                                        spec.convolution.channels.inputs - 1) +
                            spec.n;
    for (std::size_t i = 0; i + 1 < spec.loops.size(); ++i)
        if (product->loop_strides[i] != 0) entries *= spec.loops[i].count;
    return entries * 2 * stored_bytes(spec.precision, Storage::same);
}

/// The passes behind the first one of a launch, in order.
template <class Use>
void for_each_trailing(const KernelSpec& spec, const Use& use) {
    if (spec.pipeline.next.empty()) return;
    use(spec.pipeline.next.front());
    for_each_trailing(spec.pipeline.next.front(), use);
}

std::vector<ir::BufferImage> images_of(const planner::Step& step) {
    std::vector<ir::BufferImage> images;
    std::uint32_t next = 0;
    for_each_argument(step, false, [&](const StepArgument& argument) {
        if (const problem::ArrayImage* image = argument.image)
            images.push_back({next, image->format, static_cast<std::uint32_t>(image->width)});
        ++next;
    });
    return images;
}

std::vector<ir::BufferSplit> splits_of(const planner::Step& step) {
    std::vector<ir::BufferSplit> splits;
    std::uint32_t next = 0;
    for_each_argument(step, !kernels::tables(step.spec).empty(), [&](const StepArgument& argument) {
        if (argument.image) return;
        const planner::Parts& parts = argument.parts;
        if (parts.count > 1) splits.push_back({next, parts.count, parts.bytes, parts.first_byte});
        ++next;
    });
    return splits;
}

/// Every part of an array is a buffer now.
void tell_addresses(ir::Kernel& kernel, const planner::Step& step) {
    std::uint32_t next = 0;
    for_each_argument(step, !kernels::tables(step.spec).empty(), [&](const StepArgument& argument) {
        if (argument.image) return;
        for (std::uint32_t p = 0; p < argument.parts.count; ++p)
            kernel.buffers[next++].by_address = argument.parts.by_address;
    });
}

std::string parts_text(const planner::Step& step) {
    std::string text;
    const auto add = [&text](const std::string& what, const planner::Parts& parts) {
        if (parts.count > 1)
            text += " " + what + "-parts=" + std::to_string(parts.count) + "x" + std::to_string(parts.bytes);
        if (parts.by_address) text += " " + what + "-by-address";
    };
    add("input", step.source_parts);
    add("output", step.target_parts);
    add("table", step.table_parts);
    add("spectrum", step.spectra_parts);
    for (const expression::Side side : kernels::user_sides) {
        const std::vector<planner::Parts>& parts = step.parts_of(side);
        for (std::size_t i = 0; i < parts.size(); ++i)
            add(std::string(expression::to_string(side)) + "-" +
                    user_program(kernels::stages_of(step.spec, side))->buffers[i].name,
                parts[i]);
    }
    if (step.source_image) text += std::string(" input-image=") + seiche::to_string(step.source_image.format);
    if (step.target_image) text += std::string(" output-image=") + seiche::to_string(step.target_image.format);
    return text;
}

}  // namespace

KernelReport report_step(const DraftStep& step, Direction direction, std::uint64_t batch) {
    const KernelSpec& spec = step.step.spec;
    KernelReport result;
    result.name = spec.name;
    result.spec = kernels::to_string(spec) + parts_text(step.step);
    result.direction = direction;
    result.groups = kernels::groups(spec, batch);
    result.group_size = step.kernel->launch.group_size();
    result.shared_bytes = ir::shared_bytes(*step.kernel);
    const std::uint64_t read = reads_input(spec) ? points(spec, spec.in.stages) * spec.convolution.channels.inputs : 0;
    const KernelSpec& last = kernels::last_pass(spec);
    const std::uint64_t written =
        writes_output(spec) ? points(last, last.out.stages) * spec.convolution.channels.outputs : 0;
    // A load converts halves, which the kernel does not know of.
    const std::uint64_t narrower = step.step.source_image.format == ImageFormat::rgba16f ? 2 : 1;
    result.bytes_read = read * batch * kernels::element_bytes(spec, true) / narrower + stage_bytes(spec, false) +
                        spectrum_bytes(spec, batch);
    result.bytes_written = written * batch * kernels::element_bytes(spec, false) + stage_bytes(spec, true);
    if (const std::uint64_t sums = kernels::sum_count(spec); sums != 0)
        result.bytes_written +=
            kernels::partials_per_batch(spec) * sums * batch *
            stored_bytes(kernels::pass_with_middle(spec).convolution.sums->precision, Storage::same);
    if (spec.mode_gradient())  // summed over the batch
        result.bytes_written = written * spec.convolution.channels.inputs * kernels::element_bytes(spec, false);
    if (spec.overlap_add())
        result.bytes_written = spec.overlap_add()->samples() * batch * stored_bytes(spec.precision, Storage::same);
    for_each_trailing(spec, [&](const KernelSpec& trailing) {
        result.bytes_read += points(trailing, trailing.in.stages) * batch * kernels::element_bytes(trailing, true);
        result.bytes_written += points(trailing, trailing.out.stages) * batch * kernels::element_bytes(trailing, false);
    });
    result.table_bytes =
        kernels::table_entries(kernels::tables(spec)) * 2 * stored_bytes(spec.precision, Storage::same);
    result.instructions = step.kernel->code.size();
    return result;
}

namespace {

std::uint64_t count(const std::vector<problem::Range>& kept, std::uint64_t all) {
    if (kept.empty()) return all;
    std::uint64_t sum = 0;
    for (const problem::Range& range : kept) sum += range.end - range.begin;
    return sum;
}

/// Each input element read once, each output element written once, and the user's buffers of stages too.
std::uint64_t ideal_bytes(const problem::Canonical& problem, const DraftSchedule& schedule) {
    std::uint64_t read = problem.input_element_bytes() * (problem.input_planar ? 2 : 1);
    std::uint64_t written = problem.output_element_bytes() * (problem.output_planar ? 2 : 1);
    if (problem.input_image.format == ImageFormat::rgba16f) read /= 2;
    if (problem.output_image.format == ImageFormat::rgba16f) written /= 2;
    for (const problem::Axis& axis : problem.axes) {
        read *= count(axis.kept(schedule.direction, true), axis.input_count());
        written *= count(axis.kept(schedule.direction, false), axis.output_count());
    }
    const std::uint64_t arrays = problem.transforms_per_array() * problem.batch.count;
    if (schedule.steps.empty()) return (read + written) * arrays;
    const KernelSpec& first = schedule.steps.front().step.spec;
    const KernelSpec& last = schedule.steps.back().step.spec;
    std::uint64_t bytes = (reads_input(first) ? read * arrays : 0) + (writes_output(last) ? written * arrays : 0);
    for (const DraftStep& step : schedule.steps)
        bytes += stage_bytes(step.step.spec, false) + stage_bytes(step.step.spec, true);
    return bytes;
}

}  // namespace

namespace {

/// Assemblers take more than proportionally long for long kernels, most of all where every access chooses a buffer.
/// Nothing usual has a quarter of this. Measured: LAB-0044.
constexpr std::uint64_t most_split_instructions = 40000;

/// Of a kernel whose arrays lie in parts: its text grows with them, at each access by what chooses one.
void refuse_long_text(const ir::Kernel& kernel) {
    std::uint64_t count = kernel.code.size(), parts = 1;
    for (const ir::Instruction& i : kernel.code) {
        if (!ir::names_part(i)) continue;
        const std::uint64_t own = kernel.buffers[i.symbol].parts;
        count += 2 * (own - 1);
        parts = std::max(parts, own);
    }
    if (parts == 1 || count <= most_split_instructions) return;
    throw Unsupported("arrays in several buffers: expected kernels of at most " +
                      std::to_string(most_split_instructions) + " instructions, got " + std::to_string(count) +
                      " in '" + kernel.name + "', whose accesses choose among up to " + std::to_string(parts) +
                      " buffers; larger buffers, so that there are fewer, help");
}

}  // namespace

/// A function gets the address of its array.
void refuse_functions_in_parts(const planner::Step& step) {
    for (const bool is_load : {true, false}) {
        const expression::Program* user = user_program(step.spec.side(is_load).stages);
        const planner::Parts& parts = is_load ? step.source_parts : step.target_parts;
        if (user && user->function && parts.count > 1)
            throw Unsupported(std::string("a ") + (is_load ? "load" : "store") + " function on an array of " +
                              std::to_string(parts.count) + " buffers of " + std::to_string(parts.bytes) +
                              " bytes: expected one in one buffer, or a text");
    }
}

DraftStep draft_step(const planner::Step& step) {
    refuse_functions_in_parts(step);
    auto kernel = std::make_shared<ir::Kernel>(ir::split_buffers(
        ir::place_in_images(ir::optimise(kernels::generate(step.spec)), images_of(step)), splits_of(step)));
    refuse_long_text(*kernel);
    tell_addresses(*kernel, step);
    kernel->comment += parts_text(step);
    ir::verify(*kernel);
    return {step, std::move(kernel)};
}

void make_kernels(const std::vector<DraftStep*>& steps) {
    support::parallel(steps.size(), support::processors(),
                      [&](std::size_t i) { *steps[i] = draft_step(steps[i]->step); });
}

Directions first_direction(const problem::Canonical& problem) {
    return default_direction(problem) == Direction::forward ? Directions::forward : Directions::inverse;
}

Draft draft(const problem::Canonical& problem, const DeviceLimits& limits, const PlanOptions& options) {
    support::check_enumerators(options);
    support::check_enumerator("limits.vectors", limits.vectors);
    const auto is_wanted = [&](Direction direction) {
        const bool is_forward = problem.as_planned(direction) == Direction::forward;
        return problem.has(direction) && options.directions != (is_forward ? Directions::inverse : Directions::forward);
    };
    const bool is_inverse = !is_wanted(Direction::forward);
    const auto designed = [&](Direction direction) {
        return planner::design(problem, limits, options.tuning, direction);
    };
    Draft result{designed(is_inverse ? Direction::inverse : Direction::forward), {}};
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        if (is_wanted(direction)) result.schedules.push_back({direction, {}, {}, 0, 0});
    }
    support::parallel(result.schedules.size(), support::processors(), [&](std::size_t i) {
        DraftSchedule& drafted = result.schedules[i];
        const bool is_other = drafted.direction == Direction::inverse && !is_inverse;
        const planner::Recipe recipe =
            is_other && planner::has_own_inverse(result.recipe) ? designed(Direction::inverse) : result.recipe;
        planner::Planned planned = planner::plan(recipe, problem, limits, {drafted.direction, options.tuning});
        const planner::Schedule& schedule = planned.schedule;
        drafted.recipe = std::move(planned.recipe);
        drafted.workspace_a_elements = schedule.workspace_a_elements;
        drafted.workspace_b_elements = schedule.workspace_b_elements;
        for (const planner::Step& step : schedule.steps) drafted.steps.push_back({step, nullptr});
    });
    std::vector<DraftStep*> steps;
    for (DraftSchedule& schedule : result.schedules)
        for (DraftStep& step : schedule.steps) steps.push_back(&step);
    make_kernels(steps);
    return result;
}

namespace {

/// Of each axis of the problem; the canonical ones are those of them that are transformed, but for some of length 1.
std::vector<std::vector<std::uint64_t>> spectrum_digits(const Draft& draft, const problem::Canonical& canonical,
                                                        const Problem& problem) {
    const std::vector<bool> transformed = problem::transformed_axes(problem);
    std::vector<std::vector<std::uint64_t>> digits;
    std::size_t next = 0;
    for (std::size_t i = 0; i < problem.lengths.size(); ++i) {
        digits.push_back({problem.lengths[i]});
        const bool is_next =
            transformed[i] && next < canonical.axes.size() && canonical.axes[next].length == problem.lengths[i];
        if (!is_next) continue;
        digits.back() = {planner::complex_count(canonical.axes[next])};
        for (const planner::AxisRecipe& axis : draft.recipe.axes) {
            if (axis.axis != next) continue;
            const std::vector<std::uint64_t> own = planner::spectrum_digits(axis, canonical);
            if (!own.empty()) digits.back() = own;
        }
        ++next;
    }
    return digits;
}

}  // namespace

PlanReport report(const Draft& draft, const problem::Canonical& problem, const Problem& stated) {
    PlanReport result;
    result.problem = to_string(stated);
    result.spectrum_digits = spectrum_digits(draft, problem, stated);
    result.recipe = planner::to_string(draft.schedules.front().recipe);
    const bool has_arrays = problem.default_batch != 0 && !problem.is_empty;
    const std::uint64_t batch = has_arrays ? problem.batch.count : 0;
    result.ideal_bytes = has_arrays ? ideal_bytes(problem, draft.schedules.front()) : 0;
    for (const DraftSchedule& schedule : draft.schedules) {
        std::uint64_t moved = 0;
        std::uint32_t roundings = 0;
        for (const DraftStep& step : schedule.steps) {
            result.kernels.push_back(report_step(step, problem.as_planned(schedule.direction), batch));
            roundings += kernels::rounds_storage(step.step.spec);
            for_each_trailing(step.step.spec,
                              [&](const KernelSpec& trailing) { roundings += kernels::rounds_storage(trailing); });
            moved += result.kernels.back().bytes_read + result.kernels.back().bytes_written;
        }
        result.storage_roundings = std::max(result.storage_roundings, roundings);
        if (result.moved_bytes == 0) result.moved_bytes = moved;
        result.workspace_bytes =
            std::max(result.workspace_bytes,
                     (schedule.workspace_a_elements + schedule.workspace_b_elements) * batch * problem.complex_bytes());
    }
    return result;
}

}  // namespace seiche::exec
