// Passes of a real axis's core that can handle conjugate pairs, which spares a pass of maps.
#include "planner/policy/passes_for_bins.hpp"
#include "planner/device_model.hpp"
#include "planner/measured/rules.hpp"
#include "planner/model/costs.hpp"
#include "planner/model/passes.hpp"
#include "planner/policy/butterflies.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "planner/fuse/pipeline.hpp"
#include "planner/measured/pairs.hpp"
#include "planner/policy/measured_passes.hpp"
#include "planner/policy/pipeline_cost.hpp"
#include "planner/policy/pipeline_splits.hpp"
#include "planner/shape/factorize.hpp"
#include "planner/shape/shape.hpp"

namespace seiche::planner {

namespace {

bool may_pipeline(const AxisQuestion& q) {
    const std::uint64_t bytes = q.sequences * q.n * 2 * stored_bytes(q.precision, Storage::same);
    return q.tuning->trailing_passes ||
           (q.problem.is_alone && leaves_pipelining_open(*q.tuning) && is_worth_pipelining(bytes, *q.limits));
}

/// A shorter last pass has more columns a group, so longer stored runs; runs of one sector lose to three short passes.
/// Empty: unchanged. Measured: LAB-0027.
std::vector<std::uint64_t> with_longer_runs(std::uint64_t first, std::uint64_t last, std::uint64_t most) {
    if (last > pair_passes::longest_last) {
        const std::uint64_t of_three = pair_passes::last_of_three;
        const std::vector<std::uint32_t> others =
            split_into_passes(first * last / of_three, static_cast<std::uint32_t>(most));
        if (others.size() != 2 || first * last % of_three != 0) return {};
        return {others[0], others[1], of_three};
    }
    const std::uint64_t given = last;
    while (last % 4 == 0 && last / 2 >= pair_passes::shortest_last && 2 * first <= most) {
        first *= 2;
        last /= 2;
    }
    return last == given ? std::vector<std::uint64_t>{} : std::vector<std::uint64_t>{first, last};
}

/// In a cluster the pass with the bins is the shorter one where that spares it a stage. Measured: LAB-0027.
std::vector<std::uint64_t> passes_in_cluster(bool stores_bins, const AxisRecipe& recipe, const AxisQuestion& q) {
    const bool is_open = !q.problem.is_16_bit && leaves_pipelining_open(*q.tuning);
    const auto measured =
        measured_cluster(stores_bins ? Kind::r2c : Kind::c2r, q.precision, q.n, q.sequences, *q.limits);
    if (is_open && measured && measured->groups == q.tuning->groups_per_cluster)
        return {measured->first, measured->second};
    if (q.precision != Precision::f32) return {};
    const std::uint64_t first = recipe.passes[0].n, last = recipe.passes[1].n;
    const std::uint64_t of_two_stages = pair_passes::longest_of_two_stages;
    if (stores_bins && first == of_two_stages && last == 2 * first) return {last, first};
    if (!stores_bins && last == first && first == 2 * of_two_stages) return {of_two_stages, 2 * last};
    return {};
}

/// The cost of passes, in copies.
double copies_of_columns(std::uint64_t points) {
    return points <= pair_costs::longest_in_lines     ? pair_costs::columns_in_lines
           : points <= pair_costs::longest_in_sectors ? pair_costs::columns_in_sectors
                                                      : pair_costs::longer_columns;
}

double copies_of_bins(std::uint64_t run) {
    return run >= 2 * line_bytes   ? pair_costs::two_lines
           : run >= line_bytes     ? pair_costs::one_line
           : run >= line_bytes / 2 ? pair_costs::half_line
                                   : pair_costs::less;
}

std::uint32_t columns_of_bins(const AxisQuestion& q, std::uint64_t points, std::uint64_t columns) {
    const std::uint64_t bytes = points * 2 * stored_bytes(q.precision, Storage::same);
    const bool is_long = points > cheapest_pair_passes::longest_usual;
    const std::uint64_t by_bytes =
        (is_long ? cheapest_pair_passes::tile_bytes_of_long : cheapest_pair_passes::tile_bytes) / bytes;
    const std::uint64_t by_threads = q.limits->max_group_size * cheapest_pair_passes::points_per_thread / points;
    return even_part_of(columns, static_cast<std::uint32_t>(std::min(by_bytes, by_threads)), 1);
}

/// Other lengths than powers of two: the cheapest two or three passes with whole runs and even counts. Empty: a pass of
/// maps is no dearer.
std::vector<std::uint64_t> cheapest_for_bins(const AxisQuestion& q) {
    const std::uint64_t point = 2 * stored_bytes(q.precision, Storage::same);
    const std::uint64_t most = longest_split_pass(*q.limits, q.precision);
    std::vector<std::uint64_t> best;
    double least = pair_costs::two_and_a_map;
    for (std::uint64_t last = cheapest_pair_passes::shortest_last;
         last <= std::min(most, cheapest_pair_passes::longest_last); last += 2) {
        if (q.n % last != 0 || !has_butterflies(q, last)) continue;
        const std::uint64_t columns = q.n / last, run = columns_of_bins(q, last, columns) / 2 * point;
        if (run < cheapest_pair_passes::least_run_bytes) continue;
        std::vector<std::uint64_t> passes{columns, last};
        double cost = copies_of_columns(columns) + copies_of_bins(run);
        if (columns > 2 * most) {
            const std::vector<std::uint32_t> two = split_into_passes(columns, static_cast<std::uint32_t>(most));
            if (last > cheapest_pair_passes::longest_last_of_three || two.size() != 2) continue;
            passes = {two[0], two[1], last};
            cost = copies_of_columns(two[0]) + copies_of_columns(two[1]) + copies_of_bins(run);
        } else if (!has_butterflies(q, columns)) {
            continue;
        }
        if (cost >= least) continue;
        least = cost;
        best = passes;
    }
    return best;
}

/// Other lengths than powers of two: the cheapest two in one launch. Empty: they cost too much. Measured: LAB-0020.
std::vector<std::uint64_t> cheapest_pipelined_for_bins(const problem::Axis& axis, const AxisQuestion& q) {
    if (!is_cut_by_cost(q)) return {};
    std::vector<std::uint64_t> best;
    double least = most_pipeline_cost_of_bins;
    for (const Split& split : splits_of_two(q)) {
        const std::optional<kernels::KernelSpec> launch = pipelined_launch(q, axis.kind, axis.length, split);
        if (!launch || !has_pipeline_cost_of_bins(*launch, *q.limits)) continue;
        const double cost = pipeline_cost_of_bins(*launch);
        if (cost > least) continue;
        least = cost;
        best = {split.first, split.second};
    }
    return best;
}

std::vector<std::uint64_t> known_pipelined_bins(const AxisQuestion& q) {
    const std::uint64_t bytes = q.sequences * q.n * 2 * stored_bytes(q.precision, Storage::same);
    if (q.precision != Precision::f32 || !is_worth_pipelining(bytes, *q.limits) || !may_pipeline(q)) return {};
    return measured_pair_for_bins(q);
}

/// For a measured kind of card. Empty: nothing is known.
std::vector<std::uint64_t> fast_for_bins(const AxisQuestion& q) {
    if (!holds(Rule::passes_of_r2c_by_cost, *q.limits)) return {};
    if (std::has_single_bit(q.n)) return measured_lone_passes_for_bins(q);
    const std::uint64_t bytes = q.sequences * q.n * 2 * stored_bytes(q.precision, Storage::same);
    if (q.precision != Precision::f32 || !is_worth_pipelining(bytes, *q.limits)) return {};
    return cheapest_for_bins(q);
}

/// Pipelined pairs, which real axes in place have none of: by measurement, else by cost.
std::vector<std::uint64_t> pipelined_for_bins(const problem::Axis& axis, const AxisQuestion& q) {
    const bool stores_bins = axis.kind == Kind::r2c;
    const bool has_bins = stores_bins || axis.kind == Kind::c2r;
    if (!has_bins || q.problem.is_in_place || q.is_strided || q.tuning->groups_per_cluster != 0) return {};
    if (std::vector<std::uint64_t> two = measured_passes_for_bins(stores_bins, q); !two.empty()) return two;
    if (stores_bins && q.problem.is_alone && !q.problem.is_16_bit)
        if (std::vector<std::uint64_t> two = known_pipelined_bins(q); !two.empty()) return two;
    return cheapest_pipelined_for_bins(axis, q);
}

}  // namespace

std::vector<std::uint64_t> passes_for_bins(const problem::Axis& axis, const AxisRecipe& recipe, const AxisQuestion& q) {
    const bool stores_bins = kernels::store_way(axis.kind) == kernels::RealWay::spectrum;
    const bool has_bins = stores_bins || kernels::load_way(axis.kind) == kernels::RealWay::spectrum;
    const bool is_open =
        q.tuning->passes.empty() && q.tuning->radices.empty() && !q.tuning->separate_passes && is_gpu(*q.limits);
    if (!is_open || !kernels::real_core(axis.kind, axis.length).is_paired || recipe.padded != 0 ||
        recipe.passes.size() < 2 || !has_butterflies(q, q.n))
        return {};
    if (std::vector<std::uint64_t> two = measured_passes_of_folded(axis.kind, q); !two.empty()) return two;
    if (!has_bins) return {};
    if (std::vector<std::uint64_t> two = pipelined_for_bins(axis, q); !two.empty()) return two;
    if (axis.kind == Kind::r2c && q.problem.is_alone && !q.problem.is_16_bit && q.tuning->groups_per_cluster == 0) {
        if (std::vector<std::uint64_t> fast = fast_for_bins(q); !fast.empty()) return fast;
    }
    if (recipe.passes.size() != 2) return {};
    if (q.tuning->groups_per_cluster != 0) return passes_in_cluster(stores_bins, recipe, q);
    const std::uint64_t run = std::max<std::uint64_t>(1, std::uint64_t{stores_bins ? 4u : 2u} * q.limits->sector_bytes /
                                                             (2 * stored_bytes(q.precision, Storage::same)));
    const auto can_mirror = [&](std::uint64_t first, std::uint64_t second) {
        const std::uint64_t columns = stores_bins ? first : second, points = stores_bins ? second : first;
        return columns % run == 0 && points % 2 == 0;
    };
    const std::uint64_t most = longest_split_pass(*q.limits, q.precision);
    if (can_mirror(recipe.passes[0].n, recipe.passes[1].n))
        return stores_bins && q.precision == Precision::f32
                   ? with_longer_runs(recipe.passes[0].n, recipe.passes[1].n,
                                      may_pipeline(q) ? std::min(most, pair_passes::longest_pipelined_f32) : most)
                   : std::vector<std::uint64_t>{};
    for (std::uint64_t shorter = std::max(recipe.passes[0].n, recipe.passes[1].n); shorter > 1; --shorter) {
        const std::uint64_t longer = q.n / shorter;
        if (q.n % shorter != 0 || longer < shorter) continue;
        if (longer > most) break;
        if (can_mirror(longer, shorter)) return {longer, shorter};
        if (can_mirror(shorter, longer)) return {shorter, longer};
    }
    return {};
}

}  // namespace seiche::planner
