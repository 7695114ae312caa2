// Your own OpenCL context, command queue and memory objects. Seiche keeps a reference to each, as OpenCL counts them.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

#include <cstdint>

#include "seiche/device.hpp"

namespace seiche::opencl {

/// The same without OpenCL's types, so that the library is built without its headers.
namespace untyped {
Device device(void* context, void* device);
Queue queue(const Device& device, void* queue);
Buffer buffer(const Device& device, void* memory);
void* context(const Device& device);
void* device_id(const Device& device);
void* command_queue(const Queue& queue);
void* memory(const Buffer& buffer);
}  // namespace untyped

/// One device of your context.
inline Device device(cl_context context, cl_device_id device) { return untyped::device(context, device); }

/// An in-order queue of the device's context. Events of Seiche can be timed if it was made with
/// CL_QUEUE_PROFILING_ENABLE. Throws InvalidProblem if it belongs to another context or device, Unsupported if it is
/// out of order.
inline Queue queue(const Device& device, cl_command_queue queue) { return untyped::queue(device, queue); }

/// The whole of a buffer or sub-buffer of the device's context. Throws InvalidProblem if it belongs to another.
inline Buffer buffer(const Device& device, cl_mem memory) { return untyped::buffer(device, memory); }

/// The native objects behind Seiche's own; not retained for you. Throws InvalidProblem if they belong to another
/// backend.
inline cl_context context(const Device& device) { return static_cast<cl_context>(untyped::context(device)); }
inline cl_device_id device_id(const Device& device) { return static_cast<cl_device_id>(untyped::device_id(device)); }
inline cl_command_queue command_queue(const Queue& queue) {
    return static_cast<cl_command_queue>(untyped::command_queue(queue));
}
inline cl_mem memory(const Buffer& buffer) { return static_cast<cl_mem>(untyped::memory(buffer)); }

}  // namespace seiche::opencl
