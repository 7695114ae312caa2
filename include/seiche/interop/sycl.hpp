// Your own SYCL queue and USM memory, on the backends Level Zero, CUDA and HIP of DPC++ (oneAPI). Header only: the
// library knows nothing of SYCL. What you bring must outlive what is made from it.
//
// A Queue made here puts work into the native stream or command list behind an in-order ::sycl::queue, so that it is in
// order with kernels and copies that you submit to that queue. What the SYCL runtime itself holds back, because it
// waits for a host task or for another queue, is not in the stream yet: wait for it first. Wait for Seiche's work with
// Queue::wait; ::sycl::queue::wait need not know of it.
#pragma once

#include <sycl/sycl.hpp>
#if defined(SYCL_EXT_ONEAPI_BACKEND_LEVEL_ZERO) && __has_include(<sycl/ext/oneapi/backend/level_zero.hpp>)
#include <sycl/ext/oneapi/backend/level_zero.hpp>
#endif

#include <cstdint>
#include <string>
#include <variant>

#include "seiche/device.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/level_zero.hpp"
#include "seiche/interop/untyped.hpp"

namespace seiche::sycl {

namespace internal {

[[noreturn]] inline void refuse_backend() {
    throw Unsupported(
        "sycl interop: expected a queue of the backend ext_oneapi_level_zero, ext_oneapi_cuda or ext_oneapi_hip, and a "
        "SYCL compiler that has it, got another");
}

/// The immediate command list of a queue that has one: of a queue's two kinds of native object the second.
template <class CommandQueue, class CommandList>
void* command_list(const std::variant<CommandQueue, CommandList>& native) {
    if (native.index() != 1)
        throw Unsupported(
            "sycl interop: expected a queue with an immediate command list, as the property "
            "sycl::ext::intel::property::queue::immediate_command_list or the variable "
            "UR_L0_USE_IMMEDIATE_COMMANDLISTS=1 makes it, got one with a command queue");
    return static_cast<void*>(std::get<1>(native));
}

inline void expect_in_order(const ::sycl::queue& queue) {
    if (!queue.is_in_order())
        throw InvalidProblem(
            "sycl interop: expected an in-order queue (sycl::property::queue::in_order), got one that "
            "is out of order");
}

}  // namespace internal

/// The device of a SYCL queue: on Level Zero in the queue's context, on CUDA and HIP through the card's primary
/// context, as DPC++ uses it. Throws Unsupported for a queue of another backend, and for a card that Seiche cannot use,
/// with the remedy.
inline Device device(const ::sycl::queue& queue) {
    switch (queue.get_backend()) {
#ifdef SYCL_EXT_ONEAPI_BACKEND_LEVEL_ZERO
        case ::sycl::backend::ext_oneapi_level_zero: {
            constexpr auto backend = ::sycl::backend::ext_oneapi_level_zero;
            level_zero::NativeDevice native;
            native.driver = ::sycl::get_native<backend>(queue.get_device().get_platform());
            native.context = ::sycl::get_native<backend>(queue.get_context());
            native.device = ::sycl::get_native<backend>(queue.get_device());
            return level_zero::device(native);
        }
#endif
#ifdef SYCL_EXT_ONEAPI_BACKEND_CUDA
        case ::sycl::backend::ext_oneapi_cuda:
            return Device::open(
                "cuda:" + std::to_string(::sycl::get_native<::sycl::backend::ext_oneapi_cuda>(queue.get_device())));
#endif
#ifdef SYCL_EXT_ONEAPI_BACKEND_HIP
        case ::sycl::backend::ext_oneapi_hip:
            return Device::open(
                "hip:" + std::to_string(::sycl::get_native<::sycl::backend::ext_oneapi_hip>(queue.get_device())));
#endif
        default: internal::refuse_backend();
    }
}

/// Work goes to the native stream or immediate command list of an in-order SYCL queue on that device. Throws
/// InvalidProblem for a queue that is out of order and for a device of another backend, Unsupported for a Level Zero
/// queue without an immediate command list.
inline Queue queue(const Device& device, const ::sycl::queue& queue) {
    internal::expect_in_order(queue);
    switch (queue.get_backend()) {
#ifdef SYCL_EXT_ONEAPI_BACKEND_LEVEL_ZERO
        case ::sycl::backend::ext_oneapi_level_zero:
            return level_zero::queue(
                device, internal::command_list(::sycl::get_native<::sycl::backend::ext_oneapi_level_zero>(queue)));
#endif
#ifdef SYCL_EXT_ONEAPI_BACKEND_CUDA
        case ::sycl::backend::ext_oneapi_cuda:
            return cuda::untyped::queue(device, ::sycl::get_native<::sycl::backend::ext_oneapi_cuda>(queue));
#endif
#ifdef SYCL_EXT_ONEAPI_BACKEND_HIP
        case ::sycl::backend::ext_oneapi_hip:
            return hip::untyped::queue(device, ::sycl::get_native<::sycl::backend::ext_oneapi_hip>(queue));
#endif
        default: internal::refuse_backend();
    }
}

/// `bytes` bytes of USM memory of the queue's context from `address` on, as malloc_device, malloc_shared or malloc_host
/// give it; aligned to one complex element. Throws InvalidProblem for memory that is none of the context's, Unsupported
/// as `device`.
inline Buffer buffer(const Device& device, const ::sycl::queue& queue, void* address, std::uint64_t bytes) {
    if (::sycl::get_pointer_type(address, queue.get_context()) == ::sycl::usm::alloc::unknown)
        throw InvalidProblem("sycl interop: expected USM memory of the queue's context, got another pointer");
    switch (queue.get_backend()) {
#ifdef SYCL_EXT_ONEAPI_BACKEND_LEVEL_ZERO
        case ::sycl::backend::ext_oneapi_level_zero: return level_zero::buffer(device, address, bytes);
#endif
#ifdef SYCL_EXT_ONEAPI_BACKEND_CUDA
        case ::sycl::backend::ext_oneapi_cuda:
            return cuda::untyped::buffer(device, reinterpret_cast<std::uintptr_t>(address), bytes);
#endif
#ifdef SYCL_EXT_ONEAPI_BACKEND_HIP
        case ::sycl::backend::ext_oneapi_hip: return hip::untyped::buffer(device, address, bytes);
#endif
        default: internal::refuse_backend();
    }
}

}  // namespace seiche::sycl
