#include "planner/policy/fusing.hpp"

#include <algorithm>

#include "planner/device_model.hpp"
#include "planner/fuse/fuse.hpp"
#include "planner/fuse/parts.hpp"
#include "planner/model/fusing.hpp"

namespace seiche::planner {

namespace {

using kernels::GroupShape;
using kernels::KernelSpec;

std::optional<KernelSpec> shaped(const Schedule& schedule, const DeviceLimits& limits, const Tuning& tuning) {
    const auto step = std::find_if(schedule.steps.begin(), schedule.steps.end(),
                                   [](const Step& one) { return !one.spec.on_chip.next.empty(); });
    KernelSpec spec = step->spec;
    return choose_fused_shape(spec, limits, tuning) ? std::nullopt : std::optional(spec);
}

std::uint32_t points_of(const KernelSpec& spec) { return spec.n / std::get<GroupShape>(spec.shape).threads; }

bool keeps_threads_busy(const std::optional<KernelSpec>& spec) {
    return spec &&
           points_of(*spec) >= std::max(largest_of(spec->radices), largest_of(spec->on_chip.next.front().radices));
}

/// Whether common threads have so few points that each pass should have its own. Measured: LAB-0021.
bool has_few_points(const KernelSpec& spec) {
    const bool are_even =
        spec.n % plane_rows::even_multiple == 0 && spec.on_chip.next.front().n % plane_rows::even_multiple == 0;
    return !are_even && points_of(spec) < plane_rows::few_points;
}

/// A plane or a cube in one group: whole rows where they are faster, else common threads for both passes where these
/// are busy, else own threads for each. Empty: the schedule is unchanged.
std::optional<FusedAs> fuse_in_one_group(Schedule& schedule, bool is_in_place, const DeviceLimits& limits,
                                         const Tuning& tuning) {
    if (fuse_as(FusedAs::whole_rows, schedule, is_in_place, limits, tuning)) return FusedAs::whole_rows;
    Schedule fused = schedule;
    const bool is_whole = fuse_as(FusedAs::whole, fused, is_in_place, limits, tuning);
    const std::optional<KernelSpec> common = is_whole ? shaped(fused, limits, tuning) : std::nullopt;
    const bool is_common = keeps_threads_busy(common);
    if (!is_common || has_few_points(*common))
        if (fuse_as(FusedAs::own_threads, schedule, is_in_place, limits, tuning)) return FusedAs::own_threads;
    if (!is_common) return std::nullopt;
    schedule = fused;
    return FusedAs::whole;
}

}  // namespace

Refusal refuse_clusters(const DeviceLimits& limits, const Tuning& tuning) {
    const std::uint32_t ranks = tuning.groups_per_cluster, most = std::max(1u, limits.max_cluster_size);
    if (!has_groups(limits))
        return std::string(cluster_tuning) + "expected 0 on a SIMD device, where a group is one thread, got " +
               std::to_string(ranks);
    if (ranks <= most) return std::nullopt;
    return std::string(cluster_tuning) + "expected at most " + std::to_string(most) + " on this device, got " +
           std::to_string(ranks);
}

std::optional<FusedAs> fuse_as_asked(Schedule& schedule, bool is_in_place, const DeviceLimits& limits,
                                     const Tuning& tuning) {
    const bool has_threads = tuning.threads_per_transform != 0;  // not those of whole rows
    if (tuning.groups_per_cluster == 1 && !has_threads)
        if (const auto as = fuse_in_one_group(schedule, is_in_place, limits, tuning)) return as;
    for (const FusedAs as : {FusedAs::whole, FusedAs::tiles})
        if (fuse_as(as, schedule, is_in_place, limits, tuning)) return as;
    return std::nullopt;
}

std::string why_not_fused(const Schedule& schedule, const Tuning& tuning) {
    const std::size_t passes = schedule.steps.size();
    if (tuning.threads_per_transform != 0)
        return "tuning.threads_per_transform: expected 0 beside groups_per_cluster, where passes have threads of their "
               "own or cannot be one kernel, got " +
               std::to_string(tuning.threads_per_transform);
    return std::string(cluster_tuning) +
           "expected two passes, the second across the first's results, that the memory of so many groups holds, got " +
           std::to_string(passes) + (passes == 1 ? " pass" : " passes without");
}

std::optional<FusedAs> fuse_where_it_pays(Schedule& schedule, bool is_in_place, const DeviceLimits& limits,
                                          const Tuning& tuning) {
    Schedule fused = schedule;
    std::optional<FusedAs> as;
    if (tuning.groups_per_cluster == 1 && !tuning.trailing_passes)
        as = fuse_in_one_group(fused, is_in_place, limits, tuning);
    else if (fuse_as(FusedAs::whole, fused, is_in_place, limits, tuning) &&
             keeps_threads_busy(shaped(fused, limits, tuning)))
        as = FusedAs::whole;
    if (!as) return std::nullopt;
    schedule = fused;
    return as;
}

}  // namespace seiche::planner
