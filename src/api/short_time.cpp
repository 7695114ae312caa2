// Short-time plans as their user sees them: a forward plan whose stages cut and weigh frames, or an inverse in one
// kernel that adds frames, or in two plans with the frames in memory between them.
#include "seiche/short_time.hpp"

#include <cstring>

#include "api/guard.hpp"
#include "api/host_element.hpp"
#include "api/spectral_checks.hpp"
#include "exec/overlap_add.hpp"
#include "problem/short_time.hpp"
#include "seiche/error.hpp"

namespace seiche {

namespace {

using exec::InverseFrames;

InverseFrames inverse_of(const ShortTimeProblem& problem) {
    InverseFrames inverse;
    inverse.window = problem.window;
    inverse.frames = problem.frames();
    inverse.hop = problem.hop;
    inverse.begin = problem::padded_samples(problem);
    inverse.samples = problem.samples;
    const bool is_transposed = problem.order == FrameOrder::frequencies_first;
    inverse.frame_stride = is_transposed ? 1 : problem.bins();
    inverse.bin_stride = is_transposed ? problem.frames() : 1;
    inverse.batch = problem.batch;
    inverse.precision = problem.precision;
    return inverse;
}

bool is_inverse(const ShortTimeProblem& problem) { return problem.direction == Direction::inverse; }

/// A group of a GPU has several neighbouring frames: samples that they share are read once from the memory beyond its
/// unit. Nothing more than the caller's tuning where that has any, or where no group is so large, or where spectra are
/// transposed, whose groups have several frames anyway.
Tuning tuning_of(const ShortTimeProblem& problem, const DeviceLimits& limits, const Tuning& given) {
    constexpr std::uint64_t shortest = 128, resident_groups = 3;
    constexpr std::uint64_t wanted = 4;
    const std::uint64_t length = problem.window.size();
    const std::uint64_t bytes = length * stored_bytes(problem.precision, Storage::same);
    if (!(given == Tuning()) || limits.vectors != Vectors::subgroups || length < shortest ||
        problem.order == FrameOrder::frequencies_first)
        return given;
    Tuning tuning;
    for (std::uint64_t frames = wanted; frames > 1; frames /= 2) {
        if (frames * bytes > limits.shared_bytes_per_unit / resident_groups) continue;
        tuning.transforms_per_group = static_cast<std::uint32_t>(frames);
        try {
            const PlanReport report = inspect(problem::forward_problem(problem), limits, tuning);
            if (report.kernels.size() == 1) return tuning;
        } catch (const Unsupported&) {  // a group of so many threads
        }
    }
    return given;
}

/// On a processor, frames of a padded signal in memory are read by vectors, where a stage that asks for each sample
/// whether it is there reads one by one. Signals that are short are not worth another launch and a copy.
bool is_padded_in_memory(const ShortTimeProblem& problem, const DeviceLimits& limits) {
    constexpr std::uint64_t least_bytes = std::uint64_t{32} << 10;
    return limits.vectors == Vectors::explicit_simd && problem::padded_samples(problem) != 0 &&
           problem.samples * stored_bytes(problem.precision, Storage::same) >= least_bytes &&
           problem::padded_problem(problem).samples <= std::uint64_t{1} << 30;
}

/// The kernels of `more` behind those that are there.
void append(PlanReport& report, const PlanReport& more) {
    report.recipe += (report.recipe.empty() ? "" : ", ") + more.recipe;
    report.kernels.insert(report.kernels.end(), more.kernels.begin(), more.kernels.end());
    report.moved_bytes += more.moved_bytes;
    report.plan_milliseconds += more.plan_milliseconds;
    report.compiled += more.compiled;
    report.cached += more.cached;
    report.loaded += more.loaded;
}

/// What `parts` launch, as one.
PlanReport combined(const ShortTimeProblem& problem, const std::vector<PlanReport>& parts) {
    PlanReport report;
    for (const PlanReport& part : parts) append(report, part);
    report.problem = to_string(problem);
    report.ideal_bytes = problem::signal_bytes(problem) + problem::spectra_bytes(problem);
    return report;
}

/// Of a signal that is padded in memory.
PlanReport combined_with_copy(const ShortTimeProblem& problem, const std::vector<PlanReport>& parts) {
    PlanReport report = combined(problem, parts);
    report.moved_bytes += 2 * problem::signal_bytes(problem);
    return report;
}

constexpr std::uint64_t part_alignment = 256;
std::uint64_t aligned(std::uint64_t bytes) { return (bytes + part_alignment - 1) / part_alignment * part_alignment; }

Buffer uploaded(const Device& device, Precision precision, const std::vector<double>& values) {
    std::vector<std::byte> bytes(values.size() * stored_bytes(precision, Storage::same));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto single = static_cast<float>(values[i]);
        if (precision == Precision::f64)
            std::memcpy(bytes.data() + i * sizeof(double), &values[i], sizeof(double));
        else
            std::memcpy(bytes.data() + i * sizeof single, &single, sizeof single);
    }
    Buffer buffer = device.allocate(bytes.size());
    Queue queue = device.create_queue();
    queue.upload(buffer, bytes.data(), bytes.size());
    queue.wait();
    return buffer;
}

std::vector<double> squares_of(std::vector<double> window) {
    for (double& w : window) w *= w;
    return window;
}

}  // namespace

namespace api {

/// Of a forward transform `transform`, of an inverse `added`, or else `transform` and `sums`.
class ShortTimeTransform {
public:
    ShortTimeProblem problem;
    Device device;
    std::optional<exec::OverlapAddExecutable> added;
    Plan ends, transform, sums;
    Buffer window, squares;
    PlanReport report;

    ShortTimeTransform(const Device& opened, const ShortTimeProblem& stated, const Tuning& tuning)
        : problem(stated), device(opened) {
        problem::check(problem);
        PlanOptions options;
        options.tuning = tuning;
        if (!is_inverse(problem)) {
            options.directions = Directions::forward;
            window = uploaded(device, problem.precision, problem.window);
            if (is_padded_in_memory(problem, device.limits())) {
                pad_in_memory(options);
                return;
            }
            options.tuning = tuning_of(problem, device.limits(), tuning);
            transform = Plan(device, problem::forward_problem(problem), options);
            report = combined(problem, {transform.report()});
            report.workspace_bytes = transform.workspace_bytes();
            return;
        }
        const InverseFrames inverse = inverse_of(problem);
        if (const auto drafted = exec::draft_overlap_add(inverse, device.limits(), tuning)) {
            added.emplace(device, *drafted, inverse);
            report = combined(problem, {added->report()});
            return;
        }
        options.directions = Directions::inverse;
        transform = Plan(device, problem::frames_problem(problem), options);
        PlanOptions of_sums;
        of_sums.directions = Directions::forward;
        sums = Plan(device, problem::sums_problem(problem), of_sums);
        window = uploaded(device, problem.precision, problem.window);
        squares = uploaded(device, problem.precision, squares_of(problem.window));
        report = combined(problem, {transform.report(), sums.report()});
        report.workspace_bytes = workspace_bytes();
    }

    std::uint64_t input_bytes() const {
        return is_inverse(problem) ? problem::spectra_bytes(problem) : problem::signal_bytes(problem);
    }
    std::uint64_t output_bytes() const {
        return is_inverse(problem) ? problem::signal_bytes(problem) : problem::spectra_bytes(problem);
    }
    /// Of two plans: the frames or the padded signals, then what either takes.
    std::uint64_t workspace_bytes() const {
        if (added) return 0;
        if (ends) return padded_bytes() + transform.workspace_bytes();
        if (!sums) return transform.workspace_bytes();
        return aligned(problem::frames_bytes(problem)) + std::max(transform.workspace_bytes(), sums.workspace_bytes());
    }

    void execute(Queue& queue, const ShortTimeExecution& given) const {
        const std::uint64_t batch = given.batch.value_or(problem.batch);
        if (batch > problem.batch)
            throw InvalidProblem("execution.batch: expected at most the plan's " + std::to_string(problem.batch) +
                                 " signals, got " + std::to_string(batch));
        if (batch == 0) return;
        const std::uint64_t pair = 2 * stored_bytes(problem.precision, Storage::same);
        const auto input = api::checked_argument(given.input, {"input", "", input_bytes(), pair});
        const auto output = api::checked_argument(given.output, {"output", "", output_bytes(), pair});
        const auto workspace =
            api::checked_argument(given.workspace, {"workspace", "", workspace_bytes(), part_alignment});
        api::refuse_overlap(output, input);
        api::refuse_overlap(workspace, input);
        api::refuse_overlap(workspace, output);
        if (added) return added->execute(*queue.impl(), input.argument, output.argument, batch);
        Execution execution;
        execution.batch = batch;
        execution.workspace = given.workspace;
        if (!sums) return execute_forward(queue, given, std::move(execution));
        const std::uint64_t ahead = aligned(problem::frames_bytes(problem));
        execution.workspace = transform.workspace_bytes() == 0 && sums.workspace_bytes() == 0
                                  ? BufferView()
                                  : BufferView(given.workspace.buffer, given.workspace.byte_offset + ahead);
        execution.input = given.input;
        execution.output = given.workspace;
        execution.stage_buffers = {{"window", window}};
        transform.execute(queue, execution);
        execution.input = {};
        execution.output = given.output;
        execution.stage_buffers = {{"frames", given.workspace}, {"squares", squares}};
        sums.execute(queue, execution);
    }

private:
    void pad_in_memory(PlanOptions options) {
        transform = Plan(device, problem::forward_problem(problem::padded_problem(problem)), options);
        options.tuning = {};
        ends = Plan(device, problem::ends_problem(problem), options);
        report = combined_with_copy(problem, {ends.report(), transform.report()});
        report.workspace_bytes = workspace_bytes();
    }

    std::uint64_t padded_bytes() const { return aligned(problem::signal_bytes(problem::padded_problem(problem))); }

    void execute_padding(Queue& queue, const ShortTimeExecution& given, std::uint64_t batch) const {
        const std::uint64_t unit = stored_bytes(problem.precision, Storage::same), one = problem.samples * unit;
        const std::uint64_t half = problem::padded_samples(problem) * unit;
        for (std::uint64_t b = 0; b < batch; ++b)
            queue.copy(BufferView(given.workspace.buffer, given.workspace.byte_offset + b * (one + 2 * half) + half),
                       BufferView(given.input.buffer, given.input.byte_offset + b * one), one);
        Execution execution;
        execution.batch = batch;
        execution.stage_buffers = {{"signal", given.input}, {"padded", given.workspace}};
        ends.execute(queue, execution);
    }

    void execute_forward(Queue& queue, const ShortTimeExecution& given, Execution execution) const {
        execution.stage_buffers = {{"window", window}};
        if (ends) {
            execute_padding(queue, given, *execution.batch);
            execution.input = given.workspace;
            execution.workspace =
                transform.workspace_bytes() == 0
                    ? BufferView()
                    : BufferView(given.workspace.buffer, given.workspace.byte_offset + padded_bytes());
        } else if (problem.padding == FramePadding::none)
            execution.input = given.input;
        else
            execution.stage_buffers.push_back({"signal", given.input});
        if (problem.value == BinValue::complex)
            execution.output = given.output;
        else
            execution.stage_buffers.push_back({"spectra", given.output});
        transform.execute(queue, execution);
    }
};

}  // namespace api

PlanReport inspect(const ShortTimeProblem& problem, const DeviceLimits& limits, const Tuning& tuning) {
    return api::guarded("planning", [&] {
        problem::check(problem);
        if (!is_inverse(problem) && is_padded_in_memory(problem, limits))
            return combined_with_copy(
                problem, {inspect(problem::ends_problem(problem), limits),
                          inspect(problem::forward_problem(problem::padded_problem(problem)), limits, tuning)});
        if (!is_inverse(problem))
            return combined(problem,
                            {inspect(problem::forward_problem(problem), limits, tuning_of(problem, limits, tuning))});
        const InverseFrames inverse = inverse_of(problem);
        if (const auto drafted = exec::draft_overlap_add(inverse, limits, tuning))
            return combined(problem, {exec::report(*drafted, inverse)});
        return combined(problem, {inspect(problem::frames_problem(problem), limits, tuning),
                                  inspect(problem::sums_problem(problem), limits)});
    });
}

std::vector<AnalysisReport> analyse(const ShortTimeProblem& problem, const DeviceLimits& limits, const Tuning& tuning) {
    return api::guarded("analysing", [&] {
        problem::check(problem);
        if (!is_inverse(problem) && is_padded_in_memory(problem, limits)) {
            std::vector<AnalysisReport> all = analyse(problem::ends_problem(problem), limits);
            const Problem transform = problem::forward_problem(problem::padded_problem(problem));
            for (AnalysisReport& one : analyse(transform, limits, tuning)) all.push_back(std::move(one));
            return all;
        }
        if (!is_inverse(problem))
            return analyse(problem::forward_problem(problem), limits, tuning_of(problem, limits, tuning));
        const InverseFrames inverse = inverse_of(problem);
        if (const auto drafted = exec::draft_overlap_add(inverse, limits, tuning))
            return exec::analyse(*drafted, inverse, limits);
        std::vector<AnalysisReport> all = analyse(problem::frames_problem(problem), limits, tuning);
        for (AnalysisReport& one : analyse(problem::sums_problem(problem), limits)) all.push_back(std::move(one));
        return all;
    });
}

namespace {

using api::ShortTimeTransform;

/// Throws InvalidProblem for a plan that was never made.
const ShortTimeTransform& made(const std::shared_ptr<const ShortTimeTransform>& impl) {
    if (!impl) throw InvalidProblem("the plan is empty: expected one made from a device and a short-time problem");
    return *impl;
}

}  // namespace

ShortTimePlan::ShortTimePlan(const Device& device, const ShortTimeProblem& problem, const Tuning& tuning)
    : impl_(api::guarded("making a plan",
                         [&] { return std::make_shared<ShortTimeTransform>(api::opened(device), problem, tuning); })) {}

void ShortTimePlan::execute(Queue& queue, const ShortTimeExecution& execution) const {
    const ShortTimeTransform& plan = made(impl_);
    api::check_queue(queue);
    plan.execute(queue, execution);
}

std::uint64_t ShortTimePlan::input_bytes() const { return made(impl_).input_bytes(); }
std::uint64_t ShortTimePlan::output_bytes() const { return made(impl_).output_bytes(); }
std::uint64_t ShortTimePlan::workspace_bytes() const { return made(impl_).workspace_bytes(); }

void ShortTimePlan::run(const HostArray& input, HostElement output_element, void* output) const {
    const ShortTimeProblem& own = problem();
    const bool spectra_are_real = own.value != BinValue::complex;
    const auto element = [&](bool is_signal) {
        return api::host_element(own.precision, Storage::same, is_signal || spectra_are_real);
    };
    const auto element_bytes = [&](bool is_signal) {
        return (is_signal || spectra_are_real ? 1 : 2) * stored_bytes(own.precision, Storage::same);
    };
    api::check_array("input", input, element(!is_inverse(own)), input_bytes(), element_bytes(!is_inverse(own)));
    api::check_element("output", element(is_inverse(own)), output_element);
    api::check_host_memory("input", input.data, input_bytes());
    api::check_host_memory("output", output, output_bytes());
    Queue queue = device().create_queue();
    ShortTimeExecution execution;
    execution.input = device().allocate(input_bytes());
    execution.output = device().allocate(output_bytes());
    execution.workspace = api::allocated(device(), workspace_bytes());
    queue.upload(execution.input.buffer, input.data, input_bytes());
    execute(queue, execution);
    queue.download(output, execution.output.buffer, output_bytes());
}

const ShortTimeProblem& ShortTimePlan::problem() const { return made(impl_).problem; }
const Device& ShortTimePlan::device() const { return made(impl_).device; }
const PlanReport& ShortTimePlan::report() const { return made(impl_).report; }

}  // namespace seiche
