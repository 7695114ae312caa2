// The SIMD core between real arrays. Numbers go through scratch: elements are moved between memory and scratch by whole
// registers, as complex points are, and find the core's points there, where any order costs the same.
#include "kernels/simd/lanes.hpp"
#include "kernels/simd/simd_kernel.hpp"
#include "kernels/user_stage.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

/// Of a value in scratch: a register of one element of every sequence, or one number.
ir::Type SimdKernel::number_type() const { return frame_.real.with_lanes(per_point()); }

Value SimdKernel::read_number(std::uint32_t array, Value index, Value exists) {
    return build_.shared_load(array, index * std::uint64_t{per_point()}, number_type(), exists);
}

void SimdKernel::write_number(std::uint32_t array, Value index, Value x, Value exists) {
    build_.shared_store(array, index * std::uint64_t{per_point()}, x, exists);
}

Complex SimdKernel::read_point(std::uint32_t array, Value index) {
    const Value re = read_number(array, index);
    return {re, read_number(array, index + std::uint64_t{plane_points()})};
}

void SimdKernel::write_point(std::uint32_t array, Value index, Complex x, Value exists) {
    write_number(array, index, x.re, exists);
    if (x.im) write_number(array, index + std::uint64_t{plane_points()}, x.im, exists);
}

/// Where number `index` of v lies among points.
Value SimdKernel::number_place(Value index, const RealMap& map, Value exists) {
    if (!real_core(map.kind, map.length).is_paired) return scratch_place(index, exists);
    return scratch_place(index >> 1, exists) + (index & std::uint64_t{1}) * std::uint64_t{plane_points()};
}

Complex SimdKernel::load_element(Value index, unsigned lane, unsigned count, bool is_full) {
    const Value at = frame_.address(origin(lane, Side::input), index, 0, Side::input);
    const Value exists = has_row(is_full, lane);
    return spec_.in.is_real() ? Complex{frame_.load_real(at, count, exists), {}} : frame_.load(at, count, exists);
}

void SimdKernel::store_element(Value index, unsigned lane, Complex x, bool is_full) {
    const Value at = frame_.address(origin(lane, Side::output), index, 0, Side::output);
    const Value exists = has_row(is_full, lane);
    if (spec_.out.is_real()) {
        frame_.store_real(at, x.re, exists);
    } else {
        frame_.store(at, x, exists);
    }
}

/// An element of every sequence on its way through the user's stage.
Complex SimdKernel::apply_to_elements(Side side, Value index, Complex x) {
    if (!user_stage(stages(side))) return x;
    std::vector<Value> re, im;
    for (unsigned lane = 0; lane < per_point(); ++lane) {
        const Place at = place(index, lane);
        const Complex own{build_.extract(x.re, lane), x.im ? build_.extract(x.im, lane) : Value{}};
        const Complex y = apply_to_element(frame_, stages(side), {index, at.sequence, at.exists}, own);
        re.push_back(y.re);
        if (y.im) im.push_back(y.im);
    }
    const Value all = compose_lanes(re);
    return {all, im.empty() ? Value{} : compose_lanes(im)};
}

namespace {

/// Rows of lanes become columns, in both parts of a complex number.
std::vector<Complex> transposed(ir::Builder& build, const std::vector<Complex>& rows) {
    std::vector<Value> re, im;
    for (const Complex& row : rows) {
        re.push_back(row.re);
        if (row.im) im.push_back(row.im);
    }
    re = interleave(build, re, 1);
    if (!im.empty()) im = interleave(build, im, 1);
    std::vector<Complex> columns;
    for (std::size_t i = 0; i < re.size(); ++i) columns.push_back({re[i], im.empty() ? Value{} : im[i]});
    return columns;
}

}  // namespace

/// Calls `keep` with every element of the input, one register for all lanes where they are sequences.
void SimdKernel::for_each_input(std::uint32_t count, const TakeElement& keep) {
    const Value zero = build_.splat(build_.constant(frame_.real, 0), per_point());
    for_each_missing(count, [&](Value e) { keep(e, {zero, spec_.in.is_real() ? Value{} : zero}); });
    const TakeElement take = [&](Value e, Complex x) { keep(e, apply_to_elements(Side::input, e, x)); };
    if (!shape_.across) {
        const auto one = [&](Value e) { take(e, load_element(e, 0, 1)); };
        for_each_kept({Side::input, count, false}, one, one);
        return;
    }
    const auto by_lane = [&](Value e) {
        std::vector<Value> re, im;
        for (unsigned lane = 0; lane < lanes_; ++lane) {
            const Complex x = load_element(e, lane, 1);
            re.push_back(x.re);
            if (x.im) im.push_back(x.im);
        }
        const Value all = compose_lanes(re);
        take(e, {all, im.empty() ? Value{} : compose_lanes(im)});
    };
    const bool in_runs = points_are_neighbours(Side::input);
    const Way way{Side::input, count, in_runs}, slow{Side::input, count, false};
    if (!in_runs && !lanes_are_neighbours(Side::input)) {
        for_each_kept(slow, by_lane, by_lane);
        return;
    }
    const Value together = may_go_together(Side::input);
    if (together) build_.begin_if(together);
    const auto block = [&](Value e, bool is_full) {
        std::vector<Complex> rows;
        for (unsigned lane = 0; lane < lanes_; ++lane) rows.push_back(load_element(e, lane, lanes_, is_full));
        const std::vector<Complex> columns = transposed(build_, rows);
        for (unsigned i = 0; i < lanes_; ++i) take(e + std::uint64_t{i}, columns[i]);
    };
    if (in_runs) {
        for_each_kept(
            way, [&](Value e) { block(e, true); }, by_lane);
    } else {
        const auto vector = [&](Value e) { take(e, load_element(e, 0, lanes_)); };
        for_each_kept(way, vector, vector);
    }
    if (!together) return;
    build_.begin_else();
    if (in_runs && may_lack_rows(Side::input))
        for_each_kept(
            way, [&](Value e) { block(e, false); }, by_lane);
    else
        for_each_kept(slow, by_lane, by_lane);
    build_.end_if();
}

/// Stores what `find` gives for every element of the output.
void SimdKernel::for_each_output(std::uint32_t count, const MakeElement& find) {
    const MakeElement make = [&](Value e) { return apply_to_elements(Side::output, e, find(e)); };
    if (!shape_.across) {
        const auto one = [&](Value e) { store_element(e, 0, make(e)); };
        for_each_kept({Side::output, count, false}, one, one);
        return;
    }
    const auto by_lane = [&](Value e) {
        const Complex x = make(e);
        for (unsigned lane = 0; lane < lanes_; ++lane) {
            const Value re = build_.extract(x.re, lane);
            store_element(e, lane, {re, x.im ? build_.extract(x.im, lane) : Value{}});
        }
    };
    const bool in_runs = points_are_neighbours(Side::output);
    const Way way{Side::output, count, in_runs}, slow{Side::output, count, false};
    if (!in_runs && !lanes_are_neighbours(Side::output)) {
        for_each_kept(slow, by_lane, by_lane);
        return;
    }
    const Value together = may_go_together(Side::output);
    if (together) build_.begin_if(together);
    const auto block = [&](Value e, bool is_full) {
        std::vector<Complex> columns;
        for (unsigned i = 0; i < lanes_; ++i) columns.push_back(make(e + std::uint64_t{i}));
        const std::vector<Complex> rows = transposed(build_, columns);
        for (unsigned lane = 0; lane < lanes_; ++lane) store_element(e, lane, rows[lane], is_full);
    };
    if (in_runs) {
        for_each_kept(
            way, [&](Value e) { block(e, true); }, by_lane);
    } else {
        const auto vector = [&](Value e) { store_element(e, 0, make(e)); };
        for_each_kept(way, vector, vector);
    }
    if (!together) return;
    build_.begin_else();
    if (in_runs && may_lack_rows(Side::output))
        for_each_kept(
            way, [&](Value e) { block(e, false); }, by_lane);
    else
        for_each_kept(slow, by_lane, by_lane);
    build_.end_if();
}

/// Whether bins of a lone sequence go between memory and scratch by whole registers.
bool SimdKernel::has_bins_in_runs(Side side, const RealMap& map) const {
    const std::uint64_t points = real_core(map.kind, map.length).points;
    return !shape_.across && lanes_ > 1 && has_spectrum_runs(map) && points_are_neighbours(side) &&
           !user_stage(stages(side)) && kept(side).ranges.empty() && points == spec_.n && spec_.runs_once() &&
           points >= 4 * std::uint64_t{lanes_};
}

/// Registers of pairs of bins k and m - k, and the pairs that they leave: 0, which is two bins of its own, and those
/// about the middle.
void SimdKernel::for_each_pair(const Body& run, const Body& pair) {
    const std::uint32_t middle = spec_.n / 2, whole = middle / lanes_ * lanes_;
    for_each(0, lanes_, 1, pair);
    for_each(lanes_, whole, lanes_, run);
    for_each(whole, middle + 1, 1, pair);
}

/// Of a register of pairs that begins with bin k: the least of the mirrors.
Value SimdKernel::first_mirror(Value k) { return frame_.u32(spec_.n + 1 - lanes_) - k; }

void SimdKernel::load_bins(std::uint32_t array, const RealMap& map) {
    const auto load = [&](Value e) {
        return frame_.load(frame_.address(origin(0, Side::input), e, 0, Side::input), lanes_, {});
    };
    const auto keep = [&](Value at, Complex x) {
        write_scratch(array, at, 0, apply(frame_, spec_.in.stages, x, place(at, 0, lanes_)));
    };
    const auto run = [&](Value k) {
        const Value mirrors = first_mirror(k);
        const PointPair bins{load(k), reversed(build_, load(mirrors))};
        const PointPair points = load_spectrum_run(frame_, map, k, bins);
        keep(k, points.low);
        keep(mirrors, reversed(build_, points.high));
    };
    for_each_pair(run, [&](Value k) {
        const SpectrumReader read = [&](Value e, Value) { return load_element(e, 0, 1); };
        const PointPair pair = load_spectrum_pair(frame_, map, k, read);
        write_point(array, k, apply(frame_, spec_.in.stages, pair.low, place(k, 0)), {});
        const Value other = mirror(frame_, map, k), exists = has_mirror(frame_, map, k);
        write_point(array, other, apply(frame_, spec_.in.stages, pair.high, place(other, 0)), exists);
    });
}

void SimdKernel::store_bins(std::uint32_t array, const RealMap& map) {
    const auto at = [&](Value e) { return frame_.address(origin(0, Side::output), e, 0, Side::output); };
    const auto find = [&](Value k) {
        return apply(frame_, spec_.out.stages, read_scratch(array, k, 0), place(k, 0, lanes_));
    };
    const auto run = [&](Value k) {
        const Value mirrors = first_mirror(k);
        const PointPair bins = store_spectrum_run(frame_, map, k, {find(k), reversed(build_, find(mirrors))});
        frame_.store(at(k), bins.low, {});
        frame_.store(at(mirrors), reversed(build_, bins.high), {});
    };
    const auto read = [&](Value k) { return apply(frame_, spec_.out.stages, read_point(array, k), place(k, 0)); };
    for_each_pair(run, [&](Value k) {
        const Value first = build_.compare(ir::Op::equal, k, frame_.u32(0));
        const PointPair points{read(k), read(build_.select(first, k, mirror(frame_, map, k)))};
        for (const SpectrumElement& element : store_spectrum_pair(frame_, map, k, points))
            frame_.store(at(element.index), element.value, element.exists);
    });
}

void SimdKernel::stage_in_real(std::uint32_t array) {
    const RealMap& map = *spec_.in.map();
    if (load_way(map.kind) == RealWay::spectrum && has_bins_in_runs(Side::input, map)) return load_bins(array, map);
    const auto count = static_cast<std::uint32_t>(loaded_elements(map));
    const std::uint32_t points = points_touched(Side::input);
    if (points != spec_.n) clear(array, std::min(points, spec_.n) / per_iteration() * per_iteration());
    if (load_way(map.kind) == RealWay::spectrum) {
        const std::uint32_t raw = 1 - array;
        for_each_input(count, [&](Value e, Complex x) { write_point(raw, e, x, {}); });
        for_each(0, static_cast<std::uint32_t>(spectrum_pairs(map)), 1, [&](Value k) {
            const SpectrumReader read = [&](Value e, Value exists) {
                return spec_.in.is_real() ? Complex{read_number(raw, e, exists), {}} : read_point(raw, e);
            };
            const PointPair pair = load_spectrum_pair(frame_, map, k, read);
            write_point(array, scratch_place(k), apply(frame_, spec_.in.stages, pair.low, place(k, 0)), {});
            const Value other = mirror(frame_, map, k), exists = has_mirror(frame_, map, k);
            const Complex high = apply(frame_, spec_.in.stages, pair.high, place(other, 0));
            write_point(array, scratch_place(other, exists), high, exists);
        });
        return;
    }
    const Value zero = build_.splat(build_.constant(frame_.real, 0), per_point());
    for (const std::uint64_t at : signal_zeros(map)) write_number(array, number_place(frame_.u32(at), map), zero, {});
    const bool is_paired = real_core(map.kind, map.length).is_paired;
    for_each_input(count, [&](Value e, Complex x) {
        const std::vector<SignalPlace> places = load_way(map.kind) == RealWay::natural
                                                    ? std::vector<SignalPlace>{{e, {}, {}}}
                                                    : signal_places(frame_, map, e);
        for (const SignalPlace& place : places) {
            const Value factor = place.factor ? build_.splat(place.factor, per_point()) : Value{};
            const Value at = number_place(place.index, map, place.exists);
            write_number(array, at, factor ? x.re * factor : x.re, place.exists);
            if (!is_paired) write_number(array, at + std::uint64_t{plane_points()}, zero, {});
        }
    });
    if (!is_turned(map) && !has_point_stages(spec_.in.stages)) return;
    for_each(0, points, 1, [&](Value j) {
        const Value at = scratch_place(j);
        const Complex z = turn_before(frame_, map, place(j, 0), read_point(array, at));
        write_point(array, at, apply(frame_, spec_.in.stages, z, place(j, 0)), {});
    });
}

void SimdKernel::stage_out_real(std::uint32_t array) {
    const RealMap& map = *spec_.out.map();
    if (store_way(map.kind) == RealWay::spectrum && has_bins_in_runs(Side::output, map)) return store_bins(array, map);
    const auto count = static_cast<std::uint32_t>(stored_elements(map));
    const auto read = [&](Value k) {
        return apply(frame_, spec_.out.stages, read_point(array, scratch_place(k)), place(k, 0));
    };
    if (store_way(map.kind) != RealWay::spectrum) {
        if (is_turned(map) || has_point_stages(spec_.out.stages)) {
            for_each(0, points_touched(Side::output), 1, [&](Value k) {
                write_point(array, scratch_place(k), turn_after(frame_, map, place(k, 0), read(k)), {});
            });
        }
        const SignalReader reader{[&](Value index) { return read_number(array, number_place(index, map)); },
                                  [&](Value index) { return read_point(array, scratch_place(index)); }};
        for_each_output(count, [&](Value e) -> Complex {
            if (store_way(map.kind) == RealWay::natural) return {reader.number(e), {}};
            return {stored_signal(frame_, map, e, reader), {}};
        });
        return;
    }
    const std::uint32_t raw = 1 - array;
    const bool is_paired = real_core(map.kind, map.length).is_paired;
    for_each(0, static_cast<std::uint32_t>(spectrum_pairs(map)), 1, [&](Value k) {
        PointPair points{read(k), {}};
        if (is_paired) {
            const Value first = build_.compare(ir::Op::equal, k, frame_.u32(0));
            points.high = read(build_.select(first, k, mirror(frame_, map, k)));
        }
        for (const SpectrumElement& element : store_spectrum_pair(frame_, map, k, points))
            write_point(raw, element.index, element.value, element.exists);
    });
    const MakeElement find = [&](Value e) {
        return spec_.out.is_real() ? Complex{read_number(raw, e), {}} : read_point(raw, e);
    };
    const bool in_runs = points_are_neighbours(Side::output) && !parts_loops(Side::output);
    if (shape_.across || lanes_ == 1 || !in_runs || user_stage(spec_.out.stages)) return for_each_output(count, find);
    // Neighbours in scratch are neighbours in memory.
    const auto run = [&](Value e) {
        const Value at = frame_.address(origin(0, Side::output), e, 0, Side::output);
        if (spec_.out.is_real())
            frame_.store_real(at, build_.shared_load(raw, e, frame_.real.with_lanes(lanes_)), {});
        else
            frame_.store(at, read_scratch(raw, e, 0), {});
    };
    for_each_kept({Side::output, count, true}, run, [&](Value e) { store_element(e, 0, find(e)); });
}

}  // namespace seiche::kernels
