// Signed 64-bit arithmetic in the operations that the intermediate representation has.
#include "expression/whole.hpp"

namespace seiche::expression {

using ir::Op;
using ir::Scalar;
using ir::Value;

Value Wholes::wide(const Whole& a) { return builder_.convert(a.value, Scalar::u64); }

/// The low half suffices where the range says so.
Value Wholes::fitted(Value value, const Range& range) {
    return builder_.convert(value, range.fits_u32() ? Scalar::u32 : Scalar::u64);
}

Whole Wholes::constant(std::int64_t value, const Range& range) {
    const Scalar type = range.fits_u32() ? Scalar::u32 : Scalar::u64;
    return {builder_.integer(type, static_cast<std::uint64_t>(value)), range};
}

Whole Wholes::from(Value value, const Range& range) { return {fitted(value, range), range}; }

Whole Wholes::arithmetic(Op op, const Whole& a, const Whole& b, const Range& range) {
    if (a.range.fits_u32() && b.range.fits_u32() && range.fits_u32())
        return {builder_.binary(op, a.value, b.value), range};
    const Value left = wide(a);
    return {fitted(builder_.binary(op, left, wide(b)), range), range};
}

Whole Wholes::division(Op op, const Whole& a, const Whole& b, const Range& range) {
    return arithmetic(op, a, b, range);
}

Whole Wholes::negate(const Whole& a, const Range& range) {
    return {fitted(builder_.binary(Op::sub, builder_.integer(Scalar::u64, 0), wide(a)), range), range};
}

Whole Wholes::absolute(const Whole& a, const Range& range) {
    if (a.range.low >= 0) return {fitted(a.value, range), range};
    const Value zero = builder_.integer(Scalar::u64, 0), x = wide(a);
    const Value is_negative = compare(Op::less, a, {zero, {0, 0, false}});
    return {fitted(builder_.select(is_negative, builder_.binary(Op::sub, zero, x), x), range), range};
}

Whole Wholes::choose(Value condition, const Whole& a, const Whole& b, const Range& range) {
    const Value first = fitted(a.value, range);
    return {builder_.select(condition, first, fitted(b.value, range)), range};
}

Value Wholes::compare(Op op, const Whole& a, const Whole& b) {
    if (a.range.fits_u32() && b.range.fits_u32()) {
        const Value left = builder_.convert(a.value, Scalar::u32);
        return builder_.compare(op, left, builder_.convert(b.value, Scalar::u32));
    }
    Value left = wide(a), right = wide(b);
    const bool has_sign = a.range.low < 0 || b.range.low < 0;
    if (has_sign && op != Op::equal && op != Op::not_equal) {
        // The other way round in the upper half of the unsigned numbers is the order of signed ones.
        const Value sign = builder_.integer(Scalar::u64, std::uint64_t{1} << 63);
        left = left ^ sign;
        right = right ^ sign;
    }
    return builder_.compare(op, left, right);
}

Value Wholes::to_real(const Whole& a, Scalar real) {
    if (builder_.is_constant(a.value))
        return builder_.constant(real, static_cast<double>(static_cast<std::int64_t>(builder_.integer_value(a.value))));
    if (a.range.low >= 0) return builder_.convert(a.value, real);
    if (a.range.fits_i32()) return builder_.convert(builder_.convert(a.value, Scalar::i32), real);
    const Value zero = builder_.integer(Scalar::u64, 0), x = wide(a);
    const Value is_negative = compare(Op::less, a, {zero, {0, 0, false}});
    const Value size = builder_.convert(builder_.select(is_negative, builder_.binary(Op::sub, zero, x), x), real);
    return builder_.select(is_negative, -size, size);
}

Value Wholes::to_32_bits(const Whole& a, Scalar target, std::int64_t least, std::int64_t most) {
    Whole clamped = a;
    if (!a.range.is_within(least, most)) {
        const Whole low{builder_.integer(Scalar::u64, static_cast<std::uint64_t>(least)), {least, least, false}};
        const Whole high{builder_.integer(Scalar::u64, static_cast<std::uint64_t>(most)), {most, most, false}};
        const Range any{};
        clamped = choose(compare(Op::less, a, low), low, a, any);
        clamped = choose(compare(Op::less, high, clamped), high, clamped, any);
    }
    return builder_.convert(clamped.value, target);
}

}  // namespace seiche::expression
