// OpenCL C 1.2 and up: vectors are native, every buffer comes with an offset in elements.
#include <algorithm>
#include <array>
#include <charconv>

#include "emit/c_like.hpp"
#include "seiche/error.hpp"

namespace seiche::emit {

using ir::Instruction;
using ir::Op;
using ir::Scalar;
using ir::Type;
using ir::ValueId;

namespace {

std::string scalar_name(Scalar scalar, bool vector) {
    switch (scalar) {
        case Scalar::boolean: return vector ? "int" : "bool";  // a vector of booleans is a mask of 0 and -1
        case Scalar::i8: return "char";
        case Scalar::u8: return "uchar";
        case Scalar::i16: return "short";
        case Scalar::u16: return "ushort";
        case Scalar::i32: return "int";
        case Scalar::u32: return "uint";
        case Scalar::u64: return "ulong";
        case Scalar::f16:
        case Scalar::bf16: return "ushort";  // as bits: the type half needs an extension that few devices have
        case Scalar::f32: return "float";
        case Scalar::f64: return "double";
        case Scalar::dd:
        case Scalar::none: break;
    }
    return "void";
}

std::string lanes_suffix(unsigned lanes) { return lanes > 1 ? std::to_string(lanes) : ""; }

std::string type_name(Type type) { return scalar_name(type.scalar, type.is_vector()) + lanes_suffix(type.lanes); }

std::string function_name(Op op, Scalar scalar) {
    const bool floating = scalar >= Scalar::f16;
    switch (op) {
        case Op::min: return floating ? "fmin" : "min";
        case Op::max: return floating ? "fmax" : "max";
        case Op::abs: return floating ? "fabs" : "(int)abs";
        case Op::fma: return "fma";
        case Op::mul_high: return "mul_hi";
        case Op::approx_sin: return scalar == Scalar::f32 ? "native_sin" : "sin";
        case Op::approx_cos: return scalar == Scalar::f32 ? "native_cos" : "cos";
        case Op::sqrt:
        case Op::exp:
        case Op::log:
        case Op::sin:
        case Op::cos:
        case Op::sinpi:
        case Op::cospi:
        case Op::floor:
        case Op::atan2:
        case Op::pow: return ir::op_name(op);
        default: return {};
    }
}

// A wide access is aligned like one element of the array only. vload and vstore say so, but some compilers build them
// from one lane at a time, which costs seconds on a long kernel; a vector type of small alignment is the same and costs
// nothing.
std::string wide_access(Writer& writer, const MemoryAccess& access) {
    const std::string type = type_name(access.type), lanes = std::to_string(access.type.lanes);
    const std::string scalar = scalar_name(access.type.scalar, false),
                      alignment = std::to_string(ir::type_bytes(access.element));
    const std::string name = type + "_at" + alignment;
    writer.helper("#ifdef __clang__\ntypedef " + scalar + " " + name + " __attribute__((ext_vector_type(" + lanes +
                  "), aligned(" + alignment + ")));\n#define load_" + name + "(space, p) (*(space const " + name +
                  "*)(p))\n#define store_" + name + "(space, p, v) (*(space " + name +
                  "*)(p) = (v))\n#else\n#define load_" + name + "(space, p) vload" + lanes + "(0, (space const " +
                  scalar + "*)(p))\n#define store_" + name + "(space, p, v) vstore" + lanes + "(v, 0, (space " +
                  scalar + "*)(p))\n#endif");
    return name + "(" + (*access.space != '\0' ? access.space : "__private") + ", " + access.base + " + " +
           access.index;
}

std::string load(Writer& writer, const MemoryAccess& access) {
    if (access.type == access.element) return access.base + "[" + access.index + "]";
    return "load_" + wide_access(writer, access) + ")";
}

std::string store(Writer& writer, const MemoryAccess& access, const std::string& value) {
    if (access.type == access.element) return access.base + "[" + access.index + "] = " + value + ";";
    return "store_" + wide_access(writer, access) + ", " + value + ");";
}

bool is_half(Scalar scalar) { return scalar == Scalar::f16 || scalar == Scalar::bf16; }

std::string widen_half(Writer& writer, Type from) {
    const std::string n = lanes_suffix(from.lanes), name = (from.scalar == Scalar::f16 ? "from_f16" : "from_bf16") + n;
    if (from.scalar == Scalar::f16)
        writer.helper("float" + n + " " + name + "(ushort" + n + " h) { return vload_half" + n +
                      "(0, (const __private half*)&h); }");
    else
        writer.helper("float" + n + " " + name + "(ushort" + n + " h) { return as_float" + n + "(convert_uint" + n +
                      "(h) << 16); }");
    return name;
}

std::string narrow_half(Writer& writer, Type from, Type to) {
    const std::string n = lanes_suffix(from.lanes), wide = type_name(from);
    const std::string name = (to.scalar == Scalar::f16 ? "f16_from_" : "bf16_from_") + wide;
    const std::string head = "ushort" + n + " " + name + "(" + wide + " x) {\n    ";
    if (to.scalar == Scalar::f16) {
        writer.helper(head + "ushort" + n + " h;\n    vstore_half" + n +
                      "_rte(x, 0, (__private half*)&h);\n    return h;\n}");
    } else {
        if (from.scalar != Scalar::f32) return {};  // by way of f32 it would be rounded twice
        writer.helper(head + "const uint" + n + " u = as_uint" + n + "(x);\n    const ushort" + n +
                      " h = convert_ushort" + n + "((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);\n    return " +
                      (from.is_vector() ? "select(h, (ushort" + n + ")(0x7fc0), convert_short" + n + "(isnan(x)))"
                                        : std::string("isnan(x) ? (ushort)0x7fc0 : h")) +
                      ";\n}");
    }
    return name;
}

std::string convert(Writer& writer, const std::string& value, Type from, Type to) {
    const std::string n = lanes_suffix(to.lanes);
    if (from.scalar == to.scalar) return value;
    if (is_half(from.scalar)) {
        const std::string wide = widen_half(writer, from) + "(" + value + ")";
        return to.scalar == Scalar::f32 ? wide : convert(writer, wide, Type(Scalar::f32, from.lanes), to);
    }
    if (is_half(to.scalar)) {
        const std::string name = from.is_float() ? narrow_half(writer, from, to) : "";
        if (name.empty())
            throw Unsupported("opencl: kernel " + writer.kernel().name + ": cannot convert " + type_name(from) +
                              " to half precision");
        return name + "(" + value + ")";
    }
    if (to.scalar == Scalar::boolean)
        return from.is_vector() ? "convert_int" + n + "(" + value + " != (" + type_name(from) + ")(0))"
                                : value + " != 0";
    if (from.scalar == Scalar::boolean && from.is_vector()) return "convert_" + type_name(to) + "(-" + value + ")";
    const bool truncates = from.is_float() && to.is_integer();  // what does not fit saturates
    if (!from.is_vector() && !truncates) return "(" + type_name(to) + ")" + value;
    return "convert_" + type_name(to) + (truncates ? "_sat" : "") + "(" + value + ")";
}

std::string bitcast(Writer&, const std::string& value, Type, Type to) {
    return "as_" + type_name(to) + "(" + value + ")";
}

// The compiler's own shuffle where there is one; shuffle2 has the same meaning but some drivers go through memory for
// it.
std::string shuffle_macro(Writer& writer, Type type) {
    const std::string name = "shuffle_" + type_name(type), mask = ir::scalar_bytes(type.scalar) == 8   ? "ulong"
                                                                  : ir::scalar_bytes(type.scalar) == 2 ? "ushort"
                                                                                                       : "uint";
    std::string indices;
    for (unsigned lane = 0; lane < type.lanes; ++lane) indices += (lane != 0 ? ", i" : "i") + std::to_string(lane);
    const std::string head = "#define " + name + "(a, b, " + indices + ") ";
    writer.helper("#ifdef __has_builtin\n#if __has_builtin(__builtin_shufflevector)\n" + head +
                  "__builtin_shufflevector(a, b, " + indices + ")\n#endif\n#endif\n#ifndef " + name + "\n" + head +
                  "shuffle2(a, b, (" + mask + std::to_string(type.lanes) + ")(" + indices + "))\n#endif");
    return name;
}

void shuffle(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    const auto& pattern = writer.kernel().patterns[i.immediate];
    static constexpr std::string_view digits = "0123456789abcdef";
    const unsigned first_lanes = writer.operand_type(i, 0).lanes;
    if (i.operands[1] == ir::no_value) {
        std::string text = writer.vector_operand(i, 0) + ".s";
        for (unsigned lane = 0; lane < i.type.lanes; ++lane) text += digits[pattern[lane]];
        return writer.define(id, text);
    }
    std::string text;
    if (first_lanes == 1 || i.type.lanes == 1) {
        text = "(" + type_name(i.type) + ")(";
        for (unsigned lane = 0; lane < i.type.lanes; ++lane) {
            const bool second = pattern[lane] >= first_lanes;
            const unsigned from = second ? pattern[lane] - first_lanes : pattern[lane];
            const std::string source = writer.vector_operand(i, second ? 1 : 0);
            text += (lane != 0 ? ", " : "") + (first_lanes == 1 ? source : source + ".s" + digits[from]);
        }
    } else {
        text = shuffle_macro(writer, i.type) + "(" + writer.operand(i, 0) + ", " + writer.operand(i, 1);
        for (unsigned lane = 0; lane < i.type.lanes; ++lane) text += ", " + std::to_string(pattern[lane]);
    }
    writer.define(id, text + ")");
}

void bit_reverse(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    const Type word = Type(i.type.scalar == Scalar::u64 ? Scalar::u64 : Scalar::u32, i.type.lanes);
    const std::string name = type_name(word), wide = i.type.scalar == Scalar::u64 ? "ul" : "u";
    static constexpr std::array<std::array<const char*, 3>, 3> steps{{{"1", "0x55555555", "0x5555555555555555"},
                                                                      {"2", "0x33333333", "0x3333333333333333"},
                                                                      {"4", "0x0f0f0f0f", "0x0f0f0f0f0f0f0f0f"}}};
    std::string text = name + " reverse_" + name + "(" + name + " x) {\n";
    const auto swap = [&](const std::string& shift, const std::string& mask) {
        text +=
            "    x = ((x & " + mask + wide + ") << " + shift + ") | ((x >> " + shift + ") & " + mask + wide + ");\n";
    };
    const bool long_word = i.type.scalar == Scalar::u64;
    for (const auto& step : steps) swap(step[0], step[long_word ? 2 : 1]);
    swap("8", long_word ? "0x00ff00ff00ff00ff" : "0x00ff00ff");
    swap("16", long_word ? "0x0000ffff0000ffff" : "0x0000ffff");
    if (long_word) swap("32", "0x00000000ffffffff");
    writer.helper(text + "    return x;\n}");
    const std::string call = "reverse_" + name + "(as_" + name + "(" + writer.operand(i, 0) + "))";
    writer.define(id, i.type == word ? call : "as_" + type_name(i.type) + "(" + call + ")");
}

// Lane-wise comparison gives a mask as wide as the operands; a boolean vector here is always one of 32-bit lanes.
bool vector_logic(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    const std::string n = std::to_string(i.type.lanes);
    if (ir::op_kind(i.op) == ir::OpKind::compare && i.type.is_vector()) {
        const std::string text = writer.operand(i, 0) + " " + operator_text(i.op) + " " + writer.operand(i, 1);
        const bool narrow = ir::scalar_bytes(writer.operand_type(i, 0).scalar) == 4;
        writer.define(id, narrow ? text : "convert_int" + n + "(" + text + ")");
        return true;
    }
    if (i.op == Op::select && writer.operand_type(i, 0).is_vector()) {
        const std::string& condition = writer.operand(i, 0);
        const unsigned bytes = ir::scalar_bytes(i.type.scalar);
        const std::string mask = bytes == 2 ? "short" : "long";
        writer.define(id, "select(" + writer.operand(i, 2) + ", " + writer.operand(i, 1) + ", " +
                              (bytes == 4 ? condition : "convert_" + mask + n + "(" + condition + ")") + ")");
        return true;
    }
    return false;
}

bool computes_with_halves(const ir::Kernel& kernel, const Instruction& i) {
    switch (ir::op_kind(i.op)) {
        case ir::OpKind::unary:
        case ir::OpKind::binary:
        case ir::OpKind::ternary:
        case ir::OpKind::compare: return i.op != Op::select && kernel.code[i.operands[0]].type.scalar == Scalar::f16;
        default: return false;
    }
}

// Halves are bit patterns, but for the operations of cl_khr_fp16.
bool half_arithmetic(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    if (!computes_with_halves(writer.kernel(), i)) return false;
    const Type type = writer.operand_type(i, 0);
    const std::string n = lanes_suffix(type.lanes), bits = type.is_vector() ? "(ushort" + n + ")" : "(ushort)";
    if (i.op == Op::neg || i.op == Op::abs) {
        const std::string mask = i.op == Op::neg ? " ^ " + bits + "(0x8000)" : " & " + bits + "(0x7fff)";
        writer.define(id, writer.operand(i, 0) + mask);
        return true;
    }
    // A literal is an int; what a vector is must not be said of it twice.
    const auto half = [&](unsigned k) {
        const std::string& text = writer.operand(i, k);
        return "as_half" + n + "(" + (type.is_vector() ? text : "(ushort)" + text) + ")";
    };
    const bool is_mad = i.op == Op::mad, is_fused = is_mad && writer.target().fast_fma;
    const std::string infix = operator_text(i.op), function = function_name(is_fused ? Op::fma : i.op, Scalar::f16);
    std::string text;
    if (!infix.empty()) {
        text = half(0) + " " + infix + " " + half(1);
    } else if (is_mad && !is_fused) {
        text = half(0) + " * " + half(1) + " + " + half(2);
    } else {
        text = function + "(" + half(0);
        for (unsigned k = 1; k < ir::op_operands(i.op); ++k) text += ", " + half(k);
        text += ")";
    }
    if (ir::op_kind(i.op) != ir::OpKind::compare)
        text = "as_ushort" + n + "(" + text + ")";
    else if (type.is_vector())
        text = "convert_int" + n + "(" + text + ")";
    writer.define(id, text);
    return true;
}

// OpenCL C 1.2 orders a work-item's own accesses only; what other groups see needs the fences of 2.0, or PTX's.
std::string memory_fence(Writer& writer, const Instruction& i, ir::Order order) {
    if (i.scope <= ir::Scope::group) return "mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);";
    if (has_inline_fences(writer.target().architecture)) return "asm volatile(\"fence.acq_rel.gpu;\" ::: \"memory\");";
    if (!writer.target().scoped_atomics)
        writer.unsupported(i, "atomics and fences of the whole device need OpenCL C 2.0, or their options of 3.0");
    const char* name = order == ir::Order::acquire ? "acquire" : order == ir::Order::release ? "release" : "acq_rel";
    return std::string("atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_") + name +
           ", memory_scope_device);";
}

// One work-item asks over and over again; the others are behind the barrier.
void wait_until(Writer& writer, const Instruction& i, const std::string& address) {
    const std::string fence = memory_fence(writer, i, ir::Order::acquire);
    const bool is_alone = writer.kernel().launch.group_size() == 1;
    // In PTX a volatile load is a relaxed one, as atomics of OpenCL C 1.2 are, and does not keep them from the counter.
    const std::string count = has_inline_fences(writer.target().architecture)
                                  ? "*(volatile __global uint*)(" + address + ")"
                                  : "atomic_load_explicit((volatile __global atomic_uint*)(" + address +
                                        "), memory_order_relaxed, memory_scope_device)";
    writer.line(std::string(is_alone ? "" : "if ((get_local_id(0) | get_local_id(1) | get_local_id(2)) == 0) ") + "{");
    writer.line("    while (" + count + " < " + writer.operand(i, 1) + ") {}");
    writer.line("    " + fence);
    writer.line("}");
    writer.line("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
}

void atomic(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    const Type element = writer.kernel().buffers[i.symbol].element;
    if (element != Type(Scalar::u32) && element != Type(Scalar::i32))
        writer.unsupported(i, "OpenCL C 1.2 has atomics of 32-bit integers only");
    const std::string place = writer.buffer_name(i.symbol) + " + " + writer.operand(i, 0);
    if (i.op == Op::wait_until) return wait_until(writer, i, place);
    const std::string address = "(volatile __global " + type_name(element) + "*)(" + place + ")";
    const unsigned predicate = i.op == Op::atomic_load ? 1 : 2;
    if (i.order == ir::Order::release || i.order == ir::Order::acquire_release)
        writer.guarded(i, predicate, memory_fence(writer, i, ir::Order::release));
    switch (i.op) {
        case Op::atomic_add:
            writer.define(id, writer.guarded_value(i, 2, "atomic_add(" + address + ", " + writer.operand(i, 1) + ")"));
            break;
        case Op::atomic_exchange:
            writer.define(id, writer.guarded_value(i, 2, "atomic_xchg(" + address + ", " + writer.operand(i, 1) + ")"));
            break;
        case Op::atomic_load: writer.define(id, writer.guarded_value(i, 1, "atomic_or(" + address + ", 0)")); break;
        default: writer.guarded(i, 2, "atomic_xchg(" + address + ", " + writer.operand(i, 1) + ");");
    }
    if (i.order == ir::Order::acquire || i.order == ir::Order::acquire_release)
        writer.guarded(i, predicate, memory_fence(writer, i, ir::Order::acquire));
}

bool synchronise(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    switch (i.op) {
        case Op::group_barrier: {
            bool global = false;
            for (const auto& buffer : writer.kernel().buffers) global |= buffer.access == ir::Access::read_write;
            writer.line(global ? "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"
                               : "barrier(CLK_LOCAL_MEM_FENCE);");
            return true;
        }
        case Op::fence: writer.line(memory_fence(writer, i, i.order)); return true;
        case Op::subgroup_barrier: writer.line("sub_group_barrier(CLK_LOCAL_MEM_FENCE);"); return true;
        case Op::subgroup_lane: writer.define(id, "get_sub_group_local_id()"); return true;
        case Op::subgroup_shuffle:
        case Op::subgroup_shuffle_xor:
            writer.define(id,
                          std::string(i.op == Op::subgroup_shuffle ? "sub_group_shuffle(" : "sub_group_shuffle_xor(") +
                              writer.operand(i, 0) + ", " + writer.operand(i, 1) + ")");
            return true;
        // Without a copy engine in the language a copy is done at once, which is as early as is allowed.
        case Op::async_copy: {
            const auto& shared = writer.kernel().shared[i.symbol];
            const auto& buffer = writer.kernel().buffers[i.immediate];
            const Type type = buffer.element.with_lanes(buffer.element.lanes * std::max<unsigned>(i.width, 1));
            const MemoryAccess from{"__global", writer.buffer_name(static_cast<std::uint32_t>(i.immediate)),
                                    buffer.element, writer.operand(i, 1), type};
            const MemoryAccess to{"__local", writer.shared_name(i.symbol), shared.element, writer.operand(i, 0), type};
            writer.guarded(i, 2, store(writer, to, load(writer, from)));
            return true;
        }
        case Op::async_commit:
        case Op::async_wait: return true;
        default: return false;
    }
}

bool special(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    if (i.op == Op::shuffle) return shuffle(writer, id), true;
    if (i.op == Op::bit_reverse) return bit_reverse(writer, id), true;
    if (ir::op_kind(i.op) == ir::OpKind::atomic) return atomic(writer, id), true;
    return half_arithmetic(writer, id) || vector_logic(writer, id) || synchronise(writer, id);
}

std::string ask(const char* function, unsigned dimension) {
    return "(uint)" + std::string(function) + "(" + std::to_string(dimension) + ")";
}
std::string group_id(unsigned dimension) { return ask("get_group_id", dimension); }
std::string group_count(unsigned dimension) { return ask("get_num_groups", dimension); }
std::string thread_id(unsigned dimension) { return ask("get_local_id", dimension); }

std::string preamble(const Writer& writer) {
    std::string text;
    if (writer.uses(Scalar::f64)) text += "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";
    const ir::Kernel& kernel = writer.kernel();
    if (std::any_of(kernel.code.begin(), kernel.code.end(),
                    [&](const Instruction& i) { return computes_with_halves(kernel, i); }))
        text += "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
    if (writer.uses(Op::subgroup_lane) || writer.uses(Op::subgroup_barrier) || writer.uses(Op::subgroup_shuffle) ||
        writer.uses(Op::subgroup_shuffle_xor))
        text +=
            "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : "
            "enable\n";
    return text + "#pragma OPENCL FP_CONTRACT OFF\n";
}

void open_kernel(Writer& writer) {
    const ir::Kernel& kernel = writer.kernel();
    if (!kernel.images.empty())
        throw Unsupported("opencl: kernel " + kernel.name +
                          ": expected arrays in buffers: images are for Vulkan, OpenGL and the interpreter");
    const auto& group = kernel.launch.group;
    if (const unsigned lanes = stated_subgroup_size(kernel, writer.target()); lanes != 0)
        writer.outer_line("#ifdef cl_intel_required_subgroup_size\n__attribute__((intel_reqd_sub_group_size(" +
                          std::to_string(lanes) + ")))\n#endif");
    writer.outer_line("__kernel __attribute__((reqd_work_group_size(" + std::to_string(group[0]) + ", " +
                      std::to_string(group[1]) + ", " + std::to_string(group[2]) + ")))");
    std::string parameters, offsets;
    const bool meets_others = ir::synchronises_groups(kernel);
    for (std::uint32_t b = 0; b < kernel.buffers.size(); ++b) {
        const auto& buffer = kernel.buffers[b];
        const std::string& name = writer.buffer_name(b);
        const bool is_shared = buffer.may_alias || (meets_others && buffer.access == ir::Access::read_write);
        parameters += (parameters.empty() ? "" : ",\n    ") + std::string("__global ") +
                      (buffer.access == ir::Access::read ? "const " : "") + type_name(buffer.element) + "* " +
                      (is_shared ? "" : "restrict ") + name + ", ulong " + name + "_offset";
        offsets += "    " + name + " += " + name + "_offset;\n";
    }
    for (std::uint64_t s = 0; s < kernel.scalars.size(); ++s)
        parameters += (parameters.empty() ? "" : ",\n    ") + std::string("const ") +
                      type_name(kernel.scalars[s].type) + " " + writer.scalar_name(s);
    writer.outer_line("void " + kernel.name + "(\n    " + parameters + ")\n{");
    const auto declare = [&](const std::string& space, const ir::ArraySymbol& array, const std::string& name) {
        writer.outer_line("    " + space + type_name(array.element) + " " + name + "[" + std::to_string(array.count) +
                          "] __attribute__((aligned(64)));");  // a cache line, which is also the widest vector
    };
    for (std::uint32_t a = 0; a < kernel.shared.size(); ++a)
        declare("__local ", kernel.shared[a], writer.shared_name(a));
    for (std::uint32_t a = 0; a < kernel.privates.size(); ++a) declare("", kernel.privates[a], writer.private_name(a));
    if (!offsets.empty()) writer.outer_line(offsets.substr(0, offsets.size() - 1));
}

std::string function_preamble(const Writer& writer) {
    return writer.uses(Scalar::f64) ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "";
}

// The pragma holds for the function only: the rest of the file is the user's.
void open_function(Writer& writer) {
    const ir::Kernel& kernel = writer.kernel();
    std::string parameters;
    for (std::uint32_t a = 0; a < kernel.privates.size(); ++a)
        parameters += "__private " + type_name(kernel.privates[a].element) + "* " + writer.private_name(a) + ", ";
    const std::string type = kernel.shared.empty() ? "void" : type_name(kernel.shared.front().element);
    writer.outer_line("void " + kernel.name + "(" + parameters + "__local " + type + "* exchange, uint lane)\n{");
    writer.outer_line("#pragma OPENCL FP_CONTRACT OFF");
    for (std::uint32_t a = 0; a < kernel.shared.size(); ++a)
        writer.outer_line("    __local " + type + "* const " + writer.shared_name(a) + " = exchange + " +
                          std::to_string(writer.shared_place(a)) + ";");
}

std::string pair(Type type, const std::string& first, const std::string& second) {
    return "(" + type_name(type) + ")(" + first + ", " + second + ")";
}

}  // namespace

bool has_inline_fences(const std::string& architecture) {
    constexpr std::string_view prefix = "sm_";
    constexpr unsigned first_with_fences = 70;
    unsigned number = 0;
    if (!architecture.starts_with(prefix)) return false;
    std::from_chars(architecture.data() + prefix.size(), architecture.data() + architecture.size(), number);
    return number >= first_with_fences;
}

const CDialect opencl_dialect{.name = "opencl",
                              .u64_suffix = "ul",
                              .f32_infinity = "INFINITY",
                              .f64_infinity = "((double)INFINITY)",
                              .global_space = "__global",
                              .shared_space = "__local",
                              .native_vectors = true,
                              .type_name = type_name,
                              .function_name = function_name,
                              .load = load,
                              .store = store,
                              .convert = convert,
                              .bitcast = bitcast,
                              .special = special,
                              .group_id = group_id,
                              .group_count = group_count,
                              .thread_id = thread_id,
                              .preamble = preamble,
                              .open_kernel = open_kernel,
                              .open_function = open_function,
                              .function_preamble = function_preamble,
                              .constant_space = "__constant",
                              .pair = pair};

}  // namespace seiche::emit
