// Your own memory and threads for the processor as a device ("cpu:0"). What you bring must outlive what is made from
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "seiche/device.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::cpu {

/// `bytes` bytes of your memory from `pointer` on, without a copy; aligned to one element, and best to 64 bytes. An
/// execution has read and written it when it returns. Throws InvalidProblem for another backend's device, and for a
/// null pointer to any bytes.
Buffer buffer(const Device& device, void* pointer, std::uint64_t bytes);

/// Where the bytes of a buffer of the processor are, your own or one that Device::allocate made: valid while the buffer
/// is. Throws InvalidProblem for another backend's buffer.
void* data(const Buffer& buffer);

/// How many threads one execution may have from now on, in the whole process: the calling thread and the pool's. 1: the
/// calling thread alone; 0: as many as at the start, SEICHE_CPU_THREADS or those that the process may use. Devices that
/// are open keep their DeviceLimits::compute_units. Throws InvalidProblem for more than 1024.
void set_threads(unsigned threads);

/// Calls piece(i) once for each i below `count`, in any order and in any threads, and returns when all have returned. A
/// piece throws nothing.
using ParallelFor = std::function<void(std::size_t count, const std::function<void(std::size_t)>& piece)>;

/// From now on executions and large copies are divided among your own threads by `parallel_for`, in the whole process,
/// about four pieces for each of set_threads' threads; those of several threads call it at the same time. Empty: by
/// Seiche's pool again. What it throws the execution throws, and BackendError where it did not call each piece once:
/// the results have no meaning then.
void set_parallel_for(ParallelFor parallel_for);

}  // namespace seiche::cpu
SEICHE_EXPORT_END
