// Processors, and rasterisers on them: SIMD kernels, scalarised accesses, and the times of a processor's passes. Each
// number says its unit, what it means, and which note of docs/lab it came from; [no note] is a number whose origin no
// note has.
#pragma once

#include <cstdint>

namespace seiche::planner {

/// Scalarised accesses, lane by lane, cost more than spills.
namespace scalarised {

/// Points: radices of floats. [LAB-0031]
inline constexpr std::uint32_t largest_radix = 32;
/// Points: from this length on larger radices spare one exchange more, at twice the time to compile. [LAB-0031]
inline constexpr std::uint32_t shortest_long = 1025;
inline constexpr std::uint32_t largest_radix_of_long = 64;  // points [LAB-0031]
/// Threads of a block, which is a loop over its subgroups. [no note]
inline constexpr std::uint32_t wanted_group = 64;
/// Threads of a block whose threads have neighbouring butterflies. [LAB-0031]
inline constexpr std::uint32_t wanted_group_of_neighbours = 32;
/// Neighbouring butterflies of a thread. [LAB-0031]
inline constexpr std::uint32_t most_neighbours = 4;
/// Points of such a thread. [no note]
inline constexpr std::uint32_t most_points_of_neighbours = 128;

}  // namespace scalarised

/// Kernels of explicit SIMD, in which one thread has whole transforms.
namespace simd {

/// Bytes of scratch that stay in the second cache. [no note]
inline constexpr std::uint32_t scratch_bytes = 512 * 1024;
/// Points of a block that make its launch worthwhile. [no note]
inline constexpr std::uint64_t points_per_group = 8192;
/// Blocks of each thread, so that threads finish together. [no note]
inline constexpr std::uint64_t groups_of_thread = 8;
/// Bytes of a launch: smaller ones stay in the calling thread (runtime/cpu/threads.cpp). [no note]
inline constexpr std::uint64_t least_shared_bytes = std::uint64_t{64} * 1024;

/// Maps: blocks of each thread, items of a block, and what these are a multiple of. [no note]
inline constexpr std::uint64_t map_groups_of_thread = 4;
inline constexpr std::uint64_t least_map_items = 1024;   // [no note]
inline constexpr std::uint64_t map_items_multiple = 16;  // [no note]

/// Operations: a point between scratch and a register. [no note]
inline constexpr double stage_operations = 4;
/// Operations: a point in and out of memory with a transposition. [no note]
inline constexpr double memory_operations = 16;
/// Operations: what a point of a user's convolution costs the passes over the other axes. [no note]
inline constexpr double other_axes_operations = 40;

}  // namespace simd

/// Nanoseconds of one thread of a processor of about 3 GHz with 64-byte vectors and 2 MiB of second cache; only their
/// ratios matter.
namespace simd_times {

/// An operation on all lanes of a register. [LAB-0031]
inline constexpr double operation = 0.14;
/// A point in and out of a pass, within the second cache of each thread, and beyond. [LAB-0031]
inline constexpr double near_move = 0.4;
inline constexpr double far_move = 1.6;  // [LAB-0031]
/// A stage's point, for each byte of a number, where scratch outgrows the first cache. [LAB-0031]
inline constexpr double stage_byte = 0.015;
/// Twiddles between passes: by whole registers, and looked up lane by lane, where registers are misaligned. [LAB-0031]
inline constexpr double shared_twiddle = 0.2;
inline constexpr double own_twiddle = 1.5;  // [LAB-0031]
/// A point that moves alone, in a register that is not full. [LAB-0031]
inline constexpr double lone = 1.7;
/// A launch in the calling thread, and one that others take part in. [LAB-0031]
inline constexpr double launch = 300;
inline constexpr double shared_launch = 2000;  // [LAB-0031]
/// What a launch takes beside that through a driver (PoCL), whose blocks may have more than one thread. [LAB-0031]
inline constexpr double driver = 2000;

/// Bytes of scratch that slow the first cache little, since stages go through it in order. [no note]
inline constexpr std::uint64_t near_scratch_bytes = std::uint64_t{128} * 1024;
/// Bytes of a thread's second cache, where the device does not say. [no note]
inline constexpr std::uint64_t usual_cache_bytes = std::uint64_t{2} * 1024 * 1024;
/// Ratio of two lengths: splits that are less even are not tried. [no note]
inline constexpr std::uint64_t most_apart = 64;
/// Points: longer axes are not timed. [no note]
inline constexpr std::uint64_t longest = std::uint64_t{1} << 26;

}  // namespace simd_times

}  // namespace seiche::planner
