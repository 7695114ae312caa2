// The ends of a real axis's core without a pass of maps.
#include "planner/lower/real_ends.hpp"
#include "planner/device_model.hpp"

#include <algorithm>

#include "planner/fuse/slices.hpp"
#include "planner/shape/shape.hpp"
#include "seiche/error.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

/// Neighbouring columns' points are half of the numbers that lie there; the mirrored columns' are the other half, in
/// groups that run about the same time, so that a cache serves one of the two.
bool may_fold(const Lowering& l, const AxisRecipe& axis, const Place& place, bool is_load) {
    const kernels::RealMap map = l.arrays.real_map(axis);
    constexpr std::uint64_t longest = std::uint64_t{1} << 30;
    return !axis.in_one_pass && axis.passes.size() > 1 && !l.arrays.stays_in_order(axis) &&
           kernels::comes_mirrored(map, is_load) && map.length <= longest && !l.arrays.has_stages() &&
           has_groups(l.arrays.limits) && !(is_load && place.view.axes[axis.axis] == 0) &&
           l.arrays.kept(axis.axis, is_load).ranges.empty() &&
           (is_load || !l.arrays.rests_before_output() || place.role == Role::output);
}

/// The pass's loop over columns has no stride on that side.
void fold(const Lowering& l, KernelSpec& spec, const kernels::RealMap& map, const Place& place, bool is_load) {
    const std::int64_t stride = place.view.axes[l.places.points->axis];
    std::int64_t& step = spec.side(is_load).stride;
    const PassRecord& record = l.passes.record_of(spec);
    const bool by_input = is_load != record.part.is_transposed;
    const std::uint64_t columns = stride != 0 ? static_cast<std::uint64_t>(step / stride)
                                  : by_input  ? record.part.input_step()
                                              : record.part.output_step();
    const bool is_odd = map.length % 2 != 0;
    kernels::Elements& elements = spec.side(is_load).elements;
    spec.side(is_load).format = kernels::Format::real;
    if (columns == 1) {
        elements = kernels::Folded{map.kind, map.length, 1, -1, false, map.orthonormal};
        return;
    }
    // Where all elements are one, so may be those of other loops.
    const std::int64_t beyond =
        support::times(record.part.pass->n * record.part.s, record.target.axes[l.places.points->axis]);
    const auto own = std::find_if(spec.loops.begin(), spec.loops.end(), [&](const Loop& loop) {
        return loop.count == columns && (is_load ? loop.input_stride : loop.output_stride) == stride &&
               (stride != 0 || loop.output_stride == beyond);
    });
    if (own == spec.loops.end()) throw InternalError("a pass of several without a loop over its columns");
    const auto loop = static_cast<std::int32_t>(own - spec.loops.begin());
    const bool has_image = static_cast<bool>(is_load ? l.arrays.problem.input_image : l.arrays.problem.output_image);
    const bool has_pairs = !is_odd && !has_image && l.arrays.in_pairs(place, l.places.points->axis).has_value();
    elements = kernels::Folded{map.kind, map.length, columns, loop, has_pairs, map.orthonormal};
    (is_load ? own->input_stride : own->output_stride) = 0;
    step = stride;
    if (is_odd || (map.kind != Kind::dct4 && map.kind != Kind::dst4)) return;
    const std::uint64_t n = map.length;
    if (is_load) {
        spec.in.stages.insert(spec.in.stages.begin(), kernels::Turn{2 * n, 1, 0, columns, loop});
    } else {
        spec.out.stages.push_back(kernels::Turn{8 * n, 4, 1, columns, loop});
        spec.out.stages.push_back(kernels::Multiply{2.0});
    }
}

bool may_pair_bins(const Lowering& l, const AxisRecipe& axis, bool is_load) {
    const problem::Canonical& problem = l.arrays.problem;
    const kernels::RealMap map = l.arrays.real_map(axis);
    constexpr std::uint64_t longest = std::uint64_t{1} << 30;
    const kernels::RealWay way = is_load ? kernels::load_way(map.kind) : kernels::store_way(map.kind);
    const bool is_of_butterflies = std::all_of(axis.passes.begin(), axis.passes.end(),
                                               [](const Pass& pass) { return pass.algorithm == Algorithm::direct; });
    const bool is_whole = l.holds_axis && axis.passes.size() == 2 && (map.kind == Kind::r2c || map.kind == Kind::c2r);
    return !axis.in_one_pass && axis.passes.size() > 1 && axis.padded == 0 && (is_of_butterflies || is_whole) &&
           way == kernels::RealWay::spectrum && kernels::real_core(map.kind, map.length).is_paired &&
           map.length <= longest && !l.arrays.has_stages() &&
           (is_gpu(l.arrays.limits) || (is_whole && has_groups(l.arrays.limits))) &&
           (l.arrays.options.tuning.groups_per_cluster == 0 || (axis.passes.size() == 2 && problem.axes.size() == 1)) &&
           !l.arrays.options.tuning.separate_passes && !(is_load && l.places.present.view.axes[axis.axis] == 0) &&
           l.arrays.kept(axis.axis, is_load).ranges.empty() && !problem.input_image && !problem.output_image;
}

bool pair_bins(const Lowering& l, KernelSpec& spec, kernels::RealMap map, const Place& place, bool is_load) {
    const std::int64_t stride = place.view.axes[l.places.points->axis];
    std::int64_t& step = spec.side(is_load).stride;
    const auto columns = static_cast<std::uint64_t>(step / stride);  // of one sign
    Loop& loop = spec.loops.front();
    std::int64_t& beside = is_load ? loop.input_stride : loop.output_stride;
    // Bins k and m - k of r2c lie where these two points did, so that a group stores what it has loaded.
    const bool may_stay = !is_load && map.kind == Kind::r2c && works_in_place(spec);
    const bool is_whole = l.holds_axis && std::any_of(l.passes.steps.begin(), l.passes.steps.end(),
                                                      [](const Step& step) { return !step.spec.runs_once(); });
    if (spec.loops.size() < 2 || loop.count != columns || beside != stride || (spec.in_place && !may_stay && !is_whole))
        return false;
    map.element_stride = columns;
    map.loop = 0;
    spec.side(is_load).elements = kernels::ConjugatePairs{map};
    spec.side(is_load).set_real(map.kind != (is_load ? Kind::c2r : Kind::r2c));
    beside = 0;
    step = stride;
    if (is_whole) return true;
    const ShapedPass shaped = with_columns_of_bins(spec, l.arrays.limits, l.arrays.options.tuning);
    support::expect_none(shaped.refusal);
    return shaped.spec.has_value();
}

}  // namespace seiche::planner
