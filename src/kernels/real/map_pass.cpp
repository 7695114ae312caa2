// A pass without a core, for real axes too long for one kernel: elements become the points of a complex transform in
// memory, or come from them. One thread has one element, one point or one pair of bins; no shared memory.
#include <algorithm>

#include "kernels/generators.hpp"
#include "kernels/real/real_map.hpp"
#include "kernels/simd/lanes.hpp"
#include "kernels/user_stage.hpp"

namespace seiche::kernels {

namespace {

using ir::Complex;
using ir::Value;

class MapKernel {
public:
    explicit MapKernel(const KernelSpec& spec)
        : frame_(spec, 2),
          build_(frame_.builder),
          spec_(spec),
          map_(spec.in.map() ? *spec.in.map() : *spec.out.map()) {}

    ir::Kernel build() {
        if (const GroupShape* group = std::get_if<GroupShape>(&spec_.shape)) {
            const std::uint32_t size = group->threads * group->sequences;
            build_.kernel().launch.group = {size, 1, 1};
            const Value sequence = build_.group_id() * std::uint64_t{size} + build_.thread_id();
            work_on(sequence, build_.less(sequence, frame_.total));
            return build_.finish();
        }
        const auto& simd = std::get<SimdShape>(spec_.shape);
        const std::uint64_t units = simd.units_per_group;
        const Value first = build_.group_id() * units;
        const Value last = build_.binary(ir::Op::min, first + units, frame_.total);
        if (simd.lanes > 1) {
            lanes_ = simd.lanes;
            run_registers(first, last);
            return build_.finish();
        }
        const Value sequence = build_.begin_loop(first, last, frame_.u32(1));
        work_on(sequence, {});
        build_.end_loop();
        return build_.finish();
    }

private:
    void work_on(Value sequence, Value exists) {
        sequence_ = sequence;
        exists_ = exists;
        item_ = frame_.loop_index(sequence, 0);
        if (exists_) item_ = build_.select(exists_, item_, frame_.u32(0));
        input_ = frame_.origin(sequence, Side::input);
        output_ = frame_.origin(sequence, Side::output);
        switch (map_items(spec_)) {
            case MapItem::pair: spec_.in.map() ? pack_pair() : unpack_pair(); break;
            case MapItem::point: spec_.in.map() ? pack_point() : unpack_point(); break;
            case MapItem::element: spec_.in.map() ? pack_element() : unpack_element(); break;
        }
    }

    void begin(Value sequence) {
        sequence_ = sequence;
        item_ = frame_.loop_index(sequence, 0);
        input_ = frame_.origin(sequence, Side::input);
        output_ = frame_.origin(sequence, Side::output);
    }
    void run_registers(Value first, Value last);
    void move_run();

    void pack_pair();
    void pack_point();
    void pack_element();
    void unpack_pair();
    void unpack_point();
    void unpack_element();

    bool is_paired() const { return real_core(map_.kind, map_.length).is_paired; }
    /// Whether element `index` is there and kept; points have no `Kept`.
    Value loaded(Value index, Value when) { return both(both(exists_, when), frame_.kept(index, {}, Side::input)); }
    Complex load_complex(Value index, Value when = {}) {
        return frame_.load(frame_.address(input_, index, 0, Side::input), 1, loaded(index, when));
    }
    /// An element of the signal or the spectrum.
    Complex load_element(Value index, Value when = {}) {
        const Value is_there = loaded(index, when);
        const Value at = frame_.address(input_, index, 0, Side::input);
        const Complex x =
            spec_.in.is_real() ? Complex{frame_.load_real(at, 1, is_there), {}} : frame_.load(at, 1, is_there);
        return apply_to_element(frame_, spec_.in.stages, {index, sequence_, is_there}, x);
    }
    void store_complex(Value index, Complex x, Value when = {}) {
        frame_.store(frame_.address(output_, index, 0, Side::output), x, both(exists_, when));
    }
    /// An element of the result, with the scale that a last pass may have.
    void store_element(Value index, Complex x, Value when = {}) {
        when = both(when, frame_.kept(index, {}, Side::output));
        x = apply(frame_, spec_.out.stages, x.im ? x : Complex{x.re, build_.constant(frame_.real, 0)}, {});
        if (spec_.out.is_real()) x.im = {};
        x = apply_to_element(frame_, spec_.out.stages, {index, sequence_, both(exists_, when)}, x);
        if (!spec_.out.is_real()) {
            store_complex(index, x, when);
            return;
        }
        frame_.store_real(frame_.address(output_, index, 0, Side::output), x.re, both(exists_, when));
    }
    /// Where number `index` of v lies among points that are seen as pairs of real numbers.
    Value number_place(Value origin, Value index, Side side) {
        if (!is_paired()) return frame_.address(origin, index, 0, side);
        return frame_.address(origin, index >> 1, 0, side) + frame_.widen(index & std::uint64_t{1});
    }
    void store_number(Value index, Value x, Value when) {
        const Value at = number_place(output_, index, Side::output);
        frame_.store_real(at, x, both(exists_, when));
        if (!is_paired())
            frame_.store_real(at + std::uint64_t{1}, build_.constant(frame_.real, 0), both(exists_, when));
    }
    Value load_number(Value index) { return frame_.load_real(number_place(input_, index, Side::input), 1, exists_); }

    Frame frame_;
    ir::Builder& build_;
    const KernelSpec& spec_;
    const RealMap map_;
    Value sequence_, exists_, item_, input_, output_;
    unsigned lanes_ = 1;
};

/// Registers of neighbouring pairs, and one by one those that begin with pair 0, reach the middle or end a group's run.
void MapKernel::run_registers(Value first, Value last) {
    const auto pairs = static_cast<std::uint32_t>(real_core(map_.kind, map_.length).points / 2);
    const Value start = build_.begin_loop(first, last, frame_.u32(lanes_));
    const Value end = build_.binary(ir::Op::min, start + std::uint64_t{lanes_}, last);
    begin(start);
    const Value count = end - start;
    const Value is_whole = build_.compare(ir::Op::equal, count, build_.integer(count.type(), lanes_));
    build_.begin_if(is_whole & build_.less(item_ - frame_.u32(1), frame_.u32(pairs - lanes_)));
    move_run();
    build_.begin_else();
    const Value sequence = build_.begin_loop(start, end, frame_.u32(1));
    work_on(sequence, {});
    build_.end_loop();
    build_.end_if();
    build_.end_loop();
}

void MapKernel::move_run() {
    const auto points = static_cast<std::uint32_t>(real_core(map_.kind, map_.length).points);
    const Value k = item_, mirrors = frame_.u32(points + 1 - lanes_) - k;
    const auto load = [&](Value e) { return frame_.load(frame_.address(input_, e, 0, Side::input), lanes_, {}); };
    const PointPair given{load(k), reversed(build_, load(mirrors))};
    const bool packs = spec_.in.map() != nullptr;
    PointPair made = packs ? load_spectrum_run(frame_, map_, k, given) : store_spectrum_run(frame_, map_, k, given);
    const auto store = [&](Value e, Complex x) {
        if (!packs) x = apply(frame_, spec_.out.stages, x, {});
        frame_.store(frame_.address(output_, e, 0, Side::output), x, {});
    };
    store(k, made.low);
    store(mirrors, reversed(build_, made.high));
}

void MapKernel::pack_pair() {
    const PointPair pair =
        load_spectrum_pair(frame_, map_, item_, [&](Value element, Value when) { return load_element(element, when); });
    store_complex(item_, pair.low);
    store_complex(mirror(frame_, map_, item_), pair.high, has_mirror(frame_, map_, item_));
}

void MapKernel::unpack_pair() {
    PointPair points{load_complex(item_), {}};
    if (is_paired()) {
        const Value first = build_.compare(ir::Op::equal, item_, frame_.u32(0));
        points.high = load_complex(build_.select(first, item_, mirror(frame_, map_, item_)));
    }
    for (const SpectrumElement& element : store_spectrum_pair(frame_, map_, item_, points))
        store_element(element.index, element.value, element.exists);
}

/// Type IV of even length n: x[2j] and x[n-1-2j], which the sine transform takes the other way round.
void MapKernel::pack_point() {
    const Value even = item_ * std::uint64_t{2}, odd = frame_.u32(map_.length - 1) - even;
    const bool is_sine = map_.kind == Kind::dst4;
    const Value re = load_element(is_sine ? odd : even).re, im = load_element(is_sine ? even : odd).re;
    store_complex(item_, turn_before(frame_, map_, {item_, {}, exists_}, {re, im}));
}

void MapKernel::unpack_point() {
    const Complex z = turn_after(frame_, map_, {item_, {}, exists_}, load_complex(item_));
    const Value even = item_ * std::uint64_t{2}, odd = frame_.u32(map_.length - 1) - even;
    store_element(even, {z.re, {}});
    store_element(odd, {map_.kind == Kind::dst4 ? z.im : -z.im, {}});
}

void MapKernel::pack_element() {
    const Value x = load_element(item_).re;
    if (load_way(map_.kind) == RealWay::natural) {
        store_number(item_, x, {});
        return;
    }
    for (const SignalPlace& place : signal_places(frame_, map_, item_))
        store_number(place.index, place.factor ? x * place.factor : x, place.exists);
    const Value first = build_.compare(ir::Op::equal, item_, frame_.u32(0));
    for (const std::uint64_t at : signal_zeros(map_))
        store_number(frame_.u32(at), build_.constant(frame_.real, 0), first);
}

void MapKernel::unpack_element() {
    const SignalReader read{[&](Value index) { return load_number(index); },
                            [&](Value index) -> Complex {
                                const Value re = load_number(index);
                                const Value at = number_place(input_, index, Side::input) + std::uint64_t{1};
                                return {re, frame_.load_real(at, 1, exists_)};
                            }};
    const bool is_natural = store_way(map_.kind) == RealWay::natural;
    store_element(item_, {is_natural ? read.number(item_) : stored_signal(frame_, map_, item_, read), {}});
}

}  // namespace

MapItem map_items(const KernelSpec& spec) {
    const RealMap& map = spec.in.map() ? *spec.in.map() : *spec.out.map();
    const RealWay way = spec.in.map() ? load_way(map.kind) : store_way(map.kind);
    if (way == RealWay::spectrum) return MapItem::pair;
    const bool is_type_4 = map.kind == Kind::dct4 || map.kind == Kind::dst4;
    return is_type_4 && map.length % 2 == 0 ? MapItem::point : MapItem::element;
}

std::uint64_t map_item_count(const KernelSpec& spec) {
    const RealMap& map = spec.in.map() ? *spec.in.map() : *spec.out.map();
    switch (map_items(spec)) {
        case MapItem::pair: return spectrum_pairs(map);
        case MapItem::point: return real_core(map.kind, map.length).points;
        case MapItem::element: break;
    }
    return spec.in.map() ? loaded_elements(map) : stored_elements(map);
}

bool has_map_runs(const KernelSpec& spec) {
    if (spec.texel_points() != 0) return false;
    const RealMap& map = spec.in.map() ? *spec.in.map() : *spec.out.map();
    const bool moves_all = spec.in.kept.ranges.empty() && spec.out.kept.ranges.empty() && !user_stage(spec.in.stages) &&
                           !user_stage(spec.out.stages) && !spec.in.is_real() && !spec.out.is_real();
    return map_items(spec) == MapItem::pair && has_spectrum_runs(map) && moves_all && spec.in.stride == 1 &&
           spec.out.stride == 1 && (spec.precision == Precision::f32 || spec.precision == Precision::f64);
}

ir::Kernel generate_map(const KernelSpec& spec) { return MapKernel(spec).build(); }

}  // namespace seiche::kernels
