// Plans are the same for a GPU that Level Zero describes and for the profile of it that ships: of what both say, they
// say the same.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "cli/io/device_profile.hpp"
#include "intel_folder.hpp"
#include "runtime/level_zero/device.hpp"
#include "seiche/inspect.hpp"
#include "seiche/problem.hpp"

namespace seiche::test {
namespace {

const auto* const folder = testing::AddGlobalTestEnvironment(new TemporaryFolder);

struct Described {
    DeviceLimits by_driver, by_profile;
};

/// The devices, each with the profile that SEICHE_TEST_PROFILES names in its place; none where there is no driver.
std::vector<Described> described() {
    std::istringstream names(runtime::environment("SEICHE_TEST_PROFILES"));
    std::vector<Described> all;
    for (const DeviceInfo& info : runtime::level_zero::list()) {
        std::string name;
        if (!info.available || !(names >> name)) break;
        const std::string file = std::string(SEICHE_PROFILES) + "/" + name + ".json";
        all.push_back({info.limits, cli::io::read_device_profile(file).limits});
    }
    return all;
}

TEST(LevelZeroProfiles, say_what_the_driver_says) {
    const std::vector<Described> all = described();
    if (all.empty()) GTEST_SKIP() << "SKIPPED: no device";
    for (const auto& [driver, profile] : all) {
        SCOPED_TRACE(driver.architecture);
        EXPECT_EQ(driver.vectors, profile.vectors);
        EXPECT_EQ(driver.subgroup_size, profile.subgroup_size);
        EXPECT_EQ(driver.registers_per_thread, profile.registers_per_thread);
        EXPECT_EQ(driver.max_group_size, profile.max_group_size);
        EXPECT_EQ(driver.compute_units, profile.compute_units);
        EXPECT_EQ(driver.shared_bytes, profile.shared_bytes);
        EXPECT_EQ(driver.sector_bytes, profile.sector_bytes);
        EXPECT_EQ(driver.bounds_registers, profile.bounds_registers);
        EXPECT_EQ(driver.fast_fma, profile.fast_fma);
    }
}

/// What Level Zero has no question for (the shared memory of a unit), what this SPIR-V has not, and sizes of memory,
/// which a driver without hardware makes up.
DeviceLimits with_the_rest_of(const DeviceLimits& profile, DeviceLimits driver) {
    driver.shared_bytes_per_unit = profile.shared_bytes_per_unit;
    driver.fp16_arithmetic = profile.fp16_arithmetic;
    driver.cache_bytes = profile.cache_bytes;
    driver.memory_bytes = profile.memory_bytes;
    driver.max_allocation_bytes = profile.max_allocation_bytes;
    return driver;
}

TEST(LevelZeroProfiles, and_drivers_give_the_same_plans) {
    const std::vector<Described> all = described();
    if (all.empty()) GTEST_SKIP() << "SKIPPED: no device";
    for (const auto& [driver, profile] : all)
        for (const char* text : {"64 batch=1000", "1000", "4096 batch=100", "16384", "1048576", "37", "1009 batch=9",
                                 "4096 r2c", "1000 dct2", "512 f16 batch=100", "128x128", "64x64x64"}) {
            const Problem problem = parse_problem(text);
            EXPECT_EQ(inspect(problem, with_the_rest_of(profile, driver)).text(), inspect(problem, profile).text())
                << driver.architecture;
        }
}

}  // namespace
}  // namespace seiche::test
