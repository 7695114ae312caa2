// The C interface of plans and executions.
#include <algorithm>
#include <memory>

#include "api/c_plan_face.hpp"
#include "api/c_stages.hpp"
#include "api/host_element.hpp"

namespace seiche::api {

seiche_plan* handle_of(Plan plan) { return with_report<seiche_plan>(std::move(plan)); }

namespace {

std::vector<BufferView> parts_of(const seiche_buffer_part* parts, std::size_t count, const char* name) {
    require_array(parts, count, most_elements, name);
    std::vector<BufferView> views;
    for (std::size_t i = 0; i < count; ++i) views.push_back(view_of(parts[i].buffer, parts[i].offset));
    return views;
}

void add_parts(const seiche_execution& from, Execution& to) {
    to.input_parts = parts_of(from.input_parts, from.input_part_count, "execution.input_parts");
    to.output_parts = parts_of(from.output_parts, from.output_part_count, "execution.output_parts");
    to.input_imaginary_parts =
        parts_of(from.input_imaginary_parts, from.input_imaginary_part_count, "execution.input_imaginary_parts");
    to.output_imaginary_parts =
        parts_of(from.output_imaginary_parts, from.output_imaginary_part_count, "execution.output_imaginary_parts");
    to.workspace_parts = parts_of(from.workspace_parts, from.workspace_part_count, "execution.workspace_parts");
}

Image image_of(const seiche_image* image) { return image == nullptr ? Image() : image->value; }

}  // namespace

Execution execution_of(const seiche_execution* given) {
    const seiche_execution execution = read_struct(given, "execution");
    Execution result;
    result.direction = direction_of(execution.direction, "execution.direction");
    result.input = view_of(execution.input, execution.input_offset);
    result.output = view_of(execution.output, execution.output_offset);
    result.workspace = view_of(execution.workspace, execution.workspace_offset);
    result.batch = batch_of(execution.batch);
    result.input_imaginary = view_of(execution.input_imaginary, execution.input_imaginary_offset);
    result.output_imaginary = view_of(execution.output_imaginary, execution.output_imaginary_offset);
    add_parts(execution, result);
    result.stage_buffers =
        stage_buffers_of(execution.stage_buffers, execution.stage_buffer_count, "execution.stage_buffers");
    result.stage_scalars =
        stage_scalars_of(execution.stage_scalars, execution.stage_scalar_count, "execution.stage_scalars");
    result.input_image = image_of(execution.input_image);
    result.output_image = image_of(execution.output_image);
    result.workspace_image = image_of(execution.workspace_image);
    result.load_pointer = execution.load_pointer;
    result.store_pointer = execution.store_pointer;
    return result;
}

}  // namespace seiche::api

namespace {

using seiche::api::answer;
using seiche::api::checked_enum;
using seiche::api::guard;
using seiche::api::handle_of;
using seiche::api::host_element;
using seiche::api::require;
using seiche::api::require_array;
using seiche::api::start;

seiche::PlanOptions options_of(const seiche_directions& directions, const char* tuning) {
    seiche::PlanOptions options;
    options.directions = checked_enum<seiche::Directions>(directions, SEICHE_ONLY_INVERSE, "directions");
    options.tuning = seiche::api::tuning_of(tuning);
    return options;
}

/// From a problem's text. The directions stay as they came until they have been looked at.
void create(const seiche_device* device, const char* problem, const char* tuning, const seiche_directions& directions,
            seiche_plan** plan) {
    start(device, plan);
    require(problem, "problem");
    const seiche::Problem asked = seiche::parse_problem(problem);
    *plan = handle_of(seiche::Plan(device->value, asked, options_of(directions, tuning)));
}

/// Whether the numbers of the arrays on the host stand alone.
struct Singles {
    bool in, out;
};

Singles singles_of(const seiche::Problem& problem) {
    const seiche::Kind kind = problem.axis_kinds.empty() ? problem.kind : problem.axis_kinds[0];
    const bool is_real = seiche::is_real_to_real(kind);
    const bool in_place = problem.placement == seiche::Placement::in_place;
    const bool out_planar = in_place ? problem.input.planar : problem.output.planar;
    return {is_real || kind == seiche::Kind::r2c || kind == seiche::Kind::ihfft || problem.input.planar,
            is_real || kind == seiche::Kind::c2r || kind == seiche::Kind::hfft || out_planar};
}

template <class T>
seiche_status transform(const seiche_plan* plan, const seiche_direction& direction, const T* in, std::size_t count,
                        T* out, std::size_t capacity) {
    return guard([&] {
        require(plan, "plan");
        require_array(in, count, SIZE_MAX, "in");
        require_array(out, capacity, SIZE_MAX, "out");
        const seiche::Problem& problem = plan->value.problem();
        const Singles singles = singles_of(problem);
        const std::uint64_t needed = plan->value.output_bytes() / (singles.out ? sizeof(T) : 2 * sizeof(T));
        seiche::api::require_elements(capacity, needed);
        const auto way = seiche::api::direction_of(direction, "direction");
        const seiche::HostElement in_element = host_element(T{}, singles.in, problem.storage);
        plan->value.run({in, count, in_element}, host_element(T{}, singles.out, problem.storage), out, way);
    });
}

/// The bytes of the buffers that something of a plan lies in.
seiche_status part_bytes(const seiche_plan* plan, std::uint64_t batch, std::uint64_t* bytes, std::size_t capacity,
                         std::size_t* count,
                         std::vector<std::uint64_t> (seiche::Plan::*question)(seiche::Plan::Batch) const) {
    return guard([&] {
        require(plan, "plan");
        seiche::api::write_numbers((plan->value.*question)(seiche::api::batch_of(batch)), bytes, capacity, count);
    });
}

seiche_status texels(const seiche_plan* plan, std::uint64_t batch, std::uint64_t* width, std::uint64_t* height,
                     seiche::ImageSize (seiche::Plan::*question)(seiche::Plan::Batch) const) {
    return guard([&] {
        require(plan, "plan");
        require(width, "width");
        require(height, "height");
        const seiche::ImageSize size = (plan->value.*question)(seiche::api::batch_of(batch));
        *width = size.width;
        *height = size.height;
    });
}

}  // namespace

extern "C" {

seiche_status seiche_plan_create(const seiche_device* device, const seiche_problem* problem,
                                 seiche_directions directions, seiche_plan** plan) {
    return guard([&] {
        start(device, plan);
        const seiche::Problem asked = seiche::api::problem_of(problem);
        *plan = handle_of(seiche::Plan(device->value, asked, options_of(directions, nullptr)));
    });
}

seiche_status seiche_plan_create_with_options(const seiche_device* device, const seiche_problem* problem,
                                              const seiche_plan_options* options, seiche_plan** plan) {
    return guard([&] {
        start(device, plan);
        const seiche::Problem asked = seiche::api::problem_of(problem);
        const seiche_plan_options given = seiche::api::read_struct_or_default(options, "options");
        *plan = handle_of(seiche::Plan(device->value, asked, options_of(given.directions, given.tuning)));
    });
}

seiche_status seiche_plan_create_from_text(const seiche_device* device, const char* problem,
                                           seiche_directions directions, seiche_plan** plan) {
    return guard([&] { create(device, problem, nullptr, directions, plan); });
}

seiche_status seiche_plan_create_tuned(const seiche_device* device, const char* problem, const char* tuning,
                                       seiche_directions directions, seiche_plan** plan) {
    return guard([&] { create(device, problem, tuning, directions, plan); });
}

void seiche_plan_release(seiche_plan* plan) { delete plan; }

seiche_status seiche_plan_save(const seiche_plan* plan, unsigned char** bytes, size_t* count) {
    return seiche::api::save(plan, bytes, count);
}

seiche_status seiche_plan_load(const seiche_device* device, const void* bytes, size_t count, seiche_plan** plan) {
    return seiche::api::load(device, bytes, count, plan);
}

const char* seiche_plan_replanned(const seiche_plan* plan) {
    return plan == nullptr ? "" : plan->value.report().replanned.c_str();
}

seiche_status seiche_plan_input_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes) {
    return answer(plan, bytes, &seiche::Plan::input_bytes, seiche::api::batch_of(batch));
}

seiche_status seiche_plan_output_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes) {
    return answer(plan, bytes, &seiche::Plan::output_bytes, seiche::api::batch_of(batch));
}

seiche_status seiche_plan_workspace_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes) {
    return answer(plan, bytes, &seiche::Plan::workspace_bytes, seiche::api::batch_of(batch));
}

seiche_status seiche_plan_input_part_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes, size_t capacity,
                                           size_t* count) {
    return part_bytes(plan, batch, bytes, capacity, count, &seiche::Plan::input_part_bytes);
}

seiche_status seiche_plan_output_part_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes, size_t capacity,
                                            size_t* count) {
    return part_bytes(plan, batch, bytes, capacity, count, &seiche::Plan::output_part_bytes);
}

seiche_status seiche_plan_workspace_part_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes,
                                               size_t capacity, size_t* count) {
    return part_bytes(plan, batch, bytes, capacity, count, &seiche::Plan::workspace_part_bytes);
}

seiche_status seiche_plan_input_texels(const seiche_plan* plan, uint64_t batch, uint64_t* width, uint64_t* height) {
    return texels(plan, batch, width, height, &seiche::Plan::input_texels);
}

seiche_status seiche_plan_output_texels(const seiche_plan* plan, uint64_t batch, uint64_t* width, uint64_t* height) {
    return texels(plan, batch, width, height, &seiche::Plan::output_texels);
}

seiche_status seiche_plan_workspace_texels(const seiche_plan* plan, uint64_t batch, uint64_t* width, uint64_t* height) {
    return texels(plan, batch, width, height, &seiche::Plan::workspace_texels);
}

seiche_status seiche_plan_spectrum_index(const seiche_plan* plan, int axis, uint64_t position, uint64_t* index) {
    return guard([&] {
        require(plan, "plan");
        require(index, "index");
        *index = plan->value.spectrum_index(axis, position);
    });
}

const char* seiche_plan_report(const seiche_plan* plan) { return plan == nullptr ? "" : plan->report.c_str(); }

seiche_status seiche_plan_get_report(const seiche_plan* plan, seiche_report** report) {
    return seiche::api::get_report(plan, report);
}

seiche_status seiche_plan_get_problem(const seiche_plan* plan, seiche_problem** problem) {
    return guard([&] {
        require(problem, "problem");
        *problem = nullptr;
        require(plan, "plan");
        *problem = seiche::api::problem_in_c(plan->value.problem());
    });
}

seiche_status seiche_plan_get_device(const seiche_plan* plan, seiche_device** device) {
    return seiche::api::get_device(plan, device);
}

seiche_status seiche_execute(const seiche_plan* plan, seiche_queue* queue, const seiche_execution* execution) {
    return guard([&] {
        require(plan, "plan");
        require(queue, "queue");
        plan->value.execute(queue->value, seiche::api::execution_of(execution));
    });
}

seiche_status seiche_plan_warm_up(const seiche_plan* plan) {
    return guard([&] {
        require(plan, "plan");
        plan->value.warm_up();
    });
}

seiche_status seiche_transform_f32(const seiche_plan* plan, seiche_direction direction, const float* in, size_t count,
                                   float* out, size_t capacity) {
    return transform(plan, direction, in, count, out, capacity);
}

seiche_status seiche_transform_f64(const seiche_plan* plan, seiche_direction direction, const double* in, size_t count,
                                   double* out, size_t capacity) {
    return transform(plan, direction, in, count, out, capacity);
}

seiche_status seiche_transform_f64x2(const seiche_plan* plan, seiche_direction direction, const seiche_f64x2* in,
                                     size_t count, seiche_f64x2* out, size_t capacity) {
    return transform(plan, direction, in, count, out, capacity);
}

seiche_status seiche_transform_half(const seiche_plan* plan, seiche_direction direction, const uint16_t* in,
                                    size_t count, uint16_t* out, size_t capacity) {
    return transform(plan, direction, in, count, out, capacity);
}

seiche_status seiche_transform(const seiche_plan* plan, seiche_direction direction, seiche_host_element in_element,
                               const void* in, size_t count, seiche_host_element out_element, void* out,
                               size_t out_bytes) {
    return guard([&] {
        require(plan, "plan");
        const seiche::HostArray from = seiche::api::checked_array(in_element, in, count, "in", "in_element");
        const auto to = checked_enum<seiche::HostElement>(out_element, seiche::api::last_host_element, "out_element");
        seiche::api::require_output(plan, out, out_bytes);
        plan->value.run(from, to, out, seiche::api::direction_of(direction, "direction"));
    });
}

}  // extern "C"
