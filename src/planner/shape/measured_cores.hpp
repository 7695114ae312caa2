// Cores that were measured to be faster than those that the policy of shapes chooses by itself.
#pragma once

#include <optional>
#include <vector>

#include "kernels/contract/spec.hpp"
#include "seiche/device.hpp"

namespace seiche::planner {

struct MeasuredCore {
    std::vector<std::uint32_t> radices;
    std::uint32_t threads = 1;
    std::uint32_t sequences = 0;  ///< Of a group; 0: the policy's.
    std::uint32_t groups = 0;     ///< Resident groups to ask for; 0: the policy's.
    bool in_loop = false;         ///< Both runs of a convolution's core (CoreLoop).
};

/// How sequences lie in memory: dense; or as columns that neighbour others on both sides, without and with twiddles of
/// a longer transform before the core, or in the input alone, as in a first pass; or rows of r2c or c2r, whose points
/// are pairs.
enum class CorePlace : std::uint8_t { rows, columns, twiddled_columns, first_columns, r2c_rows, c2r_rows };

std::optional<CorePlace> place_of(const kernels::KernelSpec& spec);

struct MeasuredQuestion {
    std::uint64_t n = 1;
    Precision precision = Precision::f32;
    bool is_16_bit = false;  ///< 16-bit storage of numbers that are computed in f32.
    CorePlace place = CorePlace::rows;
};

/// The core of a padded convolution in one kernel, and a transform's time in a large batch.
struct PaddedCore {
    std::uint32_t n = 1;
    MeasuredCore core;
    double nanoseconds = 0;
};

/// How a dense sequence of a prime is one butterfly in a loop (PrimeLoop).
struct PrimeTurns {
    std::uint32_t threads = 1;     ///< 2: parts in lanes.
    std::uint32_t pairs = 1;       ///< Of a turn.
    std::uint32_t sequences = 32;  ///< Of a group: one subgroup, or two.
};

/// Radices and threads of sequences that one pass holds; nothing where the policy's own are as fast, or on devices of
/// another kind.
std::optional<MeasuredCore> measured_core(const MeasuredQuestion& question, const DeviceLimits& limits);
/// The same of a pass that has a kernel of its own, whatever its radices are.
std::optional<MeasuredCore> measured_core(const kernels::KernelSpec& spec, const DeviceLimits& limits);

/// Nothing where another way is faster, or on devices of another kind.
std::optional<PrimeTurns> turns_of_prime(std::uint64_t n, Precision precision, const DeviceLimits& limits);

/// The fastest of at least so many points of contiguous sequences; nothing beyond the longest, or on other devices.
std::optional<PaddedCore> fastest_padded_core(std::uint64_t least, Precision precision, const DeviceLimits& limits);

/// The same of a prime's even and odd part, one after the other, each padded to at least prime - 2 points.
std::optional<PaddedCore> fastest_parity_core(std::uint64_t prime, Precision precision, const DeviceLimits& limits);

/// Whether the device's tables have cores of primes by parity, so that other lengths were measured too and are slower.
bool has_parity_cores(Precision precision, const DeviceLimits& limits);

/// Radices of a user's convolution of one axis in one kernel, complex, one channel; empty: none was measured to be
/// faster.
std::vector<std::uint32_t> measured_radices_of_convolution(std::uint64_t n, Precision precision,
                                                           const DeviceLimits& limits);

/// The two pipelined passes of at least so many points; empty: three kernels are as fast.
std::vector<std::uint32_t> fastest_pipelined_convolution(std::uint64_t least, Precision precision,
                                                         const DeviceLimits& limits);
/// Whether these are the two passes of one of those.
bool are_of_pipelined_convolution(std::uint32_t first, std::uint32_t second, Precision precision,
                                  const DeviceLimits& limits);

}  // namespace seiche::planner
