// Selection of what general registers hold: single integers and booleans. A u32 or i32 has a zero upper half.
#include <bit>

#include "emit/arm64/selection.hpp"

namespace seiche::emit::arm64 {

using ir::Op;
using ir::Scalar;

Operand Selection::general_operand(Reg reg, unsigned bytes) const {
    const RegInfo& info = machine_.regs[reg];
    if (info.is_immediate && info.immediate <= most_immediate)
        return immediate(static_cast<std::int64_t>(info.immediate));
    return in_register(reg, bytes);
}

Reg Selection::binary(Mnemonic id, Reg a, Reg b, unsigned bytes) {
    const Reg result = general();
    emit(Form::plain, id, {in_register(result, bytes), in_register(a, bytes), in_register(b, bytes)});
    return result;
}

Reg Selection::unary(Mnemonic id, Reg a, unsigned bytes) {
    const Reg result = general();
    emit(Form::plain, id, {in_register(result, bytes), in_register(a, bytes)});
    return result;
}

Reg Selection::with_number(Mnemonic id, Reg a, std::uint64_t number, unsigned bytes) {
    const Reg result = general();
    emit(Form::plain, id,
         {in_register(result, bytes), in_register(a, bytes), immediate(static_cast<std::int64_t>(number))});
    return result;
}

/// c + a * b, or c - a * b.
Reg Selection::product_and_sum(Mnemonic id, Reg a, Reg b, Reg c, unsigned bytes) {
    const Reg result = general();
    emit(Form::plain, id,
         {in_register(result, bytes), in_register(a, bytes), in_register(b, bytes), in_register(c, bytes)});
    return result;
}

Reg Selection::sum(Reg a, Reg b, unsigned bytes) {
    if (machine_.regs[a].is_immediate) std::swap(a, b);
    const Operand by = general_operand(b, bytes);
    if (by.kind == OperandKind::immediate)
        return with_number(Mnemonic::add_immediate, a, static_cast<std::uint64_t>(by.immediate), bytes);
    return binary(Mnemonic::add, a, b, bytes);
}

Reg Selection::difference(Reg a, Reg b, unsigned bytes) {
    const Operand by = general_operand(b, bytes);
    if (by.kind == OperandKind::immediate)
        return with_number(Mnemonic::sub_immediate, a, static_cast<std::uint64_t>(by.immediate), bytes);
    return binary(Mnemonic::sub, a, b, bytes);
}

Reg Selection::multiply(Reg a, Reg b, unsigned bytes) {
    if (machine_.regs[a].is_immediate) std::swap(a, b);
    const RegInfo factor = machine_.regs[b];
    if (!factor.is_immediate || !std::has_single_bit(factor.immediate)) return binary(Mnemonic::mul, a, b, bytes);
    const auto shift = static_cast<unsigned>(std::countr_zero(factor.immediate));
    return shift == 0 ? a : with_number(Mnemonic::lsl_immediate, a, shift, bytes);
}

Reg Selection::high_product(Reg a, Reg b, unsigned bytes) {
    if (bytes == 4) return shifted_right(multiply(a, b, 8), 32, 8);
    return binary(Mnemonic::umulh, a, b, 8);
}

Reg Selection::divide(Reg a, Reg by, unsigned bytes, bool wants_rest) {
    const Reg q = binary(Mnemonic::udiv, a, by, bytes);
    return wants_rest ? product_and_sum(Mnemonic::msub, q, by, a, bytes) : q;
}

/// The machine's quotient by 0 is 0, so that the rest is the dividend, as it shall be; a quotient shall be all ones.
Reg Selection::quotient_of_any(const ir::Instruction& i, unsigned bytes) {
    const Reg a = operand(i, 0)[0], by = operand(i, 1)[0];
    if (divides_by_constant(i)) return quotient(a, i.operands[1], bytes, i.op == Op::mod);
    const Reg q = divide(a, by, bytes, i.op == Op::mod);
    if (i.op == Op::mod) return q;
    const Condition condition = compare(is_not_zero(by, bytes));
    return with_number(Mnemonic::all_ones_unless, q, number_of(condition), bytes);
}

Reg Selection::shifted_right(Reg a, unsigned by, unsigned bytes) {
    return by == 0 ? a : with_number(Mnemonic::lsr_immediate, a, by, bytes);
}

Reg Selection::low_bits(Reg a, std::uint64_t mask, unsigned bytes) {
    if (mask == 0) return number(0);
    return with_number(Mnemonic::low_bits, a, static_cast<unsigned>(std::popcount(mask)), bytes);
}

Reg Selection::sign_extended(Reg a) {
    const Reg result = general();
    emit(Form::plain, Mnemonic::sxtw, {in_register(result, 8), in_register(a, 4)});
    return result;
}

Reg Selection::narrowed(Reg a, unsigned bytes, bool is_signed) {
    if (bytes == 1) return unary(is_signed ? Mnemonic::sxtb : Mnemonic::uxtb, a, 4);
    return unary(is_signed ? Mnemonic::sxth : Mnemonic::uxth, a, 4);
}

// The machine takes a count modulo the width, as the interpreter does.
Reg Selection::shifted(const ir::Instruction& i, unsigned bytes) {
    const Reg a = operand(i, 0)[0], count = operand(i, 1)[0];
    const bool is_left = i.op == Op::shift_left;
    const RegInfo by = machine_.regs[count];
    if (!by.is_immediate) return binary(is_left ? Mnemonic::shift_left : Mnemonic::shift_right, a, count, bytes);
    const auto bits = static_cast<unsigned>(by.immediate & (8 * bytes - 1));
    if (!is_left || bits == 0) return shifted_right(a, bits, bytes);
    return with_number(Mnemonic::lsl_immediate, a, bits, bytes);
}

Condition Selection::compare(const Test& test) {
    const bool by_number = test.b.kind == OperandKind::immediate;
    emit(Form::effect, by_number ? Mnemonic::cmp_immediate : Mnemonic::cmp, {test.a, test.b});
    return condition_of(test.relation);
}

Reg Selection::chosen(Condition condition, Reg if_true, Reg if_false) {
    const Reg result = general();
    emit(Form::plain, Mnemonic::csel,
         {in_register(result, 8), in_register(if_true, 8), in_register(if_false, 8), immediate(number_of(condition))});
    return result;
}

Reg Selection::smaller_or_larger(const ir::Instruction& i, unsigned bytes) {
    const Reg a = operand(i, 0)[0], b = operand(i, 1)[0];
    const bool is_signed = i.type.scalar == Scalar::i32;
    emit(Form::effect, Mnemonic::cmp, {in_register(a, bytes), in_register(b, bytes)});
    const Condition smaller = is_signed ? Condition::lt : Condition::lo;
    const Condition larger = is_signed ? Condition::gt : Condition::hi;
    return chosen(i.op == Op::min ? smaller : larger, a, b);
}

void Selection::select_general(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    if (i.type.lanes > 1) return call(id);
    const unsigned bytes = i.type.scalar == Scalar::u64 ? 8 : 4;
    const auto at = [&](unsigned k) { return operand(i, k)[0]; };
    switch (i.op) {
        case Op::add: return result(id, sum(at(0), at(1), bytes));
        case Op::sub: return result(id, difference(at(0), at(1), bytes));
        case Op::mul: return result(id, multiply(at(0), at(1), bytes));
        case Op::fma:
        case Op::mad: return result(id, product_and_sum(Mnemonic::madd, at(0), at(1), at(2), bytes));
        case Op::div:
        case Op::mod: return result(id, quotient_of_any(i, bytes));
        case Op::mul_high: return result(id, high_product(at(0), at(1), bytes));
        case Op::min:
        case Op::max: return result(id, smaller_or_larger(i, bytes));
        case Op::neg: return result(id, negative(at(0), bytes));
        case Op::bit_and: return result(id, binary(Mnemonic::and_, at(0), at(1), bytes));
        case Op::bit_or: return result(id, binary(Mnemonic::or_, at(0), at(1), bytes));
        case Op::bit_xor: return result(id, binary(Mnemonic::xor_, at(0), at(1), bytes));
        case Op::bit_not:
            if (i.type.scalar == Scalar::boolean) return result(id, binary(Mnemonic::xor_, at(0), number(1), 4));
            return result(id, unary(Mnemonic::invert, at(0), bytes));
        case Op::bit_reverse: return result(id, unary(Mnemonic::rbit, at(0), bytes));
        case Op::shift_left:
        case Op::shift_right: return result(id, shifted(i, bytes));
        default: return call(id);
    }
}

}  // namespace seiche::emit::arm64
