// The boxes that most programs take.
#include "design.hpp"
#include "seiche/distributed/plan.hpp"
#include "seiche/error.hpp"

namespace seiche::distributed {

namespace {

Shape shape_with_axes(const Problem& problem, std::size_t axes, const char* what) {
    Shape shape = shape_of(problem);
    if (shape.lengths.size() < axes)
        throw InvalidProblem(std::string(what) + ": expected an array of at least " + std::to_string(axes) +
                             " axes, got " + std::to_string(shape.lengths.size()));
    return shape;
}

}  // namespace

Boxes slab_boxes(const Problem& problem, int ranks, bool is_natural) {
    const Shape shape = shape_with_axes(problem, 1, "slabs");
    const int second = is_natural || shape.lengths.size() == 1 ? 0 : 1;
    return {slab(input_lengths(shape), 0, ranks), slab(output_lengths(shape), second, ranks)};
}

Boxes pencil_boxes(const Problem& problem, int p, int q, bool is_natural) {
    const Shape shape = shape_with_axes(problem, 3, "pencils");
    const std::vector<int> first{0, 1}, last{1, 2};
    return {pencils(input_lengths(shape), first, p, q),
            pencils(output_lengths(shape), is_natural ? first : last, p, q)};
}

}  // namespace seiche::distributed
