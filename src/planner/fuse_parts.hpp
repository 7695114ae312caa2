// What fusing passes is made of, whatever they become: a plane or a cube of a group (fuse_group.cpp) or two passes of
// groups that share a transform (fuse.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "planner/recipe.hpp"
#include "planner/tile.hpp"

namespace seiche::planner {

/// Shared memory of a group, both planes of its points.
std::uint64_t bytes_held(Precision precision, std::uint64_t points);

bool is_pointwise(const std::vector<kernels::Stage>& stages);
bool has_bins(const Step& step);
/// Points that pass from one kernel to the next, all or the first ones; empty: others.
std::optional<std::uint64_t> first_points(const kernels::Kept& kept, std::uint64_t n);
/// Whether result k of sequence q of the first is point q of sequence k of the second, in every transform; these
/// sequences are in the loop `across`.
bool crosses(const kernels::KernelSpec& first, const kernels::KernelSpec& second, std::size_t across = 0);
/// Whether points may go from one pass to the next without maps between them; bins may meet on the sides of memory.
bool may_cross(const Step& first, const Step& second);
/// Both as one step.
Step fuse(const Step& first, const Step& second, bool is_same_memory);
/// Neighbouring sequences of the one axis in the fastest loop, or another but the last, all of them, where loops were
/// merged.
void split_loops(kernels::KernelSpec& spec, std::uint64_t n, std::size_t at = 0);

/// The passes of a kernel, in order.
std::vector<kernels::KernelSpec*> passes_of(kernels::KernelSpec& spec);
const kernels::Tile* tile_of(const kernels::KernelSpec& pass);
/// The way that the pass's tile stands for.
TileWay way_of(const kernels::KernelSpec& pass);
/// Elements from one sequence of a group to the next.
std::int64_t sequence_stride(const kernels::KernelSpec& pass, bool is_input);

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

// fuse_group.cpp

/// Which planes of complex points: those whose rows had better be whole, or any whose axes have threads of their own.
enum class OwnThreads : std::uint8_t { where_faster, anywhere };
/// Passes of a plane's or a cube's axes, where a group has room for what they share, as one. False, and all stays as it
/// is, where there are none.
bool fuse_in_group(Schedule& schedule, bool is_in_place, const DeviceLimits& limits, OwnThreads which);

}  // namespace seiche::planner
