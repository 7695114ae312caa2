// The GPU core alone, for a user's own kernel: from a thread's registers to its registers, through shared memory.
#include <algorithm>
#include <utility>

#include "ir/optimise.hpp"
#include "kernels/group/core_run.hpp"
#include "kernels/group/group.hpp"
#include "seiche/error.hpp"

namespace seiche::kernels {

using ir::Complex;

namespace {

constexpr std::uint32_t memory_parameters = 2;  // in and out, which nothing touches

ir::Kernel without_memory(ir::Kernel kernel) {
    kernel = ir::optimise(std::move(kernel));
    for (ir::Instruction& i : kernel.code) {
        if (i.op == ir::Op::parameter || i.op == ir::Op::group_id || i.op == ir::Op::global_store)
            throw InternalError("core '" + kernel.name + "': expected nothing but registers, got " + ir::op_name(i.op));
        if (i.op == ir::Op::global_load) i.symbol -= memory_parameters;
    }
    kernel.buffers.erase(kernel.buffers.begin(), kernel.buffers.begin() + memory_parameters);
    kernel.scalars.clear();
    return kernel;
}

/// The register of a thread's point i. Register m is leg m / per_thread of the thread's butterfly m % per_thread, so
/// that the points of all threads' registers m lie side by side.
std::uint32_t register_of(const CoreStage& stage, std::uint32_t i) {
    return i / stage.radix + i % stage.radix * stage.per_thread;
}

/// A private array of points.
struct PointArray {
    std::uint32_t array = 0;
    bool has_swapped = false;  // real and imaginary component
};

void load_registers(Frame& frame, const PointArray& from, const CoreStage& stage, std::vector<Complex>& points) {
    points.resize(stage.points());
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const ir::Value at = frame.u32(register_of(stage, i)),
                        x = frame.builder.private_load(from.array, at, frame.complex);
        const Complex point{frame.builder.extract(x, 0), frame.builder.extract(x, 1)};
        points[i] = from.has_swapped ? swap(point) : point;
    }
}

void store_registers(Frame& frame, const PointArray& to, const CoreStage& stage, const std::vector<Complex>& points) {
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const ir::Value at = frame.u32(register_of(stage, i));
        const Complex y = to.has_swapped ? swap(points[i]) : points[i];
        frame.builder.private_store(to.array, at, frame.builder.compose({y.re, y.im}));
    }
}

}  // namespace

std::uint32_t CoreSide::registers() const { return per_thread * (points / butterflies); }

Core GroupKernel::build_core(Direction direction) {
    exchange_.declare();
    exchange_.mark_used();  // so that the first exchange too waits for those who may still read what it overwrites
    const auto side = [&](const CoreStage& stage) -> CoreSide {
        return {pass_.spec.n, pass_.shape.threads, stage.per_thread, stage.butterflies};
    };
    Core core{side(threads_.first()), side(threads_.last()), {}};
    const std::uint32_t registers = std::max(core.before.registers(), core.after.registers());
    const std::uint32_t x = frame_.builder.private_array("x", frame_.complex, registers);
    load_registers(frame_, {x, direction == Direction::inverse}, threads_.first(), registers_.points);
    CoreRun(pass_, registers_).run(0, threads_.stages().size());
    store_registers(frame_, {x, direction == Direction::inverse}, threads_.last(), registers_.points);
    core.kernel = without_memory(frame_.builder.finish());
    return core;
}

Core generate_core(const KernelSpec& spec, Direction direction) {
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    if (!shape || shape->sequences != 1 || shape->load_order != ThreadOrder::sequence_fastest ||
        shape->store_order != ThreadOrder::sequence_fastest || !spec.in.stages.empty() || !spec.out.stages.empty())
        throw InternalError("core '" + spec.name + "': expected one sequence in a group and no stages, got " +
                            to_string(spec));
    return GroupKernel(spec).build_core(direction);
}

}  // namespace seiche::kernels
