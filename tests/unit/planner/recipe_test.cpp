// Recipes as text, and what design() refuses.
#include "planner/recipe.hpp"

#include <gtest/gtest.h>

#include "seiche/error.hpp"

namespace {

using namespace seiche;

std::string recipe(const std::string& text, const Tuning& tuning = {}) {
    DeviceLimits limits;
    limits.shared_bytes = 227 * 1024;
    return planner::to_string(planner::design(problem::normalise(parse_problem(text)), limits, tuning));
}

TEST(Recipe, PrintsItself) {
    EXPECT_EQ(recipe("4096 c2c f32"), "(stockham 4096 16 16 16)");
    EXPECT_EQ(recipe("1048576 c2c f32"), "(four-step 1048576 (stockham 1024 16 8 8) (stockham 1024 16 8 8))");
    EXPECT_EQ(recipe("127 c2c f32"), "(bluestein 127 (stockham 256 16 16))");
    EXPECT_EQ(recipe("64x64 c2c f32"), "(axes (stockham 64 8 8) (stockham 64 8 8))");
    EXPECT_EQ(recipe("1 c2c f32"), "(copy)");
}

TEST(Recipe, TuningIsObeyedOrRefused) {
    Tuning tuning;
    tuning.radices = {4, 16, 16};
    EXPECT_EQ(recipe("1024 c2c f32", tuning), "(stockham 1024 4 16 16)");
    EXPECT_THROW(recipe("2048 c2c f32", tuning), Unsupported);
    EXPECT_THROW(recipe("64x16 c2c f32", tuning), Unsupported);
    Tuning passes;
    passes.passes = {64, 64};
    EXPECT_EQ(recipe("4096 c2c f32", passes), "(four-step 4096 (stockham 64 8 8) (stockham 64 8 8))");
}

TEST(Recipe, RefusesDoubleWhereThereIsNone) {
    DeviceLimits limits;
    limits.fp64 = false;
    EXPECT_THROW(planner::design(problem::normalise(parse_problem("16 c2c f64")), limits, {}), Unsupported);
}

}  // namespace
