// What planning knows of devices: what kind one is, and the registers, threads and shared memory that something takes
// there. Which rules hold on a card its tables say (measured/rules.hpp).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/problem.hpp"

namespace seiche::planner {

// --- What a device is -------------------------------------------------------------------------------------------

/// A sequence may have several threads, which exchange its points in shared memory. A SIMD processor has none.
inline bool has_groups(const DeviceLimits& limits) { return limits.vectors != Vectors::explicit_simd; }
/// Its threads run in subgroups, each with accesses of its own.
inline bool is_gpu(const DeviceLimits& limits) { return limits.vectors == Vectors::subgroups; }
/// A compiler makes SIMD code of its threads, and scalar code of accesses that are not neighbours'.
inline bool scalarises_accesses(const DeviceLimits& limits) { return limits.vectors == Vectors::implicit_simd; }
/// A GPU whose compiler decides on registers alone.
inline bool has_unbounded_registers(const DeviceLimits& limits) { return is_gpu(limits) && !limits.bounds_registers; }
/// A GPU with NVIDIA's count of registers and a compiler that takes bounds for them.
bool has_bounded_registers(const DeviceLimits& limits);
/// Too few for a butterfly of 16 points with its twiddles.
bool has_few_registers(const DeviceLimits& limits);

// --- Registers --------------------------------------------------------------------------------------------------

/// 32-bit ones of a multiprocessor, in four parts of 32 lanes that allocate in steps of eight.
inline constexpr std::uint32_t registers_per_unit = 65536;
/// Those of one thread at most.
inline constexpr std::uint32_t most_registers_of_thread = 255;
inline constexpr std::uint32_t lanes_of_subgroup = 32;
/// Threads and blocks that a multiprocessor holds at most.
inline constexpr std::uint32_t most_threads_of_unit = 2048;
inline constexpr std::uint32_t most_groups_of_unit = 32;
/// Resident subgroups of 32 whose threads have so many registers.
std::uint32_t subgroups_of_unit(std::uint32_t registers);
/// Registers of a thread where so many groups of so many threads are resident.
std::uint32_t registers_beside_others(std::uint32_t group, std::uint32_t groups);
/// Subgroups of 32 that a group of so many threads takes.
constexpr std::uint32_t subgroups_of_group(std::uint32_t threads) {
    return (threads + lanes_of_subgroup - 1) / lanes_of_subgroup;
}

inline std::uint32_t real_bytes(Precision precision) {
    return static_cast<std::uint32_t>(stored_bytes(precision, Storage::same));
}
/// A 16-bit number takes a register of its own.
inline std::uint32_t register_bytes(Precision precision) { return std::max(real_bytes(precision), 4u); }
/// Registers of a complex point.
inline std::uint32_t registers_of_point(Precision precision) { return 2 * register_bytes(precision) / 4; }

// --- Threads ----------------------------------------------------------------------------------------------------

/// More points than the registers of any device hold would be a kernel of hundreds of thousands of instructions, which
/// takes seconds to write and minutes to compile; so would a larger butterfly.
inline constexpr std::uint32_t most_points_of_any_thread = 256;
inline constexpr std::uint32_t largest_butterfly = 64;
/// Butterflies of one radix that a thread has, rounded up: some threads idle where that is not even.
constexpr std::uint32_t butterflies_of_thread(std::uint32_t n, std::uint32_t radix, std::uint32_t threads) {
    return (n / radix + threads - 1) / threads;
}
/// Points of a thread in the stage with the most, idle butterflies included. Measured: LAB-0023.
std::uint32_t most_points_of_thread(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads);
/// Points of all threads in all stages, idle butterflies included.
std::uint64_t points_with_idle(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads);

// --- Instructions -----------------------------------------------------------------------------------------------

/// Arithmetic operations of one butterfly, and of a twiddle.
double operations_of_butterfly(std::uint32_t radix);
inline constexpr double operations_per_twiddle = 4;
/// Of one thread of a transform of n points, in arithmetic operations: butterflies, idle ones included, and the
/// twiddles between them.
double operations_of_thread(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads);

// --- Shared memory ----------------------------------------------------------------------------------------------

/// Bytes for one component of a sequence. Other lengths than powers of two are padded by up to an eighth, or lie apart
/// by as much, short ones by up to half (SharedLayout::choose).
inline std::uint64_t component_bytes(std::uint64_t n, Precision precision) {
    constexpr std::uint64_t short_padding = 16;
    const std::uint64_t padding = std::has_single_bit(n) ? 0 : std::max(n / 8, std::min(n / 2, short_padding));
    return (n + padding) * real_bytes(precision);
}

// --- Cache ------------------------------------------------------------------------------------------------------

/// Bytes of a sector and of a line, as the costs of passes count them; DeviceLimits has a device's own sectors.
inline constexpr std::uint64_t sector_bytes = 32;
inline constexpr std::uint64_t line_bytes = 128;

}  // namespace seiche::planner
