// What machine code for x86-64 processors is called with: the contract between emission and the processor's backend.
#pragma once

#include <cstddef>
#include <cstdint>

namespace seiche::emit::x86 {

/// One call works on the groups [first, last) of the grid, numbered with x running fastest.
struct Call {
    const std::uint64_t* arguments;  ///< Addresses of the buffers, then the scalars, one word each.
    std::uint64_t groups[3];         ///< The whole grid.
    std::uint64_t first, last;
    std::byte* shared;             ///< Source::shared_bytes of memory that this thread alone has, aligned to 64 bytes.
    const void* const* functions;  ///< Elementary functions of the host; emit/x86 says which.
};

/// System V AMD64 convention, position independent, needs no relocation; throws nothing. It begins at the first byte.
using Entry = void (*)(const Call*);

}  // namespace seiche::emit::x86
