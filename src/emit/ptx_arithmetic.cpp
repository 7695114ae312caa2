// Arithmetic in PTX. A sum or product without a rounding modifier may be contracted by the assembler, as a compiler of
// CUDA C does by itself; one that is exact has the modifier.
#include <bit>

#include "emit/ptx.hpp"
#include "seiche/error.hpp"

namespace seiche::emit {

using ir::Instruction;
using ir::Op;
using ir::OpKind;
using ir::Scalar;
using ir::ValueId;

namespace {

bool is_signed(Scalar scalar) { return scalar == Scalar::i32; }

std::string name_of(Op op) { return ir::op_name(op); }

// For the word's width w, the multiplier m, of which the bit 2^w is left out where it has one, and the shift, so that
// the quotient is the upper half of the product with m, shifted: Granlund and Montgomery, "Division by Invariant
// Integers using Multiplication", 1994.
struct Magic {
    std::uint64_t multiplier = 0;
    unsigned shift = 0;
    bool adds = false;  // the multiplier has one bit more than a word
};

__extension__ typedef unsigned __int128 Wide;

/// The least shift whose multiplier is right up to `greatest`.
Magic magic_of(std::uint64_t divisor, unsigned width, std::uint64_t greatest) {
    const Wide one = 1, word = one << width;
    const auto bits = static_cast<unsigned>(std::bit_width(divisor - 1));
    for (unsigned shift = 0; shift <= bits; ++shift) {
        if (width + shift > 127) break;
        const Wide power = word << shift, multiplier = (power + divisor - 1) / divisor;
        const Wide error = multiplier * divisor - power;
        if (multiplier < word && error * greatest < power)
            return {static_cast<std::uint64_t>(multiplier), shift, false};
    }
    // 2^(w + bits) / divisor, less 2^w; in this order nothing exceeds 128 bits.
    const Wide rest = ((one << bits) - divisor) << width;
    return {static_cast<std::uint64_t>(rest / divisor + 1), bits, true};
}

}  // namespace

std::string PtxWriter::quotient(const Instruction& i, std::uint64_t divisor) {
    const Scalar scalar = i.type.scalar;
    const std::string type = ptx_type(scalar), &a = operand(i, 0);
    if (std::has_single_bit(divisor))
        return make(scalar, "shr." + type, {a, std::to_string(std::countr_zero(divisor))});
    const std::uint64_t greatest = bounds_[i.operands[0]].greatest;
    if (scalar == Scalar::u64 && greatest <= ir::greatest_of(Scalar::u32) && divisor <= greatest) {
        // A word of half the width is divided at a quarter of the cost.
        const Magic magic = magic_of(divisor, 32, greatest);
        if (!magic.adds) {
            const std::string low = make(Scalar::u32, "cvt.u32.u64", {a});
            const std::string high = make(Scalar::u32, "mul.hi.u32", {low, std::to_string(magic.multiplier)});
            const std::string word = make(Scalar::u32, "shr.u32", {high, std::to_string(magic.shift)});
            return make(scalar, "cvt.u64.u32", {word});
        }
    }
    const Magic magic = magic_of(divisor, 8 * ir::scalar_bytes(scalar), greatest);
    const std::string high = make(scalar, "mul.hi." + type, {a, std::to_string(magic.multiplier)});
    if (!magic.adds) return magic.shift == 0 ? high : make(scalar, "shr." + type, {high, std::to_string(magic.shift)});
    const std::string rest = make(scalar, "sub." + type, {a, high});
    const std::string half = make(scalar, "shr." + type, {rest, "1"});
    const std::string sum = make(scalar, "add." + type, {half, high});
    return make(scalar, "shr." + type, {sum, std::to_string(magic.shift - 1)});
}

void PtxWriter::division(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const Scalar scalar = i.type.scalar;
    const std::string type = ptx_type(scalar), &a = operand(i, 0), &b = operand(i, 1);
    const Instruction* constant = constant_operand(i, 1);
    if (is_signed(scalar) || constant == nullptr || constant->immediate == 0)
        return define(id, make(scalar, (i.op == Op::div ? "div." : "rem.") + type, {a, b}));
    const std::uint64_t divisor = constant->immediate;
    if (i.op == Op::div) return define(id, quotient(i, divisor));
    if (std::has_single_bit(divisor))
        return define(id, make(scalar, "and." + ptx_bits(scalar), {a, std::to_string(divisor - 1)}));
    const std::string whole = make(scalar, "mul.lo." + type, {quotient(i, divisor), b});
    define(id, make(scalar, "sub." + type, {a, whole}));
}

void PtxWriter::shift(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const Scalar scalar = i.type.scalar;
    std::string amount = operand(i, 1);
    if (const Instruction* constant = constant_operand(i, 1))
        amount = std::to_string(constant->immediate);
    else if (scalar_of(i, 1) == Scalar::u64)
        amount = make(Scalar::u32, "cvt.u32.u64", {amount});
    const std::string name = i.op == Op::shift_left ? "shl." : "shr.";
    const std::string type = i.op == Op::shift_left ? ptx_bits(scalar) : scalar == Scalar::u64 ? "u64" : "u32";
    define(id, make(scalar, name + type, {operand(i, 0), amount}));
}

void PtxWriter::integer(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const Scalar scalar = i.type.scalar;
    const std::string type = ptx_type(scalar), bits = ptx_bits(scalar), &a = operand(i, 0);
    const auto binary = [&](const std::string& mnemonic) { define(id, make(scalar, mnemonic, {a, operand(i, 1)})); };
    switch (i.op) {
        case Op::add: return binary("add." + type);
        case Op::sub: return binary("sub." + type);
        case Op::mul: return binary("mul.lo." + type);
        case Op::mul_high: return binary("mul.hi." + type);
        case Op::min: return binary("min." + type);
        case Op::max: return binary("max." + type);
        case Op::div:
        case Op::mod: return division(id);
        case Op::mad: return define(id, make(scalar, "mad.lo." + type, {a, operand(i, 1), operand(i, 2)}));
        case Op::neg: return define(id, make(scalar, scalar == Scalar::u64 ? "neg.s64" : "neg.s32", {a}));
        case Op::abs: return define(id, is_signed(scalar) ? make(scalar, "abs.s32", {a}) : a);
        case Op::bit_reverse: return define(id, make(scalar, "brev." + bits, {a}));
        case Op::shift_left:
        case Op::shift_right: return shift(id);
        default: unsupported(i);
    }
}

// Between predicates and between words alike.
bool PtxWriter::choice(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const bool boolean = i.type.scalar == Scalar::boolean;
    const std::string bits = boolean ? "pred" : ptx_bits(i.type.scalar);
    switch (i.op) {
        case Op::bit_and: define(id, make(i.type.scalar, "and." + bits, {operand(i, 0), operand(i, 1)})); return true;
        case Op::bit_or: define(id, make(i.type.scalar, "or." + bits, {operand(i, 0), operand(i, 1)})); return true;
        case Op::bit_xor: define(id, make(i.type.scalar, "xor." + bits, {operand(i, 0), operand(i, 1)})); return true;
        case Op::bit_not: define(id, make(i.type.scalar, "not." + bits, {operand(i, 0)})); return true;
        case Op::select: break;
        default: return false;
    }
    if (!boolean) {
        const std::string type =
            i.type.is_float() && ir::scalar_bytes(i.type.scalar) > 2 ? ptx_type(i.type.scalar) : bits;
        define(id, make(i.type.scalar, "selp." + type, {operand(i, 1), operand(i, 2), operand(i, 0)}));
        return true;
    }
    const std::string yes = make(Scalar::boolean, "and.pred", {operand(i, 0), operand(i, 1)});
    const std::string otherwise = make(Scalar::boolean, "not.pred", {operand(i, 0)});
    const std::string no = make(Scalar::boolean, "and.pred", {otherwise, operand(i, 2)});
    define(id, make(Scalar::boolean, "or.pred", {yes, no}));
    return true;
}

bool PtxWriter::floating(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const Scalar scalar = i.type.scalar;
    const std::string type = ptx_type(scalar), rounded = ".rn." + type, &a = operand(i, 0);
    const auto binary = [&](const std::string& mnemonic) {
        define(id, make(scalar, mnemonic, {a, operand(i, 1)}));
        return true;
    };
    const auto unary = [&](const std::string& mnemonic) {
        define(id, make(scalar, mnemonic, {a}));
        return true;
    };
    switch (i.op) {
        case Op::add:
        case Op::sub:
        case Op::mul: return binary(name_of(i.op) + (i.exact ? rounded : "." + type));
        case Op::div: return binary("div" + rounded);
        case Op::min:
        case Op::max: return binary(name_of(i.op) + "." + type);
        case Op::neg:
        case Op::abs: return unary(name_of(i.op) + "." + type);
        case Op::sqrt: return unary("sqrt" + rounded);
        case Op::floor: return unary("cvt.rmi." + type + "." + type);
        case Op::approx_sin:
        case Op::approx_cos:
            if (scalar != Scalar::f32) return false;
            return unary((i.op == Op::approx_sin ? "sin" : "cos") + std::string(".approx.f32"));
        case Op::mad:
            if (!target_.fast_fma) {
                const std::string product = make(scalar, "mul." + type, {a, operand(i, 1)});
                define(id, make(scalar, "add." + type, {product, operand(i, 2)}));
                return true;
            }
            [[fallthrough]];
        case Op::fma: define(id, make(scalar, "fma" + rounded, {a, operand(i, 1), operand(i, 2)})); return true;
        default: return false;
    }
}

// Halves are bit patterns: sums and products are the card's, signs are bits, and the rest goes by way of f32, which has
// more than twice the digits, so that a quotient or a root is still rounded as if once.
bool PtxWriter::half_arithmetic(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const std::string& a = operand(i, 0);
    switch (i.op) {
        case Op::add:
        case Op::sub:
        case Op::mul: define(id, make(Scalar::f16, name_of(i.op) + ".rn.f16", {a, operand(i, 1)})); return true;
        case Op::fma:
        case Op::mad: define(id, make(Scalar::f16, "fma.rn.f16", {a, operand(i, 1), operand(i, 2)})); return true;
        case Op::neg: define(id, make(Scalar::f16, "xor.b16", {a, "0x8000"})); return true;
        case Op::abs: define(id, make(Scalar::f16, "and.b16", {a, "0x7fff"})); return true;
        default: break;
    }
    const std::string wide = make(Scalar::f32, "cvt.f32.f16", {a});
    std::string result;
    switch (i.op) {
        case Op::sqrt: result = make(Scalar::f32, "sqrt.rn.f32", {wide}); break;
        case Op::floor: result = make(Scalar::f32, "cvt.rmi.f32.f32", {wide}); break;
        case Op::div:
        case Op::min:
        case Op::max: {
            const std::string other = make(Scalar::f32, "cvt.f32.f16", {operand(i, 1)});
            result = make(Scalar::f32, name_of(i.op) + (i.op == Op::div ? ".rn.f32" : ".f32"), {wide, other});
            break;
        }
        default: return false;
    }
    define(id, make(Scalar::f16, "cvt.rn.f16.f32", {result}));
    return true;
}

// Two numbers of which one is none are unequal, and not less.
void PtxWriter::comparison(ValueId id) {
    const Instruction& i = kernel_.code[id];
    const Scalar scalar = scalar_of(i, 0);
    if (scalar == Scalar::boolean) {
        const std::string differ = make(scalar, "xor.pred", {operand(i, 0), operand(i, 1)});
        if (i.op != Op::equal && i.op != Op::not_equal) unsupported(i, "of conditions");
        return define(id, i.op == Op::equal ? make(scalar, "not.pred", {differ}) : differ);
    }
    const bool floats = ir::Type(scalar).is_float();
    const std::string name = i.op == Op::equal       ? "eq"
                             : i.op == Op::not_equal ? (floats ? "neu" : "ne")
                             : i.op == Op::less      ? "lt"
                                                     : "le";
    const std::string type = scalar == Scalar::f16 ? "f16" : ptx_type(scalar);
    define(id, make(Scalar::boolean, "setp." + name + "." + type, {operand(i, 0), operand(i, 1)}));
}

void PtxWriter::arithmetic(ValueId id) {
    const Instruction& i = kernel_.code[id];
    if (choice(id)) return;
    if (ir::op_kind(i.op) == OpKind::compare) return comparison(id);
    switch (i.type.scalar) {
        case Scalar::f32:
        case Scalar::f64:
            if (!floating(id)) unsupported(i);
            return;
        case Scalar::f16:
            if (!half_arithmetic(id)) unsupported(i);
            return;
        case Scalar::i32:
        case Scalar::u32:
        case Scalar::u64: return integer(id);
        default: unsupported(i, "of that type");
    }
}

}  // namespace seiche::emit
