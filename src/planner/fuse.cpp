// Fusing: which passes may be one kernel, and how its points are dealt to groups and threads.
#include "planner/fuse.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "planner/factorize.hpp"
#include "planner/fuse_parts.hpp"
#include "planner/measured_cores.hpp"
#include "planner/measured_passes.hpp"
#include "planner/shape.hpp"
#include "planner/shape_parts.hpp"
#include "planner/tile.hpp"
#include "seiche/error.hpp"
#include "support/primes.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

namespace {

using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::Loop;
using kernels::Stage;
using kernels::ThreadOrder;

/// Threads of a group that compiles without spilling, where a pass has more than two stages: with 64 registers the
/// twiddles of a third one are too many.
constexpr std::uint32_t most_threads_of_long = 512;
/// Where threads have more points a larger radix saves an exchange.
constexpr std::uint32_t largest_radix_of_few = 32;
/// Of short rows of real numbers, which have half as many points: fewer take too many exchanges.
constexpr std::uint32_t least_points_of_reals = 4;
constexpr const char* name = "tuning.groups_per_cluster: ";

/// Whether a group's shared memory and registers have room for so many points.
bool has_room(Precision precision, std::uint64_t points, const DeviceLimits& limits) {
    const std::uint64_t most = std::uint64_t{limits.max_group_size} * points_per_thread(limits, precision);
    return bytes_held(precision, points) <= limits.shared_bytes && points <= most;
}

/// Two lengths whose product is n, as alike as can be, each a multiple of `ranks` and of small primes only; empty:
/// there are none.
std::vector<std::uint32_t> lengths_across(std::uint64_t n, std::uint32_t ranks, std::uint32_t largest) {
    std::vector<std::uint32_t> best;
    for (std::uint64_t a = ranks; a * a <= n; a += ranks) {
        if (n % a != 0 || n / a % ranks != 0 || n / a > UINT32_MAX) continue;
        if (!support::is_smooth(a, largest) || !support::is_smooth(n / a, largest)) continue;
        best = {static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(n / a)};
    }
    return best;
}

/// With all of their points.
bool may_meet(const Step& first, const Step& second) {
    return may_cross(first, second) && first.spec.out.kept.ranges.empty() && second.spec.in.kept.ranges.empty();
}

struct Cluster {
    const DeviceLimits& limits;
    std::uint32_t ranks = 1;
};

/// Transforms of a tile, fewer where the groups of a cluster have no room for them; 0: there is none.
std::uint64_t transforms_with_room(const KernelSpec& a, const KernelSpec& b, const TilePair& pair,
                                   const Cluster& cluster) {
    std::uint64_t transforms = transforms_of_tile(a, b, pair, cluster.limits);
    const auto fits = [&] {
        return has_room(a.precision, std::uint64_t{a.n} * b.n / cluster.ranks * transforms, cluster.limits);
    };
    while (transforms % 2 == 0 && !fits()) transforms /= 2;
    return fits() ? transforms : 0;
}

/// A tile of these passes that the groups of a cluster have room for.
std::optional<TilePair> fitting_tile(const Step& first, const Step& second, const DeviceLimits& limits,
                                     const Tuning& tuning) {
    const KernelSpec &a = first.spec, &b = second.spec;
    const std::uint32_t ranks = tuning.groups_per_cluster;
    if (!may_meet(first, second) || has_bins(first) || has_bins(second) || a.n % ranks != 0 || b.n % ranks != 0)
        return std::nullopt;
    const std::optional<TilePair> pair = find_tile(a, b);
    return pair && transforms_with_room(a, b, *pair, {limits, ranks}) != 0 ? pair : std::nullopt;
}

/// Every pair that has a tile becomes one step.
void fuse_tiles(Schedule& schedule, bool is_in_place, const DeviceLimits& limits, const Tuning& tuning) {
    const auto is_given = [](Role role) { return role == Role::input || role == Role::output; };
    std::vector<Step> steps;
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
        const Step& first = schedule.steps[i];
        if (i + 1 == schedule.steps.size()) {
            steps.push_back(first);
            break;
        }
        const Step& second = schedule.steps[i + 1];
        const bool is_same =
            first.source == second.target || (is_in_place && is_given(first.source) && is_given(second.target));
        const std::optional<TilePair> pair = fitting_tile(first, second, limits, tuning);
        if (!pair || (is_same && !keeps_places(first.spec, second.spec, *pair))) {
            steps.push_back(first);
            continue;
        }
        Step step = fuse(first, second, is_same);
        GroupShape shape, other;
        shape.tile = pair->first.tile;
        other.tile = pair->second.tile;
        shape.tile->beside = lies_beside(first.spec, pair->first, true);
        other.tile->beside = lies_beside(second.spec, pair->second, false);
        step.spec.shape = shape;
        step.spec.on_chip.next.front().shape = other;
        steps.push_back(step);
        ++i;
    }
    schedule.steps = steps;
}

bool has_swap(const std::vector<Stage>& stages) {
    return std::count(stages.begin(), stages.end(), Stage(kernels::SwapParts{})) % 2 != 0;
}

/// Rows of real numbers, whose points are neighbours in memory, beside the axis that has the spectrum's columns.
struct RealPlane {
    Step &rows, &columns;
};

/// Makes them passes over the points of both axes, with bins of the plane at the spectrum's side. False: they are not
/// such passes.
bool take_points(const RealPlane& plane) {
    KernelSpec &rows = plane.rows.spec, &columns = plane.columns.spec;
    const kernels::RealMap* const map = rows.out.map() ? rows.out.map() : rows.in.map();
    if (!map || (rows.out.map() && rows.in.map()) || (map->kind != Kind::r2c && map->kind != Kind::c2r) ||
        !kernels::real_core(map->kind, map->length).is_paired || rows.n < 2 || rows.convolution.prime != 0)
        return false;
    const bool is_kept = rows.in.kept.ranges.empty() && rows.out.kept.ranges.empty() &&
                         columns.in.kept.ranges.empty() && columns.out.kept.ranges.empty();
    Loop& bins = columns.loops.front();
    if (!is_kept || bins.count != rows.n + std::uint64_t{1} || !bins.gaps.empty()) return false;
    for (const KernelSpec* spec : {&rows, &columns})
        if (!is_pointwise(spec->in.stages) || !is_pointwise(spec->out.stages)) return false;
    split_loops(rows, columns.n);
    bins.count = rows.n;
    kernels::RealMap of_plane = *map;
    of_plane.loop = 0;
    of_plane.element_stride = 0;
    const bool is_load = rows.in.map() != nullptr;
    columns.side(map->kind != Kind::r2c).elements = kernels::ConjugatePairs{of_plane};
    rows.side(is_load).elements = kernels::Points{};
    return true;
}

/// The two passes of a schedule that are a plane of real numbers: r2c begins with them, c2r ends with them.
std::optional<std::size_t> find_real_plane(const Schedule& schedule) {
    const std::size_t steps = schedule.steps.size();
    if (steps < 2) return std::nullopt;
    if (schedule.steps.front().spec.out.map()) return 0;
    return schedule.steps.back().spec.in.map() ? std::optional(steps - 2) : std::nullopt;
}

/// The points of c2r are made of the spectrum, not of what an exchange of parts has left of it.
bool undo_swap(Schedule& schedule, std::size_t at, Step& columns) {
    if (has_swap(columns.spec.in.stages) || !has_swap(columns.spec.out.stages)) return true;
    if (at == 0) return false;
    schedule.steps[at - 1].spec.out.stages.push_back(kernels::SwapParts{});
    columns.spec.in.stages.insert(columns.spec.in.stages.begin(), kernels::SwapParts{});
    return true;
}

bool fuse_real_plane(Schedule& schedule, bool is_in_place, const DeviceLimits& limits, const Tuning& tuning) {
    const std::optional<std::size_t> at = find_real_plane(schedule);
    if (!at) return false;
    Step first = schedule.steps[*at], second = schedule.steps[*at + 1];
    const bool is_r2c = first.spec.out.map() != nullptr;
    if (!take_points(is_r2c ? RealPlane{first, second} : RealPlane{second, first})) return false;
    const std::uint64_t points = std::uint64_t{first.spec.n} * second.spec.n / tuning.groups_per_cluster;
    const bool fits = schedule.steps.size() == 2 || has_room(first.spec.precision, points, limits);
    if (!may_meet(first, second) || !crosses(first.spec, second.spec) || !fits ||
        (!is_r2c && !undo_swap(schedule, *at, first)))
        return false;
    const bool is_given = first.source == Role::input && second.target == Role::output;
    schedule.steps[*at] = fuse(first, second, first.source == second.target || (is_in_place && is_given));
    schedule.steps.erase(schedule.steps.begin() + static_cast<std::ptrdiff_t>(*at) + 1);
    return true;
}

/// The first two passes, where a cluster has all of what they share, and before others has room for it.
bool fuse_whole(Schedule& schedule, bool is_in_place, const DeviceLimits& limits, const Tuning& tuning) {
    if (find_real_plane(schedule)) return fuse_real_plane(schedule, is_in_place, limits, tuning);
    if (schedule.steps.size() < 2 || !may_meet(schedule.steps[0], schedule.steps[1])) return false;
    Step first = schedule.steps[0], second = schedule.steps[1];
    if (schedule.steps.size() > 2) {
        if (has_bins(first) || has_bins(second)) return false;
        if (!is_pointwise(first.spec.in.stages) || !is_pointwise(second.spec.in.stages)) return false;
        const std::uint64_t points = std::uint64_t{first.spec.n} * second.spec.n / tuning.groups_per_cluster;
        if (!has_room(first.spec.precision, points, limits)) return false;
        split_loops(first.spec, second.spec.n);
        split_loops(second.spec, first.spec.n);
    }
    if (!crosses(first.spec, second.spec)) return false;
    const bool is_given = first.source == Role::input && second.target == Role::output;
    schedule.steps[0] = fuse(first, second, first.source == second.target || (is_in_place && is_given));
    schedule.steps.erase(schedule.steps.begin() + 1);
    return true;
}

void drop_unused_workspaces(Schedule& schedule) {
    const auto is_used = [&](Role role) {
        return std::any_of(schedule.steps.begin(), schedule.steps.end(),
                           [&](const Step& step) { return step.source == role || step.target == role; });
    };
    if (!is_used(Role::workspace_a)) schedule.workspace_a_elements = 0;
    if (!is_used(Role::workspace_b)) schedule.workspace_b_elements = 0;
}

std::uint32_t largest_of(const std::vector<std::uint32_t>& radices) {
    return *std::max_element(radices.begin(), radices.end());
}

/// Points that a thread may have so that neighbours fill a sector of each row.
std::uint32_t most_points(const KernelSpec& pass, bool is_input, const DeviceLimits& limits) {
    if (support::is_closer(sequence_stride(pass, is_input), pass.side(is_input).stride)) return UINT32_MAX;
    return std::max(2u, pass.n * access_bytes(pass, is_input) / limits.sector_bytes);
}

/// A last radix that is a multiple of the groups lets each of its legs write to one group, and to constant places of
/// it.
void end_with_multiple(std::vector<std::uint32_t>& radices, std::uint32_t groups) {
    const auto found = std::find_if(radices.rbegin(), radices.rend(), [&](std::uint32_t r) { return r % groups == 0; });
    if (found != radices.rend()) std::rotate(found.base() - 1, found.base(), radices.end());
}

/// Radices of which the last is at most half of a thread's points, so that it has two butterflies there.
void end_with_bins(KernelSpec& spec, std::uint32_t points) {
    if (2 * spec.radices.back() <= points) return;
    spec.radices = factor_into_radices(spec.n, std::max(2u, points / 2));
}

/// The same of the first radix, where the largest is the last, so that its legs write to one group each.
void begin_with_bins(KernelSpec& spec, std::uint32_t points) {
    std::sort(spec.radices.begin(), spec.radices.end());
    if (2 * spec.radices.front() <= points) return;
    const std::uint32_t last = spec.radices.back();
    spec.radices = factor_into_radices(spec.n / last, std::max(2u, points / 2));
    std::reverse(spec.radices.begin(), spec.radices.end());
    spec.radices.push_back(last);
}

/// Threads of a group of which a unit has two.
constexpr std::uint64_t most_threads_of_two = 512;

/// Whether a unit has one group of a plane of so many threads, fewer than it has place for. Measured on an H200, of
/// copy, planes in groups of that size and in half as many threads or a little more: 72 x 72 0.55 and 0.69, 80 x 80
/// 0.64 and 0.81, 90 x 90 0.51 and 0.56, r2c of 120 x 120 0.51 and 0.65, c2r 0.45 and 0.59; but 100 x 100, of 1000,
/// 0.64 and 0.61.
bool is_lone_of_unit(const KernelSpec& spec, std::uint64_t threads, const DeviceLimits& limits, const Tuning& tuning) {
    constexpr std::uint64_t nearly_all = 960;
    const kernels::RealMap *in = spec.in.bins(), *out = spec.on_chip.next.front().out.bins();
    const bool is_plane = (!in || is_of_plane(in)) && (!out || is_of_plane(out)) && !tile_of(spec);
    return tuning.groups_per_cluster == 1 && is_of_measured_kind(limits) && spec.precision == Precision::f32 &&
           is_plane && threads > most_threads_of_two && threads < nearly_all &&
           is_pointwise(spec.on_chip.next.front().in.stages);
}

/// Whether rows of a plane in a cluster, whose threads have so many points, store runs that begin within sectors.
/// Measured on an H200, of copy: 120 x 120 in 10 threads a row, 80 bytes, 0.38, in 8 0.58.
bool stores_parts_of_sectors(const KernelSpec& rows, std::uint32_t points, const DeviceLimits& limits,
                             const Tuning& tuning) {
    const std::uint32_t threads = rows.n / points;
    return tuning.groups_per_cluster > 1 && is_of_measured_kind(limits) && !rows.out.bins() && !tile_of(rows) &&
           rows.out.stride == 1 && is_pointwise(rows.in.stages) &&
           threads * access_bytes(rows, false) % limits.sector_bytes != 0;
}

/// Whether a plane of real numbers in such groups was measured to be faster with 32 points in a thread.
bool has_wide_bins(const KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    const KernelSpec& next = spec.on_chip.next.front();
    if (!is_of_plane(spec.in.bins()) && !is_of_plane(next.out.bins())) return false;
    const bool is_c2r = spec.in.bins() != nullptr;
    const auto measured = measured_plane(is_c2r ? Kind::c2r : Kind::r2c, spec.precision, is_c2r ? spec.n : next.n,
                                         2 * std::uint64_t{is_c2r ? next.n : spec.n}, limits);
    return measured && measured->has_wide_threads && measured->groups == tuning.groups_per_cluster;
}

/// 2^16 points of doubles in 16 groups, 256 threads of 16 points each and 128 of 32, where memory is fast: 0.446 ms of
/// 512 MiB and 0.430 (H200). A plane of 256 x 256 doubles, which has no factors between, 0.480 and 0.515.
bool has_wide_threads_of_doubles(const KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    constexpr std::uint32_t length = 256, groups = 16;
    const KernelSpec& next = spec.on_chip.next.front();
    return has_fast_memory(limits) && spec.precision == Precision::f64 && spec.n == length && next.n == length &&
           tuning.groups_per_cluster == groups && !spec.in.bins() && !next.out.bins() &&
           !is_pointwise(next.in.stages) && !tile_of(spec);
}

/// Whether threads of a plane of short columns and long rows, of powers of two, have as many points as spare the rows a
/// stage. Measured on an H200, of copy, with 16 points and 32: 64 x 512 0.65 and 0.79, 64 x 1024 0.59 and 0.68, 32 x
/// 1024 0.77 and 0.87, 128 x 512 0.64 and 0.73; but 512 x 64 0.63 and 0.62, 512 x 128 0.64 and 0.58.
bool has_long_rows(const KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    constexpr std::uint32_t shortest = 512, longest = 1024;
    const KernelSpec& next = spec.on_chip.next.front();
    return tuning.groups_per_cluster > 1 && is_of_measured_kind(limits) && spec.precision == Precision::f32 &&
           !spec.in.bins() && !next.out.bins() && !tile_of(spec) && std::has_single_bit(next.n) && next.n >= shortest &&
           next.n <= longest && next.n > spec.n && std::has_single_bit(spec.n) && spec.n >= largest_radix_of_few &&
           is_pointwise(next.in.stages);
}

/// Points of a thread that are asked for by the threads of the first pass's sequences.
std::uint32_t points_wanted(const KernelSpec& spec, const Tuning& tuning) {
    const std::uint32_t threads = tuning.threads_per_transform, points = spec.n / threads;
    if (spec.n % threads == 0 && points > 1 && spec.on_chip.next.front().n % points == 0) return points;
    throw Unsupported("tuning.threads_per_transform: expected threads whose points divide both passes, of " +
                      std::to_string(spec.n) + " and " + std::to_string(spec.on_chip.next.front().n) + " points, got " +
                      std::to_string(threads));
}

/// The fewest points from `from` to below `below` that divide both passes and suit; `from` itself: there are none.
template <class Suits>
std::uint32_t more_points(const KernelSpec& spec, std::uint32_t from, std::uint32_t below, Suits suits) {
    for (std::uint32_t points = from; points < below; ++points)
        if (spec.n % points == 0 && spec.on_chip.next.front().n % points == 0 && suits(points)) return points;
    return from;
}

struct Given {
    const DeviceLimits& limits;
    const Tuning& tuning;
};

/// Points of a thread instead of so many, where others were measured to be faster; `held`: points of a group.
std::uint32_t measured_points(const KernelSpec& spec, std::uint32_t points, std::uint64_t held, const Given& given) {
    const DeviceLimits& limits = given.limits;
    const Tuning& tuning = given.tuning;
    if (has_wide_threads_of_doubles(spec, limits, tuning) || has_wide_bins(spec, limits, tuning) ||
        has_long_rows(spec, limits, tuning))
        return std::max(points, largest_radix_of_few);
    const auto fit_in = [&](std::uint64_t threads) {
        return [held, threads](std::uint32_t count) { return held / count <= threads; };
    };
    points = more_points(spec, points, 2 * points, [&](std::uint32_t count) {
        return !stores_parts_of_sectors(spec.on_chip.next.front(), count, limits, tuning);
    });
    // The fewest that a group has threads for: 125 x 125 in 25 points 0.62 of copy, in kernels of its own 0.46 (H200).
    if (held / points > limits.max_group_size)
        points = more_points(spec, points, largest_radix_of_few + 1, fit_in(limits.max_group_size));
    if (is_lone_of_unit(spec, held / points, limits, tuning))
        points = more_points(spec, points, 2 * points, fit_in(most_threads_of_two));
    return points;
}

/// Points of each thread: a butterfly of the largest radix of both passes; more where the threads would be too many.
std::uint32_t points_of_thread(KernelSpec& spec, std::uint64_t held, const DeviceLimits& limits, const Tuning& tuning) {
    KernelSpec& next = spec.on_chip.next.front();
    const std::uint32_t wanted = tuning.threads_per_transform ? points_wanted(spec, tuning) : 0;
    std::uint32_t most = std::min(most_points(spec, true, limits), most_points(next, false, limits));
    if (wanted) most = std::min(wanted, largest_radix_of_few);
    if (is_of_plane(spec.in.bins()) || is_of_plane(next.out.bins())) most = std::max(most, least_points_of_reals);
    if (tuning.radices.empty()) {
        for (KernelSpec* pass : {&spec, &next})
            if (largest_of(pass->radices) > most) pass->radices = factor_into_radices(pass->n, most);
    }
    const std::uint32_t radix = std::max(largest_of(spec.radices), largest_of(next.radices));
    const auto divides = [&](std::uint32_t points) { return spec.n % points == 0 && next.n % points == 0; };
    const bool is_long = std::max(spec.radices.size(), next.radices.size()) > 2;
    const std::uint32_t most_threads =
        is_long ? std::min(most_threads_of_long, limits.max_group_size) : limits.max_group_size;
    std::uint32_t points = wanted ? wanted : radix;
    while (!wanted && points < 4 * radix && (!divides(points) || held / points > most_threads)) ++points;
    while (!divides(points)) --points;
    if (!wanted) points = measured_points(spec, points, held, {limits, tuning});
    for (KernelSpec* pass : {&spec, &next}) {
        const std::vector<std::uint32_t> fewest = factor_into_radices(pass->n, std::min(points, largest_radix_of_few));
        if (tuning.radices.empty() && fewest.size() < pass->radices.size()) pass->radices = fewest;
    }
    if (tuning.radices.empty()) end_with_multiple(spec.radices, std::max(1u, tuning.groups_per_cluster));
    if (spec.in.bins() && !is_of_plane(*spec.in.bins())) begin_with_bins(spec, points);
    if (next.out.bins() && !is_of_plane(*next.out.bins())) end_with_bins(next, points);
    return points;
}

/// Whether each thread has two butterflies of the radix at the end where bins meet.
bool has_pairs_of_bins(const KernelSpec& spec, std::uint32_t points) {
    if (!spec.in.bins() && !spec.out.bins()) return true;
    const std::uint32_t radix = spec.in.bins() ? spec.radices.front() : spec.radices.back();
    return spec.radices.size() > 1 && 2 * radix <= points && spec.n / radix % 2 == 0;
}

}  // namespace

std::vector<std::uint32_t> lengths_in_clusters(std::uint64_t n, Precision precision, const DeviceLimits& limits,
                                               const Tuning& tuning) {
    const std::uint32_t ranks = tuning.groups_per_cluster, largest = largest_prime(limits, precision);
    const std::uint64_t run = std::uint64_t{sectors_of_run} * limits.sector_bytes;
    const std::uint64_t tile = std::max<std::uint64_t>(1, run / (2 * stored_bytes(precision, Storage::same)));
    const auto across = [&](std::uint64_t points, std::uint64_t transforms) {
        const bool fits = has_room(precision, points * transforms / ranks, limits);
        return fits ? lengths_across(points, ranks, largest) : std::vector<std::uint32_t>{};
    };
    if (const std::vector<std::uint32_t> whole = across(n, 1); !whole.empty()) return whole;
    for (std::uint32_t alone = longest_split_pass(limits, precision); alone > 1; --alone) {
        if (n % alone != 0 || !support::is_smooth(alone, largest)) continue;
        std::vector<std::uint32_t> lengths = across(n / alone, tile);
        if (lengths.empty()) continue;
        lengths.push_back(alone);
        return lengths;
    }
    for (const std::uint64_t part : lengths_across(n, ranks * ranks, largest)) {
        std::vector<std::uint32_t> lengths = across(part, tile);
        const std::vector<std::uint32_t> others = across(n / part, tile);
        if (lengths.empty() || others.empty()) continue;
        lengths.insert(lengths.end(), others.begin(), others.end());
        return lengths;
    }
    return {};
}

namespace {

/// The kernel of two passes, with its shapes; nothing: there are none.
std::optional<KernelSpec> shaped(const Schedule& schedule, const DeviceLimits& limits, const Tuning& tuning) {
    const auto step = std::find_if(schedule.steps.begin(), schedule.steps.end(),
                                   [](const Step& one) { return !one.spec.on_chip.next.empty(); });
    KernelSpec spec = step->spec;
    try {
        choose_fused_shape(spec, limits, tuning);
    } catch (const Unsupported&) {
        return std::nullopt;
    }
    return spec;
}

std::uint32_t points_of(const KernelSpec& spec) { return spec.n / std::get<GroupShape>(spec.shape).threads; }

/// Whether each thread has at least one butterfly of either pass.
bool keeps_threads_busy(const std::optional<KernelSpec>& spec) {
    return spec &&
           points_of(*spec) >= std::max(largest_of(spec->radices), largest_of(spec->on_chip.next.front().radices));
}

/// Whether threads of a plane have so few points in common that threads of their own are faster. Measured on an H200,
/// of copy, in as many threads and in their own: 100 x 20, of 5 points, 0.69 at best and 0.76; 36 x 36, of 6, 0.80 and
/// 0.78.
bool has_few_points(const KernelSpec& spec) {
    constexpr std::uint32_t few = 6, multiple = 8;
    const bool are_even = spec.n % multiple == 0 && spec.on_chip.next.front().n % multiple == 0;
    return !are_even && points_of(spec) < few;
}

/// Of a plane or a cube that one group has: whole rows where they are faster, else both passes of a plane in as many
/// threads where these keep busy, else in threads of their own. False, and all stays as it is, where there is none.
bool fuse_in_one_group(Schedule& schedule, bool is_in_place, const DeviceLimits& limits, const Tuning& tuning) {
    if (fuse_in_group(schedule, is_in_place, limits, OwnThreads::where_faster)) return true;
    Schedule fused = schedule;
    const bool is_whole = fuse_whole(fused, is_in_place, limits, tuning);
    const std::optional<KernelSpec> common = is_whole ? shaped(fused, limits, tuning) : std::nullopt;
    const bool is_common = keeps_threads_busy(common);
    if (!is_common || has_few_points(*common))
        if (fuse_in_group(schedule, is_in_place, limits, OwnThreads::anywhere)) return true;
    if (is_common) schedule = fused;
    return is_common;
}

}  // namespace

void fuse_passes(Schedule& schedule, bool is_in_place, const DeviceLimits& limits, const Tuning& tuning) {
    const std::uint32_t ranks = tuning.groups_per_cluster;
    if (ranks == 0) return;
    if (limits.vectors == Vectors::explicit_simd)
        throw Unsupported(std::string(name) + "expected 0 on a SIMD device, where a group is one thread, got " +
                          std::to_string(ranks));
    if (ranks > std::max(1u, limits.max_cluster_size))
        throw Unsupported(std::string(name) + "expected at most " +
                          std::to_string(std::max(1u, limits.max_cluster_size)) + " on this device, got " +
                          std::to_string(ranks));
    const std::size_t before = schedule.steps.size();
    const bool has_threads = tuning.threads_per_transform != 0;  // not those of whole rows
    if ((ranks != 1 || has_threads || !fuse_in_one_group(schedule, is_in_place, limits, tuning)) &&
        !fuse_whole(schedule, is_in_place, limits, tuning))
        fuse_tiles(schedule, is_in_place, limits, tuning);
    if (schedule.steps.size() == before && has_threads)
        throw Unsupported(
            "tuning.threads_per_transform: expected 0 beside groups_per_cluster, where passes have threads of their "
            "own or cannot be one kernel, got " +
            std::to_string(tuning.threads_per_transform));
    if (schedule.steps.size() == before)
        throw Unsupported(std::string(name) +
                          "expected two passes, the second across the first's results, that the memory of so many "
                          "groups holds, got " +
                          std::to_string(before) + (before == 1 ? " pass" : " passes without"));
    drop_unused_workspaces(schedule);
}

namespace {

/// Transforms that a cluster has of a tile.
std::uint64_t choose_tile(const KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    const TilePair pair{way_of(spec), way_of(spec.on_chip.next.front())};
    const std::uint64_t wanted = tuning.transforms_per_group;
    if (wanted == 0)
        return transforms_with_room(spec, spec.on_chip.next.front(), pair,
                                    {limits, std::max(1u, tuning.groups_per_cluster)});
    if (pair.first.transforms % wanted != 0)
        throw Unsupported("tuning.transforms_per_group: expected a divisor of the " +
                          std::to_string(pair.first.transforms) + " transforms that lie beside each other, got " +
                          std::to_string(wanted));
    return wanted;
}

void expect_room(const GroupShape& shape, std::uint64_t held, std::uint64_t bytes, const DeviceLimits& limits) {
    const std::uint64_t threads = std::uint64_t{shape.threads} * shape.sequences;
    if (threads <= limits.max_group_size && bytes / (3 - shape.planes) <= limits.shared_bytes) return;
    throw Unsupported("a group of " + std::to_string(threads) + " threads for " + std::to_string(held) +
                      " points in two passes: expected at most " + std::to_string(limits.max_group_size) +
                      " threads and " + std::to_string(limits.shared_bytes) + " bytes of shared memory");
}

/// Groups that a unit should hold, so that some compute while others wait at the crossing; 0: it has room for one, or
/// the compiler does it by itself, as in f64, where it spills if it is asked.
std::uint32_t groups_beside(const KernelSpec& spec, const GroupShape& shape, std::uint64_t bytes,
                            const DeviceLimits& limits) {
    if (shape.one_by_one || spec.precision == Precision::f64) return 0;
    const std::uint64_t points = spec.n / shape.threads;
    const std::uint64_t lanes = std::max(1u, limits.subgroup_size), threads = shape.threads * shape.sequences;
    // Loading bins takes registers of its own where they are numbers, or beside three stages; those of a plane do
    // beside few points.
    constexpr std::uint64_t most_beside_planes = 40;
    const bool is_tight = spec.in.bins() && (spec.in.is_real() || spec.radices.size() > 2);
    const std::uint64_t of_bins = is_of_plane(spec.in.bins()) ? std::min(5 * points, most_beside_planes) : 0;
    const std::uint64_t needed = std::max(is_tight ? 5 * points : std::bit_ceil(4 * points), of_bins);
    const std::uint64_t rounded = (threads + lanes - 1) / lanes * lanes;
    // A few transforms have so small groups in clusters: registers help them, groups beside them are few anyway. Bounds
    // of 32 and 64 registers spilled 52 bytes of 4096 points and 28 of 10000.
    constexpr std::uint64_t most_of_few = 128, threads_beside_few = 768;
    const bool is_few = shape.groups_per_cluster > 1 && rounded <= most_of_few;
    const std::uint64_t most = is_few ? threads_beside_few / rounded : registers_per_unit;
    const std::uint64_t groups =
        std::min({registers_per_unit / (needed * rounded), limits.shared_bytes_per_unit / bytes, most});
    if (groups < 2) return 0;
    // No more than units get: 2^16 points alone, in 87 registers for 64, went from 5.2 us to 4.8 on an H100.
    std::uint64_t sequences = 1;
    for (const Loop& loop : spec.loops) sequences *= loop.count;
    const std::uint64_t units = std::max(1u, limits.compute_units);
    const std::uint64_t of_unit = (sequences / shape.sequences + units - 1) / units;
    const bool is_cluster = shape.groups_per_cluster > 1;
    return static_cast<std::uint32_t>(is_cluster ? std::min(groups, std::max<std::uint64_t>(1, of_unit)) : groups);
}

/// Two passes' spec, and the shapes that they get.
struct Shaped {
    const KernelSpec& spec;
    GroupShape &first, &second;
};

/// Bins of one axis, of which a thread has both of a pair.
void meet_in_columns(const Shaped& pair, std::uint32_t points, std::uint64_t transforms) {
    const KernelSpec &spec = pair.spec, &next = spec.on_chip.next.front();
    if (!has_pairs_of_bins(spec, points) || !has_pairs_of_bins(next, points) || transforms > 1)
        throw Unsupported(std::string(name) + "expected two butterflies of a thread where bins meet, got " +
                          std::to_string(points) + " points");
    pair.first.columns_meet = spec.in.bins() != nullptr;
    pair.second.columns_meet = next.out.bins() != nullptr;
    if (spec.in.bins()) pair.first.load_order = ThreadOrder::sequence_fastest;
}

/// Bins of a plane that the groups of a cluster share.
void meet_in_plane(const Shaped& pair) {
    GroupShape& columns = pair.spec.in.bins() ? pair.first : pair.second;
    if (columns.sequences % 2 != 0)
        throw Unsupported(std::string(name) + "expected groups of columns and their mirrors, got " +
                          std::to_string(columns.sequences) + " columns of a group");
    columns.columns_meet = true;
    // Results of neighbouring rows go to a neighbour's column in runs.
    if (pair.spec.on_chip.next.front().out.bins() && pair.spec.radices.size() > 1)
        pair.first.store_order = ThreadOrder::sequence_fastest;
}

}  // namespace

void choose_fused_shape(KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    KernelSpec& next = spec.on_chip.next.front();
    Held held;
    held.ranks = std::max(1u, tuning.groups_per_cluster);
    if (spec.n % held.ranks != 0 || next.n % held.ranks != 0)
        throw Unsupported(std::string(name) + "expected a divisor of both passes, of " + std::to_string(spec.n) +
                          " and " + std::to_string(next.n) + " points, got " + std::to_string(held.ranks));
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
        throw Unsupported("tuning.transforms_per_group: expected 1 in clusters of whole transforms, got " +
                          std::to_string(held.transforms));
    GroupShape shape = shape_of(spec, held, points, limits), other = shape_of(next, held, points, limits);
    if (has_columns) meet_in_columns({spec, shape, other}, points, held.transforms);
    if (has_plane && held.ranks > 1) meet_in_plane({spec, shape, other});
    shape.min_groups_per_unit = other.min_groups_per_unit =
        groups_beside(spec, shape, held.bytes / (3 - shape.planes), limits);
    spec.shape = shape;
    next.shape = other;
    expect_room(shape, held.points, held.bytes, limits);
}

bool fuse_where_it_pays(Schedule& schedule, bool is_in_place, const DeviceLimits& limits, const Tuning& tuning) {
    Schedule fused = schedule;
    const bool is_fused =
        tuning.groups_per_cluster == 1 && !tuning.trailing_passes
            ? fuse_in_one_group(fused, is_in_place, limits, tuning)
            : fuse_whole(fused, is_in_place, limits, tuning) && keeps_threads_busy(shaped(fused, limits, tuning));
    if (!is_fused) return false;
    drop_unused_workspaces(fused);
    schedule = fused;
    return true;
}

}  // namespace seiche::planner
