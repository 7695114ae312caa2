// The SIMD core between real sequences of 2 n numbers and the n points of a right-angle convolution
// (group/split_halves.cpp says which these are): one half of a sequence after the other goes between memory and a plane
// of scratch; points are turned where the first stage reads them, and where the last one leaves them.
#include <algorithm>

#include "kernels/simd/lanes.hpp"
#include "kernels/simd/simd_kernel.hpp"
#include "kernels/tables.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

bool SimdKernel::has_halves(Side side) const { return spec_.side(side).has_halves(); }

Complex SimdKernel::from_halves(Value element, Complex x) {
    return apply_to_lanes(Side::input, {x.re, -x.im}, place(element, 0, per_iteration()));
}

Complex SimdKernel::to_halves(Value element, Complex y) {
    y = apply_to_lanes(Side::output, y, place(element, 0, per_iteration()));
    return {y.re, -y.im};
}

/// w^(element) w^(loop's index), of which each lane has its own.
Complex SimdKernel::lane_turn(const Turn& t, Complex x, const Place& at) {
    const TurnRoots roots = turn_roots(spec_, t);
    const Complex own = frame_.table_entry(roots.elements, at.element, at.exists);
    const auto loop = static_cast<std::size_t>(t.loop);
    if (shares_) return x * (splat(own) * frame_.table_run(roots.loop, frame_.loop_index(at.sequence, loop), lanes_));
    std::vector<Value> re, im;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        const Complex w = frame_.table_entry(roots.loop, frame_.loop_index(unit_.sequences[lane], loop));
        re.push_back(w.re);
        im.push_back(w.im);
    }
    const Value all = compose_lanes(re);
    return x * (splat(own) * Complex{all, compose_lanes(im)});
}

void SimdKernel::for_each_of_half(const Way& way, std::uint64_t half, const Body& run, const Body& point) {
    const std::uint64_t first = half * spec_.n, last = first + spec_.n;
    for (const Range& range : ranges(way.side, 2 * spec_.n)) {
        const std::uint64_t begin = std::clamp(range.begin, first, last), end = std::clamp(range.end, first, last);
        if (begin < end) for_each_in({begin - first, end - first}, way.in_runs, run, point);
    }
}

Value SimdKernel::plane_place(Value index, std::uint64_t half, std::uint64_t ahead) {
    return index * std::uint64_t{per_point()} + (half * plane_points() + ahead) * per_point();
}

/// Of one lane.
Value SimdKernel::load_number(Value index, std::uint64_t half, unsigned lane) {
    const std::uint64_t behind = half * spec_.n;
    const Value address = frame_.address(origin(lane, Side::input), index, behind, Side::input);
    return frame_.load_real(address, 1, predicate(Side::input, place(index + behind, lane)));
}

void SimdKernel::store_number(Value index, std::uint64_t half, unsigned lane, Value x) {
    const std::uint64_t behind = half * spec_.n;
    const Value address = frame_.address(origin(lane, Side::output), index, behind, Side::output);
    frame_.store_real(address, x, predicate(Side::output, place(index + behind, lane)));
}

/// A register of numbers that lie side by side, all of which are there.
void SimdKernel::load_numbers(std::uint32_t array, Value index, std::uint64_t half) {
    const std::uint64_t behind = half * spec_.n;
    const Value predicated = shape_.across ? predicate(Side::input, place(index + behind, 0)) : Value{};
    const Value address = frame_.address(origin(0, Side::input), index, behind, Side::input);
    build_.shared_store(array, plane_place(index, half, 0), frame_.load_real(address, lanes_, predicated));
}

void SimdKernel::store_numbers(std::uint32_t array, Value index, std::uint64_t half) {
    const std::uint64_t behind = half * spec_.n;
    const Value predicated = shape_.across ? predicate(Side::output, place(index + behind, 0)) : Value{};
    const Value address = frame_.address(origin(0, Side::output), index, behind, Side::output);
    const ir::Type type = frame_.real.with_lanes(lanes_);
    frame_.store_real(address, build_.shared_load(array, plane_place(index, half, 0), type), predicated);
}

/// As many numbers of every lane's own sequence as there are lanes, transposed in registers.
void SimdKernel::load_number_block(std::uint32_t array, Value index, std::uint64_t half) {
    std::vector<Value> rows;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        const Value address = frame_.address(origin(lane, Side::input), index, half * spec_.n, Side::input);
        rows.push_back(frame_.load_real(address, lanes_, {}));
    }
    rows = interleave(build_, rows, 1);
    for (unsigned e = 0; e < lanes_; ++e) build_.shared_store(array, plane_place(index, half, e), rows[e]);
}

void SimdKernel::store_number_block(std::uint32_t array, Value index, std::uint64_t half) {
    const ir::Type type = frame_.real.with_lanes(lanes_);
    std::vector<Value> rows;
    for (unsigned e = 0; e < lanes_; ++e) rows.push_back(build_.shared_load(array, plane_place(index, half, e), type));
    rows = interleave(build_, rows, 1);
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        const Value address = frame_.address(origin(lane, Side::output), index, half * spec_.n, Side::output);
        frame_.store_real(address, rows[lane], {});
    }
}

void SimdKernel::load_lane_numbers(std::uint32_t array, Value index, std::uint64_t half) {
    if (!shape_.across) {
        build_.shared_store(array, plane_place(index, half, 0), load_number(index, half, 0));
        return;
    }
    std::vector<Value> numbers;
    for (unsigned lane = 0; lane < lanes_; ++lane) numbers.push_back(load_number(index, half, lane));
    build_.shared_store(array, plane_place(index, half, 0), compose_lanes(numbers));
}

void SimdKernel::store_lane_numbers(std::uint32_t array, Value index, std::uint64_t half) {
    const Value at = plane_place(index, half, 0);
    if (!shape_.across) {
        store_number(index, half, 0, build_.shared_load(array, at, frame_.real));
        return;
    }
    const Value all = build_.shared_load(array, at, frame_.real.with_lanes(lanes_));
    for (unsigned lane = 0; lane < lanes_; ++lane) store_number(index, half, lane, build_.extract(all, lane));
}

/// Whether registers of numbers lie side by side in memory: along a sequence, or across sequences.
bool SimdKernel::halves_in_runs(Side side) const { return points_are_neighbours(side) && !keeps_by_loop(side); }
bool SimdKernel::halves_in_lanes(Side side) const {
    return shape_.across && lanes_are_neighbours(side) && !keeps_by_loop(side);
}

void SimdKernel::move_halves(Side side, std::uint32_t array, const Way& way) {
    const bool is_in = side == Side::input, in_blocks = shape_.across && way.in_runs;
    for (const std::uint64_t half : {0u, 1u}) {
        const auto by_lane = [&](Value index) {
            is_in ? load_lane_numbers(array, index, half) : store_lane_numbers(array, index, half);
        };
        const auto block = [&](Value index) {
            is_in ? load_number_block(array, index, half) : store_number_block(array, index, half);
        };
        const auto vector = [&](Value index) {
            is_in ? load_numbers(array, index, half) : store_numbers(array, index, half);
        };
        if (in_blocks)
            for_each_of_half(way, half, block, by_lane);
        else if (way.in_runs)
            for_each_of_half(way, half, vector, by_lane);
        else if (shape_.across && way.in_lanes)
            for_each_of_half(way, half, vector, vector);
        else
            for_each_of_half(way, half, by_lane, by_lane);
    }
}

/// All of a unit's numbers; what is not there is 0 in scratch.
void SimdKernel::stage_halves(Side side, std::uint32_t array) {
    const Way slow{side, spec_.n, false};
    const Way fast{side, spec_.n, halves_in_runs(side) && lanes_ > 1, halves_in_lanes(side)};
    const bool is_pruned = side == Side::input && !spec_.in.kept.ranges.empty();
    const Value is_whole = shape_.across ? Value{} : keeps_whole(side);
    if (is_pruned && !is_whole) clear(array, 0);
    Value together = is_whole;
    if (shape_.across && (fast.in_runs || fast.in_lanes)) together = may_go_together(side);
    if (!together) {
        move_halves(side, array, fast);
        return;
    }
    build_.begin_if(together);
    move_halves(side, array, is_whole ? Way{side, spec_.n, true} : fast);
    build_.begin_else();
    if (is_whole && is_pruned) clear(array, 0);
    move_halves(side, array, slow);
    build_.end_if();
}

}  // namespace seiche::kernels
