// GLSL compute shaders for OpenGL 4.3 and OpenGL ES 3.1: buffers are shader storage blocks, each an array of its own
// element; what else a launch says is one array of words.
#include "emit/glsl.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <numbers>

#include "emit/circular.hpp"
#include "seiche/error.hpp"
#include "seiche/half.hpp"

namespace seiche::emit {

using ir::Instruction;
using ir::Op;
using ir::Scalar;
using ir::Type;
using ir::ValueId;

namespace glsl {

std::string type_name(Type type) {
    if (is_packed(type.scalar))
        return ir::type_bytes(type) <= 4 ? "uint" : "uvec" + std::to_string(ir::type_bytes(type) / 4);
    const std::string n = type.is_vector() ? "vec" + std::to_string(type.lanes) : "";
    switch (type.scalar) {
        case Scalar::boolean: return "bool";
        case Scalar::i32: return n.empty() ? "int" : "i" + n;
        case Scalar::u32: return n.empty() ? "uint" : "u" + n;
        case Scalar::u64: return type.is_vector() ? "uvec4" : "uvec2";
        case Scalar::f32: return n.empty() ? "float" : n;
        case Scalar::f64: return n.empty() ? "double" : "d" + n;
        default: return "void";
    }
}

namespace {

// Words of the language, and those kept for its future, that a buffer or argument may be called.
constexpr const char* reserved_words[] = {
    "team",      "first",     "main",     "arguments", "first_group", "all_groups",  "buffer",    "shared",
    "input",     "output",    "uniform",  "in",        "out",         "inout",       "attribute", "varying",
    "coherent",  "volatile",  "restrict", "readonly",  "writeonly",   "atomic_uint", "layout",    "centroid",
    "flat",      "smooth",    "patch",    "sample",    "subroutine",  "break",       "continue",  "do",
    "switch",    "case",      "default",  "invariant", "precise",     "true",        "false",     "discard",
    "return",    "lowp",      "mediump",  "highp",     "precision",   "struct",      "common",    "partition",
    "active",    "asm",       "class",    "union",     "enum",        "typedef",     "template",  "this",
    "resource",  "goto",      "inline",   "noinline",  "public",      "static",      "extern",    "external",
    "interface", "long",      "short",    "fixed",     "unsigned",    "superp",      "filter",    "sizeof",
    "cast",      "namespace", "using",    "row_major", "void",        "near",        nullptr};

std::string number(double value, bool is_single) {
    std::array<char, 64> text{};
    const auto end = is_single ? std::to_chars(text.data(), text.data() + text.size(), static_cast<float>(value)).ptr
                               : std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    std::string result(text.data(), end);
    if (result.find_first_of(".e") == std::string::npos) result += ".0";
    return result + (is_single ? "" : "lf");
}

// What the common printer says of single words is GLSL, but for these.
std::string constant(Type type, std::uint64_t bits) {
    if (bits == 0 && (type.is_vector() || is_packed(type.scalar) || type.scalar == Scalar::u64))
        return type_name(type) + "(0)";
    if (ir::is_narrow(type.scalar))
        return std::to_string(bits & (ir::scalar_bytes(type.scalar) == 1 ? 0xffu : 0xffffu)) + "u";
    if (type.scalar == Scalar::f16 && !type.is_vector())
        return std::to_string(to_f16(static_cast<float>(std::bit_cast<double>(bits)))) + "u";
    if (type.scalar == Scalar::u64)
        return "uvec2(" + std::to_string(bits & 0xffffffffu) + "u, " + std::to_string(bits >> 32) + "u)";
    const double value = std::bit_cast<double>(bits);
    if (type.scalar != Scalar::f64 || !std::isfinite(value)) return {};
    const std::string text = number(value, false);
    return text.starts_with('-') ? "(" + text + ")" : text;
}

template <bool es>
std::string function_name(Op op, Scalar scalar) {
    switch (op) {
        case Op::min:
        case Op::max:
        case Op::abs:
        case Op::sqrt:
        case Op::floor: return ir::op_name(op);
        case Op::bit_reverse: return "bitfieldReverse";
        case Op::fma: return es ? "" : "fma";
        default: break;
    }
    if (scalar != Scalar::f32) return {};
    switch (op) {
        case Op::exp:
        case Op::log:
        case Op::pow: return ir::op_name(op);
        case Op::atan2: return "atan";
        case Op::approx_sin: return "sin";
        case Op::approx_cos: return "cos";
        default: return {};
    }
}

// ---- Memory

bool is_buffer(const MemoryAccess& access) { return *access.space != '\0'; }

std::string place_of(const MemoryAccess& access) {
    return is_buffer(access) ? "offset_" + access.base + " + " + access.index : access.index;
}

std::string exchange_name(const Writer& writer) { return writer.kernel().name + "_exchange"; }

// Of a function the table is a constant, and the shared arrays are parts of one, which teams divide among themselves.
std::string element_of(const Writer& writer, const MemoryAccess& access) {
    if (!writer.is_function()) return access.base + "[" + place_of(access) + "]";
    for (std::uint32_t a = 0; a < writer.kernel().shared.size(); ++a) {
        if (access.base != writer.shared_name(a)) continue;
        const std::uint64_t before = writer.shared_place(a);
        return exchange_name(writer) + "[first + " + (before == 0 ? "" : std::to_string(before) + "u + ") +
               access.index + "]";
    }
    return access.base + "[" + access.index + "]";
}

// Which bits of its word an element of less than a word is.
struct PartOfWord {
    std::string word, shift;
    unsigned bits;
};
PartOfWord part_of_word(const MemoryAccess& access) {
    const unsigned bytes = ir::type_bytes(access.element);
    const std::string place = "(" + place_of(access) + ")";
    const bool byte = bytes == 1;
    return {access.base + "[" + place + (byte ? " >> 2" : " >> 1") + "]",
            "((" + place + (byte ? " & 3u) << 3" : " & 1u) << 4") + ")", 8 * bytes};
}

bool is_part_of_word(const MemoryAccess& access) { return is_buffer(access) && ir::type_bytes(access.element) < 4; }

void expect_whole(const Writer& writer, const MemoryAccess& access) {
    if (access.type != access.element)
        throw InternalError("glsl: kernel " + writer.kernel().name + ": an access of " +
                            std::to_string(access.type.lanes) + " lanes to elements of " +
                            std::to_string(access.element.lanes));
}

std::string load(Writer& writer, const MemoryAccess& access) {
    expect_whole(writer, access);
    if (!is_part_of_word(access)) return element_of(writer, access);
    const PartOfWord part = part_of_word(access);
    return "bitfieldExtract(" + part.word + ", int" + part.shift + ", " + std::to_string(part.bits) + ")";
}

// The other elements of a word belong to other threads, so that its bits change by atomic operations.
std::string store(Writer& writer, const MemoryAccess& access, const std::string& value) {
    expect_whole(writer, access);
    if (!is_part_of_word(access)) return element_of(writer, access) + " = " + value + ";";
    const PartOfWord part = part_of_word(access);
    const std::string mask = part.bits == 8 ? "0xffu" : "0xffffu";
    return "{ atomicAnd(" + part.word + ", ~(" + mask + " << " + part.shift + ")); atomicOr(" + part.word + ", (" +
           value + ") << " + part.shift + "); }";
}

// ---- Lanes

std::string packed_lanes(const Writer& writer, const Instruction& i) {
    const unsigned bits = 8 * ir::scalar_bytes(i.type.scalar), per_word = 32 / bits;
    std::string text;
    for (unsigned lane = 0; lane < i.type.lanes; ++lane) {
        const unsigned shift = lane % per_word * bits;
        if (lane != 0) text += shift == 0 ? ", " : " | ";
        text +=
            shift == 0 ? writer.operand(i, lane) : "(" + writer.operand(i, lane) + " << " + std::to_string(shift) + ")";
    }
    return i.type.lanes > per_word ? type_name(i.type) + "(" + text + ")" : text;
}

std::string packed_lane(const Writer& writer, const Instruction& i) {
    const Type from = writer.operand_type(i, 0);
    const unsigned bits = 8 * ir::scalar_bytes(i.type.scalar), per_word = 32 / bits;
    const auto lane = static_cast<unsigned>(i.immediate);
    const std::string word =
        writer.operand(i, 0) + (from.lanes > per_word ? std::string(".") + "xyzw"[lane / per_word] : "");
    return "bitfieldExtract(" + word + ", " + std::to_string(lane % per_word * bits) + ", " + std::to_string(bits) +
           ")";
}

bool lanes(Writer& writer, ValueId id) {
    static constexpr std::array<const char*, 4> members{".x", ".y", ".z", ".w"};
    const Instruction& i = writer.instruction(id);
    if (i.op == Op::extract) {
        if (is_packed(i.type.scalar))
            writer.define(id, packed_lane(writer, i));
        else if (i.type.scalar == Scalar::u64)
            writer.alias(id, writer.operand(i, 0) + (i.immediate == 0 ? ".xy" : ".zw"));
        else
            writer.alias(id, writer.operand(i, 0) + members[i.immediate]);
        return true;
    }
    if (i.op != Op::compose) return false;
    if (is_packed(i.type.scalar)) {
        writer.define(id, packed_lanes(writer, i));
        return true;
    }
    std::string text = type_name(i.type) + "(" + writer.operand(i, 0);
    for (unsigned k = 1; k < i.type.lanes; ++k) text += ", " + writer.operand(i, k);
    writer.alias(id, text + ")");
    return true;
}

// ---- Sines

std::string series(const std::vector<double>& coefficients, bool single) {
    std::string text = number(coefficients.back(), single);
    for (std::size_t k = coefficients.size() - 1; k-- > 0;)
        text = "(" + text + ") * square + " + number(coefficients[k], single);
    return text;
}

// An angle within an eighth of a turn, and quarter turns.
void need_circle(Writer& writer, bool single, bool exact) {
    const std::string real = single ? "float" : "double";
    const auto n = [&](double value) { return number(value, single); };
    writer.helper(real + " on_circle(" + real + " angle, uint quadrant) {\n    " + real +
                  " square = angle * angle;\n    " + real + " s = (" +
                  series(taylor_coefficients(true, !single), single) + ") * angle;\n    " + real +
                  " c = " + series(taylor_coefficients(false, !single), single) + ";\n    " + real +
                  " value = (quadrant & 1u) != 0u ? c : s;\n    return (quadrant & 2u) != 0u ? -value : value;\n}");
    writer.helper("uint quadrant_of(" + real + " quarters) { return uint(quarters - " + n(4) + " * floor(quarters * " +
                  n(0.25) + ")); }");
    writer.helper(real + " of_half_turns(" + real + " x, uint later) {\n    " + real +
                  " quarters = roundEven(x + x);\n" + "    return on_circle((x - " + n(0.5) + " * quarters) * " +
                  n(std::numbers::pi) + ", quadrant_of(quarters) + later);\n}");
    std::string radians = real + " of_radians(" + real + " x, uint later) {\n    " + real +
                          " quarters = roundEven(x * " + n(2 / std::numbers::pi) + ");\n    " +
                          (exact ? "precise " : "") + real + " rest = x;\n";
    for (const double part : quarter_turn_parts(!single)) radians += "    rest = rest - quarters * " + n(part) + ";\n";
    writer.helper(radians + "    return on_circle(rest, quadrant_of(quarters) + later);\n}");
}

bool circular(Writer& writer, ValueId id, bool exact) {
    const Instruction& i = writer.instruction(id);
    const bool approximate = i.op == Op::approx_sin || i.op == Op::approx_cos;
    const bool half_turns = i.op == Op::sinpi || i.op == Op::cospi;
    if (approximate ? i.type.scalar != Scalar::f64 : !half_turns && i.op != Op::sin && i.op != Op::cos) return false;
    need_circle(writer, i.type.scalar == Scalar::f32, exact);
    // A cosine is a sine a quarter turn later.
    const bool cosine = i.op == Op::cos || i.op == Op::cospi || i.op == Op::approx_cos;
    writer.define(id, std::string(half_turns ? "of_half_turns(" : "of_radians(") + writer.operand(i, 0) +
                          (cosine ? ", 1u)" : ", 0u)"));
    return true;
}

// ---- The rest

bool narrow_arithmetic(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    if (i.op == Op::abs && i.type.scalar == Scalar::u32) {
        writer.alias(id, writer.operand(i, 0));
        return true;
    }
    if (i.op == Op::mul_high) {
        need_wide(writer, "u64_product");
        writer.define(id, "u64_product(" + writer.operand(i, 0) + ", " + writer.operand(i, 1) + ").y");
        return true;
    }
    return false;
}

// One invocation asks over and over again, by an atomic that changes nothing: a driver may take a plain load out of the
// loop. The others are behind the barrier.
void wait_until(Writer& writer, const Instruction& i, const std::string& place) {
    writer.line("if (gl_LocalInvocationIndex == 0u) {");
    writer.line("    while (atomicOr(" + place + ", 0u) < " + writer.operand(i, 1) + ") {}");
    writer.line("}");
    writer.line("memoryBarrier(); barrier();");
}

void atomic(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    const Type element = writer.kernel().buffers[i.symbol].element;
    if (element != Type(Scalar::u32) && element != Type(Scalar::i32))
        writer.unsupported(i, "GLSL has atomics of 32-bit integers only");
    const std::string& name = writer.buffer_name(i.symbol);
    const std::string place = name + "[offset_" + name + " + " + writer.operand(i, 0) + "]";
    if (i.op == Op::wait_until) return wait_until(writer, i, place);
    const unsigned predicate = i.op == Op::atomic_load ? 1 : 2;
    if (i.order == ir::Order::release || i.order == ir::Order::acquire_release)
        writer.guarded(i, predicate, "memoryBarrier();");
    switch (i.op) {
        case Op::atomic_add:
            writer.define(id, writer.guarded_value(i, 2, "atomicAdd(" + place + ", " + writer.operand(i, 1) + ")"));
            break;
        case Op::atomic_exchange:
            writer.define(id,
                          writer.guarded_value(i, 2, "atomicExchange(" + place + ", " + writer.operand(i, 1) + ")"));
            break;
        case Op::atomic_load:
            writer.define(id, writer.guarded_value(i, 1, "atomicOr(" + place + ", " + writer.zero(element) + ")"));
            break;
        default: writer.guarded(i, 2, "atomicExchange(" + place + ", " + writer.operand(i, 1) + ");");
    }
    if (i.order == ir::Order::acquire || i.order == ir::Order::acquire_release)
        writer.guarded(i, predicate, "memoryBarrier();");
}

// Without a copy engine in the language a copy is done at once, which is as early as is allowed.
void async_copy(Writer& writer, const Instruction& i) {
    const auto& shared = writer.kernel().shared[i.symbol];
    const auto source = static_cast<std::uint32_t>(i.immediate);
    const auto& buffer = writer.kernel().buffers[source];
    if (buffer.element != shared.element) writer.unsupported(i, "between elements of two types");
    for (unsigned k = 0; k < i.width; ++k) {
        const std::string step = k == 0 ? "" : " + " + std::to_string(k) + "u";
        const MemoryAccess from{"buffer", writer.buffer_name(source), buffer.element, writer.operand(i, 1) + step,
                                buffer.element};
        const MemoryAccess to{"", writer.shared_name(i.symbol), shared.element, writer.operand(i, 0) + step,
                              shared.element};
        writer.guarded(i, 2, store(writer, to, load(writer, from)));
    }
}

bool synchronise(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    switch (i.op) {
        case Op::group_barrier: {
            bool through_buffers = false;
            for (const auto& buffer : writer.kernel().buffers)
                through_buffers |= buffer.access == ir::Access::read_write;
            writer.line(through_buffers ? "memoryBarrierShared(); memoryBarrierBuffer(); barrier();"
                                        : "memoryBarrierShared(); barrier();");
            return true;
        }
        case Op::subgroup_barrier: writer.line("subgroupBarrier();"); return true;
        case Op::fence: writer.line("memoryBarrier();"); return true;
        case Op::async_copy: async_copy(writer, i); return true;
        case Op::async_commit:
        case Op::async_wait: return true;
        default: return false;
    }
}

bool image(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    if (i.op != Op::image_load && i.op != Op::image_store) return false;
    const std::string place =
        writer.image_name(i.symbol) + ", ivec2(" + writer.operand(i, 0) + ", " + writer.operand(i, 1) + ")";
    if (i.op == Op::image_load)
        writer.define(id, writer.guarded_value(i, 2, "imageLoad(" + place + ")"));
    else
        writer.guarded(i, 3, "imageStore(" + place + ", " + writer.operand(i, 2) + ");");
    return true;
}

void refuse_halves(const Writer& writer, const Instruction& i) {
    switch (ir::op_kind(i.op)) {
        case ir::OpKind::unary:
        case ir::OpKind::binary:
        case ir::OpKind::ternary:
        case ir::OpKind::compare:
            if (i.op != Op::select && is_half(writer.operand_type(i, 0).scalar))
                writer.unsupported(i, "half precision is for storage only");
            break;
        default: break;
    }
}

template <bool es>
bool special(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    refuse_halves(writer, i);
    if (es && i.exact) writer.unsupported(i, "OpenGL ES 3.1 cannot promise one rounding");
    if (ir::op_kind(i.op) == ir::OpKind::atomic) return atomic(writer, id), true;
    return wide_integer(writer, id) || narrow_arithmetic(writer, id) || circular(writer, id, !es) ||
           lanes(writer, id) || image(writer, id) || synchronise(writer, id);
}

std::string member(const char* variable, unsigned dimension) { return variable + std::string(".") + "xyz"[dimension]; }
std::string group_id(unsigned dimension) {
    return member("gl_WorkGroupID", dimension) + (dimension == 0 ? " + first_group" : "");
}
std::string group_count(unsigned dimension) {
    return dimension == 0 ? "all_groups" : member("gl_NumWorkGroups", dimension);
}
std::string thread_id(unsigned dimension) { return member("gl_LocalInvocationID", dimension); }

template <bool es>
std::string preamble(const Writer& writer) {
    const std::string extension =
        writer.uses(Op::subgroup_barrier) ? "#extension GL_KHR_shader_subgroup_basic : require\n" : "";
    return es ? "#version 310 es\n" + extension + "precision highp float;\nprecision highp int;\n"
              : "#version 430 core\n" + extension;
}

/// OpenGL ES lets an image of these formats be read or be written, not both.
void declare_image(Writer& writer, std::uint32_t i, bool es) {
    const ir::ImageParameter& image = writer.kernel().images[i];
    if (es && image.format == ImageFormat::rg32f)
        throw Unsupported("glsl-es: kernel " + writer.kernel().name + ": image " + image.name +
                          ": OpenGL ES has none of rg32f, expected rgba32f or rgba16f, two points a texel");
    if (image.access == ir::Access::read_write)
        throw Unsupported("glsl: kernel " + writer.kernel().name + ": image " + image.name +
                          ": expected one that is read or one that is written");
    writer.outer_line("layout(" + std::string(to_string(image.format)) + ", binding = " + std::to_string(i) +
                      ") uniform " + (image.may_alias ? "" : "restrict ") +
                      (image.access == ir::Access::read ? "readonly " : "writeonly ") + (es ? "highp " : "") +
                      "image2D " + writer.image_name(i) + ";");
}

bool writes_parts_of_words(const ir::BufferParameter& buffer) {
    return ir::type_bytes(buffer.element) < 4 && buffer.access != ir::Access::read;
}

void declare_buffer(Writer& writer, std::uint32_t b) {
    const ir::BufferParameter& buffer = writer.kernel().buffers[b];
    const std::string& name = writer.buffer_name(b);
    std::string qualifiers = buffer.may_alias ? "" : "restrict ";
    if (buffer.access == ir::Access::read) qualifiers += "readonly ";
    if (buffer.access == ir::Access::write && !writes_parts_of_words(buffer)) qualifiers += "writeonly ";
    if (buffer.access == ir::Access::read_write && ir::synchronises_groups(writer.kernel())) qualifiers += "coherent ";
    const Type element = buffer.element;
    writer.outer_line("layout(std430, binding = " + std::to_string(b) + ") " + qualifiers + "buffer block_" + name +
                      " { " + type_name(element) + " " + name + "[]; };");
}

// The value of an argument whose first word is this one.
std::string argument(Type type, std::uint32_t word) {
    const auto at = [](std::uint32_t w) { return "arguments[" + std::to_string(w) + "]"; };
    switch (type.scalar) {
        case Scalar::u32: return at(word);
        case Scalar::i32: return "int(" + at(word) + ")";
        case Scalar::f32: return "uintBitsToFloat(" + at(word) + ")";
        case Scalar::u64: return "uvec2(" + at(word) + ", " + at(word + 1) + ")";
        case Scalar::f64: return "packDouble2x32(uvec2(" + at(word) + ", " + at(word + 1) + "))";
        default: return {};
    }
}

void declare_arguments(Writer& writer, const PushConstants& layout) {
    const ir::Kernel& kernel = writer.kernel();
    const auto declare = [&](Type type, const std::string& name, const std::string& value) {
        writer.outer_line("    " + type_name(type) + " " + name + " = " + value + ";");
    };
    for (std::uint32_t b = 0; b < kernel.buffers.size(); ++b)
        declare(Scalar::u32, "offset_" + writer.buffer_name(b), argument(Scalar::u32, b));
    for (std::uint64_t s = 0; s < kernel.scalars.size(); ++s) {
        const Type type = kernel.scalars[s].type;
        const std::string value = argument(type, layout.scalars[s] / 4);
        if (value.empty())
            throw Unsupported("glsl: kernel " + kernel.name + ": parameter " + kernel.scalars[s].name +
                              ": expected one of 4 or 8 bytes");
        declare(type, writer.scalar_name(s), value);
    }
    if (writer.uses(Op::group_id)) declare(Scalar::u32, "first_group", argument(Scalar::u32, layout.bytes / 4));
    if (writer.uses(Op::group_count)) declare(Scalar::u32, "all_groups", argument(Scalar::u32, layout.bytes / 4 + 1));
}

template <bool es>
void open_kernel(Writer& writer) {
    const ir::Kernel& kernel = writer.kernel();
    const std::string who = std::string(es ? "glsl-es" : "glsl") + ": kernel " + kernel.name + ": ";
    if (es && writer.uses(Scalar::f64)) throw Unsupported(who + "OpenGL ES has no double precision, expected f32");
    for (const auto* arrays : {&kernel.shared, &kernel.privates})
        for (const ir::ArraySymbol& array : *arrays)
            if (ir::scalar_bytes(array.element.scalar) < 4)
                throw Unsupported(who + "array " + array.name + ": expected elements of 4 or 8 bytes");
    if (kernel.launch.required_subgroup_size != 0)
        throw Unsupported(who + "expected subgroups of any size: OpenGL promises none");
    const auto& group = kernel.launch.group;
    writer.outer_line("layout(local_size_x = " + std::to_string(group[0]) + ", local_size_y = " +
                      std::to_string(group[1]) + ", local_size_z = " + std::to_string(group[2]) + ") in;");
    for (std::uint32_t b = 0; b < kernel.buffers.size(); ++b) declare_buffer(writer, b);
    for (std::uint32_t i = 0; i < kernel.images.size(); ++i) declare_image(writer, i, es);
    const PushConstants layout = push_constants(kernel);
    writer.outer_line("layout(location = 0) uniform uint arguments[" + std::to_string(argument_words(layout)) + "];");
    const auto declare = [&](const std::string& space, const ir::ArraySymbol& array, const std::string& name) {
        writer.outer_line(space + type_name(array.element) + " " + name + "[" + std::to_string(array.count) + "];");
    };
    for (std::uint32_t a = 0; a < kernel.shared.size(); ++a)
        declare("shared ", kernel.shared[a], writer.shared_name(a));
    writer.outer_line("\nvoid main() {");
    declare_arguments(writer, layout);
    for (std::uint32_t a = 0; a < kernel.privates.size(); ++a)
        declare("    ", kernel.privates[a], writer.private_name(a));
}

/// What the macros of a function begin with.
std::string macro_prefix(std::string name) {
    for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return name + "_";
}

/// Shared arrays are no arguments in GLSL: there is one for all teams of a group, whose number the user may define.
template <bool es>
void open_function(Writer& writer) {
    const ir::Kernel& kernel = writer.kernel();
    if (es && writer.uses(Scalar::f64))
        throw Unsupported("glsl-es: function " + kernel.name + ": OpenGL ES has no double precision, expected f32");
    const std::uint64_t words =
        kernel.shared.empty() ? 0 : ir::shared_bytes(kernel) / ir::type_bytes(kernel.shared.front().element);
    if (words != 0) {
        const std::string teams = macro_prefix(kernel.name) + "TEAMS";
        writer.outer_line("#ifndef " + teams + "\n#define " + teams + " 1\n#endif");
        writer.outer_line("shared " + type_name(kernel.shared.front().element) + " " + exchange_name(writer) + "[" +
                          teams + " * " + std::to_string(words) + "];\n");
    }
    std::string parameters;
    for (std::uint32_t a = 0; a < kernel.privates.size(); ++a)
        parameters += "inout " + type_name(kernel.privates[a].element) + " " + writer.private_name(a) + "[" +
                      std::to_string(kernel.privates[a].count) + "], ";
    writer.outer_line("void " + kernel.name + "(" + parameters + "uint team, uint lane) {");
    if (words != 0) writer.outer_line("    uint first = team * " + std::to_string(words) + "u;");
}

std::string pair(Type type, const std::string& first, const std::string& second) {
    return type_name(type.with_lanes(2)) + "(" + first + ", " + second + ")";
}

template <bool es>
constexpr CDialect dialect{.name = es ? "glsl-es" : "glsl",
                           .u64_suffix = "",
                           .f32_infinity = "uintBitsToFloat(0x7f800000u)",
                           .f64_infinity = "packDouble2x32(uvec2(0u, 0x7ff00000u))",
                           .global_space = "buffer",
                           .shared_space = "",
                           .native_vectors = false,
                           .value_qualifier = "",
                           .exact_qualifier = es ? "" : "precise ",
                           .preamble_leads = true,
                           .reserved = reserved_words,
                           .constant = constant,
                           .type_name = type_name,
                           .function_name = function_name<es>,
                           .load = load,
                           .store = store,
                           .convert = convert,
                           .bitcast = bitcast,
                           .special = special<es>,
                           .group_id = group_id,
                           .group_count = group_count,
                           .thread_id = thread_id,
                           .preamble = preamble<es>,
                           .open_kernel = open_kernel<es>,
                           .open_function = open_function<es>,
                           .function_preamble = [](const Writer&) { return std::string(); },
                           .constant_space = "const",
                           .constructs_arrays = true,
                           .pair = pair};

}  // namespace
}  // namespace glsl

const CDialect glsl_dialect = glsl::dialect<false>;
const CDialect glsl_es_dialect = glsl::dialect<true>;

}  // namespace seiche::emit
