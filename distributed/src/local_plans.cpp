#include "local_plans.hpp"

#include <algorithm>

#include "four_step.hpp"

namespace seiche::distributed {

namespace {

Layout layout_of(const Memory& memory, std::uint64_t batch) {
    Layout layout;
    layout.strides = memory.strides;
    if (batch > 1) layout.batch_distance = memory.distance;
    return layout;
}

/// Rules divide by each axis' own share; a factor is multiplied by once.
Scale share_of(const Scale& scale, bool is_last) {
    return scale.rule() == Scale::Rule::factor && !is_last ? Scale::none() : scale;
}

/// The kinds of the axes of a step, where each axis may have its own.
std::vector<Kind> kinds_of(const Problem& problem, const Shape& shape, const Step& step) {
    std::vector<Kind> kinds;
    if (problem.axis_kinds.empty()) return kinds;
    for (const int axis : step.axes) {
        const auto place = std::find(shape.axes.begin(), shape.axes.end(), axis) - shape.axes.begin();
        kinds.push_back(problem.axis_kinds[static_cast<std::size_t>(place)]);
    }
    return kinds;
}

/// The offset of a view, in bytes, and what is left of it for the layout: a kernel takes real numbers two at a time.
std::uint64_t split_offset(std::uint64_t elements, const Element& element, Layout& layout) {
    const std::uint64_t odd = element.is_complex ? 0 : elements % 2;
    layout.byte_offset = odd * element.bytes();
    return (elements - odd) * element.bytes();
}

}  // namespace

Copy plan_copy(const Device& device, const Element& element, const Box& part, std::uint64_t batch, Memory from,
               Memory to, const Repeat& repeat) {
    // A transform along an axis of one element is a copy, of real or of complex numbers.
    Problem problem;
    problem.axes = {-1};
    problem.kind = element.is_complex ? Kind::c2c : Kind::dht;
    problem.precision = element.precision;
    problem.storage = element.storage;
    problem.batch = batch;
    problem.lengths.push_back(repeat.count);
    for (std::size_t axis = 0; axis < part.lower.size(); ++axis) problem.lengths.push_back(part.extent(axis));
    problem.lengths.push_back(1);
    from.strides.insert(from.strides.begin(), repeat.from_step);
    from.strides.push_back(1);
    to.strides.insert(to.strides.begin(), repeat.to_step);
    to.strides.push_back(1);
    problem.input = layout_of(from, batch);
    problem.output = layout_of(to, batch);
    Copy copy;
    copy.from_bytes = split_offset(from.offset, element, problem.input);
    copy.to_bytes = split_offset(to.offset, element, problem.output);
    PlanOptions options;
    options.directions = Directions::forward;
    copy.plan = Plan(device, problem, options);
    return copy;
}

Problem local_problem(const Problem& problem, const Shape& shape, const Step& step, std::size_t rank) {
    Problem local;
    const Box &before = step.before[rank], &after = step.after[rank];
    for (std::size_t axis = 0; axis < shape.lengths.size(); ++axis)
        local.lengths.push_back(std::max(before.extent(axis), after.extent(axis)));
    local.axes = step.axes;
    local.kind = Kind::c2c;
    if (std::count(step.axes.begin(), step.axes.end(), shape.halved) != 0) {
        local.kind = shape.kind;
        local.halved_axis = shape.halved;
        local.lengths[static_cast<std::size_t>(shape.halved)] = shape.lengths[static_cast<std::size_t>(shape.halved)];
    } else if (is_real_to_real(shape.kind)) {
        local.kind = problem.kind;
        local.axis_kinds = kinds_of(problem, shape, step);
        local.orthonormal = problem.orthonormal;
        local.orthogonalize = problem.orthogonalize;
    }
    local.precision = problem.precision;
    local.storage = problem.storage;
    local.batch = shape.batch;
    return local;
}

Transform plan_step(const Device& device, const Problem& problem, const Shape& shape, const Step& step,
                    std::size_t rank, const Memory& from, const Memory& to, bool is_last, bool is_in_place,
                    Directions directions) {
    Problem local = local_problem(problem, shape, step, rank);
    local.placement = is_in_place ? Placement::in_place : Placement::out_of_place;
    local.forward_scale = share_of(problem.forward_scale, is_last);
    local.inverse_scale = share_of(problem.inverse_scale, is_last);
    local.input = layout_of(from, shape.batch);
    local.output = layout_of(to, shape.batch);
    Transform transform;
    transform.from_bytes =
        split_offset(from.offset, {problem.precision, problem.storage, !step.reads_reals}, local.input);
    transform.to_bytes =
        split_offset(to.offset, {problem.precision, problem.storage, !step.writes_reals}, local.output);
    if (step.twiddles) {
        local.forward_store = twiddle_stage(shape, problem.precision, Direction::forward);
        local.inverse_store = twiddle_stage(shape, problem.precision, Direction::inverse);
    }
    PlanOptions options;
    options.directions = directions;
    transform.plan = Plan(device, local, options);
    return transform;
}

}  // namespace seiche::distributed
