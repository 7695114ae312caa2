// Plans of short-time transforms.
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"

namespace seichefft {

namespace {

using seiche::BinValue;
using seiche::FrameOrder;
using seiche::FramePadding;
using seiche::ShortTimePlan;
using seiche::ShortTimeProblem;
using Count = std::optional<std::uint64_t>;

/// The one of these whose word it is.
template <class Enumeration>
Enumeration word_of(const char* what, const std::string& word, const std::vector<Enumeration>& all) {
    std::string words;
    for (const Enumeration one : all) {
        if (word == seiche::to_string(one)) return one;
        words += std::string(words.empty() ? "" : ", ") + seiche::to_string(one);
    }
    throw seiche::InvalidProblem(std::string(what) + ": expected one of " + words + ", got '" + word + "'");
}

ShortTimeProblem make_problem(std::uint64_t samples, std::vector<double> window, std::uint64_t hop,
                              const std::string& direction, const std::string& padding, const std::string& value,
                              const std::string& order, std::uint64_t batch, const std::string& precision) {
    ShortTimeProblem problem;
    problem.samples = samples;
    problem.window = std::move(window);
    problem.hop = hop;
    problem.direction = direction_of(direction).value();
    problem.padding =
        word_of<FramePadding>("padding", padding, {FramePadding::none, FramePadding::zeros, FramePadding::reflect});
    problem.value = word_of<BinValue>("value", value, {BinValue::complex, BinValue::power, BinValue::decibels});
    problem.order = word_of<FrameOrder>("order", order, {FrameOrder::frames_first, FrameOrder::frequencies_first});
    problem.batch = batch;
    problem.precision = precision_of(precision);
    return problem;
}

ShortTimePlan make_plan(const seiche::Device& device, const ShortTimeProblem& problem, const std::string& tuning) {
    const seiche::Tuning parsed = seiche::parse_tuning(tuning);
    const WithoutLock released;
    return ShortTimePlan(device, problem, parsed);
}

void execute(const ShortTimePlan& plan, seiche::Queue& queue, nb::handle input, nb::handle output, nb::handle workspace,
             Count batch) {
    const seiche::Device& device = plan.device();
    seiche::ShortTimeExecution execution;
    execution.input = view_of(device, input, plan.input_bytes());
    execution.output = view_of(device, output, plan.output_bytes());
    execution.workspace = view_of(device, workspace, plan.workspace_bytes());
    execution.batch = batch;
    const WithoutLock released;
    plan.execute(queue, execution);
}

ShortTimePlan load(const seiche::Device& device, nb::bytes data) {
    const void* const bytes = data.c_str();
    const std::size_t count = data.size();
    const WithoutLock released;
    return ShortTimePlan::load(device, bytes, count);
}

}  // namespace

void bind_short_time(nb::module_& module) {
    nb::class_<ShortTimeProblem>(module, "ShortTimeProblem", "Frames of signals, and their spectra.")
        .def_static("make", &make_problem, nb::arg("samples"), nb::arg("window"), nb::arg("hop"), nb::kw_only(),
                    nb::arg("direction") = "forward", nb::arg("padding") = "zeros", nb::arg("value") = "complex",
                    nb::arg("order") = "frames-first", nb::arg("batch") = 1, nb::arg("precision") = "f32")
        .def("__str__", [](const ShortTimeProblem& problem) { return seiche::to_string(problem); })
        .def_static("parse", &seiche::parse_short_time, nb::arg("text"), nb::arg("window") = std::vector<double>())
        .def_ro("samples", &ShortTimeProblem::samples)
        .def_ro("window", &ShortTimeProblem::window)
        .def_ro("hop", &ShortTimeProblem::hop)
        .def_ro("batch", &ShortTimeProblem::batch)
        .def_prop_ro("frames", &ShortTimeProblem::frames)
        .def_prop_ro("bins", &ShortTimeProblem::bins)
        .def_prop_ro("is_inverse",
                     [](const ShortTimeProblem& problem) { return problem.direction == seiche::Direction::inverse; })
        .def_prop_ro("padding", [](const ShortTimeProblem& problem) { return seiche::to_string(problem.padding); })
        .def_prop_ro("value", [](const ShortTimeProblem& problem) { return seiche::to_string(problem.value); })
        .def_prop_ro("order", [](const ShortTimeProblem& problem) { return seiche::to_string(problem.order); })
        .def_prop_ro("precision", [](const ShortTimeProblem& problem) { return seiche::to_string(problem.precision); });
    nb::class_<ShortTimePlan>(module, "ShortTimePlan")
        .def_static("make", &make_plan, nb::arg("device"), nb::arg("problem"), nb::arg("tuning") = "")
        .def_static("load", &load, nb::arg("device"), nb::arg("data"))
        .def("save", [](const ShortTimePlan& plan) { return bytes_of(plan.save()); })
        .def("execute", &execute, nb::arg("queue"), nb::arg("input").none(), nb::arg("output").none(),
             nb::arg("workspace").none() = nb::none(), nb::arg("batch") = nb::none(),
             "Enqueues the transform. Memory is a Buffer, a View or an address.")
        .def("input_bytes", &ShortTimePlan::input_bytes)
        .def("output_bytes", &ShortTimePlan::output_bytes)
        .def("workspace_bytes", &ShortTimePlan::workspace_bytes)
        .def_prop_ro("problem", &ShortTimePlan::problem, nb::rv_policy::copy)
        .def_prop_ro("device", &ShortTimePlan::device, nb::rv_policy::copy)
        .def_prop_ro("report", &ShortTimePlan::report, nb::rv_policy::copy);
}

}  // namespace seichefft
