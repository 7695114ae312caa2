// Accesses under one predicate, to be gathered under one `if`.
#pragma once

#include <vector>

#include "ir/kernel.hpp"

namespace seiche::emit {

struct GuardedRun {
    std::vector<ir::ValueId> accesses;
    std::vector<ir::ValueId> before;  ///< Pure values among them that need none of their results.
    std::vector<ir::ValueId> after;   ///< Those that do.
    ir::ValueId last = 0;             ///< The last access.
};

/// Whether the instruction accesses global memory under a predicate.
bool opens_guarded_run(const ir::Kernel& kernel, ir::ValueId id);
/// The same of the group's shared memory.
bool opens_guarded_shared_run(const ir::Kernel& kernel, ir::ValueId id);
/// From `first` on, over pure instructions only, all accesses of the same kind under the same predicate; loads as far
/// as a thread's registers hold what they bring.
GuardedRun find_guarded_run(const ir::Kernel& kernel, ir::ValueId first);
/// The operand that holds the predicate of a load from, or a store to, global or shared memory.
unsigned predicate_operand(ir::Op op);

}  // namespace seiche::emit
