// Allocation: virtual registers become machine registers, and the code becomes bytes.
#pragma once

#include "emit/machine/encoder.hpp"
#include "emit/machine/machine.hpp"

namespace seiche::emit::machine {

/// One walk over the code. Where no register is free, the value leaves its own that lives longest (linear scan with a
/// second chance: values come back to any register). Between brackets code is straight; at a bracket's end every value
/// is again where it was at its beginning.
/// The target's encoder takes the instructions as they come.
Code allocate(const Machine& machine, Encoder& encoder);

}  // namespace seiche::emit::machine
