#include "planner/policy/pipeline_splits.hpp"
#include "planner/device_model.hpp"
#include "planner/measured/rules.hpp"
#include "planner/model/pipelining.hpp"
#include "planner/policy/butterflies.hpp"

#include <bit>

#include "planner/fuse/pipeline.hpp"
#include "planner/policy/plan.hpp"
#include "planner/shape/parts.hpp"
#include "planner/shape/shape.hpp"

namespace seiche::planner {

bool is_cut_by_cost(const AxisQuestion& q) {
    const bool is_known = q.precision == Precision::f32 || q.precision == Precision::f64;
    return is_known && q.problem.is_alone && !q.is_strided && !q.problem.is_16_bit && !std::has_single_bit(q.n) &&
           q.limits->bounds_registers && leaves_pipelining_open(*q.tuning) &&
           can_pay_to_pipeline(q.n * 2 * real_bytes(q.precision), q.sequences, *q.limits);
}

std::vector<Split> splits_of_two(const AxisQuestion& q) {
    const std::uint64_t longest = longest_split_pass(*q.limits, q.precision);
    std::vector<Split> splits;
    for (std::uint64_t first = 2; first <= longest; ++first) {
        const std::uint64_t second = q.n / first;
        const bool is_even = first <= usual_pairs::most_apart * second && second <= usual_pairs::most_apart * first;
        if (q.n % first != 0 || second > longest || !is_even) continue;
        if (has_butterflies(q, first) && has_butterflies(q, second)) splits.emplace_back(first, second);
    }
    return splits;
}

namespace {

/// Two passes by butterflies, each across the other's points.
AxisRecipe in_two_passes(const AxisQuestion& q, Kind kind, std::uint64_t length, const Split& split) {
    AxisRecipe axis{0, q.n, 0, {}};
    axis.kind = kind;
    axis.length = kind == Kind::c2c ? 0 : length;
    for (const std::uint64_t n : {split.first, split.second}) {
        AxisQuestion part = q;
        part.n = n;
        axis.passes.push_back({static_cast<std::uint32_t>(n), Algorithm::direct,
                               choose_core(part, {n, true, false, q.precision, CoreMap::none})});
    }
    return axis;
}

}  // namespace

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
    const auto planned =
        try_plan({{in_two_passes(q, kind, length, split)}}, problem::normalise(problem), *q.limits, options);
    if (!planned) return std::nullopt;  // no groups of as many threads
    constexpr std::size_t counters_and_both = 2;
    const std::vector<Step>& steps = planned->schedule.steps;
    const bool is_one = steps.size() == counters_and_both && !steps.back().spec.pipeline.next.empty();
    return is_one ? std::optional(steps.back().spec) : std::nullopt;
}

}  // namespace seiche::planner
