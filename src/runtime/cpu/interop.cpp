// The caller's memory and threads. Declared in seiche/interop/cpu.hpp.
#include "seiche/interop/cpu.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "runtime/cpu/queue.hpp"
#include "runtime/cpu/threads.hpp"
#include "seiche/error.hpp"

namespace seiche::cpu {

Buffer buffer(const Device& device, void* pointer, std::uint64_t bytes) {
    if (!device || device.info().backend != Backend::cpu)
        throw InvalidProblem("cpu interop: expected the device 'cpu'");
    if (pointer == nullptr && bytes != 0) throw InvalidProblem("cpu interop: expected memory, got a null pointer");
    const auto room = std::numeric_limits<std::uintptr_t>::max() - reinterpret_cast<std::uintptr_t>(pointer);
    if (bytes > room)
        throw InvalidProblem("cpu interop: " + std::to_string(bytes) + " bytes from that pointer on are more than " +
                             "there are addresses");
    return Buffer(std::make_shared<runtime::cpu::CpuBuffer>(pointer, bytes));
}

void* data(const Buffer& buffer) {
    const auto* const own = dynamic_cast<const runtime::cpu::CpuBuffer*>(buffer.impl().get());
    if (own == nullptr) throw InvalidProblem("cpu interop: expected a buffer of the device 'cpu'");
    return own->data();
}

void set_threads(unsigned threads) {
    if (threads > runtime::cpu::most_threads)
        throw InvalidProblem("cpu interop: expected at most " + std::to_string(runtime::cpu::most_threads) +
                             " threads, got " + std::to_string(threads));
    runtime::cpu::set_threads(threads);
}

void set_parallel_for(ParallelFor parallel_for) { runtime::cpu::set_parallel_for(std::move(parallel_for)); }

}  // namespace seiche::cpu
