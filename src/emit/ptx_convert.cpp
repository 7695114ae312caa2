// Conversions in PTX. A half is a register of 16 bits, and so is an integer that lives in memory, extended to 16.
#include "emit/cuda_like.hpp"
#include "emit/ptx.hpp"

namespace seiche::emit {

using ir::Instruction;
using ir::Scalar;
using ir::Type;
using ir::ValueId;

namespace {

constexpr unsigned first_with_bf16 = 80;

bool is_float(Scalar scalar) { return Type(scalar).is_float(); }

/// Of what is in a register, which of a byte has 16 bits.
std::string register_type(Scalar scalar) {
    if (scalar == Scalar::i8) return "s16";
    return scalar == Scalar::u8 ? "u16" : ptx_type(scalar);
}

}  // namespace

std::string PtxWriter::widened_half(Scalar from, const std::string& value) {
    if (from == Scalar::f16) return make(Scalar::f32, "cvt.f32.f16", {value});
    const std::string word = make(Scalar::u32, "cvt.u32.u16", {value});
    return make(Scalar::f32, "mov.b32", {make(Scalar::u32, "shl.b32", {word, "16"})});
}

// To nearest even by adding what carries; what is no number stays none.
std::string PtxWriter::rounded_to_bf16(const std::string& value) {
    if (architecture_ >= first_with_bf16) return make(Scalar::bf16, "cvt.rn.bf16.f32", {value});
    const std::string word = make(Scalar::u32, "mov.b32", {value});
    const std::string odd = make(Scalar::u32, "bfe.u32", {word, "16", "1"});
    const std::string half = make(Scalar::u32, "add.u32", {odd, "0x7fff"});
    const std::string sum = make(Scalar::u32, "add.u32", {word, half});
    const std::string high = make(Scalar::u32, "shr.u32", {sum, "16"});
    const std::string is_none = make(Scalar::boolean, "setp.nan.f32", {value, value});
    return make(Scalar::bf16, "cvt.u16.u32", {make(Scalar::u32, "selp.b32", {"0x7fc0", high, is_none})});
}

std::string PtxWriter::narrowed_to_half(const Instruction& i, Scalar from, Scalar to, const std::string& value) {
    if (from == Scalar::f32) return to == Scalar::f16 ? make(to, "cvt.rn.f16.f32", {value}) : rounded_to_bf16(value);
    // By way of f32 a double would be rounded twice.
    if (from != Scalar::f64 || to != Scalar::f16) unsupported(i, "to half precision");
    return make(to, "cvt.rn.f16.f64", {value});
}

std::string PtxWriter::to_integer(Scalar from, Scalar to, const std::string& value) {
    const bool narrow = ir::is_narrow(to);
    if (is_float(from)) {
        const bool has_sign = to == Scalar::i32 || to == Scalar::i8 || to == Scalar::i16;
        const Scalar word = !narrow ? to : has_sign ? Scalar::i32 : Scalar::u32;
        const std::string whole = make(word, "cvt.rzi." + ptx_type(word) + "." + ptx_type(from), {value});
        return narrow ? to_integer(word, to, whole) : whole;
    }
    const unsigned old_bytes = ir::scalar_bytes(from), new_bytes = ir::scalar_bytes(to);
    if (!narrow && old_bytes == new_bytes) return value;
    if (narrow) {
        const std::string low = ir::is_narrow(from) ? value : make(to, "cvt.u16." + register_type(from), {value});
        if (to == Scalar::u8) return make(to, "and.b16", {low, "0xff"});
        return to == Scalar::i8 ? make(to, "cvt.s16.s8", {low}) : low;
    }
    // A number with a sign keeps it in a wider word without one.
    const bool has_sign = from == Scalar::i32 || from == Scalar::i8 || from == Scalar::i16;
    const std::string target = (has_sign ? "s" : "u") + std::to_string(8 * new_bytes);
    return make(to, "cvt." + target + "." + register_type(from), {value});
}

std::string PtxWriter::converted(const Instruction& i, Scalar from, std::string value) {
    const Scalar to = i.type.scalar;
    if (cuda_like::is_half(from)) {
        value = widened_half(from, value);
        from = Scalar::f32;
        if (to == from) return value;
    }
    if (cuda_like::is_half(to)) return narrowed_to_half(i, from, to, value);
    if (to == Scalar::boolean) {
        const std::string zero = from == Scalar::f64 ? "0d0000000000000000" : from == Scalar::f32 ? "0f00000000" : "0";
        return make(to, (is_float(from) ? "setp.neu." : "setp.ne.") + register_type(from), {value, zero});
    }
    if (!is_float(to)) return to_integer(from, to, value);
    const bool is_exact = from == Scalar::f32;
    return make(to, "cvt." + std::string(is_exact ? "" : "rn.") + ptx_type(to) + "." + register_type(from), {value});
}

void PtxWriter::convert(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const Scalar from = scalar_of(i, 0), to = i.type.scalar;
    if (from == to) return define(id, operand(i, 0));
    if (from != Scalar::boolean) return define(id, converted(i, from, in_register(i, 0)));
    if (cuda_like::is_half(to)) unsupported(i, "to half precision");
    const std::string one = to == Scalar::f32 ? "0f3f800000" : to == Scalar::f64 ? "0d3ff0000000000000" : "1";
    const std::string none = to == Scalar::f32 ? "0f00000000" : to == Scalar::f64 ? "0d0000000000000000" : "0";
    const std::string type = is_float(to) ? ptx_type(to) : ir::is_narrow(to) ? "b16" : ptx_bits(to);
    define(id, make(to, "selp." + type, {one, none, operand(i, 0)}));
}

void PtxWriter::bitcast(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const Scalar from = scalar_of(i, 0), to = i.type.scalar;
    if (i.type.is_vector() || kernel_.code[i.operands[0]].type.is_vector()) unsupported(i, "of vectors");
    const auto in_bits = [](Scalar s) { return !is_float(s) || cuda_like::is_half(s); };
    if (in_bits(from) && in_bits(to) && !ir::is_narrow(from) && !ir::is_narrow(to)) return define(id, operand(i, 0));
    if (ir::scalar_bytes(from) < 4) unsupported(i, "of less than a word");
    define(id, make(to, "mov." + ptx_bits(to), {operand(i, 0)}));
}

}  // namespace seiche::emit
