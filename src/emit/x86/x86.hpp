// The contract of emit/x86: a kernel of one thread a group becomes machine code.
#pragma once

#include <cstdint>

#include "emit/machine/code.hpp"
#include "emit/x86/instruction_set.hpp"
#include "ir/kernel.hpp"

namespace seiche::emit::x86 {

/// Whether this library has the assembler that machine code is made with.
bool is_available();

/// Throws Unsupported, naming the op, for what a processor's kernels do not have: barriers, clusters, images, groups of
/// several threads; and for one that needs more of the stack than machine::most_frame_bytes.
machine::Code compile(const ir::Kernel& kernel, InstructionSet set);

}  // namespace seiche::emit::x86
