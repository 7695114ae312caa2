// The first or last of several passes over the core of types II to IV, beside the elements in their own order: points
// of neighbouring sequences are half of the numbers that lie together, those of the mirrored sequences the other half
// (the orders: Makhoul, "A fast cosine transform in one and two dimensions", 1980).
#include "kernels/group/ways.hpp"
#include "kernels/user_stage.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

Value folded_index(Frame& frame, const Folded& fold, const Place& place) {
    if (fold.loop < 0) return place.element;
    return place.element * fold.element_stride + frame.loop_index(place.sequence, static_cast<std::size_t>(fold.loop));
}

namespace {

class FoldedElements : Pass {
public:
    FoldedElements(const Pass& pass, const FoldedPoint& point) : Pass(pass), point_(point) {}
    Complex load() const;
    void store(const Complex& z) const;

private:
    Complex load_of_odd(Value j) const;
    void store_of_odd(Value j, const Complex& z) const;
    std::vector<OwnElement> elements(const Folded& fold, Value j, Side side) const;

    const FoldedPoint& point_;
};

Complex FoldedElements::load() const {
    const Folded& fold = *spec.in.folded();
    const Value j = folded_index(frame, fold, point_.place);
    if (fold.is_odd()) return load_of_odd(j);
    const std::vector<OwnElement> own = elements(fold, j, Side::input);
    const auto load = [&](const OwnElement& number) {
        const Value at = frame.address(point_.origin, number.index, 0, Side::input);
        return number.with_sign(frame.load_real(at, 1, point_.predicate));
    };
    const Value re = load(own[0]);
    return {re, load(own[1])};
}

std::vector<OwnElement> FoldedElements::elements(const Folded& fold, Value j, Side side) const {
    const SignalPoint all{j, point_.leg * fold.element_stride, point_.end * fold.element_stride};
    return elements_of_point(frame, {fold.kind, fold.length, fold.orthonormal}, all, side);
}

Complex FoldedElements::load_of_odd(Value j) const {
    const RealMap map = odd_map(*spec.in.folded());
    const auto load = [&](Value element, Value when) -> Complex {
        const Value at = frame.address(point_.origin, element, 0, Side::input), exists = both(point_.predicate, when);
        const Complex x{frame.load_real(at, 1, exists), {}};
        return {apply_to_element(frame, spec.in.stages, {element, point_.place.sequence, exists}, x).re, {}};
    };
    if (load_way(map.kind) == RealWay::spectrum) return load_odd_bin(frame, map, j, point_.predicate, load);
    const SignalPlace place = signal_element(frame, map, j);
    const Value x = load(place.index, {}).re;
    return {place.factor ? x * place.factor : x, frame.builder.constant(frame.real, 0)};
}

void FoldedElements::store_of_odd(Value j, const Complex& z) const {
    const RealMap map = odd_map(*spec.out.folded());
    const auto store = [&](Value element, Value x, Value when) {
        const Value at = frame.address(point_.origin, element, 0, Side::output);
        const MappedElement own{element, point_.place.sequence, when};
        frame.store_real(at, apply_to_element(frame, spec.out.stages, own, {x, {}}).re, when);
    };
    if (!real_core(map.kind, map.length).is_inverse) {
        for (const SpectrumElement& each : store_odd_bin(frame, map, {j, z, point_.predicate}))
            store(each.index, each.value.re, each.exists);
        return;
    }
    const SignalPlace place = signal_element(frame, map, j);
    store(place.index, place.factor ? z.re * place.factor : z.re, point_.predicate);
}

void FoldedElements::store(const Complex& z) const {
    const Folded& fold = *spec.out.folded();
    const Value j = folded_index(frame, fold, point_.place);
    if (fold.is_odd()) return store_of_odd(j, z);
    const std::vector<OwnElement> own = elements(fold, j, Side::output);
    const auto store = [&](const OwnElement& number, Value x) {
        const Value at = frame.address(point_.origin, number.index, 0, Side::output);
        frame.store_real(at, number.with_sign(x), point_.predicate);
    };
    store(own[0], z.re);
    store(own[1], z.im);
}

}  // namespace

Complex load_folded(const Pass& pass, const FoldedPoint& point) { return FoldedElements(pass, point).load(); }
void store_folded(const Pass& pass, const FoldedPoint& point, Complex z) { FoldedElements(pass, point).store(z); }

}  // namespace seiche::kernels
