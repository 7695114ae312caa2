// The C interface of devices, queues, memory, events, images and the cache.
#include <memory>

#include "api/c_handles.hpp"
#include "seiche/cache.hpp"
#include "seiche/half.hpp"
#include "seiche/image.hpp"
#include "support/of_thread.hpp"

struct seiche_device_list {
    std::vector<seiche::DeviceInfo> value;
};

using seiche::api::checked_enum;
using seiche::api::guard;
using seiche::api::name_of;
using seiche::api::require;
using seiche::api::require_array;
using seiche::api::require_index;

namespace seiche::api {

seiche_device_limits limits_in_c(const DeviceLimits& limits) {
    auto c = default_struct<seiche_device_limits>();
    c.architecture = limits.architecture.c_str();
    c.vectors = static_cast<seiche_vectors>(limits.vectors);
    c.subgroup_size = limits.subgroup_size;
    c.vector_bytes = limits.vector_bytes;
    c.max_group_size = limits.max_group_size;
    c.shared_bytes = limits.shared_bytes;
    c.shared_bytes_per_unit = limits.shared_bytes_per_unit;
    c.registers_per_thread = limits.registers_per_thread;
    c.compute_units = limits.compute_units;
    c.max_cluster_size = limits.max_cluster_size;
    c.max_allocation_bytes = limits.max_allocation_bytes;
    c.max_buffer_bytes = limits.max_buffer_bytes;
    c.max_addressed_bytes = limits.max_addressed_bytes;
    c.memory_bytes = limits.memory_bytes;
    c.memory_bytes_per_second = limits.memory_bytes_per_second;
    c.cache_bytes = limits.cache_bytes;
    c.unit_cache_bytes = limits.unit_cache_bytes;
    c.sector_bytes = limits.sector_bytes;
    c.shared_banks = limits.shared_banks;
    c.fp64 = limits.fp64;
    c.exact_fp64 = limits.exact_fp64;
    c.fp16_storage = limits.fp16_storage;
    c.fp16_arithmetic = limits.fp16_arithmetic;
    c.fast_fma = limits.fast_fma;
    c.waits_for_groups = limits.waits_for_groups;
    c.bounds_registers = limits.bounds_registers;
    c.fixed_subgroups = limits.fixed_subgroups;
    c.part_barriers = limits.part_barriers;
    return c;
}

DeviceLimits limits_of(const seiche_device_limits* given) {
    const seiche_device_limits c = read_struct_or_default(given, "limits");
    DeviceLimits limits;
    if (c.architecture != nullptr) limits.architecture = c.architecture;
    limits.vectors = checked_enum<Vectors>(c.vectors, SEICHE_VECTORS_IMPLICIT_SIMD, "limits.vectors");
    limits.subgroup_size = c.subgroup_size;
    limits.vector_bytes = c.vector_bytes;
    limits.max_group_size = c.max_group_size;
    limits.shared_bytes = c.shared_bytes;
    limits.shared_bytes_per_unit = c.shared_bytes_per_unit;
    limits.registers_per_thread = c.registers_per_thread;
    limits.compute_units = c.compute_units;
    limits.max_cluster_size = c.max_cluster_size;
    limits.max_allocation_bytes = c.max_allocation_bytes;
    limits.max_buffer_bytes = c.max_buffer_bytes;
    limits.max_addressed_bytes = c.max_addressed_bytes;
    limits.memory_bytes = c.memory_bytes;
    limits.memory_bytes_per_second = c.memory_bytes_per_second;
    limits.cache_bytes = c.cache_bytes;
    limits.unit_cache_bytes = c.unit_cache_bytes;
    limits.sector_bytes = c.sector_bytes;
    limits.shared_banks = c.shared_banks;
    limits.fp64 = c.fp64 != 0;
    limits.exact_fp64 = c.exact_fp64 != 0;
    limits.fp16_storage = c.fp16_storage != 0;
    limits.fp16_arithmetic = c.fp16_arithmetic != 0;
    limits.fast_fma = c.fast_fma != 0;
    limits.waits_for_groups = c.waits_for_groups != 0;
    limits.bounds_registers = c.bounds_registers != 0;
    limits.fixed_subgroups = c.fixed_subgroups != 0;
    limits.part_barriers = c.part_barriers != 0;
    return limits;
}

}  // namespace seiche::api

namespace {

seiche_device_info info_in_c(const seiche::DeviceInfo& info) {
    auto c = seiche::api::default_struct<seiche_device_info>();
    c.name = info.name.c_str();
    c.description = info.description.c_str();
    c.backend = static_cast<seiche_backend>(info.backend);
    c.available = info.available;
    c.is_gpu = info.is_gpu;
    c.driver = info.driver.c_str();
    c.problem = info.problem.c_str();
    c.remedy = info.remedy.c_str();
    return c;
}

const seiche::DeviceInfo& line_of(const seiche_device_list* list, std::size_t index) {
    require(list, "list");
    require_index(index, list->value.size(), "index");
    return list->value[index];
}

/// Leaves a batch whose work failed in C; its message is this thread's already.
struct BatchFailed {
    seiche_status status;
};

seiche::ImageFormat format_of(const seiche_image_format& format) {
    const int number = seiche::api::number_of(format);
    return number < 0 || number > SEICHE_IMAGE_RGBA16F ? seiche::ImageFormat::none
                                                       : static_cast<seiche::ImageFormat>(number);
}

}  // namespace

extern "C" {

const char* seiche_backend_name(seiche_backend backend) {
    return name_of<seiche::Backend>(backend, SEICHE_BACKEND_CPU);
}

seiche_status seiche_devices(seiche_device_list** list) {
    return guard([&] {
        require(list, "list");
        *list = nullptr;
        *list = new seiche_device_list{seiche::devices()};
    });
}

size_t seiche_device_list_count(const seiche_device_list* list) { return list == nullptr ? 0 : list->value.size(); }

seiche_status seiche_device_list_get(const seiche_device_list* list, size_t index, seiche_device_info* info) {
    return guard([&] { seiche::api::write_struct(info, info_in_c(line_of(list, index)), "info"); });
}

seiche_status seiche_device_list_get_limits(const seiche_device_list* list, size_t index,
                                            seiche_device_limits* limits) {
    return guard(
        [&] { seiche::api::write_struct(limits, seiche::api::limits_in_c(line_of(list, index).limits), "limits"); });
}

void seiche_device_list_release(seiche_device_list* list) { delete list; }

seiche_status seiche_device_open(const char* name, seiche_device** device) {
    return guard([&] {
        require(device, "device");
        *device = nullptr;
        *device = new seiche_device{seiche::Device::open(name == nullptr ? "" : name)};
    });
}

seiche_status seiche_device_open_with_note(const char* name, seiche_device** device, char** note) {
    return guard([&] {
        require(device, "device");
        *device = nullptr;
        require(note, "note");
        *note = nullptr;
        std::string text;
        auto opened = std::make_unique<seiche_device>();
        opened->value = seiche::Device::open(name == nullptr ? "" : name, &text);
        *note = seiche::api::copy_of(text);
        *device = opened.release();
    });
}

void seiche_device_release(seiche_device* device) { delete device; }

const char* seiche_device_name(const seiche_device* device) {
    return device == nullptr ? "" : device->value.info().name.c_str();
}

const char* seiche_device_description(const seiche_device* device) {
    return device == nullptr ? "" : device->value.info().description.c_str();
}

seiche_status seiche_device_get_info(const seiche_device* device, seiche_device_info* info) {
    return guard([&] {
        require(device, "device");
        seiche::api::write_struct(info, info_in_c(device->value.info()), "info");
    });
}

seiche_status seiche_device_get_limits(const seiche_device* device, seiche_device_limits* limits) {
    return guard([&] {
        require(device, "device");
        seiche::api::write_struct(limits, seiche::api::limits_in_c(device->value.limits()), "limits");
    });
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

seiche_status seiche_queue_batch(seiche_queue* queue, seiche_status (*work)(void* user), void* user) {
    seiche_status failed = SEICHE_OK;
    const seiche_status status = guard([&] {
        require(queue, "queue");
        if (work == nullptr) throw seiche::InvalidProblem("work: expected a function, got NULL");
        try {
            queue->value.batch([&] {
                const seiche_status own = work(user);
                if (own != SEICHE_OK) throw BatchFailed{own};
            });
        } catch (const BatchFailed& failure) {
            failed = failure.status;
        }
    });
    return status == SEICHE_OK ? failed : status;
}

seiche_status seiche_queue_record(seiche_queue* queue, seiche_event** event) {
    return guard([&] {
        require(event, "event");
        *event = nullptr;
        require(queue, "queue");
        *event = new seiche_event{queue->value.record()};
    });
}

seiche_status seiche_queue_milliseconds(seiche_queue* queue, const seiche_event* from, const seiche_event* to,
                                        double* milliseconds) {
    return guard([&] {
        require(queue, "queue");
        require(from, "from");
        require(to, "to");
        require(milliseconds, "milliseconds");
        *milliseconds = queue->value.milliseconds(from->value, to->value);
    });
}

void seiche_event_release(seiche_event* event) { delete event; }

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
        require_array(from, bytes, SIZE_MAX, "from");
        queue->value.upload({to->value, byte_offset}, from, bytes);
    });
}

seiche_status seiche_download(seiche_queue* queue, void* to, const seiche_buffer* from, uint64_t byte_offset,
                              size_t bytes) {
    return guard([&] {
        require(queue, "queue");
        require_array(to, bytes, SIZE_MAX, "to");
        require(from, "from");
        queue->value.download(to, {from->value, byte_offset}, bytes);
    });
}

seiche_status seiche_copy(seiche_queue* queue, seiche_buffer* to, uint64_t to_offset, const seiche_buffer* from,
                          uint64_t from_offset, uint64_t bytes) {
    return guard([&] {
        require(queue, "queue");
        require(to, "to");
        require(from, "from");
        queue->value.copy({to->value, to_offset}, {from->value, from_offset}, bytes);
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

uint64_t seiche_host_memory_bytes(const seiche_host_memory* memory) {
    return memory == nullptr ? 0 : memory->value.bytes();
}

seiche_status seiche_enqueue_upload(seiche_queue* queue, seiche_buffer* to, uint64_t byte_offset, const void* from,
                                    size_t bytes) {
    return guard([&] {
        require(queue, "queue");
        require(to, "to");
        require_array(from, bytes, SIZE_MAX, "from");
        queue->value.enqueue_upload({to->value, byte_offset}, from, bytes);
    });
}

seiche_status seiche_enqueue_download(seiche_queue* queue, void* to, const seiche_buffer* from, uint64_t byte_offset,
                                      size_t bytes) {
    return guard([&] {
        require(queue, "queue");
        require_array(to, bytes, SIZE_MAX, "to");
        require(from, "from");
        queue->value.enqueue_download(to, {from->value, byte_offset}, bytes);
    });
}

const char* seiche_image_format_name(seiche_image_format format) {
    return name_of<seiche::ImageFormat>(format, SEICHE_IMAGE_RGBA16F);
}

unsigned seiche_image_format_channels(seiche_image_format format) { return seiche::channels(format_of(format)); }

unsigned seiche_image_format_texel_bytes(seiche_image_format format) { return seiche::texel_bytes(format_of(format)); }

seiche_status seiche_image_create(const seiche_device* device, seiche_image_format format, uint32_t width,
                                  uint32_t height, seiche_image** image) {
    return guard([&] {
        require(image, "image");
        *image = nullptr;
        require(device, "device");
        const auto checked = checked_enum<seiche::ImageFormat>(format, SEICHE_IMAGE_RGBA16F, "format");
        *image = new seiche_image{device->value.allocate_image(checked, width, height)};
    });
}

void seiche_image_release(seiche_image* image) { delete image; }

seiche_image_format seiche_image_get_format(const seiche_image* image) {
    return image == nullptr ? SEICHE_IMAGE_NONE : static_cast<seiche_image_format>(image->value.format());
}

uint32_t seiche_image_width(const seiche_image* image) { return image == nullptr ? 0 : image->value.width(); }

uint32_t seiche_image_height(const seiche_image* image) { return image == nullptr ? 0 : image->value.height(); }

seiche_status seiche_get_cache_report(seiche_cache_report* report) {
    return guard([&] {
        auto& known = seiche::support::of_thread<seiche::CacheReport, struct CacheReportOfThread>();
        auto& refused = seiche::support::of_thread<std::vector<const char*>, struct RefusedOfThread>();
        known = seiche::cache_report();
        refused.clear();
        for (const std::string& line : known.refused) refused.push_back(line.c_str());
        auto c = seiche::api::default_struct<seiche_cache_report>();
        c.folder = known.folder.c_str();
        c.entries = known.entries;
        c.bytes = known.bytes;
        c.writable = known.writable;
        c.limit_bytes = known.limit_bytes;
        c.problem = known.problem.c_str();
        c.refused = refused.data();
        c.refused_count = refused.size();
        seiche::api::write_struct(report, c, "report");
    });
}

seiche_status seiche_clear_cache(uint64_t* removed) {
    return guard([&] {
        const std::uint64_t count = seiche::clear_cache();
        if (removed != nullptr) *removed = count;
    });
}

uint16_t seiche_to_f16(float value) { return seiche::to_f16(value); }
float seiche_from_f16(uint16_t half) { return seiche::from_f16(half); }
uint16_t seiche_to_bf16(float value) { return seiche::to_bf16(value); }
float seiche_from_bf16(uint16_t half) { return seiche::from_bf16(half); }

}  // extern "C"
