// Lowering of register-resident rows: all axes are one kernel, straight from the input to the output.
#include "planner/lower/lowering.hpp"

namespace seiche::planner {

void add_register_rows(Lowering& l, const Recipe& recipe) {
    const Place source = l.places.present, target{Role::output, l.arrays.output};
    Step step = l.passes.step_between(source, target);
    KernelSpec& spec = step.spec;
    spec.radices = {1};
    spec.in.format = spec.out.format = kernels::Format::real;
    kernels::RegisterRows rows;
    for (const AxisRecipe& axis : recipe.axes)
        rows.axes.at(rows.count++) = {l.arrays.real_map(axis), source.view.axes[axis.axis],
                                      target.view.axes[axis.axis]};
    spec.work = rows;
    spec.loops = l.passes.problem_loops(source.view, target.view);
    spec.loops.push_back(l.passes.batch_loop(source.view, target.view));
    spec.in_place = l.arrays.is_same_memory(source, target);
    l.passes.push(step, {{l.arrays.problem.axes.size()}, source.view, target.view});
    l.places.present = target;
}

}  // namespace seiche::planner
