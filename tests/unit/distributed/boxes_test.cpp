// Boxes: how arrays are cut, and what is refused.
#include <gtest/gtest.h>

#include "case.hpp"
#include "says.hpp"
#include "seiche/distributed/box.hpp"

namespace seiche::distributed::test {
namespace {

using Numbers = std::vector<std::uint64_t>;

TEST(Boxes, OfSlabsDifferByOneElementAtMost) {
    const std::vector<Box> boxes = slab({7, 3}, 0, 3);
    ASSERT_EQ(boxes.size(), 3u);
    EXPECT_EQ(boxes[0], (Box{{0, 0}, {3, 3}}));
    EXPECT_EQ(boxes[1], (Box{{3, 0}, {5, 3}}));
    EXPECT_EQ(boxes[2], (Box{{5, 0}, {7, 3}}));
    EXPECT_EQ(slab({7, 3}, -2, 3), boxes);
}

TEST(Boxes, OfMoreRanksThanElementsAreEmpty) {
    const std::vector<Box> boxes = slab({4, 2}, 1, 5);
    EXPECT_EQ(boxes[1], (Box{{0, 1}, {4, 2}}));
    for (std::size_t rank = 2; rank < 5; ++rank) EXPECT_TRUE(boxes[rank].empty());
    check_boxes({4, 2}, boxes, "boxes");
}

TEST(Boxes, OfPencilsRunOverTheAxesAsGiven) {
    const std::vector<Box> boxes = pencils({4, 6, 5}, {0, 1}, 2, 3), turned = pencils({4, 6, 5}, {1, 0}, 3, 2);
    EXPECT_EQ(boxes[1], (Box{{0, 2, 0}, {2, 4, 5}}));
    EXPECT_EQ(boxes[3], (Box{{2, 0, 0}, {4, 2, 5}}));
    EXPECT_EQ(turned[1], (Box{{2, 0, 0}, {4, 2, 5}}));  // axis 0 fastest
    EXPECT_EQ(turned[2], (Box{{0, 2, 0}, {2, 4, 5}}));
    check_boxes({4, 6, 5}, turned, "boxes");
}

TEST(Boxes, OfBricksAreCutAlongThreeAxes) {
    const std::vector<Box> boxes = bricks({4, 4, 4}, {0, 1, 2}, 2, 2, 2);
    EXPECT_EQ(boxes[5], (Box{{2, 0, 2}, {4, 2, 4}}));
    check_boxes({4, 4, 4}, boxes, "boxes");
}

TEST(Boxes, CutAtRandomHaveEachElementOnce) {
    Random random(7);
    for (int round = 0; round < 200; ++round) {
        const Numbers lengths{1 + random.below(9), 1 + random.below(9), random.below(5)};
        std::vector<Box> boxes = random_boxes(random, lengths, 1 + static_cast<int>(random.below(9)));
        check_boxes(lengths, boxes, "boxes");
        for (Box& box : boxes) {  // one element more, or one less, is found
            if (box.empty()) continue;
            const std::size_t axis = random.below(3);
            Box& changed = box;
            if (random.once_in(2) && changed.upper[axis] < lengths[axis])
                ++changed.upper[axis];
            else
                --changed.upper[axis];
            EXPECT_NE(refusal([&] { check_boxes(lengths, boxes, "boxes"); }), "accepted");
            break;
        }
    }
}

TEST(Boxes, ThatMakeNoSenseAreRefused) {
    const auto says = [](const std::vector<Box>& boxes) {
        return refusal([&] { check_boxes({4, 4}, boxes, "boxes"); });
    };
    EXPECT_EQ(
        says({{{0, 0}, {2, 4}}, {{1, 0}, {4, 4}}}),
        "InvalidProblem: boxes: expected boxes apart, got [0..2) x [0..4) of rank 0 and [1..4) x [0..4) of rank 1");
    EXPECT_EQ(says({{{0, 0}, {2, 4}}, {{3, 0}, {4, 4}}}),
              "InvalidProblem: boxes: expected boxes with all 16 elements, got 12 of them");
    EXPECT_EQ(says({{{0, 0}, {4, 5}}}),
              "InvalidProblem: boxes[0]: expected lower <= upper <= 4 along axis 1, got [0..4) x [0..5)");
    EXPECT_EQ(says({{{0}, {4}}}), "InvalidProblem: boxes[0]: expected 2 axes, got 1 lower and 1 upper bounds");
    EXPECT_EQ(says({{{0, 0}, {4, 4}, {4}}}), "InvalidProblem: boxes[0]: expected 2 strides or none, got 1");
    EXPECT_EQ(says({{{0, 0}, {4, 4}, {4, 0}}}), "InvalidProblem: boxes[0]: expected strides of at least 1, got 0");
    EXPECT_EQ(refusal([] { slab({4, 4}, 2, 2); }), "InvalidProblem: axis: expected one of the 2 axes, got 2");
    EXPECT_EQ(refusal([] { slab({4, 4}, 0, 0); }), "InvalidProblem: parts: expected at least 1, got 0");
    EXPECT_EQ(refusal([] {
                  pencils({4, 4}, {0, -2}, 2, 2);
              }),
              "InvalidProblem: axes: expected each once, got axis -2 twice");
    EXPECT_EQ(refusal([] { pencils({4, 4}, {0}, 2, 2); }), "InvalidProblem: axes: expected 2, got 1");
    EXPECT_EQ(refusal([] { grid({4, 4}, {2}); }), "InvalidProblem: parts: expected a number for each of 2 axes, got 1");
}

}  // namespace
}  // namespace seiche::distributed::test
