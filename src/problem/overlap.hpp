// Whether two elements of a strided array share an address.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace seiche::problem {

struct Dimension {
    std::uint64_t count = 1, stride = 1;  ///< Elements `stride` apart, at the same address for 0.
    bool operator==(const Dimension&) const = default;
};

/// True if two different index tuples have the same address; nothing when that could not be decided within a bounded
/// effort (which nested strides never need). Extents must fit in 2^63.
std::optional<bool> overlaps(std::vector<Dimension> dimensions);

/// How many copies of the array, `distance` apart, lie beside each other without sharing an address: at least 1,
/// unlimited (2^64 - 1) where any number does. Never too large; too small only where deciding would take unbounded
/// effort. The array itself must not overlap.
std::uint64_t copies_without_overlap(std::vector<Dimension> dimensions, std::uint64_t distance);

}  // namespace seiche::problem
