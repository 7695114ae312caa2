// Stages as IR: exchange of parts, scaling, four-step twiddles, Bluestein's chirp, the spectra of Bluestein and Rader,
// products with spectra in memory.
#include "kernels/pointwise.hpp"

#include <algorithm>
#include <limits>

#include "kernels/simd/lanes.hpp"
#include "kernels/tables.hpp"
#include "kernels/user_stage.hpp"

namespace seiche::kernels {

namespace {

using ir::Complex;
using ir::Value;

Complex multiply(Frame& frame, Complex x, Complex w) {
    const unsigned lanes = x.re.type().lanes;
    return x * Complex{frame.builder.splat(w.re, lanes), frame.builder.splat(w.im, lanes)};
}

struct Apply {
    Frame& frame;
    const Place& place;
    Complex x;

    Complex operator()(const SwapParts&) { return swap(x); }
    Complex operator()(const Multiply& m) { return x * frame.builder.constant(x.re.type(), m.factor); }
    Complex operator()(const FourStepTwiddle& t) {
        if (frame.spec.movement_only) return x;
        const Value q = frame.loop_index(place.sequence, t.loop);
        const Value has_power = twiddled(frame, place);
        return multiply(frame, x, power(frame, t.length, exponent(frame, t.length, place.element, q), has_power));
    }
    Complex operator()(const Chirp& c) {
        if (frame.spec.movement_only) return x;
        const Value index = chirp_index(frame, c.element_stride, c.loop, place);
        if (place.run > 1) return x * frame.table_run(ChirpTable{c.length}, index, place.run);
        const Value has_entry = frame.builder.less(index, frame.builder.integer(index.type(), c.length));
        return multiply(frame, x, frame.table_entry(ChirpTable{c.length}, index, has_entry));
    }
    Complex operator()(const ChirpSpectrum& c) {
        if (frame.spec.movement_only) return x;
        const Value index = chirp_index(frame, c.element_stride, c.loop, place);
        const SpectrumTable table{c.length, c.padded, c.results};
        if (place.run > 1) return x * frame.table_run(table, index, place.run);
        return multiply(frame, x, frame.table_entry(table, index, place.exists));
    }
    /// Sequences behind the last, and points that a chirp leaves out, have no place in the spectra.
    Complex operator()(const SpectrumProduct& p) {
        if (frame.spec.movement_only) return x;
        const Value has_sequence = frame.total ? frame.builder.less(place.sequence, frame.total) : Value{};
        const Value exists = both(both(has_sequence, place.exists), within(frame, frame.spec.out.stages, place));
        const Value at = frame.spectrum_address(p, place.element, place.sequence);
        return product(frame, p, x, frame.spectrum_run(at, 1, exists));
    }
    Complex operator()(const UserProgram& u) {
        return u.element == UserProgram::Element::mapped ? x : apply_user(frame, u, x, place);
    }
    Complex operator()(const Turn& t) {
        if (frame.spec.movement_only) return x;
        const TurnRoots roots = turn_roots(frame.spec, t);
        const bool is_run = place.run > 1;
        const Complex own = is_run ? frame.table_run(roots.elements, place.element, place.run)
                                   : frame.table_entry(roots.elements, place.element, place.exists);
        if (is_run) x = x * own;
        if (t.loop < 0) return is_run ? x : multiply(frame, x, own);
        const Value q = frame.loop_index(place.sequence, static_cast<std::size_t>(t.loop));
        const Complex of_loop = frame.table_entry(roots.loop, q);
        return multiply(frame, x, is_run ? of_loop : own * of_loop);
    }
    /// Of a run of elements, of an odd length, only the first can be its own mirror.
    Complex operator()(const OneSided& o) {
        if (frame.spec.movement_only) return x;
        ir::Builder& build = frame.builder;
        const Value index = chirp_index(frame, o.element_stride, o.loop, place);
        const auto is = [&](std::uint64_t element) {
            return build.compare(ir::Op::equal, index, build.integer(index.type(), element));
        };
        const Value is_own = o.middle != 0 ? is(0) | is(o.middle) : is(0);
        const Complex doubled = x * build.constant(x.re.type(), 2);
        const Value zero = build.constant(frame.real, 0);
        const auto choose = [&](Value own, Value other) {
            if (place.run == 1) return build.select(is_own, own, other);
            std::vector<Value> lanes{build.select(is_own, build.extract(own, 0), build.extract(other, 0))};
            for (unsigned lane = 1; lane < place.run; ++lane) lanes.push_back(build.extract(other, lane));
            return compose_lanes(lanes);
        };
        return {choose(x.re, doubled.re), choose(build.splat(zero, x.re.type().lanes), doubled.im)};
    }
    Complex operator()(const RaderSpectrum& r) {
        if (frame.spec.movement_only) return x;
        const RaderSpectrumTable table{r.prime, r.padded};
        if (place.run > 1) return x * frame.table_run(table, place.element, place.run);
        return multiply(frame, x, frame.table_entry(table, place.element, place.exists));
    }
};

}  // namespace

/// The magnitude is taken of numbers near 1, so that squares neither overflow nor vanish.
Complex product(Frame& frame, const SpectrumProduct& stage, Complex x, Complex spectrum) {
    ir::Builder& build = frame.builder;
    Complex all = x * (stage.conjugated ? conj(spectrum) : spectrum);
    if (stage.magnitude == 0) return all;
    const ir::Type type = all.re.type();
    const double least = frame.real.scalar == ir::Scalar::f32 ? 0x1p-126 : 0x1p-1022;
    const Value larger = build.binary(ir::Op::max, build.unary(ir::Op::abs, all.re), build.unary(ir::Op::abs, all.im));
    const Value unit = build.binary(ir::Op::max, larger, build.constant(type, least));
    all = {all.re / unit, all.im / unit};
    const Value magnitude = build.unary(ir::Op::sqrt, all.re * all.re + all.im * all.im);
    const Value divisor = build.binary(ir::Op::max, magnitude, build.constant(type, 0x1p-60));
    const Value factor = build.constant(type, stage.magnitude) / divisor;
    return all * factor;
}

Value chirp_index(Frame& frame, std::uint64_t element_stride, std::int32_t loop, const Place& place) {
    const std::uint64_t points = std::max(frame.spec.n, sequence_points(frame.spec, frame.spec.in.stages));
    const bool is_narrow = points * element_stride <= std::numeric_limits<std::uint32_t>::max();
    const Value index = (is_narrow ? place.element : frame.widen(place.element)) * element_stride;
    if (loop < 0) return index;
    const Value within_stride = frame.loop_index(place.sequence, static_cast<std::size_t>(loop));
    return index + (is_narrow ? within_stride : frame.widen(within_stride));
}

Value within(Frame& frame, const std::vector<Stage>& stages, const Place& place) {
    Value all;
    for (const Stage& stage : stages) {
        const Chirp* chirp = std::get_if<Chirp>(&stage);
        if (!chirp) continue;
        const Value index = chirp_index(frame, chirp->element_stride, chirp->loop, place);
        const Value inside = frame.builder.less(index, frame.builder.integer(index.type(), chirp->length));
        all = all ? all & inside : inside;
    }
    return all;
}

Value twiddled(Frame& frame, const Place& place) {
    const std::uint32_t points = sequence_points(frame.spec, frame.spec.in.stages);
    if (points >= frame.spec.n) return place.exists;
    const Value is_point = frame.builder.less(place.element, frame.u32(points));
    return place.exists ? place.exists & is_point : is_point;
}

Complex apply(Frame& frame, const std::vector<Stage>& stages, Complex x, const Place& place) {
    for (const Stage& stage : stages) x = std::visit(Apply{frame, place, x}, stage);
    return x;
}

Value exponent(Frame& frame, std::uint64_t length, Value element, Value q) {
    if (length <= std::uint64_t{1} << 32) return element * q;
    const Value wide = frame.widen(element);
    return wide * frame.widen(q);
}

Complex power(Frame& frame, std::uint64_t length, Value exponent, Value predicate) {
    const std::uint64_t step = power_table_step(length);
    const Complex low = frame.table_entry(PowerTable{length, 1, step}, exponent % step, predicate);
    const Complex high =
        frame.table_entry(PowerTable{length, step, (length + step - 1) / step}, exponent / step, predicate);
    return low * high;
}

}  // namespace seiche::kernels
