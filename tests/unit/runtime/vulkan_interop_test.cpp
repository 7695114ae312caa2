// The caller's own Vulkan: a foreign device under validation, buffers with offsets, executions recorded into the
// caller's command buffers, and what is refused. The validation layer must have nothing to say, not of races either.
#include "seiche/interop/vulkan.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "seiche/error.hpp"
#include "vulkan_program.hpp"

namespace seiche::test {
namespace {

class VulkanInterop : public testing::Test {
protected:
    void SetUp() override {
        if (!program_.open()) GTEST_SKIP() << "no Vulkan device";
        device_ = vulkan::device(program_.native());
    }
    void TearDown() override { device_ = {}; }
    Buffer adopt(VkBuffer buffer, std::size_t points) const {
        return vulkan::buffer(device_, reinterpret_cast<std::uint64_t>(buffer), points * sizeof(Point));
    }
    /// The line behind the kind of error.
    template <class Body>
    std::string refusal(const Body& body) {
        std::string line = ": accepted";
        try {
            body();
        } catch (const InvalidProblem& error) {
            line = error.what();
        } catch (const Unsupported& error) {
            line = error.what();
        }
        return line.substr(line.find(": ") + 2);
    }

    Program program_;
    Device device_;
};

void expect_impulse(const Point* got, std::size_t n, std::size_t start, float height) {
    for (std::size_t k = 0; k < n; ++k)
        ASSERT_NEAR(std::abs(got[start + k] - (k == 0 ? Point(height) : Point())), 0,
                    1e-4 * static_cast<double>(height))
            << start << " + " << k;
}

TEST_F(VulkanInterop, a_queue_of_yours_runs_plans_on_your_buffers) {
    constexpr std::size_t n = 1000, before = 3;
    Point* seen = nullptr;
    const VkBuffer buffer = program_.make_buffer(n + before, 1, &seen);
    Queue queue = device_.create_queue();
    EXPECT_EQ(vulkan::queue_handle(queue), program_.queue);
    EXPECT_EQ(vulkan::device_handle(device_), program_.device);
    const Plan plan(device_, parse_problem("1000 in-place"));
    Execution execution;
    execution.input = {adopt(buffer, n + before), before * sizeof(Point)};
    EXPECT_EQ(vulkan::buffer_handle(execution.input.buffer), reinterpret_cast<std::uint64_t>(buffer));
    plan.execute(queue, execution);
    queue.wait();
    for (std::size_t i = 0; i < before; ++i) EXPECT_EQ(seen[i], Point(1));
    expect_impulse(seen, n, before, n);
    std::vector<Point> copy(n);
    queue.upload(execution.input, copy.data(), 8);
    queue.download(copy.data(), execution.input, n * sizeof(Point));
    EXPECT_EQ(copy[0], Point());
}

// Three kernels and a workspace; twice in one command buffer, which is submitted twice: four transforms.
TEST_F(VulkanInterop, an_execution_is_recorded_as_often_as_you_like) {
    constexpr std::size_t n = 400;
    Point *seen = nullptr, *result = nullptr;
    const VkBuffer input = program_.make_buffer(n, 0, &seen), output = program_.make_buffer(n + 5, 7, &result);
    seen[0] = 1;
    PlanOptions options;
    options.tuning.passes = {5, 8, 10};
    const Plan plan(device_, parse_problem("400 inverse-scale=1/n"), options);
    ASSERT_EQ(plan.report().kernels.size(), 6u);
    Execution there, back;
    there.input = back.output = adopt(input, n);
    there.output = back.input = {adopt(output, n + 5), 5 * sizeof(Point)};
    back.direction = Direction::inverse;
    if (plan.workspace_bytes() != 0) there.workspace = back.workspace = device_.allocate(plan.workspace_bytes());
    {
        const vulkan::Bindings forward(plan, there), inverse(plan, back);
        program_.run([&] {
            for (int round = 0; round < 2; ++round) {
                forward.record(program_.commands);
                inverse.record(program_.commands);
            }
            forward.record(program_.commands);
        });
        program_.submit();
    }
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(result[i], Point(7));
    for (std::size_t k = 0; k < n; ++k) ASSERT_NEAR(std::abs(result[5 + k] - Point(1)), 0, 1e-5) << k;
    EXPECT_NEAR(std::abs(seen[0] - Point(1)), 0, 1e-5);
}

// Your transfer before and after it needs no barrier of yours.
TEST_F(VulkanInterop, transfers_around_a_recording_are_in_order) {
    constexpr std::size_t n = 512;
    Point *seen = nullptr, *copied = nullptr;
    const VkBuffer data = program_.make_buffer(n, 5, &seen), copy = program_.make_buffer(n, 0, &copied);
    const Plan plan(device_, parse_problem("512 in-place"));
    Execution execution;
    execution.input = adopt(data, n);
    const vulkan::Bindings bindings(plan, execution);
    program_.run([&] {
        vkCmdFillBuffer(program_.commands, data, 0, VK_WHOLE_SIZE, 0x3f800000);  // 1 + i
        bindings.record(program_.commands);
        const VkBufferCopy all{0, 0, n * sizeof(Point)};
        vkCmdCopyBuffer(program_.commands, data, copy, 1, &all);
    });
    EXPECT_NEAR(std::abs(copied[0] - Point(n, n)), 0, 1e-3);
    EXPECT_NEAR(std::abs(copied[1]), 0, 1e-3);
}

TEST_F(VulkanInterop, convolutions_are_recorded_too) {
    Point *signal = nullptr, *result = nullptr;
    const VkBuffer input = program_.make_buffer(64, 0, &signal), output = program_.make_buffer(128, 0, &result);
    signal[0] = 2;
    Convolution convolution;
    convolution.signal = {64};
    convolution.kernel = {3};
    convolution.complex = true;
    const ConvolutionPlan plan(device_, convolution);
    Queue queue = device_.create_queue();
    const Point taps[3] = {1, Point(0, 1), 3};
    ConvolutionPreparation preparation;
    preparation.kernels = device_.allocate(sizeof taps);
    preparation.spectrum = device_.allocate(plan.spectrum_bytes());
    if (plan.preparation_bytes() != 0) preparation.workspace = device_.allocate(plan.preparation_bytes());
    queue.upload(preparation.kernels, taps, sizeof taps);
    plan.prepare(queue, preparation);
    queue.wait();
    ConvolutionExecution execution;
    execution.input = adopt(input, 64);
    execution.output = adopt(output, 128);
    execution.spectrum = preparation.spectrum;
    if (plan.workspace_bytes() != 0) execution.workspace = device_.allocate(plan.workspace_bytes());
    const vulkan::Bindings bindings(plan, execution);
    program_.run([&] { bindings.record(program_.commands); });
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(std::abs(result[i] - 2.0f * taps[i]), 0, 1e-5) << i;
}

TEST_F(VulkanInterop, what_is_wrong_is_refused_in_one_line) {
    const Device other = Device::open("vulkan");
    const Plan plan(device_, parse_problem("64 in-place"));
    Execution execution;
    execution.input = other.allocate(64 * sizeof(Point));
    EXPECT_EQ(refusal([&] { vulkan::Bindings(plan, execution); }),
              "vulkan: the buffer belongs to another Vulkan device, expected one of this device");
    Queue queue = device_.create_queue(), foreign = other.create_queue();
    EXPECT_EQ(refusal([&] { plan.execute(queue, execution); }),
              "vulkan: the buffer belongs to another Vulkan device, expected one of this device");
    EXPECT_EQ(refusal([&] { plan.execute(foreign, execution); }),
              "vulkan: the plan is one of another device, expected one of the queue's");
    execution.input = device_.allocate(8);
    EXPECT_NE(refusal([&] { vulkan::Bindings(plan, execution); }).find("execution.input: expected at least 512 bytes"),
              std::string::npos);
    execution.input = device_.allocate(512);
    EXPECT_EQ(refusal([&] { vulkan::Bindings(plan, execution).record(nullptr); }),
              "vulkan interop: the command buffer is null");
    EXPECT_EQ(refusal([&] { vulkan::buffer(device_, 0, 512); }), "vulkan interop: the buffer is null");
    const Plan reference(Device::open("reference"), parse_problem("64 in-place"));
    EXPECT_EQ(refusal([&] { vulkan::Bindings(reference, execution); }),
              "vulkan interop: expected a plan of the Vulkan backend");

    vulkan::NativeDevice native = program_.native();
    native.queue_family = 99;
    EXPECT_NE(refusal([&] { vulkan::device(native); }).find("a queue family that can compute, got 99"),
              std::string::npos);
    native = program_.native();
    native.queue = nullptr;
    EXPECT_NE(refusal([&] { vulkan::device(native); }).find("got null"), std::string::npos);
}

TEST_F(VulkanInterop, features_that_were_not_enabled_are_not_used) {
    EXPECT_FALSE(device_.limits().fp64);
    EXPECT_FALSE(device_.limits().fp16_storage);
    EXPECT_NE(refusal([&] { Plan(device_, parse_problem("64 f64")); }).find("without fp64"), std::string::npos);
    EXPECT_NE(refusal([&] { Plan(device_, parse_problem("64 f16")); }).find("without 16-bit storage"),
              std::string::npos);
    vulkan::NativeDevice plain = program_.native();
    plain.shader_int64 = false;
    plain.get_instance_proc_addr = nullptr;  // that of the loader here
    const Device device = vulkan::device(plain);
    EXPECT_EQ(device.limits().vectors, Vectors::subgroups);
    std::vector<Point> ones(100, 1);
    const std::vector<Point> spectrum = Plan(device, parse_problem("100")).forward(ones);
    EXPECT_NEAR(std::abs(spectrum[0] - Point(100)), 0, 1e-4);
}

std::string victim;  // the function that fails
unsigned calls = 0;

VKAPI_ATTR VkResult VKAPI_CALL fail() {
    ++calls;
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

PFN_vkVoidFunction find_or_fail(VkInstance instance, const char* name) {
    return victim == name ? reinterpret_cast<PFN_vkVoidFunction>(&fail) : vkGetInstanceProcAddr(instance, name);
}

// Everything that the backend calls and that can fail; the layer tells of what is left behind.
TEST_F(VulkanInterop, each_failing_function_is_an_error_that_names_it_and_leaves_nothing) {
    const auto work = [&] {
        vulkan::NativeDevice native = program_.native();
        native.get_instance_proc_addr = reinterpret_cast<void*>(&find_or_fail);
        const Device device = vulkan::device(native);
        const Plan plan(device, parse_problem("60 in-place"));
        Execution execution;
        execution.input = device.allocate(60 * sizeof(Point));
        const vulkan::Bindings bindings(plan, execution);
        Queue queue = device.create_queue();
        const std::vector<Point> ones(60, 1);
        queue.upload(execution.input, ones.data(), 60 * sizeof(Point));
        const Event start = queue.record();
        plan.execute(queue, execution);
        const Event end = queue.record();
        EXPECT_GE(queue.milliseconds(start, end), 0.0);
        queue.wait();
        device.allocate_image(ImageFormat::rgba32f, 8, 8);
    };
    for (const char* name : {"vkCreateBuffer",
                             "vkCreateImage",
                             "vkBindImageMemory",
                             "vkCreateImageView",
                             "vkAllocateMemory",
                             "vkBindBufferMemory",
                             "vkMapMemory",
                             "vkCreateShaderModule",
                             "vkCreateDescriptorSetLayout",
                             "vkCreatePipelineLayout",
                             "vkCreatePipelineCache",
                             "vkCreateComputePipelines",
                             "vkCreateDescriptorPool",
                             "vkResetDescriptorPool",
                             "vkAllocateDescriptorSets",
                             "vkCreateCommandPool",
                             "vkAllocateCommandBuffers",
                             "vkBeginCommandBuffer",
                             "vkEndCommandBuffer",
                             "vkQueueSubmit",
                             "vkCreateFence",
                             "vkResetFences",
                             "vkWaitForFences",
                             "vkCreateQueryPool",
                             "vkGetQueryPoolResults"}) {
        victim = name;
        calls = 0;
        std::string said;
        try {
            work();
        } catch (const BackendError& error) {
            said = error.what();
        }
        EXPECT_GT(calls, 0u) << name;
        EXPECT_NE(said.find(std::string("vulkan: ") + name), std::string::npos) << name << ": " << said;
        EXPECT_NE(said.find("VK_ERROR_OUT_OF_DEVICE_MEMORY; the device has not enough memory"), std::string::npos)
            << name << ": " << said;
        EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    }
    victim.clear();
    EXPECT_NO_THROW(work());
}

// An instance of Vulkan 1.0 has no vkCmdDispatchBase, for one.
TEST_F(VulkanInterop, a_function_that_is_missing_is_named) {
    vulkan::NativeDevice native = program_.native();
    native.get_instance_proc_addr =
        reinterpret_cast<void*>(+[](VkInstance instance, const char* name) -> PFN_vkVoidFunction {
            return std::strcmp(name, "vkCmdDispatchBase") == 0 ? nullptr : vkGetInstanceProcAddr(instance, name);
        });
    EXPECT_EQ(refusal([&] { vulkan::device(native); }),
              "vulkan interop: the instance has no vkCmdDispatchBase, expected one made with apiVersion 1.1 or newer");
}

}  // namespace
}  // namespace seiche::test
