// The first or last of several passes over the core of types II to IV, beside the elements in their own order: points
// of neighbouring sequences are half of the numbers that lie together, those of the mirrored sequences the other half
// (the orders: Makhoul, "A fast cosine transform in one and two dimensions", 1980).
#include "kernels/group/group.hpp"
#include "kernels/user_stage.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

/// Groups of mirrored sequences follow each other, so that a cache puts their halves of the sectors together.
Value GroupKernel::group() {
    const Value group = group_id();
    const Folded* fold = spec_.in.folded() ? spec_.in.folded() : spec_.out.folded();
    if (!fold || fold->loop != 0 || spec_.loops[0].count % shape_.sequences != 0) return group;
    const std::uint64_t groups = spec_.loops[0].count / shape_.sequences;
    const Value place = group % groups, pair = place >> 1;
    const Value is_odd = frame_.builder.compare(ir::Op::equal, place & std::uint64_t{1}, frame_.u32(1));
    return group - place + frame_.builder.select(is_odd, frame_.u32(groups - 1) - pair, pair);
}

/// A group takes half of its sequences from the first columns that are left, and their mirrors.
Value GroupKernel::mirrored_column(const Slot& slot) {
    const std::uint64_t columns = spec_.loops[0].count, sequences = shape_.sequences, half = sequences / 2;
    const Value group = group_id(), place = group % (columns / sequences);
    const Value is_first = frame_.builder.less(slot.sequence_in_group, frame_.u32(half));
    const Value first = place * half;
    if (!spec_.in.bins() && !spec_.out.bins()) {
        const Value start = frame_.builder.select(is_first, first, frame_.u32(columns - sequences) - first);
        return (group - place) * sequences + start + slot.sequence_in_group;
    }
    // Of bins column c has columns - c for its mirror, but 0 the middle one beside it.
    const Value mirror = frame_.u32(columns - sequences + 1) - first + slot.sequence_in_group;
    const Value is_beside_0 = frame_.builder.compare(ir::Op::equal, mirror, frame_.u32(columns));
    const Value second = frame_.builder.select(is_beside_0, frame_.u32(columns / 2), mirror);
    return (group - place) * sequences + frame_.builder.select(is_first, first + slot.sequence_in_group, second);
}

/// The point's j along the axis.
Value GroupKernel::folded_index(const Folded& fold, const Place& place) {
    if (fold.loop < 0) return place.element;
    return place.element * fold.element_stride + frame_.loop_index(place.sequence, static_cast<std::size_t>(fold.loop));
}

Complex GroupKernel::load_folded(const FoldedPoint& point) {
    const Folded& fold = *spec_.in.folded();
    const Value j = folded_index(fold, point.place);
    if (fold.is_odd()) return load_of_odd(point, j);
    const std::vector<OwnElement> own = elements_of_folded(fold, point, j, Side::input);
    const auto load = [&](const OwnElement& number) {
        const Value at = frame_.address(point.origin, number.index, 0, Side::input);
        return number.with_sign(frame_.load_real(at, 1, point.predicate));
    };
    const Value re = load(own[0]);
    return {re, load(own[1])};
}

std::vector<OwnElement> GroupKernel::elements_of_folded(const Folded& fold, const FoldedPoint& point, Value j,
                                                        Side side) {
    const SignalPoint all{j, point.leg * fold.element_stride, point.end * fold.element_stride};
    return elements_of_point(frame_, {fold.kind, fold.length, fold.orthonormal}, all, side);
}

Complex GroupKernel::load_of_odd(const FoldedPoint& point, Value j) {
    const RealMap map = odd_map(*spec_.in.folded());
    const auto load = [&](Value element, Value when) -> Complex {
        const Value at = frame_.address(point.origin, element, 0, Side::input), exists = both(point.predicate, when);
        const Complex x{frame_.load_real(at, 1, exists), {}};
        return {apply_to_element(frame_, spec_.in.stages, {element, point.place.sequence, exists}, x).re, {}};
    };
    if (load_way(map.kind) == RealWay::spectrum) return load_odd_bin(frame_, map, j, point.predicate, load);
    const SignalPlace place = signal_element(frame_, map, j);
    const Value x = load(place.index, {}).re;
    return {place.factor ? x * place.factor : x, frame_.builder.constant(frame_.real, 0)};
}

void GroupKernel::store_of_odd(const FoldedPoint& point, Value j, Complex z) {
    const RealMap map = odd_map(*spec_.out.folded());
    const auto store = [&](Value element, Value x, Value when) {
        const Value at = frame_.address(point.origin, element, 0, Side::output);
        const MappedElement own{element, point.place.sequence, when};
        frame_.store_real(at, apply_to_element(frame_, spec_.out.stages, own, {x, {}}).re, when);
    };
    if (!real_core(map.kind, map.length).is_inverse) {
        for (const SpectrumElement& each : store_odd_bin(frame_, map, {j, z, point.predicate}))
            store(each.index, each.value.re, each.exists);
        return;
    }
    const SignalPlace place = signal_element(frame_, map, j);
    store(place.index, place.factor ? z.re * place.factor : z.re, point.predicate);
}

void GroupKernel::store_folded(const FoldedPoint& point, Complex z) {
    const Folded& fold = *spec_.out.folded();
    const Value j = folded_index(fold, point.place);
    if (fold.is_odd()) return store_of_odd(point, j, z);
    const std::vector<OwnElement> own = elements_of_folded(fold, point, j, Side::output);
    const auto store = [&](const OwnElement& number, Value x) {
        const Value at = frame_.address(point.origin, number.index, 0, Side::output);
        frame_.store_real(at, number.with_sign(x), point.predicate);
    };
    store(own[0], z.re);
    store(own[1], z.im);
}

}  // namespace seiche::kernels
