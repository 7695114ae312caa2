// The textbook recipes of mota2022, which is about images: on pairs of them, by the one checker, on the backend that
// SEICHE_TEST_DEVICE names. Both directions, as the seeds fall; rows and columns of odd and even powers of two.
#include <gtest/gtest.h>

#include "seiche/error.hpp"
#include "seiche/textbook.hpp"
#include "tests/accuracy/suite.hpp"
#include "tests/support/textbook_recipes.hpp"

namespace seiche::accuracy {
namespace {

class TextbookImages : public Suite {
protected:
    void expect(const std::string& text, const std::string& recipe) {
        SCOPED_TRACE(text + " by " + recipe);
        Problem problem = parse_problem(text);
        problem.precision = GetParam();
        if (!recipe_takes(recipe, problem)) return;
        Tuning tuning;
        tuning.recipe = recipe;
        expect_accurate(problem, random_(), tuning);
    }

    std::mt19937_64 random_{sample_seed() + 7};
};

TEST_P(TextbookImages, planes) {
    for (const TextbookRecipe& recipe : textbook_recipes())
        if (recipe.text == "mota2022")
            for (const char* text : {"8x16 image=rg32f inverse-scale=1/n", "16x4 image=rg32f batch=2"})
                expect(text, recipe.name);
}

TEST_P(TextbookImages, lines) {
    for (const char* recipe : {"cooley-tukey-per-stage", "split-radix"})
        expect("32 image=rg32f iwidth=8 owidth=16 batch=2", recipe);
}

TEST_P(TextbookImages, of_the_other_texts) {
    if (device_->info().backend != Backend::reference) return;  // whose compilers take 0.1 s and more for a kernel
    for (const TextbookRecipe& recipe : textbook_recipes())
        if (recipe.text != "mota2022")
            for (const char* text : {"16x8 image=rg32f batch=2", "15x6 image=rg32f batch=2"}) expect(text, recipe.name);
}

INSTANTIATE_TEST_SUITE_P(Precisions, TextbookImages, testing::Values(Precision::f32), precision_name);

/// Where there are none, one line says so.
TEST(TextbookImage, WantsABackendThatHasSome) {
    Device device;
    try {
        device = Device::open("opencl");
    } catch (const Unsupported&) {
        GTEST_SKIP() << "no OpenCL device";
    }
    PlanOptions options;
    options.tuning.recipe = "stockham-radix-2";
    try {
        const Plan plan(device, parse_problem("8x8 image=rg32f"), options);
        ADD_FAILURE() << "it was planned";
    } catch (const Unsupported& error) {
        const std::string said = error.what();
        EXPECT_NE(said.find("expected arrays in buffers: images are for Vulkan, OpenGL and the interpreter"),
                  std::string::npos)
            << said;
        EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    }
}

}  // namespace
}  // namespace seiche::accuracy
