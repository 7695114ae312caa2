// The shape arithmetic of `seiche transform`: numpy's meaning of axes, cropping and zero padding.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/io/npy.hpp"

namespace seiche::cli {

using Shape = std::vector<std::uint64_t>;

/// Axes as numpy counts them (negative: from the last) as 0 ... rank-1; empty `axes` means all.
/// Throws Failure for an axis out of range or named twice.
std::vector<int> resolve_axes(const std::vector<std::int64_t>& axes, std::size_t rank);

/// The shape after --length: "fast", one number for all axes, or one for each, in the order of `axes`; "" changes
/// nothing. Throws UsageError for text that is none of these.
Shape resized_shape(const Shape& shape, const std::vector<int>& axes, const std::string& length);

/// Notes how many elements of a file's array are not finite, where the first is, and what they do: `effect`. The
/// numbers are in the order of the file, one or (of complex elements) two an element.
template <class Number>
void note_not_finite(const std::string& path, const std::vector<Number>& numbers, const io::NpyHeader& header,
                     const std::string& effect);

/// Throws UsageError for more elements than any array in memory has.
void check_element_count(const Shape& shape);

/// A copy of a dense row-major array with another shape of the same rank: cropped at the end or padded with zeros.
template <class T>
std::vector<std::complex<T>> resize(const std::vector<std::complex<T>>& values, const Shape& from, const Shape& to);

/// "axis 0: 1000 zero-padded to 1024, axis 1: 70 cropped to 64"; empty if the shapes are equal.
std::string describe_resize(const Shape& from, const Shape& to);

}  // namespace seiche::cli
