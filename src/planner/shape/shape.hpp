// How a pass is spread over threads, registers and shared memory of a device.
#pragma once

#include <optional>
#include <vector>

#include "kernels/contract/spec.hpp"
#include "planner/axis_question.hpp"
#include "seiche/device.hpp"
#include "seiche/tuning.hpp"
#include "support/refusal.hpp"

namespace seiche::planner {

using support::Refusal;

/// The longest sequence of one pass. `is_strided`: neighbouring sequences are taken together so that whole sectors
/// move.
std::uint32_t longest_pass(const DeviceLimits& limits, Precision precision, bool is_strided);

/// The longest that may be asked for, though registers may spill.
std::uint32_t longest_forced_pass(const DeviceLimits& limits, Precision precision, bool is_strided);

/// The longest pass of a sequence that needs several: strided accesses move two sectors at a time. Measured: LAB-0030.
std::uint32_t longest_split_pass(const DeviceLimits& limits, Precision precision);

struct CoreQuestion {
    std::uint64_t n = 1;
    bool is_strided = false;  ///< As in longest_pass; a part of a longer transform is.
    bool runs_twice = false;  ///< For a convolution: the second time with the radices reversed.
    Precision precision = Precision::f32;
    CoreMap map = CoreMap::none;    ///< A spectrum where no other axis is transformed.
    bool has_point_beside = false;  ///< Rader's, whose core runs twice.

    /// One run over neighbouring points of memory.
    bool is_complex_row() const { return !is_strided && !runs_twice && map == CoreMap::none; }
};

/// Whether one pass holds the core; on a SIMD device a contiguous sequence must also fill the lanes by itself.
bool fits_one_pass(const CoreQuestion& core, const DeviceLimits& limits);

/// Points of a thread that leave it registers in a group of the largest size.
std::uint32_t points_per_thread(const DeviceLimits& limits, Precision precision);

std::vector<std::uint32_t> choose_radices(const CoreQuestion& core, const DeviceLimits& limits);

/// The two radices up to 32 of a strided pass of more than 256 points in runs of 128 bytes, exchanged whole, where
/// registers are bounded: they spare an exchange. Empty: it has none. Measured: LAB-0025.
std::vector<std::uint32_t> choose_radices_of_two(std::uint32_t n, Precision precision, const DeviceLimits& limits);

/// Radices up to 32 of a long f32 transform in one pass, where they spare a stage and that is worth it; else the usual
/// ones.
std::vector<std::uint32_t> radices_of_long(const std::vector<std::uint32_t>& usual, std::uint32_t n,
                                           const DeviceLimits& limits);

/// Whether radices are such; the threads of a core with them; and resident groups to ask for (0: more than two fit).
bool is_long(const std::vector<std::uint32_t>& radices, const CoreQuestion& core, const DeviceLimits& limits);
std::uint32_t threads_of_long(const std::vector<std::uint32_t>& radices, std::uint32_t n, const DeviceLimits& limits);

/// The same of rows of doubles: three radices up to 30.
std::vector<std::uint32_t> radices_of_doubles(const std::vector<std::uint32_t>& usual, const CoreQuestion& core,
                                              const DeviceLimits& limits);
/// Whether radices are such; and the threads of a core with them.
bool are_of_doubles(const std::vector<std::uint32_t>& radices, const CoreQuestion& core, const DeviceLimits& limits);
std::uint32_t threads_of_doubles(const std::vector<std::uint32_t>& radices, std::uint32_t n);
std::uint32_t groups_of_long(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads);

/// For one group that holds a sequence longer than longest_pass in registers: radices, whether there are any, and
/// threads.
std::vector<std::uint32_t> radices_of_lone(std::uint32_t n, Precision precision, const DeviceLimits& limits);
bool has_lone_radices(std::uint64_t n, Precision precision, const DeviceLimits& limits);
std::uint32_t threads_of_lone(const std::vector<std::uint32_t>& radices, const CoreQuestion& core,
                              const DeviceLimits& limits);

/// The longest dense sequence for one butterfly in one thread, moved through shared memory as a run with others.
std::uint32_t longest_in_thread(const DeviceLimits& limits, Precision precision, Storage storage);

/// The largest prime whose butterfly fits in registers.
std::uint32_t largest_prime(const DeviceLimits& limits, Precision precision);

/// The same of a complex axis where registers are bounded: results go to shared memory pair by pair. Real numbers and
/// fused passes have no registers for it. `is_alone`: the length is a prime. Measured: LAB-0025.
std::uint32_t largest_complex_prime(const DeviceLimits& limits, Precision precision, bool is_alone);

/// The same beside the spectrum of a convolution, at most 13.
std::uint32_t largest_convolved_prime(const DeviceLimits& limits, Precision precision);

/// The largest prime factor of a prime's convolution, where that spares a stage.
std::uint32_t largest_rader_prime(const DeviceLimits& limits, Precision precision);

std::uint32_t threads_for_core(const std::vector<std::uint32_t>& radices, const CoreQuestion& core,
                               const DeviceLimits& limits);

/// Ends of a core where one thread has both butterflies of a mirrored pair: b and n / r - 1 - b (kernels::is_mirrored),
/// or b and n / r - b (kernels::has_pairs_in_thread).
struct Mirrored {
    bool front = false, back = false;
    bool operator==(const Mirrored&) const = default;
};
/// Falling radices, so that the smallest is where butterflies are mirrored: both are one thread's. At both ends the two
/// smallest. Radices in such an order stay as they are.
std::vector<std::uint32_t> radices_for(const Mirrored& mirrored, std::vector<std::uint32_t> radices);
/// Threads that each have a pair of mirrored butterflies. At the front alone half may idle. Measured: LAB-0027.
std::uint32_t most_mirrored_threads(std::uint32_t n, const std::vector<std::uint32_t>& radices,
                                    const Mirrored& mirrored);

std::uint32_t simd_lanes(const DeviceLimits& limits, Precision precision);

/// The most columns, an even divisor of `count` up to so many; whole sectors unless that halves them. 1: there are
/// none.
std::uint32_t even_part_of(std::uint64_t count, std::uint32_t most, std::uint32_t of_sectors);

/// A pass with its shape; neither: it has none of this form, and another form has to do.
struct ShapedPass {
    std::optional<kernels::KernelSpec> spec;
    Refusal refusal = {};
};

/// A pass with conjugate pairs and its shape, mirrored columns in one group; not where the tuning asks for a shape, nor
/// where runs would be shorter than a sector.
ShapedPass with_columns_of_bins(kernels::KernelSpec spec, const DeviceLimits& limits, const Tuning& tuning);

/// Columns of a group, half of them mirrors of the others, and threads; 0: a usual count of points each.
struct Columns {
    std::uint32_t sequences = 2, threads = 0;
};
/// The same with so many, whatever their runs.
ShapedPass with_columns_of_bins(kernels::KernelSpec spec, const DeviceLimits& limits, const Columns& wanted);

/// Fills in shape and order of a spec with lengths, strides, loops and radices. `sequences`: how many there will be.
[[nodiscard]] Refusal choose_shape(kernels::KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning,
                                   std::uint64_t sequences);

}  // namespace seiche::planner
