// How generators find a section of the table buffer.
#pragma once

#include "kernels/spec.hpp"

namespace seiche::kernels {

/// Where a long table of powers is cut in two: w^e = low[e mod step] high[e / step].
std::uint64_t power_table_step(std::uint64_t length);

/// True if the lanes of a bundle across sequences always lie within one run of the fastest loop, so that they share
/// every other index.
bool lanes_share_outer_indices(const KernelSpec& spec);

/// The section with this content; it must be there.
const TableSection& find_section(const std::vector<TableSection>& sections, const TableContent& content);

}  // namespace seiche::kernels
