// Arithmetic, comparison and choice in SPIR-V.
#include <array>

#include "emit/spirv_writer.hpp"
#include "seiche/error.hpp"

namespace seiche::emit::spirv {

using ir::Instruction;
using ir::Op;
using ir::Scalar;
using ir::Type;
using ir::ValueId;

namespace {

struct Plain {
    Op op;
    Code integer, floating;
};

constexpr Code none = Code{0};
constexpr std::array<Plain, 13> plain_operations{{{Op::add, Code::IAdd, Code::FAdd},
                                                  {Op::sub, Code::ISub, Code::FSub},
                                                  {Op::mul, Code::IMul, Code::FMul},
                                                  {Op::div, Code::UDiv, Code::FDiv},
                                                  {Op::mod, Code::UMod, none},
                                                  {Op::neg, Code::SNegate, Code::FNegate},
                                                  {Op::bit_and, Code::BitwiseAnd, none},
                                                  {Op::bit_or, Code::BitwiseOr, none},
                                                  {Op::bit_xor, Code::BitwiseXor, none},
                                                  {Op::bit_not, Code::Not, none},
                                                  {Op::shift_left, Code::ShiftLeftLogical, none},
                                                  {Op::shift_right, Code::ShiftRightLogical, none},
                                                  {Op::bit_reverse, Code::BitReverse, none}}};

Code logical_code(Op op) {
    switch (op) {
        case Op::bit_and: return Code::LogicalAnd;
        case Op::bit_or: return Code::LogicalOr;
        case Op::bit_xor: return Code::LogicalNotEqual;
        case Op::bit_not: return Code::LogicalNot;
        default: return none;
    }
}

Code compare_code(Op op, Scalar scalar) {
    const bool floating = scalar >= Scalar::f16, is_signed = scalar == Scalar::i32, truth = scalar == Scalar::boolean;
    switch (op) {
        case Op::equal: return truth ? Code::LogicalEqual : floating ? Code::FOrdEqual : Code::IEqual;
        case Op::not_equal: return truth ? Code::LogicalNotEqual : floating ? Code::FUnordNotEqual : Code::INotEqual;
        case Op::less: return floating ? Code::FOrdLessThan : is_signed ? Code::SLessThan : Code::ULessThan;
        default: return floating ? Code::FOrdLessThanEqual : is_signed ? Code::SLessThanEqual : Code::ULessThanEqual;
    }
}

}  // namespace

// An op that is one instruction of the core, or false.
bool Writer::plain_operation(ValueId id) {
    const Instruction& i = kernel_.code[id];
    Code code = none;
    for (const Plain& plain : plain_operations)
        if (plain.op == i.op) code = i.type.is_float() ? plain.floating : plain.integer;
    if (i.type.scalar == Scalar::boolean) code = logical_code(i.op);
    if (code == none || i.op == Op::bit_reverse) return false;
    std::vector<Word> operands;
    for (unsigned k = 0; k < ir::op_operands(i.op); ++k) operands.push_back(operand_id(id, k));
    const Id result = op(code, held_type(id), operands);
    if (i.exact && i.type.is_float() && !flavour_.exact_without_asking) exact(result);
    define(id, result);
    return true;
}

Id Writer::multiply_add(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const Type t = held_type(id);
    const Id a = operand_id(id, 0), b = operand_id(id, 1), c = operand_id(id, 2);
    if (!i.type.is_float()) return op(Code::IAdd, t, {op(Code::IMul, t, {a, b}), c});
    if (i.op == Op::fma || target_.fast_fma) {
        const Id result = call(*flavour_.function(Op::fma, t.scalar), t, {a, b, c});
        // Without this mark an fma may be split in two.
        if (i.op == Op::fma && !flavour_.exact_without_asking) exact(result);
        return result;
    }
    return op(Code::FAdd, t, {op(Code::FMul, t, {a, b}), c});
}

// Swaps of ever larger parts; the core's instruction takes 32 bits and needs a shader.
Id Writer::reverse_bits(Id value, Type t) {
    if (t.scalar != Scalar::u64 && !flavour_.casts_pointers) return op(Code::BitReverse, t, {value});
    const unsigned bits = 8 * ir::scalar_bytes(t.scalar);
    const auto shift = [&](Code code, Id of, unsigned by) { return op(code, t, {of, constant(t, by)}); };
    for (unsigned step = 1; step < bits; step *= 2) {
        const std::uint64_t ones = ~std::uint64_t{0} >> (64 - bits), low = ones / ((std::uint64_t{1} << step) + 1);
        const Id mask = constant(t, low);
        const Id up = shift(Code::ShiftLeftLogical, op(Code::BitwiseAnd, t, {value, mask}), step);
        const Id down = op(Code::BitwiseAnd, t, {shift(Code::ShiftRightLogical, value, step), mask});
        value = op(Code::BitwiseOr, t, {up, down});
    }
    return value;
}

// The upper half of a 64-bit product from four 32-bit ones, whose low halves can carry.
Id Writer::multiply_high_by_parts(Id a, Id b) {
    const Type t = Scalar::u64;
    const Id mask = constant(t, 0xffffffffu), half = constant(t, 32);
    const auto low = [&](Id x) { return op(Code::BitwiseAnd, t, {x, mask}); };
    const auto high = [&](Id x) { return op(Code::ShiftRightLogical, t, {x, half}); };
    const auto sum = [&](Id x, Id y) { return op(Code::IAdd, t, {x, y}); };
    const auto product = [&](Id x, Id y) { return op(Code::IMul, t, {x, y}); };
    const Id a0 = low(a), a1 = high(a), b0 = low(b), b1 = high(b);
    const Id middle = sum(product(a1, b0), high(product(a0, b0)));
    const Id rest = sum(product(a0, b1), low(middle));
    return sum(sum(product(a1, b1), high(middle)), high(rest));
}

Id Writer::multiply_high(Id a, Id b, Type t) {
    if (const auto function = flavour_.function(Op::mul_high, t.scalar)) return call(*function, t, {a, b});
    if (t.scalar == Scalar::u64) return multiply_high_by_parts(a, b);
    const Id pair = module_.type(Code::TypeStruct, {type(t), type(t)});
    return op(Code::CompositeExtract, t, {op(Code::UMulExtended, pair, {a, b}), 1});
}

void Writer::arithmetic(ValueId id) {
    const Instruction& i = kernel_.code[id];
    if (i.op == Op::select) return select(id);
    if (ir::scalar_bytes(i.type.scalar) == 2) unsupported(i, "half precision is for storage only");
    if (plain_operation(id)) return;
    const Type t = held_type(id);
    switch (i.op) {
        case Op::fma:
        case Op::mad: return define(id, multiply_add(id));
        case Op::bit_reverse: return define(id, reverse_bits(operand_id(id, 0), t));
        case Op::mul_high: return define(id, multiply_high(operand_id(id, 0), operand_id(id, 1), t));
        case Op::abs:
            if (t.scalar == Scalar::u32 || t.scalar == Scalar::u64) return define(id, operand_id(id, 0));
            break;
        default: break;
    }
    const auto function = flavour_.function(i.op, t.scalar);
    if (!function) {
        const bool circular = i.op == Op::sin || i.op == Op::cos || i.op == Op::sinpi || i.op == Op::cospi ||
                              i.op == Op::approx_sin || i.op == Op::approx_cos;
        if (circular) return define(id, trigonometric(i.op, operand_id(id, 0), t));
        unsupported(i, t.scalar == Scalar::f64 ? "there is none of f64" : "");
    }
    std::vector<Word> operands;
    for (unsigned k = 0; k < ir::op_operands(i.op); ++k) operands.push_back(operand_id(id, k));
    define(id, call(*function, t, operands));
}

void Writer::compare(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const Held a = operand(i, 0), b = operand(i, 1);
    const Scalar scalar = kernel_.code[i.operands[0]].op == Op::loop_begin ? Scalar::u32 : a.type.scalar;
    if (!a.rounded || !b.rounded) unsupported(i, "half precision is for storage only");
    define(id, op(compare_code(i.op, scalar), Type(Scalar::boolean, a.type.lanes), {a.id, b.id}));
}

// Before version 1.4 a vector is chosen lane by lane.
void Writer::select(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const Type t = held_type(id);
    Held condition = operand(i, 0);
    if (t.is_vector() && !condition.type.is_vector())
        condition.id = vector_of(Type(Scalar::boolean, t.lanes), std::vector<Id>(t.lanes, condition.id));
    const bool rounded = operand(i, 1).rounded && operand(i, 2).rounded;
    if (operand(i, 1).type != operand(i, 2).type && !is_narrow_address(id))
        unsupported(i, "of halves made from f32 and from f64");
    const Id result = op(Code::Select, t, {condition.id, operand_id(id, 1), operand_id(id, 2)});
    define(id, result, rounded);
}

}  // namespace seiche::emit::spirv
