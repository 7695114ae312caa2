// Passes that share a launch, pipelined: the second works on what the first has just stored, while a cache still holds
// it. Long runs, and a prefetch distance of a slice and a part of the resident groups, gain the most. Measured:
// LAB-0020.
#include "planner/fuse/pipeline.hpp"
#include "planner/device_model.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "planner/fuse/parts.hpp"
#include "planner/fuse/pipeline_parts.hpp"
#include "planner/model/groups.hpp"
#include "planner/model/pipelining.hpp"

namespace seiche::planner {

namespace {

using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::Loop;

/// Adds a third pass at twice the second's prefetch distance; empty: it has none. Measured: LAB-0020.
std::optional<KernelSpec> with_third(const KernelSpec& both, KernelSpec third, std::uint64_t sequences,
                                     const Given& card) {
    KernelSpec first = both;
    KernelSpec& second = first.pipeline.next.front();
    if (third.n != first.n || !take_shape(third, {sequences_of(first), threads_of(first)}, card.limits, card.tuning))
        return std::nullopt;
    cut_into_slices(third, sequences, 0, 0);
    auto& own = std::get<GroupShape>(first.shape);
    auto& other = std::get<GroupShape>(second.shape);
    auto& last = std::get<GroupShape>(third.shape);
    own.exchange.components = other.exchange.components = last.exchange.components =
        std::min(own.exchange.components, last.exchange.components);
    own.exchange.whole_points = other.exchange.whole_points = last.exchange.whole_points =
        own.exchange.whole_points && last.exchange.whole_points;
    own.min_groups_per_unit = std::min(own.min_groups_per_unit, resident_groups(third));
    const double resident = static_cast<double>(own.min_groups_per_unit) * card.limits.compute_units;
    second.pipeline.next = {third};
    first.pipeline.has_between = true;
    second.pipeline.prefetch_distance = kernels::least_prefetch_distance(second) +
                                        static_cast<std::uint64_t>(prefetch_distance::ahead_of_third * resident);
    first.pipeline.prefetch_distance = kernels::least_prefetch_distance(first) +
                                       static_cast<std::uint64_t>(prefetch_distance::ahead_of_second * resident);
    first.in.hint = ir::CacheHint::streaming;
    return first;
}

/// Counters per slice: the ticket, and one for each pass but the last.
std::uint64_t counters_of_slice(const KernelSpec& first) { return kernels::has_third_pass(first) ? 3 : 2; }

Step clearing(const KernelSpec& first, std::uint64_t slices) {
    const std::uint64_t counters = counters_of_slice(first) * slices;
    Step step;
    step.source = step.target = Role::output;
    KernelSpec& spec = step.spec;
    spec.precision = first.precision;
    spec.in_place = true;
    spec.work.emplace<kernels::Textbook>().work = kernels::Clearing{counters};
    spec.radices = {1};
    spec.loops = {Loop{counters, 0, 0}, Loop{first.loops.back().count, 0, 0}};
    GroupShape shape;
    shape.sequences = group_threads::wanted;
    spec.shape = shape;
    return step;
}

}  // namespace

void take_place(KernelSpec& both, const Step& first, const Step& second, bool is_in_place) {
    if (both.pipeline.has_between) both.in_place = is_in_place || first.source == second.target;
}

std::optional<KernelSpec> chained(const KernelSpec& both, const Schedule& schedule, std::size_t i, bool is_in_place,
                                  const Given& card) {
    if (i + 2 >= schedule.steps.size() || !is_convolution(both.pipeline.next.front()) || both.slices.run != 0)
        return std::nullopt;
    const Step &first = schedule.steps[i], &second = schedule.steps[i + 1], &third = schedule.steps[i + 2];
    const Slices slices{both.slices.sequences, both.pipeline.next.front().slices.sequences};
    const std::optional<std::uint64_t> sequences = find_third(first, second, third, slices, is_in_place);
    if (!sequences || third.target_image) return std::nullopt;
    std::optional<KernelSpec> three = with_third(both, third.spec, *sequences, card);
    if (three) three->in_place = is_in_place;
    return three;
}

void join(Schedule& schedule, std::size_t i, const KernelSpec& both) {
    const std::uint64_t slices = kernels::sequences_per_batch(both) / both.slices.sequences;
    const auto first = schedule.steps.begin() + static_cast<std::ptrdiff_t>(i);
    first->spec = both;
    const std::ptrdiff_t passes = kernels::has_third_pass(both) ? 3 : 2;
    if (both.pipeline.has_between) {
        first->between = first->target;
        first->target = (first + passes - 1)->target;
    }
    schedule.steps.erase(first + 1, first + passes);
    schedule.steps.insert(first, clearing(both, slices));
    const std::uint64_t complex_bytes = 2 * stored_bytes(both.precision, Storage::same);
    schedule.workspace_b_elements =
        (counters_of_slice(both) * slices * sizeof(std::uint32_t) + complex_bytes - 1) / complex_bytes;
}

bool leaves_pipelining_open(const Tuning& tuning) {
    return tuning.radices.empty() && tuning.threads_per_transform == 0 && tuning.transforms_per_group == 0 &&
           !tuning.separate_passes;
}

bool pipeline_as(const Pipelining& pipelining, Schedule& schedule, bool is_in_place, const DeviceLimits& limits,
                 const Tuning& tuning) {
    const std::size_t i = pipelining.first;
    const Step &first = schedule.steps.at(i), &second = schedule.steps.at(i + 1);
    const std::optional<Slices> slices = find_slices(first, second, {pipelining.are_interleaved, is_in_place});
    if (!slices) return false;
    std::optional<KernelSpec> both =
        joined({{first.spec, second.spec}, {first.spec, second.spec}}, *slices, limits, tuning);
    if (!both) return false;
    take_place(*both, first, second, is_in_place);
    if (pipelining.has_third) both = chained(*both, schedule, i, is_in_place, {limits, tuning});
    if (!both) return false;
    join(schedule, i, *both);
    return true;
}

}  // namespace seiche::planner
