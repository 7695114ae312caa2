#include "sequence.hpp"

#include <algorithm>
#include <utility>

#include "agreement.hpp"

namespace seiche::distributed {

namespace {

std::vector<Box> without_strides(const std::vector<Box>& boxes) {
    std::vector<Box> regions;
    regions.reserve(boxes.size());
    for (const Box& box : boxes) regions.push_back({box.lower, box.upper});
    return regions;
}

/// What the array between two programs takes in the workspace.
std::uint64_t input_room(const Sequence& sequence) {
    return sequence.moves_input ? aligned_bytes(sequence.transform.input_bytes) : 0;
}
std::uint64_t output_room(const Sequence& sequence) {
    return sequence.moves_output ? aligned_bytes(sequence.transform.output_bytes) : 0;
}

}  // namespace

std::vector<const Program*> Sequence::programs() const {
    std::vector<const Program*> all;
    if (moves_input) all.push_back(&*moves_input);
    all.push_back(&transform);
    if (moves_output) all.push_back(&*moves_output);
    return all;
}

std::uint64_t Sequence::workspace_bytes() const {
    std::uint64_t most = 0;
    for (const Program* program : programs()) most = std::max(most, program->workspace_bytes());
    return input_room(*this) + output_room(*this) + most;
}

Program make_moving(Communicator& communicator, const Device& device, const Moving& moving) {
    Problem problem;
    problem.precision = moving.element.precision;
    problem.storage = moving.element.storage;
    Shape shape;
    shape.lengths = moving.lengths;
    shape.batch = moving.batch;
    shape.real_bytes = stored_bytes(problem.precision, problem.storage);
    const bool is_real = !moving.element.is_complex;
    const std::vector<Box> before = without_strides(moving.from), after = without_strides(moving.to);
    const Design steps{{{{}, is_real, is_real, before, before}, {{}, is_real, is_real, after, after}}};
    Arrays arrays;
    arrays.rank = static_cast<std::size_t>(communicator.rank());
    arrays.input = moving.input;
    arrays.output = moving.output;
    DistributedOptions whole;
    whole.pieces = 1;
    arrays.ways = choose_ways(communicator, device, shape, steps, whole);
    arrays.driver = communicator.marks(device);
    Program program;
    together(communicator, [&] { program = make_program(device, problem, shape, steps, arrays); });
    return program;
}

Sequence make_sequence(Communicator& communicator, const Device& device, const Route& route, const Problem& problem,
                       const Boxes& boxes, Directions directions, const DistributedOptions& options) {
    const auto rank = static_cast<std::size_t>(communicator.rank());
    const std::uint64_t batch = route.shape.batch;
    const Memory input = memory_of(boxes.input[rank], problem.input.batch_distance, batch),
                 output = memory_of(boxes.output[rank], problem.output.batch_distance, batch),
                 read = route.moves_input ? memory_of(route.whole.input[rank], 0, batch) : input,
                 written = route.moves_output ? memory_of(route.whole.output[rank], 0, batch) : output;
    Sequence sequence;
    sequence.is_in_place = problem.placement == Placement::in_place;
    Problem inner = route.problem;
    Arrays arrays;
    arrays.rank = rank;
    arrays.input = route.four_step ? folded(read, route.input) : read;
    arrays.output = route.four_step ? folded(written, route.output) : written;
    arrays.is_in_place = sequence.is_in_place && !route.moves_input && !route.moves_output;
    if (!arrays.is_in_place) inner.placement = Placement::out_of_place;
    arrays.directions = directions;
    arrays.ways = choose_ways(communicator, device, route.shape, route.design, options);
    arrays.driver = communicator.marks(device);
    together(communicator,
             [&] { sequence.transform = make_program(device, inner, route.shape, route.design, arrays); });
    const Element element{problem.precision, problem.storage, true};
    if (route.moves_input)
        sequence.moves_input = make_moving(
            communicator, device, {element, problem.lengths, batch, boxes.input, route.whole.input, input, read});
    if (route.moves_output)
        sequence.moves_output = make_moving(
            communicator, device, {element, problem.lengths, batch, route.whole.output, boxes.output, written, output});
    return sequence;
}

void run(const Sequence& sequence, Queue& queue, Communicator& communicator, const DistributedExecution& execution) {
    const std::uint64_t in = sequence.input_bytes(), out = sequence.output_bytes();
    check_view(execution.input, sequence.is_in_place ? std::max(in, out) : in, "input");
    if (!sequence.is_in_place) check_view(execution.output, out, "output");
    check_view(execution.workspace, sequence.workspace_bytes(), "workspace");
    const BufferView output = sequence.is_in_place ? execution.input : execution.output;
    const auto at = [&](std::uint64_t offset) {
        return BufferView{execution.workspace.buffer, execution.workspace.byte_offset + offset};
    };
    const BufferView before = at(0), after = at(input_room(sequence)),
                     workspace = at(input_room(sequence) + output_room(sequence));
    if (sequence.moves_input) run(*sequence.moves_input, queue, communicator, {{}, execution.input, before, workspace});
    run(sequence.transform, queue, communicator,
        {execution.direction, sequence.moves_input ? before : execution.input, sequence.moves_output ? after : output,
         workspace});
    if (sequence.moves_output) run(*sequence.moves_output, queue, communicator, {{}, after, output, workspace});
}

}  // namespace seiche::distributed
