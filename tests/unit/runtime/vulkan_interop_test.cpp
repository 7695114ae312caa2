// The caller's own Vulkan: a foreign device under validation, buffers with offsets, executions recorded into the
// caller's command buffers, and what is refused. The validation layer must have nothing to say, not of races either.
#include "seiche/interop/vulkan.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "environment.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/vulkan.h"
#include "vulkan_program.hpp"

namespace seiche::test {
namespace {

class VulkanInterop : public testing::TestWithParam<Made> {
protected:
    void SetUp() override {
        if (!program_.open(GetParam())) GTEST_SKIP() << "no Vulkan device";
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

TEST_P(VulkanInterop, a_queue_of_yours_runs_plans_on_your_buffers) {
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

// The same through the C interface: a queue of Seiche's, then a recording of yours.
TEST_P(VulkanInterop, is_open_to_c) {
    constexpr std::size_t n = 120;
    const vulkan::NativeDevice made = program_.native();
    seiche_vulkan_native_device native = SEICHE_VULKAN_NATIVE_DEVICE_INIT;
    native.instance = made.instance;
    native.physical_device = made.physical_device;
    native.device = made.device;
    native.queue = made.queue;
    native.queue_family = made.queue_family;
    native.get_instance_proc_addr = made.get_instance_proc_addr;
    native.shader_int64 = 1;
    native.timeline_semaphore = native.push_descriptor = made.push_descriptor;
    native.subgroup_size_control = native.compute_full_subgroups = made.subgroup_size_control;
    native.buffer_device_address = made.buffer_device_address;
    Point* seen = nullptr;
    const VkBuffer memory = program_.make_buffer(n, 1, &seen);
    const auto handle = reinterpret_cast<std::uint64_t>(memory);
    seiche_device* device = nullptr;
    seiche_queue* queue = nullptr;
    seiche_buffer* buffer = nullptr;
    seiche_plan* plan = nullptr;
    ASSERT_EQ(seiche_vulkan_device(&native, &device), SEICHE_OK) << seiche_last_error();
    ASSERT_EQ(seiche_queue_create(device, &queue), SEICHE_OK) << seiche_last_error();
    ASSERT_EQ(seiche_vulkan_buffer(device, handle, n * sizeof(Point), &buffer), SEICHE_OK) << seiche_last_error();
    void* got = nullptr;
    std::uint64_t number = 0;
    EXPECT_EQ(seiche_vulkan_device_handle(device, &got), SEICHE_OK);
    EXPECT_EQ(got, program_.device);
    EXPECT_EQ(seiche_vulkan_queue_handle(queue, &got), SEICHE_OK);
    EXPECT_EQ(got, program_.queue);
    EXPECT_EQ(seiche_vulkan_buffer_handle(buffer, &number), SEICHE_OK);
    EXPECT_EQ(number, handle);
    ASSERT_EQ(seiche_plan_create_from_text(device, "120 in-place inverse-scale=1/n", SEICHE_BOTH, &plan), SEICHE_OK)
        << seiche_last_error();
    seiche_execution execution = SEICHE_EXECUTION_INIT;
    execution.input = buffer;
    ASSERT_EQ(seiche_execute(plan, queue, &execution), SEICHE_OK) << seiche_last_error();
    ASSERT_EQ(seiche_queue_wait(queue), SEICHE_OK);
    expect_impulse(seen, n, 0, n);
    execution.direction = SEICHE_INVERSE;
    seiche_vulkan_bindings* bindings = nullptr;
    ASSERT_EQ(seiche_vulkan_bindings_create(plan, &execution, &bindings), SEICHE_OK) << seiche_last_error();
    program_.run([&] { EXPECT_EQ(seiche_vulkan_bindings_record(bindings, program_.commands), SEICHE_OK); });
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(std::abs(seen[i] - Point(1)), 0, 1e-5) << i;
    const seiche_status waits = seiche_vulkan_wait_for(queue, 0, 1);
    EXPECT_TRUE(waits == SEICHE_INVALID_PROBLEM || waits == SEICHE_UNSUPPORTED) << seiche_last_error();
    EXPECT_EQ(seiche_vulkan_bindings_record(bindings, nullptr), SEICHE_INVALID_PROBLEM);
    EXPECT_EQ(seiche_vulkan_image(device, 0, SEICHE_IMAGE_RG32F, 4, 4, nullptr), SEICHE_INVALID_PROBLEM);
    seiche_vulkan_bindings_release(bindings);
    seiche_plan_release(plan);
    seiche_buffer_release(buffer);
    seiche_queue_release(queue);
    seiche_device_release(device);
}

// Three kernels and a workspace; twice in one command buffer, which is submitted twice: four transforms.
TEST_P(VulkanInterop, an_execution_is_recorded_as_often_as_you_like) {
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

// More than a descriptor of lavapipe reaches: in pieces, or by address.
TEST_P(VulkanInterop, your_large_buffers_are_recorded) {
    constexpr std::size_t n = 64, batch = (std::size_t{1} << 17) + 7;  // 67 MB
    const DeviceLimits limits = device_.limits();
    if (limits.max_buffer_bytes >= n * batch * sizeof(Point)) GTEST_SKIP() << "one descriptor of this device has more";
    EXPECT_EQ(limits.max_addressed_bytes != 0, GetParam() != Made::plain);
    Point* seen = nullptr;
    const VkBuffer buffer = program_.make_buffer(n * batch + 1, 1, &seen);
    PlanOptions options;
    options.directions = Directions::forward;
    const Plan plan(device_, parse_problem("64 in-place batch=" + std::to_string(batch)), options);
    const bool by_address = plan.report().kernels.front().spec.find(" input-by-address") != std::string::npos;
    EXPECT_EQ(by_address, GetParam() != Made::plain);
    Execution execution;
    execution.input = {adopt(buffer, n * batch + 1), sizeof(Point)};
    const vulkan::Bindings bindings(plan, execution);
    program_.run([&] { bindings.record(program_.commands); });
    EXPECT_EQ(seen[0], Point(1));
    for (const std::size_t place : {std::size_t{0}, batch / 2, batch - 1}) expect_impulse(seen, n, 1 + place * n, n);
}

// Your transfer before and after it needs no barrier of yours.
TEST_P(VulkanInterop, transfers_around_a_recording_are_in_order) {
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

TEST_P(VulkanInterop, convolutions_are_recorded_too) {
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

TEST_P(VulkanInterop, what_is_wrong_is_refused_in_one_line) {
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

TEST_P(VulkanInterop, features_that_were_not_enabled_are_not_used) {
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

/// It does wait: what is destroyed behind it is used no more.
VKAPI_ATTR VkResult VKAPI_CALL wait_and_fail(VkQueue queue) {
    vkQueueWaitIdle(queue);
    return fail();
}

template <class Function>
PFN_vkVoidFunction untyped(Function* function) {
    return reinterpret_cast<PFN_vkVoidFunction>(function);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL find_or_fail_of_device(VkDevice device, const char* name) {
    const PFN_vkVoidFunction found = vkGetDeviceProcAddr(device, name);
    return found != nullptr && victim == name ? untyped(&fail) : found;
}

PFN_vkVoidFunction find_or_fail(VkInstance instance, const char* name) {
    if (std::strcmp(name, "vkGetDeviceProcAddr") == 0) return untyped(&find_or_fail_of_device);
    if (victim != name) return vkGetInstanceProcAddr(instance, name);
    return victim == "vkQueueWaitIdle" ? untyped(&wait_and_fail) : untyped(&fail);
}

/// A cache on disk with nothing in it: what is found there is not compiled and kept.
class EmptyCache {
public:
    EmptyCache() : folder_(std::filesystem::temp_directory_path() / ("seiche-interop-" + std::to_string(getpid()))) {
        set_environment("SEICHE_CACHE_DIR", folder_.string());
        clear();
    }
    ~EmptyCache() {
        clear();
        unset_environment("SEICHE_CACHE_DIR");
    }
    EmptyCache(const EmptyCache&) = delete;
    EmptyCache& operator=(const EmptyCache&) = delete;
    void clear() const {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

private:
    std::filesystem::path folder_;
};

// Everything that the backend calls and that can fail; the layer tells of what is left behind.
TEST_P(VulkanInterop, each_failing_function_is_an_error_that_names_it_and_leaves_nothing) {
    const EmptyCache cache;
    const auto work = [&] {
        cache.clear();
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
        for (int round = 0; round < 33; ++round) plan.execute(queue, execution);  // more than are under way at once
        const Event end = queue.record();
        EXPECT_GE(queue.milliseconds(start, end), 0.0);
        queue.wait();
        device.allocate_image(ImageFormat::rgba32f, 8, 8);
    };
    const bool is_plain = GetParam() == Made::plain;
    std::vector<std::string> names{"vkEnumerateDeviceExtensionProperties",
                                   "vkCreateBuffer",
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
                                   "vkGetPipelineCacheData",
                                   "vkCreateCommandPool",
                                   "vkAllocateCommandBuffers",
                                   "vkBeginCommandBuffer",
                                   "vkEndCommandBuffer",
                                   "vkQueueSubmit",
                                   "vkQueueWaitIdle",
                                   "vkCreateQueryPool",
                                   "vkGetQueryPoolResults"};
    // What a device is without is not called; what it has takes the place of these.
    const std::vector<std::string> of_plain{
        "vkCreateDescriptorPool", "vkResetDescriptorPool", "vkAllocateDescriptorSets",
        "vkCreateFence",          "vkResetFences",         "vkWaitForFences"},
        of_timeline{"vkCreateSemaphore",
                    GetParam() == Made::of_newer_version ? "vkWaitSemaphores" : "vkWaitSemaphoresKHR"};
    for (const std::string& name : is_plain ? of_timeline : of_plain) {
        victim = name;
        calls = 0;
        EXPECT_NO_THROW(work()) << name;
        EXPECT_EQ(calls, 0u) << name;
    }
    const auto& own = is_plain ? of_plain : of_timeline;
    names.insert(names.end(), own.begin(), own.end());
    for (const std::string& name : names) {
        victim = name;
        calls = 0;
        std::string said;
        try {
            work();
        } catch (const BackendError& error) {
            said = error.what();
        }
        EXPECT_GT(calls, 0u) << name;
        const std::string called = name.substr(0, name.find("KHR"));
        EXPECT_NE(said.find("vulkan: " + called), std::string::npos) << name << ": " << said;
        EXPECT_NE(said.find("VK_ERROR_OUT_OF_DEVICE_MEMORY; the device has not enough memory: use smaller buffers or "
                            "a smaller batch"),
                  std::string::npos)
            << name << ": " << said;
        EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    }
    victim.clear();
    EXPECT_NO_THROW(work());
}

// An instance of Vulkan 1.0 has no vkCmdDispatchBase, for one.
TEST_P(VulkanInterop, a_function_that_is_missing_is_named) {
    vulkan::NativeDevice native = program_.native();
    native.get_instance_proc_addr =
        reinterpret_cast<void*>(+[](VkInstance instance, const char* name) -> PFN_vkVoidFunction {
            return std::strcmp(name, "vkCmdDispatchBase") == 0 ? nullptr : vkGetInstanceProcAddr(instance, name);
        });
    EXPECT_EQ(refusal([&] { vulkan::device(native); }),
              "vulkan interop: the instance has no vkCmdDispatchBase, expected one made with apiVersion 1.1 or newer");
}

TEST_P(VulkanInterop, what_is_said_to_be_enabled_and_is_not_is_named) {
    if (GetParam() != Made::plain) GTEST_SKIP() << "this device has it";
    vulkan::NativeDevice native = program_.native();
    native.get_instance_proc_addr =
        reinterpret_cast<void*>(+[](VkInstance instance, const char* name) -> PFN_vkVoidFunction {
            if (std::strcmp(name, "vkGetDeviceProcAddr") != 0) return vkGetInstanceProcAddr(instance, name);
            return untyped(+[](VkDevice, const char*) -> PFN_vkVoidFunction { return nullptr; });
        });
    native.timeline_semaphore = true;
    EXPECT_EQ(refusal([&] { vulkan::device(native); }),
              "vulkan interop: expected a device with what NativeDevice says is enabled, got one without "
              "vkWaitSemaphoresKHR");
    native.timeline_semaphore = false;
    native.push_descriptor = true;
    EXPECT_EQ(refusal([&] { vulkan::device(native); }),
              "vulkan interop: expected a device with what NativeDevice says is enabled, got one without "
              "vkCmdPushDescriptorSetKHR");
}

// ---- Timeline semaphores

std::uint64_t number_of(VkSemaphore semaphore) { return reinterpret_cast<std::uint64_t>(semaphore); }

// The transform waits for the host's value, what was enqueued before does not; the host waits for the queue's.
TEST_P(VulkanInterop, queues_wait_for_your_timeline_semaphores_and_signal_them) {
    if (GetParam() == Made::plain) GTEST_SKIP() << "without timeline semaphores";
    constexpr std::size_t n = 256;
    Point *first = nullptr, *second = nullptr;
    const VkBuffer early = program_.make_buffer(n, 1, &first), late = program_.make_buffer(n, 1, &second);
    const VkSemaphore gate = program_.make_semaphore(), done = program_.make_semaphore();
    const Plan plan(device_, parse_problem("256 in-place"));
    Execution before, after;
    before.input = adopt(early, n);
    after.input = adopt(late, n);
    for (const bool is_batch : {false, true}) {
        Queue queue = device_.create_queue();
        std::fill(first, first + n, Point(1));
        std::fill(second, second + n, Point(1));
        const std::uint64_t round = is_batch ? 1 : 0;
        const auto work = [&] {
            plan.execute(queue, before);
            vulkan::signal(queue, number_of(done), 10 * round + 1);
            vulkan::wait_for(queue, number_of(gate), 7 * round + 3);
            plan.execute(queue, after);
            vulkan::signal(queue, number_of(done), 10 * round + 2);
        };
        if (is_batch)
            queue.batch(work);
        else
            work();
        program_.wait(done, 10 * round + 1);
        expect_impulse(first, n, 0, n);
        EXPECT_EQ(program_.value_of(done), 10 * round + 1);
        EXPECT_EQ(second[1], Point(1));
        program_.signal(gate, 7 * round + 3);
        program_.wait(done, 10 * round + 2);
        expect_impulse(second, n, 0, n);
        queue.wait();
    }
}

// A point that nothing follows, and one after which nothing was enqueued.
TEST_P(VulkanInterop, semaphores_pass_through_an_empty_queue) {
    if (GetParam() == Made::plain) GTEST_SKIP() << "without timeline semaphores";
    const VkSemaphore gate = program_.make_semaphore(), done = program_.make_semaphore();
    Queue queue = device_.create_queue();
    vulkan::wait_for(queue, number_of(gate), 1);
    vulkan::signal(queue, number_of(done), 5);
    EXPECT_EQ(program_.value_of(done), 0u);
    program_.signal(gate, 1);
    program_.wait(done, 5);
    vulkan::wait_for(queue, number_of(gate), 100);
    queue.wait();
}

TEST_P(VulkanInterop, semaphores_that_cannot_serve_are_refused) {
    Queue queue = device_.create_queue(), foreign = Device::open("reference").create_queue();
    EXPECT_EQ(refusal([&] { vulkan::wait_for(queue, 0, 1); }), "vulkan interop: the semaphore to wait for is null");
    EXPECT_EQ(refusal([&] { vulkan::signal(queue, 0, 1); }), "vulkan interop: the semaphore to signal is null");
    EXPECT_EQ(refusal([&] { vulkan::signal(foreign, 1, 1); }),
              "vulkan interop: expected a queue of the Vulkan backend");
    if (GetParam() != Made::plain) return;
    const std::string line =
        "vulkan interop: a timeline semaphore wants a device made with timelineSemaphore; if yours is, say so in "
        "NativeDevice";
    EXPECT_EQ(refusal([&] { vulkan::wait_for(queue, 1, 1); }), line);
    EXPECT_EQ(refusal([&] { vulkan::signal(queue, 1, 1); }), line);
}

// ---- Subgroups of a chosen size, on a device that says it has 4 to 32 lanes: what pipelines ask for is taken down,
// and left out of what the driver gets.

struct AskedOfPipeline {
    std::uint32_t size = 0;
    VkPipelineShaderStageCreateFlags flags = 0;
};
std::vector<AskedOfPipeline> asked;

VKAPI_ATTR void VKAPI_CALL properties_with_a_range(VkPhysicalDevice device, VkPhysicalDeviceProperties2* properties) {
    vkGetPhysicalDeviceProperties2(device, properties);
    for (auto* next = static_cast<VkBaseOutStructure*>(properties->pNext); next != nullptr; next = next->pNext) {
        if (next->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES) continue;
        auto* sizes = reinterpret_cast<VkPhysicalDeviceSubgroupSizeControlProperties*>(next);
        sizes->minSubgroupSize = 4;
        sizes->maxSubgroupSize = 32;
    }
}

VKAPI_ATTR VkResult VKAPI_CALL create_and_note(VkDevice device, VkPipelineCache cache, std::uint32_t count,
                                               const VkComputePipelineCreateInfo* infos,
                                               const VkAllocationCallbacks* memory, VkPipeline* pipelines) {
    VkComputePipelineCreateInfo info = infos[0];
    asked.push_back({0, info.stage.flags});
    if (info.stage.pNext != nullptr)
        asked.back().size = static_cast<const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo*>(info.stage.pNext)
                                ->requiredSubgroupSize;
    info.stage.pNext = nullptr;
    return vkCreateComputePipelines(device, cache, count, &info, memory, pipelines);
}

PFN_vkVoidFunction find_with_a_range(VkInstance instance, const char* name) {
    if (std::strcmp(name, "vkGetPhysicalDeviceProperties2") == 0) return untyped(&properties_with_a_range);
    if (std::strcmp(name, "vkCreateComputePipelines") == 0) return untyped(&create_and_note);
    return vkGetInstanceProcAddr(instance, name);
}

TEST_P(VulkanInterop, pipelines_ask_for_the_subgroups_that_plans_are_made_for) {
    vulkan::NativeDevice native = program_.native();
    native.get_instance_proc_addr = reinterpret_cast<void*>(&find_with_a_range);
    const Device device = vulkan::device(native);
    asked.clear();
    const Plan plan(device, parse_problem("300"));
    ASSERT_FALSE(asked.empty());
    const bool is_plain = GetParam() == Made::plain;
    EXPECT_EQ(device.limits().subgroup_size, is_plain ? device_.limits().subgroup_size : 16u);
    for (const AskedOfPipeline& one : asked) {
        EXPECT_EQ(one.size, is_plain ? 0u : 16u);
        EXPECT_EQ(one.flags, 0u);  // no kernel of a plan looks at its neighbours' lanes
    }
    std::vector<Point> ones(300, 1);
    EXPECT_NEAR(std::abs(plan.forward(ones)[0] - Point(300)), 0, 1e-3);
}

// ---- A device that says of its descriptors that they reach 32768 bytes, and of an allocation that it has 100000.

VKAPI_ATTR void VKAPI_CALL properties_with_little_reach(VkPhysicalDevice device,
                                                        VkPhysicalDeviceProperties2* properties) {
    vkGetPhysicalDeviceProperties2(device, properties);
    VkPhysicalDeviceLimits& limits = properties->properties.limits;
    limits.maxStorageBufferRange = 32768 + static_cast<std::uint32_t>(limits.minStorageBufferOffsetAlignment);
    for (auto* next = static_cast<VkBaseOutStructure*>(properties->pNext); next != nullptr; next = next->pNext)
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES)
            reinterpret_cast<VkPhysicalDeviceMaintenance3Properties*>(next)->maxMemoryAllocationSize = 100000;
}

PFN_vkVoidFunction find_with_little_reach(VkInstance instance, const char* name) {
    if (std::strcmp(name, "vkGetPhysicalDeviceProperties2") == 0) return untyped(&properties_with_little_reach);
    return vkGetInstanceProcAddr(instance, name);
}

// Of two workspaces the way there has a long one and a short one, the way back the other way round: 163840 bytes in
// five pieces, 80056 by their address. What is addressed is one buffer, and the first two pieces lie in it.
TEST_P(VulkanInterop, one_workspace_is_taken_by_address_and_in_pieces) {
    if (GetParam() == Made::plain) GTEST_SKIP() << "its kernels are told no addresses";
    vulkan::NativeDevice native = program_.native();
    native.get_instance_proc_addr = reinterpret_cast<void*>(&find_with_little_reach);
    const Device device = vulkan::device(native);
    const std::uint64_t limit = device.limits().max_buffer_bytes;
    ASSERT_EQ(limit, 32768u);
    const Plan plan(device, parse_problem("20014 dct2 in-place"));
    const std::vector<std::uint64_t> wanted{80128, limit, limit, limit, 80128, limit, limit, limit};
    ASSERT_EQ(plan.workspace_part_bytes(), wanted) << plan.report().text();
    Execution execution;
    const Buffer array = device.allocate(plan.input_bytes());
    execution.input = array;
    for (const std::uint64_t bytes : wanted) execution.workspace_parts.push_back(device.allocate(bytes));
    std::vector<float> x(20014), y(20014);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * i % 101) / 50 - 1;
    Queue queue = device.create_queue();
    queue.upload(array, x.data(), plan.input_bytes());
    plan.execute(queue, execution);
    execution.direction = Direction::inverse;
    plan.execute(queue, execution);
    queue.download(y.data(), array, plan.input_bytes());
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(y[i] / 40028, x[i], 1e-5) << i;
}

INSTANTIATE_TEST_SUITE_P(Devices, VulkanInterop,
                         testing::Values(Made::plain, Made::with_extensions, Made::of_newer_version),
                         [](const auto& made) { return name_of(made.param); });

}  // namespace
}  // namespace seiche::test
