// What lowering knows of the problem's arrays.
#include "planner/lower/arrays.hpp"

#include <algorithm>

#include "support/strides.hpp"

namespace seiche::planner {

namespace {

bool is_in_order(const AxisRecipe& axis, SpectrumOrder order) {
    return order == SpectrumOrder::pass && axis.kind == Kind::c2c && axis.padded == 0 && axis.passes.size() > 1;
}

}  // namespace

kernels::Kept Arrays::kept(std::size_t axis, bool is_input) const {
    return {problem.axes[axis].kept(options.direction, is_input)};
}

/// Of element 0, from where the kernel is bound. Of a compact array, along each axis the elements before the first one
/// that is kept are not there.
std::int64_t Arrays::offset(const Place& place, bool is_input) const {
    const std::uint64_t before = place.role == Role::input    ? problem.input_first()
                                 : place.role == Role::output ? problem.output_first()
                                                              : 0;
    if (before != 0) return static_cast<std::int64_t>(place.paired ? before / 2 : before);
    const bool is_signal = is_input == (options.direction == Direction::forward);
    const bool is_own = place.role == (is_input ? Role::input : Role::output);
    if (!problem.is_compact || !is_signal || !is_own) return 0;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < problem.axes.size(); ++i) {
        const kernels::Kept own = kept(i, is_input);
        if (own.ranges.empty()) continue;
        const std::uint64_t begin = own.ranges.front().begin / (place.paired == i ? 2 : 1);
        sum -= support::times(begin, place.view.axes[i]);
    }
    return sum;
}

bool Arrays::is_output_cut() const {
    const auto is_cut = [this](const problem::Axis& axis) { return !axis.kept(options.direction, false).empty(); };
    return problem.is_compact && options.direction == Direction::inverse && std::ranges::any_of(problem.axes, is_cut);
}

kernels::RealMap Arrays::real_map(const AxisRecipe& axis) const {
    // r2c and c2r have one direction; the others' inverse is another kind.
    const bool is_other = is_real_to_real(axis.kind) && options.direction == Direction::inverse;
    return {is_other ? inverse_of(axis.kind) : axis.kind, axis.length, problem.orthonormal, 1, -1};
}

std::optional<Place> Arrays::in_pairs(const Place& place, std::size_t axis) const {
    const std::uint64_t offset = place.role == Role::input    ? problem.input_byte_offset
                                 : place.role == Role::output ? problem.output_byte_offset
                                                              : 0;
    if (offset % (2 * problem.stored_bytes()) != 0) return std::nullopt;
    const std::optional<View> view = complex_view(place.view, axis, problem);
    return view ? std::optional(Place{place.role, *view, axis}) : std::nullopt;
}

/// Elements that pruning leaves unread may be somebody else's, unless the input is workspace, and a stage may load from
/// anywhere.
bool Arrays::may_use_input() const {
    if (!problem.may_overwrite_input || problem.stages_of(options.direction).load) return false;
    if (problem.is_compact && options.input_is_scratch) return true;
    for (const problem::Axis& axis : problem.axes)
        if (!axis.kept(options.direction, true).empty()) return false;
    return true;
}

/// Not in planar arrays, because a map may see points as pairs.
std::optional<Place> Arrays::points_in(const Place& array, const kernels::RealMap& map, bool is_input,
                                       std::size_t axis) const {
    const std::uint64_t points = kernels::real_core(map.kind, map.length).points;
    const problem::Axis& own = problem.axes[axis];
    const std::uint64_t elements = is_input ? own.input_count() : own.output_count();
    if (is_planar(array.role)) return std::nullopt;
    if (!(is_input ? problem.input_is_real : problem.output_is_real))
        return points <= elements ? std::optional(array) : std::nullopt;
    const std::uint64_t offset = is_input ? problem.input_byte_offset : problem.output_byte_offset;
    if (2 * points > elements || offset % (2 * problem.stored_bytes()) != 0) return std::nullopt;
    const std::optional<View> view = complex_view(array.view, axis, problem);
    return view ? std::optional(Place{array.role, *view, axis}) : std::nullopt;
}

bool Arrays::stays_in_order(const AxisRecipe& axis) const { return is_in_order(axis, problem.spectrum_order); }

std::vector<std::uint64_t> spectrum_digits(const AxisRecipe& axis, const problem::Canonical& problem) {
    if (!is_in_order(axis, problem.spectrum_order)) return {};
    std::vector<std::uint64_t> digits;
    for (const Pass& pass : axis.passes) digits.push_back(pass.n);
    return digits;
}

}  // namespace seiche::planner
