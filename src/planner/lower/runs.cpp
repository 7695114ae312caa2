// A workspace between two passes lies in runs. Where it lies as the results do, a group of the second pass loads as
// many neighbouring points as it has sequences, and these runs are far from each other. Here a group of the first pass
// stores all that it has in one stretch, the same result of its sequences side by side. Runs then are as long as what
// two groups have in common:
//
//     results k of the first pass       as the results do    q n + k
//     of sequence q, of n points        in runs of r         q / r (n r) + k r + q % r
#include <algorithm>

#include "planner/lower/lowering.hpp"
#include "planner/shape/shape.hpp"

namespace seiche::planner {

namespace {

bool is_plain_side(const kernels::MemorySide& side) {
    return side.has<kernels::Points>() && !side.is_converted() && !side.is_planar() && !side.is_real() &&
           side.kept.ranges.empty();
}

bool is_plain(const KernelSpec& spec) {
    const auto* shape = std::get_if<kernels::GroupShape>(&spec.shape);
    return spec.has_core() && spec.runs_once() && spec.is_alone_on_chip() && spec.pipeline.next.empty() && shape &&
           spec.loops.size() == 2 && spec.loops[0].gaps.empty();
}

/// The first pass's loop becomes two.
bool ignore_loops(const std::vector<kernels::Stage>& stages) {
    return std::all_of(stages.begin(), stages.end(), [](const kernels::Stage& stage) {
        return std::holds_alternative<kernels::SwapParts>(stage) || std::holds_alternative<kernels::Multiply>(stage);
    });
}

/// Result k of sequence q of the first pass is point q of sequence k of the second, in rows of results.
bool are_transposed(const KernelSpec& first, const KernelSpec& second) {
    const Loop &q = first.loops[0], &k = second.loops[0];
    return q.count == second.n && k.count == first.n && first.out.stride == 1 && q.output_stride == first.n &&
           second.in.stride == first.n && k.input_stride == 1;
}

std::uint32_t sequences_of(const KernelSpec& spec) { return std::get<kernels::GroupShape>(spec.shape).sequences; }

/// Columns keep their shape. Rows had one sequence a group, perhaps, or exchange their points in a way that leaves them
/// in order.
Refusal shape_first(const Arrays& arrays, KernelSpec& first, std::uint32_t sequences) {
    if (sequences_of(first) == sequences && first.in.stride != 1) {
        std::get<kernels::GroupShape>(first.shape).store_order = kernels::ThreadOrder::sequence_fastest;
        return std::nullopt;
    }
    Tuning tuning = arrays.options.tuning;
    tuning.transforms_per_group = sequences;
    return choose_shape(first, arrays.limits, tuning, kernels::sequences_per_batch(first) * arrays.problem.batch.count);
}

}  // namespace

bool may_lie_in_runs(const Schedule& schedule) {
    if (schedule.steps.size() != 2) return false;
    const KernelSpec &first = schedule.steps[0].spec, &second = schedule.steps[1].spec;
    const bool have_points = first.in.has<kernels::Points>() && second.out.has<kernels::Points>();
    return is_plain(first) && is_plain(second) && have_points && is_plain_side(first.out) && is_plain_side(second.in) &&
           first.in.kept.ranges.empty() && ignore_loops(first.in.stages) && ignore_loops(first.out.stages) &&
           are_transposed(first, second);
}

Refusal lay_in_runs(const Arrays& arrays, Schedule& schedule, std::uint32_t sequences) {
    Step &a = schedule.steps[0], &b = schedule.steps[1];
    KernelSpec &first = a.spec, &second = b.spec;
    const std::uint64_t points = std::uint64_t{first.n} * second.n;
    const Loop q = first.loops[0];
    a.target = b.source = Role::workspace_a;
    first.in_place = second.in_place = false;
    first.out.offset = second.in.offset = 0;
    first.out.stride = second.loops[0].input_stride = sequences;
    second.in.run = sequences;
    const Loop next{q.count / sequences, support::times(sequences, q.input_stride),
                    static_cast<std::int64_t>(std::uint64_t{first.n} * sequences)};
    first.loops[0] = {sequences, q.input_stride, 1};
    first.loops.insert(first.loops.begin() + 1, next);
    first.loops.back().output_stride = second.loops.back().input_stride = static_cast<std::int64_t>(points);
    schedule.workspace_a_elements = points;
    return shape_first(arrays, first, sequences);
}

}  // namespace seiche::planner
