// What the processor that this program runs on can do, as far as kernels differ by it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace seiche::runtime::cpu {

/// Of x86-64 each has what those before it have.
enum class InstructionSet : std::uint8_t {
    none,    ///< Less than kernels need, or another kind of processor.
    sse4_2,  ///< SSE4.2 and POPCNT: vectors of 16 bytes, no fma.
    avx2,    ///< AVX2, FMA, F16C, BMI1 and BMI2: of 32.
    avx512,  ///< AVX-512 F, BW, DQ and VL: of 64.
    neon,    ///< AArch64, all of which have it: of 16.
};
#if defined(__aarch64__)
inline constexpr bool is_aarch64 = true;
#else
inline constexpr bool is_aarch64 = false;
#endif

/// "SSE4.2", "AVX2", "AVX-512", "NEON"; "none".
const char* to_string(InstructionSet set) noexcept;
/// As emit::Target::architecture has it: "x86-64-avx2", "aarch64-neon".
std::string architecture_of(InstructionSet set);
std::uint32_t vector_bytes_of(InstructionSet set);

/// The registers of x86-64 that say it: see "CPUID" in Intel's and AMD's manuals.
struct Registers {
    std::uint32_t leaf_1_ecx = 0, leaf_7_ebx = 0;
    std::uint64_t saved_state = 0;  ///< What the operating system keeps of a thread (XCR0); 0: it does not say.
};
InstructionSet instructions_of(const Registers& registers);

/// The processor and its operating system; a program may not ask for more than they have.
struct Features {
    InstructionSet instructions = InstructionSet::none;
    std::string brand;  ///< What the maker calls it.
};
Features features_here();

/// "sse4.2", "avx2", "avx512" or "neon"; nothing for any other text.
std::optional<InstructionSet> parse_instructions(const std::string& text);

/// Those of this kind of processor, for a message.
const char* known_instructions();

/// features_here, lowered, and never raised, to what SEICHE_CPU_FEATURES names; nothing where the variable is none of
/// known_instructions.
std::optional<Features> allowed_features();

}  // namespace seiche::runtime::cpu
