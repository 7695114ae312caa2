#include "seiche/distributed/box.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "seiche/error.hpp"

namespace seiche::distributed {

namespace {

std::size_t axis_index(const std::vector<std::uint64_t>& lengths, int axis) {
    const int rank = static_cast<int>(lengths.size());
    if (axis < -rank || axis >= rank)
        throw InvalidProblem("axis: expected one of the " + std::to_string(rank) + " axes, got " +
                             std::to_string(axis));
    return static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
}

std::vector<Box> cut(const std::vector<std::uint64_t>& lengths, const std::vector<int>& axes,
                     const std::vector<int>& counts) {
    if (axes.size() != counts.size())
        throw InvalidProblem("axes: expected " + std::to_string(counts.size()) + ", got " +
                             std::to_string(axes.size()));
    std::vector<std::uint64_t> parts(lengths.size(), 1);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (counts[i] < 1) throw InvalidProblem("parts: expected at least 1, got " + std::to_string(counts[i]));
        order.push_back(axis_index(lengths, axes[i]));
        if (std::count(order.begin(), order.end(), order.back()) > 1)
            throw InvalidProblem("axes: expected each once, got axis " + std::to_string(axes[i]) + " twice");
        parts[order.back()] = static_cast<std::uint64_t>(counts[i]);
    }
    std::vector<Box> row_major = grid(lengths, parts);
    if (std::is_sorted(order.begin(), order.end())) return row_major;
    // The ranks run over the axes as they were given, the last one fastest.
    std::vector<std::uint64_t> steps(lengths.size(), 0);
    for (std::size_t axis = lengths.size(), step = 1; axis-- > 0; step *= parts[axis]) steps[axis] = step;
    std::vector<Box> boxes;
    for (std::size_t rank = 0; rank < row_major.size(); ++rank) {
        std::uint64_t left = rank, place = 0;
        for (std::size_t i = order.size(); i-- > 0; left /= parts[order[i]])
            place += left % parts[order[i]] * steps[order[i]];
        boxes.push_back(row_major[place]);
    }
    return boxes;
}

bool overlap(const Box& a, const Box& b) {
    for (std::size_t axis = 0; axis < a.lower.size(); ++axis)
        if (a.upper[axis] <= b.lower[axis] || b.upper[axis] <= a.lower[axis]) return false;
    return true;
}

void check_box(const std::vector<std::uint64_t>& lengths, const Box& box, const std::string& name) {
    if (box.lower.size() != lengths.size() || box.upper.size() != lengths.size())
        throw InvalidProblem(name + ": expected " + std::to_string(lengths.size()) + " axes, got " +
                             std::to_string(box.lower.size()) + " lower and " + std::to_string(box.upper.size()) +
                             " upper bounds");
    for (std::size_t axis = 0; axis < lengths.size(); ++axis)
        if (box.lower[axis] > box.upper[axis] || box.upper[axis] > lengths[axis])
            throw InvalidProblem(name + ": expected lower <= upper <= " + std::to_string(lengths[axis]) +
                                 " along axis " + std::to_string(axis) + ", got " + to_string(box));
    if (!box.strides.empty() && box.strides.size() != lengths.size())
        throw InvalidProblem(name + ": expected " + std::to_string(lengths.size()) + " strides or none, got " +
                             std::to_string(box.strides.size()));
    for (const std::int64_t stride : box.strides)
        if (stride < 1) throw InvalidProblem(name + ": expected strides of at least 1, got " + std::to_string(stride));
}

}  // namespace

std::uint64_t Box::count() const {
    std::uint64_t product = 1;
    for (std::size_t axis = 0; axis < lower.size(); ++axis) product *= extent(axis);
    return product;
}

std::string to_string(const Box& box) {
    std::string text;
    for (std::size_t axis = 0; axis < box.lower.size(); ++axis)
        text += (axis ? " x [" : "[") + std::to_string(box.lower[axis]) + ".." + std::to_string(box.upper[axis]) + ")";
    return text;
}

std::vector<Box> grid(const std::vector<std::uint64_t>& lengths, const std::vector<std::uint64_t>& parts) {
    if (parts.size() != lengths.size())
        throw InvalidProblem("parts: expected a number for each of " + std::to_string(lengths.size()) + " axes, got " +
                             std::to_string(parts.size()));
    std::uint64_t ranks = 1;
    for (const std::uint64_t count : parts) {
        if (count < 1) throw InvalidProblem("parts: expected at least 1 along each axis, got 0");
        if (count > std::numeric_limits<int>::max() / ranks)
            throw InvalidProblem("parts: expected at most " + std::to_string(std::numeric_limits<int>::max()) +
                                 " ranks");
        ranks *= count;
    }
    std::vector<Box> boxes;
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        Box box{std::vector<std::uint64_t>(lengths.size()), std::vector<std::uint64_t>(lengths.size())};
        std::uint64_t left = rank;
        for (std::size_t axis = lengths.size(); axis-- > 0; left /= parts[axis]) {
            const std::uint64_t part = left % parts[axis], each = lengths[axis] / parts[axis],
                                longer = lengths[axis] % parts[axis];
            box.lower[axis] = part * each + std::min(part, longer);
            box.upper[axis] = box.lower[axis] + each + (part < longer ? 1 : 0);
        }
        boxes.push_back(std::move(box));
    }
    return boxes;
}

std::vector<Box> slab(const std::vector<std::uint64_t>& lengths, int axis, int ranks) {
    return cut(lengths, {axis}, {ranks});
}

std::vector<Box> pencils(const std::vector<std::uint64_t>& lengths, const std::vector<int>& axes, int p, int q) {
    return cut(lengths, axes, {p, q});
}

std::vector<Box> bricks(const std::vector<std::uint64_t>& lengths, const std::vector<int>& axes, int p, int q, int r) {
    return cut(lengths, axes, {p, q, r});
}

void check_boxes(const std::vector<std::uint64_t>& lengths, const std::vector<Box>& boxes, const std::string& name) {
    std::uint64_t total = 1, held = 0;
    for (const std::uint64_t length : lengths) {
        if (length != 0 && total > std::numeric_limits<std::int64_t>::max() / length)
            throw InvalidProblem(name + ": expected an array of less than 2^63 elements");
        total *= length;
    }
    for (std::size_t rank = 0; rank < boxes.size(); ++rank)
        check_box(lengths, boxes[rank], name + "[" + std::to_string(rank) + "]");
    // By where they begin along the first axis, so that of slabs only neighbours are compared.
    std::vector<std::size_t> order;
    for (std::size_t rank = 0; rank < boxes.size(); ++rank)
        if (!boxes[rank].empty()) order.push_back(rank);
    const auto begin = [&](std::size_t i) { return lengths.empty() ? 0 : boxes[order[i]].lower[0]; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return !lengths.empty() && boxes[a].lower[0] < boxes[b].lower[0];
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
        held += boxes[order[i]].count();
        for (std::size_t j = i + 1; j < order.size(); ++j) {
            if (!lengths.empty() && begin(j) >= boxes[order[i]].upper[0]) break;
            if (overlap(boxes[order[i]], boxes[order[j]]))
                throw InvalidProblem(name + ": expected boxes apart, got " + to_string(boxes[order[i]]) + " of rank " +
                                     std::to_string(order[i]) + " and " + to_string(boxes[order[j]]) + " of rank " +
                                     std::to_string(order[j]));
        }
    }
    if (held != total)
        throw InvalidProblem(name + ": expected boxes with all " + std::to_string(total) + " elements, got " +
                             std::to_string(held) + " of them");
}

}  // namespace seiche::distributed
