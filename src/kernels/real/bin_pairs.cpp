// The arithmetic of pairs of bins and of the four numbers of the spectrum that belong to them.
#include "kernels/real/bin_pairs.hpp"

#include "support/double_double.hpp"
#include "support/twiddle.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

namespace {

RootTable direct_roots(const RealMap& map) { return {4 * map.length, 1, 0, map.length / 4 + 1}; }
RootTable fivefold_roots(const RealMap& map) { return {4 * map.length, 5, 0, map.length / 4 + 1}; }

Value element_of(Frame& frame, const RealMap& map, Value number) {
    const bool is_sine = map.kind == Kind::dst2 || map.kind == Kind::dst3;
    return is_sine ? frame.u32(map.length - 1) - number : number;
}

Value real(Frame& frame, DoubleDouble value) { return frame.builder.constant(frame.real, value); }

/// exp(-2 pi i / 16) as the kernel's type has it.
Complex sixteenth(Frame& frame) {
    if (frame.real.scalar == ir::Scalar::dd) {
        const ComplexDoubleDouble w = support::twiddle_double_double(1, 16);
        return {real(frame, w.re), real(frame, w.im)};
    }
    const support::ComplexValue w = support::twiddle(1, 16);
    return {frame.builder.constant(frame.real, w.re), frame.builder.constant(frame.real, w.im)};
}

Value doubled(Value x) { return x + x; }

/// x exp(i pi / 4).
Complex turned_on(Frame& frame, Complex x) {
    const Value half = real(frame, support::sqrt_half);
    return {(x.re - x.im) * half, (x.re + x.im) * half};
}

/// Of bin 0, in the orthonormal transform.
Value weighed(Frame& frame, const RealMap& map, const LowBin& bin, Value x, DoubleDouble factor) {
    if (!map.orthonormal || !bin.is_zero) return x;
    return x * frame.builder.select(bin.is_zero, real(frame, factor), real(frame, 1));
}

}  // namespace

std::array<SpectrumPlace, 4> bin_places(Frame& frame, const RealMap& map, const LowBin& bin) {
    const std::uint64_t n = map.length, m = n / 2;
    Value number[4] = {bin.k, frame.u32(n) - bin.k, frame.u32(m) - bin.k, frame.u32(m) + bin.k};
    Value exists;
    if (bin.is_zero && m % 2 == 0) {
        number[1] = frame.builder.select(bin.is_zero, frame.u32(m / 2), number[1]);
        number[3] = frame.builder.select(bin.is_zero, frame.u32(m + m / 2), number[3]);
    } else if (bin.is_zero) {
        exists = frame.builder.compare(ir::Op::not_equal, bin.k, frame.u32(0));
    }
    std::array<SpectrumPlace, 4> places;
    for (std::size_t i = 0; i < 4; ++i) places[i] = {element_of(frame, map, number[i]), i % 2 == 1 ? exists : Value{}};
    return places;
}

std::array<Value, 4> numbers_of_bins(Frame& frame, const RealMap& map, const LowBin& bin, const PointPair& points,
                                     const std::optional<Complex>& middle) {
    const Complex sum = (points.low + conj(points.high)) * bin_root(frame, map, direct_roots(map), bin);
    const Complex difference = (points.low - conj(points.high)) * bin_root(frame, map, fivefold_roots(map), bin);
    const Complex low = sum - times_i(difference), high = turned_on(frame, sum + times_i(difference));
    std::array<Value, 4> numbers{weighed(frame, map, bin, low.re, support::sqrt_half), -low.im, high.re, high.im};
    if (bin.is_zero && middle) {
        const Complex own = conj(*middle) * sixteenth(frame);
        numbers[1] = frame.builder.select(bin.is_zero, doubled(own.re), numbers[1]);
        numbers[3] = frame.builder.select(bin.is_zero, -doubled(own.im), numbers[3]);
    }
    return numbers;
}

CoreBins bins_of_numbers(Frame& frame, const RealMap& map, const LowBin& bin, const std::array<Value, 4>& numbers) {
    ir::Builder& build = frame.builder;
    Complex low{weighed(frame, map, bin, numbers[0], support::sqrt_2), -numbers[1]};
    Complex high{numbers[2], numbers[3]};
    CoreBins bins;
    if (bin.is_zero) {
        low.im = build.select(bin.is_zero, build.constant(frame.real, 0), low.im);
        high.im = build.select(bin.is_zero, high.re, high.im);
        bins.middle = Complex{doubled(numbers[1]), doubled(numbers[3])} * sixteenth(frame);
    }
    high = conj(turned_on(frame, conj(high)));
    const Complex sum = (low + high) * conj(bin_root(frame, map, direct_roots(map), bin));
    const Complex difference = (low - high) * conj(bin_root(frame, map, fivefold_roots(map), bin));
    bins.points = {sum + times_i(difference), conj(sum - times_i(difference))};
    return bins;
}

std::vector<RootTable> bin_pair_roots(const RealMap& map) { return {direct_roots(map), fivefold_roots(map)}; }

}  // namespace seiche::kernels
