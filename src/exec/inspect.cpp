// Reports: what a schedule launches and how many bytes it moves, from the specs alone.
#include "exec/inspect.hpp"

#include "ir/optimise.hpp"
#include "ir/verify.hpp"

namespace seiche::exec {

namespace {

using kernels::KernelSpec;

/// Points of one array that a side of the kernel touches: a chirp keeps only the points that are not padding.
std::uint64_t points(const KernelSpec& spec, const std::vector<kernels::Stage>& stages) {
    const std::uint64_t all = kernels::sequences_per_batch(spec) * spec.n;
    for (const kernels::Stage& stage : stages) {
        const kernels::Chirp* chirp = std::get_if<kernels::Chirp>(&stage);
        if (chirp) return all / (chirp->element_stride * spec.n) * chirp->length;
    }
    return all;
}

KernelReport report(const KernelSpec& spec, const problem::Canonical& problem, Direction direction) {
    const ir::Kernel kernel = ir::optimise(kernels::generate(spec));
    const std::uint64_t batch = problem.batch.count, element = problem.element_bytes();
    KernelReport result;
    result.name = spec.name;
    result.spec = kernels::to_string(spec);
    result.direction = direction;
    result.groups = kernels::groups(spec, batch);
    result.group_size = kernel.launch.group_size();
    result.shared_bytes = ir::shared_bytes(kernel);
    result.bytes_read = points(spec, spec.load) * batch * element;
    result.bytes_written = points(spec, spec.store) * batch * element;
    result.table_bytes = kernels::table_entries(kernels::tables(spec)) * element;
    result.instructions = kernel.code.size();
    return result;
}

}  // namespace

PlanReport describe(const problem::Canonical& problem, const DeviceLimits& limits, const PlanOptions& options) {
    const planner::Recipe recipe = planner::design(problem, limits, options.tuning);
    PlanReport result;
    result.recipe = planner::to_string(recipe);
    const std::uint64_t batch = problem.batch.count, element = problem.element_bytes();
    result.ideal_bytes = 2 * problem.n * problem.transforms_per_array() * batch * element;
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const Directions other = direction == Direction::forward ? Directions::inverse : Directions::forward;
        if (options.directions == other) continue;
        const planner::Schedule schedule = planner::lower(recipe, problem, limits, {direction, options.tuning});
        std::uint64_t moved = 0;
        for (const planner::Step& step : schedule.steps) {
            result.kernels.push_back(report(step.spec, problem, direction));
            moved += result.kernels.back().bytes_read + result.kernels.back().bytes_written;
        }
        if (result.moved_bytes == 0) result.moved_bytes = moved;
        result.workspace_bytes = (schedule.workspace_a_elements + schedule.workspace_b_elements) * batch * element;
    }
    return result;
}

std::vector<GeneratedKernel> sources(const problem::Canonical& problem, const DeviceLimits& limits, const planner::LowerOptions& options,
                                     const emit::Target& target) {
    const planner::Recipe recipe = planner::design(problem, limits, options.tuning);
    std::vector<GeneratedKernel> result;
    for (const planner::Step& step : planner::lower(recipe, problem, limits, options).steps) {
        auto kernel = std::make_shared<ir::Kernel>(ir::optimise(kernels::generate(step.spec)));
        ir::verify(*kernel);
        result.push_back({step.spec, emit::emit(kernel, target)});
    }
    return result;
}

}  // namespace seiche::exec
