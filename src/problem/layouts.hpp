// Layouts with their defaults filled in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "problem/problem.hpp"

namespace seiche::problem {

inline constexpr std::uint64_t most_bytes = (std::uint64_t{1} << 63) - 1;

/// Adds (count - 1) * |stride|: the distance from the first element to the last. False beyond 2^63 - 1.
bool add_reach(std::uint64_t count, std::int64_t stride, std::uint64_t& reach);

struct ResolvedLayout {
    std::vector<std::int64_t> strides;
    std::int64_t distance = 1;
    std::uint64_t byte_offset = 0;
    bool operator==(const ResolvedLayout&) const = default;
};

/// One of the two arrays: its name in messages, its shape, and what its elements are.
struct Array {
    std::string field;  ///< "input" or "output".
    const Layout* layout = nullptr;
    std::vector<std::uint64_t> counts;
    std::uint64_t element_bytes = 8;
    ArrayImage image = {};
    bool may_broadcast = false;  ///< Strides may be 0.
};

/// Throws InvalidProblem that names the field, the rule and the value.
ResolvedLayout resolve(const Array& array);

/// Two arrays in one buffer.
struct LayoutsInPlace {
    ResolvedLayout input, output;
    bool are_two = false;  ///< Elements do not lie alike.
};

/// Arrays of the same shape. Strides of the output that are left empty follow from the input; a distance and an offset
/// of 0 where strides are alike. Throws InvalidProblem.
LayoutsInPlace resolve_in_place(const Array& input, const Array& output);

struct RealInPlace {
    ResolvedLayout real, complex;
    bool are_two = false;
};

/// The arrays of an r2c or c2r. They lie alike where the real array's strides and distance are the complex array's
/// doubled, and both have stride 1 along the halved axis. What is left empty of one layout follows so from the other, a
/// distance and an offset where strides are alike. Throws InvalidProblem.
RealInPlace resolve_real_in_place(const Array& real, const Array& complex, std::size_t halved);

}  // namespace seiche::problem
