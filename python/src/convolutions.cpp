// Convolution plans.
#include <nanobind/ndarray.h>

#include <algorithm>
#include <seiche/interop/cpu.hpp>
#include <string>

#include "bindings.hpp"

namespace seichefft {

namespace {

using seiche::ConvolutionPlan;
using Count = std::optional<std::uint64_t>;

ConvolutionPlan make_plan(const seiche::Device& device, const seiche::Convolution& convolution,
                          const std::string& tuning) {
    const seiche::Tuning parsed = seiche::parse_tuning(tuning);
    const WithoutLock released;
    return ConvolutionPlan(device, convolution, parsed);
}

void prepare(const ConvolutionPlan& plan, seiche::Queue& queue, nb::handle kernels, nb::handle spectrum,
             nb::handle workspace) {
    const seiche::Device& device = plan.device();
    seiche::ConvolutionPreparation preparation;
    preparation.kernels = view_of(device, kernels, plan.kernel_bytes());
    preparation.spectrum = view_of(device, spectrum, plan.spectrum_bytes());
    preparation.workspace = view_of(device, workspace, plan.preparation_bytes());
    const WithoutLock released;
    plan.prepare(queue, preparation);
}

void execute(const ConvolutionPlan& plan, seiche::Queue& queue, nb::handle input, nb::handle spectrum,
             nb::handle output, nb::handle workspace, Count batch) {
    const seiche::Device& device = plan.device();
    seiche::ConvolutionExecution execution;
    execution.input = view_of(device, input, plan.input_bytes(batch));
    execution.spectrum = view_of(device, spectrum, plan.spectrum_bytes());
    execution.output = view_of(device, output, plan.output_bytes(batch));
    execution.workspace = view_of(device, workspace, plan.workspace_bytes(batch));
    execution.batch = batch;
    const WithoutLock released;
    plan.execute(queue, execution);
}

/// An element of the input, or of the kernels, which in frequency are complex.
seiche::HostElement element_of(const seiche::Convolution& convolution, bool complex) {
    using seiche::HostElement;
    const std::uint64_t bytes = seiche::stored_bytes(convolution.precision, convolution.storage);
    if (convolution.storage == seiche::Storage::bf16) return complex ? HostElement::complex_bf16 : HostElement::bf16;
    if (bytes == 2) return complex ? HostElement::complex_f16 : HostElement::f16;
    if (bytes == 4) return complex ? HostElement::complex_f32 : HostElement::f32;
    if (bytes == 8) return complex ? HostElement::complex_f64 : HostElement::f64;
    return complex ? HostElement::complex_f64x2 : HostElement::f64x2;
}

void run(const ConvolutionPlan& plan, std::uintptr_t input, std::uintptr_t kernels, std::uintptr_t output) {
    const seiche::Convolution& convolution = plan.convolution();
    const bool complex = convolution.complex;
    const bool complex_kernels = complex || convolution.domain == seiche::KernelDomain::frequency;
    const std::uint64_t number = seiche::stored_bytes(convolution.precision, convolution.storage);
    const auto count = [number](std::uint64_t bytes, bool of_complex) {
        return static_cast<std::size_t>(bytes / (of_complex ? 2 * number : number));
    };
    const seiche::HostArray signal{reinterpret_cast<const void*>(input), count(plan.input_bytes(), complex),
                                   element_of(convolution, complex)};
    const seiche::HostArray kernel{reinterpret_cast<const void*>(kernels), count(plan.kernel_bytes(), complex_kernels),
                                   element_of(convolution, complex_kernels)};
    const WithoutLock released;
    plan.run(signal, kernel, reinterpret_cast<void*>(output));
}

constexpr std::uint64_t alignment = 64;
std::uint64_t aligned(std::uint64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

/// Bytes that `run_on_processor` works in: the spectra, and behind them what either step takes.
std::uint64_t host_bytes(const ConvolutionPlan& plan) {
    return aligned(plan.spectrum_bytes()) + std::max(plan.preparation_bytes(), plan.workspace_bytes());
}

/// On the processor, on arrays where they lie.
void run_on_processor(const ConvolutionPlan& plan, std::uintptr_t input, std::uintptr_t kernels, std::uintptr_t output,
                      std::uintptr_t memory) {
    if (plan.output_bytes() == 0) return;
    const seiche::Device& device = plan.device();
    const auto view = [&](std::uintptr_t address, std::uint64_t bytes) {
        return bytes == 0 ? seiche::BufferView()
                          : seiche::BufferView(seiche::cpu::buffer(device, reinterpret_cast<void*>(address), bytes));
    };
    const std::uintptr_t behind = memory + aligned(plan.spectrum_bytes());
    seiche::ConvolutionPreparation preparation;
    preparation.kernels = view(kernels, plan.kernel_bytes());
    preparation.spectrum = view(memory, plan.spectrum_bytes());
    preparation.workspace = view(behind, plan.preparation_bytes());
    seiche::ConvolutionExecution execution;
    execution.input = view(input, plan.input_bytes());
    execution.spectrum = preparation.spectrum;
    execution.output = view(output, plan.output_bytes());
    execution.workspace = view(behind, plan.workspace_bytes());
    const WithoutLock released;
    seiche::Queue queue = device.create_queue();
    plan.prepare(queue, preparation);
    plan.execute(queue, execution);
}

ConvolutionPlan load(const seiche::Device& device, nb::bytes data) {
    const void* const bytes = data.c_str();
    const std::size_t count = data.size();
    const WithoutLock released;
    return ConvolutionPlan::load(device, bytes, count);
}

}  // namespace

void bind_convolutions(nb::module_& module) {
    using seiche::Convolution;
    using Input = nb::ndarray<nb::ro, nb::device::cpu>;
    using Output = nb::ndarray<nb::device::cpu>;
    nb::class_<Convolution>(module, "Convolution", "What is to be convolved.")
        .def_static("parse", &seiche::parse_convolution, nb::arg("text"))
        .def("__str__", [](const Convolution& convolution) { return seiche::to_string(convolution); })
        .def_ro("signal", &Convolution::signal)
        .def_ro("kernel", &Convolution::kernel)
        .def_ro("complex", &Convolution::complex)
        .def_ro("inputs", &Convolution::inputs)
        .def_ro("outputs", &Convolution::outputs)
        .def_ro("batch", &Convolution::batch)
        .def_prop_ro("precision", [](const Convolution& c) { return seiche::to_string(c.precision); })
        .def_prop_ro("storage", [](const Convolution& c) { return seiche::to_string(c.storage); })
        .def_prop_ro("is_frequency", [](const Convolution& c) { return c.domain == seiche::KernelDomain::frequency; })
        .def_prop_ro("result_lengths", &seiche::result_lengths)
        .def_prop_ro("kernel_count", &seiche::kernel_count);
    nb::class_<ConvolutionPlan>(module, "ConvolutionPlan")
        .def_static("make", &make_plan, nb::arg("device"), nb::arg("convolution"), nb::arg("tuning") = "")
        .def_static("load", &load, nb::arg("device"), nb::arg("data"))
        .def("prepare", &prepare, nb::arg("queue"), nb::arg("kernels"), nb::arg("spectrum"),
             nb::arg("workspace").none() = nb::none())
        .def("execute", &execute, nb::arg("queue"), nb::arg("input"), nb::arg("spectrum"), nb::arg("output"),
             nb::arg("workspace").none() = nb::none(), nb::arg("batch") = nb::none())
        .def(
            "host",
            [](const ConvolutionPlan& plan, const Input& x, const Input& kernels, const Output& out,
               std::uintptr_t memory) {
                const auto address = [](const auto& array) { return reinterpret_cast<std::uintptr_t>(array.data()); };
                run_on_processor(plan, address(x), address(kernels), address(out), memory);
            },
            nb::arg("x"), nb::arg("kernels"), nb::arg("out"), nb::arg("memory"),
            "On the processor, on dense arrays of the host and `host_bytes` of its memory; waits.")
        .def("host_bytes", &host_bytes)
        .def("run", &run, nb::arg("input"), nb::arg("kernels"), nb::arg("output"), "On addresses of the host; waits.")
        .def("save", [](const ConvolutionPlan& plan) { return bytes_of(plan.save()); })
        .def("input_bytes", &ConvolutionPlan::input_bytes, nb::arg("batch") = nb::none())
        .def("output_bytes", &ConvolutionPlan::output_bytes, nb::arg("batch") = nb::none())
        .def("workspace_bytes", &ConvolutionPlan::workspace_bytes, nb::arg("batch") = nb::none())
        .def("kernel_bytes", &ConvolutionPlan::kernel_bytes)
        .def("spectrum_bytes", &ConvolutionPlan::spectrum_bytes)
        .def("preparation_bytes", &ConvolutionPlan::preparation_bytes)
        .def_prop_ro("convolution", &ConvolutionPlan::convolution, nb::rv_policy::copy)
        .def_prop_ro("device", &ConvolutionPlan::device, nb::rv_policy::copy)
        .def_prop_ro("padded_lengths", &ConvolutionPlan::padded_lengths)
        .def_prop_ro("report", &ConvolutionPlan::report, nb::rv_policy::copy);
}

}  // namespace seichefft
