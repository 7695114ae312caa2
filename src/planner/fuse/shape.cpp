// The shapes of two fused passes: points of a thread, resident groups, and where conjugate pairs are handled.
#include <algorithm>
#include <bit>
#include <string>

#include "planner/device_model.hpp"
#include "planner/fuse/fuse.hpp"
#include "planner/fuse/parts.hpp"
#include "planner/fuse/tile.hpp"
#include "planner/measured/pairs.hpp"
#include "planner/measured/rules.hpp"
#include "planner/model/fusing.hpp"
#include "planner/model/registers.hpp"
#include "planner/shape/factorize.hpp"
#include "planner/shape/parts.hpp"
#include "planner/shape/shape.hpp"
#include "support/layout.hpp"

namespace seiche::planner {

namespace {

using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::Loop;
using kernels::Mirrors;
using kernels::ThreadOrder;

/// Points of a thread at which neighbours still fill a sector of each row.
std::uint32_t most_points(const KernelSpec& pass, bool is_input, const DeviceLimits& limits) {
    if (support::is_closer(sequence_stride(pass, is_input), pass.side(is_input).stride)) return UINT32_MAX;
    return std::max(2u, pass.n * access_bytes(pass, is_input) / limits.sector_bytes);
}

/// A last radix that is a multiple of the groups: each of its legs goes to one group, at constant places.
void end_with_multiple(std::vector<std::uint32_t>& radices, std::uint32_t groups) {
    const auto found = std::find_if(radices.rbegin(), radices.rend(), [&](std::uint32_t r) { return r % groups == 0; });
    if (found != radices.rend()) std::rotate(found.base() - 1, found.base(), radices.end());
}

/// A last radix of at most half of a thread's points, so that each thread has two butterflies there.
void end_with_bins(KernelSpec& spec, std::uint32_t points) {
    if (2 * spec.radices.back() <= points) return;
    spec.radices = factor_into_radices(spec.n, std::max(2u, points / 2));
}

/// The same for the first radix. The largest is the last, so that its legs go to one group each.
void begin_with_bins(KernelSpec& spec, std::uint32_t points) {
    std::sort(spec.radices.begin(), spec.radices.end());
    if (2 * spec.radices.front() <= points) return;
    const std::uint32_t last = spec.radices.back();
    spec.radices = factor_into_radices(spec.n / last, std::max(2u, points / 2));
    std::reverse(spec.radices.begin(), spec.radices.end());
    spec.radices.push_back(last);
}

/// Whether a plane's group is so large that it is alone, and smaller ones would hide latency. Measured: LAB-0021.
bool is_lone_of_unit(const KernelSpec& spec, std::uint64_t threads, const DeviceLimits& limits, const Tuning& tuning) {
    const kernels::RealMap *in = spec.in.bins(), *out = spec.on_chip.next.front().out.bins();
    const bool is_plane = (!in || is_of_plane(in)) && (!out || is_of_plane(out)) && !tile_of(spec);
    return tuning.groups_per_cluster == 1 && holds(Rule::lone_groups_of_units, limits) &&
           spec.precision == Precision::f32 && is_plane && threads > fused_threads::most_of_two &&
           threads < fused_threads::nearly_all && is_pointwise(spec.on_chip.next.front().in.stages);
}

/// Whether rows of a plane in a cluster store runs that begin within sectors. Measured: LAB-0021.
bool stores_parts_of_sectors(const KernelSpec& rows, std::uint32_t points, const DeviceLimits& limits,
                             const Tuning& tuning) {
    const std::uint32_t threads = rows.n / points;
    return tuning.groups_per_cluster > 1 && holds(Rule::whole_sectors_in_clusters, limits) && !rows.out.bins() &&
           !tile_of(rows) && rows.out.stride == 1 && is_pointwise(rows.in.stages) &&
           threads * access_bytes(rows, false) % limits.sector_bytes != 0;
}

/// Whether a real plane in such groups is in the tables with 32 points a thread.
bool has_wide_bins(const KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    const KernelSpec& next = spec.on_chip.next.front();
    if (!is_of_plane(spec.in.bins()) && !is_of_plane(next.out.bins())) return false;
    const bool is_c2r = spec.in.bins() != nullptr;
    const auto measured = measured_plane(is_c2r ? Kind::c2r : Kind::r2c, spec.precision, is_c2r ? spec.n : next.n,
                                         2 * std::uint64_t{is_c2r ? next.n : spec.n}, limits);
    return measured && measured->has_wide_threads && measured->groups == tuning.groups_per_cluster;
}

/// 32 points a thread for 256 x 256 doubles in 16 groups, where memory is fast. Measured: LAB-0022.
bool has_wide_threads_of_doubles(const KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    const KernelSpec& next = spec.on_chip.next.front();
    return holds(Rule::wide_threads_of_doubles, limits) && spec.precision == Precision::f64 &&
           spec.n == fused_threads::length_of_wide_doubles && next.n == fused_threads::length_of_wide_doubles &&
           tuning.groups_per_cluster == fused_threads::groups_of_wide_doubles && !spec.in.bins() && !next.out.bins() &&
           !is_pointwise(next.in.stages) && !tile_of(spec);
}

/// Whether threads of 32 points spare long rows beside short columns a stage. Measured: LAB-0021.
bool has_long_rows(const KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    const KernelSpec& next = spec.on_chip.next.front();
    return tuning.groups_per_cluster > 1 && holds(Rule::wide_threads_of_long_rows, limits) &&
           spec.precision == Precision::f32 && !spec.in.bins() && !next.out.bins() && !tile_of(spec) &&
           std::has_single_bit(next.n) && next.n >= fused_threads::shortest_long_rows &&
           next.n <= fused_threads::longest_long_rows && next.n > spec.n && std::has_single_bit(spec.n) &&
           spec.n >= fused_threads::largest_radix && is_pointwise(next.in.stages);
}

/// tuning.threads_per_transform counts threads of the first pass's sequences.
Refusal refuse_threads(const KernelSpec& spec, const Tuning& tuning) {
    const std::uint32_t threads = tuning.threads_per_transform, points = threads ? spec.n / threads : 0;
    const std::uint32_t second = spec.on_chip.next.front().n;
    if (threads == 0 || (spec.n % threads == 0 && points > 1 && second % points == 0)) return std::nullopt;
    return "tuning.threads_per_transform: expected threads whose points divide both passes, of " +
           std::to_string(spec.n) + " and " + std::to_string(second) + " points, got " + std::to_string(threads);
}

/// The fewest points from `from` to below `below` that divide both passes and suit; `from` itself: there are none.
template <class Suits>
std::uint32_t more_points(const KernelSpec& spec, std::uint32_t from, std::uint32_t below, Suits suits) {
    for (std::uint32_t points = from; points < below; ++points)
        if (spec.n % points == 0 && spec.on_chip.next.front().n % points == 0 && suits(points)) return points;
    return from;
}

/// Points of a thread, changed where others were measured to be faster; `held`: points of a group.
std::uint32_t measured_points(const KernelSpec& spec, std::uint32_t points, std::uint64_t held, const Given& given) {
    const DeviceLimits& limits = given.limits;
    const Tuning& tuning = given.tuning;
    if (has_wide_threads_of_doubles(spec, limits, tuning) || has_wide_bins(spec, limits, tuning) ||
        has_long_rows(spec, limits, tuning))
        return std::max(points, fused_threads::largest_radix);
    const auto fit_in = [&](std::uint64_t threads) {
        return [held, threads](std::uint32_t count) { return held / count <= threads; };
    };
    points = more_points(spec, points, 2 * points, [&](std::uint32_t count) {
        return !stores_parts_of_sectors(spec.on_chip.next.front(), count, limits, tuning);
    });
    // The fewest that the largest group has threads for: even then one kernel beats two. Measured: LAB-0021.
    if (held / points > limits.max_group_size)
        points = more_points(spec, points, fused_threads::largest_radix + 1, fit_in(limits.max_group_size));
    if (is_lone_of_unit(spec, held / points, limits, tuning))
        points = more_points(spec, points, 2 * points, fit_in(fused_threads::most_of_two));
    return points;
}

/// Points of each thread: a butterfly of the largest radix of both passes; more where the threads would be too many.
std::uint32_t points_of_thread(KernelSpec& spec, std::uint64_t held, const DeviceLimits& limits, const Tuning& tuning) {
    KernelSpec& next = spec.on_chip.next.front();
    const std::uint32_t wanted = tuning.threads_per_transform ? spec.n / tuning.threads_per_transform : 0;
    std::uint32_t most = std::min(most_points(spec, true, limits), most_points(next, false, limits));
    if (wanted) most = std::min(wanted, fused_threads::largest_radix);
    if (is_of_plane(spec.in.bins()) || is_of_plane(next.out.bins()))
        most = std::max(most, fused_threads::least_points_of_reals);
    if (tuning.radices.empty()) {
        for (KernelSpec* pass : {&spec, &next})
            if (largest_of(pass->radices) > most) pass->radices = factor_into_radices(pass->n, most);
    }
    const std::uint32_t radix = std::max(largest_of(spec.radices), largest_of(next.radices));
    const auto divides = [&](std::uint32_t points) { return spec.n % points == 0 && next.n % points == 0; };
    const bool is_long = std::max(spec.radices.size(), next.radices.size()) > 2;
    const std::uint32_t most_threads =
        is_long ? std::min(fused_threads::most_with_three_stages, limits.max_group_size) : limits.max_group_size;
    std::uint32_t points = wanted ? wanted : radix;
    while (!wanted && points < 4 * radix && (!divides(points) || held / points > most_threads)) ++points;
    while (!divides(points)) --points;
    if (!wanted) points = measured_points(spec, points, held, {limits, tuning});
    for (KernelSpec* pass : {&spec, &next}) {
        const std::vector<std::uint32_t> fewest =
            factor_into_radices(pass->n, std::min(points, fused_threads::largest_radix));
        if (tuning.radices.empty() && fewest.size() < pass->radices.size()) pass->radices = fewest;
    }
    if (tuning.radices.empty()) end_with_multiple(spec.radices, std::max(1u, tuning.groups_per_cluster));
    if (spec.in.bins() && !is_of_plane(*spec.in.bins())) begin_with_bins(spec, points);
    if (next.out.bins() && !is_of_plane(*next.out.bins())) end_with_bins(next, points);
    return points;
}

/// Whether each thread has two butterflies of the radix at the end with conjugate pairs.
bool has_pairs_of_bins(const KernelSpec& spec, std::uint32_t points) {
    if (!spec.in.bins() && !spec.out.bins()) return true;
    const std::uint32_t radix = spec.in.bins() ? spec.radices.front() : spec.radices.back();
    return spec.radices.size() > 1 && 2 * radix <= points && spec.n / radix % 2 == 0;
}

std::uint64_t choose_tile(const KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    const TilePair pair{way_of(spec), way_of(spec.on_chip.next.front())};
    const std::uint64_t wanted = tuning.transforms_per_group;
    if (wanted == 0)
        return transforms_with_room(spec, spec.on_chip.next.front(), pair,
                                    {limits, std::max(1u, tuning.groups_per_cluster)});
    return wanted;
}

Refusal refuse_tile(const KernelSpec& spec, const Tuning& tuning) {
    const std::uint64_t wanted = tuning.transforms_per_group, beside = way_of(spec).transforms;
    if (wanted == 0 || beside % wanted == 0) return std::nullopt;
    return "tuning.transforms_per_group: expected a divisor of the " + std::to_string(beside) +
           " transforms that lie beside each other, got " + std::to_string(wanted);
}

Refusal refuse_group(const GroupShape& shape, std::uint64_t held, std::uint64_t bytes, const DeviceLimits& limits) {
    const std::uint64_t threads = std::uint64_t{shape.threads} * shape.sequences;
    if (threads <= limits.max_group_size && bytes / (3 - shape.exchange.components) <= limits.shared_bytes)
        return std::nullopt;
    return "a group of " + std::to_string(threads) + " threads for " + std::to_string(held) +
           " points in two passes: expected at most " + std::to_string(limits.max_group_size) + " threads and " +
           std::to_string(limits.shared_bytes) + " bytes of shared memory";
}

/// Resident groups to ask for, so that some compute while others wait at the transpose; 0: only one fits, or the
/// compiler manages by itself, as in f64, where it spills if it is asked.
std::uint32_t groups_beside(const KernelSpec& spec, const GroupShape& shape, std::uint64_t bytes,
                            const DeviceLimits& limits) {
    if (shape.is_scalarised || spec.precision == Precision::f64) return 0;
    const std::uint64_t points = spec.n / shape.threads;
    const std::uint64_t lanes = std::max(1u, limits.subgroup_size), threads = shape.threads * shape.sequences;
    // Conjugate pairs take registers of their own as numbers or beside three stages; a plane's do beside few points.
    const bool is_tight = spec.in.bins() && (spec.in.is_real() || spec.radices.size() > 2);
    const std::uint64_t of_bins =
        is_of_plane(spec.in.bins()) ? std::min(5 * points, registers::most_of_paired_plane) : 0;
    const std::uint64_t needed = std::max(is_tight ? 5 * points : std::bit_ceil(4 * points), of_bins);
    const std::uint64_t rounded = (threads + lanes - 1) / lanes * lanes;
    // Small groups of a few transforms need registers more than occupancy: tight bounds spill. Measured: LAB-0022.
    const bool is_few = shape.groups_per_cluster > 1 && rounded <= fused_threads::most_of_few;
    const std::uint64_t most = is_few ? fused_threads::resident_of_few / rounded : registers_per_unit;
    std::uint64_t groups =
        std::min({registers_per_unit / (needed * rounded), limits.shared_bytes_per_unit / bytes, most});
    // Each part of a compute unit has whole subgroups; powers of two need fewer registers. Measured: LAB-0116.
    const bool are_powers = std::has_single_bit(spec.n) && std::has_single_bit(spec.on_chip.next.front().n);
    const auto has_room = [&] {
        return registers_beside_others(static_cast<std::uint32_t>(threads), static_cast<std::uint32_t>(groups)) >=
               2 * points + registers_beside::whole_row.floats;
    };
    while (!spec.in.bins() && !are_powers && groups > 1 && !has_room()) --groups;
    if (groups < 2) return 0;
    // No more than the launch can fill; the registers help instead. Measured: LAB-0022.
    const std::uint64_t sequences = support::size(spec.loops);
    const std::uint64_t units = std::max(1u, limits.compute_units);
    const std::uint64_t of_unit = (sequences / shape.sequences + units - 1) / units;
    const bool is_cluster = shape.groups_per_cluster > 1;
    return static_cast<std::uint32_t>(is_cluster ? std::min(groups, std::max<std::uint64_t>(1, of_unit)) : groups);
}

struct Shaped {
    const KernelSpec& spec;
    GroupShape &first, &second;
};

/// Conjugate pairs of one axis, both in one thread.
Refusal pair_in_columns(const Shaped& pair, std::uint32_t points, std::uint64_t transforms) {
    const KernelSpec &spec = pair.spec, &next = spec.on_chip.next.front();
    if (!has_pairs_of_bins(spec, points) || !has_pairs_of_bins(next, points) || transforms > 1)
        return std::string(cluster_tuning) + "expected two butterflies of a thread for conjugate pairs, got " +
               std::to_string(points) + " points";
    pair.first.mirrors = spec.in.bins() ? Mirrors::in_group : Mirrors::apart;
    pair.second.mirrors = next.out.bins() ? Mirrors::in_group : Mirrors::apart;
    if (spec.in.bins()) pair.first.load_order = ThreadOrder::sequence_fastest;
    return std::nullopt;
}

Refusal pair_in_plane(const Shaped& pair) {
    GroupShape& columns = pair.spec.in.bins() ? pair.first : pair.second;
    if (columns.sequences % 2 != 0)
        return std::string(cluster_tuning) + "expected groups of columns and their mirrors, got " +
               std::to_string(columns.sequences) + " columns of a group";
    columns.mirrors = Mirrors::in_group;
    // Results of neighbouring rows go to a neighbour's column in runs.
    if (pair.spec.on_chip.next.front().out.bins() && pair.spec.radices.size() > 1)
        pair.first.store_order = ThreadOrder::sequence_fastest;
    return std::nullopt;
}

}  // namespace

Refusal choose_fused_shape(KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    KernelSpec& next = spec.on_chip.next.front();
    Held held;
    held.ranks = std::max(1u, tuning.groups_per_cluster);
    if (spec.n % held.ranks != 0 || next.n % held.ranks != 0)
        return std::string(cluster_tuning) + "expected a divisor of both passes, of " + std::to_string(spec.n) +
               " and " + std::to_string(next.n) + " points, got " + std::to_string(held.ranks);
    if (Refusal refusal = tile_of(spec) ? refuse_tile(spec, tuning) : std::nullopt) return refusal;
    if (Refusal refusal = refuse_threads(spec, tuning)) return refusal;
    held.points = std::uint64_t{spec.n} * next.n / held.ranks;
    if (tile_of(spec)) held.points *= held.transforms = choose_tile(spec, limits, tuning);
    const bool has_plane = is_of_plane(spec.in.bins()) || is_of_plane(next.out.bins());
    const bool has_columns = !has_plane && (spec.in.bins() || next.out.bins());
    const std::uint32_t points = points_of_thread(spec, held.points, limits, tuning);
    held.bytes = bytes_held(spec.precision, held.points);
    if (!tile_of(spec)) {
        if ((held.ranks == 1 && !has_columns) || tuning.transforms_per_group > 1)
            held.transforms = choose_transforms(held.points / points, held.bytes, limits, tuning);
        held.points *= held.transforms;
        held.bytes *= held.transforms;
    }
    if (held.ranks > 1 && held.transforms > 1 && !tile_of(spec))
        return "tuning.transforms_per_group: expected 1 in clusters of whole transforms, got " +
               std::to_string(held.transforms);
    GroupShape shape = shape_of(spec, held, points, limits), other = shape_of(next, held, points, limits);
    if (has_columns)
        if (Refusal refusal = pair_in_columns({spec, shape, other}, points, held.transforms)) return refusal;
    if (has_plane && held.ranks > 1)
        if (Refusal refusal = pair_in_plane({spec, shape, other})) return refusal;
    shape.min_groups_per_unit = other.min_groups_per_unit =
        groups_beside(spec, shape, held.bytes / (3 - shape.exchange.components), limits);
    spec.shape = shape;
    next.shape = other;
    return refuse_group(shape, held.points, held.bytes, limits);
}

}  // namespace seiche::planner
