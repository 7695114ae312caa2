// The contract of emit/arm64: a kernel of one thread a group becomes machine code of AArch64 with NEON.
#pragma once

#include "emit/machine/code.hpp"
#include "ir/kernel.hpp"

namespace seiche::emit::arm64 {

/// Throws Unsupported, naming the op, for what a processor's kernels do not have: barriers, clusters, images, groups of
/// several threads; and for one that needs more of the stack than machine::most_frame_bytes, or whose code is longer
/// than 1 MiB, which jumps do not reach.
machine::Code compile(const ir::Kernel& kernel);

}  // namespace seiche::emit::arm64
