// Outputs that are images. No pass may rest in one, since what is loaded must be another image than what is stored; and
// where a texel is two complex numbers, one thread must have both, so that a pass of its own makes texels of a
// workspace that lies as the image does.
#include "planner/lower/lowering.hpp"
#include "support/layout.hpp"

namespace seiche::planner {

void add_texels(Lowering& l) {
    const problem::Canonical& problem = l.arrays.problem;
    const auto& stage = problem.stages_of(l.arrays.options.direction).store;
    const bool has_result = !stage || stage->result != expression::no_node;
    if (problem.output_image.per_texel() == 1 || !has_result) return;
    Step step;
    step.source = l.passes.steps.back().target;
    KernelSpec& spec = step.spec;
    spec.precision = problem.precision;
    if (problem.output_image.format == ImageFormat::rgba16f) spec.out.storage = Storage::f16;
    spec.radices = {1};
    std::uint64_t pair = 1;  // elements along what has stride 1
    const auto add = [&](std::uint64_t count, std::int64_t stride) {
        if (stride == 1)
            pair = count;
        else if (count > 1)
            spec.loops.push_back({count, stride, stride / 2});
    };
    for (const problem::Axis& axis : problem.axes) add(axis.output_count(), axis.output_stride);
    for (const problem::Loop& loop : problem.loops) add(loop.count, loop.output_stride);
    support::sort_by_stride(spec.loops);
    spec.work = kernels::TexelPass{pair};
    spec.loops.insert(spec.loops.begin(), {(pair + 1) / 2, 2, 1});
    spec.loops.push_back({problem.batch.count, l.arrays.output.batch, l.arrays.output.batch / 2});
    l.passes.push(step, {{problem.axes.size()}, l.arrays.output, l.arrays.output});
}

}  // namespace seiche::planner
