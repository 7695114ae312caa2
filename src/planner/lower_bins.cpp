// Lowering of real kinds in several passes: the first pass of the core makes its points of the spectrum's elements, or
// the last one makes these of its bins, where the columns that mirror each other are in one group. That spares the pass
// of maps.
#include <algorithm>

#include "planner/lowering.hpp"
#include "planner/shape.hpp"
#include "planner/slices.hpp"

namespace seiche::planner {

bool Lowering::may_meet(const AxisRecipe& axis, bool is_load) const {
    const kernels::RealMap map = real_map(axis);
    constexpr std::uint64_t longest = std::uint64_t{1} << 30;
    const kernels::RealWay way = is_load ? kernels::load_way(map.kind) : kernels::store_way(map.kind);
    const bool is_of_butterflies = std::all_of(axis.passes.begin(), axis.passes.end(),
                                               [](const Pass& pass) { return pass.algorithm == Algorithm::direct; });
    return !axis.in_one_pass && axis.passes.size() > 1 && axis.padded == 0 && is_of_butterflies &&
           way == kernels::RealWay::spectrum && kernels::real_core(map.kind, map.length).is_paired &&
           map.length <= longest && !has_stages() && limits_.vectors == Vectors::subgroups &&
           (options_.tuning.groups_per_cluster == 0 || (axis.passes.size() == 2 && problem_.axes.size() == 1)) &&
           !options_.tuning.separate_passes && !(is_load && present_.view.axes[axis.axis] == 0) &&
           kept(axis.axis, is_load).ranges.empty() && !problem_.input_image && !problem_.output_image;
}

/// Makes a pass of several that took points from this place, or left them there, one that has the elements there.
/// False: their columns cannot meet.
bool Lowering::meet(KernelSpec& spec, kernels::RealMap map, const Place& place, bool is_load) const {
    const std::int64_t stride = place.view.axes[points_->axis];
    std::int64_t& step = spec.side(is_load).stride;
    const auto columns = static_cast<std::uint64_t>(step / stride);  // of one sign
    Loop& loop = spec.loops.front();
    std::int64_t& beside = is_load ? loop.input_stride : loop.output_stride;
    // Bins k and m - k of r2c lie where these two points did, so that a group stores what it has loaded.
    const bool may_stay = !is_load && map.kind == Kind::r2c && works_in_place(spec);
    if (spec.loops.size() < 2 || loop.count != columns || beside != stride || (spec.in_place && !may_stay))
        return false;
    map.element_stride = columns;
    map.loop = 0;
    spec.side(is_load).elements = kernels::ConjugatePairs{map};
    spec.side(is_load).set_real(map.kind != (is_load ? Kind::c2r : Kind::r2c));
    beside = 0;
    step = stride;
    return with_columns_of_bins(spec, limits_, options_.tuning).has_value();
}

}  // namespace seiche::planner
