// Emission: picks the dialect, prints, and collects what a launch needs.
#include "emit/source.hpp"

#include <algorithm>
#include <cstring>

#include "emit/arm64/arm64.hpp"
#include "emit/cuda_like.hpp"
#include "emit/legalise.hpp"
#include "emit/narrow_addresses.hpp"
#include "emit/ptx.hpp"
#include "emit/spirv_writer.hpp"
#include "emit/x86/x86.hpp"
#include "ir/optimise.hpp"
#include "ir/print.hpp"
#include "seiche/error.hpp"

namespace seiche::emit {

namespace {

void emit_cuda(const ir::Kernel& kernel, const Target& target, Source& source) {
    const ir::Kernel legal = legalise(kernel, target);
    source.dynamic_shared = source.shared_bytes > cuda_like::static_shared_limit;
    source.options = {"--std=c++17"};
    if (kernel.launch.register_bound != 0)
        source.options.push_back("--maxrregcount=" + std::to_string(kernel.launch.register_bound));
    if (!kernel.functions.empty()) source.options.emplace_back("-dlto");
    source.text = Writer(legal, target, cuda_dialect).text();
}

void emit_ptx(const ir::Kernel& kernel, const Target& target, Source& source) {
    const ir::Kernel legal = legalise(kernel, target);
    source.dynamic_shared = source.shared_bytes > cuda_like::static_shared_limit;
    source.text = PtxWriter(legal, target).text();
}

bool has_halves(const ir::Kernel& kernel) {
    return std::any_of(kernel.code.begin(), kernel.code.end(), [](const ir::Instruction& i) {
        return i.type.scalar == ir::Scalar::f16 || i.type.scalar == ir::Scalar::bf16;
    });
}

/// Kernels as PTX are as fast or faster, and NVRTC takes longer to make a plan. The exceptions are kernels of short
/// text whose indices are divided by other numbers than powers of two: with 16-bit numbers NVRTC finds few registers to
/// be enough, and in a group that is alone on its multiprocessor it loads early what threads wait for. Kernels that
/// wait for other groups of their launch are pipelined passes, which are PTX. Measured: LAB-0044.
bool tries_ptx(const ir::Kernel& kernel, const Target& target) {
    if (target.ptx != PtxUse::where_faster) return target.ptx == PtxUse::wherever_possible;
    if (ir::synchronises_groups(kernel) || (target.counts_arrivals && ir::counts_arrivals(kernel))) return true;
    constexpr std::size_t few_of_halves = 1000, few_of_lone = 1500;
    constexpr std::uint32_t many_threads = 256;
    if (!ir::divides_unevenly(kernel)) return true;
    const bool is_lone = kernel.launch.min_groups_per_unit == 1 && kernel.launch.group_size() >= many_threads;
    return kernel.code.size() > (is_lone ? few_of_lone : has_halves(kernel) ? few_of_halves : 0);
}

void emit_ptx_or_cuda(const ir::Kernel& kernel, const Target& target, Source& source) {
    if (!kernel.functions.empty()) source.why_not_ptx = "it calls a function that is linked to it";
    if (!kernel.functions.empty() || !tries_ptx(kernel, target)) return emit_cuda(kernel, target, source);
    try {
        emit_ptx(kernel, target, source);
        source.dialect = Dialect::ptx;
    } catch (const Unsupported& error) {
        source.why_not_ptx = error.what();
        emit_cuda(kernel, target, source);
    }
}

// A bound on registers is an attribute of the kernel there, and no option.
void emit_hip(const ir::Kernel& kernel, const Target& target, Source& source) {
    source.dynamic_shared = source.shared_bytes > cuda_like::static_shared_limit;
    source.options = {"-std=c++17"};
    source.text = Writer(legalise(kernel, target), target, hip_dialect).text();
}

// A vector has four lanes at most, and a descriptor or shared array cannot be read as another type.
std::vector<std::uint32_t> vulkan_words(const ir::Kernel& legal, const Target& target) {
    return spirv::Writer(legal, target, spirv::vulkan_flavour).words();
}

void emit_vulkan(const ir::Kernel& kernel, const Target& target, Source& source) {
    const ir::Kernel legal = legalise(kernel, target);
    source.words = vulkan_words(legal, target);
    if (!joins_words(legal)) return;
    Target other = target;
    other.joins_words = false;
    source.unaligned_words = vulkan_words(legalise(kernel, other), other);
}

std::string emit_glsl(const ir::Kernel& kernel, const Target& target) {
    const ir::Kernel legal = with_narrow_addresses(legalise(kernel, target));
    return Writer(legal, target, target.dialect == Dialect::glsl ? glsl_dialect : glsl_es_dialect).text();
}

x86::InstructionSet instruction_set(const std::string& architecture) {
    if (architecture == "x86-64-avx512") return x86::InstructionSet::avx512;
    return architecture == "x86-64-avx2" ? x86::InstructionSet::avx2 : x86::InstructionSet::sse42;
}

void emit_x86(const ir::Kernel& kernel, const Target& target, Source& source) {
    const machine::Code code = x86::compile(kernel, instruction_set(target.architecture));
    source.words.resize((code.bytes.size() + 3) / 4);
    std::memcpy(source.words.data(), code.bytes.data(), code.bytes.size());
    source.stack_frames = {code.frame};
    if (code.streaming_at != 0) source.stack_frames.push_back(code.frame.moved(code.streaming_at));
}

void emit_arm64(const ir::Kernel& kernel, Source& source) {
    const machine::Code code = arm64::compile(kernel);
    source.words.resize((code.bytes.size() + 3) / 4);
    std::memcpy(source.words.data(), code.bytes.data(), code.bytes.size());
}

/// Whether its text may compute which of several buffers is accessed.
bool chooses_pointers(Dialect dialect) {
    return dialect == Dialect::reference || dialect == Dialect::cuda || dialect == Dialect::hip ||
           dialect == Dialect::opencl || dialect == Dialect::ptx || dialect == Dialect::x86 ||
           dialect == Dialect::arm64;
}

/// Code is linked to CUDA C++; the interpreter and machine code call functions of the host.
void check_functions(const ir::Kernel& kernel, Dialect dialect) {
    const bool is_machine = dialect == Dialect::x86 || dialect == Dialect::arm64;
    for (const ir::ExternalFunction& function : kernel.functions) {
        if (dialect == Dialect::reference || (dialect == Dialect::cuda && !function.symbol.empty()) ||
            (is_machine && function.host != nullptr))
            continue;
        throw Unsupported(std::string("a stage is a function: expected ") +
                          (dialect == Dialect::cuda
                               ? "one with code, got one of the host"
                               : "CUDA C++ or a device that calls functions of the host, or a text"));
    }
}

}  // namespace

bool can_emit(Dialect dialect) { return dialect != Dialect::x86 || x86::is_available(); }

PushConstants push_constants(const ir::Kernel& kernel) {
    constexpr std::uint32_t address_bytes = 8;
    PushConstants layout;
    layout.bytes = static_cast<std::uint32_t>(4 * kernel.buffers.size());
    for (const ir::ScalarParameter& scalar : kernel.scalars) {
        const unsigned bytes = std::max(ir::type_bytes(scalar.type), 4u);
        layout.bytes = (layout.bytes + bytes - 1) / bytes * bytes;
        layout.scalars.push_back(layout.bytes);
        layout.bytes += bytes;
    }
    for (const ir::BufferParameter& buffer : kernel.buffers) {
        if (!buffer.by_address) continue;
        layout.bytes = (layout.bytes + address_bytes - 1) / address_bytes * address_bytes;
        layout.addresses.push_back(layout.bytes);
        layout.bytes += address_bytes;
    }
    return layout;
}

Source emit(std::shared_ptr<const ir::Kernel> kernel, const Target& target) {
    check_functions(*kernel, target.dialect);
    if (!chooses_pointers(target.dialect)) kernel = std::make_shared<const ir::Kernel>(ir::predicate_parts(*kernel));
    Source source;
    source.dialect = target.dialect;
    source.entry = kernel->name;
    source.architecture = target.architecture;
    for (unsigned d = 0; d < 3; ++d) {
        source.group[d] = kernel->launch.group[d];
        source.cluster[d] = kernel->launch.cluster[d];
    }
    source.shared_bytes = ir::shared_bytes(*kernel);
    source.waits_for_previous = target.waits_for_previous;
    switch (target.dialect) {
        case Dialect::reference: source.text = ir::print(*kernel); break;
        case Dialect::opencl: source.text = Writer(*kernel, target, opencl_dialect).text(); break;
        case Dialect::cuda: emit_ptx_or_cuda(*kernel, target, source); break;
        case Dialect::hip: emit_hip(*kernel, target, source); break;
        case Dialect::spirv_vulkan: emit_vulkan(*kernel, target, source); break;
        case Dialect::spirv_opencl: source.words = spirv::Writer(*kernel, target, spirv::opencl_flavour).words(); break;
        case Dialect::ptx: emit_ptx(*kernel, target, source); break;
        case Dialect::glsl:
        case Dialect::glsl_es: source.text = emit_glsl(*kernel, target); break;
        case Dialect::x86: emit_x86(*kernel, target, source); break;
        case Dialect::arm64: emit_arm64(*kernel, source); break;
    }
    source.kernel = std::move(kernel);
    return source;
}

}  // namespace seiche::emit
