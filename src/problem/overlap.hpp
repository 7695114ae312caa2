// Whether two elements of a strided array share an address.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "support/layout.hpp"

namespace seiche::problem {

/// True if two different index tuples have the same address, as with a stride of 0; nothing when that could not be
/// decided within a bounded effort (which nested strides never need). Extents must fit in 2^63.
std::optional<bool> overlaps(std::vector<support::Mode<1>> layout);

/// How many copies of the array, `distance` apart, lie beside each other without sharing an address: at least 1,
/// unlimited (2^64 - 1) where any number does. Never too large; too small only where deciding would take unbounded
/// effort. The array itself must not overlap.
std::uint64_t copies_without_overlap(std::vector<support::Mode<1>> layout, std::uint64_t distance);

}  // namespace seiche::problem
