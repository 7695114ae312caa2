// Selection of floating arithmetic, of vectors and of single numbers, which are the low lane of a vector register.
#include "emit/arm64/selection.hpp"

namespace seiche::emit::arm64 {

using ir::Op;
using ir::Scalar;

namespace {

#define SEICHE_KINDS(name) \
    FloatIds { Mnemonic::name##_s, Mnemonic::name##_4s, Mnemonic::name##_d, Mnemonic::name##_2d }
constexpr FloatIds add_ids = SEICHE_KINDS(fadd), sub_ids = SEICHE_KINDS(fsub), mul_ids = SEICHE_KINDS(fmul),
                   div_ids = SEICHE_KINDS(fdiv), neg_ids = SEICHE_KINDS(fneg), abs_ids = SEICHE_KINDS(fabs),
                   sqrt_ids = SEICHE_KINDS(fsqrt), floor_ids = SEICHE_KINDS(frintm);
#undef SEICHE_KINDS

std::size_t kind_of(ir::Type type) { return (type.scalar == Scalar::f64 ? 2 : 0) + (type.lanes > 1 ? 1 : 0); }

}  // namespace

Reg Selection::vector_op(Mnemonic id, std::initializer_list<Reg> operands) {
    const Reg result = vector(vector_bytes);
    Instruction i;
    i.id = id_of(id);
    i.operands[i.count++] = whole(result);
    for (const Reg reg : operands) i.operands[i.count++] = whole(reg);
    machine_.code.push_back(i);
    return result;
}

/// The number that a vector has in all lanes, which a product takes from one lane of its register; else none.
Reg Selection::number_everywhere(Id value) const {
    const ir::Instruction& i = kernel_.code[value];
    return i.op == Op::splat && i.type.lanes > 1 ? operand(i, 0)[0] : no_reg;
}

void Selection::select_product(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    Parts parts = shape(i.type);
    Reg by = i.type.lanes > 1 ? number_everywhere(i.operands[1]) : no_reg;
    unsigned other = 0;
    if (by == no_reg && i.type.lanes > 1) by = number_everywhere(i.operands[0]), other = 1;
    const bool is_double = i.type.scalar == Scalar::f64;
    for (unsigned k = 0; k < parts.count; ++k) {
        if (by != no_reg)
            parts.regs[k] =
                vector_op(is_double ? Mnemonic::fmul_2d_by : Mnemonic::fmul_4s_by, {operand(i, other)[k], by});
        else
            parts.regs[k] = vector_op(mul_ids[kind_of(i.type)], {operand(i, 0)[k], operand(i, 1)[k]});
    }
    parts_[id] = parts;
}

void Selection::select_float(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    if (i.type.scalar != Scalar::f32 && i.type.scalar != Scalar::f64) refuse(i);
    Parts parts = shape(i.type);
    const auto binary = [&](const FloatIds& ids) {
        for (unsigned k = 0; k < parts.count; ++k)
            parts.regs[k] = vector_op(ids[kind_of(i.type)], {operand(i, 0)[k], operand(i, 1)[k]});
        parts_[id] = parts;
    };
    const auto unary = [&](const FloatIds& ids) {
        for (unsigned k = 0; k < parts.count; ++k) parts.regs[k] = vector_op(ids[kind_of(i.type)], {operand(i, 0)[k]});
        parts_[id] = parts;
    };
    switch (i.op) {
        case Op::add: return binary(add_ids);
        case Op::sub: return binary(sub_ids);
        case Op::mul: return select_product(id);
        case Op::div: return binary(div_ids);
        case Op::min:
        case Op::max: return select_least(id);
        case Op::neg: return unary(neg_ids);
        case Op::abs: return unary(abs_ids);
        case Op::sqrt: return unary(sqrt_ids);
        case Op::floor: return unary(floor_ids);
        case Op::fma:
        case Op::mad: return select_fused(id);
        default: return call(id);
    }
}

/// The second operand where it is less, or greater, else the first: not the machine's own, to which zeros have signs.
void Selection::select_least(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    Parts parts = shape(i.type);
    const bool is_double = i.type.scalar == Scalar::f64, is_min = i.op == Op::min;
    for (unsigned k = 0; k < parts.count; ++k) {
        const Reg a = operand(i, 0)[k], b = operand(i, 1)[k];
        const Reg greater = is_min ? a : b, less = is_min ? b : a;
        if (i.type.lanes == 1) {
            emit(Form::effect, is_double ? Mnemonic::fcmp_d : Mnemonic::fcmp_s, {whole(less), whole(greater)});
            parts.regs[k] = vector(vector_bytes);
            emit(Form::plain, is_double ? Mnemonic::fcsel_d : Mnemonic::fcsel_s,
                 {whole(parts[k]), whole(b), whole(a), immediate(number_of(Condition::mi))});
            continue;
        }
        const Reg mask = vector_op(is_double ? Mnemonic::fcmgt_2d : Mnemonic::fcmgt_4s, {greater, less});
        parts.regs[k] = vector(vector_bytes);
        emit(Form::tied, Mnemonic::bsl, {whole(parts[k]), whole(mask), whole(b), whole(a)});
    }
    parts_[id] = parts;
}

// a * b + c; a negated operand is a sign of the instruction's.
void Selection::select_fused(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    if (i.type.lanes > 1) return select_fused_vectors(id);
    const bool is_double = i.type.scalar == Scalar::f64;
    bool negates[3] = {};
    Reg source[3];
    for (unsigned k = 0; k < 3; ++k) {
        const ir::Instruction& from = kernel_.code[i.operands[k]];
        negates[k] = from.op == Op::neg;
        source[k] = negates[k] ? operand(from, 0)[0] : operand(i, k)[0];
    }
    constexpr Mnemonic ids[2][2][2] = {
        {{Mnemonic::fmadd_s, Mnemonic::fmadd_d}, {Mnemonic::fnmsub_s, Mnemonic::fnmsub_d}},
        {{Mnemonic::fmsub_s, Mnemonic::fmsub_d}, {Mnemonic::fnmadd_s, Mnemonic::fnmadd_d}}};
    const bool takes_away = negates[0] != negates[1];
    result(id, vector_op(ids[takes_away ? 1 : 0][negates[2] ? 1 : 0][is_double ? 1 : 0],
                         {source[0], source[1], source[2]}));
}

/// The instruction overwrites its sum, and has no sign for c.
void Selection::select_fused_vectors(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    Parts parts = shape(i.type);
    Id factor[2];
    bool takes_away = false;
    for (unsigned k = 0; k < 2; ++k) {
        const ir::Instruction& from = kernel_.code[i.operands[k]];
        factor[k] = from.op == Op::neg ? from.operands[0] : i.operands[k];
        takes_away = takes_away != (from.op == Op::neg);
    }
    if (number_everywhere(factor[1]) == no_reg) std::swap(factor[0], factor[1]);
    const Reg by = number_everywhere(factor[1]);
    constexpr Mnemonic ids[2][2][2] = {
        {{Mnemonic::fmla_4s, Mnemonic::fmla_2d}, {Mnemonic::fmls_4s, Mnemonic::fmls_2d}},
        {{Mnemonic::fmla_4s_by, Mnemonic::fmla_2d_by}, {Mnemonic::fmls_4s_by, Mnemonic::fmls_2d_by}}};
    const Mnemonic way = ids[by != no_reg ? 1 : 0][takes_away ? 1 : 0][i.type.scalar == Scalar::f64 ? 1 : 0];
    for (unsigned k = 0; k < parts.count; ++k) {
        parts.regs[k] = vector(vector_bytes);
        const Reg b = by != no_reg ? by : parts_[factor[1]][k];
        emit(Form::tied, way, {whole(parts[k]), whole(operand(i, 2)[k]), whole(parts_[factor[0]][k]), whole(b)});
    }
    parts_[id] = parts;
}

// ---- Choices

void Selection::select_choice(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    if (type_of(i, 0).lanes > 1) return call(id);
    const Id condition = i.operands[0];
    const bool is_single = i.type.lanes == 1 && (i.type.scalar == Scalar::f32 || i.type.scalar == Scalar::f64);
    if (is_general(i.type)) return result(id, chosen(compare(own_test(condition)), operand(i, 1)[0], operand(i, 2)[0]));
    Parts parts = shape(i.type);
    if (is_single) {
        const Condition holds = compare(own_test(condition));
        parts.regs[0] = vector(vector_bytes);
        emit(Form::plain, i.type.scalar == Scalar::f64 ? Mnemonic::fcsel_d : Mnemonic::fcsel_s,
             {whole(parts[0]), whole(operand(i, 1)[0]), whole(operand(i, 2)[0]), immediate(number_of(holds))});
        parts_[id] = parts;
        return;
    }
    const Reg mask = vector(vector_bytes);
    emit(Form::plain, Mnemonic::dup_2d_x, {whole(mask), in_register(negative(operand(i, 0)[0], 8), 8)});
    for (unsigned k = 0; k < parts.count; ++k) {
        parts.regs[k] = vector(vector_bytes);
        emit(Form::tied, Mnemonic::bsl,
             {whole(parts[k]), whole(mask), whole(operand(i, 1)[k]), whole(operand(i, 2)[k])});
    }
    parts_[id] = parts;
}

/// Where one of them is not a number, neither is less.
Reg Selection::compared_floats(const ir::Instruction& i) {
    const bool is_double = type_of(i, 0).scalar == Scalar::f64;
    emit(Form::effect, is_double ? Mnemonic::fcmp_d : Mnemonic::fcmp_s,
         {whole(operand(i, 0)[0]), whole(operand(i, 1)[0])});
    const Condition condition = i.op == Op::equal       ? Condition::eq
                                : i.op == Op::not_equal ? Condition::ne
                                : i.op == Op::less      ? Condition::mi
                                                        : Condition::ls;
    const Reg none = number(0), result = general();
    emit(Form::plain, Mnemonic::csel,
         {in_register(result, 4), in_register(number(1), 4), in_register(none, 4), immediate(number_of(condition))});
    return result;
}

}  // namespace seiche::emit::arm64
