// Your own CUDA context, stream and device memory. Seiche takes nothing over: what you bring must outlive what is made
// from it.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <string>

#include "seiche/device.hpp"
#include "seiche/interop/untyped.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::cuda {

/// The card that `context` belongs to, used through that context. Throws Unsupported if Seiche cannot use the card,
/// with the remedy.
inline Device device(CUcontext context) { return untyped::device(context); }
/// The card of that number, used through its primary context, as CUDA's runtime API does.
inline Device device(int ordinal) { return Device::open("cuda:" + std::to_string(ordinal)); }

/// Work goes to `stream`, which belongs to the device's context; null is the context's default stream.
///
/// A stream that is being captured (cuStreamBeginCapture, in any mode) records what is enqueued: executions of plans
/// and convolutions, Queue::copy, `wait_for` and `record`. Make device, plans, buffers and queue before the capture
/// begins: making them loads code and allocates, which a capture in the global mode forbids to every thread.
/// Queue::upload and download wait for the stream, so that they throw BackendError and end the capture. A graph has
/// plan, buffers and workspace as they were at the execution: all must live until its last launch has run, and launches
/// of one graph, or of several that share a workspace, must not overlap.
inline Queue queue(const Device& device, CUstream stream) { return untyped::queue(device, stream); }

/// `bytes` bytes of device memory from `address` on, aligned to one complex element.
inline Buffer buffer(const Device& device, CUdeviceptr address, std::uint64_t bytes) {
    return untyped::buffer(device, address, bytes);
}
/// The same from a pointer, as cudaMalloc gives it.
inline Buffer buffer(const Device& device, void* address, std::uint64_t bytes) {
    return untyped::buffer(device, reinterpret_cast<std::uintptr_t>(address), bytes);
}

/// A new buffer of `bytes` bytes that are the same `period` bytes of memory again and again: what is written at one
/// place is read at all that are a multiple of the period apart. Windows of a ring of samples need no copy where they
/// pass its end, and many transforms may read one signal that stays in the cache. Throws InvalidProblem unless `period`
/// is a multiple of what the card maps at once (2 MiB on most), BackendError if the driver fails.
inline Buffer repeating_buffer(const Device& device, std::uint64_t period, std::uint64_t bytes) {
    return untyped::repeating_buffer(device, period, bytes);
}

/// What is enqueued on `queue` from now on (an execution, a copy) begins after what `event` has last recorded, of
/// whatever stream and device (cuStreamWaitEvent). Nothing is waited for here. In captures it joins streams.
inline void wait_for(Queue& queue, CUevent event) { untyped::wait_for(queue, event); }
/// `event`, which is yours and of the device's context, records this point of the queue (cuEventRecord).
inline void record(Queue& queue, CUevent event) { untyped::record(queue, event); }

/// The native objects behind Seiche's own. Throws InvalidProblem if they belong to another backend.
inline CUcontext context(const Device& device) { return static_cast<CUcontext>(untyped::context(device)); }
inline CUstream stream(const Queue& queue) { return static_cast<CUstream>(untyped::stream(queue)); }
inline CUdeviceptr address(const Buffer& buffer) { return untyped::address(buffer); }

}  // namespace seiche::cuda
SEICHE_EXPORT_END
