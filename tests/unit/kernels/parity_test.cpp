// The even and the odd part of a prime's sequence as two convolutions: the transform, in whatever shape of a group.
#include <gtest/gtest.h>

#include <complex>
#include <numbers>

#include "run_spec.hpp"
#include "seiche/error.hpp"

namespace seiche::test {
namespace {

using kernels::CoreLoop;
using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::UnrolledCore;

constexpr std::uint64_t batch = 5;

KernelSpec of_prime(std::uint32_t prime, const std::vector<std::uint32_t>& radices) {
    KernelSpec spec;
    spec.n = 1;
    for (const std::uint32_t radix : radices) spec.n *= radix;
    spec.convolution.prime = prime;
    spec.radices = radices;
    spec.loops = {{0, prime, prime}};
    spec.convolution.stages = {kernels::RaderSpectrum{prime, spec.n}};
    return spec;
}

/// The direct sum of run_of's input.
std::vector<std::complex<double>> direct(std::uint32_t n) {
    std::vector<std::complex<double>> x(batch * n), y(batch * n);
    const auto number = [](std::size_t i) {
        return static_cast<double>(static_cast<float>((i * 7919 + 13) % 1009) / 1009 - 0.5f);
    };
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = {number(2 * i), number(2 * i + 1)};
    for (std::size_t q = 0; q < batch; ++q)
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j < n; ++j)
                y[q * n + k] += x[q * n + j] * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * k % n) /
                                                                   static_cast<double>(n));
    return y;
}

void expect_transform(KernelSpec spec, const GroupShape& shape) {
    spec.shape = shape;
    SCOPED_TRACE(kernels::to_string(spec));
    const Run run = run_of(spec, batch);
    const std::vector<std::complex<double>> expected = direct(spec.convolution.prime);
    double fault = 0, energy = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::complex<double> y(run.results[2 * i], run.results[2 * i + 1]);
        fault += std::norm(y - expected[i]);
        energy += std::norm(expected[i]);
    }
    EXPECT_LT(std::sqrt(fault / energy), 4e-7);
}

TEST(Parity, IsTheTransformInEveryShape) {
    for (const std::uint32_t planes : {1u, 2u}) {
        for (const std::uint32_t sequences : {1u, 3u}) {
            for (const bool in_shared : {false, true}) {
                GroupShape shape;
                shape.exchange.components = planes;
                shape.sequences = sequences;
                shape.threads = 8;
                shape.exchange.holds_parity = in_shared;
                expect_transform(of_prime(37, {1, 5, 7, 1}), shape);   // no point more than there must be
                expect_transform(of_prime(37, {1, 8, 8, 1}), shape);   // legs of nothing but padding
                expect_transform(of_prime(31, {1, 30, 1}), shape);     // as many as the prime has beside point 0
                expect_transform(of_prime(53, {1, 4, 15, 1}), shape);  // legs that are points and padding
                shape.threads = 7;                                     // slots that some threads have
                expect_transform(of_prime(73, {1, 6, 2, 6, 1}), shape);
                shape.form = CoreLoop{};
                expect_transform(of_prime(73, {1, 6, 2, 6, 1}), shape);
                expect_transform(of_prime(47, {1, 7, 7, 1}), shape);
                shape.load_order = shape.store_order = kernels::ThreadOrder::flat;
                shape.exchange.whole_points = planes == 2;
                expect_transform(of_prime(47, {1, 7, 7, 1}), shape);
                shape.exchange.padding = 16;
                expect_transform(of_prime(59, {1, 4, 4, 4, 1}), shape);
                shape.form = UnrolledCore{};
                expect_transform(of_prime(59, {1, 4, 4, 4, 1}), shape);
            }
        }
    }
}

TEST(Parity, HasHalfOfTheWholesPointsInSharedMemory) {
    GroupShape shape;
    shape.threads = 16;
    KernelSpec parity = of_prime(127, {1, 8, 16, 1});
    parity.shape = shape;
    KernelSpec whole = parity;
    whole.convolution.prime = 0;
    whole.n = 256;
    whole.radices = {16, 16};
    whole.in.stages = {kernels::Chirp{127}};
    whole.convolution.stages = {kernels::ChirpSpectrum{127, 256, 1, -1}, kernels::SwapParts{}};
    whole.out.stages = {kernels::SwapParts{}, kernels::Chirp{127}};
    whole.shape = shape;
    EXPECT_LT(run_of(parity, 1).shared_bytes, run_of(whole, 1).shared_bytes * 2 / 3);
}

TEST(Parity, IsOfAPrimeInAGroup) {
    GroupShape shape;
    shape.threads = 16;
    const auto generate = [](KernelSpec spec, const auto& of) {
        spec.shape = of;
        kernels::generate(kernels::complete(spec));
    };
    EXPECT_NO_THROW(generate(of_prime(37, {1, 5, 7, 1}), shape));
    EXPECT_THROW(generate(of_prime(37, {1, 4, 8, 1}), shape), InternalError) << "two points too few";
    EXPECT_THROW(generate(of_prime(37, {1, 5, 7, 1}), kernels::SimdShape{}), InternalError);
    shape.exchange.chunks = 5;
    EXPECT_THROW(generate(of_prime(37, {1, 5, 5, 5, 1}), shape), InternalError);
}

}  // namespace
}  // namespace seiche::test
