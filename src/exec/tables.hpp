// The contents of constant tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/spec.hpp"

namespace seiche::exec {

/// The bytes of a kernel's table buffer: computed in extended precision, rounded once to `precision`.
std::vector<std::byte> table_bytes(const std::vector<kernels::TableSection>& sections, Precision precision);

/// Throws BackendError where computing these tables takes more than `physical` bytes of the host's memory (0: unknown).
/// Without this a chirp of some hundred million points would end the process, not the call.
void expect_room(const std::vector<kernels::TableSection>& sections, Precision precision, std::uint64_t physical);

}  // namespace seiche::exec
