// Spectral plans.
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "bindings.hpp"

namespace seichefft {

namespace {

using seiche::SpectralNumbers;
using seiche::SpectralPlan;
using seiche::SpectralProblem;
using Count = std::optional<std::uint64_t>;
using Modes = std::vector<std::pair<std::int64_t, std::int64_t>>;
using Channels = std::pair<std::uint32_t, std::uint32_t>;
using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
using Words = std::vector<std::string>;

SpectralNumbers numbers_of(const std::string& word) {
    for (const SpectralNumbers one : {SpectralNumbers::real, SpectralNumbers::complex, SpectralNumbers::analytic})
        if (word == seiche::to_string(one)) return one;
    throw seiche::InvalidProblem("numbers: expected real, complex or analytic, got '" + word + "'");
}

std::vector<seiche::SpectralAxisKind> kinds_of(const Words& words) {
    std::vector<seiche::SpectralAxisKind> kinds;
    const int last = static_cast<int>(seiche::SpectralAxisKind::dst4);
    for (const std::string& word : words) {
        int kind = 0;
        while (kind <= last && word != seiche::to_string(static_cast<seiche::SpectralAxisKind>(kind))) ++kind;
        if (kind > last)
            throw seiche::InvalidProblem("kinds: expected periodic, dct1 to dct4 or dst1 to dst4, got '" + word + "'");
        kinds.push_back(static_cast<seiche::SpectralAxisKind>(kind));
    }
    return kinds;
}

Words words_of(const std::vector<seiche::SpectralAxisKind>& kinds) {
    Words words;
    for (const seiche::SpectralAxisKind kind : kinds) words.emplace_back(seiche::to_string(kind));
    return words;
}

seiche::SpectralOrder order_of(const std::string& word) {
    for (const seiche::SpectralOrder one : {seiche::SpectralOrder::points_first, seiche::SpectralOrder::spectrum_first})
        if (word == seiche::to_string(one)) return one;
    throw seiche::InvalidProblem("order: expected points-first or spectrum-first, got '" + word + "'");
}

/// Whole numbers of 64 bits, one after the other.
std::vector<std::int64_t> numbers_in(const nb::bytes& data) {
    std::vector<std::int64_t> numbers(data.size() / sizeof(std::int64_t));
    if (!numbers.empty()) std::memcpy(numbers.data(), data.c_str(), numbers.size() * sizeof(std::int64_t));
    return numbers;
}

seiche::SpectralPart part_of(const std::string& word) {
    using seiche::SpectralPart;
    for (const SpectralPart one :
         {SpectralPart::whole, SpectralPart::forward, SpectralPart::inverse, SpectralPart::gradient})
        if (word == seiche::to_string(one)) return one;
    throw seiche::InvalidProblem("part: expected whole, forward, inverse or gradient, got '" + word + "'");
}

std::vector<seiche::PointRange> ranges_of(const Ranges& ranges) {
    std::vector<seiche::PointRange> result;
    for (const auto& [begin, end] : ranges) result.push_back({begin, end});
    return result;
}

Ranges words_of(const std::vector<seiche::PointRange>& ranges) {
    Ranges result;
    for (const seiche::PointRange& range : ranges) result.emplace_back(range.begin, range.end);
    return result;
}

SpectralProblem make_problem(std::vector<std::uint64_t> lengths, const Ranges& input, const Ranges& output,
                             const std::string& numbers, const seiche::UserStage& load, const seiche::UserStage& middle,
                             const seiche::UserStage& store, double scale, std::uint64_t batch,
                             const std::string& precision, const std::string& storage, const Modes& kept,
                             Channels channels, const Words& kinds, const std::string& order, const nb::bytes& packed,
                             bool sums_in_f64, bool adjoint, const std::string& part) {
    SpectralProblem problem;
    problem.lengths = std::move(lengths);
    problem.input = ranges_of(input);
    problem.output = ranges_of(output);
    problem.numbers = numbers_of(numbers);
    problem.load = load;
    problem.middle = middle;
    problem.store = store;
    problem.scale = scale;
    problem.batch = batch;
    problem.precision = precision_of(precision);
    problem.storage = storage_of(storage);
    for (const auto& [begin, end] : kept) problem.kept.push_back({begin, end});
    problem.channels = {channels.first, channels.second, adjoint};
    problem.kinds = kinds_of(kinds);
    problem.order = order_of(order);
    problem.packed = numbers_in(packed);
    problem.sums_in_f64 = sums_in_f64;
    problem.part = part_of(part);
    return problem;
}

SpectralPlan make_plan(const seiche::Device& device, const SpectralProblem& problem, const std::string& tuning) {
    const seiche::Tuning parsed = seiche::parse_tuning(tuning);
    const WithoutLock released;
    return SpectralPlan(device, problem, parsed);
}

void execute(const SpectralPlan& plan, seiche::Queue& queue, nb::handle input, nb::handle output, nb::handle workspace,
             Count batch, const nb::dict& buffers, const nb::dict& scalars, nb::handle weights, nb::handle sums) {
    const seiche::Device& device = plan.device();
    seiche::SpectralExecution execution;
    execution.input = view_of(device, input, plan.input_bytes(batch));
    execution.output = view_of(device, output, plan.output_bytes(batch));
    execution.workspace = view_of(device, workspace, plan.workspace_bytes(batch));
    execution.weights = view_of(device, weights, plan.weight_bytes(batch));
    execution.sums = view_of(device, sums, plan.sum_bytes(batch));
    execution.batch = batch;
    add_stage_arguments(device, buffers, scalars, execution.stage_buffers, execution.stage_scalars);
    const WithoutLock released;
    plan.execute(queue, execution);
}

SpectralPlan load(const seiche::Device& device, nb::bytes data) {
    const void* const bytes = data.c_str();
    const std::size_t count = data.size();
    const WithoutLock released;
    return SpectralPlan::load(device, bytes, count);
}

}  // namespace

void bind_spectral(nb::module_& module) {
    nb::class_<SpectralProblem>(module, "SpectralProblem",
                                "Forward transform, a stage for each bin, inverse transform.")
        .def_static("make", &make_problem, nb::arg("lengths"), nb::kw_only(), nb::arg("input") = Ranges(),
                    nb::arg("output") = Ranges(), nb::arg("numbers") = "real", nb::arg("load") = seiche::UserStage(),
                    nb::arg("middle") = seiche::UserStage(), nb::arg("store") = seiche::UserStage(),
                    nb::arg("scale") = 1.0, nb::arg("batch") = 1, nb::arg("precision") = "f32",
                    nb::arg("storage") = "same", nb::arg("kept") = Modes(), nb::arg("channels") = Channels(),
                    nb::arg("kinds") = Words(), nb::arg("order") = "points-first", nb::arg("packed") = nb::bytes("", 0),
                    nb::arg("sums_in_f64") = false, nb::arg("adjoint") = false, nb::arg("part") = "whole",
                    "`packed` has whole numbers of 64 bits.")
        .def("__str__", [](const SpectralProblem& problem) { return seiche::to_string(problem); })
        .def_ro("lengths", &SpectralProblem::lengths)
        .def_prop_ro("input", [](const SpectralProblem& problem) { return words_of(problem.input); })
        .def_prop_ro("output", [](const SpectralProblem& problem) { return words_of(problem.output); })
        .def_prop_ro("kept",
                     [](const SpectralProblem& problem) {
                         Modes result;
                         for (const seiche::ModeRange& range : problem.kept)
                             result.emplace_back(range.begin, range.end);
                         return result;
                     })
        .def_prop_ro(
            "channels",
            [](const SpectralProblem& problem) { return Channels(problem.channels.inputs, problem.channels.outputs); })
        .def_prop_ro("kinds", [](const SpectralProblem& problem) { return words_of(problem.kinds); })
        .def_prop_ro("adjoint", [](const SpectralProblem& problem) { return problem.channels.adjoint; })
        .def_prop_ro("part", [](const SpectralProblem& problem) { return seiche::to_string(problem.part); })
        .def_prop_ro("numbers", [](const SpectralProblem& problem) { return seiche::to_string(problem.numbers); })
        .def_prop_ro("order", [](const SpectralProblem& problem) { return seiche::to_string(problem.order); })
        .def_prop_ro("packed_count",
                     [](const SpectralProblem& problem) {
                         return problem.lengths.empty() ? 0 : problem.packed.size() / problem.lengths.size();
                     })
        .def_ro("scale", &SpectralProblem::scale)
        .def_ro("sums_in_f64", &SpectralProblem::sums_in_f64)
        .def_ro("batch", &SpectralProblem::batch)
        .def_prop_ro("precision", [](const SpectralProblem& problem) { return seiche::to_string(problem.precision); })
        .def_prop_ro("storage", [](const SpectralProblem& problem) { return seiche::to_string(problem.storage); });
    nb::class_<SpectralPlan>(module, "SpectralPlan")
        .def_static("make", &make_plan, nb::arg("device"), nb::arg("problem"), nb::arg("tuning") = "")
        .def_static("load", &load, nb::arg("device"), nb::arg("data"))
        .def("execute", &execute, nb::arg("queue"), nb::arg("input").none(), nb::arg("output").none(),
             nb::arg("workspace").none() = nb::none(), nb::arg("batch") = nb::none(), nb::arg("buffers") = nb::dict(),
             nb::arg("scalars") = nb::dict(), nb::arg("weights").none() = nb::none(),
             nb::arg("sums").none() = nb::none(),
             "Enqueues the operator. Memory is a Buffer, a View or an address; buffers are {name: (memory, bytes)}.")
        .def("save", [](const SpectralPlan& plan) { return bytes_of(plan.save()); })
        .def("input_bytes", &SpectralPlan::input_bytes, nb::arg("batch") = nb::none())
        .def("output_bytes", &SpectralPlan::output_bytes, nb::arg("batch") = nb::none())
        .def("workspace_bytes", &SpectralPlan::workspace_bytes, nb::arg("batch") = nb::none())
        .def("weight_bytes", &SpectralPlan::weight_bytes, nb::arg("batch") = nb::none())
        .def("sum_bytes", &SpectralPlan::sum_bytes, nb::arg("batch") = nb::none())
        .def_prop_ro("sum_names", &SpectralPlan::sum_names)
        .def_prop_ro("problem", &SpectralPlan::problem, nb::rv_policy::copy)
        .def_prop_ro("device", &SpectralPlan::device, nb::rv_policy::copy)
        .def_prop_ro("report", &SpectralPlan::report, nb::rv_policy::copy);
}

}  // namespace seichefft
