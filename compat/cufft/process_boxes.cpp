// How the arguments of cuFFTMp's functions are boxes, and what processes say to each other about theirs.
#include <sstream>
#include <string>

#include "entry.hpp"
#include "processes.hpp"

namespace seiche::compat {

using distributed::Box;

Box box_of(int rank, const long long* lower, const long long* upper, const long long* strides, const char* name) {
    if (lower == nullptr || upper == nullptr || strides == nullptr)
        throw Refused{invalid_value, std::string("a list of ") + name + "'s box is a null pointer"};
    Box box;
    for (int axis = 0; axis < rank; ++axis) {
        const std::string where = std::string(name) + "'s box, axis " + std::to_string(axis) + ": ";
        if (lower[axis] < 0 || upper[axis] < lower[axis])
            throw Refused{invalid_value, where + "from " + std::to_string(lower[axis]) + " to " +
                                             std::to_string(upper[axis]) + ", expected 0 or more and none less"};
        if (strides[axis] < 1)
            throw Refused{invalid_value,
                          where + "the stride is " + std::to_string(strides[axis]) + ", expected 1 or more"};
        box.lower.push_back(static_cast<std::uint64_t>(lower[axis]));
        box.upper.push_back(static_cast<std::uint64_t>(upper[axis]));
        box.strides.push_back(strides[axis]);
    }
    return box;
}

std::vector<Box> gathered(distributed::Communicator& ranks, const Box& own) {
    std::ostringstream text;
    text << own.lower.size();
    for (std::size_t axis = 0; axis < own.lower.size(); ++axis)
        text << ' ' << own.lower[axis] << ' ' << own.upper[axis];
    std::vector<Box> boxes;
    for (const std::string& said : ranks.all_gather(text.str())) {
        std::istringstream numbers(said);
        std::size_t axes = 0;
        numbers >> axes;
        if (axes != own.lower.size())
            throw Refused{invalid_value, "process " + std::to_string(boxes.size()) + " has a box of " +
                                             std::to_string(axes) + " axes, this one of " +
                                             std::to_string(own.lower.size())};
        Box box;
        box.lower.resize(axes);
        box.upper.resize(axes);
        for (std::size_t axis = 0; axis < axes; ++axis) numbers >> box.lower[axis] >> box.upper[axis];
        boxes.push_back(std::move(box));
    }
    boxes[static_cast<std::size_t>(ranks.rank())] = own;
    return boxes;
}

std::uint64_t span_of(const Box& box) {
    if (box.empty()) return 0;
    if (box.strides.empty()) return box.count();
    std::uint64_t last = 0;
    for (std::size_t axis = 0; axis < box.lower.size(); ++axis)
        last += (box.extent(axis) - 1) * static_cast<std::uint64_t>(box.strides[axis]);
    return last + 1;
}

}  // namespace seiche::compat
