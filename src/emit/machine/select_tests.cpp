// Selection of comparisons, asked where they are used, and of divisions by numbers.
#include <bit>
#include <limits>

#include "emit/machine/selection.hpp"

namespace seiche::emit::machine {

using ir::Op;
using ir::Scalar;

namespace {

unsigned width(Scalar scalar) { return scalar == Scalar::u64 ? 8 : 4; }

}  // namespace

Selection::Test Selection::is_not_zero(Reg reg, unsigned bytes) const {
    return {Relation::not_equal, in_register(reg, bytes), immediate(0)};
}

Reg Selection::set_by(const Test& test) {
    const Reg result = general();
    emit(Form::set, 0, {in_register(result, 4), test.a, test.b});
    machine_.code.back().tests[0] = test.relation;
    return result;
}

namespace {

Relation relation_of(Op op, bool is_signed) {
    if (op == Op::equal) return Relation::equal;
    if (op == Op::not_equal) return Relation::not_equal;
    if (op == Op::less) return is_signed ? Relation::less : Relation::below;
    return is_signed ? Relation::less_equal : Relation::below_equal;
}

}  // namespace

/// Of a comparison of single integers, asked once more.
std::optional<Selection::Test> Selection::test_of(Id condition) const {
    const ir::Instruction& i = kernel_.code[condition];
    if (ir::op_kind(i.op) != ir::OpKind::compare || !is_general(type_of(i, 0))) return std::nullopt;
    const unsigned bytes = width(type_of(i, 0).scalar);
    return Test{relation_of(i.op, type_of(i, 0).scalar == Scalar::i32), in_register(operand(i, 0)[0], bytes),
                general_operand(operand(i, 1)[0], bytes)};
}

Selection::Test Selection::own_test(Id condition) const {
    return test_of(condition).value_or(is_not_zero(parts_[condition][0], 4));
}

/// All must hold; two at most.
std::vector<Selection::Test> Selection::tests_of(Id condition) const {
    const ir::Instruction& i = kernel_.code[condition];
    if (const std::optional<Test> test = test_of(condition)) return {*test};
    if (i.op == Op::bit_and) return {own_test(i.operands[0]), own_test(i.operands[1])};
    return {own_test(condition)};
}

void Selection::emit_tested(Form form, InstructionId id, const Operand& first, const Operand& second,
                            const std::vector<Test>& tests) {
    emit(form, id, {first, second});
    Instruction& i = machine_.code.back();
    for (std::size_t t = 0; t < tests.size(); ++t) {
        i.tests[t] = tests[t].relation;
        i.operands[i.count++] = tests[t].a;
        i.operands[i.count++] = tests[t].b;
    }
}

void Selection::load_part(InstructionId way, const Operand& to, const Operand& from, const std::vector<Test>& tests) {
    if (tests.empty())
        emit(Form::plain, way, {to, from});
    else
        emit_tested(Form::load_if, way, to, from, tests);
}

void Selection::store_part(InstructionId way, const Operand& to, const Operand& from, const std::vector<Test>& tests) {
    if (tests.empty())
        emit(Form::effect, way, {to, from});
    else
        emit_tested(Form::store_if, way, to, from, tests);
}

// x / d of 32 bits is the upper half of x * (2^64 / d + 1), since the error, below x / 2^64, is below 1 / d.
Reg Selection::quotient(Reg a, Id divisor, unsigned bytes, bool wants_rest) {
    const Reg by = parts_[divisor][0];
    const RegInfo known = machine_.regs[by];
    if (std::has_single_bit(known.immediate)) {
        if (wants_rest) return low_bits(a, known.immediate - 1, bytes);
        return shifted_right(a, static_cast<unsigned>(std::countr_zero(known.immediate)), bytes);
    }
    if (bytes == 4) {
        const Reg q = high_product(a, number(std::numeric_limits<std::uint64_t>::max() / known.immediate + 1), 8);
        return wants_rest ? difference(a, multiply(q, by, 4), 4) : q;
    }
    return divide(a, by, bytes, wants_rest);
}

bool Selection::divides_by_constant(const ir::Instruction& i) const {
    const RegInfo& by = machine_.regs[operand(i, 1)[0]];
    return by.is_immediate && by.immediate != 0;
}

void Selection::select_compare(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    const ir::Type type = type_of(i, 0);
    if (type.lanes > 1) return call(id);
    parts_[id] = shape(i.type);
    if (type.is_float()) {
        parts_[id].regs[0] = compared_floats(i);
        return;
    }
    parts_[id].regs[0] = set_by(*test_of(id));
}

}  // namespace seiche::emit::machine
