// How a pass is spread over threads, registers and shared memory of a device.
#pragma once

#include <optional>
#include <vector>

#include "kernels/spec.hpp"
#include "seiche/device.hpp"
#include "seiche/tuning.hpp"

namespace seiche::planner {

/// The longest sequence that one pass can hold. `is_strided`: neighbouring sequences must be taken together so that
/// whole sectors move.
std::uint32_t longest_pass(const DeviceLimits& limits, Precision precision, bool is_strided);

/// The longest one that may be asked for: its threads' registers may have to be spilled.
std::uint32_t longest_forced_pass(const DeviceLimits& limits, Precision precision, bool is_strided);

/// The longest pass of a sequence that needs several anyway: its strided accesses move two sectors at a time. Measured
/// on an H200: 2^24 points at 0.30 of copy in three such passes, at 0.26 in two whose accesses move one sector.
std::uint32_t longest_split_pass(const DeviceLimits& limits, Precision precision);

/// A core that a pass should hold.
struct CoreQuestion {
    std::uint64_t n = 1;
    bool is_strided = false;  ///< As in longest_pass; a part of a longer transform is.
    bool runs_twice = false;  ///< For a convolution: the second time with the radices reversed.
    Precision precision = Precision::f32;
    bool is_real = false;           ///< Elements of a real axis meet the core's points on chip.
    bool has_point_beside = false;  ///< Rader's.
};

/// True if one pass can hold the core; on a SIMD device a contiguous sequence also has to fill the lanes by itself.
bool fits_one_pass(const CoreQuestion& core, const DeviceLimits& limits);

/// Points that the registers of a thread have room for where a group has as many threads as it may.
std::uint32_t points_per_thread(const DeviceLimits& limits, Precision precision);

/// The core's radices on this device.
std::vector<std::uint32_t> choose_radices(const CoreQuestion& core, const DeviceLimits& limits);

/// Radices up to 32 of a long f32 transform that runs once and has rows of its own, where they spare a stage and that
/// is worth it; else the usual ones.
std::vector<std::uint32_t> radices_of_long(const std::vector<std::uint32_t>& usual, std::uint32_t n,
                                           const DeviceLimits& limits);

/// Whether a core has such radices; its threads; and of groups of so many threads how many a unit should be said to
/// hold: more than two it holds by itself (0).
bool is_long(const std::vector<std::uint32_t>& radices, const CoreQuestion& core, const DeviceLimits& limits);
std::uint32_t threads_of_long(const std::vector<std::uint32_t>& radices, std::uint32_t n);
std::uint32_t groups_of_long(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads);

/// Radices with which one group holds a sequence longer than longest_pass in its registers, f32 or f64, whether there
/// are such, and its threads.
std::vector<std::uint32_t> radices_of_lone(std::uint32_t n, Precision precision, const DeviceLimits& limits);
bool has_lone_radices(std::uint64_t n, Precision precision, const DeviceLimits& limits);
std::uint32_t threads_of_lone(const std::vector<std::uint32_t>& radices, const CoreQuestion& core,
                              const DeviceLimits& limits);

/// The largest prime whose butterfly's points have room in the registers.
std::uint32_t largest_prime(const DeviceLimits& limits, Precision precision);

/// The same beside the spectrum of a convolution, at most 13.
std::uint32_t largest_convolved_prime(const DeviceLimits& limits, Precision precision);

/// Threads for one sequence of a core on a GPU.
std::uint32_t threads_for_core(const std::vector<std::uint32_t>& radices, const CoreQuestion& core,
                               const DeviceLimits& limits);

/// Ends of a core whose butterflies b and n / r - 1 - b (kernels::is_mirrored) or b and n / r - b (kernels::bins_meet)
/// a GPU's thread has both.
struct Mirrored {
    bool front = false, back = false;
    bool operator==(const Mirrored&) const = default;
};
/// Falling radices, so that the smallest is where butterflies are mirrored: their points meet in one thread. Of both
/// ends the two smallest.
std::vector<std::uint32_t> radices_for(const Mirrored& mirrored, std::vector<std::uint32_t> radices);
/// Threads that all have a pair of mirrored butterflies. At the front alone half of them may have none: measured on an
/// H100, 8192 numbers of type II take 1.09 times the time of r2c so, and 1.31 in half as many threads.
std::uint32_t most_mirrored_threads(std::uint32_t n, const std::vector<std::uint32_t>& radices,
                                    const Mirrored& mirrored);

/// SIMD lanes of one register.
std::uint32_t simd_lanes(const DeviceLimits& limits, Precision precision);

/// A pass that has bins (KernelSpec::bins_in, bins_out) with its shape, where mirrored columns may meet in a group:
/// not where the tuning has a say in it, nor where their runs would be shorter than a sector.
std::optional<kernels::KernelSpec> with_columns_of_bins(kernels::KernelSpec spec, const DeviceLimits& limits,
                                                        const Tuning& tuning);

/// Of a group, half of them the mirrors of the others, and their threads; 0: as many as leave each a usual count of
/// points.
struct Columns {
    std::uint32_t sequences = 2, threads = 0;
};
/// The same with so many, whatever their runs. Throws Unsupported where a group has no room for them.
std::optional<kernels::KernelSpec> with_columns_of_bins(kernels::KernelSpec spec, const DeviceLimits& limits,
                                                        const Columns& wanted);

/// Fills in shape and order of a spec whose lengths, strides, loops and radices are set. `sequences`: how many there
/// will be.
void choose_shape(kernels::KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning, std::uint64_t sequences);

}  // namespace seiche::planner
