// Asks the processor by its own instructions.
#include "runtime/cpu/features.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/library.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace seiche::runtime::cpu {

namespace {

constexpr std::uint32_t bit(unsigned number) { return std::uint32_t{1} << number; }

constexpr std::uint32_t fma = bit(12), sse4_1 = bit(19), sse4_2 = bit(20), popcnt = bit(23), osxsave = bit(27),
                        avx = bit(28), f16c = bit(29);                                                  // leaf 1, ecx
constexpr std::uint32_t ssse3 = bit(9), sse3 = bit(0);                                                  // likewise
constexpr std::uint32_t bmi1 = bit(3), avx2 = bit(5), bmi2 = bit(8);                                    // leaf 7, ebx
constexpr std::uint32_t avx512f = bit(16), avx512dq = bit(17), avx512bw = bit(30), avx512vl = bit(31);  // likewise
constexpr std::uint64_t ymm_state = 0x6, zmm_state = 0xe6;                                              // XCR0

bool has(std::uint32_t flags, std::uint32_t wanted) { return (flags & wanted) == wanted; }

#if defined(__x86_64__)
std::uint64_t saved_state() {
    std::uint32_t low = 0, high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));  // the intrinsic wants an option of the compiler
    return std::uint64_t{high} << 32 | low;
}

Registers registers_here() {
    Registers registers;
    std::uint32_t a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) != 0) registers.leaf_1_ecx = c;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) != 0) registers.leaf_7_ebx = b;
    if (has(registers.leaf_1_ecx, osxsave)) registers.saved_state = saved_state();
    return registers;
}

std::string brand_here() {
    constexpr std::uint32_t first = 0x80000002u, last = 0x80000004u;
    std::string brand;
    for (std::uint32_t leaf = first; leaf <= last; ++leaf) {
        std::uint32_t words[4] = {};
        if (__get_cpuid(leaf, &words[0], &words[1], &words[2], &words[3]) == 0) break;
        char text[sizeof words + 1] = {};
        std::memcpy(text, words, sizeof words);
        brand += text;
    }
    const std::size_t begin = brand.find_first_not_of(' '), end = brand.find_last_not_of(' ');
    return begin == std::string::npos ? "x86-64 processor" : brand.substr(begin, end - begin + 1);
}
#else
Registers registers_here() { return {}; }
std::string brand_here() { return is_aarch64 ? "AArch64 processor" : "processor"; }
#endif

}  // namespace

const char* to_string(InstructionSet set) noexcept {
    switch (set) {
        case InstructionSet::none: return "none";
        case InstructionSet::sse4_2: return "SSE4.2";
        case InstructionSet::avx2: return "AVX2";
        case InstructionSet::avx512: return "AVX-512";
        case InstructionSet::neon: return "NEON";
    }
    return "none";
}

std::string architecture_of(InstructionSet set) {
    switch (set) {
        case InstructionSet::none: break;
        case InstructionSet::sse4_2: return "x86-64-sse4.2";
        case InstructionSet::avx2: return "x86-64-avx2";
        case InstructionSet::avx512: return "x86-64-avx512";
        case InstructionSet::neon: return "aarch64-neon";
    }
    return "generic";
}

std::uint32_t vector_bytes_of(InstructionSet set) {
    return set == InstructionSet::avx512 ? 64 : set == InstructionSet::avx2 ? 32 : 16;
}

InstructionSet instructions_of(const Registers& registers) {
    const std::uint32_t one = registers.leaf_1_ecx, seven = registers.leaf_7_ebx;
    if (!has(one, sse3 | ssse3 | sse4_1 | sse4_2 | popcnt)) return InstructionSet::none;
    const bool keeps_ymm = has(one, osxsave) && (registers.saved_state & ymm_state) == ymm_state;
    if (!keeps_ymm || !has(one, avx | fma | f16c) || !has(seven, avx2 | bmi1 | bmi2)) return InstructionSet::sse4_2;
    const bool keeps_zmm = (registers.saved_state & zmm_state) == zmm_state;
    return keeps_zmm && has(seven, avx512f | avx512dq | avx512bw | avx512vl) ? InstructionSet::avx512
                                                                             : InstructionSet::avx2;
}

Features features_here() {
    static const auto* const here =
        new Features{is_aarch64 ? InstructionSet::neon : instructions_of(registers_here()), brand_here()};
    return *here;
}

std::optional<InstructionSet> parse_instructions(const std::string& text) {
    if (text == "sse4.2") return InstructionSet::sse4_2;
    if (text == "avx2") return InstructionSet::avx2;
    if (text == "avx512") return InstructionSet::avx512;
    if (text == "neon") return InstructionSet::neon;
    return std::nullopt;
}

const char* known_instructions() { return is_aarch64 ? "neon" : "sse4.2, avx2 or avx512"; }

std::optional<Features> allowed_features() {
    Features features = features_here();
    const std::string text = environment("SEICHE_CPU_FEATURES");
    if (text.empty()) return features;
    const auto most = parse_instructions(text);
    if (!most || (*most == InstructionSet::neon) != is_aarch64) return std::nullopt;
    features.instructions = std::min(features.instructions, *most);
    return features;
}

}  // namespace seiche::runtime::cpu
