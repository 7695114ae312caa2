// The contract of emission: an IR kernel becomes source text for one dialect and one target.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "emit/machine/entry.hpp"
#include "ir/kernel.hpp"

namespace seiche::emit {

/// `reference` is the printed IR, for the interpreter.
/// The two SPIR-V dialects are binary: for Vulkan, and for OpenCL and Level Zero.
/// GLSL is that of OpenGL 4.3 and of OpenGL ES 3.1. PTX is what CUDA's driver assembles itself.
/// `x86` and `arm64` are machine code, see emit/machine/entry.hpp; the architecture names the instruction set:
/// "x86-64-sse4.2", "x86-64-avx2", "x86-64-avx512"; "aarch64-neon".
enum class Dialect { reference, cuda, hip, opencl, spirv_vulkan, spirv_opencl, glsl, glsl_es, ptx, x86, arm64 };

/// Which kernels are PTX instead of CUDA C++, where PTX can say them:
/// - NVRTC's front end takes most of the time of compiling, and the code of most kernels is as fast;
/// - a cluster whose stores are counted is faster than one with barriers, and CUDA C++ has no words for that;
/// - but some kernels of short text are slower as PTX (tries_ptx in emit.cpp says which).
///
/// Measured: LAB-0044.
enum class PtxUse : std::uint8_t { never, where_faster, wherever_possible };

/// What a dialect needs to know of where its text will run.
struct Target {
    Dialect dialect = Dialect::reference;
    std::string architecture;  ///< Compiler target, e.g. "sm_90", "gfx90a"; part of the cache key.
    bool fast_fma = true;      ///< `mad` becomes fma where that is one instruction, else a * b + c.
    /// The language has atomics and fences of the whole device that acquire and release. OpenCL only, where they came
    /// with 2.0 and are an option of 3.0.
    bool scoped_atomics = false;
    /// Lanes that kernels are compiled for; 0: as many as the compiler likes. Intel's compilers: OpenCL, as text or
    /// SPIR-V.
    unsigned subgroup_size = 0;
    unsigned widest_access_bytes = 16;  ///< Wider vector accesses are split (a SIMD device: 64).
    /// Two numbers of f32 side by side lie in memory as one word of 64 bits, which a driver moves lane by lane in half
    /// the steps. SPIR-V for Vulkan only.
    bool pairs_as_words = false;
    /// Neighbouring words of a buffer go in one access where a launch's buffers begin where a descriptor may; there is
    /// a second module for other launches (Source::unaligned_words).
    bool joins_words = false;
    /// A kernel may be launched before the one ahead of it in its queue has ended, and waits for that end before it
    /// touches memory (CUDA's programmatic dependent launch: sm_90 and later). CUDA only.
    bool waits_for_previous = false;
    PtxUse ptx = PtxUse::never;  ///< Source::dialect tells which it is. CUDA only.
    /// A cluster's groups count the stores that arrive, else they meet at barriers: PTX 8.6 (CUDA 12.7) and sm_90.
    bool counts_arrivals = false;
    bool operator==(const Target&) const = default;
};

/// What a kernel needs, else what the target has for all.
inline unsigned stated_subgroup_size(const ir::Kernel& kernel, const Target& target) {
    return kernel.launch.required_subgroup_size != 0 ? kernel.launch.required_subgroup_size : target.subgroup_size;
}

/// Whether OpenCL C of that architecture says fences of the whole device in the machine's own words, where its language
/// has none: "sm_70" and later, whose compilers take PTX among C. Neither scoped_atomics nor OpenCL C 2.0 is needed
/// then.
bool has_inline_fences(const std::string& architecture);

/// One compilation unit with one entry point, and what a backend needs to launch it.
struct Source {
    Dialect dialect = Dialect::reference;
    std::string entry;                 ///< Name of the kernel.
    std::string text;                  ///< Empty for SPIR-V and machine code.
    std::vector<std::uint32_t> words;  ///< The module, for SPIR-V; or machine code, from its first byte on, padded.
    /// The module for launches one of whose buffers has an offset among the push constants; empty: it is the same.
    std::vector<std::uint32_t> unaligned_words;
    std::vector<machine::StackFrame> stack_frames;  ///< Of x86: each function of the code.
    std::string architecture;
    std::vector<std::string> options;  ///< Compiler options that the text relies on; part of the cache key.
    std::uint32_t group[3] = {1, 1, 1};
    std::uint32_t cluster[3] = {1, 1, 1};
    std::uint64_t shared_bytes = 0;
    bool dynamic_shared = false;      ///< Shared memory is given at launch, not declared in the text.
    bool waits_for_previous = false;  ///< As Target::waits_for_previous: it may be launched early.
    std::string why_not_ptx;          ///< Where PTX was tried and this is CUDA C.
    /// What the text was made from. It calls the functions of Kernel::functions, which are not in it: the code of their
    /// symbols is to be linked to it.
    std::shared_ptr<const ir::Kernel> kernel;
};

/// Whether this library emits that dialect: machine code of x86-64 takes an assembler that a build may lack.
bool can_emit(Dialect dialect);

/// Arguments, in every dialect: the buffers in order (OpenCL, as text or SPIR-V: each buffer followed by a u64 offset
/// in elements), then the scalars. In SPIR-V for Vulkan buffer b is binding b of descriptor set 0 and the rest are push
/// constants, see PushConstants. In GLSL buffer b is shader storage binding b and the rest are words of the uniform
/// array `arguments`, see argument_words. In machine code each is a word of emit/machine/entry.hpp's Call. Throws
/// Unsupported, naming the op, for what a dialect cannot say.
Source emit(std::shared_ptr<const ir::Kernel> kernel, const Target& target);

/// The push constants of a kernel in Vulkan: for each buffer a u32 count of elements that is added to every index, then
/// the scalars, each aligned to its size, then the addresses of those buffers that are taken by theirs, which have
/// neither binding nor count.
struct PushConstants {
    std::vector<std::uint32_t> scalars;    ///< Byte offset of each.
    std::vector<std::uint32_t> addresses;  ///< The same of the buffers that are taken by address, in order.
    std::uint32_t bytes = 0;               ///< Of all of them, a multiple of 4.
};
PushConstants push_constants(const ir::Kernel& kernel);

/// The words of `arguments` in GLSL: the push constants, then the first group of the dispatch and the count of groups
/// of the whole grid, in its first dimension.
inline std::uint32_t argument_words(const PushConstants& constants) { return constants.bytes / 4 + 2; }

/// The kernel as a function that a kernel of that dialect calls with its registers, its shared memory and its lane:
/// every private array is an argument, the shared arrays lie one after the other behind one pointer, and the thread's
/// id is an argument. `table` is what the only buffer holds, if there is one; it becomes a constant before the
/// function, after the `definitions`. Throws Unsupported for what a dialect cannot say.
std::string emit_function(const ir::Kernel& kernel, const std::vector<double>& table, const std::string& definitions,
                          const Target& target);
/// Throws Unsupported for a dialect that has no such functions.
void check_has_functions(Dialect dialect);

}  // namespace seiche::emit
