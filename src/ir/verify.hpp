// The verifier: a kernel is well formed, well typed, and its control flow uniform.
#pragma once

#include <vector>

#include "ir/kernel.hpp"

namespace seiche::ir {

/// Over which threads a value is certainly the same.
enum class Uniformity : std::uint8_t { none, group, cluster };

/// Throws InternalError that names the first instruction at fault. Checks operand counts, types, dominance and
/// brackets, symbol indices, uniform conditions and bounds, and that barriers stand where every thread of their scope
/// arrives.
void verify(const Kernel& kernel);

/// The uniformity of each value.
std::vector<Uniformity> uniformity(const Kernel& kernel);

/// How many low bits of each value are certainly zero, at most 63; 0 of what is no integer.
std::vector<unsigned> zero_low_bits(const Kernel& kernel);

}  // namespace seiche::ir
