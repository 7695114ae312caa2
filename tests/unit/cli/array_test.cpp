// Shapes: numpy's meaning of axes, cropping and padding.
#include "cli/device/array.hpp"

#include <gtest/gtest.h>

#include "cli/text/failure.hpp"

namespace seiche::cli {
namespace {

TEST(Array, ResolvesAxes) {
    EXPECT_EQ(resolve_axes({}, 3), (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(resolve_axes({-1, 0}, 3), (std::vector<int>{2, 0}));
    EXPECT_THROW(resolve_axes({3}, 3), UsageError);
    EXPECT_THROW(resolve_axes({-4}, 3), UsageError);
    EXPECT_THROW(resolve_axes({2, -1}, 3), UsageError);
    EXPECT_THROW(resolve_axes({0}, 0), UsageError);
}

TEST(Array, ReadsLengths) {
    EXPECT_EQ(resized_shape({10, 17, 34}, {1, 2}, ""), (Shape{10, 17, 34}));
    EXPECT_EQ(resized_shape({10, 17, 34}, {1, 2}, "fast"), (Shape{10, 18, 35}));
    EXPECT_EQ(resized_shape({10, 17, 34}, {1, 2}, "5"), (Shape{10, 5, 5}));
    EXPECT_EQ(resized_shape({10, 17, 34}, {2, 0}, "5,6"), (Shape{6, 17, 5}));
    for (const char* wrong : {"0", "-4", "x", "1,2,3", "4,", "9999999999999999999999"})
        EXPECT_THROW(resized_shape({10, 17, 34}, {1, 2}, wrong), UsageError) << wrong;
}

TEST(Array, CropsAndPads) {
    const Shape from{3, 4, 5};
    std::vector<std::complex<float>> values(60);
    for (std::size_t i = 0; i < 60; ++i) values[i] = static_cast<float>(i + 1);
    for (const Shape& to : {Shape{3, 4, 5}, Shape{2, 6, 3}, Shape{5, 1, 8}, Shape{1, 1, 1}}) {
        const auto result = resize(values, from, to);
        ASSERT_EQ(result.size(), to[0] * to[1] * to[2]);
        for (std::size_t i = 0; i < to[0]; ++i)
            for (std::size_t j = 0; j < to[1]; ++j)
                for (std::size_t k = 0; k < to[2]; ++k) {
                    const bool inside = i < from[0] && j < from[1] && k < from[2];
                    const float expected = inside ? static_cast<float>(i * 20 + j * 5 + k + 1) : 0.0f;
                    EXPECT_EQ(result[(i * to[1] + j) * to[2] + k], expected) << i << j << k;
                }
    }
    EXPECT_EQ(describe_resize({3, 4, 5}, {2, 4, 8}), "axis 0: 3 cropped to 2, axis 2: 5 zero-padded to 8");
}

}  // namespace
}  // namespace seiche::cli
