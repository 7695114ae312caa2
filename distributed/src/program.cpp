#include "program.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "four_step.hpp"
#include "pieces.hpp"
#include "rows.hpp"
#include "seiche/error.hpp"

namespace seiche::distributed {

namespace {

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
        program_.driver = arrays.driver;
        if (arrays.ways.pieces > 1) program_.beside = device.create_queue();
    }

    Program build() {
        if (shape_.factors) program_.text = say_lengths();
        const std::size_t last = design_.steps.size() - 1;
        Array source{Place::input, arrays_.input};
        program_.input_bytes = reach(arrays_.input, before(0), shape_.batch) * element(0, true).bytes();
        program_.output_bytes = reach(arrays_.output, after(last), shape_.batch) * element(last, false).bytes();
        for (std::size_t step = 0; step <= last; ++step) {
            if (step > 0) source = receive(step);
            if (step < last) plan(step);
            const std::vector<int>& axes = design_.steps[step].axes;
            program_.text += axes.empty() ? "pass on" : "transform axes " + list_of(axes);
            if (design_.steps[step].twiddles) program_.text += " with twiddles";
            if (step < last)
                send(step, source);
            else
                finish(step, source);
            program_.text += "\n";
        }
        return std::move(program_);
    }

private:
    std::string say_lengths() const {
        std::string text = "as";
        for (std::size_t axis = 0; axis < shape_.lengths.size(); ++axis)
            text += (axis == 0 ? " " : "x") + std::to_string(shape_.lengths[axis]);
        return text + "\n";
    }

    const Box& before(std::size_t step) const { return design_.steps[step].before[arrays_.rank]; }
    const Box& after(std::size_t step) const { return design_.steps[step].after[arrays_.rank]; }
    const std::vector<Box>& all_before(std::size_t step) const { return design_.steps[step].before; }
    const std::vector<Box>& all_after(std::size_t step) const { return design_.steps[step].after; }

    Element element(std::size_t step, bool before) const {
        const Step& s = design_.steps[step];
        return {problem_.precision, problem_.storage, !(before ? s.reads_reals : s.writes_reals)};
    }

    bool goes_by_rows(std::size_t step) const {
        return step < arrays_.ways.by_rows.size() && arrays_.ways.by_rows[step] != 0;
    }
    bool goes_in_pieces(std::size_t step) const { return arrays_.ways.pieces > 1 && goes_by_rows(step); }
    bool comes_in_pieces(std::size_t step) const { return step > 0 && goes_in_pieces(step - 1); }
    Cut cut(std::size_t step) const {
        if (!goes_in_pieces(step) && !comes_in_pieces(step)) return {};
        return cut_of(design_.steps[step], all_before(step).size(), arrays_.ways.pieces);
    }
    /// The places of the exchange after the step.
    bool is_other(std::size_t step) const { return arrays_.ways.pieces > 1 && step % 2 == 1; }
    Place sent(std::size_t step) const { return is_other(step) ? Place::other_sent : Place::sent; }
    Place received(std::size_t step) const { return is_other(step) ? Place::other_received : Place::received; }

    /// The exchange after the step.
    void plan(std::size_t step) {
        exchange_ = plan_exchange(all_after(step), all_before(step + 1), arrays_.rank, shape_.batch);
        if (!goes_by_rows(step)) return;
        windows_ = windows_of(all_after(step), all_before(step + 1), can_share(step));
        const auto lay = [&](Side& side, const Box& window) {
            side.is_one_array = true;
            side.memory = dense(window, row_major(shape_.lengths.size()), shape_.batch);
            side.memory.offset = offset_of(side.memory, window, side.region);
        };
        lay(exchange_.send, windows_.from[arrays_.rank]);
        lay(exchange_.receive, windows_.to[arrays_.rank]);
    }
    /// Of what all ranks know.
    bool can_share(std::size_t step) const { return goes_in_pieces(step) && !design_.steps[step + 1].axes.empty(); }

    /// Where the exchange after the step puts what it receives: rows go straight to an output that lies as they do.
    Place target(std::size_t step) const {
        const Step& next = design_.steps[step + 1];
        if (goes_by_rows(step) && windows_.are_shared) return sent(step);
        if (!goes_by_rows(step) || step + 2 != design_.steps.size() || !next.axes.empty() || arrays_.is_in_place)
            return received(step);
        const Memory &own = arrays_.output,
                     messages = dense(before(step + 1), row_major(own.strides.size()), shape_.batch);
        const bool is_alike = own.strides == messages.strides && own.offset == 0 &&
                              (shape_.batch <= 1 || own.distance == messages.distance);
        return is_alike ? Place::output : received(step);
    }

    /// What the step reads of the exchange before it: the messages themselves where they lie as one array.
    Array receive(std::size_t step) {
        const Side& side = exchange_.receive;
        if (side.is_one_array) return {target(step - 1), side.memory};
        program_.text += "unpack\n";
        if (step + 1 == design_.steps.size() && design_.steps[step].axes.empty()) {
            copy_parts(side, received(step - 1), {Place::output, arrays_.output}, element(step, true), false);
            return {Place::output, arrays_.output};
        }
        Array array{Place::spare, dense(side.region, row_major(shape_.lengths.size()), shape_.batch)};
        grow(Place::spare, side.elements * element(step, true).bytes());
        copy_parts(side, received(step - 1), array, element(step, true), false);
        return array;
    }

    /// The step's transform and what packs its results, then the exchange.
    void send(std::size_t step, Array source) {
        if (goes_in_pieces(step)) return send_in_pieces(step, source);
        const Side& side = exchange_.send;
        const Element written = element(step, false);
        const Array messages{sent(step), side.memory};
        const bool is_packed = side.is_one_array;
        if (design_.steps[step].axes.empty()) {
            wait_for_all();
            if (side.is_one_array && side.elements != 0) copy(source, messages, side.region, written);
        } else if (side.is_one_array) {
            transform(step, source, messages);
        } else {
            const Array array{source.place == received(step) ? Place::spare : received(step),
                              dense(side.region, row_major(shape_.lengths.size()), shape_.batch)};
            grow(array.place, side.elements * written.bytes());
            transform(step, source, array);
            source = array;
        }
        if (!is_packed) {
            program_.text += ", pack";
            copy_parts(side, sent(step), source, written, true);
        }
        const std::vector<Box>&from = all_after(step), &to = all_before(step + 1);
        move(step, from, to, written.bytes());
        say_exchange(step, 1);
    }

    /// Pieces of the results go in the second queue while this one is at the next. A rank's own part is copied here,
    /// while the last pieces come from others.
    void send_in_pieces(std::size_t step, const Array& source) {
        const Side& side = exchange_.send;
        const Element written = element(step, false);
        const Array messages{sent(step), side.memory};
        const Cut cut_before = cut(step), cut_after = cut(step + 1);
        const std::vector<Stage> stages = stages_of(cut_before, cut_after);
        std::vector<std::size_t> arrivals;
        std::size_t next = 0;
        const auto made = [&](std::uint64_t piece) {
            order(new_mark(), false, true);
            order(program_.marks.size() - 1, true, false);
            for (; next < stages.size() && stages[next].from_last <= piece + 1; ++next) {
                const Stage& stage = stages[next];
                move(step, pieces_of(all_after(step), cut_before, stage.from_first, stage.from_last),
                     pieces_of(all_before(step + 1), cut_after, stage.to_first, stage.to_last), written.bytes());
                if (stage.from_last != cut_before.count) continue;
                arrivals.push_back(new_mark());
                order(arrivals.back(), true, true);
            }
        };
        if (design_.steps[step].axes.empty()) {
            wait_for_all();
            if (side.elements != 0) copy(source, messages, side.region, written);
            made(0);
        } else {
            transform(step, source, messages, made);
        }
        copy_own(step, messages, written);
        arrivals_ = std::move(arrivals);
        say_exchange(step, stages.size());
    }

    /// The part of the exchange that stays on the rank.
    void copy_own(std::size_t step, Array from, const Element& element) {
        const Box &before_it = after(step), &after_it = before(step + 1);
        const Box part = intersection(before_it, after_it);
        if (part.empty() || shape_.batch == 0 || windows_.are_shared) return;
        Array to{target(step), exchange_.receive.memory};
        from.memory.offset = offset_of(from.memory, before_it, part);
        to.memory.offset = offset_of(to.memory, after_it, part);
        copy(from, to, part, element);
    }

    void finish(std::size_t step, const Array& source) {
        const Array output{Place::output, arrays_.output};
        if (!design_.steps[step].axes.empty()) return transform(step, source, output);
        wait_for_all();
        if (source.place == Place::output) return;  // received or unpacked where it belongs
        if (!after(step).empty() && shape_.batch != 0) copy(source, output, after(step), element(step, true));
    }

    /// In pieces where the exchange before or after is; `made` is called after each of them.
    void transform(std::size_t step, const Array& from, const Array& to,
                   const std::function<void(std::uint64_t)>& made = {}) {
        const Cut pieces = cut(step);
        std::optional<Planned> last;
        for (std::uint64_t piece = 0; piece < pieces.count; ++piece) {
            if (piece < arrivals_.size()) order(arrivals_[piece], false, false);
            transform_piece(step, from, to, piece, last);
            if (made) made(piece);
        }
        arrivals_.clear();
    }

    /// What was planned for a piece: others that are as large, an even number of elements further on, have its plan.
    struct Planned {
        Transform transform = {};
        std::uint64_t elements = 0, from = 0, to = 0;
    };

    void transform_piece(std::size_t step, Array from, Array to, std::uint64_t piece, std::optional<Planned>& last) {
        const Cut pieces = cut(step);
        Step part = design_.steps[step];
        part.before = {pieces_of(before(step), pieces, piece, piece + 1)};
        part.after = {pieces_of(after(step), pieces, piece, piece + 1)};
        const Box &old_box = part.before[0], &new_box = part.after[0];
        if (old_box.empty() || shape_.batch == 0) return;
        from.memory.offset = offset_of(from.memory, before(step), old_box);
        to.memory.offset = offset_of(to.memory, after(step), new_box);
        std::size_t last_step = design_.steps.size() - 1;
        while (design_.steps[last_step].axes.empty()) --last_step;
        const bool in_place = arrays_.is_in_place && from.place == Place::input && to.place == Place::output;
        const auto is_even = [](std::uint64_t a, std::uint64_t b) { return (a - b) % 2 == 0; };
        if (last && last->elements == old_box.count() && is_even(from.memory.offset, last->from) &&
            is_even(to.memory.offset, last->to)) {
            last->transform.from_bytes += (from.memory.offset - last->from) * element(step, true).bytes();
            last->transform.to_bytes += (to.memory.offset - last->to) * element(step, false).bytes();
        } else {
            last = Planned{plan_step(program_.device, problem_, shape_, part, 0, from.memory, to.memory,
                                     step == last_step, in_place, arrays_.directions),
                           old_box.count()};
        }
        last->from = from.memory.offset;
        last->to = to.memory.offset;
        const Transform& made = last->transform;
        program_.scratch_bytes = std::max(program_.scratch_bytes, made.plan.workspace_bytes());
        Run run{made.plan, from.place, to.place, made.from_bytes, made.to_bytes};
        if (part.twiddles) add_twiddles(run, old_box);
        program_.actions.emplace_back(std::move(run));
    }

    void add_twiddles(Run& run, const Box& box) {
        if (tables_.empty()) tables_ = twiddle_tables(program_.device, shape_, problem_.precision);
        run.tables = tables_;
        const std::uint64_t start = box.lower[static_cast<std::size_t>(shape_.factors->second)];
        run.numbers = {{"start", static_cast<double>(start)}};
    }

    std::size_t new_mark() {
        program_.marks.push_back(program_.driver->make_mark(program_.device));
        return program_.marks.size() - 1;
    }
    void order(std::size_t mark, bool is_beside, bool records) {
        program_.actions.emplace_back(Sync{mark, is_beside, records});
    }
    /// What the exchange before left in the second queue.
    void wait_for_all() {
        if (!arrivals_.empty()) order(arrivals_.back(), false, false);
        arrivals_.clear();
    }
    void grow(Place place, std::uint64_t bytes) {
        if (place == Place::output) return;
        program_.bytes_of(place) = std::max(program_.bytes_of(place), bytes);
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
    void copy_parts(const Side& side, Place messages, const Array& array, const Element& element, bool packs) {
        for (std::size_t i = 0; i < side.parts.size();) {
            const Part& part = side.parts[i];
            Array message{messages, dense(part.region, exchange_.order, shape_.batch)}, own = array;
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

    /// An exchange between these parts of all ranks; in pieces the rank's own part is left out.
    void move(std::size_t step, const std::vector<Box>& from, const std::vector<Box>& to, std::uint64_t element_bytes) {
        const std::vector<std::uint64_t> zeros(from.size(), 0);
        Move move{sent(step), target(step), zeros, zeros, zeros, zeros};
        move.is_beside = goes_in_pieces(step);
        for (std::size_t rank = 0; rank < from.size(); ++rank) {
            if (move.is_beside && rank == arrays_.rank) continue;
            const auto bytes = [&](std::size_t a, std::size_t b) {
                return intersection(from[a], to[b]).count() * shape_.batch * element_bytes;
            };
            move.send_bytes[rank] = bytes(arrays_.rank, rank);
            move.receive_bytes[rank] = bytes(rank, arrays_.rank);
            if (rank != arrays_.rank) program_.bytes_sent += move.send_bytes[rank];
        }
        if (goes_by_rows(step)) {
            move.rows = plan_rows({windows_.from, from}, {windows_.to, to}, arrays_.rank, shape_.batch, element_bytes);
            if (move.is_beside) move.rows[arrays_.rank].clear();
        } else {
            for (const Part& part : exchange_.send.parts) move.send_offsets[part.rank] = part.offset * element_bytes;
            for (const Part& part : exchange_.receive.parts)
                move.receive_offsets[part.rank] = part.offset * element_bytes;
        }
        program_.actions.emplace_back(std::move(move));
    }

    void say_exchange(std::size_t step, std::size_t stages) {
        const std::uint64_t element_bytes = element(step, false).bytes();
        if (goes_by_rows(step) && windows_.are_shared) {
            grow(sent(step), windows_.from[arrays_.rank].count() * shape_.batch * element_bytes);
        } else {
            // One array is there with the elements that go to nobody too.
            const auto room = [&](const Side& side) {
                return std::max(side.elements, side.is_one_array ? side.region.count() * shape_.batch : 0);
            };
            grow(sent(step), room(exchange_.send) * element_bytes);
            grow(target(step), room(exchange_.receive) * element_bytes);
        }
        program_.text += "\nexchange " + std::to_string(exchange_.send.elements * element_bytes) + " bytes in " +
                         std::to_string(exchange_.send.parts.size()) +
                         (goes_by_rows(step) ? " messages, in rows" : " messages");
        if (goes_in_pieces(step)) program_.text += ", in " + std::to_string(stages) + " pieces";
        ++program_.exchanges;
    }

    const Problem& problem_;
    const Shape& shape_;
    const Design& design_;
    const Arrays& arrays_;
    Program program_;
    ExchangePlan exchange_;                    ///< After the step at hand; in `receive` the one before it.
    std::vector<StageBufferArgument> tables_;  ///< Of twiddles.
    Windows windows_;                          ///< Of that exchange where it goes in rows.
    /// Marks of the second queue: that the pieces of what the step at hand reads have come.
    std::vector<std::size_t> arrivals_;
};

}  // namespace

Program make_program(const Device& device, const Problem& problem, const Shape& shape, const Design& design,
                     const Arrays& arrays) {
    return Builder(device, problem, shape, design, arrays).build();
}

}  // namespace seiche::distributed
