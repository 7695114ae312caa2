// CUDA C++ for NVRTC: no header is included, vectors live only in memory accesses, what the language lacks is inline
// PTX.
#include <charconv>

#include "emit/cuda_like.hpp"
#include "seiche/error.hpp"

namespace seiche::emit {

using ir::Instruction;
using ir::Op;
using ir::Scalar;
using ir::Type;
using ir::ValueId;

namespace {

using cuda_like::type_name;

std::string address(const MemoryAccess& access) {
    return access.base + " + " + access.index + (access.step.empty() ? "" : " + " + access.step);
}

std::string element(const MemoryAccess& access) {
    if (access.step.empty()) return access.base + "[" + access.index + "]";
    return "(" + access.base + " + " + access.index + ")[" + access.step + "]";
}

std::string load(Writer&, const MemoryAccess& access) {
    const bool wide = access.type != access.element;
    const std::string pointer =
        wide ? "reinterpret_cast<const " + type_name(access.type) + "*>(" + address(access) + ")" : address(access);
    if (access.table && access.read_only) return "__ldg(" + pointer + ")";
    if (access.hint == ir::CacheHint::streaming && *access.space != '\0') return "__ldcs(" + pointer + ")";
    return wide ? "*" + pointer : element(access);
}

std::string store(Writer&, const MemoryAccess& access, const std::string& value) {
    const bool wide = access.type != access.element;
    const std::string pointer =
        wide ? "reinterpret_cast<" + type_name(access.type) + "*>(" + address(access) + ")" : address(access);
    if (access.hint == ir::CacheHint::streaming && *access.space != '\0')
        return "__stcs(" + pointer + ", " + value + ");";
    return (wide ? "*" + pointer : element(access)) + " = " + value + ";";
}

std::string widen_half(Writer& writer, Scalar from) {
    if (from == Scalar::f16) {
        writer.helper(
            "__device__ __forceinline__ float from_f16(unsigned short h) {\n    float x;\n"
            "    asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(x) : \"h\"(h));\n    return x;\n}");
        return "from_f16";
    }
    return cuda_like::widen_bf16(writer);
}

unsigned architecture(const Writer& writer) {
    const std::string& name = writer.target().architecture;
    const std::size_t digits = name.find_first_of("0123456789");
    unsigned number = 75;
    if (digits != std::string::npos) std::from_chars(name.data() + digits, name.data() + name.size(), number);
    return number;
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
    if (!single) return "";  // by way of f32 it would be rounded twice
    constexpr unsigned first_with_bf16 = 80;
    if (architecture(writer) < first_with_bf16) return cuda_like::narrow_bf16(writer);
    writer.helper(
        "__device__ __forceinline__ unsigned short bf16_from_f32(float x) {\n    unsigned short h;\n"
        "    asm(\"cvt.rn.bf16.f32 %0, %1;\" : \"=h\"(h) : \"f\"(x));\n    return h;\n}");
    return "bf16_from_f32";
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

constexpr cuda_like::Halves halves{widen_half, narrow_half, half_helper};

std::string convert(Writer& writer, const std::string& value, Type from, Type to) {
    return cuda_like::convert(writer, value, from, to, halves);
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

// The user's function, whose code is linked to this.
void call(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    const bool loads = i.op == Op::call_load;
    const std::string& name = writer.kernel().functions[i.immediate].symbol;
    const std::string type = type_name(i.type);
    writer.helper("extern \"C\" __device__ " + (loads ? type : std::string("void")) + " " + name + "(void*, u64, " +
                  (loads ? "" : type + ", ") + "void*, void*);");
    const std::string text = name + "((void*)" + writer.buffer_name(i.symbol) + ", " + writer.operand(i, 0) + ", " +
                             (loads ? "" : writer.operand(i, 1) + ", ") + "(void*)" + writer.operand(i, loads ? 1 : 2) +
                             ", nullptr)";
    if (loads) return writer.define(id, writer.guarded_value(i, 2, text));
    writer.guarded(i, 3, text + ";");
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

// The hardware has 16 barriers, of which 0 is the group's. Parts of other sizes may be under way at the same time, so
// that each size has its own: 1 and 2 are the halves', 3 to 6 the quarters', 7 to 14 the eighths'.
void part_barrier(Writer& writer, const Instruction& i) {
    const std::string threads = std::to_string(i.immediate);
    const std::uint64_t parts = writer.kernel().launch.group_size() / i.immediate;
    writer.line("asm volatile(\"bar.sync %0, " + threads + ";\" ::\"r\"(threadIdx.x / " + threads + "u + " +
                std::to_string(parts - 1) + "u) : \"memory\");");
}

bool synchronise(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    switch (i.op) {
        case Op::part_barrier: part_barrier(writer, i); return true;
        case Op::group_barrier: writer.line("__syncthreads();"); return true;
        case Op::subgroup_barrier: writer.line("__syncwarp();"); return true;
        case Op::fence: writer.line(cuda_like::memory_fence(i.scope)); return true;
        case Op::cluster_ready:
        case Op::cluster_arrivals:
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
        case ir::OpKind::atomic: cuda_like::atomic(writer, id, "_block"); return true;
        case ir::OpKind::cluster: cluster(writer, id); return true;
        case ir::OpKind::matrix: matrix(writer, id); return true;
        case ir::OpKind::call: call(writer, id); return true;
        default: break;
    }
    if (i.op == Op::async_copy) {
        async_copy(writer, i);
        return true;
    }
    return cuda_like::half_arithmetic(writer, id, halves) || exact_arithmetic(writer, id) ||
           cuda_like::lanes(writer, id) || synchronise(writer, id);
}

void open_kernel(Writer& writer) {
    const ir::Kernel& kernel = writer.kernel();
    const ir::LaunchAttributes& launch = kernel.launch;
    if (!kernel.images.empty())
        throw Unsupported("cuda: kernel " + kernel.name +
                          ": expected arrays in buffers: images are for Vulkan, OpenGL and the interpreter");
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
    writer.outer_line("extern \"C\" __global__ void " + attributes + "\n" + kernel.name + "(\n    " +
                      cuda_like::parameters(writer) + ")\n{");
    cuda_like::declare_arrays(writer, "__align__(16)");
    if (writer.target().waits_for_previous) writer.line("asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");");
}

}  // namespace

const CDialect cuda_dialect{.name = "cuda",
                            .u64_suffix = "ull",
                            .f32_infinity = "__int_as_float(0x7f800000)",
                            .f64_infinity = "__longlong_as_double(0x7ff0000000000000ll)",
                            .global_space = "global",
                            .shared_space = "",
                            .native_vectors = false,
                            .steps_indices = true,
                            .type_name = type_name,
                            .function_name = cuda_like::function_name,
                            .load = load,
                            .store = store,
                            .convert = convert,
                            .bitcast = cuda_like::bitcast,
                            .special = special,
                            .group_id = cuda_like::group_id,
                            .group_count = cuda_like::group_count,
                            .thread_id = cuda_like::thread_id,
                            .preamble = cuda_like::preamble,
                            .open_kernel = open_kernel,
                            .open_function = cuda_like::open_function,
                            .function_preamble = [](const Writer&) { return std::string(); },
                            .constant_space = "static __device__ const",
                            .pair = cuda_like::pair};

}  // namespace seiche::emit
