// Reports and sources of plans for devices that are not there.
#include "seiche/inspect.hpp"

#include <gtest/gtest.h>

#include "seiche/emit.hpp"
#include "seiche/error.hpp"
#include "seiche/version.hpp"

namespace seiche {
namespace {

TEST(Inspect, ReportsOneRoundTrip) {
    const PlanReport report = inspect(parse_problem("1024 batch=16"), DeviceLimits{});
    EXPECT_EQ(report.problem, "1024 c2c f32 batch=16");
    EXPECT_EQ(report.ideal_bytes, 2 * 8 * 1024 * 16u);
    EXPECT_EQ(report.moved_bytes, report.ideal_bytes);
    ASSERT_EQ(report.kernels.size(), 2u);
    EXPECT_EQ(report.kernels[0].direction, Direction::forward);
    EXPECT_EQ(report.kernels[1].direction, Direction::inverse);
    EXPECT_EQ(report.compiled + report.cached, 0u);
    const std::string text = report.text();
    EXPECT_NE(text.find("1024 c2c f32 batch=16"), std::string::npos);
    EXPECT_NE(text.find("1.00 times one round trip (0.250 MiB)"), std::string::npos) << text;
    EXPECT_NE(text.find(report.kernels[0].spec), std::string::npos);
}

TEST(Inspect, RefusesBadProblems) {
    EXPECT_THROW(inspect(parse_problem("0"), DeviceLimits{}), InvalidProblem);
    EXPECT_THROW(emit_kernels(parse_problem("4x4 axes=2"), Dialect::cuda, DeviceLimits{}), InvalidProblem);
    EXPECT_THROW(analyse(parse_problem("4 batch=18446744073709551615"), DeviceLimits{}), InvalidProblem);
}

TEST(Inspect, AnalysesWithoutADevice) {
    const auto reports = analyse(parse_problem("256 batch=4"), DeviceLimits{});
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_EQ(reports[0].bytes_read, 256 * 4 * 8u);
    EXPECT_EQ(reports[0].races, 0u);
    EXPECT_EQ(reports[0].out_of_bounds, 0u);
}

TEST(Emit, GivesWholeSources) {
    for (const Dialect dialect : {Dialect::cuda, Dialect::hip, Dialect::opencl}) {
        const auto kernels = emit_kernels(parse_problem("256"), dialect, DeviceLimits{}, Direction::inverse);
        ASSERT_EQ(kernels.size(), 1u);
        EXPECT_NE(kernels[0].source.find(kernels[0].name), std::string::npos);
        EXPECT_NE(kernels[0].source.find(dialect == Dialect::opencl ? "__kernel" : "__global__"), std::string::npos);
        EXPECT_GE(kernels[0].groups, 1u);
        EXPECT_GE(kernels[0].group_size, 1u);
    }
    EXPECT_STREQ(to_string(Dialect::cuda), "cuda");
    EXPECT_STREQ(to_string(Dialect::hip), "hip");
    EXPECT_STREQ(to_string(Dialect::opencl), "opencl");
}

TEST(Version, IsThatOfTheHeaders) {
    EXPECT_EQ(std::string(version()), std::to_string(SEICHE_VERSION_MAJOR) + "." +
                                          std::to_string(SEICHE_VERSION_MINOR) + "." +
                                          std::to_string(SEICHE_VERSION_PATCH));
}

}  // namespace
}  // namespace seiche
