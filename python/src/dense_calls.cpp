// Calls of plans of dense arrays: what their executions have in common is worked out, so that one more costs little.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "workspace.hpp"

namespace seichefft {

namespace {

using Count = std::optional<std::uint64_t>;
using Addresses = std::vector<std::uintptr_t>;
using Stream = std::optional<std::uintptr_t>;
using Buffers = std::vector<std::pair<std::string, std::uint64_t>>;

std::uint64_t aligned(std::uint64_t bytes) {
    constexpr std::uint64_t alignment = 256;
    return (bytes + alignment - 1) / alignment * alignment;
}

/// What every kind of call has: a device, and how much memory is worked in.
class DenseCall {
public:
    std::uint64_t workspace_bytes() const { return workspace_bytes_; }

protected:
    DenseCall(const seiche::Device& device, std::uint64_t workspace_bytes)
        : device_(device), workspace_bytes_(workspace_bytes), is_cpu_(device.info().backend == seiche::Backend::cpu) {}

    seiche::BufferView view(std::uintptr_t address, std::uint64_t bytes) const {
        return bytes == 0 ? seiche::BufferView() : seiche::BufferView(wrap(device_, address, bytes, "pointer"));
    }

    static void check(const char* what, const Addresses& addresses, std::size_t count) {
        if (addresses.size() != count)
            throw seiche::InvalidProblem(std::string(what) + ": expected " + std::to_string(count) +
                                         " addresses, got " + std::to_string(addresses.size()));
    }

    static void check_numbers(const std::vector<double>& scalars, std::size_t count) {
        if (scalars.size() != count)
            throw seiche::InvalidProblem("scalars: expected " + std::to_string(count) + " numbers, got " +
                                         std::to_string(scalars.size()));
    }

    /// Without the interpreter's lock; on the processor in memory of the thread's where there is no other.
    template <class Work>
    void with_queue(const Stream& stream, std::uintptr_t workspace, const Work& work) const {
        const WithoutLock released;
        const Workspace own(is_cpu_ && workspace == 0 ? workspace_bytes_ : 0);
        if (own.data() != nullptr) workspace = reinterpret_cast<std::uintptr_t>(own.data());
        seiche::Queue queue = queue_of(device_, stream);
        work(queue, workspace);
    }

private:
    seiche::Device device_;
    std::uint64_t workspace_bytes_;
    bool is_cpu_;
};

/// One of a plan with stages, which name buffers and scalars.
template <class Execution>
class StagedCall : public DenseCall {
protected:
    StagedCall(const seiche::Device& device, std::uint64_t workspace_bytes, Count batch, Buffers buffers,
               const std::vector<std::string>& scalars)
        : DenseCall(device, workspace_bytes), buffers_(std::move(buffers)) {
        execution_.batch = batch;
        for (const auto& [name, bytes] : buffers_) execution_.stage_buffers.push_back({name, {}});
        for (const std::string& name : scalars) execution_.stage_scalars.push_back({name, 0.0});
    }

    /// Of the addresses the buffers' begin with number `first`.
    void check_stages(const Addresses& inputs, std::size_t first, const std::vector<double>& scalars) const {
        check("inputs", inputs, first + buffers_.size());
        check_numbers(scalars, execution_.stage_scalars.size());
    }

    Execution with_stages(const Addresses& inputs, std::size_t first, const std::vector<double>& scalars) const {
        Execution execution = execution_;
        for (std::size_t i = 0; i < buffers_.size(); ++i)
            execution.stage_buffers[i].view = view(inputs[first + i], buffers_[i].second);
        for (std::size_t i = 0; i < scalars.size(); ++i) execution.stage_scalars[i].value = scalars[i];
        return execution;
    }

    Execution execution_;

private:
    Buffers buffers_;
};

class SpectralCall : public StagedCall<seiche::SpectralExecution> {
public:
    SpectralCall(const seiche::SpectralPlan& plan, Count batch, Buffers buffers,
                 const std::vector<std::string>& scalars)
        : StagedCall(plan.device(), plan.workspace_bytes(batch), batch, std::move(buffers), scalars), plan_(plan) {
        input_bytes_ = plan.input_bytes(batch);
        output_bytes_ = plan.output_bytes(batch);
        weight_bytes_ = plan.weight_bytes(batch);
        sum_bytes_ = plan.sum_bytes(batch);
    }

    /// Inputs: the array, the weights where there are any, what the stages name. Outputs: the array, and the sums.
    void run(const Addresses& inputs, const Addresses& outputs, std::uintptr_t workspace, const Stream& stream,
             const std::vector<double>& scalars) const {
        const std::size_t first = weight_bytes_ == 0 ? 1 : 2;
        check_stages(inputs, first, scalars);
        check("outputs", outputs, sum_bytes_ == 0 ? 1 : 2);
        with_queue(stream, workspace, [&](seiche::Queue& queue, std::uintptr_t memory) {
            seiche::SpectralExecution execution = with_stages(inputs, first, scalars);
            execution.input = view(inputs[0], input_bytes_);
            execution.output = view(outputs[0], output_bytes_);
            execution.workspace = view(memory, workspace_bytes());
            if (first == 2) execution.weights = view(inputs[1], weight_bytes_);
            if (sum_bytes_ != 0) execution.sums = view(outputs[1], sum_bytes_);
            plan_.execute(queue, execution);
        });
    }

private:
    seiche::SpectralPlan plan_;
    std::uint64_t input_bytes_ = 0, output_bytes_ = 0, weight_bytes_ = 0, sum_bytes_ = 0;
};

class ShortTimeCall : public DenseCall {
public:
    explicit ShortTimeCall(const seiche::ShortTimePlan& plan)
        : DenseCall(plan.device(), plan.workspace_bytes()), plan_(plan) {}

    void run(const Addresses& inputs, const Addresses& outputs, std::uintptr_t workspace, const Stream& stream,
             const std::vector<double>& scalars) const {
        check("inputs", inputs, 1);
        check("outputs", outputs, 1);
        check_numbers(scalars, 0);
        with_queue(stream, workspace, [&](seiche::Queue& queue, std::uintptr_t memory) {
            seiche::ShortTimeExecution execution;
            execution.input = view(inputs[0], plan_.input_bytes());
            execution.output = view(outputs[0], plan_.output_bytes());
            execution.workspace = view(memory, workspace_bytes());
            plan_.execute(queue, execution);
        });
    }

private:
    seiche::ShortTimePlan plan_;
};

/// Kernels are transformed in each call, on the call's own stream, so that nothing waits for them.
class ConvolutionCall : public DenseCall {
public:
    ConvolutionCall(const seiche::ConvolutionPlan& plan, Count batch)
        : DenseCall(plan.device(),
                    aligned(plan.spectrum_bytes()) + std::max(plan.preparation_bytes(), plan.workspace_bytes(batch))),
          plan_(plan),
          batch_(batch) {}

    /// Inputs: signals and kernels.
    void run(const Addresses& inputs, const Addresses& outputs, std::uintptr_t workspace, const Stream& stream,
             const std::vector<double>& scalars) const {
        check("inputs", inputs, 2);
        check("outputs", outputs, 1);
        check_numbers(scalars, 0);
        with_queue(stream, workspace, [&](seiche::Queue& queue, std::uintptr_t memory) {
            const std::uintptr_t behind = memory + aligned(plan_.spectrum_bytes());
            seiche::ConvolutionPreparation preparation;
            preparation.kernels = view(inputs[1], plan_.kernel_bytes());
            preparation.spectrum = view(memory, plan_.spectrum_bytes());
            preparation.workspace = view(behind, plan_.preparation_bytes());
            plan_.prepare(queue, preparation);
            seiche::ConvolutionExecution execution;
            execution.input = view(inputs[0], plan_.input_bytes(batch_));
            execution.spectrum = preparation.spectrum;
            execution.output = view(outputs[0], plan_.output_bytes(batch_));
            execution.workspace = view(behind, plan_.workspace_bytes(batch_));
            execution.batch = batch_;
            plan_.execute(queue, execution);
        });
    }

private:
    seiche::ConvolutionPlan plan_;
    Count batch_;
};

/// Arrays of any strides, of which none is below 0, so that every array begins with its first element.
class PlanCall : public StagedCall<seiche::Execution> {
public:
    PlanCall(const seiche::Plan& plan, const std::string& direction, Count batch, Buffers buffers,
             const std::vector<std::string>& scalars)
        : StagedCall(plan.device(), plan.workspace_bytes(batch), batch, std::move(buffers), scalars),
          plan_(plan),
          input_bytes_(plan.input_bytes(batch)),
          output_bytes_(plan.output_bytes(batch)) {
        execution_.direction = direction_of(direction);
    }

    /// Inputs: the array, if the plan reads one, and what the stages name.
    void run(const Addresses& inputs, const Addresses& outputs, std::uintptr_t workspace, const Stream& stream,
             const std::vector<double>& scalars) const {
        const std::size_t first = input_bytes_ == 0 ? 0 : 1;
        check_stages(inputs, first, scalars);
        check("outputs", outputs, 1);
        with_queue(stream, workspace, [&](seiche::Queue& queue, std::uintptr_t memory) {
            seiche::Execution execution = with_stages(inputs, first, scalars);
            if (first == 1) execution.input = view(inputs[0], input_bytes_);
            execution.output = view(outputs[0], output_bytes_);
            execution.workspace = view(memory, workspace_bytes());
            plan_.execute(queue, execution);
        });
    }

private:
    seiche::Plan plan_;
    std::uint64_t input_bytes_, output_bytes_;
};

template <class Call>
void add_run(nb::class_<Call>& bound) {
    bound
        .def("run", &Call::run, nb::arg("inputs"), nb::arg("outputs"), nb::arg("workspace") = 0,
             nb::arg("stream").none() = nb::none(), nb::arg("scalars") = std::vector<double>(),
             "Runs on addresses of the device's memory, on a stream of the caller's or one of its own.")
        .def_prop_ro("workspace_bytes", &Call::workspace_bytes);
}

}  // namespace

void bind_dense_calls(nb::module_& module) {
    nb::class_<SpectralCall> spectral(module, "SpectralCall",
                                      "A spectral plan, ready for executions that differ in memory and numbers alone.");
    spectral.def(nb::init<const seiche::SpectralPlan&, Count, Buffers, const std::vector<std::string>&>(),
                 nb::arg("plan"), nb::arg("batch").none(), nb::arg("buffers"), nb::arg("scalars"));
    add_run(spectral);
    nb::class_<PlanCall> plan(module, "PlanCall", "The same of a plan with stages, in one direction.");
    plan.def(nb::init<const seiche::Plan&, const std::string&, Count, Buffers, const std::vector<std::string>&>(),
             nb::arg("plan"), nb::arg("direction"), nb::arg("batch").none(), nb::arg("buffers"), nb::arg("scalars"));
    add_run(plan);
    nb::class_<ShortTimeCall> short_time(module, "ShortTimeCall", "The same of a short-time plan.");
    short_time.def(nb::init<const seiche::ShortTimePlan&>(), nb::arg("plan"));
    add_run(short_time);
    nb::class_<ConvolutionCall> convolution(module, "ConvolutionCall",
                                            "The same of a convolution whose kernels change with each call.");
    convolution.def(nb::init<const seiche::ConvolutionPlan&, Count>(), nb::arg("plan"), nb::arg("batch").none());
    add_run(convolution);
}

}  // namespace seichefft
