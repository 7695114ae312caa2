// Selection of conversions. Those that no short sequence of instructions makes are functions of the host.
#include <bit>
#include <cstring>

#include "emit/x86/selection.hpp"

namespace seiche::emit::x86 {

using ir::Op;
using ir::Scalar;

Reg Selection::to_vector(Reg from, unsigned bytes) {
    const Reg result = vector(16);
    const Mnemonic id =
        bytes == 8 ? (avx() ? Mnemonic::vmovq : Mnemonic::movq) : (avx() ? Mnemonic::vmovd : Mnemonic::movd);
    emit(Form::plain, id, {in_register(result, 16), in_register(from, bytes == 8 ? 8 : 4)});
    return result;
}

Reg Selection::to_general(Reg from, unsigned bytes) {
    const Reg result = general();
    const Mnemonic id =
        bytes == 8 ? (avx() ? Mnemonic::vmovq : Mnemonic::movq) : (avx() ? Mnemonic::vmovd : Mnemonic::movd);
    emit(Form::plain, id, {in_register(result, bytes == 8 ? 8 : 4), in_register(from, 16)});
    return result;
}

namespace {

bool is_wide_float(Scalar s) { return s == Scalar::f32 || s == Scalar::f64; }

}  // namespace

/// Of single numbers from and to integers, and of floats where source and result have one part each.
bool Selection::convert_float(Id id) {
    const ir::Instruction& i = kernel_.code[id];
    const ir::Type from = type_of(i, 0), to = i.type;
    const bool is_single = to.lanes == 1;
    if (is_single && is_wide_float(to.scalar) && is_general(from) && from.scalar != Scalar::u64) {
        parts_[id] = shape(to);
        parts_[id].regs[0] = float_from_integer(operand(i, 0)[0], from.scalar, to.scalar);
        return true;
    }
    if (is_single && to.scalar == Scalar::u32 && is_wide_float(from.scalar)) {
        parts_[id] = shape(to);
        parts_[id].regs[0] = integer_from_float(operand(i, 0)[0], from.scalar);
        return true;
    }
    Parts parts = shape(to);
    const Parts a = operand(i, 0);
    if (parts.count != 1 || a.count != 1 || is_general(from) || is_general(to)) return false;
    Mnemonic ids[2] = {};  // SSE, AVX
    bool rounds = false;
    if (from.scalar == Scalar::f32 && to.scalar == Scalar::f64) {
        ids[0] = Mnemonic::cvtps2pd, ids[1] = Mnemonic::vcvtps2pd;
    } else if (from.scalar == Scalar::f64 && to.scalar == Scalar::f32) {
        ids[0] = Mnemonic::cvtpd2ps, ids[1] = Mnemonic::vcvtpd2ps;
    } else if (from.scalar == Scalar::f16 && to.scalar == Scalar::f32 && avx()) {
        ids[1] = Mnemonic::vcvtph2ps;
    } else if (from.scalar == Scalar::f32 && to.scalar == Scalar::f16 && avx()) {
        ids[1] = Mnemonic::vcvtps2ph, rounds = true;
    } else {
        return false;
    }
    parts.regs[0] = vector(parts.bytes);
    // A narrower side is named by the part of a register that the wider one needs.
    const unsigned widest = std::max(parts.bytes, a.bytes);
    const unsigned to_lane = ir::scalar_bytes(to.scalar), from_lane = ir::scalar_bytes(from.scalar);
    const unsigned to_bytes = to_lane > from_lane ? widest : std::max(16u, widest * to_lane / from_lane);
    const unsigned from_bytes = from_lane > to_lane ? widest : std::max(16u, widest * from_lane / to_lane);
    if (rounds)
        emit(Form::plain, ids[1],
             {in_register(parts[0], to_bytes), in_register(a[0], from_bytes), immediate(0)});  // to nearest even
    else
        emit(Form::plain, ids[avx() ? 1 : 0], {in_register(parts[0], to_bytes), in_register(a[0], from_bytes)});
    parts_[id] = parts;
    return true;
}

/// A u32 as a u64, whose upper half is zero, an i32 and what is narrower as an i32.
Reg Selection::float_from_integer(Reg from, Scalar scalar, Scalar to) {
    const unsigned bytes = scalar == Scalar::u32 ? 8 : 4;
    const std::uint64_t none = 0;
    const Reg zero = constant(&none, 8, 16), result = vector(16);
    const bool is_double = to == Scalar::f64;
    if (avx())
        emit(Form::plain, is_double ? Mnemonic::vcvtsi2sd : Mnemonic::vcvtsi2ss,
             {in_register(result, 16), in_register(zero, 16), in_register(from, bytes)});
    else
        emit(Form::tied, is_double ? Mnemonic::cvtsi2sd : Mnemonic::cvtsi2ss,
             {in_register(result, 16), in_register(zero, 16), in_register(from, bytes)});
    return result;
}

/// Saturated, of NaN 0: the larger of a NaN and 0 is the second operand.
Reg Selection::integer_from_float(Reg from, Scalar scalar) {
    const bool is_double = scalar == Scalar::f64;
    const std::uint64_t none = 0;
    const std::uint64_t large =
        is_double ? std::bit_cast<std::uint64_t>(0x1p40) : std::uint64_t{std::bit_cast<std::uint32_t>(0x1p40f)};
    const unsigned lane = is_double ? 8 : 4;
    const Reg at_least =
        vector_op(is_double ? Mnemonic::maxsd : Mnemonic::maxss, is_double ? Mnemonic::vmaxsd : Mnemonic::vmaxss, 16,
                  from, constant(&none, 8, 16), false);
    const Reg bounded =
        vector_op(is_double ? Mnemonic::minsd : Mnemonic::minss, is_double ? Mnemonic::vminsd : Mnemonic::vminss, 16,
                  at_least, constant(&large, lane, 16), false);
    const Reg whole = general();
    const Mnemonic id = avx() ? (is_double ? Mnemonic::vcvttsd2si : Mnemonic::vcvttss2si)
                              : (is_double ? Mnemonic::cvttsd2si : Mnemonic::cvttss2si);
    emit(Form::plain, id, {in_register(whole, 8), in_register(bounded, 16)});
    const Reg most = number(0xffffffffu), result = general();
    emit(Form::effect, Mnemonic::cmp, {in_register(whole, 8), in_register(most, 8)});
    emit(Form::tied, Mnemonic::cmova, {in_register(result, 8), in_register(whole, 8), in_register(most, 8)}, true);
    return result;
}

}  // namespace seiche::emit::x86
