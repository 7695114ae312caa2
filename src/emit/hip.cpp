// HIP C++ for hiprtc and hipcc: CUDA's language without its assembly, where what must be rounded once is kept from
// contraction by a pragma and halves are the compiler's own.
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

// A constant table is read through a const restrict pointer, which tells this compiler all that __ldg would.
std::string load(Writer&, const MemoryAccess& access) {
    if (access.type == access.element) return access.base + "[" + access.index + "]";
    return "*reinterpret_cast<const " + type_name(access.type) + "*>(" + access.base + " + " + access.index + ")";
}

std::string store(Writer&, const MemoryAccess& access, const std::string& value) {
    if (access.type == access.element) return access.base + "[" + access.index + "] = " + value + ";";
    return "*reinterpret_cast<" + type_name(access.type) + "*>(" + access.base + " + " + access.index + ") = " + value +
           ";";
}

std::string widen_half(Writer& writer, Scalar from) {
    if (from == Scalar::bf16) return cuda_like::widen_bf16(writer);
    writer.helper(
        "__device__ __forceinline__ float from_f16(unsigned short h) { return (float)__builtin_bit_cast(_Float16, h); "
        "}");
    return "from_f16";
}

std::string narrow_half(Writer& writer, Scalar from, Scalar to) {
    const bool single = from == Scalar::f32;
    // bf16 from f64 by way of f32 would be rounded twice.
    if (to == Scalar::bf16) return single ? cuda_like::narrow_bf16(writer) : "";
    const std::string name = single ? "f16_from_f32" : "f16_from_f64", wide = single ? "float" : "double";
    writer.helper("__device__ __forceinline__ unsigned short " + name + "(" + wide +
                  " x) { return __builtin_bit_cast(unsigned short, (_Float16)x); }");
    return name;
}

/// A function of the arguments a, b ... whose result is rounded as it is written.
std::string uncontracted(const std::string& type, const std::string& name, unsigned operands, const std::string& body) {
    std::string arguments;
    for (unsigned k = 0; k < operands; ++k)
        arguments += (k == 0 ? "" : ", ") + type + " " + std::string(1, static_cast<char>('a' + k));
    return "__device__ __forceinline__ " + type + " " + name + "(" + arguments +
           ") {\n#pragma clang fp contract(off)\n    return " + body + ";\n}";
}

std::string half_operation(Writer& writer, const std::string& name, unsigned operands) {
    const auto half = [](const char* bits) { return std::string("__builtin_bit_cast(_Float16, ") + bits + ")"; };
    const std::string sign = name == "add" ? " + " : name == "sub" ? " - " : " * ";
    const std::string value = operands == 3
                                  ? "__builtin_fmaf16(" + half("a") + ", " + half("b") + ", " + half("c") + ")"
                                  : "(_Float16)(" + half("a") + sign + half("b") + ")";
    writer.helper(
        uncontracted("unsigned short", name + "_f16", operands, "__builtin_bit_cast(unsigned short, " + value + ")"));
    return name + "_f16";
}

constexpr cuda_like::Halves halves{widen_half, narrow_half, half_operation};

std::string convert(Writer& writer, const std::string& value, Type from, Type to) {
    return cuda_like::convert(writer, value, from, to, halves);
}

// The compiler's own functions of CUDA's names, __dadd_rn and the like, may be contracted.
bool exact_arithmetic(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    if (!i.exact || (i.type.scalar != Scalar::f32 && i.type.scalar != Scalar::f64)) return false;
    if (i.op != Op::add && i.op != Op::sub && i.op != Op::mul && i.op != Op::div) return false;
    const std::string type = type_name(i.type), name = "exact_" + std::string(ir::op_name(i.op)) +
                                                       (i.type.scalar == Scalar::f32 ? "_f32" : "_f64");
    writer.helper(uncontracted(type, name, 2, "a " + operator_text(i.op) + " b"));
    writer.define(id, name + "(" + writer.operand(i, 0) + ", " + writer.operand(i, 1) + ")");
    return true;
}

/// Threads in lockstep: 64 up to gfx9, 32 from gfx10 on. The last two digits of a name are its minor version.
unsigned wavefront(const Writer& writer) {
    const std::string& name = writer.target().architecture;
    const std::size_t digits = name.find_first_of("0123456789");
    if (!name.starts_with("gfx") || digits != 3) return 32;
    unsigned major = 0;
    const std::size_t end = name.find(':');
    const std::size_t length = (end == std::string::npos ? name.size() : end) - digits;
    if (length <= 2) return 32;  // no architecture that there is
    std::from_chars(name.data() + digits, name.data() + digits + length - 2, major);
    return major != 0 && major < 10 ? 64 : 32;
}

bool synchronise(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    switch (i.op) {
        case Op::group_barrier: writer.line("__syncthreads();"); return true;
        case Op::subgroup_barrier:
            // Lanes are in lockstep; what they wrote must be seen, and nothing be moved across.
            writer.line("__threadfence_block();");
            writer.line("__builtin_amdgcn_wave_barrier();");
            return true;
        case Op::fence: writer.line(cuda_like::memory_fence(i.scope)); return true;
        case Op::cluster_rank: writer.define(id, "0u"); return true;
        case Op::cluster_ready:
        case Op::cluster_arrivals:
        case Op::cluster_barrier: writer.unsupported(i, "there are no clusters");
        case Op::subgroup_lane: writer.define(id, "__lane_id()"); return true;
        case Op::subgroup_shuffle:
        case Op::subgroup_shuffle_xor:
            writer.define(id, std::string(i.op == Op::subgroup_shuffle ? "__shfl(" : "__shfl_xor(") +
                                  writer.operand(i, 0) + ", (int)" + writer.operand(i, 1) + ")");
            return true;
        // A copy is done at once, which is as early as is allowed.
        case Op::async_commit:
        case Op::async_wait: return true;
        default: return false;
    }
}

void copy_now(Writer& writer, const Instruction& i) {
    const std::string to = writer.shared_name(i.symbol) + " + " + writer.operand(i, 0);
    const std::string from = writer.buffer_name(static_cast<std::uint32_t>(i.immediate)) + " + " + writer.operand(i, 1);
    for (unsigned k = 0; k < i.width; ++k) {
        const std::string step = k == 0 ? "" : " + " + std::to_string(k) + "u";
        writer.guarded(i, 2, "*(" + to + step + ") = *(" + from + step + ");");
    }
}

bool special(Writer& writer, ValueId id) {
    const Instruction& i = writer.instruction(id);
    switch (ir::op_kind(i.op)) {
        case ir::OpKind::atomic: cuda_like::atomic(writer, id, ""); return true;
        case ir::OpKind::cluster: writer.unsupported(i, "there are no clusters");
        case ir::OpKind::matrix: writer.unsupported(i, "only written for CUDA");
        default: break;
    }
    if (i.op == Op::async_copy) {
        copy_now(writer, i);
        return true;
    }
    return cuda_like::half_arithmetic(writer, id, halves) || exact_arithmetic(writer, id) ||
           cuda_like::lanes(writer, id) || synchronise(writer, id);
}

// hiprtc has the header built in, hipcc must be told.
std::string preamble(const Writer& writer) {
    return "#ifndef __HIPCC_RTC__\n#include <hip/hip_runtime.h>\n#endif\n" + cuda_like::preamble(writer);
}

/// The bound is given in wavefronts for each SIMD unit here: a compute unit has four of them with wavefronts of 64, two
/// with those of 32.
std::string launch_bounds(const Writer& writer) {
    const ir::LaunchAttributes& launch = writer.kernel().launch;
    std::string text = "__launch_bounds__(" + std::to_string(launch.group_size());
    if (launch.min_groups_per_unit != 0) {
        const unsigned lanes = wavefront(writer), simds = lanes == 64 ? 4 : 2;
        const unsigned waves = launch.min_groups_per_unit * ((launch.group_size() + lanes - 1) / lanes);
        text += ", " + std::to_string((waves + simds - 1) / simds);
    }
    text += ")";
    if (launch.register_bound != 0)
        text += " __attribute__((amdgpu_num_vgpr(" + std::to_string(launch.register_bound) + ")))";
    return text;
}

void open_kernel(Writer& writer) {
    const ir::Kernel& kernel = writer.kernel();
    const ir::LaunchAttributes& launch = kernel.launch;
    const std::string whose = "hip: kernel " + kernel.name + ": ";
    if (!kernel.images.empty())
        throw Unsupported(whose + "expected arrays in buffers: images are for Vulkan, OpenGL and the interpreter");
    if (launch.required_subgroup_size != 0 && launch.required_subgroup_size != wavefront(writer))
        throw Unsupported(whose + "expected a subgroup of " + std::to_string(wavefront(writer)) + " on " +
                          writer.target().architecture + ", got " + std::to_string(launch.required_subgroup_size));
    if (launch.cooperative) throw Unsupported(whose + "cooperative launches are not expressed in this dialect");
    if (launch.cluster[0] * launch.cluster[1] * launch.cluster[2] > 1)
        throw Unsupported(whose + "there are no clusters");
    writer.outer_line("extern \"C\" __global__ void " + launch_bounds(writer) + "\n" + kernel.name + "(\n    " +
                      cuda_like::parameters(writer) + ")\n{");
    cuda_like::declare_arrays(writer, "__attribute__((aligned(16)))");
}

}  // namespace

const CDialect hip_dialect{.name = "hip",
                           .u64_suffix = "ull",
                           .f32_infinity = "__int_as_float(0x7f800000)",
                           .f64_infinity = "__longlong_as_double(0x7ff0000000000000ll)",
                           .global_space = "global",
                           .shared_space = "",
                           .native_vectors = false,
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
                           .preamble = preamble,
                           .open_kernel = open_kernel,
                           .open_function = cuda_like::open_function,
                           .function_preamble = [](const Writer&) { return std::string(); },
                           .constant_space = "static __device__ const",
                           .pair = cuda_like::pair};

}  // namespace seiche::emit
