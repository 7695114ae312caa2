// The way from a spectral operator to loaded kernels, and their launches.
#include "exec/spectral.hpp"

#include <algorithm>
#include <chrono>

#include "exec/exactness.hpp"
#include "exec/launch.hpp"
#include "exec/step_arguments.hpp"
#include "expression/compile.hpp"
#include "expression/elements.hpp"
#include "problem/convolution.hpp"
#include "seiche/error.hpp"
#include "support/enumerators.hpp"
#include "support/text.hpp"

namespace seiche::exec {

namespace {

constexpr std::uint64_t part_alignment = 256;

/// Of a workspace: `elements` complex numbers for each of so many signals.
std::uint64_t aligned(std::uint64_t bytes) { return (bytes + part_alignment - 1) / part_alignment * part_alignment; }
std::uint64_t aligned_bytes(std::uint64_t elements, std::uint64_t batch, Precision precision) {
    return aligned(elements * batch * 2 * stored_bytes(precision, Storage::same));
}

/// Its kernels are not made yet.
SpectralDraft::Part part_of(const planner::SpectralSchedule& schedule) {
    SpectralDraft::Part part;
    part.workspace_elements = schedule.workspace_elements;
    part.partial_bytes = schedule.partial_bytes;
    for (const planner::Step& step : schedule.steps) part.steps.push_back({step, nullptr});
    return part;
}

/// Of what the user's stages name.
std::uint64_t bytes_of_stages(const std::vector<DraftStep>& steps) {
    std::uint64_t bytes = 0;
    for (const DraftStep& step : steps) bytes += stage_bytes(step.step.spec, false) + stage_bytes(step.step.spec, true);
    return bytes;
}

bool uses_batch(const problem::SpectralStages& stages) {
    const auto uses = [](const auto& program) { return program && expression::uses_batch(*program); };
    return uses(stages.load) || uses(stages.middle) || uses(stages.store);
}

/// Entries of a batch that go through all steps before the next ones do. On a processor what a step leaves is then in
/// the caches for the next, and the workspace is as small; elsewhere all of them at once.
std::uint64_t entries_at_once(const planner::SpectralDesign& design, const SpectralDraft::Part& part,
                              const DeviceLimits& limits) {
    constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max(), line = 64;
    const problem::CanonicalSpectral& canonical = design.spectral;
    const bool is_in_parts = std::any_of(part.steps.begin(), part.steps.end(), [](const DraftStep& step) {
        return step.step.source_parts.count > 1 || step.step.target_parts.count > 1;
    });
    if (limits.vectors != Vectors::explicit_simd || part.steps.size() < 2 || is_in_parts || canonical.sums() != 0 ||
        canonical.part == SpectralPart::gradient || uses_batch(canonical.stages))
        return all;
    const std::uint64_t input = canonical.input_bytes(1), output = canonical.output_bytes(1);
    std::uint64_t entry = input + output;
    for (const std::uint64_t elements : part.workspace_elements)
        entry += aligned_bytes(elements, 1, canonical.precision);
    const std::uint64_t room = limits.compute_units * std::max<std::uint64_t>(limits.unit_cache_bytes, 1u << 20);
    std::uint64_t step = 1;  // so that slices begin where an array may
    while (step * input % line != 0 || step * output % line != 0) step *= 2;
    return std::max(room / std::max<std::uint64_t>(entry, 1) / step, std::uint64_t{1}) * step;
}

/// Of the plan's own tables of positions, by the kernels that read one.
std::uint64_t bytes_of_positions(const problem::CanonicalSpectral& c) {
    std::uint64_t bytes = 0;
    for (const auto& program : {c.stages.load, c.stages.store})
        if (c.positions && program && !program->buffers.empty() &&
            program->buffers.back().name == expression::positions_name)
            bytes += c.positions->size() * sizeof(std::int32_t);
    return bytes;
}

/// What stages find in the arrays by themselves, which a kernel's spec does not tell.
void count_found_modes(const problem::CanonicalSpectral& c, PlanReport& report) {
    if (!c.finds_modes() || report.kernels.empty()) return;
    report.kernels.front().bytes_read += c.input_bytes(c.default_batch);
    if (expression::finds_its_elements(*c.stages.store))
        report.kernels.back().bytes_written += c.output_bytes(c.default_batch);
}

}  // namespace

SpectralDraft draft(const SpectralSource& source, const DeviceLimits& limits, const Tuning& tuning) {
    support::check_enumerators(tuning);
    support::check_enumerator("limits.vectors", limits.vectors);
    SpectralDraft result;
    const auto normalised = [](const auto& stated) { return problem::normalise(stated); };
    result.design = planner::design(std::visit(normalised, source), limits, tuning);
    result.preparation = part_of(planner::lower_preparation(result.design, limits, tuning));
    result.execution = part_of(planner::lower_execution(result.design, limits, tuning));
    std::vector<DraftStep*> steps;
    for (SpectralDraft::Part* part : {&result.preparation, &result.execution})
        for (DraftStep& step : part->steps) steps.push_back(&step);
    make_kernels(steps);
    result.execution.at_once = entries_at_once(result.design, result.execution, limits);
    return result;
}

PlanReport report(const SpectralDraft& draft, const SpectralSource& source) {
    const problem::CanonicalSpectral& canonical = draft.design.spectral;
    const std::uint64_t batch = canonical.default_batch;
    PlanReport result;
    result.problem = std::visit([](const auto& stated) { return seiche::to_string(stated); }, source);
    result.recipe = planner::to_string(draft.design);
    result.ideal_bytes = canonical.input_bytes(batch) + canonical.output_bytes(batch) + canonical.weight_bytes(batch) +
                         canonical.sum_bytes(batch) + bytes_of_stages(draft.execution.steps) -
                         bytes_of_positions(canonical);
    for (const std::uint64_t elements : draft.execution.workspace_elements)
        result.workspace_bytes +=
            aligned_bytes(elements, std::min(batch, draft.execution.at_once), canonical.precision);
    result.workspace_bytes += aligned(draft.execution.partial_bytes * std::min(batch, draft.execution.at_once));
    for (const DraftStep& step : draft.execution.steps) {
        result.kernels.push_back(report_step(step, Direction::forward, batch));
        result.storage_roundings += kernels::rounds_storage(step.step.spec);
    }
    count_found_modes(canonical, result);
    for (const KernelReport& kernel : result.kernels) result.moved_bytes += kernel.bytes_read + kernel.bytes_written;
    return result;
}

SpectralExecutable::SpectralExecutable(const Device& device, const SpectralSource& source, const Tuning& tuning,
                                       const Mutation& mutate, const SavedBinaries& saved)
    : device_(device), source_(source), tuning_(tuning), mutate_(mutate) {
    const auto start = std::chrono::steady_clock::now();
    const SpectralDraft drafted = draft(source, device.limits(), tuning);
    design_ = drafted.design;
    if (canonical().precision == Precision::f64x2 && device.limits().exact_fp64) require_exact_fp64(device);
    if (const auto* convolution = std::get_if<Convolution>(&source)) {
        padded_lengths_ = std::vector<std::uint64_t>(convolution->signal.size(), 1);
        for (std::size_t i = 0; i < design_.lengths.size(); ++i)
            padded_lengths_[canonical().places[i]] = design_.lengths[i];
    }

    Loader loader(device, canonical().precision, mutate, saved);
    const auto add = [&](const SpectralDraft::Part& part, LoadedSchedule& loaded) {
        loaded.workspace_elements = part.workspace_elements;
        loaded.at_once = part.at_once;
        loaded.partial_bytes = part.partial_bytes;
        loaded.steps.resize(part.steps.size());
        for (std::size_t i = 0; i < part.steps.size(); ++i) loader.add(part.steps[i], loaded.steps[i]);
        if (!loaded.steps.empty()) loaded.steps.back().is_last = true;
    };
    add(drafted.preparation, preparation_);
    add(drafted.execution, execution_);
    report_ = exec::report(drafted, source);
    loader.load(report_);
    upload_positions();
    table_bytes_ = loader.table_bytes();
    report_.plan_milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

SavedSpectral SpectralExecutable::save() const {
    runtime::Device& device = *device_.impl();
    SavedSpectral saved{saved_target(device), source_, tuning_, table_bytes_, {}};
    const SpectralDraft drafted = draft(source_, device_.limits(), tuning_);
    for (const SpectralDraft::Part* part : {&drafted.preparation, &drafted.execution})
        for (const DraftStep& step : part->steps) keep_kernel(device, source_of(device_, mutate_, step), saved.kernels);
    return saved;
}

std::uint64_t SpectralExecutable::spectrum_bytes() const { return planner::spectra_bytes(design_); }

std::uint64_t SpectralExecutable::part_bytes(std::uint64_t elements, std::uint64_t batch) const {
    return aligned_bytes(elements, batch, canonical().precision);
}

std::uint64_t SpectralExecutable::workspace_bytes(const LoadedSchedule& schedule, std::uint64_t batch) const {
    std::uint64_t sum = 0;
    const std::uint64_t entries = std::min(batch, schedule.at_once);
    for (const std::uint64_t elements : schedule.workspace_elements) sum += part_bytes(elements, entries);
    return sum + aligned(schedule.partial_bytes * entries);
}

void SpectralExecutable::check_parts(std::uint64_t batch) const {
    const planner::SpectralSchedule schedule{{}, execution_.workspace_elements, execution_.partial_bytes};
    const auto check_bytes = [&](std::uint64_t bytes, const planner::Parts& parts) {
        const std::uint64_t needed = planner::parts_for(bytes, parts.bytes);
        if (needed <= parts.count) return;
        throw InvalidProblem("execution.batch: expected arrays in at most " + std::to_string(parts.count) +
                             " buffers of " + std::to_string(parts.bytes) + " bytes, as for the problem's batch of " +
                             std::to_string(canonical().batch) + ", got a batch of " + std::to_string(batch) +
                             " that needs " + std::to_string(needed));
    };
    const auto check = [&](planner::Role role, const planner::Parts& parts) {
        check_bytes(planner::array_bytes(schedule, design_, false, role, batch), parts);
    };
    for (const LoadedStep& step : execution_.steps) {
        if (canonical().part == SpectralPart::gradient)
            check_bytes(canonical().weight_bytes(batch), step.planned.spectra_parts);
        check(step.planned.source, step.planned.source_parts);
        check(step.planned.target, step.planned.target_parts);
    }
}

void SpectralExecutable::prepare(runtime::Queue& queue, const SpectralArguments& arguments) const {
    run(queue, preparation_, arguments);
}

void SpectralExecutable::execute(runtime::Queue& queue, const SpectralArguments& arguments) const {
    const std::uint64_t at_once = execution_.at_once;
    if (arguments.batch <= at_once) return run(queue, execution_, arguments);
    SpectralArguments slice = arguments;
    for (std::uint64_t first = 0; first < arguments.batch; first += at_once) {
        slice.batch = std::min(at_once, arguments.batch - first);
        slice.input.byte_offset = arguments.input.byte_offset + canonical().input_bytes(1) * first;
        slice.output.byte_offset = arguments.output.byte_offset + canonical().output_bytes(1) * first;
        run(queue, execution_, slice);
    }
}

/// A middle stage that has no kernel of its own stands on a store side.
const StageArguments& SpectralExecutable::stage_arguments(const LoadedStep& step, expression::Side side,
                                                          const SpectralArguments& arguments) const {
    const kernels::UserProgram* user = kernels::user_stage(kernels::stages_of(step.planned.spec, side));
    if (side == expression::Side::load) return arguments.load;
    return user && user->program == canonical().stages.middle ? arguments.middle : arguments.store;
}

void SpectralExecutable::upload_positions() {
    const auto& positions = canonical().positions;
    if (!positions) return;
    positions_ = device_.impl()->allocate(positions->size() * sizeof(std::int32_t));
    device_.impl()->use_queue(
        [&](runtime::Queue& queue) { queue.upload(*positions_, 0, positions->data(), positions_->bytes()); });
}

runtime::BufferArgument SpectralExecutable::stage_buffer(const LoadedStep& step, expression::Side side,
                                                         std::size_t index, const SpectralArguments& arguments) const {
    const kernels::UserProgram& user = *kernels::user_stage(kernels::stages_of(step.planned.spec, side));
    if (positions_ && user.program->buffers[index].name == expression::positions_name) return {positions_.get(), 0};
    return stage_arguments(step, side, arguments).buffers[index];
}

void SpectralExecutable::run(runtime::Queue& queue, const LoadedSchedule& schedule,
                             const SpectralArguments& arguments) const {
    const auto argument = [&](planner::Role role) {
        if (role == planner::Role::input) return arguments.input;
        if (role == planner::Role::output) return arguments.output;
        if (role == planner::Role::sums) return arguments.sums;
        runtime::BufferArgument part = arguments.workspace;
        const auto number = static_cast<std::size_t>(role) - static_cast<std::size_t>(planner::Role::workspace_a);
        for (std::size_t i = 0; i < number; ++i)
            part.byte_offset += part_bytes(schedule.workspace_elements[i], arguments.batch);
        return part;
    };
    const auto launch_one = [&](const LoadedStep& step) {
        Parameters parameters;
        for_each_argument(step.planned, !step.table.empty(), [&](const StepArgument& own) {
            switch (own.parameter) {
                case kernels::Parameter::table: return parameters.add(step.table);
                case kernels::Parameter::spectra: return parameters.add({arguments.spectra}, 0, own.parts);
                case kernels::Parameter::load_stage:
                case kernels::Parameter::middle_stage:
                case kernels::Parameter::store_stage:
                    return parameters.add({stage_buffer(step, kernels::side_of(own.parameter), own.index, arguments)},
                                          0, own.parts);
                default: return parameters.add({argument(own.role)}, 0, own.parts);
            }
        });
        parameters.add_scalar(kernels::sequences_per_batch(step.planned.spec) * arguments.batch);
        for (const expression::Side side : kernels::user_sides)
            parameters.add_scalars(step.planned.spec, side, stage_arguments(step, side, arguments));
        parameters.fill_gaps();
        launch(queue, step, arguments.batch, parameters);
    };
    runtime::in_one_batch(queue, [&] {
        for (const LoadedStep& step : schedule.steps) launch_one(step);
    });
}

}  // namespace seiche::exec
