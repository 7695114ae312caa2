// Executions of a program: each action in the rank's queue, or in the second one beside it.
#include <algorithm>

#include "program.hpp"
#include "seiche/error.hpp"

namespace seiche::distributed {

namespace {

/// One execution: its views and queues.
class Runner {
public:
    Runner(const Program& program, Queue& queue, Communicator& communicator, const DistributedExecution& execution)
        : program_(program), queue_(queue), beside_(program.beside), communicator_(communicator), views_(execution) {
        if (program.is_in_place) views_.output = views_.input;
    }

    void operator()(const Run& run) {
        Execution execution;
        if (!run.is_copy) execution.direction = views_.direction;
        execution.input = at(run.from, run.from_bytes);
        execution.output = at(run.to, run.to_bytes);
        if (run.plan.problem().placement == Placement::in_place) execution.output = {};
        if (run.plan.workspace_bytes() != 0) execution.workspace = in_workspace({});
        execution.stage_buffers = run.tables;
        execution.stage_scalars = run.numbers;
        if (!run.beside.empty())
            execution.stage_buffers.push_back({run.beside, at(run.beside_place, run.beside_bytes)});
        if (program_.driver)
            program_.driver->enqueue(
                queue_, [plan = run.plan, queue = queue_, execution]() mutable { plan.execute(queue, execution); });
        else
            run.plan.execute(queue_, execution);
    }
    void operator()(const Move& move) {
        communicator_.all_to_all_v(move.is_beside ? beside_ : queue_,
                                   {program_.device, at(move.from, 0), at(move.to, 0), move.send_bytes,
                                    move.send_offsets, move.receive_bytes, move.receive_offsets, move.rows});
    }
    void operator()(const Sync& sync) {
        Queue& queue = sync.is_beside ? beside_ : queue_;
        Marks::Mark& mark = *program_.marks[sync.mark];
        sync.records ? program_.driver->record(queue, mark) : program_.driver->wait_for(queue, mark);
    }

private:
    BufferView in_workspace(std::optional<Place> place) const {
        return {views_.workspace.buffer, views_.workspace.byte_offset + program_.offset_of(place)};
    }
    BufferView at(Place place, std::uint64_t bytes) const {
        BufferView view = place == Place::input    ? views_.input
                          : place == Place::output ? views_.output
                                                   : in_workspace(place);
        view.byte_offset += bytes;
        return view;
    }

    const Program& program_;
    Queue& queue_;
    Queue beside_;
    Communicator& communicator_;
    DistributedExecution views_;
};

}  // namespace

void check_view(const BufferView& view, std::uint64_t bytes, const char* name) {
    if (bytes == 0) return;
    const std::uint64_t has =
        view.buffer && view.buffer.bytes() > view.byte_offset ? view.buffer.bytes() - view.byte_offset : 0;
    if (has < bytes)
        throw InvalidProblem(std::string(name) + ": expected at least " + std::to_string(bytes) + " bytes, got " +
                             std::to_string(has));
}

std::uint64_t Program::offset_of(std::optional<Place> place) const {
    const std::size_t end = place ? static_cast<std::size_t>(*place) : place_count;
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < end; ++i) offset += aligned_bytes(place_bytes[i]);
    return offset;
}

void run(const Program& program, Queue& queue, Communicator& communicator, const DistributedExecution& execution) {
    const std::uint64_t larger = std::max(program.input_bytes, program.output_bytes);
    check_view(execution.input, program.is_in_place ? larger : program.input_bytes, "input");
    if (!program.is_in_place) check_view(execution.output, program.output_bytes, "output");
    check_view(execution.workspace, program.workspace_bytes(), "workspace");
    Runner runner(program, queue, communicator, execution);
    for (const auto& action : program.actions) std::visit(runner, action);
}

}  // namespace seiche::distributed
