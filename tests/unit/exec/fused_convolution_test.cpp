// Two passes of one axis in one group, one of them Rader's or Bluestein's convolution: every byte once each way.
#include <gtest/gtest.h>

#include "exec/inspect.hpp"
#include "seiche/error.hpp"
#include "tests/unit/exec/flow_bytes.hpp"
#include "tests/unit/exec/limits.hpp"

namespace {

using namespace seiche;

std::uint64_t bytes_of(const problem::Canonical& canonical, bool input) {
    const Kind kind = canonical.axes.front().kind;
    const std::uint64_t n = canonical.n, half = 2 * (n / 2 + 1);
    const bool is_real = kind == (input ? Kind::r2c : Kind::c2r), is_half = kind == (input ? Kind::c2r : Kind::r2c);
    return canonical.batch.count * (is_real ? n : is_half ? half : 2 * n) * canonical.stored_bytes();
}

struct Case {
    const char* problem;
    const char* recipe;  ///< A part of it.
    std::vector<std::uint64_t> passes = {};
};

void expect_one_round_trip(const Case& one) {
    SCOPED_TRACE(one.problem);
    const Problem problem = parse_problem(one.problem);
    const problem::Canonical canonical = problem::normalise(problem);
    Tuning tuning;
    tuning.passes = one.passes;
    if (!one.passes.empty()) tuning.groups_per_cluster = 1;
    const PlanReport plan = exec::describe(problem, hopper(), {Directions::both, tuning});
    ASSERT_EQ(plan.kernels.size(), problem.kind == Kind::c2c ? 2u : 1u);  // one each way
    EXPECT_NE(plan.recipe.find(one.recipe), std::string::npos) << plan.recipe;
    EXPECT_NE(plan.recipe.find("(launches (on-chip"), std::string::npos) << plan.recipe;
    EXPECT_EQ(plan.workspace_bytes, 0u);
    const std::vector<AnalysisReport> reports = exec::analyse(canonical, hopper(), tuning);
    ASSERT_EQ(reports.size(), 1u);
    const AnalysisReport& r = reports.front();
    SCOPED_TRACE(r.findings.empty() ? "" : r.findings.front());
    EXPECT_EQ(r.out_of_bounds + r.uninitialised_reads + r.races, 0u);
    EXPECT_EQ(r.bytes_read, bytes_of(canonical, true));
    EXPECT_EQ(r.bytes_written, bytes_of(canonical, false));
}

/// Of complex points, by a prime's powers, of a padded length, both passes so, and the convolution first.
TEST(FusedConvolution, ReadsAndWritesEachPointOnce) {
    for (const Case& one :
         {Case{"365 batch=3", "(stockham 5 5) (rader 73", {5, 73}}, Case{"4380", "(rader 73", {60, 73}},
          Case{"1461 f64 batch=2", "(rader 487", {3, 487}}, Case{"249 batch=5", "(bluestein 83", {3, 83}},
          Case{"454 f64 batch=3", "(bluestein 227", {2, 227}}, Case{"5329", "(four-step 5329 (rader 73", {73, 73}},
          Case{"6499", "(four-step 6499 (rader 97", {97, 67}}, Case{"730 in-place", "(stockham 10", {73, 10}},
          Case{"2056 planar batch=2", "(rader 257", {8, 257}}})
        expect_one_round_trip(one);
}

/// Pairs of bins meet on chip; of odd lengths half of the spectrum is left out.
TEST(FusedConvolution, OfRealNumbers) {
    for (const Case& one :
         {Case{"730 r2c batch=3", "(rader 73", {5, 73}}, Case{"730 c2r batch=3", "(rader 73", {5, 73}},
          Case{"365 r2c batch=3", "one-sided", {5, 73}}, Case{"365 c2r f64", "one-sided", {5, 73}},
          Case{"8760 r2c", "(rader 73", {60, 73}}, Case{"2922 c2r f64 batch=2", "(rader 487", {3, 487}},
          Case{"498 r2c f64", "(bluestein 83", {3, 83}}})
        expect_one_round_trip(one);
}

TEST(FusedConvolution, OfAFewTransformsInAGroup) {
    Tuning tuning;
    tuning.groups_per_cluster = 1;
    tuning.passes = {2, 73};
    tuning.transforms_per_group = 4;
    const problem::Canonical canonical = problem::normalise(parse_problem("146 batch=9"));
    const std::vector<AnalysisReport> reports = exec::analyse(canonical, hopper(), tuning);
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_EQ(reports.front().out_of_bounds + reports.front().uninitialised_reads + reports.front().races, 0u);
    EXPECT_EQ(reports.front().bytes_written, bytes_of(canonical, false));
}

/// A pass that is padded leaves its results by a chirp, which comes last; and what no group holds is in two kernels.
TEST(FusedConvolution, IsRefusedWhereItCannotBe) {
    Tuning tuning;
    tuning.groups_per_cluster = 1;
    for (const auto& [text, passes] :
         {std::pair<const char*, std::vector<std::uint64_t>>{"249", {83, 3}}, {"36500", {500, 73}}}) {
        tuning.passes = passes;
        EXPECT_THROW(exec::describe(parse_problem(text), hopper(), {Directions::forward, tuning}), Unsupported) << text;
    }
}

/// Where many sequences share a block, by itself.
TEST(FusedConvolution, IsChosenWhereItWasFaster) {
    const auto is_chosen = [](const char* text, const DeviceLimits& limits) {
        const PlanReport plan = exec::describe(parse_problem(text), limits, {Directions::both, {}});
        return plan.recipe.find("(launches (on-chip") != std::string::npos;
    };
    for (const char* text :
         {"1168 batch=199", "4380 batch=199", "1168 f64 batch=199", "730 r2c batch=199", "2336 c2r f64 batch=199"})
        EXPECT_TRUE(is_chosen(text, hopper())) << text;
    for (const char* text : {"146 batch=199", "365 batch=199", "365 r2c batch=199", "1168 batch=9", "1328 batch=199",
                             "199x1168", "1460 r2c batch=199 idist=1461", "1460 c2r batch=199 odist=1461",
                             "1168 dct2 batch=199", "1168 storage=f16 batch=199"})
        EXPECT_FALSE(is_chosen(text, hopper())) << text;
    DeviceLimits other = hopper();
    other.architecture = "sm_89";
    EXPECT_FALSE(is_chosen("1168 batch=199", other));
}

TEST(FusedConvolution, ExplanationsCountItsBytes) {
    Tuning tuning;
    tuning.groups_per_cluster = 1;
    const auto expect = [&](const char* text, const std::vector<std::uint64_t>& passes) {
        tuning.passes = passes;
        expect_counted_bytes(text, hopper(), tuning);
    };
    for (const char* text : {"365 batch=2", "730 r2c", "730 c2r batch=3", "365 r2c"}) expect(text, {5, 73});
    for (const char* text : {"249", "498 r2c f64"}) expect(text, {3, 83});
    expect("5329", {73, 73});
    expect("730", {73, 10});
}

}  // namespace
