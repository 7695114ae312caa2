// The way from a convolution to loaded kernels, and their launches.
#include "exec/convolution.hpp"

#include <chrono>

#include "exec/exactness.hpp"
#include "exec/launch.hpp"
#include "support/text.hpp"

namespace seiche::exec {

namespace {

constexpr std::uint64_t part_alignment = 256;

std::string text_of(const Convolution& c) {
    return support::join_numbers(c.signal, "x") + " * " +
           (c.domain == KernelDomain::frequency ? "spectrum" : support::join_numbers(c.kernel, "x")) + " " +
           to_string(c.mode) + (c.complex ? " complex " : " real ") + to_string(c.precision) +
           " batch=" + std::to_string(c.batch);
}

}  // namespace

ConvolutionExecutable::ConvolutionExecutable(const Device& device, const Convolution& convolution, const Tuning& tuning,
                                             const Mutation& mutate)
    : device_(device), convolution_(convolution) {
    const auto start = std::chrono::steady_clock::now();
    const DeviceLimits& limits = device.limits();
    design_ = planner::design(problem::normalise(convolution), limits, tuning);
    if (canonical().precision == Precision::f64x2 && limits.exact_fp64) require_exact_fp64(device);
    padded_lengths_ = std::vector<std::uint64_t>(convolution.signal.size(), 1);
    for (std::size_t i = 0; i < design_.lengths.size(); ++i)
        padded_lengths_[canonical().places[i]] = design_.lengths[i];

    Loader loader(device, canonical().precision, mutate, nullptr);
    const auto add = [&](const planner::ConvolutionSchedule& schedule, LoadedSchedule& loaded) {
        const std::vector<DraftStep> steps = drafted(schedule);
        loaded.workspace_elements = schedule.workspace_elements;
        loaded.steps.resize(steps.size());
        for (std::size_t i = 0; i < steps.size(); ++i) loader.add(steps[i], loaded.steps[i]);
        return steps;
    };
    add(planner::lower_preparation(design_, limits, tuning), preparation_);
    describe(add(planner::lower_execution(design_, limits, tuning), execution_));
    loader.load(report_);
    report_.plan_milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

std::vector<DraftStep> ConvolutionExecutable::drafted(const planner::ConvolutionSchedule& schedule) const {
    std::vector<DraftStep> steps;
    for (const planner::Step& step : schedule.steps) steps.push_back(draft_step(step));
    return steps;
}

void ConvolutionExecutable::describe(const std::vector<DraftStep>& steps) {
    const std::uint64_t batch = canonical().batch;
    report_.problem = text_of(convolution_);
    report_.recipe = planner::to_string(design_);
    report_.ideal_bytes = canonical().input_bytes(batch) + canonical().output_bytes(batch);
    report_.workspace_bytes = workspace_bytes(batch);
    for (const DraftStep& step : steps) {
        report_.kernels.push_back(report_step(step, Direction::forward, batch));
        report_.moved_bytes += report_.kernels.back().bytes_read + report_.kernels.back().bytes_written;
        report_.storage_roundings += kernels::rounds_storage(step.step.spec);
    }
}

std::uint64_t ConvolutionExecutable::spectrum_bytes() const {
    return design_.spectrum_points * canonical().kernels * 2 * stored_bytes(canonical().precision, Storage::same);
}

std::uint64_t ConvolutionExecutable::part_bytes(std::uint64_t elements, std::uint64_t batch) const {
    const std::uint64_t bytes = elements * batch * 2 * stored_bytes(canonical().precision, Storage::same);
    return (bytes + part_alignment - 1) / part_alignment * part_alignment;
}

std::uint64_t ConvolutionExecutable::workspace_bytes(const LoadedSchedule& schedule, std::uint64_t batch) const {
    std::uint64_t sum = 0;
    for (const std::uint64_t elements : schedule.workspace_elements) sum += part_bytes(elements, batch);
    return sum;
}

void ConvolutionExecutable::prepare(runtime::Queue& queue, const ConvolutionArguments& arguments) const {
    run(queue, preparation_, arguments);
}

void ConvolutionExecutable::execute(runtime::Queue& queue, const ConvolutionArguments& arguments) const {
    run(queue, execution_, arguments);
}

void ConvolutionExecutable::run(runtime::Queue& queue, const LoadedSchedule& schedule,
                                const ConvolutionArguments& arguments) const {
    const auto argument = [&](planner::Role role) {
        if (role == planner::Role::input) return arguments.input;
        if (role == planner::Role::output) return arguments.output;
        runtime::BufferArgument part = arguments.workspace;
        const auto number = static_cast<std::size_t>(role) - static_cast<std::size_t>(planner::Role::workspace_a);
        for (std::size_t i = 0; i < number; ++i)
            part.byte_offset += part_bytes(schedule.workspace_elements[i], arguments.batch);
        return part;
    };
    for (const LoadedStep& step : schedule.steps) {
        Parameters parameters;
        parameters.add(argument(step.source));
        parameters.add(argument(step.target));
        if (step.table) parameters.add({step.table.get(), 0});
        if (kernels::spectrum_product(step.spec)) parameters.add(arguments.spectra);
        parameters.add_scalar(kernels::sequences_per_batch(step.spec) * arguments.batch);
        launch(queue, step, arguments.batch, parameters);
    }
}

}  // namespace seiche::exec
