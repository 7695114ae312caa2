// Allocation: virtual registers become machine registers, and the code becomes bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emit/x86/entry.hpp"
#include "emit/x86/machine.hpp"

namespace seiche::emit::x86 {

/// Machine code as Entry says, its constants behind it.
struct Code {
    std::vector<std::byte> bytes;
    StackFrame frame;
    std::uint64_t streaming_at = 0;  ///< Where the same code begins once more, with other stores; 0: nowhere.
    std::uint64_t frame_bytes = 0;   ///< That it takes on the stack, besides what a call of the host's takes.
    std::size_t instructions = 0, spills = 0, reloads = 0;  ///< How many of them; for whoever tunes the allocator.
    std::size_t streaming_stores = 0;                       ///< Of the version that Call::streams chooses.
};

/// One walk over the code. Where no register is free, the value leaves its own that lives longest (linear scan with a
/// second chance: values come back to any register). Between brackets code is straight; at a bracket's end every value
/// is again where it was at its beginning.
Code allocate(const Machine& machine);

}  // namespace seiche::emit::x86
