// What fused kernels have in common, be it a plane or a cube in one group (fuse_group.cpp) or two passes of a cluster
// (fuse.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/fuse/tile.hpp"
#include "planner/recipe.hpp"

namespace seiche::planner {

/// Shared memory of a group, real and imaginary parts of its points.
std::uint64_t bytes_held(Precision precision, std::uint64_t points);

bool is_pointwise(const std::vector<kernels::Stage>& stages);
bool has_bins(const Step& step);
/// Points that pass from one kernel to the next: all, or the first ones; empty: others.
std::optional<std::uint64_t> first_points(const kernels::Kept& kept, std::uint64_t n);
/// Whether result k of sequence q of the first is point q of sequence k of the second, in every transform; these
/// sequences are in the loop `across`.
bool is_transposed(const kernels::KernelSpec& first, const kernels::KernelSpec& second, std::size_t across = 0);
/// Whether points may go from one pass to the next without maps between; conjugate pairs may be on the sides of memory.
bool may_pass_on_chip(const Step& first, const Step& second);
Step fuse(const Step& first, const Step& second, bool is_same_memory);
/// Splits merged loops: the axis's neighbouring sequences get a loop of their own.
void split_loops(kernels::KernelSpec& spec, std::uint64_t n, std::size_t at = 0);

std::vector<kernels::KernelSpec*> passes_of(kernels::KernelSpec& spec);
const kernels::Tile* tile_of(const kernels::KernelSpec& pass);
/// The way that the pass's tile stands for.
TileWay way_of(const kernels::KernelSpec& pass);
/// Elements from one sequence of a group to the next.
std::int64_t sequence_stride(const kernels::KernelSpec& pass, bool is_input);

struct Cluster {
    const DeviceLimits& limits;
    std::uint32_t ranks = 1;
};

/// What the passes of a kernel have in common.
struct Held {
    std::uint32_t ranks = 1;
    std::uint64_t points = 1, bytes = 0;  ///< Of a group: points, and what they take in shared memory.
    std::uint64_t transforms = 1;
};
/// Whole transforms that a group has, of so many threads and bytes each.
std::uint64_t choose_transforms(std::uint64_t threads, std::uint64_t bytes, const DeviceLimits& limits,
                                const Tuning& tuning);
/// Of a pass whose threads have so many points each.
kernels::GroupShape shape_of(const kernels::KernelSpec& pass, const Held& held, std::uint32_t points,
                             const DeviceLimits& limits);

struct Given {
    const DeviceLimits& limits;
    const Tuning& tuning;
};

std::uint32_t largest_of(const std::vector<std::uint32_t>& radices);

inline constexpr const char* cluster_tuning = "tuning.groups_per_cluster: ";
/// Transforms of a tile, halved until `ranks` groups of a cluster hold them; 0: they never do.
std::uint64_t transforms_with_room(const kernels::KernelSpec& a, const kernels::KernelSpec& b, const TilePair& pair,
                                   const Cluster& cluster);

// fuse_group.cpp

/// Complex planes: only those whose rows had better be whole, or all.
enum class OwnThreads : std::uint8_t { where_faster, anywhere };
/// Fuses the passes of a plane or a cube that a group holds. False: the schedule is unchanged.
bool fuse_in_group(Schedule& schedule, bool is_in_place, const DeviceLimits& limits, OwnThreads which);

}  // namespace seiche::planner
