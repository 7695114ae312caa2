// Plans: made from a problem on a device, run on memory by address, saved and loaded.
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"

namespace seichefft {

void add_stage_arguments(const seiche::Device& device, const nb::dict& buffers, const nb::dict& scalars,
                         std::vector<seiche::StageBufferArgument>& stage_buffers,
                         std::vector<seiche::StageScalarArgument>& stage_scalars) {
    for (const auto& [name, memory] : buffers) {
        const auto [address, bytes] = nb::cast<std::pair<nb::object, std::uint64_t>>(memory);
        stage_buffers.push_back({nb::cast<std::string>(name), view_of(device, address, bytes)});
    }
    for (const auto& [name, value] : scalars)
        stage_scalars.push_back({nb::cast<std::string>(name), nb::cast<double>(value)});
}

namespace {

using seiche::Plan;
using Count = std::optional<std::uint64_t>;
using Word = std::optional<std::string>;

Plan make_plan(const seiche::Device& device, const seiche::Problem& problem, const std::string& directions,
               const std::string& tuning) {
    seiche::PlanOptions options;
    options.directions = directions_of(directions);
    options.tuning = seiche::parse_tuning(tuning);
    const WithoutLock released;
    return Plan(device, problem, options);
}

/// An array: one memory, or a list of those that it lies in.
void set_array(const seiche::Device& device, nb::handle memory, std::uint64_t bytes,
               const std::vector<std::uint64_t>& part_bytes, seiche::BufferView& whole,
               std::vector<seiche::BufferView>& parts) {
    if (!nb::isinstance<nb::list>(memory)) {
        whole = view_of(device, memory, bytes);
        return;
    }
    std::size_t part = 0;
    for (const nb::handle one : nb::borrow<nb::list>(memory)) {
        parts.push_back(view_of(device, one, part < part_bytes.size() ? part_bytes[part] : 0));
        ++part;
    }
}

void execute(const Plan& plan, seiche::Queue& queue, const Word& direction, nb::handle input, nb::handle output,
             nb::handle workspace, Count batch, const nb::dict& buffers, const nb::dict& scalars,
             nb::handle input_imaginary, nb::handle output_imaginary) {
    const seiche::Device& device = plan.device();
    seiche::Execution execution;
    execution.direction = direction_of(direction);
    set_array(device, input, plan.input_bytes(batch), plan.input_part_bytes(batch), execution.input,
              execution.input_parts);
    set_array(device, output, plan.output_bytes(batch), plan.output_part_bytes(batch), execution.output,
              execution.output_parts);
    execution.workspace = view_of(device, workspace, plan.workspace_bytes(batch));
    execution.input_imaginary = view_of(device, input_imaginary, plan.input_bytes(batch));
    execution.output_imaginary = view_of(device, output_imaginary, plan.output_bytes(batch));
    execution.batch = batch;
    add_stage_arguments(device, buffers, scalars, execution.stage_buffers, execution.stage_scalars);
    const WithoutLock released;
    plan.execute(queue, execution);
}

std::vector<nb::dict> source_of(const Plan& plan, const std::string& dialect, const Word& direction) {
    std::vector<nb::dict> kernels;
    for (const seiche::Dialect one :
         {seiche::Dialect::cuda, seiche::Dialect::hip, seiche::Dialect::opencl, seiche::Dialect::spirv,
          seiche::Dialect::spirv_opencl, seiche::Dialect::glsl, seiche::Dialect::glsl_es, seiche::Dialect::ptx,
          seiche::Dialect::x86, seiche::Dialect::arm64}) {
        if (dialect != seiche::to_string(one)) continue;
        for (const seiche::EmittedKernel& kernel :
             seiche::emit_kernels(plan.problem(), one, plan.device().limits(), direction_of(direction))) {
            nb::dict entry;
            entry["name"] = kernel.name;
            entry["source"] = kernel.source;
            entry["words"] = nb::bytes(kernel.words.data(), kernel.words.size() * sizeof(std::uint32_t));
            entry["groups"] = kernel.groups;
            entry["group_size"] = kernel.group_size;
            entry["shared_bytes"] = kernel.shared_bytes;
            kernels.push_back(entry);
        }
        return kernels;
    }
    throw seiche::InvalidProblem(
        "dialect: expected cuda, hip, opencl, spirv, spirv_opencl, glsl, glsl_es, ptx, x86 or " +
        std::string("arm64, got '") + dialect + "'");
}

Plan load(const seiche::Device& device, nb::bytes data) {
    const void* const bytes = data.c_str();
    const std::size_t count = data.size();
    const WithoutLock released;
    return Plan::load(device, bytes, count);
}

}  // namespace

void bind_plans(nb::module_& module) {
    nb::class_<Plan>(module, "Plan", "A problem made ready to run on a device. Immutable; threads may share it.")
        .def_static("make", &make_plan, nb::arg("device"), nb::arg("problem"), nb::arg("directions") = "both",
                    nb::arg("tuning") = "")
        .def_static("load", &load, nb::arg("device"), nb::arg("data"))
        .def("execute", &execute, nb::arg("queue"), nb::arg("direction").none(), nb::arg("input").none(),
             nb::arg("output").none(), nb::arg("workspace").none() = nb::none(), nb::arg("batch") = nb::none(),
             nb::arg("buffers") = nb::dict(), nb::arg("scalars") = nb::dict(),
             nb::arg("input_imaginary").none() = nb::none(), nb::arg("output_imaginary").none() = nb::none(),
             "Enqueues the transform. Memory is a Buffer, a View or an address, of an array in parts a list of them; "
             "buffers are {name: (memory, bytes)}.")
        .def("workspace_bytes", &Plan::workspace_bytes, nb::arg("batch") = nb::none())
        .def("input_bytes", &Plan::input_bytes, nb::arg("batch") = nb::none())
        .def("output_bytes", &Plan::output_bytes, nb::arg("batch") = nb::none())
        .def("input_part_bytes", &Plan::input_part_bytes, nb::arg("batch") = nb::none())
        .def("output_part_bytes", &Plan::output_part_bytes, nb::arg("batch") = nb::none())
        .def("spectrum_index", &Plan::spectrum_index, nb::arg("axis"), nb::arg("position"))
        .def("warm_up", &Plan::warm_up, nb::call_guard<WithoutLock>())
        .def("save", [](const Plan& plan) { return bytes_of(plan.save()); })
        .def("source", &source_of, nb::arg("dialect"), nb::arg("direction") = nb::none())
        .def_prop_ro("problem", &Plan::problem, nb::rv_policy::copy)
        .def_prop_ro("device", &Plan::device, nb::rv_policy::copy)
        .def_prop_ro("report", &Plan::report, nb::rv_policy::copy);
}

}  // namespace seichefft
