// The interpreter: runs a kernel on the host, each group in lockstep, one instruction for all threads at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ir/kernel.hpp"

namespace seiche::ir {

/// Memory bound to one buffer parameter.
struct BoundBuffer {
    std::byte* data = nullptr;
    std::uint64_t bytes = 0;
};

struct Launch {
    std::array<std::uint32_t, 3> groups{1, 1, 1};
    std::vector<BoundBuffer> buffers;        ///< One per Kernel::buffers.
    std::vector<std::uint64_t> scalars;      ///< One per Kernel::scalars; floats as their bits.
};

struct InterpretOptions {
    std::uint64_t seed = 1;           ///< Decides the order of the groups.
    unsigned threads = 0;             ///< Host threads; 0: all of the machine. A kernel with clusters or waits uses one.
    bool async_early = true;          ///< Asynchronous copies take effect at once, or else as late as allowed.
};

/// Runs the whole grid. Throws InternalError for an access out of bounds (naming the instruction, the thread and the address) and for a deadlock.
void interpret(const Kernel& kernel, const Launch& launch, const InterpretOptions& options = {});

}  // namespace seiche::ir
