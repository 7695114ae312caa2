// Butterflies against sums in extended precision, and what the common ones cost.
#include "kernels/butterfly.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <random>

#include "ir/optimise.hpp"
#include "kernels/group/prime_loop.hpp"
#include "run.hpp"

namespace seiche::test {
namespace {

using Wide = std::complex<long double>;

std::complex<double> root(long double turns) {
    const long double angle = -2 * std::acos(-1.0L) * turns;
    return {static_cast<double>(std::cos(angle)), static_cast<double>(std::sin(angle))};
}

/// What merged_butterfly takes for w = exp(-2 pi i turns).
kernels::Factors factors(ir::Builder& build, ir::Scalar scalar, std::uint32_t r, long double turns) {
    return [=, &build](std::size_t row) {
        const std::size_t n = row == 0 ? 2 : 4 * std::bit_floor(row), k = row == 0 ? 0 : row - n / 4;
        const std::complex<double> w = root((turns * r + k) / n);
        return build.complex_constant(scalar, w.real(), w.imag());
    };
}

/// How a thread transforms its points, and times powers of exp(-2 pi i turns), if that is not 0.
struct Way {
    kernels::Products products = kernels::Products::fused;
    long double turns = 0;
};

/// One thread transforms r neighbouring points.
ir::Kernel butterfly_kernel(std::uint32_t r, ir::Scalar scalar, std::uint32_t threads, const Way& way = {}) {
    ir::Builder build("butterfly");
    build.kernel().launch.group = {threads, 1, 1};
    const ir::Type complex = ir::Type(scalar, 2);
    const std::uint32_t in = input(build, complex), out = output(build, complex);
    const ir::Value first = build.convert(build.thread_id() * std::uint64_t{r}, ir::Scalar::u64);
    std::vector<ir::Complex> x;
    for (std::uint64_t j = 0; j < r; ++j) {
        const ir::Value point = build.global_load(in, first + j, complex);
        const ir::Value re = build.extract(point, 0);
        x.push_back({re, build.extract(point, 1)});
    }
    const std::vector<ir::Complex> y = way.turns == 0
                                           ? kernels::butterfly(build, x, way.products)
                                           : kernels::merged_butterfly(build, x, factors(build, scalar, r, way.turns));
    for (std::uint64_t k = 0; k < r; ++k) build.global_store(out, first + k, build.compose({y[k].re, y[k].im}));
    return ir::optimise(build.finish());
}

template <class Real>
std::vector<std::complex<Real>> random_points(std::size_t count) {
    std::mt19937_64 engine(count);
    std::uniform_real_distribution<Real> uniform(-1, 1);
    std::vector<std::complex<Real>> x(count);
    for (std::complex<Real>& point : x) {
        const Real re = uniform(engine);
        point = {re, uniform(engine)};
    }
    return x;
}

/// Each of its threads transforms r neighbouring points.
template <class Real>
void expect_sums(std::uint32_t r, std::uint32_t transforms, const ir::Kernel& kernel, long double unit,
                 const Way& way = {}) {
    std::vector<std::complex<Real>> x = random_points<Real>(std::size_t{r} * transforms), y(x.size());
    run(kernel, {bound(x), bound(y)});
    long double difference = 0, size = 0;
    for (std::uint32_t t = 0; t < transforms; ++t) {
        for (std::uint32_t k = 0; k < r; ++k) {
            Wide sum;
            for (std::uint32_t j = 0; j < r; ++j) {
                const long double angle =
                    -2 * std::acos(-1.0L) * ((j * k % r) / static_cast<long double>(r) + j * way.turns);
                sum += Wide(x[t * r + j]) * Wide(std::cos(angle), std::sin(angle));
            }
            difference += std::norm(Wide(y[t * r + k]) - sum);
            size += std::norm(sum);
        }
    }
    EXPECT_LT(std::sqrt(difference / size), unit * std::sqrt(std::log2(static_cast<long double>(r))));
}

template <class Real>
void expect_transform(std::uint32_t r, ir::Scalar scalar, long double unit, const Way& way = {}) {
    constexpr std::uint32_t transforms = 64;
    expect_sums<Real>(r, transforms, butterfly_kernel(r, scalar, transforms, way), unit, way);
}

class Butterfly : public testing::TestWithParam<std::uint32_t> {};

TEST_P(Butterfly, EqualsTheSumF32) { expect_transform<float>(GetParam(), ir::Scalar::f32, 0x1p-24L); }
TEST_P(Butterfly, EqualsTheSumF64) { expect_transform<double>(GetParam(), ir::Scalar::f64, 0x1p-53L); }
TEST_P(Butterfly, EqualsTheSumWithProductsApart) {
    expect_transform<float>(GetParam(), ir::Scalar::f32, 0x1p-24L, {kernels::Products::apart});
}

INSTANTIATE_TEST_SUITE_P(Radices, Butterfly,
                         testing::Values(2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 10u, 11u, 12u, 13u, 14u, 15u, 16u, 25u, 27u,
                                         32u, 49u));

TEST(MergedButterfly, EqualsTheSum) {
    for (const std::uint32_t r : {2u, 4u, 8u, 16u, 32u, 64u}) {
        expect_transform<float>(r, ir::Scalar::f32, 0x1p-24L, {.turns = 0.0371L});
        expect_transform<double>(r, ir::Scalar::f64, 0x1p-53L, {.turns = -0.43L});
    }
}

TEST(Butterfly, OfOnePointIsThePoint) {
    std::vector<std::complex<float>> x = random_points<float>(4), y(4);
    run(butterfly_kernel(1, ir::Scalar::f32, 4), {bound(x), bound(y)});
    EXPECT_EQ(x, y);
}

/// One thread transforms a prime of neighbouring points, in a loop over its results.
ir::Kernel loop_kernel(std::uint32_t n, ir::Scalar scalar, std::uint32_t threads, std::uint32_t pairs) {
    ir::Builder build("prime_loop");
    build.kernel().launch.group = {threads, 1, 1};
    const ir::Type complex = ir::Type(scalar, 2);
    const std::uint32_t in = input(build, complex), out = output(build, complex);
    const ir::Value first = build.convert(build.thread_id() * std::uint64_t{n}, ir::Scalar::u64);
    std::vector<kernels::Parts> x;
    for (std::uint64_t j = 0; j < n; ++j) {
        const ir::Value point = build.global_load(in, first + j, complex);
        x.push_back({build.extract(point, 0), build.extract(point, 1)});
    }
    const auto put = [&](ir::Value k, const ir::Value& re, const ir::Value& im) {
        build.global_store(out, first + build.convert(k, ir::Scalar::u64), build.compose({re, im}));
    };
    kernels::prime_in_loop(
        build, x, pairs,
        [&](ir::Value k, const kernels::Parts& even, const kernels::Parts& odd) {
            put(k, even[0] - odd[1], even[1] + odd[0]);
            put(build.integer(ir::Scalar::u32, n) - k, even[0] + odd[1], even[1] - odd[0]);
        },
        [&](const kernels::Parts& sum) { put(build.integer(ir::Scalar::u32, 0), sum[0], sum[1]); });
    return ir::optimise(build.finish());
}

TEST(PrimeLoop, EqualsTheSum) {
    for (const std::uint32_t n : {5u, 7u, 13u, 37u, 59u, 61u, 113u, 127u}) {
        const std::uint32_t most = kernels::doubles_pairs(n) ? (n - 1) / 4 : (n - 1) / 2;
        for (const std::uint32_t pairs : {1u, 2u, 5u, most}) {
            if (pairs > most) continue;
            SCOPED_TRACE(std::to_string(n) + " points, " + std::to_string(pairs) + " pairs");
            constexpr std::uint32_t threads = 16;
            expect_sums<float>(n, threads, loop_kernel(n, ir::Scalar::f32, threads, pairs), 0x1p-24L);
            expect_sums<double>(n, threads, loop_kernel(n, ir::Scalar::f64, threads, pairs), 0x1p-53L);
        }
    }
}

/// The text of a turn, whatever the turns.
TEST(PrimeLoop, HasTheTextOfItsPairs) {
    const auto operations = [](std::uint32_t n, std::uint32_t pairs) {
        std::size_t count = 0;
        for (const ir::Instruction& i : loop_kernel(n, ir::Scalar::f32, 1, pairs).code)
            count += i.type.is_float() && (i.op == ir::Op::mad || i.op == ir::Op::mul);
        return count;
    };
    EXPECT_EQ(operations(59, 1), 4u * 29);
    EXPECT_EQ(operations(59, 5), 5u * 4 * 29);
    EXPECT_EQ(operations(61, 1), 4u * 15 + 2 * 2 * 30);
}

struct Cost {
    std::size_t adds = 0, muls = 0, mads = 0, negations = 0;
    bool operator==(const Cost&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const Cost& c) {
        return out << c.adds << " adds, " << c.muls << " muls, " << c.mads << " mads, " << c.negations << " negations";
    }
};

Cost cost(std::uint32_t r, const Way& way = {}) {
    Cost cost;
    for (const ir::Instruction& i : butterfly_kernel(r, ir::Scalar::f32, 1, way).code) {
        if (!i.type.is_float()) continue;
        cost.adds += i.op == ir::Op::add || i.op == ir::Op::sub;
        cost.muls += i.op == ir::Op::mul;
        cost.mads += i.op == ir::Op::mad || i.op == ir::Op::fma;
        cost.negations += i.op == ir::Op::neg;
    }
    return cost;
}

// Four operations a pair of points where the factor is 1 or -i, six elsewhere; the textbook's 52 + 4 and 144 + 24
// additions and multiplications are 56 and 168.
TEST(Butterfly, CostsFourOrSixOperationsAPair) {
    EXPECT_EQ(cost(2), (Cost{4, 0, 0, 0}));
    EXPECT_EQ(cost(4), (Cost{16, 0, 0, 0}));
    EXPECT_EQ(cost(8), (Cost{44, 0, 8, 0}));
    EXPECT_EQ(cost(16), (Cost{100, 0, 48, 0}));
    EXPECT_EQ(cost(2, {.turns = 0.1L}), (Cost{0, 0, 6, 2}));
    EXPECT_EQ(cost(16, {.turns = 0.1L}), (Cost{0, 0, 192, 64}));  // signs are free where they are an operand's
}

TEST(Butterfly, CostsTheTextbooksWithProductsApart) {
    EXPECT_EQ(cost(8, {kernels::Products::apart}), (Cost{52, 4, 0, 0}));
    EXPECT_EQ(cost(16, {kernels::Products::apart}), (Cost{136, 16, 8, 0}));
}

}  // namespace
}  // namespace seiche::test
