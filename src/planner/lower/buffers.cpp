// Views of the buffers.
#include "planner/lower/buffers.hpp"

#include <algorithm>

#include "support/layout.hpp"

namespace seiche::planner {

View input_view(const problem::Canonical& problem) {
    View view;
    for (const problem::Axis& axis : problem.axes) view.axes.push_back(axis.input_stride);
    for (const problem::Loop& loop : problem.loops) view.loops.push_back(loop.input_stride);
    view.batch = problem.batch.input_distance;
    return view;
}

View output_view(const problem::Canonical& problem) {
    View view;
    for (const problem::Axis& axis : problem.axes) view.axes.push_back(axis.output_stride);
    for (const problem::Loop& loop : problem.loops) view.loops.push_back(loop.output_stride);
    view.batch = problem.batch.output_distance;
    return view;
}

std::uint64_t complex_count(const problem::Axis& axis) { return std::min(axis.input_count(), axis.output_count()); }

std::optional<View> complex_view(const View& view, std::size_t axis, const problem::Canonical& problem) {
    View halved = view;
    bool is_whole = view.axes[axis] == 1 && view.batch % 2 == 0;
    for (std::size_t i = 0; i < view.axes.size(); ++i) {
        if (i == axis || complex_count(problem.axes[i]) == 1) continue;
        is_whole = is_whole && view.axes[i] % 2 == 0;
        halved.axes[i] /= 2;
    }
    for (std::int64_t& stride : halved.loops) {
        is_whole = is_whole && stride % 2 == 0;
        stride /= 2;
    }
    halved.batch /= 2;
    return is_whole ? std::optional(halved) : std::nullopt;
}

View workspace_view(const problem::Canonical& problem, std::size_t longer, std::uint64_t length) {
    std::vector<support::Mode<1>> layout;
    for (std::size_t i = 0; i < problem.axes.size(); ++i) {
        const std::uint64_t count = length != 0 && i == longer ? length : complex_count(problem.axes[i]);
        layout.push_back({count, {problem.axes[i].output_stride}});
    }
    for (const problem::Loop& loop : problem.loops) layout.push_back({loop.count, {loop.output_stride}});
    const std::vector<std::int64_t> strides = support::dense_strides(layout);
    const auto loops = strides.begin() + static_cast<std::ptrdiff_t>(problem.axes.size());
    return {{strides.begin(), loops}, {loops, strides.end()}, static_cast<std::int64_t>(support::size(layout))};
}

}  // namespace seiche::planner
