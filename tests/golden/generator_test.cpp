// What the generator makes of a few small specs, in each dialect: kernels as a user reads them.
#include <gtest/gtest.h>

#include "emit/source.hpp"
#include "golden.hpp"
#include "ir/optimise.hpp"
#include "ir/verify.hpp"
#include "kernels/contract/generate.hpp"

namespace seiche::test {
namespace {

using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::SimdShape;
using kernels::ThreadOrder;

// Specs are written out, not planned: a change of policy must not change these texts.
KernelSpec batched(std::uint32_t n, const std::vector<std::uint32_t>& radices, Precision precision) {
    KernelSpec spec;
    spec.name = "forward_0_n" + std::to_string(n);
    spec.precision = precision;
    spec.n = n;
    spec.radices = radices;
    spec.loops = {{0, n, n}};
    return spec;
}

KernelSpec grouped(KernelSpec spec, std::uint32_t threads, std::uint32_t sequences, ThreadOrder order) {
    GroupShape shape;
    shape.threads = threads;
    shape.sequences = sequences;
    shape.load_order = shape.store_order = order;
    spec.shape = shape;
    return spec;
}

std::string text_of(const KernelSpec& spec, emit::Dialect dialect) {
    auto kernel = std::make_shared<ir::Kernel>(ir::optimise(kernels::generate(kernels::complete(spec))));
    ir::verify(*kernel);
    emit::Target target;
    target.dialect = dialect;
    target.architecture = "sm_90";
    if (std::holds_alternative<SimdShape>(spec.shape)) target.widest_access_bytes = 64;
    return emit::emit(kernel, target).text;
}

TEST(GoldenGenerator, Cuda) {
    // One stage between two exchanges that only deal the points to the threads, so that whole sectors move.
    const KernelSpec eight = grouped(batched(8, {1, 8, 1}, Precision::f32), 1, 64, ThreadOrder::flat);
    expect_golden("generator/n8_f32.cu", text_of(eight, emit::Dialect::cuda));
    const KernelSpec sixteen = grouped(batched(16, {4, 4}, Precision::f64), 4, 16, ThreadOrder::element_fastest);
    expect_golden("generator/n16_f64.cu", text_of(sixteen, emit::Dialect::cuda));
    const KernelSpec twelve = grouped(batched(12, {4, 3}, Precision::f32), 4, 16, ThreadOrder::element_fastest);
    expect_golden("generator/n12_f32.cu", text_of(twelve, emit::Dialect::cuda));
}

TEST(GoldenGenerator, CudaInverseColumnsOfAFourStep) {
    KernelSpec spec = grouped(batched(8, {8}, Precision::f32), 1, 64, ThreadOrder::sequence_fastest);
    spec.in.stride = spec.out.stride = 64;
    spec.loops = {{64, 1, 1}, {0, 512, 512}};
    spec.in.stages = {kernels::SwapParts{}, kernels::FourStepTwiddle{512, 0}};
    spec.out.stages = {kernels::Multiply{1.0 / 512}, kernels::SwapParts{}};
    expect_golden("generator/n8_columns_f32.cu", text_of(spec, emit::Dialect::cuda));
}

TEST(GoldenGenerator, OpenCl) {
    const KernelSpec group = grouped(batched(16, {4, 4}, Precision::f32), 4, 16, ThreadOrder::element_fastest);
    expect_golden("generator/n16_f32.cl", text_of(group, emit::Dialect::opencl));
    KernelSpec simd = batched(64, {4, 4, 4}, Precision::f32);
    simd.shape = SimdShape{16, false, 8};
    expect_golden("generator/n64_lanes16_f32.cl", text_of(simd, emit::Dialect::opencl));
}

TEST(GoldenGenerator, HalvesAndPlanes) {
    KernelSpec group = grouped(batched(16, {4, 4}, Precision::f32), 4, 16, ThreadOrder::element_fastest);
    group.in.storage = group.out.storage = Storage::f16;
    expect_golden("generator/n16_f16.cu", text_of(group, emit::Dialect::cuda));
    group.out.storage = Storage::bf16;
    group.out.format = kernels::Format::planar;
    expect_golden("generator/n16_planar_bf16.cu", text_of(group, emit::Dialect::cuda));
    KernelSpec simd = batched(64, {4, 4, 4}, Precision::f32);
    simd.shape = SimdShape{16, false, 8};
    simd.in.storage = simd.out.storage = Storage::f16;
    expect_golden("generator/n64_lanes16_f16.cl", text_of(simd, emit::Dialect::opencl));
    simd.in.storage = simd.out.storage = Storage::same;
    simd.in.format = simd.out.format = kernels::Format::planar;
    expect_golden("generator/n64_lanes16_planar.cl", text_of(simd, emit::Dialect::opencl));
}

// Halves are bit patterns: PTX adds and multiplies them, OpenCL C by its extension.
TEST(GoldenGenerator, HalfArithmetic) {
    const KernelSpec group = grouped(batched(12, {4, 3}, Precision::f16), 4, 16, ThreadOrder::element_fastest);
    expect_golden("generator/n12_f16_arithmetic.cu", text_of(group, emit::Dialect::cuda));
    expect_golden("generator/n12_f16_arithmetic.cl", text_of(group, emit::Dialect::opencl));
    KernelSpec simd = batched(64, {4, 4, 4}, Precision::f16);
    simd.shape = SimdShape{16, false, 8};
    expect_golden("generator/n64_lanes16_f16_arithmetic.cl", text_of(simd, emit::Dialect::opencl));
}

// Two doubles to a number: side by side in memory and tables, in planes in shared memory and scratch.
TEST(GoldenGenerator, DoubleDouble) {
    const KernelSpec group = grouped(batched(4, {2, 2}, Precision::f64x2), 2, 16, ThreadOrder::element_fastest);
    expect_golden("generator/n4_f64x2.cu", text_of(group, emit::Dialect::cuda));
    KernelSpec simd = batched(4, {2, 2}, Precision::f64x2);
    simd.shape = SimdShape{2, false, 8};
    expect_golden("generator/n4_lanes2_f64x2.cl", text_of(simd, emit::Dialect::opencl));
}

}  // namespace
}  // namespace seiche::test
