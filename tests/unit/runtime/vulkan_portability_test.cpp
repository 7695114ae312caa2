// Devices that are not all of Vulkan, as MoltenVK on macOS, are listed and used.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "runtime/published.hpp"
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

/// Limits of the first device while the fake loader says that it is a card, with an extension that counts its units.
DeviceLimits limits_of_card(const char* card, const char* extensions) {
    setenv("SEICHE_FAKE_VULKAN_CARD", card, 1);
    setenv("SEICHE_FAKE_VULKAN_SHOWS", extensions, 1);
    const std::vector<DeviceInfo> all = devices();
    for (const char* variable : {"SEICHE_FAKE_VULKAN_CARD", "SEICHE_FAKE_VULKAN_SHOWS"}) unsetenv(variable);
    const auto found =
        std::find_if(all.begin(), all.end(), [](const DeviceInfo& info) { return info.backend == Backend::vulkan; });
    return found->limits;
}

TEST_F(VulkanPortability, units_are_those_that_a_vendors_extension_counts) {
    const auto units = [](const char* extensions) { return limits_of_card("0x1 card", extensions).compute_units; };
    EXPECT_EQ(units(""), 32u) << "nobody says";
    EXPECT_EQ(units("VK_NV_shader_sm_builtins"), 132u);
    EXPECT_EQ(units("VK_AMD_shader_core_properties"), 80u);
    EXPECT_EQ(units("VK_AMD_shader_core_properties VK_AMD_shader_core_properties2"), 72u) << "some are switched off";
    EXPECT_EQ(units("VK_ARM_shader_core_builtins"), 10u);
}

TEST_F(VulkanPortability, the_cache_is_what_was_published_of_a_card_of_that_name) {
    const auto cache = [](const char* card) { return limits_of_card(card, "").cache_bytes; };
    const std::uint64_t unknown = DeviceLimits().cache_bytes;
    EXPECT_EQ(cache("0x10de NVIDIA H200"), std::uint64_t{50} << 20);
    EXPECT_EQ(cache("0x10de NVIDIA A100-SXM4-80GB"), std::uint64_t{40} << 20);
    EXPECT_EQ(cache("0x1002 AMD Radeon RX 7900 XTX (RADV NAVI31)"), std::uint64_t{96} << 20);
    EXPECT_EQ(cache("0x10de NVIDIA A100-SXM4-40GB MIG 1g.5gb"), unknown) << "a part of one";
    EXPECT_EQ(cache("0x10de NVIDIA GeForce RTX 5090 Laptop GPU"), unknown) << "another chip";
    EXPECT_EQ(cache("0x10de NVIDIA A1000"), unknown);
    EXPECT_EQ(cache("0x1002 H200"), unknown) << "another vendor";
    EXPECT_EQ(cache("0x10de NVIDIA card of tomorrow"), unknown);
}

// What ships as a profile of the same chip says the same.
TEST(VulkanChips, profiles_agree) {
    std::size_t found = 0;
    for (const auto& file : std::filesystem::directory_iterator(SEICHE_PROFILES)) {
        std::ifstream stream(file.path());
        const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
        const auto after = [&](const std::string& key) { return text.substr(text.find(key) + key.size()); };
        const std::string name = after("\"name\": \"").substr(0, after("\"name\": \"").find('"'));
        const std::uint64_t bytes = std::stoull(after("\"cache_bytes\": "));
        for (const std::uint32_t vendor : {0x10deu, 0x1002u, 0x8086u}) {
            const std::uint64_t known = runtime::published_cache_bytes(vendor, name);
            if (known == 0) continue;
            EXPECT_EQ(known, bytes) << name;
            ++found;
        }
    }
    EXPECT_EQ(found, 9u);
}

}  // namespace
}  // namespace seiche::test
