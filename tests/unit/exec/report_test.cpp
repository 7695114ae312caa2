// What a plan says of itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>

#include "exec/draft.hpp"
#include "exec/inspect.hpp"
#include "seiche/error.hpp"
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

// Kernels among whose accesses each chooses one of up to 16 buffers, of sizes that are no powers of two.
TEST(Report, KernelsOfArraysInPartsAreShort) {
    constexpr std::uint64_t longest = 12000;  // instructions and choices; ptxas takes 0.9 s
    for (const char* text :
         {"122x15x8 c2c f16 axes=-3,1 forward-scale=3 inverse-scale=1 oparts=10776",
          "122x15x8 f16 axes=0 iparts=3900 oparts=3900", "61x240 f16 axes=0 iparts=3900 oparts=3900",
          "122x15x8 f32 axes=0 iparts=7816 oparts=7816", "59x59 f32 batch=4 iparts=9000 oparts=9000",
          "43 batch=400 iparts=9000 oparts=9000", "4096 batch=16 iparts=40000 oparts=40000",
          "16384 batch=4 iparts=40000 oparts=40000", "4093 batch=16 iparts=40000 oparts=40000",
          "64x64 r2c batch=16 iparts=20000 oparts=20000", "2048 dct2 batch=16 iparts=10000 oparts=10000",
          "61x240 f64x2 axes=0 iparts=31264 oparts=31264"}) {
        const problem::Canonical problem = problem::normalise(parse_problem(text));
        const exec::Draft draft = exec::draft(problem, hopper(), {Directions::forward, {}});
        for (const exec::DraftStep& step : draft.schedules.front().steps) {
            std::uint64_t count = step.kernel->code.size();
            for (const ir::Instruction& i : step.kernel->code) {
                const bool divides = i.op == ir::Op::div || i.op == ir::Op::mod;
                EXPECT_FALSE(divides && i.type.scalar == ir::Scalar::u64) << text;
                if (ir::names_part(i)) count += 2 * (step.kernel->buffers[i.symbol].parts - 1);
            }
            EXPECT_LE(count, longest) << text << ", " << step.kernel->name;
        }
    }
}

// A stage that reads a buffer in parts again and again, for each of 61 points.
TEST(Report, TooLongKernelsOfArraysInPartsAreRefused) {
    Problem problem = parse_problem("61x24 axes=0");
    std::string sum = "return value * (0";
    for (int i = 0; i < 40; ++i) sum += " + w[(i0 * 17 + i1 * " + std::to_string(i + 3) + ") % 4000]";
    problem.forward_load = sum + ");";
    problem.forward_load.buffers = {{"w", StageType::f32, 4000}};
    Tuning tuning;
    tuning.buffer_bytes = 1024;
    try {
        exec::draft(problem::normalise(problem), hopper(), {Directions::forward, tuning});
        ADD_FAILURE() << "expected a refusal";
    } catch (const Unsupported& error) {
        const std::string text = error.what();
        EXPECT_TRUE(std::regex_match(
            text, std::regex("Unsupported: arrays in several buffers: expected kernels of at most 40000 "
                             "instructions, got [0-9]+ in '[a-z0-9_]+', whose accesses choose "
                             "among up to [0-9]+ buffers; larger buffers, .*")))
            << text;
    }
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
