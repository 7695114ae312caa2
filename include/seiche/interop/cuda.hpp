// Your own CUDA context, stream and device memory. Seiche takes nothing over: what you bring must outlive what is made
// from it.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <string>

#include "seiche/device.hpp"

namespace seiche::cuda {

/// The same without CUDA's types, so that the library is built without its headers.
namespace untyped {
Device device(void* context);
Queue queue(const Device& device, void* stream);
Buffer buffer(const Device& device, std::uint64_t address, std::uint64_t bytes);
void* context(const Device& device);
void* stream(const Queue& queue);
std::uint64_t address(const Buffer& buffer);
}  // namespace untyped

/// The card that `context` belongs to, used through that context. Throws Unsupported if Seiche cannot use the card,
/// with the remedy.
inline Device device(CUcontext context) { return untyped::device(context); }
/// The card of that number, used through its primary context, as CUDA's runtime API does.
inline Device device(int ordinal) { return Device::open("cuda:" + std::to_string(ordinal)); }

/// Work goes to `stream`, which belongs to the device's context; null is the context's default stream. A stream that is
/// being captured records what Plan::execute enqueues.
inline Queue queue(const Device& device, CUstream stream) { return untyped::queue(device, stream); }

/// `bytes` bytes of device memory from `address` on, aligned to one complex element.
inline Buffer buffer(const Device& device, CUdeviceptr address, std::uint64_t bytes) {
    return untyped::buffer(device, address, bytes);
}

/// The native objects behind Seiche's own. Throws InvalidProblem if they belong to another backend.
inline CUcontext context(const Device& device) { return static_cast<CUcontext>(untyped::context(device)); }
inline CUstream stream(const Queue& queue) { return static_cast<CUstream>(untyped::stream(queue)); }
inline CUdeviceptr address(const Buffer& buffer) { return untyped::address(buffer); }

}  // namespace seiche::cuda
