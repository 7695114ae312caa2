// The caller's own OpenCL context, queue and buffers do the work, and are still the caller's afterwards.
#include "seiche/interop/opencl.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <complex>
#include <thread>
#include <vector>

#include "seiche/error.hpp"
#include "seiche/interop/opencl.h"
#include "seiche/plan.hpp"

namespace seiche::test {
namespace {

class OpenclInterop : public testing::Test {
protected:
    void SetUp() override {
        cl_platform_id platform = nullptr;
        if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
            clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, nullptr) != CL_SUCCESS)
            GTEST_SKIP() << "no OpenCL device";
        context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, nullptr);
        queue = clCreateCommandQueueWithProperties(context, id, nullptr, nullptr);
        memory = clCreateBuffer(context, CL_MEM_READ_WRITE, 256, nullptr, nullptr);
        before = references();
    }
    void TearDown() override {
        if (id == nullptr) return;
        constexpr int enough_looks = 40;
        for (int look = 0; look < enough_looks && references() != before;) ++look;
        EXPECT_EQ(references(), before) << "Seiche keeps or takes a reference too many";
        clReleaseMemObject(memory);
        clReleaseCommandQueue(queue);
        clReleaseContext(context);
    }
    /// PoCL keeps a reference of its own to a queue whose last command was of some kinds: here always the same one. A
    /// thread of its gives up others a little after a command has ended, so the counts are those that last.
    std::array<cl_uint, 2> references() const {
        const int word = 1;
        clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, sizeof word, &word, 0, nullptr, nullptr);
        clFinish(queue);
        constexpr int lasting = 25;
        std::array<cl_uint, 2> counts{}, last{};
        for (int same = 0; same < lasting; same = counts == last ? same + 1 : 0) {
            last = counts;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof(cl_uint), &counts[0], nullptr);
            clGetMemObjectInfo(memory, CL_MEM_REFERENCE_COUNT, sizeof(cl_uint), &counts[1], nullptr);
        }
        return counts;
    }

    cl_device_id id = nullptr;
    cl_context context = nullptr;
    cl_command_queue queue = nullptr;
    cl_mem memory = nullptr;
    std::array<cl_uint, 2> before{};
};

TEST_F(OpenclInterop, work_goes_through_the_callers_objects) {
    const Device device = opencl::device(context, id);
    EXPECT_EQ(opencl::context(device), context);
    EXPECT_EQ(opencl::device_id(device), id);
    EXPECT_EQ(device.info().backend, Backend::opencl);
    Queue own_queue = opencl::queue(device, queue);
    const Buffer buffer = opencl::buffer(device, memory);
    EXPECT_EQ(buffer.bytes(), 256u);
    EXPECT_EQ(opencl::command_queue(own_queue), queue);
    EXPECT_EQ(opencl::memory(buffer), memory);

    const std::vector<int> numbers{1, 2, 3, 4};
    std::vector<int> back(4);
    own_queue.upload({buffer, 64}, numbers.data(), 16);
    ASSERT_EQ(clEnqueueReadBuffer(queue, memory, CL_TRUE, 64, 16, back.data(), 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(back, numbers);
}

// The same through the C interface, which knows pointers only.
TEST_F(OpenclInterop, is_open_to_c) {
    seiche_device* device = nullptr;
    seiche_queue* own_queue = nullptr;
    seiche_buffer* buffer = nullptr;
    ASSERT_EQ(seiche_opencl_device(context, id, &device), SEICHE_OK) << seiche_last_error();
    ASSERT_EQ(seiche_opencl_queue(device, queue, &own_queue), SEICHE_OK) << seiche_last_error();
    ASSERT_EQ(seiche_opencl_buffer(device, memory, &buffer), SEICHE_OK) << seiche_last_error();
    void* got[4] = {};
    EXPECT_EQ(seiche_opencl_context(device, &got[0]), SEICHE_OK);
    EXPECT_EQ(seiche_opencl_device_id(device, &got[1]), SEICHE_OK);
    EXPECT_EQ(seiche_opencl_command_queue(own_queue, &got[2]), SEICHE_OK);
    EXPECT_EQ(seiche_opencl_memory(buffer, &got[3]), SEICHE_OK);
    EXPECT_EQ(got[0], context);
    EXPECT_EQ(got[1], id);
    EXPECT_EQ(got[2], queue);
    EXPECT_EQ(got[3], memory);
    EXPECT_EQ(seiche_opencl_pointer(buffer, &got[3]), SEICHE_INVALID_PROBLEM) << "a buffer of a cl_mem";

    // The data come behind a gate of the caller's, and an event says when the result is there.
    seiche_plan* plan = nullptr;
    ASSERT_EQ(seiche_plan_create_from_text(device, "16 in-place", SEICHE_ONLY_FORWARD, &plan), SEICHE_OK);
    std::vector<std::complex<float>> values(16, 1.0f), spectrum(16);
    const cl_command_queue writer = clCreateCommandQueueWithProperties(context, id, nullptr, nullptr);
    const cl_event gate = clCreateUserEvent(context, nullptr);
    cl_event written = nullptr, done = nullptr;
    ASSERT_EQ(clEnqueueWriteBuffer(writer, memory, CL_FALSE, 0, 128, values.data(), 1, &gate, &written), CL_SUCCESS);
    clFlush(writer);
    const cl_event events[] = {written};
    ASSERT_EQ(seiche_opencl_wait_for(own_queue, events, 1), SEICHE_OK) << seiche_last_error();
    EXPECT_EQ(seiche_opencl_wait_for(own_queue, nullptr, 1), SEICHE_INVALID_PROBLEM);
    seiche_execution execution = SEICHE_EXECUTION_INIT;
    execution.input = buffer;
    ASSERT_EQ(seiche_execute(plan, own_queue, &execution), SEICHE_OK) << seiche_last_error();
    ASSERT_EQ(seiche_opencl_record(own_queue, &done), SEICHE_OK);
    clSetUserEventStatus(gate, CL_COMPLETE);
    ASSERT_EQ(clWaitForEvents(1, &done), CL_SUCCESS);
    ASSERT_EQ(seiche_download(own_queue, spectrum.data(), buffer, 0, 128), SEICHE_OK);
    for (std::size_t k = 0; k < 16; ++k) EXPECT_NEAR(std::abs(spectrum[k] - (k == 0 ? 16.0f : 0.0f)), 0, 1e-5);
    for (const cl_event event : {gate, written, done}) clReleaseEvent(event);
    clReleaseCommandQueue(writer);
    seiche_plan_release(plan);
    seiche_buffer_release(buffer);
    seiche_queue_release(own_queue);
    seiche_device_release(device);
}

TEST_F(OpenclInterop, a_queue_without_profiling_cannot_time) {
    const Device device = opencl::device(context, id);
    Queue own_queue = opencl::queue(device, queue);
    const Event first = own_queue.record(), last = own_queue.record();
    EXPECT_THROW(own_queue.milliseconds(first, last), Unsupported);
}

TEST_F(OpenclInterop, an_execution_waits_for_the_callers_events_and_gives_one_back) {
    const Device device = opencl::device(context, id);
    Problem problem;
    problem.lengths = {16};
    problem.placement = Placement::in_place;
    const Plan plan(device, problem);
    Queue own_queue = opencl::queue(device, queue);
    Execution execution;
    execution.input = opencl::buffer(device, memory);
    if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());

    // The data come late, on another queue, behind two gates.
    const cl_command_queue writer = clCreateCommandQueueWithProperties(context, id, nullptr, nullptr);
    const cl_event gate = clCreateUserEvent(context, nullptr), second_gate = clCreateUserEvent(context, nullptr);
    std::vector<std::complex<float>> values(16, 0.0f), spectrum(16);
    ASSERT_EQ(clEnqueueWriteBuffer(writer, memory, CL_TRUE, 0, 128, values.data(), 0, nullptr, nullptr), CL_SUCCESS);
    values.assign(16, 1.0f);
    cl_event written = nullptr;
    ASSERT_EQ(clEnqueueWriteBuffer(writer, memory, CL_FALSE, 0, 128, values.data(), 1, &gate, &written), CL_SUCCESS);
    clFlush(writer);
    opencl::wait_for(own_queue, {written, second_gate});
    opencl::wait_for(own_queue, {});
    plan.execute(own_queue, execution);
    const cl_event done = opencl::record(own_queue);
    ASSERT_NE(done, nullptr);
    const auto status = [](cl_event event) {
        cl_int answer = -1;
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof answer, &answer, nullptr);
        return answer;
    };
    clSetUserEventStatus(second_gate, CL_COMPLETE);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_NE(status(done), CL_COMPLETE) << "the execution did not wait";
    clSetUserEventStatus(gate, CL_COMPLETE);
    // The event given back is what a third party waits for.
    ASSERT_EQ(clEnqueueReadBuffer(writer, memory, CL_TRUE, 0, 128, spectrum.data(), 1, &done, nullptr), CL_SUCCESS);
    EXPECT_EQ(status(done), CL_COMPLETE);
    EXPECT_NEAR(spectrum[0].real(), 16.0f, 1e-4f);
    for (std::size_t k = 1; k < 16; ++k) EXPECT_NEAR(std::abs(spectrum[k]), 0.0f, 1e-4f) << k;
    for (const cl_event event : {gate, second_gate, written, done}) clReleaseEvent(event);
    clReleaseCommandQueue(writer);
    own_queue.wait();
}

TEST_F(OpenclInterop, events_of_strangers_are_refused) {
    const Device device = opencl::device(context, id);
    Queue own_queue = opencl::queue(device, queue), stranger = Device::open("reference").create_queue();
    const cl_context other = clCreateContext(nullptr, 1, &id, nullptr, nullptr, nullptr);
    const cl_event event = clCreateUserEvent(other, nullptr);
    EXPECT_THROW(opencl::wait_for(own_queue, {event}), InvalidProblem);
    EXPECT_THROW(opencl::wait_for(own_queue, {nullptr}), InvalidProblem);
    EXPECT_THROW(opencl::wait_for(stranger, {}), InvalidProblem);
    EXPECT_THROW(opencl::record(stranger), InvalidProblem);
    clSetUserEventStatus(event, CL_COMPLETE);
    clReleaseEvent(event);
    clReleaseContext(other);
}

TEST_F(OpenclInterop, a_plan_of_another_backend_is_refused) {
    Problem problem;
    problem.lengths = {16};
    const Plan plan(Device::open("reference"), problem);
    Queue own_queue = opencl::queue(opencl::device(context, id), queue);
    Execution execution;
    execution.input = plan.device().allocate(plan.input_bytes());
    execution.output = plan.device().allocate(plan.output_bytes());
    EXPECT_THROW(plan.execute(own_queue, execution), InvalidProblem);
    const Plan own_plan(opencl::device(context, id), problem);
    Queue stranger = plan.device().create_queue();
    EXPECT_THROW(own_plan.execute(stranger, execution), InvalidProblem);
}

TEST_F(OpenclInterop, what_is_of_another_context_is_refused_by_name) {
    const cl_context other_context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, nullptr);
    const auto refused = [](const auto& action, const std::string& what) {
        try {
            action();
            ADD_FAILURE() << "contexts were mixed";
        } catch (const InvalidProblem& error) {
            EXPECT_NE(std::string(error.what()).find("the " + what + " belongs to another context"), std::string::npos)
                << error.what();
        }
    };
    {
        const Device device = opencl::device(context, id), other = opencl::device(other_context, id);
        Problem problem;
        problem.lengths = {16};
        const Plan plan(device, problem);
        Queue own_queue = opencl::queue(device, queue), other_queue = other.create_queue();
        Execution execution;
        execution.input = device.allocate(128);
        execution.output = other.allocate(128);
        if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
        refused([&] { plan.execute(own_queue, execution); }, "buffer");
        refused([&] { plan.execute(other_queue, execution); }, "plan");
        refused([&] { own_queue.copy(execution.input, execution.output, 16); }, "buffer");
        int word = 0;
        refused([&] { own_queue.upload(execution.output, &word, 4); }, "buffer");
    }
    clReleaseContext(other_context);
}

TEST_F(OpenclInterop, strangers_are_refused) {
    const Device device = opencl::device(context, id);
    const cl_context other = clCreateContext(nullptr, 1, &id, nullptr, nullptr, nullptr);
    const cl_command_queue other_queue = clCreateCommandQueueWithProperties(other, id, nullptr, nullptr);
    const cl_mem other_memory = clCreateBuffer(other, CL_MEM_READ_WRITE, 256, nullptr, nullptr);
    EXPECT_THROW(opencl::queue(device, other_queue), InvalidProblem);
    EXPECT_THROW(opencl::buffer(device, other_memory), InvalidProblem);
    EXPECT_THROW(opencl::buffer(Device::open("reference"), memory), InvalidProblem);
    EXPECT_THROW(opencl::device(nullptr, id), InvalidProblem);
    EXPECT_THROW(opencl::memory(Buffer()), InvalidProblem);
    clReleaseMemObject(other_memory);
    clReleaseCommandQueue(other_queue);
    clReleaseContext(other);
}

TEST_F(OpenclInterop, a_queue_out_of_order_is_refused) {
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    const cl_command_queue unordered = clCreateCommandQueueWithProperties(context, id, properties, nullptr);
    if (unordered == nullptr) GTEST_SKIP() << "the device has no such queues";
    EXPECT_THROW(opencl::queue(opencl::device(context, id), unordered), Unsupported);
    clReleaseCommandQueue(unordered);
}

}  // namespace
}  // namespace seiche::test
