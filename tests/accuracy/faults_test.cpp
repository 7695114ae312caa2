// A broken build must be told from a working one: kernels are damaged after generation, and the checker must see it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "exec/executable.hpp"
#include "exec/tables.hpp"
#include "ir/analyse.hpp"
#include "ir/optimise.hpp"
#include "kernels/contract/generate.hpp"
#include "seiche/error.hpp"
#include "tests/accuracy/checker.hpp"

namespace seiche::accuracy {
namespace {

using Mutation = void (*)(ir::Kernel&);

void none(ir::Kernel&) {}

/// The first sum of numbers that can be one becomes a difference.
void wrong_sign(ir::Kernel& kernel) {
    for (ir::Instruction& i : kernel.code)
        if (i.type.is_float() && (i.op == ir::Op::sub || i.op == ir::Op::add)) {
            i.op = i.op == ir::Op::sub ? ir::Op::add : ir::Op::sub;
            return;
        }
}

/// A factor of a butterfly is off in its fifth digit: tests that allow 1e-3 do not see that.
void wrong_twiddle(ir::Kernel& kernel) {
    for (ir::Instruction& i : kernel.code) {
        if (i.op != ir::Op::constant || !i.type.is_float()) continue;
        double value = 0;
        std::memcpy(&value, &i.immediate, sizeof value);
        if (std::fabs(value) < 0.1 || std::fabs(value) > 0.99) continue;
        value *= 1 + 2e-5;
        std::memcpy(&i.immediate, &value, sizeof value);
        return;
    }
}

void missing_barriers(ir::Kernel& kernel) {
    // A barrier becomes a constant that nobody uses: the numbers of the other values stay.
    for (ir::Instruction& i : kernel.code)
        if (i.op == ir::Op::group_barrier) i = ir::Instruction{ir::Op::constant, ir::Scalar::u32};
}

Plan damaged_plan(const Device& device, const std::string& text, Mutation mutation) {
    exec::BuildRequest request;
    request.device = device;
    request.problem = parse_problem(text);
    request.canonical = problem::normalise(request.problem);
    request.mutate = mutation;
    return Plan(exec::Executable::build(request));
}

/// A device that has its kernels made for a GPU, whatever it is.
class GpuShaped final : public runtime::Device {
public:
    explicit GpuShaped(std::shared_ptr<runtime::Device> inner) : inner_(std::move(inner)), info_(inner_->info()) {
        info_.limits = DeviceLimits{};
        info_.limits.max_group_size = 256;
        info_.limits.shared_bytes = 32 * 1024;
    }
    const DeviceInfo& info() const override { return info_; }
    emit::Target target() const override { return inner_->target(); }
    std::string compiler_version() const override { return inner_->compiler_version(); }
    runtime::Binary compile(const emit::Source& source) override { return inner_->compile(source); }
    std::shared_ptr<runtime::Module> load(const emit::Source& source, const runtime::Binary& binary) override {
        return inner_->load(source, binary);
    }
    bool keeps_binaries() const override { return inner_->keeps_binaries(); }
    std::shared_ptr<runtime::Buffer> allocate(std::uint64_t bytes) override { return inner_->allocate(bytes); }
    std::shared_ptr<runtime::Queue> create_queue() override { return inner_->create_queue(); }

private:
    std::shared_ptr<runtime::Device> inner_;
    DeviceInfo info_;
};

TEST(Faults, TheUndamagedKernelsPass) {
    for (const char* text : {"64 batch=16", "1000 batch=4 f64", "19 batch=16"}) {
        const Outcome outcome = check(damaged_plan(Device::open("reference"), text, none));
        EXPECT_TRUE(outcome.passed()) << text << ": " << outcome.text();
    }
}

TEST(Faults, AWrongSignIsSeen) {
    for (const char* text : {"64 batch=16", "1000 batch=4 f64", "19 batch=16"})
        EXPECT_FALSE(check(damaged_plan(Device::open("reference"), text, wrong_sign)).passed()) << text;
}

TEST(Faults, AWrongTwiddleIsSeen) {
    for (const char* text : {"64 batch=16", "1000 batch=4 f64", "19 batch=16"})
        EXPECT_FALSE(check(damaged_plan(Device::open("reference"), text, wrong_twiddle)).passed()) << text;
}

/// The interpreter runs a group in lockstep, so it needs the analyser to miss a barrier.
TEST(Faults, AMissingBarrierIsARace) {
    const problem::Canonical canonical = problem::normalise(parse_problem("1024"));
    const DeviceLimits limits;
    const planner::Schedule schedule =
        planner::plan(planner::design(canonical, limits, {}), canonical, limits, planner::LowerOptions{}).schedule;
    ASSERT_EQ(schedule.steps.size(), 1u);
    const kernels::KernelSpec& spec = schedule.steps[0].spec;
    std::vector<std::byte> table = exec::table_bytes(kernels::tables(spec), Precision::f32);
    std::vector<std::byte> input(1024 * 8), output(1024 * 8);
    ir::Launch launch;
    launch.groups = {static_cast<std::uint32_t>(kernels::groups(spec, 1)), 1, 1};
    launch.buffers = {{input.data(), input.size()}, {output.data(), output.size()}};
    if (!table.empty()) launch.buffers.push_back({table.data(), table.size()});
    launch.scalars = {1};
    ir::Kernel kernel = ir::optimise(kernels::generate(spec));
    EXPECT_EQ(ir::analyse(kernel, launch).shared_races, 0u);
    missing_barriers(kernel);
    EXPECT_GT(ir::analyse(kernel, launch).shared_races, 0u);
}

/// PoCL runs the threads of a group one after the other between barriers.
TEST(Faults, AMissingBarrierIsSeenOnAnOpenclCpu) {
    Device cpu;
    try {
        cpu = Device::open("opencl");
    } catch (const Unsupported& error) {
        GTEST_SKIP() << error.what();
    }
    if (cpu.info().is_gpu) GTEST_SKIP() << "a GPU may get a race right";
    const Device device(std::make_shared<GpuShaped>(cpu.impl()));
    const Outcome whole = check(damaged_plan(device, "256 batch=4", none));
    EXPECT_TRUE(whole.passed()) << whole.text();
    // Other data than before: what the run above left in local memory must not be the right answer.
    CheckOptions other;
    other.seed = 2;
    EXPECT_FALSE(check(damaged_plan(device, "256 batch=4", missing_barriers), other).passed());
}

}  // namespace
}  // namespace seiche::accuracy
