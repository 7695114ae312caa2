// The C interface to native objects of CUDA, HIP, Level Zero and OpenCL, and to the processor's memory and threads.
#include "api/c_handles.hpp"
#include "seiche/interop/cpu.h"
#include "seiche/interop/cpu.hpp"
#include "seiche/interop/cuda.h"
#include "seiche/interop/hip.h"
#include "seiche/interop/level_zero.h"
#include "seiche/interop/level_zero.hpp"
#include "seiche/interop/opencl.h"
#include "seiche/interop/untyped.hpp"

namespace {

using seiche::api::guard;
using seiche::api::require;

/// Makes a handle of what `make` gives for the device.
template <class Handle, class Make>
seiche_status make_of(const seiche_device* device, Handle** result, const char* name, const Make& make) {
    return guard([&] {
        require(result, name);
        *result = nullptr;
        require(device, "device");
        *result = new Handle{make(device->value)};
    });
}

/// Asks a handle for its native object.
template <class Handle, class Native, class Question>
seiche_status ask(const Handle* handle, const char* handle_name, Native* native, const Question& question) {
    return guard([&] {
        require(native, "the native object");
        *native = {};
        require(handle, handle_name);
        *native = question(handle->value);
    });
}

}  // namespace

namespace cuda = seiche::cuda::untyped;
namespace hip = seiche::hip::untyped;
namespace opencl = seiche::opencl::untyped;
namespace level_zero = seiche::level_zero;
using seiche::Buffer;
using seiche::Device;
using seiche::Queue;

extern "C" {

// ---- CUDA ----

seiche_status seiche_cuda_device(void* context, seiche_device** device) {
    return guard([&] {
        require(device, "device");
        *device = nullptr;
        *device = new seiche_device{cuda::device(context)};
    });
}

seiche_status seiche_cuda_queue(const seiche_device* device, void* stream, seiche_queue** queue) {
    return make_of(device, queue, "queue", [&](const Device& on) { return cuda::queue(on, stream); });
}

seiche_status seiche_cuda_buffer(const seiche_device* device, uint64_t address, uint64_t bytes,
                                 seiche_buffer** buffer) {
    return make_of(device, buffer, "buffer", [&](const Device& on) { return cuda::buffer(on, address, bytes); });
}

seiche_status seiche_cuda_pointer_buffer(const seiche_device* device, void* address, uint64_t bytes,
                                         seiche_buffer** buffer) {
    return seiche_cuda_buffer(device, reinterpret_cast<std::uintptr_t>(address), bytes, buffer);
}

seiche_status seiche_cuda_repeating_buffer(const seiche_device* device, uint64_t period, uint64_t bytes,
                                           seiche_buffer** buffer) {
    return make_of(device, buffer, "buffer",
                   [&](const Device& on) { return cuda::repeating_buffer(on, period, bytes); });
}

seiche_status seiche_cuda_wait_for(seiche_queue* queue, void* event) {
    return guard([&] {
        require(queue, "queue");
        cuda::wait_for(queue->value, event);
    });
}

seiche_status seiche_cuda_record(seiche_queue* queue, void* event) {
    return guard([&] {
        require(queue, "queue");
        cuda::record(queue->value, event);
    });
}

seiche_status seiche_cuda_context(const seiche_device* device, void** context) {
    return ask(device, "device", context, [](const Device& of) { return cuda::context(of); });
}

seiche_status seiche_cuda_stream(const seiche_queue* queue, void** stream) {
    return ask(queue, "queue", stream, [](const Queue& of) { return cuda::stream(of); });
}

seiche_status seiche_cuda_address(const seiche_buffer* buffer, uint64_t* address) {
    return ask(buffer, "buffer", address, [](const Buffer& of) { return cuda::address(of); });
}

// ---- HIP ----

seiche_status seiche_hip_queue(const seiche_device* device, void* stream, seiche_queue** queue) {
    return make_of(device, queue, "queue", [&](const Device& on) { return hip::queue(on, stream); });
}

seiche_status seiche_hip_buffer(const seiche_device* device, void* address, uint64_t bytes, seiche_buffer** buffer) {
    return make_of(device, buffer, "buffer", [&](const Device& on) { return hip::buffer(on, address, bytes); });
}

seiche_status seiche_hip_wait_for(seiche_queue* queue, void* event) {
    return guard([&] {
        require(queue, "queue");
        hip::wait_for(queue->value, event);
    });
}

seiche_status seiche_hip_record(seiche_queue* queue, void* event) {
    return guard([&] {
        require(queue, "queue");
        hip::record(queue->value, event);
    });
}

seiche_status seiche_hip_ordinal(const seiche_device* device, int* ordinal) {
    return ask(device, "device", ordinal, [](const Device& of) { return hip::ordinal(of); });
}

seiche_status seiche_hip_stream(const seiche_queue* queue, void** stream) {
    return ask(queue, "queue", stream, [](const Queue& of) { return hip::stream(of); });
}

seiche_status seiche_hip_address(const seiche_buffer* buffer, void** address) {
    return ask(buffer, "buffer", address, [](const Buffer& of) { return hip::address(of); });
}

// ---- Level Zero ----

seiche_status seiche_level_zero_device(const seiche_level_zero_native_device* native, seiche_device** device) {
    return guard([&] {
        require(device, "device");
        *device = nullptr;
        const seiche_level_zero_native_device given = seiche::api::read_struct(native, "native");
        *device = new seiche_device{level_zero::device({given.driver, given.context, given.device})};
    });
}

seiche_status seiche_level_zero_queue(const seiche_device* device, void* command_list, seiche_queue** queue) {
    return make_of(device, queue, "queue", [&](const Device& on) { return level_zero::queue(on, command_list); });
}

seiche_status seiche_level_zero_buffer(const seiche_device* device, void* address, uint64_t bytes,
                                       seiche_buffer** buffer) {
    return make_of(device, buffer, "buffer", [&](const Device& on) { return level_zero::buffer(on, address, bytes); });
}

seiche_status seiche_level_zero_record(const seiche_plan* plan, const seiche_execution* execution, void* command_list) {
    return guard([&] {
        require(plan, "plan");
        level_zero::record(plan->value, seiche::api::execution_of(execution), command_list);
    });
}

seiche_status seiche_level_zero_record_convolution(const seiche_convolution_plan* plan,
                                                   const seiche_convolution_execution* execution, void* command_list) {
    return guard([&] {
        require(plan, "plan");
        level_zero::record(plan->value, seiche::api::execution_of(execution), command_list);
    });
}

seiche_status seiche_level_zero_context_handle(const seiche_device* device, void** context) {
    return ask(device, "device", context, [](const Device& of) { return level_zero::context_handle(of); });
}

seiche_status seiche_level_zero_device_handle(const seiche_device* device, void** handle) {
    return ask(device, "device", handle, [](const Device& of) { return level_zero::device_handle(of); });
}

seiche_status seiche_level_zero_command_list_handle(const seiche_queue* queue, void** command_list) {
    return ask(queue, "queue", command_list, [](const Queue& of) { return level_zero::command_list_handle(of); });
}

seiche_status seiche_level_zero_address(const seiche_buffer* buffer, void** address) {
    return ask(buffer, "buffer", address, [](const Buffer& of) { return level_zero::address(of); });
}

// ---- OpenCL ----

seiche_status seiche_opencl_device(void* context, void* device_id, seiche_device** device) {
    return guard([&] {
        require(device, "device");
        *device = nullptr;
        *device = new seiche_device{opencl::device(context, device_id)};
    });
}

seiche_status seiche_opencl_queue(const seiche_device* device, void* command_queue, seiche_queue** queue) {
    return make_of(device, queue, "queue", [&](const Device& on) { return opencl::queue(on, command_queue); });
}

seiche_status seiche_opencl_buffer(const seiche_device* device, void* memory, seiche_buffer** buffer) {
    return make_of(device, buffer, "buffer", [&](const Device& on) { return opencl::buffer(on, memory); });
}

seiche_status seiche_opencl_svm_buffer(const seiche_device* device, void* pointer, uint64_t bytes,
                                       seiche_buffer** buffer) {
    return make_of(device, buffer, "buffer", [&](const Device& on) { return opencl::svm_buffer(on, pointer, bytes); });
}

seiche_status seiche_opencl_usm_buffer(const seiche_device* device, void* pointer, uint64_t bytes,
                                       seiche_buffer** buffer) {
    return make_of(device, buffer, "buffer", [&](const Device& on) { return opencl::usm_buffer(on, pointer, bytes); });
}

seiche_status seiche_opencl_wait_for(seiche_queue* queue, struct _cl_event* const* events, size_t count) {
    return guard([&] {
        require(queue, "queue");
        const std::vector<_cl_event*> given =
            seiche::api::vector_of(events, count, seiche::api::most_elements, "events");
        const std::vector<const void*> list(given.begin(), given.end());
        opencl::wait_for(queue->value, list.data(), list.size());
    });
}

seiche_status seiche_opencl_record(seiche_queue* queue, struct _cl_event** event) {
    return guard([&] {
        require(event, "event");
        *event = nullptr;
        require(queue, "queue");
        *event = static_cast<_cl_event*>(opencl::record(queue->value));
    });
}

seiche_status seiche_opencl_context(const seiche_device* device, void** context) {
    return ask(device, "device", context, [](const Device& of) { return opencl::context(of); });
}

seiche_status seiche_opencl_device_id(const seiche_device* device, void** device_id) {
    return ask(device, "device", device_id, [](const Device& of) { return opencl::device_id(of); });
}

seiche_status seiche_opencl_command_queue(const seiche_queue* queue, void** command_queue) {
    return ask(queue, "queue", command_queue, [](const Queue& of) { return opencl::command_queue(of); });
}

seiche_status seiche_opencl_memory(const seiche_buffer* buffer, void** memory) {
    return ask(buffer, "buffer", memory, [](const Buffer& of) { return opencl::memory(of); });
}

seiche_status seiche_opencl_pointer(const seiche_buffer* buffer, void** pointer) {
    return ask(buffer, "buffer", pointer, [](const Buffer& of) { return opencl::pointer(of); });
}

// ---- the processor ----

seiche_status seiche_cpu_buffer(const seiche_device* device, void* pointer, uint64_t bytes, seiche_buffer** buffer) {
    return make_of(device, buffer, "buffer", [&](const Device& on) { return seiche::cpu::buffer(on, pointer, bytes); });
}

seiche_status seiche_cpu_data(const seiche_buffer* buffer, void** pointer) {
    return ask(buffer, "buffer", pointer, [](const Buffer& of) { return seiche::cpu::data(of); });
}

seiche_status seiche_cpu_set_threads(uint32_t threads) {
    return guard([&] { seiche::cpu::set_threads(threads); });
}

seiche_status seiche_cpu_set_parallel_for(seiche_cpu_parallel_for parallel_for, void* user) {
    return guard([&] {
        if (parallel_for == nullptr) return seiche::cpu::set_parallel_for({});
        seiche::cpu::set_parallel_for([=](std::size_t count, const std::function<void(std::size_t)>& piece) {
            const auto call = [](void* context, std::size_t index) {
                (*static_cast<const std::function<void(std::size_t)>*>(context))(index);
            };
            parallel_for(user, count, call, const_cast<std::function<void(std::size_t)>*>(&piece));
        });
    });
}

}  // extern "C"
