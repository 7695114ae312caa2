// The C interface of boxes, and what all of the C interface shares.
#include "c_arguments.hpp"

namespace seiche::distributed::in_c {

namespace {

constexpr std::size_t most_axes = 64, most_ranks = 65536;
/// About 30 years: a later end does not fit into the clock.
constexpr std::uint64_t most_milliseconds = 1000000000000;

thread_local int absent_rank = -1;

std::size_t checked_rank(const seiche_boxes* boxes, std::size_t rank) {
    require(boxes, "boxes");
    if (rank >= boxes->value.size())
        throw InvalidProblem("rank: expected one below " + std::to_string(boxes->value.size()) + ", got " +
                             std::to_string(rank));
    return rank;
}

}  // namespace

void set_absent_rank(int rank) noexcept { absent_rank = rank; }

void require(const void* pointer, const char* name) {
    if (pointer == nullptr) throw InvalidProblem(std::string(name) + ": expected a pointer, got NULL");
}

std::vector<std::uint64_t> lengths_of(std::size_t axis_count, const std::uint64_t* lengths) {
    if (axis_count < 1 || axis_count > most_axes)
        throw InvalidProblem("axis_count: expected 1 to " + std::to_string(most_axes) + ", got " +
                             std::to_string(axis_count));
    require(lengths, "lengths");
    return {lengths, lengths + axis_count};
}

std::chrono::milliseconds time_limit_of(std::uint64_t milliseconds) {
    if (milliseconds < 1 || milliseconds > most_milliseconds)
        throw InvalidProblem("time_limit_ms: expected 1 to " + std::to_string(most_milliseconds) + ", got " +
                             std::to_string(milliseconds));
    return std::chrono::milliseconds(milliseconds);
}

const std::vector<Box>& boxes_of(const seiche_boxes* boxes, const char* name) {
    require(boxes, name);
    return boxes->value;
}

namespace {

/// Boxes as `cut` makes them of the lengths.
template <class Cut>
seiche_status make_boxes(std::size_t axis_count, const std::uint64_t* lengths, seiche_boxes** boxes, const Cut& cut) {
    return guard([&] {
        start(boxes, "boxes");
        *boxes = new seiche_boxes{axis_count, cut(lengths_of(axis_count, lengths))};
    });
}

std::vector<int> axes_of(const int* axes, std::size_t count) {
    require(axes, "axes");
    return {axes, axes + count};
}

}  // namespace
}  // namespace seiche::distributed::in_c

using seiche::InvalidProblem;
using namespace seiche::distributed;  // NOLINT(google-build-using-namespace)
using in_c::guard;
using in_c::require;

extern "C" {

int seiche_absent_rank(void) { return in_c::absent_rank; }

seiche_status seiche_boxes_slab(size_t axis_count, const uint64_t* lengths, int axis, int ranks, seiche_boxes** boxes) {
    return in_c::make_boxes(axis_count, lengths, boxes, [&](const auto& n) { return slab(n, axis, ranks); });
}

seiche_status seiche_boxes_pencils(size_t axis_count, const uint64_t* lengths, const int axes[2], int p, int q,
                                   seiche_boxes** boxes) {
    return in_c::make_boxes(axis_count, lengths, boxes,
                            [&](const auto& n) { return pencils(n, in_c::axes_of(axes, 2), p, q); });
}

seiche_status seiche_boxes_bricks(size_t axis_count, const uint64_t* lengths, const int axes[3], int p, int q, int r,
                                  seiche_boxes** boxes) {
    return in_c::make_boxes(axis_count, lengths, boxes,
                            [&](const auto& n) { return bricks(n, in_c::axes_of(axes, 3), p, q, r); });
}

seiche_status seiche_boxes_grid(size_t axis_count, const uint64_t* lengths, const uint64_t* parts,
                                seiche_boxes** boxes) {
    return in_c::make_boxes(axis_count, lengths, boxes, [&](const auto& n) {
        require(parts, "parts");
        return grid(n, {parts, parts + n.size()});
    });
}

seiche_status seiche_boxes_create(size_t axis_count, size_t ranks, const uint64_t* lower, const uint64_t* upper,
                                  seiche_boxes** boxes) {
    return guard([&] {
        in_c::start(boxes, "boxes");
        if (axis_count < 1 || axis_count > in_c::most_axes)
            throw InvalidProblem("axis_count: expected 1 to " + std::to_string(in_c::most_axes) + ", got " +
                                 std::to_string(axis_count));
        if (ranks < 1 || ranks > in_c::most_ranks)
            throw InvalidProblem("ranks: expected 1 to " + std::to_string(in_c::most_ranks) + ", got " +
                                 std::to_string(ranks));
        require(lower, "lower");
        require(upper, "upper");
        auto result = std::make_unique<seiche_boxes>();
        result->axis_count = axis_count;
        for (std::size_t at = 0; at < ranks * axis_count; at += axis_count)
            result->value.push_back({{lower + at, lower + at + axis_count}, {upper + at, upper + at + axis_count}});
        *boxes = result.release();
    });
}

void seiche_boxes_release(seiche_boxes* boxes) { delete boxes; }

seiche_status seiche_boxes_set_strides(seiche_boxes* boxes, size_t rank, const int64_t* strides) {
    return guard([&] {
        const std::size_t checked = in_c::checked_rank(boxes, rank);
        Box& box = boxes->value[checked];
        if (strides == nullptr)
            box.strides.clear();
        else
            box.strides.assign(strides, strides + boxes->axis_count);
    });
}

size_t seiche_boxes_ranks(const seiche_boxes* boxes) { return boxes == nullptr ? 0 : boxes->value.size(); }

size_t seiche_boxes_axis_count(const seiche_boxes* boxes) { return boxes == nullptr ? 0 : boxes->axis_count; }

seiche_status seiche_boxes_get(const seiche_boxes* boxes, size_t rank, uint64_t* lower, uint64_t* upper) {
    return guard([&] {
        const std::size_t checked = in_c::checked_rank(boxes, rank);
        const Box& box = boxes->value[checked];
        for (std::size_t axis = 0; axis < boxes->axis_count; ++axis) {
            if (lower != nullptr) lower[axis] = box.lower[axis];
            if (upper != nullptr) upper[axis] = box.upper[axis];
        }
    });
}

seiche_status seiche_boxes_elements(const seiche_boxes* boxes, size_t rank, uint64_t* elements) {
    return guard([&] {
        require(elements, "elements");
        const std::size_t checked = in_c::checked_rank(boxes, rank);
        *elements = boxes->value[checked].count();
    });
}

seiche_status seiche_boxes_text(const seiche_boxes* boxes, size_t rank, char** text) {
    return guard([&] {
        in_c::start(text, "text");
        const std::size_t checked = in_c::checked_rank(boxes, rank);
        *text = seiche::c::text(to_string(boxes->value[checked]));
    });
}

seiche_status seiche_boxes_check(const seiche_boxes* boxes, size_t axis_count, const uint64_t* lengths,
                                 const char* name) {
    return guard([&] {
        check_boxes(in_c::lengths_of(axis_count, lengths), in_c::boxes_of(boxes, "boxes"),
                    name == nullptr ? "boxes" : name);
    });
}

}  // extern "C"
