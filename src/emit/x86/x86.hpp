// The contract of emit/x86: a kernel of one thread a group becomes machine code.
#pragma once

#include "emit/x86/allocate.hpp"
#include "emit/x86/instruction_set.hpp"
#include "ir/kernel.hpp"

namespace seiche::emit::x86 {

/// Throws Unsupported, naming the op, for what a processor's kernels do not have: barriers, clusters, images, groups of
/// several threads.
Code compile(const ir::Kernel& kernel, InstructionSet set);

}  // namespace seiche::emit::x86
