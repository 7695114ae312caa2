// Selection of floating arithmetic, of vectors and of single numbers, which are the low lane of a vector register.
#include <bit>
#include <cstring>

#include "emit/x86/selection.hpp"

namespace seiche::emit::x86 {

using ir::Op;
using ir::Scalar;

namespace {

constexpr FloatIds add_ids{{Mnemonic::addss, Mnemonic::addps, Mnemonic::addsd, Mnemonic::addpd},
                           {Mnemonic::vaddss, Mnemonic::vaddps, Mnemonic::vaddsd, Mnemonic::vaddpd}};
constexpr FloatIds sub_ids{{Mnemonic::subss, Mnemonic::subps, Mnemonic::subsd, Mnemonic::subpd},
                           {Mnemonic::vsubss, Mnemonic::vsubps, Mnemonic::vsubsd, Mnemonic::vsubpd}};
constexpr FloatIds mul_ids{{Mnemonic::mulss, Mnemonic::mulps, Mnemonic::mulsd, Mnemonic::mulpd},
                           {Mnemonic::vmulss, Mnemonic::vmulps, Mnemonic::vmulsd, Mnemonic::vmulpd}};
constexpr FloatIds div_ids{{Mnemonic::divss, Mnemonic::divps, Mnemonic::divsd, Mnemonic::divpd},
                           {Mnemonic::vdivss, Mnemonic::vdivps, Mnemonic::vdivsd, Mnemonic::vdivpd}};
constexpr FloatIds min_ids{{Mnemonic::minss, Mnemonic::minps, Mnemonic::minsd, Mnemonic::minpd},
                           {Mnemonic::vminss, Mnemonic::vminps, Mnemonic::vminsd, Mnemonic::vminpd}};
constexpr FloatIds max_ids{{Mnemonic::maxss, Mnemonic::maxps, Mnemonic::maxsd, Mnemonic::maxpd},
                           {Mnemonic::vmaxss, Mnemonic::vmaxps, Mnemonic::vmaxsd, Mnemonic::vmaxpd}};

/// By signs, and as FloatIds.
constexpr std::array<std::array<Mnemonic, 4>, 4> fused_names{
    {{Mnemonic::vfmadd213ss, Mnemonic::vfmadd213ps, Mnemonic::vfmadd213sd, Mnemonic::vfmadd213pd},
     {Mnemonic::vfmsub213ss, Mnemonic::vfmsub213ps, Mnemonic::vfmsub213sd, Mnemonic::vfmsub213pd},
     {Mnemonic::vfnmadd213ss, Mnemonic::vfnmadd213ps, Mnemonic::vfnmadd213sd, Mnemonic::vfnmadd213pd},
     {Mnemonic::vfnmsub213ss, Mnemonic::vfnmsub213ps, Mnemonic::vfnmsub213sd, Mnemonic::vfnmsub213pd}}};

std::size_t kind_of(ir::Type type) { return (type.scalar == Scalar::f64 ? 2 : 0) + (type.lanes > 1 ? 1 : 0); }

}  // namespace

Reg Selection::vector_op(Mnemonic sse, Mnemonic avx_id, unsigned bytes, Reg a, Reg b, bool commutes) {
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

Reg Selection::with_bits(Mnemonic sse, Mnemonic avx_id, ir::Type type, unsigned bytes, Reg a, std::uint64_t lane) {
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
    const auto bits = [&](Mnemonic sse, Mnemonic avx_id, std::uint64_t lane) {
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
        case Op::neg: return bits(Mnemonic::xorps, Mnemonic::vxorps, sign_of(i.type.scalar));
        case Op::abs:
            return bits(Mnemonic::andps, Mnemonic::vandps,
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
    constexpr Mnemonic sse_root[] = {Mnemonic::sqrtss, Mnemonic::sqrtps, Mnemonic::sqrtsd, Mnemonic::sqrtpd};
    constexpr Mnemonic avx_root[] = {Mnemonic::vsqrtss, Mnemonic::vsqrtps, Mnemonic::vsqrtsd, Mnemonic::vsqrtpd};
    const bool is_double = i.type.scalar == Scalar::f64, is_single = i.type.lanes == 1;
    Parts parts = shape(i.type);
    const Parts a = operand(i, 0);
    constexpr std::int64_t down = 9;  // towards minus infinity, without the inexact flag
    for (unsigned k = 0; k < parts.count; ++k) {
        parts.regs[k] = vector(parts.bytes);
        const Operand to = in_register(parts[k], parts.bytes), from = in_register(a[k], parts.bytes);
        if (i.op == Op::floor) {
            const bool is_widest = parts.bytes == 64;
            const Mnemonic vex = is_double ? Mnemonic::vroundpd : Mnemonic::vroundps;
            const Mnemonic evex = is_double ? Mnemonic::vrndscalepd : Mnemonic::vrndscaleps;
            const Mnemonic sse = is_double ? Mnemonic::roundpd : Mnemonic::roundps;
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
        emit(Form::fused, fused_names[static_cast<std::size_t>(signs)][kind],
             {reg(parts[k]), reg(source[0][k]), reg(source[1][k]), reg(source[2][k])}, true);
    }
    parts_[id] = parts;
}

// ---- Choices

Reg Selection::mask_of(Reg condition, unsigned bytes) {
    const Reg all = general();
    emit(Form::tied, Mnemonic::neg, {in_register(all, 8), in_register(condition, 8)});
    const Reg low = to_vector(all, 8);
    return splatted(low, 8, bytes);
}

Reg Selection::blended(Reg mask, Reg if_true, Reg if_false, unsigned bytes) {
    const Reg result = vector(bytes);
    const auto reg = [&](Reg r) { return in_register(r, bytes); };
    if (wide()) {
        constexpr std::int64_t mask_takes_second = 0xca;
        emit(Form::tied, Mnemonic::vpternlogd,
             {reg(result), reg(mask), reg(if_true), reg(if_false), immediate(mask_takes_second)});
        return result;
    }
    if (avx()) {
        emit(Form::plain, Mnemonic::vblendvps, {reg(result), reg(if_false), reg(if_true), reg(mask)});
        return result;
    }
    const Reg chosen_bits = vector_op(Mnemonic::andps, Mnemonic::none, bytes, mask, if_true);
    const Reg others = vector_op(Mnemonic::andnps, Mnemonic::none, bytes, mask, if_false, false);
    return vector_op(Mnemonic::orps, Mnemonic::none, bytes, chosen_bits, others);
}

void Selection::select_choice(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    if (type_of(i, 0).lanes > 1) return call(id);
    Parts parts = shape(i.type);
    if (is_general(i.type)) {
        parts.regs[0] = chosen(i.operands[0], operand(i, 1)[0], operand(i, 2)[0]);
    } else {
        const Reg mask = mask_of(operand(i, 0)[0], parts.bytes);
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
        emit(Form::effect, is_double ? Mnemonic::vcmpsd : Mnemonic::vcmpss,
             {in_fixed(Fixed::k1, 8), reg(a), reg(b), immediate(how)});
        const Reg result = general();
        emit(Form::plain, Mnemonic::kmovd, {in_register(result, 4), in_fixed(Fixed::k1, 8)});
        return result;
    }
    if (avx()) {
        emit(Form::plain, is_double ? Mnemonic::vcmpsd : Mnemonic::vcmpss, {reg(mask), reg(a), reg(b), immediate(how)});
    } else {
        emit(Form::tied, is_double ? Mnemonic::cmpsd : Mnemonic::cmpss, {reg(mask), reg(a), reg(b), immediate(how)});
    }
    return general_binary(Mnemonic::and_, to_general(mask, 4), number(1), 4);
}

}  // namespace seiche::emit::x86
