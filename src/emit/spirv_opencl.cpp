// SPIR-V for OpenCL and Level Zero: buffers are pointers, each followed by a u64 offset in elements, then the scalars.
#include "emit/spirv_writer.hpp"
#include "seiche/error.hpp"

namespace seiche::emit::spirv {

using ir::Op;
using ir::Scalar;
using ir::Type;

namespace {

constexpr Word version_1_1 = 0x00010100;

std::optional<Word> function(Op op, Scalar scalar) {
    const bool floating = scalar >= Scalar::f16, is_signed = scalar == Scalar::i32;
    switch (op) {
        case Op::min: return floating ? opencl_std::fmin : is_signed ? opencl_std::s_min : opencl_std::u_min;
        case Op::max: return floating ? opencl_std::fmax : is_signed ? opencl_std::s_max : opencl_std::u_max;
        case Op::abs: return floating ? opencl_std::fabs : opencl_std::s_abs;
        case Op::mul_high: return opencl_std::u_mul_hi;
        case Op::fma: return opencl_std::fma;
        case Op::sqrt: return opencl_std::sqrt;
        case Op::floor: return opencl_std::floor;
        case Op::exp: return opencl_std::exp;
        case Op::log: return opencl_std::log;
        case Op::sin: return opencl_std::sin;
        case Op::cos: return opencl_std::cos;
        case Op::sinpi: return opencl_std::sinpi;
        case Op::cospi: return opencl_std::cospi;
        case Op::atan2: return opencl_std::atan2;
        case Op::pow: return opencl_std::pow;
        case Op::approx_sin: return scalar == Scalar::f32 ? opencl_std::native_sin : opencl_std::sin;
        case Op::approx_cos: return scalar == Scalar::f32 ? opencl_std::native_cos : opencl_std::cos;
        default: return {};
    }
}

void attribute(Module& module, Id parameter, FunctionParameterAttribute what) {
    module.decorate(parameter, Decoration::FuncParamAttr, {static_cast<Word>(what)});
}

// f16 is behind pointers to single halves, because only those can be converted.
void declare_buffer(Writer& writer, std::uint32_t b) {
    Module& module = writer.module();
    const ir::BufferParameter& buffer = writer.kernel().buffers[b];
    const bool halves = buffer.element.scalar == Scalar::f16;
    const Id element = writer.memory_type(halves ? Type(Scalar::f16) : buffer.element);
    const Id pointer = module.pointer(StorageClass::CrossWorkgroup, element), word = writer.type(Scalar::u64);
    const Id start = module.new_id(), offset = module.new_id();
    writer.parameter(pointer, start);
    writer.parameter(word, offset);
    module.name(start, buffer.name);
    module.name(offset, buffer.name + "_offset");
    const bool meets_others = buffer.access == ir::Access::read_write && ir::synchronises_groups(writer.kernel());
    if (!buffer.may_alias && !meets_others) attribute(module, start, FunctionParameterAttribute::NoAlias);
    if (buffer.access == ir::Access::read) attribute(module, start, FunctionParameterAttribute::NoWrite);
    Id count = offset;
    if (halves && buffer.element.lanes > 1)
        count = writer.at_start(Code::IMul, word, {offset, writer.constant(Scalar::u64, buffer.element.lanes)});
    writer.set_buffer(b, writer.at_start(Code::InBoundsPtrAccessChain, pointer, {start, count}), 0);
}

void open(Writer& writer) {
    Module& module = writer.module();
    const ir::Kernel& kernel = writer.kernel();
    if (!kernel.images.empty())
        writer.unsupported("expected arrays in buffers: images are for Vulkan, OpenGL and the interpreter");
    module.capability(Capability::Kernel);
    module.capability(Capability::Addresses);
    for (std::uint32_t b = 0; b < kernel.buffers.size(); ++b) declare_buffer(writer, b);
    for (std::uint64_t s = 0; s < kernel.scalars.size(); ++s) {
        const ir::ScalarParameter& parameter = kernel.scalars[s];
        if (ir::scalar_bytes(parameter.type.scalar) < 4)
            writer.unsupported("parameter " + parameter.name + ": expected one of 4 or 8 bytes");
        const Id type = writer.type(parameter.type), id = module.new_id();
        writer.parameter(type, id);
        module.name(id, parameter.name);
        writer.set_scalar(s, {id, parameter.type});
    }
    if (const unsigned lanes = stated_subgroup_size(kernel, writer.target()); lanes != 0) {
        module.capability(Capability::SubgroupDispatch);
        writer.use_version(version_1_1);
        module.execution_mode(writer.entry(), ExecutionMode::SubgroupSize, {lanes});
    }
}

}  // namespace

const Flavour opencl_flavour{.name = "spirv-opencl",
                             .functions = "OpenCL.std",
                             .addressing = AddressingModel::Physical64,
                             .memory_model = MemoryModel::OpenCL,
                             .execution_model = ExecutionModel::Kernel,
                             .global_memory = semantics_cross_workgroup_memory,
                             .casts_pointers = true,
                             .index_bits = 64,
                             .exact_without_asking = true,
                             .saturates = true,
                             .inserts_lanes = true,
                             .storage_types_are_used = true,
                             .function = function,
                             .open = open};

}  // namespace seiche::emit::spirv
