// Lowering of types II to IV in several passes: the first pass of the core takes its points from the elements, or the
// last one leaves them there, which spares a pass that puts them in order. The same of real-to-real kinds of odd
// lengths, in one pass or several.
#include <algorithm>

#include "planner/lowering.hpp"
#include "seiche/error.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

/// Neighbouring columns' points are half of the numbers that lie there; the mirrored columns' are the other half, in
/// groups that run about the same time, so that a cache serves one of the two.
bool Lowering::may_fold(const AxisRecipe& axis, const Place& place, bool is_load) const {
    const kernels::RealMap map = real_map(axis);
    constexpr std::uint64_t longest = std::uint64_t{1} << 30;
    return !axis.in_one_pass && axis.passes.size() > 1 && !stays_in_order(axis) &&
           kernels::comes_mirrored(map, is_load) && map.length <= longest && !has_stages() &&
           limits_.vectors != Vectors::explicit_simd && !(is_load && place.view.axes[axis.axis] == 0) &&
           kept(axis.axis, is_load).ranges.empty() && (is_load || !rests_before_output() || place.role == Role::output);
}

const Lowering::PassRecord& Lowering::record_of(const KernelSpec& spec) const {
    const auto step = std::find_if(schedule_.steps.begin(), schedule_.steps.end(),
                                   [&spec](const Step& each) { return &each.spec == &spec; });
    return records_[static_cast<std::size_t>(step - schedule_.steps.begin())];
}

/// A pass must not write where others of its groups have still to read: points do not lie where their elements do.
void Lowering::leave_to_folds(bool folds_in, bool folds_out) {
    if (folds_out || (folds_in && problem_.in_place())) points_->in_output.reset();
    if ((folds_in || folds_out) && problem_.in_place()) points_->in_input.reset();
}

/// The pass took points from where they are not, or left them there: its loop over columns has no stride on that side.
void Lowering::fold(KernelSpec& spec, const kernels::RealMap& map, const Place& place, bool is_load) const {
    const std::int64_t stride = place.view.axes[points_->axis];
    std::int64_t& step = spec.side(is_load).stride;
    const PassRecord& record = record_of(spec);
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
    const std::int64_t beyond = support::times(record.part.pass->n * record.part.s, record.target.axes[points_->axis]);
    const auto own = std::find_if(spec.loops.begin(), spec.loops.end(), [&](const Loop& loop) {
        return loop.count == columns && (is_load ? loop.input_stride : loop.output_stride) == stride &&
               (stride != 0 || loop.output_stride == beyond);
    });
    if (own == spec.loops.end()) throw InternalError("a pass of several without a loop over its columns");
    const auto loop = static_cast<std::int32_t>(own - spec.loops.begin());
    const bool has_image = static_cast<bool>(is_load ? problem_.input_image : problem_.output_image);
    const bool has_pairs = !is_odd && !has_image && in_pairs(place, points_->axis).has_value();
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

}  // namespace seiche::planner
