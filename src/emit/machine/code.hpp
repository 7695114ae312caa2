// What compilation gives: bytes, and what is known of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emit/machine/entry.hpp"
#include "ir/kernel.hpp"

namespace seiche::emit::machine {

/// Of a kernel on the stack of the thread that runs it, which may be the caller's and small.
inline constexpr std::uint64_t most_frame_bytes = std::uint64_t{256} << 10;
/// Throws Unsupported for more.
void expect_room(const ir::Kernel& kernel, std::uint64_t frame_bytes);

/// Machine code as Entry says, its constants behind it.
struct Code {
    std::vector<std::byte> bytes;
    StackFrame frame;                ///< Of x86-64.
    std::uint64_t streaming_at = 0;  ///< Where the same code begins once more, with other stores; 0: nowhere.
    std::uint64_t frame_bytes = 0;   ///< That it takes on the stack, besides what a call of the host's takes.
    std::size_t instructions = 0, spills = 0, reloads = 0;  ///< How many of them; for whoever tunes the allocator.
    std::size_t streaming_stores = 0;                       ///< Of the version that Call::streams chooses.
};

}  // namespace seiche::emit::machine
