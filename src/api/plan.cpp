// The plan as its user sees it: checks every argument once, then hands over to the executable.
#include "seiche/plan.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "api/arguments.hpp"
#include "api/host_element.hpp"
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
    api::check_element(
        "data",
        api::host_element(canonical.precision, canonical.storage, canonical.input_is_real || canonical.input_planar),
        input.element);
    api::check_element(
        "result",
        api::host_element(canonical.precision, canonical.storage, canonical.output_is_real || canonical.output_planar),
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
