// The C interface to native objects of Vulkan and OpenGL, and to the images of `reference`.
#include "api/c_handles.hpp"
#include "seiche/interop/opengl.h"
#include "seiche/interop/opengl.hpp"
#include "seiche/interop/reference.h"
#include "seiche/interop/reference.hpp"
#include "seiche/interop/vulkan.h"
#include "seiche/interop/vulkan.hpp"

struct seiche_vulkan_bindings {
    seiche::vulkan::Bindings value;
};

namespace {

using seiche::api::checked_enum;
using seiche::api::guard;
using seiche::api::require;

seiche::ImageFormat format_of(const seiche_image_format& format) {
    return checked_enum<seiche::ImageFormat>(format, SEICHE_IMAGE_RGBA16F, "format");
}

seiche::vulkan::NativeDevice native_of(const seiche_vulkan_native_device* given) {
    const seiche_vulkan_native_device c = seiche::api::read_struct(given, "native");
    seiche::vulkan::NativeDevice native;
    native.instance = c.instance;
    native.physical_device = c.physical_device;
    native.device = c.device;
    native.queue = c.queue;
    native.queue_family = c.queue_family;
    native.get_instance_proc_addr = c.get_instance_proc_addr;
    native.shader_float64 = c.shader_float64 != 0;
    native.shader_int64 = c.shader_int64 != 0;
    native.storage_buffer_16bit = c.storage_buffer_16bit != 0;
    native.storage_buffer_8bit = c.storage_buffer_8bit != 0;
    native.storage_image_extended_formats = c.storage_image_extended_formats != 0;
    native.timeline_semaphore = c.timeline_semaphore != 0;
    native.push_descriptor = c.push_descriptor != 0;
    native.subgroup_size_control = c.subgroup_size_control != 0;
    native.compute_full_subgroups = c.compute_full_subgroups != 0;
    native.buffer_device_address = c.buffer_device_address != 0;
    return native;
}

}  // namespace

extern "C" {

// ---- Vulkan ----

seiche_status seiche_vulkan_device(const seiche_vulkan_native_device* native, seiche_device** device) {
    return guard([&] {
        require(device, "device");
        *device = nullptr;
        *device = new seiche_device{seiche::vulkan::device(native_of(native))};
    });
}

seiche_status seiche_vulkan_buffer(const seiche_device* device, uint64_t vk_buffer, uint64_t bytes,
                                   seiche_buffer** buffer) {
    return guard([&] {
        require(buffer, "buffer");
        *buffer = nullptr;
        require(device, "device");
        *buffer = new seiche_buffer{seiche::vulkan::buffer(device->value, vk_buffer, bytes)};
    });
}

seiche_status seiche_vulkan_image(const seiche_device* device, uint64_t view, seiche_image_format format,
                                  uint32_t width, uint32_t height, seiche_image** image) {
    return guard([&] {
        require(image, "image");
        *image = nullptr;
        require(device, "device");
        *image = new seiche_image{seiche::vulkan::image(device->value, view, format_of(format), width, height)};
    });
}

seiche_status seiche_vulkan_wait_for(seiche_queue* queue, uint64_t semaphore, uint64_t value) {
    return guard([&] {
        require(queue, "queue");
        seiche::vulkan::wait_for(queue->value, semaphore, value);
    });
}

seiche_status seiche_vulkan_signal(seiche_queue* queue, uint64_t semaphore, uint64_t value) {
    return guard([&] {
        require(queue, "queue");
        seiche::vulkan::signal(queue->value, semaphore, value);
    });
}

seiche_status seiche_vulkan_bindings_create(const seiche_plan* plan, const seiche_execution* execution,
                                            seiche_vulkan_bindings** bindings) {
    return guard([&] {
        require(bindings, "bindings");
        *bindings = nullptr;
        require(plan, "plan");
        *bindings =
            new seiche_vulkan_bindings{seiche::vulkan::Bindings(plan->value, seiche::api::execution_of(execution))};
    });
}

seiche_status seiche_vulkan_bindings_create_convolution(const seiche_convolution_plan* plan,
                                                        const seiche_convolution_execution* execution,
                                                        seiche_vulkan_bindings** bindings) {
    return guard([&] {
        require(bindings, "bindings");
        *bindings = nullptr;
        require(plan, "plan");
        *bindings =
            new seiche_vulkan_bindings{seiche::vulkan::Bindings(plan->value, seiche::api::execution_of(execution))};
    });
}

void seiche_vulkan_bindings_release(seiche_vulkan_bindings* bindings) { delete bindings; }

seiche_status seiche_vulkan_bindings_record(const seiche_vulkan_bindings* bindings, void* command_buffer) {
    return guard([&] {
        require(bindings, "bindings");
        bindings->value.record(command_buffer);
    });
}

seiche_status seiche_vulkan_device_handle(const seiche_device* device, void** handle) {
    return guard([&] {
        require(handle, "handle");
        *handle = nullptr;
        require(device, "device");
        *handle = seiche::vulkan::device_handle(device->value);
    });
}

seiche_status seiche_vulkan_queue_handle(const seiche_queue* queue, void** handle) {
    return guard([&] {
        require(handle, "handle");
        *handle = nullptr;
        require(queue, "queue");
        *handle = seiche::vulkan::queue_handle(queue->value);
    });
}

seiche_status seiche_vulkan_buffer_handle(const seiche_buffer* buffer, uint64_t* handle) {
    return guard([&] {
        require(handle, "handle");
        *handle = 0;
        require(buffer, "buffer");
        *handle = seiche::vulkan::buffer_handle(buffer->value);
    });
}

// ---- OpenGL ----

seiche_status seiche_opengl_current_device(void* (*get_proc_address)(const char* name), seiche_device** device) {
    return guard([&] {
        require(device, "device");
        *device = nullptr;
        *device = new seiche_device{seiche::opengl::current_device(get_proc_address)};
    });
}

seiche_status seiche_opengl_buffer(const seiche_device* device, unsigned name, seiche_buffer** buffer) {
    return guard([&] {
        require(buffer, "buffer");
        *buffer = nullptr;
        require(device, "device");
        *buffer = new seiche_buffer{seiche::opengl::buffer(device->value, name)};
    });
}

seiche_status seiche_opengl_image(const seiche_device* device, unsigned texture, int level, seiche_image** image) {
    return guard([&] {
        require(image, "image");
        *image = nullptr;
        require(device, "device");
        *image = new seiche_image{seiche::opengl::image(device->value, texture, level)};
    });
}

seiche_status seiche_opengl_name(const seiche_buffer* buffer, unsigned* name) {
    return guard([&] {
        require(name, "name");
        *name = 0;
        require(buffer, "buffer");
        *name = seiche::opengl::name(buffer->value);
    });
}

// ---- reference ----

seiche_status seiche_reference_image(const seiche_device* device, const seiche_buffer* buffer,
                                     seiche_image_format format, uint32_t width, uint32_t height,
                                     seiche_image** image) {
    return guard([&] {
        require(image, "image");
        *image = nullptr;
        require(device, "device");
        require(buffer, "buffer");
        *image =
            new seiche_image{seiche::reference::image(device->value, buffer->value, format_of(format), width, height)};
    });
}

}  // extern "C"
