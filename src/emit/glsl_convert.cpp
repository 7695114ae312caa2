// Conversions in GLSL: its own say nothing of numbers that do not fit, nor how halves are rounded.
#include "emit/glsl.hpp"
#include "seiche/error.hpp"

namespace seiche::emit::glsl {

using ir::Scalar;
using ir::Type;

namespace {

/// Rounded to nearest even. The exponents of numbers that are no halves of full length are those of multiples of 2^-24.
constexpr const char* f16_from_f32 =
    "uint f16_from_f32(float x) {\n"
    "    uint bits = floatBitsToUint(x), sign = (bits >> 16) & 0x8000u;\n    bits &= 0x7fffffffu;\n"
    "    if (bits > 0x7f800000u) return sign | 0x7e00u;\n"
    "    if (bits >= 0x477ff000u) return sign | 0x7c00u;\n"
    "    if (bits < 0x38800000u) return sign | uint(roundEven(uintBitsToFloat(bits) * 16777216.0));\n"
    "    return sign | ((bits + 0xfffu + ((bits >> 13) & 1u) - 0x38000000u) >> 13);\n}";
/// By way of a float rounded to odd, which keeps what decides.
constexpr const char* f16_from_f64 =
    "uint f16_from_f64(double x) {\n"
    "    float near = float(x);\n    uint bits = floatBitsToUint(near);\n"
    "    if (double(near) != x && x == x) {\n        if (abs(double(near)) > abs(x)) --bits;\n        bits |= 1u;\n"
    "    }\n    return f16_from_f32(uintBitsToFloat(bits));\n}";
constexpr const char* bf16_from_f32 =
    "uint bf16_from_f32(float x) {\n    uint bits = floatBitsToUint(x);\n"
    "    return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc0u : (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;\n}";
/// Of the leading 32 bits; the last of them stands for all that follow.
constexpr const char* f32_from_u64 =
    "float f32_from_u64(uvec2 a) {\n    if (a.y == 0u) return float(a.x);\n"
    "    uint shift = 31u - uint(findMSB(a.y));\n    uvec2 moved = u64_shift_left(a, shift);\n"
    "    return float(moved.y | uint(moved.x != 0u)) * uintBitsToFloat((159u - shift) << 23);\n}";

std::string from_half(const std::string& value, Scalar from) {
    return from == Scalar::f16 ? "unpackHalf2x16(" + value + ").x" : "uintBitsToFloat(" + value + " << 16)";
}

std::string to_half(Writer& writer, const std::string& value, Scalar from, Scalar to) {
    if (to == Scalar::f16 && (from == Scalar::f32 || from == Scalar::f64)) {
        writer.helper(f16_from_f32);
        if (from == Scalar::f32) return "f16_from_f32(" + value + ")";
        writer.helper(f16_from_f64);
        return "f16_from_f64(" + value + ")";
    }
    if (to == Scalar::bf16 && from == Scalar::f32) {
        writer.helper(bf16_from_f32);
        return "bf16_from_f32(" + value + ")";
    }
    throw Unsupported("glsl: kernel " + writer.kernel().name + ": cannot convert " + type_name(from) +
                      " to half precision");
}

/// Towards zero; what does not fit saturates, and a NaN becomes 0.
std::string to_integer(Writer& writer, const std::string& value, Scalar from, Scalar to) {
    const bool single = from == Scalar::f32;
    const std::string real = single ? "float" : "double", end = single ? "" : "lf";
    const auto name = [&](const char* target) { return std::string(target) + (single ? "_from_f32" : "_from_f64"); };
    if (to == Scalar::i32) {
        writer.helper("int " + name("i32") + "(" + real +
                      " x) {\n    if (!(x == x)) return 0;\n    if (x >= 2147483648.0" + end +
                      ") return 0x7fffffff;\n    return x <= -2147483648.0" + end + " ? -0x7fffffff - 1 : int(x);\n}");
        return name("i32") + "(" + value + ")";
    }
    writer.helper("uint " + name("u32") + "(" + real + " x) {\n    if (!(x > 0.0" + end +
                  ")) return 0u;\n    return x >= 4294967296.0" + end + " ? 0xffffffffu : uint(x);\n}");
    if (to == Scalar::u32) return name("u32") + "(" + value + ")";
    writer.helper("uvec2 " + name("u64") + "(" + real + " x) {\n    if (!(x > 0.0" + end +
                  ")) return uvec2(0u);\n    if (x >= 18446744073709551616.0" + end +
                  ") return uvec2(0xffffffffu);\n    " + real + " high = floor(x * (1.0" + end + " / 4294967296.0" +
                  end + "));\n    return uvec2(" + name("u32") + "(x - high * 4294967296.0" + end +
                  "), uint(high));\n}");
    return name("u64") + "(" + value + ")";
}

std::string from_u64(Writer& writer, const std::string& value, Scalar to) {
    switch (to) {
        case Scalar::u32: return value + ".x";
        case Scalar::i32: return "int(" + value + ".x)";
        case Scalar::f64: return "double(" + value + ".y) * 4294967296.0lf + double(" + value + ".x)";
        case Scalar::f32:
            need_wide(writer, "u64_shift_left");
            writer.helper(f32_from_u64);
            return "f32_from_u64(" + value + ")";
        default: return value + " != uvec2(0u)";
    }
}

std::string to_u64(Writer& writer, const std::string& value, Scalar from) {
    switch (from) {
        case Scalar::boolean: return "uvec2(uint(" + value + "), 0u)";
        case Scalar::u32: return "uvec2(" + value + ", 0u)";
        case Scalar::i32: return "uvec2(uint(" + value + "), " + value + " < 0 ? 0xffffffffu : 0u)";
        default: return to_integer(writer, value, from, Scalar::u64);
    }
}

}  // namespace

std::string convert(Writer& writer, const std::string& value, Type from, Type to) {
    if (from.scalar == to.scalar) return value;
    if (is_half(from.scalar)) return convert(writer, from_half(value, from.scalar), Scalar::f32, to);
    if (is_half(to.scalar)) return to_half(writer, value, from.scalar, to.scalar);
    if (ir::is_narrow(from.scalar)) {
        const bool is_signed = from.scalar == Scalar::i8 || from.scalar == Scalar::i16;
        const std::string bits = std::to_string(8 * ir::scalar_bytes(from.scalar));
        if (!is_signed) return convert(writer, value, Scalar::u32, to);
        return convert(writer, "bitfieldExtract(int(" + value + "), 0, " + bits + ")", Scalar::i32, to);
    }
    if (ir::is_narrow(to.scalar)) {
        const Scalar word = from.scalar == Scalar::i32 ? Scalar::i32 : Scalar::u32;
        const std::string mask = ir::scalar_bytes(to.scalar) == 1 ? "0xffu" : "0xffffu";
        return "uint(" + convert(writer, value, from, word) + ") & " + mask;
    }
    if (from.scalar == Scalar::u64) return from_u64(writer, value, to.scalar);
    if (to.scalar == Scalar::u64) return to_u64(writer, value, from.scalar);
    if (to.scalar == Scalar::boolean) return value + " != " + writer.literal(from, 0);
    if (from.is_float() && to.is_integer()) return to_integer(writer, value, from.scalar, to.scalar);
    return type_name(to) + "(" + value + ")";
}

std::string bitcast(Writer& writer, const std::string& value, Type from, Type to) {
    const auto is = [&](Scalar a, Scalar b) { return from.scalar == a && to.scalar == b; };
    if (from.scalar == to.scalar) return value;
    if (is(Scalar::u32, Scalar::i32) || is(Scalar::i32, Scalar::u32)) return type_name(to) + "(" + value + ")";
    if (is(Scalar::f32, Scalar::u32)) return "floatBitsToUint(" + value + ")";
    if (is(Scalar::f32, Scalar::i32)) return "floatBitsToInt(" + value + ")";
    if (is(Scalar::u32, Scalar::f32)) return "uintBitsToFloat(" + value + ")";
    if (is(Scalar::i32, Scalar::f32)) return "intBitsToFloat(" + value + ")";
    if (is(Scalar::f64, Scalar::u64)) return "unpackDouble2x32(" + value + ")";
    if (is(Scalar::u64, Scalar::f64)) return "packDouble2x32(" + value + ")";
    throw Unsupported("glsl: kernel " + writer.kernel().name + ": cannot express bitcast from " + type_name(from) +
                      " to " + type_name(to));
}

}  // namespace seiche::emit::glsl
