// Where a group has the numbers of its blocks in shared memory (RegisterRows).
#pragma once

#include "kernels/contract/spec.hpp"

namespace seiche::kernels {

/// Of register-resident rows: with padding between rows, planes and blocks where fewer wavefronts touch them so.
BlockPlaces row_layout(const KernelSpec& spec);

/// Whether the rows of the axis that is transformed first come straight from memory: of a cube, where threads take runs
/// as long as planes.
bool loads_rows(const KernelSpec& spec);
/// Whether those of the last one go there from the registers: neighbouring ones fill sectors.
bool stores_rows(const KernelSpec& spec);

}  // namespace seiche::kernels
