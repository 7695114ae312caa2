// The C interface: each function calls its C++ counterpart; exceptions become a code and a message of this thread.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "api/c_handles.hpp"
#include "seiche/plan.hpp"
#include "seiche/problem.hpp"
#include "seiche/version.hpp"

namespace seiche::api {

std::string& last_error() {
    thread_local std::string message;
    return message;
}

seiche_status status_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::invalid_problem: return SEICHE_INVALID_PROBLEM;
        case ErrorKind::unsupported: return SEICHE_UNSUPPORTED;
        case ErrorKind::backend: return SEICHE_BACKEND_ERROR;
        case ErrorKind::internal: return SEICHE_INTERNAL_ERROR;
    }
    return SEICHE_INTERNAL_ERROR;
}

void require(const void* pointer, const char* name) {
    if (pointer == nullptr) throw InvalidProblem(std::string(name) + ": expected a pointer, got NULL");
}

seiche_plan* handle_of(Plan plan) {
    std::string report = plan.report().text();
    return new seiche_plan{std::move(plan), std::move(report)};
}

unsigned char* copy_of(const std::vector<std::byte>& bytes) {
    auto* copy = new unsigned char[bytes.size()];
    std::memcpy(copy, bytes.data(), bytes.size());
    return copy;
}

BufferView view_of(const seiche_buffer* buffer, std::uint64_t offset) {
    return buffer == nullptr ? BufferView() : BufferView(buffer->value, offset);
}

}  // namespace seiche::api

namespace {

using seiche::api::checked_enum;
using seiche::api::copy_of;
using seiche::api::guard;
using seiche::api::handle_of;
using seiche::api::host_element;
using seiche::api::require;
using seiche::api::view_of;

seiche::Scale scale_of(const seiche_scale& scale, const char* name) {
    switch (checked_enum<seiche_scale_rule>(scale.rule, SEICHE_SCALE_FACTOR, name)) {
        case SEICHE_SCALE_NONE: return seiche::Scale::none();
        case SEICHE_SCALE_BY_N: return seiche::Scale::by_n();
        case SEICHE_SCALE_BY_SQRT_N: return seiche::Scale::by_sqrt_n();
        case SEICHE_SCALE_FACTOR: return seiche::Scale::factor(scale.factor);
    }
    return seiche::Scale::none();
}

seiche::Layout layout_of(const seiche_layout& layout, std::size_t rank) {
    seiche::Layout result;
    if (layout.strides != nullptr) result.strides.assign(layout.strides, layout.strides + rank);
    result.batch_distance = layout.batch_distance;
    result.byte_offset = layout.byte_offset;
    result.planar = layout.planar != 0;
    result.part_bytes = layout.part_bytes;
    return result;
}

seiche::StageType type_of(seiche_stage_type type) {
    return checked_enum<seiche::StageType>(type, SEICHE_STAGE_U32, "the type of a stage's buffer or scalar");
}

seiche::UserStage stage_of(const seiche_stage& stage) {
    seiche::UserStage result(stage.text == nullptr ? "" : stage.text);
    for (std::size_t i = 0; stage.buffers != nullptr && i < stage.buffer_count; ++i) {
        require(stage.buffers[i].name, "the name of a stage's buffer");
        result.buffers.push_back({stage.buffers[i].name, type_of(stage.buffers[i].type), stage.buffers[i].count});
    }
    for (std::size_t i = 0; stage.scalars != nullptr && i < stage.scalar_count; ++i) {
        require(stage.scalars[i].name, "the name of a stage's scalar");
        result.scalars.push_back({stage.scalars[i].name, type_of(stage.scalars[i].type)});
    }
    return result;
}

std::vector<seiche::Block> blocks_of(const seiche_block* blocks, std::size_t count) {
    std::vector<seiche::Block> result;
    for (std::size_t i = 0; blocks != nullptr && i < count; ++i)
        result.push_back({blocks[i].axis, blocks[i].begin, blocks[i].end});
    return result;
}

seiche::Problem problem_of(const seiche_problem& problem) {
    require(problem.lengths, "problem.lengths");
    seiche::Problem result;
    result.lengths.assign(problem.lengths, problem.lengths + problem.rank);
    if (problem.axes != nullptr) result.axes.assign(problem.axes, problem.axes + problem.axis_count);
    result.batch = problem.batch;
    result.kind = checked_enum<seiche::Kind>(problem.kind, SEICHE_HC2R, "problem.kind");
    if (problem.axis_kinds != nullptr) {
        for (std::size_t i = 0; i < (problem.axes ? problem.axis_count : problem.rank); ++i)
            result.axis_kinds.push_back(
                checked_enum<seiche::Kind>(problem.axis_kinds[i], SEICHE_HC2R, "problem.axis_kinds"));
    }
    if (problem.halved_axis != nullptr) result.halved_axis = *problem.halved_axis;
    result.orthonormal = problem.orthonormal != 0;
    result.precision = checked_enum<seiche::Precision>(problem.precision, SEICHE_F16, "problem.precision");
    result.storage = checked_enum<seiche::Storage>(problem.storage, SEICHE_STORAGE_F64, "problem.storage");
    result.placement = checked_enum<seiche::Placement>(problem.placement, SEICHE_IN_PLACE, "problem.placement");
    result.forward_scale = scale_of(problem.forward_scale, "problem.forward_scale.rule");
    result.inverse_scale = scale_of(problem.inverse_scale, "problem.inverse_scale.rule");
    result.input = layout_of(problem.input, problem.rank);
    result.output = layout_of(problem.output, problem.rank);
    result.signal_zeros = blocks_of(problem.signal_zeros, problem.signal_zero_count);
    result.spectrum_zeros = blocks_of(problem.spectrum_zeros, problem.spectrum_zero_count);
    result.spectrum_order =
        checked_enum<seiche::SpectrumOrder>(problem.spectrum_order, SEICHE_ORDER_PASS, "problem.spectrum_order");
    result.may_overwrite_input = problem.may_overwrite_input != 0;
    result.forward_load = stage_of(problem.forward_load);
    result.forward_store = stage_of(problem.forward_store);
    result.inverse_load = stage_of(problem.inverse_load);
    result.inverse_store = stage_of(problem.inverse_store);
    return result;
}

void add_stages(const seiche_execution& from, seiche::Execution& to) {
    for (std::size_t i = 0; from.stage_buffers != nullptr && i < from.stage_buffer_count; ++i) {
        const seiche_stage_memory& memory = from.stage_buffers[i];
        require(memory.name, "execution.stage_buffers.name");
        to.stage_buffers.push_back({memory.name, view_of(memory.buffer, memory.offset)});
    }
    for (std::size_t i = 0; from.stage_scalars != nullptr && i < from.stage_scalar_count; ++i) {
        require(from.stage_scalars[i].name, "execution.stage_scalars.name");
        to.stage_scalars.push_back({from.stage_scalars[i].name, from.stage_scalars[i].value});
    }
}

seiche_plan* make_plan(const seiche_device* device, const seiche::Problem& problem, seiche_directions directions) {
    seiche::PlanOptions options;
    options.directions = checked_enum<seiche::Directions>(directions, SEICHE_ONLY_INVERSE, "directions");
    return handle_of(seiche::Plan(device->value, problem, options));
}

template <class T>
seiche_status transform(const seiche_plan* plan, seiche_direction direction, const T* in, std::size_t count, T* out,
                        std::size_t capacity) {
    return guard([&] {
        require(plan, "plan");
        require(in, "in");
        require(out, "out");
        const seiche::Kind kind =
            plan->value.problem().axis_kinds.empty() ? plan->value.problem().kind : plan->value.problem().axis_kinds[0];
        const bool is_real = seiche::is_real_to_real(kind);
        const seiche::Problem& problem = plan->value.problem();
        const bool out_planar =
            problem.placement == seiche::Placement::in_place ? problem.input.planar : problem.output.planar;
        const bool real_in = is_real || kind == seiche::Kind::r2c || problem.input.planar;
        const bool real_out = is_real || kind == seiche::Kind::c2r || out_planar;
        const std::uint64_t needed = plan->value.output_bytes() / (real_out ? sizeof(T) : 2 * sizeof(T));
        if (capacity < needed)
            throw seiche::InvalidProblem("capacity: expected at least " + std::to_string(needed) + " elements, got " +
                                         std::to_string(capacity));
        const auto way = checked_enum<seiche::Direction>(direction, SEICHE_INVERSE, "direction");
        const seiche::HostElement in_element = host_element(T{}, real_in, problem.storage);
        plan->value.run({in, count, in_element}, host_element(T{}, real_out, problem.storage), out, way);
    });
}

std::vector<seiche::BufferView> parts_of(const seiche_buffer_part* parts, std::size_t count) {
    std::vector<seiche::BufferView> views;
    for (std::size_t i = 0; parts != nullptr && i < count; ++i)
        views.push_back(view_of(parts[i].buffer, parts[i].offset));
    return views;
}

/// The bytes of the buffers that something of a plan lies in.
seiche_status part_bytes(const seiche_plan* plan, std::uint64_t batch, std::uint64_t* bytes, std::size_t capacity,
                         std::size_t* count,
                         std::vector<std::uint64_t> (seiche::Plan::*question)(std::uint64_t) const) {
    return guard([&] {
        require(plan, "plan");
        require(count, "count");
        const std::vector<std::uint64_t> parts = (plan->value.*question)(batch);
        for (std::size_t i = 0; bytes != nullptr && i < std::min(capacity, parts.size()); ++i) bytes[i] = parts[i];
        *count = parts.size();
    });
}

/// Bytes of a plan by one of its three questions.
seiche_status answer(const seiche_plan* plan, std::uint64_t batch, std::uint64_t* bytes,
                     std::uint64_t (seiche::Plan::*question)(std::uint64_t) const) {
    return guard([&] {
        require(plan, "plan");
        require(bytes, "bytes");
        *bytes = (plan->value.*question)(batch);
    });
}

}  // namespace

extern "C" {

const char* seiche_last_error(void) { return seiche::api::last_error().c_str(); }

const char* seiche_version(void) { return seiche::version(); }

seiche_status seiche_device_open(const char* name, seiche_device** device) {
    return guard([&] {
        require(device, "device");
        *device = nullptr;
        *device = new seiche_device{seiche::Device::open(name == nullptr ? "" : name)};
    });
}

void seiche_device_release(seiche_device* device) { delete device; }

const char* seiche_device_name(const seiche_device* device) {
    return device == nullptr ? "" : device->value.info().name.c_str();
}

const char* seiche_device_description(const seiche_device* device) {
    return device == nullptr ? "" : device->value.info().description.c_str();
}

seiche_status seiche_queue_create(const seiche_device* device, seiche_queue** queue) {
    return guard([&] {
        require(queue, "queue");
        *queue = nullptr;
        require(device, "device");
        *queue = new seiche_queue{device->value.create_queue()};
    });
}

void seiche_queue_release(seiche_queue* queue) { delete queue; }

seiche_status seiche_queue_wait(seiche_queue* queue) {
    return guard([&] {
        require(queue, "queue");
        queue->value.wait();
    });
}

seiche_status seiche_buffer_create(const seiche_device* device, uint64_t bytes, seiche_buffer** buffer) {
    return guard([&] {
        require(buffer, "buffer");
        *buffer = nullptr;
        require(device, "device");
        *buffer = new seiche_buffer{device->value.allocate(bytes)};
    });
}

void seiche_buffer_release(seiche_buffer* buffer) { delete buffer; }

uint64_t seiche_buffer_bytes(const seiche_buffer* buffer) { return buffer == nullptr ? 0 : buffer->value.bytes(); }

seiche_status seiche_upload(seiche_queue* queue, seiche_buffer* to, uint64_t byte_offset, const void* from,
                            size_t bytes) {
    return guard([&] {
        require(queue, "queue");
        require(to, "to");
        require(from, "from");
        queue->value.upload({to->value, byte_offset}, from, bytes);
    });
}

seiche_status seiche_download(seiche_queue* queue, void* to, const seiche_buffer* from, uint64_t byte_offset,
                              size_t bytes) {
    return guard([&] {
        require(queue, "queue");
        require(to, "to");
        require(from, "from");
        queue->value.download(to, {from->value, byte_offset}, bytes);
    });
}

seiche_status seiche_host_memory_create(const seiche_device* device, uint64_t bytes, seiche_host_memory** memory) {
    return guard([&] {
        require(memory, "memory");
        *memory = nullptr;
        require(device, "device");
        *memory = new seiche_host_memory{device->value.allocate_host(bytes)};
    });
}

void seiche_host_memory_release(seiche_host_memory* memory) { delete memory; }

void* seiche_host_memory_data(const seiche_host_memory* memory) {
    return memory == nullptr ? nullptr : memory->value.data();
}

seiche_status seiche_enqueue_upload(seiche_queue* queue, seiche_buffer* to, uint64_t byte_offset, const void* from,
                                    size_t bytes) {
    return guard([&] {
        require(queue, "queue");
        require(to, "to");
        require(from, "from");
        queue->value.enqueue_upload({to->value, byte_offset}, from, bytes);
    });
}

seiche_status seiche_enqueue_download(seiche_queue* queue, void* to, const seiche_buffer* from, uint64_t byte_offset,
                                      size_t bytes) {
    return guard([&] {
        require(queue, "queue");
        require(to, "to");
        require(from, "from");
        queue->value.enqueue_download(to, {from->value, byte_offset}, bytes);
    });
}

seiche_problem seiche_problem_default(size_t rank, const uint64_t* lengths) {
    seiche_problem problem;
    std::memset(&problem, 0, sizeof problem);
    problem.rank = rank;
    problem.lengths = lengths;
    problem.batch = 1;
    return problem;
}

seiche_status seiche_next_fast_length(uint64_t n, uint64_t* m) {
    return guard([&] {
        require(m, "m");
        *m = seiche::next_fast_length(n);
    });
}

seiche_status seiche_plan_create(const seiche_device* device, const seiche_problem* problem,
                                 seiche_directions directions, seiche_plan** plan) {
    return guard([&] {
        require(plan, "plan");
        *plan = nullptr;
        require(device, "device");
        require(problem, "problem");
        *plan = make_plan(device, problem_of(*problem), directions);
    });
}

seiche_status seiche_plan_create_from_text(const seiche_device* device, const char* problem,
                                           seiche_directions directions, seiche_plan** plan) {
    return guard([&] {
        require(plan, "plan");
        *plan = nullptr;
        require(device, "device");
        require(problem, "problem");
        *plan = make_plan(device, seiche::parse_problem(problem), directions);
    });
}

void seiche_plan_release(seiche_plan* plan) { delete plan; }

seiche_status seiche_plan_save(const seiche_plan* plan, unsigned char** bytes, size_t* count) {
    return guard([&] {
        require(bytes, "bytes");
        *bytes = nullptr;
        require(count, "count");
        *count = 0;
        require(plan, "plan");
        const std::vector<std::byte> saved = plan->value.save();
        *bytes = copy_of(saved);
        *count = saved.size();
    });
}

void seiche_bytes_release(unsigned char* bytes) { delete[] bytes; }

seiche_status seiche_plan_load(const seiche_device* device, const void* bytes, size_t count, seiche_plan** plan) {
    return guard([&] {
        require(plan, "plan");
        *plan = nullptr;
        require(device, "device");
        require(bytes, "bytes");
        *plan = handle_of(seiche::Plan::load(device->value, bytes, count));
    });
}

const char* seiche_plan_replanned(const seiche_plan* plan) {
    return plan == nullptr ? "" : plan->value.report().replanned.c_str();
}

seiche_status seiche_plan_input_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes) {
    return answer(plan, batch, bytes, &seiche::Plan::input_bytes);
}

seiche_status seiche_plan_output_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes) {
    return answer(plan, batch, bytes, &seiche::Plan::output_bytes);
}

seiche_status seiche_plan_workspace_bytes(const seiche_plan* plan, uint64_t batch, uint64_t* bytes) {
    return answer(plan, batch, bytes, &seiche::Plan::workspace_bytes);
}

seiche_status seiche_plan_spectrum_index(const seiche_plan* plan, int axis, uint64_t position, uint64_t* index) {
    return guard([&] {
        require(plan, "plan");
        require(index, "index");
        *index = plan->value.spectrum_index(axis, position);
    });
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

const char* seiche_plan_report(const seiche_plan* plan) { return plan == nullptr ? "" : plan->report.c_str(); }

seiche_status seiche_execute(const seiche_plan* plan, seiche_queue* queue, const seiche_execution* execution) {
    return guard([&] {
        require(plan, "plan");
        require(queue, "queue");
        require(execution, "execution");
        seiche::Execution arguments;
        arguments.direction =
            checked_enum<seiche::Direction>(execution->direction, SEICHE_INVERSE, "execution.direction");
        arguments.input = view_of(execution->input, execution->input_offset);
        arguments.output = view_of(execution->output, execution->output_offset);
        arguments.workspace = view_of(execution->workspace, execution->workspace_offset);
        arguments.batch = execution->batch;
        arguments.input_imaginary = view_of(execution->input_imaginary, execution->input_imaginary_offset);
        arguments.output_imaginary = view_of(execution->output_imaginary, execution->output_imaginary_offset);
        arguments.input_parts = parts_of(execution->input_parts, execution->input_part_count);
        arguments.output_parts = parts_of(execution->output_parts, execution->output_part_count);
        arguments.input_imaginary_parts =
            parts_of(execution->input_imaginary_parts, execution->input_imaginary_part_count);
        arguments.output_imaginary_parts =
            parts_of(execution->output_imaginary_parts, execution->output_imaginary_part_count);
        arguments.workspace_parts = parts_of(execution->workspace_parts, execution->workspace_part_count);
        add_stages(*execution, arguments);
        plan->value.execute(queue->value, arguments);
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

}  // extern "C"
