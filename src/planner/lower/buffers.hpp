// Where the points of every axis lie in the input, the output and the workspaces of a schedule.
#pragma once

#include <optional>
#include <vector>

#include "planner/recipe.hpp"

namespace seiche::planner {

/// Strides, in elements, of one array in one buffer; below 0 where elements lie before the first.
struct View {
    std::vector<std::int64_t> axes;   ///< As Canonical::axes.
    std::vector<std::int64_t> loops;  ///< As Canonical::loops.
    std::int64_t batch = 0;
    bool operator==(const View&) const = default;
};

View input_view(const problem::Canonical& problem);
View output_view(const problem::Canonical& problem);

/// Elements of an axis where another one is transformed: an axis that is halved is complex then.
std::uint64_t complex_count(const problem::Axis& axis);

/// The same real memory seen as complex numbers along this axis; nothing where pairs do not lie side by side.
std::optional<View> complex_view(const View& view, std::size_t axis, const problem::Canonical& problem);

/// A dense array of complex numbers in the order of the output, with axis `longer` stretched to `length` points (0:
/// none is).
View workspace_view(const problem::Canonical& problem, std::size_t longer, std::uint64_t length);

}  // namespace seiche::planner
