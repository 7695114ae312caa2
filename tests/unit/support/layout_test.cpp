// The laws of the layout algebra, on layouts drawn by a seed.
#include "support/layout.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "support/loop.hpp"

namespace seiche::support {
namespace {

constexpr int draws = 2000;

/// Where index `index` lies in each array, by definition.
template <std::size_t N>
std::array<std::int64_t, N> place(const std::vector<Mode<N>>& layout, std::uint64_t index) {
    std::array<std::int64_t, N> sum{};
    for (const Mode<N>& mode : layout) {
        for (std::size_t a = 0; a < N; ++a) sum[a] += static_cast<std::int64_t>(index % mode.count) * mode.strides[a];
        index /= mode.count;
    }
    return sum;
}

/// Up to four modes of few indices, of which some continue others.
template <std::size_t N>
std::vector<Mode<N>> draw(std::mt19937& engine) {
    const auto number = [&](std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(engine);
    };
    std::vector<Mode<N>> layout(static_cast<std::size_t>(number(1, 4)));
    for (std::size_t i = 0; i < layout.size(); ++i) {
        layout[i].count = static_cast<std::uint64_t>(number(1, 6));
        const bool is_next = i > 0 && number(0, 2) == 0;
        for (std::size_t a = 0; a < N; ++a)
            layout[i].strides[a] =
                is_next ? static_cast<std::int64_t>(layout[i - 1].count) * layout[i - 1].strides[a] : number(-12, 12);
    }
    return layout;
}

/// Modes whose places are dense, in any order.
std::vector<Mode<1>> draw_dense(std::mt19937& engine) {
    std::vector<Mode<1>> layout = draw<1>(engine);
    const std::vector<std::int64_t> strides = dense_strides(layout);
    for (std::size_t i = 0; i < layout.size(); ++i) layout[i].strides[0] = strides[i];
    std::shuffle(layout.begin(), layout.end(), engine);
    return layout;
}

TEST(Layout, CoalescingKeepsEveryPlaceAndLeavesNothingToMerge) {
    std::mt19937 engine(1);
    int merged = 0;
    for (int draw_number = 0; draw_number < draws; ++draw_number) {
        const std::vector<Mode<2>> layout = draw<2>(engine);
        std::vector<Mode<2>> fewer = layout;
        coalesce(fewer);
        ASSERT_EQ(size(fewer), size(layout));
        for (std::uint64_t i = 0; i < size(layout); ++i) ASSERT_EQ(place(fewer, i), place(layout, i)) << draw_number;
        for (std::size_t k = 0; k + 1 < fewer.size(); ++k) EXPECT_FALSE(continues(fewer[k], fewer[k + 1]));
        merged += fewer.size() < layout.size();
    }
    EXPECT_GT(merged, draws / 10);
}

TEST(Layout, PartsOfADivisionSumToThePlace) {
    std::mt19937 engine(2);
    int divided = 0;
    for (int draw_number = 0; draw_number < draws; ++draw_number) {
        const std::vector<Mode<2>> layout = draw<2>(engine);
        const std::uint64_t all = size(layout);
        for (std::uint64_t n = 1; n <= all; ++n) {
            const auto parts = divide(layout, n);
            if (!parts) continue;
            ++divided;
            ASSERT_EQ(size(parts->first), n);
            ASSERT_EQ(size(parts->second) * n, all);
            for (std::uint64_t index = 0; index < all; ++index) {
                auto sum = place(parts->first, index % n);
                for (std::size_t a = 0; a < 2; ++a) sum[a] += place(parts->second, index / n)[a];
                ASSERT_EQ(sum, place(layout, index)) << "draw " << draw_number << ", n = " << n;
            }
        }
        EXPECT_TRUE(divide(layout, all)) << "the whole is always a part";
    }
    EXPECT_GT(divided, 3 * draws);
    EXPECT_FALSE(divide(std::vector<Mode<1>>{{6, {1}}}, 4)) << "4 ends within 6";
    EXPECT_FALSE(divide(std::vector<Mode<1>>{{6, {1}}}, 12)) << "there are no 12";
}

TEST(Layout, LoopsAreModesOfTwoArraysUnlessTheyHaveGaps) {
    const Loop inner{3, 2, -5}, outer{4, 6, -15}, others{4, 6, 15}, with_gap{4, 6, -15, {{1, 1}}};
    std::vector<Loop> loops{inner, outer, others};
    coalesce(loops);
    EXPECT_EQ(loops, (std::vector<Loop>{{12, 2, -5}, others}));
    const auto parts = divide(loops, 6);
    ASSERT_TRUE(parts);
    EXPECT_EQ(parts->first, (std::vector<Loop>{{6, 2, -5}}));
    EXPECT_EQ(parts->second, (std::vector<Loop>{{2, 12, -30}, others}));
    EXPECT_EQ(in_array(loops, 1), (std::vector<Mode<1>>{{12, {-5}}, {4, {15}}}));
    loops = {inner, with_gap};
    coalesce(loops);
    EXPECT_EQ(loops, (std::vector<Loop>{inner, with_gap}));
    EXPECT_FALSE(divide(loops, 3));
    EXPECT_FALSE(is_affine(loops));
}

TEST(Layout, DenseOnesHaveEveryPlaceOnce) {
    std::mt19937 engine(4);
    for (int draw_number = 0; draw_number < draws; ++draw_number) {
        const bool is_made_dense = draw_number % 2 == 0;
        const std::vector<Mode<1>> layout = is_made_dense ? draw_dense(engine) : draw<1>(engine);
        std::set<std::int64_t> places;
        for (std::uint64_t i = 0; i < size(layout); ++i) places.insert(place(layout, i)[0]);
        const auto all = static_cast<std::int64_t>(size(layout));
        const bool has_every =
            static_cast<std::int64_t>(places.size()) == all && *places.begin() == 0 && *places.rbegin() == all - 1;
        EXPECT_EQ(is_dense(layout), has_every) << draw_number;
        EXPECT_TRUE(has_every || !is_made_dense);
    }
}

TEST(Layout, DenseStridesKeepTheOrderInMemory) {
    std::mt19937 engine(5);
    for (int draw_number = 0; draw_number < draws; ++draw_number) {
        const std::vector<Mode<1>> layout = draw<1>(engine);
        const std::vector<std::int64_t> strides = dense_strides(layout);
        std::vector<Mode<1>> packed = layout;
        for (std::size_t i = 0; i < layout.size(); ++i) packed[i].strides[0] = strides[i];
        EXPECT_TRUE(is_dense(packed));
        for (std::size_t i = 0; i < layout.size(); ++i)
            for (std::size_t k = 0; k < layout.size(); ++k)
                EXPECT_TRUE(!is_closer(layout[i].strides[0], layout[k].strides[0]) || strides[i] <= strides[k])
                    << draw_number;
    }
}

}  // namespace
}  // namespace seiche::support
