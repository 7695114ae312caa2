// Functions of the host that machine code calls by number.
#pragma once

#include "ir/kernel.hpp"

namespace seiche::emit::machine {

/// result[k] = op(a[k], b[k], c[k]). Lanes lie as in memory; those of a vector of booleans are 32 bits, all or none; of
/// a single boolean 32 bits, 0 or 1. Nothing overlaps.
using HostFunction = void (*)(void* result, const void* a, const void* b, const void* c, std::uint64_t lanes);

/// The place in host_functions() of an op with that result of those operands (of `select`, of what is chosen from);
/// -1: there is none.
int host_function(ir::Op op, ir::Scalar result, ir::Scalar operands);

}  // namespace seiche::emit::machine
