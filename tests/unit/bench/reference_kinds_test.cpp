// The judge of real kinds agrees with their definitions in every rank, and orthonormal transforms undo each other.
#include "cli/reference/reference_kinds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace seiche::cli {
namespace {

const std::vector<Kind> real_to_real{Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst2,
                                     Kind::dst3, Kind::dst4, Kind::dht,  Kind::r2hc, Kind::hc2r};

std::uint64_t elements(const std::vector<KindAxis>& axes, bool output) {
    std::uint64_t count = 1;
    for (const KindAxis& axis : axes) count *= output ? axis.output_count() : axis.input_count();
    return count;
}

std::vector<Wide> random_input(const KindShape& shape) {
    bool is_real = false;
    for (const KindAxis& axis : shape.axes) is_real = is_real || (axis.kind != Kind::c2c && axis.kind != Kind::c2r);
    std::mt19937_64 random(11);
    std::uniform_real_distribution<long double> values(-1, 1);
    std::vector<Wide> x(elements(shape.axes, false));
    for (Wide& v : x) {
        const long double re = values(random);
        v = {re, is_real ? 0.0L : values(random)};
    }
    return x;
}

void expect_definition(const KindShape& shape) {
    const std::vector<Wide> x = random_input(shape), got = ReferenceTransform(shape).run(x);
    ASSERT_EQ(got.size(), elements(shape.axes, true));
    for (std::uint64_t flat = 0; flat < got.size(); flat += got.size() / 9 + 1) {
        std::vector<std::uint64_t> bin(shape.axes.size());
        std::uint64_t rest = flat;
        for (std::size_t axis = bin.size(); axis-- > 0; rest /= shape.axes[axis].output_count())
            bin[axis] = rest % shape.axes[axis].output_count();
        const auto get = [&](std::uint64_t j) { return x[j]; };
        const Wide expected = kind_bin(get, shape.axes, bin, shape.direction == Direction::inverse);
        EXPECT_LT(std::abs(got[flat] - expected), 1e-15L * std::sqrt(static_cast<long double>(x.size()))) << flat;
    }
}

TEST(ReferenceTransform, EqualsTheDefinitions) {
    for (const Kind kind : real_to_real)
        for (const std::uint64_t n : {2u, 3u, 4u, 7u, 12u, 101u, 1030u, 2500u}) {
            SCOPED_TRACE(std::string(to_string(kind)) + " " + std::to_string(n));
            expect_definition({{{kind, n}}});
        }
    for (const Kind kind : {Kind::r2c, Kind::c2r})
        for (const std::uint64_t n : {1u, 2u, 3u, 4u, 7u, 12u, 2500u}) {
            SCOPED_TRACE(std::string(to_string(kind)) + " " + std::to_string(n));
            expect_definition({{{kind, n}}, false, kind == Kind::r2c ? Direction::forward : Direction::inverse});
        }
}

TEST(ReferenceTransform, MixesAxes) {
    expect_definition({{{Kind::dct1, 4}, {Kind::dst3, 5}, {Kind::hc2r, 6}}});
    expect_definition({{{Kind::r2c, 6}, {Kind::c2c, 5}}});
    expect_definition({{{Kind::c2c, 5}, {Kind::r2c, 7}, {Kind::c2c, 3}}});
    expect_definition({{{Kind::c2r, 6}, {Kind::c2c, 5}}, false, Direction::inverse});
    expect_definition({{{Kind::c2c, 5}, {Kind::c2r, 7}, {Kind::c2c, 3}}, false, Direction::inverse});
}

/// Long enough for threads, in one line (40009 is a prime, done by Bluestein's convolution) and in several.
TEST(ReferenceTransform, IsTheSameOnAnyNumberOfThreads) {
    for (const KindShape& shape : std::vector<KindShape>{{{{Kind::c2c, 65536}}, false, Direction::inverse},
                                                         {{{Kind::c2c, 40009}}},
                                                         {{{Kind::dct2, 24000}}, true},
                                                         {{{Kind::hc2r, 34000}}},
                                                         {{{Kind::c2c, 3}, {Kind::r2c, 34000}}},
                                                         {{{Kind::dst3, 60}, {Kind::dht, 40}}}}) {
        SCOPED_TRACE(shape.axes.back().length);
        const ReferenceTransform transform(shape);
        const std::vector<Wide> x = random_input(shape), alone = transform.run(x);
        for (const std::size_t workers : {2u, 5u}) EXPECT_EQ(transform.run(x, workers), alone);
    }
}

/// By hand: x = (1, 2, 3).
TEST(ReferenceTransform, HasTheDefinitionsOfTheManual) {
    const auto run = [](Kind kind) { return ReferenceTransform({{{kind, 3}}}).run({1.0L, 2.0L, 3.0L}); };
    const long double root3 = std::sqrt(3.0L);
    EXPECT_NEAR(static_cast<double>(run(Kind::dct1)[1].real()), 1 - 3, 1e-17);            // x0 - x2 + 2 x1 cos(pi/2)
    EXPECT_NEAR(static_cast<double>(run(Kind::dct2)[0].real()), 12, 1e-17);               // 2 (x0 + x1 + x2)
    EXPECT_NEAR(static_cast<double>(run(Kind::dct2)[1].real() + 2 * root3), 0, 1e-17);    // 2 cos(pi/6) (x0 - x2)
    EXPECT_NEAR(static_cast<double>(run(Kind::dct3)[1].real()), 1 - 6, 1e-17);            // x0 + 2 x2 cos(pi)
    EXPECT_NEAR(static_cast<double>(run(Kind::dst2)[2].real()), 2 * (1 - 2 + 3), 1e-17);  // (-1)^j
    EXPECT_NEAR(static_cast<double>(run(Kind::dst3)[1].real()), 2 - 3, 1e-17);            // 2 x0 - x2
    EXPECT_NEAR(static_cast<double>(run(Kind::dst1)[1].real()), 2 - 6, 1e-17);            // 2 x0 - 2 x2
    EXPECT_NEAR(static_cast<double>(run(Kind::dht)[0].real()), 6, 1e-17);
    EXPECT_NEAR(static_cast<double>(run(Kind::r2hc)[2].real() - root3 / 2), 0, 1e-17);  // Im X[1] = -2 s + 3 s
    EXPECT_NEAR(static_cast<double>(run(Kind::hc2r)[0].real()), 1 + 4, 1e-17);          // h0 + 2 h1
}

TEST(ReferenceTransform, OrthonormalTransformsUndoEachOther) {
    for (const Kind kind : real_to_real) {
        if (kind == Kind::r2hc || kind == Kind::hc2r) continue;  // scaled, but not orthogonal
        SCOPED_TRACE(to_string(kind));
        const KindShape shape{{{kind, 6}, {Kind::dct2, 5}}, true};
        const KindShape back{{{inverse_of(kind), 6}, {Kind::dct3, 5}}, true, Direction::inverse};
        const auto x = random_input(shape), y = ReferenceTransform(shape).run(x);
        const auto again = ReferenceTransform(back).run(y);
        long double before = 0, after = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            before += std::norm(x[i]);
            after += std::norm(y[i]);
            EXPECT_LT(std::abs(again[i] - x[i]), 1e-17L);
        }
        EXPECT_LT(std::abs(before - after), 1e-16L);
    }
}

}  // namespace
}  // namespace seiche::cli
