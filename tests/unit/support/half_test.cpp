// Halves on the host: every pattern keeps its value, and floats are rounded to the nearest, ties to even.
#include "seiche/half.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace seiche {
namespace {

TEST(Half, EveryPatternComesBack) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        if (std::isnan(from_f16(half)))
            EXPECT_TRUE(std::isnan(from_f16(to_f16(from_f16(half)))));
        else
            EXPECT_EQ(to_f16(from_f16(half)), half);
        if (std::isnan(from_bf16(half)))
            EXPECT_TRUE(std::isnan(from_bf16(to_bf16(from_bf16(half)))));
        else
            EXPECT_EQ(to_bf16(from_bf16(half)), half);
    }
    EXPECT_EQ(from_f16(0x3c00), 1.0f);
    EXPECT_EQ(from_f16(0x7bff), 65504.0f);
    EXPECT_EQ(from_f16(0x0001), 0x1p-24f);
    EXPECT_EQ(from_f16(0xfc00), -std::numeric_limits<float>::infinity());
    EXPECT_EQ(from_bf16(0xc000), -2.0f);
}

/// Between two neighbours: the middle goes to the even one, what is nearer to the nearer one.
template <class To, class From>
void expect_nearest(const To& to, const From& from, std::uint32_t infinity) {
    for (std::uint32_t bits = 0; bits + 1 < infinity; ++bits) {
        const auto low = static_cast<std::uint16_t>(bits), high = static_cast<std::uint16_t>(bits + 1);
        const float a = from(low), b = from(high), middle = a + (b - a) / 2;
        ASSERT_EQ(to(middle), bits % 2 == 0 ? low : high) << bits;
        ASSERT_EQ(to(std::nextafter(middle, b)), high) << bits;
        ASSERT_EQ(to(-std::nextafter(middle, a)), static_cast<std::uint16_t>(low | 0x8000u)) << bits;
    }
}

TEST(Half, RoundsToNearestEven) {
    expect_nearest(to_f16, from_f16, 0x7c00);
    expect_nearest(to_bf16, from_bf16, 0x7f80);
    EXPECT_EQ(to_f16(std::nextafter(65520.0f, 0.0f)), 0x7bff);
    EXPECT_EQ(to_f16(65520.0f), 0x7c00);
    EXPECT_EQ(to_f16(-1e9f), 0xfc00);
    EXPECT_EQ(to_bf16(std::numeric_limits<float>::max()), 0x7f80);
}

}  // namespace
}  // namespace seiche
