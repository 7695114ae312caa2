#include "planner/policy/sharing.hpp"
#include "planner/device_model.hpp"

#include <algorithm>

#include "planner/fuse/pipeline.hpp"
#include "planner/lower/parts.hpp"
#include "planner/policy/fusing.hpp"
#include "planner/policy/pipelining.hpp"
#include "planner/shape/measured_cores.hpp"

namespace seiche::planner {

namespace {

Refusal fuse(Arrays& arrays, Schedule& schedule, std::uint32_t groups, Sharing& sharing) {
    Tuning& tuning = arrays.options.tuning;
    const bool is_in_place = arrays.problem.in_place(), is_asked = tuning.groups_per_cluster != 0;
    if (!is_asked && (groups == 0 || tuning.trailing_passes)) return std::nullopt;
    if (is_asked)
        if (Refusal refusal = refuse_clusters(arrays.limits, tuning)) return refusal;
    if (!is_asked) tuning.groups_per_cluster = groups;
    const std::optional<FusedAs> as = is_asked ? fuse_as_asked(schedule, is_in_place, arrays.limits, tuning)
                                               : fuse_where_it_pays(schedule, is_in_place, arrays.limits, tuning);
    if (as) sharing.fusion = {*as, tuning.groups_per_cluster};
    return as || !is_asked ? std::nullopt : Refusal(why_not_fused(schedule, tuning));
}

/// The third axis of a cube behind its planes, which a group has on chip.
bool pipeline_planes(const Arrays& arrays, Schedule& schedule, Sharing& sharing) {
    if (!arrays.options.tuning.trailing_passes || schedule.steps.size() < 3) return false;
    Schedule fused = schedule;
    Tuning of_group = arrays.options.tuning;
    of_group.groups_per_cluster = 1;
    const bool is_in_place = arrays.problem.in_place();
    const auto as = fuse_where_it_pays(fused, is_in_place, arrays.limits, of_group);
    const auto pipelining =
        as ? pipeline_passes(fused, is_in_place, arrays.limits, arrays.options.tuning) : std::nullopt;
    if (!pipelining || fused.steps[1].spec.on_chip.next.empty()) return false;
    schedule = fused;
    sharing.fusion = {*as, 1};
    sharing.pipelining = pipelining;
    return true;
}

Refusal pipeline(const Arrays& arrays, Schedule& schedule, Sharing& sharing) {
    if (arrays.rest == Rest::in_one_workspace) return std::nullopt;
    const Tuning& tuning = arrays.options.tuning;
    const bool are_whole = are_arrays_whole(schedule, arrays.problem, arrays.limits, tuning);
    if (are_whole && !pipeline_planes(arrays, schedule, sharing))
        sharing.pipelining = pipeline_passes(schedule, arrays.problem.in_place(), arrays.limits, tuning);
    if (sharing.pipelining || !tuning.trailing_passes) return std::nullopt;
    const std::string name = "tuning.trailing_passes: ";
    if (!are_whole)
        return name + "expected arrays of one buffer, of which a kernel takes at most " +
               std::to_string(bytes_of_part(arrays.limits, tuning)) + " bytes here, got longer ones";
    if (!is_gpu(arrays.limits))
        return name + "expected a GPU, whose groups have many threads, got " + arrays.limits.architecture;
    const std::size_t passes = schedule.steps.size();
    return name +
           "expected two passes of complex points in a row, the second in place or back to where the first began, or "
           "the two of types II to IV, in groups of as many threads, got " +
           std::to_string(passes) + (passes == 1 ? " pass" : " passes of which no two are so");
}

Stockham core_of(const KernelSpec& pass) {
    if (pass.is_repacking()) return {};
    Stockham core{pass.n, pass.radices};
    if (pass.n > 1) std::erase(core.radices, 1u);  // which only distribute points anew
    return core;
}

KernelRecipe kernel_of(const KernelSpec& spec) {
    KernelRecipe kernel{{core_of(spec)}};
    kernels::for_each_then(spec, [&](const KernelSpec& next) { kernel.passes.push_back(core_of(next)); });
    if (const auto* shape = std::get_if<kernels::GroupShape>(&spec.shape)) kernel.groups = shape->groups_per_cluster;
    return kernel;
}

}  // namespace

Refusal choose_sharing(Arrays& arrays, Schedule& schedule, std::uint32_t groups, Sharing& sharing) {
    if (Refusal refusal = fuse(arrays, schedule, groups, sharing)) return refusal;
    return pipeline(arrays, schedule, sharing);
}

void take_measured_radices(const Arrays& arrays, Schedule& schedule) {
    const Tuning& tuning = arrays.options.tuning;
    if (!tuning.radices.empty() || tuning.threads_per_transform || tuning.transforms_per_group) return;
    for (Step& step : schedule.steps) {
        KernelSpec& spec = step.spec;
        const bool is_lone =
            spec.register_rows().empty() && !spec.textbook() && spec.pipeline.next.empty() && spec.on_chip.next.empty();
        if (!is_lone) continue;
        if (const std::optional<MeasuredCore> core = measured_core(spec, arrays.limits)) spec.radices = core->radices;
    }
}

std::vector<LaunchRecipe> launches_of(const Schedule& schedule) {
    std::vector<LaunchRecipe> launches;
    for (const Step& step : schedule.steps) {
        if (step.spec.textbook()) continue;  // it clears counters
        LaunchRecipe launch;
        for (const KernelSpec* kernel = &step.spec; kernel;
             kernel = kernel->pipeline.next.empty() ? nullptr : &kernel->pipeline.next.front())
            launch.kernels.push_back(kernel_of(*kernel));
        launches.push_back(std::move(launch));
    }
    return launches;
}

}  // namespace seiche::planner
