// Cores: how long one pass may be, which radices and threads it has, and the model of time that orders long radices.
// Each number says its unit, what it means, and which note of docs/lab it came from; [no note] is a number whose origin
// no note has.
#pragma once

#include <cstddef>
#include <cstdint>

#include "planner/model/by_precision.hpp"

namespace seiche::planner {

// --- Radices and lengths ------------------------------------------------------------------------------------------

namespace cores {

/// Points: radices of a core that runs once, unless registers or the cost of accesses ask for another. [no note]
inline constexpr std::uint32_t largest_radix = 16;
/// Points: the same of double-doubles, which take twice the registers and many times the instructions. [no note]
inline constexpr std::uint32_t largest_radix_f64x2 = 8;
/// Points: of a convolution of doubles, whose points and spectrum are in registers. [no note]
inline constexpr std::uint32_t largest_radix_convolved_f64 = 12;
/// Points: a larger prime is no radix where all products of radices are tried. [no note]
inline constexpr std::uint32_t largest_tried_prime = 13;

/// Complex points of a thread that leave half of the registers in the largest block. [no note]
inline constexpr std::uint32_t points_per_thread_f32 = 16;
inline constexpr std::uint32_t points_per_thread_f64 = 8;    // [no note]
inline constexpr std::uint32_t points_per_thread_f64x2 = 4;  // [no note]

/// Chunks of a sequence that is exchanged one after the other. [no note]
inline constexpr std::uint32_t most_chunks = 4;
/// Threads: where two blocks are not known to be resident, longer strided ones lose to three passes. [LAB-0030]
inline constexpr std::uint32_t largest_unbounded_group = 512;

/// Points: up to here a butterfly in one thread beats two stages; longer ones spill. [LAB-0025]
inline constexpr ByPrecision<std::uint32_t> longest_in_thread{60, 40};
/// Points: the same of 16-bit storage. [LAB-0025]
inline constexpr std::uint32_t longest_in_thread_16_bit = 49;
/// Points of two lengths of doubles that lose so; their neighbours gain. [LAB-0025]
inline constexpr std::uint32_t slower_in_thread_f64 = 25;
inline constexpr std::uint32_t also_slower_in_thread_f64 = 33;  // [LAB-0025]

/// Points: strided passes of floats beyond this length have two radices instead of three. [LAB-0025]
inline constexpr std::uint32_t longest_with_usual_radices = 256;
/// Points: the largest of these two. [LAB-0025]
inline constexpr std::uint32_t largest_radix_of_two = 32;

}  // namespace cores

/// Primes that are butterflies of their own, in points.
namespace primes {

/// Of any kernel. [no note]
inline constexpr std::uint32_t largest = 31;
/// Of doubles on a GPU, whose registers hold no larger one and its sums. [no note]
inline constexpr std::uint32_t largest_f64 = 23;
inline constexpr std::uint32_t largest_f64x2 = 13;  // [no note]
/// Of floats on a GPU with few registers; wider numbers in proportion. [no note]
inline constexpr std::uint32_t largest_of_few_registers = 11;
/// No device has less. [no note]
inline constexpr std::uint32_t smallest_largest = 5;

/// Of doubles in complex axes with bounded registers, and where the length itself is the prime. [LAB-0025]
inline constexpr std::uint32_t largest_complex_f64 = 43;
inline constexpr std::uint32_t largest_alone_f64 = 47;  // [LAB-0025]
/// Of r2c and c2r that are a prime's pairs alone; larger ones spill. [LAB-0025]
inline constexpr std::uint32_t largest_paired_alone = 47;

/// In the core of a convolution; doubles: on a GPU. [no note]
inline constexpr ByPrecision<std::uint32_t> largest_convolved{13, 11};
inline constexpr std::uint32_t largest_convolved_f64x2 = 7;             // [no note]
inline constexpr std::uint32_t largest_convolved_of_few_registers = 7;  // [no note]
/// In the core of Rader's algorithm with bounded registers. [LAB-0026]
inline constexpr std::uint32_t largest_of_rader = 31;

/// Sequences: with fewer, primes in a loop without a butterfly of their own lose to Rader's. [LAB-0026]
inline constexpr ByPrecision<std::uint64_t> many_in_loops{32768, 65536};

/// From here on a butterfly of doubles spills in too large blocks. [LAB-0026]
inline constexpr std::uint32_t shortest_that_spills = 17;
/// From here on a butterfly of doubles has sums and differences beside its points. [LAB-0023]
inline constexpr std::uint32_t shortest_with_sums = 29;
/// Columns with larger ones spill in blocks of more than eight subgroups. [LAB-0025]
inline constexpr std::uint32_t largest_in_large_groups = 31;
/// Up to here, from largest_in_large_groups on, two blocks are resident. [LAB-0025]
inline constexpr std::uint32_t largest_in_two_groups = 47;

}  // namespace primes

// --- Threads of a core --------------------------------------------------------------------------------------------

/// Other threads than the largest radix has butterflies, so that few idle.
namespace core_threads {

/// Percent: what remains of the points, idle ones included, where others are worth it. [LAB-0025]
inline constexpr std::uint64_t worthwhile_percent = 85;
/// Threads: fewer have rules of their own. [LAB-0025]
inline constexpr std::uint32_t least = 64;
/// Percent: what the points may become, idle ones included, where the usual threads would spill. [LAB-0116]
inline constexpr std::uint64_t idle_percent_for_registers = 115;
/// Operations of a thread of floats from which on its code outgrows the instruction caches. [LAB-0116]
inline constexpr double longest_text = 1100;
/// Ratio: what operations may become, idle lanes' included, where code then fits in the instruction caches. [LAB-0116]
inline constexpr double operations_for_short_text = 1.03;
/// Points of a thread of doubles, beyond which a second large butterfly spills. [LAB-0025]
inline constexpr std::uint32_t most_points_f64 = 43;
/// Threads: more spill the more. [LAB-0025]
inline constexpr std::uint32_t most_f64 = 256;

}  // namespace core_threads

/// Columns of floats of other lengths than powers of two, with few idle threads.
namespace column_threads {

/// Points of a thread. [LAB-0107]
inline constexpr std::uint32_t most_points = 32;
/// Instructions beside a butterfly's, in points. [LAB-0107]
inline constexpr std::uint32_t points_beside = 3;
/// Ratio of points with idle ones to points, up to which the usual threads stay. [LAB-0107]
inline constexpr double most_idle_ratio = 1.19;
/// Threads of a block, so that several are resident. [LAB-0107]
inline constexpr std::uint32_t most = 512;
/// Points: longer columns have one resident block, which may be larger. [LAB-0107]
inline constexpr std::uint32_t longest_of_two_groups = 1200;
inline constexpr std::uint32_t most_of_long = 1024;  // threads [LAB-0107]

}  // namespace column_threads

// --- Long rows ----------------------------------------------------------------------------------------------------

/// Long rows of floats, and those that one block alone can hold. Times are in copies of the points.
namespace long_rows {

/// Points: radices where they spare a stage. [LAB-0025]
inline constexpr std::uint32_t largest_radix = 32;
/// Points: the same of doubles in a block that is alone. [no note]
inline constexpr std::uint32_t largest_radix_lone_f64 = 20;
/// Threads of a block that has 128 registers each. [no note]
inline constexpr std::uint32_t most_threads = 512;
/// Threads of a block that is alone: fewer with more points wait for one another. [no note]
inline constexpr std::uint32_t least_threads_alone = 480;
/// Threads: fewer share their block with other transforms, which costs full exchanges. [LAB-0025]
inline constexpr std::uint32_t least_threads = 96;
/// Threads: powers of two, without bank conflicts to spare, gain only where a block has a multiprocessor for itself.
/// [LAB-0025]
inline constexpr std::uint32_t threads_of_unit = 1024;
/// Blocks: the same where shared memory holds fewer. [LAB-0025]
inline constexpr std::uint32_t groups_to_alternate = 4;

/// An operation of each point. [LAB-0025]
inline constexpr double time_of_operation = 0.0113;
/// A shared-memory access of each point that takes a wavefront of its own. [LAB-0025]
inline constexpr double time_of_wavefront = 1.0;
/// An exchange's barriers. [LAB-0025]
inline constexpr double time_of_exchange = 0.1;
/// The waiting of a block that is alone. [LAB-0025]
inline constexpr double time_alone = 0.2;
/// Ratio of times: larger radices leave fewer threads to hide latency, so a gain has to be so large. [LAB-0025]
inline constexpr double worthwhile = 0.88;
/// Ratio of times: less even radices than the evenest shortest ones idle more than the model knows. [LAB-0025]
inline constexpr double uneven = 0.94;

/// Orders of the fastest few choices are compared. [no note]
inline constexpr std::size_t choices_to_order = 3;

}  // namespace long_rows

/// Rows of doubles with three radices up to 30.
namespace long_rows_of_doubles {

/// Points: radices. [LAB-0095]
inline constexpr std::uint32_t largest_radix = 30;
/// Points: lengths, and the shortest of r2c's and c2r's cores. [LAB-0095]
inline constexpr std::uint32_t shortest = 1750;
inline constexpr std::uint32_t shortest_spectrum = 800;  // [LAB-0095]
inline constexpr std::uint32_t longest = 10000;          // [LAB-0095]
/// Points: this prime's butterfly has registers only in blocks of four subgroups. [LAB-0025]
inline constexpr std::uint32_t prime_of_few_threads = 29;

/// As in long_rows, in copies. [LAB-0025]
inline constexpr double time_of_wavefront = 0.3;
/// Two exchanges without bank conflicts. [LAB-0025]
inline constexpr double least_time_of_places = time_of_wavefront / 4;
/// A block that is alone loses to two resident ones of the usual radices. [LAB-0025]
inline constexpr double time_alone = 0.5;
/// Ratio of times. [LAB-0025]
inline constexpr double worthwhile = 0.97;

}  // namespace long_rows_of_doubles

}  // namespace seiche::planner
