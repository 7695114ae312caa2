// The interpreter: runs a kernel on the host, each group in lockstep, one instruction for all threads at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ir/kernel.hpp"

namespace seiche::ir {

/// Memory bound to one buffer parameter.
struct BoundBuffer {
    std::byte* data = nullptr;
    std::uint64_t bytes = 0;
};

/// Memory bound to one image parameter: rows of texels of its format.
struct BoundImage {
    void* data = nullptr;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};

struct Launch {
    std::array<std::uint32_t, 3> groups{1, 1, 1};
    std::vector<BoundBuffer> buffers;    ///< One per Kernel::buffers.
    std::vector<std::uint64_t> scalars;  ///< One per Kernel::scalars; floats as their bits.
    std::vector<BoundImage> images;      ///< One per Kernel::images.
};

struct InterpretOptions {
    std::uint64_t seed = 1;       ///< Decides the order of the groups.
    unsigned threads = 0;         ///< Host threads; 0: all of the machine. A kernel with waits uses one.
    bool async_early = true;      ///< Asynchronous copies take effect at once, or else as late as allowed.
    unsigned subgroup_size = 32;  ///< Where the kernel does not require one.
    /// Groups (or clusters) under way at once in a kernel with waits that is not cooperative. A cooperative one runs
    /// all.
    unsigned resident = 16;
};

/// Runs the whole grid. Throws InternalError for an access out of bounds (naming the instruction, the thread and the
/// address), for a read of shared or private memory that nothing has written, and for a deadlock. Shared and private
/// arrays begin as bytes of 0xff.
void interpret(const Kernel& kernel, const Launch& launch, const InterpretOptions& options = {});

struct Program;

/// A kernel made ready to run many times, as interpret() does. Immutable: several threads may run it at once.
class Interpreter {
public:
    explicit Interpreter(const Kernel& kernel, unsigned subgroup_size = 32);
    /// The subgroup size in `options` is not looked at.
    void run(const Launch& launch, const InterpretOptions& options = {}) const;

private:
    std::shared_ptr<const Program> program_;
};

}  // namespace seiche::ir
