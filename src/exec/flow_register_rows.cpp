// Blocks of real numbers: their axes one after the other, each as a kernel of its own would have it.
#include "exec/flow_writer.hpp"
#include "kernels/real/row_layout.hpp"

namespace seiche::exec {

using kernels::KernelSpec;

KernelSpec axis_of_rows(const KernelSpec& spec, std::size_t position) {
    const std::vector<std::size_t> order = kernels::row_axis_order(spec);
    const kernels::RowAxis& axis = spec.register_rows()[order[position]];
    const kernels::RealCore core = kernels::real_core(axis.map.kind, axis.map.length);
    const auto from = [&](const auto& one) { return position == 0 ? one.input_stride : one.output_stride; };
    KernelSpec own;
    own.name = spec.name;
    own.precision = spec.precision;
    own.in.storage = position == 0 ? spec.in.storage : spec.out.storage;
    own.out.storage = spec.out.storage;
    own.n = static_cast<std::uint32_t>(core.points);
    own.radices = {own.n};
    own.in.format = own.out.format = kernels::Format::real;
    own.in.elements = own.out.elements = kernels::MappedReals{axis.map};
    own.in.stride = from(axis);
    own.out.stride = axis.output_stride;
    own.in.offset = position == 0 ? spec.in.offset : spec.out.offset;
    own.out.offset = spec.out.offset;
    for (const kernels::RowAxis& other : spec.register_rows())
        if (&other != &axis) own.loops.push_back({other.map.length, from(other), other.output_stride});
    for (const kernels::Loop& loop : spec.loops) own.loops.push_back({loop.count, from(loop), loop.output_stride});
    if (core.is_inverse) own.in.stages = own.out.stages = {kernels::SwapParts{}};
    if (position == 0) own.in.stages.insert(own.in.stages.begin(), spec.in.stages.begin(), spec.in.stages.end());
    if (position + 1 == order.size())
        own.out.stages.insert(own.out.stages.end(), spec.out.stages.begin(), spec.out.stages.end());
    kernels::GroupShape shape;
    const auto& whole = std::get<kernels::GroupShape>(spec.shape);
    shape.sequences = static_cast<std::uint32_t>(kernels::rows_of_axis(spec, order[position]) * whole.sequences);
    own.shape = shape;
    return own;
}

/// All numbers go through shared memory between two axes, and where a side's rows are not those of memory.
void FlowWriter::write_register_rows(const KernelSpec& spec) {
    constexpr const char* text = "numbers are dealt to other threads, in memory's order";
    const std::uint64_t numbers = kernels::sequences_per_batch(spec) * kernels::numbers_of_rows(spec);
    Exchange all;
    all.level = MemoryLevel::shared;
    all.bytes_written = all.bytes_read =
        numbers * question_.problem.batch.count * stored_bytes(spec.precision, Storage::same);
    for (std::size_t i = 0; i < spec.register_rows().size(); ++i) {
        const KernelSpec axis = axis_of_rows(spec, i);
        const std::size_t first = flow_->steps.size();
        enter_real(axis);
        write_core(axis);
        leave_real(axis);
        for (std::size_t k = first; k < flow_->steps.size(); ++k) flow_->steps[k].before = {};
        if (i != 0 || !kernels::loads_rows(spec)) flow_->steps[first].before = all;
    }
    if (!kernels::stores_rows(spec)) add(FlowKind::deal, text).before = all;
}

}  // namespace seiche::exec
