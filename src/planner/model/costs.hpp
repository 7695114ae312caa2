// Costs of memory and time on a GPU, for choices that no table covers: of passes by operations, of pairs of pipelined
// passes, and of convolutions and primes by what was timed. Each number says its unit, what it means, and which note of
// docs/lab it came from; [no note] is a number whose origin no note has.
#pragma once

#include <cstdint>

#include "planner/model/by_precision.hpp"

namespace seiche::planner {

// --- Passes, in operations of a point -----------------------------------------------------------------------------

namespace operation_costs {

/// A point in and out of memory, through an exchange, and to a prime's scattered places, which have bank conflicts.
/// [LAB-0031]
inline constexpr double memory = 110;
inline constexpr double exchange = 30;   // [LAB-0031]
inline constexpr double scattered = 80;  // [LAB-0031]
/// The same where accesses are scalarised, lane by lane beside vector arithmetic. [LAB-0031]
inline constexpr double scalarised_memory = 1100;
inline constexpr double scalarised_exchange = 480;   // [LAB-0031]
inline constexpr double scalarised_scattered = 480;  // [LAB-0031]
/// Ratio: each doubling of a convolution's threads makes exchanges wait so much longer. [LAB-0026]
inline constexpr double waiting = 0.6;
/// Threads of a convolution beyond which it does. [LAB-0026]
inline constexpr double threads_without_waiting = 64;
/// Operations of a core in one thread from which on its code outgrows the instruction caches. [no note]
inline constexpr double longest_text = 800;
/// The product and the spectrum in the middle of a convolution. [no note]
inline constexpr double convolution_middle = 6;
/// What a point of a user's convolution costs the passes over the other axes. [no note]
inline constexpr double other_axes = 150;

}  // namespace operation_costs

// --- Passes with conjugate pairs, in copies -----------------------------------------------------------------------

namespace pair_costs {

/// Columns, by their points. [LAB-0027]
inline constexpr double columns_in_lines = 1.05;
inline constexpr double columns_in_sectors = 1.1;  // [LAB-0027]
inline constexpr double longer_columns = 1.75;     // [LAB-0027]
/// Points of columns that move lines, and sectors. [LAB-0027]
inline constexpr std::uint64_t longest_in_lines = 512;
inline constexpr std::uint64_t longest_in_sectors = 1024;  // [LAB-0027]
/// Bins, by the bytes of a stored run, whose ends are parts of sectors: two lines, one, a half, and less. [LAB-0027]
inline constexpr double two_lines = 1.28;
inline constexpr double one_line = 1.5;   // [LAB-0027]
inline constexpr double half_line = 1.9;  // [LAB-0027]
inline constexpr double less = 2.3;       // [LAB-0027]
/// Two passes and one of maps: what passes with pairs should be cheaper than. [no note]
inline constexpr double two_and_a_map = 3.4;

}  // namespace pair_costs

// --- Pairs of pipelined passes ------------------------------------------------------------------------------------

/// What a launch of two pipelined passes costs: the log2 of an H100's milliseconds for 10^9 bytes of input is the sum
/// of these times what the shapes touch, idle and lack. A fit, so all of it changes at once.
struct PipelineFit {
    double alone;          ///< Where one block is resident.
    double threads;        ///< For each doubling of the resident threads beyond usual_pipelined_threads.
    double stage;          ///< For each stage of both passes.
    double doubles;        ///< In f64.
    double sectors;        ///< For each byte of sectors that runs of the second pass touch, by the run's bytes.
    double lines;          ///< The same for lines of both passes.
    double registers;      ///< For each step of missing registers: of the passes, or of the one without pairs.
    double all;            ///< Of every pair.
    double pairs = 0;      ///< For each step of missing registers of the pass with conjugate pairs.
    double idle = 0;       ///< For each butterfly, idle ones included, by those with points.
    double is_longer = 0;  ///< For each doubling by which the second pass is longer.
};

/// Complex points. [LAB-0098]
inline constexpr PipelineFit pipeline_fit{.alone = 0.214,
                                          .threads = -0.084,
                                          .stage = 0.074,
                                          .doubles = -0.101,
                                          .sectors = 0.144,
                                          .lines = 0.047,
                                          .registers = 0.451,
                                          .all = -0.566,
                                          .idle = 0.05,
                                          .is_longer = 0.007};
/// Cores of r2c, whose last pass has pairs. [LAB-0020]
inline constexpr PipelineFit pipeline_fit_of_r2c{.alone = 0.178,
                                                 .threads = -0.241,
                                                 .stage = 0.087,
                                                 .doubles = -0.093,
                                                 .sectors = 0.176,
                                                 .lines = 0.061,
                                                 .registers = 0.337,
                                                 .all = -0.554,
                                                 .pairs = 0.498};
/// Cores of c2r, whose first pass has pairs. [LAB-0020]
inline constexpr PipelineFit pipeline_fit_of_c2r{.alone = 0.13,
                                                 .threads = -0.271,
                                                 .stage = 0.085,
                                                 .doubles = -0.168,
                                                 .sectors = 0.306,
                                                 .lines = 0.054,
                                                 .registers = 0.209,
                                                 .all = -0.645,
                                                 .pairs = 0.303};
/// Threads of a multiprocessor from which the fits count. [LAB-0098]
inline constexpr std::uint32_t usual_pipelined_threads = 1024;
/// Up to these costs pipelined passes beat separate launches where memory is fast. [LAB-0020]
inline constexpr double most_pipeline_cost = 0.36;
inline constexpr double most_pipeline_cost_of_bins = 0.45;  // [LAB-0020]

// --- Primes and convolutions --------------------------------------------------------------------------------------

/// Rader's transforms in one kernel: milliseconds for `bytes` of points, by the stages of the core and its largest
/// radix.
namespace rader_times {

/// Bytes of points that the times are for. [LAB-0026]
inline constexpr double bytes = 256.0 * (1 << 20);
inline constexpr ByPrecision<double> two_stages{0.22, 0.21};     // [LAB-0026]
inline constexpr ByPrecision<double> three_stages{0.25, 0.265};  // [LAB-0026]
inline constexpr double three_stages_of_long_f64 = 0.29;         // [LAB-0026]
inline constexpr ByPrecision<double> more_stages{0.40, 0.38};    // [LAB-0026]
/// More for floats with a factor of 11 or 13 in three stages. [LAB-0026]
inline constexpr double factors_of_11_and_13 = 0.03;
/// More with a large radix, in doubles, and in long doubles of three stages. [LAB-0026]
inline constexpr ByPrecision<double> large_radix{0.05, 0.03};
inline constexpr double large_radix_of_long_f64 = 0.08;  // in three stages [LAB-0026]
/// More with a larger radix, in long doubles of other counts of stages, and of three. [LAB-0026]
inline constexpr double larger_radix = 0.08;
inline constexpr double larger_radix_of_long_f64 = 0.05;                  // [LAB-0026]
inline constexpr double larger_radix_of_long_f64_in_three_stages = 0.25;  // [LAB-0026]
/// Points: these radices, and the doubles that are long. [LAB-0026]
inline constexpr std::uint32_t large = 17;
inline constexpr std::uint32_t larger = 23;      // [LAB-0026]
inline constexpr std::uint32_t long_f64 = 1300;  // [LAB-0026]
/// Ratio of times of doubles that spill. [LAB-0026]
inline constexpr double spilled = 4;

}  // namespace rader_times

/// Passes with convolutions or large primes, beside Bluestein's one kernel: in copies.
namespace passes_beside_bluestein {

/// With a convolution, or a prime that is not large. [LAB-0026]
inline constexpr double usual = 3.0;
/// With larger primes. [LAB-0026]
inline constexpr double of_large_primes = 4.5;
/// Points: a prime beyond is large, and beyond the next it is a convolution. [LAB-0026]
inline constexpr std::uint32_t largest_usual_prime = 53;
inline constexpr std::uint32_t largest_prime = 89;  // [LAB-0026]
/// A copy: bytes that memory moves in a nanosecond, in and out, on an H100. [no note]
inline constexpr double bytes_of_nanosecond = 3000;

}  // namespace passes_beside_bluestein

}  // namespace seiche::planner
