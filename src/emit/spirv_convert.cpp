// Conversions and moves of lanes in SPIR-V.
#include <algorithm>
#include <cmath>

#include "emit/spirv_writer.hpp"
#include "seiche/error.hpp"

namespace seiche::emit::spirv {

using ir::Instruction;
using ir::Op;
using ir::Scalar;
using ir::Type;
using ir::ValueId;

namespace {

bool is_half(Scalar scalar) { return scalar == Scalar::f16 || scalar == Scalar::bf16; }

}  // namespace

// ---- Halves

// Rounds to the values of f16, to nearest even, in the type of the value; its own conversion may round otherwise where
// no store follows.
Id Writer::rounded_to_f16(Id value, Type t) {
    const bool is_double = t.scalar == Scalar::f64;
    const Type bits(is_double ? Scalar::u64 : Scalar::u32, t.lanes), truth(Scalar::boolean, t.lanes);
    const unsigned dropped = is_double ? 42 : 13;
    const auto integer = [&](Code code, Id a, Id b) { return op(code, bits, {a, b}); };
    const auto chosen = [&](Id condition, Id a, Id b) { return op(Code::Select, t, {condition, a, b}); };
    const Id magnitude = call(*flavour_.function(Op::abs, t.scalar), t, {value});
    // Normal numbers: half a unit below the last bit kept, and one more if that bit is odd.
    const Id u = op(Code::Bitcast, bits, {magnitude});
    const Id odd =
        integer(Code::BitwiseAnd, integer(Code::ShiftRightLogical, u, constant(bits, dropped)), constant(bits, 1));
    const std::uint64_t below = (std::uint64_t{1} << (dropped - 1)) - 1, low = (std::uint64_t{1} << dropped) - 1;
    const Id up = integer(Code::IAdd, integer(Code::IAdd, u, constant(bits, below)), odd);
    const Id normal = op(Code::Bitcast, t, {integer(Code::BitwiseAnd, up, constant(bits, ~low))});
    // Below 2^-14 the unit is 2^-24, which is the last bit of this number.
    const Id unit = floating(t, std::ldexp(1.0, is_double ? 28 : -1));
    const Id raised = op(Code::FAdd, t, {magnitude, unit}), small = op(Code::FSub, t, {raised, unit});
    if (!flavour_.exact_without_asking) {
        exact(raised);
        exact(small);
    }
    const auto less = [&](Id a, double b) { return op(Code::FOrdLessThan, truth, {a, floating(t, b)}); };
    Id result = chosen(less(magnitude, std::ldexp(1.0, -14)), small, normal);
    const Id finite = less(magnitude, 65520.0);
    result = chosen(finite, result, floating(t, INFINITY));
    result = chosen(op(Code::FUnordNotEqual, truth, {value, value}), value, result);
    const Id negative = less(value, 0.0);
    return chosen(negative, op(Code::FNegate, t, {result}), result);
}

// Rounds to the values of bf16, to nearest even; a NaN becomes the quiet one.
Id Writer::rounded_to_bf16(Id value, Type t) {
    const Type bits(Scalar::u32, t.lanes), truth(Scalar::boolean, t.lanes);
    const Id u = op(Code::Bitcast, bits, {value});
    const Id half = op(Code::ShiftRightLogical, bits, {u, constant(bits, 16)});
    const Id odd = op(Code::BitwiseAnd, bits, {half, constant(bits, 1)});
    const Id up = op(Code::IAdd, bits, {op(Code::IAdd, bits, {u, constant(bits, 0x7fff)}), odd});
    const Id kept = op(Code::BitwiseAnd, bits, {up, constant(bits, 0xffff0000u)});
    const Id is_nan = op(Code::FUnordNotEqual, truth, {value, value});
    return op(Code::Bitcast, t, {op(Code::Select, bits, {is_nan, constant(bits, 0x7fc00000u), kept})});
}

// A half as a value that arithmetic may have.
Held Writer::widened(Held half, Type to) {
    if (!half.rounded) half.id = rounded_to_f16(half.id, half.type);
    const Scalar wanted = to.scalar == Scalar::f64 ? Scalar::f64 : Scalar::f32;
    if (half.type.scalar != wanted && to.is_float()) {
        half.type = Type(wanted, half.type.lanes);
        half.id = op(Code::FConvert, half.type, {half.id});
    }
    half.rounded = true;
    return half;
}

// ---- Numbers

// Towards zero; what does not fit saturates and a NaN becomes 0.
Id Writer::float_to_integer(Id value, Type from, Type to) {
    const bool is_signed = to.scalar == Scalar::i32;
    const Code code = is_signed ? Code::ConvertFToS : Code::ConvertFToU;
    if (flavour_.saturates) {
        const Id result = op(code, to, {value});
        module_.decorate(result, Decoration::SaturatedConversion);
        return result;
    }
    const Type truth(Scalar::boolean, from.lanes);
    const int bits = static_cast<int>(8 * ir::scalar_bytes(to.scalar)) - (is_signed ? 1 : 0);
    const double beyond = std::ldexp(1.0, bits), least = is_signed ? -beyond : 0.0;
    const std::uint64_t most = ~std::uint64_t{0} >> (64 - bits);
    const Id zero = floating(from, 0.0), low = floating(from, least), high = floating(from, beyond);
    const Id too_low = op(Code::FOrdLessThan, truth, {value, low}), fits = op(Code::FOrdLessThan, truth, {value, high});
    const Id a_number = op(Code::FOrdEqual, truth, {value, value});
    Id safe = op(Code::Select, from, {too_low, low, value});
    safe = op(Code::Select, from, {fits, safe, zero});
    const Id inside = op(code, to, {safe});
    const Id top = op(Code::Select, to, {a_number, constant(to, most), constant(to, 0)});
    return op(Code::Select, to, {fits, inside, top});
}

// Between numbers as they are held, halves and narrow integers apart.
Id Writer::number_of(Id value, Type from, Type to) {
    if (from.scalar == to.scalar) return value;
    if (to.scalar == Scalar::boolean) {
        const Code code = from.is_float() ? Code::FUnordNotEqual : Code::INotEqual;
        return op(code, to, {value, constant(from, 0)});
    }
    if (from.scalar == Scalar::boolean) {
        const Id one = to.is_float() ? floating(to, 1.0) : constant(to, 1);
        return op(Code::Select, to, {value, one, constant(to, 0)});
    }
    if (from.is_float() && to.is_float()) return op(Code::FConvert, to, {value});
    if (from.is_float()) return float_to_integer(value, from, to);
    if (to.is_float()) return op(from.scalar == Scalar::i32 ? Code::ConvertSToF : Code::ConvertUToF, to, {value});
    if (ir::scalar_bytes(from.scalar) == ir::scalar_bytes(to.scalar)) return value;
    return op(from.scalar == Scalar::i32 ? Code::SConvert : Code::UConvert, to, {value});
}

void Writer::convert(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const ir::Instruction& source = kernel_.code[i.operands[0]];
    const Scalar from = source.op == Op::loop_begin ? Scalar::u32 : source.type.scalar;
    Held value = operand(i, 0);
    if (is_half(from)) {
        if (i.type.scalar == from) {
            values_[id] = value;
            return;
        }
        value = widened(value, i.type);
    }
    const Type held = held_type(id);
    if (i.type.scalar == Scalar::f16) {
        if (!value.type.is_float()) unsupported(i, "from an integer to half precision");
        values_[id] = {value.id, value.type, is_half(from) && from == i.type.scalar};
        return;
    }
    if (i.type.scalar == Scalar::bf16) {
        if (value.type.scalar != Scalar::f32) unsupported(i, "to half precision, expected from f32");
        return define(id, rounded_to_bf16(value.id, value.type));
    }
    if (ir::is_narrow(i.type.scalar)) {
        const Id gone = constant(held, 32 - 8 * ir::scalar_bytes(i.type.scalar));
        const Id left = op(Code::ShiftLeftLogical, held, {value.id, gone});
        const bool is_signed = i.type.scalar == Scalar::i8 || i.type.scalar == Scalar::i16;
        return define(id, op(is_signed ? Code::ShiftRightArithmetic : Code::ShiftRightLogical, held, {left, gone}));
    }
    const Type as_i32(Scalar::i32, held.lanes);
    const bool signed_source = from == Scalar::i32 || from == Scalar::i8 || from == Scalar::i16;
    define(id, number_of(value.id, signed_source ? as_i32 : value.type, held));
}

void Writer::bitcast(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const Held value = operand(i, 0);
    if (is_half(i.type.scalar) || is_half(kernel_.code[i.operands[0]].type.scalar))
        unsupported(i, "half precision is for storage only");
    const Type held = held_type(id);
    define(id, type(held) == type(value.type) ? value.id : op(Code::Bitcast, held, {value.id}));
}

// ---- Lanes

Id Writer::extracted(const Held& value, unsigned lane) {
    if (!value.type.is_vector()) return value.id;
    return op(Code::CompositeExtract, value.type.with_lanes(1), {value.id, lane});
}

Id Writer::vector_of(Type t, const std::vector<Id>& lanes) {
    if (!flavour_.inserts_lanes) return op(Code::CompositeConstruct, t, lanes);
    const bool equal = std::all_of(lanes.begin(), lanes.end(), [&](Id lane) { return lane == lanes[0]; });
    const Id nothing = module_.constant(Code::Undef, type(t));
    Id vector = nothing;
    for (Word lane = 0; lane < (equal ? 1 : lanes.size()); ++lane)
        vector = op(Code::CompositeInsert, t, {lanes[lane], vector, lane});
    if (!equal) return vector;
    std::vector<Word> spread{vector, nothing};
    spread.resize(2 + lanes.size(), 0);  // lane 0 everywhere
    return op(Code::VectorShuffle, t, spread);
}

Id Writer::composed(const Instruction& i, Type t) {
    std::vector<Held> parts;
    for (unsigned k = 0; k < 4 && i.operands[k] != ir::no_value; ++k) parts.push_back(operand(i, k));
    if (parts.size() == 2 && parts[0].type == parts[1].type && parts[0].type.is_vector()) {
        std::vector<Word> operands{parts[0].id, parts[1].id};
        for (Word lane = 0; lane < t.lanes; ++lane) operands.push_back(lane);
        return op(Code::VectorShuffle, t, operands);
    }
    std::vector<Word> operands;
    for (const Held& part : parts)
        for (unsigned lane = 0; lane < part.type.lanes; ++lane) operands.push_back(extracted(part, lane));
    return vector_of(t, operands);
}

Id Writer::shuffled(const Instruction& i) {
    const auto& pattern = kernel_.patterns[i.immediate];
    const Held a = operand(i, 0), b = i.operands[1] == ir::no_value ? a : operand(i, 1);
    const Type t(a.type.scalar, i.type.lanes);
    const auto lane_of = [&](unsigned lane) {
        const unsigned from = pattern[lane];
        return from < a.type.lanes ? extracted(a, from) : extracted(b, from - a.type.lanes);
    };
    if (!t.is_vector()) return lane_of(0);
    std::vector<Word> operands;
    if (a.type.is_vector() && a.type == b.type) {
        operands = {a.id, b.id};
        for (unsigned lane = 0; lane < t.lanes; ++lane) operands.push_back(pattern[lane]);
        return op(Code::VectorShuffle, t, operands);
    }
    for (unsigned lane = 0; lane < t.lanes; ++lane) operands.push_back(lane_of(lane));
    return vector_of(t, operands);
}

void Writer::lanes(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const Held first = operand(i, 0);
    const Type t(first.type.scalar, i.type.lanes);
    bool rounded = true;
    for (unsigned k = 0; k < 4 && i.operands[k] != ir::no_value; ++k) {
        rounded = rounded && operand(i, k).rounded;
        if (operand(i, k).type.scalar != first.type.scalar) unsupported(i, "of halves made from f32 and from f64");
    }
    Id result = 0;
    switch (i.op) {
        case Op::splat: result = t.is_vector() ? vector_of(t, std::vector<Id>(t.lanes, first.id)) : first.id; break;
        case Op::extract: result = extracted(first, static_cast<unsigned>(i.immediate)); break;
        case Op::compose: result = composed(i, t); break;
        default: result = shuffled(i);
    }
    values_[id] = {result, t, rounded};
}

}  // namespace seiche::emit::spirv
