// Calls: a plan with everything that its executions have in common worked out, so that one more costs little.
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <seiche/interop/cpu.hpp>
#include <string>
#include <type_traits>
#include <utility>

#include "bindings.hpp"
#include "workspace.hpp"

namespace seichefft {

namespace {

using seiche::HostElement;

/// What the elements of an array of the plan are, for a plan that runs on memory of the host.
HostElement element_of(const seiche::Problem& problem, bool is_real) {
    using seiche::Precision;
    using seiche::Storage;
    const Storage storage = problem.storage;
    if (storage == Storage::f16 || (storage == Storage::same && problem.precision == Precision::f16))
        return is_real ? HostElement::f16 : HostElement::complex_f16;
    if (storage == Storage::bf16) return is_real ? HostElement::bf16 : HostElement::complex_bf16;
    const std::uint64_t bytes = seiche::stored_bytes(problem.precision, storage);
    if (bytes == 4) return is_real ? HostElement::f32 : HostElement::complex_f32;
    if (bytes == 8) return is_real ? HostElement::f64 : HostElement::complex_f64;
    return is_real ? HostElement::f64x2 : HostElement::complex_f64x2;
}

/// Bytes from the lowest element of an array to its first one, which is what callers name; 0 where no stride is below
/// 0.
std::uint64_t bytes_before(const seiche::Layout& layout) {
    const auto goes_back = [](std::int64_t stride) { return stride < 0; };
    const bool has_before =
        goes_back(layout.batch_distance) || std::any_of(layout.strides.begin(), layout.strides.end(), goes_back);
    return has_before ? layout.byte_offset : 0;
}

class Call {
public:
    Call(seiche::Plan plan, const std::optional<std::string>& direction)
        : plan_(std::move(plan)), device_(plan_.device()), direction_(direction_of(direction)) {
        const seiche::Problem& problem = plan_.problem();
        const bool real_to_real = seiche::is_real_to_real(problem.kind);
        const bool real_signal = problem.kind == seiche::Kind::r2c || problem.kind == seiche::Kind::ihfft;
        const bool real_result = problem.kind == seiche::Kind::c2r || problem.kind == seiche::Kind::hfft;
        const std::uint64_t number = seiche::stored_bytes(problem.precision, problem.storage);
        input_is_real_ = real_to_real || real_signal;
        output_is_real_ = real_to_real || real_result;
        input_unit_ = input_is_real_ ? number : 2 * number;
        number_ = number > 8 ? 8 : number;
        in_place_ = problem.placement == seiche::Placement::in_place;
        input_before_ = bytes_before(problem.input);
        output_before_ = bytes_before(problem.output);
        is_cpu_ = device_.info().backend == seiche::Backend::cpu;
        input_bytes_ = plan_.input_bytes();
        output_bytes_ = plan_.output_bytes();
        workspace_bytes_ = plan_.workspace_bytes();
    }

    /// Runs on memory that the device reaches, on its stream. It returns at once where the device is not the host.
    void enqueue(std::uintptr_t input, std::uintptr_t output, std::uintptr_t workspace,
                 const std::optional<std::uintptr_t>& stream) const {
        const WithoutLock released;
        seiche::Queue queue = queue_of(device_, stream);
        execute(queue, reinterpret_cast<void*>(input), reinterpret_cast<void*>(output),
                reinterpret_cast<void*>(workspace));
    }

    /// The same on views of the caller's OpenCL memory and queue, after these events; the event that it is complete.
    std::uintptr_t enqueue_views(const seiche::BufferView& input, const std::optional<seiche::BufferView>& output,
                                 const std::optional<seiche::BufferView>& workspace, std::uintptr_t stream,
                                 const std::vector<std::uintptr_t>& events) const {
        seiche::Queue queue = queue_of(device_, stream);
        wait_for_events(queue, events);
        seiche::Execution execution;
        execution.direction = direction_;
        execution.input = seiche::BufferView(input.buffer, input.byte_offset - input_before_);
        if (output) execution.output = seiche::BufferView(output->buffer, output->byte_offset - output_before_);
        if (in_place_) execution.output = {};
        if (workspace) execution.workspace = *workspace;
        {
            const WithoutLock released;
            plan_.execute(queue, execution);
        }
        return record_event(queue);
    }

    /// Runs on memory of the host, and waits. False where an array's numbers lie at no multiple of their size.
    bool host(const void* input, void* output) const {
        const auto places = reinterpret_cast<std::uintptr_t>(input) | reinterpret_cast<std::uintptr_t>(output);
        if (places % number_ != 0) return false;
        const WithoutLock released;
        if (is_cpu_) {
            seiche::Queue queue = device_.create_queue();
            const Workspace workspace(workspace_bytes_);
            execute(queue, const_cast<void*>(input), output, workspace.data());
            return true;
        }
        const seiche::Problem& problem = plan_.problem();
        plan_.run({before(input, input_before_), static_cast<std::size_t>(input_bytes_ / input_unit_),
                   element_of(problem, input_is_real_)},
                  element_of(problem, output_is_real_), before(output, output_before_), direction_);
        return true;
    }

    std::uint64_t workspace_bytes() const { return workspace_bytes_; }
    const seiche::Plan& plan() const { return plan_; }

private:
    void execute(seiche::Queue& queue, void* input, void* output, void* workspace) const {
        seiche::Execution execution;
        execution.direction = direction_;
        execution.input = buffer(before(input, input_before_), input_bytes_);
        if (!in_place_) execution.output = buffer(before(output, output_before_), output_bytes_);
        if (workspace_bytes_ != 0) execution.workspace = buffer(workspace, workspace_bytes_);
        plan_.execute(queue, execution);
    }

    seiche::Buffer buffer(void* address, std::uint64_t bytes) const {
        if (is_cpu_) return seiche::cpu::buffer(device_, address, bytes);
        return wrap(device_, reinterpret_cast<std::uintptr_t>(address), bytes, "pointer");
    }

    template <class Byte>
    static Byte* before(Byte* first, std::uint64_t bytes) {
        using Pointer = std::conditional_t<std::is_const_v<Byte>, const std::byte*, std::byte*>;
        return static_cast<Pointer>(first) - bytes;
    }

    seiche::Plan plan_;
    seiche::Device device_;
    std::optional<seiche::Direction> direction_;
    std::uint64_t input_bytes_ = 0, output_bytes_ = 0, workspace_bytes_ = 0, input_unit_ = 1, number_ = 1;
    std::uint64_t input_before_ = 0, output_before_ = 0;
    bool is_cpu_ = false, in_place_ = false, input_is_real_ = false, output_is_real_ = false;
};

}  // namespace

void bind_calls(nb::module_& module) {
    using Input = nb::ndarray<nb::ro, nb::device::cpu>;
    using Output = nb::ndarray<nb::device::cpu>;
    nb::class_<Call>(module, "Call",
                     "A plan in one direction, ready for executions that differ in their memory alone. Memory is given "
                     "by an array's "
                     "first element, before which others lie where strides are below 0.")
        .def(nb::init<seiche::Plan, const std::optional<std::string>&>(), nb::arg("plan"),
             nb::arg("direction") = nb::none())
        .def("enqueue", &Call::enqueue, nb::arg("input"), nb::arg("output"), nb::arg("workspace") = 0,
             nb::arg("stream").none() = nb::none(),
             "Runs on addresses of the device's memory, on a stream of the caller's or one of its own.")
        .def("enqueue_views", &Call::enqueue_views, nb::arg("input"), nb::arg("output").none(),
             nb::arg("workspace").none(), nb::arg("stream"), nb::arg("events"),
             "Runs on views of OpenCL's memory after these events, and gives the event that it is complete.")
        .def(
            "host", [](const Call& call, const Input& x, const Output& out) { return call.host(x.data(), out.data()); },
            nb::arg("x"), nb::arg("out"),
            "Runs on arrays of the host that have the plan's layouts, and waits. False, and nothing done, where an "
            "array's numbers lie at no multiple of their size.")
        .def(
            "host_addresses",
            [](const Call& call, std::uintptr_t input, std::uintptr_t output) {
                return call.host(reinterpret_cast<const void*>(input), reinterpret_cast<void*>(output));
            },
            nb::arg("input"), nb::arg("output"), "The same on addresses.")
        .def_prop_ro("workspace_bytes", &Call::workspace_bytes)
        .def_prop_ro("plan", &Call::plan, nb::rv_policy::copy);
}

}  // namespace seichefft
