// What moving bytes and making plans cost a Vulkan device: memory for staging by need, one queue for the tables of all
// plans, and nothing left of one that failed.
#include <gtest/gtest.h>

#include <complex>
#include <numeric>

#include "runtime/vulkan/device.hpp"
#include "seiche/error.hpp"
#include "seiche/plan.hpp"

namespace seiche::test {
namespace {

namespace vk = runtime::vulkan;

constexpr vk::Result device_lost = -4;

/// What a device makes and ends, and which of its functions fails.
struct Watch {
    vk::Api real;
    decltype(vk::Extensions::vkWaitSemaphores) wait_semaphores = nullptr;
    std::string failing;
    int pools = 0, memories = 0;  // alive
    std::vector<vk::Size> allocated;
};
Watch watch;

#define SEICHE_FAIL_ON_DEMAND(name) \
    api->name = [](auto... arguments) { return watch.failing == #name ? device_lost : watch.real.name(arguments...); }

void fail_on_demand(vk::Session& session) {
    watch = {};
    watch.real = *session.api;
    const auto api = std::make_shared<vk::Api>(*session.api);
    SEICHE_FAIL_ON_DEMAND(vkAllocateCommandBuffers);
    SEICHE_FAIL_ON_DEMAND(vkBeginCommandBuffer);
    SEICHE_FAIL_ON_DEMAND(vkEndCommandBuffer);
    SEICHE_FAIL_ON_DEMAND(vkQueueSubmit);
    SEICHE_FAIL_ON_DEMAND(vkMapMemory);
    SEICHE_FAIL_ON_DEMAND(vkWaitForFences);
    api->vkAllocateMemory = [](auto device, auto info, auto... others) {
        if (watch.failing == "vkAllocateMemory") return device_lost;
        ++watch.memories;
        watch.allocated.push_back(info->allocationSize);
        return watch.real.vkAllocateMemory(device, info, others...);
    };
    api->vkFreeMemory = [](auto device, auto memory, auto... others) {
        if (memory != nullptr) --watch.memories;
        watch.real.vkFreeMemory(device, memory, others...);
    };
    api->vkCreateCommandPool = [](auto... arguments) {
        if (watch.failing == "vkCreateCommandPool") return device_lost;
        ++watch.pools;
        return watch.real.vkCreateCommandPool(arguments...);
    };
    api->vkDestroyCommandPool = [](auto device, auto pool, auto... others) {
        if (pool != nullptr) --watch.pools;
        watch.real.vkDestroyCommandPool(device, pool, others...);
    };
    session.api = api;
    watch.wait_semaphores = session.extensions.vkWaitSemaphores;
    if (watch.wait_semaphores == nullptr) return;
    session.extensions.vkWaitSemaphores = [](auto... arguments) {
        return watch.failing == "vkWaitSemaphores" ? device_lost : watch.wait_semaphores(arguments...);
    };
}

class VulkanUpload : public testing::Test {
protected:
    void SetUp() override {
        device_.reset();
        let_go();
        const DeviceInfo info = vk::list().front();
        if (!info.available) GTEST_SKIP() << info.problem;
        device_ = std::dynamic_pointer_cast<vk::VulkanDevice>(vk::open(info));
        fail_on_demand(*device_->session());
    }

    /// The cache keeps a few plans, and their device, until it gets a new one.
    static void let_go() {
        static unsigned length = 1;
        const Plan other(Device::open("reference"), parse_problem(std::to_string(++length)));
    }

    /// Another one each time, with a table.
    void make_plan() {
        const std::uint64_t length = 1024 + 32 * ++plans_;
        std::vector<std::complex<float>> ones(length, 1);
        const auto bins = Plan(Device(device_), parse_problem(std::to_string(length))).forward(ones);
        for (std::uint64_t k = 0; k < length; ++k)
            ASSERT_NEAR(std::abs(bins[k] - (k == 0 ? std::complex<float>(static_cast<float>(length)) : 0)), 0, 0.02)
                << length << ", bin " << k;
    }

    std::shared_ptr<vk::VulkanDevice> device_;
    std::uint64_t plans_ = 0;
};

TEST_F(VulkanUpload, stages_as_much_as_is_moved_at_once) {
    constexpr std::size_t kilobyte = 1024, megabyte = 1024 * kilobyte;
    std::vector<std::uint32_t> sent(5 * megabyte), got(sent.size());
    std::iota(sent.begin(), sent.end(), 7u);
    const std::size_t all = sent.size() * sizeof(std::uint32_t);
    const auto buffer = device_->allocate(all);
    {
        const auto queue = device_->create_queue();
        const auto staged = [&](std::size_t bytes) {
            watch.allocated.clear();
            queue->upload(*buffer, 0, sent.data(), bytes);
            queue->download(got.data(), *buffer, 0, bytes);
            EXPECT_TRUE(std::equal(sent.begin(), sent.begin() + static_cast<std::ptrdiff_t>(bytes / 4), got.begin()))
                << bytes;
            EXPECT_LE(watch.allocated.size(), 1u) << bytes;
            return watch.allocated.empty() ? 0 : watch.allocated.front();
        };
        // A driver may round up.
        EXPECT_NEAR(static_cast<double>(staged(100)), 64 * kilobyte, 64 * kilobyte);
        EXPECT_EQ(staged(60 * kilobyte), 0u);
        EXPECT_NEAR(static_cast<double>(staged(300 * kilobyte)), 512 * kilobyte, 64 * kilobyte);
        EXPECT_NEAR(static_cast<double>(staged(all)), 8 * megabyte, 64 * kilobyte);
        EXPECT_EQ(staged(all), 0u);
        EXPECT_EQ(watch.memories, 2);
        watch.failing = "vkQueueSubmit";
        EXPECT_THROW(queue->upload(*buffer, 0, sent.data(), 4), BackendError);
        watch.failing.clear();
    }
    EXPECT_EQ(watch.memories, 1);
}

TEST_F(VulkanUpload, what_cannot_be_staged_leaves_the_queue_as_it_was) {
    const std::vector<std::byte> bytes(1 << 20, std::byte{3});
    std::vector<std::byte> got(16);
    const auto buffer = device_->allocate(bytes.size());
    const auto queue = device_->create_queue();
    queue->upload(*buffer, 0, bytes.data(), 16);
    for (const char* call : {"vkAllocateMemory", "vkMapMemory"}) {
        watch.failing = call;
        EXPECT_THROW(queue->upload(*buffer, 0, bytes.data(), bytes.size()), BackendError) << call;
        EXPECT_NO_THROW(queue->download(got.data(), *buffer, 0, 16)) << call;
        EXPECT_EQ(got.back(), std::byte{3});
        EXPECT_EQ(watch.memories, 2) << call;
    }
    watch.failing.clear();
    queue->upload(*buffer, 0, bytes.data(), bytes.size());
}

TEST_F(VulkanUpload, plans_share_a_queue_which_ends_with_the_device) {
    const std::weak_ptr<vk::Session> session = device_->session();
    for (int plan = 0; plan < 3; ++plan) {
        make_plan();
        EXPECT_EQ(watch.pools, 1);
    }
    device_.reset();
    let_go();
    EXPECT_TRUE(session.expired());
    EXPECT_EQ(watch.pools, 0);
    EXPECT_EQ(watch.memories, 0);
}

TEST_F(VulkanUpload, a_plan_whose_upload_fails_leaves_the_device_as_it_was) {
    const bool has_timeline = device_->session()->extensions.has_timeline;
    for (const bool is_first : {true, false})
        for (const std::string call : {"vkCreateCommandPool", "vkAllocateCommandBuffers", "vkMapMemory",
                                       "vkAllocateMemory", "vkBeginCommandBuffer", "vkEndCommandBuffer",
                                       "vkQueueSubmit", has_timeline ? "vkWaitSemaphores" : "vkWaitForFences"}) {
            const bool makes_queue =
                call == "vkCreateCommandPool" || call == "vkAllocateCommandBuffers" || call == "vkMapMemory";
            if (!is_first && makes_queue) continue;  // it is made
            SetUp();                                 // a new device
            if (!is_first) make_plan();
            const int before = watch.memories;
            watch.failing = call;
            try {
                make_plan();
                ADD_FAILURE() << call << " fails, and nobody says so";
            } catch (const BackendError& error) {
                EXPECT_NE(std::string(error.what()).find(call), std::string::npos) << error.what();
            }
            watch.failing.clear();
            // Memory for the table fails before there is anything to do with the queue.
            const bool is_kept = !is_first && call == "vkAllocateMemory";
            EXPECT_EQ(watch.pools, is_kept ? 1 : 0) << call;
            EXPECT_LE(watch.memories, before) << call;
            make_plan();
            EXPECT_EQ(watch.pools, 1) << call;
        }
}

}  // namespace
}  // namespace seiche::test
