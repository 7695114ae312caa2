// Where the data are between passes: the output, the input where the problem allows to overwrite it, and workspaces.
#include "planner/lower/places.hpp"

#include <algorithm>

namespace seiche::planner {

Place Places::workspace(Role role, std::size_t longer, std::uint64_t length) {
    Place place{role, workspace_view(arrays_.problem, longer, length)};
    std::uint64_t& elements = role == Role::workspace_a ? workspace_a_elements : workspace_b_elements;
    const std::uint64_t bytes = 2 * stored_bytes(arrays_.problem.precision, arrays_.storage_of(role)),
                        whole = arrays_.problem.complex_bytes();
    elements = std::max(elements, (static_cast<std::uint64_t>(place.view.batch) * bytes + whole - 1) / whole);
    return place;
}

/// In the output, unless that is real.
Place Places::home() {
    if (arrays_.rest == Rest::in_input)
        return is_last_axis ? Place{Role::output, arrays_.output} : Place{Role::input, arrays_.input};
    if (arrays_.rests_before_output() && !arrays_.is_complex_to_real()) return is_last_axis ? end() : before_output();
    if (!arrays_.is_complex_to_real()) return {Role::output, arrays_.output};
    return arrays_.problem.in_place() || arrays_.may_use_input() ? Place{Role::input, arrays_.input}
                                                                 : workspace(Role::workspace_a, 0, 0);
}

Place Places::aside(bool before_output) {
    const std::optional<Place> own = own_array();
    if (own && !(before_output && own->role == Role::output)) return *own;
    const Role role = other_workspace();
    return points ? workspace(role, points->axis, points->count) : workspace(role, 0, 0);
}

/// The workspace that was chosen for them may hold what the last pass loads by now, which does not work in place.
Place Places::result() {
    if (!points) return home();
    if (points->result) {
        const bool is_taken = points->result->role > Role::output && points->result->role == present.role;
        return is_taken ? workspace(other_workspace(), 0, 0) : *points->result;
    }
    const std::optional<Place> here = resting_points();
    return here ? *here : aside(true);
}

/// Where the pass before the last leaves its results, if the last one works in place on them.
std::optional<Place> Places::before_last() {
    if ((arrays_.rest != Rest::at_end && !spares_workspace()) || is_last_axis) return std::nullopt;
    const std::optional<Place> last = !points            ? std::optional(home())
                                      : points->may_rest ? points->result
                                                         : std::nullopt;
    return last && last->role == Role::output ? last : std::nullopt;
}

Place Places::target_of(std::size_t passes_left) {
    if (passes_left == 0) return leaves_aside ? aside() : result();
    const bool before_output = passes_left == 1 && points && points->is_output_folded;
    if (const std::optional<Place> last = before_last()) {
        const bool is_free = !arrays_.is_same_memory(present, *last);
        const bool comes_back = !points && arrays_.may_use_input() && present.role == Role::input;
        return is_free && (passes_left == 1 || comes_back) ? *last : aside(before_output);
    }
    if (const std::optional<Place> output = output_before_map(); output && passes_left == 1) return *output;
    if (const std::optional<Place> output = output_before_folds(passes_left)) return *output;
    return points || is_last_axis || arrays_.is_same_memory(present, home()) ? aside(before_output) : result();
}

void Places::find_space(const kernels::RealMap& map) {
    if (!arrays_.may_use_input() && !spares_workspace()) return;
    if (arrays_.may_use_input())
        points->in_input = arrays_.points_in({Role::input, arrays_.input}, map, true, points->axis);
    if (arrays_.is_output_cut()) return;
    points->in_output = arrays_.points_in({Role::output, arrays_.output}, map, false, points->axis);
}

/// One of the problem's arrays that holds nothing and may be written.
std::optional<Place> Places::own_array() const {
    if (points) return own_array_of_points();
    const bool are_alike = arrays_.problem.input_is_real == arrays_.problem.output_is_real;
    if (!arrays_.may_use_input() || !are_alike || present.role == Role::input) return std::nullopt;
    return Place{Role::input, arrays_.input};
}

std::optional<Place> Places::own_array_of_points() const {
    if (present.role != Role::input && points->in_input) return points->in_input;
    const bool is_free = arrays_.may_use_input() ? present.role != Role::output : present.role > Role::output;
    return is_free ? points->in_output : std::nullopt;
}

/// Where the last pass of a real axis's core may leave its points, in place, for a map into the output.
std::optional<Place> Places::resting_points() const {
    if (spares_workspace() && present.role > Role::output) return present;
    if (!arrays_.may_use_input() || present.role != Role::input) return std::nullopt;
    return present;
}

/// The output, where the pass before the core's last may leave points on their way from a workspace to the map.
std::optional<Place> Places::output_before_map() const {
    const bool is_wanted = spares_workspace() && points && !points->result && present.role > Role::output;
    return is_wanted ? points->in_output : std::nullopt;
}

void Places::leave_to_folds(bool folds_in, bool folds_out) {
    points->is_output_folded = folds_out;
    if (!arrays_.problem.in_place()) return;
    if (folds_in) points->in_output.reset();
    if (folds_in || folds_out) points->in_input.reset();
}

/// The output, where points must be in the one workspace after the next pass, and before the last one.
std::optional<Place> Places::output_before_folds(std::size_t passes_left) const {
    const bool is_wanted = spares_workspace() && points && points->is_output_folded && passes_left % 2 == 0;
    return is_wanted && points->in_output && !arrays_.is_same_memory(present, *points->in_output) ? points->in_output
                                                                                                  : std::nullopt;
}

Place Places::before_core(std::size_t passes) {
    const bool is_wanted = spares_workspace() && points->is_padded && points->in_output;
    if (is_wanted && (points->map_in_stays() || !arrays_.is_same_memory(present, *points->in_output)))
        return *points->in_output;
    const std::optional<Place> output = output_before_folds(passes);
    return output ? *output : aside();
}

/// Of c2r the results' own workspace may be the one that has the points by now.
Place Places::apart() {
    Place place = result();
    if (place.role <= Role::output || place.role != present.role) return place;
    const bool may_be_output = spares_workspace() && points && points->map_out_stays() && points->in_output;
    return may_be_output ? *points->in_output : workspace(other_workspace(), 0, 0);
}

/// Where data rest between the axes, if not in the output.
Place Places::before_output() {
    const bool is_workspace = present.role == Role::workspace_a || present.role == Role::workspace_b;
    if (is_workspace && present.view == workspace_view(arrays_.problem, 0, 0)) return present;
    return workspace(other_workspace(), 0, 0);
}

/// Where a texel is two complex numbers, one thread must have both: a pass of its own makes texels of a workspace that
/// lies as the image does (image.cpp).
Place Places::end() {
    if (arrays_.problem.output_image.per_texel() == 1) return {Role::output, arrays_.output};
    const Role role = other_workspace();
    std::uint64_t& elements = role == Role::workspace_a ? workspace_a_elements : workspace_b_elements;
    // Of so many arrays no more than as many times one of them, even where they lie between each other.
    elements =
        std::max({elements, arrays_.problem.output_elements(1), static_cast<std::uint64_t>(arrays_.output.batch)});
    return {role, arrays_.output};
}

}  // namespace seiche::planner
