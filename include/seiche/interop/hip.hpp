// Your own HIP streams and device memory. Seiche takes nothing over: what you bring must outlive what is made from it.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstdint>
#include <string>

#include "seiche/device.hpp"

namespace seiche::hip {

/// The same without HIP's types, so that the library is built without its headers.
namespace untyped {
Queue queue(const Device& device, void* stream);
Buffer buffer(const Device& device, void* address, std::uint64_t bytes);
int ordinal(const Device& device);
void* stream(const Queue& queue);
void* address(const Buffer& buffer);
}  // namespace untyped

/// The card of that number, as hipSetDevice counts. Throws Unsupported if Seiche cannot use the card, with the remedy.
inline Device device(int ordinal) { return Device::open("hip:" + std::to_string(ordinal)); }

/// Work goes to `stream`, which belongs to that card; null is its default stream. A stream that is being captured
/// records what Plan::execute enqueues.
inline Queue queue(const Device& device, hipStream_t stream) { return untyped::queue(device, stream); }

/// `bytes` bytes of device memory from `address` on, aligned to one complex element.
inline Buffer buffer(const Device& device, hipDeviceptr_t address, std::uint64_t bytes) {
    return untyped::buffer(device, address, bytes);
}

/// The native objects behind Seiche's own. Throws InvalidProblem if they belong to another backend.
inline int ordinal(const Device& device) { return untyped::ordinal(device); }
inline hipStream_t stream(const Queue& queue) { return static_cast<hipStream_t>(untyped::stream(queue)); }
inline hipDeviceptr_t address(const Buffer& buffer) { return untyped::address(buffer); }

}  // namespace seiche::hip
