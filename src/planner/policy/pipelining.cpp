#include "planner/policy/pipelining.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "planner/device_model.hpp"
#include "planner/fuse/parts.hpp"
#include "planner/fuse/pipeline.hpp"
#include "planner/fuse/pipeline_parts.hpp"
#include "planner/measured/rules.hpp"
#include "planner/model/pipelining.hpp"
#include "planner/policy/pipeline_cost.hpp"
#include "planner/shape/factorize.hpp"

namespace seiche::planner {

using kernels::KernelSpec;

namespace {

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
    if (!holds(Rule::large_radices_of_16_bit_pairs, limits)) return false;
    bool has_any = false;
    for (std::size_t i = 0; i < 2; ++i) {
        KernelSpec& spec = pair.plain[i];
        if (!stores_16_bit(spec) || !is_lone_core(spec) || is_convolution(spec)) return false;
        if (!std::has_single_bit(spec.n) || spec.n < pipelined_radices::shortest_of_16_bit ||
            spec.n > pipelined_radices::longest_of_16_bit)
            continue;
        spec.radices = factor_into_radices(spec.n, pipelined_radices::largest_radix_of_16_bit);
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
    cut_into_slices(leading, slices->first, slices->beside, tiles::most_sequences);
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

}  // namespace seiche::planner
