// Steps of shuffles by the processor's instructions, where the compiler and the processor have them.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "x86_shuffle_model.hpp"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#if !defined(__clang__)
// GCC's own headers make undefined registers of variables that are not set.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

namespace seiche::test {

using emit::x86::InstructionSet;
using emit::x86::ShuffleOp;
using emit::x86::ShuffleStep;

namespace {

/// What an instruction reads and writes.
struct Operands {
    const void* a;
    const void* b;
    const void* constant;
    std::uint32_t mask;
    void* result;
};
using Run = void (*)(const Operands&);

// An instruction with an immediate byte is 256 functions, one without is the first of them. In the expression, a, b and
// c (the constant) are vectors of integers, k is the mask and I the immediate; S, D and the other letters cast.
#define SEICHE_NATIVE(name, set, vector, load, store, expression)                                  \
    struct name {                                                                                  \
        template <int I>                                                                           \
        __attribute__((target(set))) static void run(const Operands& operands) {                   \
            [[maybe_unused]] const vector a = load(static_cast<const vector*>(operands.a));        \
            [[maybe_unused]] const vector b = load(static_cast<const vector*>(operands.b));        \
            [[maybe_unused]] const vector c = load(static_cast<const vector*>(operands.constant)); \
            [[maybe_unused]] const std::uint32_t k = operands.mask;                                \
            store(static_cast<vector*>(operands.result), expression);                              \
        }                                                                                          \
    }
#define SEICHE_SET_512 "avx512f,avx512bw,avx512dq,avx512vl"
#define SEICHE_SSE(name, expression) \
    SEICHE_NATIVE(name, "sse4.2", __m128i, _mm_loadu_si128, _mm_storeu_si128, expression)
#define SEICHE_AVX(name, expression) \
    SEICHE_NATIVE(name, "avx2", __m256i, _mm256_loadu_si256, _mm256_storeu_si256, expression)
#define SEICHE_16(name, expression) \
    SEICHE_NATIVE(name, SEICHE_SET_512, __m128i, _mm_loadu_si128, _mm_storeu_si128, expression)
#define SEICHE_32(name, expression) \
    SEICHE_NATIVE(name, SEICHE_SET_512, __m256i, _mm256_loadu_si256, _mm256_storeu_si256, expression)
#define SEICHE_64(name, expression) \
    SEICHE_NATIVE(name, SEICHE_SET_512, __m512i, _mm512_loadu_si512, _mm512_storeu_si512, expression)
#define S4(x) _mm_castsi128_ps(x)
#define D2(x) _mm_castsi128_pd(x)
#define S8(x) _mm256_castsi256_ps(x)
#define D4(x) _mm256_castsi256_pd(x)
#define S16(x) _mm512_castsi512_ps(x)
#define D8(x) _mm512_castsi512_pd(x)
#define OF_S4(x) _mm_castps_si128(x)
#define OF_D2(x) _mm_castpd_si128(x)
#define OF_S8(x) _mm256_castps_si256(x)
#define OF_D4(x) _mm256_castpd_si256(x)
#define OF_S16(x) _mm512_castps_si512(x)
#define OF_D8(x) _mm512_castpd_si512(x)

namespace sse {
SEICHE_SSE(permute_32, _mm_shuffle_epi32(a, I));
SEICHE_SSE(shuffle_32, OF_S4(_mm_shuffle_ps(S4(a), S4(b), I)));
SEICHE_SSE(shuffle_64, OF_D2(_mm_shuffle_pd(D2(a), D2(b), I & 3)));
SEICHE_SSE(unpack_low_16, _mm_unpacklo_epi16(a, b));
SEICHE_SSE(unpack_high_16, _mm_unpackhi_epi16(a, b));
SEICHE_SSE(unpack_low_32, OF_S4(_mm_unpacklo_ps(S4(a), S4(b))));
SEICHE_SSE(unpack_high_32, OF_S4(_mm_unpackhi_ps(S4(a), S4(b))));
SEICHE_SSE(unpack_low_64, OF_D2(_mm_unpacklo_pd(D2(a), D2(b))));
SEICHE_SSE(unpack_high_64, OF_D2(_mm_unpackhi_pd(D2(a), D2(b))));
SEICHE_SSE(permute_low_16, _mm_shufflelo_epi16(a, I));
SEICHE_SSE(permute_high_16, _mm_shufflehi_epi16(a, I));
SEICHE_SSE(align_bytes, _mm_alignr_epi8(a, b, I & 15));
SEICHE_SSE(blend_16, _mm_blend_epi16(a, b, I));
SEICHE_SSE(blend_32, OF_S4(_mm_blend_ps(S4(a), S4(b), I & 15)));
SEICHE_SSE(shuffle_bytes, _mm_shuffle_epi8(a, c));
SEICHE_SSE(bit_or, OF_S4(_mm_or_ps(S4(a), S4(b))));
}  // namespace sse

namespace avx {
SEICHE_AVX(permute_32, OF_S8(_mm256_permute_ps(S8(a), I)));
SEICHE_AVX(shuffle_32, OF_S8(_mm256_shuffle_ps(S8(a), S8(b), I)));
SEICHE_AVX(shuffle_64, OF_D4(_mm256_shuffle_pd(D4(a), D4(b), I & 15)));
SEICHE_AVX(unpack_low_16, _mm256_unpacklo_epi16(a, b));
SEICHE_AVX(unpack_high_16, _mm256_unpackhi_epi16(a, b));
SEICHE_AVX(unpack_low_32, OF_S8(_mm256_unpacklo_ps(S8(a), S8(b))));
SEICHE_AVX(unpack_high_32, OF_S8(_mm256_unpackhi_ps(S8(a), S8(b))));
SEICHE_AVX(unpack_low_64, OF_D4(_mm256_unpacklo_pd(D4(a), D4(b))));
SEICHE_AVX(unpack_high_64, OF_D4(_mm256_unpackhi_pd(D4(a), D4(b))));
SEICHE_AVX(permute_low_16, _mm256_shufflelo_epi16(a, I));
SEICHE_AVX(permute_high_16, _mm256_shufflehi_epi16(a, I));
SEICHE_AVX(align_bytes, _mm256_alignr_epi8(a, b, I & 15));
SEICHE_AVX(blend_16, _mm256_blend_epi16(a, b, I));
SEICHE_AVX(blend_32, OF_S8(_mm256_blend_ps(S8(a), S8(b), I)));
SEICHE_AVX(shuffle_bytes, _mm256_shuffle_epi8(a, c));
SEICHE_AVX(bit_or, OF_S8(_mm256_or_ps(S8(a), S8(b))));
SEICHE_AVX(broadcast_16, _mm256_broadcastw_epi16(_mm256_castsi256_si128(a)));
SEICHE_AVX(broadcast_32, OF_S8(_mm256_broadcastss_ps(S4(_mm256_castsi256_si128(a)))));
SEICHE_AVX(broadcast_64, OF_D4(_mm256_broadcastsd_pd(D2(_mm256_castsi256_si128(a)))));
SEICHE_AVX(permute_across_64, OF_D4(_mm256_permute4x64_pd(D4(a), I)));
SEICHE_AVX(permute_2x128, OF_S8(_mm256_permute2f128_ps(S8(a), S8(b), I & 0x33)));
SEICHE_AVX(permute_across_32, OF_S8(_mm256_permutevar8x32_ps(S8(a), c)));
}  // namespace avx

namespace half {  // 16 bytes of AVX-512 where that differs from SSE, and AVX's broadcasts
SEICHE_16(permute_32, OF_S4(_mm_permute_ps(S4(a), I)));
SEICHE_16(blend_masked_16, _mm_mask_blend_epi16(static_cast<__mmask8>(k), a, b));
SEICHE_16(blend_masked_32, OF_S4(_mm_mask_blend_ps(static_cast<__mmask8>(k), S4(a), S4(b))));
SEICHE_16(broadcast_16, _mm_broadcastw_epi16(a));
SEICHE_16(broadcast_32, OF_S4(_mm_broadcastss_ps(S4(a))));
SEICHE_16(permute_across_16, _mm_permutexvar_epi16(c, a));
SEICHE_16(permute_two_16, _mm_permutex2var_epi16(a, c, b));
SEICHE_16(permute_two_32, OF_S4(_mm_permutex2var_ps(S4(a), c, S4(b))));
SEICHE_16(align_across_32, _mm_alignr_epi32(a, b, I & 3));
}  // namespace half

namespace most {  // 32 bytes of AVX-512 where AVX2 has none
SEICHE_32(blend_masked_16, _mm256_mask_blend_epi16(static_cast<__mmask16>(k), a, b));
SEICHE_32(blend_masked_32, OF_S8(_mm256_mask_blend_ps(static_cast<__mmask8>(k), S8(a), S8(b))));
SEICHE_32(shuffle_128, OF_S8(_mm256_shuffle_f32x4(S8(a), S8(b), I & 3)));
SEICHE_32(permute_across_16, _mm256_permutexvar_epi16(c, a));
SEICHE_32(permute_two_16, _mm256_permutex2var_epi16(a, c, b));
SEICHE_32(permute_two_32, OF_S8(_mm256_permutex2var_ps(S8(a), c, S8(b))));
SEICHE_32(align_across_32, _mm256_alignr_epi32(a, b, I & 7));
}  // namespace most

namespace full {
SEICHE_64(permute_32, OF_S16(_mm512_permute_ps(S16(a), I)));
SEICHE_64(shuffle_32, OF_S16(_mm512_shuffle_ps(S16(a), S16(b), I)));
SEICHE_64(shuffle_64, OF_D8(_mm512_shuffle_pd(D8(a), D8(b), I)));
SEICHE_64(unpack_low_16, _mm512_unpacklo_epi16(a, b));
SEICHE_64(unpack_high_16, _mm512_unpackhi_epi16(a, b));
SEICHE_64(unpack_low_32, OF_S16(_mm512_unpacklo_ps(S16(a), S16(b))));
SEICHE_64(unpack_high_32, OF_S16(_mm512_unpackhi_ps(S16(a), S16(b))));
SEICHE_64(unpack_low_64, OF_D8(_mm512_unpacklo_pd(D8(a), D8(b))));
SEICHE_64(unpack_high_64, OF_D8(_mm512_unpackhi_pd(D8(a), D8(b))));
SEICHE_64(permute_low_16, _mm512_shufflelo_epi16(a, I));
SEICHE_64(permute_high_16, _mm512_shufflehi_epi16(a, I));
SEICHE_64(align_bytes, _mm512_alignr_epi8(a, b, I & 15));
SEICHE_64(shuffle_bytes, _mm512_shuffle_epi8(a, c));
SEICHE_64(bit_or, OF_S16(_mm512_or_ps(S16(a), S16(b))));
SEICHE_64(blend_masked_16, _mm512_mask_blend_epi16(k, a, b));
SEICHE_64(blend_masked_32, OF_S16(_mm512_mask_blend_ps(static_cast<__mmask16>(k), S16(a), S16(b))));
SEICHE_64(broadcast_16, _mm512_broadcastw_epi16(_mm512_castsi512_si128(a)));
SEICHE_64(broadcast_32, OF_S16(_mm512_broadcastss_ps(S4(_mm512_castsi512_si128(a)))));
SEICHE_64(broadcast_64, OF_D8(_mm512_broadcastsd_pd(D2(_mm512_castsi512_si128(a)))));
SEICHE_64(permute_across_64, OF_D8(_mm512_permutex_pd(D8(a), I)));
SEICHE_64(shuffle_128, OF_S16(_mm512_shuffle_f32x4(S16(a), S16(b), I)));
SEICHE_64(align_across_32, _mm512_alignr_epi32(a, b, I & 15));
SEICHE_64(permute_across_16, _mm512_permutexvar_epi16(c, a));
SEICHE_64(permute_across_32, OF_S16(_mm512_permutexvar_ps(c, S16(a))));
SEICHE_64(permute_two_16, _mm512_permutex2var_epi16(a, c, b));
SEICHE_64(permute_two_32, OF_S16(_mm512_permutex2var_ps(S16(a), c, S16(b))));
}  // namespace full

template <typename Instruction, std::size_t... I>
Run choose(unsigned immediate, std::index_sequence<I...> /*bytes*/) {
    static constexpr Run runs[] = {&Instruction::template run<static_cast<int>(I)>...};
    return runs[immediate];
}
template <typename Instruction>
Run with_byte(unsigned immediate) {
    return choose<Instruction>(immediate, std::make_index_sequence<256>());
}
template <typename Instruction>
Run plain() {
    return &Instruction::template run<0>;
}

#define SEICHE_BYTE(folder, name) \
    if (op == ShuffleOp::name) return with_byte<folder::name>(immediate)
#define SEICHE_PLAIN(folder, name) \
    if (op == ShuffleOp::name) return plain<folder::name>()
#define SEICHE_EVERYWHERE(folder)         \
    SEICHE_BYTE(folder, permute_32);      \
    SEICHE_BYTE(folder, shuffle_32);      \
    SEICHE_BYTE(folder, shuffle_64);      \
    SEICHE_BYTE(folder, permute_low_16);  \
    SEICHE_BYTE(folder, permute_high_16); \
    SEICHE_BYTE(folder, align_bytes);     \
    SEICHE_PLAIN(folder, unpack_low_16);  \
    SEICHE_PLAIN(folder, unpack_high_16); \
    SEICHE_PLAIN(folder, unpack_low_32);  \
    SEICHE_PLAIN(folder, unpack_high_32); \
    SEICHE_PLAIN(folder, unpack_low_64);  \
    SEICHE_PLAIN(folder, unpack_high_64); \
    SEICHE_PLAIN(folder, shuffle_bytes);  \
    SEICHE_PLAIN(folder, bit_or)
#define SEICHE_MASKS_AND_WORDS(folder)       \
    SEICHE_PLAIN(folder, blend_masked_16);   \
    SEICHE_PLAIN(folder, blend_masked_32);   \
    SEICHE_PLAIN(folder, permute_across_16); \
    SEICHE_PLAIN(folder, permute_two_16);    \
    SEICHE_PLAIN(folder, permute_two_32);    \
    SEICHE_BYTE(folder, align_across_32)

Run run_16(ShuffleOp op, unsigned immediate) {
    SEICHE_EVERYWHERE(sse);
    SEICHE_BYTE(sse, blend_16);
    SEICHE_BYTE(sse, blend_32);
    SEICHE_MASKS_AND_WORDS(half);
    SEICHE_PLAIN(half, broadcast_16);
    SEICHE_PLAIN(half, broadcast_32);
    return nullptr;
}
Run run_32(ShuffleOp op, unsigned immediate) {
    SEICHE_EVERYWHERE(avx);
    SEICHE_BYTE(avx, blend_16);
    SEICHE_BYTE(avx, blend_32);
    SEICHE_BYTE(avx, permute_across_64);
    SEICHE_BYTE(avx, permute_2x128);
    SEICHE_PLAIN(avx, broadcast_16);
    SEICHE_PLAIN(avx, broadcast_32);
    SEICHE_PLAIN(avx, broadcast_64);
    SEICHE_PLAIN(avx, permute_across_32);
    SEICHE_MASKS_AND_WORDS(most);
    SEICHE_BYTE(most, shuffle_128);
    return nullptr;
}
Run run_64(ShuffleOp op, unsigned immediate) {
    SEICHE_EVERYWHERE(full);
    SEICHE_BYTE(full, permute_across_64);
    SEICHE_BYTE(full, shuffle_128);
    SEICHE_PLAIN(full, broadcast_16);
    SEICHE_PLAIN(full, broadcast_32);
    SEICHE_PLAIN(full, broadcast_64);
    SEICHE_PLAIN(full, permute_across_32);
    SEICHE_MASKS_AND_WORDS(full);
    return nullptr;
}

}  // namespace

bool has_instruction_set(InstructionSet set) {
    __builtin_cpu_init();
    if (set == InstructionSet::sse42) return __builtin_cpu_supports("sse4.2");
    if (set == InstructionSet::avx2) return __builtin_cpu_supports("avx2");
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

RegisterBytes native_step(const ShuffleStep& step, InstructionSet set, unsigned register_bytes, const RegisterBytes& a,
                          const RegisterBytes& b) {
    RegisterBytes constant{}, result{};
    std::copy(step.constant.begin(), step.constant.end(), constant.begin());
    Run run = register_bytes == 16   ? run_16(step.op, step.immediate)
              : register_bytes == 32 ? run_32(step.op, step.immediate)
                                     : run_64(step.op, step.immediate);
    // One name for two instructions.
    if (step.op == ShuffleOp::permute_32 && register_bytes == 16 && set == InstructionSet::avx512)
        run = with_byte<half::permute_32>(step.immediate);
    if (run == nullptr) throw std::logic_error("no such instruction");
    run({a.data(), b.data(), constant.data(), step.mask, result.data()});
    return result;
}

}  // namespace seiche::test

#else

namespace seiche::test {

bool has_instruction_set(emit::x86::InstructionSet /*set*/) { return false; }

RegisterBytes native_step(const emit::x86::ShuffleStep& /*step*/, emit::x86::InstructionSet /*set*/,
                          unsigned /*register_bytes*/, const RegisterBytes& /*a*/, const RegisterBytes& /*b*/) {
    throw std::logic_error("not this processor");
}

}  // namespace seiche::test

#endif
