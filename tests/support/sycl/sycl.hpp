// What seiche/interop/sycl.hpp uses of SYCL 2020 and DPC++, with native handles that a test gives: no SYCL compiler is
// needed to compile the header. Not SYCL.
#pragma once

#include <variant>

#define SYCL_EXT_ONEAPI_BACKEND_LEVEL_ZERO 4
#define SYCL_EXT_ONEAPI_BACKEND_CUDA 1
#define SYCL_EXT_ONEAPI_BACKEND_HIP 1

// The types that drivers' headers declare.
struct _ze_driver_handle_t;
struct _ze_context_handle_t;
struct _ze_device_handle_t;
struct _ze_command_queue_handle_t;
struct _ze_command_list_handle_t;
struct CUstream_st;
struct ihipStream_t;

namespace sycl {

enum class backend : char { opencl, ext_oneapi_level_zero, ext_oneapi_cuda, ext_oneapi_hip };
namespace usm {
enum class alloc { host, device, shared, unknown };
}

/// Set by a test.
struct Native {
    backend kind = backend::opencl;
    void *driver = nullptr, *context = nullptr, *device = nullptr;
    int ordinal = 0;
    void* queue = nullptr;
    bool has_list = true, is_in_order = true;
    const void* usm = nullptr;  ///< The one pointer that is.
};

class platform {
public:
    explicit platform(const Native& of) : native(&of) {}
    const Native* native;
};
class context {
public:
    explicit context(const Native& of) : native(&of) {}
    const Native* native;
};
class device {
public:
    explicit device(const Native& of) : native(&of) {}
    platform get_platform() const { return platform(*native); }
    const Native* native;
};
class queue {
public:
    explicit queue(const Native& of) : native(&of) {}
    backend get_backend() const { return native->kind; }
    bool is_in_order() const { return native->is_in_order; }
    device get_device() const { return device(*native); }
    context get_context() const { return context(*native); }
    const Native* native;
};

inline usm::alloc get_pointer_type(const void* pointer, const context& of) {
    return pointer == of.native->usm ? usm::alloc::device : usm::alloc::unknown;
}

/// What DPC++ gives for each backend and class.
template <backend Backend, class Object>
struct BackendReturn;
template <>
struct BackendReturn<backend::ext_oneapi_level_zero, platform> {
    static _ze_driver_handle_t* of(const Native& native) { return static_cast<_ze_driver_handle_t*>(native.driver); }
};
template <>
struct BackendReturn<backend::ext_oneapi_level_zero, context> {
    static _ze_context_handle_t* of(const Native& native) { return static_cast<_ze_context_handle_t*>(native.context); }
};
template <>
struct BackendReturn<backend::ext_oneapi_level_zero, device> {
    static _ze_device_handle_t* of(const Native& native) { return static_cast<_ze_device_handle_t*>(native.device); }
};
template <>
struct BackendReturn<backend::ext_oneapi_level_zero, queue> {
    static std::variant<_ze_command_queue_handle_t*, _ze_command_list_handle_t*> of(const Native& native) {
        if (native.has_list) return static_cast<_ze_command_list_handle_t*>(native.queue);
        return static_cast<_ze_command_queue_handle_t*>(native.queue);
    }
};
template <>
struct BackendReturn<backend::ext_oneapi_cuda, device> {
    static int of(const Native& native) { return native.ordinal; }
};
template <>
struct BackendReturn<backend::ext_oneapi_cuda, queue> {
    static CUstream_st* of(const Native& native) { return static_cast<CUstream_st*>(native.queue); }
};
template <>
struct BackendReturn<backend::ext_oneapi_hip, device> {
    static int of(const Native& native) { return native.ordinal; }
};
template <>
struct BackendReturn<backend::ext_oneapi_hip, queue> {
    static ihipStream_t* of(const Native& native) { return static_cast<ihipStream_t*>(native.queue); }
};

template <backend Backend, class Object>
auto get_native(const Object& object) {
    return BackendReturn<Backend, Object>::of(*object.native);
}

}  // namespace sycl
