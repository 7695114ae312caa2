// Emission: the generated source of a plan's kernels, readable, for any dialect, without a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "seiche/device.hpp"
#include "seiche/image.hpp"
#include "seiche/problem.hpp"
#include "seiche/tuning.hpp"
#include "seiche/visibility.h"

SEICHE_EXPORT_BEGIN
namespace seiche {

/// What kernels are written in. SPIR-V is binary, and comes in two kinds: `spirv` is 1.3 for Vulkan 1.1 (buffer b is
/// binding b of descriptor set 0; push constants are a 32-bit offset in elements for each buffer, then the scalars,
/// each aligned to its size), `spirv_opencl` is for OpenCL and Level Zero (arguments as in `opencl`: each buffer is
/// followed by a 64-bit offset in elements, then the scalars).
/// `glsl` is a compute shader of OpenGL 4.3, `glsl_es` one of OpenGL ES 3.1: buffer b is shader storage binding b, and
/// location 0 has `uniform uint arguments[]`: an offset in elements for each buffer, then the scalars (those of 8 bytes
/// at an even place, low word first), then the first group of this dispatch and the count of groups of all of them, for
/// a grid that is longer than a dispatch may be.
/// `ptx` is for the assembler in CUDA's driver, without a compiler; arguments as in `cuda`.
/// `x86` is machine code for x86-64 (System V AMD64), as the device `cpu` runs it: to be read with a disassembler,
/// since it is called in Seiche's own way. DeviceLimits::architecture chooses instructions: "x86-64-sse4.2",
/// "x86-64-avx2" or "x86-64-avx512".
/// `arm64` is the same for AArch64 with NEON (AAPCS64); its architecture is "aarch64-neon".
enum class Dialect { cuda, hip, opencl, spirv, spirv_opencl, glsl, glsl_es, ptx, x86, arm64 };
const char* to_string(Dialect dialect) noexcept;
/// False for SPIR-V and machine code.
bool is_text(Dialect dialect) noexcept;

/// A buffer that a kernel takes.
struct EmittedBuffer {
    std::string name;
    /// "input", "output", "input imaginary", "output imaginary", "workspace a", "workspace b", "table", or
    /// "load NAME" and "store NAME" for what a user's stage declares.
    std::string holds;
    std::string element;  ///< Type of one element, e.g. "f32x2".
    bool reads = false, writes = false;
    std::uint32_t part = 0;         ///< Which of several that the array lies in.
    std::uint64_t byte_offset = 0;  ///< Where the kernel's element 0 is, in the array or its part.
    std::uint64_t bytes = 0;        ///< That the whole array has, for the problem's batch; 0: a stage's, which says so.
    std::vector<std::byte> contents;  ///< Of a table: what must be in it.
};

/// An image that a kernel takes.
struct EmittedImage {
    std::string name;
    std::string holds;  ///< "input" or "output".
    ImageFormat format = ImageFormat::none;
    bool reads = false, writes = false;
    std::uint64_t width = 0, height = 0;  ///< At least, for the problem's batch.
    std::uint32_t binding = 0;  ///< GLSL: its image unit; SPIR-V for Vulkan: its binding in set 0, after the buffers.
};

/// A number that a kernel takes.
struct EmittedScalar {
    std::string name;
    std::string type;         ///< E.g. "u32".
    std::uint64_t value = 0;  ///< For the problem's batch; of a user's stage 0.
    std::uint32_t word = 0;   ///< GLSL and SPIR-V for Vulkan: its place among the arguments, in words of 4 bytes.
};

/// One launch. The arguments are the buffers, in order, then the scalars, and the images.
struct EmittedKernel {
    std::string name;    ///< Entry point; in GLSL it is called main.
    std::string source;  ///< A whole compilation unit; empty where it is not text. No attribution is needed to use it.
    std::vector<std::uint32_t> words;  ///< The SPIR-V module or the machine code; the same holds for it.
    std::uint64_t groups = 0;          ///< In one dimension, for the problem's batch.
    std::uint32_t group_size = 0;
    std::uint32_t subgroup_size = 0;  ///< That a pipeline must be made with, its subgroups full; 0: any.
    std::uint64_t shared_bytes = 0;
    std::uint32_t groups_per_cluster = 1;  ///< More: the launch must ask for clusters of so many (CUDA).
    bool dynamic_shared = false;           ///< CUDA and HIP: the shared memory is to be given at the launch.
    std::vector<EmittedBuffer> buffers;
    std::vector<EmittedScalar> scalars;
    std::vector<EmittedImage> images;
    /// Words of `arguments` (GLSL) or of the push constants (SPIR-V for Vulkan); else 0.
    std::uint32_t argument_words = 0;
};

/// The kernels that run `problem` in `direction`, in order. None: its only one, or forward.
std::vector<EmittedKernel> emit_kernels(const Problem& problem, Dialect dialect, const DeviceLimits& limits,
                                        std::optional<Direction> direction = {}, const Tuning& tuning = {});

/// The core of one transform as a function that a kernel of your own calls: it never touches the device's memory, but
/// goes from a thread's registers to its registers, through shared memory of the group. The source defines NAME, and
/// beside it NAME_POINTS, NAME_THREADS, NAME_REGISTERS, NAME_SHARED_BYTES, NAME_BEFORE(lane, m) and NAME_AFTER(lane, m)
/// (NAME in capitals): which point register m of a thread holds before and after; NAME_POINTS or more: none. Its
/// opening comment says the rest.
struct DeviceFunction {
    std::string name;    ///< E.g. "seiche_fft_1024", "seiche_ifft_1000_f64".
    std::string source;  ///< To be put before the kernel that calls it. No attribution is needed to use it.
    std::uint32_t points = 0;
    std::uint32_t threads = 0;    ///< That transform it together.
    std::uint32_t registers = 0;  ///< Complex numbers of each thread.
    std::uint64_t shared_bytes = 0;
    std::uint64_t twiddle_bytes = 0;  ///< Of the table of constants in the source.
};

/// `problem` is a length and a precision, such as "1024 f64", and nothing else. The answer is not scaled. Throws
/// Unsupported for SPIR-V, PTX and machine code, and for a length that a group does not transform by itself on a device
/// with these limits (one with a prime factor above 13, or too long for the registers and shared memory of a group).
DeviceFunction emit_device_function(const Problem& problem, Dialect dialect, const DeviceLimits& limits,
                                    Direction direction = Direction::forward, const Tuning& tuning = {});

}  // namespace seiche
SEICHE_EXPORT_END
