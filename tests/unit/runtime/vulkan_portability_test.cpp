// Devices that are not all of Vulkan, as MoltenVK on macOS, are listed and used.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdint>

#include "seiche/plan.hpp"

extern "C" std::uint32_t fake_vulkan_devices();

namespace seiche::test {
namespace {

class VulkanPortability : public testing::Test {
protected:
    void SetUp() override {
        if (fake_vulkan_devices() == 0) GTEST_SKIP() << "no Vulkan device";
    }
};

TEST_F(VulkanPortability, devices_are_listed) {
    const std::vector<DeviceInfo> all = devices();
    const auto count = std::count_if(all.begin(), all.end(), [](const DeviceInfo& info) {
        return info.backend == Backend::vulkan && info.available;
    });
    EXPECT_EQ(static_cast<std::uint32_t>(count), fake_vulkan_devices());
}

TEST_F(VulkanPortability, a_device_is_made_as_one_that_knows_what_is_missing) {
    const Device device = Device::open("vulkan:0");
    const Plan plan(device, parse_problem("64 c2c f32"));
    std::vector<std::complex<float>> impulse(64);
    impulse[0] = 1;
    for (const std::complex<float>& bin : plan.forward(impulse)) EXPECT_NEAR(std::abs(bin - 1.0f), 0, 1e-6);
}

}  // namespace
}  // namespace seiche::test
