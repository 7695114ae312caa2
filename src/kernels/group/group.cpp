#include "kernels/group/group.hpp"

#include <algorithm>

#include "kernels/generators.hpp"
#include "kernels/group/core_run.hpp"
#include "kernels/group/ways.hpp"

namespace seiche::kernels {

namespace {

/// Where groups are to fill a multiprocessor with threads, each has 32 registers: there stages recompute indices,
/// where the compiler would spill what folded ones share. So it would of mirrored columns, which have two indices
/// each, in clusters and in the largest groups (measured: docs/lab, LAB-0010).
bool leaves_registers(const KernelSpec& spec, const GroupShape& shape) {
    constexpr std::uint32_t threads_of_unit = 2048, largest_group = 1024;
    const std::uint32_t threads = shape.threads * shape.sequences;
    const auto meet = [](const KernelSpec& one) { return std::get<GroupShape>(one.shape).has_mirrors_in_group(); };
    const bool have_two = meet(spec) || (!spec.on_chip.next.empty() && meet(spec.on_chip.next.front()));
    if (have_two && (shape.groups_per_cluster > 1 || threads >= largest_group)) return false;
    return !shape.rematerialises_indices && shape.min_groups_per_unit * threads < threads_of_unit;
}

/// Columns of doubles of a prime whose threads have a large radix: with rows' addresses in registers they spill
/// (measured: docs/lab, LAB-0010).
bool fills_registers(const KernelSpec& spec, const GroupShape& shape) {
    constexpr std::uint32_t large = 23;
    return spec.convolution.prime != 0 && spec.precision == Precision::f64 &&
           shape.load_order == ThreadOrder::sequence_fastest &&
           std::any_of(spec.radices.begin(), spec.radices.end(), [](std::uint32_t r) { return r >= large; });
}

/// Tells the launch what the pass asks for: the threads of its groups.
std::uint32_t ask_for_launch(Frame& frame, const KernelSpec& spec, const GroupShape& shape) {
    ir::LaunchAttributes& launch = frame.builder.kernel().launch;
    std::uint32_t threads = launch.group[0];
    if (!spec.is_second()) {
        threads = threads_of_group(spec);
        if (leaves_registers(spec, shape))
            frame.builder.bound_threads(threads);
        else
            launch.group = {threads, 1, 1};
    }
    if (fills_registers(spec, shape)) frame.builder.keep_products();
    launch.cluster = {shape.groups_per_cluster, 1, 1};
    launch.min_groups_per_unit = shape.min_groups_per_unit;
    return threads;
}

/// Runs that are parts of a cache's lines, whose rest other groups load at the same time (measured: docs/lab,
/// LAB-0010).
bool loads_parts_of_lines(const KernelSpec& spec, const GroupShape& shape) {
    constexpr std::uint32_t line = 128;
    const Loop& fastest = spec.loops.front();
    return shape.load_order == ThreadOrder::sequence_fastest && spec.in.has_own_points() && fastest.input_stride == 1 &&
           fastest.count > shape.sequences && shape.sequences * access_bytes(spec, true) < line;
}

}  // namespace

GroupKernel::GroupKernel(const KernelSpec& spec, Frame frame)
    : frame_(std::move(frame)),
      sequences_(frame_, spec),
      threads_(frame_, spec, sequences_, ask_for_launch(frame_, spec, std::get<GroupShape>(spec.shape))),
      passage_(frame_, spec, threads_),
      layout_(frame_, spec, threads_),
      exchange_(frame_, spec, threads_, layout_),
      pass_{frame_, spec, std::get<GroupShape>(spec.shape), sequences_, threads_, passage_, layout_, exchange_} {}

ir::Kernel GroupKernel::build() {
    choose_exchange();
    if (!pass_.spec.convolution.channels.is_single()) {
        run_channels(pass_);
        return frame_.builder.finish();
    }
    run_once();
    if (loads_parts_of_lines(pass_.spec, pass_.shape)) hint_loads(ir::CacheHint::line);
    return frame_.builder.finish();
}

void GroupKernel::choose_exchange() {
    if (!layout_.exchanges()) return;
    layout_.choose();
    exchange_.declare(layout_.extent());
}

void GroupKernel::hint_loads(ir::CacheHint hint) {
    for (ir::Instruction& i : frame_.builder.kernel().code)
        if (i.op == ir::Op::global_load &&
            (i.symbol == frame_.in || (pass_.spec.in.is_planar() && i.symbol == frame_.in_imag)))
            i.hint = hint;
}

void GroupKernel::load() { load_points(pass_, registers_); }
void GroupKernel::store() { store_points(pass_, registers_); }

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
