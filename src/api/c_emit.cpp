// The C interface of emission.
#include <memory>

#include "api/c_handles.hpp"
#include "seiche/c/emit.h"
#include "seiche/emit.hpp"

struct seiche_emission {
    std::vector<seiche::EmittedKernel> value;
};
struct seiche_device_function {
    seiche::DeviceFunction value;
};

using seiche::api::checked_enum;
using seiche::api::guard;
using seiche::api::require;
using seiche::api::require_index;
using seiche::api::write_struct;

namespace {

const seiche::EmittedKernel& kernel_of(const seiche_emission* emission, std::size_t kernel) {
    require(emission, "emission");
    require_index(kernel, emission->value.size(), "kernel");
    return emission->value[kernel];
}

/// Forward, where the problem has it.
seiche::Direction direction_for(const seiche::Problem& problem, const seiche_direction& direction) {
    const bool is_inverse = problem.kind == seiche::Kind::c2r || problem.kind == seiche::Kind::ihfft;
    return seiche::api::direction_of(direction, "direction")
        .value_or(is_inverse ? seiche::Direction::inverse : seiche::Direction::forward);
}

}  // namespace

extern "C" {

const char* seiche_dialect_name(seiche_dialect dialect) {
    return seiche::api::name_of<seiche::Dialect>(dialect, SEICHE_DIALECT_ARM64);
}

int seiche_dialect_is_text(seiche_dialect dialect) {
    const int number = seiche::api::number_of(dialect);
    return number >= 0 && number <= SEICHE_DIALECT_ARM64 && seiche::is_text(static_cast<seiche::Dialect>(number)) ? 1
                                                                                                                  : 0;
}

seiche_status seiche_emit_kernels(const seiche_problem* problem, seiche_dialect dialect,
                                  const seiche_device_limits* limits, seiche_direction direction, const char* tuning,
                                  seiche_emission** emission) {
    return guard([&] {
        require(emission, "emission");
        *emission = nullptr;
        const seiche::Problem asked = seiche::api::problem_of(problem);
        const auto written = checked_enum<seiche::Dialect>(dialect, SEICHE_DIALECT_ARM64, "dialect");
        *emission =
            new seiche_emission{seiche::emit_kernels(asked, written, seiche::api::limits_of(limits),
                                                     direction_for(asked, direction), seiche::api::tuning_of(tuning))};
    });
}

void seiche_emission_release(seiche_emission* emission) { delete emission; }

size_t seiche_emission_count(const seiche_emission* emission) {
    return emission == nullptr ? 0 : emission->value.size();
}

seiche_status seiche_emission_kernel(const seiche_emission* emission, size_t kernel, seiche_emitted_kernel* emitted) {
    return guard([&] {
        const seiche::EmittedKernel& known = kernel_of(emission, kernel);
        auto c = seiche::api::default_struct<seiche_emitted_kernel>();
        c.name = known.name.c_str();
        c.source = known.source.c_str();
        c.words = known.words.data();
        c.word_count = known.words.size();
        c.buffer_count = known.buffers.size();
        c.scalar_count = known.scalars.size();
        c.image_count = known.images.size();
        c.groups = known.groups;
        c.shared_bytes = known.shared_bytes;
        c.group_size = known.group_size;
        c.subgroup_size = known.subgroup_size;
        c.groups_per_cluster = known.groups_per_cluster;
        c.argument_words = known.argument_words;
        c.dynamic_shared = known.dynamic_shared;
        write_struct(emitted, c, "emitted");
    });
}

seiche_status seiche_emission_buffer(const seiche_emission* emission, size_t kernel, size_t index,
                                     seiche_emitted_buffer* buffer) {
    return guard([&] {
        const seiche::EmittedKernel& of = kernel_of(emission, kernel);
        require_index(index, of.buffers.size(), "index");
        const seiche::EmittedBuffer& known = of.buffers[index];
        auto c = seiche::api::default_struct<seiche_emitted_buffer>();
        c.name = known.name.c_str();
        c.holds = known.holds.c_str();
        c.element = known.element.c_str();
        c.reads = known.reads;
        c.writes = known.writes;
        c.byte_offset = known.byte_offset;
        c.bytes = known.bytes;
        c.contents = known.contents.data();
        c.content_bytes = known.contents.size();
        c.part = known.part;
        write_struct(buffer, c, "buffer");
    });
}

seiche_status seiche_emission_scalar(const seiche_emission* emission, size_t kernel, size_t index,
                                     seiche_emitted_scalar* scalar) {
    return guard([&] {
        const seiche::EmittedKernel& of = kernel_of(emission, kernel);
        require_index(index, of.scalars.size(), "index");
        const seiche::EmittedScalar& known = of.scalars[index];
        auto c = seiche::api::default_struct<seiche_emitted_scalar>();
        c.name = known.name.c_str();
        c.type = known.type.c_str();
        c.value = known.value;
        c.word = known.word;
        write_struct(scalar, c, "scalar");
    });
}

seiche_status seiche_emission_image(const seiche_emission* emission, size_t kernel, size_t index,
                                    seiche_emitted_image* image) {
    return guard([&] {
        const seiche::EmittedKernel& of = kernel_of(emission, kernel);
        require_index(index, of.images.size(), "index");
        const seiche::EmittedImage& known = of.images[index];
        auto c = seiche::api::default_struct<seiche_emitted_image>();
        c.name = known.name.c_str();
        c.holds = known.holds.c_str();
        c.reads = known.reads;
        c.writes = known.writes;
        c.width = known.width;
        c.height = known.height;
        c.format = static_cast<seiche_image_format>(known.format);
        c.binding = known.binding;
        write_struct(image, c, "image");
    });
}

seiche_status seiche_emit_device_function(const seiche_problem* problem, seiche_dialect dialect,
                                          const seiche_device_limits* limits, seiche_direction direction,
                                          const char* tuning, seiche_device_function** function) {
    return guard([&] {
        require(function, "function");
        *function = nullptr;
        const seiche::Problem asked = seiche::api::problem_of(problem);
        const auto written = checked_enum<seiche::Dialect>(dialect, SEICHE_DIALECT_ARM64, "dialect");
        *function = new seiche_device_function{
            seiche::emit_device_function(asked, written, seiche::api::limits_of(limits),
                                         direction_for(asked, direction), seiche::api::tuning_of(tuning))};
    });
}

void seiche_device_function_release(seiche_device_function* function) { delete function; }

seiche_status seiche_device_function_get(const seiche_device_function* function, seiche_device_function_info* info) {
    return guard([&] {
        require(function, "function");
        const seiche::DeviceFunction& known = function->value;
        auto c = seiche::api::default_struct<seiche_device_function_info>();
        c.name = known.name.c_str();
        c.source = known.source.c_str();
        c.points = known.points;
        c.threads = known.threads;
        c.registers = known.registers;
        c.shared_bytes = known.shared_bytes;
        c.twiddle_bytes = known.twiddle_bytes;
        write_struct(info, c, "info");
    });
}

}  // extern "C"
