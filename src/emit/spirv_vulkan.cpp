// SPIR-V 1.3 for Vulkan 1.1: buffers are descriptors of set 0, in order; what else a launch says are push constants.
#include "emit/legalise.hpp"
#include "emit/spirv_writer.hpp"
#include "seiche/error.hpp"

namespace seiche::emit::spirv {

using ir::Op;
using ir::Scalar;
using ir::Type;

namespace {

constexpr Word version_1_3 = 0x00010300;
constexpr std::uint32_t push_constant_limit = 128;  // what every Vulkan device has

std::optional<Word> function(Op op, Scalar scalar) {
    const bool floating = scalar >= Scalar::f16, is_signed = scalar == Scalar::i32;
    switch (op) {
        case Op::min: return floating ? glsl::FMin : is_signed ? glsl::SMin : glsl::UMin;
        case Op::max: return floating ? glsl::FMax : is_signed ? glsl::SMax : glsl::UMax;
        case Op::abs: return floating ? glsl::FAbs : glsl::SAbs;
        case Op::fma: return glsl::Fma;
        case Op::sqrt: return glsl::Sqrt;
        case Op::floor: return glsl::Floor;
        default: break;
    }
    // The rest takes 32 bits only. Its sine and cosine are good to 2^-11 and serve the approximate ones.
    if (scalar != Scalar::f32) return {};
    switch (op) {
        case Op::approx_sin: return glsl::Sin;
        case Op::approx_cos: return glsl::Cos;
        case Op::exp: return glsl::Exp;
        case Op::log: return glsl::Log;
        case Op::atan2: return glsl::Atan2;
        case Op::pow: return glsl::Pow;
        default: return {};
    }
}

/// Of a buffer's elements, of a length that nobody says.
Id array_of(Writer& writer, Type element) {
    Module& module = writer.module();
    const Id array = module.type(Code::TypeRuntimeArray, {writer.memory_type(element)});
    if (module.first_time(array)) module.decorate(array, Decoration::ArrayStride, {ir::type_bytes(element)});
    return array;
}

Id block_of(Writer& writer, Type element) {
    Module& module = writer.module();
    const Id block = module.type(Code::TypeStruct, {array_of(writer, element)});
    if (module.first_time(block)) {
        module.decorate(block, Decoration::Block);
        module.member_decorate(block, 0, Decoration::Offset, {0});
    }
    return block;
}

/// As an array of `element`, which may be another than the buffer's.
Id declare_buffer(Writer& writer, std::uint32_t binding, Type element, bool has_other) {
    Module& module = writer.module();
    const ir::BufferParameter& buffer = writer.kernel().buffers[binding];
    const Id block = block_of(writer, element);
    const Id variable = module.variable(StorageClass::StorageBuffer, block);
    module.name(variable, buffer.name + (element == buffer.element ? "" : "_joined"));
    module.decorate(variable, Decoration::DescriptorSet, {0});
    module.decorate(variable, Decoration::Binding, {binding});
    module.decorate(variable, buffer.may_alias || has_other ? Decoration::Aliased : Decoration::Restrict);
    if (buffer.access == ir::Access::read) module.decorate(variable, Decoration::NonWritable);
    if (buffer.access == ir::Access::write) module.decorate(variable, Decoration::NonReadable);
    if (buffer.access == ir::Access::read_write && ir::synchronises_groups(writer.kernel()))
        module.decorate(variable, Decoration::Coherent);
    return variable;
}

/// To all of the buffer.
Id pointer_type(Writer& writer, const ir::BufferParameter& buffer) {
    Module& module = writer.module();
    module.capability(Capability::PhysicalStorageBufferAddresses);
    module.extension("SPV_KHR_physical_storage_buffer");
    Id block = block_of(writer, buffer.element);
    if (buffer.access == ir::Access::read_write && ir::synchronises_groups(writer.kernel())) {
        block = module.own_type(Code::TypeStruct, {array_of(writer, buffer.element)});
        module.decorate(block, Decoration::Block);
        module.member_decorate(block, 0, Decoration::Offset, {0});
        module.member_decorate(block, 0, Decoration::Coherent, {});
    }
    return module.pointer(StorageClass::PhysicalStorageBuffer, block);
}

ImageFormatCode format_code(Writer& writer, ImageFormat format) {
    switch (format) {
        case ImageFormat::r32f: return ImageFormatCode::R32f;
        case ImageFormat::rg32f: writer.module().capability(Capability::StorageImageExtendedFormats); break;
        case ImageFormat::rgba16f: return ImageFormatCode::Rgba16f;
        default: return ImageFormatCode::Rgba32f;
    }
    return ImageFormatCode::Rg32f;
}

/// What accesses take at once of a buffer, all that take several elements as many; its element where none does.
Type joined_element(const ir::Kernel& kernel, std::uint32_t buffer) {
    for (const ir::Instruction& i : kernel.code)
        if (joins_words(kernel, i) && i.symbol == buffer) return i.type;
    return kernel.buffers[buffer].element;
}

/// Images follow the buffers.
void declare_image(Writer& writer, std::uint32_t i) {
    Module& module = writer.module();
    const ir::ImageParameter& image = writer.kernel().images[i];
    const auto format = static_cast<Word>(format_code(writer, image.format));
    const Id type = module.type(Code::TypeImage, {writer.type(Scalar::f32), image_2d, 0, 0, 0, image_stored, format});
    const Id variable = module.variable(StorageClass::UniformConstant, type);
    module.name(variable, image.name);
    module.decorate(variable, Decoration::DescriptorSet, {0});
    module.decorate(variable, Decoration::Binding, {static_cast<Word>(writer.kernel().buffers.size() + i)});
    if (image.may_alias) module.decorate(variable, Decoration::Aliased);
    if (image.access == ir::Access::read) module.decorate(variable, Decoration::NonWritable);
    if (image.access == ir::Access::write) module.decorate(variable, Decoration::NonReadable);
    writer.set_image(i, variable, type);
}

// A scalar of which only the low half matters is declared as that half.
Type pushed_type(const Writer& writer, std::uint64_t scalar) {
    const ir::ScalarParameter& parameter = writer.kernel().scalars[scalar];
    if (ir::scalar_bytes(parameter.type.scalar) < 4)
        writer.unsupported("parameter " + parameter.name + ": expected one of 4 or 8 bytes");
    return parameter.type.scalar == Scalar::u64 && !writer.wants_whole(scalar) ? Type(Scalar::u32) : parameter.type;
}

void open(Writer& writer) {
    Module& module = writer.module();
    const ir::Kernel& kernel = writer.kernel();
    module.capability(Capability::Shader);
    writer.use_version(version_1_3);
    std::vector<Id> variables, joined;
    for (std::uint32_t b = 0; b < kernel.buffers.size(); ++b) {
        const Type element = kernel.buffers[b].element, at_once = joined_element(kernel, b);
        const bool joins = at_once != element;
        variables.push_back(kernel.buffers[b].by_address ? 0 : declare_buffer(writer, b, element, joins));
        joined.push_back(joins ? declare_buffer(writer, b, at_once, true) : 0);
    }
    for (std::uint32_t i = 0; i < kernel.images.size(); ++i) declare_image(writer, i);
    const PushConstants layout = push_constants(kernel);
    if (layout.bytes > push_constant_limit)
        writer.unsupported("expected at most " + std::to_string(push_constant_limit) + " bytes of arguments, got " +
                           std::to_string(layout.bytes));
    if (layout.bytes == 0) return;

    // A number, for a pointer to narrow elements would ask for such elements among the arguments.
    const Type address = Scalar::u64;
    std::vector<Id> members(kernel.buffers.size(), writer.type(Scalar::u32));
    for (std::uint64_t s = 0; s < kernel.scalars.size(); ++s) members.push_back(writer.type(pushed_type(writer, s)));
    for (const ir::BufferParameter& buffer : kernel.buffers)
        if (buffer.by_address) members.push_back(writer.type(address));
    const Id block = module.own_type(Code::TypeStruct, members);
    module.decorate(block, Decoration::Block);
    const Id arguments = module.variable(StorageClass::PushConstant, block);
    module.name(arguments, "arguments");
    const auto member = [&](Word index, std::uint32_t offset, const std::string& name) {
        module.member_decorate(block, index, Decoration::Offset, {offset});
        module.member_name(block, index, name);
        const Id value_type = members[index], pointer = module.pointer(StorageClass::PushConstant, value_type);
        const Id place = writer.at_start(Code::AccessChain, pointer, {arguments, writer.u32(index)});
        return writer.at_start(Code::Load, value_type, {place});
    };
    for (std::uint32_t b = 0; b < kernel.buffers.size(); ++b) {
        const Id offset = member(b, 4 * b, kernel.buffers[b].name + "_offset");
        if (!kernel.buffers[b].by_address) writer.set_buffer(b, variables[b], offset);
        writer.set_joined(b, joined[b]);
    }
    for (std::uint64_t s = 0; s < kernel.scalars.size(); ++s) {
        const Type type = pushed_type(writer, s);
        const auto index = static_cast<Word>(kernel.buffers.size() + s);
        writer.set_scalar(s, {member(index, layout.scalars[s], kernel.scalars[s].name), type});
    }
    auto next = static_cast<Word>(kernel.buffers.size() + kernel.scalars.size());
    for (std::uint32_t b = 0, a = 0; b < kernel.buffers.size(); ++b)
        if (kernel.buffers[b].by_address) {
            const Id number = member(next++, layout.addresses[a++], kernel.buffers[b].name + "_address");
            const Id type = pointer_type(writer, kernel.buffers[b]);
            writer.set_buffer(b, writer.at_start(Code::ConvertUToPtr, type, {number}), 0);
        }
}

}  // namespace

const Flavour vulkan_flavour{.name = "spirv",
                             .functions = "GLSL.std.450",
                             .addressing = AddressingModel::Logical,
                             .memory_model = MemoryModel::GLSL450,
                             .execution_model = ExecutionModel::GLCompute,
                             .global_memory = semantics_uniform_memory,
                             .casts_pointers = false,
                             .index_bits = 32,
                             .exact_without_asking = false,
                             .saturates = false,
                             .inserts_lanes = false,
                             .storage_types_are_used = false,
                             .function = function,
                             .open = open};

}  // namespace seiche::emit::spirv
