// Boxes: which part of an array each rank holds, and how it lies in that rank's memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche::distributed {

/// The part of one array that a rank holds: elements `lower` to `upper` - 1 along each axis, slowest axis first. A box
/// with lower == upper along an axis is empty.
struct Box {
    std::vector<std::uint64_t> lower = {};
    std::vector<std::uint64_t> upper = {};
    /// From one element to the next along each axis in this rank's memory, in elements, at least 1. Empty: row-major
    /// and dense. The element at `lower` is the first of the buffer. Other ranks need not know them.
    std::vector<std::int64_t> strides = {};

    std::uint64_t extent(std::size_t axis) const { return upper[axis] - lower[axis]; }
    /// Elements in it.
    std::uint64_t count() const;
    bool empty() const { return count() == 0; }

    friend bool operator==(const Box& a, const Box& b) {
        return a.lower == b.lower && a.upper == b.upper && a.strides == b.strides;
    }
    friend bool operator!=(const Box& a, const Box& b) { return !(a == b); }
};

/// "[0..4) x [8..16)".
std::string to_string(const Box& box);

/// An array cut into `parts` along each axis, a box for each rank: rank r has the part whose index along the axes is r
/// in row-major order, the last axis fastest. Of n elements cut into p parts, the first n mod p have one more than the
/// others; parts beyond n are empty. Throws InvalidProblem for another count of parts than of lengths, and for 0 parts.
std::vector<Box> grid(const std::vector<std::uint64_t>& lengths, const std::vector<std::uint64_t>& parts);

/// The array cut along one axis into a slab for each of `ranks`. Negative axes count from the last.
std::vector<Box> slab(const std::vector<std::uint64_t>& lengths, int axis, int ranks);

/// Cut along two axes into p x q pencils, whole along the others: of rank r, part r / q of `axes[0]` and r % q of
/// `axes[1]`.
std::vector<Box> pencils(const std::vector<std::uint64_t>& lengths, const std::vector<int>& axes, int p, int q);

/// Cut along three axes into p x q x r bricks, in the same order of ranks.
std::vector<Box> bricks(const std::vector<std::uint64_t>& lengths, const std::vector<int>& axes, int p, int q, int r);

/// Throws InvalidProblem, with the rank and `name` in the message, unless the boxes lie in an array of these lengths
/// and have each of its elements once.
void check_boxes(const std::vector<std::uint64_t>& lengths, const std::vector<Box>& boxes, const std::string& name);

}  // namespace seiche::distributed
SEICHE_EXPORT_END
