// Functions of the host that machine code calls by number.
#pragma once

#include "ir/kernel.hpp"

namespace seiche::emit::machine {

/// result[k] = op(a[k], b[k], c[k]). Lanes lie as in memory; those of a vector of booleans are 32 bits, all or none; of
/// a single boolean 32 bits, 0 or 1. Nothing overlaps.
using HostFunction = void (*)(void* result, const void* a, const void* b, const void* c, std::uint64_t lanes);

/// How a call of the user's function is told to one of the host's: operand a of `call_load` and `call_store`; b is the
/// value that is stored.
struct ExternalCall {
    std::uint64_t index = 0, pointer = 0;   ///< As the op has them.
    std::uint64_t array = 0, function = 0;  ///< Addresses.
    std::uint64_t is_called = 0;            ///< In the low 32 bits.
};

/// The place in host_functions() of an op with that result of those operands (of `select`, of what is chosen from;
/// u64 of a call). -1: there is none.
int host_function(ir::Op op, ir::Scalar result, ir::Scalar operands);

}  // namespace seiche::emit::machine
