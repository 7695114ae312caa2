// The C interface of short-time plans: each function calls its C++ counterpart.
#include <string>
#include <utility>
#include <vector>

#include "api/c_plan_face.hpp"
#include "api/c_stages.hpp"
#include "seiche/short_time.hpp"

struct seiche_short_time_plan {
    seiche::ShortTimePlan value;
};

namespace seiche::api {

namespace {

constexpr std::size_t longest_frame = std::size_t{1} << 20;

/// What seiche_short_time_problem_release gives up.
struct OwnedShortTime : seiche_short_time_problem {
    std::vector<double> own_window;

    explicit OwnedShortTime(const ShortTimeProblem& problem)
        : seiche_short_time_problem(default_struct<seiche_short_time_problem>()), own_window(problem.window) {
        samples = problem.samples;
        window = own_window.data();
        length = own_window.size();
        hop = problem.hop;
        direction = static_cast<seiche_direction>(problem.direction);
        padding = static_cast<seiche_frame_padding>(problem.padding);
        value = static_cast<seiche_bin_value>(problem.value);
        order = static_cast<seiche_frame_order>(problem.order);
        precision = static_cast<seiche_precision>(problem.precision);
        batch = problem.batch;
    }
    ~OwnedShortTime() = default;
    OwnedShortTime(const OwnedShortTime&) = delete;
    OwnedShortTime& operator=(const OwnedShortTime&) = delete;
};

ShortTimeProblem short_time_of(const seiche_short_time_problem* given) {
    const seiche_short_time_problem problem = read_struct(given, "problem");
    ShortTimeProblem result;
    result.samples = problem.samples;
    require(problem.window, "problem.window");
    result.window = vector_of(problem.window, problem.length, longest_frame, "problem.window");
    result.hop = problem.hop;
    result.direction = checked_enum<Direction>(problem.direction, SEICHE_INVERSE, "problem.direction");
    result.padding = checked_enum<FramePadding>(problem.padding, SEICHE_PADDING_REFLECT, "problem.padding");
    result.value = checked_enum<BinValue>(problem.value, SEICHE_BIN_DECIBELS, "problem.value");
    result.order = checked_enum<FrameOrder>(problem.order, SEICHE_FREQUENCIES_FIRST, "problem.order");
    result.precision = checked_enum<Precision>(problem.precision, SEICHE_F16, "problem.precision");
    result.batch = problem.batch;
    return result;
}

ShortTimeExecution short_time_execution_of(const seiche_short_time_execution* given) {
    const seiche_short_time_execution execution = read_struct(given, "execution");
    ShortTimeExecution result;
    result.input = view_of(execution.input, execution.input_offset);
    result.output = view_of(execution.output, execution.output_offset);
    result.workspace = view_of(execution.workspace, execution.workspace_offset);
    result.batch = batch_of(execution.batch);
    return result;
}

}  // namespace

}  // namespace seiche::api

namespace {

using seiche::api::answer;
using seiche::api::checked_enum;
using seiche::api::guard;
using seiche::api::name_of;
using seiche::api::require;
using seiche::api::short_time_of;

}  // namespace

extern "C" {

const char* seiche_frame_padding_name(seiche_frame_padding padding) {
    return name_of<seiche::FramePadding>(padding, SEICHE_PADDING_REFLECT);
}

const char* seiche_bin_value_name(seiche_bin_value value) {
    return name_of<seiche::BinValue>(value, SEICHE_BIN_DECIBELS);
}

const char* seiche_frame_order_name(seiche_frame_order order) {
    return name_of<seiche::FrameOrder>(order, SEICHE_FREQUENCIES_FIRST);
}

seiche_status seiche_short_time_problem_parse(const char* text, const double* window, size_t length,
                                              seiche_short_time_problem** problem) {
    return guard([&] {
        require(problem, "problem");
        *problem = nullptr;
        require(text, "text");
        const std::vector<double> values = seiche::api::vector_of(window, length, seiche::api::longest_frame, "window");
        *problem = new seiche::api::OwnedShortTime(seiche::parse_short_time(text, values));
    });
}

void seiche_short_time_problem_release(seiche_short_time_problem* problem) {
    delete static_cast<seiche::api::OwnedShortTime*>(problem);
}

seiche_status seiche_short_time_problem_text(const seiche_short_time_problem* problem, char** text) {
    return seiche::api::get_text([&] { return short_time_of(problem); }, text);
}

seiche_status seiche_short_time_problem_frames(const seiche_short_time_problem* problem, uint64_t* frames) {
    return guard([&] {
        require(frames, "frames");
        *frames = short_time_of(problem).frames();
    });
}

seiche_status seiche_short_time_problem_bins(const seiche_short_time_problem* problem, uint64_t* bins) {
    return guard([&] {
        require(bins, "bins");
        *bins = short_time_of(problem).bins();
    });
}

seiche_status seiche_short_time_inspect(const seiche_short_time_problem* problem, const seiche_device_limits* limits,
                                        const char* tuning, seiche_report** report) {
    return seiche::api::inspect_as([&] { return short_time_of(problem); }, limits, tuning, report);
}

seiche_status seiche_short_time_analyse(const seiche_short_time_problem* problem, const seiche_device_limits* limits,
                                        const char* tuning, seiche_analysis** analysis) {
    return seiche::api::analyse_as([&] { return short_time_of(problem); }, limits, tuning, analysis);
}

seiche_status seiche_short_time_plan_create(const seiche_device* device, const seiche_short_time_problem* problem,
                                            const char* tuning, seiche_short_time_plan** plan) {
    return guard([&] {
        seiche::api::start(device, plan);
        const seiche::ShortTimeProblem asked = short_time_of(problem);
        *plan = new seiche_short_time_plan{seiche::ShortTimePlan(device->value, asked, seiche::api::tuning_of(tuning))};
    });
}

void seiche_short_time_plan_release(seiche_short_time_plan* plan) { delete plan; }

seiche_status seiche_short_time_plan_input_bytes(const seiche_short_time_plan* plan, uint64_t* bytes) {
    return answer(plan, bytes, &seiche::ShortTimePlan::input_bytes);
}

seiche_status seiche_short_time_plan_output_bytes(const seiche_short_time_plan* plan, uint64_t* bytes) {
    return answer(plan, bytes, &seiche::ShortTimePlan::output_bytes);
}

seiche_status seiche_short_time_plan_workspace_bytes(const seiche_short_time_plan* plan, uint64_t* bytes) {
    return answer(plan, bytes, &seiche::ShortTimePlan::workspace_bytes);
}

seiche_status seiche_short_time_plan_save(const seiche_short_time_plan* plan, unsigned char** bytes, size_t* count) {
    return seiche::api::save(plan, bytes, count);
}

seiche_status seiche_short_time_plan_load(const seiche_device* device, const void* bytes, size_t count,
                                          seiche_short_time_plan** plan) {
    return seiche::api::load(device, bytes, count, plan);
}

seiche_status seiche_short_time_plan_get_report(const seiche_short_time_plan* plan, seiche_report** report) {
    return seiche::api::get_report(plan, report);
}

seiche_status seiche_short_time_plan_get_problem(const seiche_short_time_plan* plan,
                                                 seiche_short_time_problem** problem) {
    return guard([&] {
        require(problem, "problem");
        *problem = nullptr;
        require(plan, "plan");
        *problem = new seiche::api::OwnedShortTime(plan->value.problem());
    });
}

seiche_status seiche_short_time_plan_get_device(const seiche_short_time_plan* plan, seiche_device** device) {
    return seiche::api::get_device(plan, device);
}

seiche_status seiche_short_time_execute(const seiche_short_time_plan* plan, seiche_queue* queue,
                                        const seiche_short_time_execution* execution) {
    return guard([&] {
        require(plan, "plan");
        require(queue, "queue");
        plan->value.execute(queue->value, seiche::api::short_time_execution_of(execution));
    });
}

seiche_status seiche_short_time_apply(const seiche_short_time_plan* plan, seiche_host_element in_element,
                                      const void* in, size_t count, seiche_host_element out_element, void* out,
                                      size_t out_bytes) {
    return guard([&] {
        require(plan, "plan");
        const seiche::HostArray from = seiche::api::checked_array(in_element, in, count, "in", "in_element");
        const auto to = checked_enum<seiche::HostElement>(out_element, seiche::api::last_host_element, "out_element");
        seiche::api::require_output(plan, out, out_bytes);
        plan->value.run(from, to, out);
    });
}

}  // extern "C"
