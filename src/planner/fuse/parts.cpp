#include "planner/fuse/parts.hpp"
#include "planner/device_model.hpp"
#include "planner/model/fusing.hpp"

#include <algorithm>
#include <bit>

#include "seiche/error.hpp"
#include "support/layout.hpp"

namespace seiche::planner {

using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::Loop;
using kernels::Stage;
using kernels::ThreadOrder;

std::uint64_t bytes_held(Precision precision, std::uint64_t points) {
    const std::uint64_t number = stored_bytes(precision, Storage::same);
    return 2 * number * (std::has_single_bit(points) ? points : points + points / 8);
}

bool is_pointwise(const std::vector<Stage>& stages) {
    return std::all_of(stages.begin(), stages.end(), [](const Stage& stage) {
        return std::holds_alternative<kernels::SwapParts>(stage) || std::holds_alternative<kernels::Multiply>(stage);
    });
}

bool has_bins(const Step& step) { return step.spec.in.bins() || step.spec.out.bins(); }

std::optional<std::uint64_t> first_points(const kernels::Kept& kept, std::uint64_t n) {
    if (kept.ranges.empty()) return n;
    const bool is_one = kept.ranges.size() == 1 && kept.element_stride == 1 && kept.loop < 0 && !kept.own;
    return is_one && kept.ranges.front().begin == 0 ? std::optional(kept.ranges.front().end) : std::nullopt;
}

bool is_transposed(const KernelSpec& first, const KernelSpec& second, std::size_t across) {
    const std::vector<Loop>&a = first.loops, &b = second.loops;
    if (!support::is_affine(a) || !support::is_affine(b)) return false;
    const std::uint64_t of_first = kernels::sequence_points(first, first.in.stages),
                        of_second = kernels::sequence_points(second, second.in.stages);
    if (a.size() < across + 2 || a.size() != b.size() || a[across].count != first_points(second.in.kept, of_second) ||
        b[across].count != first_points(first.out.kept, of_first))
        return false;
    if (first.out.stride != b[across].input_stride || a[across].output_stride != second.in.stride) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (i != across && (a[i].count != b[i].count || a[i].output_stride != b[i].input_stride)) return false;
    return first.out.offset == second.in.offset;
}

namespace {

/// A core of f32 or f64 from points to points, or on the side of memory from or to conjugate pairs.
bool has_points_to_pass(const KernelSpec& spec, bool is_first) {
    return spec.has_core() && spec.precision != Precision::f64x2 &&
           spec.side(is_first).has<kernels::Points, kernels::ConjugatePairs>() &&
           spec.side(!is_first).has<kernels::Points>();
}

}  // namespace

bool may_pass_on_chip(const Step& first, const Step& second) {
    return first.target == second.source && has_points_to_pass(first.spec, true) &&
           has_points_to_pass(second.spec, false) && is_pointwise(first.spec.out.stages);
}

Step fuse(const Step& first, const Step& second, bool is_same_memory) {
    Step step = first;
    step.target = second.target;
    KernelSpec next = second.spec;
    next.in.stages.insert(next.in.stages.begin(), first.spec.out.stages.begin(), first.spec.out.stages.end());
    KernelSpec& spec = step.spec;
    const kernels::Elements own = spec.out.elements;
    spec.out = next.out;
    spec.out.elements = own;
    spec.in_place = next.in_place = is_same_memory;
    next.movement_only = spec.movement_only;
    next.follows = spec.in.bins() ? kernels::Follows::conjugate_pairs : kernels::Follows::points;
    spec.on_chip.next = {next};
    return step;
}

void split_loops(KernelSpec& spec, std::uint64_t n, std::size_t at) {
    if (spec.loops.size() < at + 2) return;
    const Loop& whole = spec.loops[at];
    if (whole.count == n || whole.count % n != 0 || !whole.gaps.empty()) return;
    auto [inner, outer] = support::divide(whole, n);
    spec.loops[at] = std::move(inner);
    spec.loops.insert(spec.loops.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(outer));
}

std::vector<KernelSpec*> passes_of(KernelSpec& spec) {
    std::vector<KernelSpec*> passes{&spec};
    kernels::for_each_then(spec, [&](KernelSpec& next) { passes.push_back(&next); });
    return passes;
}

const kernels::Tile* tile_of(const KernelSpec& pass) {
    const auto* shape = std::get_if<GroupShape>(&pass.shape);
    return shape && shape->tile ? &*shape->tile : nullptr;
}

TileWay way_of(const KernelSpec& pass) {
    const kernels::Tile& tile = *tile_of(pass);
    for (const TileWay& way : tile_ways(pass, tile.transposed))
        if (way.tile.transposed_first == tile.transposed_first) return way;
    throw InternalError("tile of '" + pass.name + "': its sequences are not to be found");
}

std::int64_t sequence_stride(const KernelSpec& pass, bool is_input) {
    const kernels::Tile* tile = tile_of(pass);
    const auto of = [&](const auto& way) { return is_input ? way.input : way.output; };
    if (!tile) return is_input ? pass.loops[0].input_stride : pass.loops[0].output_stride;
    return of(tile->beside ? way_of(pass).beside : way_of(pass).transposed);
}

std::uint64_t choose_transforms(std::uint64_t threads, std::uint64_t bytes, const DeviceLimits& limits,
                                const Tuning& tuning) {
    if (tuning.transforms_per_group != 0) return tuning.transforms_per_group;
    const std::uint64_t wanted = std::min<std::uint64_t>(fused_threads::wanted, limits.max_group_size);
    std::uint64_t transforms = 1;
    while (threads * transforms * 2 <= wanted && bytes * transforms * 2 <= limits.shared_bytes) transforms *= 2;
    return transforms;
}

GroupShape shape_of(const KernelSpec& pass, const Held& held, std::uint32_t points, const DeviceLimits& limits) {
    const bool is_input = !pass.is_second();
    GroupShape shape;
    if (tile_of(pass)) shape.tile = *tile_of(pass);
    shape.groups_per_cluster = held.ranks;
    shape.exchange.whole_points = true;
    shape.is_scalarised = scalarises_accesses(limits);
    shape.load_order = support::is_closer(sequence_stride(pass, is_input), pass.side(is_input).stride)
                           ? ThreadOrder::sequence_fastest
                           : ThreadOrder::element_fastest;
    shape.store_order = shape.load_order;
    shape.threads = pass.n / points;
    shape.sequences = static_cast<std::uint32_t>(held.points / pass.n);
    shape.exchange.components = held.bytes <= limits.shared_bytes ? 2 : 1;
    return shape;
}

std::uint32_t largest_of(const std::vector<std::uint32_t>& radices) {
    return *std::max_element(radices.begin(), radices.end());
}

}  // namespace seiche::planner
