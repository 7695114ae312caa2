// The ways of a SIMD kernel between memory and its lanes: whole registers where lanes lie side by side, blocks that are
// transposed in registers where each lane has a contiguous sequence of its own, and point by point where neither holds.
#include <algorithm>

#include "kernels/bundle.hpp"
#include "kernels/lanes.hpp"
#include "kernels/tables.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

/// True if a stage needs another loop index in every lane, or may leave out some lanes of a register.
bool BundleKernel::parts_lanes(Side side) const {
    return std::any_of(stages(side).begin(), stages(side).end(), [this](const Stage& stage) {
        const Chirp* chirp = std::get_if<Chirp>(&stage);
        const ChirpSpectrum* spectrum = std::get_if<ChirpSpectrum>(&stage);
        const auto differs = [this](std::int32_t loop) { return loop == 0 || (loop > 0 && !shares_); };
        if (shape_.across) return (chirp && differs(chirp->loop)) || (spectrum && differs(spectrum->loop));
        return chirp || (spectrum && (spectrum->loop >= 0 || spectrum->element_stride != 1)) ||
               std::holds_alternative<FourStepTwiddle>(stage);
    });
}

bool BundleKernel::points_are_neighbours(Side side) const {
    return (side == Side::input ? spec_.input_stride : spec_.output_stride) == 1;
}

bool BundleKernel::lanes_are_neighbours(Side side) const {
    return (side == Side::input ? spec_.loops[0].input_stride : spec_.loops[0].output_stride) == 1;
}

/// True if a stage takes an index from a loop, so that runs of points or of lanes do not pass through it as one.
bool BundleKernel::parts_loops(Side side) const {
    return std::any_of(stages(side).begin(), stages(side).end(), [](const Stage& stage) {
        const Chirp* chirp = std::get_if<Chirp>(&stage);
        const ChirpSpectrum* spectrum = std::get_if<ChirpSpectrum>(&stage);
        return (chirp && chirp->loop >= 0) || (spectrum && spectrum->loop >= 0) ||
               std::holds_alternative<FourStepTwiddle>(stage);
    });
}

/// True if registers of the first or last stage can be loaded or stored as they are.
bool BundleKernel::is_direct(Side side) const {
    if (side == Side::input ? spec_.load_map.has_value() : spec_.store_map.has_value()) return false;
    if (lanes_ == 1) return true;
    if (parts_lanes(side)) return false;
    return shape_.across ? shares_ && lanes_are_neighbours(side) : points_are_neighbours(side);
}

/// Points from the first that a chirp without loop index lets through; all where there is none.
std::uint32_t BundleKernel::points_touched(Side side) const {
    for (const Stage& stage : stages(side)) {
        const Chirp* chirp = std::get_if<Chirp>(&stage);
        if (chirp && chirp->loop < 0 && chirp->element_stride == 1) return static_cast<std::uint32_t>(chirp->length);
    }
    return spec_.n;
}

Value BundleKernel::origin(unsigned lane, Side side) const {
    const std::vector<Value>& origins = side == Side::input ? unit_.input : unit_.output;
    return origins[origins.size() == 1 ? 0 : lane];
}

Place BundleKernel::place(Value element, unsigned lane, std::uint32_t run) const {
    const Value sequence = unit_.sequences[unit_.sequences.size() == 1 ? 0 : lane];
    return {element, sequence, unit_.live.empty() ? Value{} : unit_.live[lane], run};
}

Value BundleKernel::predicate(Side side, const Place& at) {
    const Value inside = within(frame_, stages(side), at);
    return !inside ? at.exists : !at.exists ? inside : inside & at.exists;
}

void BundleKernel::for_each(std::uint32_t begin, std::uint32_t end, std::uint32_t step, const Body& body) {
    if (begin >= end) return;
    if (end - begin <= step) {
        body(frame_.u32(begin));
        return;
    }
    const Value first = frame_.u32(begin), last = frame_.u32(end);
    const Value index = build_.begin_loop(first, last, frame_.u32(step));
    body(index);
    build_.end_loop();
}

/// One register from side by side; the first lane stands for all.
Complex BundleKernel::load_vector(Value index, std::uint64_t leg) {
    const Place at = place(index + leg, 0, per_iteration());
    const Value predicated = lanes_ == 1 || shape_.across ? predicate(Side::input, at) : Value{};
    const Value address = frame_.address(origin(0, Side::input), index, leg, Side::input);
    return apply_to_lanes(Side::input, frame_.load(address, lanes_, predicated), at);
}

void BundleKernel::store_vector(Value index, std::uint64_t leg, Complex y) {
    const Place at = place(index + leg, 0, per_iteration());
    const Value predicated = lanes_ == 1 || shape_.across ? predicate(Side::output, at) : Value{};
    const Value address = frame_.address(origin(0, Side::output), index, leg, Side::output);
    frame_.store(address, apply_to_lanes(Side::output, y, at), predicated);
}

/// Stages on a register whose lanes share the element (across) or lie one element apart (along).
Complex BundleKernel::apply_to_lanes(Side side, Complex x, const Place& at) {
    for (const Stage& stage : stages(side)) {
        const FourStepTwiddle* t = std::get_if<FourStepTwiddle>(&stage);
        const bool by_lane = t && lanes_ > 1 && (t->loop == 0 || !shares_) && !spec_.movement_only;
        x = by_lane ? lane_twiddle(*t, x, at) : apply(frame_, {stage}, x, at);
    }
    return x;
}

/// w^(j (q0 + lane)) = w^(j q0) w^(j lane): one factor for all lanes, one for every unit. Lanes that do not start at a
/// multiple of their count look up their own.
Complex BundleKernel::lane_twiddle(const FourStepTwiddle& t, Complex x, const Place& at) {
    if (!shares_) {
        std::vector<Value> re, im;
        for (unsigned lane = 0; lane < lanes_; ++lane) {
            const Place own = place(at.element, lane);
            const Value q = frame_.loop_index(own.sequence, t.loop);
            const Complex w = power(frame_, t.length, exponent(frame_, t.length, own.element, q), own.exists);
            re.push_back(w.re);
            im.push_back(w.im);
        }
        const Value all = compose_lanes(re);
        return x * Complex{all, compose_lanes(im)};
    }
    const Complex shared = shared_twiddle(t, at);
    const TableSection& section = find_section(frame_.sections, LaneTwiddles{t.length, spec_.n, lanes_});
    const Value row = frame_.widen(at.element) * std::uint64_t{2 * lanes_} + 2 * section.offset;
    const ir::Type type = frame_.real.with_lanes(lanes_);
    const Value own_re = build_.global_load(frame_.table, row, type);
    const Value own_im = build_.global_load(frame_.table, row + std::uint64_t{lanes_}, type);
    const Value re = build_.splat(shared.re, lanes_);
    return x * (Complex{own_re, own_im} * Complex{re, build_.splat(shared.im, lanes_)});
}

/// The factor of the register's first lane.
Complex BundleKernel::shared_twiddle(const FourStepTwiddle& t, const Place& at) {
    const Value q = frame_.loop_index(at.sequence, 0);
    const std::optional<BlockTwiddles> blocks = block_twiddles(spec_, t);
    if (!blocks) return power(frame_, t.length, exponent(frame_, t.length, at.element, q), {});
    const Value block = q / std::uint64_t{lanes_};
    return frame_.table_entry(*blocks, at.element * std::uint64_t{blocks->blocks} + block);
}

Complex BundleKernel::load_point(Value index, unsigned lane) {
    const Place at = place(index, lane);
    const Value address = frame_.address(origin(lane, Side::input), index, 0, Side::input);
    const Value predicated = predicate(Side::input, at);
    return apply(frame_, spec_.load, frame_.load(address, 1, predicated), at);
}

void BundleKernel::store_point(Value index, unsigned lane, Complex y) {
    const Place at = place(index, lane);
    y = apply(frame_, spec_.store, y, at);
    const Value address = frame_.address(origin(lane, Side::output), index, 0, Side::output);
    frame_.store(address, y, predicate(Side::output, at));
}

/// True for a unit whose lanes may be moved together: all exist, and lie side by side where that is asked. Empty:
/// always.
Value BundleKernel::may_go_together(Side side) {
    if (unit_.live.empty()) return {};
    const Value all_live = unit_.live.back();
    if (points_are_neighbours(side)) return all_live;
    const Value span = origin(lanes_ - 1, side) - origin(0, side);
    return all_live & build_.compare(ir::Op::equal, span, frame_.u64(lanes_ - 1));
}

void BundleKernel::clear(std::uint32_t array, std::uint32_t begin) {
    const Complex zero = build_.complex_constant(frame_.real.with_lanes(lanes_), 0, 0);
    for_each(begin, spec_.n, per_iteration(), [&](Value index) { write_scratch(array, index, 0, zero); });
}

/// As many points of every lane's own sequence as there are lanes, transposed in registers.
void BundleKernel::load_block(std::uint32_t array, Value index) {
    std::vector<Value> re, im;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        const Value address = frame_.address(origin(lane, Side::input), index, 0, Side::input);
        const Complex row = frame_.load(address, lanes_, {});
        re.push_back(row.re);
        im.push_back(row.im);
    }
    re = interleave(build_, re, 1);
    im = interleave(build_, im, 1);
    for (unsigned e = 0; e < lanes_; ++e) {
        const Complex x = apply_to_lanes(Side::input, {re[e], im[e]}, place(index + std::uint64_t{e}, 0));
        write_scratch(array, index, e, x);
    }
}

void BundleKernel::store_block(std::uint32_t array, Value index) {
    std::vector<Value> re, im;
    for (unsigned e = 0; e < lanes_; ++e) {
        const Complex kept = read_scratch(array, index, e);
        const Complex y = apply_to_lanes(Side::output, kept, place(index + std::uint64_t{e}, 0));
        re.push_back(y.re);
        im.push_back(y.im);
    }
    re = interleave(build_, re, 1);
    im = interleave(build_, im, 1);
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        const Value address = frame_.address(origin(lane, Side::output), index, 0, Side::output);
        frame_.store(address, {re[lane], im[lane]}, {});
    }
}

void BundleKernel::load_lanes(std::uint32_t array, Value index) {
    std::vector<Value> re, im;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        const Complex x = load_point(index, lane);
        re.push_back(x.re);
        im.push_back(x.im);
    }
    const Value all = compose_lanes(re);
    write_scratch(array, index, 0, {all, compose_lanes(im)});
}

void BundleKernel::store_lanes(std::uint32_t array, Value index) {
    const Complex y = read_scratch(array, index, 0);
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        const Value re = build_.extract(y.re, lane);
        store_point(index, lane, {re, build_.extract(y.im, lane)});
    }
}

void BundleKernel::stage_in(std::uint32_t array) {
    const std::uint32_t touched = points_touched(Side::input), whole = touched / lanes_ * lanes_;
    const bool in_runs = points_are_neighbours(Side::input) && !parts_loops(Side::input);
    if (!shape_.across) {
        const auto point = [&](Value index) {
            const Complex x = load_point(index, 0);
            build_.shared_store(array, index, x.re);
            build_.shared_store(array, index + std::uint64_t{plane_points()}, x.im);
        };
        if (in_runs) {
            clear(array, whole);
            for_each(0, whole, lanes_, [&](Value index) { write_scratch(array, index, 0, load_vector(index, 0)); });
        }
        for_each(in_runs ? whole : 0, in_runs ? touched : spec_.n, 1, point);
        return;
    }
    const auto by_lane = [&](Value index) { load_lanes(array, index); };
    if (!in_runs && !(lanes_are_neighbours(Side::input) && !parts_lanes(Side::input))) {
        for_each(0, spec_.n, 1, by_lane);
        return;
    }
    const Value together = may_go_together(Side::input);
    if (together) build_.begin_if(together);
    if (in_runs) {
        for_each(0, whole, lanes_, [&](Value index) { load_block(array, index); });
        for_each(whole, touched, 1, by_lane);
        clear(array, touched);
    } else {
        for_each(0, spec_.n, 1, [&](Value index) { write_scratch(array, index, 0, load_vector(index, 0)); });
    }
    if (!together) return;
    build_.begin_else();
    for_each(0, spec_.n, 1, by_lane);
    build_.end_if();
}

void BundleKernel::stage_out(std::uint32_t array) {
    const std::uint32_t touched = points_touched(Side::output), whole = touched / lanes_ * lanes_;
    const bool in_runs = points_are_neighbours(Side::output) && !parts_loops(Side::output);
    if (!shape_.across) {
        const auto point = [&](Value index) {
            const Value re = build_.shared_load(array, index, frame_.real);
            store_point(index, 0, {re, build_.shared_load(array, index + std::uint64_t{plane_points()}, frame_.real)});
        };
        if (in_runs)
            for_each(0, whole, lanes_, [&](Value index) { store_vector(index, 0, read_scratch(array, index, 0)); });
        for_each(in_runs ? whole : 0, touched, 1, point);
        return;
    }
    const auto by_lane = [&](Value index) { store_lanes(array, index); };
    if (!in_runs && !(lanes_are_neighbours(Side::output) && !parts_lanes(Side::output))) {
        for_each(0, touched, 1, by_lane);
        return;
    }
    const Value together = may_go_together(Side::output);
    if (together) build_.begin_if(together);
    if (in_runs) {
        for_each(0, whole, lanes_, [&](Value index) { store_block(array, index); });
        for_each(whole, touched, 1, by_lane);
    } else {
        for_each(0, touched, 1, [&](Value index) { store_vector(index, 0, read_scratch(array, index, 0)); });
    }
    if (!together) return;
    build_.begin_else();
    for_each(0, touched, 1, by_lane);
    build_.end_if();
}

}  // namespace seiche::kernels
