// Selection of what general registers hold: single integers and booleans. A u32 or i32 has a zero upper half.
#include <bit>

#include "emit/x86/selection.hpp"

namespace seiche::emit::x86 {

using ir::Op;
using ir::Scalar;

namespace {

unsigned width(Scalar scalar) { return scalar == Scalar::u64 ? 8 : 4; }

}  // namespace

Operand Selection::general_operand(Reg reg, unsigned bytes) const {
    const RegInfo& info = machine_.regs[reg];
    const auto narrow = static_cast<std::int32_t>(info.immediate);
    if (info.is_immediate && (bytes == 4 || static_cast<std::uint64_t>(std::int64_t{narrow}) == info.immediate))
        return immediate(narrow);
    return in_register(reg, bytes);
}

Reg Selection::move_general(Reg from, unsigned bytes) {
    const Reg result = general();
    emit(Form::plain, Mnemonic::mov, {in_register(result, bytes), in_register(from, bytes)});
    return result;
}

Reg Selection::general_binary(Mnemonic id, Reg a, Reg b, unsigned bytes, bool commutes) {
    if (commutes && machine_.regs[a].is_immediate) std::swap(a, b);
    const Reg result = general();
    emit(commutes ? Form::tied_commutes : Form::tied, id,
         {in_register(result, bytes), in_register(a, bytes), general_operand(b, bytes)}, true);
    return result;
}

Reg Selection::multiply(Reg a, Reg b, unsigned bytes) {
    if (machine_.regs[a].is_immediate) std::swap(a, b);
    const RegInfo factor = machine_.regs[b];
    if (!factor.is_immediate) return general_binary(Mnemonic::imul, a, b, bytes);
    if (std::has_single_bit(factor.immediate)) {
        const int shift = std::countr_zero(factor.immediate);
        return shift == 0 ? a : general_binary(Mnemonic::shl, a, number(static_cast<unsigned>(shift)), bytes, false);
    }
    const Operand by = general_operand(b, bytes);
    if (by.kind == OperandKind::reg) return general_binary(Mnemonic::imul, a, b, bytes);
    const Reg result = general();
    emit(Form::plain, Mnemonic::imul, {in_register(result, bytes), in_register(a, bytes), by});
    return result;
}

// As in the interpreter a count is taken modulo the width.
Reg Selection::shifted(Mnemonic id, Reg a, Reg count, unsigned bytes) {
    const RegInfo by = machine_.regs[count];
    if (by.is_immediate) return general_binary(id, a, number(by.immediate & (8 * bytes - 1)), bytes, false);
    const Reg result = general();
    emit(Form::effect, Mnemonic::mov, {in_fixed(Fixed::rcx, 4), in_register(count, 4)});
    emit(Form::tied, id, {in_register(result, bytes), in_register(a, bytes), in_fixed(Fixed::rcx, 1)});
    return result;
}

Reg Selection::chosen(Id condition, Reg if_true, Reg if_false) {
    const Test test = own_test(condition);
    constexpr Mnemonic moves[] = {Mnemonic::none,   Mnemonic::cmovz, Mnemonic::cmovnz, Mnemonic::cmovb,
                                  Mnemonic::cmovbe, Mnemonic::cmovl, Mnemonic::cmovle};
    emit(Form::effect, Mnemonic::cmp, {test.a, test.b});
    const Reg result = general();
    emit(Form::tied, moves[static_cast<std::size_t>(test.relation)],
         {in_register(result, 8), in_register(if_false, 8), in_register(if_true, 8)}, true);
    return result;
}

Reg Selection::smaller_or_larger(const ir::Instruction& i) {
    const unsigned bytes = width(i.type.scalar);
    const bool is_signed = i.type.scalar == Scalar::i32;
    const Reg a = operand(i, 0)[0], b = operand(i, 1)[0];
    emit(Form::effect, Mnemonic::cmp, {in_register(a, bytes), general_operand(b, bytes)});
    const Mnemonic takes_b = i.op == Op::min ? (is_signed ? Mnemonic::cmovg : Mnemonic::cmova)
                                             : (is_signed ? Mnemonic::cmovl : Mnemonic::cmovb);
    const Reg result = general();
    emit(Form::tied, takes_b, {in_register(result, 8), in_register(a, 8), in_register(b, 8)}, true);
    return result;
}

Reg Selection::high_product(Reg a, Reg b, unsigned bytes) {
    if (bytes == 4) {
        const Reg product = multiply(a, b, 8);
        return general_binary(Mnemonic::shr, product, number(32), 8, false);
    }
    emit(Form::effect, Mnemonic::mov, {in_fixed(Fixed::rax, 8), in_register(a, 8)});
    emit(Form::effect, Mnemonic::mul, {in_register(b, 8)});
    const Reg result = general();
    emit(Form::plain, Mnemonic::mov, {in_register(result, 8), in_fixed(Fixed::rdx, 8)});
    return result;
}

Reg Selection::sum(Reg a, Reg b, unsigned bytes) { return general_binary(Mnemonic::add, a, b, bytes); }

Reg Selection::difference(Reg a, Reg b, unsigned bytes) { return general_binary(Mnemonic::sub, a, b, bytes, false); }

Reg Selection::shifted_right(Reg a, unsigned by, unsigned bytes) {
    return general_binary(Mnemonic::shr, a, number(by), bytes, false);
}

Reg Selection::low_bits(Reg a, std::uint64_t mask, unsigned bytes) {
    return general_binary(Mnemonic::and_, a, number(mask), bytes);
}

Reg Selection::negative(Reg a, unsigned bytes) {
    const Reg result = general();
    emit(Form::tied, Mnemonic::neg, {in_register(result, bytes), in_register(a, bytes)});
    return result;
}

Reg Selection::sign_extended(Reg a) {
    const Reg result = general();
    emit(Form::plain, Mnemonic::movsxd, {in_register(result, 8), in_register(a, 4)});
    return result;
}

Reg Selection::narrowed(Reg a, unsigned bytes, bool is_signed) {
    const Reg result = general();
    emit(Form::plain, is_signed ? Mnemonic::movsx : Mnemonic::movzx, {in_register(result, 4), in_register(a, bytes)});
    return result;
}

Reg Selection::divide(Reg a, Reg by, unsigned bytes, bool wants_rest) {
    const Reg result = general();
    emit(Form::effect, Mnemonic::mov, {in_fixed(Fixed::rax, bytes), in_register(a, bytes)});
    emit(Form::effect, Mnemonic::xor_, {in_fixed(Fixed::rdx, 4), in_fixed(Fixed::rdx, 4)});
    emit(Form::effect, Mnemonic::div, {in_register(by, bytes)});
    emit(Form::plain, Mnemonic::mov,
         {in_register(result, bytes), in_fixed(wants_rest ? Fixed::rdx : Fixed::rax, bytes)});
    return result;
}

void Selection::select_general(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    if (i.type.lanes > 1) return call(id);
    const unsigned bytes = width(i.type.scalar);
    const auto at = [&](unsigned k) { return operand(i, k)[0]; };
    const auto result = [&](Reg reg) {
        parts_[id] = shape(i.type);
        parts_[id].regs[0] = reg;
    };
    const auto unary = [&](Mnemonic machine_id) {
        const Reg reg = general();
        emit(Form::tied, machine_id, {in_register(reg, bytes), in_register(at(0), bytes)});
        return reg;
    };
    switch (i.op) {
        case Op::add: return result(general_binary(Mnemonic::add, at(0), at(1), bytes));
        case Op::sub: return result(general_binary(Mnemonic::sub, at(0), at(1), bytes, false));
        case Op::mul: return result(multiply(at(0), at(1), bytes));
        case Op::fma:
        case Op::mad: return result(general_binary(Mnemonic::add, multiply(at(0), at(1), bytes), at(2), bytes));
        case Op::div:
        case Op::mod:  // by what may be 0 the machine does not divide
            if (!divides_by_constant(i)) return call(id);
            return result(quotient(at(0), i.operands[1], bytes, i.op == Op::mod));
        case Op::mul_high: return result(high_product(at(0), at(1), bytes));
        case Op::min:
        case Op::max: return result(smaller_or_larger(i));
        case Op::neg: return result(unary(Mnemonic::neg));
        case Op::bit_and: return result(general_binary(Mnemonic::and_, at(0), at(1), bytes));
        case Op::bit_or: return result(general_binary(Mnemonic::or_, at(0), at(1), bytes));
        case Op::bit_xor: return result(general_binary(Mnemonic::xor_, at(0), at(1), bytes));
        case Op::bit_not:
            if (i.type.scalar == Scalar::boolean) return result(general_binary(Mnemonic::xor_, at(0), number(1), 4));
            return result(unary(Mnemonic::not_));
        case Op::shift_left: return result(shifted(Mnemonic::shl, at(0), at(1), bytes));
        case Op::shift_right: return result(shifted(Mnemonic::shr, at(0), at(1), bytes));
        default: return call(id);
    }
}

}  // namespace seiche::emit::x86
