// Recording into the caller's command buffer allocates nothing: no memory of the host's, counted at the operators, and
// no object of Vulkan's. What a driver allocates in its functions is its own.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "allocation_plans.hpp"
#include "allocations.hpp"
#include "vulkan_program.hpp"

namespace seiche::test {
namespace {

unsigned commands = 0, others = 0;  // functions that the library has called: those that record, and all else

template <bool records, auto function>
struct OfDriver;
template <bool records, class Result, class... Arguments, Result(VKAPI_PTR* function)(Arguments...)>
struct OfDriver<records, function> {
    static VKAPI_ATTR Result VKAPI_CALL call(Arguments... arguments) {
        ++(records ? commands : others);
        const Counting uncounted(false);
        return function(arguments...);
    }
};

PFN_vkCmdPushDescriptorSetKHR push_descriptor_set = nullptr;  // the driver's

VKAPI_ATTR void VKAPI_CALL pushed(VkCommandBuffer buffer, VkPipelineBindPoint point, VkPipelineLayout layout,
                                  std::uint32_t set, std::uint32_t count, const VkWriteDescriptorSet* writes) {
    push_descriptor_set(buffer, point, layout, set, count, writes);
}

using Named = std::pair<const std::string, PFN_vkVoidFunction>;

template <auto function>
Named recording(const char* name) {
    return {name, reinterpret_cast<PFN_vkVoidFunction>(&OfDriver<true, function>::call)};
}
template <auto function>
Named making(const char* name) {
    return {name, reinterpret_cast<PFN_vkVoidFunction>(&OfDriver<false, function>::call)};
}

#define RECORDING(name) recording<&name>(#name)
#define MAKING(name) making<&name>(#name)

/// All that the library has for a command buffer, and what it makes, fills and submits.
const std::map<std::string, PFN_vkVoidFunction>& noticed_functions() {
    static const std::map<std::string, PFN_vkVoidFunction> all{RECORDING(vkCmdBindPipeline),
                                                               RECORDING(vkCmdBindDescriptorSets),
                                                               RECORDING(vkCmdPushConstants),
                                                               RECORDING(vkCmdDispatch),
                                                               RECORDING(vkCmdDispatchBase),
                                                               RECORDING(vkCmdPipelineBarrier),
                                                               RECORDING(vkCmdCopyBuffer),
                                                               recording<&pushed>("vkCmdPushDescriptorSetKHR"),
                                                               MAKING(vkAllocateMemory),
                                                               MAKING(vkCreateBuffer),
                                                               MAKING(vkMapMemory),
                                                               MAKING(vkCreateDescriptorPool),
                                                               MAKING(vkResetDescriptorPool),
                                                               MAKING(vkAllocateDescriptorSets),
                                                               MAKING(vkUpdateDescriptorSets),
                                                               MAKING(vkCreateShaderModule),
                                                               MAKING(vkCreateComputePipelines),
                                                               MAKING(vkAllocateCommandBuffers),
                                                               MAKING(vkBeginCommandBuffer),
                                                               MAKING(vkEndCommandBuffer),
                                                               MAKING(vkQueueSubmit),
                                                               MAKING(vkQueueWaitIdle)};
    return all;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL find_of_device(VkDevice device, const char* name) {
    const PFN_vkVoidFunction found = vkGetDeviceProcAddr(device, name);
    if (found != nullptr && std::string(name) == "vkCmdPushDescriptorSetKHR")
        push_descriptor_set = reinterpret_cast<PFN_vkCmdPushDescriptorSetKHR>(found);
    const auto noticed = noticed_functions().find(name);
    return found == nullptr || noticed == noticed_functions().end() ? found : noticed->second;
}

PFN_vkVoidFunction find(VkInstance instance, const char* name) {
    if (std::string(name) == "vkGetDeviceProcAddr") return reinterpret_cast<PFN_vkVoidFunction>(&find_of_device);
    const auto noticed = noticed_functions().find(name);
    return noticed == noticed_functions().end() ? vkGetInstanceProcAddr(instance, name) : noticed->second;
}

class Recording : public testing::TestWithParam<Made> {
protected:
    void SetUp() override {
        if (!program_.open(GetParam(), false)) GTEST_SKIP() << "no Vulkan device";
        vulkan::NativeDevice native = program_.native();
        native.get_instance_proc_addr = reinterpret_cast<void*>(&find);
        device_ = vulkan::device(native);
    }
    void TearDown() override { device_ = {}; }

    /// Twice in one command buffer, which is then run.
    template <class SomePlan, class SomeExecution>
    void expect_none(const SomePlan& plan, const SomeExecution& execution, std::size_t kernels) {
        std::optional<vulkan::Bindings> bindings;
        others = 0;
        EXPECT_GT(allocations_of([&] { bindings.emplace(plan, execution); }), 0u) << "nothing is counted";
        EXPECT_TRUE(others != 0 || GetParam() != Made::plain) << "sets are made with the bindings";
        program_.run([&] {
            for (int round = 0; round < 2; ++round) {
                commands = others = 0;
                EXPECT_EQ(allocations_of([&] { bindings->record(program_.commands); }), 0u);
                EXPECT_EQ(others, 0u);
                // For each kernel a barrier, a pipeline, descriptors, constants and a dispatch; at last a barrier.
                EXPECT_EQ(commands, 5 * kernels + 1);
            }
        });
    }

    Program program_;
    Device device_;
};

TEST_P(Recording, allocates_nothing) {
    for (const NamedPlan& one : plans_on(device_, true)) {
        SCOPED_TRACE(one.name);
        expect_none(one.plan, one.execution, one.plan.report().kernels.size());
    }
}

// Where no descriptor may begin another pipeline may be needed: it is made with the bindings.
TEST_P(Recording, at_an_offset_allocates_nothing) {
    const Plan plan(device_, parse_problem("1024 in-place"));
    Execution execution;
    execution.input = {device_.allocate(plan.input_bytes() + sizeof(Point)), sizeof(Point)};
    expect_none(plan, execution, plan.report().kernels.size() / 2);
}

TEST_P(Recording, of_a_convolution_allocates_nothing) {
    const ConvolutionPlan plan(device_, parse_convolution("64 * 3 batch=3"));
    const ConvolutionExecution execution = memory_for(plan, device_);
    expect_none(plan, execution, plan.report().kernels.size());
}

INSTANTIATE_TEST_SUITE_P(Devices, Recording, testing::Values(Made::plain, Made::with_extensions),
                         [](const auto& made) { return name_of(made.param); });

}  // namespace
}  // namespace seiche::test
