// Liveness: up to which instruction each value of a kernel is needed.
#pragma once

#include <vector>

#include "ir/kernel.hpp"

namespace seiche::ir {

/// The last instruction at which each value is still needed; its own number if nothing uses it. A value from outside a
/// loop that is used inside is needed until the loop's end, because the next iteration uses it again. Expects a
/// verified kernel.
std::vector<ValueId> last_uses(const Kernel& kernel);

/// The most 32-bit registers that live values take at once in one thread. Constants, parameters and group counts live
/// in instructions and constant memory, booleans in predicate registers: all are free.
std::uint32_t registers_live(const Kernel& kernel);

/// Those of floating numbers alone, in the order of the code: what a compiler cannot make again where it needs it.
/// Lanes that are taken from a vector, or joined into one, are its registers.
std::uint32_t numbers_live(const Kernel& kernel);

}  // namespace seiche::ir
