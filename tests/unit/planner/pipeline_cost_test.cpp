// What passes that trail each other cost by their shapes, and the splits that were measured.
#include "planner/policy/pipeline_cost.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "planner/fuse/pipeline.hpp"
#include "planner/model/costs.hpp"
#include "planner/policy/measured_passes.hpp"
#include "planner/recipe.hpp"
#include "seiche/error.hpp"
#include "seiche/problem.hpp"
#include "tests/unit/planner/card_of_kind.hpp"

namespace {

using namespace seiche;

std::vector<std::uint64_t> passes(const std::string& text, const DeviceLimits& limits, const Tuning& tuning = {}) {
    const planner::Recipe recipe = planner::design(problem::normalise(parse_problem(text)), limits, tuning);
    std::vector<std::uint64_t> lengths;
    for (const planner::Pass& pass : recipe.axes.front().passes) lengths.push_back(pass.n);
    return lengths;
}

/// The launch that has both passes; nothing: there is none.
std::optional<kernels::KernelSpec> launch(const std::string& text, std::vector<std::uint64_t> split) {
    Tuning tuning;
    tuning.passes = std::move(split);
    tuning.trailing_passes = true;
    const problem::Canonical canonical = problem::normalise(parse_problem(text));
    const planner::Recipe recipe = planner::design(canonical, card_of_kind(), tuning);
    const Direction direction = text.find("c2r") != std::string::npos ? Direction::inverse : Direction::forward;
    for (const planner::Step& step :
         planner::plan(recipe, canonical, card_of_kind(), {direction, tuning}).schedule.steps)
        if (!step.spec.pipeline.next.empty()) return step.spec;
    return std::nullopt;
}

/// One axis of a large batch.
planner::AxisQuestion question_of(std::uint64_t n, Precision precision, const DeviceLimits& limits,
                                  const Tuning& tuning) {
    planner::AxisQuestion q;
    q.n = n;
    q.precision = precision;
    q.sequences = 3000;
    q.limits = &limits;
    q.tuning = &tuning;
    q.problem.is_alone = q.may_be_lone = true;
    return q;
}

double cost(const std::string& text, std::vector<std::uint64_t> split) {
    const auto both = launch(text, std::move(split));
    return both && planner::has_pipeline_cost(*both, card_of_kind()) ? planner::pipeline_cost(*both) : 99;
}

// Milliseconds for 10^9 bytes of the input, measured on an H100 (128 MiB): the line is within a sixth of each, and
// the order is theirs.
TEST(PipelineCost, IsCloseToWhatWasMeasured) {
    struct Case {
        const char* text;
        std::uint64_t first, second;
        double milliseconds;
    };
    for (const Case& one : {Case{"40000 batch=419", 400, 100, 1.10},
                            {"160000 batch=104", 400, 400, 1.12},
                            {"1000000 batch=16", 1000, 1000, 1.21},
                            {"125000 batch=134", 1000, 125, 1.42},
                            {"30000 f64 batch=279", 80, 375, 1.13}})
        EXPECT_NEAR(std::exp2(cost(one.text, {one.first, one.second})) / one.milliseconds, 1, 1. / 6) << one.text;
    EXPECT_LT(cost("125000 batch=134", {250, 500}), cost("125000 batch=134", {200, 625})) << "runs within sectors";
    EXPECT_LT(cost("400000 batch=41", {400, 1000}), cost("400000 batch=41", {2000, 200})) << "one group of a unit";
}

TEST(PipelineCost, IsOfPlainPassesOfOtherLengthsThanPowers) {
    EXPECT_TRUE(planner::has_pipeline_cost(*launch("30000 batch=559", {300, 100}), card_of_kind()));
    EXPECT_FALSE(planner::has_pipeline_cost(*launch("65536 batch=256", {256, 256}), card_of_kind()));
    EXPECT_FALSE(planner::has_pipeline_cost(*launch("30000 f16 batch=999", {300, 100}), card_of_kind()));
    EXPECT_FALSE(planner::has_pipeline_cost(*launch("60000 r2c batch=559", {300, 100}), card_of_kind()));
    EXPECT_FALSE(planner::has_pipeline_cost(*launch("300x100 batch=559", {}), card_of_kind())) << "rows come first";
}

// The same of bins, measured there too: within three tenths.
TEST(PipelineCost, OfBinsIsCloseToWhatWasMeasured) {
    struct Case {
        const char* text;
        std::uint64_t first, second;
        double milliseconds;
    };
    const auto cost_of_bins = [](const char* text, std::vector<std::uint64_t> split) {
        const auto both = launch(text, std::move(split));
        return both && planner::has_pipeline_cost_of_bins(*both, card_of_kind()) ? planner::pipeline_cost_of_bins(*both)
                                                                                 : 99;
    };
    for (const Case& one : {Case{"192000 r2c batch=174", 750, 128, 1.25},
                            {"100000 r2c f64 batch=167", 500, 100, 1.23},
                            {"48000 c2r batch=699", 300, 80, 1.22},
                            {"200000 c2r f64 batch=83", 100, 1000, 1.27}})
        EXPECT_NEAR(std::exp2(cost_of_bins(one.text, {one.first, one.second})) / one.milliseconds, 1, 0.3) << one.text;
    EXPECT_EQ(cost_of_bins("192000 batch=87", {750, 256}), 99) << "no bins";
    EXPECT_EQ(cost_of_bins("262144 r2c batch=128", {512, 256}), 99) << "powers of two";
    using List = std::vector<std::uint64_t>;
    EXPECT_EQ(passes("48000 r2c batch=2000", card_of_kind()), (List{600, 40}));
    EXPECT_NE(passes("48000 r2c in-place batch=2000", card_of_kind()), (List{600, 40}))
        << "which would be two launches";
    const std::vector<std::uint64_t> planned = passes("151200 r2c batch=444", card_of_kind());
    ASSERT_EQ(planned.size(), 2u);
    EXPECT_LT(cost_of_bins("151200 r2c batch=444", planned), planner::most_pipeline_cost_of_bins);
}

// Of all splits of a length without a row the planner takes the one of the least cost.
TEST(PipelineCost, TheLeastIsPlanned) {
    for (const char* text : {"33600 batch=499", "92400 batch=181", "207360 batch=80", "49000 f64 batch=171"}) {
        const std::vector<std::uint64_t> planned = passes(text, card_of_kind());
        const std::uint64_t n = parse_problem(text).lengths.front();
        const double least = cost(text, planned);
        ASSERT_EQ(planned.size(), 2u) << text;
        ASSERT_LT(least, planner::most_pipeline_cost) << text;
        for (std::uint64_t first = n / 1024; first <= 1024; ++first) {
            if (n % first != 0) continue;
            try {
                EXPECT_LE(least, cost(text, {first, n / first})) << text << " as " << first;
            } catch (const Unsupported&) {
            }
        }
    }
}

// Groups of a unit have registers for the points of all slots: 22 of a thread with two butterflies of radix 11.
TEST(PipelineCost, SlotsHaveTheirRegisters) {
    constexpr std::uint32_t registers_of_unit = 65536, lanes = 32, beside = 8;
    std::size_t with_slots = 0;
    for (const char* text : {"1287x1287 batch=20", "1001x1001 batch=33", "999x999 batch=33", "1176x1176 batch=24"}) {
        const DeviceLimits limits = card_of_kind();
        const problem::Canonical canonical = problem::normalise(parse_problem(text));
        const planner::Recipe recipe = planner::design(canonical, limits, {});
        const auto steps = planner::plan(recipe, canonical, limits, {Direction::forward, {}}).schedule.steps;
        const kernels::KernelSpec& spec = steps.back().spec;
        const auto& shape = std::get<kernels::GroupShape>(spec.shape);
        std::uint32_t points = 1;
        for (const std::uint32_t r : spec.radices)
            points = std::max(points, (spec.n / r + shape.threads - 1) / shape.threads * r);
        if (points > (spec.n + shape.threads - 1) / shape.threads) ++with_slots;
        const std::uint32_t threads = (shape.threads * shape.sequences + lanes - 1) / lanes * lanes;
        EXPECT_GE(registers_of_unit / (std::max(1u, shape.min_groups_per_unit) * threads), 2 * points + beside) << text;
    }
    EXPECT_GE(with_slots, 2u);
}

// Of doubles as well, unless the groups that are left would have too few threads to trail each other.
TEST(PipelineCost, SlotsOfDoublesHaveTheirRegisters) {
    const auto groups = [](const char* text) {
        const problem::Canonical canonical = problem::normalise(parse_problem(text));
        const planner::Recipe recipe = planner::design(canonical, card_of_kind(), {});
        const auto steps = planner::plan(recipe, canonical, card_of_kind(), {Direction::forward, {}}).schedule.steps;
        return std::get<kernels::GroupShape>(steps.back().spec.shape).min_groups_per_unit;
    };
    EXPECT_EQ(groups("630x630 f64 batch=42"), 2u);
    EXPECT_EQ(groups("336x336 f64 batch=148"), 2u);
    EXPECT_EQ(groups("176x176 f64 batch=541"), 3u) << "two would have 352 threads";
}

// A row is two passes of butterflies, planned where there is a batch for it, not for few transforms nor elsewhere.
TEST(MeasuredPasses, EveryRowIsPlanned) {
    DeviceLimits other = card_of_kind();
    other.shared_bytes = 64 * 1024;
    std::size_t rows = 0;
    for (const Precision precision : {Precision::f32, Precision::f64}) {
        for (std::uint64_t n = 15000; n <= 1100000; n += 8) {
            const DeviceLimits limits = card_of_kind();
            const Tuning tuning;
            planner::AxisQuestion q = question_of(n, precision, limits, tuning);
            const std::vector<std::uint32_t> row = planner::measured_passes(q);
            if (row.empty()) continue;
            ++rows;
            ASSERT_EQ(row.size(), 2u) << n;
            EXPECT_EQ(std::uint64_t{row[0]} * row[1], n);
            const std::string text = std::to_string(n) + (precision == Precision::f64 ? " f64" : "");
            EXPECT_EQ(passes(text + " batch=3000", limits), (std::vector<std::uint64_t>{row[0], row[1]})) << text;
            q.sequences = 1;
            EXPECT_TRUE(planner::measured_passes(q).empty()) << text << ": nothing trails";
            q.sequences = 3000;
            q.limits = &other;
            EXPECT_TRUE(planner::measured_passes(q).empty()) << text << ": another kind of device";
        }
    }
    EXPECT_EQ(rows, 122u);
}

// Where memory is as fast as an H200's other splits are, which fit into what a launch may have, and some trail.
TEST(MeasuredPasses, FastMemoryHasRowsOfItsOwn) {
    using Lengths = std::vector<std::uint64_t>;
    const DeviceLimits usual = card_of_kind();
    DeviceLimits fast = usual;
    fast.memory_bytes_per_second = 4'800'000'000'000;
    struct Case {
        const char* problem;
        Lengths usual, fast;
    };
    for (const Case& one :
         {Case{"8388608 batch=8", {4096, 2048}, {256, 128, 256}},
          Case{"8388608 f64 batch=4", {4096, 2048}, {512, 128, 128}},
          Case{"33554432 batch=2", {2048, 128, 128}, {512, 256, 256}},
          Case{"33554432 storage=f16 batch=4", {1024, 256, 128}, {512, 512, 128}},
          Case{"4194304 r2c batch=32", {4096, 512}, {256, 64, 128}},
          Case{"16777216 c2r batch=8", {512, 128, 128}, {128, 256, 256}},
          Case{"4194304 batch=16", {2048, 2048}, {2048, 2048}}, Case{"50000 batch=1342", {200, 250}, {500, 100}},
          Case{"524288 batch=128", {1024, 512}, {512, 1024}}, Case{"262144 c2r batch=512", {512, 256}, {128, 1024}},
          Case{"1048576 c2r f64 batch=64", {1024, 512}, {512, 1024}}}) {
        EXPECT_EQ(passes(one.problem, usual), one.usual) << one.problem;
        EXPECT_EQ(passes(one.problem, fast), one.fast) << one.problem;
    }
    const auto launches = [](const char* text, const DeviceLimits& limits) {
        const problem::Canonical canonical = problem::normalise(parse_problem(text));
        const Direction direction = canonical.has(Direction::forward) ? Direction::forward : Direction::inverse;
        return planner::plan(planner::design(canonical, limits, {}), canonical, limits, {direction, {}})
            .schedule.steps.size();
    };
    // Beside a launch that clears the counters of those that trail.
    for (const char* text : {"8388608 batch=8", "33554432 f64", "4194304 r2c batch=32", "16777216 c2r batch=8"})
        EXPECT_EQ(launches(text, fast), 3u) << text;
    EXPECT_EQ(launches("531441 batch=126", fast), 2u) << "one after the other";
    EXPECT_EQ(launches("4782969 batch=14", fast), 3u);
    EXPECT_EQ(launches("8388608", fast), launches("8388608", usual)) << "a single one";
}

// Two passes in a cluster, of complex points and of those with bins, and groups of half a tile.
TEST(MeasuredPasses, FastMemoryHasClustersAndTilesOfItsOwn) {
    DeviceLimits usual = card_of_kind();
    DeviceLimits fast = usual;
    fast.memory_bytes_per_second = 4'800'000'000'000;
    const auto plan = [](const char* text, const DeviceLimits& limits) {
        const problem::Canonical canonical = problem::normalise(parse_problem(text));
        const planner::Recipe recipe = planner::design(canonical, limits, {});
        return std::pair(recipe.groups_per_cluster, passes(text, limits));
    };
    using Plan = std::pair<std::uint32_t, std::vector<std::uint64_t>>;
    EXPECT_EQ(plan("65536 batch=1024", usual), Plan(16, {256, 256}));
    EXPECT_EQ(plan("65536 batch=1024", fast), Plan(16, {128, 512}));
    EXPECT_EQ(plan("131072 batch=512", fast), Plan(16, {512, 256}));
    EXPECT_EQ(plan("65536 r2c f64 batch=1024", fast), Plan(16, {256, 128}));
    EXPECT_EQ(plan("131072 r2c batch=1024", fast), Plan(8, {512, 128}));
    EXPECT_EQ(plan("65536 c2r batch=2048", fast), Plan(8, {64, 512}));
    EXPECT_EQ(plan("32768 c2r f64 batch=2048", fast), Plan(8, {64, 256}));
    EXPECT_EQ(plan("65536", fast), plan("65536", usual)) << "a single one";
    Tuning asked;
    asked.groups_per_cluster = 16;
    EXPECT_EQ(passes("65536 batch=1024", fast, asked), (std::vector<std::uint64_t>{128, 512}));
    EXPECT_EQ(passes("65536 storage=f16 batch=1024", fast, asked), (std::vector<std::uint64_t>{256, 256}));
    asked.radices = {16, 16};
    EXPECT_EQ(passes("65536 batch=1024", fast, asked), (std::vector<std::uint64_t>{256, 256}))
        << "whose radices they are";
    const auto transforms = [](const char* text, const DeviceLimits& limits) {
        const problem::Canonical canonical = problem::normalise(parse_problem(text));
        const auto steps = planner::plan(planner::design(canonical, limits, {}), canonical, limits, {}).schedule.steps;
        return std::get<kernels::GroupShape>(steps.at(1).spec.shape).sequences;
    };
    EXPECT_EQ(transforms("500000 batch=134", fast), 4u);
    EXPECT_EQ(transforms("50000 batch=1342", fast), 8u);
    EXPECT_EQ(transforms("20000 f64 batch=1677", fast), 4u);
    EXPECT_EQ(transforms("20000 f64 batch=1677", usual), 8u);
    EXPECT_EQ(transforms("500x1000 batch=134", fast), transforms("500x1000 batch=134", usual)) << "two axes";
}

// The same of the cores of r2c and c2r, whose launch has both passes.
TEST(MeasuredPasses, EveryRowOfBinsTrails) {
    const DeviceLimits limits = card_of_kind();
    std::size_t rows = 0;
    for (const Precision precision : {Precision::f32, Precision::f64}) {
        for (const bool stores_bins : {true, false}) {
            for (std::uint64_t n = 10000; n <= 1100000; n += 2) {
                const Tuning tuning;
                planner::AxisQuestion q = question_of(n, precision, limits, tuning);
                const std::vector<std::uint64_t> row = planner::measured_passes_for_bins(stores_bins, q);
                if (row.empty()) continue;
                ++rows;
                const std::string text = std::to_string(2 * n) + (stores_bins ? " r2c" : " c2r") +
                                         (precision == Precision::f64 ? " f64" : "") + " batch=3000";
                const problem::Canonical canonical = problem::normalise(parse_problem(text));
                const planner::Recipe recipe = planner::design(canonical, limits, {});
                const Direction direction = stores_bins ? Direction::forward : Direction::inverse;
                const auto steps = planner::plan(recipe, canonical, limits, {direction, {}}).schedule.steps;
                ASSERT_EQ(steps.size(), 2u) << text << ": counters, and both passes";
                ASSERT_EQ(steps.back().spec.pipeline.next.size(), 1u) << text;
                EXPECT_EQ(steps.back().spec.n, row[0]) << text;
                EXPECT_EQ(steps.back().spec.pipeline.next.front().n, row[1]) << text;
                q.sequences = 1;
                EXPECT_TRUE(planner::measured_passes_for_bins(stores_bins, q).empty()) << text << ": nothing trails";
            }
        }
    }
    EXPECT_EQ(rows, 121u);
}

}  // namespace
