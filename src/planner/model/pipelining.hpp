// Pipelined passes: what the second cache should hold, the tiles and blocks of the passes, and which of them gain by
// one launch. Each number says its unit, what it means, and which note of docs/lab it came from; [no note] is a number
// whose origin no note has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace seiche::planner {

// --- What a cache holds -------------------------------------------------------------------------------------------

/// Slices of what lies between the passes: how many of them the second cache should hold. More means smaller slices.
namespace cached_slices {

/// Caches that a batch should fill at least. [LAB-0020]
inline constexpr std::uint64_t least_caches = 2;
/// Slices of a batch, at least. [no note]
inline constexpr std::uint64_t least = 8;
/// Slices that the cache should hold. [LAB-0020]
inline constexpr std::uint64_t usual = 3;
/// The same for back ends other than CUDA, which keep results there too. [LAB-0020]
inline constexpr std::uint64_t elsewhere = 6;
/// The same of passes that return to where the first began: two slices in the cache for one. [LAB-0020]
inline constexpr std::uint64_t that_return = 6;
inline constexpr std::uint64_t that_return_elsewhere = 16;  // [LAB-0020]
/// The same where input and results have arrays of their own, which share the cache. [LAB-0020]
inline constexpr std::uint64_t beside_others = 16;
/// The same of a spectrum, which takes long to store. [LAB-0020]
inline constexpr std::uint64_t of_spectra = 3;
/// Where the cache holds fewer, input that is read once is streamed past it. [LAB-0020]
inline constexpr std::uint64_t of_streamed_input = 16;
/// Where the cache holds so many, small blocks run further ahead. [LAB-0020]
inline constexpr std::uint64_t of_small = 12;
/// Points of a plane of doubles; the second where memory is fast. [LAB-0020]
inline constexpr std::uint64_t most_points_of_doubles = 128 * 128;
inline constexpr std::uint64_t most_points_of_fast_doubles = 256 * 256;  // [LAB-0020]

}  // namespace cached_slices

/// Prefetch distances beyond a slice, as fractions of the resident blocks.
namespace prefetch_distance {

inline constexpr double usual = 0.4;  // [LAB-0020]
/// Small blocks of small slices. [LAB-0020]
inline constexpr double of_small = 0.6;
/// Bytes of a small block. [LAB-0020]
inline constexpr std::uint64_t small_tile_bytes = 40 * 1024;
/// Of three passes: ahead of the second, and of the third. [LAB-0020]
inline constexpr double ahead_of_second = 0.4;
inline constexpr double ahead_of_third = 0.8;  // [LAB-0020]

}  // namespace prefetch_distance

// --- Tiles and blocks ---------------------------------------------------------------------------------------------

/// The tile of a block: its sequences and their points.
namespace tiles {

/// Bytes of both components. [no note]
inline constexpr std::uint64_t bytes = 64 * 1024;
/// Sequences: runs of whole lines gain the most. [LAB-0020]
inline constexpr std::uint32_t most_sequences = 16;
/// Bytes of a thread's points up to which its threads are halved, so that two blocks are resident. [LAB-0020]
inline constexpr std::uint32_t bytes_of_thread = 160;
/// Bytes of a thread's points where block sizes would differ otherwise. [no note]
inline constexpr std::uint32_t most_bytes_of_thread = 256;
/// Points: passes of 16-bit storage up to here take whole cache lines. [LAB-0020]
inline constexpr std::uint32_t longest_of_16_bit_in_lines = 128;
/// A plane's columns of doubles whose tiles leave too few blocks resident: sequences, and bytes. [LAB-0020]
inline constexpr std::uint32_t least_sequences_of_large = 8;
inline constexpr std::uint64_t large_bytes = 56 * 1024;          // [LAB-0020]
inline constexpr std::uint32_t many_sequences = 16;              // [LAB-0020]
inline constexpr std::uint64_t large_bytes_of_many = 48 * 1024;  // [LAB-0020]
/// Sectors of memory that a tile of a cluster should reach at a time. [no note]
inline constexpr std::uint32_t sectors_of_run = 2;

}  // namespace tiles

/// Blocks of mirrored columns whose count divides all columns.
namespace column_blocks {

/// Bytes, so that two are resident. [no note]
inline constexpr std::uint64_t most_bytes = 80 * 1024;
/// Threads of a block. [no note]
inline constexpr std::uint32_t least_threads = 128;
inline constexpr std::uint32_t most_threads = 512;  // [no note]
/// Points of a thread. [no note]
inline constexpr std::uint32_t least_points = 8;
inline constexpr std::uint32_t most_points = 25;  // [no note]

}  // namespace column_blocks

/// Registers that a pipelined pass needs, by its radices and points; model/registers.hpp has how many.
namespace pipelined_radices {

/// Blocks that are resident at most. [no note]
inline constexpr std::uint32_t most_resident_groups = 4;
/// Points of a thread in 16-bit storage, which are many. [LAB-0020]
inline constexpr std::uint32_t many_points_16_bit = 32;
/// Columns whose twiddles are products of two factors (kernels::twiddle_rows). [no note]
inline constexpr std::uint64_t many_columns = std::uint64_t{1} << 17;
/// Points: radices of doubles. [LAB-0020]
inline constexpr std::uint32_t large_f64 = 12;
inline constexpr std::uint32_t larger_f64 = 15;  // [LAB-0020]
/// Points: a radix of floats that is no power of two. [LAB-0020]
inline constexpr std::uint32_t large_f32 = 14;
/// Points of a thread of floats: with a large radix so many take more registers, and more still. [LAB-0020]
inline constexpr std::uint32_t points_of_large = 16;
inline constexpr std::uint32_t points_of_larger = 21;  // [LAB-0020]
/// Points of a thread that need few registers beside them. [LAB-0020]
inline constexpr std::uint32_t few_points = 18;
/// Threads that are left resident where one block fewer spills less. [LAB-0020]
inline constexpr std::uint32_t least_threads_left = 384;
/// Points: passes of 16-bit storage, of which larger radices spare an exchange. [LAB-0020]
inline constexpr std::uint32_t shortest_of_16_bit = 512;
inline constexpr std::uint32_t longest_of_16_bit = 1024;      // [LAB-0020]
inline constexpr std::uint32_t largest_radix_of_16_bit = 32;  // points [LAB-0020]

}  // namespace pipelined_radices

// --- Which pairs gain ---------------------------------------------------------------------------------------------

/// Passes of any lengths.
namespace pairs_of_any_length {

/// Points of a thread. [LAB-0020]
inline constexpr std::uint32_t least_points = 8;
/// Resident blocks. [LAB-0020]
inline constexpr std::uint32_t least_groups = 2;
/// Resident threads. [LAB-0020]
inline constexpr std::uint32_t least_threads = 400;
/// Bytes of a run that is no whole sectors, and of one that is loaded where results are rows. [LAB-0020]
inline constexpr std::uint32_t least_run_bytes = 112;
inline constexpr std::uint32_t least_loaded_bytes = 64;  // [LAB-0020]

}  // namespace pairs_of_any_length

/// Passes whose lengths are alike or multiples of a run.
namespace usual_pairs {

/// Threads of a block, and of one with interleaved slices. [LAB-0020]
inline constexpr std::uint32_t least_group = 256;
inline constexpr std::uint32_t least_interleaved_group = 128;  // [LAB-0020]
/// Points of a thread, of passes that are alike. [LAB-0020]
inline constexpr std::uint32_t least_points = 8;
/// Points: lengths that are multiples of these have whole runs. [LAB-0020]
inline constexpr std::uint32_t whole_run = 32;
/// Bytes of the shorter pass: more is exchanged in parts without a loss. [LAB-0020]
inline constexpr std::uint64_t bytes_exchanged_apart = 6 * 1024;
/// Ratio of two lengths: splits that are less even are not tried. [no note]
inline constexpr std::uint64_t most_apart = 16;

}  // namespace usual_pairs

}  // namespace seiche::planner
