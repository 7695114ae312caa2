// Convolution as its user sees it: checks every argument once, then hands over to the executable.
#include "seiche/convolution.hpp"

#include <cstring>
#include <limits>
#include <string>

#include "api/guard.hpp"
#include "api/host_element.hpp"
#include "api/memory_range.hpp"
#include "exec/convolution.hpp"
#include "seiche/error.hpp"

namespace seiche {

namespace {

using exec::ConvolutionExecutable;

const ConvolutionExecutable& present(const std::shared_ptr<const ConvolutionExecutable>& impl) {
    if (!impl) throw InvalidProblem("the plan is empty: expected one made from a device and a convolution");
    return *impl;
}

const Device& opened(const Device& device) {
    if (!device) throw InvalidProblem("the device is empty: expected one that was opened");
    device.impl()->expect_own_process("the device");
    return device;
}

/// To be executed or saved: in a child that fork made, only where no driver is needed.
const ConvolutionExecutable& usable(const std::shared_ptr<const ConvolutionExecutable>& impl) {
    const ConvolutionExecutable& executable = present(impl);
    executable.device().impl()->expect_own_process("the plan");
    return executable;
}

void check_queue(const Queue& queue) {
    if (!queue.impl()) throw InvalidProblem("the queue is empty: expected one made by the plan's device");
    queue.impl()->expect_own_process("the queue");
}

/// What the convolution says for none.
std::uint64_t checked_batch(const ConvolutionExecutable& executable, std::optional<std::uint64_t> batch) {
    const std::uint64_t count = batch.value_or(executable.canonical().default_batch);
    constexpr std::uint64_t most = std::uint64_t{1} << 32;
    const std::uint64_t each = std::max(
        {executable.canonical().input_bytes(1), executable.canonical().output_bytes(1), executable.workspace_bytes(1)});
    if (count > most || count > std::numeric_limits<std::uint64_t>::max() / 2 / each)
        throw InvalidProblem("execution.batch: expected arrays below 2^63 bytes and at most 2^32 of them, got " +
                             std::to_string(count));
    return count;
}

struct Argument {
    runtime::BufferArgument argument;
    api::MemoryRange range;
    api::Need need;
};

Argument checked(const BufferView& view, const api::Need& need) {
    if (need.bytes == 0) return {{}, {}, need};
    return {{view.buffer.impl().get(), view.byte_offset}, api::checked(view, need), need};
}

void refuse_overlap(const Argument& a, const Argument& b) { api::refuse_overlap(a.range, a.need, b.range, b.need); }

Buffer allocated(const Device& device, std::uint64_t bytes) { return bytes == 0 ? Buffer() : device.allocate(bytes); }

void check_array(const char* which, const HostArray& array, HostElement expected, std::uint64_t bytes,
                 std::uint64_t element_bytes) {
    api::check_element(which, expected, array.element);
    if (array.count != bytes / element_bytes)
        throw InvalidProblem(std::string(which) + ": expected " + std::to_string(bytes / element_bytes) +
                             " elements, got " + std::to_string(array.count));
}

}  // namespace

PlanReport inspect(const Convolution& convolution, const DeviceLimits& limits, const Tuning& tuning) {
    return api::guarded("planning",
                        [&] { return exec::report(exec::draft(convolution, limits, tuning), convolution); });
}

std::vector<AnalysisReport> analyse(const Convolution& convolution, const DeviceLimits& limits, const Tuning& tuning) {
    return api::guarded("analysing", [&] { return exec::analyse(exec::draft(convolution, limits, tuning), limits); });
}

ConvolutionPlan::ConvolutionPlan(const Device& device, const Convolution& convolution, const Tuning& tuning)
    : impl_(api::guarded("making a plan", [&] {
          return std::make_shared<ConvolutionExecutable>(opened(device), convolution, tuning);
      })) {}

std::vector<std::byte> ConvolutionPlan::save() const {
    return api::guarded("saving a plan", [&] { return exec::to_bytes(usable(impl_).save()); });
}

ConvolutionPlan ConvolutionPlan::load(const Device& device, const void* bytes, std::size_t count) {
    if (bytes == nullptr && count != 0) throw InvalidProblem("bytes: expected a pointer, got null");
    return api::guarded("loading a plan", [&] {
        const exec::SavedConvolution saved =
            exec::read_saved_convolution({static_cast<const std::byte*>(bytes), count});
        const exec::SavedBinaries binaries{&saved.target, &saved.kernels, saved.table_bytes};
        return ConvolutionPlan(std::make_shared<ConvolutionExecutable>(opened(device), saved.convolution, saved.tuning,
                                                                       exec::Mutation{}, binaries));
    });
}

void ConvolutionPlan::prepare(Queue& queue, const ConvolutionPreparation& preparation) const {
    const ConvolutionExecutable& executable = usable(impl_);
    check_queue(queue);
    const std::uint64_t pair = 2 * executable.canonical().stored_bytes();
    const std::uint64_t spectrum_pair = 2 * stored_bytes(executable.canonical().precision, Storage::same);
    const Argument kernels = checked(preparation.kernels, {"kernels", "", kernel_bytes(), pair});
    const Argument spectrum = checked(preparation.spectrum, {"spectrum", "", spectrum_bytes(), spectrum_pair});
    const Argument workspace = checked(preparation.workspace, {"workspace", "", preparation_bytes(), spectrum_pair});
    refuse_overlap(spectrum, kernels);
    refuse_overlap(workspace, kernels);
    refuse_overlap(workspace, spectrum);
    executable.prepare(*queue.impl(), {kernels.argument, {}, spectrum.argument, workspace.argument, 1});
}

void ConvolutionPlan::execute(Queue& queue, const ConvolutionExecution& execution) const {
    const ConvolutionExecutable& executable = usable(impl_);
    check_queue(queue);
    const std::uint64_t batch = checked_batch(executable, execution.batch);
    if (batch == 0) return;
    executable.check_parts(batch);
    const std::uint64_t pair = 2 * executable.canonical().stored_bytes();
    const std::uint64_t spectrum_pair = 2 * stored_bytes(executable.canonical().precision, Storage::same);
    const Argument input = checked(execution.input, {"input", "", input_bytes(batch), pair});
    const Argument spectrum = checked(execution.spectrum, {"spectrum", "", spectrum_bytes(), spectrum_pair});
    const Argument output = checked(execution.output, {"output", "", output_bytes(batch), pair});
    const Argument workspace =
        checked(execution.workspace, {"workspace", "", executable.workspace_bytes(batch), spectrum_pair});
    refuse_overlap(output, input);
    refuse_overlap(output, spectrum);
    for (const Argument* other : {&input, &spectrum, &output}) refuse_overlap(workspace, *other);
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
    const problem::CanonicalConvolution& canonical = present(impl_).canonical();
    const auto element = [&](bool is_real) {
        return api::host_element(canonical.precision, canonical.storage, is_real);
    };
    check_array("input", input, element(canonical.is_real), input_bytes(), canonical.element_bytes());
    check_array("kernels", kernels, element(canonical.is_real && !canonical.is_spectrum), kernel_bytes(),
                canonical.is_spectrum ? 2 * canonical.stored_bytes() : canonical.element_bytes());
    api::check_host_memory("input", input.data, input_bytes());
    api::check_host_memory("kernels", kernels.data, kernel_bytes());
    api::check_host_memory("output", output, output_bytes());
    if (output_bytes() == 0) return;
    Queue queue = device().create_queue();
    const Buffer spectrum = device().allocate(spectrum_bytes());
    ConvolutionPreparation preparation;
    preparation.kernels = device().allocate(kernel_bytes());
    preparation.spectrum = spectrum;
    preparation.workspace = allocated(device(), preparation_bytes());
    queue.upload(preparation.kernels, kernels.data, kernel_bytes());
    prepare(queue, preparation);
    ConvolutionExecution execution;
    execution.input = device().allocate(input_bytes());
    execution.spectrum = spectrum;
    execution.output = device().allocate(output_bytes());
    execution.workspace = allocated(device(), workspace_bytes());
    queue.upload(execution.input, input.data, input_bytes());
    execute(queue, execution);
    queue.download(output, execution.output, output_bytes());
}

const Convolution& ConvolutionPlan::convolution() const { return present(impl_).convolution(); }
const Device& ConvolutionPlan::device() const { return present(impl_).device(); }
const std::vector<std::uint64_t>& ConvolutionPlan::padded_lengths() const { return present(impl_).padded_lengths(); }
const PlanReport& ConvolutionPlan::report() const { return present(impl_).report(); }

}  // namespace seiche
