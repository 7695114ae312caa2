// The generators, one for each kind of pass.
#pragma once

#include "kernels/contract/generate.hpp"

namespace seiche::kernels {

/// Sets SharedExchange::places of all passes of a kernel with GroupShape.
void choose_places(KernelSpec& spec);

/// For GroupShape: registers and shared memory.
ir::Kernel generate_group(const KernelSpec& spec);
/// For SimdShape: SIMD registers and a scratch array, one thread a group.
ir::Kernel generate_simd(const KernelSpec& spec);

/// For MapPass, either shape.
ir::Kernel generate_map(const KernelSpec& spec);
/// For TexelPass, either shape.
ir::Kernel generate_texels(const KernelSpec& spec);
/// For RegisterRows.
ir::Kernel generate_register_rows(const KernelSpec& spec);
/// For ModeMatrix, either shape.
ir::Kernel generate_mode_matrix(const KernelSpec& spec);
/// For BinPass, either shape.
ir::Kernel generate_bins(const KernelSpec& spec);
/// For SumPartials, either shape.
ir::Kernel generate_sum(const KernelSpec& spec);
/// For ModeCopy and ModeGradient, either shape.
ir::Kernel generate_mode_copy(const KernelSpec& spec);
ir::Kernel generate_mode_gradient(const KernelSpec& spec);
/// For Textbook.
ir::Kernel generate_textbook(const KernelSpec& spec);

}  // namespace seiche::kernels
