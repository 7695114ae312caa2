// Plans that several threads make on one device of a real driver, where each backend has locks of its own.
#include <gtest/gtest.h>

#include "plan_threads.hpp"
#include "run_kernel.hpp"

namespace seiche::test {
namespace {

class PlansOfManyThreads : public testing::TestWithParam<const char*> {};

TEST_P(PlansOfManyThreads, are_made_at_once_on_one_device) {
    std::string reason;
    const auto device = try_open(GetParam(), reason);
    if (!device) GTEST_SKIP() << reason;
    plan_from_threads(Device(device));
}

INSTANTIATE_TEST_SUITE_P(Devices, PlansOfManyThreads, testing::Values("opencl:pocl", "vulkan", "opengl:0"),
                         [](const auto& info) {
                             const std::string name = info.param;
                             return name.substr(0, name.find(':'));
                         });

}  // namespace
}  // namespace seiche::test
