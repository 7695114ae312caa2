// Devices, queues and memory.
#include <seiche/interop/cpu.hpp>
#include <seiche/interop/untyped.hpp>

#include "bindings.hpp"

namespace seichefft {

namespace {

using seiche::Backend;

const char* word_of(seiche::Vectors vectors) {
    switch (vectors) {
        case seiche::Vectors::subgroups: return "subgroups";
        case seiche::Vectors::explicit_simd: return "explicit_simd";
        case seiche::Vectors::implicit_simd: break;
    }
    return "implicit_simd";
}

nb::dict limits_of(const seiche::DeviceLimits& limits) {
    nb::dict result;
    result["architecture"] = limits.architecture;
    result["vectors"] = word_of(limits.vectors);
    result["subgroup_size"] = limits.subgroup_size;
    result["max_group_size"] = limits.max_group_size;
    result["shared_bytes"] = limits.shared_bytes;
    result["registers_per_thread"] = limits.registers_per_thread;
    result["compute_units"] = limits.compute_units;
    result["max_cluster_size"] = limits.max_cluster_size;
    result["max_allocation_bytes"] = limits.max_allocation_bytes;
    result["memory_bytes"] = limits.memory_bytes;
    result["memory_bytes_per_second"] = limits.memory_bytes_per_second;
    result["cache_bytes"] = limits.cache_bytes;
    result["fp64"] = limits.fp64;
    result["exact_fp64"] = limits.exact_fp64;
    result["fp16_storage"] = limits.fp16_storage;
    result["fp16_arithmetic"] = limits.fp16_arithmetic;
    return result;
}

/// A context of the caller's: CUDA's CUcontext, or OpenCL's cl_context with a cl_device_id.
seiche::Device device_of_context(const std::string& backend, std::uintptr_t context, std::uintptr_t device) {
    if (backend == "cuda") return seiche::cuda::untyped::device(reinterpret_cast<void*>(context));
    if (backend == "opencl")
        return seiche::opencl::untyped::device(reinterpret_cast<void*>(context), reinterpret_cast<void*>(device));
    throw seiche::Unsupported("a context of the caller's: expected backend 'cuda' or 'opencl', got '" + backend + "'");
}

/// 0 where the memory has no address of its own (Vulkan, OpenGL).
std::uint64_t address_of(const seiche::Device& device, const seiche::Buffer& buffer) {
    switch (device.info().backend) {
        case Backend::cpu: return reinterpret_cast<std::uintptr_t>(seiche::cpu::data(buffer));
        case Backend::cuda: return seiche::cuda::untyped::address(buffer);
        case Backend::hip: return reinterpret_cast<std::uintptr_t>(seiche::hip::untyped::address(buffer));
        default: return 0;
    }
}

void bind_info(nb::module_& module) {
    nb::class_<seiche::DeviceInfo>(module, "DeviceInfo", "One line of the list of devices.")
        .def_ro("name", &seiche::DeviceInfo::name, "What `Device(name)` takes, such as 'cuda:0'.")
        .def_ro("description", &seiche::DeviceInfo::description, "The driver's own name.")
        .def_ro("available", &seiche::DeviceInfo::available)
        .def_ro("is_gpu", &seiche::DeviceInfo::is_gpu)
        .def_ro("driver", &seiche::DeviceInfo::driver, "Versions of driver and compiler.")
        .def_ro("problem", &seiche::DeviceInfo::problem, "Why it is not available, or ''.")
        .def_ro("remedy", &seiche::DeviceInfo::remedy, "What would mend that, or ''.")
        .def_prop_ro("backend", [](const seiche::DeviceInfo& info) { return seiche::to_string(info.backend); })
        .def_prop_ro("limits", [](const seiche::DeviceInfo& info) { return limits_of(info.limits); })
        .def("__repr__", [](const seiche::DeviceInfo& info) {
            return "<" + info.name + ": " + (info.available ? info.description : info.problem) + ">";
        });
    module.def("devices", &seiche::devices, nb::call_guard<WithoutLock>());
}

void bind_memory(nb::module_& module) {
    nb::class_<seiche::Buffer>(module, "Buffer", "Memory of a device, its own or wrapped.")
        .def_prop_ro("bytes", &seiche::Buffer::bytes);
    nb::class_<seiche::Queue>(module, "Queue", "An ordered sequence of work; one thread uses it at a time.")
        .def(
            "upload",
            [](seiche::Queue& queue, const seiche::Buffer& to, std::uintptr_t from, std::size_t bytes) {
                queue.upload(to, reinterpret_cast<const void*>(from), bytes);
            },
            nb::arg("to"), nb::arg("source"), nb::arg("bytes"), nb::call_guard<WithoutLock>())
        .def(
            "download",
            [](seiche::Queue& queue, std::uintptr_t to, const seiche::Buffer& from, std::size_t bytes) {
                queue.download(reinterpret_cast<void*>(to), from, bytes);
            },
            nb::arg("to"), nb::arg("source"), nb::arg("bytes"), nb::call_guard<WithoutLock>())
        .def("wait", &seiche::Queue::wait, nb::call_guard<WithoutLock>(), "Returns when everything before it has run.")
        .def("wait_for", &wait_for_events, nb::arg("events"),
             "OpenCL: what is enqueued from now on begins after these events, cl_event as numbers.")
        .def("record", &record_event, "OpenCL: an event of all that was enqueued before; its release is the caller's.");
    nb::class_<seiche::BufferView>(module, "View", "Memory of a device from an offset on.")
        .def(
            "__init__",
            [](seiche::BufferView* self, const seiche::Buffer& buffer, std::uint64_t byte_offset) {
                new (self) seiche::BufferView(buffer, byte_offset);
            },
            nb::arg("buffer"), nb::arg("byte_offset") = 0)
        .def(
            "moved",
            [](const seiche::BufferView& view, std::int64_t bytes) {
                return seiche::BufferView(view.buffer, view.byte_offset + static_cast<std::uint64_t>(bytes));
            },
            nb::arg("bytes"), "A view from so many bytes further on, or before where they are below 0.")
        .def_ro("byte_offset", &seiche::BufferView::byte_offset);
}

void bind_device(nb::module_& module) {
    nb::class_<seiche::Device>(module, "Device")
        .def_static(
            "open", [](const std::string& name) { return seiche::Device::open(name); }, nb::arg("name") = "",
            nb::call_guard<WithoutLock>())
        .def_static("of_context", &device_of_context, nb::arg("backend"), nb::arg("context"), nb::arg("device") = 0)
        .def_prop_ro("info", &seiche::Device::info, nb::rv_policy::copy)
        .def_prop_ro("backend", [](const seiche::Device& device) { return seiche::to_string(device.info().backend); })
        .def(
            "allocate", [](const seiche::Device& device, std::uint64_t bytes) { return device.allocate(bytes); },
            nb::arg("bytes"), nb::call_guard<WithoutLock>())
        .def("wrap", &wrap, nb::arg("address"), nb::arg("bytes"), nb::arg("kind") = "pointer")
        .def("address", &address_of, nb::arg("buffer"))
        .def("queue", &queue_of, nb::arg("stream").none() = nb::none());
    module.def("set_cpu_threads", &seiche::cpu::set_threads, nb::arg("threads"),
               "Threads that one execution on the processor may have, in the whole process; 0: as at the start.");
}

}  // namespace

seiche::Buffer wrap(const seiche::Device& device, std::uintptr_t address, std::uint64_t bytes,
                    const std::string& kind) {
    const auto pointer = reinterpret_cast<void*>(address);
    const Backend backend = device.info().backend;
    if (backend == Backend::opencl) {
        if (kind == "memory") return seiche::opencl::untyped::buffer(device, pointer);
        if (kind == "svm") return seiche::opencl::untyped::svm_buffer(device, pointer, bytes);
        if (kind == "usm") return seiche::opencl::untyped::usm_buffer(device, pointer, bytes);
    }
    if (kind == "pointer") {
        if (backend == Backend::cpu) return seiche::cpu::buffer(device, pointer, bytes);
        if (backend == Backend::cuda) return seiche::cuda::untyped::buffer(device, address, bytes);
        if (backend == Backend::hip) return seiche::hip::untyped::buffer(device, pointer, bytes);
    }
    throw seiche::Unsupported("memory: device " + device.info().name + " takes no address of the kind '" + kind + "'");
}

seiche::Queue queue_of(const seiche::Device& device, const std::optional<std::uintptr_t>& handle) {
    if (!handle) return device.create_queue();
    const auto native = reinterpret_cast<void*>(*handle);
    switch (device.info().backend) {
        case Backend::cuda: return seiche::cuda::untyped::queue(device, native);
        case Backend::hip: return seiche::hip::untyped::queue(device, native);
        case Backend::opencl: return seiche::opencl::untyped::queue(device, native);
        default: break;
    }
    throw seiche::Unsupported("stream: device " + device.info().name + " takes no stream of the caller's");
}

void wait_for_events(seiche::Queue& queue, const std::vector<std::uintptr_t>& events) {
    if (events.empty()) return;
    std::vector<const void*> list;
    list.reserve(events.size());
    for (const std::uintptr_t event : events) list.push_back(reinterpret_cast<const void*>(event));
    const WithoutLock released;
    seiche::opencl::untyped::wait_for(queue, list.data(), list.size());
}

std::uintptr_t record_event(seiche::Queue& queue) {
    const WithoutLock released;
    return reinterpret_cast<std::uintptr_t>(seiche::opencl::untyped::record(queue));
}

seiche::BufferView view_of(const seiche::Device& device, nb::handle memory, std::uint64_t bytes) {
    if (memory.is_none()) return {};
    seiche::Buffer* buffer = nullptr;
    if (nb::try_cast(memory, buffer)) return seiche::BufferView(*buffer);
    seiche::BufferView* view = nullptr;
    if (nb::try_cast(memory, view)) return *view;
    return seiche::BufferView(wrap(device, nb::cast<std::uintptr_t>(memory), bytes, "pointer"));
}

void bind_devices(nb::module_& module) {
    bind_info(module);
    bind_memory(module);
    bind_device(module);
}

}  // namespace seichefft
