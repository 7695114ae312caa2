// Which passes share a launch, pipelined: the second works on what the first has just stored, while a cache still holds
// it. Long runs, and a prefetch distance of a slice and a part of the resident groups, gain the most. Measured:
// LAB-0020.
#include "planner/pipeline.hpp"
#include "planner/device_model.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "planner/factorize.hpp"
#include "planner/fuse_parts.hpp"
#include "planner/pipeline_cost.hpp"
#include "planner/pipeline_parts.hpp"

namespace seiche::planner {

namespace {

using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::Loop;

/// Adds a third pass at twice the second's prefetch distance; empty: it has none. Measured: LAB-0020.
std::optional<KernelSpec> with_third(const KernelSpec& both, KernelSpec third, std::uint64_t sequences,
                                     const Given& card) {
    constexpr double distance_of_first = 0.4, distance_of_second = 0.8;
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
    second.pipeline.prefetch_distance =
        kernels::least_prefetch_distance(second) + static_cast<std::uint64_t>(distance_of_second * resident);
    first.pipeline.prefetch_distance =
        kernels::least_prefetch_distance(first) + static_cast<std::uint64_t>(distance_of_first * resident);
    first.in.hint = ir::CacheHint::streaming;
    return first;
}

/// Whether both together write where they read.
void take_place(KernelSpec& both, const Step& first, const Step& second, bool is_in_place) {
    if (both.pipeline.has_between) both.in_place = is_in_place || first.source == second.target;
}

/// A third pass too, if it follows a convolution.
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

/// Counters per slice: the ticket, and one for each pass but the last.
std::uint64_t counters_of_slice(const KernelSpec& first) { return kernels::has_third_pass(first) ? 3 : 2; }

Step clearing(const KernelSpec& first, std::uint64_t slices) {
    constexpr std::uint32_t group = 256;
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
    shape.sequences = group;
    spec.shape = shape;
    return step;
}

/// The usual radices, where those of a lone pass leave too few threads for the other pass, or need more registers than
/// two resident groups have. False: they are the same, or there are none. Measured: LAB-0020.
bool take_usual_radices(PassPair& pair, const DeviceLimits& limits) {
    bool has_any = false;
    for (std::size_t i = 0; i < 2; ++i) {
        KernelSpec& spec = pair.plain[i];
        std::vector<std::uint32_t> usual = factor_into_radices(spec.n, most_radix(limits, spec.precision));
        if (!is_lone_core(spec) || usual.empty() || spec.radices == usual) continue;
        spec.radices = std::move(usual);
        pair.shaped[i] = spec;
        has_any = true;
    }
    return has_any;
}

/// 16-bit storage: radices up to 32 spare an exchange; false: none fit. Measured: LAB-0020.
bool take_large_radices(PassPair& pair, const DeviceLimits& limits) {
    constexpr std::uint32_t shortest = 512, longest = 1024, largest = 32;
    if (!holds(Rule::large_radices_of_16_bit_pairs, limits)) return false;
    bool has_any = false;
    for (std::size_t i = 0; i < 2; ++i) {
        KernelSpec& spec = pair.plain[i];
        if (!stores_16_bit(spec) || !is_lone_core(spec) || is_convolution(spec)) return false;
        if (!std::has_single_bit(spec.n) || spec.n < shortest || spec.n > longest) continue;
        spec.radices = factor_into_radices(spec.n, largest);
        pair.shaped[i] = spec;
        has_any = true;
    }
    return has_any;
}

/// Empty: they cannot be pipelined, or it was not asked for and does not pay.
std::optional<KernelSpec> pipelined(const Step& first, const Step& second, const SliceQuestion& question,
                                    const Given& card) {
    const auto& [limits, tuning] = card;
    const std::optional<Slices> slices = find_slices(first, second, question);
    if (!slices || first.spec.on_chip.own_threads || second.spec.on_chip.own_threads) return std::nullopt;
    KernelSpec leading = first.spec;
    cut_into_slices(leading, slices->first, slices->beside, most_sequences);
    if (!tuning.trailing_passes && !pays_to_pipeline(leading, second.spec, limits)) return std::nullopt;
    const auto is_wanted = [&card](const KernelSpec& both) {
        return card.tuning.trailing_passes || gains_by_pipelining(both, card.limits);
    };
    PassPair pair{{first.spec, second.spec}, {first.spec, second.spec}};
    std::optional<KernelSpec> both;
    if (PassPair large = pair; tuning.radices.empty() && take_large_radices(large, limits)) {
        both = joined(large, *slices, limits, tuning);
        if (both && is_wanted(*both)) return both;
    }
    both = joined(pair, *slices, limits, tuning);
    if (both && !is_wanted(*both)) both = std::nullopt;
    if (both && !has_pipeline_cost(*both, limits)) return both;
    if (!take_usual_radices(pair, limits)) return both;
    const std::optional<KernelSpec> usual = joined(pair, *slices, limits, tuning);
    if (!usual || !is_wanted(*usual)) return both;
    return both && pipeline_cost(*both) <= pipeline_cost(*usual) ? both : usual;
}

/// Makes the passes of one launch, from step i on, one step behind one that clears its counters.
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

}  // namespace

std::optional<Pipelining> pipeline_passes(Schedule& schedule, bool is_in_place, const DeviceLimits& limits,
                                          const Tuning& tuning) {
    const bool has_room = schedule.workspace_b_elements == 0 && is_gpu(limits);
    if (!limits.waits_for_groups || !has_room || (!tuning.trailing_passes && !leaves_pipelining_open(tuning)))
        return std::nullopt;
    // Interleaved slices are the shorter ones.
    for (const bool are_interleaved : {true, false}) {
        for (std::size_t i = 0; i + 1 < schedule.steps.size(); ++i) {
            const Step &first = schedule.steps[i], &second = schedule.steps[i + 1];
            if (first.source_image || second.target_image) continue;
            auto both = pipelined(first, second, {are_interleaved, is_in_place}, {limits, tuning});
            if (!both) continue;
            take_place(*both, first, second, is_in_place);
            const auto three = chained(*both, schedule, i, is_in_place, {limits, tuning});
            join(schedule, i, three ? *three : *both);
            return Pipelining{i, are_interleaved, three.has_value()};
        }
    }
    return std::nullopt;
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
