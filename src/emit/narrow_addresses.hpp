// Which 64-bit integers of a kernel need their low half only, where no buffer reaches 2^32 elements.
#pragma once

#include <vector>

#include "ir/kernel.hpp"

namespace seiche::emit {

/// True for each u64 value whose low 32 bits are all that any address or narrower value takes from it, and that follow
/// from the low 32 bits of its operands: sums, products, choices, constants, conversions. Wrapping makes that exact.
std::vector<bool> narrow_addresses(const ir::Kernel& kernel);

/// The kernel with those values as u32: addresses become u32 too. Scalar parameters stay as they are.
ir::Kernel with_narrow_addresses(const ir::Kernel& kernel);

}  // namespace seiche::emit
