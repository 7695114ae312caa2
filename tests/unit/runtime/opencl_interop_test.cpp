// The caller's own OpenCL context, queue and buffers do the work, and are still the caller's afterwards.
#include "seiche/interop/opencl.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "seiche/error.hpp"

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
        const int word = 1;  // PoCL keeps a reference of its own to a queue that has been used
        clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, sizeof word, &word, 0, nullptr, nullptr);
        before = references();
    }
    void TearDown() override {
        if (id == nullptr) return;
        EXPECT_EQ(references(), before) << "Seiche keeps or takes a reference too many";
        clReleaseMemObject(memory);
        clReleaseCommandQueue(queue);
        clReleaseContext(context);
    }
    std::array<cl_uint, 2> references() const {
        std::array<cl_uint, 2> counts{};
        clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof(cl_uint), &counts[0], nullptr);
        clGetMemObjectInfo(memory, CL_MEM_REFERENCE_COUNT, sizeof(cl_uint), &counts[1], nullptr);
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

TEST_F(OpenclInterop, a_queue_without_profiling_cannot_time) {
    const Device device = opencl::device(context, id);
    Queue own_queue = opencl::queue(device, queue);
    const Event first = own_queue.record(), last = own_queue.record();
    EXPECT_THROW(own_queue.milliseconds(first, last), Unsupported);
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
