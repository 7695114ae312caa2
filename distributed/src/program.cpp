#include "program.hpp"

#include <algorithm>
#include <utility>

#include "rows.hpp"
#include "seiche/error.hpp"

namespace seiche::distributed {

namespace {

/// Regions of the workspace begin where any element may, at a sector of the device's memory too.
std::uint64_t aligned(std::uint64_t bytes) { return (bytes + 255) / 256 * 256; }

std::string list_of(const std::vector<int>& axes) {
    std::string text;
    for (const int axis : axes) text += (text.empty() ? "" : ",") + std::to_string(axis);
    return text;
}

/// The array that a step reads or writes.
struct Array {
    Place place = Place::input;
    Memory memory = {};
};

class Builder {
public:
    Builder(const Device& device, const Problem& problem, const Shape& shape, const Design& design,
            const Arrays& arrays)
        : problem_(problem), shape_(shape), design_(design), arrays_(arrays) {
        program_.device = device;
        program_.is_in_place = arrays.is_in_place;
    }

    Program build() {
        const std::size_t last = design_.steps.size() - 1;
        Array source{Place::input, arrays_.input};
        program_.input_bytes = reach(arrays_.input, before(0), shape_.batch) * element(0, true).bytes();
        program_.output_bytes = reach(arrays_.output, after(last), shape_.batch) * element(last, false).bytes();
        for (std::size_t step = 0; step <= last; ++step) {
            if (step > 0) source = receive(step);
            if (step < last) plan(step);
            const std::vector<int>& axes = design_.steps[step].axes;
            program_.text += axes.empty() ? "pass on" : "transform axes " + list_of(axes);
            if (step < last)
                send(step, source);
            else
                finish(step, source);
            program_.text += "\n";
        }
        return std::move(program_);
    }

private:
    const Box& before(std::size_t step) const { return design_.steps[step].before[arrays_.rank]; }
    const Box& after(std::size_t step) const { return design_.steps[step].after[arrays_.rank]; }
    const std::vector<Box>& all_before(std::size_t step) const { return design_.steps[step].before; }
    const std::vector<Box>& all_after(std::size_t step) const { return design_.steps[step].after; }

    Element element(std::size_t step, bool before) const {
        const Step& s = design_.steps[step];
        return {problem_.precision, problem_.storage, !(before ? s.reads_reals : s.writes_reals)};
    }

    /// The exchange after the step.
    void plan(std::size_t step) {
        exchange_ = plan_exchange(all_after(step), all_before(step + 1), arrays_.rank, shape_.batch);
        rows_.clear();
        if (step >= arrays_.by_rows.size() || arrays_.by_rows[step] == 0) return;
        rows_ =
            plan_rows(all_after(step), all_before(step + 1), arrays_.rank, shape_.batch, element(step, false).bytes());
        for (Side* side : {&exchange_.send, &exchange_.receive}) {
            side->is_one_array = true;
            side->memory = dense(side->region, row_major(shape_.lengths.size()), shape_.batch);
        }
    }

    /// What the step reads of the exchange before it: the messages themselves where they lie as one array.
    Array receive(std::size_t step) {
        const Side& side = exchange_.receive;
        if (side.is_one_array) return {Place::received, side.memory};
        program_.text += "unpack\n";
        if (step + 1 == design_.steps.size() && design_.steps[step].axes.empty()) {
            copy_parts(side, {Place::output, arrays_.output}, element(step, true), false);
            return {Place::output, arrays_.output};
        }
        Array array{Place::spare, dense(side.region, row_major(shape_.lengths.size()), shape_.batch)};
        program_.spare_bytes = std::max(program_.spare_bytes, side.elements * element(step, true).bytes());
        copy_parts(side, array, element(step, true), false);
        return array;
    }

    /// The step's transform and what packs its results, then the exchange.
    void send(std::size_t step, Array source) {
        const Side& side = exchange_.send;
        const Element written = element(step, false);
        const Array messages{Place::sent, side.memory};
        const bool is_packed = side.is_one_array;
        if (design_.steps[step].axes.empty()) {
            if (side.is_one_array && side.elements != 0) copy(source, messages, side.region, written);
        } else if (side.is_one_array) {
            transform(step, source, messages);
        } else {
            const Array array{source.place == Place::received ? Place::spare : Place::received,
                              dense(side.region, row_major(shape_.lengths.size()), shape_.batch)};
            std::uint64_t& bytes = array.place == Place::spare ? program_.spare_bytes : program_.received_bytes;
            bytes = std::max(bytes, side.elements * written.bytes());
            transform(step, source, array);
            source = array;
        }
        if (!is_packed) {
            program_.text += ", pack";
            copy_parts(side, source, written, true);
        }
        move(written.bytes());
    }

    void finish(std::size_t step, const Array& source) {
        if (source.place == Place::output) return;  // unpacked to where it belongs
        const Array output{Place::output, arrays_.output};
        if (!design_.steps[step].axes.empty())
            transform(step, source, output);
        else if (!after(step).empty() && shape_.batch != 0)
            copy(source, output, after(step), element(step, true));
    }

    void transform(std::size_t step, const Array& from, const Array& to) {
        if (before(step).empty() || shape_.batch == 0) return;
        std::size_t last = design_.steps.size() - 1;
        while (design_.steps[last].axes.empty()) --last;
        const bool in_place = arrays_.is_in_place && from.place == Place::input && to.place == Place::output;
        Run run{plan_step(program_.device, problem_, shape_, design_.steps[step], arrays_.rank, from.memory, to.memory,
                          step == last, in_place, arrays_.directions),
                from.place, to.place};
        program_.scratch_bytes = std::max(program_.scratch_bytes, run.plan.workspace_bytes());
        program_.actions.emplace_back(std::move(run));
    }

    void copy(const Array& from, const Array& to, const Box& part, const Element& element, const Repeat& repeat = {}) {
        Copy copy = plan_copy(program_.device, element, part, shape_.batch, from.memory, to.memory, repeat);
        program_.scratch_bytes = std::max(program_.scratch_bytes, copy.plan.workspace_bytes());
        program_.bytes_copied += part.count() * shape_.batch * repeat.count * element.bytes();
        ++program_.copies;
        program_.actions.emplace_back(
            Run{std::move(copy.plan), from.place, to.place, copy.from_bytes, copy.to_bytes, true});
    }

    /// Between an array and the messages, parts that lie alike by one plan.
    void copy_parts(const Side& side, const Array& array, const Element& element, bool packs) {
        for (std::size_t i = 0; i < side.parts.size();) {
            const Part& part = side.parts[i];
            Array message{packs ? Place::sent : Place::received, dense(part.region, exchange_.order, shape_.batch)},
                own = array;
            message.memory.offset = part.offset;
            own.memory.offset = offset_of(array.memory, side.region, part.region);
            Repeat repeat = repeated(side, i, array.memory);
            if (packs) std::swap(repeat.from_step, repeat.to_step);
            copy(packs ? own : message, packs ? message : own, part.region, element, repeat);
            i += repeat.count;
        }
    }

    /// The parts from the i-th on that have its shape and lie equally far apart, messages as `from`.
    Repeat repeated(const Side& side, std::size_t i, const Memory& memory) const {
        const auto place = [&](std::size_t j) {
            return static_cast<std::int64_t>(offset_of(memory, side.region, side.parts[j].region));
        };
        const auto has_shape = [&](std::size_t j) {
            for (std::size_t axis = 0; axis < shape_.lengths.size(); ++axis)
                if (side.parts[j].region.extent(axis) != side.parts[i].region.extent(axis)) return false;
            return true;
        };
        Repeat repeat;
        for (std::size_t j = i + 1; j < side.parts.size() && has_shape(j); ++j) {
            const auto from = static_cast<std::int64_t>(side.parts[j].offset - side.parts[j - 1].offset);
            const std::int64_t to = place(j) - place(j - 1);
            if (to < 1 || (repeat.count > 1 && (from != repeat.from_step || to != repeat.to_step))) break;
            repeat = {repeat.count + 1, from, to};
        }
        return repeat;
    }

    void move(std::uint64_t element_bytes) {
        const std::size_t ranks = design_.steps.front().before.size();
        const std::vector<std::uint64_t> zeros(ranks, 0);
        Move move{zeros, zeros, zeros, zeros};
        for (const Part& part : exchange_.send.parts) {
            move.send_bytes[part.rank] = part.elements * element_bytes;
            move.send_offsets[part.rank] = part.offset * element_bytes;
            if (part.rank != arrays_.rank) program_.bytes_sent += part.elements * element_bytes;
        }
        for (const Part& part : exchange_.receive.parts) {
            move.receive_bytes[part.rank] = part.elements * element_bytes;
            move.receive_offsets[part.rank] = part.offset * element_bytes;
        }
        program_.sent_bytes = std::max(program_.sent_bytes, exchange_.send.elements * element_bytes);
        program_.received_bytes = std::max(program_.received_bytes, exchange_.receive.elements * element_bytes);
        program_.text += "\nexchange " + std::to_string(exchange_.send.elements * element_bytes) + " bytes in " +
                         std::to_string(exchange_.send.parts.size()) +
                         (rows_.empty() ? " messages" : " messages, in rows");
        move.rows = rows_;
        program_.actions.emplace_back(std::move(move));
        ++program_.exchanges;
    }

    const Problem& problem_;
    const Shape& shape_;
    const Design& design_;
    const Arrays& arrays_;
    Program program_;
    ExchangePlan exchange_;  ///< After the step at hand; in `receive` the one before it.
    std::vector<std::vector<Rows>> rows_;
};

/// The views of an execution.
class Views {
public:
    Views(const Program& program, const BufferView& input, const BufferView& output, const BufferView& workspace)
        : input_(input),
          output_(program.is_in_place ? input : output),
          sent_(workspace),
          received_(workspace),
          spare_(workspace),
          scratch_(workspace) {
        received_.byte_offset += aligned(program.sent_bytes);
        spare_.byte_offset = received_.byte_offset + aligned(program.received_bytes);
        scratch_.byte_offset = spare_.byte_offset + aligned(program.spare_bytes);
    }
    BufferView at(Place place, std::uint64_t bytes) const {
        BufferView view = place == Place::input      ? input_
                          : place == Place::output   ? output_
                          : place == Place::sent     ? sent_
                          : place == Place::received ? received_
                                                     : spare_;
        view.byte_offset += bytes;
        return view;
    }
    const BufferView& scratch() const { return scratch_; }

private:
    BufferView input_, output_, sent_, received_, spare_, scratch_;
};

void check_view(const BufferView& view, std::uint64_t bytes, const char* name) {
    if (bytes == 0) return;
    const std::uint64_t has =
        view.buffer && view.buffer.bytes() > view.byte_offset ? view.buffer.bytes() - view.byte_offset : 0;
    if (has < bytes)
        throw InvalidProblem(std::string(name) + ": expected at least " + std::to_string(bytes) + " bytes, got " +
                             std::to_string(has));
}

void run_plan(const Run& run, const Views& views, Queue& queue, std::optional<Direction> direction) {
    Execution execution;
    if (!run.is_copy) execution.direction = direction;
    execution.input = views.at(run.from, run.from_bytes);
    execution.output = views.at(run.to, run.to_bytes);
    if (run.plan.problem().placement == Placement::in_place) execution.output = {};
    if (run.plan.workspace_bytes() != 0) execution.workspace = views.scratch();
    run.plan.execute(queue, execution);
}

}  // namespace

std::uint64_t Program::workspace_bytes() const {
    return aligned(sent_bytes) + aligned(received_bytes) + aligned(spare_bytes) + scratch_bytes;
}

Program make_program(const Device& device, const Problem& problem, const Shape& shape, const Design& design,
                     const Arrays& arrays) {
    return Builder(device, problem, shape, design, arrays).build();
}

std::vector<char> choose_rows(Communicator& communicator, const Device& device, const Shape& shape,
                              const Design& design) {
    const auto rank = static_cast<std::size_t>(communicator.rank());
    const std::size_t exchanges = design.steps.size() - 1;
    std::string own;
    for (std::size_t step = 0; step < exchanges; ++step) {
        const std::vector<Box>&from = design.steps[step].after, &to = design.steps[step + 1].before;
        const std::uint64_t bytes = (design.steps[step].writes_reals ? 1 : 2) * shape.real_bytes;
        const ExchangePlan messages = plan_exchange(from, to, rank, shape.batch);
        const std::optional<std::uint64_t> shortest = communicator.shortest_row(device);
        const bool is_possible = shortest && are_fast(plan_rows(from, to, rank, shape.batch, bytes), *shortest),
                   is_packed = !messages.send.is_one_array || !messages.receive.is_one_array;
        own += is_possible ? is_packed ? 'p' : 'm' : 'n';
    }
    std::vector<char> chosen(exchanges, 0);
    std::vector<char> is_possible(exchanges, 1);
    for (const std::string& text : communicator.all_gather(own))
        for (std::size_t step = 0; step < exchanges; ++step) {
            is_possible[step] = static_cast<char>(is_possible[step] && text.at(step) != 'n');
            chosen[step] = static_cast<char>(chosen[step] || text.at(step) == 'p');
        }
    for (std::size_t step = 0; step < exchanges; ++step)
        chosen[step] = static_cast<char>(chosen[step] && is_possible[step]);
    return chosen;
}

void run(const Program& program, Queue& queue, Communicator& communicator, std::optional<Direction> direction,
         const BufferView& input, const BufferView& output, const BufferView& workspace) {
    const std::uint64_t larger = std::max(program.input_bytes, program.output_bytes);
    check_view(input, program.is_in_place ? larger : program.input_bytes, "input");
    if (!program.is_in_place) check_view(output, program.output_bytes, "output");
    check_view(workspace, program.workspace_bytes(), "workspace");
    const Views views(program, input, output, workspace);
    for (const auto& action : program.actions) {
        if (const auto* plan = std::get_if<Run>(&action)) {
            run_plan(*plan, views, queue, direction);
            continue;
        }
        const Move& move = std::get<Move>(action);
        communicator.all_to_all_v(
            queue, {program.device, views.at(Place::sent, 0), views.at(Place::received, 0), move.send_bytes,
                    move.send_offsets, move.receive_bytes, move.receive_offsets, move.rows});
    }
}

}  // namespace seiche::distributed
