// The Level Zero backend on Intel's real driver, which without hardware compiles for a device that it is told to
// suppose and takes every call, but executes nothing: plans compile and are launched without an error of the driver or
// of its validation layer, and its compiler gives kernels the lanes and registers that they were planned for. What they
// compute is checked where the same SPIR-V runs, see tests/unit/emit.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "exec/inspect.hpp"
#include "intel_folder.hpp"
#include "runtime/backend.hpp"
#include "runtime/level_zero/api.hpp"
#include "runtime/level_zero/module.hpp"
#include "runtime/library.hpp"
#include "seiche/error.hpp"
#include "seiche/interop/level_zero.hpp"

namespace seiche::test {
namespace {

namespace native = runtime::level_zero;

const auto* const folder = testing::AddGlobalTestEnvironment(new TemporaryFolder);

class LevelZeroDriver : public testing::Test {
protected:
    void SetUp() override {
        family_ = runtime::environment("ProductFamilyOverride");
        if (family_.empty()) GTEST_SKIP() << "ProductFamilyOverride names no device to suppose";
        try {
            device_ = Device::open("level_zero");
        } catch (const Unsupported& reason) {
            GTEST_SKIP() << reason.what();
        }
    }

    /// Plans, and launches both ways once; the error, or nothing.
    std::string launch(const std::string& text) const {
        try {
            const Plan plan(device_, parse_problem(text));
            plan.warm_up();
            Queue queue = device_.create_queue();
            Execution execution;
            execution.input = device_.allocate(std::max(plan.input_bytes(), plan.output_bytes()));
            execution.output = device_.allocate(std::max(plan.input_bytes(), plan.output_bytes()));
            if (plan.workspace_bytes() != 0) execution.workspace = device_.allocate(plan.workspace_bytes());
            plan.execute(queue, execution);
            queue.record();
            queue.wait();
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

    std::string family_;
    Device device_;
};

TEST_F(LevelZeroDriver, tells_the_limits_of_the_device_that_it_supposes) {
    const DeviceLimits& limits = device_.limits();
    EXPECT_TRUE(device_.info().is_gpu);
    EXPECT_EQ(limits.fp64, family_ == "pvc");
    EXPECT_TRUE(limits.fp16_storage);
    EXPECT_FALSE(limits.fp16_arithmetic) << "this SPIR-V has none";
    EXPECT_TRUE(limits.fast_fma);
    EXPECT_EQ(limits.subgroup_size, 16u);
    EXPECT_EQ(limits.registers_per_thread, family_ == "pvc" ? 128u : 64u);
    EXPECT_EQ(limits.shared_bytes, family_ == "pvc" ? 131072u : 65536u);
    EXPECT_GE(limits.max_group_size, 512u);
}

TEST_F(LevelZeroDriver, compiles_and_launches_plans) {
    for (const char* problem : {"64 batch=5", "1009", "37", "65536", "12x10 r2c", "60 dct2", "60 f16", "64 planar f16"})
        EXPECT_EQ(launch(problem), "") << problem;
}

TEST_F(LevelZeroDriver, has_double_precision_or_refuses_it_by_name) {
    const std::string said = launch("96 f64");
    if (family_ == "pvc") {
        EXPECT_EQ(said, "");
    } else {
        EXPECT_NE(said.find("f64"), std::string::npos) << said;
        EXPECT_EQ(said.find("ZE_RESULT"), std::string::npos) << "refused before the driver is asked: " << said;
    }
}

TEST_F(LevelZeroDriver, refuses_arithmetic_in_half) {
    const std::string said = launch("64 f16-arithmetic");
    EXPECT_EQ(said.find("Unsupported"), 0u) << said;
}

// Nothing runs, so that no time is ever written.
TEST_F(LevelZeroDriver, says_that_a_time_is_not_there) {
    Queue queue = device_.create_queue();
    const Event start = queue.record(), stop = queue.record();
    try {
        queue.milliseconds(start, stop);
        FAIL() << "a time was measured";
    } catch (const BackendError& error) {
        const std::string said = error.what();
        EXPECT_NE(said.find("zeEventQueryKernelTimestamp failed with ZE_RESULT_NOT_READY"), std::string::npos) << said;
    }
}

TEST_F(LevelZeroDriver, loads_its_native_binaries_again) {
    const Problem problem = parse_problem("48 batch=3");
    const std::vector<std::byte> saved = Plan(device_, problem).save();
    ASSERT_FALSE(saved.empty());
    const Plan again = Plan::load(device_, saved);
    EXPECT_EQ(again.report().replanned, "");
    EXPECT_FALSE(std::filesystem::is_empty("cache"));
}

TEST_F(LevelZeroDriver, names_what_the_driver_refuses) {
    emit::Source source;
    source.entry = "nonsense";
    source.words = {0x07230203, 0x00010000, 0, 1, 0, 0xffffffff};
    source.kernel = std::make_shared<ir::Kernel>();
    try {
        device_.impl()->compile(source);
        FAIL() << "it was compiled";
    } catch (const BackendError& error) {
        const std::string said = error.what();
        EXPECT_NE(said.find("zeModuleCreate"), std::string::npos) << said;
        EXPECT_NE(said.find("ZE_RESULT_ERROR_"), std::string::npos) << said;
        EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    }
}

// Each gives up memory, events and queues, which waits for the other's queue, while that is in use.
TEST_F(LevelZeroDriver, serves_several_threads) {
    const Plan plan(device_, parse_problem("64"));
    std::vector<std::string> said(3);
    std::vector<std::thread> threads;
    for (std::string& one : said)
        threads.emplace_back([&] {
            try {
                for (int turn = 0; turn < 20; ++turn) {
                    Queue queue = device_.create_queue();
                    std::vector<char> host(512);
                    Execution execution;
                    execution.input = device_.allocate(512);
                    execution.output = device_.allocate(512);
                    queue.upload(execution.input, host.data(), host.size());
                    plan.execute(queue, execution);
                    queue.record();
                    queue.download(host.data(), execution.output, host.size());
                    plan.execute(queue, execution);
                }
            } catch (const Error& error) {
                one = error.what();
            }
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& one : said) EXPECT_EQ(one, "");
}

/// A function of the loader that the backend does not use itself.
template <class Function>
Function* loader(const char* name) {
    return reinterpret_cast<Function*>(dlsym(dlopen(native::api().path.c_str(), RTLD_NOW), name));
}

/// What zeKernelGetProperties says of a kernel, ze_kernel_properties_t.
struct KernelProperties {
    native::Uint stype = 0x1e;
    void* pNext = nullptr;
    native::Uint arguments = 0, group[3] = {}, required_subgroups = 0, required_subgroup_size = 0, subgroup_size = 0,
                 most_subgroups = 0, shared_bytes = 0, private_bytes = 0, spilled_bytes = 0;
    native::Uuid uuid[2];
};

/// What Intel's compiler made of each kernel of a plan.
std::vector<std::string> compiled(const Device& device, const char* text) {
    using Ask = native::Result(native::KernelHandle, KernelProperties*);
    auto* const ask = loader<Ask>("zeKernelGetProperties");
    const Problem problem = parse_problem(text);
    const Direction direction = problem.kind == Kind::c2r ? Direction::inverse : Direction::forward;
    std::vector<std::string> said;
    for (const exec::GeneratedKernel& kernel :
         exec::sources(problem::normalise(problem), device.limits(), {direction, {}}, device.impl()->target())) {
        const auto module = std::dynamic_pointer_cast<native::LevelZeroModule>(device.impl()->build(kernel.source));
        const native::KernelHandle handle = module->take();
        KernelProperties properties;
        EXPECT_EQ(ask(handle, &properties), native::success);
        module->put_back(handle);
        said.push_back(std::to_string(properties.subgroup_size) + " lanes, " +
                       std::to_string(properties.spilled_bytes) + " bytes spilled");
    }
    return said;
}

// That the limits are true: more registers than a lane has would be spilled, or lanes would be fewer.
TEST_F(LevelZeroDriver, gives_kernels_the_lanes_and_registers_that_they_were_planned_for) {
    for (const char* problem : {"64 batch=1000", "256 batch=1000", "1000 batch=1000", "4096 batch=100", "65536 batch=9",
                                "37 batch=1000", "1009 batch=100", "2053", "4096 r2c batch=100", "1000 c2r", "100x100",
                                "1000 dct2", "255 dst1", "512 f16 batch=100", "64 planar bf16"})
        for (const std::string& kernel : compiled(device_, problem))
            EXPECT_EQ(kernel, "16 lanes, 0 bytes spilled") << problem;
}

/// A convolution of the device's own, with its spectrum prepared.
struct Convolved {
    explicit Convolved(const Device& device) {
        Convolution convolution;
        convolution.signal = {64};
        convolution.kernel = {3};
        convolution.complex = true;
        plan = ConvolutionPlan(device, convolution);
        ConvolutionPreparation preparation;
        preparation.kernels = device.allocate(64);
        execution.spectrum = preparation.spectrum = device.allocate(plan.spectrum_bytes());
        if (plan.preparation_bytes() != 0) preparation.workspace = device.allocate(plan.preparation_bytes());
        Queue queue = device.create_queue();
        plan.prepare(queue, preparation);
        queue.wait();
        execution.input = device.allocate(1024);
        execution.output = device.allocate(1024);
        if (plan.workspace_bytes() != 0) execution.workspace = device.allocate(plan.workspace_bytes());
    }
    ConvolutionPlan plan;
    ConvolutionExecution execution;
};

struct ListDesc {
    native::Uint stype = 0xf;
    const void* pNext = nullptr;
    native::Uint ordinal = 0, flags = 0;
};

TEST_F(LevelZeroDriver, records_into_a_command_list_of_the_callers) {
    const native::Api& api = native::api();
    native::Uint count = 1;
    native::Driver driver = nullptr;
    ASSERT_EQ(api.zeDriverGet(&count, &driver), native::success);
    native::DeviceHandle handle = nullptr;
    ASSERT_EQ(api.zeDeviceGet(driver, &(count = 1), &handle), native::success);
    const native::ContextDesc description;
    native::Context context = nullptr;
    ASSERT_EQ(api.zeContextCreate(driver, &description, &context), native::success);
    const ListDesc list_description;
    native::CommandList list = nullptr;
    using Create = native::Result(native::Context, native::DeviceHandle, const ListDesc*, native::CommandList*);
    using Close = native::Result(native::CommandList);
    ASSERT_EQ(loader<Create>("zeCommandListCreate")(context, handle, &list_description, &list), native::success);
    {
        const Device own = level_zero::device({driver, context, handle});
        EXPECT_EQ(own.info().name, "level_zero:0");
        const Buffer memory = own.allocate(1 << 16);
        const Buffer view = level_zero::buffer(own, level_zero::address(memory), 1 << 16);
        int word = 0;
        EXPECT_THROW(level_zero::buffer(own, &word, sizeof word), InvalidProblem);
        const Plan plan(own, parse_problem("256 batch=4"));
        Execution execution;
        execution.input = view;
        execution.output = {view, 1 << 15};
        level_zero::record(plan, execution, list);
        level_zero::record(plan, execution, list);
        const Convolved convolved(own);
        level_zero::record(convolved.plan, convolved.execution, list);
        EXPECT_THROW(level_zero::record(convolved.plan, convolved.execution, nullptr), InvalidProblem);
        EXPECT_EQ(loader<Close>("zeCommandListClose")(list), native::success);
    }
    EXPECT_EQ(api.zeCommandListDestroy(list), native::success);
    EXPECT_EQ(api.zeContextDestroy(context), native::success);
}

}  // namespace
}  // namespace seiche::test
