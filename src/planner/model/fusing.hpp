// Fusing: planes and cubes in one block, planes and long axes in clusters of blocks, and register-resident rows. Each
// number says its unit, what it means, and which note of docs/lab it came from; [no note] is a number whose origin no
// note has.
#pragma once

#include <cstdint>

#include "planner/model/by_precision.hpp"

namespace seiche::planner {

// --- What is fused ------------------------------------------------------------------------------------------------

/// Clusters, and how many bytes of points each of their blocks has. A block that is alone leaves memory idle while it
/// computes, so several should be resident.
namespace clusters {

/// Bytes of a block, which leave space for others beside it. [LAB-0022]
inline constexpr std::uint64_t wanted_bytes = 32 * 1024;
/// Bytes where clusters have no more blocks. [LAB-0022]
inline constexpr std::uint64_t most_bytes = 64 * 1024;
/// Bytes of all blocks: other lengths of f32 are multiples of these. [LAB-0022]
inline constexpr std::uint64_t even_bytes = 64 * 1024;
/// Bytes of a block of such a length. [LAB-0022]
inline constexpr std::uint64_t wanted_bytes_of_others = 24 * 1024;
/// Bytes of all blocks of such a length. [LAB-0022]
inline constexpr std::uint64_t most_bytes_of_others = 448 * 1024;
/// Bytes of a plane that one block holds, alone on its multiprocessor. [LAB-0022]
inline constexpr std::uint64_t most_plane_bytes = 128 * 1024;
/// Bytes of a plane that is as fast in one block as in a cluster. [LAB-0022]
inline constexpr std::uint64_t most_bytes_of_lone = 63 * 1024;
/// Bytes of a block with a part of an f64 plane of no power of two, in 8 blocks and in 4. [LAB-0022]
inline constexpr std::uint64_t most_bytes_of_eight = 32 * 1024;
inline constexpr std::uint64_t most_bytes_of_four = 40 * 1024;  // [LAB-0022]
/// Bytes of an f64 axis that stays in one block where that holds it. [LAB-0022]
inline constexpr std::uint64_t most_bytes_in_one = 128 * 1024;
/// Bytes of each of few planes in a cluster whose blocks have a multiprocessor each; shorter ones have one. [LAB-0123]
inline constexpr std::uint64_t least_bytes_of_few = 36 * 1024;
/// In clusters of 4: complex planes and real ones; the latter where 8 do not divide them. [LAB-0123]
inline constexpr std::uint64_t most_bytes_of_four_complex = 63 * 1024;
inline constexpr std::uint64_t most_bytes_of_four_real = 96 * 1024;  // [LAB-0123]
inline constexpr std::uint64_t most_bytes_of_four_few = 112 * 1024;  // [LAB-0123]
/// In clusters of 8; longer ones are columns and rows of many blocks. [LAB-0123]
inline constexpr std::uint64_t most_bytes_of_eight_few = 352 * 1024;
/// Rows and columns of a block of such a cluster of 4 or 8. [LAB-0123]
inline constexpr std::uint64_t least_rows_of_few = 8;
/// Blocks of a cluster with one of few complex planes of f32 that are longer than those but fit one block. [LAB-0118]
inline constexpr std::uint32_t groups_of_few_planes = 16;
/// Bytes of a plane in one block that is faster as columns and rows where blocks of a wave or two leave
/// multiprocessors idle, and the part of them that works. [LAB-0123]
inline constexpr std::uint64_t least_bytes_beside_idle = 72 * 1024;
inline constexpr double most_in_use = 0.7;  // [LAB-0123]
/// Blocks for planes that leave half of the multiprocessors idle. [no note]
inline constexpr std::uint32_t groups_of_half_planes = 8;
/// Blocks that are alone on their multiprocessors, of real transforms of f32. [no note]
inline constexpr std::uint32_t groups_of_whole_units = 8;
/// Rows and columns of each block, at least. [no note]
inline constexpr std::uint64_t least_rows = 12;
/// Bytes that a thread accesses at once, of neighbouring columns. [no note]
inline constexpr std::uint64_t access_bytes = 16;

}  // namespace clusters

/// A few transforms, to each of which clusters bring more multiprocessors. Other lengths: than powers of two.
namespace few_in_clusters {

/// Points of a transform, at least. [LAB-0022]
inline constexpr std::uint64_t least_points = 4096;
inline constexpr std::uint64_t least_points_of_others = 7000;  // [LAB-0022]
inline constexpr std::uint64_t most_points_of_others = 12500;  // [LAB-0022]
/// Points of a block. [LAB-0022]
inline constexpr std::uint64_t least_points_of_group = 1000;
inline constexpr std::uint64_t most_points_of_group = 2048;  // [LAB-0022]
/// Blocks of a cluster. [LAB-0022]
inline constexpr std::uint32_t most_groups = 16;
inline constexpr std::uint32_t most_groups_of_others = 10;  // [LAB-0022]

}  // namespace few_in_clusters

/// Planes whose rows store whole sectors, each thread its own points.
namespace plane_rows {

/// Points of a thread with which a row's threads may store whole sectors. [LAB-0021]
inline constexpr std::uint64_t least_points = 10;
inline constexpr std::uint64_t most_points = 24;  // [LAB-0021]
/// Bytes of a row in each block of long columns, at least: two sectors. [LAB-0021]
inline constexpr std::uint64_t least_run_bytes = 64;
/// Points: shorter rows beside long columns are not fused. [LAB-0021]
inline constexpr std::uint64_t shortest = 64;
/// Rows and numbers of real planes that are taken from a table in cubes too. [LAB-0021]
inline constexpr std::uint64_t measured_in_cubes = 256;
/// Points: with fewer in common, passes have threads of their own. [LAB-0021]
inline constexpr std::uint32_t few_points = 6;
/// Points: lengths that are multiples of these keep common threads all the same. [LAB-0021]
inline constexpr std::uint32_t even_multiple = 8;

}  // namespace plane_rows

// --- Two passes with common threads -------------------------------------------------------------------------------

/// The threads of two fused passes, each of which has as many points in both.
namespace fused_threads {

/// Threads of a block with more than two stages: with 64 registers the twiddles of a third one spill. [no note]
inline constexpr std::uint32_t most_with_three_stages = 512;
/// Points: where threads have more, larger radices spare an exchange. [no note]
inline constexpr std::uint32_t largest_radix = 32;
/// Points: short real rows with fewer a thread take too many exchanges. [no note]
inline constexpr std::uint32_t least_points_of_reals = 4;
/// Threads of a block that leave space for a second one. [LAB-0021]
inline constexpr std::uint64_t most_of_two = 512;
/// Threads: a block with more has nearly all of its multiprocessor. [LAB-0021]
inline constexpr std::uint64_t nearly_all = 960;
/// Threads of a block, into which several transforms are put together. [no note]
inline constexpr std::uint64_t wanted = 256;
/// Points of both axes of planes of doubles that have wide threads, and the blocks of their clusters. [LAB-0022]
inline constexpr std::uint32_t length_of_wide_doubles = 256;
inline constexpr std::uint32_t groups_of_wide_doubles = 16;  // [LAB-0022]
/// Points: rows longer than columns, to which wide threads spare a stage. [LAB-0021]
inline constexpr std::uint32_t shortest_long_rows = 512;
inline constexpr std::uint32_t longest_long_rows = 1024;  // [LAB-0021]
/// Threads: blocks of a few transforms up to this size need registers more than occupancy. [LAB-0022]
inline constexpr std::uint64_t most_of_few = 128;
/// Threads that are resident of such blocks. [LAB-0022]
inline constexpr std::uint64_t resident_of_few = 768;

}  // namespace fused_threads

// --- Planes and cubes whose passes have threads of their own ------------------------------------------------------

/// How the points of an axis are distributed to threads.
namespace own_threads {

/// Points of a row that one thread has whole, in a plane, and in a cube with real rows. [LAB-0021]
inline constexpr std::uint32_t most_whole_in_plane = 32;
inline constexpr std::uint32_t most_whole_in_cube = 24;  // [LAB-0021]
/// Points of a complex cube's axis that each thread has whole. [LAB-0021]
inline constexpr ByPrecision<std::uint32_t> most_whole_in_complex_cube{24, 20};
/// Points of a thread of longer axes of a cube. [LAB-0021]
inline constexpr std::uint32_t least_points_in_cube = 4;
inline constexpr std::uint32_t most_points_in_cube = 16;  // [LAB-0021]
/// Numbers: real rows from this length on are whole where that is faster, shorter ones in any case. [LAB-0021]
inline constexpr std::uint64_t shortest_long_row = 32;
/// Threads of one pass for each of another: the rest would wait. [no note]
inline constexpr std::uint64_t most_alike = 6;
/// Threads of a row in parts. [LAB-0021]
inline constexpr std::uint32_t threads_of_parts = 4;
/// Points of rows that are faster in parts. [LAB-0021]
inline constexpr std::uint64_t length_in_parts = 16;
inline constexpr std::uint64_t shortest_usual_in_parts = 24;  // [LAB-0021]
/// Points: shorter axes are whole even in the distribution of last resort. [no note]
inline constexpr std::uint32_t shortest_in_parts = 10;
/// Points: the smallest radix limit that is tried. [no note]
inline constexpr std::uint32_t least_radix = 4;
/// Instructions beside a butterfly's, in points. [no note]
inline constexpr double points_beside = 3;
/// Points of a thread of a longer axis. [LAB-0021]
inline constexpr ByPrecision<std::uint32_t> most_points{25, 12};
/// Points: doubles that would idle otherwise. [LAB-0021]
inline constexpr std::uint32_t most_points_of_uneven_doubles = 20;
/// Points of a thread beside whole real rows: floats as many as half a row, if that is more. [LAB-0021]
inline constexpr ByPrecision<std::uint32_t> most_points_beside_rows{32, 25};
/// Points more beside r2c's rows, in threads that idle. [LAB-0021]
inline constexpr std::uint32_t points_in_idle_threads = 6;
/// Points: radices of an axis beside real rows. [LAB-0021]
inline constexpr ByPrecision<std::uint32_t> largest_radix_of_one_sided{16, 10};

/// Numbers of even real rows up to which whole rows beat conjugate pairs between threads. [LAB-0021]
inline constexpr std::uint64_t longest_faster_r2c = 80;
inline constexpr std::uint64_t longest_faster_c2r = 72;                           // [LAB-0021]
inline constexpr std::uint64_t longest_faster_of_doubles = 60;                    // [LAB-0021]
inline constexpr ByPrecision<std::uint64_t> longest_faster_power_of_two{32, 16};  // [LAB-0021]

/// Threads of a plane of reals, of which several blocks should be resident: doubles. [LAB-0021]
inline constexpr std::uint64_t most_of_real_doubles = 256;
/// Threads: r2c of doubles in odd rows, or in whole ones. [LAB-0021]
inline constexpr std::uint64_t most_of_odd_real_doubles = 512;
/// Threads: floats with even rows in parts. [LAB-0021]
inline constexpr std::uint64_t most_of_even_parts = 400;
/// Threads: c2r of floats. [LAB-0021]
inline constexpr std::uint64_t most_of_c2r = 960;
/// Points of an axis. [no note]
inline constexpr std::uint64_t longest = 1024;
/// Registers beside the points of an operator's thread, which has indices of more passes: with fewer they spill.
/// [LAB-0120]
inline constexpr std::uint64_t registers_beside_operator = 32;

}  // namespace own_threads

/// Operators of planes whose passes are all in one block.
namespace operators_on_chip {

/// Points of a plane: longer real ones are faster in three kernels. So are fewer longer ones than multiprocessors,
/// which was not timed. [LAB-0120]
inline constexpr std::uint64_t most_points_of_reals = 4096;
/// Bytes of a complex plane. [LAB-0120]
inline constexpr std::uint64_t most_bytes = 131072;

}  // namespace operators_on_chip

/// How many planes a block has.
namespace planes_together {

/// Bytes of rows that go through shared memory: two sectors and more. [LAB-0021]
inline constexpr std::uint64_t least_row_bytes = 64;
/// Threads: planes of more, up to a subgroup, are put together in larger blocks. [LAB-0021]
inline constexpr std::uint64_t few_threads = 25;
/// Threads of a block of other planes, and of these. [LAB-0021]
inline constexpr std::uint64_t least_threads = 30;
inline constexpr std::uint64_t least_threads_of_more = 104;  // [LAB-0021]
/// Points of a block. [LAB-0021]
inline constexpr std::uint64_t least_points = 192;
/// Ratio of lanes that have work, beside rows that go through shared memory. [LAB-0021]
inline constexpr double least_busy = 0.65;
/// Numbers: shorter c2r rows are many to a block. [LAB-0021]
inline constexpr std::uint64_t shortest_of_c2r = 30;

}  // namespace planes_together

/// Two passes of one axis in a block, one of them a convolution.
namespace convolutions_in_group {

/// Sequences of the second pass, with which Rader's is faster there than Bluestein's of the whole: of complex axes, of
/// real ones whose bins are pairs, and of odd lengths. [LAB-0119]
inline constexpr ByPrecision<std::uint32_t> least_sequences{4, 4};
inline constexpr ByPrecision<std::uint32_t> least_sequences_of_pairs{2, 2};      // [LAB-0119]
inline constexpr ByPrecision<std::uint32_t> least_sequences_of_one_side{13, 8};  // [LAB-0119]
/// Points of a complex axis; the whole is hardly padded below, where it has few stages. [LAB-0119]
inline constexpr ByPrecision<std::uint64_t> shortest{520, 0};
/// And from here on blocks leave no other beside them, or have many stages. [LAB-0119]
inline constexpr ByPrecision<std::uint64_t> longest{6000, 5300};
/// Points of a thread: of Rader's core, of Bluestein's, and of a pass of butterflies. [no note]
inline constexpr ByPrecision<std::uint32_t> most_points{16, 12};
inline constexpr ByPrecision<std::uint32_t> most_points_beside_chirps{10, 8};    // [no note]
inline constexpr ByPrecision<std::uint32_t> most_points_of_butterflies{20, 16};  // [no note]
/// Instructions of an operation, of a point at each stage, and of a stage. [no note]
inline constexpr ByPrecision<double> instructions_of_operation{0.6, 1.2};
inline constexpr ByPrecision<double> instructions_of_point{14, 20};  // [no note]
inline constexpr double instructions_of_stage = 40;                  // [no note]
/// Instructions of subgroups that a multiprocessor issues in a cycle. [no note]
inline constexpr double instructions_of_cycle = 4;
/// Cycles between a subgroup's instructions, and of its accesses to memory. [no note]
inline constexpr double cycles_of_instruction = 6;
inline constexpr double cycles_of_memory = 1900;  // [no note]
/// Ratio of time where registers spill. [no note]
inline constexpr double price_of_spilling = 1.5;
/// Threads of a block, into which short transforms are put together. [no note]
inline constexpr std::uint64_t least_threads = 16;
/// Registers beside those of a thread's points. [no note]
inline constexpr ByPrecision<std::uint32_t> registers_beside{32, 36};
inline constexpr ByPrecision<std::uint32_t> registers_beside_chirps{44, 56};  // [no note]

}  // namespace convolutions_in_group

// --- Register-resident rows ---------------------------------------------------------------------------------------

/// Rows of real-to-real kinds that stand in a thread's registers.
namespace register_rows {

/// Points of a row's core; more doubles spill. [LAB-0021]
inline constexpr std::uint64_t most_points = 64;
inline constexpr std::uint64_t most_points_of_doubles = 31;  // [LAB-0021]
inline constexpr std::uint64_t most_pairs_of_doubles = 24;   // [LAB-0021]
/// Points: a larger prime's butterfly has too many operations. [LAB-0021]
inline constexpr std::uint64_t largest_prime = 31;
/// Rows of one axis for each of another. [no note]
inline constexpr std::uint64_t most_alike = 4;
/// Threads of a block. [LAB-0021]
inline constexpr std::uint64_t least_threads = 56;
inline constexpr std::uint64_t usual_threads = 160;  // [LAB-0021]
inline constexpr std::uint64_t most_threads = 320;   // [LAB-0021]
/// Numbers of a block. [LAB-0021]
inline constexpr std::uint64_t least_numbers = 512;
/// Bytes of shared memory of a block. [LAB-0021]
inline constexpr std::uint64_t most_bytes = 48 * 1024;
/// Ratio of lanes with rows, from which on a block takes no more than the usual threads. [LAB-0021]
inline constexpr double full = 0.93;

}  // namespace register_rows

}  // namespace seiche::planner
