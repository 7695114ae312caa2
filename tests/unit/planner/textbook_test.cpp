// Textbook recipes: their launches as the texts have them, with the corrections of docs/study/errata.md, and what is
// refused.
#include "planner/design/textbook.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <set>

#include "kernels/contract/generate.hpp"
#include "seiche/error.hpp"
#include "seiche/inspect.hpp"
#include "support/primes.hpp"
#include "tests/support/textbook_recipes.hpp"

namespace {

using namespace seiche;
using kernels::Butterflies;
using kernels::ChunkStages;
using planner::Role;

Tuning named(const std::string& name, TwiddleMethod twiddles = TwiddleMethod::any) {
    Tuning tuning;
    tuning.recipe = name;
    tuning.twiddles = twiddles;
    return tuning;
}

planner::TextbookLaunches launches(const std::string& text, const std::string& name, const DeviceLimits& limits = {}) {
    return *planner::design(problem::normalise(parse_problem(text)), limits, named(name)).textbook;
}

planner::Schedule schedule(const std::string& text, const std::string& name, Direction direction = Direction::forward) {
    const problem::Canonical problem = problem::normalise(parse_problem(text));
    const planner::Recipe recipe = planner::design(problem, {}, named(name));
    return planner::plan(recipe, problem, {}, {direction, named(name)}).schedule;
}

std::string refusal(const std::string& text, const Tuning& tuning) {
    try {
        inspect(parse_problem(text), {}, tuning);
    } catch (const Unsupported& error) {
        return error.what();
    }
    return "planned";
}

std::vector<std::uint64_t> radices(const std::string& text, const std::string& name) {
    std::vector<std::uint64_t> all;
    for (const planner::TextbookLaunch& launch : launches(text, name).launches)
        if (const auto* work = std::get_if<Butterflies>(&launch.work)) all.push_back(work->radix);
    return all;
}

/// romero2007, section 4: 256 points, 8 threads a group in warps of 4, shared memory for 16 points.
TEST(Textbook, LocalityWorkedExample) {
    DeviceLimits limits;
    limits.max_group_size = 8;
    limits.subgroup_size = 4;
    limits.shared_bytes = 16 * 8;
    const auto all = launches("256 f32", "locality-unpadded", limits).launches;
    ASSERT_EQ(all.size(), 4u);
    EXPECT_TRUE(std::holds_alternative<kernels::Reversal>(all[0].work));
    EXPECT_EQ(std::get<ChunkStages>(all[1].work), (ChunkStages{1, 16, 16, 0, 4}));
    const auto second = std::get<ChunkStages>(all[2].work), third = std::get<ChunkStages>(all[3].work);
    EXPECT_EQ(second, (ChunkStages{4, 4, 16, 4, 2}));
    EXPECT_EQ(third, (ChunkStages{4, 4, 64, 6, 2}));
    // The text's fifth stage with the third's pattern, FFT_LEVEL(3, 5), counted from 0 here; so is its seventh.
    EXPECT_EQ(second.pattern(), 2u);
    EXPECT_EQ(third.pattern(), 2u);
    const std::vector<std::uint64_t> first_group = {0, 1, 2, 3, 16, 17, 18, 19, 32, 33, 34, 35, 48, 49, 50, 51};
    for (std::uint64_t i = 0; i < 16; ++i) EXPECT_EQ(second.place(0, i), first_group[i]);
    for (std::uint64_t i = 0; i < 16; ++i) EXPECT_EQ(third.place(5, i), 20 + i / 4 * 64 + i % 4);
}

/// The text's starts miss coefficients: 4 j in section 4, (j + j / 2^q) 2^q in figure 7. These do not.
TEST(Textbook, EveryPointIsInOneChunk) {
    for (const ChunkStages& work :
         {ChunkStages{4, 4, 16, 4, 2}, ChunkStages{4, 4, 64, 6, 2}, ChunkStages{2, 8, 128, 7, 1}}) {
        std::set<std::uint64_t> places, by_text;
        for (std::uint64_t j = 0; j < 256 / work.points(); ++j) {
            EXPECT_EQ(work.start(j), j % (work.stride / work.chunk) * work.chunk +
                                         j / (work.stride / work.chunk) * work.stride * work.chunks);
            for (std::uint64_t i = 0; i < work.points(); ++i) {
                places.insert(work.place(j, i));
                by_text.insert(4 * j + i / work.chunk * work.stride + i % work.chunk);
            }
        }
        EXPECT_EQ(places.size(), 256u);
        EXPECT_EQ(*places.rbegin(), 255u);
        if (work.stride == 16) {
            EXPECT_LT(by_text.size(), 256u);
        }
    }
}

TEST(Textbook, LocalityOfALongLine) {
    const auto all = launches("67108864 f32", "locality").launches;  // 2^26
    std::vector<std::uint32_t> stages;
    for (const planner::TextbookLaunch& launch : all) {
        EXPECT_TRUE(launch.stays);  // no second array
        if (const auto* work = std::get_if<ChunkStages>(&launch.work)) stages.push_back(work->stages);
    }
    EXPECT_EQ(stages, (std::vector<std::uint32_t>{10, 5, 5, 5, 1}));
    const auto transposing = launches("1048576 f32", "locality-transposing").launches;
    EXPECT_EQ(transposing.size(), 5u);
    EXPECT_EQ(std::get<kernels::Transposition>(transposing[2].work), (kernels::Transposition{1024, 1024}));
}

/// amd2011: 8-point kernels as long as three stages remain. Algorithm 4 of mota2022 repeats algorithm 3; radix 4 of an
/// odd power of two ends with a stage of radix 2.
TEST(Textbook, RadicesOfTheStages) {
    using List = std::vector<std::uint64_t>;
    EXPECT_EQ(radices("2048 f32", "multistage"), (List{8, 8, 8, 4}));
    EXPECT_EQ(radices("16 f32", "multistage"), (List{8, 2}));
    EXPECT_EQ(radices("2048 f32", "multistage-16"), (List{16, 16, 8}));
    EXPECT_EQ(radices("32 f32", "multistage-4"), (List{4, 4, 2}));
    EXPECT_EQ(radices("512 f32", "stockham-radix-4"), (List{4, 4, 4, 4, 2}));
    EXPECT_EQ(radices("16x4 f32", "stockham-radix-4"), (List{4, 4, 4}));
    EXPECT_EQ(launches("8 f32", "level-by-level").launches.size(), 4u);  // log2 8 = 3 levels and the reversal
    EXPECT_EQ(launches("16 f32", "cooley-tukey-natural").launches.size(), 7u);
}

/// wang, section 6.7: a level waits for its block alone. While that is more than a group has, or a cluster where there
/// are some, it is a launch; all other levels are one.
TEST(Textbook, LevelsWaitForTheirBlocks) {
    const auto made = [](const std::string& text, std::uint32_t clusters, std::uint32_t threads) {
        DeviceLimits limits;
        limits.max_cluster_size = clusters;
        limits.max_group_size = threads;
        return planner::design_textbook(problem::normalise(parse_problem(text)), limits, named("level-by-block"))
            .launches;
    };
    const auto blocks_of = [](const planner::TextbookLaunch& launch) {
        return std::get<kernels::BlockLevels>(launch.work);
    };
    const auto alone = made("8192 f32", 1, 1024);
    ASSERT_EQ(alone.size(), 5u);  // 8192 to 2048, then 10 levels, then the reversal
    EXPECT_EQ(std::get<kernels::Level>(alone[2].work), kernels::Level{4});
    EXPECT_EQ(blocks_of(alone[3]), (kernels::BlockLevels{8, 1024, 1}));
    const auto clustered = made("8192 f32", 16, 1024);
    ASSERT_EQ(clustered.size(), 2u);
    EXPECT_EQ(blocks_of(clustered[0]), (kernels::BlockLevels{1, 1024, 8}));
    EXPECT_EQ(blocks_of(made("8192 f32", 8, 256)[2]), (kernels::BlockLevels{4, 256, 8}));
    EXPECT_EQ(blocks_of(made("64 f32", 8, 1024)[0]), (kernels::BlockLevels{1, 64, 1}));
}

/// Groups of one thread have no barriers.
TEST(Textbook, GroupsOfOneThread) {
    DeviceLimits limits;
    limits.max_group_size = 1;
    unsigned refused = 0;
    for (const TextbookRecipe& recipe : recipes_for("64 f32")) {
        try {
            for (const auto& launch :
                 planner::design_textbook(problem::normalise(parse_problem("64 f32")), limits, named(recipe.name))
                     .launches)
                EXPECT_FALSE(kernels::works_on_chip({.work = launch.work})) << recipe.name;
        } catch (const Unsupported& error) {
            ++refused;
            EXPECT_NE(std::string(error.what()).find("'reference' runs it"), std::string::npos) << error.what();
        }
    }
    EXPECT_EQ(refused, 8u);
}

/// A chunk leaves room for a stage, however few threads a group has and however many a subgroup.
TEST(Textbook, ChunksOfFewThreads) {
    DeviceLimits limits;
    limits.max_group_size = 2;
    for (const std::uint32_t subgroup : {1u, 2u, 32u}) {
        limits.subgroup_size = subgroup;
        const auto launches =
            planner::design_textbook(problem::normalise(parse_problem("64 f32")), limits, named("locality")).launches;
        ASSERT_GT(launches.size(), 2u);
        EXPECT_EQ(std::get<kernels::ChunkStages>(launches[2].work).stages, 1u) << subgroup;
    }
}

/// Listing A.1 binds both images to one unit; the angle of amd2011's listings fits the last stage only.
TEST(Textbook, ArraysAlternateAndRootsGrow) {
    for (const char* name : {"cooley-tukey-per-stage", "multistage-2"}) {
        const planner::Schedule all = schedule("64 f32", name);
        ASSERT_EQ(all.steps.size(), 6u);
        std::uint64_t root = 2;
        for (std::size_t i = 0; i < all.steps.size(); ++i, root *= 2) {
            EXPECT_NE(all.steps[i].source, all.steps[i].target);
            EXPECT_EQ(all.steps[i].source, i == 0 ? Role::input : all.steps[i - 1].target);
            EXPECT_EQ(std::get<Butterflies>(all.steps[i].spec.textbook()->work).root, root);
        }
        EXPECT_EQ(all.steps.back().target, Role::output);
    }
}

/// Listing A.1 again: every launch reads one image and writes another, also between the axes.
TEST(Textbook, ImagesAlternate) {
    for (const char* name :
         {"cooley-tukey-per-stage", "cooley-tukey-natural", "stockham-radix-2", "stockham-radix-4"}) {
        const planner::Schedule all = schedule("16x8 image=rg32f", name);
        for (const planner::Step& step : all.steps) {
            EXPECT_NE(step.source, step.target) << name;
            EXPECT_EQ(step.source_image.format, ImageFormat::rg32f) << name;
            EXPECT_EQ(step.target_image, (problem::ArrayImage{ImageFormat::rg32f, 8})) << name;
        }
        EXPECT_EQ(all.steps.back().target, Role::output);
        EXPECT_EQ(all.workspace_a_elements, 128u);
        EXPECT_EQ(all.workspace_b_elements, 0u);
    }
    for (const char* name : {"dit", "dif", "split-radix"}) {  // after the first launch in the output
        const planner::Schedule all = schedule("16x8 image=rg32f", name);
        EXPECT_EQ(all.steps.front().source, Role::input);
        for (const planner::Step& step : all.steps) EXPECT_EQ(step.target, Role::output);
        EXPECT_EQ(all.workspace_a_elements, 0u);
    }
}

TEST(Textbook, ScaleIsInTheLastVerticalStage) {
    const planner::Schedule all = schedule("16x16 f32 inverse-scale=1/n", "cooley-tukey-per-stage", Direction::inverse);
    for (const planner::Step& step : all.steps) {
        EXPECT_TRUE(step.spec.textbook()->inverse);
        EXPECT_EQ(step.spec.out.stages.empty(), &step != &all.steps.back());
    }
    const auto &first = all.steps.front().spec, &last = all.steps.back().spec;
    EXPECT_EQ(std::get<kernels::GroupShape>(first.shape).sequences, 32u);
    EXPECT_EQ(first.textbook()->lines, 8u);
    EXPECT_FALSE(first.textbook()->lines_first);
    EXPECT_TRUE(last.textbook()->lines_first);
    EXPECT_EQ(kernels::groups(first, 1), 16 / 8 * 16 / 8u);  // (width / 8, height / 8)
}

TEST(Textbook, SayWhatTheyCannotDo) {
    EXPECT_NE(refusal("64 f32", named("fastest")).find("expected one of direct, matrix, dit"), std::string::npos);
    EXPECT_NE(refusal("100 f32", named("dit")).find("powers of two, got 100"), std::string::npos);
    for (const char* text : {"64 f64x2", "64 f16", "64 r2c f32", "64 dct2 f32", "1 f32", "64 signal-zeros=0:32-64"})
        EXPECT_NE(refusal(text, named("dit")).find("tuning.recipe dit: expected"), std::string::npos) << text;
    EXPECT_NE(refusal("4096 f32", named("cooley-tukey-one-pass")), "planned");
    EXPECT_NE(refusal("4096 f32", named("matrix")).find("at most 2048"), std::string::npos);
    EXPECT_NE(refusal("131072 f32", named("direct")).find("at most 65536"), std::string::npos);
    EXPECT_NE(refusal("64 f64", named("dit", TwiddleMethod::native)).find("f32"), std::string::npos);
    EXPECT_NE(refusal("64 f32", named("", TwiddleMethod::native)).find("textbook recipe"), std::string::npos);
    Tuning both = named("dit");
    both.radices = {8, 8};
    EXPECT_NE(refusal("64 f32", both).find("no other tuning"), std::string::npos);
    EXPECT_EQ(refusal("64 f32", named("dit")), "planned");
}

/// What the tests of all recipes leave out is what the recipes refuse.
TEST(Textbook, TakeTheirLengths) {
    for (const TextbookRecipe& recipe : planner::textbook_entries()) {
        const std::string& name = recipe.name;
        const bool is_sum = name == "direct" || name == "matrix" || name == "brute-force";
        const bool is_coprime = name == "prime-factor";
        for (const std::uint64_t n : {2u, 8u, 64u})
            EXPECT_EQ(planner::textbook_takes(name, n), !is_coprime) << name << " " << n;
        for (const std::uint64_t n : {6u, 15u, 60u})
            EXPECT_EQ(planner::textbook_takes(name, n), is_sum || is_coprime) << name << " " << n;
        EXPECT_EQ(planner::textbook_takes(name, 9), is_sum) << name;
    }
}

// ---- temperton1985

constexpr std::uint64_t coprime_lengths[] = {6, 12, 15, 60, 63, 992, 1001, 1155, 5040, 6300};

std::vector<kernels::CoprimeButterflies> coprime_stages(std::uint64_t n) {
    std::vector<kernels::CoprimeButterflies> stages;
    for (const planner::TextbookLaunch& launch : launches(std::to_string(n) + " f32", "prime-factor").launches) {
        EXPECT_TRUE(launch.stays);
        stages.push_back(std::get<kernels::CoprimeButterflies>(launch.work));
    }
    return stages;
}

/// Good's table of 15 = 3 * 5, as docs/explanation/textbook-recipes.md has it.
TEST(Textbook, CoprimePlacesOfFifteen) {
    const kernels::CoprimeButterflies three{3}, five{5};
    const std::uint64_t threes[5][3] = {{0, 5, 10}, {3, 8, 13}, {6, 11, 1}, {9, 14, 4}, {12, 2, 7}};
    const std::uint64_t fives[3][5] = {{0, 3, 6, 9, 12}, {5, 8, 11, 14, 2}, {10, 13, 1, 4, 7}};
    for (std::uint64_t i = 0; i < 5; ++i)
        for (std::uint64_t j = 0; j < 3; ++j) {
            EXPECT_EQ(three.place(15, i, j), threes[i][j]);
            EXPECT_EQ(five.place(15, j, i), fives[j][i]);
            EXPECT_EQ(threes[i][j], fives[j][i]) << "one array, by rows and by columns";
        }
    for (std::uint32_t j = 0; j < 3; ++j) EXPECT_EQ(three.result(15, j), (std::vector{0u, 2u, 1u}[j]));
    for (std::uint32_t j = 0; j < 5; ++j) EXPECT_EQ(five.result(15, j), (std::vector{0u, 3u, 1u, 4u, 2u}[j]));
}

/// Every butterfly has places of its own, and every result goes to one of them.
TEST(Textbook, CoprimePlacesAreAPermutation) {
    for (const std::uint64_t n : coprime_lengths) {
        std::uint64_t product = 1;
        for (const kernels::CoprimeButterflies& stage : coprime_stages(n)) {
            EXPECT_EQ(std::gcd(std::uint64_t{stage.radix}, n / stage.radix), 1u);
            product *= stage.radix;
            std::set<std::uint64_t> places, results;
            for (std::uint64_t i = 0; i < n / stage.radix; ++i)
                for (std::uint64_t j = 0; j < stage.radix; ++j) places.insert(stage.place(n, i, j));
            for (std::uint64_t j = 0; j < stage.radix; ++j) results.insert(stage.result(n, j));
            EXPECT_EQ(places.size(), n);
            EXPECT_EQ(*places.rbegin(), n - 1);
            EXPECT_EQ(results.size(), stage.radix);
            EXPECT_EQ(*results.rbegin(), stage.radix - 1);
        }
        EXPECT_EQ(product, n);
    }
}

std::complex<double> root_of_unity(std::uint64_t exponent, std::uint64_t n) {
    return std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(exponent % n) / static_cast<double>(n));
}

/// Butterflies by the definition, at the stages' places, give the sum by the definition, in order.
TEST(Textbook, CoprimeStagesAreTheTransform) {
    for (const std::uint64_t n : {6u, 12u, 15u, 60u, 63u, 992u, 1001u, 1155u}) {
        std::vector<std::complex<double>> x(n);
        for (std::uint64_t j = 0; j < n; ++j)
            x[j] = {std::sin(static_cast<double>(j * j)), 1.0 / static_cast<double>(j + 1)};
        std::vector<std::complex<double>> y = x;
        for (const kernels::CoprimeButterflies& stage : coprime_stages(n))
            for (std::uint64_t i = 0; i < n / stage.radix; ++i) {
                const std::vector<std::complex<double>> before = y;
                for (std::uint64_t j = 0; j < stage.radix; ++j) {
                    std::complex<double>& result = y[stage.place(n, i, j)] = 0;
                    for (std::uint64_t k = 0; k < stage.radix; ++k)
                        result += before[stage.place(n, i, k)] * root_of_unity(stage.result(n, j) * k, stage.radix);
                }
            }
        for (std::uint64_t k = 0; k < n; ++k) {
            std::complex<double> sum = 0;
            for (std::uint64_t j = 0; j < n; ++j) sum += x[j] * root_of_unity(j * k, n);
            ASSERT_LT(std::abs(y[k] - sum), 1e-9) << n << " " << k;
        }
    }
}

/// No array beside the output, no table, one launch for each prime power.
TEST(Textbook, PrimeFactorWorksInPlace) {
    for (const char* text : {"720720 f32", "60x63 f64 in-place", "1001 f32 planar batch=3"}) {
        const planner::Schedule all = schedule(text, "prime-factor");
        EXPECT_EQ(all.workspace_a_elements + all.workspace_b_elements, 0u);
        for (const planner::Step& step : all.steps) {
            EXPECT_EQ(step.target, Role::output);
            EXPECT_TRUE(kernels::generate(step.spec).name.size() > 0);
        }
    }
    EXPECT_EQ(schedule("720720 f32", "prime-factor").steps.size(), 6u);
    EXPECT_EQ(inspect(parse_problem("720720 f32"), {}, named("prime-factor")).recipe,
              "(textbook temperton1985 prime-factor 6 launches)");
}

TEST(Textbook, PrimeFactorSaysWhichLengthsItTakes) {
    const auto expected = [](const std::string& n) {
        return "Unsupported: tuning.recipe prime-factor: expected lengths of two or more co-prime factors, each a "
               "prime power up to "
               "32, got " +
               n;
    };
    for (const char* n : {"2", "64", "27", "31", "37", "74", "192", "162", "98"})
        EXPECT_EQ(refusal(std::string(n) + " f32", named("prime-factor")), expected(n));
    EXPECT_EQ(refusal("15x16 f32", named("prime-factor")), expected("16"));
    EXPECT_NE(refusal("1 f32", named("prime-factor")).find("an axis of at least 2 points"), std::string::npos);
    for (const TwiddleMethod method : {TwiddleMethod::table, TwiddleMethod::on_the_fly, TwiddleMethod::recurrence})
        EXPECT_EQ(refusal("15 f32", named("prime-factor", method)),
                  "Unsupported: tuning.recipe prime-factor: expected no choice of twiddles, of which it has none");
    for (const std::uint64_t n : coprime_lengths)
        EXPECT_EQ(refusal(std::to_string(n) + " f64", named("prime-factor")), "planned");
}

TEST(Textbook, ARecipePrintsItself) {
    const auto text = [](const std::string& name, TwiddleMethod twiddles) {
        return inspect(parse_problem("64 f32"), {}, named(name, twiddles)).recipe;
    };
    EXPECT_EQ(text("stockham-radix-4", TwiddleMethod::any), "(textbook mota2022 stockham-radix-4 3 launches)");
    EXPECT_EQ(text("direct", TwiddleMethod::recurrence), "(textbook mota2022 direct 1 launch recurrence)");
}

/// Nothing out of bounds, no race, nothing read before it was written, and as many bytes as a report says.
TEST(Textbook, KernelsAreSound) {
    for (const char* text : {"64 f32 batch=3", "8x16 f32 in-place", "8x16 f32 image=rg32f", "60 f32 batch=3",
                             "12x15 f64 in-place", "15x6 f32 image=rg32f", "1155 f32 planar"}) {
        SCOPED_TRACE(text);
        for (const TextbookRecipe& recipe : recipes_for(text))
            for (const AnalysisReport& kernel : analyse(parse_problem(text), {}, named(recipe.name)))
                EXPECT_EQ(kernel.out_of_bounds + kernel.uninitialised_reads + kernel.races, 0u) << kernel.kernel;
    }
}

/// Groups of a cluster write into each other's shared memory, in turn to two places of it, and meet once a level.
TEST(Textbook, LevelsOfAClusterAreSound) {
    DeviceLimits limits;
    limits.max_cluster_size = 8;
    limits.max_group_size = 16;
    for (const char* text : {"128 f32 batch=3", "32x64 f64 in-place", "512 f32 planar"}) {
        const std::vector<AnalysisReport> kernels = analyse(parse_problem(text), limits, named("level-by-block"));
        for (const AnalysisReport& kernel : kernels)
            EXPECT_EQ(kernel.out_of_bounds + kernel.uninitialised_reads + kernel.races, 0u) << kernel.kernel;
    }
}

/// Levels meet in a subgroup, in a part of a group, in the group and in a cluster, each by a barrier of that alone.
TEST(Textbook, LevelsMeetInTheLeastScopeThatHasTheirBlock) {
    DeviceLimits limits;
    limits.subgroup_size = 8;
    limits.max_group_size = 128;
    limits.fixed_subgroups = limits.part_barriers = true;
    const auto sound = [&](const std::string& text, const std::string& name) {
        for (const AnalysisReport& kernel : analyse(parse_problem(text), limits, named(name)))
            EXPECT_EQ(kernel.out_of_bounds + kernel.uninitialised_reads + kernel.races, 0u)
                << text << " " << kernel.kernel << (kernel.findings.empty() ? "" : ": " + kernel.findings.front());
    };
    for (const std::uint32_t groups : {1u, 4u}) {
        limits.max_cluster_size = groups;
        for (const char* text : {"4 f32", "8 f32", "16 f32 batch=2", "128 f32", "512 f64", "1024 f32 planar"})
            for (const char* name : {"level-by-block", "level-by-flag"}) sound(text, name);
    }
    const auto work = [&](const std::string& text) {
        return std::get<kernels::BlockLevels>(
            planner::design_textbook(problem::normalise(parse_problem(text)), limits, named("level-by-block"))
                .launches[0]
                .work);
    };
    EXPECT_EQ(work("128 f32"), (kernels::BlockLevels{1, 128, 1, 8, 8}));
    EXPECT_EQ(work("32 f32"), (kernels::BlockLevels{1, 32, 1, 8, 4}));
    EXPECT_EQ(work("4 f32"), (kernels::BlockLevels{1, 4, 1, 1, 1})) << "no whole subgroup";
    const planner::Schedule lowered =
        planner::plan(planner::design(problem::normalise(parse_problem("128 f32")), limits, named("level-by-block")),
                      problem::normalise(parse_problem("128 f32")), limits,
                      {Direction::forward, named("level-by-block")})
            .schedule;
    const ir::Kernel kernel = kernels::generate(lowered.steps[0].spec);
    EXPECT_EQ(kernel.launch.required_subgroup_size, 8u);
    std::vector<std::uint64_t> barriers;  // threads that meet
    for (const ir::Instruction& i : kernel.code) {
        if (i.op == ir::Op::group_barrier) barriers.push_back(128);
        if (i.op == ir::Op::part_barrier) barriers.push_back(i.immediate);
        if (i.op == ir::Op::subgroup_barrier) barriers.push_back(8);
    }
    EXPECT_EQ(barriers, (std::vector<std::uint64_t>{128, 64, 32, 16, 8, 8, 8}));
    limits.fixed_subgroups = limits.part_barriers = false;
    EXPECT_EQ(work("128 f32"), (kernels::BlockLevels{1, 128, 1}));
}

/// Groups take their part of the levels by ticket, and wait for counters that the launch before has cleared.
TEST(Textbook, LevelsBehindFlagsAreSound) {
    DeviceLimits limits;
    limits.max_group_size = 16;
    for (const char* text : {"16 f32", "32 f32 batch=3", "256 f32 batch=2", "32x64 f64 in-place", "128 f32 planar"}) {
        const Problem problem = parse_problem(text);
        const std::vector<AnalysisReport> kernels = analyse(problem, limits, named("level-by-flag"));
        for (const AnalysisReport& kernel : kernels)
            EXPECT_EQ(kernel.out_of_bounds + kernel.uninitialised_reads + kernel.races, 0u)
                << text << " " << kernel.kernel << (kernel.findings.empty() ? "" : ": " + kernel.findings.front());
    }
    const auto all = [&](const std::string& text) {
        return planner::design_textbook(problem::normalise(parse_problem(text)), limits, named("level-by-flag"))
            .launches;
    };
    EXPECT_EQ(std::get<kernels::BlockLevels>(all("16 f32")[0].work), (kernels::BlockLevels{1, 16, 1}));
    const auto flagged = all("256 f32 batch=2");
    ASSERT_EQ(flagged.size(), 3u);                                          // clear, all 8 levels, reverse
    EXPECT_EQ(std::get<kernels::Clearing>(flagged[0].work).counters, 33u);  // 32 parts of 8 points, and the tickets
    const auto levels = std::get<kernels::FlaggedLevels>(flagged[1].work);
    EXPECT_EQ(levels, kernels::FlaggedLevels{16});
    EXPECT_EQ(levels.far(256), 4u);
    EXPECT_EQ(levels.groups(256), 16u);
    EXPECT_EQ(std::get<kernels::Clearing>(all("64x32x2 f32")[2].work).counters,
              1 + 2 * 64 * 4u);  // the last axis: none
}

/// Where there are clusters, levels whose halves lie in one are its groups' together, who have neighbouring tickets.
TEST(Textbook, LevelsBehindFlagsMeetInClusters) {
    DeviceLimits limits;
    limits.max_group_size = 16;
    limits.max_cluster_size = 4;
    for (const char* text : {"64 f32 batch=2", "128 f32 batch=3", "1024 f32", "32x256 f64 in-place", "512 f32 planar"})
        for (const AnalysisReport& kernel : analyse(parse_problem(text), limits, named("level-by-flag")))
            EXPECT_EQ(kernel.out_of_bounds + kernel.uninitialised_reads + kernel.races, 0u)
                << text << " " << kernel.kernel << (kernel.findings.empty() ? "" : ": " + kernel.findings.front());
    const auto all = [&](const std::string& text) {
        return planner::design_textbook(problem::normalise(parse_problem(text)), limits, named("level-by-flag"))
            .launches;
    };
    EXPECT_EQ(std::get<kernels::BlockLevels>(all("64 f32")[0].work), (kernels::BlockLevels{1, 16, 4})) << "no flags";
    const auto flagged = std::get<kernels::FlaggedLevels>(all("1024 f32")[1].work);
    EXPECT_EQ(flagged, (kernels::FlaggedLevels{16, 1, 1, 4}));
    EXPECT_EQ(flagged.far(1024), 4u);
    EXPECT_EQ(flagged.near(1024), (kernels::BlockLevels{16, 16, 4}));
    limits.waits_for_groups = false;
    EXPECT_EQ(all("64 f32").size(), 2u) << "a cluster needs no flags";
    EXPECT_THROW(all("128 f32"), Unsupported);
}

TEST(Textbook, FlagsTakeADeviceWhoseGroupsMayWait) {
    DeviceLimits limits;
    limits.waits_for_groups = false;
    EXPECT_EQ(planner::design(problem::normalise(parse_problem("1024 f32")), limits, named("level-by-flag"))
                  .textbook->launches.size(),
              2u);
    const auto refused = [&](const std::string& text) {
        try {
            inspect(parse_problem(text), limits, named("level-by-flag"));
        } catch (const Unsupported& error) {
            return std::string(error.what());
        }
        return std::string("planned");
    };
    EXPECT_NE(refused("2048 f32").find("groups can wait for each other"), std::string::npos) << refused("2048 f32");
    limits.waits_for_groups = true;
    EXPECT_EQ(refused("2048 f32"), "planned");
    EXPECT_NE(refused("2048x2 f32 image=rg32f").find("arrays in buffers"), std::string::npos);
}

TEST(Textbook, SplitRadixMovesWhatItTransforms) {
    const PlanReport plan = inspect(parse_problem("64 f32"), {}, named("split-radix"));
    const std::vector<AnalysisReport> analysed = analyse(parse_problem("64 f32"), {}, named("split-radix"));
    ASSERT_EQ(analysed.size(), 7u);
    for (std::size_t i = 0; i < analysed.size(); ++i) {
        EXPECT_EQ(plan.kernels[i].bytes_read, analysed[i].bytes_read) << i;
        EXPECT_EQ(plan.kernels[i].bytes_written, analysed[i].bytes_written) << i;
    }
}

TEST(Textbook, PaddingSparesBankConflicts) {
    const auto conflicts = [](const std::string& name) {
        std::uint64_t all = 0;
        for (const AnalysisReport& kernel : analyse(parse_problem("1024 f32"), {}, named(name)))
            all += kernel.shared_wavefronts - kernel.shared_wavefronts_ideal;
        return all;
    };
    EXPECT_LT(conflicts("locality"), conflicts("locality-unpadded"));
}

}  // namespace
