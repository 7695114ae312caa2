// The C interface of spectral plans: each function calls its C++ counterpart.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "api/c_plan_face.hpp"
#include "api/c_stages.hpp"
#include "seiche/spectral.hpp"

namespace seiche::api {

namespace {

std::vector<seiche_point_range> ranges_in_c(const std::vector<PointRange>& ranges) {
    std::vector<seiche_point_range> result;
    result.reserve(ranges.size());
    for (const PointRange& range : ranges) result.push_back({range.begin, range.end});
    return result;
}

/// What seiche_spectral_problem_release gives up.
struct OwnedSpectral : seiche_spectral_problem {
    std::vector<std::uint64_t> own_lengths;
    std::vector<seiche_point_range> own_input, own_output;
    std::vector<seiche_mode_range> own_kept;
    std::vector<seiche_spectral_axis_kind> own_kinds;
    std::vector<std::int64_t> own_packed;
    std::array<OwnedStage, 3> own_stages;

    explicit OwnedSpectral(const SpectralProblem& problem)
        : seiche_spectral_problem(default_struct<seiche_spectral_problem>()),
          own_lengths(problem.lengths),
          own_input(ranges_in_c(problem.input)),
          own_output(ranges_in_c(problem.output)) {
        lengths = own_lengths.data();
        rank = own_lengths.size();
        input = own_input.empty() ? nullptr : own_input.data();
        output = own_output.empty() ? nullptr : own_output.data();
        numbers = static_cast<seiche_spectral_numbers>(problem.numbers);
        precision = static_cast<seiche_precision>(problem.precision);
        storage = static_cast<seiche_storage>(problem.storage);
        load = own_stages[0].set(problem.load);
        middle = own_stages[1].set(problem.middle);
        store = own_stages[2].set(problem.store);
        scale = problem.scale;
        batch = problem.batch;
        for (const ModeRange& range : problem.kept) own_kept.push_back({range.begin, range.end});
        kept = own_kept.empty() ? nullptr : own_kept.data();
        inputs = problem.channels.inputs;
        outputs = problem.channels.outputs;
        for (const SpectralAxisKind kind : problem.kinds)
            own_kinds.push_back(static_cast<seiche_spectral_axis_kind>(kind));
        kinds = own_kinds.empty() ? nullptr : own_kinds.data();
        order = static_cast<seiche_spectral_order>(problem.order);
        own_packed = problem.packed;
        packed = own_packed.empty() ? nullptr : own_packed.data();
        packed_count = rank == 0 ? 0 : own_packed.size() / rank;
        sums_in_f64 = problem.sums_in_f64 ? 1 : 0;
        adjoint = problem.channels.adjoint ? 1 : 0;
        part = static_cast<seiche_spectral_part>(problem.part);
    }
    ~OwnedSpectral() = default;
    OwnedSpectral(const OwnedSpectral&) = delete;
    OwnedSpectral& operator=(const OwnedSpectral&) = delete;
};

constexpr std::size_t most_packed = std::size_t{1} << 31;  // modes that a plan may list

std::vector<PointRange> ranges_of(const seiche_point_range* ranges, std::size_t rank) {
    std::vector<PointRange> result;
    for (std::size_t i = 0; ranges != nullptr && i < rank; ++i) result.push_back({ranges[i].begin, ranges[i].end});
    return result;
}

}  // namespace

SpectralProblem problem_of(const seiche_spectral_problem* given) {
    const seiche_spectral_problem problem = read_struct(given, "problem");
    SpectralProblem result;
    require(problem.lengths, "problem.lengths");
    result.lengths = vector_of(problem.lengths, problem.rank, most_axes, "problem.lengths");
    result.input = ranges_of(problem.input, problem.rank);
    result.output = ranges_of(problem.output, problem.rank);
    result.numbers = checked_enum<SpectralNumbers>(problem.numbers, SEICHE_SPECTRAL_ANALYTIC, "problem.numbers");
    result.load = stage_of(problem.load, "problem.load");
    result.middle = stage_of(problem.middle, "problem.middle");
    result.store = stage_of(problem.store, "problem.store");
    result.scale = problem.scale;
    result.batch = problem.batch;
    result.precision = checked_enum<Precision>(problem.precision, SEICHE_F16, "problem.precision");
    result.storage = checked_enum<Storage>(problem.storage, SEICHE_STORAGE_F64, "problem.storage");
    for (std::size_t i = 0; problem.kept != nullptr && i < problem.rank; ++i)
        result.kept.push_back({problem.kept[i].begin, problem.kept[i].end});
    result.channels = {problem.inputs, problem.outputs, problem.adjoint != 0};
    for (std::size_t i = 0; problem.kinds != nullptr && i < problem.rank; ++i)
        result.kinds.push_back(checked_enum<SpectralAxisKind>(problem.kinds[i], SEICHE_SPECTRAL_DST4, "problem.kinds"));
    result.order = checked_enum<SpectralOrder>(problem.order, SEICHE_SPECTRAL_SPECTRUM_FIRST, "problem.order");
    require_array(problem.packed, problem.packed_count, most_packed, "problem.packed");
    if (problem.packed_count != 0)
        result.packed.assign(problem.packed, problem.packed + problem.packed_count * problem.rank);
    result.sums_in_f64 = problem.sums_in_f64 != 0;
    result.part = checked_enum<SpectralPart>(problem.part, SEICHE_SPECTRAL_GRADIENT, "problem.part");
    return result;
}

SpectralExecution execution_of(const seiche_spectral_execution* given) {
    const seiche_spectral_execution execution = read_struct(given, "execution");
    SpectralExecution result;
    result.input = view_of(execution.input, execution.input_offset);
    result.output = view_of(execution.output, execution.output_offset);
    result.workspace = view_of(execution.workspace, execution.workspace_offset);
    result.batch = batch_of(execution.batch);
    result.stage_buffers =
        stage_buffers_of(execution.stage_buffers, execution.stage_buffer_count, "execution.stage_buffers");
    result.stage_scalars =
        stage_scalars_of(execution.stage_scalars, execution.stage_scalar_count, "execution.stage_scalars");
    result.weights = view_of(execution.weights, execution.weights_offset);
    result.sums = view_of(execution.sums, execution.sums_offset);
    return result;
}

}  // namespace seiche::api

namespace {

using seiche::api::answer;
using seiche::api::checked_array;
using seiche::api::checked_enum;
using seiche::api::guard;
using seiche::api::host_element;
using seiche::api::require;
using seiche::api::require_array;
using seiche::api::with_report;

template <class T>
seiche_status apply(const seiche_spectral_plan* plan, const T* in, std::size_t count, T* out, std::size_t capacity,
                    const seiche_stage_value* scalars, std::size_t scalar_count) {
    return guard([&] {
        require(plan, "plan");
        require_array(in, count, SIZE_MAX, "in");
        require_array(out, capacity, SIZE_MAX, "out");
        const seiche::SpectralProblem& problem = plan->value.problem();
        using seiche::SpectralPart;
        const bool in_is_real = problem.numbers != seiche::SpectralNumbers::complex &&
                                (problem.part == SpectralPart::whole || problem.part == SpectralPart::forward);
        const bool out_is_real = problem.numbers == seiche::SpectralNumbers::real &&
                                 (problem.part == SpectralPart::whole || problem.part == SpectralPart::inverse);
        // Of the plan's elements; `run` refuses others before it writes.
        const std::uint64_t element_bytes =
            (out_is_real ? 1 : 2) * seiche::stored_bytes(problem.precision, problem.storage);
        const std::uint64_t needed = plan->value.output_bytes() / element_bytes;
        seiche::api::require_elements(capacity, needed);
        plan->value.run({in, count, host_element(T{}, in_is_real, problem.storage)},
                        host_element(T{}, out_is_real, problem.storage), out,
                        seiche::api::stage_scalars_of(scalars, scalar_count, "scalars"));
    });
}

}  // namespace

extern "C" {

const char* seiche_spectral_numbers_name(seiche_spectral_numbers numbers) {
    return seiche::api::name_of<seiche::SpectralNumbers>(numbers, SEICHE_SPECTRAL_ANALYTIC);
}

const char* seiche_spectral_axis_kind_name(seiche_spectral_axis_kind kind) {
    return seiche::api::name_of<seiche::SpectralAxisKind>(kind, SEICHE_SPECTRAL_DST4);
}

const char* seiche_spectral_order_name(seiche_spectral_order order) {
    return seiche::api::name_of<seiche::SpectralOrder>(order, SEICHE_SPECTRAL_SPECTRUM_FIRST);
}

const char* seiche_spectral_part_name(seiche_spectral_part part) {
    return seiche::api::name_of<seiche::SpectralPart>(part, SEICHE_SPECTRAL_GRADIENT);
}

seiche_status seiche_spectral_problem_parse(const char* text, seiche_spectral_problem** problem) {
    return guard([&] {
        require(problem, "problem");
        *problem = nullptr;
        require(text, "text");
        *problem = new seiche::api::OwnedSpectral(seiche::parse_spectral(text));
    });
}

void seiche_spectral_problem_release(seiche_spectral_problem* problem) {
    delete static_cast<seiche::api::OwnedSpectral*>(problem);
}

seiche_status seiche_spectral_problem_text(const seiche_spectral_problem* problem, char** text) {
    return seiche::api::get_text([&] { return seiche::api::problem_of(problem); }, text);
}

seiche_status seiche_spectral_inspect(const seiche_spectral_problem* problem, const seiche_device_limits* limits,
                                      const char* tuning, seiche_report** report) {
    return seiche::api::inspect_as([&] { return seiche::api::problem_of(problem); }, limits, tuning, report);
}

seiche_status seiche_spectral_analyse(const seiche_spectral_problem* problem, const seiche_device_limits* limits,
                                      const char* tuning, seiche_analysis** analysis) {
    return seiche::api::analyse_as([&] { return seiche::api::problem_of(problem); }, limits, tuning, analysis);
}

seiche_status seiche_spectral_plan_create(const seiche_device* device, const seiche_spectral_problem* problem,
                                          seiche_spectral_plan** plan) {
    return seiche_spectral_plan_create_tuned(device, problem, nullptr, plan);
}

seiche_status seiche_spectral_plan_create_tuned(const seiche_device* device, const seiche_spectral_problem* problem,
                                                const char* tuning, seiche_spectral_plan** plan) {
    return guard([&] {
        seiche::api::start(device, plan);
        const seiche::SpectralProblem asked = seiche::api::problem_of(problem);
        *plan = with_report<seiche_spectral_plan>({device->value, asked, seiche::api::tuning_of(tuning)});
    });
}

void seiche_spectral_plan_release(seiche_spectral_plan* plan) { delete plan; }

seiche_status seiche_spectral_plan_input_bytes(const seiche_spectral_plan* plan, uint64_t batch, uint64_t* bytes) {
    return answer(plan, bytes, &seiche::SpectralPlan::input_bytes, seiche::api::batch_of(batch));
}

seiche_status seiche_spectral_plan_output_bytes(const seiche_spectral_plan* plan, uint64_t batch, uint64_t* bytes) {
    return answer(plan, bytes, &seiche::SpectralPlan::output_bytes, seiche::api::batch_of(batch));
}

seiche_status seiche_spectral_plan_workspace_bytes(const seiche_spectral_plan* plan, uint64_t batch, uint64_t* bytes) {
    return answer(plan, bytes, &seiche::SpectralPlan::workspace_bytes, seiche::api::batch_of(batch));
}

seiche_status seiche_spectral_plan_weight_bytes(const seiche_spectral_plan* plan, uint64_t* bytes) {
    return answer(plan, bytes, &seiche::SpectralPlan::weight_bytes, std::nullopt);
}

seiche_status seiche_spectral_plan_sum_bytes(const seiche_spectral_plan* plan, uint64_t batch, uint64_t* bytes) {
    return answer(plan, bytes, &seiche::SpectralPlan::sum_bytes, seiche::api::batch_of(batch));
}

seiche_status seiche_spectral_plan_sum_names(const seiche_spectral_plan* plan, seiche_text_list** names) {
    return guard([&] {
        require(plan, "plan");
        require(names, "names");
        *names = new seiche_text_list{plan->value.sum_names()};
    });
}

seiche_status seiche_spectral_plan_save(const seiche_spectral_plan* plan, unsigned char** bytes, size_t* count) {
    return seiche::api::save(plan, bytes, count);
}

seiche_status seiche_spectral_plan_load(const seiche_device* device, const void* bytes, size_t count,
                                        seiche_spectral_plan** plan) {
    return seiche::api::load(device, bytes, count, plan);
}

const char* seiche_spectral_plan_report(const seiche_spectral_plan* plan) {
    return plan == nullptr ? "" : plan->report.c_str();
}

seiche_status seiche_spectral_plan_get_report(const seiche_spectral_plan* plan, seiche_report** report) {
    return seiche::api::get_report(plan, report);
}

seiche_status seiche_spectral_plan_get_problem(const seiche_spectral_plan* plan, seiche_spectral_problem** problem) {
    return guard([&] {
        require(problem, "problem");
        *problem = nullptr;
        require(plan, "plan");
        *problem = new seiche::api::OwnedSpectral(plan->value.problem());
    });
}

seiche_status seiche_spectral_plan_get_device(const seiche_spectral_plan* plan, seiche_device** device) {
    return seiche::api::get_device(plan, device);
}

seiche_status seiche_spectral_execute(const seiche_spectral_plan* plan, seiche_queue* queue,
                                      const seiche_spectral_execution* execution) {
    return guard([&] {
        require(plan, "plan");
        require(queue, "queue");
        plan->value.execute(queue->value, seiche::api::execution_of(execution));
    });
}

seiche_status seiche_spectral_apply_f32(const seiche_spectral_plan* plan, const float* in, size_t count, float* out,
                                        size_t capacity, const seiche_stage_value* scalars, size_t scalar_count) {
    return apply(plan, in, count, out, capacity, scalars, scalar_count);
}

seiche_status seiche_spectral_apply_f64(const seiche_spectral_plan* plan, const double* in, size_t count, double* out,
                                        size_t capacity, const seiche_stage_value* scalars, size_t scalar_count) {
    return apply(plan, in, count, out, capacity, scalars, scalar_count);
}

seiche_status seiche_spectral_apply_half(const seiche_spectral_plan* plan, const uint16_t* in, size_t count,
                                         uint16_t* out, size_t capacity, const seiche_stage_value* scalars,
                                         size_t scalar_count) {
    return apply(plan, in, count, out, capacity, scalars, scalar_count);
}

seiche_status seiche_spectral_apply(const seiche_spectral_plan* plan, seiche_host_element in_element, const void* in,
                                    size_t count, seiche_host_element out_element, void* out, size_t out_bytes,
                                    const seiche_stage_value* scalars, size_t scalar_count) {
    return guard([&] {
        require(plan, "plan");
        const seiche::HostArray from = checked_array(in_element, in, count, "in", "in_element");
        const auto to = checked_enum<seiche::HostElement>(out_element, seiche::api::last_host_element, "out_element");
        seiche::api::require_output(plan, out, out_bytes);
        plan->value.run(from, to, out, seiche::api::stage_scalars_of(scalars, scalar_count, "scalars"));
    });
}

seiche_status seiche_spectral_apply_weights(const seiche_spectral_plan* plan, seiche_host_element in_element,
                                            const void* in, size_t count, seiche_host_element weight_element,
                                            const void* weights, size_t weight_count, seiche_host_element out_element,
                                            void* out, size_t out_bytes, const seiche_stage_value* scalars,
                                            size_t scalar_count) {
    return guard([&] {
        require(plan, "plan");
        const seiche::HostArray from = checked_array(in_element, in, count, "in", "in_element");
        const seiche::HostArray of_modes =
            checked_array(weight_element, weights, weight_count, "weights", "weight_element");
        const auto to = checked_enum<seiche::HostElement>(out_element, seiche::api::last_host_element, "out_element");
        seiche::api::require_output(plan, out, out_bytes);
        plan->value.run(from, of_modes, to, out, seiche::api::stage_scalars_of(scalars, scalar_count, "scalars"));
    });
}

}  // extern "C"
