// The ways of a SIMD kernel between memory and its lanes: whole registers where lanes lie side by side, blocks that are
// transposed in registers where each lane has a contiguous sequence of its own, and point by point where neither holds.
#include <algorithm>

#include "kernels/simd/lanes.hpp"
#include "kernels/simd/simd_kernel.hpp"
#include "kernels/tables.hpp"
#include "kernels/user_stage.hpp"
#include "support/strides.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

/// True if which elements are kept depends on a loop, or is asked of a part of a longer transform.
bool SimdKernel::keeps_by_loop(Side side) const {
    return !kept(side).ranges.empty() && (kept(side).loop >= 0 || kept(side).element_stride != 1);
}

/// The elements of a sequence that may be touched; of those that depend on a loop, the predicate decides.
std::vector<Range> SimdKernel::ranges(Side side, std::uint32_t points) const {
    if (kept(side).own) return {{kept(side).own->begin, std::min<std::uint64_t>(kept(side).own->end, points)}};
    if (kept(side).ranges.empty() || keeps_by_loop(side)) return {{0, points}};
    return kept_elements(kept(side), points);
}

/// Points that may be touched, by aligned runs of as many as there are lanes where that is possible, else one by one.
void SimdKernel::for_each_kept(const Way& way, const Body& run, const Body& point) {
    for (const Range& range : ranges(way.side, way.points)) for_each_in(range, way.in_runs, run, point);
}

void SimdKernel::for_each_in(const Range& range, bool in_runs, const Body& run, const Body& point) {
    const auto begin = static_cast<std::uint32_t>(range.begin), end = static_cast<std::uint32_t>(range.end);
    const std::uint32_t head = std::min((begin + lanes_ - 1) / lanes_ * lanes_, end);
    const std::uint32_t whole = std::max(head, end / lanes_ * lanes_);
    if (!in_runs) {
        for_each(begin, end, 1, point);
        return;
    }
    for_each(begin, head, 1, point);
    for_each(head, whole, lanes_, run);
    for_each(whole, end, 1, point);
}

/// The input's points that are not kept.
void SimdKernel::for_each_missing(std::uint32_t points, const Body& point) {
    std::uint32_t begin = 0;
    for (const Range& range : ranges(Side::input, points)) {
        for_each(begin, static_cast<std::uint32_t>(range.begin), 1, point);
        begin = static_cast<std::uint32_t>(range.end);
    }
    for_each(begin, points, 1, point);
}

/// True if a stage needs another loop index in every lane, or may leave out some lanes of a register.
bool SimdKernel::parts_lanes(Side side) const {
    if (shape_.across ? keeps_by_loop(side) && (kept(side).loop == 0 || !shares_) : !kept(side).ranges.empty())
        return true;
    return std::any_of(stages(side).begin(), stages(side).end(), [this](const Stage& stage) {
        const Chirp* chirp = std::get_if<Chirp>(&stage);
        const ChirpSpectrum* spectrum = std::get_if<ChirpSpectrum>(&stage);
        if (std::holds_alternative<SpectrumProduct>(stage)) return true;
        const auto differs = [this](std::int32_t loop) { return loop == 0 || (loop > 0 && !shares_); };
        if (shape_.across) return (chirp && differs(chirp->loop)) || (spectrum && differs(spectrum->loop));
        return chirp || (spectrum && (spectrum->loop >= 0 || spectrum->element_stride != 1)) ||
               std::holds_alternative<FourStepTwiddle>(stage);
    });
}

bool SimdKernel::points_are_neighbours(Side side) const { return spec_.side(side).stride == 1; }

bool SimdKernel::lanes_are_neighbours(Side side) const {
    for (const Gap& gap : spec_.loops[0].gaps)
        if (gap.at % lanes_ != 0) return false;
    return (side == Side::input ? spec_.loops[0].input_stride : spec_.loops[0].output_stride) == 1;
}

/// True if a stage takes an index from a loop, so that runs of points or of lanes do not pass through it as one.
bool SimdKernel::parts_loops(Side side) const { return keeps_by_loop(side) || stages_part_loops(side); }

bool SimdKernel::stages_part_loops(Side side) const {
    return std::any_of(stages(side).begin(), stages(side).end(), [](const Stage& stage) {
        const Chirp* chirp = std::get_if<Chirp>(&stage);
        const ChirpSpectrum* spectrum = std::get_if<ChirpSpectrum>(&stage);
        return (chirp && chirp->loop >= 0) || (spectrum && spectrum->loop >= 0) ||
               std::holds_alternative<FourStepTwiddle>(stage) || std::holds_alternative<SpectrumProduct>(stage);
    });
}

/// True if registers of the first or last stage can be loaded or stored as they are.
bool SimdKernel::is_direct(Side side) const {
    if (side == Side::input ? spec_.in.map() != nullptr : spec_.out.map() != nullptr) return false;
    if (spec_.convolution.prime || has_halves(side)) return false;
    if (lanes_ == 1) return true;
    if (parts_lanes(side)) return false;
    return shape_.across ? shares_ && lanes_are_neighbours(side) : points_are_neighbours(side);
}

Value SimdKernel::origin(unsigned lane, Side side) const {
    const std::vector<Value>& origins = side == Side::input ? unit_.input : unit_.output;
    return origins[origins.size() == 1 ? 0 : lane];
}

Place SimdKernel::place(Value element, unsigned lane, std::uint32_t run) const {
    const Value sequence = unit_.sequences[unit_.sequences.size() == 1 ? 0 : lane];
    return {element, sequence, unit_.live.empty() ? Value{} : unit_.live[lane], run};
}

Value SimdKernel::predicate(Side side, const Place& at) {
    const Value let_through = within(frame_, stages(side), at), is_kept = frame_.kept(at.element, at.sequence, side);
    const Value inside = !let_through ? is_kept : !is_kept ? let_through : let_through & is_kept;
    return !inside ? at.exists : !at.exists ? inside : inside & at.exists;
}

void SimdKernel::for_each(std::uint32_t begin, std::uint32_t end, std::uint32_t step, const Body& body) {
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
Complex SimdKernel::load_vector(Value index, std::uint64_t leg) {
    const Place at = place(index + leg, 0, per_iteration());
    const Value predicated = lanes_ == 1 || shape_.across ? predicate(Side::input, at) : Value{};
    const Value address = frame_.address(origin(0, Side::input), index, leg, Side::input);
    return apply_to_lanes(Side::input, frame_.load(address, lanes_, predicated), at);
}

void SimdKernel::store_vector(Value index, std::uint64_t leg, Complex y) {
    const Place at = place(index + leg, 0, per_iteration());
    const Value predicated = lanes_ == 1 || shape_.across ? predicate(Side::output, at) : Value{};
    const Value address = frame_.address(origin(0, Side::output), index, leg, Side::output);
    frame_.store(address, apply_to_lanes(Side::output, y, at), predicated);
}

/// Stages on a register whose lanes share the element (across) or lie one element apart (along).
Complex SimdKernel::apply_to_lanes(Side side, Complex x, const Place& at) {
    for (const Stage& stage : stages(side)) {
        const FourStepTwiddle* t = std::get_if<FourStepTwiddle>(&stage);
        const bool by_lane = t && lanes_ > 1 && (t->loop == 0 || !shares_) && !spec_.movement_only;
        const Turn* turn = std::get_if<Turn>(&stage);
        const bool turns_by_lane = turn && shape_.across && turn->loop >= 0 && (turn->loop == 0 || !shares_);
        if (turns_by_lane && !spec_.movement_only)
            x = lane_turn(*turn, x, at);
        else
            x = by_lane ? lane_twiddle(*t, x, at) : apply(frame_, {stage}, x, at);
    }
    return x;
}

/// w^(j (q0 + lane)) = w^(j q0) w^(j lane): one factor for all lanes, one for every unit. Lanes that do not start at a
/// multiple of their count look up their own.
Complex SimdKernel::lane_twiddle(const FourStepTwiddle& t, Complex x, const Place& at) {
    if (!shares_) {
        std::vector<Value> re, im;
        for (unsigned lane = 0; lane < lanes_; ++lane) {
            const Place own = place(at.element, lane);
            const Value q = frame_.loop_index(own.sequence, t.loop);
            const Complex w =
                power(frame_, t.length, exponent(frame_, t.length, own.element, q), twiddled(frame_, own));
            re.push_back(w.re);
            im.push_back(w.im);
        }
        const Value all = compose_lanes(re);
        return x * Complex{all, compose_lanes(im)};
    }
    const Complex shared = shared_twiddle(t, at);
    const TableSection& section = find_section(frame_.sections, LaneTwiddles{t.length, twiddle_points(spec_), lanes_});
    const Value row = frame_.widen(at.element) * std::uint64_t{2 * lanes_} + 2 * section.offset;
    const ir::Type type = frame_.real.with_lanes(lanes_);
    const Value own_re = build_.global_load(frame_.table, row, type);
    const Value own_im = build_.global_load(frame_.table, row + std::uint64_t{lanes_}, type);
    const Value re = build_.splat(shared.re, lanes_);
    return x * (Complex{own_re, own_im} * Complex{re, build_.splat(shared.im, lanes_)});
}

/// The factor of the register's first lane.
Complex SimdKernel::shared_twiddle(const FourStepTwiddle& t, const Place& at) {
    const Value q = frame_.loop_index(at.sequence, 0);
    const std::optional<BlockTwiddles> blocks = block_twiddles(spec_, t);
    if (!blocks) return power(frame_, t.length, exponent(frame_, t.length, at.element, q), twiddled(frame_, at));
    const Value block = q / std::uint64_t{lanes_};
    return frame_.table_entry(*blocks, at.element * std::uint64_t{blocks->blocks} + block);
}

Complex SimdKernel::load_point(Value index, unsigned lane) {
    const Place at = place(index, lane);
    const Value address = frame_.address(origin(lane, Side::input), index, 0, Side::input);
    const Value predicated = predicate(Side::input, at);
    return apply(frame_, spec_.in.stages, frame_.load(address, 1, predicated), at);
}

void SimdKernel::store_point(Value index, unsigned lane, Complex y) {
    const Place at = place(index, lane);
    y = apply(frame_, spec_.out.stages, y, at);
    const Value address = frame_.address(origin(lane, Side::output), index, 0, Side::output);
    frame_.store(address, y, predicate(Side::output, at));
}

namespace {

/// Whether `lanes` sequences one after another lie side by side wherever the last is lanes - 1 ahead of the first. It
/// does not follow where the loops make several steps among them: of counts 3, 6 and strides 1, 5 sequence 3 is 5
/// ahead.
class LastTellsAll {
public:
    LastTellsAll(const std::vector<Loop>& loops, Side side, std::uint64_t lanes) : side_(side), lanes_(lanes) {
        // The batch ends no loop; of another one that is long, the ends are like those of a shorter one.
        for (std::size_t i = 0; i < loops.size() && inner_ < lanes; ++i) {
            const bool is_batch = i + 1 == loops.size();
            const std::uint64_t most = 2 * lanes, count = is_batch ? most : loops[i].count;
            own_.push_back(&loops[i]);
            real_.push_back(count);
            counts_.push_back(loops[i].gaps.empty() ? std::min(count, most) : count);
            inner_ *= counts_.back();
        }
        for (std::size_t i = own_.size(); i < loops.size(); ++i) beyond_.push_back(&loops[i]);
    }

    bool holds() const {
        constexpr std::uint64_t most_starts = 1 << 14;
        if (rises()) return true;
        if (inner_ > most_starts) return false;
        for (std::uint64_t first = 0; first < inner_; ++first) {
            const bool ends = first + lanes_ > inner_;
            for (std::size_t next = 0; next < (ends ? beyond_.size() : 1); ++next)
                if (!holds(first, ends ? step_to(next) : 0)) return false;
        }
        return true;
    }

private:
    /// Each sequence lies behind the one before.
    bool rises() const {
        std::int64_t reach = 0;
        for (const std::vector<const Loop*>& loops : {own_, beyond_})
            for (const Loop* loop : loops) {
                if (stride(*loop) <= reach) return false;
                reach += support::times(reached(*loop, std::max<std::uint64_t>(loop->count, 1) - 1), stride(*loop));
            }
        return true;
    }
    std::int64_t stride(const Loop& loop) const {
        return side_ == Side::input ? loop.input_stride : loop.output_stride;
    }
    static std::uint64_t reached(const Loop& loop, std::uint64_t counted) {
        for (std::size_t i = loop.gaps.size(); i-- > 0;)
            if (counted >= loop.gaps[i].at) counted += loop.gaps[i].skipped;
        return counted;
    }
    /// Where the loops up to the lanes lead.
    std::int64_t place(std::uint64_t sequence) const {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < own_.size(); sequence /= counts_[i++]) {
            const std::uint64_t d = sequence % counts_[i];
            const std::uint64_t index = 2 * d < counts_[i] ? d : real_[i] - (counts_[i] - d);
            sum += support::times(reached(*own_[i], index), stride(*own_[i]));
        }
        return sum;
    }
    /// From the end of all loops before loop `next` beyond these to its following index.
    std::int64_t step_to(std::size_t next) const {
        std::int64_t step = stride(*beyond_[next]);
        for (std::size_t i = 0; i < next; ++i)
            step -= support::times(reached(*beyond_[i], beyond_[i]->count - 1), stride(*beyond_[i]));
        return step;
    }
    bool holds(std::uint64_t first, std::int64_t step) const {
        const auto ahead = [&](std::uint64_t lane) {
            const std::uint64_t at = first + lane;
            return static_cast<std::uint64_t>((at < inner_ ? place(at) : place(at - inner_) + step) - place(first));
        };
        if (ahead(lanes_ - 1) != lanes_ - 1) return true;
        for (std::uint64_t lane = 1; lane + 1 < lanes_; ++lane)
            if (ahead(lane) != lane) return false;
        return true;
    }

    Side side_;
    std::uint64_t lanes_, inner_ = 1;
    std::vector<const Loop*> own_, beyond_;
    std::vector<std::uint64_t> real_, counts_;
};

}  // namespace

/// True for a unit whose lanes may be moved together: all exist, and lie side by side where that is asked. Empty:
/// always.
Value SimdKernel::may_go_together(Side side) {
    if (unit_.live.empty()) return {};
    const Value all_live = unit_.live.back();
    if (points_are_neighbours(side)) return all_live;
    const auto is_ahead = [&](unsigned lane) {
        const Value span = origin(lane, side) - origin(0, side);
        return build_.compare(ir::Op::equal, span, frame_.u64(lane));
    };
    Value together = all_live & is_ahead(lanes_ - 1);
    if (LastTellsAll(spec_.loops, side, lanes_).holds()) return together;
    for (unsigned lane = 1; lane + 1 < lanes_; ++lane) together = together & is_ahead(lane);
    return together;
}

void SimdKernel::clear(std::uint32_t array, std::uint32_t begin) {
    const Complex zero = build_.complex_constant(frame_.real.with_lanes(lanes_), 0, 0);
    for_each(begin, spec_.convolution.prime ? plane_points() : spec_.n, per_iteration(),
             [&](Value index) { write_scratch(array, index, 0, zero); });
}

/// Where a point of memory lies in scratch: a prime's where its logarithm says.
Value SimdKernel::scratch_place(Value element, Value exists) {
    if (!spec_.convolution.prime) return element;
    if (!spec_.movement_only) {
        return build_.convert(frame_.table_entry(RaderPlaces{spec_.convolution.prime}, element, exists).re,
                              ir::Scalar::u32);
    }
    const Value is_zero = build_.compare(ir::Op::equal, element, frame_.u32(0));
    return build_.select(is_zero, frame_.u32(spec_.n), element - frame_.u32(1));
}

void SimdKernel::write_place(std::uint32_t array, Value index, std::uint64_t constant, Complex x) {
    if (!spec_.convolution.prime) return write_scratch(array, index, constant, x);
    write_scratch(array, scratch_place(index + constant), 0, x);
}

Complex SimdKernel::read_place(std::uint32_t array, Value index, std::uint64_t constant) {
    if (!spec_.convolution.prime) return read_scratch(array, index, constant);
    return read_scratch(array, scratch_place(index + constant), 0);
}

/// Whether a block may lack some of its rows: the user's stage must not see elements that are not there.
bool SimdKernel::may_lack_rows(Side side) const { return shape_.across && !user_stage(stages(side)); }

/// The sequence of a lane in a block: of a unit that is not full only some exist. Empty: all do.
Value SimdKernel::has_row(bool is_full, unsigned lane) const {
    return is_full || unit_.live.empty() ? Value{} : unit_.live[lane];
}

/// As many points of every lane's own sequence as there are lanes, transposed in registers.
void SimdKernel::load_block(std::uint32_t array, Value index, bool is_full) {
    std::vector<Value> re, im;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        const Value address = frame_.address(origin(lane, Side::input), index, 0, Side::input);
        const Complex row = frame_.load(address, lanes_, has_row(is_full, lane));
        re.push_back(row.re);
        im.push_back(row.im);
    }
    re = interleave(build_, re, 1);
    im = interleave(build_, im, 1);
    for (unsigned e = 0; e < lanes_; ++e) {
        const Complex x = apply_to_lanes(Side::input, {re[e], im[e]}, place(index + std::uint64_t{e}, 0));
        write_place(array, index, e, x);
    }
}

void SimdKernel::store_block(std::uint32_t array, Value index, bool is_full) {
    std::vector<Value> re, im;
    for (unsigned e = 0; e < lanes_; ++e) {
        const Complex kept = read_place(array, index, e);
        const Complex y = apply_to_lanes(Side::output, kept, place(index + std::uint64_t{e}, 0));
        re.push_back(y.re);
        im.push_back(y.im);
    }
    re = interleave(build_, re, 1);
    im = interleave(build_, im, 1);
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        const Value address = frame_.address(origin(lane, Side::output), index, 0, Side::output);
        frame_.store(address, {re[lane], im[lane]}, has_row(is_full, lane));
    }
}

void SimdKernel::load_lanes(std::uint32_t array, Value index) {
    std::vector<Value> re, im;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        const Complex x = load_point(index, lane);
        re.push_back(x.re);
        im.push_back(x.im);
    }
    const Value all = compose_lanes(re);
    write_place(array, index, 0, {all, compose_lanes(im)});
}

void SimdKernel::store_lanes(std::uint32_t array, Value index) {
    const Complex y = read_place(array, index, 0);
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        const Value re = build_.extract(y.re, lane);
        store_point(index, lane, {re, build_.extract(y.im, lane)});
    }
}

/// Of a block that overlaps its neighbours: whether this one keeps all that a block can. Empty: no such block, or one
/// that is moved point by point anyway.
Value SimdKernel::keeps_whole(Side side) {
    const Kept& which = kept(side);
    const bool overlaps = which.loop >= 0 && which.element_stride == 1 && which.ranges.size() == 1;
    if (!overlaps || spec_.convolution.prime || stages_part_loops(side) || !points_are_neighbours(side)) return {};
    const Range own = which.own.value_or(Range{0, (has_halves(side) ? 2u : 1u) * points_touched(side)});
    const Value index = frame_.loop_index(unit_.sequences[0], static_cast<std::size_t>(which.loop));
    const Value start = index * which.loop_step + frame_.u32(own.begin);
    const Range all = which.ranges.front();
    if (all.end - all.begin < own.end - own.begin) return {};
    // Below begin the difference wraps to what is not less.
    return build_.less(start - frame_.u32(all.begin), frame_.u32(all.end - all.begin - (own.end - own.begin) + 1));
}

/// A sequence whose neighbours share a register; a prime's points are put in order one by one.
void SimdKernel::stage_in_along(std::uint32_t array) {
    const std::uint32_t touched = points_touched(Side::input), whole = touched / lanes_ * lanes_;
    if (const Value is_whole = keeps_whole(Side::input)) {
        build_.begin_if(is_whole);
        const auto run = [&](Value index) { write_scratch(array, index, 0, load_vector(index, 0)); };
        const auto point = [&](Value index) { load_lone(array, index); };
        for_each_kept({Side::input, touched, true}, run, point);
        build_.begin_else();
        clear(array, 0);
        for_each_kept({Side::input, touched, false}, run, point);
        build_.end_if();
        return;
    }
    const bool in_runs = points_are_neighbours(Side::input) && !parts_loops(Side::input) && !spec_.convolution.prime;
    const bool is_pruned = !spec_.in.kept.ranges.empty();
    const auto point = [&](Value index) { load_lone(array, index); };
    if (spec_.convolution.prime) {
        clear(array, is_pruned ? 0 : spec_.n);
    } else if (touched < spec_.n || in_runs || is_pruned) {
        clear(array, is_pruned ? 0 : whole);
    }
    const auto run = [&](Value index) { write_scratch(array, index, 0, load_vector(index, 0)); };
    for_each_kept({Side::input, touched, in_runs}, run, point);
}

void SimdKernel::stage_out_along(std::uint32_t array) {
    const std::uint32_t touched = points_touched(Side::output);
    const bool in_runs = points_are_neighbours(Side::output) && !parts_loops(Side::output) && !spec_.convolution.prime;
    const auto point = [&](Value index) { store_lone(array, index); };
    const auto run = [&](Value index) { store_vector(index, 0, read_scratch(array, index, 0)); };
    const Value is_whole = keeps_whole(Side::output);
    if (!is_whole) {
        for_each_kept({Side::output, touched, in_runs}, run, point);
        return;
    }
    build_.begin_if(is_whole);
    for_each_kept({Side::output, touched, true}, run, point);
    build_.begin_else();
    for_each_kept({Side::output, touched, false}, run, point);
    build_.end_if();
}

void SimdKernel::load_lone(std::uint32_t array, Value index) {
    const Complex x = load_point(index, 0);
    const Value at = scratch_place(index);
    build_.shared_store(array, at, x.re);
    build_.shared_store(array, at + std::uint64_t{plane_points()}, x.im);
}

void SimdKernel::store_lone(std::uint32_t array, Value index) {
    const Value at = scratch_place(index);
    const Value re = build_.shared_load(array, at, frame_.real);
    store_point(index, 0, {re, build_.shared_load(array, at + std::uint64_t{plane_points()}, frame_.real)});
}

void SimdKernel::stage_in(std::uint32_t array) {
    if (has_halves(Side::input)) {
        stage_halves(Side::input, array);
        return;
    }
    if (!shape_.across) {
        stage_in_along(array);
        return;
    }
    const std::uint32_t touched = points_touched(Side::input);
    const bool in_runs = points_are_neighbours(Side::input) && !parts_loops(Side::input);
    const bool in_lanes = lanes_are_neighbours(Side::input) && !parts_lanes(Side::input);
    const auto by_lane = [&](Value index) { load_lanes(array, index); };
    if (!spec_.convolution.prime || !spec_.in.kept.ranges.empty())
        clear(array, spec_.in.kept.ranges.empty() ? touched : 0);
    const Way way{Side::input, touched, in_runs};
    if (!in_runs && !in_lanes) {
        for_each_kept(way, by_lane, by_lane);
        return;
    }
    const Value together = may_go_together(Side::input);
    if (together) build_.begin_if(together);
    if (in_runs) {
        for_each_kept(
            way, [&](Value index) { load_block(array, index, true); }, by_lane);
    } else {
        const auto vector = [&](Value index) { write_place(array, index, 0, load_vector(index, 0)); };
        for_each_kept(way, vector, vector);
    }
    if (!together) return;
    build_.begin_else();
    if (in_runs && may_lack_rows(Side::input))
        for_each_kept(
            way, [&](Value index) { load_block(array, index, false); }, by_lane);
    else
        for_each_kept({Side::input, touched, false}, by_lane, by_lane);
    build_.end_if();
}

void SimdKernel::stage_out(std::uint32_t array) {
    if (has_halves(Side::output)) {
        stage_halves(Side::output, array);
        return;
    }
    if (!shape_.across) {
        stage_out_along(array);
        return;
    }
    const std::uint32_t touched = points_touched(Side::output);
    const bool in_runs = points_are_neighbours(Side::output) && !parts_loops(Side::output);
    const bool in_lanes = lanes_are_neighbours(Side::output) && !parts_lanes(Side::output);
    const auto by_lane = [&](Value index) { store_lanes(array, index); };
    const Way way{Side::output, touched, in_runs};
    if (!in_runs && !in_lanes) {
        for_each_kept(way, by_lane, by_lane);
        return;
    }
    const Value together = may_go_together(Side::output);
    if (together) build_.begin_if(together);
    if (in_runs) {
        for_each_kept(
            way, [&](Value index) { store_block(array, index, true); }, by_lane);
    } else {
        const auto vector = [&](Value index) { store_vector(index, 0, read_place(array, index, 0)); };
        for_each_kept(way, vector, vector);
    }
    if (!together) return;
    build_.begin_else();
    if (in_runs && may_lack_rows(Side::output))
        for_each_kept(
            way, [&](Value index) { store_block(array, index, false); }, by_lane);
    else
        for_each_kept({Side::output, touched, false}, by_lane, by_lane);
    build_.end_if();
}

}  // namespace seiche::kernels
