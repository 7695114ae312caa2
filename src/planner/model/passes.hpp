// Passes over memory: into which lengths an axis is split, which passes real axes have, and which padded lengths
// convolutions and primes have. Each number says its unit, what it means, and which note of docs/lab it came from;
// [no note] is a number whose origin no note has.
#pragma once

#include <cstdint>

#include "planner/model/by_precision.hpp"

namespace seiche::planner {

// --- Three passes of a complex axis -------------------------------------------------------------------------------

/// A longer first pass, which has no twiddles, and short last ones, whose runs are long. In points.
namespace three_passes {

/// Of the last two together, so that a cache may hold several transforms. [LAB-0030]
inline constexpr std::uint64_t most_of_last_two = std::uint64_t{1} << 16;
/// A short last pass. [LAB-0030]
inline constexpr std::uint32_t short_pass = 256;
/// Each of two short last passes. [LAB-0030]
inline constexpr std::uint32_t shorter_pass = 128;
inline constexpr std::uint32_t two_shorter = shorter_pass * shorter_pass;  // [LAB-0030]
/// Of the whole axis with two such passes. [LAB-0030]
inline constexpr std::uint64_t most_with_two_shorter = std::uint64_t{1} << 25;
inline constexpr std::uint64_t most_with_two_shorter_16_bit = std::uint64_t{1} << 24;  // [LAB-0030]
/// Of an axis in 16-bit storage with one of each. [LAB-0030]
inline constexpr std::uint64_t most_with_short_16_bit = std::uint64_t{1} << 25;

}  // namespace three_passes

/// What lies between two passes in runs of a workspace.
namespace between_runs {

/// Bytes of a run of the second pass: longer ones gain nothing. [LAB-0117]
inline constexpr std::uint64_t line_bytes = 128;
/// Bytes of the rows in a block of the first pass. [LAB-0117]
inline constexpr ByPrecision<std::uint64_t> tile_bytes{64 * 1024, 128 * 1024};
/// Points: first passes with larger butterflies lack registers for several rows. [LAB-0117]
inline constexpr std::uint32_t largest_radix = 16;
/// Points of a pass: shorter ones were not measured. [LAB-0117]
inline constexpr std::uint32_t shortest_pass = 768;
/// Points: longer rows have to be multiples of the second, and of no 7. [LAB-0117]
inline constexpr std::uint32_t longest_of_any_row = 1728;
inline constexpr std::uint32_t part_of_long_row = 128;  // [LAB-0117]
/// Caches that a batch should fill at least. [LAB-0117]
inline constexpr std::uint64_t least_caches = 2;

}  // namespace between_runs

// --- Real axes ----------------------------------------------------------------------------------------------------

/// Points that are loaded and stored directly rather than through shared memory.
namespace direct_ends {

/// Points: very short sequences lack threads. [LAB-0027]
inline constexpr std::uint64_t shortest = 21;
/// Points: very long sequences of doubles lack registers. [LAB-0027]
inline constexpr std::uint64_t longest_f64 = 12500;
/// Points: shorter sequences gain nothing on a processor. [LAB-0027]
inline constexpr std::uint64_t shortest_of_processor = 2000;
/// Points, and threads: from this radix on fewer threads lose to a convolution. [LAB-0027]
inline constexpr std::uint32_t large_radix = 59;
inline constexpr std::uint32_t least_threads = 5;  // [LAB-0027]
/// Points: real axes of odd cores in 16-bit storage have one side from here on. [no note]
inline constexpr std::uint64_t shortest_16_bit = 256;

}  // namespace direct_ends

/// Passes of a real axis's core, one of which handles conjugate pairs: its columns are mirrored, its runs long.
namespace pair_passes {

/// Points: a tile of pipelined passes has runs of two sectors up to here. [no note]
inline constexpr std::uint64_t longest_pipelined_f32 = 1024;
/// Points of the last pass, so that stored runs are longer. [LAB-0027]
inline constexpr std::uint64_t shortest_last = 256;
inline constexpr std::uint64_t longest_last = 1024;  // [LAB-0027]
/// Points of the last of three short passes, which a last pass with runs of one sector loses to. [LAB-0027]
inline constexpr std::uint64_t last_of_three = 128;
/// Points: in a cluster, longer passes have a third stage. [LAB-0027]
inline constexpr std::uint64_t longest_of_two_stages = 128;

}  // namespace pair_passes

/// The same for other lengths than powers of two, by cost (model/costs.hpp).
namespace cheapest_pair_passes {

/// Points of the last pass, and of the last of three. [no note]
inline constexpr std::uint64_t shortest_last = 32;
inline constexpr std::uint64_t longest_last = 640;           // [no note]
inline constexpr std::uint64_t longest_last_of_three = 128;  // [no note]
/// Bytes of a stored run. [no note]
inline constexpr std::uint64_t least_run_bytes = 64;
/// Bytes of a tile, and of one with long passes. [no note]
inline constexpr std::uint64_t tile_bytes = 64 * 1024;
inline constexpr std::uint64_t tile_bytes_of_long = 128 * 1024;  // [no note]
/// Points: longer passes have larger tiles. [no note]
inline constexpr std::uint64_t longest_usual = 256;
/// Points of a thread. [no note]
inline constexpr std::uint64_t points_per_thread = 12;

}  // namespace cheapest_pair_passes

// --- Convolutions and primes --------------------------------------------------------------------------------------

/// Bluestein's transform: two passes of a GPU, the second of which is the convolution, and lengths that are refused.
namespace bluestein_passes {

/// Points of the first pass. [LAB-0026]
inline constexpr std::uint64_t shortest_first = 256;
/// Points of the last pass that are not too many yet; four times as many beside a long first pass. [LAB-0026]
inline constexpr std::uint64_t wanted_last = 100;
/// Points: a first pass of doubles that is long. [LAB-0026]
inline constexpr std::uint64_t long_first_f64 = 1024;
/// Points: a last pass beyond fills the registers, so it should be a power of two. [LAB-0026]
inline constexpr std::uint64_t long_last = 512;
/// Ratio of costs: of a long last pass that is no power of two. [LAB-0026]
inline constexpr double price_of_long = 1.05;
/// Ratio of costs: of a prime factor beyond 5. [LAB-0026]
inline constexpr ByPrecision<double> price_of_large_factor{1.08, 1.15};
/// Points: behind maps of real elements a measured core is taken from here on. [LAB-0026]
inline constexpr std::uint64_t shortest_measured_of_reals = 1400;
/// Milliseconds of 256 MiB in three kernels, which pad little: a measured pair, and all that it pads, has to be faster.
/// [LAB-0026]
inline constexpr ByPrecision<double> time_of_three_kernels{1.065, 0.99};
/// A padded length that a tuning gives is refused beyond both: points, and times the length that is needed. [no note]
inline constexpr std::uint64_t longest_given = 4096;
inline constexpr std::uint64_t most_times_given = 16;  // [no note]

}  // namespace bluestein_passes

/// Rader's algorithm beside Bluestein's.
namespace rader {

/// Ratio of costs at which butterflies of 17 to 31 points that spare a stage pay, beside padded powers of two: these
/// have cheaper stages than the cost knows. [LAB-0026]
inline constexpr double price_beside_powers = 0.75;
/// The same beside other padded lengths, whose saved stage the cost counts too low. [LAB-0026]
inline constexpr double price_beside_others = 1.25;
/// Points of Bluestein's core, a power of two that is faster in f64 where it is hardly padded. [LAB-0026]
inline constexpr std::uint32_t longest_even_bluestein = 256;
/// Points beyond twice the length that hardly pad. [LAB-0026]
inline constexpr std::uint32_t hardly_padded = 2;

}  // namespace rader

/// Convolutions of a user's.
namespace user_convolutions {

/// Primes in padded lengths. [no note]
inline constexpr std::uint32_t largest_factor = 7;
/// Points: of cores that may be longer where a measured one is faster by more. [LAB-0026]
inline constexpr std::uint64_t shortest_measured = 2049;
inline constexpr std::uint64_t longest_measured = 8192;  // [LAB-0026]
/// Ratio of their lengths. [LAB-0026]
inline constexpr double most_padding = 1.25;

}  // namespace user_convolutions

}  // namespace seiche::planner
