// Transforms of whole arrays on the host, stored in double precision: what results of workflows are compared with.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <vector>

#include "seiche/problem.hpp"

namespace seiche::cli {

using HostArrayOfPoints = std::vector<std::complex<double>>;

/// Transforms a dense row-major array along all axes, unscaled, in place. Lines are transformed in extended precision,
/// on all processors.
void transform_on_host(HostArrayOfPoints& points, const std::vector<std::uint64_t>& lengths, Direction direction);

/// The same of one axis.
void transform_axis_on_host(HostArrayOfPoints& points, const std::vector<std::uint64_t>& lengths, std::size_t axis,
                            Direction direction);

/// Where a point is along each axis.
std::vector<std::uint64_t> place_of(std::uint64_t point, const std::vector<std::uint64_t>& lengths);

/// Forward, times `factor` of each bin's number, inverse, divided by the number of points.
void filter_on_host(HostArrayOfPoints& points, const std::vector<std::uint64_t>& lengths,
                    const std::function<std::complex<double>(std::uint64_t bin)>& factor);

}  // namespace seiche::cli
