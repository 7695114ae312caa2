// Your own HIP streams and device memory. Seiche takes nothing over: what you bring must outlive what is made from it.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstdint>
#include <string>
#include <type_traits>

#include "seiche/device.hpp"
#include "seiche/interop/untyped.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::hip {

/// The card of that number, as hipSetDevice counts. Throws Unsupported if Seiche cannot use the card, with the remedy.
inline Device device(int ordinal) { return Device::open("hip:" + std::to_string(ordinal)); }

/// Work goes to `stream`, which belongs to that card; null is its default stream. A stream that is being captured
/// records what Plan::execute, Queue::copy, `wait_for` and `record` enqueue.
inline Queue queue(const Device& device, hipStream_t stream) { return untyped::queue(device, stream); }

/// `bytes` bytes of device memory from `address` on, aligned to one complex element. A hipDeviceptr_t is such a
/// pointer.
inline Buffer buffer(const Device& device, void* address, std::uint64_t bytes) {
    return untyped::buffer(device, address, bytes);
}
/// The same from an address that is a number, as hipDeviceptr_t is in HIP for NVIDIA's cards.
template <class Address, std::enable_if_t<std::is_same_v<Address, unsigned long long>, int> = 0>
Buffer buffer(const Device& device, Address address, std::uint64_t bytes) {
    return untyped::buffer(device, reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)), bytes);
}

/// What is enqueued on `queue` from now on (an execution, a copy) begins after what `event` has last recorded, of
/// whatever stream and card (hipStreamWaitEvent). Nothing is waited for here. In captures it joins streams.
inline void wait_for(Queue& queue, hipEvent_t event) { untyped::wait_for(queue, event); }
/// `event`, which is yours and of the queue's card, records this point of the queue (hipEventRecord).
inline void record(Queue& queue, hipEvent_t event) { untyped::record(queue, event); }

/// The native objects behind Seiche's own. Throws InvalidProblem if they belong to another backend.
inline int ordinal(const Device& device) { return untyped::ordinal(device); }
inline hipStream_t stream(const Queue& queue) { return static_cast<hipStream_t>(untyped::stream(queue)); }
inline hipDeviceptr_t address(const Buffer& buffer) {
    // A cast of either kind: HIP for NVIDIA's cards has numbers here.
    return (hipDeviceptr_t)untyped::address(buffer);  // NOLINT(google-readability-casting)
}

}  // namespace seiche::hip
SEICHE_EXPORT_END
