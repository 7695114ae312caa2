// Selection of conversions. Those that no short sequence of instructions makes are functions of the host.
#include "emit/arm64/selection.hpp"

namespace seiche::emit::arm64 {

using ir::Scalar;

namespace {

bool is_wide_float(Scalar s) { return s == Scalar::f32 || s == Scalar::f64; }

}  // namespace

Reg Selection::to_vector(Reg from, unsigned bytes) {
    const Reg result = vector(vector_bytes);
    const bool is_wide = bytes == 8;
    emit(Form::plain, is_wide ? Mnemonic::fmov_d_x : Mnemonic::fmov_s_w,
         {whole(result), in_register(from, is_wide ? 8 : 4)});
    return result;
}

Reg Selection::to_general(Reg from, unsigned bytes) {
    const Reg result = general();
    const bool is_wide = bytes == 8;
    emit(Form::plain, is_wide ? Mnemonic::fmov_x_d : Mnemonic::fmov_w_s,
         {in_register(result, is_wide ? 8 : 4), whole(from)});
    return result;
}

bool Selection::convert_from_integer(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    const Scalar from = type_of(i, 0).scalar;
    if (!is_wide_float(i.type.scalar)) return false;
    const bool is_double = i.type.scalar == Scalar::f64;
    const bool is_signed = from == Scalar::i32 || from == Scalar::i16 || from == Scalar::i8;
    Mnemonic way = is_double ? Mnemonic::ucvtf_d_w : Mnemonic::ucvtf_s_w;
    if (is_signed) way = is_double ? Mnemonic::scvtf_d_w : Mnemonic::scvtf_s_w;
    if (from == Scalar::u64) way = is_double ? Mnemonic::ucvtf_d_x : Mnemonic::ucvtf_s_x;
    result(id, vector_op(way, {operand(i, 0)[0]}));
    return true;
}

/// The machine saturates, and takes what is not a number for 0, as it shall be.
bool Selection::convert_to_integer(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    const Scalar from = type_of(i, 0).scalar, to = i.type.scalar;
    if (!is_wide_float(from) || !i.type.is_integer()) return false;
    const bool is_double = from == Scalar::f64;
    Mnemonic way = is_double ? Mnemonic::fcvtzu_w_d : Mnemonic::fcvtzu_w_s;
    if (to == Scalar::i32) way = is_double ? Mnemonic::fcvtzs_w_d : Mnemonic::fcvtzs_w_s;
    if (to == Scalar::u64) way = is_double ? Mnemonic::fcvtzu_x_d : Mnemonic::fcvtzu_x_s;
    const Reg whole_number = general();
    emit(Form::plain, way, {in_register(whole_number, to == Scalar::u64 ? 8 : 4), whole(operand(i, 0)[0])});
    result(id, whole_number);
    return true;
}

/// To lanes of twice the bytes, of which a register has half as many.
Parts Selection::widened(const ir::Type& to, const Parts& a, Mnemonic low, Mnemonic high) {
    Parts parts = shape(to);
    for (unsigned k = 0; k < parts.count; ++k) parts.regs[k] = vector_op(k % 2 == 0 ? low : high, {a[k / 2]});
    return parts;
}

/// To lanes of half the bytes.
Parts Selection::halved(const ir::Type& to, const Parts& a, Mnemonic low, Mnemonic high) {
    Parts parts = shape(to);
    for (unsigned k = 0; k < parts.count; ++k) {
        parts.regs[k] = vector_op(low, {a[2 * k]});
        if (2 * k + 1 == a.count) continue;
        const Reg both = vector(vector_bytes);
        emit(Form::tied, high, {whole(both), whole(parts[k]), whole(a[2 * k + 1])});
        parts.regs[k] = both;
    }
    return parts;
}

/// Of each f32 the half that a bf16 is, rounded to the nearest even one, above 16 bits that are left behind: what is
/// added carries into it where the rest is more than a half, or a half of an odd one. What is not a number stays so.
Parts Selection::rounded_to_bf16(const Parts& a) {
    const auto everywhere = [&](std::uint32_t bits) { return constant(&bits, sizeof bits, vector_bytes); };
    const Reg one = everywhere(1), below_half = everywhere(0x7fff), quiet = everywhere(0x400000);
    Parts parts = a;
    for (unsigned k = 0; k < a.count; ++k) {
        const Reg is_odd = vector_op(Mnemonic::and_16b, {vector_op(Mnemonic::ushr_4s, {a[k]}), one});
        const Reg sum = vector_op(Mnemonic::add_4s, {a[k], vector_op(Mnemonic::add_4s, {is_odd, below_half})});
        const Reg is_number = vector_op(Mnemonic::fcmeq_4s, {a[k], a[k]});
        const Reg no_number = vector_op(Mnemonic::orr_16b, {a[k], quiet});
        parts.regs[k] = vector(vector_bytes);
        emit(Form::tied, Mnemonic::bsl, {whole(parts[k]), whole(is_number), whole(sum), whole(no_number)});
    }
    return parts;
}

bool Selection::convert_float(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    const ir::Type from = type_of(i, 0), to = i.type;
    if (is_general(from)) return convert_from_integer(id);
    if (is_general(to)) return convert_to_integer(id);
    const Parts a = operand(i, 0);
    const bool is_single = to.lanes == 1;
    const auto is = [&](Scalar s, Scalar t) { return from.scalar == s && to.scalar == t; };
    const auto single = [&](Mnemonic way) {
        if (is_single) result(id, vector_op(way, {a[0]}));
        return is_single;
    };
    if (is(Scalar::f16, Scalar::f64)) return single(Mnemonic::fcvt_d_h);
    if (is(Scalar::f64, Scalar::f16)) return single(Mnemonic::fcvt_h_d);  // of several it would be rounded twice
    if (is(Scalar::bf16, Scalar::f32)) {
        parts_[id] = widened(to, a, Mnemonic::shll_4s, Mnemonic::shll2_4s);
        return true;
    }
    if (is(Scalar::f32, Scalar::bf16)) {
        parts_[id] = halved(to, rounded_to_bf16(a), Mnemonic::shrn_4h, Mnemonic::shrn2_8h);
        return true;
    }
    if (is(Scalar::f32, Scalar::f64)) {
        if (!single(Mnemonic::fcvt_d_s)) parts_[id] = widened(to, a, Mnemonic::fcvtl_2d, Mnemonic::fcvtl2_2d);
        return true;
    }
    if (is(Scalar::f16, Scalar::f32)) {
        if (!single(Mnemonic::fcvt_s_h)) parts_[id] = widened(to, a, Mnemonic::fcvtl_4s, Mnemonic::fcvtl2_4s);
        return true;
    }
    if (is(Scalar::f64, Scalar::f32)) {
        if (!single(Mnemonic::fcvt_s_d)) parts_[id] = halved(to, a, Mnemonic::fcvtn_2s, Mnemonic::fcvtn2_4s);
        return true;
    }
    if (is(Scalar::f32, Scalar::f16)) {
        if (!single(Mnemonic::fcvt_h_s)) parts_[id] = halved(to, a, Mnemonic::fcvtn_4h, Mnemonic::fcvtn2_8h);
        return true;
    }
    return false;
}

}  // namespace seiche::emit::arm64
