// Lowering of a block of real numbers: all axes are one kernel, straight from the input to the output.
#include "planner/lowering.hpp"

namespace seiche::planner {

void Lowering::add_block(const Recipe& recipe) {
    const Place source = present_, target{Role::output, output_};
    Step step;
    step.source = source.role;
    step.target = target.role;
    KernelSpec& spec = step.spec;
    spec.precision = problem_.precision;
    spec.in.storage = storage_of(source.role);
    spec.out.storage = storage_of(target.role);
    spec.radices = {1};
    spec.in.format = spec.out.format = kernels::Format::real;
    kernels::RegisterRows rows;
    for (const AxisRecipe& axis : recipe.axes)
        rows.axes.at(rows.count++) = {real_map(axis), source.view.axes[axis.axis], target.view.axes[axis.axis]};
    spec.work = rows;
    spec.in.offset = offset(source, true);
    spec.out.offset = offset(target, false);
    for (std::size_t i = 0; i < problem_.loops.size(); ++i)
        spec.loops.push_back({problem_.loops[i].count, source.view.loops[i], target.view.loops[i]});
    sort_by_stride(spec.loops);
    if (!has_stages()) merge(spec.loops);  // stages take logical indices from them
    spec.loops.push_back({problem_.batch.count, source.view.batch, target.view.batch});
    spec.in_place = is_same_memory(source, target);
    schedule_.steps.push_back(step);
    octaves_.resize(schedule_.steps.size(), 0.0);  // nothing is stored on the way
    records_.push_back({{problem_.axes.size(), nullptr, 1, 1}, source.view, target.view, {}});
    present_ = target;
}

}  // namespace seiche::planner
