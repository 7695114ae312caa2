// Movement-only kernels move every point once each way, compute nothing, and lose nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "ir/analyse.hpp"
#include "ir/optimise.hpp"
#include "kernels/contract/generate.hpp"
#include "run.hpp"

namespace seiche::test {
namespace {

using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::SimdShape;
using kernels::ThreadOrder;

KernelSpec movement(std::uint32_t n, const std::vector<std::uint32_t>& radices) {
    KernelSpec spec;
    spec.n = n;
    spec.radices = radices;
    spec.loops = {{0, n, n}};
    spec.movement_only = true;
    return spec;
}

GroupShape group_shape(std::uint32_t threads, std::uint32_t sequences, std::uint32_t planes) {
    GroupShape shape;
    shape.threads = threads;
    shape.sequences = sequences;
    shape.exchange.components = planes;
    return shape;
}

TEST(Movement, KeepsTheRootsOfRealMaps) {
    for (const Kind kind : {Kind::r2c, Kind::c2r, Kind::dct2, Kind::dct3, Kind::dct4}) {
        KernelSpec spec = movement(64, {8, 8});
        spec.shape = group_shape(8, 4, 2);
        spec.in.elements = kernels::MappedReals{{kind, 128, false, 1, -1}};
        spec.out.elements = spec.in.elements;
        spec.in.set_real(kind != Kind::c2r);
        spec.out.set_real(kind != Kind::r2c);
        EXPECT_NO_THROW(ir::verify(kernels::generate(kernels::complete(spec)))) << to_string(kind);
    }
}

/// Points are numbered by their real parts; imaginary parts are the same, negated.
void expect_permutation(const KernelSpec& spec, std::uint64_t batch) {
    SCOPED_TRACE(kernels::to_string(spec));
    const ir::Kernel kernel = ir::optimise(kernels::generate(kernels::complete(spec)));
    ir::verify(kernel);
    const std::size_t points = kernels::sequences_per_batch(spec) * batch * spec.n;
    std::vector<float> x(2 * points), y(2 * points);
    for (std::size_t i = 0; i < points; ++i) {
        x[2 * i] = static_cast<float>(i + 1);
        x[2 * i + 1] = -x[2 * i];
    }
    ir::Launch launch;
    launch.groups = {static_cast<std::uint32_t>(kernels::groups(spec, batch)), 1, 1};
    launch.buffers = {bound(x), bound(y)};
    launch.scalars = {kernels::sequences_per_batch(spec) * batch};
    const ir::Analysis analysis = ir::analyse(kernel, launch);
    EXPECT_EQ(analysis.flops, 0u);
    EXPECT_EQ(analysis.bytes_read, 8 * points);
    EXPECT_EQ(analysis.bytes_written, 8 * points);
    EXPECT_EQ(analysis.table_bytes_read, 0u);
    EXPECT_EQ(analysis.out_of_bounds + analysis.uninitialised_reads + analysis.shared_races + analysis.global_races,
              0u);
    std::vector<float> re;
    for (std::size_t i = 0; i < points; ++i) {
        EXPECT_EQ(y[2 * i + 1], -y[2 * i]);
        re.push_back(y[2 * i]);
    }
    std::sort(re.begin(), re.end());
    for (std::size_t i = 0; i < points; ++i) ASSERT_EQ(re[i], static_cast<float>(i + 1)) << i;
}

TEST(Movement, OfAGroup) {
    KernelSpec spec = movement(64, {8, 8});
    spec.shape = group_shape(8, 4, 2);
    expect_permutation(spec, 8);
    expect_permutation(spec, 5);  // the last group is not full
    spec.shape = group_shape(8, 4, 1);
    expect_permutation(spec, 8);
    spec = movement(60, {5, 4, 3});
    spec.shape = group_shape(12, 2, 2);  // threads without a butterfly
    expect_permutation(spec, 4);
    spec = movement(12, {1, 4, 3, 1});
    GroupShape flat = group_shape(4, 8, 2);
    flat.load_order = flat.store_order = ThreadOrder::flat;
    spec.shape = flat;
    expect_permutation(spec, 16);
}

TEST(Movement, OfAStridedGroupWithStages) {
    KernelSpec spec = movement(16, {4, 4});
    spec.in.stride = spec.out.stride = 8;
    spec.loops = {{8, 1, 1}, {0, 128, 128}};
    spec.in.stages = {kernels::SwapParts{}, kernels::FourStepTwiddle{128, 0}};
    spec.out.stages = {kernels::SwapParts{}};
    GroupShape shape = group_shape(4, 8, 2);
    shape.load_order = shape.store_order = ThreadOrder::sequence_fastest;
    spec.shape = shape;
    expect_permutation(spec, 3);
}

TEST(Movement, OfASimdKernel) {
    KernelSpec spec = movement(64, {8, 8});
    spec.shape = SimdShape{8, false, 2};
    expect_permutation(spec, 5);
    spec.shape = SimdShape{4, true, 1};
    expect_permutation(spec, 7);  // lanes without a sequence
    spec.shape = SimdShape{1, false, 1};
    expect_permutation(spec, 2);
    spec = movement(15, {5, 3});
    spec.shape = SimdShape{8, true, 1};
    expect_permutation(spec, 16);
}

}  // namespace
}  // namespace seiche::test
