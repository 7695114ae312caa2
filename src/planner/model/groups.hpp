// Blocks of one pass: their threads and sequences, how many are resident, what they exchange through shared memory, and
// the order in which they move points. Each number says its unit, what it means, and which note of docs/lab it came
// from; [no note] is a number whose origin no note has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace seiche::planner {

// --- Threads and sequences ----------------------------------------------------------------------------------------

/// Threads of a block, in which sequences are put together.
namespace group_threads {

/// Several are resident; not more, where powers of two give a choice. [LAB-0023]
inline constexpr std::uint32_t wanted = 256;
/// Real kinds: many small blocks do not all wait at once. [LAB-0023]
inline constexpr std::uint32_t wanted_real = 64;
/// Dense complex sequences, up to twice as many: while one block waits at a barrier others load. [LAB-0023]
inline constexpr std::uint32_t wanted_dense = 64;
/// Convolutions, which compute longer between barriers. [LAB-0026]
inline constexpr std::uint32_t wanted_convolved = 128;
/// Mirrored columns: each half of a block's columns is a run. [no note]
inline constexpr std::uint32_t wanted_mirrored = 512;
/// Short real-to-real columns in whole cache lines: powers of two, and other lengths. [LAB-0029]
inline constexpr std::uint32_t most_in_lines_of_twos = 512;
inline constexpr std::uint32_t most_in_lines = 400;  // [LAB-0029]

}  // namespace group_threads

/// Bytes of neighbouring sequences that a strided pass takes together: two sectors where they fit, else one. [LAB-0030]
inline constexpr std::uint32_t run_bytes = 64;

/// Sequences that a block moves as one run.
namespace run_together {

/// Sequences, at least. [LAB-0023]
inline constexpr std::uint32_t least = 32;
/// Points of such a block: small blocks start in turn. [LAB-0023]
inline constexpr std::uint32_t points = 1024;
/// Points: from this prime on a butterfly outgrows the first instruction caches. [LAB-0023]
inline constexpr std::uint32_t long_prime = 53;
/// Sequences of such primes. [LAB-0023]
inline constexpr std::uint32_t of_long_prime = 128;

}  // namespace run_together

/// Rows of r2c and c2r in several stages.
namespace spectrum_rows {

/// Points: up to this radix one run has as many sequences as others. [LAB-0023]
inline constexpr std::uint32_t largest_of_runs = 16;
/// Points: from the next radix on so it has in floats. [LAB-0023]
inline constexpr std::uint32_t largest_of_few = 31;
/// Lanes, of which one that idles makes the block twice as large. [LAB-0023]
inline constexpr std::uint32_t lanes_of_idle = 4;

}  // namespace spectrum_rows

/// Mirrored columns that are loaded or stored as pairs or bins.
namespace mirrored_columns {

/// Points: up to here floats have eight runs, beyond four. [LAB-0027]
inline constexpr std::uint32_t longest_in_lines = 128;
inline constexpr std::uint32_t runs_in_lines = 8;  // [LAB-0027]
inline constexpr std::uint32_t long_runs = 4;      // [LAB-0027]
inline constexpr std::uint32_t usual_runs = 2;     // [LAB-0027]
/// Points: up to here doubles have four runs too. [LAB-0027]
inline constexpr std::uint32_t longest_of_doubles = 512;
/// Points: longer powers of two lack the registers to load pairs; type IV spares less. [LAB-0027]
inline constexpr std::uint32_t longest_loaded = 512;
inline constexpr std::uint32_t longest_loaded_of_type_4 = 256;  // [LAB-0027]

}  // namespace mirrored_columns

/// Columns come in blocks of at least so many where a measured core is taken: a partial last block idles little.
/// [no note]
inline constexpr std::uint64_t least_groups_of_measured_columns = 8;

/// Conjugate pairs in one thread spare an exchange but cost registers.
namespace paired_bins {

/// Points of a core of doubles, at least. [LAB-0027]
inline constexpr std::uint32_t shortest_f64 = 4096;
/// The same of r2c and c2r, whose exchange costs less. [LAB-0027]
inline constexpr std::uint32_t shortest_spectrum_f64 = 8192;
/// Sectors of a run of bins, which begins and ends within sectors: shorter runs cost more than an exchange. [LAB-0027]
inline constexpr std::uint32_t sectors_of_spectrum = 4;

}  // namespace paired_bins

// --- Resident blocks ----------------------------------------------------------------------------------------------

/// How many blocks of one pass are resident on a multiprocessor.
namespace occupancy {

/// Resident threads that shared memory should allow for: real and imaginary parts are exchanged apart where both at
/// once allow fewer. [LAB-0024]
inline constexpr std::uint32_t wanted_threads_of_unit = 512;
/// Threads: the same of strided passes, unless they are pipelined. [LAB-0024]
inline constexpr std::uint32_t wanted_strided_threads_of_unit = 1024;
/// Threads: the same of threads with whole sequences, which wait for nobody. [LAB-0024]
inline constexpr std::uint32_t wanted_rewriting_threads_of_unit = 256;
/// Points: strided passes up to here may be pipelined. [LAB-0024]
inline constexpr std::uint32_t longest_pipelined_pass = 512;

/// Points of a thread for which a compiler without occupancy bounds takes too many registers. [no note]
inline constexpr std::uint32_t points_of_unbounded = 16;
/// Threads of a block of which then only one is resident. [no note]
inline constexpr std::uint32_t group_of_unbounded = 512;

/// Blocks that are asked for at most. [no note]
inline constexpr std::uint32_t most_asked_groups = 4;
/// Points: rows of floats from here on are compiled for as many blocks as registers allow. [LAB-0023]
inline constexpr std::uint32_t shortest_of_bounded_rows = 300;
/// Points: radices of doubles up to here are compiled for as many blocks as registers allow. [LAB-0023]
inline constexpr std::uint32_t largest_radix_of_doubles = 32;

/// Stages of a prime's convolution: with more, small radices wait often, and more resident threads gain. [LAB-0026]
inline constexpr std::ptrdiff_t few_stages_of_prime = 3;
/// Points: a prime's doubles in more stages have fewer registers from here on. [LAB-0026]
inline constexpr std::uint32_t shortest_of_many_stages = 2000;
/// Points: with larger radices registers stay unbounded. [LAB-0026]
inline constexpr std::uint32_t largest_radix_of_prime = 16;

}  // namespace occupancy

// --- Exchanges ----------------------------------------------------------------------------------------------------

/// Bytes of a block's points up to which both components are exchanged at once.
namespace full_exchange {

/// Of several sequences. [no note]
inline constexpr std::uint32_t bytes = 64 * 1024;
/// Of a block with one sequence. [no note]
inline constexpr std::uint32_t lone_bytes = 128 * 1024;
/// The same with both cores of a convolution, which lack registers more than shared memory. [LAB-0026]
inline constexpr std::uint32_t lone_bytes_convolved = 192 * 1024;
/// Sequences of a tile that is exchanged in parts, where half of it would be exchanged at once in runs of two sectors.
/// [LAB-0020]
inline constexpr std::uint32_t sequences_of_large_tile = 16;

}  // namespace full_exchange

/// Whole points in one access instead of one component after the other.
namespace whole_points {

/// Points: lengths of 16-bit storage. [LAB-0024]
inline constexpr std::uint32_t shortest_16_bit = 64;
/// Points: even lengths of floats in rows. [LAB-0024]
inline constexpr std::uint32_t shortest_f32 = 400;
/// Threads of a sequence with conjugate pairs. [LAB-0024]
inline constexpr std::uint32_t least_threads_of_spectra = 8;
/// Points: a prime's doubles, whose places are scattered. [LAB-0024]
inline constexpr std::uint32_t shortest_prime_f64 = 1000;
/// Stages: more leave such primes no registers. [LAB-0024]
inline constexpr std::ptrdiff_t most_stages_of_prime_f64 = 3;

}  // namespace whole_points

/// Shared memory that padding may take: bytes that a multiprocessor's first cache keeps for itself.
namespace padded_memory {

/// Shared memory is a part of the first cache: some is left to it. [LAB-0024]
inline constexpr std::uint64_t cached_bytes = 32 * 1024;
/// Where there is less no cache is left. [LAB-0024]
inline constexpr std::uint64_t least_with_cache = 128 * 1024;

}  // namespace padded_memory

/// Twiddles as products of small tables, instead of a table that outgrows the cache. Lengths in points.
namespace twiddle_products {

inline constexpr std::uint32_t shortest_f32 = 400;            // [LAB-0028]
inline constexpr std::uint32_t shortest_power_f32 = 8193;     // powers of two, or three times one [LAB-0028]
inline constexpr std::uint32_t shortest_f64 = 2048;           // [LAB-0028]
inline constexpr std::uint32_t shortest_16_bit = 2500;        // [LAB-0028]
inline constexpr std::uint32_t shortest_power_16_bit = 6000;  // [LAB-0028]
inline constexpr std::uint32_t longest_16_bit = 14000;        // [LAB-0028]
inline constexpr std::uint32_t shortest_real_f32 = 2500;      // [LAB-0028]
inline constexpr std::uint32_t largest_radix_convolved = 20;  // points [LAB-0028]
/// Points: doubles with larger radices have registers for products only in small blocks. [LAB-0028]
inline constexpr std::uint32_t largest_radix_f64 = 9;
inline constexpr std::uint32_t most_threads_f64 = 640;  // of a block [LAB-0028]

}  // namespace twiddle_products

// --- Runs and sectors ---------------------------------------------------------------------------------------------

/// r2c and c2r of odd lengths whose rows are moved as one run.
namespace odd_rows {

/// Points: larger radices leave no registers to load a run. [LAB-0029]
inline constexpr std::uint32_t largest_radix_loaded = 43;
/// Threads of a sequence: with more, results are stored as they are. [LAB-0029]
inline constexpr std::uint32_t most_threads_stored = 7;
/// Threads: doubles with more need small radices. [LAB-0029]
inline constexpr std::uint32_t few_threads_f64 = 4;
inline constexpr std::uint32_t largest_radix_stored_f64 = 19;  // points [LAB-0029]

}  // namespace odd_rows

/// c2r of two stages whose largest radix is the last, which stores longer runs.
namespace largest_last {

/// Points: floats that are stored as one run. [LAB-0029]
inline constexpr std::uint32_t smallest_of_runs_f32 = 53;
/// Points: doubles with larger radices only in few threads. [LAB-0029]
inline constexpr std::uint32_t largest_f64 = 16;
inline constexpr std::uint32_t few_threads_f64 = 4;  // [LAB-0029]

}  // namespace largest_last

}  // namespace seiche::planner
