// How a pass is spread over threads, registers and shared memory of a device.
#pragma once

#include "kernels/spec.hpp"
#include "seiche/device.hpp"
#include "seiche/tuning.hpp"

namespace seiche::planner {

/// The longest sequence that one pass can hold. `is_strided`: neighbouring sequences must be taken together so that
/// whole sectors move.
std::uint32_t longest_pass(const DeviceLimits& limits, Precision precision, bool is_strided);

/// The longest pass of a sequence that needs several anyway: its strided accesses move two sectors at a time. Measured
/// on an H200: 2^24 points at 0.30 of copy in three such passes, at 0.26 in two whose accesses move one sector.
std::uint32_t longest_split_pass(const DeviceLimits& limits, Precision precision);

/// True if one pass can hold n points; on a SIMD device a contiguous sequence also has to fill the lanes by itself.
bool fits_one_pass(std::uint64_t n, const DeviceLimits& limits, Precision precision, bool is_strided);

/// The same for the core of a real axis, whose elements meet its points on chip.
bool fits_real_pass(std::uint64_t points, const DeviceLimits& limits, Precision precision, bool is_strided);

/// The radices of a pass of n points on this device.
std::vector<std::uint32_t> choose_radices(std::uint32_t n, const DeviceLimits& limits, Precision precision,
                                          bool is_contiguous);

/// Fills in shape and order of a spec whose lengths, strides, loops and radices are set. `sequences`: how many there
/// will be.
void choose_shape(kernels::KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning, std::uint64_t sequences);

}  // namespace seiche::planner
