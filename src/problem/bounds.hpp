// What values may be at all, whatever the problem: beyond these, sums and products of the planner could wrap.
#pragma once

#include <cstdint>

#include "problem/convolution.hpp"
#include "problem/problem.hpp"
#include "seiche/device.hpp"
#include "seiche/tuning.hpp"

namespace seiche::problem {

/// Threads of a group, and transforms of one.
inline constexpr std::uint32_t most_group = 1u << 16;
inline constexpr std::uint32_t most_cluster = 64;
/// Tables of measurements beside the library's.
inline constexpr std::size_t most_tables = 8;
/// Bytes that one array of a problem may span: as many as the addresses of a device reach.
inline constexpr std::uint64_t most_addressed = std::uint64_t{1} << 48;

/// Throws InvalidProblem, one line that names the field, for a value that no device and no problem could have. What
/// passes may still be Unsupported for a problem.
void check_tuning(const Tuning& tuning);
/// The same of limits, whether a driver, a profile or a program gave them.
void check_limits(const DeviceLimits& limits);

/// Throws Unsupported where an array, with its whole batch, is longer than any device's addresses reach. Beyond it
/// nothing needs to be searched.
void check_size(const Canonical& problem);
void check_size(const CanonicalSpectral& convolution);

}  // namespace seiche::problem
