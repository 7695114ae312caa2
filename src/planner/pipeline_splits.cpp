#include "planner/pipeline_splits.hpp"
#include "planner/device_model.hpp"

#include <bit>

#include "planner/pipeline.hpp"
#include "planner/policy/plan.hpp"
#include "planner/shape.hpp"
#include "planner/shape_parts.hpp"

namespace seiche::planner {

bool is_cut_by_cost(const AxisQuestion& q) {
    const bool is_known = q.precision == Precision::f32 || q.precision == Precision::f64;
    return is_known && q.problem.is_alone && !q.is_strided && !q.problem.is_16_bit && !std::has_single_bit(q.n) &&
           q.limits->bounds_registers && leaves_pipelining_open(*q.tuning) &&
           can_pay_to_pipeline(q.n * 2 * real_bytes(q.precision), q.sequences, *q.limits);
}

std::vector<Split> splits_of_two(const AxisQuestion& q) {
    constexpr std::uint64_t most_apart = 16;
    const std::uint64_t longest = longest_split_pass(*q.limits, q.precision);
    std::vector<Split> splits;
    for (std::uint64_t first = 2; first <= longest; ++first) {
        const std::uint64_t second = q.n / first;
        if (q.n % first != 0 || second > longest || first > most_apart * second || second > most_apart * first)
            continue;
        if (has_butterflies(q, first) && has_butterflies(q, second)) splits.emplace_back(first, second);
    }
    return splits;
}

std::optional<kernels::KernelSpec> pipelined_launch(const AxisQuestion& q, Kind kind, std::uint64_t length,
                                                    const Split& split) {
    Problem problem;
    problem.lengths = {length};
    problem.kind = kind;
    problem.batch = q.sequences;
    problem.precision = q.precision;
    LowerOptions options;
    options.direction = kind == Kind::c2r ? Direction::inverse : Direction::forward;
    options.tuning.passes = {split.first, split.second};
    options.tuning.trailing_passes = true;
    const problem::Canonical canonical = problem::normalise(problem);
    constexpr std::size_t counters_and_both = 2;
    const auto planned = try_plan(design(canonical, *q.limits, options.tuning), canonical, *q.limits, options);
    if (!planned) return std::nullopt;  // no groups of as many threads
    const std::vector<Step>& steps = planned->schedule.steps;
    const bool is_one = steps.size() == counters_and_both && !steps.back().spec.pipeline.next.empty();
    return is_one ? std::optional(steps.back().spec) : std::nullopt;
}

}  // namespace seiche::planner
