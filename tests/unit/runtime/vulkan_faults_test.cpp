// Calls of the loader and of devices of the backend's own that fail: each is named with its code, what else there is
// goes on, nothing is left, and the next try works. What may fail on a caller's device: vulkan_interop_test.cpp.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "runtime/backend.hpp"
#include "runtime/vulkan/device.hpp"
#include "seiche/error.hpp"
#include "seiche/plan.hpp"
#include "vulkan_layers.hpp"

extern "C" {
std::uint32_t fake_vulkan_devices();
std::int64_t fake_vulkan_instances();
std::int64_t fake_vulkan_logical_devices();
}

namespace seiche::test {
namespace {

using Points = std::vector<std::complex<float>>;

/// While it lives, the call fails; see fake_vulkan.cpp.
class Failing {
public:
    explicit Failing(const std::string& call) { setenv("SEICHE_FAKE_VULKAN_FAILS", call.c_str(), 1); }
    ~Failing() { unsetenv("SEICHE_FAKE_VULKAN_FAILS"); }
    Failing(const Failing&) = delete;
    Failing& operator=(const Failing&) = delete;
};

std::vector<DeviceInfo> of_vulkan() {
    std::vector<DeviceInfo> infos = devices();
    infos.erase(std::remove_if(infos.begin(), infos.end(),
                               [](const DeviceInfo& info) { return info.backend != Backend::vulkan; }),
                infos.end());
    return infos;
}

bool others_are_there() {
    const std::vector<DeviceInfo> infos = devices();
    return std::any_of(infos.begin(), infos.end(),
                       [](const DeviceInfo& info) { return info.backend != Backend::vulkan && info.available; });
}

template <class Body>
std::string what_is_said(const Body& body) {
    try {
        body();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing";
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class VulkanFaults : public testing::Test {
protected:
    void SetUp() override {
        if (fake_vulkan_devices() == 0) GTEST_SKIP() << "no Vulkan device";
        testing::GTEST_FLAG(death_test_style) = "threadsafe";  // the instance is one for the process
        folder_ = std::filesystem::temp_directory_path() / ("seiche-vulkan-faults-" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
        setenv("SEICHE_CACHE_DIR", folder_.c_str(), 1);
    }
    void TearDown() override {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    std::filesystem::path folder_;
};

// ---- The loader, which is asked once in a process: each in one of its own

/// Ends the process, having written what it says of Vulkan.
[[noreturn]] void tell(const std::string& call) {
    const Failing failing(call);
    const std::vector<DeviceInfo> infos = of_vulkan();
    std::cerr << infos.size() << " with the problem " << infos.front().problem << ", to mend "
              << !infos.front().remedy.empty() << ", others " << others_are_there() << ", instances "
              << fake_vulkan_instances() << ", opening " << what_is_said([] { Device::open("vulkan"); }) << '\n';
    std::filesystem::remove_all(std::getenv("SEICHE_CACHE_DIR"));  // no TearDown comes
    std::_Exit(0);
}

/// What `tell` writes, as a regular expression.
std::string told(const std::string& call, const std::string& code) {
    const std::string reason = "the Vulkan loader is here, but " + call + " failed with " + code;
    return "1 with the problem " + reason + ", to mend 1, others 1, instances 0, opening Unsupported: .*" + reason +
           " \\(install";
}

TEST_F(VulkanFaults, a_loader_that_makes_no_instance_is_said_to) {
    EXPECT_EXIT(tell("vkCreateInstance -9"), testing::ExitedWithCode(0),
                told("vkCreateInstance", "VK_ERROR_INCOMPATIBLE_DRIVER"));
    EXPECT_EXIT(tell("vkCreateInstance -3"), testing::ExitedWithCode(0),
                told("vkCreateInstance", "VK_ERROR_INITIALIZATION_FAILED"));
}

TEST_F(VulkanFaults, a_loader_that_does_not_tell_its_version_is_not_taken_for_an_old_one) {
    EXPECT_EXIT(tell("vkEnumerateInstanceVersion -13"), testing::ExitedWithCode(0),
                told("vkEnumerateInstanceVersion", "VK_ERROR_UNKNOWN"));
}

TEST_F(VulkanFaults, a_loader_that_does_not_tell_its_extensions_is_said_to) {
    for (const char* when : {"", " writing"})
        EXPECT_EXIT(tell(std::string("vkEnumerateInstanceExtensionProperties -6") + when), testing::ExitedWithCode(0),
                    told("vkEnumerateInstanceExtensionProperties", "VK_ERROR_LAYER_NOT_PRESENT"));
}

// ---- The list

TEST_F(VulkanFaults, devices_that_are_not_listed_are_one_line_with_the_code) {
    for (const char* when : {"", " writing"}) {
        const Failing failing(std::string("vkEnumeratePhysicalDevices -3") + when);
        const std::vector<DeviceInfo> infos = of_vulkan();
        ASSERT_EQ(infos.size(), 1u) << when;
        EXPECT_FALSE(infos.front().available);
        EXPECT_EQ(infos.front().name, "vulkan");
        EXPECT_EQ(infos.front().problem,
                  "the Vulkan loader is here, but vkEnumeratePhysicalDevices failed with "
                  "VK_ERROR_INITIALIZATION_FAILED");
        EXPECT_FALSE(infos.front().remedy.empty());
        EXPECT_TRUE(others_are_there());
        const std::string said = what_is_said([] { Device::open("vulkan:0"); });
        EXPECT_TRUE(says(said, "vkEnumeratePhysicalDevices failed with VK_ERROR_INITIALIZATION_FAILED")) << said;
    }
    EXPECT_TRUE(of_vulkan().front().available);
}

TEST_F(VulkanFaults, a_list_that_has_grown_is_taken_as_far_as_it_goes) {
    const auto grown = [](runtime::vulkan::Uint* count, int* all) -> runtime::vulkan::Result {
        if (all == nullptr) return *count = 3, runtime::vulkan::success;
        std::fill_n(all, *count = 2, 7);
        return runtime::vulkan::incomplete;
    };
    std::vector<int> all{1};
    EXPECT_EQ(runtime::vulkan::enumerate(all, grown), runtime::vulkan::success);
    EXPECT_EQ(all, (std::vector<int>{7, 7}));
}

TEST_F(VulkanFaults, a_device_that_does_not_tell_its_extensions_is_listed_with_the_code) {
    const DeviceInfo whole = of_vulkan().front();
    for (const char* when : {"", " writing"}) {
        const Failing failing(std::string("vkEnumerateDeviceExtensionProperties -1") + when);
        const std::vector<DeviceInfo> infos = of_vulkan();
        ASSERT_EQ(infos.size(), fake_vulkan_devices());
        EXPECT_FALSE(infos.front().available);
        EXPECT_EQ(infos.front().name, "vulkan:0");
        EXPECT_TRUE(says(whole.description, infos.front().description)) << infos.front().description;
        EXPECT_EQ(infos.front().problem.rfind("vkEnumerateDeviceExtensionProperties failed with "
                                              "VK_ERROR_OUT_OF_HOST_MEMORY",
                                              0),
                  0u)
            << infos.front().problem;
        EXPECT_FALSE(infos.front().remedy.empty());
        EXPECT_TRUE(others_are_there());
        const std::string said = what_is_said([] { Device::open("vulkan:0"); });
        EXPECT_TRUE(says(said, "vkEnumerateDeviceExtensionProperties failed with VK_ERROR_OUT_OF_HOST_MEMORY")) << said;
        const std::string opened = what_is_said([&] { runtime::vulkan::open(whole); });
        EXPECT_TRUE(says(opened, "BackendError: vulkan: vkEnumerateDeviceExtensionProperties failed")) << opened;
    }
    EXPECT_TRUE(of_vulkan().front().available);
}

TEST_F(VulkanFaults, a_device_without_a_queue_for_compute_work_says_so_and_the_others_go_on) {
    const DeviceInfo whole = of_vulkan().front();
    setenv("SEICHE_FAKE_VULKAN_WITHOUT_COMPUTE", "0", 1);
    const std::vector<DeviceInfo> infos = of_vulkan();
    std::size_t available = 0;
    for (const DeviceInfo& info : infos) {
        if (info.available) ++available;
        if (info.name != "vulkan:0") continue;
        EXPECT_FALSE(info.available);
        EXPECT_EQ(info.problem, "it has no queue for compute work");
        EXPECT_EQ(info.remedy, "use another device");
    }
    EXPECT_EQ(available, fake_vulkan_devices() - 1);
    EXPECT_TRUE(others_are_there());
    const std::string said = what_is_said([] { Device::open("vulkan:0"); }),
                      opened = what_is_said([&] { runtime::vulkan::open(whole); }),
                      any = what_is_said([] { Device::open("vulkan"); });
    unsetenv("SEICHE_FAKE_VULKAN_WITHOUT_COMPUTE");
    EXPECT_TRUE(says(said, "vulkan:0: it has no queue for compute work (use another device)")) << said;
    EXPECT_TRUE(says(opened, "Unsupported: vulkan: vulkan:0: it has no queue for compute work")) << opened;
    EXPECT_EQ(any == "nothing", available != 0) << any;
    EXPECT_EQ(fake_vulkan_logical_devices(), 0);
}

// ---- Devices of its own

void expect_works(const Device& device) {
    const Points spectrum = Plan(device, parse_problem("60")).forward(Points(60, 1));
    EXPECT_NEAR(std::abs(spectrum[0] - std::complex<float>(60)), 0, 1e-4);
}

/// A device with plans that nobody keeps longer than the caller does.
Device caller_kept_device() { return Device(runtime::vulkan::open(of_vulkan().front())); }

TEST_F(VulkanFaults, a_device_that_is_not_made_is_an_error_that_names_it) {
    {
        const Failing failing("vkCreateDevice -3");
        const std::string said = what_is_said([] { Device::open("vulkan:0"); });
        EXPECT_TRUE(says(said, "BackendError: vulkan: vkCreateDevice (")) << said;
        EXPECT_TRUE(says(said, of_vulkan().front().limits.architecture)) << said;
        EXPECT_TRUE(says(said, "failed with VK_ERROR_INITIALIZATION_FAILED")) << said;
    }
    EXPECT_EQ(fake_vulkan_logical_devices(), 0);
    expect_works(Device::open("vulkan:0"));
}

TEST_F(VulkanFaults, a_pipeline_that_is_not_given_for_the_cache_is_an_error_and_leaves_nothing) {
    const std::int64_t before = fake_vulkan_logical_devices();
    for (const char* when : {"", " writing"}) {
        const Device device = caller_kept_device();
        const Failing failing(std::string("vkGetPipelineCacheData -2") + when);
        const std::string said = what_is_said([&] { Plan(device, parse_problem("61 f32")); });
        EXPECT_TRUE(says(said, "vulkan: vkGetPipelineCacheData (")) << said;
        EXPECT_TRUE(says(said,
                         "failed with VK_ERROR_OUT_OF_DEVICE_MEMORY; the device has not enough memory: use smaller "
                         "buffers or a smaller batch"))
            << said;
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
    EXPECT_EQ(fake_vulkan_logical_devices(), before);
}

TEST_F(VulkanFaults, a_wait_that_fails_is_an_error_where_one_can_be_told) {
    const std::int64_t before = fake_vulkan_logical_devices();
    {
        const Device device = caller_kept_device();
        const Failing failing("vkQueueWaitIdle -4");
        const std::string said = what_is_said([&] { device.allocate_image(ImageFormat::rgba32f, 8, 8); });
        EXPECT_TRUE(says(said,
                         "BackendError: vulkan: vkQueueWaitIdle failed with VK_ERROR_DEVICE_LOST; a kernel faulted or "
                         "ran too long, or the device is gone: drop its plans and open it again"))
            << said;
        // Destroying waits too, and goes on.
        expect_works(device);
        Queue queue = device.create_queue();
        device.allocate(64);
    }
    EXPECT_EQ(fake_vulkan_logical_devices(), before);
}

// ---- Lost devices

const Problem lost_problem = parse_problem("62");

/// That it is said, with what to do.
void lose(const Plan& plan) {
    const Failing failing("vkQueueSubmit -4");
    const std::string said = what_is_said([&] { plan.forward(Points(62, 1)); });
    EXPECT_TRUE(says(said, "vkQueueSubmit failed with VK_ERROR_DEVICE_LOST")) << said;
    EXPECT_TRUE(says(said, ": drop its plans and open it again")) << said;
}

TEST_F(VulkanFaults, a_lost_device_is_not_opened_again_out_of_plans_that_were_kept) {
    std::weak_ptr<runtime::Device> lost;
    {
        const Device device = Device::open("vulkan:0");
        lost = device.impl();
        const Plan plan(device, lost_problem);
        lose(plan);
        // It stays so, for whoever holds it; and who holds it has to let go of it first.
        EXPECT_NE(what_is_said([&] { plan.forward(Points(62, 1)); }), "nothing");
        EXPECT_EQ(Device::open("vulkan:0").impl(), device.impl());
    }
    EXPECT_FALSE(lost.expired()) << "its plan is kept";
    const Device again = Device::open("vulkan:0");
    EXPECT_TRUE(lost.expired());
    EXPECT_EQ(fake_vulkan_logical_devices(), 1);
    EXPECT_NEAR(std::abs(Plan(again, lost_problem).forward(Points(62, 1))[0] - std::complex<float>(62)), 0, 1e-4);
}

TEST_F(VulkanFaults, a_device_that_answers_is_opened_again_with_its_plans) {
    std::weak_ptr<runtime::Device> first;
    const PlanReport* report = nullptr;
    {
        const Device device = Device::open("vulkan:0");
        first = device.impl();
        report = &Plan(device, lost_problem).report();
    }
    const Device again = Device::open("vulkan:0");
    EXPECT_EQ(again.impl(), first.lock());
    EXPECT_EQ(&Plan(again, lost_problem).report(), report);
}

TEST(VulkanLayers, that_a_run_asks_for_are_there) { EXPECT_EQ(missing_layers(), std::vector<std::string>()); }

// ---- Names of codes

TEST(VulkanCodes, have_the_names_of_the_specification) {
    using runtime::vulkan::error_name;
    EXPECT_EQ(error_name(-11), "VK_ERROR_FORMAT_NOT_SUPPORTED");
    EXPECT_EQ(error_name(-1000012000), "VK_ERROR_INVALID_SHADER_NV");
    EXPECT_EQ(error_name(-1000257000), "VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS");
    EXPECT_EQ(error_name(-1000069000), "VK_ERROR_OUT_OF_POOL_MEMORY");
    EXPECT_EQ(error_name(-1234), "code -1234");
}

}  // namespace
}  // namespace seiche::test
