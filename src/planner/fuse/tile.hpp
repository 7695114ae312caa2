// Two passes in one kernel that are a part of a longer transform, or of an axis that is not the last.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/contract/spec.hpp"
#include "seiche/device.hpp"

namespace seiche::planner {

/// One way to see the sequences of a pass: so many transforms beside each other, with `tile.transposed` sequences each.
struct TileWay {
    struct Strides {
        std::int64_t input = 0, output = 0;
    };
    kernels::Tile tile;  ///< But for `beside`.
    std::uint64_t transforms = 1;
    Strides transposed, beside;
};

struct TilePair {
    TileWay first, second;
};

std::vector<TileWay> tile_ways(const kernels::KernelSpec& spec, std::uint32_t transposed);

/// How result k of sequence q of the first pass is point q of sequence k of the second, in many transforms; none where
/// it is not.
std::optional<TilePair> find_tile(const kernels::KernelSpec& first, const kernels::KernelSpec& second);

/// Whether each transform of both passes is written where it was read.
bool keeps_places(const kernels::KernelSpec& first, const kernels::KernelSpec& second, const TilePair& pair);

/// Whether neighbouring transforms are nearer to each other in memory than anything of one is.
bool lies_beside(const kernels::KernelSpec& pass, const TileWay& way, bool is_input);

/// How many a cluster has, so that memory is touched in runs of two sectors.
std::uint64_t transforms_of_tile(const kernels::KernelSpec& first, const kernels::KernelSpec& second,
                                 const TilePair& pair, const DeviceLimits& limits);

}  // namespace seiche::planner
