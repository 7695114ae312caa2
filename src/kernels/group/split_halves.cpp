// The GPU core between real sequences of 2 n numbers and n points of a right-angle convolution, whose real part is the
// first half and whose imaginary part is the second (Nussbaumer, "Fast polynomial transform algorithms for digital
// convolution", 1980): modulo x^n + i a real polynomial of 2 n coefficients is its lower half less i times the upper
// one.
#include "kernels/group/group.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

/// Whether pruning or a chirp leaves out all points from `leg` on, one for each butterfly.
bool GroupKernel::is_empty(const StageDeal& stage, std::uint64_t leg, Side side) const {
    if (lets_through(stage, leg, spec_.side(side).stages) == Keeps::none) return true;
    if (keeps(stage, leg, side) != Keeps::none) return false;
    const bool has_halves = spec_.side(side).has_halves();
    return !has_halves || keeps(stage, leg + spec_.n, side) == Keeps::none;
}

/// Of elements from `leg` on; `place` has one of them.
Value GroupKernel::half_predicate(const StageDeal& stage, std::uint64_t leg, const Place& place, Side side) {
    const bool is_whole = keeps(stage, leg, side) == Keeps::all;
    return both(place.exists, is_whole ? Value{} : frame_.kept(place.element, place.sequence, side));
}

Complex GroupKernel::load_halves(const StageDeal& stage, std::uint64_t leg, const Slot& where, const Place& place) {
    const Value from = origin(place.sequence, Side::input);
    const auto half = [&](std::uint64_t behind) {
        const std::uint64_t own = leg + behind;
        if (keeps(stage, own, Side::input) == Keeps::none) return frame_.builder.constant(frame_.real, 0);
        const Value predicate =
            half_predicate(stage, own, {place.element + behind, place.sequence, place.exists}, Side::input);
        return frame_.load_real(frame_.address(from, where.butterfly, own, Side::input), 1, predicate);
    };
    const Value lower = half(0);
    return {lower, -half(spec_.n)};
}

void GroupKernel::store_halves(const StageDeal& stage, std::uint64_t leg, const Slot& where, const Place& place,
                               Complex z) {
    const Value from = origin(place.sequence, Side::output);
    const auto half = [&](std::uint64_t behind, Value x) {
        const std::uint64_t own = leg + behind;
        if (keeps(stage, own, Side::output) == Keeps::none) return;
        const Value predicate =
            half_predicate(stage, own, {place.element + behind, place.sequence, place.exists}, Side::output);
        frame_.store_real(frame_.address(from, where.butterfly, own, Side::output), x, predicate);
    };
    half(0, z.re);
    half(spec_.n, -z.im);
}

}  // namespace seiche::kernels
