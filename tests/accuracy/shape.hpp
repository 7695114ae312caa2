// What a problem transforms, worked out from the public Problem alone: its axes and their kinds, where its elements
// lie, and the error that the contract allows.
#pragma once

#include <cstdint>
#include <vector>

#include "seiche/problem.hpp"

namespace seiche::accuracy {

/// The transformed axes, slowest first.
struct Shape {
    std::vector<std::uint64_t> lengths;
    std::vector<Kind> kinds;  ///< One per axis; the axes of an r2c or c2r that are not halved are c2c.
    bool orthonormal = false;
    bool orthogonalize = false;  ///< Weighs edges without a scale too.

    bool weighs_edges() const { return orthonormal || orthogonalize; }
    bool is_complex() const;  ///< c2c along every axis.
    bool real_input() const;
    bool real_output() const;
    std::uint64_t input_count(std::size_t axis) const;
    std::uint64_t output_count(std::size_t axis) const;
    std::uint64_t points() const;          ///< Product of the lengths: N of the units of error.
    std::uint64_t logical_points() const;  ///< Product of the logical lengths: N of the scales.
    bool has(Direction direction) const;   ///< r2c has no inverse, c2r no forward.
    /// With the kinds that this direction computes.
    Shape in(Direction direction) const;
};
Shape shape_of(const Problem& problem);

/// Addresses of a problem's elements, in elements of the array that they are of: complex or real numbers.
struct Addresses {
    std::vector<std::vector<std::uint64_t>> input;  ///< One list per transform, row-major over the transformed axes.
    std::vector<std::vector<std::uint64_t>> output;
};
Addresses addresses(const Problem& problem, std::uint64_t batch);

/// What a length's factors call for: butterflies, Rader (a prime, less one smooth), or Bluestein. Worst last.
enum class Way : std::uint8_t { smooth, rader, bluestein };
/// N and the worst way of an axis: of a real kind, that of its inner complex length.
struct Size {
    std::uint64_t points = 1;
    Way way = Way::smooth;
};
Size size_of(const Problem& problem);

/// Relative L2 error that DESIGN.md allows, in units of u sqrt(log2 max(N, 2)).
double allowed_error(const Problem& problem, bool scaled, Way way);
/// Relative L2 error that so many roundings to the storage may add: 0.45 u sqrt(roundings); u sqrt(roundings / 3), the
/// most that correct rounding can cost, with an axis so short that few values may crowd above a power of two.
double storage_error(const Problem& problem, std::uint32_t roundings);
/// 2^-24, 2^-53, or of f16 2^-11.
double unit_roundoff(Precision precision);

}  // namespace seiche::accuracy
