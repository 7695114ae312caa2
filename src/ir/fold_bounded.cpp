// What the builder leaves out because of values' bounds: divisions, remainders and masks of what is small enough, and
// comparisons whose answer is always the same.
#include "ir/bounds.hpp"

#include "ir/builder.hpp"
#include "seiche/error.hpp"

namespace seiche::ir {

void Builder::bound_threads(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    const std::array<std::uint32_t, 3> threads{x, y, z};
    if (are_threads_bounded() && threads != threads_)
        throw InternalError("ir: kernel '" + kernel_.name + "' was begun for groups of another size");
    kernel_.launch.group = threads_ = threads;
}

Bounds Builder::bounds(Value v) {
    while (bounds_.size() <= v.id()) bounds_.push_back(bounds_of(kernel_, kernel_.code[bounds_.size()], bounds_));
    return bounds_[v.id()];
}

/// What an op on unsigned values comes to for all that its operands can be; empty: that is not one of them, nor
/// simpler.
Value Builder::fold_bounded(Op op, Type type, Value a, Value b) {
    const Bounds x = bounds(a), y = bounds(b), whole = bounds_of(op, type.scalar, x, y);
    if (whole.is_single()) return integer(type, whole.least);
    switch (op) {
        case Op::min: return x.greatest <= y.least ? a : y.greatest <= x.least ? b : Value{};
        case Op::max: return x.greatest <= y.least ? b : y.greatest <= x.least ? a : Value{};
        case Op::mul: return y.is_single() && folds_products_ ? fold_product(a, y.least) : Value{};
        case Op::sub: return x.is_single() ? fold_difference(x.least, b) : Value{};
        case Op::div:
        case Op::mod: return y.is_single() && y.least != 0 ? fold_quotient(op, a, y.least) : Value{};
        case Op::bit_and: return y.is_single() ? fold_mask(a, y.least) : Value{};
        case Op::shift_right:
            return y.is_single() && y.least < 64 ? fold_quotient(Op::div, a, std::uint64_t{1} << y.least) : Value{};
        case Op::bit_or:
        case Op::bit_xor: return x.greatest == 0 ? b : Value{};
        default: return {};
    }
}

/// (x + c) k as x k + c k, where neither sum carries: values that are constants apart stay so, and the instructions
/// that access memory have constants of their own.
Value Builder::fold_product(Value a, std::uint64_t k) {
    const Instruction sum = instruction(a);
    if (sum.op != Op::add) return {};
    const Value x{this, sum.operands[0]}, c{this, sum.operands[1]};
    if (!is_constant(c) || k == 0) return {};
    const std::uint64_t most = greatest_of(a.type().scalar) / k;
    if (integer_value(c) > most || bounds(x).greatest > most - integer_value(c)) return {};
    return x * integer(a.type(), k) + integer_value(c) * k;
}

/// c - (x + d) as (g - x) + (c - d - g), where x is g at most and nothing borrows: the same of all differences of x.
Value Builder::fold_difference(std::uint64_t c, Value b) {
    const Instruction sum = instruction(b);
    const bool is_sum = sum.op == Op::add && is_constant({this, sum.operands[1]});
    const Value x = is_sum ? Value{this, sum.operands[0]} : b;
    const std::uint64_t d = is_sum ? integer_value({this, sum.operands[1]}) : 0, g = bounds(x).greatest;
    if (d > c || g > c - d || (!is_sum && g == c)) return {};
    return (integer(b.type(), g) - x) + (c - d - g);
}

Value Builder::fold_mask(Value a, std::uint64_t mask) {
    if ((mask & (mask + 1)) != 0) return {};  // not all ones
    return bounds(a).greatest <= mask ? a : fold_quotient(Op::mod, a, mask + 1);
}

/// a / d or a % d, where a is less than d, or the sum of a multiple of d and of a rest.
Value Builder::fold_quotient(Op op, Value a, std::uint64_t d) {
    const Type type = a.type();
    const bool is_quotient = op == Op::div;
    const Bounds x = bounds(a);
    if (!is_quotient && x.greatest < d) return a;
    const Instruction whole = instruction(a);
    if (whole.op != Op::add) return {};
    const Value p{this, whole.operands[0]}, q{this, whole.operands[1]};
    const std::uint64_t most = greatest_of(type.scalar);
    if (bounds(p).greatest > most - bounds(q).greatest) return {};
    if (is_constant(q)) {
        const std::uint64_t k = integer_value(q), rest = k % d;
        if (k < d || (rest != 0 && bounds(p).greatest >= d - rest)) return {};
        if (is_quotient) return p / d + k / d;
        return rest == 0 ? p % d : p + rest;
    }
    for (const auto& [multiple, rest] : {std::pair{p, q}, std::pair{q, p}}) {
        if (bounds(rest).greatest >= d) continue;
        if (const Value times = quotient_of_multiple(multiple, d)) return is_quotient ? times : rest;
    }
    return {};
}

/// Of x c, where d divides c; else empty.
Value Builder::quotient_of_multiple(Value v, std::uint64_t d) {
    const Instruction i = instruction(v);
    if (i.op != Op::mul) return {};
    const Value x{this, i.operands[0]}, c{this, i.operands[1]};
    if (!is_constant(c) || integer_value(c) % d != 0) return {};
    if (integer_value(c) != 0 && bounds(x).greatest > greatest_of(v.type().scalar) / integer_value(c)) return {};
    return x * integer(v.type(), integer_value(c) / d);
}

}  // namespace seiche::ir
