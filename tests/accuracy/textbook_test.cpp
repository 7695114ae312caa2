// Textbook recipes on the backend that SEICHE_TEST_DEVICE names, by the one checker, within three times the contract:
// both directions, so that no sign is wrong; even and odd powers of two, so that no result is in the other array.
#include <gtest/gtest.h>

#include <algorithm>

#include "seiche/error.hpp"
#include "seiche/textbook.hpp"
#include "tests/accuracy/suite.hpp"
#include "tests/support/textbook_recipes.hpp"

namespace seiche::accuracy {
namespace {

class Textbooks : public Suite {
protected:
    /// Whether kernels are made at once, which no driver's compiler does.
    bool is_quick() const {
        return device_->info().backend == Backend::reference || device_->info().backend == Backend::cpu;
    }

    /// All where that is quick, else a sample.
    std::vector<TextbookRecipe> recipes() {
        std::vector<TextbookRecipe> all = textbook_recipes();
        if (is_quick()) return all;
        constexpr std::size_t sample = 2;
        std::shuffle(all.begin(), all.end(), random_);
        all.resize(sample);
        return all;
    }

    /// In f32 only where there is a compiler, which takes 0.1 s and more for a kernel: precision is no business of a
    /// recipe's.
    void expect(const std::string& text, const std::string& recipe, TwiddleMethod twiddles = TwiddleMethod::any) {
        if (!is_quick() && GetParam() != Precision::f32) return;
        SCOPED_TRACE(text + " by " + recipe);
        Problem problem = parse_problem(text);
        problem.precision = GetParam();
        if (!recipe_takes(recipe, problem)) return;
        Tuning tuning;
        tuning.recipe = recipe;
        tuning.twiddles = twiddles;
        tuning.buffer_bytes = buffer_bytes_;
        if (device_->limits().max_group_size < 2 && is_refused(problem, tuning)) return;
        expect_accurate(problem, random_(), tuning);
    }

    /// Of groups of one thread, which have no barriers.
    bool is_refused(const Problem& problem, const Tuning& tuning) {
        try {
            PlanOptions options;
            options.tuning = tuning;
            const Plan plan(*device_, problem, options);
            return false;
        } catch (const Unsupported& error) {
            EXPECT_NE(std::string(error.what()).find("groups of one; the device 'reference' runs it"),
                      std::string::npos)
                << error.what();
            return true;
        }
    }

    std::uint64_t buffer_bytes_ = 0;
    std::mt19937_64 random_{sample_seed() + 6};
};

TEST_P(Textbooks, lines) {
    for (const TextbookRecipe& recipe : recipes()) {
        expect("32 batch=3", recipe.name);
        expect("64 inverse-scale=1/n in-place", recipe.name);
    }
}

TEST_P(Textbooks, planes) {
    for (const TextbookRecipe& recipe : recipes()) {
        expect("8x16 inverse-scale=1/n batch=2", recipe.name);
        expect("16x8 planar istrides=10,1 idist=200", recipe.name);
        expect("16x8 istrides=8,-1 ioffset=112 ostrides=-8,1 ooffset=1920", recipe.name);
    }
}

/// More points than a group has: groups wait for each other, again and again with the same counters.
TEST_P(Textbooks, levels_behind_flags) {
    if (!device_->limits().waits_for_groups) GTEST_SKIP() << "its groups cannot wait for each other";
    expect("8192 batch=3", "level-by-flag");
    expect("4x8192 inverse-scale=1/n in-place", "level-by-flag");
}

TEST_P(Textbooks, the_shortest) {
    for (const TextbookRecipe& recipe : recipes()) {
        expect("2", recipe.name);
        expect("4 batch=5 in-place", recipe.name);
    }
}

TEST_P(Textbooks, any_length_of_sums) {
    expect("31 batch=2", "direct");
    expect("150", "brute-force");
    expect("12x9 in-place", "matrix");
}

/// Without twiddles, in place: every layout that the others have, and factors up to the largest.
TEST_P(Textbooks, products_of_coprime_factors) {
    for (const char* text :
         {"6 batch=5 in-place", "15 inverse-scale=1/n", "992 batch=2", "5040", "12x15 batch=2",
          "15x6 planar istrides=10,1 idist=200", "6x15 istrides=15,-1 ioffset=224 ostrides=-15,1 ooffset=1920"})
        expect(text, "prime-factor");
    buffer_bytes_ = 1024;
    expect("20x21 batch=2", "prime-factor");
}

/// Batches, strides, precision and directions as the seed draws them.
TEST_P(Textbooks, coprime_factors_in_any_layout) {
    constexpr std::uint64_t lengths[] = {10, 12, 28, 60, 63, 143, 1001, 1155, 720};
    for (int i = 0; i < 6; ++i) {
        const std::uint64_t n = lengths[random_() % std::size(lengths)], batch = 1 + random_() % 5;
        const std::uint64_t in = 1 + random_() % 3, out = 1 + random_() % 3;
        expect(std::to_string(n) + " istrides=" + std::to_string(in) + " ostrides=" + std::to_string(out) +
                   " batch=" + std::to_string(batch) + " idist=" + std::to_string(n * in + random_() % 7) +
                   " odist=" + std::to_string(n * out + random_() % 7),
               "prime-factor");
    }
}

TEST_P(Textbooks, chunks_of_several_launches) {
    for (const char* recipe : {"locality", "locality-straightforward", "locality-transposing"}) expect("4096", recipe);
}

TEST_P(Textbooks, roots_computed_in_the_kernel) {
    for (const char* recipe : {"split-radix", "multistage", "direct"}) expect("64", recipe, TwiddleMethod::on_the_fly);
}

TEST_P(Textbooks, arrays_in_several_buffers) {
    buffer_bytes_ = 1024;
    for (const TextbookRecipe& recipe : recipes()) expect("16x16 batch=2", recipe.name);
}

INSTANTIATE_TEST_SUITE_P(Precisions, Textbooks, testing::Values(Precision::f32, Precision::f64), precision_name);

}  // namespace
}  // namespace seiche::accuracy
