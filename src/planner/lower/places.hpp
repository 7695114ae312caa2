// Where the data are between passes, and which memory is free for what comes next.
#pragma once

#include <cstdint>
#include <optional>

#include "planner/lower/arrays.hpp"

namespace seiche::planner {

/// The core of a real axis in several passes: the axis has so many points.
struct CorePoints {
    std::size_t axis = 0;
    std::uint64_t count = 0;
    std::optional<Place> result;                         ///< Where they end, if that is given.
    std::optional<Place> in_input = {}, in_output = {};  ///< Where the problem's own arrays have space for them.
    bool may_rest = false;                               ///< `result` has space for them as they are.
    bool is_output_folded = false;  ///< The last pass stores elements, and not where the points lay that it loads.
    bool is_padded = false;         ///< Workspaces have more than the points: of Bluestein's transform.
    Kind kind = Kind::c2c;          ///< Of this direction.
    /// A map of pairs stores where it has loaded.
    bool map_in_stays() const { return kind == Kind::c2r; }
    bool map_out_stays() const { return kind == Kind::r2c; }
};

class Places {
public:
    explicit Places(const Arrays& arrays) : present{Role::input, arrays.input}, arrays_(arrays) {}

    Place present;
    std::optional<CorePoints> points;
    bool is_last_axis = false;  ///< To the result, from an input that is scratch, or to an image.
    bool leaves_aside = false;  ///< The next axis's last pass works in place.
    std::uint64_t workspace_a_elements = 0, workspace_b_elements = 0;

    /// A workspace, made large enough for a dense array whose axis `longer` is stretched to `length` points (0: none
    /// is).
    Place workspace(Role role, std::size_t longer, std::uint64_t length);
    /// The workspace that does not hold what is present.
    Role other_workspace() const { return present.role == Role::workspace_a ? Role::workspace_b : Role::workspace_a; }
    /// Where complex data rest between axes.
    Place home();
    /// Memory that holds nothing; `before_output`: a map from there into the output follows.
    Place aside(bool before_output = false);
    /// Where a complex transform leaves its results.
    Place result();
    /// Where the last pass of all leaves the results.
    Place end();
    /// What is present lies as at `target`, in the array that the last pass stored it in.
    void lies_as(const Place& target) { present = {present.role, target.view, target.paired}; }
    /// Where the next pass of an axis stores, which so many follow.
    Place target_of(std::size_t passes_left);
    /// Finds space for `points` in the problem's own arrays.
    void find_space(const kernels::RealMap& map);
    /// Elements are folded where they lie, so that points must not be stored there before all of them are read.
    void leave_to_folds(bool folds_in, bool folds_out);
    /// Where the map before the core, which has so many passes, leaves its points.
    Place before_core(std::size_t passes);
    /// Where the last pass of the core leaves its points if that cannot be in place.
    Place apart();

private:
    bool spares_workspace() const { return arrays_.rest == Rest::in_one_workspace; }
    std::optional<Place> before_last();
    Place before_output();
    std::optional<Place> own_array() const;
    std::optional<Place> own_array_of_points() const;
    std::optional<Place> resting_points() const;
    std::optional<Place> output_before_map() const;
    std::optional<Place> output_before_folds(std::size_t passes_left) const;

    const Arrays& arrays_;
};

}  // namespace seiche::planner
