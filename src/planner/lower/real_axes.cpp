// Lowering of real axes: maps between elements and the points of a complex core, in its kernel or in passes of their
// own.
#include <algorithm>
#include <limits>

#include "planner/device_model.hpp"
#include "planner/lower/real_ends.hpp"
#include "planner/shape/shape.hpp"
#include "seiche/error.hpp"

namespace seiche::planner {

namespace {

/// How an end of a real axis's core in several passes goes to memory.
enum class CoreEnd : std::uint8_t {
    map,     ///< Through a pass of maps.
    points,  ///< The core's points lie there.
    folded,
    pairs,  ///< Conjugate pairs.
};
struct RealEnds {
    Place target;
    CoreEnd in = CoreEnd::map, out = CoreEnd::map;
    std::optional<Place> points_in, points_out;
    bool stores_elements() const { return out == CoreEnd::folded || out == CoreEnd::pairs; }
};

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

/// Real memory whose pairs of numbers are the points of the core as they lie.
std::optional<Place> as_points(const Lowering& l, const Place& place, const kernels::RealMap& map, bool is_load,
                               std::size_t axis) {
    const kernels::RealWay way = is_load ? kernels::load_way(map.kind) : kernels::store_way(map.kind);
    const bool is_paired = kernels::real_core(map.kind, map.length).is_paired;
    if (way != kernels::RealWay::natural || !is_paired) return std::nullopt;
    for (const kernels::Range& range : l.arrays.kept(axis, is_load).ranges)
        if (range.begin % 2 != 0 || (range.end % 2 != 0 && range.end != map.length)) return std::nullopt;
    return l.arrays.in_pairs(place, axis);
}

/// Real memory whose pairs of numbers a GPU's threads make of mirrored points, or those of them: where neighbouring
/// threads fill a sector with them.
std::optional<Place> as_mirrored(const Lowering& l, const Place& place, const AxisRecipe& axis, bool is_load) {
    const kernels::RealMap map = l.arrays.real_map(axis);
    const Mirrored ends{kernels::comes_mirrored(map, true), kernels::comes_mirrored(map, false)};
    const Pass& pass = axis.passes.front();
    if (!has_groups(l.arrays.limits) || !axis.in_one_pass || pass.algorithm != Algorithm::direct ||
        l.arrays.has_stages() || !(is_load ? ends.front : ends.back) ||
        !l.arrays.kept(axis.axis, is_load).ranges.empty())
        return std::nullopt;
    const std::vector<std::uint32_t> radices = radices_for(ends, pass.core.radices);
    const std::uint32_t largest = *std::max_element(radices.begin(), radices.end());
    const std::uint32_t butterflies = pass.n / (is_load ? radices.front() : radices.back());
    const std::uint64_t threads =
        std::min({most_mirrored_threads(pass.n, radices, ends), (butterflies + 1) / 2, std::max(1u, pass.n / largest)});
    const std::uint64_t neighbours = ends.front && ends.back ? 2 : 4;
    if (threads * neighbours * l.arrays.problem.stored_bytes() < l.arrays.limits.sector_bytes) return std::nullopt;
    return l.arrays.in_pairs(place, axis.axis);
}

/// The axis of the elements is the core's: imaginary parts are 0 or not wanted, and one half of the spectrum is left
/// out as pruning leaves out elements. Of real-to-real kinds points are folded from elements.
void add_one_sided(Lowering& l, const AxisRecipe& axis) {
    const kernels::RealMap map = l.arrays.real_map(axis);
    const bool is_forward = !kernels::real_core(map.kind, map.length).is_inverse;
    const Place source = l.places.present,
                target = map.kind == Kind::c2r ? Place{Role::output, l.arrays.output} : l.places.home();
    const std::uint64_t elements = axis.length / 2 + 1;
    l.places.points = CorePoints{axis.axis, axis.n, target};
    l.passes.kept_in = l.arrays.kept(axis.axis, true);
    l.passes.kept_out = l.arrays.kept(axis.axis, false);
    kernels::Kept& half = is_forward ? l.passes.kept_out : l.passes.kept_in;
    if (half.ranges.empty()) half.ranges.push_back({0, elements});
    const std::size_t first = l.passes.steps.size();
    add_complex(l, axis);
    KernelSpec &front = l.passes.steps[first].spec, &back = l.passes.steps.back().spec;
    front.in.set_real(map.kind != Kind::c2r);
    back.out.set_real(map.kind != Kind::r2c);
    if (is_real_to_real(map.kind) && kernels::load_way(map.kind) != kernels::RealWay::natural)
        fold(l, front, map, source, true);
    if (is_real_to_real(map.kind) && kernels::store_way(map.kind) != kernels::RealWay::natural)
        fold(l, back, map, target, false);
    if (!is_forward) {
        const kernels::Kept& in = front.in.kept;
        front.in.stages.insert(front.in.stages.begin(), {kernels::OneSided{in.element_stride, in.loop,
                                                                           axis.length % 2 == 0 ? axis.length / 2 : 0},
                                                         kernels::SwapParts{}});
        back.out.stages.push_back(kernels::SwapParts{});
    }
    for (std::size_t i = first; i < l.passes.steps.size(); ++i)
        for (Stage& stage : l.passes.steps[i].spec.convolution.stages)
            if (auto* spectrum = std::get_if<kernels::ChirpSpectrum>(&stage); spectrum && spectrum->length == axis.n)
                spectrum->results = is_forward ? elements : axis.n;
    l.places.points.reset();
    l.places.lies_as(target);
}

/// A pass of its own between elements and points.
void add_map(Lowering& l, const AxisRecipe& axis, const kernels::RealMap& map, const Place& target, bool is_load) {
    Step step = l.passes.step_between(l.places.present, target);
    KernelSpec& spec = step.spec;
    spec.radices = {1};
    spec.work = kernels::MapPass{};
    spec.in_place = l.arrays.is_same_memory(l.places.present, target);
    spec.side(is_load).elements = kernels::MappedReals{map};
    spec.side(is_load).kept = l.arrays.kept(axis.axis, is_load);
    spec.side(is_load).set_real(map.kind != (is_load ? Kind::c2r : Kind::r2c));
    View source_view = l.places.present.view, target_view = target.view;
    if (kernels::map_items(spec) == kernels::MapItem::element) {
        spec.side(!is_load).offset *= 2;
        spec.side(!is_load).format = kernels::Format::real;
        (is_load ? target_view : source_view) = in_numbers(is_load ? target.view : l.places.present.view);
    }
    spec.in.stride = source_view.axes[axis.axis];
    spec.out.stride = target_view.axes[axis.axis];
    spec.loops = l.passes.other_loops(axis.axis, source_view, target_view);
    const std::uint64_t items = kernels::map_item_count(spec);
    if (items > std::numeric_limits<std::uint32_t>::max())
        throw Unsupported(std::string(to_string(axis.kind)) + " of length " + std::to_string(axis.length) +
                          " whose numbers are not the points of its core as they lie: expected less than 2^32");
    spec.loops.insert(spec.loops.begin(), {items, 0, 0});
    spec.loops.push_back(l.passes.batch_loop(source_view, target_view));
    l.passes.push(step, l.passes.record({axis.axis}, source_view, target_view));
    l.places.present = target;
}

/// The passes of a core, and the map before them. False: columns cannot be mirrored in the pass where they should.
bool add_core(Lowering& l, const AxisRecipe& axis, const RealEnds& ends) {
    const kernels::RealMap map = l.arrays.real_map(axis);
    const bool stores_elements = ends.stores_elements();
    l.places.points = CorePoints{axis.axis, axis.n, stores_elements ? ends.target : ends.points_out};
    l.places.points->may_rest =
        stores_elements ? ends.out == CoreEnd::pairs && map.kind == Kind::r2c : ends.points_out.has_value();
    l.places.points->is_padded = axis.padded != 0;
    l.places.points->kind = map.kind;
    l.places.find_space(map);
    l.places.leave_to_folds(ends.in == CoreEnd::folded || ends.in == CoreEnd::pairs, stores_elements);
    const Place source = l.places.present;
    if (ends.points_in) l.places.present = *ends.points_in;
    if (ends.in == CoreEnd::map) add_map(l, axis, map, l.places.before_core(axis.passes.size()), true);
    const std::size_t first = l.passes.steps.size();
    add_complex(l, axis);
    KernelSpec &front = l.passes.steps[first].spec, &back = l.passes.steps.back().spec;
    if (ends.in == CoreEnd::folded) fold(l, front, map, source, true);
    if (ends.out == CoreEnd::folded) fold(l, back, map, ends.target, false);
    return (ends.in != CoreEnd::pairs || pair_bins(l, front, map, source, true)) &&
           (ends.out != CoreEnd::pairs || pair_bins(l, back, map, ends.target, false));
}

}  // namespace

void add_real(Lowering& l, const AxisRecipe& axis) {
    if (axis.one_sided) return add_one_sided(l, axis);
    const kernels::RealMap map = l.arrays.real_map(axis);
    const kernels::Kept kept_in = l.arrays.kept(axis.axis, true), kept_out = l.arrays.kept(axis.axis, false);
    Place target = map.kind == Kind::c2r ? Place{Role::output, l.arrays.output} : l.places.home();
    const std::optional<Place> points_in = as_points(l, l.places.present, map, true, axis.axis);
    // Workspaces before an image change hands: points of several passes end in one of their own.
    const bool ends_in_own = axis.in_one_pass || !l.arrays.rests_before_output() || target.role == Role::output;
    const std::optional<Place> points_out = ends_in_own ? as_points(l, target, map, false, axis.axis) : std::nullopt;
    const auto end = [&](const std::optional<Place>& points, const Place& place, bool is_load) {
        return points                              ? CoreEnd::points
               : may_fold(l, axis, place, is_load) ? CoreEnd::folded
               : may_pair_bins(l, axis, is_load)   ? CoreEnd::pairs
                                                   : CoreEnd::map;
    };
    RealEnds ends{target, end(points_in, l.places.present, true), end(points_out, target, false), points_in,
                  points_out};
    const bool convolves = std::any_of(axis.passes.begin(), axis.passes.end(),
                                       [](const Pass& pass) { return pass.algorithm != Algorithm::direct; });
    if (convolves && ends.in != CoreEnd::points && ends.out != CoreEnd::points)  // no group has all of it
        for (CoreEnd* each : {&ends.in, &ends.out})
            if (*each == CoreEnd::pairs) *each = CoreEnd::map;
    std::size_t first = l.passes.steps.size();
    if (axis.in_one_pass) {
        const std::optional<Place> numbers_in = points_in ? points_in : as_mirrored(l, l.places.present, axis, true);
        const std::optional<Place> numbers_out = points_out ? points_out : as_mirrored(l, target, axis, false);
        KernelSpec& spec = l.passes.add({axis.axis, &axis.passes.front()}, numbers_in ? *numbers_in : l.places.present,
                                        numbers_out ? *numbers_out : target);
        spec.in.set_real(map.kind != Kind::c2r && !numbers_in);
        spec.out.set_real(map.kind != Kind::r2c && !numbers_out);
        if (!points_in) spec.in.elements = kernels::MappedReals{map};
        if (!points_out) spec.out.elements = kernels::MappedReals{map};
        spec.in.kept = points_in ? halved(kept_in) : kept_in;
        spec.out.kept = points_out ? halved(kept_out) : kept_out;
    } else {
        l.passes.kept_in = points_in ? halved(kept_in) : kernels::Kept{};
        l.passes.kept_out = points_out ? halved(kept_out) : kernels::Kept{};
        const Passes::Mark before = l.passes.mark();
        if (!add_core(l, axis, ends)) {
            for (CoreEnd* each : {&ends.in, &ends.out})
                if (*each == CoreEnd::pairs) *each = CoreEnd::map;
            l.passes.return_to(before);
            add_core(l, axis, ends);
        }
        if (ends.in == CoreEnd::map) ++first;
    }
    if (kernels::real_core(map.kind, map.length).is_inverse) {
        std::vector<Stage>& load = l.passes.steps[first].spec.in.stages;
        load.insert(load.begin(), kernels::SwapParts{});
        l.passes.steps.back().spec.out.stages.push_back(kernels::SwapParts{});
    }
    if (!axis.in_one_pass && ends.out == CoreEnd::map) {
        if (!ends_in_own)
            target = l.places.is_last_axis ? l.places.end() : l.places.workspace(l.places.other_workspace(), 0, 0);
        add_map(l, axis, map, target, false);
    }
    l.places.points.reset();
    l.places.lies_as(target);
}

}  // namespace seiche::planner
