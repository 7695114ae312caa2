// Convolution as its user sees it: checks every argument once, then hands over to the executable.
#include "seiche/convolution.hpp"

#include <variant>

#include "api/guard.hpp"
#include "api/host_element.hpp"
#include "api/spectral_checks.hpp"
#include "seiche/error.hpp"

namespace seiche {

using api::checked_argument;
using api::checked_batch;
using api::present;
using api::usable;
using exec::SpectralExecutable;
using Argument = api::SpectralArgument;

PlanReport inspect(const Convolution& convolution, const DeviceLimits& limits, const Tuning& tuning) {
    return api::guarded("planning",
                        [&] { return exec::report(exec::draft(convolution, limits, tuning), convolution); });
}

std::vector<AnalysisReport> analyse(const Convolution& convolution, const DeviceLimits& limits, const Tuning& tuning) {
    return api::guarded("analysing", [&] { return exec::analyse(exec::draft(convolution, limits, tuning), limits); });
}

ConvolutionPlan::ConvolutionPlan(const Device& device, const Convolution& convolution, const Tuning& tuning)
    : impl_(api::guarded("making a plan", [&] {
          return std::make_shared<SpectralExecutable>(api::opened(device), convolution, tuning);
      })) {}

std::vector<std::byte> ConvolutionPlan::save() const {
    return api::guarded("saving a plan", [&] { return exec::to_bytes(usable(impl_).save()); });
}

ConvolutionPlan ConvolutionPlan::load(const Device& device, const void* bytes, std::size_t count) {
    if (bytes == nullptr && count != 0) throw InvalidProblem("bytes: expected a pointer, got null");
    return api::guarded("loading a plan", [&] {
        const exec::SavedSpectral saved = exec::read_saved_convolution({static_cast<const std::byte*>(bytes), count});
        const exec::SavedBinaries binaries{&saved.target, &saved.kernels, saved.table_bytes};
        return ConvolutionPlan(std::make_shared<SpectralExecutable>(api::opened(device), saved.source, saved.tuning,
                                                                    exec::Mutation{}, binaries));
    });
}

void ConvolutionPlan::prepare(Queue& queue, const ConvolutionPreparation& preparation) const {
    const SpectralExecutable& executable = usable(impl_);
    api::check_queue(queue);
    const std::uint64_t pair = 2 * executable.canonical().stored_bytes();
    const std::uint64_t spectrum_pair = 2 * stored_bytes(executable.canonical().precision, Storage::same);
    const Argument kernels = checked_argument(preparation.kernels, {"kernels", "", kernel_bytes(), pair});
    const Argument spectrum = checked_argument(preparation.spectrum, {"spectrum", "", spectrum_bytes(), spectrum_pair});
    const Argument workspace =
        checked_argument(preparation.workspace, {"workspace", "", preparation_bytes(), spectrum_pair});
    api::refuse_overlap(spectrum, kernels);
    api::refuse_overlap(workspace, kernels);
    api::refuse_overlap(workspace, spectrum);
    executable.prepare(*queue.impl(), {kernels.argument, {}, spectrum.argument, workspace.argument, 1});
}

void ConvolutionPlan::execute(Queue& queue, const ConvolutionExecution& execution) const {
    const SpectralExecutable& executable = usable(impl_);
    api::check_queue(queue);
    const std::uint64_t batch = checked_batch(executable, execution.batch);
    if (batch == 0) return;
    executable.check_parts(batch);
    const std::uint64_t pair = 2 * executable.canonical().stored_bytes();
    const std::uint64_t spectrum_pair = 2 * stored_bytes(executable.canonical().precision, Storage::same);
    const Argument input = checked_argument(execution.input, {"input", "", input_bytes(batch), pair});
    const Argument spectrum = checked_argument(execution.spectrum, {"spectrum", "", spectrum_bytes(), spectrum_pair});
    const Argument output = checked_argument(execution.output, {"output", "", output_bytes(batch), pair});
    const Argument workspace =
        checked_argument(execution.workspace, {"workspace", "", executable.workspace_bytes(batch), spectrum_pair});
    api::refuse_overlap(output, input);
    api::refuse_overlap(output, spectrum);
    for (const Argument* other : {&input, &spectrum, &output}) api::refuse_overlap(workspace, *other);
    executable.execute(*queue.impl(), {input.argument, spectrum.argument, output.argument, workspace.argument, batch});
}

std::uint64_t ConvolutionPlan::input_bytes(Batch batch) const {
    return present(impl_).canonical().input_bytes(checked_batch(*impl_, batch));
}
std::uint64_t ConvolutionPlan::output_bytes(Batch batch) const {
    return present(impl_).canonical().output_bytes(checked_batch(*impl_, batch));
}
std::uint64_t ConvolutionPlan::workspace_bytes(Batch batch) const {
    return present(impl_).workspace_bytes(checked_batch(*impl_, batch));
}
std::uint64_t ConvolutionPlan::kernel_bytes() const { return present(impl_).canonical().kernel_bytes(); }
std::uint64_t ConvolutionPlan::spectrum_bytes() const { return present(impl_).spectrum_bytes(); }
std::uint64_t ConvolutionPlan::preparation_bytes() const { return present(impl_).preparation_bytes(); }

void ConvolutionPlan::run(const HostArray& input, const HostArray& kernels, void* output) const {
    const problem::CanonicalSpectral& canonical = present(impl_).canonical();
    const auto element = [&](bool is_real) {
        return api::host_element(canonical.precision, canonical.storage, is_real);
    };
    api::check_array("input", input, element(canonical.is_real()), input_bytes(), canonical.input_element_bytes());
    api::check_array("kernels", kernels, element(canonical.is_real() && !canonical.is_spectrum), kernel_bytes(),
                     canonical.is_spectrum ? 2 * canonical.stored_bytes() : canonical.input_element_bytes());
    api::check_host_memory("input", input.data, input_bytes());
    api::check_host_memory("kernels", kernels.data, kernel_bytes());
    api::check_host_memory("output", output, output_bytes());
    if (output_bytes() == 0) return;
    Queue queue = device().create_queue();
    const Buffer spectrum = device().allocate(spectrum_bytes());
    ConvolutionPreparation preparation;
    preparation.kernels = device().allocate(kernel_bytes());
    preparation.spectrum = spectrum;
    preparation.workspace = api::allocated(device(), preparation_bytes());
    queue.upload(preparation.kernels, kernels.data, kernel_bytes());
    prepare(queue, preparation);
    ConvolutionExecution execution;
    execution.input = device().allocate(input_bytes());
    execution.spectrum = spectrum;
    execution.output = device().allocate(output_bytes());
    execution.workspace = api::allocated(device(), workspace_bytes());
    queue.upload(execution.input, input.data, input_bytes());
    execute(queue, execution);
    queue.download(output, execution.output, output_bytes());
}

const Convolution& ConvolutionPlan::convolution() const { return std::get<Convolution>(present(impl_).source()); }
const Device& ConvolutionPlan::device() const { return present(impl_).device(); }
const std::vector<std::uint64_t>& ConvolutionPlan::padded_lengths() const { return present(impl_).padded_lengths(); }
const PlanReport& ConvolutionPlan::report() const { return present(impl_).report(); }

}  // namespace seiche
