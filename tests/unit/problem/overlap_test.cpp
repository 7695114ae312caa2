// Overlap against marking every address.
#include "problem/overlap.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>

namespace seiche::problem {
namespace {

/// Every address, or nothing if one occurs twice.
std::optional<std::set<std::uint64_t>> mark(const std::vector<Dimension>& dimensions) {
    std::vector<std::uint64_t> addresses{0};
    for (const Dimension& d : dimensions) {
        std::vector<std::uint64_t> next;
        for (std::uint64_t i = 0; i < d.count; ++i)
            for (const std::uint64_t a : addresses) next.push_back(a + i * d.stride);
        addresses = std::move(next);
    }
    const std::set<std::uint64_t> set(addresses.begin(), addresses.end());
    if (set.size() != addresses.size()) return std::nullopt;
    return set;
}

std::uint64_t copies_by_marking(const std::vector<Dimension>& dimensions, std::uint64_t distance, std::uint64_t most) {
    for (std::uint64_t copies = 1; copies < most; ++copies) {
        std::vector<Dimension> all = dimensions;
        all.push_back({copies + 1, distance});
        if (!mark(all)) return copies;
    }
    return std::numeric_limits<std::uint64_t>::max();
}

TEST(Overlap, AgreesWithMarking) {
    std::mt19937 random(1);
    int overlapping = 0, clear = 0;
    for (int i = 0; i < 1000; ++i) {
        std::vector<Dimension> dimensions(1 + random() % 4);
        for (Dimension& d : dimensions) d = {1 + random() % 5, 1 + random() % 30};
        const bool expected = !mark(dimensions);
        ASSERT_EQ(overlaps(dimensions), expected);
        ++(expected ? overlapping : clear);
        if (expected) continue;
        const std::uint64_t distance = 1 + random() % 40;
        ASSERT_EQ(copies_without_overlap(dimensions, distance), copies_by_marking(dimensions, distance, 150));
    }
    EXPECT_GT(overlapping, 150);
    EXPECT_GT(clear, 150);
}

TEST(Overlap, LargeAndInterleaved) {
    EXPECT_EQ(overlaps({{1u << 20, 1u << 20}, {1u << 20, 1}}), false);
    EXPECT_EQ(overlaps({{1u << 20, (1u << 20) - 1}, {1u << 20, 1}}), true);
    EXPECT_EQ(overlaps({{1024, 16384}, {1024, 16}}), false);
    EXPECT_EQ(copies_without_overlap({{1024, 16384}, {1024, 16}}, 1), 16u);
    EXPECT_EQ(copies_without_overlap({{1024, 1}}, 1024), std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(copies_without_overlap({{1024, 1}}, 1023), 1u);
    EXPECT_EQ(overlaps({{1ull << 31, 1ull << 31}, {1ull << 31, 1}}), false);
}

}  // namespace
}  // namespace seiche::problem
