// Registers of a thread, 32-bit ones: what a kernel of each kind needs beside its points, and how many a rule allows.
// Each number says what it means and which note of docs/lab it came from; [no note] is a number whose origin no note
// has.
#pragma once

#include <cstdint>

#include "planner/model/by_precision.hpp"

namespace seiche::planner {

/// Registers beside the points of a thread, which take two each of floats and four of doubles. A rule asks for points
/// and these together; with fewer the compiler spills, or is not trusted to do without. 0: no rule asks.
namespace registers_beside {

using Registers = ByPrecision<std::uint32_t>;

// --- A pass by itself -------------------------------------------------------------------------------------------

/// Indices and sums of a butterfly: the usual kernel, pipelined or not. [LAB-0023]
inline constexpr Registers pass{32, 32};
/// The same with twiddles of a longer transform. [LAB-0023]
inline constexpr Registers pass_with_twiddles{40, 40};
/// Numbers of 16-bit arithmetic, which are packed and unpacked on the way: so many more. [no note]
inline constexpr Registers more_for_packing{16, 16};
/// What the compiler takes by itself, of rows and columns whose resident blocks are only estimated. [no note]
inline constexpr Registers pass_as_compiled{14, 14};
/// Rows of other lengths than powers of two, of which as many blocks are asked for as keep these. [LAB-0114]
inline constexpr Registers bounded_rows{22, 0};
/// A row that a thread has whole. [LAB-0021]
inline constexpr Registers whole_row{20, 20};

// --- Long rows, with radices above the usual ----------------------------------------------------------------------

/// Rows of floats with radices up to 32, of which two blocks may be resident. [no note]
inline constexpr Registers long_row{26, 0};
/// Rows that one block alone can hold: beside 16 it spills. [no note]
inline constexpr Registers lone_row{24, 24};
/// Rows of doubles with radices up to 30, so that none spill. [LAB-0023]
inline constexpr Registers large_radices{0, 40};
/// The same in a block that is alone: no compiler spills with so many. [no note]
inline constexpr Registers large_radices_alone{0, 32};
/// Rows of doubles with the usual radices, of which two blocks are resident for a few spills. [no note]
inline constexpr Registers usual_radices{0, 16};
/// Sums and differences of a prime's butterfly from 29 points on. [LAB-0023]
inline constexpr Registers large_prime{0, 56};

// --- Convolutions in one kernel, and primes in loops --------------------------------------------------------------

/// Beside the points and factors of the largest radix, when resident blocks are asked for. [LAB-0026]
inline constexpr Registers convolution{32, 72};
/// The same of a prime's small radices in many stages. [LAB-0026]
inline constexpr Registers convolution_of_many_stages{24, 20};
/// Beside points and as many factors, when the threads of a core are chosen. [no note]
inline constexpr Registers convolution_with_factors{64, 64};
/// Beside the points alone, when resident blocks are only estimated. [no note]
inline constexpr Registers convolution_as_compiled{64, 64};
/// Beside the terms of a prime in a loop of one thread. [LAB-0026]
inline constexpr Registers prime_loop{40, 40};
/// The same where two lanes have the real and the imaginary part. [LAB-0026]
inline constexpr Registers prime_loop_in_two_lanes{72, 72};

// --- Planes in one block ------------------------------------------------------------------------------------------

/// Planes of doubles, so that more than one block is resident. [LAB-0021]
inline constexpr Registers plane{0, 60};
/// Butterflies of a plane's axis that idle in some threads. [LAB-0116]
inline constexpr Registers idle_butterflies{8, 0};

// --- Pipelined passes ---------------------------------------------------------------------------------------------

/// Many points in 16-bit storage: only the first butterflies are as large, and a third resident block gains more than
/// a few spills cost. [LAB-0020]
inline constexpr Registers pipelined_in_16_bits{16, 0};
/// Few points a thread, of lengths that are no powers of two; all such doubles. [LAB-0020]
inline constexpr Registers pipelined_with_few_points{22, 22};
/// Twiddles of so many columns that each is a product of two factors (kernels::twiddle_rows): so many more. [no note]
inline constexpr Registers more_for_twiddle_rows{16, 16};
/// A padded convolution, which keeps the spectrum's points too. [LAB-0020]
inline constexpr Registers pipelined_convolution{44, 24};
/// The least at which a third or fourth resident block is worth its spills. [LAB-0020]
inline constexpr Registers third_pipelined_block{14, 22};
/// The same of a second one. [LAB-0020]
inline constexpr Registers second_pipelined_block{8, 0};
/// What the cost of pipelined passes counts as missing below. [LAB-0098]
inline constexpr Registers costed_pass{20, 20};
/// The same of the pass that handles conjugate pairs. [LAB-0020]
inline constexpr Registers costed_pairs{44, 44};

}  // namespace registers_beside

/// Registers of a thread, its points among them.
namespace registers {

/// A thread with fewer has no room for the largest usual butterfly and its twiddles. [no note]
inline constexpr std::uint32_t of_largest_butterfly = 100;
/// A thread with no more than these recomputes its indices. [no note]
inline constexpr std::uint32_t few = 64;
/// Mirrored columns: points of a thread. [no note]
inline constexpr std::uint32_t of_mirrored_points = 64;
/// The same of the whole thread, for each word of a number, where two blocks should be resident. [no note]
inline constexpr std::uint32_t of_mirrored_thread = 64;
/// Spills that a second resident block of doubles is worth. [LAB-0023]
inline constexpr std::uint32_t that_may_lack = 16;
/// The same of a third or fourth one. [LAB-0116]
inline constexpr std::uint32_t that_may_lack_in_third = 8;
/// Rows of floats for which the compiler alone takes too few. [LAB-0023]
inline constexpr std::uint32_t of_bounded_rows = 72;
/// A convolution's thread should not have more. [no note]
inline constexpr std::uint32_t most_of_convolution = 128;
/// A prime's convolution in three stages: no more, so that threads that wait often are many. [LAB-0026]
inline constexpr std::uint32_t of_three_stages = 96;
/// The same in more stages. [LAB-0026]
inline constexpr std::uint32_t of_many_stages = 64;
/// With fewer, the even and the odd part of a prime spill where nobody timed them. [no note]
inline constexpr std::uint32_t of_parity = 192;

/// A long row's thread has no more, of those that a compiler may use. [no note]
inline constexpr std::uint32_t most_of_long_row = 248;
/// Its points take no more: beyond, the compiler spills whatever it is given. [LAB-0025]
inline constexpr ByPrecision<std::uint32_t> most_of_long_row_points{70, 96};
/// Rows that one block alone can hold need a device whose threads may have as many. [no note]
inline constexpr std::uint32_t least_of_lone_row = 128;

/// Spills of a plane's threads that cost less than a launch. [LAB-0021]
inline constexpr std::uint32_t that_spill_in_plane = 8;
/// The same of long whole rows. [LAB-0021]
inline constexpr std::uint32_t that_spill_in_long_rows = 16;
/// A plane's conjugate pairs beside few points: no more than these are counted. [no note]
inline constexpr std::uint64_t most_of_paired_plane = 40;

/// Pipelined floats with a large radix that is no power of two. [LAB-0020]
inline constexpr std::uint32_t of_pipelined_large = 72;
/// The same with many points a thread. [LAB-0020]
inline constexpr std::uint32_t of_pipelined_larger = 80;
/// Pipelined doubles with a large radix, or with an 8 beside others. [LAB-0020]
inline constexpr std::uint32_t of_pipelined_doubles = 96;
/// The same with two large radices. [LAB-0020]
inline constexpr std::uint32_t of_pipelined_two_large = 136;
/// The cost of pipelined passes counts missing registers in steps of so many, up to two of them. [LAB-0098]
inline constexpr double step_of_missing = 32;
inline constexpr double most_missing = 64;  // [LAB-0098]

}  // namespace registers

}  // namespace seiche::planner
