#include "kernels/group/ways.hpp"
#include "support/strides.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

namespace {

/// Of two halves, folded elements or points as they are.
class EachPoint : Pass {
public:
    EachPoint(const Pass& pass, const CoreStage& stage, Side side)
        : Pass(pass), stage_(stage), side_(side), is_one_run_(is_one_run()) {}

    void load(std::vector<Complex>& points) const {
        for_each([&](std::uint32_t, std::uint64_t leg, const At& at) { points.push_back(load_point(leg, at)); },
                 [&] { points.push_back(frame.builder.complex_constant(frame.real, 0, 0)); });
    }

    void store(const std::vector<Complex>& points) const {
        for_each(
            [&](std::uint32_t i, std::uint64_t leg, const At& at) {
                store_point(leg, at, passage.pass(side_, points[i], at.where, at.place, threads.row_of(stage_, i)));
            },
            [] {});
    }

private:
    struct At {
        ThreadButterfly where;
        Place place;
        Value origin;  // of its sequence; empty: a group's sequences are one run
    };

    /// Calls visit(which of the points, its leg, where it is), or skip() where there is none.
    template <class Visit, class Skip>
    void for_each(const Visit& visit, const Skip& skip) const {
        for (std::uint32_t u = 0; u < stage_.per_thread; ++u) {
            const ThreadButterfly where = threads.butterfly(stage_, u);
            const Value sequence = threads.sequence(where);
            const Value is_live = is_one_run_ ? exists_in_run(u) : threads.exists(where);
            const Value origin = is_one_run_ ? Value{} : sequences.origin(sequence, side_);
            for (std::uint32_t j = 0; j < stage_.radix; ++j) {
                const std::uint64_t leg = std::uint64_t{j} * stage_.butterflies;
                if (passage.is_empty(stage_, leg, side_)) {
                    skip();
                    continue;
                }
                const Place place{where.butterfly + leg, sequence, is_live};
                visit(u * stage_.radix + j, leg, At{where, place, origin});
            }
        }
    }

    FoldedPoint folded(std::uint64_t leg, const At& at, Value predicate) const {
        return {at.place, leg, leg + stage_.butterflies, at.origin, predicate};
    }

    Complex load_point(std::uint64_t leg, const At& at) const {
        if (spec.in.has_halves()) return load_halves(leg, at);
        const Value predicate = both(at.place.exists, passage.inside(stage_, leg, side_, at.place));
        if (spec.in.folded()) return load_folded(*this, folded(leg, at, predicate));
        return frame.load(address(leg, at), 1, predicate);
    }

    void store_point(std::uint64_t leg, const At& at, const Complex& y) const {
        if (spec.out.has_halves()) return store_halves(leg, at, y);
        const Value predicate = both(at.place.exists, passage.inside(stage_, leg, side_, at.place));
        if (spec.out.folded()) return store_folded(*this, folded(leg, at, predicate), y);
        frame.store(address(leg, at), y, predicate);
    }

    // A sequence of 2 n numbers is n points of a right-angle convolution, whose real component is the first half and
    // whose imaginary one is the second (Nussbaumer, "Fast polynomial transform algorithms for digital convolution",
    // 1980): modulo x^n + i a real polynomial of 2 n coefficients is its lower half less i times the upper one.

    Complex load_halves(std::uint64_t leg, const At& at) const {
        const Value origin = sequences.origin(at.place.sequence, side_);
        const auto half = [&](std::uint64_t behind) {
            if (passage.keeps(stage_, leg + behind, side_) == Keeps::none) return frame.builder.constant(frame.real, 0);
            const Value predicate = half_exists(leg, behind, at);
            return frame.load_real(frame.address(origin, at.where.butterfly, leg + behind, side_), 1, predicate);
        };
        const Value lower = half(0);
        return {lower, -half(spec.n)};
    }

    void store_halves(std::uint64_t leg, const At& at, const Complex& z) const {
        const Value origin = sequences.origin(at.place.sequence, side_);
        const auto half = [&](std::uint64_t behind, Value x) {
            if (passage.keeps(stage_, leg + behind, side_) == Keeps::none) return;
            const Value predicate = half_exists(leg, behind, at);
            frame.store_real(frame.address(origin, at.where.butterfly, leg + behind, side_), x, predicate);
        };
        half(0, z.re);
        half(spec.n, -z.im);
    }

    /// Whether the number that lies `behind` numbers behind the point's first is kept.
    Value half_exists(std::uint64_t leg, std::uint64_t behind, const At& at) const {
        const Value element = at.place.element + behind;
        const bool is_whole = passage.keeps(stage_, leg + behind, side_) == Keeps::all;
        return both(at.place.exists, is_whole ? Value{} : frame.kept(element, at.place.sequence, side_));
    }

    Value address(std::uint64_t leg, const At& at) const {
        return is_one_run_ ? sequences.origin(sequences.first(), side_) + frame.widen(at.where.flat)
                           : frame.address(at.origin, at.where.butterfly, leg, side_);
    }

    /// Whether a group's sequences follow each other in memory as its threads do, one run from end to end, and a thread
    /// has each whole in between. Where only the results are, places in memory and in shared memory cost the same
    /// (measured: docs/lab, LAB-0010).
    bool is_one_run() const {
        const bool are_both = threads.first().order == ThreadOrder::flat && threads.last().order == ThreadOrder::flat;
        const MemorySide& memory = spec.side(side_);
        if (memory.folded() || !are_both || memory.stride != 1 || !frame.total || shape.tile) return false;
        std::int64_t points = stage_.butterflies;
        for (const Loop& loop : spec.loops) {
            const bool is_input = side_ == Side::input;
            if ((is_input ? loop.input_stride : loop.output_stride) != points || !loop.gaps.empty()) return false;
            points = support::times(loop.count, points);
        }
        return true;
    }

    /// Whether butterfly u's point is one of a sequence that there is. All of them compare one number with constants.
    Value exists_in_run(std::uint32_t u) const {
        const std::uint64_t group = threads.count(), most = std::uint64_t{stage_.per_thread} * group;
        const Value left =
            frame.builder.binary(ir::Op::min, frame.total - sequences.first(), frame.u32(shape.sequences));
        const Value behind = left * std::uint64_t{stage_.butterflies} + frame.u32(most) - frame.builder.thread_id();
        return frame.builder.less(frame.u32(most + std::uint64_t{u} * group), behind);
    }

    const CoreStage& stage_;
    Side side_;
    bool is_one_run_;
};

}  // namespace

void load_each(const Pass& pass, std::vector<Complex>& points) {
    EachPoint(pass, pass.threads.first(), Side::input).load(points);
}

void store_each(const Pass& pass, const std::vector<Complex>& points) {
    EachPoint(pass, pass.threads.last(), Side::output).store(points);
}

void load_points(const Pass& pass, Registers& registers) {
    const MemorySide& memory = pass.spec.in;
    if (memory.map()) return load_real(pass, registers);
    registers.points.clear();
    const auto load = has_whole_axis(pass.spec, Side::input) ? load_axis
                      : memory.bins()                        ? (is_of_plane(*memory.bins()) ? load_plane : load_bins)
                      : pass.shape.has_mirrors_in_group() && memory.folded() ? load_mirrored
                      : memory.has_rows()                                    ? load_rows
                      : memory.has_pairs()                                   ? load_pairs
                      : moves_neighbours(pass.spec, Side::input)             ? load_neighbours
                                                                             : load_each;
    load(pass, registers.points);
    pass.passage.pass_loaded(registers.points);
}

void store_points(const Pass& pass, Registers& registers) {
    const MemorySide& memory = pass.spec.out;
    if (memory.map()) return store_real(pass, registers);
    const auto store = has_whole_axis(pass.spec, Side::output) ? store_axis
                       : memory.bins() ? (is_of_plane(*memory.bins()) ? store_plane : store_bins)
                       : pass.shape.has_mirrors_in_group() && memory.folded() ? store_mirrored
                       : memory.has_rows()                                    ? store_rows
                       : moves_neighbours(pass.spec, Side::output)            ? store_neighbours
                                                                              : store_each;
    store(pass, registers.points);
}

}  // namespace seiche::kernels
