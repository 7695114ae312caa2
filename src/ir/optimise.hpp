// The ordered list of passes that every kernel goes through between generation and emission.
#pragma once

#include "ir/kernel.hpp"

namespace seiche::ir {

Kernel optimise(Kernel kernel);

/// Makes doubles of double-double numbers: see the file of the same name. Throws InternalError for what they cannot do.
Kernel expand_double_double(Kernel kernel);

/// Drops what nothing with an effect needs.
Kernel remove_dead_code(Kernel kernel);

/// Drops the stores to one buffer, and with them what nothing else needs.
Kernel remove_stores(Kernel kernel, std::uint32_t buffer);

}  // namespace seiche::ir
