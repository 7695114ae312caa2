// How a pass is spread over threads, registers and shared memory of a device.
#pragma once

#include <optional>
#include <vector>

#include "kernels/contract/spec.hpp"
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
    bool is_spectrum = false;       ///< Of a real axis: r2c or c2r, the only one.
};

/// True if one pass can hold the core; on a SIMD device a contiguous sequence also has to fill the lanes by itself.
bool fits_one_pass(const CoreQuestion& core, const DeviceLimits& limits);

/// Points that the registers of a thread have room for where a group has as many threads as it may.
std::uint32_t points_per_thread(const DeviceLimits& limits, Precision precision);

/// The core's radices on this device.
std::vector<std::uint32_t> choose_radices(const CoreQuestion& core, const DeviceLimits& limits);

/// The two radices up to 32 of a strided pass of more than 256 points whose runs of 128 bytes a group exchanges at
/// once, on a device whose registers can be bounded; empty: it has none. Measured on an H200, of copy: 512 x 512 x 512
/// 0.31 and 0.35, 400 x 400 x 400 0.29 and 0.32, 147456 points (384 x 384) 0.51 and 0.55, 2^18 0.52 and 0.53, but
/// 250000 (500 x 500), whose groups exchange one part at a time, 0.40 and 0.35; shorter ones, 10^7 points (250 x 200 x
/// 200) 0.26 and 0.25, 100000 (400 x 250) 0.44 and, with 25 x 10 too, 0.42.
std::vector<std::uint32_t> choose_radices_of_two(std::uint32_t n, Precision precision, const DeviceLimits& limits);

/// Radices up to 32 of a long f32 transform that runs once and has rows of its own, where they spare a stage and that
/// is worth it; else the usual ones.
std::vector<std::uint32_t> radices_of_long(const std::vector<std::uint32_t>& usual, std::uint32_t n,
                                           const DeviceLimits& limits);

/// Whether a core has such radices; its threads; and of groups of so many threads how many a unit should be said to
/// hold: more than two it holds by itself (0).
bool is_long(const std::vector<std::uint32_t>& radices, const CoreQuestion& core, const DeviceLimits& limits);
std::uint32_t threads_of_long(const std::vector<std::uint32_t>& radices, std::uint32_t n, const DeviceLimits& limits);

/// The same of rows of doubles, three radices up to 30, on a device of the kind that they were measured on.
std::vector<std::uint32_t> radices_of_doubles(const std::vector<std::uint32_t>& usual, const CoreQuestion& core,
                                              const DeviceLimits& limits);
/// Whether they are such that run once; and the threads that they have.
bool are_of_doubles(const std::vector<std::uint32_t>& radices, const CoreQuestion& core, const DeviceLimits& limits);
std::uint32_t threads_of_doubles(const std::vector<std::uint32_t>& radices, std::uint32_t n);
std::uint32_t groups_of_long(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads);

/// Radices with which one group holds a sequence longer than longest_pass in its registers, f32 or f64, whether there
/// are such, and its threads.
std::vector<std::uint32_t> radices_of_lone(std::uint32_t n, Precision precision, const DeviceLimits& limits);
bool has_lone_radices(std::uint64_t n, Precision precision, const DeviceLimits& limits);
std::uint32_t threads_of_lone(const std::vector<std::uint32_t>& radices, const CoreQuestion& core,
                              const DeviceLimits& limits);

/// The longest dense sequence that had better be one butterfly of one thread than two stages of several: between memory
/// and its thread it passes through shared memory as a run with others.
std::uint32_t longest_in_thread(const DeviceLimits& limits, Precision precision, Storage storage);

/// The largest prime whose butterfly's points have room in the registers.
std::uint32_t largest_prime(const DeviceLimits& limits, Precision precision);

/// The same of a complex axis where registers can be bounded: results go to shared memory one pair after the other, and
/// what a kernel of real numbers or of two passes keeps beside them has no room. Measured on an H200, of copy, Rader's
/// convolution and this: 37 points 0.72 and 1.00, 47 0.48 and 0.97, 59 0.65 and 0.80, f64 29 0.79 and 0.99, 41 0.56 and
/// 0.87, 47 0.49 and 0.67, but 53 0.51 and 0.52, 59 0.51 and 0.31; Bluestein's and this: 592 (37 x 16) 0.38 and 0.85,
/// 3008 (47 x 8 x 8) 0.37 and 0.73, f64 688 (43 x 16) 0.29 and 0.43, but 94 (47 x 2) 0.42 and 0.34. `is_alone`: the
/// length is a prime.
std::uint32_t largest_complex_prime(const DeviceLimits& limits, Precision precision, bool is_alone);

/// The largest prime beside the spectrum of a convolution, at most 13.
std::uint32_t largest_convolved_prime(const DeviceLimits& limits, Precision precision);

/// The largest prime factor of a prime's convolution, where that spares a stage.
std::uint32_t largest_rader_prime(const DeviceLimits& limits, Precision precision);

/// Threads for one sequence of a core on a GPU.
std::uint32_t threads_for_core(const std::vector<std::uint32_t>& radices, const CoreQuestion& core,
                               const DeviceLimits& limits);

/// Ends of a core whose butterflies b and n / r - 1 - b (kernels::is_mirrored) or b and n / r - b
/// (kernels::has_pairs_in_thread) a GPU's thread has both.
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

/// The most columns that a count divides into, at most so many and even; of whole sectors unless that halves them. 1:
/// there are none.
std::uint32_t even_part_of(std::uint64_t count, std::uint32_t most, std::uint32_t of_sectors);

/// A pass that has bins (ConjugatePairs) with its shape, where mirrored columns may meet in a group:
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
