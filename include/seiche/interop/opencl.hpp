// Your own OpenCL context, command queue and memory objects. Seiche keeps a reference to each, as OpenCL counts them.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

#include <cstdint>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/interop/untyped.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::opencl {

/// One device of your context.
inline Device device(cl_context context, cl_device_id device) { return untyped::device(context, device); }

/// An in-order queue of the device's context. Events of Seiche can be timed if it was made with
/// CL_QUEUE_PROFILING_ENABLE. Throws InvalidProblem if it belongs to another context or device, Unsupported if it is
/// out of order.
inline Queue queue(const Device& device, cl_command_queue queue) { return untyped::queue(device, queue); }

/// The whole of a buffer or sub-buffer of the device's context. Throws InvalidProblem if it belongs to another.
inline Buffer buffer(const Device& device, cl_mem memory) { return untyped::buffer(device, memory); }

/// `bytes` bytes of shared virtual memory from `pointer` on, inside what clSVMAlloc gave for the device's context, of
/// any kind; aligned to one complex element. It stays yours and must outlive the buffer. While Seiche's work on it
/// runs, it must not be mapped. Throws Unsupported where the device has none (before OpenCL 2.0, and some of 3.0).
inline Buffer svm_buffer(const Device& device, void* pointer, std::uint64_t bytes) {
    return untyped::svm_buffer(device, pointer, bytes);
}

/// The same of Intel's unified shared memory, from clDeviceMemAllocINTEL, clSharedMemAllocINTEL or
/// clHostMemAllocINTEL. Throws InvalidProblem where the context has no such allocation or it is shorter, Unsupported
/// where the device has no cl_intel_unified_shared_memory. Queue::copy goes between memory of one kind only.
inline Buffer usm_buffer(const Device& device, void* pointer, std::uint64_t bytes) {
    return untyped::usm_buffer(device, pointer, bytes);
}

/// What is enqueued on `queue` from now on (an execution, a copy) begins after all of these events, which are of the
/// device's context: of other queues, user events. They may be released at once. Nothing is waited for here. Throws
/// InvalidProblem for a null event or one of another context.
inline void wait_for(Queue& queue, const std::vector<cl_event>& events) {
    const std::vector<const void*> list(events.begin(), events.end());
    untyped::wait_for(queue, list.data(), list.size());
}

/// An event that is complete when all that was enqueued on `queue` before is; clReleaseEvent is yours. The queue is
/// flushed, so that other queues and callbacks may wait for it.
inline cl_event record(Queue& queue) { return static_cast<cl_event>(untyped::record(queue)); }

/// The native objects behind Seiche's own; not retained for you. Throws InvalidProblem if they belong to another
/// backend.
inline cl_context context(const Device& device) { return static_cast<cl_context>(untyped::context(device)); }
inline cl_device_id device_id(const Device& device) { return static_cast<cl_device_id>(untyped::device_id(device)); }
inline cl_command_queue command_queue(const Queue& queue) {
    return static_cast<cl_command_queue>(untyped::command_queue(queue));
}
/// Throws InvalidProblem for a buffer of a pointer.
inline cl_mem memory(const Buffer& buffer) { return static_cast<cl_mem>(untyped::memory(buffer)); }
/// Throws InvalidProblem for a buffer of a cl_mem.
inline void* pointer(const Buffer& buffer) { return untyped::pointer(buffer); }

}  // namespace seiche::opencl
SEICHE_EXPORT_END
