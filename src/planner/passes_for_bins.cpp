// Passes of a real axis's core that its bins can meet in, which spares a pass of maps.
#include "planner/passes_for_bins.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "planner/factorize.hpp"
#include "planner/measured_cores.hpp"
#include "planner/measured_passes.hpp"
#include "planner/shape.hpp"
#include "planner/trail.hpp"
#include "planner/trail_cost.hpp"
#include "planner/trailing_splits.hpp"

namespace seiche::planner {

namespace {

/// Of passes that trail each other: a tile (trail.cpp) has runs of two sectors of them.
constexpr std::uint64_t longest_trailed_f32 = 1024;

bool may_trail(const AxisQuestion& q) {
    const std::uint64_t bytes = q.sequences * q.n * 2 * stored_bytes(q.precision, Storage::same);
    return q.tuning->trailing_passes ||
           (q.is_alone && leaves_trailing_open(*q.tuning) && is_worth_trailing(bytes, *q.limits));
}

/// Of a shorter last pass a group has more columns, whose stored runs are longer. Measured on an H200, of copy: r2c of
/// 2^19 numbers as 512 x 512 0.33, as 1024 x 256 0.36, of 2^20 as 1024 x 512 0.32, as 2048 x 256 0.33, of 2^21 as 1024
/// x 1024 0.29, as 2048 x 512 0.30. A last pass of 2048 points would have runs of a sector only, which are slower than
/// three short passes, one with bins: 2^24 numbers have 0.26 so, 2^23 0.24 of two passes and a map. Empty: as it is.
std::vector<std::uint64_t> with_longer_runs(std::uint64_t first, std::uint64_t last, std::uint64_t most) {
    constexpr std::uint64_t shortest = 256, longest = 1024, of_three = 128;
    if (last > longest) {
        const std::vector<std::uint32_t> others =
            split_into_passes(first * last / of_three, static_cast<std::uint32_t>(most));
        if (others.size() != 2 || first * last % of_three != 0) return {};
        return {others[0], others[1], of_three};
    }
    const std::uint64_t given = last;
    while (last % 4 == 0 && last / 2 >= shortest && 2 * first <= most) {
        first *= 2;
        last /= 2;
    }
    return last == given ? std::vector<std::uint64_t>{} : std::vector<std::uint64_t>{first, last};
}

/// In a cluster: of the pass with the bins, whose radices are smaller, the shorter one where that spares it a stage.
/// Measured on an H200, of copy: r2c of 2^16 numbers as 128 x 256 0.55, as 256 x 128 0.60; c2r of 2^17 as 256 x 256
/// 0.36, as 128 x 512 0.44.
std::vector<std::uint64_t> passes_in_cluster(bool stores_bins, const AxisRecipe& recipe, const AxisQuestion& q) {
    const bool is_open = !q.is_narrow && leaves_trailing_open(*q.tuning);
    const auto measured =
        measured_cluster(stores_bins ? Kind::r2c : Kind::c2r, q.precision, q.n, q.sequences, *q.limits);
    if (is_open && measured && measured->groups == q.tuning->groups_per_cluster)
        return {measured->first, measured->second};
    if (q.precision != Precision::f32) return {};
    const std::uint64_t first = recipe.passes[0].n, last = recipe.passes[1].n;
    constexpr std::uint64_t of_two_stages = 128;
    if (stores_bins && first == of_two_stages && last == 2 * first) return {last, first};
    if (!stores_bins && last == first && first == 2 * of_two_stages) return {of_two_stages, 2 * last};
    return {};
}

/// What passes cost an H100, in copies of their bytes: columns alone by their points, and bins by the bytes of a stored
/// run, whose ends are parts of sectors. Runs that begin anywhere, as data movement alone: 32 bytes 2.1, 64 bytes 1.8,
/// 128 bytes 1.5, 256 bytes 1.2. With butterflies r2c of 10^5 numbers as 1000 x 50 (160 bytes) 2.3, as 500 x 100 2.45;
/// of 10^6 as 1000 x 500 (80) 2.8, as 2000 x 250 (64) 3.3; of 2 10^6 as 4000 x 250 (128) 3.2, as 2000 x 500 3.4.
double copies_of_columns(std::uint64_t points) {
    constexpr std::uint64_t in_lines = 512, in_sectors = 1024;
    return points <= in_lines ? 1.05 : points <= in_sectors ? 1.1 : 1.75;
}

double copies_of_bins(std::uint64_t run) {
    constexpr std::uint64_t two_lines = 256, line = 128, half_line = 64;
    return run >= two_lines ? 1.28 : run >= line ? 1.5 : run >= half_line ? 1.9 : 2.3;
}

/// Mirrored columns that a group of the last pass may have, of those there are.
std::uint32_t columns_of_bins(const AxisQuestion& q, std::uint64_t points, std::uint64_t columns) {
    constexpr std::uint64_t usual_tile = 64 << 10, large_tile = 128 << 10, long_pass = 256, usual_points = 12;
    const std::uint64_t bytes = points * 2 * stored_bytes(q.precision, Storage::same);
    const std::uint64_t by_bytes = (points > long_pass ? large_tile : usual_tile) / bytes;
    const std::uint64_t by_threads = q.limits->max_group_size * usual_points / points;
    return even_part_of(columns, static_cast<std::uint32_t>(std::min(by_bytes, by_threads)), 1);
}

/// Two passes of f32 that were measured to be the fastest, the second behind the first in one launch. On an H100, of
/// copy, with a pass of maps or apart, and so: r2c of 60000 numbers 0.42 and 0.56, 80000 0.42 and 0.56, 10^5 0.44 and
/// 0.49, 160000 0.41 and 0.51, 200000 0.38 and 0.45, 240000 0.39 and 0.43, 300000 0.31 and 0.42, 400000 0.36 and 0.47,
/// 480000 0.38 and 0.43, 500000 0.37 and 0.41, 640000 0.34 and 0.50, 786432 0.41 and 0.48; but 10^6 (1000 x 500) 0.36
/// and 0.31, 480000 as 960 x 250 0.34, 600000 as 1500 x 200 0.37. Groups that were chosen the other way took 400 x 200
/// to 0.46, 800 x 250 to 0.33, 800 x 400 to 0.41, 400 x 250 to 0.39.
struct TrailingBins {
    std::uint32_t first, second;
    bool divides;  ///< Groups have a part of all columns that fills sectors, where groups of both passes' tiles do not.
};
constexpr TrailingBins trailing_bins[] = {{500, 60, false},  {400, 100, true}, {1000, 50, false}, {400, 200, true},
                                          {400, 250, false}, {400, 300, true}, {600, 250, false}, {1000, 250, false},
                                          {800, 250, true},  {600, 400, true}, {800, 400, true},  {1536, 256, false}};

const TrailingBins* find_trailing_bins(std::uint32_t first, std::uint32_t second) {
    const auto* found = std::find_if(std::begin(trailing_bins), std::end(trailing_bins), [&](const TrailingBins& pair) {
        return pair.first == first && pair.second == second;
    });
    return found == std::end(trailing_bins) ? nullptr : found;
}

/// Of a length that is no power of two the cheapest two or three passes, of which the last one's columns come in groups
/// that fill runs and whose points are even. Empty: a pass of maps beside two passes is no dearer.
std::vector<std::uint64_t> cheapest_for_bins(const AxisQuestion& q) {
    constexpr double of_two_and_a_map = 3.4;
    constexpr std::uint64_t longest_last = 640, shortest_last = 32, longest_of_three = 128, least_run = 64;
    const std::uint64_t point = 2 * stored_bytes(q.precision, Storage::same);
    const std::uint64_t most = longest_split_pass(*q.limits, q.precision);
    std::vector<std::uint64_t> best;
    double least = of_two_and_a_map;
    for (std::uint64_t last = shortest_last; last <= std::min(most, longest_last); last += 2) {
        if (q.n % last != 0 || !has_butterflies(q, last)) continue;
        const std::uint64_t columns = q.n / last, run = columns_of_bins(q, last, columns) / 2 * point;
        if (run < least_run) continue;
        std::vector<std::uint64_t> passes{columns, last};
        double cost = copies_of_columns(columns) + copies_of_bins(run);
        if (columns > 2 * most) {
            const std::vector<std::uint32_t> two = split_into_passes(columns, static_cast<std::uint32_t>(most));
            if (last > longest_of_three || two.size() != 2) continue;
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

/// Of doubles, and of powers of two that do not trail. On an H100, of copy: f32 2^22 numbers as 2048 x 1024 0.33, as
/// 4096 x 512 0.35; f64 2^22 0.36 and 0.37, 2^23 as 2048 x 2048 with a pass of maps 0.17, as 256 x 128 x 128 0.31, 2^24
/// as 512 x 128 x 128 0.297, as 1024 x 128 x 64 0.306, 2^25 as 1024 x 128 x 128 0.294, as 2048 x 128 x 64 0.303; f32
/// 2^27 as 1024 x 256 x 256 0.272, as 4096 x 128 x 128 0.276, as 2048 x 256 x 128 0.285.
std::vector<std::uint64_t> measured_for_bins(const AxisQuestion& q) {
    constexpr std::uint64_t longest_of_two = std::uint64_t{1} << 21, of_short_three = std::uint64_t{1} << 22,
                            longest_of_three = std::uint64_t{1} << 24, of_short_last = std::uint64_t{1} << 26;
    constexpr std::uint64_t long_first = 4096, long_last = 512, short_pass = 128, shorter = 64;
    const bool is_known = q.precision == Precision::f32 || q.precision == Precision::f64;
    if (is_known && q.n == longest_of_two) return {long_first, long_last};
    if (q.precision == Precision::f32 && q.n == of_short_last) return {long_first / 2, 2 * short_pass, short_pass};
    if (q.precision != Precision::f64 || q.n < of_short_three || q.n > longest_of_three) return {};
    if (q.n == of_short_three) return {2 * short_pass, short_pass, short_pass};
    return {q.n / (short_pass * shorter), short_pass, shorter};
}

/// Of a length that is no power of two the two passes that cost the least in one launch. Empty: they cost too much. Of
/// 198 problems that were measured in every split, each sixth left out of the fit, it takes this for 116, which are
/// 1.12 times as fast as what was planned before on an H100, 13 of them slower (0.81 at the worst).
std::vector<std::uint64_t> cheapest_trailing_for_bins(const problem::Axis& axis, const AxisQuestion& q) {
    if (!is_cut_by_cost(q)) return {};
    std::vector<std::uint64_t> best;
    double least = most_trailing_cost_of_bins;
    for (const Split& split : splits_of_two(q)) {
        const std::optional<kernels::KernelSpec> launch = trailing_launch(q, axis.kind, axis.length, split);
        if (!launch || !has_trailing_cost_of_bins(*launch, *q.limits)) continue;
        const double cost = trailing_cost_of_bins(*launch);
        if (cost > least) continue;
        least = cost;
        best = {split.first, split.second};
    }
    return best;
}

/// Of r2c in f32, of the pairs that trail each other those that were measured.
std::vector<std::uint64_t> known_trailing_bins(const AxisQuestion& q) {
    const std::uint64_t bytes = q.sequences * q.n * 2 * stored_bytes(q.precision, Storage::same);
    if (!is_of_measured_kind(*q.limits) || q.precision != Precision::f32 || !is_worth_trailing(bytes, *q.limits) ||
        !may_trail(q))
        return {};
    for (const TrailingBins& pair : trailing_bins)
        if (std::uint64_t{pair.first} * pair.second == q.n) return {pair.first, pair.second};
    return {};
}

/// Of a kind of card that was measured, in whatever launches. Empty: nothing is known.
std::vector<std::uint64_t> fast_for_bins(const AxisQuestion& q) {
    if (!is_of_measured_kind(*q.limits)) return {};
    if (std::has_single_bit(q.n)) return measured_for_bins(q);
    const std::uint64_t bytes = q.sequences * q.n * 2 * stored_bytes(q.precision, Storage::same);
    if (q.precision != Precision::f32 || !is_worth_trailing(bytes, *q.limits)) return {};
    return cheapest_for_bins(q);
}

/// Two that trail each other, which those of a real axis in place do not: as measured, else those of the least cost.
std::vector<std::uint64_t> trailing_for_bins(const problem::Axis& axis, const AxisQuestion& q) {
    const bool stores_bins = axis.kind == Kind::r2c;
    const bool has_bins = stores_bins || axis.kind == Kind::c2r;
    if (!has_bins || q.is_in_place || q.is_strided || q.tuning->groups_per_cluster != 0) return {};
    if (std::vector<std::uint64_t> two = measured_passes_for_bins(stores_bins, q); !two.empty()) return two;
    if (stores_bins && q.is_alone && !q.is_narrow)
        if (std::vector<std::uint64_t> two = known_trailing_bins(q); !two.empty()) return two;
    return cheapest_trailing_for_bins(axis, q);
}

}  // namespace

bool are_of_trailing_bins(std::uint32_t first, std::uint32_t second) {
    return find_trailing_bins(first, second) != nullptr;
}

bool divide_columns_of_bins(std::uint32_t first, std::uint32_t second) {
    const TrailingBins* pair = find_trailing_bins(first, second);
    return pair != nullptr && pair->divides;
}

std::vector<std::uint64_t> passes_for_bins(const problem::Axis& axis, const AxisRecipe& recipe, const AxisQuestion& q) {
    const bool stores_bins = kernels::store_way(axis.kind) == kernels::RealWay::spectrum;
    const bool has_bins = stores_bins || kernels::load_way(axis.kind) == kernels::RealWay::spectrum;
    const bool is_open = q.tuning->passes.empty() && q.tuning->radices.empty() && !q.tuning->separate_passes &&
                         q.limits->vectors == Vectors::subgroups;
    if (!is_open || !kernels::real_core(axis.kind, axis.length).is_paired || recipe.padded != 0 ||
        recipe.passes.size() < 2 || !has_butterflies(q, q.n))
        return {};
    if (std::vector<std::uint64_t> two = measured_passes_of_folded(axis.kind, q); !two.empty()) return two;
    if (!has_bins) return {};
    if (std::vector<std::uint64_t> two = trailing_for_bins(axis, q); !two.empty()) return two;
    if (axis.kind == Kind::r2c && q.is_alone && !q.is_narrow && q.tuning->groups_per_cluster == 0) {
        if (std::vector<std::uint64_t> fast = fast_for_bins(q); !fast.empty()) return fast;
    }
    if (recipe.passes.size() != 2) return {};
    if (q.tuning->groups_per_cluster != 0) return passes_in_cluster(stores_bins, recipe, q);
    const std::uint64_t run = std::max<std::uint64_t>(1, std::uint64_t{stores_bins ? 4u : 2u} * q.limits->sector_bytes /
                                                             (2 * stored_bytes(q.precision, Storage::same)));
    const auto can_meet = [&](std::uint64_t first, std::uint64_t second) {
        const std::uint64_t columns = stores_bins ? first : second, points = stores_bins ? second : first;
        return columns % run == 0 && points % 2 == 0;
    };
    const std::uint64_t most = longest_split_pass(*q.limits, q.precision);
    if (can_meet(recipe.passes[0].n, recipe.passes[1].n))
        return stores_bins && q.precision == Precision::f32
                   ? with_longer_runs(recipe.passes[0].n, recipe.passes[1].n,
                                      may_trail(q) ? std::min(most, longest_trailed_f32) : most)
                   : std::vector<std::uint64_t>{};
    for (std::uint64_t shorter = std::max(recipe.passes[0].n, recipe.passes[1].n); shorter > 1; --shorter) {
        const std::uint64_t longer = q.n / shorter;
        if (q.n % shorter != 0 || longer < shorter) continue;
        if (longer > most) break;
        if (can_meet(longer, shorter)) return {longer, shorter};
        if (can_meet(shorter, longer)) return {shorter, longer};
    }
    return {};
}

}  // namespace seiche::planner
