// The CUDA text of every op compiles with NVRTC, with no header, for two architectures and as PTX.
#include <gtest/gtest.h>

#include "every_op.hpp"
#include "ir/verify.hpp"
#include "run_kernel.hpp"
#include "runtime/cuda/nvrtc.hpp"
#include "sample_kernels.hpp"
#include "seiche/error.hpp"

namespace seiche::test {
namespace {

using ir::Scalar;
using ir::Type;

const runtime::cuda::Nvrtc& nvrtc() {
    static const runtime::cuda::Nvrtc loaded = runtime::cuda::load_nvrtc(runtime::cuda::nvrtc_candidates(), 0);
    return loaded;
}

void compile(const ir::Kernel& kernel, const std::string& architecture) {
    emit::Target target;
    target.dialect = emit::Dialect::cuda;
    target.architecture = architecture;
    const emit::Source source = emit::emit(std::make_shared<ir::Kernel>(kernel), target);
    std::string log;
    ASSERT_NO_THROW(runtime::cuda::compile_with_nvrtc(nvrtc(), source, &log)) << log << source.text;
    EXPECT_EQ(log.find("warning"), std::string::npos) << log << source.text;
}

class CudaOps : public testing::TestWithParam<std::tuple<Scalar, unsigned>> {};

TEST_P(CudaOps, compile) {
    if (!nvrtc().problem.empty()) GTEST_SKIP() << nvrtc().problem;
    const ir::Kernel kernel = every_op(Type(std::get<0>(GetParam()), std::get<1>(GetParam()))).kernel;
    for (const char* architecture : {"sm_80", "sm_90", "compute_80"}) compile(kernel, architecture);
}

INSTANTIATE_TEST_SUITE_P(types, CudaOps,
                         testing::Combine(testing::Values(Scalar::f16, Scalar::f32, Scalar::f64, Scalar::i32,
                                                          Scalar::u32, Scalar::u64),
                                          testing::Values(1u, 4u)));

TEST(CudaKernels, with_everything_beyond_arithmetic_compile) {
    if (!nvrtc().problem.empty()) GTEST_SKIP() << nvrtc().problem;
    for (const ir::Kernel& kernel :
         {exchange_kernel(), guarded_kernel(), dynamic_shared_kernel(), half_storage_kernel(), narrow_storage_kernel(),
          subgroup_kernel(), atomic_kernel(), ticket_kernel(), scoped_barriers_kernel(true)}) {
        ir::verify(kernel);
        for (const char* architecture : {"sm_75", "sm_80", "sm_90"}) compile(kernel, architecture);
    }
    for (const ir::Kernel& kernel : {async_kernel(), matrix_kernel()}) {
        ir::verify(kernel);
        for (const char* architecture : {"sm_80", "sm_90"}) compile(kernel, architecture);
    }
    ir::verify(cluster_kernel());
    compile(cluster_kernel(), "sm_90");
}

TEST(CudaKernels, what_a_card_lacks_is_refused_by_name) {
    emit::Target target;
    target.dialect = emit::Dialect::cuda;
    target.architecture = "sm_80";
    try {
        emit::emit(std::make_shared<ir::Kernel>(cluster_kernel()), target);
        FAIL() << "a cluster on sm_80 was accepted";
    } catch (const Unsupported& error) {
        EXPECT_NE(std::string(error.what()).find("sm_90"), std::string::npos) << error.what();
    }
    for (const emit::Dialect dialect :
         {emit::Dialect::opencl, emit::Dialect::hip, emit::Dialect::spirv_vulkan, emit::Dialect::spirv_opencl}) {
        target.dialect = dialect;
        try {
            emit::emit(std::make_shared<ir::Kernel>(scoped_barriers_kernel(true)), target);
            ADD_FAILURE() << "a barrier of a part of a group was accepted";
        } catch (const Unsupported& error) {
            EXPECT_NE(std::string(error.what()).find("part_barrier"), std::string::npos) << error.what();
        }
    }
    target.dialect = emit::Dialect::opencl;
    EXPECT_THROW(emit::emit(std::make_shared<ir::Kernel>(cluster_kernel()), target), Unsupported);
    EXPECT_THROW(emit::emit(std::make_shared<ir::Kernel>(matrix_kernel()), target), Unsupported);
}

TEST(CudaKernels, a_faulty_text_is_reported_with_its_line_and_a_dump) {
    if (!nvrtc().problem.empty()) GTEST_SKIP() << nvrtc().problem;
    emit::Source source;
    source.entry = "faulty";
    source.architecture = "sm_80";
    source.text = "extern \"C\" __global__ void faulty() { nonsense(); }\n";
    try {
        runtime::cuda::compile_with_nvrtc(nvrtc(), source);
        FAIL() << "nonsense was compiled";
    } catch (const BackendError& error) {
        const std::string what = error.what();
        EXPECT_NE(what.find("nonsense"), std::string::npos) << what;
        EXPECT_NE(what.find(".cu"), std::string::npos) << what;
        EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    }
}

TEST(CompilerTarget, is_machine_code_or_the_newest_ptx_before_it) {
    runtime::cuda::Nvrtc known;
    known.architectures = {75, 80, 90};
    EXPECT_EQ(runtime::cuda::compiler_target(known, 80), "sm_80");
    EXPECT_EQ(runtime::cuda::compiler_target(known, 86), "compute_80");
    EXPECT_EQ(runtime::cuda::compiler_target(known, 120), "compute_90");
    EXPECT_EQ(runtime::cuda::compiler_target(known, 70), "");
}

}  // namespace
}  // namespace seiche::test
