// Where the elements of a problem's transforms lie in its buffers, worked out here independently of the library.
#include "cli/geometry.hpp"

#include <algorithm>

#include "seiche/error.hpp"

namespace seiche::cli {
namespace {

struct Strides {
    std::vector<std::uint64_t> axes;
    std::uint64_t batch = 0, elements = 0;
};

// What strides count by: of a planar array one half of an element.
std::uint64_t element_bytes(const Problem& problem, const Layout& layout) {
    return (layout.planar ? 1 : 2) * stored_bytes(problem.precision, problem.storage);
}

// The layout with its defaults filled in.
Strides resolve(const Problem& problem, const Layout& layout) {
    Strides strides;
    const std::size_t rank = problem.lengths.size();
    strides.axes.resize(rank, 1);
    std::uint64_t reach = 0, dense = 1;
    for (std::size_t axis = rank; axis-- > 0;) {
        strides.axes[axis] = layout.strides.empty() ? dense : static_cast<std::uint64_t>(layout.strides.at(axis));
        dense *= problem.lengths[axis];
        reach += (problem.lengths[axis] - 1) * strides.axes[axis];
    }
    strides.batch = layout.batch_distance == 0 ? reach + 1 : static_cast<std::uint64_t>(layout.batch_distance);
    strides.elements =
        layout.byte_offset / element_bytes(problem, layout) + (problem.batch - 1) * strides.batch + reach + 1;
    return strides;
}

}  // namespace

Geometry::Geometry(const Problem& problem) {
    const Layout& output = problem.placement == Placement::in_place ? problem.input : problem.output;
    const Strides in = resolve(problem, problem.input), out = resolve(problem, output);
    const std::size_t rank = problem.lengths.size();
    std::vector<bool> chosen(rank, problem.axes.empty());
    for (const int axis : problem.axes) {
        chosen.at(static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(rank) : axis)) = true;
    }
    loops_.push_back({problem.batch, in.batch, out.batch});
    for (std::size_t axis = 0; axis < rank; ++axis) {
        (chosen[axis] ? axes_ : loops_).push_back({problem.lengths[axis], in.axes[axis], out.axes[axis]});
    }
    for (const Dimension& axis : axes_) points_ *= axis.count;
    for (const Dimension& loop : loops_) transforms_ *= loop.count;
    input_offset_ = problem.input.byte_offset / element_bytes(problem, problem.input);
    output_offset_ = output.byte_offset / element_bytes(problem, output);
    input_elements_ = in.elements;
    output_elements_ = out.elements;
}

std::vector<std::uint64_t> Geometry::lengths() const {
    std::vector<std::uint64_t> lengths;
    for (const Dimension& axis : axes_) lengths.push_back(axis.count);
    return lengths;
}

void Geometry::positions(std::uint64_t t, bool output, std::vector<std::uint64_t>& positions) const {
    std::uint64_t base = output ? output_offset_ : input_offset_;
    for (std::size_t i = loops_.size(); i-- > 0; t /= loops_[i].count) {
        base += t % loops_[i].count * (output ? loops_[i].output_stride : loops_[i].input_stride);
    }
    positions.assign(1, base);
    positions.reserve(points_);
    for (const Dimension& axis : axes_) {  // slowest first: each place becomes a run along the next axis
        const std::uint64_t stride = output ? axis.output_stride : axis.input_stride;
        const std::size_t before = positions.size();
        positions.resize(before * axis.count);
        for (std::size_t i = before; i-- > 0;) {
            const std::uint64_t place = positions[i];
            for (std::uint64_t j = 0; j < axis.count; ++j) positions[i * axis.count + j] = place + j * stride;
        }
    }
}

}  // namespace seiche::cli
