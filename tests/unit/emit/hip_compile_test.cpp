// The HIP text of every op and of plans of each kind compiles with hiprtc, in a process of its own because some of its
// versions do not survive architectures that they do not know; and with NVRTC, through the library that forwards to it.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "every_op.hpp"
#include "hiprtc_child.hpp"
#include "ir/verify.hpp"
#include "run_kernel.hpp"
#include "runtime/hip/hiprtc.hpp"
#include "sample_kernels.hpp"
#include "seiche/emit.hpp"
#include "seiche/error.hpp"

namespace seiche::test {
namespace {

using ir::Scalar;
using ir::Type;
using runtime::hip::Hiprtc;

/// Wavefronts of 64 and of 32. ROCm 5.2's compiler knows these; of gfx940, gfx1100 and later it dies.
constexpr const char* architectures[] = {"gfx906", "gfx908", "gfx90a", "gfx1030"};

/// Of each way through the generators: in one pass, short, Rader, Bluestein, strided in two passes, real, cosine,
/// double, double-double, halves in memory, arithmetic in half, pruned.
constexpr const char* problems[] = {"4096 batch=100",
                                    "12 batch=1000",
                                    "127 batch=50",
                                    "254 f64",
                                    "131072",
                                    "1000 r2c f32",
                                    "60x8 c2r f64",
                                    "100 dct2 f32",
                                    "2000 f64",
                                    "64 f64x2",
                                    "512 f16 batch=10",
                                    "243 bf16",
                                    "64 f16-arithmetic",
                                    "12x10 signal-zeros=0:6-12"};

emit::Source source_of(const ir::Kernel& kernel, const std::string& architecture) {
    emit::Target target;
    target.dialect = emit::Dialect::hip;
    target.architecture = architecture;
    return emit::emit(std::make_shared<ir::Kernel>(kernel), target);
}

DeviceLimits limits_of(const std::string& architecture) {
    DeviceLimits limits;
    limits.architecture = architecture;
    limits.subgroup_size = architecture == "gfx1030" ? 32 : 64;
    limits.shared_bytes = limits.shared_bytes_per_unit = 64 * 1024;
    limits.registers_per_thread = 256;
    limits.compute_units = 60;
    limits.sector_bytes = 64;
    limits.fp16_arithmetic = true;
    return limits;
}

std::vector<emit::Source> plan_sources(const std::string& problem, const std::string& architecture) {
    std::vector<emit::Source> sources;
    const Problem parsed = parse_problem(problem);
    const Direction direction = parsed.kind == Kind::c2r ? Direction::inverse : Direction::forward;
    for (const EmittedKernel& kernel : emit_kernels(parsed, Dialect::hip, limits_of(architecture), direction)) {
        emit::Source source;
        source.entry = kernel.name;
        source.text = kernel.source;
        source.architecture = architecture;
        source.options = {"-std=c++17"};
        sources.push_back(std::move(source));
    }
    return sources;
}

/// A core as a function, in a kernel that calls it.
emit::Source function_source(const std::string& architecture) {
    const DeviceFunction f =
        emit_device_function(parse_problem("256 f32"), Dialect::hip, limits_of(architecture), Direction::inverse);
    emit::Source source;
    source.entry = "user";
    source.architecture = architecture;
    source.options = {"-std=c++17"};
    source.text = f.source + "extern \"C\" __global__ void __launch_bounds__(" + std::to_string(f.threads) +
                  ")\nuser(float2* data) {\n    __shared__ float exchange[" + std::to_string(f.shared_bytes / 4) +
                  "];\n    float2 x[" + std::to_string(f.registers) + "];\n    for (int m = 0; m < " +
                  std::to_string(f.registers) + "; ++m) x[m] = data[SEICHE_IFFT_256_BEFORE(threadIdx.x, m)];\n    " +
                  f.name + "(x, exchange, threadIdx.x);\n    for (int m = 0; m < " + std::to_string(f.registers) +
                  "; ++m) data[SEICHE_IFFT_256_AFTER(threadIdx.x, m)] = x[m];\n}\n";
    return source;
}

/// Everything for one architecture: plans, and the kernels made by hand. Of an older sibling a few plans will do.
std::vector<emit::Source> all_sources(const std::string& architecture) {
    const bool is_sibling = architecture == "gfx906" || architecture == "gfx908";
    std::vector<emit::Source> sources;
    for (std::size_t p = 0; p < std::size(problems); p += is_sibling ? 5 : 1)
        for (emit::Source& source : plan_sources(problems[p], architecture)) sources.push_back(std::move(source));
    if (is_sibling) return sources;
    for (const ir::Kernel& kernel :
         {exchange_kernel(), guarded_kernel(), dynamic_shared_kernel(), half_storage_kernel(), narrow_storage_kernel(),
          subgroup_kernel(), atomic_kernel(), ticket_kernel(), scoped_barriers_kernel(false), async_kernel()})
        sources.push_back(source_of(kernel, architecture));
    sources.push_back(function_source(architecture));
    return sources;
}

std::vector<emit::Source> op_sources(const std::string& architecture) {
    std::vector<emit::Source> sources;
    for (const Scalar scalar : {Scalar::f16, Scalar::f32, Scalar::f64, Scalar::i32, Scalar::u32, Scalar::u64})
        sources.push_back(source_of(every_op(Type(scalar, 4)).kernel, architecture));
    return sources;
}

/// 0 if all of them compile to a code object of ELF.
int compile_all(const Hiprtc& hiprtc, const std::vector<emit::Source>& sources) {
    int failures = 0;
    for (const emit::Source& source : sources) {
        std::string log;
        try {
            const runtime::Binary binary = runtime::hip::compile_with_hiprtc(hiprtc, source, &log);
            const bool is_elf = binary.bytes.size() > 64 && binary.bytes[1] == std::byte{'E'};
            const bool is_bundle = binary.bytes.size() > 64 && binary.bytes[0] == std::byte{'_'};
            if (is_elf || is_bundle) continue;
            std::fprintf(stderr, "%s: no code object\n", source.entry.c_str());
        } catch (const Error& error) {
            std::fprintf(stderr, "%s\n%s\n", error.what(), log.c_str());
        }
        ++failures;
    }
    return failures;
}

[[noreturn]] void compile_in_child(const std::vector<emit::Source>& sources) {
    const Hiprtc hiprtc = runtime::hip::load_hiprtc(system_hiprtc());
    if (!hiprtc.problem.empty()) std::_Exit(no_compiler);
    std::_Exit(compile_all(hiprtc, sources) == 0 ? 0 : 1);
}

class HipPlans : public testing::TestWithParam<const char*> {};

TEST_P(HipPlans, compile_with_hiprtc) {
    if (!hiprtc_here()) GTEST_SKIP() << "no hiprtc on this machine: install libamdhip64-5 and rocm-device-libs";
    const std::vector<emit::Source> sources = all_sources(GetParam());
    EXPECT_EXIT(compile_in_child(sources), testing::ExitedWithCode(0), "");
}

INSTANTIATE_TEST_SUITE_P(architectures, HipPlans, testing::ValuesIn(architectures));

TEST(HipOps, compile_with_hiprtc) {
    if (!hiprtc_here()) GTEST_SKIP() << "no hiprtc on this machine: install libamdhip64-5 and rocm-device-libs";
    const std::vector<emit::Source> sources = op_sources("gfx90a");
    EXPECT_EXIT(compile_in_child(sources), testing::ExitedWithCode(0), "");
}

TEST(HipForward, compiles_everything_with_nvrtc) {
    const Hiprtc forward = runtime::hip::load_hiprtc({SEICHE_HIP_FORWARD});
    if (!forward.problem.empty()) GTEST_SKIP() << "no NVRTC on this machine: " << forward.problem;
    EXPECT_EQ(compile_all(forward, all_sources("gfx1030")), 0);
    EXPECT_EQ(compile_all(forward, op_sources("gfx1030")), 0);
}

TEST(HipKernels, what_hip_lacks_is_refused_by_name) {
    const auto refusal = [](const ir::Kernel& kernel, const char* architecture) {
        try {
            source_of(kernel, architecture);
        } catch (const Unsupported& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    EXPECT_NE(refusal(cluster_kernel(), "gfx90a").find("hip: kernel"), std::string::npos);
    EXPECT_NE(refusal(cluster_kernel(), "gfx90a").find("clusters"), std::string::npos);
    EXPECT_NE(refusal(matrix_kernel(), "gfx90a").find("hip: kernel"), std::string::npos);
    ir::Kernel cooperative = exchange_kernel();
    cooperative.launch.cooperative = true;
    EXPECT_NE(refusal(cooperative, "gfx90a").find("cooperative"), std::string::npos);
    ir::Kernel subgroups = subgroup_kernel();
    subgroups.launch.required_subgroup_size = 64;
    EXPECT_EQ(refusal(subgroups, "gfx90a:sramecc+:xnack-"), "accepted");
    EXPECT_NE(refusal(subgroups, "gfx1030").find("expected a subgroup of 32 on gfx1030, got 64"), std::string::npos)
        << refusal(subgroups, "gfx1030");
}

TEST(HipKernels, a_faulty_text_is_reported_with_its_line_and_a_dump) {
    const Hiprtc forward = runtime::hip::load_hiprtc({SEICHE_HIP_FORWARD});
    if (!forward.problem.empty()) GTEST_SKIP() << "no NVRTC on this machine: " << forward.problem;
    emit::Source source;
    source.entry = "faulty";
    source.architecture = "gfx1030";
    source.text = "extern \"C\" __global__ void faulty() { nonsense(); }\n";
    try {
        runtime::hip::compile_with_hiprtc(forward, source);
        FAIL() << "nonsense was compiled";
    } catch (const BackendError& error) {
        const std::string what = error.what();
        EXPECT_NE(what.find("nonsense"), std::string::npos) << what;
        EXPECT_NE(what.find(".hip"), std::string::npos) << what;
        EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    }
}

}  // namespace
}  // namespace seiche::test
