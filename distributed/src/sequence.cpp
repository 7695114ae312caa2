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

}  // namespace

std::uint64_t Sequence::workspace_bytes() const {
    std::uint64_t most = 0;
    for (const Leg& leg : legs) most = std::max(most, leg.program.workspace_bytes());
    return room_bytes + most;
}

Span Sequence::add_room(std::uint64_t bytes) {
    const Span span{Span::Where::workspace, room_bytes};
    room_bytes += aligned_bytes(bytes);
    return span;
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
    if (route.halves) return make_halved_sequence(communicator, device, route, problem, boxes, options);
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
    Leg transform{{}, {Span::Where::input}, {Span::Where::output}};
    together(communicator, [&] { transform.program = make_program(device, inner, route.shape, route.design, arrays); });
    sequence.input_bytes = transform.program.input_bytes;
    sequence.output_bytes = transform.program.output_bytes;
    const Element element{problem.precision, problem.storage, true};
    if (route.moves_input) {
        transform.from = sequence.add_room(sequence.input_bytes);
        Leg move{{}, {Span::Where::input}, transform.from};
        move.program = make_moving(communicator, device,
                                   {element, problem.lengths, batch, boxes.input, route.whole.input, input, read});
        sequence.input_bytes = move.program.input_bytes;
        sequence.legs.push_back(std::move(move));
    }
    if (route.moves_output) transform.to = sequence.add_room(sequence.output_bytes);
    sequence.legs.push_back(std::move(transform));
    if (route.moves_output) {
        Leg move{{}, sequence.legs.back().to, {Span::Where::output}};
        move.program = make_moving(
            communicator, device, {element, problem.lengths, batch, route.whole.output, boxes.output, written, output});
        sequence.output_bytes = move.program.output_bytes;
        sequence.legs.push_back(std::move(move));
    }
    return sequence;
}

void run(const Sequence& sequence, Queue& queue, Communicator& communicator, const DistributedExecution& execution) {
    const std::uint64_t in = sequence.input_bytes, out = sequence.output_bytes;
    check_view(execution.input, sequence.is_in_place ? std::max(in, out) : in, "input");
    if (!sequence.is_in_place) check_view(execution.output, out, "output");
    check_view(execution.workspace, sequence.workspace_bytes(), "workspace");
    const auto at = [&](const Span& span) {
        const bool is_other = span.where == Span::Where::output && !sequence.is_in_place;
        BufferView view = span.where == Span::Where::workspace ? execution.workspace
                          : is_other                           ? execution.output
                                                               : execution.input;
        view.byte_offset += span.bytes;
        return view;
    };
    const BufferView workspace = at({Span::Where::workspace, sequence.room_bytes});
    for (const Leg& leg : sequence.legs)
        run(leg.program, queue, communicator, {execution.direction, at(leg.from), at(leg.to), workspace});
}

}  // namespace seiche::distributed
