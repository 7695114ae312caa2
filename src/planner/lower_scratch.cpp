// The input as workspace, where the problem allows to overwrite it, and the output while it holds no result yet.
#include "planner/lowering.hpp"

namespace seiche::planner {

/// Elements that pruning leaves unread may be somebody else's, and a stage may load from anywhere.
bool Lowering::may_use_input() const {
    if (!problem_.may_overwrite_input || problem_.stages_of(options_.direction).load) return false;
    for (const problem::Axis& axis : problem_.axes)
        if (!axis.kept(options_.direction, true).empty()) return false;
    return true;
}

/// Room for the points of a real axis's core in one of the problem's arrays: complex elements as they lie, or pairs of
/// real ones. Not in planes, because a map may see points as pairs.
std::optional<Lowering::Place> Lowering::points_in(const Place& array, const kernels::RealMap& map, bool is_input,
                                                   std::size_t axis) const {
    const std::uint64_t points = kernels::real_core(map.kind, map.length).points;
    const problem::Axis& own = problem_.axes[axis];
    const std::uint64_t elements = is_input ? own.input_count() : own.output_count();
    if (is_planar(array.role)) return std::nullopt;
    if (!(is_input ? problem_.input_is_real : problem_.output_is_real))
        return points <= elements ? std::optional(array) : std::nullopt;
    const std::uint64_t offset = is_input ? problem_.input_byte_offset : problem_.output_byte_offset;
    if (2 * points > elements || offset % (2 * problem_.stored_bytes()) != 0) return std::nullopt;
    const std::optional<View> view = complex_view(array.view, axis, problem_);
    return view ? std::optional(Place{array.role, *view, axis}) : std::nullopt;
}

void Lowering::find_room(const kernels::RealMap& map) {
    if (!may_use_input() && !options_.spares_workspace) return;
    points_->in_input = points_in({Role::input, input_}, map, true, points_->axis);
    points_->in_output = points_in({Role::output, output_}, map, false, points_->axis);
}

/// One of the problem's arrays that holds nothing and may be written.
std::optional<Lowering::Place> Lowering::own_array() const {
    if (!may_use_input()) return std::nullopt;
    if (points_) {
        if (present_.role != Role::input && points_->in_input) return points_->in_input;
        return present_.role != Role::output ? points_->in_output : std::nullopt;
    }
    const bool are_alike = problem_.input_is_real == problem_.output_is_real;
    if (!are_alike || present_.role == Role::input) return std::nullopt;
    return Place{Role::input, input_};
}

/// Where the last pass of a real axis's core may leave its points, in place, for a map into the output.
std::optional<Lowering::Place> Lowering::resting_points() const {
    if (options_.spares_workspace && present_.role > Role::output) return present_;
    if (!may_use_input() || present_.role != Role::input) return std::nullopt;
    return present_;
}

/// The output, where the pass before the core's last may leave points on their way from a workspace to the map.
std::optional<Lowering::Place> Lowering::output_before_map() const {
    const bool is_wanted = options_.spares_workspace && points_ && !points_->result && present_.role > Role::output;
    return is_wanted ? points_->in_output : std::nullopt;
}

}  // namespace seiche::planner
