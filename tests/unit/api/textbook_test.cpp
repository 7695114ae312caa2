// Textbook recipes by the public interface: worked examples of the texts, saved plans, and what has no room for them.
#include "seiche/textbook.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "seiche/convolution.hpp"
#include "seiche/emit.hpp"
#include "seiche/error.hpp"
#include "seiche/inspect.hpp"
#include "seiche/plan.hpp"
#include "tests/support/textbook_recipes.hpp"

namespace seiche {
namespace {

using Signal = std::vector<std::complex<float>>;

Device reference() {
    static const Device device = Device::open("reference");
    return device;
}

PlanOptions by(const std::string& recipe, TwiddleMethod twiddles = TwiddleMethod::any) {
    PlanOptions options;
    options.tuning.recipe = recipe;
    options.tuning.twiddles = twiddles;
    return options;
}

TEST(Textbook, names_are_known_once) {
    std::set<std::string> names, texts;
    for (const TextbookRecipe& recipe : textbook_recipes()) {
        EXPECT_TRUE(names.insert(recipe.name).second) << recipe.name;
        EXPECT_FALSE(recipe.description.empty());
        texts.insert(recipe.text);
    }
    EXPECT_EQ(texts, (std::set<std::string>{"amd2011", "mota2022", "romero2007", "temperton1985", "wang"}));
}

/// mota2022, section 2.1: one period of a cosine in 8 samples has the spectrum 0, 4, 0, 0, 0, 0, 0, 4.
TEST(Textbook, cosine_of_eight_samples) {
    Signal x;
    for (int j = 0; j < 8; ++j) x.emplace_back(std::cos(6.2831853f * static_cast<float>(j) / 8), 0.0f);
    for (const TextbookRecipe& recipe : recipes_for("8 f32")) {
        const Signal y = Plan(reference(), parse_problem("8 f32"), by(recipe.name)).forward(x);
        for (std::size_t k = 0; k < 8; ++k)
            EXPECT_LT(std::abs(y[k] - (k == 1 || k == 7 ? 4.0f : 0.0f)), 2e-6f) << recipe.name << " " << k;
    }
}

/// Algorithm 2 of mota2022 and wang's chapter have a positive exponent: a step into the future turns the wrong way.
TEST(Textbook, an_impulse_at_1_turns_clockwise) {
    for (const std::size_t n : {16u, 12u}) {
        Signal x(n);
        x[1] = 1;
        const std::string problem = std::to_string(n) + " f32";
        for (const TextbookRecipe& recipe : recipes_for(problem)) {
            const Signal y = Plan(reference(), parse_problem(problem), by(recipe.name)).forward(x);
            EXPECT_LT(std::abs(y[n / 4] - std::complex<float>(0, -1)), 1e-6f) << recipe.name;
        }
    }
}

TEST(Textbook, inexact_roots_are_near) {
    Signal x(64);
    for (std::size_t j = 0; j < 64; ++j) x[j] = {std::sin(static_cast<float>(j * j)), 0.5f};
    const Signal exact = Plan(reference(), parse_problem("64 f32")).forward(x);
    for (const char* name : {"stockham-radix-2", "split-radix", "multistage", "locality", "level-by-level", "direct"})
        for (const TwiddleMethod method :
             {TwiddleMethod::on_the_fly, TwiddleMethod::native, TwiddleMethod::recurrence}) {
            const Signal y = Plan(reference(), parse_problem("64 f32"), by(name, method)).forward(x);
            for (std::size_t k = 0; k < 64; ++k) EXPECT_LT(std::abs(y[k] - exact[k]), 2e-3f) << name << " " << k;
            if (method == TwiddleMethod::recurrence) {
                EXPECT_NE(y, exact) << name;
            }
        }
}

TEST(Textbook, a_saved_plan_keeps_its_recipe) {
    const Plan plan(reference(), parse_problem("64 f32"), by("stockham-radix-4", TwiddleMethod::on_the_fly));
    const Plan back = Plan::load(reference(), plan.save());
    EXPECT_EQ(back.report().recipe, "(textbook mota2022 stockham-radix-4 3 launches on-the-fly)");
    const Signal x(64, {1, 2});
    EXPECT_EQ(back.forward(x), plan.forward(x));
}

TEST(Textbook, what_has_no_room_for_a_recipe_says_so) {
    const Tuning tuning = by("dit").tuning;
    EXPECT_THROW(inspect(parse_convolution("100 * 7 f32"), {}, tuning), Unsupported);
    EXPECT_THROW(emit_device_function(parse_problem("64 f32"), Dialect::cuda, {}, Direction::forward, tuning),
                 Unsupported);
}

}  // namespace
}  // namespace seiche
