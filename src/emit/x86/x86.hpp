// The contract of emit/x86: a kernel of one thread a group becomes machine code.
#pragma once

#include <cstdint>

#include "emit/x86/allocate.hpp"
#include "emit/x86/instruction_set.hpp"
#include "ir/kernel.hpp"

namespace seiche::emit::x86 {

/// Of a kernel on the stack of the thread that runs it, which may be the caller's and small.
inline constexpr std::uint64_t most_frame_bytes = std::uint64_t{256} << 10;

/// Throws Unsupported, naming the op, for what a processor's kernels do not have: barriers, clusters, images, groups of
/// several threads; and for one that needs more of the stack than most_frame_bytes.
Code compile(const ir::Kernel& kernel, InstructionSet set);

}  // namespace seiche::emit::x86
