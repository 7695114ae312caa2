// The plan as its user sees it: checks every argument once, then hands over to the executable.
#include "seiche/plan.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "api/plan_cache.hpp"
#include "exec/executable.hpp"
#include "seiche/error.hpp"

namespace seiche {

namespace {

const exec::Executable& present(const std::shared_ptr<const exec::Executable>& impl) {
    if (!impl) throw InvalidProblem("the plan is empty: expected one made from a device and a problem");
    return *impl;
}

std::uint64_t batch_or_default(const exec::Executable& executable, std::uint64_t batch) {
    if (batch == 0) return executable.canonical().batch.count;
    problem::check_batch(executable.canonical(), batch);
    return batch;
}

/// Bytes [first, last) of a buffer that an execution touches.
struct Range {
    const runtime::Buffer* buffer = nullptr;
    std::uint64_t first = 0, last = 0;
};

struct Need {
    const char* name;         // of the argument
    std::uint64_t bytes = 0;  // from where the view begins
    std::uint64_t alignment = 1;
};

[[noreturn]] void refuse(const Need& need, const std::string& part, const std::string& rule, const std::string& got) {
    throw InvalidProblem(std::string("execution.") + need.name + part + ": expected " + rule + ", got " + got);
}

Range checked(const BufferView& view, const Need& need) {
    const std::uint64_t size = view.buffer.bytes();
    if (!view.buffer) refuse(need, "", "a buffer of at least " + std::to_string(need.bytes) + " bytes", "none");
    if (view.byte_offset % need.alignment != 0)
        refuse(need, ".byte_offset", "a multiple of " + std::to_string(need.alignment),
               std::to_string(view.byte_offset));
    if (view.byte_offset > size || size - view.byte_offset < need.bytes)
        refuse(
            need, "",
            "at least " + std::to_string(need.bytes) + " bytes from byte " + std::to_string(view.byte_offset) + " on",
            "a buffer of " + std::to_string(size));
    return {view.buffer.impl().get(), view.byte_offset, view.byte_offset + need.bytes};
}

void refuse_overlap(const Range& a, const char* a_name, const Range& b, const char* b_name) {
    if (a.buffer != b.buffer || a.last <= b.first || b.last <= a.first) return;
    throw InvalidProblem(std::string("execution.") + a_name + ": expected memory apart from execution." + b_name +
                         ", got bytes " + std::to_string(a.first) + " to " + std::to_string(a.last) + " and " +
                         std::to_string(b.first) + " to " + std::to_string(b.last) + " of one buffer");
}

exec::Arguments checked_arguments(const exec::Executable& executable, const Execution& execution) {
    const problem::Canonical& canonical = executable.canonical();
    exec::Arguments arguments;
    arguments.direction = execution.direction;
    arguments.batch = batch_or_default(executable, execution.batch);
    // In place the buffer holds both arrays.
    const std::uint64_t in_bytes = canonical.input_bytes(arguments.batch);
    const std::uint64_t out_bytes = canonical.output_bytes(arguments.batch);
    const std::uint64_t held = canonical.in_place() ? std::max(in_bytes, out_bytes) : in_bytes;
    // A kernel may take real numbers two at a time.
    const std::uint64_t element = canonical.complex_bytes();
    Range input = checked(execution.input, {"input", held, element});
    input.first += canonical.input_byte_offset;
    arguments.input = {execution.input.buffer.impl().get(), execution.input.byte_offset};
    Range output = input;
    if (canonical.in_place()) {
        const BufferView& view = execution.output;
        if (view.buffer &&
            (view.buffer.impl() != execution.input.buffer.impl() || view.byte_offset != execution.input.byte_offset))
            throw InvalidProblem(
                "execution.output: expected the input or none, because the plan is in place, got another");
        arguments.output = arguments.input;
    } else {
        output = checked(execution.output, {"output", out_bytes, element});
        output.first += canonical.output_byte_offset;
        refuse_overlap(output, "output", input, "input");
        arguments.output = {execution.output.buffer.impl().get(), execution.output.byte_offset};
    }
    if (const std::uint64_t bytes = executable.workspace_bytes(arguments.batch); bytes != 0) {
        const Range workspace = checked(execution.workspace, {"workspace", bytes, element});
        refuse_overlap(workspace, "workspace", input, "input");
        refuse_overlap(workspace, "workspace", output, "output");
        arguments.workspace = {execution.workspace.buffer.impl().get(), execution.workspace.byte_offset};
    }
    return arguments;
}

Buffer workspace_for(const Plan& plan, std::uint64_t batch) {
    const std::uint64_t bytes = plan.workspace_bytes(batch);
    return bytes == 0 ? Buffer() : plan.device().allocate(bytes);
}

const char* to_string(HostElement element) {
    switch (element) {
        case HostElement::f32: return "float";
        case HostElement::f64: return "double";
        case HostElement::complex_f32: return "std::complex<float>";
        case HostElement::complex_f64: break;
    }
    return "std::complex<double>";
}

HostElement host_element(Precision precision, bool is_real) {
    if (precision == Precision::f32) return is_real ? HostElement::f32 : HostElement::complex_f32;
    return is_real ? HostElement::f64 : HostElement::complex_f64;
}

void check_element(const char* which, HostElement expected, HostElement got) {
    if (expected != got)
        throw InvalidProblem(std::string(which) + ": expected " + to_string(expected) +
                             ", as the plan's precision and kind have it, got " + to_string(got));
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

}  // namespace

Plan::Plan(const Device& device, const Problem& problem, const PlanOptions& options) {
    if (!device) throw InvalidProblem("the device is empty: expected one that was opened");
    exec::BuildRequest request;
    request.device = device;
    request.problem = problem;
    request.canonical = problem::normalise(problem);
    request.options = options;
    check_directions(request);
    impl_ = api::find_or_build(request);
}

void Plan::execute(Queue& queue, const Execution& execution) const {
    const exec::Executable& executable = present(impl_);
    if (!queue.impl()) throw InvalidProblem("the queue is empty: expected one made by the plan's device");
    executable.execute(*queue.impl(), checked_arguments(executable, execution));
}

std::uint64_t Plan::workspace_bytes(std::uint64_t batch) const {
    const exec::Executable& executable = present(impl_);
    return executable.workspace_bytes(batch_or_default(executable, batch));
}

std::uint64_t Plan::input_bytes(std::uint64_t batch) const {
    const exec::Executable& executable = present(impl_);
    return executable.canonical().input_bytes(batch_or_default(executable, batch));
}

std::uint64_t Plan::output_bytes(std::uint64_t batch) const {
    const exec::Executable& executable = present(impl_);
    return executable.canonical().output_bytes(batch_or_default(executable, batch));
}

void Plan::run(const HostArray& input, HostElement output_element, void* output, Direction direction) const {
    const problem::Canonical& canonical = present(impl_).canonical();
    check_element("data", host_element(canonical.precision, canonical.input_is_real), input.element);
    check_element("result", host_element(canonical.precision, canonical.output_is_real), output_element);
    const std::uint64_t needed = input_bytes() / canonical.input_element_bytes(), out_bytes = output_bytes();
    if (input.count != needed)
        throw InvalidProblem("data: expected " + std::to_string(needed) + " elements, got " +
                             std::to_string(input.count));
    Queue queue = device().create_queue();
    Execution execution;
    execution.direction = direction;
    execution.input = device().allocate(canonical.in_place() ? std::max(input_bytes(), out_bytes) : input_bytes());
    execution.workspace = workspace_for(*this, 0);
    queue.upload(execution.input, input.data, input_bytes());
    if (canonical.in_place()) {
        execution.output = execution.input;
    } else {
        execution.output = device().allocate(out_bytes);
        std::memset(output, 0, out_bytes);
        if (problem().output != Layout{}) queue.upload(execution.output, output, out_bytes);  // gaps are 0
    }
    execute(queue, execution);
    queue.download(output, execution.output, out_bytes);
}

void Plan::warm_up() const {
    const exec::Executable& executable = present(impl_);
    Queue queue = device().create_queue();
    Execution execution;
    execution.batch = 1;
    execution.input = device().allocate(std::max(input_bytes(1), output_bytes(1)));
    if (!executable.canonical().in_place()) execution.output = device().allocate(output_bytes(1));
    execution.workspace = workspace_for(*this, 1);
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const Directions other = direction == Direction::forward ? Directions::inverse : Directions::forward;
        if (executable.options().directions == other || !executable.canonical().has(direction)) continue;
        execution.direction = direction;
        execute(queue, execution);
    }
    queue.wait();
}

const Problem& Plan::problem() const { return present(impl_).problem(); }
const Device& Plan::device() const { return present(impl_).device(); }
const PlanReport& Plan::report() const { return present(impl_).report(); }

}  // namespace seiche
