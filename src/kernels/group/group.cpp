#include "kernels/group/group.hpp"

#include <algorithm>

#include "kernels/generators.hpp"
#include "kernels/group/core_run.hpp"
#include "kernels/group/overlap_add.hpp"
#include "kernels/group/ways.hpp"

namespace seiche::kernels {

namespace {

/// Tells the launch what the pass asks for: the threads of its groups.
std::uint32_t ask_for_launch(Frame& frame, const KernelSpec& spec, const GroupShape& shape) {
    ir::LaunchAttributes& launch = frame.builder.kernel().launch;
    std::uint32_t threads = launch.group[0];
    if (!spec.is_second()) {
        threads = threads_of_group(spec);
        if (shape.registers.rematerialises_indices)
            launch.group = {threads, 1, 1};
        else
            frame.builder.bound_threads(threads);
    }
    if (shape.registers.keeps_products) frame.builder.keep_products();
    launch.cluster = {shape.groups_per_cluster, 1, 1};
    launch.min_groups_per_unit = shape.min_groups_per_unit;
    return threads;
}

}  // namespace

GroupKernel::GroupKernel(const KernelSpec& spec, Frame frame)
    : frame_(std::move(frame)),
      sequences_(frame_, spec),
      threads_(frame_, spec, sequences_, ask_for_launch(frame_, spec, std::get<GroupShape>(spec.shape))),
      passage_(frame_, spec, threads_),
      layout_(spec, threads_),
      exchange_(frame_, spec, threads_, layout_),
      pass_{frame_, spec, std::get<GroupShape>(spec.shape), sequences_, threads_, passage_, layout_, exchange_} {}

ir::Kernel GroupKernel::build() {
    exchange_.declare();
    if (!pass_.spec.convolution.channels.is_single()) {
        run_channels(pass_);
        return frame_.builder.finish();
    }
    run_once();
    hint_loads();
    return frame_.builder.finish();
}

void GroupKernel::hint_loads(std::size_t begin) {
    const MemorySide& in = pass_.spec.in;
    if (in.hint == ir::CacheHint::normal) return;
    std::vector<ir::Instruction>& code = frame_.builder.kernel().code;
    for (std::size_t i = begin; i < code.size(); ++i)
        if (code[i].op == ir::Op::global_load &&
            (code[i].symbol == frame_.in || (in.is_planar() && code[i].symbol == frame_.in_imag)))
            code[i].hint = in.hint;
}

void GroupKernel::hint_stores(std::size_t begin) {
    std::vector<ir::Instruction>& code = frame_.builder.kernel().code;
    for (std::size_t i = begin; i < code.size(); ++i)
        if (code[i].op == ir::Op::global_store) code[i].hint = pass_.spec.out.hint;
}

void GroupKernel::load() { load_points(pass_, registers_); }
void GroupKernel::store() {
    const bool has_frames = pass_.spec.overlap_add() != nullptr;
    if (has_frames && frames_replace_points(pass_.spec)) exchange_.wait();
    store_points(pass_, registers_);
    if (has_frames) store_overlapped(pass_);
}

void GroupKernel::run_once() {
    load();
    run();
    store();
}

void GroupKernel::run() {
    const std::size_t count = threads_.stages().size();
    if (pass_.shape.pairs_in_turn() != 0) return run_in_places(pass_, registers_);
    if (splits_parity(pass_.spec)) return run_parity(pass_, registers_);
    CoreRun core(pass_, registers_);
    if (!pass_.shape.has_core_loop()) return core.run(0, count);
    const std::size_t first = threads_.first().redistributes ? 1 : 0;
    core.run(0, first);
    if (first != 0) core.exchange_points(0, first);
    core.run_loop(first);
    if (threads_.last().redistributes) core.exchange_points(count - 2, count - 1);
}

ir::Kernel generate_group(const KernelSpec& spec) {
    if (!spec.pipeline.next.empty()) return build_pipelined(spec);
    if (!spec.on_chip.next.empty()) return build_fused(spec);
    return GroupKernel(spec).build();
}

}  // namespace seiche::kernels
