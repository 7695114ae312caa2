// r2c and c2r along one axis over several ranks: pairs of real numbers count as complex ones, and each value of the
// spectrum is made of two of theirs, of which the second comes from another rank.
#include <algorithm>
#include <utility>

#include "agreement.hpp"
#include "sequence.hpp"

namespace seiche::distributed {

namespace {

class HalvedBuilder {
public:
    HalvedBuilder(Communicator& communicator, const Device& device, const Route& route, const Problem& problem,
                  const Boxes& boxes, const DistributedOptions& options)
        : communicator_(communicator),
          device_(device),
          halves_(*route.halves),
          problem_(problem),
          options_(options),
          is_forward_(route.shape.kind == Kind::r2c),
          reals_(is_forward_ ? boxes.input : boxes.output),
          bins_(is_forward_ ? boxes.output : boxes.input),
          rank_(static_cast<std::size_t>(communicator.rank())),
          n_(route.shape.lengths[0]),
          count_(halves_.mirrored[rank_].count()) {
        const auto memory = [&](const Box& box, bool is_input) {
            return memory_of(box, (is_input ? problem.input : problem.output).batch_distance, problem.batch);
        };
        real_memory_ = memory(reals_[rank_], is_forward_);
        bin_memory_ = memory(bins_[rank_], !is_forward_);
        sequence_.is_in_place = problem.placement == Placement::in_place;
        const std::uint64_t real_bytes = reach(real_memory_, reals_[rank_], problem.batch) * number_bytes(),
                            bin_bytes = reach(bin_memory_, bins_[rank_], problem.batch) * 2 * number_bytes();
        sequence_.input_bytes = is_forward_ ? real_bytes : bin_bytes;
        sequence_.output_bytes = is_forward_ ? bin_bytes : real_bytes;
        const std::uint64_t bytes = count_ * problem.batch * 2 * number_bytes();
        values_ = sequence_.add_room(bytes);
        others_ = sequence_.add_room(bytes);
    }

    Sequence forward() {
        Span pairs{Span::Where::input};
        if (!lies_as_pairs()) {
            pairs = real_room();
            move_reals({Span::Where::input}, pairs);
        }
        transform(pairs, values_);
        repeat_first_value();
        move_mirrored(values_, dense_values());
        combine(values_, {Span::Where::output}, Place::input);
        return std::move(sequence_);
    }

    Sequence inverse() {
        move_mirrored({Span::Where::input}, bin_memory_);
        combine({Span::Where::input}, values_, Place::output);
        const Span pairs = lies_as_pairs() ? Span{Span::Where::output} : real_room();
        transform(values_, pairs);
        if (!lies_as_pairs()) move_reals(pairs, {Span::Where::output});
        return std::move(sequence_);
    }

private:
    std::uint64_t number_bytes() const { return stored_bytes(problem_.precision, problem_.storage); }
    Element element(bool is_complex) const { return {problem_.precision, problem_.storage, is_complex}; }
    const Box& own_reals() const { return halves_.reals[rank_]; }

    /// Whether this rank's real numbers are an array of complex ones.
    bool lies_as_pairs() const {
        return !halves_.moves_reals && real_memory_.strides[0] == 1 &&
               (problem_.batch <= 1 || real_memory_.distance % 2 == 0);
    }
    Span real_room() { return sequence_.add_room(own_reals().count() * problem_.batch * number_bytes()); }
    /// For r2c as many as bins, of which the last one may be that of index 0 again.
    Memory dense_values() const { return {{1}, static_cast<std::int64_t>(count_), 0}; }

    /// Between the caller's real numbers and whole pairs, on all ranks or on this one alone.
    void move_reals(const Span& from, const Span& to) {
        const Memory pairs = memory_of(own_reals(), 0, problem_.batch);
        Leg leg{{}, from, to};
        if (halves_.moves_reals) {
            Moving moving{element(false), {n_}, problem_.batch, reals_, halves_.reals, real_memory_, pairs};
            if (!is_forward_) {
                std::swap(moving.from, moving.to);
                std::swap(moving.input, moving.output);
            }
            leg.program = make_moving(communicator_, device_, moving);
        } else if (!own_reals().empty() && problem_.batch != 0) {
            Copy copy = plan_copy(device_, element(false), own_reals(), problem_.batch,
                                  is_forward_ ? real_memory_ : pairs, is_forward_ ? pairs : real_memory_);
            add(leg.program, {std::move(copy.plan), Place::input, Place::output, copy.from_bytes, copy.to_bytes, true});
            leg.program.text = "copy\n";
        }
        sequence_.legs.push_back(std::move(leg));
    }

    void add(Program& program, Run run) const {
        program.device = device_;
        program.driver = communicator_.marks(device_);
        program.scratch_bytes = run.plan.workspace_bytes();
        program.actions.emplace_back(std::move(run));
    }

    /// The complex transform, whose programs become this one's.
    void transform(const Span& from, const Span& to) {
        Problem half = halves_.problem;
        if (problem_.batch > 1) {
            const std::int64_t pairs = lies_as_pairs() ? real_memory_.distance / 2 : 0,
                               values = dense_values().distance;
            half.input.batch_distance = is_forward_ ? pairs : values;
            half.output.batch_distance = is_forward_ ? values : pairs;
        }
        Sequence inner = make_sequence(communicator_, device_, halves_.route, half, halves_.boxes,
                                       is_forward_ ? Directions::forward : Directions::inverse, options_);
        const std::uint64_t room = sequence_.add_room(inner.room_bytes).bytes;
        const auto place = [&](const Span& span) {
            if (span.where == Span::Where::input) return from;
            if (span.where == Span::Where::output) return to;
            return Span{Span::Where::workspace, room + span.bytes};
        };
        for (Leg& leg : inner.legs) sequence_.legs.push_back({std::move(leg.program), place(leg.from), place(leg.to)});
    }

    /// The value of index n/2 is that of index 0.
    void repeat_first_value() {
        const std::uint64_t bins = n_ / 2 + 1;
        Moving moving{element(true), {1}, problem_.batch, {}, {}, dense_values(), dense_values()};
        for (const Box& box : bins_) {
            const std::uint64_t firsts = !box.empty() && box.lower[0] == 0 ? 1 : 0,
                                lasts = !box.empty() && box.upper[0] == bins ? 1 : 0;
            moving.from.push_back({{0}, {firsts}});
            moving.to.push_back({{0}, {lasts}});
        }
        Span last = values_;
        if (!moving.to[rank_].empty()) last.bytes += (count_ - 1) * 2 * number_bytes();
        sequence_.legs.push_back({make_moving(communicator_, device_, moving), values_, last});
    }

    void move_mirrored(const Span& from, const Memory& memory) {
        const Memory mirrored = memory_of(halves_.mirrored[rank_], 0, problem_.batch);
        const Moving moving{element(true), {n_ / 2 + 1}, problem_.batch, bins_, halves_.mirrored, memory, mirrored};
        sequence_.legs.push_back({make_moving(communicator_, device_, moving), from, others_});
    }

    /// What is made of the value at k and the other one at n/2 - k.
    UserStage pair_stage() const {
        std::string text = "let at = 2 * (batch * " + std::to_string(count_) + " + (" + std::to_string(count_ - 1) +
                           " - i0)); let other = complex(mirror[at], mirror[at + 1]); let place = i0 + " +
                           std::to_string(bins_[rank_].lower[0]) + "; " + twiddle_text(n_);
        if (is_forward_)
            text +=
                "let even = value + conj(other); let odd = twiddle * (value - conj(other));"
                "return 0.5 * (even + complex(odd.im, -odd.re));";
        else  // the imaginary parts at 0 and n/2 are ignored
            text +=
                "let own = place == 0 ? complex(value.re, 0.0) : value;"
                "let far = place == 0 ? complex(other.re, 0.0) : other;"
                "let even = own + conj(far); let odd = conj(twiddle) * (own - conj(far));"
                "return even + complex(-odd.im, odd.re);";
        UserStage stage(text);
        stage.buffers = twiddle_buffers(n_, problem_.precision);
        stage.buffers.push_back({"mirror", stage.buffers.front().type, 2 * count_ * problem_.batch});
        return stage;
    }

    Plan pair_plan() const {
        Problem problem;
        problem.lengths = {count_, 1};
        problem.axes = {1};
        problem.precision = problem_.precision;
        problem.batch = problem_.batch;
        problem.forward_store = pair_stage();
        const auto lay = [&](Layout& layout, const Memory& memory) {
            layout.strides = {memory.strides[0], 1};
            if (problem_.batch > 1) layout.batch_distance = memory.distance;
        };
        lay(problem.input, is_forward_ ? dense_values() : bin_memory_);
        lay(problem.output, is_forward_ ? bin_memory_ : dense_values());
        PlanOptions options;
        options.directions = Directions::forward;
        return Plan(device_, problem, options);
    }

    /// `values`: which of the two arrays is that in the workspace.
    void combine(const Span& from, const Span& to, Place values) {
        Leg leg{{}, from, to};
        leg.program.text = "combine pairs\n";
        together(communicator_, [&] {
            if (count_ * problem_.batch == 0) return;
            Run run{pair_plan(), Place::input, Place::output, 0, 0, true};
            run.tables = twiddle_tables(device_, n_, problem_.precision);
            run.beside = "mirror";
            run.beside_place = values;
            run.beside_bytes = others_.bytes - values_.bytes;
            add(leg.program, std::move(run));
        });
        sequence_.legs.push_back(std::move(leg));
    }

    Communicator& communicator_;
    const Device& device_;
    const Halves& halves_;
    const Problem& problem_;
    const DistributedOptions& options_;
    bool is_forward_;
    const std::vector<Box>&reals_, &bins_;
    std::size_t rank_;
    std::uint64_t n_;
    std::uint64_t count_;  ///< Values that this rank combines.
    Memory real_memory_ = {}, bin_memory_ = {};
    Sequence sequence_ = {};
    Span values_ = {}, others_ = {};
};

}  // namespace

Sequence make_halved_sequence(Communicator& communicator, const Device& device, const Route& route,
                              const Problem& problem, const Boxes& boxes, const DistributedOptions& options) {
    HalvedBuilder builder(communicator, device, route, problem, boxes, options);
    return route.shape.kind == Kind::r2c ? builder.forward() : builder.inverse();
}

}  // namespace seiche::distributed
