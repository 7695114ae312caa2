// Overlap against marking every address.
#include "problem/overlap.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>

namespace seiche::problem {
namespace {

using Layout = std::vector<support::Mode<1>>;

/// Every address, or nothing if one occurs twice.
std::optional<std::set<std::int64_t>> mark(const Layout& layout) {
    std::vector<std::int64_t> addresses{0};
    for (const support::Mode<1>& mode : layout) {
        std::vector<std::int64_t> next;
        for (std::uint64_t i = 0; i < mode.count; ++i)
            for (const std::int64_t a : addresses) next.push_back(a + support::times(i, mode.strides[0]));
        addresses = std::move(next);
    }
    const std::set<std::int64_t> set(addresses.begin(), addresses.end());
    if (set.size() != addresses.size()) return std::nullopt;
    return set;
}

std::uint64_t copies_by_marking(const Layout& layout, std::uint64_t distance, std::uint64_t most) {
    for (std::uint64_t copies = 1; copies < most; ++copies) {
        Layout all = layout;
        all.push_back({copies + 1, {static_cast<std::int64_t>(distance)}});
        if (!mark(all)) return copies;
    }
    return std::numeric_limits<std::uint64_t>::max();
}

TEST(Overlap, AgreesWithMarking) {
    std::mt19937 random(1);
    int overlapping = 0, clear = 0;
    for (int i = 0; i < 1000; ++i) {
        Layout layout(1 + random() % 4);
        for (support::Mode<1>& mode : layout) {
            mode.count = 1 + random() % 5;
            mode.strides[0] = (random() % 2 == 0 ? 1 : -1) * static_cast<std::int64_t>(1 + random() % 30);
        }
        const bool expected = !mark(layout);
        ASSERT_EQ(overlaps(layout), expected);
        ++(expected ? overlapping : clear);
        if (expected) continue;
        const std::uint64_t distance = 1 + random() % 40;
        ASSERT_EQ(copies_without_overlap(layout, distance), copies_by_marking(layout, distance, 150));
    }
    EXPECT_GT(overlapping, 150);
    EXPECT_GT(clear, 150);
}

TEST(Overlap, LargeAndInterleaved) {
    EXPECT_EQ(overlaps({{1u << 20, {1u << 20}}, {1u << 20, {1}}}), false);
    EXPECT_EQ(overlaps({{1u << 20, {(1u << 20) - 1}}, {1u << 20, {1}}}), true);
    EXPECT_EQ(overlaps({{1024, {16384}}, {1024, {16}}}), false);
    EXPECT_EQ(copies_without_overlap({{1024, {16384}}, {1024, {16}}}, 1), 16u);
    EXPECT_EQ(copies_without_overlap({{1024, {1}}}, 1024), std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(copies_without_overlap({{1024, {1}}}, 1023), 1u);
    EXPECT_EQ(overlaps({{1ull << 31, {1ull << 31}}, {1ull << 31, {1}}}), false);
}

}  // namespace
}  // namespace seiche::problem
