// The contents of constant tables.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/spec.hpp"

namespace seiche::exec {

/// The bytes of a kernel's table buffer: computed in extended precision, rounded once to `precision`.
std::vector<std::byte> table_bytes(const std::vector<kernels::TableSection>& sections, Precision precision);

}  // namespace seiche::exec
