// Reports: what a plan is made of, and its flow graph.
#include <string>

#include "bindings.hpp"

namespace seichefft {

namespace {

nb::dict node_of(const seiche::FlowNode& node) {
    nb::dict result;
    result["from"] = node.from;
    result["to"] = node.to;
    result["thread"] = node.thread;
    return result;
}

nb::dict step_of(const seiche::FlowStep& step) {
    nb::dict result;
    nb::list nodes;
    for (const seiche::FlowNode& node : step.nodes) nodes.append(node_of(node));
    result["text"] = step.text;
    result["radix"] = step.radix;
    result["lines"] = step.lines;
    result["exchange"] = seiche::to_string(step.before.level);
    result["is_butterflies"] = step.kind == seiche::FlowKind::butterflies;
    result["nodes"] = nodes;
    return result;
}

nb::dict flow_of(const seiche::Problem& problem, const seiche::DeviceLimits& limits, const seiche::Tuning& tuning,
                 std::uint32_t most_lines) {
    const seiche::Explanation explanation = seiche::explain(problem, limits, tuning, most_lines);
    nb::dict result;
    nb::list kernels;
    for (const seiche::KernelFlow& kernel : explanation.kernels) {
        nb::dict entry;
        nb::list steps;
        for (const seiche::FlowStep& step : kernel.steps) steps.append(step_of(step));
        entry["name"] = kernel.kernel.name;
        entry["source"] = kernel.source;
        entry["target"] = kernel.target;
        entry["steps"] = steps;
        kernels.append(entry);
    }
    result["kernels"] = kernels;
    result["lines"] = explanation.lines;
    result["no_graph"] = explanation.no_graph;
    return result;
}

void bind_kernel_report(nb::module_& module) {
    using seiche::KernelReport;
    nb::class_<KernelReport>(module, "KernelReport", "What one kernel launch is and does, for the problem's batch.")
        .def_ro("name", &KernelReport::name)
        .def_ro("spec", &KernelReport::spec)
        .def_ro("groups", &KernelReport::groups)
        .def_ro("group_size", &KernelReport::group_size)
        .def_ro("shared_bytes", &KernelReport::shared_bytes)
        .def_ro("bytes_read", &KernelReport::bytes_read)
        .def_ro("bytes_written", &KernelReport::bytes_written)
        .def_ro("table_bytes", &KernelReport::table_bytes)
        .def_ro("instructions", &KernelReport::instructions)
        .def_prop_ro("direction", [](const KernelReport& kernel) {
            return kernel.direction == seiche::Direction::forward ? "forward" : "inverse";
        });
}

}  // namespace

void bind_reports(nb::module_& module) {
    using seiche::PlanReport;
    bind_kernel_report(module);
    nb::class_<PlanReport>(module, "PlanReport", "What a plan is made of.")
        .def_ro("problem", &PlanReport::problem)
        .def_ro("recipe", &PlanReport::recipe)
        .def_ro("kernels", &PlanReport::kernels)
        .def_ro("spectrum_digits", &PlanReport::spectrum_digits)
        .def_ro("workspace_bytes", &PlanReport::workspace_bytes)
        .def_ro("ideal_bytes", &PlanReport::ideal_bytes,
                "Each input element read once, each output element written once.")
        .def_ro("moved_bytes", &PlanReport::moved_bytes, "What one execution moves.")
        .def_ro("plan_milliseconds", &PlanReport::plan_milliseconds)
        .def_ro("compiled", &PlanReport::compiled)
        .def_ro("cached", &PlanReport::cached)
        .def_ro("loaded", &PlanReport::loaded)
        .def_ro("replanned", &PlanReport::replanned)
        .def("__str__", &PlanReport::text);
    module.def(
        "flow",
        [](const seiche::Problem& problem, const seiche::Device& device, const std::string& tuning,
           std::uint32_t most_lines) {
            return flow_of(problem, device.limits(), seiche::parse_tuning(tuning), most_lines);
        },
        nb::arg("problem"), nb::arg("device"), nb::arg("tuning") = "", nb::arg("most_lines") = 64,
        "The flow graph of what a plan does, as nested dictionaries.");
}

}  // namespace seichefft
