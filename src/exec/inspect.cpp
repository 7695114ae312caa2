// Reports and sources of plans that are never built.
#include "exec/inspect.hpp"

#include "exec/draft.hpp"

namespace seiche::exec {

PlanReport describe(const Problem& problem, const DeviceLimits& limits, const PlanOptions& options) {
    const problem::Canonical canonical = problem::normalise(problem);
    return report(draft(canonical, limits, options), canonical, problem);
}

std::vector<GeneratedKernel> sources(const problem::Canonical& problem, const DeviceLimits& limits,
                                     const planner::LowerOptions& options, const emit::Target& target) {
    PlanOptions one_way;
    one_way.directions = options.direction == Direction::forward ? Directions::forward : Directions::inverse;
    one_way.tuning = options.tuning;
    std::vector<GeneratedKernel> result;
    for (const DraftSchedule& schedule : draft(problem, limits, one_way).schedules) {
        for (const DraftStep& step : schedule.steps)
            result.push_back({step.step.spec, emit::emit(step.kernel, target)});
    }
    return result;
}

}  // namespace seiche::exec
