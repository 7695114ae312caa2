// The module seichefft._distributed: boxes, ranks, plans and redistributions of libseiche_distributed. Memory, queues,
// devices and problems are those of seichefft._native.
#include <nanobind/stl/shared_ptr.h>

#include <chrono>
#include <seiche/distributed/ipc.hpp>
#include <seiche/distributed/nccl.hpp>
#include <seiche/distributed/peers.hpp>
#include <seiche/distributed/plan.hpp>
#include <seiche/distributed/redistribution.hpp>
#include <utility>

#include "bindings.hpp"
#include "distributed_mpi.hpp"

namespace seichefft {

namespace {

using seiche::distributed::Box;
using seiche::distributed::Communicator;
using seiche::distributed::DistributedPlan;
using seiche::distributed::Redistribution;
using Ranks = std::shared_ptr<Communicator>;
using Boxes = std::vector<Box>;
using Lengths = std::vector<std::uint64_t>;

/// It lives as long as the process, as Python's own exceptions do.
PyObject* absent_type = nullptr;

void translate(const std::exception_ptr& thrown, void*) {
    try {
        std::rethrow_exception(thrown);
    } catch (const seiche::distributed::AbsentRank& error) {
        nb::object value = nb::borrow(absent_type)(error.reason());
        value.attr("rank") = error.rank;
        PyErr_SetObject(absent_type, value.ptr());
    }
}

void bind_absent_rank(nb::module_& module) {
    const nb::object base = nb::module_::import_("seichefft._native").attr("Error");
    absent_type = PyErr_NewExceptionWithDoc("seichefft.distributed.AbsentRank",
                                            "A rank did not take part in time, or ended; `rank` is its number.",
                                            base.ptr(), nullptr);
    if (absent_type == nullptr) throw nb::python_error();
    module.attr("AbsentRank") = nb::borrow(absent_type);
    nb::register_exception_translator(translate);
}

void bind_boxes(nb::module_& module) {
    nb::class_<Box>(module, "Box", "The elements `lower` to `upper` - 1 along each axis: a rank's part of an array.")
        .def(
            "__init__",
            [](Box* self, Lengths lower, Lengths upper) {
                if (lower.size() != upper.size())
                    throw seiche::InvalidProblem("box: expected as many upper bounds as lower ones, " +
                                                 std::to_string(lower.size()) + ", got " +
                                                 std::to_string(upper.size()));
                for (std::size_t axis = 0; axis < lower.size(); ++axis)
                    if (upper[axis] < lower[axis])
                        throw seiche::InvalidProblem("box: expected an upper bound of " + std::to_string(lower[axis]) +
                                                     " or more along axis " + std::to_string(axis) + ", got " +
                                                     std::to_string(upper[axis]));
                new (self) Box{std::move(lower), std::move(upper)};
            },
            nb::arg("lower"), nb::arg("upper"))
        .def_prop_ro("lower", [](const Box& box) { return nb::tuple(nb::cast(box.lower)); })
        .def_prop_ro("upper", [](const Box& box) { return nb::tuple(nb::cast(box.upper)); })
        .def_prop_ro("shape",
                     [](const Box& box) {
                         Lengths extents;
                         for (std::size_t axis = 0; axis < box.lower.size(); ++axis)
                             extents.push_back(box.extent(axis));
                         return nb::tuple(nb::cast(extents));
                     })
        .def_prop_ro(
            "slices",
            [](const Box& box) {
                nb::list slices;
                for (std::size_t axis = 0; axis < box.lower.size(); ++axis)
                    slices.append(nb::slice(nb::cast(box.lower[axis]), nb::cast(box.upper[axis]), nb::none()));
                return nb::tuple(slices);
            },
            "What indexes the whole array for this part of it.")
        .def("__eq__",
             [](const Box& box, nb::object other) {
                 const Box* same = nullptr;
                 return nb::try_cast(other, same) && *same == box;
             })
        .def("__hash__", [](const Box& box) { return std::hash<std::string>()(seiche::distributed::to_string(box)); })
        .def("__repr__", [](const Box& box) { return "<Box " + seiche::distributed::to_string(box) + ">"; });
    module.def("grid", &seiche::distributed::grid, nb::arg("lengths"), nb::arg("parts"));
    module.def("slab", &seiche::distributed::slab, nb::arg("lengths"), nb::arg("axis"), nb::arg("ranks"));
    module.def("pencils", &seiche::distributed::pencils, nb::arg("lengths"), nb::arg("axes"), nb::arg("p"),
               nb::arg("q"));
    module.def("bricks", &seiche::distributed::bricks, nb::arg("lengths"), nb::arg("axes"), nb::arg("p"), nb::arg("q"),
               nb::arg("r"));
}

std::vector<Ranks> thread_ranks(int count, std::uint64_t milliseconds, const std::string& transport) {
    using seiche::distributed::Transport;
    seiche::distributed::ThreadOptions options;
    options.time_limit = std::chrono::milliseconds(milliseconds);
    if (transport == "host") {
        options.transport = Transport::host;
    } else if (transport == "peer") {
        options.transport = Transport::peer;
    } else if (transport != "automatic") {
        throw seiche::InvalidProblem("transport: expected 'automatic', 'host' or 'peer', got '" + transport + "'");
    }
    return seiche::distributed::thread_ranks(count, options);
}

/// What `self` keeps for its ranks, the part keeps too.
nb::object split(nb::handle self, int color, int key) {
    auto& ranks = nb::cast<Communicator&>(self);
    Ranks part;
    {
        const WithoutLock released;
        part = ranks.split(color, key);
    }
    nb::object result = nb::cast(part);
    if (part != nullptr && nb::hasattr(self, "kept")) result.attr("kept") = self.attr("kept");
    return result;
}

void bind_ranks(nb::module_& module) {
    nb::class_<Communicator>(module, "Communicator", nb::dynamic_attr(),
                             "One rank's end of a group of ranks; one thread uses it at a time.")
        .def_prop_ro("rank", &Communicator::rank)
        .def_prop_ro("size", &Communicator::size)
        .def("barrier", &Communicator::barrier, nb::call_guard<WithoutLock>(), "Returns when all ranks have called it.")
        .def("split", &split, nb::arg("color"), nb::arg("key") = 0,
             nb::sig("def split(self, color: int, key: int = 0) -> Communicator | None"),
             "The ranks that give the same color, in the order of their keys; None for a color below 0.")
        .def_prop_ro("transport", &Communicator::transport,
                     "How bytes went in the last exchange: 'peer copies', \"the host's memory\"; '' before the first.");
    module.def("thread_ranks", &thread_ranks, nb::arg("count"), nb::arg("milliseconds"), nb::arg("transport"));
    module.def("mpi_ranks", &mpi_ranks, nb::arg("library"), nb::arg("handle"), nb::arg("handle_bytes"),
               nb::arg("is_standard"), nb::arg("milliseconds"), nb::arg("reads_device_memory"),
               nb::call_guard<WithoutLock>());
    module.def(
        "nccl_ranks",
        [](Ranks ranks, const seiche::Device& device, const std::string& library) {
            return seiche::distributed::nccl_ranks(std::move(ranks), device, {library});
        },
        nb::arg("ranks"), nb::arg("device"), nb::arg("library"), nb::call_guard<WithoutLock>());
    module.def(
        "ipc_ranks",
        [](Ranks ranks, const seiche::Device& device) {
            return seiche::distributed::ipc_ranks(std::move(ranks), device);
        },
        nb::arg("ranks"), nb::arg("device"), nb::call_guard<WithoutLock>());
}

DistributedPlan make_plan(const seiche::Device& device, const seiche::Problem& problem, const Boxes& input,
                          const Boxes& output, Ranks ranks, bool is_forward, const std::string& decomposition,
                          std::optional<std::uint64_t> pieces, const std::optional<std::string>& fabric) {
    using seiche::distributed::Decomposition;
    seiche::distributed::DistributedOptions options;
    options.directions = is_forward ? seiche::Directions::forward : seiche::Directions::inverse;
    options.pieces = pieces;
    if (fabric) options.fabric = seiche::distributed::parse_fabric(*fabric);
    if (decomposition == "slabs") {
        options.decomposition = Decomposition::slabs;
    } else if (decomposition == "pencils") {
        options.decomposition = Decomposition::pencils;
    } else if (decomposition == "four_step") {
        options.decomposition = Decomposition::four_step;
    } else if (decomposition != "any") {
        throw seiche::InvalidProblem("decomposition: expected 'any', 'slabs', 'pencils' or 'four_step', got '" +
                                     decomposition + "'");
    }
    const WithoutLock released;
    return DistributedPlan(device, problem, {input, output}, std::move(ranks), options);
}

seiche::BufferView view_or_none(const seiche::BufferView* view) {
    return view == nullptr ? seiche::BufferView() : *view;
}

void execute_plan(const DistributedPlan& plan, seiche::Queue& queue, const seiche::BufferView* input,
                  const seiche::BufferView* output, const seiche::BufferView* workspace) {
    seiche::distributed::DistributedExecution execution;
    execution.input = view_or_none(input);
    execution.output = view_or_none(output);
    execution.workspace = view_or_none(workspace);
    const WithoutLock released;
    plan.execute(queue, execution);
}

void bind_plans_of_ranks(nb::module_& module) {
    nb::class_<DistributedPlan>(module, "Plan", "One rank's part of a transform in one direction.")
        .def_static("make", &make_plan, nb::arg("device"), nb::arg("problem"), nb::arg("input"), nb::arg("output"),
                    nb::arg("ranks"), nb::arg("is_forward"), nb::arg("decomposition"), nb::arg("pieces").none(),
                    nb::arg("fabric").none())
        .def("execute", &execute_plan, nb::arg("queue"), nb::arg("input").none(), nb::arg("output").none(),
             nb::arg("workspace").none())
        .def_prop_ro("input_bytes", &DistributedPlan::input_bytes)
        .def_prop_ro("output_bytes", &DistributedPlan::output_bytes)
        .def_prop_ro("workspace_bytes", &DistributedPlan::workspace_bytes)
        .def("spectrum_index", &DistributedPlan::spectrum_index, nb::arg("axis"), nb::arg("position"))
        .def_prop_ro("exchanges", &DistributedPlan::exchanges)
        .def_prop_ro("bytes_sent", &DistributedPlan::bytes_sent)
        .def_prop_ro("bytes_copied", &DistributedPlan::bytes_copied)
        .def("describe", &DistributedPlan::describe);
}

Redistribution make_redistribution(const seiche::Device& device, const std::string& precision, bool is_complex,
                                   const Lengths& lengths, const Boxes& from, const Boxes& to, Ranks ranks,
                                   std::uint64_t batch) {
    seiche::distributed::Element element;
    element.precision = precision == "f64" ? seiche::Precision::f64 : seiche::Precision::f32;
    element.is_complex = is_complex;
    const WithoutLock released;
    return Redistribution(device, element, lengths, from, to, std::move(ranks), batch);
}

void execute_redistribution(const Redistribution& plan, seiche::Queue& queue, const seiche::BufferView* input,
                            const seiche::BufferView* output, const seiche::BufferView* workspace) {
    const WithoutLock released;
    plan.execute(queue, view_or_none(input), view_or_none(output), view_or_none(workspace));
}

void bind_redistributions(nb::module_& module) {
    nb::class_<Redistribution>(module, "Redistribution", "One rank's part of a move from boxes to others.")
        .def_static("make", &make_redistribution, nb::arg("device"), nb::arg("precision"), nb::arg("is_complex"),
                    nb::arg("lengths"), nb::arg("source"), nb::arg("target"), nb::arg("ranks"), nb::arg("batch"))
        .def("execute", &execute_redistribution, nb::arg("queue"), nb::arg("input").none(), nb::arg("output").none(),
             nb::arg("workspace").none())
        .def_prop_ro("input_bytes", &Redistribution::input_bytes)
        .def_prop_ro("output_bytes", &Redistribution::output_bytes)
        .def_prop_ro("workspace_bytes", &Redistribution::workspace_bytes)
        .def_prop_ro("bytes_sent", &Redistribution::bytes_sent);
}

}  // namespace

}  // namespace seichefft

NB_MODULE(_distributed, module) {
    nanobind::set_leak_warnings(false);
    nanobind::module_::import_("seichefft._native");  // whose types the calls below take
    module.doc() = "The library behind seichefft.distributed.";
    seichefft::watch_the_end();
    seichefft::bind_absent_rank(module);
    seichefft::bind_boxes(module);
    seichefft::bind_ranks(module);
    seichefft::bind_plans_of_ranks(module);
    seichefft::bind_redistributions(module);
}
