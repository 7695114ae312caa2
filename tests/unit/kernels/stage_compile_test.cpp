// Kernels with user stages that use the whole language compile with NVRTC, for two generations of cards.
#include <gtest/gtest.h>

#include "exec/inspect.hpp"
#include "runtime/cuda/nvrtc.hpp"

namespace seiche::test {
namespace {

Problem with_the_whole_language(const std::string& text) {
    Problem p = parse_problem(text);
    p.forward_load =
        "let a = half[i0] + wide[i0] + bytes[i0] * words[i0] - unsigned_words[i0] + small[i0] + large[i0] + huge[i0];\n"
        "let b = sqrt(abs(a)) + exp(a) + log(abs(a)) + log2(a) + log10(a) + sin(a) + cos(a) + sinpi(a) + cospi(a);\n"
        "let c = floor(a) + ceil(b) + round(a) + atan2(a, b) + pow(a, b) + min(a, b) + max(b, 1) + arg(value);\n"
        "let i = div(i0 * 3, 2) + i0 % 5 - int(c) + min(i0, 7) + max(batch, i0) + abs(i0 - 9) - count - offset;\n"
        "let ok = i < 5 && !(a >= b) || i0 == 3 != (i > 9);\n"
        "return (ok ? conj(value) / a : complex(c, i)) * value / (value + gain) - select(ok, 1, -value) * large[i];";
    p.forward_load.buffers = {{"half", StageType::f16, 4096},  {"wide", StageType::f64, 4096},
                              {"bytes", StageType::u8, 4096},  {"words", StageType::i16, 4096},
                              {"small", StageType::i8, 4096},  {"unsigned_words", StageType::u16, 4096},
                              {"large", StageType::i32, 4096}, {"huge", StageType::u32, 4096}};
    p.forward_load.scalars = {{"gain", StageType::f32}, {"offset", StageType::i32}, {"count", StageType::u32}};
    p.forward_store =
        "store a[i0] = value.re; store b[i0] = value.im; store c[i0] = abs(value); store d[i0] = i0 * 3 - 70;\n"
        "store e[i0] = norm(value); store f[i0] = value.re; store g[i0] = value.im; store h[int(value.re)] = 1;";
    const StageType types[] = {StageType::f16, StageType::f64, StageType::u8,  StageType::i8,
                               StageType::i16, StageType::u16, StageType::i32, StageType::u32};
    if (p.kind == Kind::r2c) {
        std::string& load = p.forward_load.text;  // of a real point
        load.replace(load.find("arg(value)"), 10, "arg(value) + value");
        load.replace(load.find("return"), std::string::npos,
                     "return (ok ? value / a : i) + select(ok, gain, -value) * large[i];");
    }
    for (int k = 0; k < 8; ++k)
        p.forward_store.buffers.push_back({std::string(1, static_cast<char>('a' + k)), types[k], 4096});
    return p;
}

TEST(StagesOfCuda, compile) {
    const runtime::cuda::Nvrtc nvrtc = runtime::cuda::load_nvrtc(runtime::cuda::nvrtc_candidates(), 0);
    if (!nvrtc.problem.empty()) GTEST_SKIP() << nvrtc.problem;
    for (const char* text : {"8 f32", "8 f64", "17 f32", "24 r2c f32"})
        for (const char* architecture : {"sm_80", "sm_90"}) {
            emit::Target target;
            target.dialect = emit::Dialect::cuda;
            target.architecture = architecture;
            for (const exec::GeneratedKernel& kernel : exec::sources(problem::normalise(with_the_whole_language(text)),
                                                                     {}, {Direction::forward, {}}, target)) {
                std::string log;
                ASSERT_NO_THROW(runtime::cuda::compile_with_nvrtc(nvrtc, kernel.source, &log)) << log;
                EXPECT_EQ(log.find("warning"), std::string::npos) << log << kernel.source.text;
            }
        }
}

}  // namespace
}  // namespace seiche::test
