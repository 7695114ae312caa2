// The OpenCL backend on Intel's real driver, which without hardware compiles for a device that it is told to suppose
// and takes every call, but executes nothing: plans compile and are launched on buffers, shared virtual memory and
// unified shared memory without an error, and kernels get the lanes and registers that they were planned for. What they
// compute is checked on PoCL.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "exec/inspect.hpp"
#include "intel_folder.hpp"
#include "runtime/opencl/module.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/opencl.hpp"
#include "seiche/plan.hpp"

namespace seiche::test {
namespace {

const auto* const folder = testing::AddGlobalTestEnvironment(new TemporaryFolder);

class OpenclIntel : public testing::Test {
protected:
    static constexpr std::size_t bytes = 1 << 20;

    void SetUp() override {
        cl_uint count = 0;
        if (clGetPlatformIDs(0, nullptr, &count) == CL_SUCCESS) {
            std::vector<cl_platform_id> platforms(count);
            clGetPlatformIDs(count, platforms.data(), nullptr);
            for (cl_platform_id one : platforms) {
                char name[256] = {};
                clGetPlatformInfo(one, CL_PLATFORM_NAME, sizeof name - 1, name, nullptr);
                if (std::string(name).find("Intel") == std::string::npos) continue;
                if (clGetDeviceIDs(one, CL_DEVICE_TYPE_GPU, 1, &id, nullptr) == CL_SUCCESS) platform = one;
            }
        }
        if (platform == nullptr) GTEST_SKIP() << "no device of Intel's driver";
        context = clCreateContext(nullptr, 1, &id, nullptr, nullptr, nullptr);
        device = opencl::device(context, id);
    }
    void TearDown() override {
        device = {};
        if (context != nullptr) clReleaseContext(context);
    }
    template <class Function>
    Function* extension(const char* name) const {
        return reinterpret_cast<Function*>(clGetExtensionFunctionAddressForPlatform(platform, name));
    }
    /// Plans of one pass and of several, from and to the middle of what is given.
    void launch_all(const Buffer& in, const Buffer& out) const {
        for (const char* text : {"1024", "16384", "60 r2c", "60 f16"}) {
            const Plan plan(device, parse_problem(text));
            Queue queue = device.create_queue();
            Execution execution;
            execution.input = {in, 64};
            execution.output = {out, 128};
            if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
            EXPECT_NO_THROW(plan.execute(queue, execution)) << text;
            EXPECT_NO_THROW(queue.wait()) << text;
        }
    }

    cl_platform_id platform = nullptr;
    cl_device_id id = nullptr;
    cl_context context = nullptr;
    Device device;
};

TEST_F(OpenclIntel, tells_the_limits_of_the_device_that_it_supposes) {
    const DeviceLimits& limits = device.limits();
    EXPECT_TRUE(device.info().is_gpu);
    EXPECT_EQ(limits.vectors, Vectors::subgroups);
    EXPECT_EQ(limits.subgroup_size, 16u);
    EXPECT_EQ(limits.registers_per_thread, runtime::environment("ProductFamilyOverride") == "pvc" ? 128u : 64u);
    EXPECT_TRUE(limits.fp16_arithmetic);
    EXPECT_GE(limits.max_group_size, 512u);
}

/// What Intel's compiler made of a kernel.
std::string compiled(const runtime::opencl::OpenclModule& module, cl_device_id id) {
    constexpr cl_uint spilled_bytes = 0x4109;  // of cl_intel_required_subgroup_size
    auto* const handle = reinterpret_cast<cl_kernel>(module.take());
    const auto& launch = module.kernel().launch.group;
    const std::size_t group[3] = {launch[0], launch[1], launch[2]};
    std::size_t lanes = 0;
    cl_ulong spilled = 1;
    clGetKernelSubGroupInfo(handle, id, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof group, group, sizeof lanes,
                            &lanes, nullptr);
    clGetKernelWorkGroupInfo(handle, id, spilled_bytes, sizeof spilled, &spilled, nullptr);
    module.put_back(reinterpret_cast<runtime::opencl::KernelHandle>(handle));
    return std::to_string(lanes) + " lanes, " + std::to_string(spilled) + " bytes spilled";
}

// That the limits are true: more registers than a lane has would be spilled, or lanes would be fewer.
TEST_F(OpenclIntel, gives_kernels_the_lanes_and_registers_that_they_were_planned_for) {
    for (const char* text : {"64 batch=1000", "1000 batch=1000", "4096 batch=100", "1009 batch=100", "1000 dct2",
                             "4096 r2c batch=100", "512 f16 batch=100"})
        for (const exec::GeneratedKernel& kernel :
             exec::sources(problem::normalise(parse_problem(text)), device.limits(), {}, device.impl()->target())) {
            const auto module = device.impl()->build(kernel.source);
            EXPECT_EQ(compiled(dynamic_cast<runtime::opencl::OpenclModule&>(*module), id), "16 lanes, 0 bytes spilled")
                << text;
        }
}

TEST_F(OpenclIntel, launches_on_buffers_and_waits_for_events) {
    launch_all(device.allocate(bytes), device.allocate(bytes));
    const Plan plan(device, parse_problem("64 f16-arithmetic"));
    Queue queue = device.create_queue();
    const cl_event gate = clCreateUserEvent(context, nullptr);
    opencl::wait_for(queue, {gate});
    Execution execution;
    execution.input = device.allocate(plan.input_bytes());
    execution.output = device.allocate(plan.output_bytes());
    plan.execute(queue, execution);
    const cl_event done = opencl::record(queue);
    clSetUserEventStatus(gate, CL_COMPLETE);
    EXPECT_EQ(clWaitForEvents(1, &done), CL_SUCCESS);
    clReleaseEvent(done);
    clReleaseEvent(gate);
}

TEST_F(OpenclIntel, launches_on_shared_virtual_memory) {
    auto* memory = static_cast<unsigned char*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 2 * bytes, 0));
    if (memory == nullptr) GTEST_SKIP() << "the device has none";
    launch_all(opencl::svm_buffer(device, memory, bytes), opencl::svm_buffer(device, memory + bytes, bytes));
    clSVMFree(context, memory);
}

TEST_F(OpenclIntel, launches_on_each_kind_of_unified_shared_memory) {
    using Allocate = void*(cl_context, cl_device_id, const std::uint64_t*, std::size_t, cl_uint, cl_int*);
    using AllocateHost = void*(cl_context, const std::uint64_t*, std::size_t, cl_uint, cl_int*);
    using Free = cl_int(cl_context, void*);
    auto* on_device = extension<Allocate>("clDeviceMemAllocINTEL");
    auto* shared = extension<Allocate>("clSharedMemAllocINTEL");
    auto* on_host = extension<AllocateHost>("clHostMemAllocINTEL");
    auto* free_memory = extension<Free>("clMemBlockingFreeINTEL");
    ASSERT_TRUE(on_device != nullptr && shared != nullptr && on_host != nullptr && free_memory != nullptr);
    for (int kind = 0; kind < 3; ++kind) {
        cl_int code = CL_SUCCESS;
        void* memory = kind == 0   ? on_device(context, id, nullptr, 2 * bytes, 0, &code)
                       : kind == 1 ? shared(context, id, nullptr, 2 * bytes, 0, &code)
                                   : on_host(context, nullptr, 2 * bytes, 0, &code);
        ASSERT_EQ(code, CL_SUCCESS) << kind;
        auto* first = static_cast<unsigned char*>(memory);
        const Buffer in = opencl::usm_buffer(device, first, bytes),
                     out = opencl::usm_buffer(device, first + bytes, bytes);
        launch_all(in, out);
        Queue queue = device.create_queue();
        std::vector<unsigned char> host(4096);
        EXPECT_NO_THROW(queue.upload({in, 512}, host.data(), host.size()));
        EXPECT_NO_THROW(queue.copy({out, 1024}, {in, 512}, 4096));
        EXPECT_NO_THROW(queue.download(host.data(), {out, 1024}, host.size()));
        EXPECT_THROW(opencl::usm_buffer(device, first + bytes, bytes + 1), InvalidProblem);
        EXPECT_EQ(free_memory(context, memory), CL_SUCCESS);
        EXPECT_THROW(opencl::usm_buffer(device, first, bytes), InvalidProblem) << "it is freed";
    }
}

}  // namespace
}  // namespace seiche::test
