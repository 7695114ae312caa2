// The plan as its user sees it: checks every argument once, then hands over to the executable.
#include "seiche/plan.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "api/arguments.hpp"
#include "api/guard.hpp"
#include "api/host_element.hpp"
#include "api/plan_cache.hpp"
#include "exec/executable.hpp"
#include "seiche/error.hpp"
#include "support/enumerators.hpp"

namespace seiche {

namespace {

const exec::Executable& present(const std::shared_ptr<const exec::Executable>& impl) {
    if (!impl) throw InvalidProblem("the plan is empty: expected one made from a device and a problem");
    return *impl;
}

/// To be executed or saved: in a child that fork made, only where no driver is needed.
const exec::Executable& usable(const std::shared_ptr<const exec::Executable>& impl) {
    const exec::Executable& executable = present(impl);
    executable.device().impl()->expect_own_process("the plan");
    return executable;
}

Buffer allocated(const Device& device, std::uint64_t bytes) { return bytes == 0 ? Buffer() : device.allocate(bytes); }

std::vector<BufferView> allocated(const Device& device, const std::vector<std::uint64_t>& parts) {
    std::vector<BufferView> buffers;
    buffers.reserve(parts.size());
    for (const std::uint64_t bytes : parts) buffers.emplace_back(device.allocate(bytes));
    return buffers;
}

/// In one buffer, or in as many as the device asks for.
void allocate_workspace(const Plan& plan, Plan::Batch batch, Execution& execution) {
    const std::vector<std::uint64_t> parts = plan.workspace_part_bytes(batch);
    execution.workspace = {};
    execution.workspace_parts.clear();
    if (parts.size() == 1)
        execution.workspace = plan.device().allocate(parts.front());
    else
        execution.workspace_parts = allocated(plan.device(), parts);
}

/// The device memory of one of a plan's arrays: a buffer, or its parts and, of a planar one, those of its other half.
struct ArrayMemory {
    BufferView whole;
    std::vector<BufferView> parts, imaginary_parts;

    ArrayMemory() = default;
    ArrayMemory(const Device& device, const std::vector<std::uint64_t>& part_bytes, std::uint64_t bytes, bool is_split,
                bool is_planar) {
        if (!is_split) {
            whole = allocated(device, bytes);
            return;
        }
        parts = allocated(device, part_bytes);
        if (is_planar) imaginary_parts = allocated(device, part_bytes);
    }

    /// Calls copy(view, first, count) for each piece of `bytes` bytes on the host, of which a half begins at `half`
    /// (behind `offset` bytes in its buffer).
    template <class Copy>
    void for_each_piece(std::uint64_t bytes, std::uint64_t half, std::uint64_t offset, const Copy& copy) const {
        if (parts.empty()) {
            if (bytes != 0) copy(whole, 0, bytes);
            return;
        }
        std::uint64_t at = 0;
        for (const BufferView& part : parts) {
            const std::uint64_t end = imaginary_parts.empty() ? bytes : half;
            const std::uint64_t count = std::min(part.buffer.bytes(), end - std::min(at, end));
            if (count != 0) copy(part, at, count);
            at += count;
        }
        std::uint64_t skip = offset;
        at = half;
        for (const BufferView& part : imaginary_parts) {
            const std::uint64_t before = std::min(skip, part.buffer.bytes());
            skip -= before;
            const std::uint64_t count = std::min(part.buffer.bytes() - before, bytes - at);
            if (count != 0) copy(BufferView(part.buffer, before), at, count);
            at += count;
        }
    }
};

/// What allocates its arrays does so in buffers.
void refuse_images(const problem::Canonical& canonical, const char* what) {
    for (const bool input : {true, false})
        if (input ? canonical.input_image : canonical.output_image)
            throw InvalidProblem(std::string(what) + ": expected a plan whose arrays are in buffers, got one whose " +
                                 (input ? "input" : "output") + " is an image: execute it with one of yours");
}

/// Whether data on the host are of the types that the plan's arrays have.
void check_elements(const problem::Canonical& canonical, HostElement input, HostElement output) {
    const auto expected = [&](bool has_single_numbers) {
        return api::host_element(canonical.precision, canonical.storage, has_single_numbers);
    };
    api::check_element("data", expected(canonical.input_is_real || canonical.input_planar), input);
    api::check_element("result", expected(canonical.output_is_real || canonical.output_planar), output);
}

/// Elements on the host, of which the plan needs so many bytes. What lies behind the last element of the last array may
/// be there or not: the rest of a padded row, or what another array has in place.
std::uint64_t checked_count(const problem::Canonical& canonical, std::uint64_t count, std::uint64_t needed_bytes,
                            std::uint64_t batch) {
    const std::uint64_t unit = canonical.input_element_bytes(), needed = needed_bytes / unit;
    const std::uint64_t begin = canonical.input_begin(batch) / unit, least = begin + canonical.input_elements(batch);
    const std::int64_t distance = canonical.batch.input_distance;
    const std::uint64_t whole = distance > 0 ? begin + batch * static_cast<std::uint64_t>(distance) : least;
    const bool may_differ = needed != 0 && !canonical.input_planar;
    if (count == needed || (may_differ && (count == least || (count == whole && whole > least)))) return count;
    throw InvalidProblem("data: expected " + std::to_string(needed) + " elements, got " + std::to_string(count));
}

ImageSize texels(const problem::ArrayImage& image, std::uint64_t elements) {
    if (!image || elements == 0) return {};
    return {image.width, image.height(elements)};
}

void check_directions(const exec::BuildRequest& request) {
    const Directions asked = request.options.directions;
    if (asked == Directions::both) return;
    const Direction only = asked == Directions::forward ? Direction::forward : Direction::inverse;
    if (!request.canonical.has(request.canonical.as_planned(only)))
        throw InvalidProblem(std::string("options.directions: expected both or ") +
                             (only == Direction::forward ? "inverse" : "forward") + ", the one that " +
                             to_string(request.problem.kind) + " has, got the other");
}

exec::BuildRequest request_for(const Device& device, const Problem& problem, const PlanOptions& options) {
    if (!device) throw InvalidProblem("the device is empty: expected one that was opened");
    device.impl()->expect_own_process("the device");
    support::check_enumerators(options);
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
    : impl_(api::guarded("making a plan", [&] { return api::find_or_build(request_for(device, problem, options)); })) {}

std::vector<std::byte> Plan::save() const {
    return api::guarded("saving a plan", [&] { return exec::to_bytes(usable(impl_).save()); });
}

Plan Plan::load(const Device& device, const void* bytes, std::size_t count) {
    if (bytes == nullptr && count != 0) throw InvalidProblem("bytes: expected a pointer, got null");
    return api::guarded("loading a plan", [&] {
        const exec::SavedPlan saved = exec::read_saved_plan({static_cast<const std::byte*>(bytes), count});
        return Plan(exec::Executable::build(request_for(device, saved.problem, saved.options), &saved));
    });
}

void Plan::execute(Queue& queue, const Execution& execution) const {
    const exec::Executable& executable = usable(impl_);
    if (!queue.impl()) throw InvalidProblem("the queue is empty: expected one made by the plan's device");
    queue.impl()->expect_own_process("the queue");
    const exec::Arguments arguments = api::checked_arguments(executable, execution);
    if (arguments.batch != 0) executable.execute(*queue.impl(), arguments);
}

std::uint64_t Plan::workspace_bytes(Batch batch) const {
    const exec::Executable& executable = present(impl_);
    return executable.workspace_bytes(api::batch_or_default(executable, batch));
}

std::uint64_t Plan::input_bytes(Batch batch) const {
    const exec::Executable& executable = present(impl_);
    return executable.input_bytes(api::batch_or_default(executable, batch));
}

std::uint64_t Plan::output_bytes(Batch batch) const {
    const exec::Executable& executable = present(impl_);
    return executable.output_bytes(api::batch_or_default(executable, batch));
}

ImageSize Plan::input_texels(Batch batch) const {
    const exec::Executable& executable = present(impl_);
    const problem::Canonical& canonical = executable.canonical();
    return texels(canonical.input_image, canonical.input_elements(api::batch_or_default(executable, batch)));
}

ImageSize Plan::output_texels(Batch batch) const {
    const exec::Executable& executable = present(impl_);
    const problem::Canonical& canonical = executable.canonical();
    return texels(canonical.output_image, canonical.output_elements(api::batch_or_default(executable, batch)));
}

ImageSize Plan::workspace_texels(Batch batch) const {
    const exec::Executable& executable = present(impl_);
    const std::uint64_t count = api::batch_or_default(executable, batch);
    return texels(executable.workspace_image(), executable.workspace_image_elements(count));
}

std::vector<std::uint64_t> Plan::workspace_part_bytes(Batch batch) const {
    const exec::Executable& executable = present(impl_);
    return executable.workspace_part_bytes(api::batch_or_default(executable, batch));
}

std::vector<std::uint64_t> Plan::input_part_bytes(Batch batch) const {
    const exec::Executable& executable = present(impl_);
    return executable.array_part_bytes(true, api::batch_or_default(executable, batch));
}

std::vector<std::uint64_t> Plan::output_part_bytes(Batch batch) const {
    const exec::Executable& executable = present(impl_);
    return executable.array_part_bytes(false, api::batch_or_default(executable, batch));
}

void Plan::run(const HostArray& input, HostElement output_element, void* output,
               std::optional<Direction> direction) const {
    const exec::Executable& executable = present(impl_);
    const problem::Canonical& canonical = executable.canonical();
    refuse_images(canonical, "data on the host");
    check_elements(canonical, input.element, output_element);
    const std::uint64_t batch = api::batch_or_default(executable, {}), in_bytes = input_bytes(),
                        out_bytes = output_bytes();
    const std::uint64_t given =
        std::min(in_bytes, checked_count(canonical, input.count, in_bytes, batch) * canonical.input_element_bytes());
    api::check_host_memory("data", input.data, given);
    api::check_host_memory("result", output, out_bytes);
    Queue queue = device().create_queue();
    Execution execution;
    execution.direction = direction;
    const bool in_place = canonical.shares_buffer();
    const ArrayMemory in(device(), input_part_bytes(), in_bytes, canonical.input_part_bytes != 0,
                         canonical.input_planar);
    const ArrayMemory out = in_place ? in
                                     : ArrayMemory(device(), output_part_bytes(), out_bytes,
                                                   canonical.output_part_bytes != 0, canonical.output_planar);
    execution.input = in.whole;
    execution.input_parts = in.parts;
    execution.input_imaginary_parts = in.imaginary_parts;
    execution.output = out.whole;
    execution.output_parts = out.parts;
    execution.output_imaginary_parts = out.imaginary_parts;
    allocate_workspace(*this, {}, execution);
    const auto upload = [&queue](const void* host) {
        return [&queue, host](const BufferView& to, std::uint64_t first, std::uint64_t count) {
            queue.upload(to, static_cast<const char*>(host) + first, count);
        };
    };
    if (given != 0)
        in.for_each_piece(given, canonical.input_half_bytes(batch), canonical.input_begin(batch), upload(input.data));
    const std::uint64_t out_half = canonical.output_half_bytes(batch), out_offset = canonical.output_begin(batch);
    if (!in_place && out_bytes != 0) {
        std::memset(output, 0, out_bytes);
        if (problem().output != Layout{})
            out.for_each_piece(out_bytes, out_half, out_offset, upload(output));  // gaps are 0
    }
    execute(queue, execution);
    out.for_each_piece(out_bytes, out_half, out_offset,
                       [&](const BufferView& from, std::uint64_t first, std::uint64_t count) {
                           queue.download(static_cast<char*>(output) + first, from, count);
                       });
}

void Plan::warm_up() const {
    const exec::Executable& executable = present(impl_);
    refuse_images(executable.canonical(), "warm_up");
    Queue queue = device().create_queue();
    Execution execution;
    execution.batch = 1;
    const problem::Canonical& canonical = executable.canonical();
    const std::uint64_t most = std::max(input_bytes(1), output_bytes(1));
    const ArrayMemory in(device(), input_part_bytes(1), most, canonical.input_part_bytes != 0, canonical.input_planar);
    execution.input = in.whole;
    execution.input_parts = in.parts;
    execution.input_imaginary_parts = in.imaginary_parts;
    if (!canonical.shares_buffer()) {
        const ArrayMemory out(device(), output_part_bytes(1), output_bytes(1), canonical.output_part_bytes != 0,
                              canonical.output_planar);
        execution.output = out.whole;
        execution.output_parts = out.parts;
        execution.output_imaginary_parts = out.imaginary_parts;
    }
    allocate_workspace(*this, 1, execution);
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        if (!executable.has(canonical.as_planned(direction))) continue;
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
