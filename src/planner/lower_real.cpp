// Lowering of real axes: maps between elements and the points of a complex core, in its kernel or in passes of their
// own.
#include <algorithm>
#include <limits>

#include "planner/lowering.hpp"
#include "planner/shape.hpp"
#include "seiche/error.hpp"

namespace seiche::planner {

namespace {

/// The same of pairs.
kernels::Kept halved(kernels::Kept kept) {
    for (kernels::Range& range : kept.ranges) range = {range.begin / 2, (range.end + 1) / 2};
    return kept;
}

/// A view of points as one of their parts.
View in_numbers(View view) {
    for (std::int64_t& stride : view.axes) stride *= 2;
    for (std::int64_t& stride : view.loops) stride *= 2;
    view.batch *= 2;
    return view;
}

}  // namespace

/// What a real axis is in this direction.
kernels::RealMap Lowering::real_map(const AxisRecipe& axis) const {
    // r2c and c2r have one direction; the others' inverse is another kind.
    const bool is_other = is_real_to_real(axis.kind) && options_.direction == Direction::inverse;
    return {is_other ? inverse_of(axis.kind) : axis.kind, axis.length, problem_.orthonormal, 1, -1};
}

/// Real memory whose pairs of numbers are the points of the core as they lie.
std::optional<Lowering::Place> Lowering::as_points(const Place& place, const kernels::RealMap& map, bool is_load,
                                                   std::size_t axis) const {
    const kernels::RealWay way = is_load ? kernels::load_way(map.kind) : kernels::store_way(map.kind);
    const bool is_paired = kernels::real_core(map.kind, map.length).is_paired;
    if (way != kernels::RealWay::natural || !is_paired) return std::nullopt;
    for (const kernels::Range& range : kept(axis, is_load).ranges)
        if (range.begin % 2 != 0 || (range.end % 2 != 0 && range.end != map.length)) return std::nullopt;
    return in_pairs(place, axis);
}

/// Neighbouring numbers along an axis as one element, if they can be.
std::optional<Lowering::Place> Lowering::in_pairs(const Place& place, std::size_t axis) const {
    const std::uint64_t offset = place.role == Role::input    ? problem_.input_byte_offset
                                 : place.role == Role::output ? problem_.output_byte_offset
                                                              : 0;
    if (offset % (2 * problem_.stored_bytes()) != 0) return std::nullopt;
    const std::optional<View> view = complex_view(place.view, axis, problem_);
    return view ? std::optional(Place{place.role, *view, axis}) : std::nullopt;
}

/// Real memory whose pairs of numbers a GPU's threads make of mirrored points, or those of them: where neighbouring
/// threads fill a sector with them.
std::optional<Lowering::Place> Lowering::as_mirrored(const Place& place, const AxisRecipe& axis, bool is_load) const {
    const kernels::RealMap map = real_map(axis);
    const Mirrored ends{kernels::comes_mirrored(map, true), kernels::comes_mirrored(map, false)};
    const Pass& pass = axis.passes.front();
    if (limits_.vectors == Vectors::explicit_simd || !axis.in_one_pass || pass.algorithm != Algorithm::direct ||
        has_stages() || !(is_load ? ends.front : ends.back) || !kept(axis.axis, is_load).ranges.empty())
        return std::nullopt;
    const std::vector<std::uint32_t> radices = radices_for(ends, pass.core.radices);
    const std::uint32_t largest = *std::max_element(radices.begin(), radices.end());
    const std::uint32_t butterflies = pass.n / (is_load ? radices.front() : radices.back());
    const std::uint64_t threads =
        std::min({most_mirrored_threads(pass.n, radices, ends), (butterflies + 1) / 2, std::max(1u, pass.n / largest)});
    const std::uint64_t neighbours = ends.front && ends.back ? 2 : 4;
    if (threads * neighbours * problem_.stored_bytes() < limits_.sector_bytes) return std::nullopt;
    return in_pairs(place, axis.axis);
}

/// The axis of the elements is the core's: imaginary parts are 0 or not wanted, and one half of the spectrum is left
/// out as pruning leaves out elements. Of real-to-real kinds points are folded from elements.
void Lowering::add_one_sided(const AxisRecipe& axis) {
    const kernels::RealMap map = real_map(axis);
    const bool is_forward = !kernels::real_core(map.kind, map.length).is_inverse;
    const Place source = present_, target = map.kind == Kind::c2r ? Place{Role::output, output_} : home();
    const std::uint64_t elements = axis.length / 2 + 1;
    points_ = Points{axis.axis, axis.n, target};
    points_kept_in_ = kept(axis.axis, true);
    points_kept_out_ = kept(axis.axis, false);
    kernels::Kept& half = is_forward ? points_kept_out_ : points_kept_in_;
    if (half.ranges.empty()) half.ranges.push_back({0, elements});
    const std::size_t first = schedule_.steps.size();
    add_complex(axis);
    KernelSpec &front = schedule_.steps[first].spec, &back = schedule_.steps.back().spec;
    front.in.set_real(map.kind != Kind::c2r);
    back.out.set_real(map.kind != Kind::r2c);
    if (is_real_to_real(map.kind) && kernels::load_way(map.kind) != kernels::RealWay::natural)
        fold(front, map, source, true);
    if (is_real_to_real(map.kind) && kernels::store_way(map.kind) != kernels::RealWay::natural)
        fold(back, map, target, false);
    if (!is_forward) {
        const kernels::Kept& in = front.in.kept;
        front.in.stages.insert(front.in.stages.begin(), {kernels::OneSided{in.element_stride, in.loop,
                                                                           axis.length % 2 == 0 ? axis.length / 2 : 0},
                                                         kernels::SwapParts{}});
        back.out.stages.push_back(kernels::SwapParts{});
    }
    for (std::size_t i = first; i < schedule_.steps.size(); ++i)
        for (Stage& stage : schedule_.steps[i].spec.convolution.stages)
            if (auto* spectrum = std::get_if<kernels::ChirpSpectrum>(&stage); spectrum && spectrum->length == axis.n)
                spectrum->results = is_forward ? elements : axis.n;
    points_.reset();
    present_ = target;
}

void Lowering::add_real(const AxisRecipe& axis) {
    if (axis.one_sided) return add_one_sided(axis);
    const kernels::RealMap map = real_map(axis);
    const kernels::Kept kept_in = kept(axis.axis, true), kept_out = kept(axis.axis, false);
    Place target = map.kind == Kind::c2r ? Place{Role::output, output_} : home();
    const std::optional<Place> points_in = as_points(present_, map, true, axis.axis);
    // Workspaces before an image change hands: points of several passes end in one of their own.
    const bool ends_in_own = axis.in_one_pass || !rests_before_output() || target.role == Role::output;
    const std::optional<Place> points_out = ends_in_own ? as_points(target, map, false, axis.axis) : std::nullopt;
    RealEnds ends{target, points_in, points_out, may_fold(axis, present_, true), may_fold(axis, target, false)};
    ends.meets_in = may_meet(axis, true);
    ends.meets_out = may_meet(axis, false);
    std::size_t first = schedule_.steps.size();
    if (axis.in_one_pass) {
        const std::optional<Place> pairs_in = points_in ? points_in : as_mirrored(present_, axis, true);
        const std::optional<Place> pairs_out = points_out ? points_out : as_mirrored(target, axis, false);
        KernelSpec& spec = add_pass({axis.axis, &axis.passes.front(), 1, 1}, pairs_in ? *pairs_in : present_,
                                    pairs_out ? *pairs_out : target);
        spec.in.set_real(map.kind != Kind::c2r && !pairs_in);
        spec.out.set_real(map.kind != Kind::r2c && !pairs_out);
        if (!points_in) spec.in.elements = kernels::MappedReals{map};
        if (!points_out) spec.out.elements = kernels::MappedReals{map};
        spec.in.kept = points_in ? halved(kept_in) : kept_in;
        spec.out.kept = points_out ? halved(kept_out) : kept_out;
    } else {
        points_kept_in_ = points_in ? halved(kept_in) : kernels::Kept{};
        points_kept_out_ = points_out ? halved(kept_out) : kernels::Kept{};
        const Lowering before = *this;
        if (!add_core(axis, ends)) {
            ends.meets_in = ends.meets_out = false;
            return_to(before);
            add_core(axis, ends);
        }
        if (ends.has_map_in()) ++first;
    }
    if (kernels::real_core(map.kind, map.length).is_inverse) {
        std::vector<Stage>& load = schedule_.steps[first].spec.in.stages;
        load.insert(load.begin(), kernels::SwapParts{});
        schedule_.steps.back().spec.out.stages.push_back(kernels::SwapParts{});
    }
    if (!axis.in_one_pass && ends.has_map_out()) {
        if (!ends_in_own) target = is_last_axis_ ? end() : workspace(other_workspace(), 0, 0);
        add_map(axis, map, target, false);
    }
    points_.reset();
    present_ = target;
}

/// The passes of a core, and the map before them. False: bins cannot meet in the pass where they should.
bool Lowering::add_core(const AxisRecipe& axis, const RealEnds& ends) {
    const kernels::RealMap map = real_map(axis);
    const bool stores_elements = ends.folds_out || ends.meets_out;
    points_ = Points{axis.axis, axis.n, stores_elements ? ends.target : ends.points_out};
    points_->may_rest = stores_elements ? ends.meets_out && map.kind == Kind::r2c : ends.points_out.has_value();
    find_room(map);
    leave_to_folds(ends.folds_in || ends.meets_in, stores_elements);
    const Place source = present_;
    if (ends.points_in) present_ = *ends.points_in;
    if (ends.has_map_in()) add_map(axis, map, aside(), true);
    const std::size_t first = schedule_.steps.size();
    add_complex(axis);
    KernelSpec &front = schedule_.steps[first].spec, &back = schedule_.steps.back().spec;
    if (ends.folds_in) fold(front, map, source, true);
    if (ends.folds_out) fold(back, map, ends.target, false);
    return (!ends.meets_in || meet(front, map, source, true)) &&
           (!ends.meets_out || meet(back, map, ends.target, false));
}

/// Forgets the steps since then.
void Lowering::return_to(const Lowering& before) {
    present_ = before.present_;
    schedule_ = before.schedule_;
    records_ = before.records_;
    loop_index_ = before.loop_index_;
}

/// A pass of its own between elements and points.
void Lowering::add_map(const AxisRecipe& axis, const kernels::RealMap& map, const Place& target, bool is_load) {
    Step step;
    step.source = present_.role;
    step.target = target.role;
    KernelSpec& spec = step.spec;
    spec.precision = problem_.precision;
    spec.in.storage = storage_of(present_.role);
    spec.out.storage = storage_of(target.role);
    spec.radices = {1};
    spec.work = kernels::MapPass{};
    spec.side(is_load).elements = kernels::MappedReals{map};
    spec.side(is_load).kept = kept(axis.axis, is_load);
    spec.in.set_planar(is_planar(present_.role));
    spec.out.set_planar(is_planar(target.role));
    spec.side(is_load).set_real(map.kind != (is_load ? Kind::c2r : Kind::r2c));
    View source_view = present_.view, target_view = target.view;
    spec.in.offset = offset(present_, true);
    spec.out.offset = offset(target, false);
    if (kernels::map_items(spec) == kernels::MapItem::element) {
        spec.side(!is_load).offset *= 2;
        spec.side(!is_load).format = kernels::Format::real;
        (is_load ? target_view : source_view) = in_numbers(is_load ? target.view : present_.view);
    }
    spec.in.stride = source_view.axes[axis.axis];
    spec.out.stride = target_view.axes[axis.axis];
    spec.loops = other_loops(axis.axis, source_view, target_view);
    const std::uint64_t items = kernels::map_item_count(spec);
    if (items > std::numeric_limits<std::uint32_t>::max())
        throw Unsupported(std::string(to_string(axis.kind)) + " of length " + std::to_string(axis.length) +
                          " whose numbers are not the points of its core as they lie: expected less than 2^32");
    spec.loops.insert(spec.loops.begin(), {items, 0, 0});
    spec.loops.push_back({problem_.batch.count, source_view.batch, target_view.batch});
    schedule_.steps.push_back(step);
    record({axis.axis, nullptr, 1, 1}, source_view, target_view);
    present_ = target;
}

}  // namespace seiche::planner
