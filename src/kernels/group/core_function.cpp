// The GPU core alone, for a user's own kernel: from a thread's registers to its registers, through shared memory.
#include <algorithm>
#include <utility>

#include "ir/optimise.hpp"
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

}  // namespace

std::uint32_t CoreSide::registers() const { return slots * (points / butterflies); }

/// Register m is leg m / slots of the butterfly in slot m % slots, so that the points of all threads' registers m lie
/// side by side.
void GroupKernel::move_registers(std::uint32_t array, const StageDeal& stage, const Move& move) {
    if (move.load) points_.resize(std::size_t{stage.slots} * stage.radix);
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        for (std::uint32_t j = 0; j < stage.radix; ++j) {
            Complex& point = points_[u * stage.radix + j];
            const ir::Value at = frame_.u32(u + j * stage.slots);
            if (move.load) {
                const ir::Value x = frame_.builder.private_load(array, at, frame_.complex);
                point = {frame_.builder.extract(x, 0), frame_.builder.extract(x, 1)};
                if (move.swap) point = swap(point);
            } else {
                const Complex y = move.swap ? swap(point) : point;
                frame_.builder.private_store(array, at, frame_.builder.compose({y.re, y.im}));
            }
        }
    }
}

CoreSide GroupKernel::side(const StageDeal& stage) const {
    return {spec_.n, shape_.threads, stage.slots, stage.butterflies};
}

Core GroupKernel::build_core(Direction direction) {
    choose_exchange();
    exchanged_ = true;  // so that the first exchange too waits for those who may still read what it overwrites
    Core core{side(stages_.front()), side(stages_.back()), {}};
    const std::uint32_t registers = std::max(core.before.registers(), core.after.registers());
    const std::uint32_t x = frame_.builder.private_array("x", frame_.complex, registers);
    move_registers(x, stages_.front(), {true, direction == Direction::inverse});
    for (std::size_t i = 0; i < stages_.size(); ++i) {
        if (i > 0) exchange(i - 1, i);
        compute(i);
    }
    move_registers(x, stages_.back(), {false, direction == Direction::inverse});
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
