// Integers of 64 bits in GLSL, which has none: pairs of words, low one first. Few kernels have any, see
// narrow_addresses.
#include "emit/glsl.hpp"

namespace seiche::emit::glsl {

using ir::Instruction;
using ir::Op;
using ir::Scalar;
using ir::ValueId;

namespace {

struct Helper {
    const char* name;
    const char* needs;  ///< Another of them, or null.
    const char* text;
};

constexpr Helper helpers[] = {
    {"u64_add", nullptr,
     "uvec2 u64_add(uvec2 a, uvec2 b) {\n    uint low = a.x + b.x;\n"
     "    return uvec2(low, a.y + b.y + uint(low < a.x));\n}"},
    {"u64_sub", nullptr, "uvec2 u64_sub(uvec2 a, uvec2 b) { return uvec2(a.x - b.x, a.y - b.y - uint(a.x < b.x)); }"},
    {"u64_product", nullptr,
     "uvec2 u64_product(uint a, uint b) {\n    uint high, low;\n    umulExtended(a, b, high, low);\n"
     "    return uvec2(low, high);\n}"},
    {"u64_mul", "u64_product",
     "uvec2 u64_mul(uvec2 a, uvec2 b) { return u64_product(a.x, b.x) + uvec2(0u, a.x * b.y + a.y * b.x); }"},
    {"u64_less", nullptr, "bool u64_less(uvec2 a, uvec2 b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }"},
    {"u64_shift_left", nullptr,
     "uvec2 u64_shift_left(uvec2 a, uint n) {\n    if (n == 0u) return a;\n"
     "    if (n >= 32u) return uvec2(0u, a.x << (n - 32u));\n"
     "    return uvec2(a.x << n, (a.y << n) | (a.x >> (32u - n)));\n}"},
    {"u64_shift_right", nullptr,
     "uvec2 u64_shift_right(uvec2 a, uint n) {\n    if (n == 0u) return a;\n"
     "    if (n >= 32u) return uvec2(a.y >> (n - 32u), 0u);\n"
     "    return uvec2((a.x >> n) | (a.y << (32u - n)), a.y >> n);\n}"},
    {"u64_reverse", nullptr,
     "uvec2 u64_reverse(uvec2 a) { return uvec2(bitfieldReverse(a.y), bitfieldReverse(a.x)); }"},
    // The upper half of a product from four of 32 bits, whose low halves can carry.
    {"u64_mul_high", "u64_product",
     "uvec2 u64_mul_high(uvec2 a, uvec2 b) {\n"
     "    uvec2 middle = u64_add(u64_product(a.y, b.x), uvec2(u64_product(a.x, b.x).y, 0u));\n"
     "    uvec2 rest = u64_add(u64_product(a.x, b.y), uvec2(middle.x, 0u));\n"
     "    return u64_add(u64_add(u64_product(a.y, b.y), uvec2(middle.y, 0u)), uvec2(rest.y, 0u));\n}"},
    // Long division, a bit at a time: quotient and rest.
    {"u64_divide", "u64_less",
     "uvec4 u64_divide(uvec2 a, uvec2 b) {\n"
     "    if (a.y == 0u && b.y == 0u) return uvec4(a.x / b.x, 0u, a.x % b.x, 0u);\n"
     "    uvec2 quotient = uvec2(0u), rest = uvec2(0u);\n"
     "    for (int bit = 63; bit >= 0; --bit) {\n"
     "        uint next = ((bit >= 32 ? a.y : a.x) >> uint(bit & 31)) & 1u;\n"
     "        bool carries = (rest.y >> 31) != 0u;\n"
     "        rest = uvec2((rest.x << 1) | next, (rest.y << 1) | (rest.x >> 31));\n"
     "        quotient = uvec2(quotient.x << 1, (quotient.y << 1) | (quotient.x >> 31));\n"
     "        if (carries || !u64_less(rest, b)) {\n"
     "            rest = u64_sub(rest, b);\n            quotient.x |= 1u;\n        }\n    }\n"
     "    return uvec4(quotient, rest);\n}"},
};

const char* function_of(Op op) {
    switch (op) {
        case Op::add: return "u64_add";
        case Op::sub: return "u64_sub";
        case Op::mul: return "u64_mul";
        case Op::mul_high: return "u64_mul_high";
        case Op::shift_left: return "u64_shift_left";
        case Op::shift_right: return "u64_shift_right";
        case Op::bit_reverse: return "u64_reverse";
        case Op::less: return "u64_less";
        default: return nullptr;
    }
}

std::string call(Writer& writer, const std::string& function, const std::string& a, const std::string& b = {}) {
    need_wide(writer, function);
    return function + "(" + a + (b.empty() ? "" : ", " + b) + ")";
}

}  // namespace

void need_wide(Writer& writer, const std::string& function) {
    // Those that are called are declared before.
    if (function == "u64_mul_high") need_wide(writer, "u64_add");
    if (function == "u64_divide") need_wide(writer, "u64_sub");
    for (const Helper& helper : helpers) {
        if (function != helper.name) continue;
        if (helper.needs != nullptr) need_wide(writer, helper.needs);
        writer.helper(helper.text);
    }
}

bool wide_integer(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    const ir::OpKind kind = ir::op_kind(i.op);
    if (kind != ir::OpKind::unary && kind != ir::OpKind::binary && kind != ir::OpKind::ternary &&
        kind != ir::OpKind::compare)
        return false;
    if (i.op == Op::select || writer.operand_type(i, 0).scalar != Scalar::u64) return false;
    const auto define = [&](const std::string& text) {
        writer.define(id, text);
        return true;
    };
    const std::string a = writer.operand(i, 0), b = i.operands[1] == ir::no_value ? "" : writer.operand(i, 1);
    switch (i.op) {
        case Op::neg: return define(call(writer, "u64_sub", "uvec2(0u)", a));
        case Op::abs: writer.alias(id, a); return true;
        case Op::mad: return define(call(writer, "u64_add", call(writer, "u64_mul", a, b), writer.operand(i, 2)));
        case Op::div: return define(call(writer, "u64_divide", a, b) + ".xy");
        case Op::mod: return define(call(writer, "u64_divide", a, b) + ".zw");
        case Op::min: return define(call(writer, "u64_less", a, b) + " ? " + a + " : " + b);
        case Op::max: return define(call(writer, "u64_less", a, b) + " ? " + b + " : " + a);
        case Op::less_equal: return define("!" + call(writer, "u64_less", b, a));
        case Op::shift_left:
        case Op::shift_right:
            return define(
                call(writer, function_of(i.op), a, writer.operand_type(i, 1).scalar == Scalar::u64 ? b + ".x" : b));
        default: break;
    }
    // Bits, and whether they are equal, are in the language.
    if (const char* function = function_of(i.op)) return define(call(writer, function, a, b));
    return false;
}

}  // namespace seiche::emit::glsl
