// Shared virtual memory, and Intel's unified shared memory as a fake loader imitates it: transforms in the middle of
// allocations give what they give in a cl_mem, bit by bit, and touch nothing beside it.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "fake_opencl.hpp"
#include "seiche/convolution.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/opencl.hpp"
#include "seiche/plan.hpp"

namespace seiche::test {
namespace {

using Samples = std::vector<std::complex<float>>;

FakeOpenclRecord* fake() {
    void* library = dlopen(SEICHE_FAKE_OPENCL, RTLD_NOW);
    void* symbol = library != nullptr ? dlsym(library, "fake_opencl_record") : nullptr;
    return symbol != nullptr ? reinterpret_cast<FakeOpenclRecord* (*)()>(symbol)() : nullptr;
}

enum class Kind { svm, usm };

class OpenclPointers : public testing::TestWithParam<Kind> {
protected:
    static constexpr std::size_t bytes = 1 << 20;

    void SetUp() override {
        record = fake();
        ASSERT_NE(record, nullptr);
        *record = FakeOpenclRecord();
        cl_platform_id platform = nullptr;
        if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
            clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, nullptr) != CL_SUCCESS)
            GTEST_SKIP() << "no OpenCL device";
        context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, nullptr);
        allocation = static_cast<unsigned char*>(clSVMAlloc(context, CL_MEM_READ_WRITE, bytes, 0));
        if (allocation == nullptr) GTEST_SKIP() << "no shared virtual memory";
        if (GetParam() == Kind::usm) {
            record->usm[reinterpret_cast<std::uintptr_t>(allocation)] = bytes;
            record->answer(CL_DEVICE_EXTENSIONS, "cl_khr_fp64 cl_intel_unified_shared_memory");
        }
        device = opencl::device(context, id);
        queue = device.create_queue();
        native = opencl::command_queue(queue);
        fill(0xa5);
    }
    void TearDown() override {
        device = {};
        queue = {};
        if (allocation != nullptr) clSVMFree(context, allocation);
        if (context != nullptr) clReleaseContext(context);
    }
    void fill(unsigned char byte) {
        const std::vector<unsigned char> pattern(bytes, byte);
        clEnqueueSVMMemcpy(native, CL_TRUE, allocation, pattern.data(), bytes, 0, nullptr, nullptr);
    }
    std::vector<unsigned char> all() {
        std::vector<unsigned char> copy(bytes);
        clEnqueueSVMMemcpy(native, CL_TRUE, copy.data(), allocation, bytes, 0, nullptr, nullptr);
        return copy;
    }
    Buffer wrap(std::size_t offset, std::size_t count) const {
        return GetParam() == Kind::svm ? opencl::svm_buffer(device, allocation + offset, count)
                                       : opencl::usm_buffer(device, allocation + offset, count);
    }
    /// All that is not in [first, last) is as it was filled.
    static bool is_untouched(const std::vector<unsigned char>& copy, std::size_t first, std::size_t last) {
        for (std::size_t i = 0; i < copy.size(); ++i)
            if ((i < first || i >= last) && copy[i] != 0xa5) return false;
        return true;
    }

    FakeOpenclRecord* record = nullptr;
    cl_device_id id = nullptr;
    cl_context context = nullptr;
    unsigned char* allocation = nullptr;
    Device device;
    Queue queue;
    cl_command_queue native = nullptr;
};

Samples ramp(std::size_t count) {
    Samples x(count);
    for (std::size_t j = 0; j < count; ++j)
        x[j] = {static_cast<float>(j % 17) - 8.0f, static_cast<float>(j * j % 23) * 0.25f};
    return x;
}

TEST_P(OpenclPointers, copies_respect_offsets_of_buffer_and_view) {
    const Buffer buffer = wrap(4096, 8192);
    EXPECT_EQ(buffer.bytes(), 8192u);
    EXPECT_EQ(opencl::pointer(buffer), allocation + 4096);
    const Samples x = ramp(128);
    Samples back(128);
    queue.upload({buffer, 1000}, x.data(), 1024);
    const std::vector<unsigned char> copy = all();
    EXPECT_EQ(std::memcmp(copy.data() + 5096, x.data(), 1024), 0);
    EXPECT_TRUE(is_untouched(copy, 5096, 6120));
    queue.download(back.data(), {buffer, 1000}, 1024);
    EXPECT_EQ(back, x);
    queue.copy({buffer, 4096}, {buffer, 1000}, 1024);
    back.assign(128, 0.0f);
    queue.enqueue_download(back.data(), {buffer, 4096}, 1024);
    queue.wait();
    EXPECT_EQ(back, x);
    EXPECT_THROW(queue.upload({buffer, 8000}, x.data(), 1024), InvalidProblem);
}

TEST_P(OpenclPointers, transforms_in_the_middle_of_an_allocation) {
    // One pass, Bluestein, two passes with a workspace of the same memory.
    for (const std::size_t n : {1024u, 2053u, 16384u}) {
        Problem problem;
        problem.lengths = {n};
        const Plan plan(device, problem);
        const Samples x = ramp(n), expected = plan.forward(x);
        const std::size_t first = 65536, second = 65536 + 3 * 65536, third = second + 3 * 65536;
        fill(0xa5);
        const Buffer in = wrap(first, 65536 * 3), out = wrap(second, 65536 * 3), work = wrap(third, 65536 * 4);
        Execution execution;
        execution.input = {in, 264};
        execution.output = {out, 1032};
        if (plan.workspace_bytes() != 0) execution.workspace = work;
        queue.upload(execution.input, x.data(), n * 8);
        record->usm_calls.clear();
        plan.execute(queue, execution);
        EXPECT_EQ(record->usm_calls.find("set ") != std::string::npos, GetParam() == Kind::usm) << record->usm_calls;
        Samples got(n);
        queue.download(got.data(), execution.output, n * 8);
        EXPECT_EQ(std::memcmp(got.data(), expected.data(), n * 8), 0) << n;
        const std::vector<unsigned char> copy = all();
        EXPECT_EQ(std::memcmp(copy.data() + first + 264, x.data(), n * 8), 0) << "the input is as it was";
        EXPECT_TRUE(is_untouched({copy.begin(), copy.begin() + second + 1032}, first + 264, first + 264 + n * 8));
        EXPECT_TRUE(is_untouched({copy.begin() + second, copy.begin() + third}, 1032, 1032 + n * 8));
    }
}

TEST_P(OpenclPointers, mixes_with_cl_mem_as_arguments_of_one_execution) {
    Problem problem;
    problem.lengths = {512};
    const Plan plan(device, problem);
    const Samples x = ramp(512), expected = plan.forward(x);
    Samples got(512);
    const Buffer pointer = wrap(128, 4096), object = device.allocate(4096);
    for (const bool into_object : {true, false}) {
        Execution execution;
        execution.input = into_object ? pointer : object;
        execution.output = into_object ? object : pointer;
        queue.upload(execution.input, x.data(), 4096);
        plan.execute(queue, execution);
        queue.download(got.data(), execution.output, 4096);
        EXPECT_EQ(got, expected);
    }
    EXPECT_THROW(opencl::memory(pointer), InvalidProblem);
    EXPECT_THROW(opencl::pointer(object), InvalidProblem);
}

TEST_P(OpenclPointers, copies_to_and_from_cl_mem) {
    const Buffer pointer = wrap(256, 4096), object = device.allocate(4096);
    const Samples x = ramp(100);
    Samples back(100);
    queue.upload({object, 64}, x.data(), 800);
    if (GetParam() == Kind::usm) {
        EXPECT_THROW(queue.copy(pointer, object, 800), Unsupported);
        EXPECT_THROW(queue.copy(object, pointer, 800), Unsupported);
        return;
    }
    queue.copy({pointer, 512}, {object, 64}, 800);
    queue.copy({object, 1600}, {pointer, 512}, 800);
    queue.download(back.data(), {object, 1600}, 800);
    EXPECT_EQ(back, x);
    EXPECT_TRUE(is_untouched(all(), 768, 1568));
}

TEST_P(OpenclPointers, convolve_too) {
    Convolution convolution;
    convolution.signal = {1000};
    convolution.kernel = {9};
    const ConvolutionPlan plan(device, convolution);
    std::vector<float> signal(1000), kernel(9, 0.5f);
    for (std::size_t i = 0; i < signal.size(); ++i) signal[i] = static_cast<float>(i % 13);
    const std::vector<float> expected = plan.convolve(signal, kernel);
    ConvolutionPreparation preparation;
    ConvolutionExecution execution;
    preparation.kernels = wrap(0, 64);
    preparation.spectrum = execution.spectrum = wrap(65536, plan.spectrum_bytes());
    execution.input = wrap(4096, 4000);
    execution.output = wrap(16384, 8192);
    if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
    if (plan.preparation_bytes() != 0) preparation.workspace = device.allocate(plan.preparation_bytes());
    queue.upload(preparation.kernels, kernel.data(), plan.kernel_bytes());
    queue.upload(execution.input, signal.data(), plan.input_bytes());
    plan.prepare(queue, preparation);
    plan.execute(queue, execution);
    std::vector<float> got(expected.size());
    queue.download(got.data(), execution.output, plan.output_bytes());
    EXPECT_EQ(got, expected);
}

TEST_P(OpenclPointers, too_small_or_strange_ones_are_refused) {
    Problem problem;
    problem.lengths = {512};
    problem.placement = Placement::in_place;
    const Plan plan(device, problem);
    Execution execution;
    execution.input = {wrap(0, 4096), 8};
    EXPECT_THROW(plan.execute(queue, execution), InvalidProblem);
    const Device reference = Device::open("reference");
    EXPECT_THROW(opencl::svm_buffer(device, nullptr, 8), InvalidProblem);
    EXPECT_THROW(opencl::usm_buffer(device, nullptr, 8), InvalidProblem);
    EXPECT_THROW(opencl::svm_buffer(reference, allocation, 8), InvalidProblem);
    EXPECT_THROW(opencl::usm_buffer(reference, allocation, 8), InvalidProblem);
    if (GetParam() != Kind::usm) return;
    EXPECT_THROW(wrap(bytes - 100, 101), InvalidProblem);
    EXPECT_NO_THROW(wrap(bytes - 100, 100));
    int stranger = 0;
    EXPECT_THROW(opencl::usm_buffer(device, &stranger, 4), InvalidProblem);
}

TEST_P(OpenclPointers, a_device_without_them_is_unsupported_by_name) {
    record->answer(CL_DEVICE_SVM_CAPABILITIES, cl_device_svm_capabilities{0});
    record->answer(CL_DEVICE_EXTENSIONS, "cl_khr_fp64");
    const auto refused = [&](const auto& wrap_it, const std::string& lacking) {
        try {
            wrap_it();
            ADD_FAILURE() << "a device without " << lacking << " took it";
        } catch (const Unsupported& error) {
            const std::string what = error.what();
            EXPECT_NE(what.find(device.info().name), std::string::npos) << what;
            EXPECT_NE(what.find(lacking), std::string::npos) << what;
        }
    };
    refused([&] { opencl::svm_buffer(device, allocation, 64); }, "CL_DEVICE_SVM_CAPABILITIES");
    refused([&] { opencl::usm_buffer(device, allocation, 64); }, "cl_intel_unified_shared_memory");
    record->unknown.insert(CL_DEVICE_SVM_CAPABILITIES);  // a device of OpenCL 1.2
    refused([&] { opencl::svm_buffer(device, allocation, 64); }, "CL_DEVICE_SVM_CAPABILITIES");
    record->answer(CL_DEVICE_EXTENSIONS, "cl_intel_unified_shared_memory");
    record->usm.clear();  // the extension's functions are not there
    refused([&] { opencl::usm_buffer(device, allocation, 64); }, "cl_intel_unified_shared_memory");
}

INSTANTIATE_TEST_SUITE_P(Kinds, OpenclPointers, testing::Values(Kind::svm, Kind::usm),
                         [](const auto& info) { return info.param == Kind::svm ? "svm" : "usm"; });

}  // namespace
}  // namespace seiche::test
