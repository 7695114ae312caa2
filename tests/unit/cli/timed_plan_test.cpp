// How often `seiche bench` runs a transform in a row, and what it compares it with.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

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

TEST(CopyKernel, CopiesWholeElementsAndNothingElse) {
    const Device device = open_device("cpu");
    Queue queue = device.create_queue();
    for (const std::uint64_t bytes : {std::uint64_t{16}, std::uint64_t{47}, std::uint64_t{1} << 16}) {
        SCOPED_TRACE(bytes);
        const CopyKernel kernel(device, bytes);
        ASSERT_TRUE(kernel);
        EXPECT_EQ(kernel.bytes(), bytes / 16 * 16);
        std::vector<unsigned char> numbers(bytes + 16), copied(bytes + 16, 0xff);
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<unsigned char>(i % 251 % 127);
        const Buffer from = device.allocate(numbers.size()), to = device.allocate(numbers.size());
        queue.upload(from, numbers.data(), numbers.size());
        queue.upload(to, copied.data(), copied.size());
        kernel.execute(queue, to, from);
        queue.download(copied.data(), to, copied.size());
        for (std::size_t i = 0; i < copied.size(); ++i)
            ASSERT_EQ(copied[i], i < kernel.bytes() ? numbers[i] : 0xff) << i;
    }
    EXPECT_FALSE(CopyKernel(device, 15)) << "less than an element";
    EXPECT_FALSE(CopyKernel(open_device("reference"), 1 << 16)) << "it would be interpreted";
}

TEST(TimedPlan, BesideBothCopies) {
    const Device device = open_device("cpu");
    for (const char* problem : {"64 batch=100", "64 in-place batch=100", "64x64 parts=3000", "100 planar f64"}) {
        SCOPED_TRACE(problem);
        TimedPlan timed(device, parse_problem(problem), {}, {.plans_again = false});
        EXPECT_FALSE(timed.has_copy_kernel());
        timed.fill_input();
        timed.make_copy_kernel();
        ASSERT_TRUE(timed.has_copy_kernel());
        EXPECT_GT(timed.copy(3), 0);
        EXPECT_GT(timed.copy_by_kernel(3), 0);
        EXPECT_GT(timed.run(3), 0);
        EXPECT_TRUE(timed.verify(1).good());
    }
}

}  // namespace
