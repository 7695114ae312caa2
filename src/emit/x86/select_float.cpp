// Selection of floating arithmetic, of vectors and of single numbers, which are the low lane of a vector register.
#include <asmjit/x86.h>
#include <bit>
#include <cstring>

#include "emit/x86/selection.hpp"

namespace seiche::emit::x86 {

namespace Inst = asmjit::x86::Inst;
using ir::Op;
using ir::Scalar;

namespace {

constexpr FloatIds add_ids{{Inst::kIdAddss, Inst::kIdAddps, Inst::kIdAddsd, Inst::kIdAddpd},
                           {Inst::kIdVaddss, Inst::kIdVaddps, Inst::kIdVaddsd, Inst::kIdVaddpd}};
constexpr FloatIds sub_ids{{Inst::kIdSubss, Inst::kIdSubps, Inst::kIdSubsd, Inst::kIdSubpd},
                           {Inst::kIdVsubss, Inst::kIdVsubps, Inst::kIdVsubsd, Inst::kIdVsubpd}};
constexpr FloatIds mul_ids{{Inst::kIdMulss, Inst::kIdMulps, Inst::kIdMulsd, Inst::kIdMulpd},
                           {Inst::kIdVmulss, Inst::kIdVmulps, Inst::kIdVmulsd, Inst::kIdVmulpd}};
constexpr FloatIds div_ids{{Inst::kIdDivss, Inst::kIdDivps, Inst::kIdDivsd, Inst::kIdDivpd},
                           {Inst::kIdVdivss, Inst::kIdVdivps, Inst::kIdVdivsd, Inst::kIdVdivpd}};
constexpr FloatIds min_ids{{Inst::kIdMinss, Inst::kIdMinps, Inst::kIdMinsd, Inst::kIdMinpd},
                           {Inst::kIdVminss, Inst::kIdVminps, Inst::kIdVminsd, Inst::kIdVminpd}};
constexpr FloatIds max_ids{{Inst::kIdMaxss, Inst::kIdMaxps, Inst::kIdMaxsd, Inst::kIdMaxpd},
                           {Inst::kIdVmaxss, Inst::kIdVmaxps, Inst::kIdVmaxsd, Inst::kIdVmaxpd}};

std::size_t kind_of(ir::Type type) { return (type.scalar == Scalar::f64 ? 2 : 0) + (type.lanes > 1 ? 1 : 0); }

}  // namespace

Reg Selection::vector_op(std::uint32_t sse, std::uint32_t avx_id, unsigned bytes, Reg a, Reg b, bool commutes) {
    const Reg result = vector(bytes);
    if (avx())
        emit(Form::plain, avx_id, {in_register(result, bytes), in_register(a, bytes), in_register(b, bytes)}, true);
    else
        emit(commutes ? Form::tied_commutes : Form::tied, sse,
             {in_register(result, bytes), in_register(a, bytes), in_register(b, bytes)}, true);
    return result;
}

Reg Selection::vector_op(const FloatIds& ids, ir::Type type, unsigned bytes, Reg a, Reg b, bool commutes) {
    const std::size_t kind = kind_of(type);
    return vector_op(ids.sse[kind], ids.avx[kind], bytes, a, b, commutes);
}

Reg Selection::with_bits(std::uint32_t sse, std::uint32_t avx_id, ir::Type type, unsigned bytes, Reg a,
                         std::uint64_t lane) {
    const unsigned lane_bytes = ir::scalar_bytes(type.scalar);
    return vector_op(sse, avx_id, bytes, a, constant(&lane, lane_bytes, bytes));
}

namespace {

std::uint64_t sign_of(Scalar scalar) { return scalar == Scalar::f64 ? std::uint64_t{1} << 63 : 0x80000000u; }

}  // namespace

void Selection::select_float(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    if (i.type.scalar != Scalar::f32 && i.type.scalar != Scalar::f64) refuse(i);
    const bool is_double = i.type.scalar == Scalar::f64;
    const auto both = [&](const FloatIds& ids, bool commutes, bool swapped = false) {
        Parts parts = shape(i.type);
        const Parts a = operand(i, swapped ? 1 : 0), b = operand(i, swapped ? 0 : 1);
        for (unsigned k = 0; k < parts.count; ++k)
            parts.regs[k] = vector_op(ids, i.type, parts.bytes, a[k], b[k], commutes);
        parts_[id] = parts;
    };
    const auto bits = [&](std::uint32_t sse, std::uint32_t avx_id, std::uint64_t lane) {
        Parts parts = shape(i.type);
        const Parts a = operand(i, 0);
        for (unsigned k = 0; k < parts.count; ++k)
            parts.regs[k] = with_bits(sse, avx_id, i.type, parts.bytes, a[k], lane);
        parts_[id] = parts;
    };
    switch (i.op) {
        case Op::add: return both(add_ids, true);
        case Op::sub: return both(sub_ids, false);
        case Op::mul: return both(mul_ids, true);
        case Op::div: return both(div_ids, false);
        // The second operand is what comes of two that are neither less nor greater.
        case Op::min: return both(min_ids, false, true);
        case Op::max: return both(max_ids, false, true);
        case Op::neg: return bits(Inst::kIdXorps, Inst::kIdVxorps, sign_of(i.type.scalar));
        case Op::abs:
            return bits(Inst::kIdAndps, Inst::kIdVandps,
                        is_double ? ~sign_of(Scalar::f64) : std::uint64_t{0x7fffffffu});
        case Op::sqrt:
        case Op::floor: return select_rounded(id);
        case Op::fma:
        case Op::mad: return select_fused(id);
        default: return call(id);
    }
}

void Selection::select_rounded(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    constexpr std::uint32_t sse_root[] = {Inst::kIdSqrtss, Inst::kIdSqrtps, Inst::kIdSqrtsd, Inst::kIdSqrtpd};
    constexpr std::uint32_t avx_root[] = {Inst::kIdVsqrtss, Inst::kIdVsqrtps, Inst::kIdVsqrtsd, Inst::kIdVsqrtpd};
    const bool is_double = i.type.scalar == Scalar::f64, is_single = i.type.lanes == 1;
    Parts parts = shape(i.type);
    const Parts a = operand(i, 0);
    constexpr std::int64_t down = 9;  // towards minus infinity, without the inexact flag
    for (unsigned k = 0; k < parts.count; ++k) {
        parts.regs[k] = vector(parts.bytes);
        const Operand to = in_register(parts[k], parts.bytes), from = in_register(a[k], parts.bytes);
        if (i.op == Op::floor) {
            const bool is_widest = parts.bytes == 64;
            const std::uint32_t vex = is_double ? Inst::kIdVroundpd : Inst::kIdVroundps;
            const std::uint32_t evex = is_double ? Inst::kIdVrndscalepd : Inst::kIdVrndscaleps;
            const std::uint32_t sse = is_double ? Inst::kIdRoundpd : Inst::kIdRoundps;
            emit(Form::plain, wide() || is_widest ? evex : avx() ? vex : sse, {to, from, immediate(down)});
        } else if (avx() && is_single) {
            emit(Form::plain, avx_root[kind_of(i.type)], {to, from, from});
        } else {
            emit(Form::plain, avx() ? avx_root[kind_of(i.type)] : sse_root[kind_of(i.type)], {to, from});
        }
    }
    parts_[id] = parts;
}

// a * b + c; a negated operand is a sign of the instruction's.
void Selection::select_fused(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    if (!avx() && i.op == Op::fma) return call(id);
    Parts parts = shape(i.type);
    bool negates[3] = {};
    Parts source[3];
    for (unsigned k = 0; k < 3; ++k) {
        const ir::Instruction& from = kernel_.code[i.operands[k]];
        negates[k] = avx() && from.op == Op::neg;
        source[k] = negates[k] ? parts_[from.operands[0]] : parts_[i.operands[k]];
    }
    if (!avx()) {
        for (unsigned k = 0; k < parts.count; ++k)
            parts.regs[k] = vector_op(add_ids, i.type, parts.bytes,
                                      vector_op(mul_ids, i.type, parts.bytes, source[0][k], source[1][k], true),
                                      source[2][k], true);
        parts_[id] = parts;
        return;
    }
    const std::size_t kind = kind_of(i.type);
    const FusedSigns signs = negates[0] != negates[1] ? (negates[2] ? FusedSigns::nmsub : FusedSigns::nmadd)
                                                      : (negates[2] ? FusedSigns::msub : FusedSigns::madd);
    for (unsigned k = 0; k < parts.count; ++k) {
        parts.regs[k] = vector(parts.bytes);
        const auto reg = [&](Reg r) { return in_register(r, parts.bytes); };
        emit(Form::fused, static_cast<std::uint32_t>(signs) * 4 + static_cast<std::uint32_t>(kind),
             {reg(parts[k]), reg(source[0][k]), reg(source[1][k]), reg(source[2][k])}, true);
    }
    parts_[id] = parts;
}

// ---- Choices

Reg Selection::mask_of(Reg condition, unsigned bytes) {
    const Reg all = general();
    emit(Form::tied, Inst::kIdNeg, {in_register(all, 8), in_register(condition, 8)});
    const Reg low = to_vector(all, 8);
    return splatted(low, 8, bytes);
}

Reg Selection::blended(Reg mask, Reg if_true, Reg if_false, unsigned bytes) {
    const Reg result = vector(bytes);
    const auto reg = [&](Reg r) { return in_register(r, bytes); };
    if (wide()) {
        constexpr std::int64_t mask_takes_second = 0xca;
        emit(Form::tied, Inst::kIdVpternlogd,
             {reg(result), reg(mask), reg(if_true), reg(if_false), immediate(mask_takes_second)});
        return result;
    }
    if (avx()) {
        emit(Form::plain, Inst::kIdVblendvps, {reg(result), reg(if_false), reg(if_true), reg(mask)});
        return result;
    }
    const Reg chosen_bits = vector_op(Inst::kIdAndps, 0, bytes, mask, if_true);
    const Reg others = vector_op(Inst::kIdAndnps, 0, bytes, mask, if_false, false);
    return vector_op(Inst::kIdOrps, 0, bytes, chosen_bits, others);
}

void Selection::select_choice(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    if (type_of(i, 0).lanes > 1) return call(id);
    Parts parts = shape(i.type);
    const Reg condition = operand(i, 0)[0];
    if (is_general(i.type)) {
        parts.regs[0] = chosen(condition, operand(i, 1)[0], operand(i, 2)[0]);
    } else {
        const Reg mask = mask_of(condition, parts.bytes);
        for (unsigned k = 0; k < parts.count; ++k)
            parts.regs[k] = blended(mask, operand(i, 1)[k], operand(i, 2)[k], parts.bytes);
    }
    parts_[id] = parts;
}

Reg Selection::compared_floats(const ir::Instruction& i) {
    const bool is_double = type_of(i, 0).scalar == Scalar::f64;
    const Reg a = operand(i, 0)[0], b = operand(i, 1)[0], mask = vector(16);
    const std::int64_t how = i.op == Op::equal ? 0 : i.op == Op::less ? 1 : i.op == Op::less_equal ? 2 : 4;
    const auto reg = [&](Reg r) { return in_register(r, 16); };
    if (wide()) {
        emit(Form::effect, is_double ? Inst::kIdVcmpsd : Inst::kIdVcmpss,
             {in_fixed(Fixed::k1, 8), reg(a), reg(b), immediate(how)});
        const Reg result = general();
        emit(Form::plain, Inst::kIdKmovd, {in_register(result, 4), in_fixed(Fixed::k1, 8)});
        return result;
    }
    if (avx()) {
        emit(Form::plain, is_double ? Inst::kIdVcmpsd : Inst::kIdVcmpss, {reg(mask), reg(a), reg(b), immediate(how)});
    } else {
        emit(Form::tied, is_double ? Inst::kIdCmpsd : Inst::kIdCmpss, {reg(mask), reg(a), reg(b), immediate(how)});
    }
    return general_binary(Inst::kIdAnd, to_general(mask, 4), number(1), 4);
}

}  // namespace seiche::emit::x86
