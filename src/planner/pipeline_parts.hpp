// What the files that pipeline passes share: pairs of passes, their groups, and their slices.
#pragma once

#include <cstdint>
#include <optional>

#include "planner/shape_parts.hpp"
#include "planner/slices.hpp"

namespace seiche::planner {

inline constexpr std::uint64_t tile_bytes = 64 << 10;
inline constexpr std::uint32_t most_sequences = 16;
/// Larger slices leave no space for input that is read once, so it is streamed past the cache. Measured: LAB-0020.
inline constexpr std::uint64_t streamed_slices_of_cache = 16;

/// Sequences of a group, and their threads; 0: as for a pass by itself.
struct WantedGroup {
    std::uint32_t sequences = 1, threads = 0;
};

/// Two passes: as given, and with their shapes.
struct PassPair {
    kernels::KernelSpec plain[2], shaped[2];
};

inline std::uint32_t threads_of(const kernels::KernelSpec& spec) {
    return std::get<kernels::GroupShape>(spec.shape).threads;
}

inline std::uint32_t sequences_of(const kernels::KernelSpec& spec) {
    return std::get<kernels::GroupShape>(spec.shape).sequences;
}

inline std::uint32_t group_size(const kernels::KernelSpec& spec) { return threads_of(spec) * sequences_of(spec); }

std::uint32_t sequences_of_sector(const kernels::KernelSpec& spec, const DeviceLimits& limits);
/// Whether the pass is one core on chip, whose points are made of elements of their own.
bool is_lone_core(const kernels::KernelSpec& spec);
/// Whether elements of 16-bit storage are loaded and stored.
bool stores_16_bit(const kernels::KernelSpec& spec);
/// Whether the two passes are those of a plane, without a third axis.
bool is_lone_plane(const kernels::KernelSpec& first, const kernels::KernelSpec& second);
std::uint64_t slice_bytes(const kernels::KernelSpec& first);

/// Groups of a pass that can be resident at once without many spills.
std::uint32_t resident_groups(const kernels::KernelSpec& spec);

/// False: there is no such shape. Folded numbers go by mirrored columns where they can.
bool take_shape(kernels::KernelSpec& spec, const WantedGroup& wanted, const DeviceLimits& limits, Tuning tuning);
/// Makes the groups of both passes as large; pipeline_match.cpp.
bool match_groups(PassPair& pair, const DeviceLimits& limits, const Tuning& tuning);
/// Into slices of so many sequences, or of a run of interleaved ones.
void cut_into_slices(kernels::KernelSpec& spec, std::uint64_t sequences, std::uint64_t beside, std::uint32_t run);
/// With shapes that agree; empty: there are none. A prime in a loop has a kernel of its own.
std::optional<kernels::KernelSpec> joined(PassPair pair, const Slices& slices, const DeviceLimits& limits,
                                          const Tuning& tuning);
/// Whether a cache holds what lies between the passes and the batch is worth one launch more.
bool pays_to_pipeline(const kernels::KernelSpec& first, const kernels::KernelSpec& second, const DeviceLimits& limits);

}  // namespace seiche::planner
