// What the files that pipeline passes share: pairs of passes, their groups, and their slices.
#pragma once

#include <cstdint>
#include <optional>

#include "planner/fuse/parts.hpp"
#include "planner/fuse/slices.hpp"
#include "planner/shape/parts.hpp"

namespace seiche::planner {

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
/// Cuts a pass into slices of so many sequences, or of a run of interleaved ones that repeat every `beside`.
void cut_into_slices(kernels::KernelSpec& spec, std::uint64_t sequences, std::uint64_t beside, std::uint32_t run);
/// Both passes as one launch, with shapes that agree; empty: there are none, or one is a prime in a loop.
std::optional<kernels::KernelSpec> joined(PassPair pair, const Slices& slices, const DeviceLimits& limits,
                                          const Tuning& tuning);
// pipeline.cpp

/// Notes whether both together write where they read.
void take_place(kernels::KernelSpec& both, const Step& first, const Step& second, bool is_in_place);
/// A third pass too, if it follows a convolution; empty: none may.
std::optional<kernels::KernelSpec> chained(const kernels::KernelSpec& both, const Schedule& schedule, std::size_t i,
                                           bool is_in_place, const Given& card);
/// Makes the passes of one launch, from step i on, one step behind one that clears its counters.
void join(Schedule& schedule, std::size_t i, const kernels::KernelSpec& both);

}  // namespace seiche::planner
