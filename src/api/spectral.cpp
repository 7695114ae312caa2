// Spectral plans as their user sees them: every argument is checked once, then the executable takes over.
#include "seiche/spectral.hpp"

#include <array>
#include <variant>

#include "api/guard.hpp"
#include "api/host_element.hpp"
#include "api/spectral_checks.hpp"
#include "api/stage_arguments.hpp"
#include "seiche/error.hpp"

namespace seiche {

using api::checked_argument;
using api::checked_batch;
using api::present;
using api::SpectralArgument;
using api::usable;
using exec::SpectralExecutable;
using expression::Program;

namespace {

/// The arguments of an execution whose batch is not 0.
class Checker {
public:
    Checker(const SpectralExecutable& executable, const SpectralExecution& execution, std::uint64_t batch)
        : stages_(executable.canonical().own), given_{execution.stage_buffers, execution.stage_scalars} {
        const problem::CanonicalSpectral& canonical = executable.canonical();
        const std::uint64_t pair = 2 * canonical.stored_bytes();
        const std::uint64_t spectrum_pair = 2 * stored_bytes(canonical.precision, Storage::same);
        memory_ = {
            checked_argument(execution.input, {"input", "", canonical.input_bytes(batch), pair}),
            checked_argument(execution.output, {"output", "", canonical.output_bytes(batch), pair}),
            checked_argument(execution.workspace, {"workspace", "", executable.workspace_bytes(batch), spectrum_pair}),
            checked_argument(execution.weights, {"weights", "", canonical.weight_bytes(batch), spectrum_pair}),
            checked_argument(execution.sums, {"sums", "", canonical.sum_bytes(batch),
                                              stored_bytes(canonical.sum_precision, Storage::same)})};
        const auto& [input, output, workspace, weights, sums] = memory_;
        api::refuse_overlap(output, input);
        api::refuse_overlap(workspace, input);
        api::refuse_overlap(workspace, output);
        api::refuse_overlap(output, weights);
        api::refuse_overlap(workspace, weights);
        for (const SpectralArgument* other : {&input, &output, &workspace, &weights}) api::refuse_overlap(sums, *other);
        api::check_names(given_,
                         std::array<const Program*, 3>{stages_.load.get(), stages_.middle.get(), stages_.store.get()});
        arguments_ = {input.argument, weights.argument, output.argument, workspace.argument, batch};
        arguments_.sums = sums.argument;
        if (stages_.load) add_stage(*stages_.load, arguments_.load);
        if (stages_.middle) add_stage(*stages_.middle, arguments_.middle);
        if (stages_.store) add_stage(*stages_.store, arguments_.store);
    }

    const exec::SpectralArguments& arguments() const { return arguments_; }

private:
    void add_stage(const Program& program, exec::StageArguments& arguments) {
        for (std::size_t i = 0; i < program.buffers.size(); ++i)
            arguments.buffers[i] = buffer(program.buffers[i], program.written[i]);
        for (std::size_t i = 0; i < program.scalars.size(); ++i)
            arguments.scalars[i] = api::bits_of(given_, program.scalars[i]);
    }

    runtime::BufferArgument buffer(const StageBuffer& declared, bool is_written) const {
        const SpectralArgument own = checked_argument(api::view_of(given_, declared), api::need_of(declared));
        const auto& [input, output, workspace, weights, sums] = memory_;
        api::refuse_overlap(own, output);
        api::refuse_overlap(own, workspace);
        api::refuse_overlap(own, sums);
        if (!is_written) return own.argument;
        api::refuse_overlap(own, input);
        api::refuse_overlap(own, weights);
        for (const Program* program : {stages_.load.get(), stages_.middle.get(), stages_.store.get()})
            for (std::size_t i = 0; program && i < program->buffers.size(); ++i) {
                const StageBuffer& other = program->buffers[i];
                const BufferView& view = api::view_of(given_, other);
                if (other.name != declared.name && view.buffer)
                    api::refuse_overlap(own, checked_argument(view, api::need_of(other)));
            }
        return own.argument;
    }

    const problem::SpectralStages& stages_;
    const api::StageValues given_;
    std::array<SpectralArgument, 5> memory_;
    exec::SpectralArguments arguments_;
};

}  // namespace

PlanReport inspect(const SpectralProblem& problem, const DeviceLimits& limits, const Tuning& tuning) {
    return api::guarded("planning", [&] { return exec::report(exec::draft(problem, limits, tuning), problem); });
}

std::vector<AnalysisReport> analyse(const SpectralProblem& problem, const DeviceLimits& limits, const Tuning& tuning) {
    return api::guarded("analysing", [&] { return exec::analyse(exec::draft(problem, limits, tuning), limits); });
}

SpectralPlan::SpectralPlan(const Device& device, const SpectralProblem& problem, const Tuning& tuning)
    : impl_(api::guarded("making a plan",
                         [&] { return std::make_shared<SpectralExecutable>(api::opened(device), problem, tuning); })) {}

std::vector<std::byte> SpectralPlan::save() const {
    return api::guarded("saving a plan", [&] { return exec::to_bytes(usable(impl_).save()); });
}

SpectralPlan SpectralPlan::load(const Device& device, const void* bytes, std::size_t count) {
    if (bytes == nullptr && count != 0) throw InvalidProblem("bytes: expected a pointer, got null");
    return api::guarded("loading a plan", [&] {
        const exec::SavedSpectral saved = exec::read_saved_spectral({static_cast<const std::byte*>(bytes), count});
        const exec::SavedBinaries binaries{&saved.target, &saved.kernels, saved.table_bytes};
        return SpectralPlan(std::make_shared<SpectralExecutable>(api::opened(device), saved.source, saved.tuning,
                                                                 exec::Mutation{}, binaries));
    });
}

void SpectralPlan::execute(Queue& queue, const SpectralExecution& execution) const {
    const SpectralExecutable& executable = usable(impl_);
    api::check_queue(queue);
    const std::uint64_t batch = checked_batch(executable, execution.batch);
    if (batch == 0) return;
    executable.check_parts(batch);
    executable.execute(*queue.impl(), Checker(executable, execution, batch).arguments());
}

std::uint64_t SpectralPlan::input_bytes(Batch batch) const {
    return present(impl_).canonical().input_bytes(checked_batch(*impl_, batch));
}
std::uint64_t SpectralPlan::output_bytes(Batch batch) const {
    return present(impl_).canonical().output_bytes(checked_batch(*impl_, batch));
}
std::uint64_t SpectralPlan::workspace_bytes(Batch batch) const {
    return present(impl_).workspace_bytes(checked_batch(*impl_, batch));
}

std::uint64_t SpectralPlan::weight_bytes(Batch batch) const {
    return present(impl_).canonical().weight_bytes(checked_batch(*impl_, batch));
}

std::uint64_t SpectralPlan::sum_bytes(Batch batch) const {
    return present(impl_).canonical().sum_bytes(checked_batch(*impl_, batch));
}

std::vector<std::string> SpectralPlan::sum_names() const {
    std::vector<std::string> names;
    if (const auto& middle = present(impl_).canonical().stages.middle)
        for (const expression::Sum& sum : middle->sums) names.push_back(sum.name);
    return names;
}

void SpectralPlan::run(const HostArray& input, HostElement output_element, void* output,
                       const std::vector<StageScalarArgument>& scalars) const {
    const problem::CanonicalSpectral& canonical = present(impl_).canonical();
    if (canonical.has_weights) throw InvalidProblem("weights: expected an array, as the plan has channels, got none");
    run(input, {nullptr, 0, api::host_element(canonical.precision, Storage::same, false)}, output_element, output,
        scalars);
}

void SpectralPlan::run(const HostArray& input, const HostArray& weights, HostElement output_element, void* output,
                       const std::vector<StageScalarArgument>& scalars) const {
    const problem::CanonicalSpectral& canonical = present(impl_).canonical();
    if (canonical.sums() != 0)
        throw InvalidProblem("sums: expected an execution with a buffer for the middle stage's sums, got host arrays");
    const auto element = [&](bool is_real) {
        return api::host_element(canonical.precision, canonical.storage, is_real);
    };
    api::check_array("input", input, element(canonical.input_is_real()), input_bytes(),
                     canonical.input_element_bytes());
    api::check_array("weights", weights, api::host_element(canonical.precision, Storage::same, false), weight_bytes(),
                     2 * stored_bytes(canonical.precision, Storage::same));
    api::check_element("output", element(canonical.output_is_real()), output_element);
    api::check_host_memory("input", input.data, input_bytes());
    api::check_host_memory("weights", weights.data, weight_bytes());
    api::check_host_memory("output", output, output_bytes());
    if (output_bytes() == 0) return;
    Queue queue = device().create_queue();
    SpectralExecution execution;
    execution.input = device().allocate(input_bytes());
    execution.output = device().allocate(output_bytes());
    execution.workspace = api::allocated(device(), workspace_bytes());
    execution.weights = api::allocated(device(), weight_bytes());
    execution.stage_scalars = scalars;
    if (weight_bytes() != 0) queue.upload(execution.weights, weights.data, weight_bytes());
    queue.upload(execution.input, input.data, input_bytes());
    execute(queue, execution);
    queue.download(output, execution.output, output_bytes());
}

const SpectralProblem& SpectralPlan::problem() const { return std::get<SpectralProblem>(present(impl_).source()); }
const Device& SpectralPlan::device() const { return present(impl_).device(); }
const PlanReport& SpectralPlan::report() const { return present(impl_).report(); }

}  // namespace seiche
