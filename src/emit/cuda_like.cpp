// What the dialects of CUDA's language share, CUDA and HIP.
#include "emit/cuda_like.hpp"

#include <array>

#include "seiche/error.hpp"

namespace seiche::emit::cuda_like {

using ir::Instruction;
using ir::Op;
using ir::Scalar;
using ir::Scope;
using ir::Type;
using ir::ValueId;

std::string type_name(Type type) {
    const std::string n = type.is_vector() ? std::to_string(type.lanes) : "";
    switch (type.scalar) {
        case Scalar::boolean: return "bool";
        case Scalar::i8: return n.empty() ? "signed char" : "char" + n;
        case Scalar::u8: return n.empty() ? "unsigned char" : "uchar" + n;
        case Scalar::i16: return "short" + n;
        case Scalar::u16: return n.empty() ? "unsigned short" : "ushort" + n;
        case Scalar::i32: return "int" + n;
        case Scalar::u32: return n.empty() ? "u32" : "uint" + n;
        case Scalar::u64: return n.empty() ? "u64" : "ulonglong" + n;
        case Scalar::f16:
        case Scalar::bf16: return n.empty() ? "unsigned short" : "ushort" + n;  // as bits
        case Scalar::f32: return "float" + n;
        case Scalar::f64: return "double" + n;
        case Scalar::dd:
        case Scalar::none: break;
    }
    return "void";
}

std::string function_name(Op op, Scalar scalar) {
    const bool single = scalar == Scalar::f32, floating = scalar >= Scalar::f16;
    const std::string suffix = single ? "f" : "";
    switch (op) {
        case Op::min: return floating ? "fmin" + suffix : "min";
        case Op::max: return floating ? "fmax" + suffix : "max";
        case Op::abs: return floating ? "fabs" + suffix : "abs";
        case Op::mul_high: return scalar == Scalar::u64 ? "__umul64hi" : "__umulhi";
        case Op::bit_reverse: return scalar == Scalar::u64 ? "__brevll" : "__brev";
        case Op::approx_sin: return single ? "__sinf" : "sin";
        case Op::approx_cos: return single ? "__cosf" : "cos";
        case Op::fma:
        case Op::sqrt:
        case Op::exp:
        case Op::log:
        case Op::sin:
        case Op::cos:
        case Op::sinpi:
        case Op::cospi:
        case Op::floor:
        case Op::atan2:
        case Op::pow: return ir::op_name(op) + suffix;
        default: return {};
    }
}

bool is_half(Scalar scalar) { return scalar == Scalar::f16 || scalar == Scalar::bf16; }

std::string widen_bf16(Writer& writer) {
    writer.helper(
        "__device__ __forceinline__ float from_bf16(unsigned short h) { return __uint_as_float((u32)h << 16); }");
    return "from_bf16";
}

std::string narrow_bf16(Writer& writer) {
    writer.helper(
        "__device__ __forceinline__ unsigned short bf16_from_f32(float x) {\n    const u32 u = __float_as_uint(x);\n"
        "    return x != x ? 0x7fc0 : (unsigned short)((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);\n}");
    return "bf16_from_f32";
}

std::string convert(Writer& writer, const std::string& value, Type from, Type to, const Halves& halves) {
    if (from.scalar == to.scalar) return value;
    if (is_half(from.scalar)) {
        const std::string wide = halves.widen(writer, from.scalar) + "(" + value + ")";
        return to.scalar == Scalar::f32 ? wide : convert(writer, wide, Scalar::f32, to, halves);
    }
    if (is_half(to.scalar)) {
        const std::string name = from.is_float() ? halves.narrow(writer, from.scalar, to.scalar) : "";
        if (name.empty())
            throw Unsupported(std::string(writer.dialect().name) + ": kernel " + writer.kernel().name +
                              ": cannot convert " + type_name(from) + " to half precision");
        return name + "(" + value + ")";
    }
    if (to.scalar == Scalar::boolean) return value + " != 0";
    if (from.is_float() && to.is_integer()) {
        const char* target = to.scalar == Scalar::i32 ? "int" : to.scalar == Scalar::u32 ? "uint" : "ull";
        return std::string(from.scalar == Scalar::f32 ? "__float2" : "__double2") + target + "_rz(" + value + ")";
    }
    return "(" + type_name(to) + ")" + value;
}

std::string bitcast(Writer& writer, const std::string& value, Type from, Type to) {
    if (from.scalar == to.scalar || (from.is_integer() && to.is_integer())) return "(" + type_name(to) + ")" + value;
    if (from.scalar == Scalar::f32)
        return (to.scalar == Scalar::u32 ? "__float_as_uint(" : "__float_as_int(") + value + ")";
    if (to.scalar == Scalar::f32)
        return (from.scalar == Scalar::u32 ? "__uint_as_float(" : "__int_as_float(") + value + ")";
    if (from.scalar == Scalar::f64 && to.scalar == Scalar::u64) return "(u64)__double_as_longlong(" + value + ")";
    if (from.scalar == Scalar::u64 && to.scalar == Scalar::f64) return "__longlong_as_double((long long)" + value + ")";
    throw Unsupported(std::string(writer.dialect().name) + ": kernel " + writer.kernel().name +
                      ": cannot express bitcast from " + type_name(from) + " to " + type_name(to));
}

bool half_arithmetic(Writer& writer, ValueId id, const Halves& halves) {
    const Instruction& i = writer.instruction(id);
    const ir::OpKind kind = ir::op_kind(i.op);
    const bool computes = kind == ir::OpKind::unary || kind == ir::OpKind::binary || kind == ir::OpKind::ternary;
    if ((!computes && kind != ir::OpKind::compare) || i.op == Op::select) return false;
    if (writer.operand_type(i, 0).scalar != Scalar::f16) return false;
    const auto joined = [&](const std::string& before, const std::string& separator) {
        std::string text = before.empty() ? writer.operand(i, 0) : before + "(" + writer.operand(i, 0) + ")";
        for (unsigned k = 1; k < ir::op_operands(i.op); ++k)
            text += separator + (before.empty() ? writer.operand(i, k) : before + "(" + writer.operand(i, k) + ")");
        return text;
    };
    switch (i.op) {
        case Op::add:
        case Op::sub:
        case Op::mul:
            writer.define(id, halves.operation(writer, ir::op_name(i.op), 2) + "(" + joined("", ", ") + ")");
            return true;
        case Op::fma:
        case Op::mad: writer.define(id, halves.operation(writer, "fma", 3) + "(" + joined("", ", ") + ")"); return true;
        case Op::neg: writer.define(id, joined("", "") + " ^ 0x8000u"); return true;
        case Op::abs: writer.define(id, joined("", "") + " & 0x7fffu"); return true;
        default: break;
    }
    const std::string infix = operator_text(i.op), wide = halves.widen(writer, Scalar::f16);
    std::string text = infix.empty() ? function_name(i.op, Scalar::f32) + "(" + joined(wide, ", ") + ")"
                                     : joined(wide, " " + infix + " ");
    if (kind != ir::OpKind::compare) text = halves.narrow(writer, Scalar::f32, Scalar::f16) + "(" + text + ")";
    writer.define(id, text);
    return true;
}

bool lanes(Writer& writer, ValueId id) {
    static constexpr std::array<const char*, 4> members{".x", ".y", ".z", ".w"};
    const Instruction& i = writer.instruction(id);
    if (i.op == Op::extract) {
        writer.alias(id, writer.operand(i, 0) + members[i.immediate]);
        return true;
    }
    if (i.op != Op::compose) return false;
    std::string text = "make_" + type_name(i.type) + "(" + writer.operand(i, 0);
    for (unsigned k = 1; k < i.type.lanes; ++k) text += ", " + writer.operand(i, k);
    writer.alias(id, text + ")");
    return true;
}

const char* memory_fence(Scope scope) {
    switch (scope) {
        case Scope::subgroup:
        case Scope::group: return "__threadfence_block();";
        case Scope::cluster:
        case Scope::device: break;
    }
    return "__threadfence();";
}

namespace {

void wait_until(Writer& writer, const Instruction& i) {
    const std::string type = type_name(writer.kernel().buffers[i.symbol].element);
    writer.line("if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0) {");
    writer.line("    while (*(volatile const " + type + "*)(" + writer.buffer_name(i.symbol) + " + " +
                writer.operand(i, 0) + ") < " + writer.operand(i, 1) + ") {}");
    writer.line("    __threadfence();");
    writer.line("}");
    writer.line("__syncthreads();");
}

}  // namespace

void atomic(Writer& writer, ValueId id, const char* group_suffix) {
    const Instruction& i = writer.instruction(id);
    if (i.op == Op::wait_until) return wait_until(writer, i);
    const Type element = writer.kernel().buffers[i.symbol].element;
    if (element.is_vector() || is_half(element.scalar)) writer.unsupported(i, "an atomic of " + type_name(element));
    if (i.op == Op::atomic_exchange && element.scalar == Scalar::f64) writer.unsupported(i, "of double");
    const std::string address = writer.buffer_name(i.symbol) + " + " + writer.operand(i, 0);
    const std::string suffix =
        i.scope == Scope::subgroup || i.scope == Scope::group ? std::string(group_suffix) + "(" : "(";
    const unsigned predicate = i.op == Op::atomic_load ? 1 : 2;
    if (i.order == ir::Order::release || i.order == ir::Order::acquire_release)
        writer.guarded(i, predicate, memory_fence(i.scope));
    switch (i.op) {
        case Op::atomic_add:
            writer.define(
                id, writer.guarded_value(i, 2, "atomicAdd" + suffix + address + ", " + writer.operand(i, 1) + ")"));
            break;
        case Op::atomic_exchange:
            writer.define(
                id, writer.guarded_value(i, 2, "atomicExch" + suffix + address + ", " + writer.operand(i, 1) + ")"));
            break;
        case Op::atomic_load:
            writer.define(id,
                          writer.guarded_value(i, 1, "*(volatile const " + type_name(element) + "*)(" + address + ")"));
            break;
        default:
            writer.guarded(i, 2,
                           "*(volatile " + type_name(element) + "*)(" + address + ") = " + writer.operand(i, 1) + ";");
    }
    if (i.order == ir::Order::acquire || i.order == ir::Order::acquire_release)
        writer.guarded(i, predicate, memory_fence(i.scope));
}

namespace {

std::string member(const char* variable, unsigned dimension) { return variable + std::string(".") + "xyz"[dimension]; }

}  // namespace

std::string group_id(unsigned dimension) { return member("blockIdx", dimension); }
std::string group_count(unsigned dimension) { return member("gridDim", dimension); }
std::string thread_id(unsigned dimension) { return member("threadIdx", dimension); }

std::string preamble(const Writer&) { return "typedef unsigned int u32;\ntypedef unsigned long long u64;\n"; }

void declare_arrays(Writer& writer, const std::string& alignment) {
    const ir::Kernel& kernel = writer.kernel();
    const bool dynamic = ir::shared_bytes(kernel) > static_shared_limit;
    if (dynamic) writer.outer_line("    extern __shared__ " + alignment + " unsigned char shared_memory[];");
    for (std::uint32_t a = 0; a < kernel.shared.size(); ++a) {
        const std::string type = type_name(kernel.shared[a].element), &name = writer.shared_name(a);
        writer.outer_line(dynamic ? "    " + type + "* const " + name + " = reinterpret_cast<" + type +
                                        "*>(shared_memory + " + std::to_string(ir::shared_offset(kernel, a)) + ");"
                                  : "    __shared__ " + alignment + " " + type + " " + name + "[" +
                                        std::to_string(kernel.shared[a].count) + "];");
    }
    for (std::uint32_t a = 0; a < kernel.privates.size(); ++a)
        writer.outer_line("    " + type_name(kernel.privates[a].element) + " " + writer.private_name(a) + "[" +
                          std::to_string(kernel.privates[a].count) + "];");
}

std::string parameters(const Writer& writer) {
    const ir::Kernel& kernel = writer.kernel();
    std::string text;
    const bool meets_others = ir::synchronises_groups(kernel);
    for (std::uint32_t b = 0; b < kernel.buffers.size(); ++b) {
        const auto& buffer = kernel.buffers[b];
        // A user's function may reach memory in ways that are not known here.
        const bool is_shared = buffer.may_alias || (meets_others && buffer.access == ir::Access::read_write) ||
                               (!kernel.functions.empty() && !buffer.table);
        text += (text.empty() ? "" : ",\n    ") + std::string(buffer.access == ir::Access::read ? "const " : "") +
                type_name(buffer.element) + "* " + (is_shared ? "" : "__restrict__ ") + writer.buffer_name(b);
    }
    for (std::uint64_t s = 0; s < kernel.scalars.size(); ++s)
        text += (text.empty() ? "" : ",\n    ") + type_name(kernel.scalars[s].type) + " " + writer.scalar_name(s);
    return text;
}

// The types' short names stay within the function: a user's file may have others of the same name.
void open_function(Writer& writer) {
    const ir::Kernel& kernel = writer.kernel();
    std::string parameters;
    for (std::uint32_t a = 0; a < kernel.privates.size(); ++a)
        parameters += type_name(kernel.privates[a].element) + " (&" + writer.private_name(a) + ")[" +
                      std::to_string(kernel.privates[a].count) + "], ";
    const std::string type = kernel.shared.empty() ? "void" : type_name(kernel.shared.front().element);
    writer.outer_line("__device__ __forceinline__ void " + kernel.name + "(" + parameters + type +
                      "* exchange, unsigned int lane)\n{");
    writer.outer_line("    typedef unsigned int u32;\n    typedef unsigned long long u64;");
    for (std::uint32_t a = 0; a < kernel.shared.size(); ++a)
        writer.outer_line("    " + type + "* const " + writer.shared_name(a) + " = exchange + " +
                          std::to_string(writer.shared_place(a)) + ";");
    if (kernel.shared.empty()) writer.outer_line("    (void)exchange, (void)lane;");
}

std::string pair(Type, const std::string& first, const std::string& second) {
    return "{" + first + ", " + second + "}";
}

}  // namespace seiche::emit::cuda_like
