// A plan with its data, ready to be timed beside copies of as many bytes and the same recipe without arithmetic.
#include "cli/measure/timed_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "cli/check/fill_buffer.hpp"
#include "cli/check/geometry.hpp"
#include "cli/command/report.hpp"
#include "cli/text/failure.hpp"

namespace seiche::cli {
namespace {

std::vector<BufferView> parts_of(const BufferView& whole, const std::vector<BufferView>& real,
                                 const std::vector<BufferView>& imaginary) {
    if (real.empty()) return {whole};
    std::vector<BufferView> all = real;
    all.insert(all.end(), imaginary.begin(), imaginary.end());
    return all;
}

}  // namespace

void require_cached_inputs(const Device& device) {
    if (device.info().backend != Backend::cuda)
        throw Failure("an input in the cache: expected a device of CUDA, got " + device.info().name);
}

Directions timed_directions(const Problem& problem, bool inverse) {
    return Geometry(problem).has(Direction::forward) && !inverse ? Directions::forward : Directions::inverse;
}

TimedPlan::TimedPlan(const Device& device, const Problem& problem, const Tuning& tuning, const TimedOptions& wanted)
    : tuning_(tuning), as_graph_(wanted.as_graph), queue_(device.create_queue()) {
    const Geometry geometry(problem);
    direction_ =
        timed_directions(problem, wanted.inverse) == Directions::forward ? Direction::forward : Direction::inverse;
    PlanOptions options;
    options.tuning = tuning;
    options.directions = directions();
    const double start = now_seconds();
    plan_ = Plan(device, problem, options);
    const double made = now_seconds();
    plan_first_ms_ = (made - start) * 1e3;
    if (wanted.plans_again) {
        const Plan again(device, problem, options);
        plan_again_us_ = (now_seconds() - made) * 1e6;
    }
    verifier_.emplace(device, plan_,
                      Verifier::Memory{.host = wanted.host, .input_period = wanted.cached_input ? cached_period : 0});
    in_place_ = problem.placement == Placement::in_place;
    has_images_ = problem.input.image != ImageFormat::none || problem.output.image != ImageFormat::none;
    spoils_ = in_place_ || (problem.may_overwrite_input && problem.input.image == ImageFormat::none);
    if (spoils_) {
        for (const BufferView& part : input_parts())
            pristine_.push_back(device.allocate(part.buffer.bytes() - part.byte_offset));
    }
    payload_bytes_ = (geometry.payload_bytes(false) + geometry.payload_bytes(true)) / 2;
}

void TimedPlan::make_movement() {
    PlanOptions options;
    options.tuning = tuning_;
    options.tuning.movement_only = true;
    options.directions = directions();
    movement_ = Plan(plan_.device(), plan_.problem(), options);
    for (const std::uint64_t bytes : movement_.workspace_part_bytes())
        movement_workspace_.emplace_back(plan_.device().allocate(bytes));
}

std::vector<BufferView> TimedPlan::input_parts() const {
    const Execution arguments = execution();
    return parts_of(arguments.input, arguments.input_parts, arguments.input_imaginary_parts);
}

Accuracy TimedPlan::verify(std::uint64_t seed) {
    VerifyOptions options;
    options.seed = seed;
    options.tuning = tuning_;
    Accuracy accuracy = verifier_->run(direction_, options);
    keep_input();
    return accuracy;
}

void TimedPlan::fill_input() {
    constexpr unsigned char byte = 0x3c;  // 1.06 as fp16, 0.0115 as fp32
    if (plan_.problem().input.image != ImageFormat::none)
        throw Failure("expected an input in buffers, got an image: " + to_string(plan_.problem()));
    for (const BufferView& part : input_parts()) fill_buffer(queue_, part.buffer, byte);
    keep_input();
}

/// Any finite numbers will do to start from.
void TimedPlan::keep_input() {
    if (!spoils_) return;
    const std::vector<BufferView> parts = input_parts();
    for (std::size_t i = 0; i < parts.size(); ++i) queue_.copy(pristine_[i], parts[i], pristine_[i].bytes());
    queue_.wait();
}

void TimedPlan::refresh() {
    if (!spoils_) return;
    const std::vector<BufferView> parts = input_parts();
    for (std::size_t i = 0; i < parts.size(); ++i) queue_.copy(parts[i], pristine_[i], pristine_[i].bytes());
}

unsigned TimedPlan::most_in_a_row() const {
    if (!spoils_) return std::numeric_limits<unsigned>::max();
    const Problem& problem = plan_.problem();
    const bool is_half = problem.precision == Precision::f16 || problem.storage == Storage::f16;
    const bool is_double = problem.precision == Precision::f64 || problem.precision == Precision::f64x2;
    const unsigned exponents = is_half ? 15 : is_double && problem.storage == Storage::same ? 1022 : 126;
    double of_one = 1;  // log2 of the growth; twice as many points as numbers of real-to-real kinds
    for (const std::uint64_t length : problem.lengths) of_one += std::log2(static_cast<double>(length));
    const UserStage* const stages[] = {&problem.forward_load, &problem.forward_store, &problem.inverse_load,
                                       &problem.inverse_store};
    const bool has_stages =
        std::any_of(std::begin(stages), std::end(stages), [](const UserStage* stage) { return !stage->empty(); });
    return has_stages ? 1 : std::max(1u, static_cast<unsigned>(exponents / of_one));
}

double TimedPlan::time_in_a_row(unsigned count, const std::function<void()>& enqueue,
                                const std::function<void()>& prepare) {
    const auto enqueue_all = [&] {
        for (unsigned i = 0; i < count; ++i) enqueue();
    };
    prepare();
    const std::function<void()> timed = as_graph_ ? as_graph_(plan_.device(), queue_, enqueue_all) : enqueue_all;
    if (as_graph_) {
        prepare();
        timed();  // a graph's first launch also puts it on the device
    } else {
        enqueue();
    }
    prepare();
    queue_.wait();
    Event before, after;
    queue_.batch([&] {
        before = queue_.record();
        timed();
        after = queue_.record();
    });
    return queue_.milliseconds(before, after) / count;
}

double TimedPlan::time(const Plan& plan, const Execution& execution, unsigned count) {
    return time_in_a_row(
        std::min(count, most_in_a_row()), [&] { plan.execute(queue_, execution); }, [&] { refresh(); });
}

double TimedPlan::run_movement(unsigned count) { return run_other(movement_, movement_workspace_, count); }

double TimedPlan::run_other(const Plan& plan, const std::vector<BufferView>& workspace, unsigned count) {
    Execution other = execution();
    other.workspace_parts = workspace;
    return time(plan, other, count);
}

std::vector<TimedPlan::CopiedPart> TimedPlan::copied_parts() {
    if (has_images_) {  // as many bytes in buffers as images of f32 have
        if (!copied_) {
            copied_ = plan_.device().allocate(payload_bytes_);
            copy_ = plan_.device().allocate(payload_bytes_);
            fill_buffer(queue_, copied_, 0x5a);
        }
        return {{copy_, copied_, payload_bytes_}};
    }
    const Execution arguments = execution();
    const std::vector<BufferView> in = input_parts();
    const std::vector<BufferView> to =
        in_place_ ? in : parts_of(arguments.output, arguments.output_parts, arguments.output_imaginary_parts);
    const std::vector<BufferView> from = in_place_ ? std::vector<BufferView>(pristine_.begin(), pristine_.end()) : in;
    std::uint64_t left = std::min(plan_.input_bytes(), plan_.output_bytes());
    std::vector<CopiedPart> parts;
    for (std::size_t i = 0; i < std::min(to.size(), from.size()) && left != 0; ++i) {
        const std::uint64_t bytes = std::min({to[i].buffer.bytes(), from[i].buffer.bytes(), left});
        parts.push_back({to[i], from[i], bytes});
        left -= bytes;
    }
    return parts;
}

double TimedPlan::time_copies(unsigned count, std::uint64_t bytes, const std::function<void()>& copy_all) {
    return time_in_a_row(count, copy_all, [] {}) * static_cast<double>(payload_bytes_) / static_cast<double>(bytes);
}

double TimedPlan::copy(unsigned count) {
    const std::vector<CopiedPart> parts = copied_parts();
    std::uint64_t bytes = 0;
    for (const CopiedPart& part : parts) bytes += part.bytes;
    return time_copies(count, bytes, [&] {
        for (const CopiedPart& part : parts) queue_.copy(part.to, part.from, part.bytes);
    });
}

void TimedPlan::make_copy_kernel() {
    for (const CopiedPart& part : copied_parts()) {
        if (copy_kernels_.contains(part.bytes)) continue;
        CopyKernel kernel(plan_.device(), part.bytes);
        if (kernel) copy_kernels_.emplace(part.bytes, std::move(kernel));
    }
}

double TimedPlan::copy_by_kernel(unsigned count) {
    const std::vector<CopiedPart> parts = copied_parts();
    std::uint64_t bytes = 0;
    std::vector<const CopyKernel*> kernels;
    for (const CopiedPart& part : parts) {
        const auto found = copy_kernels_.find(part.bytes);  // none of a part that is smaller than an element
        kernels.push_back(found == copy_kernels_.end() ? nullptr : &found->second);
        bytes += kernels.back() != nullptr ? kernels.back()->bytes() : 0;
    }
    return time_copies(count, bytes, [&] {
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (kernels[i] != nullptr) kernels[i]->execute(queue_, parts[i].to, parts[i].from);
    });
}

CopyRates large_copy_rates(const Device& device) {
    constexpr std::uint64_t gpu_bytes = std::uint64_t{1} << 30, cpu_bytes = std::uint64_t{1} << 28;
    constexpr int repeats = 7;
    const std::uint64_t wanted = device.info().is_gpu ? gpu_bytes : cpu_bytes;
    const std::uint64_t bytes =
        std::min({wanted, device.limits().max_allocation_bytes, device.limits().memory_bytes / 8}) / 256 * 256;
    Queue queue = device.create_queue();
    const Buffer from = device.allocate(bytes), to = device.allocate(bytes);
    for (const Buffer& buffer : {from, to})  // memory that was never written may not be there
        fill_buffer(queue, buffer, 0x5a);
    const auto rate = [&](const auto& copy) {
        Event before, after;
        queue.batch([&] {
            before = queue.record();
            copy();
            after = queue.record();
        });
        return 2e-6 * static_cast<double>(bytes) / queue.milliseconds(before, after);
    };
    const CopyKernel kernel(device, bytes);
    CopyRates best;
    for (int i = 0; i < repeats; ++i) {
        best.own = std::max(best.own, rate([&] { queue.copy(to, from, bytes); }));
        if (kernel) best.kernel = std::max(best.kernel, rate([&] { kernel.execute(queue, to, from); }));
    }
    return best;
}

}  // namespace seiche::cli
