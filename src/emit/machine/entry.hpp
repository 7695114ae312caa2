// How machine code is called: the contract between emit and runtime/cpu.
#pragma once

#include <cstddef>
#include <cstdint>

namespace seiche::emit::machine {

/// What machine code is called with. One call works on the groups [first, last) of the grid, numbered with x running
/// fastest.
struct Call {
    const std::uint64_t* arguments = nullptr;  ///< Addresses of the buffers, then the scalars, one word each.
    std::uint64_t groups[3] = {1, 1, 1};       ///< The whole grid.
    std::uint64_t first = 0, last = 0;
    std::byte* shared = nullptr;  ///< Source::shared_bytes of memory that this thread alone has, aligned to 64 bytes.
    const void* const* functions = nullptr;  ///< host_functions().
    /// Not 0: results are so many that they should not go through the caches. Buffers that are only written and begin
    /// at a cache line are then stored to around them, where whole lines are written.
    std::uint64_t streams = 0;
};

/// System V AMD64 convention, or AAPCS64. The code is position independent and needs no relocation.
using Entry = void (*)(const Call*);

/// Of x86-64. Where in the code the stack is in which state, for those who unwind it: bytes from the code's first.
struct StackFrame {
    std::uint32_t begin = 0;   ///< rbx, rbp and r12 to r15 are pushed, in this order.
    std::uint32_t in_rax = 0;  ///< From here on rax is where the last of them lies.
    std::uint32_t body = 0;    ///< From here on that is in the frame, at [rsp + kept].
    std::uint32_t pops = 0;    ///< rsp is that again; they are popped.
    std::uint32_t last = 0;    ///< Behind the return.
    std::uint32_t kept = 0;
    /// Of the same code so many bytes further.
    StackFrame moved(std::uint64_t bytes) const {
        const auto by = static_cast<std::uint32_t>(bytes);
        return {begin + by, in_rax + by, body + by, pops + by, last + by, kept};
    }
};

/// Functions of the host that machine code calls: of elementary functions and rare conversions, which no instruction
/// computes.
const void* const* host_functions();

}  // namespace seiche::emit::machine
