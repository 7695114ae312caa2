// The two shapes of a kernel's core.
#pragma once

#include "kernels/contract/generate.hpp"

namespace seiche::kernels {

/// For GroupShape: registers and shared memory.
ir::Kernel generate_group(const KernelSpec& spec);
/// For BundleShape: SIMD registers and a scratch array, one thread a group.
ir::Kernel generate_bundle(const KernelSpec& spec);

/// Without a core: KernelSpec::map_only, either shape.
ir::Kernel generate_map(const KernelSpec& spec);
/// KernelSpec::texel_points, either shape.
ir::Kernel generate_texels(const KernelSpec& spec);
/// KernelSpec::block, GroupShape.
ir::Kernel generate_block(const KernelSpec& spec);
/// KernelSpec::textbook, GroupShape.
ir::Kernel generate_textbook(const KernelSpec& spec);

}  // namespace seiche::kernels
