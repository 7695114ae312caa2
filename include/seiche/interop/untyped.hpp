// The interop of CUDA, HIP and OpenCL without the vendors' types: handles are `void*`, device addresses numbers. For
// programs that have no headers of the vendor, and for the headers beside this one, which say what each does.
#pragma once

#include <cstddef>
#include <cstdint>

#include "seiche/device.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::cuda::untyped {
Device device(void* context);
Queue queue(const Device& device, void* stream);
Buffer buffer(const Device& device, std::uint64_t address, std::uint64_t bytes);
Buffer repeating_buffer(const Device& device, std::uint64_t period, std::uint64_t bytes);
void wait_for(Queue& queue, void* event);
void record(Queue& queue, void* event);
void* context(const Device& device);
void* stream(const Queue& queue);
std::uint64_t address(const Buffer& buffer);
}  // namespace seiche::cuda::untyped

namespace seiche::hip::untyped {
Queue queue(const Device& device, void* stream);
Buffer buffer(const Device& device, void* address, std::uint64_t bytes);
void wait_for(Queue& queue, void* event);
void record(Queue& queue, void* event);
int ordinal(const Device& device);
void* stream(const Queue& queue);
void* address(const Buffer& buffer);
}  // namespace seiche::hip::untyped

namespace seiche::opencl::untyped {
Device device(void* context, void* device);
Queue queue(const Device& device, void* queue);
Buffer buffer(const Device& device, void* memory);
Buffer svm_buffer(const Device& device, void* pointer, std::uint64_t bytes);
Buffer usm_buffer(const Device& device, void* pointer, std::uint64_t bytes);
void wait_for(Queue& queue, const void* const* events, std::size_t count);
void* record(Queue& queue);
void* context(const Device& device);
void* device_id(const Device& device);
void* command_queue(const Queue& queue);
void* memory(const Buffer& buffer);
void* pointer(const Buffer& buffer);
}  // namespace seiche::opencl::untyped
SEICHE_EXPORT_END
