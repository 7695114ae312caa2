// What a plan says of itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>

#include "exec/inspect.hpp"
#include "tests/unit/exec/limits.hpp"

namespace {

using namespace seiche;

PlanReport planned(const char* text) {
    DeviceLimits limits = hopper();
    limits.registers_per_thread = 255;
    return exec::describe(parse_problem(text), limits, {Directions::forward, {}});
}

bool has_kernel_of(const PlanReport& plan, const std::string& radices) {
    return std::any_of(plan.kernels.begin(), plan.kernels.end(), [&](const KernelReport& kernel) {
        return kernel.spec.find(" radices=" + radices + " ") != std::string::npos;
    });
}

// Columns of 2048 points have the radices that were measured, not those of the rows.
TEST(Report, RecipeHasTheRadicesOfTheKernels) {
    const PlanReport plan = planned("2048x2048 f32");
    EXPECT_EQ(plan.recipe, "(axes (stockham 2048 16 16 8) (stockham 2048 8 16 16))");
    EXPECT_TRUE(has_kernel_of(plan, "16x16x8") && has_kernel_of(plan, "8x16x16"));
    const PlanReport row = planned("1024 r2c f32 batch=99");
    EXPECT_EQ(row.recipe, "(r2c 1024 (stockham 512 16 16 2))");
    EXPECT_TRUE(has_kernel_of(row, "16x16x2"));
}

// Each pass of any kernel has its radices in the recipe, in order.
TEST(Report, RecipeHasThoseOfPassesInOneKernelToo) {
    DeviceLimits limits = with_clusters();
    limits.registers_per_thread = 255;
    limits.cache_bytes = 50 << 20;
    for (const char* text : {"65536 f32", "12288 f32", "262144 f32 batch=512", "100x100x100 f32 batch=9", "128x128 r2c",
                             "1000 f32 batch=99", "16777216 f32", "500000 f32 batch=99"}) {
        const PlanReport plan = exec::describe(parse_problem(text), limits, {Directions::forward, {}});
        std::string expected;
        const std::regex pass(" n=(\\d+) radices=([0-9x]+) ");
        for (const KernelReport& kernel : plan.kernels) {
            auto found = std::sregex_iterator(kernel.spec.begin(), kernel.spec.end(), pass);
            for (; found != std::sregex_iterator(); ++found) {
                std::string radices = std::regex_replace(" " + (*found)[2].str(), std::regex("x"), " ");
                radices = std::regex_replace(radices, std::regex(" 1(?= |$)"), "");
                expected += "(stockham " + (*found)[1].str() + radices + ")";
            }
        }
        std::string got;
        const std::regex core("\\(stockham [0-9 ]+\\)");
        auto found = std::sregex_iterator(plan.recipe.begin(), plan.recipe.end(), core);
        for (; found != std::sregex_iterator(); ++found) got += found->str();
        EXPECT_EQ(got, expected) << text << ": " << plan.recipe;
    }
}

// Radix 1 deals points anew, which is no part of the algorithm.
TEST(Report, RecipeHasNoRadixOfOne) {
    const PlanReport plan = planned("294 f32 batch=99");
    EXPECT_EQ(plan.recipe, "(stockham 294 14 21)");
    EXPECT_TRUE(has_kernel_of(plan, "14x21x1"));
}

}  // namespace
