// The contents of constant tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/contract/spec.hpp"
#include "kernels/contract/tables.hpp"

namespace seiche::exec {

/// Bytes of a kernel's table buffer.
std::uint64_t table_size(const std::vector<kernels::TableSection>& sections, Precision precision);

/// Writes every one of them: computed in extended precision, rounded once to `precision`.
void write_table(const std::vector<kernels::TableSection>& sections, Precision precision, std::byte* bytes);
std::vector<std::byte> table_bytes(const std::vector<kernels::TableSection>& sections, Precision precision);

/// Throws BackendError where computing these tables takes more than `physical` bytes of the host's memory (0: unknown).
/// Without this a chirp of some hundred million points would end the process, not the call.
void expect_room(const std::vector<kernels::TableSection>& sections, Precision precision, std::uint64_t physical);

}  // namespace seiche::exec
