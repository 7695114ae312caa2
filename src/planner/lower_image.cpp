// Outputs that are images. No pass may rest in one, since what is loaded must be another image than what is stored; and
// where a texel is two complex numbers, one thread must have both, so that a pass of its own makes texels of a
// workspace that lies as the image does.
#include <algorithm>

#include "planner/lowering.hpp"

namespace seiche::planner {

/// Where data rest between the axes, if not in the output.
Lowering::Place Lowering::before_output() {
    const bool is_workspace = present_.role == Role::workspace_a || present_.role == Role::workspace_b;
    if (is_workspace && present_.view == workspace_view(problem_, 0, 0)) return present_;
    return workspace(other_workspace(), 0, 0);
}

/// Where the last pass leaves the results.
Lowering::Place Lowering::end() {
    if (problem_.output_image.per_texel() == 1) return {Role::output, output_};
    const Role role = other_workspace();
    std::uint64_t& elements =
        role == Role::workspace_a ? schedule_.workspace_a_elements : schedule_.workspace_b_elements;
    // Of so many arrays no more than as many times one of them, even where they lie between each other.
    elements = std::max({elements, problem_.output_elements(1), static_cast<std::uint64_t>(output_.batch)});
    return {role, output_};
}

void Lowering::add_texels() {
    const auto& stage = problem_.stages_of(options_.direction).store;
    const bool has_result = !stage || stage->result != expression::no_node;
    if (problem_.output_image.per_texel() == 1 || !has_result) return;
    Step step;
    step.source = schedule_.steps.back().target;
    KernelSpec& spec = step.spec;
    spec.precision = problem_.precision;
    if (problem_.output_image.format == ImageFormat::rgba16f) spec.out.storage = Storage::f16;
    spec.radices = {1};
    std::uint64_t pair = 1;  // elements along what has stride 1
    const auto add = [&](std::uint64_t count, std::int64_t stride) {
        if (stride == 1)
            pair = count;
        else if (count > 1)
            spec.loops.push_back({count, stride, stride / 2});
    };
    for (const problem::Axis& axis : problem_.axes) add(axis.output_count(), axis.output_stride);
    for (const problem::Loop& loop : problem_.loops) add(loop.count, loop.output_stride);
    sort_by_stride(spec.loops);
    spec.work = kernels::TexelPass{pair};
    spec.loops.insert(spec.loops.begin(), {(pair + 1) / 2, 2, 1});
    spec.loops.push_back({problem_.batch.count, output_.batch, output_.batch / 2});
    schedule_.steps.push_back(step);
}

}  // namespace seiche::planner
