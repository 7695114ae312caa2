// Executing allocates nothing once a queue has been used: it has then what it pools.
#include <gtest/gtest.h>

#include <new>

#include "allocation_plans.hpp"
#include "allocations.hpp"
#include "seiche/convolution.hpp"
#include "seiche/error.hpp"

namespace seiche::test {
namespace {

class Executing : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        try {
            device_ = Device::open(GetParam());
        } catch (const Unsupported& error) {
            GTEST_SKIP() << error.what();
        }
    }
    template <class Execute>
    void expect_none(const Execute& execute, const std::string& what) {
        Queue queue = device_.create_queue();
        constexpr int most_pooled = 40;  // more than the command buffers of a queue
        for (int round = 0; round < most_pooled; ++round) execute(queue);
        EXPECT_EQ(allocations_of([&] { execute(queue); }), 0u) << what;
        queue.wait();
    }

    Device device_;
};

TEST_P(Executing, allocates_nothing) {
    const Backend backend = device_.info().backend;
    const bool has_images = backend == Backend::vulkan || backend == Backend::opengl;
    for (const NamedPlan& one : plans_on(device_, has_images))
        expect_none([&](Queue& queue) { one.plan.execute(queue, one.execution); }, one.name);
}

TEST_P(Executing, a_convolution_allocates_nothing) {
    const ConvolutionPlan plan(device_, parse_convolution("64 * 3 batch=3"));
    const ConvolutionExecution execution = memory_for(plan, device_);
    expect_none([&](Queue& queue) { plan.execute(queue, execution); }, "convolution");
}

// That zero means something.
TEST(Counting, counts_every_form_of_new) {
    const auto one = [] { ::operator delete(::operator new(8)); };
    EXPECT_EQ(allocations_of(one), 1u);
    EXPECT_EQ(allocations_of([] { ::operator delete[](::operator new[](8)); }), 1u);
    constexpr std::align_val_t line{64};
    EXPECT_EQ(allocations_of([] { ::operator delete(::operator new(8, line), line); }), 1u);
    EXPECT_EQ(allocations_of([&] {
                  const Counting off(false);
                  one();
              }),
              0u);
    one();
    EXPECT_EQ(allocations_of([] {}), 0u);
}

INSTANTIATE_TEST_SUITE_P(Devices, Executing, testing::Values("opencl", "vulkan", "opengl", "cuda", "hip"),
                         [](const auto& device) { return std::string(device.param); });

}  // namespace
}  // namespace seiche::test
