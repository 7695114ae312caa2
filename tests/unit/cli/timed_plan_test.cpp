// How often `seiche bench` runs a transform in a row.
#include <gtest/gtest.h>

#include <limits>

#include "cli/command/report.hpp"
#include "cli/measure/timed_plan.hpp"
#include "seiche/problem.hpp"

namespace {

using namespace seiche;
using namespace seiche::cli;

TEST(TimedPlan, OverItsInputAsOftenAsValuesStayFinite) {
    struct Case {
        const char* problem;
        unsigned most;
    };
    const Device device = open_device("reference");
    for (const Case& one : {Case{"64 in-place", 18}, Case{"64 f64 in-place", 146}, Case{"64 f16 in-place", 2},
                            Case{"4096 f16 in-place", 1}, Case{"8x8 dct2 overwrite-input", 18},
                            Case{"64", std::numeric_limits<unsigned>::max()}}) {
        SCOPED_TRACE(one.problem);
        TimedPlan timed(device, parse_problem(one.problem), {});
        EXPECT_EQ(timed.most_in_a_row(), one.most);
        EXPECT_TRUE(timed.verify(1).good());
        EXPECT_GT(timed.run(20), 0);
        EXPECT_TRUE(timed.verify(2).good()) << "from numbers of its own again";
    }
    Problem staged = parse_problem("64 in-place");
    staged.forward_load = "return value * 1000.0;";
    EXPECT_EQ(TimedPlan(device, staged, {}).most_in_a_row(), 1u) << "what a stage makes of them is not known";
}

}  // namespace
