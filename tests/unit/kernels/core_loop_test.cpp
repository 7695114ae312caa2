// Both runs of a convolution's core as turns of a loop: the same results, bit by bit, of half the text.
#include <gtest/gtest.h>

#include "run_spec.hpp"
#include "seiche/error.hpp"

namespace seiche::test {
namespace {

using kernels::CoreLoop;
using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::UnrolledCore;

constexpr std::uint64_t batch = 5;

/// Bluestein's transform of `length` points.
KernelSpec padded(std::uint32_t length, std::uint32_t n, const std::vector<std::uint32_t>& radices) {
    KernelSpec spec;
    spec.n = n;
    spec.radices = radices;
    spec.loops = {{0, length, length}};
    spec.in.stages = {kernels::Chirp{length}};
    spec.convolution.stages = {kernels::ChirpSpectrum{length, n, 1, -1}, kernels::SwapParts{}};
    spec.out.stages = {kernels::SwapParts{}, kernels::Chirp{length}};
    return spec;
}

/// Rader's of a prime.
KernelSpec of_prime(std::uint32_t prime, const std::vector<std::uint32_t>& radices) {
    KernelSpec spec;
    spec.n = prime - 1;
    spec.convolution.prime = prime;
    spec.radices = radices;
    spec.loops = {{0, prime, prime}};
    spec.convolution.stages = {kernels::RaderSpectrum{prime}, kernels::SwapParts{}};
    spec.out.stages = {kernels::SwapParts{}};
    return spec;
}

void expect_alike(KernelSpec spec, GroupShape shape) {
    shape.form = UnrolledCore{};
    spec.shape = shape;
    const Run apart = run_of(spec, batch);
    shape.form = CoreLoop{};
    spec.shape = shape;
    const Run turns = run_of(spec, batch);
    expect_same_bits(turns, apart, spec);
    EXPECT_EQ(turns.shared_bytes, apart.shared_bytes);
    EXPECT_LT(turns.instructions, apart.instructions) << kernels::to_string(spec);
}

TEST(CoreInLoop, GivesTheSameBits) {
    for (const std::uint32_t planes : {1u, 2u}) {
        for (const std::uint32_t sequences : {1u, 3u}) {
            GroupShape shape;
            shape.exchange.components = planes;
            shape.sequences = sequences;
            shape.threads = 16;
            expect_alike(padded(31, 64, {8, 8}), shape);
            expect_alike(padded(120, 240, {4, 15, 4}), shape);
            expect_alike(padded(113, 256, {16, 16}), shape);
            shape.threads = 7;  // slots that some threads have
            expect_alike(padded(17, 36, {6, 6}), shape);
            expect_alike(of_prime(37, {1, 6, 6, 1}), shape);
            expect_alike(of_prime(73, {1, 3, 8, 3, 1}), shape);
            shape.load_order = shape.store_order = kernels::ThreadOrder::flat;
            expect_alike(of_prime(73, {1, 6, 2, 6, 1}), shape);
        }
    }
}

TEST(CoreInLoop, ReadsOneCopyOfItsTables) {
    KernelSpec spec = padded(120, 240, {4, 15, 4});
    spec.precision = Precision::f64;
    GroupShape shape;
    shape.threads = 16;
    spec.shape = shape;
    const std::uint64_t apart = kernels::table_entries(kernels::tables(spec));
    shape.form = CoreLoop{};
    spec.shape = shape;
    EXPECT_LT(kernels::table_entries(kernels::tables(spec)), apart);
}

TEST(CoreInLoop, IsOfOneText) {
    GroupShape shape;
    shape.threads = 16;
    shape.form = CoreLoop{};
    const auto generate = [&](KernelSpec spec) {
        spec.shape = shape;
        kernels::generate(kernels::complete(spec));
    };
    EXPECT_NO_THROW(generate(padded(31, 64, {4, 4, 4})));
    EXPECT_THROW(generate(padded(31, 64, {2, 8, 4})), InternalError);
    KernelSpec plain = padded(31, 64, {8, 8});
    plain.in.stages = plain.convolution.stages = plain.out.stages = {};
    plain.loops = {{0, 64, 64}};
    EXPECT_THROW(generate(plain), InternalError) << "there is one run";
}

}  // namespace
}  // namespace seiche::test
