// Vectors of points against the same moves on the host.
#include "kernels/simd/lanes.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "run.hpp"

namespace seiche::test {
namespace {

std::vector<float> counting(std::size_t count) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 1.0f);
    return values;
}

class Interleave : public testing::TestWithParam<std::tuple<unsigned, unsigned>> {};

TEST_P(Interleave, ReadsChunksColumnByColumn) {
    const auto [r, lanes] = GetParam();
    for (unsigned chunk = 1; chunk <= lanes; chunk *= 2) {
        ir::Builder build("interleave");
        const std::uint32_t in = input(build, ir::Scalar::f32), out = output(build, ir::Scalar::f32);
        const ir::Type type(ir::Scalar::f32, lanes);
        std::vector<ir::Value> rows;
        for (unsigned k = 0; k < r; ++k)
            rows.push_back(build.global_load(in, build.integer(ir::Scalar::u64, k * lanes), type));
        rows = kernels::interleave(build, rows, chunk);
        ASSERT_EQ(rows.size(), r);
        for (unsigned k = 0; k < r; ++k) build.global_store(out, build.integer(ir::Scalar::u64, k * lanes), rows[k]);
        std::vector<float> x = counting(std::size_t{r} * lanes), y(x.size());
        run(build.finish(), {bound(x), bound(y)});
        std::vector<float> expected;
        for (unsigned column = 0; column < lanes / chunk; ++column) {
            for (unsigned row = 0; row < r; ++row) {
                for (unsigned l = 0; l < chunk; ++l) expected.push_back(x[row * lanes + column * chunk + l]);
            }
        }
        EXPECT_EQ(y, expected) << "chunk " << chunk;
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Interleave,
                         testing::Combine(testing::Values(1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 12u, 13u, 16u),
                                          testing::Values(2u, 4u, 8u, 16u)));

class Lanes : public testing::TestWithParam<std::tuple<unsigned, unsigned>> {
protected:
    unsigned lanes() const { return std::get<0>(GetParam()); }
    /// A buffer of complex numbers (2) or of their parts (1).
    ir::Type element() const { return {ir::Scalar::f32, std::get<1>(GetParam())}; }
    ir::Value at(ir::Builder& build, std::uint64_t point) const {
        return build.integer(ir::Scalar::u64, point * 2 / element().lanes);
    }
};

TEST_P(Lanes, LoadSeparatesTheParts) {
    ir::Builder build("load");
    const std::uint32_t in = input(build, element()), out = output(build, ir::Scalar::f32);
    const ir::Complex x = kernels::separate(build, kernels::load_pieces(build, in, {at(build, 3), lanes(), {}}));
    build.global_store(out, build.integer(ir::Scalar::u64, 0), x.re);
    build.global_store(out, build.integer(ir::Scalar::u64, lanes()), x.im);
    std::vector<float> memory = counting(2 * (3 + lanes())), parts(2 * lanes());
    run(build.finish(), {bound(memory), bound(parts)});
    for (unsigned l = 0; l < lanes(); ++l) {
        EXPECT_EQ(parts[l], memory[2 * (3 + l)]) << l;
        EXPECT_EQ(parts[lanes() + l], memory[2 * (3 + l) + 1]) << l;
    }
}

TEST_P(Lanes, StorePutsThemTogetherAndTouchesNothingElse) {
    ir::Builder build("store");
    const std::uint32_t in = input(build, ir::Scalar::f32), out = output(build, ir::Type(ir::Scalar::f32, 2));
    const ir::Type type(ir::Scalar::f32, lanes());
    const ir::Value re = build.global_load(in, build.integer(ir::Scalar::u64, 0), type);
    const ir::Value im = build.global_load(in, build.integer(ir::Scalar::u64, lanes()), type);
    const kernels::InterleavedRun run_of_points{build.integer(ir::Scalar::u64, 2), lanes(), {}};
    kernels::store_pieces(build, out, run_of_points, kernels::interleaved(build, {re, im}));
    std::vector<float> parts = counting(2 * lanes()), memory(2 * (2 + lanes() + 1), -1.0f);
    run(build.finish(), {bound(parts), bound(memory)});
    for (unsigned l = 0; l < lanes(); ++l) {
        EXPECT_EQ(memory[2 * (2 + l)], parts[l]) << l;
        EXPECT_EQ(memory[2 * (2 + l) + 1], parts[lanes() + l]) << l;
    }
    for (const std::size_t i : {0u, 1u, 2u, 3u, 2 * (2 + lanes()), 2 * (2 + lanes()) + 1})
        EXPECT_EQ(memory[i], -1.0f) << i;
}

TEST_P(Lanes, ComposeKeepsTheOrder) {
    ir::Builder build("compose");
    const std::uint32_t in = input(build, ir::Scalar::f32), out = output(build, ir::Scalar::f32);
    std::vector<ir::Value> parts;
    for (unsigned l = 0; l < lanes(); ++l) {
        parts.push_back(build.global_load(in, build.integer(ir::Scalar::u64, l), ir::Scalar::f32));
    }
    build.global_store(out, build.integer(ir::Scalar::u64, 0), kernels::compose_lanes(parts));
    std::vector<float> x = counting(lanes()), y(lanes());
    run(build.finish(), {bound(x), bound(y)});
    EXPECT_EQ(y, x);
}

INSTANTIATE_TEST_SUITE_P(Widths, Lanes,
                         testing::Combine(testing::Values(1u, 2u, 4u, 8u, 16u), testing::Values(1u, 2u)));

}  // namespace
}  // namespace seiche::test
