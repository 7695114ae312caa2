// The Vulkan backend: names and absence, copies, offsets, grids beyond one dispatch, timing, many launches in order.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <numbers>
#include <numeric>

#include "run_kernel.hpp"
#include "runtime/library.hpp"
#include "runtime/vulkan/device.hpp"
#include "sample_kernels.hpp"
#include "seiche/convolution.hpp"
#include "seiche/error.hpp"
#include "seiche/plan.hpp"
#include "vulkan_layers.hpp"

#ifdef SEICHE_TEST_VULKAN_HEADERS
#include <vulkan/vulkan.h>

#include "runtime/vulkan/facts.hpp"
#endif

namespace seiche::test {
namespace {

using ir::Access;
using ir::Builder;
using ir::Scalar;
using ir::Value;

class Vulkan : public testing::Test {
protected:
    void SetUp() override {
        std::string reason;
        device_ = try_open("vulkan", reason);
        if (!device_) GTEST_SKIP() << reason;
        queue_ = device_->create_queue();
    }

    std::shared_ptr<runtime::Module> load(const ir::Kernel& kernel) {
        return device_->build(emit::emit(std::make_shared<ir::Kernel>(kernel), device_->target()));
    }

    std::shared_ptr<runtime::Device> device_;
    std::shared_ptr<runtime::Queue> queue_;
};

TEST(VulkanList, has_a_device_or_says_what_would_mend_it) {
    for (const DeviceInfo& info : runtime::list_devices()) {
        if (info.backend != Backend::vulkan) continue;
        EXPECT_EQ(info.name.rfind("vulkan", 0), 0u);
        if (info.available) {
            EXPECT_FALSE(info.description.empty());
            EXPECT_GE(info.limits.shared_bytes, 16384u);  // what Vulkan demands
        } else {
            EXPECT_FALSE(info.problem.empty());
            EXPECT_FALSE(info.remedy.empty());
        }
        return;
    }
    FAIL() << "vulkan is not listed at all";
}

TEST(VulkanLayers, that_a_run_asks_for_are_there) { EXPECT_EQ(missing_layers(), std::vector<std::string>()); }

/// out[i] = in[i] + 1 for one element a group.
ir::Kernel increment() {
    Builder b("increment");
    const auto data = b.buffer({"data", Scalar::u32, Access::read_write});
    const Value index = b.convert(b.group_id(), Scalar::u64);
    b.global_store(data, index, b.global_load(data, index, Scalar::u32) + std::uint64_t{1});
    return b.finish();
}

void launch(runtime::Queue& queue, const runtime::Module& module, runtime::Buffer& buffer, std::uint64_t offset,
            std::uint32_t groups) {
    const runtime::BufferArgument argument{&buffer, offset};
    runtime::Launch one;
    one.module = &module;
    one.groups = {groups, 1, 1};
    one.buffers = &argument;
    one.buffer_count = 1;
    queue.launch(one);
}

// More than a staging buffer holds, and a part in the middle.
TEST_F(Vulkan, moves_bytes_both_ways_and_on_the_device) {
    std::vector<std::uint32_t> sent(5u << 20), got(sent.size());
    std::iota(sent.begin(), sent.end(), 7u);
    const std::size_t bytes = sent.size() * 4;
    const auto a = device_->allocate(bytes), b = device_->allocate(bytes);
    queue_->upload(*a, 0, sent.data(), bytes);
    queue_->copy(*b, 0, *a, 0, bytes);
    queue_->copy(*b, 4, *a, 400, 40);
    queue_->download(got.data(), *b, 0, bytes);
    EXPECT_EQ(got[0], sent[0]);
    EXPECT_TRUE(std::equal(got.begin() + 1, got.begin() + 11, sent.begin() + 100));
    EXPECT_TRUE(std::equal(got.begin() + 11, got.end(), sent.begin() + 11));
}

// An element's offset need not be a descriptor's; more launches than the ring holds stay in order.
TEST_F(Vulkan, launches_in_order_at_any_offset) {
    const auto module = load(increment());
    std::vector<std::uint32_t> numbers(64);
    const auto buffer = device_->allocate(numbers.size() * 4);
    queue_->upload(*buffer, 0, numbers.data(), numbers.size() * 4);
    for (int round = 0; round < 100; ++round) launch(*queue_, *module, *buffer, 4 * 13, 3);
    queue_->download(numbers.data(), *buffer, 0, numbers.size() * 4);
    for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], i >= 13 && i < 16 ? 100u : 0u) << i;
}

// Four points in one access where the buffers begin where a descriptor may, one by one elsewhere.
TEST_F(Vulkan, moves_neighbours_at_any_offset) {
    Builder b("four_points");
    const ir::Type point(Scalar::f32, 2);
    const auto in = b.buffer({"in", point, Access::read}), out = b.buffer({"out", point, Access::write});
    const Value first = b.convert(b.group_id(), Scalar::u64) * std::uint64_t{4};
    b.global_store(out, first, b.global_load(in, first, point.with_lanes(8)));
    const auto module = load(b.finish());
    constexpr std::size_t groups = 5, points = 4 * groups + 8;
    std::vector<std::complex<float>> sent(points), zeros(points), got(points);
    for (std::size_t i = 0; i < points; ++i) sent[i] = {static_cast<float>(i), -1};
    const auto from = device_->allocate(points * 8), to = device_->allocate(points * 8);
    queue_->upload(*from, 0, sent.data(), points * 8);
    for (const auto& [read, written] : {std::pair(0, 0), std::pair(2, 4), std::pair(1, 0), std::pair(4, 3)}) {
        queue_->upload(*to, 0, zeros.data(), points * 8);
        const runtime::BufferArgument arguments[] = {{from.get(), std::uint64_t(read) * 8},
                                                     {to.get(), std::uint64_t(written) * 8}};
        runtime::Launch one;
        one.module = module.get();
        one.groups = {groups, 1, 1};
        one.buffers = arguments;
        one.buffer_count = 2;
        queue_->launch(one);
        queue_->download(got.data(), *to, 0, points * 8);
        for (std::size_t i = 0; i < points; ++i) {
            const std::size_t at = i - static_cast<std::size_t>(written);
            const auto expected = at < 4 * groups ? sent[at + static_cast<std::size_t>(read)] : std::complex<float>();
            EXPECT_EQ(got[i], expected) << i << " from " << read << " to " << written;
        }
    }
}

// A batch of more pieces than a command buffer has, with all that has to submit it before its end.
TEST_F(Vulkan, a_batch_stays_in_order_and_is_submitted_when_somebody_waits) {
    const auto module = load(increment());
    std::uint32_t number = 0;
    const auto buffer = device_->allocate(4);
    queue_->upload(*buffer, 0, &number, 4);
    const auto launch_some = [&](int count) {
        for (int i = 0; i < count; ++i) launch(*queue_, *module, *buffer, 0, 1);
    };
    runtime::in_one_batch(*queue_, [&] {
        const auto before = queue_->record();
        launch_some(40);
        runtime::in_one_batch(*queue_, [&] { launch_some(3); });
        queue_->download(&number, *buffer, 0, 4);
        EXPECT_EQ(number, 43u);
        launch_some(1);
        EXPECT_GT(queue_->milliseconds(*before, *queue_->record()), 0.0);
        launch_some(1);
        queue_->wait();
        launch_some(1);
    });
    queue_->download(&number, *buffer, 0, 4);
    EXPECT_EQ(number, 46u);
}

TEST_F(Vulkan, a_batch_whose_work_throws_hands_over_what_it_has) {
    const auto module = load(increment());
    std::uint32_t number = 0;
    const auto buffer = device_->allocate(4);
    queue_->upload(*buffer, 0, &number, 4);
    const auto broken = [&] {
        runtime::in_one_batch(*queue_, [&] {
            launch(*queue_, *module, *buffer, 0, 1);
            throw InvalidProblem("the work's own fault");
        });
    };
    EXPECT_THROW(broken(), InvalidProblem);
    queue_->download(&number, *buffer, 0, 4);
    EXPECT_EQ(number, 1u);
}

// Vulkan grants 65535 groups to a dispatch.
TEST_F(Vulkan, grids_may_be_longer_than_a_dispatch) {
    const auto module = load(increment());
    std::vector<std::uint32_t> numbers(150000);
    const auto buffer = device_->allocate(numbers.size() * 4);
    queue_->upload(*buffer, 0, numbers.data(), numbers.size() * 4);
    launch(*queue_, *module, *buffer, 0, static_cast<std::uint32_t>(numbers.size()));
    queue_->download(numbers.data(), *buffer, 0, numbers.size() * 4);
    EXPECT_EQ(std::count(numbers.begin(), numbers.end(), 1u), static_cast<std::ptrdiff_t>(numbers.size()));
}

// What is destroyed may still be in use by what was launched.
TEST_F(Vulkan, buffers_and_kernels_may_go_while_work_is_under_way) {
    for (int round = 0; round < 5; ++round) {
        const auto module = load(increment());
        const auto buffer = device_->allocate(4096 * 4);
        launch(*queue_, *module, *buffer, 0, 4096);
    }
    EXPECT_NO_THROW(queue_->wait());
}

TEST_F(Vulkan, times_events) {
    const auto module = load(increment());
    const auto buffer = device_->allocate(4096 * 4);
    const auto before = queue_->record();
    for (int round = 0; round < 10; ++round) launch(*queue_, *module, *buffer, 0, 4096);
    const auto after = queue_->record();
    const double elapsed = queue_->milliseconds(*before, *after);
    EXPECT_GT(elapsed, 0.0);
    EXPECT_LT(elapsed, 60000.0);
}

TEST_F(Vulkan, binaries_are_loaded_again_and_strange_ones_compiled_anew) {
    const emit::Source source = emit::emit(std::make_shared<ir::Kernel>(increment()), device_->target());
    const runtime::Binary binary = device_->compile(source);
    const runtime::Binary strange{std::vector<std::byte>(100, std::byte{0x5a})};
    for (const runtime::Binary& bytes : {binary, strange}) {
        const auto module = device_->load(source, bytes);
        const auto buffer = device_->allocate(4);
        std::uint32_t number = 41;
        queue_->upload(*buffer, 0, &number, 4);
        launch(*queue_, *module, *buffer, 0, 1);
        queue_->download(&number, *buffer, 0, 4);
        EXPECT_EQ(number, 42u);
    }
}

// Transforms of 64 points that begin, end, or lie across the pieces in which more than a descriptor reaches is bound
// where kernels cannot be told its address.
TEST_F(Vulkan, arrays_beyond_a_descriptor_are_bound_in_pieces_or_addressed) {
    using Point = std::complex<float>;
    constexpr std::uint64_t n = 64, batch = (std::uint64_t{1} << 18) + 7;
    constexpr std::uint64_t bytes = n * batch * sizeof(Point);  // 134 MB
    const DeviceLimits& limits = device_->info().limits;
    if (limits.max_buffer_bytes >= bytes) GTEST_SKIP() << "one descriptor of this device reaches " << bytes << " bytes";
    const Device device(device_);
    const Plan plan(device, parse_problem("64 in-place batch=" + std::to_string(batch) + " ioffset=8 ooffset=8"));
    const std::string spec = plan.report().kernels.front().spec;
    EXPECT_NE(spec.find(limits.max_addressed_bytes == 0 ? " input-parts=" : " input-by-address"), std::string::npos)
        << spec;
    const Buffer array = device.allocate(bytes + sizeof(Point));
    Queue queue = device.create_queue();
    const std::uint64_t piece = limits.max_buffer_bytes / sizeof(Point) / n;
    const std::uint64_t places[] = {0, piece - 1, piece, 2 * piece - 1, 2 * piece, batch - 1};
    std::vector<Point> impulse(n);
    for (const std::uint64_t place : places) {
        impulse[1] = Point(static_cast<float>(place % 1000 + 1), 0);
        queue.upload({array, (place * n + 1) * sizeof(Point)}, impulse.data(), n * sizeof(Point));
    }
    Execution execution;
    execution.input = array;
    plan.execute(queue, execution);
    for (const std::uint64_t place : places) {
        std::vector<Point> got(n);
        queue.download(got.data(), {array, (place * n + 1) * sizeof(Point)}, n * sizeof(Point));
        for (std::uint64_t k = 0; k < n; ++k) {
            const double angle = -2 * std::numbers::pi * static_cast<double>(k) / n;
            const auto expected = std::polar(static_cast<double>(place % 1000 + 1), angle);
            ASSERT_NEAR(std::abs(std::complex<double>(got[k]) - expected) / std::abs(expected), 0, 1e-6)
                << "transform " << place << ", point " << k;
        }
    }
}

// Input, workspace and output beyond a descriptor, the workspace whole and as the plan asks for it in buffers.
TEST_F(Vulkan, workspaces_beyond_a_descriptor_too) {
    using Point = std::complex<float>;
    constexpr std::uint64_t n = std::uint64_t{1} << 19, batch = 17;
    constexpr std::uint64_t bytes = n * batch * sizeof(Point);  // 71 MB
    const DeviceLimits& limits = device_->info().limits;
    if (limits.max_buffer_bytes >= bytes) GTEST_SKIP() << "one descriptor of this device reaches " << bytes << " bytes";
    const Device device(device_);
    PlanOptions options;
    options.directions = Directions::forward;
    const Plan plan(device, parse_problem("524288 in-place batch=17"), options);
    ASSERT_EQ(plan.workspace_bytes(), bytes);
    const bool is_addressed = limits.max_addressed_bytes != 0;
    EXPECT_EQ(plan.workspace_part_bytes().size(), is_addressed ? 1 : (bytes - 1) / limits.max_buffer_bytes + 1);
    Queue queue = device.create_queue();
    Execution execution;
    const Buffer array = device.allocate(bytes);
    execution.input = array;
    for (const bool in_buffers : {false, true}) {
        if (!in_buffers && !is_addressed) continue;  // a whole array in pieces is what the input is
        std::vector<Point> impulse(n);
        impulse[3] = 2;
        for (const std::uint64_t place : {std::uint64_t{0}, batch - 1})
            queue.upload({array, place * n * sizeof(Point)}, impulse.data(), n * sizeof(Point));
        execution.workspace = in_buffers ? Buffer() : device.allocate(bytes);
        if (in_buffers)
            for (const std::uint64_t part : plan.workspace_part_bytes())
                execution.workspace_parts.push_back(device.allocate(part));
        plan.execute(queue, execution);
        for (const std::uint64_t place : {std::uint64_t{0}, batch - 1}) {
            std::vector<Point> got(n);
            queue.download(got.data(), {array, place * n * sizeof(Point)}, n * sizeof(Point));
            for (std::uint64_t k = 0; k < n; k += 1009) {
                const auto expected = std::polar(2.0, -2 * std::numbers::pi * static_cast<double>(3 * k) / n);
                ASSERT_NEAR(std::abs(std::complex<double>(got[k]) - expected), 0, 2e-6) << place << ", " << k;
            }
        }
    }
}

TEST_F(Vulkan, convolutions_take_their_arrays_in_pieces) {
    const Device device(device_);
    Convolution convolution;
    convolution.signal = {40, 30};
    convolution.kernel = {7, 5};
    convolution.batch = 2;
    Tuning tuning;
    tuning.buffer_bytes = 4096;
    const ConvolutionPlan whole(device, convolution), pieces(device, convolution, tuning);
    std::vector<float> x(whole.input_bytes() / 4), h(whole.kernel_bytes() / 4);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 101) / 50 - 1;
    for (std::size_t i = 0; i < h.size(); ++i) h[i] = static_cast<float>(i % 7) / 3 - 1;
    const std::vector<float> expected = whole.convolve(x, h), got = pieces.convolve(x, h);
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], 1e-4f) << i;
    EXPECT_NE(pieces.report().kernels.back().spec.find("output-parts="), std::string::npos);
}

// Pieces beyond those of a plan's own batch.
TEST_F(Vulkan, a_batch_with_more_pieces_is_refused) {
    const std::uint64_t most = device_->info().limits.max_buffer_bytes;
    if (most > std::uint64_t{1} << 30) GTEST_SKIP() << "one descriptor of this device reaches " << most << " bytes";
    const Device device(device_);
    Queue queue = device.create_queue();
    Convolution convolution;
    convolution.signal = {1000};
    convolution.kernel = {10};
    ConvolutionExecution convolved;
    convolved.batch = most / 4000 + 1;  // of real numbers
    EXPECT_THROW(ConvolutionPlan(device, convolution).execute(queue, convolved), InvalidProblem);
}

// Samples of a byte, read and stored on both sides of where a descriptor ends.
TEST_F(Vulkan, buffers_of_stages_beyond_a_descriptor_too) {
    const DeviceLimits& limits = device_->info().limits;
    const std::uint64_t most = limits.max_buffer_bytes, count = most + (std::uint64_t{1} << 20), first = most - 100;
    if (most > std::uint64_t{1} << 27) GTEST_SKIP() << "one descriptor of this device reaches " << most << " bytes";
    const Device device(device_);
    Problem problem = parse_problem("16 batch=16");
    problem.forward_load = "return samples[" + std::to_string(first) + " + batch * n0 + i0];";
    problem.forward_load.buffers = {{"samples", StageType::u8, count}};
    problem.forward_store = "store rounded[" + std::to_string(first) + " + batch * n0 + i0] = value.re / 16;";
    problem.forward_store.buffers = {{"rounded", StageType::u8, count}};
    PlanOptions options;
    options.directions = Directions::forward;
    const Plan plan(device, problem, options);
    const std::string spec = plan.report().kernels.front().spec;
    for (const char* name : {" load-samples", " store-rounded"})
        EXPECT_NE(spec.find(name + std::string(limits.max_addressed_bytes == 0 ? "-parts=" : "-by-address")),
                  std::string::npos)
            << spec;
    std::vector<std::uint8_t> row(256);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<std::uint8_t>(i / 16 + (i % 16 == 0 ? 16 : 0));
    const Buffer samples = device.allocate(count), rounded = device.allocate(count);
    Queue queue = device.create_queue();
    queue.upload({samples, first}, row.data(), row.size());
    Execution execution;
    execution.stage_buffers = {{"samples", samples}, {"rounded", rounded}};
    plan.execute(queue, execution);
    std::vector<std::uint8_t> got(256);
    queue.download(got.data(), {rounded, first}, got.size());
    // Rows of one number and an impulse: the sum, 16 times the number and 16, and 16 of the impulse everywhere else.
    for (std::size_t i = 0; i < got.size(); ++i)
        ASSERT_EQ(got[i], i % 16 == 0 ? i / 16 + 1 : 1) << "transform " << i / 16 << ", point " << i % 16;
}

// A loader in front of the real one hides them in one run of this program; lavapipe has them all.
TEST_F(Vulkan, extensions_are_used_where_they_are) {
    const auto& device = dynamic_cast<const runtime::vulkan::VulkanDevice&>(*device_);
    const runtime::vulkan::Extensions& extensions = device.session()->extensions;
    const bool is_hidden = !runtime::environment("SEICHE_FAKE_VULKAN_HIDES").empty();
    if (!is_hidden && device.info().description.find("lavapipe") == std::string::npos) GTEST_SKIP() << "not lavapipe";
    EXPECT_EQ(extensions.has_timeline, !is_hidden);
    EXPECT_EQ(extensions.most_push_descriptors != 0, !is_hidden);
    EXPECT_EQ(extensions.most_subgroup != 0, !is_hidden);
    EXPECT_EQ(extensions.has_addresses, !is_hidden);
    EXPECT_EQ(extensions.has_full_subgroups, !is_hidden);
}

// With a size that the kernel wants, in groups of several subgroups.
TEST_F(Vulkan, lanes_take_from_one_another) {
    ir::Kernel kernel = subgroup_kernel();
    const std::uint32_t lanes = device_->info().limits.subgroup_size, threads = kernel.launch.group_size();
    if (threads % lanes != 0) GTEST_SKIP() << "a subgroup of " << lanes << " lanes";
    for (const std::uint32_t wanted : {0u, lanes}) {
        kernel.launch.required_subgroup_size = wanted;
        std::vector<float> numbers(threads);
        for (std::uint32_t i = 0; i < threads; ++i) numbers[i] = static_cast<float>(i * i);
        KernelRun run;
        run.buffers.emplace_back(threads * sizeof(float));
        std::memcpy(run.buffers[0].data(), numbers.data(), run.buffers[0].size());
        run_kernel(device_, kernel, run);
        for (std::uint32_t i = 0; i < threads; ++i) {
            float got = 0;
            std::memcpy(&got, &run.buffers[0][i * sizeof(float)], sizeof got);
            EXPECT_EQ(got, numbers[i ^ 1] + numbers[i / lanes * lanes] + static_cast<float>(i % lanes)) << i;
        }
    }
    kernel.launch.required_subgroup_size = 512;
    try {
        load(kernel);
        FAIL() << "accepted";
    } catch (const Unsupported& error) {
        EXPECT_STREQ(error.what(),
                     "Unsupported: vulkan: kernel subgroup_swap wants subgroups of 512 lanes for its group of 64, "
                     "which this device does not give");
    }
}

TEST_F(Vulkan, an_allocation_beyond_the_limit_and_a_buffer_of_another_backend_are_refused) {
    EXPECT_THROW(device_->allocate(device_->info().limits.max_allocation_bytes + 1), BackendError);
    const auto other = runtime::open_device("reference")->allocate(16);
    std::uint32_t number = 0;
    EXPECT_THROW(queue_->upload(*other, 0, &number, 4), InvalidProblem);
}

#ifdef SEICHE_TEST_VULKAN_HEADERS
// The backend declares what it uses itself; a structure that is off by a word would be found out late.
TEST(VulkanApi, is_declared_as_the_vendor_declares_it) {
    namespace vk = runtime::vulkan;
    EXPECT_EQ(sizeof(vk::Limits), sizeof(VkPhysicalDeviceLimits));
#define SEICHE_SAME_PLACE(own, vendor, member) EXPECT_EQ(offsetof(own, member), offsetof(vendor, member))
    SEICHE_SAME_PLACE(vk::Limits, VkPhysicalDeviceLimits, maxStorageBufferRange);
    SEICHE_SAME_PLACE(vk::Limits, VkPhysicalDeviceLimits, maxComputeSharedMemorySize);
    SEICHE_SAME_PLACE(vk::Limits, VkPhysicalDeviceLimits, maxComputeWorkGroupCount);
    SEICHE_SAME_PLACE(vk::Limits, VkPhysicalDeviceLimits, maxComputeWorkGroupInvocations);
    SEICHE_SAME_PLACE(vk::Limits, VkPhysicalDeviceLimits, minStorageBufferOffsetAlignment);
    SEICHE_SAME_PLACE(vk::Limits, VkPhysicalDeviceLimits, timestampPeriod);
    SEICHE_SAME_PLACE(vk::Features, VkPhysicalDeviceFeatures, shaderFloat64);
    SEICHE_SAME_PLACE(vk::Features, VkPhysicalDeviceFeatures, shaderInt64);
    SEICHE_SAME_PLACE(vk::SubmitInfo, VkSubmitInfo, pCommandBuffers);
    SEICHE_SAME_PLACE(vk::WriteDescriptorSet, VkWriteDescriptorSet, pBufferInfo);
    SEICHE_SAME_PLACE(vk::ComputePipelineCreateInfo, VkComputePipelineCreateInfo, layout);
#undef SEICHE_SAME_PLACE
    EXPECT_EQ(sizeof(vk::Properties2), sizeof(VkPhysicalDeviceProperties2));
    EXPECT_EQ(sizeof(vk::SubgroupProperties), sizeof(VkPhysicalDeviceSubgroupProperties));
    EXPECT_EQ(sizeof(vk::Maintenance3Properties), sizeof(VkPhysicalDeviceMaintenance3Properties));
    EXPECT_EQ(sizeof(vk::DriverProperties), sizeof(VkPhysicalDeviceDriverProperties));
    EXPECT_EQ(sizeof(vk::Features2), sizeof(VkPhysicalDeviceFeatures2));
    EXPECT_EQ(sizeof(vk::Storage16Features), sizeof(VkPhysicalDevice16BitStorageFeatures));
    EXPECT_EQ(sizeof(vk::Storage8Features), sizeof(VkPhysicalDevice8BitStorageFeatures));
    EXPECT_EQ(sizeof(vk::MemoryProperties), sizeof(VkPhysicalDeviceMemoryProperties));
    EXPECT_EQ(sizeof(vk::QueueFamily), sizeof(VkQueueFamilyProperties));
    EXPECT_EQ(sizeof(vk::DeviceCreateInfo), sizeof(VkDeviceCreateInfo));
    EXPECT_EQ(sizeof(vk::BufferCreateInfo), sizeof(VkBufferCreateInfo));
    EXPECT_EQ(sizeof(vk::ComputePipelineCreateInfo), sizeof(VkComputePipelineCreateInfo));
    EXPECT_EQ(vk::Storage16Features{}.header.sType, vk::Uint{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES});
    EXPECT_EQ(vk::Storage8Features{}.header.sType, vk::Uint{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES});
    EXPECT_EQ(sizeof(vk::TimelineFeatures), sizeof(VkPhysicalDeviceTimelineSemaphoreFeatures));
    EXPECT_EQ(sizeof(vk::SemaphoreTypeCreateInfo), sizeof(VkSemaphoreTypeCreateInfo));
    EXPECT_EQ(sizeof(vk::SemaphoreCreateInfo), sizeof(VkSemaphoreCreateInfo));
    EXPECT_EQ(sizeof(vk::TimelineSubmitInfo), sizeof(VkTimelineSemaphoreSubmitInfo));
    EXPECT_EQ(sizeof(vk::SemaphoreWaitInfo), sizeof(VkSemaphoreWaitInfo));
    EXPECT_EQ(sizeof(vk::PushDescriptorProperties), sizeof(VkPhysicalDevicePushDescriptorPropertiesKHR));
    EXPECT_EQ(sizeof(vk::SubgroupSizeProperties), sizeof(VkPhysicalDeviceSubgroupSizeControlProperties));
    EXPECT_EQ(sizeof(vk::SubgroupSizeFeatures), sizeof(VkPhysicalDeviceSubgroupSizeControlFeatures));
    EXPECT_EQ(sizeof(vk::RequiredSubgroupSize), sizeof(VkPipelineShaderStageRequiredSubgroupSizeCreateInfo));
    EXPECT_EQ(sizeof(vk::AddressFeatures), sizeof(VkPhysicalDeviceBufferDeviceAddressFeatures));
    EXPECT_EQ(sizeof(vk::BufferDeviceAddressInfo), sizeof(VkBufferDeviceAddressInfo));
    EXPECT_EQ(sizeof(vk::MemoryAllocateFlags), sizeof(VkMemoryAllocateFlagsInfo));
    EXPECT_EQ(vk::DriverProperties{}.header.sType, vk::Uint{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES});
}
#endif

}  // namespace
}  // namespace seiche::test
