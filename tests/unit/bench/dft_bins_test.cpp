// Single bins agree with the whole reference transform, in any rank and beyond one block of the tables.
#include "cli/reference/dft_bins.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "cli/reference/quad.hpp"
#include "cli/reference/reference_dft.hpp"

namespace seiche::cli {
namespace {

TEST(DftBins, EqualTheWholeTransform) {
    for (const std::vector<std::uint64_t>& shape :
         {std::vector<std::uint64_t>{1}, {2500}, {3, 5}, {4, 3, 1030}, {7, 1, 2, 9}}) {
        std::size_t total = 1;
        for (const auto n : shape) total *= n;
        std::mt19937_64 random(5);
        std::uniform_real_distribution<float> values(-1, 1);
        std::vector<std::complex<float>> x(total);
        for (auto& v : x) v = {values(random), values(random)};
        for (const Direction direction : {Direction::forward, Direction::inverse}) {
            const auto whole = reference_dft(std::vector<Wide>(x.begin(), x.end()), shape, {}, direction);
            for (std::size_t flat = 0; flat < total; flat += total / 7 + 1) {
                std::vector<std::uint64_t> bin(shape.size());
                std::size_t rest = flat;
                for (std::size_t axis = shape.size(); axis-- > 0; rest /= shape[axis]) bin[axis] = rest % shape[axis];
                const Wide got = dft_bin(x.data(), shape, bin, direction == Direction::inverse);
                EXPECT_LT(std::abs(got - whole[flat]), 1e-15L) << total << ", bin " << flat;
            }
        }
    }
}

TEST(DftBins, RootsAreExactAtTheQuartersAndFarOut) {
    EXPECT_EQ(root_of_unity(0, 12), (std::complex<long double>{1, 0}));
    EXPECT_EQ(root_of_unity(3, 12), (std::complex<long double>{0, -1}));
    EXPECT_EQ(root_of_unity(6, 12), (std::complex<long double>{-1, 0}));
    EXPECT_EQ(root_of_unity(9, 12), (std::complex<long double>{0, 1}));
    const std::uint64_t n = std::uint64_t{1} << 40;
    const auto w = root_of_unity(n / 8 * 3, n);
    EXPECT_LT(std::abs(w + std::numbers::sqrt2_v<long double> / 2 * Wide{1, 1}), 1e-18L);
}

#ifdef __SIZEOF_FLOAT128__
// Products of roots are roots again: what is wrong with one shows.
TEST(DftBins, QuadRootsHaveAllTheirBits) {
    for (const std::uint64_t n : {7ull, 1000ull, 1ull << 40}) {
        for (std::uint64_t k = 1; k < 1000; k *= 3) {
            const std::complex<Quad> w = root_of_unity<Quad>(k, n), v = root_of_unity<Quad>(2 * k + 1, n);
            const std::complex<Quad> far = w * v - root_of_unity<Quad>(3 * k + 1, n);
            EXPECT_LT(static_cast<double>(std::norm(far)), 0x1p-216) << k << "/" << n;
            const std::complex<long double> narrow = root_of_unity(k, n);
            EXPECT_LT(std::abs(narrow.real() - static_cast<long double>(w.real())), 0x1p-62L) << k << "/" << n;
            EXPECT_LT(std::abs(narrow.imag() - static_cast<long double>(w.imag())), 0x1p-62L) << k << "/" << n;
        }
    }
}
#endif

}  // namespace
}  // namespace seiche::cli
