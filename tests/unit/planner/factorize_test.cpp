// Factorisations into radices and passes.
#include "planner/shape/factorize.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace {

using namespace seiche::planner;
using Radices = std::vector<std::uint32_t>;

std::uint64_t product(const Radices& radices) {
    return std::accumulate(radices.begin(), radices.end(), std::uint64_t{1}, std::multiplies<>());
}

TEST(Factorize, PowersOfTwoAreEven) {
    EXPECT_EQ(factor_into_radices(64, 16), (Radices{8, 8}));
    EXPECT_EQ(factor_into_radices(4096, 16), (Radices{16, 16, 16}));
    EXPECT_EQ(factor_into_radices(1, 16), (Radices{1}));
    EXPECT_EQ(factor_into_radices(13, 16), (Radices{13}));
}

TEST(Factorize, FewestRadices) {
    EXPECT_EQ(factor_into_radices(1000, 16).size(), 3u);
    EXPECT_EQ(product(factor_into_radices(11 * 13 * 14, 16)), 11u * 13 * 14);
    EXPECT_EQ(factor_into_radices(2187, 16).size(), 4u);
}

TEST(Factorize, AllProductsOfSoMany) {
    EXPECT_EQ(factorizations(12, 6, 2), (std::vector<Radices>{{2, 6}, {3, 4}}));
    EXPECT_EQ(factorizations(34, 32, 2), std::vector<Radices>{}) << "17 is a prime of many operations";
    EXPECT_EQ(factorizations(169, 32, 2), (std::vector<Radices>{{13, 13}}));
    for (const Radices& radices : factorizations(14400, 32, 3)) EXPECT_EQ(product(radices), 14400u);
    EXPECT_EQ(factorizations(14400, 32, 3).size(), 5u);
}

TEST(Factorize, LanesAreFilled) {
    for (const std::uint32_t n : {64u, 128u, 256u, 1024u, 1536u, 4096u}) {
        const Radices radices = factor_for_lanes(n, {16, 16, false});
        ASSERT_FALSE(radices.empty()) << n;
        EXPECT_EQ(product(radices), n);
        EXPECT_TRUE(fills_lanes(n, radices, 16));
    }
    EXPECT_TRUE(factor_for_lanes(1000, {16, 16, false}).empty());
    EXPECT_FALSE(fills_lanes(128, {16, 8}, 16));
}

TEST(Factorize, LanesAreFilledInBothOrders) {
    for (const std::uint32_t n : {256u, 1024u, 2304u, 4096u}) {
        const Radices radices = factor_for_lanes(n, {16, 16, true});
        ASSERT_FALSE(radices.empty()) << n;
        EXPECT_TRUE(fills_lanes(n, radices, 16));
        EXPECT_TRUE(fills_lanes(n, {radices.rbegin(), radices.rend()}, 16));
    }
}

TEST(Factorize, PrimesAboveTheLargestRadixAreRadices) {
    EXPECT_EQ(factor_into_radices(31, 16), (Radices{31}));
    EXPECT_EQ(factor_into_radices(17 * 16, 16), (Radices{17, 16}));
    EXPECT_EQ(factor_into_radices(2 * 29 * 3, 16), (Radices{29, 6}));
}

TEST(Factorize, PassesAreFewAndEven) {
    EXPECT_EQ(split_into_passes(1 << 20, 4096), (Radices{1024, 1024}));
    EXPECT_EQ(split_into_passes(1 << 22, 4096), (Radices{2048, 2048}));
    EXPECT_EQ(split_into_passes(1 << 26, 4096).size(), 3u);
    EXPECT_EQ(split_into_passes(100, 4096), (Radices{100}));
    EXPECT_TRUE(split_into_passes(5003, 4096).empty());
    const Radices passes = split_into_passes(10'000'000, 4096);
    EXPECT_EQ(product(passes), 10'000'000u);
    EXPECT_EQ(passes.size(), 2u);
}

}  // namespace
