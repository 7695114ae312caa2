// How much memory the host has.
#pragma once

#include <cstdint>

namespace seiche::support {

/// Bytes of physical memory; 0 where the system does not say.
std::uint64_t physical_memory();

}  // namespace seiche::support
