// Views of the buffers.
#include "planner/buffers.hpp"
#include "support/strides.hpp"

#include <algorithm>

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
    View view = output_view(problem);
    struct Dimension {
        std::int64_t* stride;
        std::uint64_t count;
    };
    std::vector<Dimension> dimensions;
    for (std::size_t i = 0; i < view.axes.size(); ++i) {
        dimensions.push_back({&view.axes[i], length != 0 && i == longer ? length : complex_count(problem.axes[i])});
    }
    for (std::size_t i = 0; i < view.loops.size(); ++i) dimensions.push_back({&view.loops[i], problem.loops[i].count});
    std::stable_sort(dimensions.begin(), dimensions.end(),
                     [](const Dimension& a, const Dimension& b) { return support::is_closer(*a.stride, *b.stride); });
    std::int64_t stride = 1;
    for (const Dimension& dimension : dimensions) {
        *dimension.stride = stride;
        stride = support::times(dimension.count, stride);
    }
    view.batch = stride;
    return view;
}

}  // namespace seiche::planner
