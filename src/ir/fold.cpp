// The builder's folding rules: constants, zero, one, minus one, and signs that a sum can absorb.
//
// x * 0 folds to 0 although a NaN would not: the builder only ever sees zeros that the transform's own structure put
// there.
#include <bit>
#include <cmath>

#include "ir/builder.hpp"

namespace seiche::ir {

namespace {

double evaluate_float(Op op, double a, double b) {
    switch (op) {
        case Op::add: return a + b;
        case Op::sub: return a - b;
        case Op::mul: return a * b;
        case Op::div: return a / b;
        case Op::min: return std::fmin(a, b);
        case Op::max: return std::fmax(a, b);
        default: return std::nan("");
    }
}

bool evaluates_float(Op op) {
    return op == Op::add || op == Op::sub || op == Op::mul || op == Op::div || op == Op::min || op == Op::max;
}

/// The result of an integer op on constants; false if the op is not folded.
bool evaluate_integer(Op op, std::uint64_t a, std::uint64_t b, std::uint64_t& result) {
    switch (op) {
        case Op::add: result = a + b; return true;
        case Op::sub: result = a - b; return true;
        case Op::mul: result = a * b; return true;
        case Op::div: result = b == 0 ? 0 : a / b; return b != 0;
        case Op::mod: result = b == 0 ? 0 : a % b; return b != 0;
        case Op::min: result = a < b ? a : b; return true;
        case Op::max: result = a < b ? b : a; return true;
        case Op::bit_and: result = a & b; return true;
        case Op::bit_or: result = a | b; return true;
        case Op::bit_xor: result = a ^ b; return true;
        case Op::shift_left: result = a << b; return b < 64;
        case Op::shift_right: result = a >> b; return b < 64;
        case Op::equal: result = a == b; return true;
        case Op::not_equal: result = a != b; return true;
        case Op::less: result = a < b; return true;
        case Op::less_equal: result = a <= b; return true;
        default: return false;
    }
}

}  // namespace

Value Builder::fold(Op op, Type type, Value a, Value b, Value c) {
    if (op == Op::fma || op == Op::mad) return type.is_float() ? fold_mad(op, type, a, b, c) : Value{};
    if (op == Op::neg) {
        if (instruction(a).op == Op::neg) return {this, instruction(a).operands[0]};
        if (is_constant(a) && type.is_float()) return constant(type, -float_value(a));
        return {};
    }
    if (!b) return {};
    return fold_binary(op, type, a, b);
}

Value Builder::fold_binary(Op op, Type type, Value a, Value b) {
    if (op == Op::bit_and && type.scalar == Scalar::boolean) {
        if (is_constant(a)) return integer_value(a) != 0 ? b : a;
        if (is_constant(b)) return integer_value(b) != 0 ? a : b;
        return {};
    }
    if (a.type().is_float()) return type.is_float() ? fold_float(op, type, a, b) : Value{};
    return fold_integer(op, type, a, b);
}

Value Builder::fold_float(Op op, Type type, Value a, Value b) {
    const bool ca = is_constant(a), cb = is_constant(b);
    const auto is = [this](Value v, bool is_const, double x) { return is_const && float_value(v) == x; };
    const bool is_held_by_double = type.scalar != Scalar::dd;  // what an operation on constants gives
    if (ca && cb && is_held_by_double && evaluates_float(op))
        return constant(type, evaluate_float(op, float_value(a), float_value(b)));
    const Instruction ia = instruction(a), ib = instruction(b);
    switch (op) {
        case Op::add:
            if (is(a, ca, 0)) return b;
            if (is(b, cb, 0)) return a;
            if (ib.op == Op::neg) return a - Value{this, ib.operands[0]};
            if (ia.op == Op::neg) return b - Value{this, ia.operands[0]};
            break;
        case Op::sub:
            if (is(a, ca, 0)) return -b;
            if (is(b, cb, 0)) return a;
            if (ib.op == Op::neg) return a + Value{this, ib.operands[0]};
            break;
        case Op::mul:
            if (is(a, ca, 0)) return a;
            if (is(b, cb, 0)) return b;
            if (is(a, ca, 1)) return b;
            if (is(b, cb, 1)) return a;
            if (is(a, ca, -1)) return -b;
            if (is(b, cb, -1)) return -a;
            if (ia.op == Op::neg && cb) return Value{this, ia.operands[0]} * constant(type, -float_value(b));
            if (ib.op == Op::neg && ca) return Value{this, ib.operands[0]} * constant(type, -float_value(a));
            break;
        default: break;
    }
    return {};
}

Value Builder::fold_integer(Op op, Type type, Value a, Value b) {
    const bool ca = is_constant(a), cb = is_constant(b);
    const Type operand = a.type();
    std::uint64_t result = 0;
    const bool is_signed = operand.scalar == Scalar::i32;
    const bool order_matters =
        op == Op::div || op == Op::mod || op == Op::min || op == Op::max || op == Op::less || op == Op::less_equal;
    if (ca && cb && !(is_signed && order_matters) && evaluate_integer(op, integer_value(a), integer_value(b), result)) {
        return integer(type, result);
    }
    if (is_signed) return {};
    if (ca && (op == Op::add || op == Op::mul)) return binary(op, b, a);  // constants on the right
    if (are_threads_bounded()) {
        if (const Value folded = fold_bounded(op, type, a, b)) return folded;
    }
    if (!cb) return {};
    const std::uint64_t k = integer_value(b);
    switch (op) {
        case Op::add: {
            if (k == 0) return a;
            const Instruction ia = instruction(a);
            if (ia.op != Op::add) return {};
            const Value inner{this, ia.operands[1]};
            return is_constant(inner) ? Value{this, ia.operands[0]} + integer(type, integer_value(inner) + k) : Value{};
        }
        case Op::sub:
        case Op::bit_xor:
        case Op::bit_or:
        case Op::shift_left:
        case Op::shift_right: return k == 0 ? a : Value{};
        case Op::mul:
            if (k == 0) return b;
            return k == 1 ? a : Value{};
        case Op::div:
            if (k == 1) return a;
            return std::has_single_bit(k) ? a >> static_cast<unsigned>(std::countr_zero(k)) : Value{};
        case Op::mod:
            if (k == 1) return integer(type, 0);
            return std::has_single_bit(k) ? a & integer(type, k - 1) : Value{};
        case Op::bit_and: return k == 0 ? b : Value{};
        default: return {};
    }
}

Value Builder::fold_mad(Op op, Type type, Value a, Value b, Value c) {
    const auto is = [this](Value v, double x) { return is_constant(v) && float_value(v) == x; };
    if (is(a, 0) || is(b, 0)) return c;
    if (is(a, 1)) return b + c;
    if (is(b, 1)) return a + c;
    if (is(a, -1)) return c - b;
    if (is(b, -1)) return c - a;
    if (is(c, 0)) return a * b;
    if (op == Op::mad && is_constant(a) && is_constant(b) && type.scalar != Scalar::dd)
        return constant(type, float_value(a) * float_value(b)) + c;
    const Instruction ia = instruction(a), ib = instruction(b);
    if (ia.op == Op::neg && is_constant(b)) {
        return pure(op, type, {{this, ia.operands[0]}, constant(type, -float_value(b)), c});
    }
    if (ib.op == Op::neg && is_constant(a)) {
        return pure(op, type, {constant(type, -float_value(a)), {this, ib.operands[0]}, c});
    }
    return {};
}

}  // namespace seiche::ir
