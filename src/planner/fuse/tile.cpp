// Tiles: two passes of a longer transform, or of an axis that is not the last, whose sequences in between are
// transposed in the memory of a cluster (Bailey, "FFTs in external or hierarchical memory", 1990, one level deeper).
#include "planner/fuse/tile.hpp"

#include <algorithm>

#include "planner/model/pipelining.hpp"
#include "planner/shape/shape.hpp"
#include "support/layout.hpp"

namespace seiche::planner {

using kernels::KernelSpec;
using kernels::Loop;

std::vector<TileWay> tile_ways(const KernelSpec& spec, std::uint32_t transposed) {
    const std::vector<Loop> loops(spec.loops.begin(), spec.loops.end() - 1);
    if (loops.empty() || !support::is_affine(loops)) return {};
    const Loop &a = loops.front(), &b = loops.back();
    std::vector<TileWay> ways;
    const auto add = [&](bool transposed_first, const Loop& own, const Loop& beside) {
        ways.push_back({{transposed, transposed_first, false},
                        beside.count,
                        {own.input_stride, own.output_stride},
                        {beside.input_stride, beside.output_stride}});
    };
    if (loops.size() == 1 && a.count % transposed == 0 && a.count > transposed) {
        const auto [transforms, sequences] = support::divide(a, a.count / transposed);
        add(false, sequences, transforms);
        const auto [first, others] = support::divide(a, transposed);
        add(true, first, others);
    }
    if (loops.size() == 2 && a.count == transposed) add(true, a, b);
    if (loops.size() == 2 && b.count == transposed) add(false, b, a);
    return ways;
}

std::optional<TilePair> find_tile(const KernelSpec& first, const KernelSpec& second) {
    if (first.loops.back().output_stride != second.loops.back().input_stride || first.out.offset != second.in.offset)
        return std::nullopt;
    for (const TileWay& a : tile_ways(first, second.n)) {
        for (const TileWay& b : tile_ways(second, first.n)) {
            if (a.transforms == b.transforms && first.out.stride == b.transposed.input &&
                a.transposed.output == second.in.stride && a.beside.output == b.beside.input)
                return TilePair{a, b};
        }
    }
    return std::nullopt;
}

bool keeps_places(const KernelSpec& first, const KernelSpec& second, const TilePair& pair) {
    return pair.first.beside.input == pair.second.beside.output &&
           pair.first.transposed.input == pair.second.transposed.output &&
           first.in.stride == support::times(second.n, pair.first.transposed.input) &&
           second.out.stride == support::times(first.n, pair.second.transposed.output) &&
           first.in.offset == second.out.offset && first.loops.back().input_stride == second.loops.back().output_stride;
}

bool lies_beside(const KernelSpec& pass, const TileWay& way, bool is_input) {
    const auto of = [&](const TileWay::Strides& strides) { return is_input ? strides.input : strides.output; };
    return support::is_closer(of(way.beside), of(way.transposed)) &&
           support::is_closer(of(way.beside), pass.side(is_input).stride);
}

std::uint64_t transforms_of_tile(const KernelSpec& first, const KernelSpec& second, const TilePair& pair,
                                 const DeviceLimits& limits) {
    std::uint64_t wanted = 1;
    const std::uint64_t run = std::uint64_t{tiles::sectors_of_run} * limits.sector_bytes;
    if (lies_beside(first, pair.first, true)) wanted = std::max(wanted, run / access_bytes(first, true));
    if (lies_beside(second, pair.second, false)) wanted = std::max(wanted, run / access_bytes(second, false));
    while (pair.first.transforms % wanted != 0) --wanted;
    return wanted;
}

}  // namespace seiche::planner
