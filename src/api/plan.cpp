// The plan as its user sees it: checks every argument once, then hands over to the executable.
#include "seiche/plan.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "api/arguments.hpp"
#include "api/plan_cache.hpp"
#include "exec/executable.hpp"
#include "seiche/error.hpp"

namespace seiche {

namespace {

const exec::Executable& present(const std::shared_ptr<const exec::Executable>& impl) {
    if (!impl) throw InvalidProblem("the plan is empty: expected one made from a device and a problem");
    return *impl;
}

Buffer allocated(const Device& device, std::uint64_t bytes) { return bytes == 0 ? Buffer() : device.allocate(bytes); }

Buffer workspace_for(const Plan& plan, std::uint64_t batch) {
    return allocated(plan.device(), plan.workspace_bytes(batch));
}

const char* to_string(HostElement element) {
    switch (element) {
        case HostElement::f32: return "float";
        case HostElement::f64: return "double";
        case HostElement::complex_f32: return "std::complex<float>";
        case HostElement::complex_f64: return "std::complex<double>";
        case HostElement::f16: return "f16";
        case HostElement::bf16: return "bf16";
        case HostElement::complex_f16: return "pairs of f16";
        case HostElement::complex_bf16: return "pairs of bf16";
        case HostElement::f64x2: return "DoubleDouble";
        case HostElement::complex_f64x2: break;
    }
    return "ComplexDoubleDouble";
}

HostElement host_element(const problem::Canonical& canonical, bool is_real) {
    switch (canonical.storage) {
        case Storage::f16: return is_real ? HostElement::f16 : HostElement::complex_f16;
        case Storage::bf16: return is_real ? HostElement::bf16 : HostElement::complex_bf16;
        case Storage::f32: return is_real ? HostElement::f32 : HostElement::complex_f32;
        case Storage::f64: return is_real ? HostElement::f64 : HostElement::complex_f64;
        case Storage::same: break;
    }
    switch (canonical.precision) {
        case Precision::f32: return is_real ? HostElement::f32 : HostElement::complex_f32;
        case Precision::f64: return is_real ? HostElement::f64 : HostElement::complex_f64;
        case Precision::f64x2: break;
    }
    return is_real ? HostElement::f64x2 : HostElement::complex_f64x2;
}

void check_element(const char* which, HostElement expected, HostElement got) {
    if (expected != got)
        throw InvalidProblem(std::string(which) + ": expected " + to_string(expected) +
                             ", as the plan's precision, storage and kind have it, got " + to_string(got));
}

void check_directions(const exec::BuildRequest& request) {
    const Directions asked = request.options.directions;
    if (asked == Directions::both) return;
    const Direction only = asked == Directions::forward ? Direction::forward : Direction::inverse;
    if (!request.canonical.has(only))
        throw InvalidProblem(std::string("options.directions: expected both or ") +
                             (only == Direction::forward ? "inverse" : "forward") + ", the one that " +
                             to_string(request.problem.kind) + " has, got the other");
}

exec::BuildRequest request_for(const Device& device, const Problem& problem, const PlanOptions& options) {
    if (!device) throw InvalidProblem("the device is empty: expected one that was opened");
    exec::BuildRequest request;
    request.device = device;
    request.problem = problem;
    request.canonical = problem::normalise(problem);
    request.options = options;
    check_directions(request);
    return request;
}

}  // namespace

Plan::Plan(const Device& device, const Problem& problem, const PlanOptions& options)
    : impl_(api::find_or_build(request_for(device, problem, options))) {}

std::vector<std::byte> Plan::save() const { return exec::to_bytes(present(impl_).save()); }

Plan Plan::load(const Device& device, const void* bytes, std::size_t count) {
    if (bytes == nullptr && count != 0) throw InvalidProblem("bytes: expected a pointer, got null");
    const exec::SavedPlan saved = exec::read_saved_plan({static_cast<const std::byte*>(bytes), count});
    return Plan(exec::Executable::build(request_for(device, saved.problem, saved.options), &saved));
}

void Plan::execute(Queue& queue, const Execution& execution) const {
    const exec::Executable& executable = present(impl_);
    if (!queue.impl()) throw InvalidProblem("the queue is empty: expected one made by the plan's device");
    executable.execute(*queue.impl(), api::checked_arguments(executable, execution));
}

std::uint64_t Plan::workspace_bytes(std::uint64_t batch) const {
    const exec::Executable& executable = present(impl_);
    return executable.workspace_bytes(api::batch_or_default(executable, batch));
}

std::uint64_t Plan::input_bytes(std::uint64_t batch) const {
    const exec::Executable& executable = present(impl_);
    return executable.input_bytes(api::batch_or_default(executable, batch));
}

std::uint64_t Plan::output_bytes(std::uint64_t batch) const {
    const exec::Executable& executable = present(impl_);
    return executable.output_bytes(api::batch_or_default(executable, batch));
}

void Plan::run(const HostArray& input, HostElement output_element, void* output, Direction direction) const {
    const problem::Canonical& canonical = present(impl_).canonical();
    check_element("data", host_element(canonical, canonical.input_is_real || canonical.input_planar), input.element);
    check_element("result", host_element(canonical, canonical.output_is_real || canonical.output_planar),
                  output_element);
    const std::uint64_t needed = input_bytes() / canonical.input_element_bytes(), out_bytes = output_bytes();
    if (input.count != needed)
        throw InvalidProblem("data: expected " + std::to_string(needed) + " elements, got " +
                             std::to_string(input.count));
    Queue queue = device().create_queue();
    Execution execution;
    execution.direction = direction;
    execution.input = allocated(device(), canonical.in_place() ? std::max(input_bytes(), out_bytes) : input_bytes());
    execution.workspace = workspace_for(*this, 0);
    if (needed != 0) queue.upload(execution.input, input.data, input_bytes());
    if (canonical.in_place()) {
        execution.output = execution.input;
    } else {
        execution.output = allocated(device(), out_bytes);
        std::memset(output, 0, out_bytes);
        if (out_bytes != 0 && problem().output != Layout{})
            queue.upload(execution.output, output, out_bytes);  // gaps are 0
    }
    execute(queue, execution);
    if (out_bytes != 0) queue.download(output, execution.output, out_bytes);
}

void Plan::warm_up() const {
    const exec::Executable& executable = present(impl_);
    Queue queue = device().create_queue();
    Execution execution;
    execution.batch = 1;
    execution.input = allocated(device(), std::max(input_bytes(1), output_bytes(1)));
    if (!executable.canonical().in_place()) execution.output = allocated(device(), output_bytes(1));
    execution.workspace = workspace_for(*this, 1);
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const Directions other = direction == Direction::forward ? Directions::inverse : Directions::forward;
        if (executable.options().directions == other || !executable.canonical().has(direction)) continue;
        execution.direction = direction;
        api::add_blank_stage_arguments(executable, execution);
        execute(queue, execution);
        queue.wait();
    }
}

const Problem& Plan::problem() const { return present(impl_).problem(); }
const Device& Plan::device() const { return present(impl_).device(); }
const PlanReport& Plan::report() const { return present(impl_).report(); }

}  // namespace seiche
