// CUDA C++ for NVRTC: no header is included, vectors live only in memory accesses, what the language lacks is inline
// PTX.
#include <algorithm>
#include <array>
#include <charconv>

#include "emit/c_like.hpp"
#include "seiche/error.hpp"

namespace seiche::emit {

using ir::Instruction;
using ir::Op;
using ir::Scalar;
using ir::Scope;
using ir::Type;
using ir::ValueId;

namespace {

constexpr std::uint64_t static_shared_limit = 48 * 1024;  // more must be given at the launch

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

std::string load(Writer&, const MemoryAccess& access) {
    const std::string address = access.base + " + " + access.index;
    const bool wide = access.type != access.element;
    const std::string pointer =
        wide ? "reinterpret_cast<const " + type_name(access.type) + "*>(" + address + ")" : address;
    if (access.table && access.read_only) return "__ldg(" + pointer + ")";
    if (access.hint == ir::CacheHint::streaming && *access.space != '\0') return "__ldcs(" + pointer + ")";
    return wide ? "*" + pointer : access.base + "[" + access.index + "]";
}

std::string store(Writer&, const MemoryAccess& access, const std::string& value) {
    const std::string address = access.base + " + " + access.index;
    const bool wide = access.type != access.element;
    const std::string pointer = wide ? "reinterpret_cast<" + type_name(access.type) + "*>(" + address + ")" : address;
    if (access.hint == ir::CacheHint::streaming && *access.space != '\0')
        return "__stcs(" + pointer + ", " + value + ");";
    return (wide ? "*" + pointer : access.base + "[" + access.index + "]") + " = " + value + ";";
}

std::string widen_half(Writer& writer, Scalar from) {
    if (from == Scalar::f16) {
        writer.helper(
            "__device__ __forceinline__ float from_f16(unsigned short h) {\n    float x;\n"
            "    asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(x) : \"h\"(h));\n    return x;\n}");
        return "from_f16";
    }
    writer.helper(
        "__device__ __forceinline__ float from_bf16(unsigned short h) { return __uint_as_float((u32)h << 16); }");
    return "from_bf16";
}

std::string narrow_half(Writer& writer, Scalar from, Scalar to) {
    const bool single = from == Scalar::f32;
    if (to == Scalar::f16) {
        const std::string wide = single ? "f32" : "f64", name = "f16_from_" + wide;
        writer.helper("__device__ __forceinline__ unsigned short " + name + "(" + (single ? "float" : "double") +
                      " x) {\n    unsigned short h;\n    asm(\"cvt.rn.f16." + wide + " %0, %1;\" : \"=h\"(h) : \"" +
                      (single ? "f" : "d") + "\"(x));\n    return h;\n}");
        return name;
    }
    if (!single) return {};  // by way of f32 it would be rounded twice
    writer.helper(
        "__device__ __forceinline__ unsigned short bf16_from_f32(float x) {\n    const u32 u = __float_as_uint(x);\n"
        "    return x != x ? 0x7fc0 : (unsigned short)((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);\n}");
    return "bf16_from_f32";
}

bool is_half(Scalar scalar) { return scalar == Scalar::f16 || scalar == Scalar::bf16; }

std::string convert(Writer& writer, const std::string& value, Type from, Type to) {
    if (from.scalar == to.scalar) return value;
    if (is_half(from.scalar)) {
        const std::string wide = widen_half(writer, from.scalar) + "(" + value + ")";
        return to.scalar == Scalar::f32 ? wide : convert(writer, wide, Scalar::f32, to);
    }
    if (is_half(to.scalar)) {
        const std::string name = from.is_float() ? narrow_half(writer, from.scalar, to.scalar) : "";
        if (name.empty())
            throw Unsupported("cuda: kernel " + writer.kernel().name + ": cannot convert " + type_name(from) +
                              " to half precision");
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
    throw Unsupported("cuda: kernel " + writer.kernel().name + ": cannot express bitcast from " + type_name(from) +
                      " to " + type_name(to));
}

unsigned architecture(const Writer& writer) {
    const std::string& name = writer.target().architecture;
    const std::size_t digits = name.find_first_of("0123456789");
    unsigned number = 75;
    if (digits != std::string::npos) std::from_chars(name.data() + digits, name.data() + name.size(), number);
    return number;
}

bool exact_arithmetic(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    if (!i.exact || (i.type.scalar != Scalar::f32 && i.type.scalar != Scalar::f64)) return false;
    const char* operation = i.op == Op::add   ? "add"
                            : i.op == Op::sub ? "sub"
                            : i.op == Op::mul ? "mul"
                            : i.op == Op::div ? "div"
                                              : nullptr;
    if (operation == nullptr) return false;
    const std::string name = std::string(i.type.scalar == Scalar::f32 ? "__f" : "__d") + operation + "_rn(";
    writer.define(id, name + writer.operand(i, 0) + ", " + writer.operand(i, 1) + ")");
    return true;
}

std::string half_helper(Writer& writer, const std::string& name, unsigned operands) {
    const bool ternary = operands == 3;
    writer.helper("__device__ __forceinline__ unsigned short " + name + "_f16(unsigned short a, unsigned short b" +
                  (ternary ? ", unsigned short c" : "") + ") {\n    unsigned short d;\n    asm(\"" + name +
                  ".rn.f16 %0, %1, %2" + (ternary ? ", %3" : "") + ";\" : \"=h\"(d) : \"h\"(a), \"h\"(b)" +
                  (ternary ? ", \"h\"(c)" : "") + ");\n    return d;\n}");
    return name + "_f16";
}

// Halves are bit patterns here: sums and products are PTX with its one rounding, signs are bits, and the rest goes by
// way of f32, which has more than twice the digits, so that a quotient or a root is still rounded as if once.
bool half_arithmetic(Writer& writer, ValueId id) {
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
            writer.define(id, half_helper(writer, ir::op_name(i.op), 2) + "(" + joined("", ", ") + ")");
            return true;
        case Op::fma:
        case Op::mad: writer.define(id, half_helper(writer, "fma", 3) + "(" + joined("", ", ") + ")"); return true;
        case Op::neg: writer.define(id, joined("", "") + " ^ 0x8000u"); return true;
        case Op::abs: writer.define(id, joined("", "") + " & 0x7fffu"); return true;
        default: break;
    }
    const std::string infix = operator_text(i.op), wide = widen_half(writer, Scalar::f16);
    std::string text = infix.empty() ? function_name(i.op, Scalar::f32) + "(" + joined(wide, ", ") + ")"
                                     : joined(wide, " " + infix + " ");
    if (kind != ir::OpKind::compare) text = narrow_half(writer, Scalar::f32, Scalar::f16) + "(" + text + ")";
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

void wait_until(Writer& writer, const Instruction& i) {
    const std::string type = type_name(writer.kernel().buffers[i.symbol].element);
    writer.line("if ((threadIdx.x | threadIdx.y | threadIdx.z) == 0) {");
    writer.line("    while (*(volatile const " + type + "*)(" + writer.buffer_name(i.symbol) + " + " +
                writer.operand(i, 0) + ") < " + writer.operand(i, 1) + ") {}");
    writer.line("    __threadfence();");
    writer.line("}");
    writer.line("__syncthreads();");
}

void atomic(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    if (i.op == Op::wait_until) return wait_until(writer, i);
    const Type element = writer.kernel().buffers[i.symbol].element;
    if (element.is_vector() || is_half(element.scalar)) writer.unsupported(i, "an atomic of " + type_name(element));
    if (i.op == Op::atomic_exchange && element.scalar == Scalar::f64) writer.unsupported(i, "of double");
    const std::string address = writer.buffer_name(i.symbol) + " + " + writer.operand(i, 0);
    const std::string suffix = i.scope == Scope::subgroup || i.scope == Scope::group ? "_block(" : "(";
    if (i.order == ir::Order::release || i.order == ir::Order::acquire_release) writer.line(memory_fence(i.scope));
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
    if (i.order == ir::Order::acquire || i.order == ir::Order::acquire_release) writer.line(memory_fence(i.scope));
}

// The address of a neighbour's shared memory: generic, so that any type goes through it.
void cluster(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    if (architecture(writer) < 90) writer.unsupported(i, "clusters need sm_90, not " + writer.target().architecture);
    writer.helper(
        "template <class T>\n__device__ __forceinline__ T* of_rank(T* own, u32 rank) {\n    u64 address;\n"
        "    asm(\"mapa.u64 %0, %1, %2;\" : \"=l\"(address) : \"l\"(own), \"r\"(rank));\n"
        "    return reinterpret_cast<T*>(address);\n}");
    MemoryAccess access = writer.shared_access(i, 1);
    access.base = "of_rank(" + access.base + ", " + writer.operand(i, 0) + ")";
    if (i.op == Op::cluster_load) return writer.define(id, writer.guarded_value(i, 2, load(writer, access)));
    writer.guarded(i, 3, store(writer, access, writer.operand(i, 2)));
}

// One copy an element: more than an element's alignment is not known of the global address.
void async_copy(Writer& writer, const Instruction& i) {
    const auto& shared = writer.kernel().shared[i.symbol];
    const std::string to = writer.shared_name(i.symbol) + " + " + writer.operand(i, 0);
    const std::string from = writer.buffer_name(static_cast<std::uint32_t>(i.immediate)) + " + " + writer.operand(i, 1);
    const unsigned bytes = ir::type_bytes(shared.element);
    const std::string size = std::to_string(bytes);
    const bool engine = architecture(writer) >= 80 && (bytes == 4 || bytes == 8 || bytes == 16);
    if (engine)
        writer.helper("__device__ __forceinline__ void copy_async_" + size +
                      "(void* to, const void* from) {\n    asm volatile(\"cp.async." + (bytes == 16 ? "cg" : "ca") +
                      ".shared.global [%0], [%1], " + size +
                      ";\" ::\"r\"((u32)__cvta_generic_to_shared(to)), \"l\"(from) : \"memory\");\n}");
    for (unsigned k = 0; k < i.width; ++k) {
        const std::string step = k == 0 ? "" : " + " + std::to_string(k) + "u";
        // Before sm_80 the copy is done at once, which is as early as is allowed.
        writer.guarded(i, 2,
                       engine ? "copy_async_" + size + "(" + to + step + ", " + from + step + ");"
                              : "*(" + to + step + ") = *(" + from + step + ");");
    }
}

void matrix(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    if (architecture(writer) < 80) writer.unsupported(i, "it needs sm_80, not " + writer.target().architecture);
    if (i.type != Type(Scalar::f64, 2)) writer.unsupported(i, "of " + type_name(i.type));
    writer.helper(
        "__device__ __forceinline__ double2 multiply_8x8x4(double a, double b, double2 c) {\n    double2 d;\n"
        "    asm volatile(\"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};\"\n"
        "                 : \"=d\"(d.x), \"=d\"(d.y) : \"d\"(a), \"d\"(b), \"d\"(c.x), \"d\"(c.y));\n    return d;\n}");
    writer.define(
        id, "multiply_8x8x4(" + writer.operand(i, 0) + ", " + writer.operand(i, 1) + ", " + writer.operand(i, 2) + ")");
}

std::string special_register(Writer& writer, const std::string& name) {
    writer.helper("__device__ __forceinline__ u32 " + name + "() {\n    u32 value;\n    asm(\"mov.u32 %0, %%" + name +
                  ";\" : \"=r\"(value));\n    return value;\n}");
    return name + "()";
}

bool synchronise(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    switch (i.op) {
        case Op::group_barrier: writer.line("__syncthreads();"); return true;
        case Op::subgroup_barrier: writer.line("__syncwarp();"); return true;
        case Op::fence: writer.line(memory_fence(i.scope)); return true;
        case Op::cluster_barrier:
            if (architecture(writer) < 90)
                writer.unsupported(i, "clusters need sm_90, not " + writer.target().architecture);
            writer.line(
                "asm volatile(\"barrier.cluster.arrive.aligned;\\n\\tbarrier.cluster.wait.aligned;\" ::: \"memory\");");
            return true;
        case Op::cluster_rank:
            writer.define(id, architecture(writer) < 90 ? "0u" : special_register(writer, "cluster_ctarank"));
            return true;
        case Op::subgroup_lane: writer.define(id, special_register(writer, "laneid")); return true;
        case Op::subgroup_shuffle:
        case Op::subgroup_shuffle_xor: {
            const bool full = writer.kernel().launch.group_size() % 32 == 0;
            writer.define(id, std::string(i.op == Op::subgroup_shuffle ? "__shfl_sync(" : "__shfl_xor_sync(") +
                                  (full ? "0xffffffffu" : "__activemask()") + ", " + writer.operand(i, 0) + ", " +
                                  writer.operand(i, 1) + ")");
            return true;
        }
        case Op::async_commit:
            if (architecture(writer) >= 80) writer.line("asm volatile(\"cp.async.commit_group;\" ::: \"memory\");");
            return true;
        case Op::async_wait:
            if (architecture(writer) >= 80)
                writer.line("asm volatile(\"cp.async.wait_group " + std::to_string(i.immediate) +
                            ";\" ::: \"memory\");");
            return true;
        default: return false;
    }
}

bool special(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    switch (ir::op_kind(i.op)) {
        case ir::OpKind::atomic: atomic(writer, id); return true;
        case ir::OpKind::cluster: cluster(writer, id); return true;
        case ir::OpKind::matrix: matrix(writer, id); return true;
        default: break;
    }
    if (i.op == Op::async_copy) {
        async_copy(writer, i);
        return true;
    }
    return half_arithmetic(writer, id) || exact_arithmetic(writer, id) || lanes(writer, id) || synchronise(writer, id);
}

std::string member(const char* variable, unsigned dimension) { return variable + std::string(".") + "xyz"[dimension]; }
std::string group_id(unsigned dimension) { return member("blockIdx", dimension); }
std::string group_count(unsigned dimension) { return member("gridDim", dimension); }
std::string thread_id(unsigned dimension) { return member("threadIdx", dimension); }

std::string preamble(const Writer&) { return "typedef unsigned int u32;\ntypedef unsigned long long u64;\n"; }

void declare_arrays(Writer& writer) {
    const ir::Kernel& kernel = writer.kernel();
    const bool dynamic = ir::shared_bytes(kernel) > static_shared_limit;
    if (dynamic) writer.outer_line("    extern __shared__ __align__(16) unsigned char shared_memory[];");
    for (std::uint32_t a = 0; a < kernel.shared.size(); ++a) {
        const std::string type = type_name(kernel.shared[a].element), &name = writer.shared_name(a);
        writer.outer_line(dynamic ? "    " + type + "* const " + name + " = reinterpret_cast<" + type +
                                        "*>(shared_memory + " + std::to_string(ir::shared_offset(kernel, a)) + ");"
                                  : "    __shared__ __align__(16) " + type + " " + name + "[" +
                                        std::to_string(kernel.shared[a].count) + "];");
    }
    for (std::uint32_t a = 0; a < kernel.privates.size(); ++a)
        writer.outer_line("    " + type_name(kernel.privates[a].element) + " " + writer.private_name(a) + "[" +
                          std::to_string(kernel.privates[a].count) + "];");
}

void open_kernel(Writer& writer) {
    const ir::Kernel& kernel = writer.kernel();
    const ir::LaunchAttributes& launch = kernel.launch;
    if (!kernel.images.empty())
        throw Unsupported("cuda: kernel " + kernel.name + ": images are not expressed in this dialect");
    if (launch.required_subgroup_size != 0 && launch.required_subgroup_size != 32)
        throw Unsupported("cuda: kernel " + kernel.name + ": expected a subgroup of 32, got " +
                          std::to_string(launch.required_subgroup_size));
    std::string attributes =
        "__launch_bounds__(" + std::to_string(launch.group_size()) +
        (launch.min_groups_per_unit != 0 ? ", " + std::to_string(launch.min_groups_per_unit) : "") + ")";
    if (launch.cluster[0] * launch.cluster[1] * launch.cluster[2] > 1) {
        if (architecture(writer) < 90)
            throw Unsupported("cuda: kernel " + kernel.name + ": clusters need sm_90, not " +
                              writer.target().architecture);
        attributes += " __cluster_dims__(" + std::to_string(launch.cluster[0]) + ", " +
                      std::to_string(launch.cluster[1]) + ", " + std::to_string(launch.cluster[2]) + ")";
    }
    std::string parameters;
    for (std::uint32_t b = 0; b < kernel.buffers.size(); ++b) {
        const auto& buffer = kernel.buffers[b];
        parameters += (parameters.empty() ? "" : ",\n    ") +
                      std::string(buffer.access == ir::Access::read ? "const " : "") + type_name(buffer.element) +
                      "* " + (buffer.may_alias ? "" : "__restrict__ ") + writer.buffer_name(b);
    }
    for (std::uint64_t s = 0; s < kernel.scalars.size(); ++s)
        parameters +=
            (parameters.empty() ? "" : ",\n    ") + type_name(kernel.scalars[s].type) + " " + writer.scalar_name(s);
    writer.outer_line("extern \"C\" __global__ void " + attributes + "\n" + kernel.name + "(\n    " + parameters +
                      ")\n{");
    declare_arrays(writer);
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

}  // namespace

const CDialect cuda_dialect{.name = "cuda",
                            .u64_suffix = "ull",
                            .f32_infinity = "__int_as_float(0x7f800000)",
                            .f64_infinity = "__longlong_as_double(0x7ff0000000000000ll)",
                            .global_space = "global",
                            .shared_space = "",
                            .native_vectors = false,
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
                            .function_preamble = [](const Writer&) { return std::string(); },
                            .constant_space = "static __device__ const",
                            .pair = pair};

}  // namespace seiche::emit
