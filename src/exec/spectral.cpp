// The way from a spectral operator to loaded kernels, and their launches.
#include "exec/spectral.hpp"

#include <chrono>

#include "exec/exactness.hpp"
#include "exec/launch.hpp"
#include "exec/step_arguments.hpp"
#include "problem/convolution.hpp"
#include "seiche/error.hpp"
#include "support/enumerators.hpp"
#include "support/text.hpp"

namespace seiche::exec {

namespace {

constexpr std::uint64_t part_alignment = 256;

/// Of a workspace: `elements` complex numbers for each of so many signals.
std::uint64_t aligned_bytes(std::uint64_t elements, std::uint64_t batch, Precision precision) {
    const std::uint64_t bytes = elements * batch * 2 * stored_bytes(precision, Storage::same);
    return (bytes + part_alignment - 1) / part_alignment * part_alignment;
}

/// Its kernels are not made yet.
SpectralDraft::Part part_of(const planner::SpectralSchedule& schedule) {
    SpectralDraft::Part part;
    part.workspace_elements = schedule.workspace_elements;
    for (const planner::Step& step : schedule.steps) part.steps.push_back({step, nullptr});
    return part;
}

/// Of what the user's stages name.
std::uint64_t bytes_of_stages(const std::vector<DraftStep>& steps) {
    std::uint64_t bytes = 0;
    for (const DraftStep& step : steps) bytes += stage_bytes(step.step.spec, false) + stage_bytes(step.step.spec, true);
    return bytes;
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
    return result;
}

PlanReport report(const SpectralDraft& draft, const SpectralSource& source) {
    const problem::CanonicalSpectral& canonical = draft.design.spectral;
    const std::uint64_t batch = canonical.default_batch;
    PlanReport result;
    result.problem = std::visit([](const auto& stated) { return seiche::to_string(stated); }, source);
    result.recipe = planner::to_string(draft.design);
    result.ideal_bytes = canonical.input_bytes(batch) + canonical.output_bytes(batch) + canonical.weight_bytes(batch) +
                         bytes_of_stages(draft.execution.steps);
    for (const std::uint64_t elements : draft.execution.workspace_elements)
        result.workspace_bytes += aligned_bytes(elements, batch, canonical.precision);
    for (const DraftStep& step : draft.execution.steps) {
        result.kernels.push_back(report_step(step, Direction::forward, batch));
        result.moved_bytes += result.kernels.back().bytes_read + result.kernels.back().bytes_written;
        result.storage_roundings += kernels::rounds_storage(step.step.spec);
    }
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
        loaded.steps.resize(part.steps.size());
        for (std::size_t i = 0; i < part.steps.size(); ++i) loader.add(part.steps[i], loaded.steps[i]);
        if (!loaded.steps.empty()) loaded.steps.back().is_last = true;
    };
    add(drafted.preparation, preparation_);
    add(drafted.execution, execution_);
    report_ = exec::report(drafted, source);
    loader.load(report_);
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
    for (const std::uint64_t elements : schedule.workspace_elements) sum += part_bytes(elements, batch);
    return sum;
}

void SpectralExecutable::check_parts(std::uint64_t batch) const {
    const planner::SpectralSchedule schedule{{}, execution_.workspace_elements};
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
    run(queue, execution_, arguments);
}

/// A middle stage that has no kernel of its own stands on a store side.
const StageArguments& SpectralExecutable::stage_arguments(const LoadedStep& step, expression::Side side,
                                                          const SpectralArguments& arguments) const {
    const kernels::UserProgram* user = kernels::user_stage(kernels::stages_of(step.planned.spec, side));
    if (side == expression::Side::load) return arguments.load;
    return user && user->program == canonical().stages.middle ? arguments.middle : arguments.store;
}

void SpectralExecutable::run(runtime::Queue& queue, const LoadedSchedule& schedule,
                             const SpectralArguments& arguments) const {
    const auto argument = [&](planner::Role role) {
        if (role == planner::Role::input) return arguments.input;
        if (role == planner::Role::output) return arguments.output;
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
                case kernels::Parameter::store_stage: {
                    const StageArguments& given = stage_arguments(step, kernels::side_of(own.parameter), arguments);
                    return parameters.add({given.buffers[own.index]}, 0, own.parts);
                }
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
