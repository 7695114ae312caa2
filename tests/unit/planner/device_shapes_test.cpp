// Plans for devices of every shape that there may be: subgroups of 1 to 64 lanes, 16 to 227 KiB of shared memory,
// groups of 64 to 4096 threads, few registers and many, with fp64 and without.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "planner/recipe.hpp"
#include "seiche/device.hpp"
#include "seiche/error.hpp"
#include "seiche/problem.hpp"

namespace {

using namespace seiche;

/// What is wrong with the plan of a problem, or nothing.
std::string fault(const std::string& text, const DeviceLimits& limits) {
    const problem::Canonical canonical = problem::normalise(parse_problem(text));
    const planner::Recipe recipe = planner::design(canonical, limits, {});
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        if (direction == Direction::forward && canonical.axes.back().kind == Kind::c2r) continue;
        if (direction == Direction::inverse && canonical.axes.back().kind == Kind::r2c) continue;
        for (const planner::Step& step : planner::plan(recipe, canonical, limits, {direction, {}}).schedule.steps) {
            const auto* shape = std::get_if<kernels::GroupShape>(&step.spec.shape);
            if (shape != nullptr && shape->threads * shape->sequences > limits.max_group_size)
                return "a group of " + std::to_string(shape->threads) + " x " + std::to_string(shape->sequences);
        }
    }
    return "";
}

void plan_for(const DeviceLimits& limits) {
    const std::string device = std::to_string(limits.subgroup_size) + " lanes, " +
                               std::to_string(limits.shared_bytes / 1024) + " KiB, groups of " +
                               std::to_string(limits.max_group_size) + ", " +
                               std::to_string(limits.registers_per_thread) + " registers";
    for (const char* text : {"7",
                             "64",
                             "1000 batch=9",
                             "1009",
                             "2053",
                             "4096 batch=3",
                             "16384",
                             "65536 batch=4",
                             "1048576",
                             "1000003",
                             "100x100",
                             "30x64x5 axes=1",
                             "256 r2c batch=5",
                             "100000 r2c",
                             "4096 c2r",
                             "1000 dct2",
                             "60 dct4",
                             "512 f16 batch=7",
                             "600 f64",
                             "8192 f64",
                             "36 f64x2"}) {
        const bool is_wide = std::string(text).find("f64") != std::string::npos;
        try {
            EXPECT_EQ(fault(text, limits), "") << text << " on " << device;
            EXPECT_TRUE(!is_wide || limits.fp64) << text << " on a device without fp64";
        } catch (const Unsupported& refusal) {
            EXPECT_TRUE(is_wide && !limits.fp64) << text << " on " << device << ": " << refusal.what();
        }
    }
}

TEST(DeviceShapes, ArePlannedFor) {
    for (const std::uint32_t lanes : {1u, 4u, 8u, 16u, 32u, 64u}) {
        for (const std::uint32_t kibibytes : {16u, 32u, 48u, 64u, 128u, 227u}) {
            for (const std::uint32_t group : {64u, 128u, 256u, 1024u, 4096u}) {
                DeviceLimits limits;
                limits.subgroup_size = lanes;
                limits.shared_bytes = limits.shared_bytes_per_unit = kibibytes * 1024;
                limits.max_group_size = group;
                limits.registers_per_thread = group < 256 ? 64 : 255;
                limits.fp64 = kibibytes != 48;
                plan_for(limits);
            }
        }
    }
}

}  // namespace
