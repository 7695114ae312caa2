// Fusing: which passes may be one kernel, and how its points are dealt to groups and threads.
#include "planner/fuse.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <string>

#include "planner/factorize.hpp"
#include "planner/shape.hpp"
#include "planner/tile.hpp"
#include "seiche/error.hpp"
#include "support/primes.hpp"

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
/// Threads that a group of several transforms should have.
constexpr std::uint64_t wanted_fused_group = 256;
/// 32-bit registers of a unit. A thread needs about as many beside its points as for them.
constexpr std::uint32_t registers_per_unit = 65536;
constexpr const char* name = "tuning.groups_per_cluster: ";

/// Shared memory of a group, both planes of its points.
std::uint64_t bytes_held(Precision precision, std::uint64_t points) {
    const std::uint64_t number = stored_bytes(precision, Storage::same);
    return 2 * number * (std::has_single_bit(points) ? points : points + points / 8);
}

/// Whether a group's shared memory and registers have room for so many points.
bool has_room(Precision precision, std::uint64_t points, const DeviceLimits& limits) {
    const std::uint64_t most = std::uint64_t{limits.max_group_size} * points_per_thread(limits, precision);
    return bytes_held(precision, points) <= limits.shared_bytes && points <= most;
}

/// Radices of n that all divide the points of a thread, so that each thread has as many butterflies, as few as can be;
/// empty: there are none.
std::vector<std::uint32_t> radices_of_points(std::uint32_t n, std::uint32_t points) {
    std::vector<std::uint32_t> radices;
    while (n > 1) {
        std::uint32_t radix = std::min(n, points);
        while (n % radix != 0 || points % radix != 0) --radix;
        if (radix == 1) return {};
        radices.push_back(radix);
        n /= radix;
    }
    return radices;
}

/// Radices of one axis of a cube, of which a thread has whole butterflies: the whole of a short one, and in f32 four
/// points of the shortest powers of two. Empty: there are none. On an H100, of copy, a thread with whole rows and with
/// parts of them: 12 x 12 x 12 0.98 and 0.76 (6 points), 18 x 18 x 18 0.90 and 0.63 (6), f64 16 x 16 x 16 0.94 and 0.80
/// (8); but f32 8 x 8 x 8 0.988 and 0.995 (4), 16 x 16 x 16 0.91 and 0.935 (4).
std::vector<std::uint32_t> radices_of_cube(std::uint32_t n, Precision precision) {
    const bool is_double = precision != Precision::f32;
    const std::uint32_t most = is_double ? 20 : 24;
    if (!is_double && std::has_single_bit(n) && n <= 16) return radices_of_points(n, std::min(4u, n));
    if (n <= most) return {n};
    std::vector<std::uint32_t> best;
    for (std::uint32_t points = 4; points <= 16; ++points) {
        if (n % points != 0) continue;
        const std::vector<std::uint32_t> radices = radices_of_points(n, points);
        if (!radices.empty() && (best.empty() || radices.size() < best.size())) best = radices;
    }
    return best;
}

/// Points of a thread that has whole butterflies of these radices.
std::uint32_t points_of(const std::vector<std::uint32_t>& radices) {
    return std::accumulate(radices.begin(), radices.end(), 1u, [](auto a, auto b) { return std::lcm(a, b); });
}

/// Whether a group has the threads and the memory for a cube of these lengths.
bool holds_cube(const std::array<std::uint64_t, 3>& lengths, Precision precision, const DeviceLimits& limits) {
    constexpr std::uint64_t longest = 1024;
    std::uint64_t points = 1;
    for (const std::uint64_t length : lengths) {
        if (length < 2 || length > longest) return false;
        points *= length;
    }
    if (bytes_held(precision, points) > limits.shared_bytes) return false;
    return std::all_of(lengths.begin(), lengths.end(), [&](std::uint64_t length) {
        const std::vector<std::uint32_t> radices = radices_of_cube(static_cast<std::uint32_t>(length), precision);
        return !radices.empty() && points / points_of(radices) <= limits.max_group_size;
    });
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

bool is_pointwise(const std::vector<Stage>& stages) {
    return std::all_of(stages.begin(), stages.end(), [](const Stage& stage) {
        return std::holds_alternative<kernels::SwapParts>(stage) || std::holds_alternative<kernels::Multiply>(stage);
    });
}

bool is_core_alone(const KernelSpec& spec) {
    return spec.middle.empty() && !spec.load_map && !spec.store_map && !spec.folded_in && !spec.folded_out &&
           !spec.bins_in && !spec.bins_out && !spec.textbook && !spec.input_halves && !spec.output_halves &&
           !spec.map_only && spec.prime == 0 && spec.texel_points == 0 && spec.precision != Precision::f64x2;
}

/// Whether result k of sequence q of the first is point q of sequence k of the second, in every transform; these
/// sequences are in the loop `across`.
bool crosses(const KernelSpec& first, const KernelSpec& second, std::size_t across = 0) {
    const std::vector<Loop>&a = first.loops, &b = second.loops;
    if (a.size() < across + 2 || a.size() != b.size() || a[across].count != second.n || b[across].count != first.n)
        return false;
    if (first.output_stride != b[across].input_stride || a[across].output_stride != second.input_stride) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!a[i].gaps.empty() || !b[i].gaps.empty()) return false;
        if (i != across && (a[i].count != b[i].count || a[i].output_stride != b[i].input_stride)) return false;
    }
    return first.output_offset == second.input_offset;
}

bool has_bins(const Step& step) { return step.spec.bins_in || step.spec.bins_out; }

/// Bins may meet on the sides of memory.
bool is_core_beside_bins(KernelSpec spec, bool is_first) {
    (is_first ? spec.bins_in : spec.bins_out).reset();
    return is_core_alone(spec);
}

bool may_meet(const Step& first, const Step& second) {
    return first.target == second.source && is_core_beside_bins(first.spec, true) &&
           is_core_beside_bins(second.spec, false) && is_pointwise(first.spec.store) &&
           first.spec.output_kept.ranges.empty() && second.spec.input_kept.ranges.empty();
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

Step fuse(const Step& first, const Step& second, bool is_same_memory) {
    Step step = first;
    step.target = second.target;
    KernelSpec next = second.spec;
    next.load.insert(next.load.begin(), first.spec.store.begin(), first.spec.store.end());
    KernelSpec& spec = step.spec;
    spec.output_storage = next.output_storage;
    spec.output_planar = next.output_planar;
    spec.output_real = next.output_real;
    spec.output_stride = next.output_stride;
    spec.output_offset = next.output_offset;
    spec.output_kept = next.output_kept;
    spec.store = next.store;
    spec.in_place = next.in_place = is_same_memory;
    next.movement_only = spec.movement_only;
    next.is_second = true;
    next.follows_bins = spec.bins_in.has_value();
    spec.then = {next};
    return step;
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
        step.spec.then.front().shape = other;
        steps.push_back(step);
        ++i;
    }
    schedule.steps = steps;
}

/// Neighbouring sequences of the one axis in the fastest loop, or another but the last, all of them, where loops were
/// merged.
void split_loops(KernelSpec& spec, std::uint64_t n, std::size_t at = 0) {
    if (spec.loops.size() < at + 2) return;
    Loop& inner = spec.loops[at];
    if (inner.count == n || inner.count % n != 0 || !inner.gaps.empty()) return;
    const Loop outer{inner.count / n, n * inner.input_stride, n * inner.output_stride};
    inner.count = n;
    spec.loops.insert(spec.loops.begin() + static_cast<std::ptrdiff_t>(at) + 1, outer);
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
    std::optional<kernels::RealMap>& map = rows.store_map ? rows.store_map : rows.load_map;
    if (!map || (rows.store_map && rows.load_map) || (map->kind != Kind::r2c && map->kind != Kind::c2r) ||
        !kernels::real_core(map->kind, map->length).is_paired || rows.n < 2 || rows.prime != 0)
        return false;
    const bool is_kept = rows.input_kept.ranges.empty() && rows.output_kept.ranges.empty() &&
                         columns.input_kept.ranges.empty() && columns.output_kept.ranges.empty();
    Loop& bins = columns.loops.front();
    if (!is_kept || bins.count != rows.n + std::uint64_t{1} || !bins.gaps.empty()) return false;
    for (const KernelSpec* spec : {&rows, &columns})
        if (!is_pointwise(spec->load) || !is_pointwise(spec->store)) return false;
    split_loops(rows, columns.n);
    bins.count = rows.n;
    std::optional<kernels::RealMap>& end = map->kind == Kind::r2c ? columns.bins_out : columns.bins_in;
    end = map;
    end->loop = 0;
    end->element_stride = 0;
    map.reset();
    return true;
}

/// The two passes of a schedule that are a plane of real numbers: r2c begins with them, c2r ends with them.
std::optional<std::size_t> find_real_plane(const Schedule& schedule) {
    const std::size_t steps = schedule.steps.size();
    if (steps < 2) return std::nullopt;
    if (schedule.steps.front().spec.store_map) return 0;
    return schedule.steps.back().spec.load_map ? std::optional(steps - 2) : std::nullopt;
}

/// The points of c2r are made of the spectrum, not of what an exchange of parts has left of it.
bool undo_swap(Schedule& schedule, std::size_t at, Step& columns) {
    if (has_swap(columns.spec.load) || !has_swap(columns.spec.store)) return true;
    if (at == 0) return false;
    schedule.steps[at - 1].spec.store.push_back(kernels::SwapParts{});
    columns.spec.load.insert(columns.spec.load.begin(), kernels::SwapParts{});
    return true;
}

bool fuse_real_plane(Schedule& schedule, bool is_in_place, const DeviceLimits& limits, const Tuning& tuning) {
    const std::optional<std::size_t> at = find_real_plane(schedule);
    if (!at) return false;
    Step first = schedule.steps[*at], second = schedule.steps[*at + 1];
    const bool is_r2c = first.spec.store_map.has_value();
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

/// The first three passes, a cube's axes, where a group has room for the cube.
bool fuse_cube(Schedule& schedule, bool is_in_place, const DeviceLimits& limits) {
    if (schedule.steps.size() < 3) return false;
    std::array<Step, 3> axes;
    std::copy_n(schedule.steps.begin(), axes.size(), axes.begin());
    std::array<std::uint64_t, 3> lengths = {};
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (has_bins(axes[i]) || !is_pointwise(axes[i].spec.load)) return false;
        lengths[i] = axes[i].spec.n;
    }
    if (!may_meet(axes[0], axes[1]) || !may_meet(axes[1], axes[2]) ||
        !holds_cube(lengths, axes[0].spec.precision, limits))
        return false;
    // The loops of all three: of the axis beside, of the third one, then others.
    const std::size_t beside[] = {1, 0, 0}, third[] = {2, 2, 1};
    for (std::size_t i = 0; i < axes.size(); ++i) {
        split_loops(axes[i].spec, lengths[beside[i]]);
        split_loops(axes[i].spec, lengths[third[i]], 1);
    }
    if (!crosses(axes[0].spec, axes[1].spec) || !crosses(axes[1].spec, axes[2].spec, 1)) return false;
    const Step behind = fuse(axes[1], axes[2], false);
    const bool is_given = axes[0].source == Role::input && axes[2].target == Role::output;
    schedule.steps[0] = fuse(axes[0], behind, axes[0].source == axes[2].target || (is_in_place && is_given));
    schedule.steps.erase(schedule.steps.begin() + 1, schedule.steps.begin() + 3);
    return true;
}

/// The first two passes, where a cluster has all of what they share, and before others has room for it.
bool fuse_whole(Schedule& schedule, bool is_in_place, const DeviceLimits& limits, const Tuning& tuning) {
    if (find_real_plane(schedule)) return fuse_real_plane(schedule, is_in_place, limits, tuning);
    if (schedule.steps.size() < 2 || !may_meet(schedule.steps[0], schedule.steps[1])) return false;
    Step first = schedule.steps[0], second = schedule.steps[1];
    if (schedule.steps.size() > 2) {
        if (has_bins(first) || has_bins(second)) return false;
        if (!is_pointwise(first.spec.load) || !is_pointwise(second.spec.load)) return false;
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

const kernels::Tile* tile_of(const KernelSpec& pass) {
    const auto* shape = std::get_if<GroupShape>(&pass.shape);
    return shape && shape->tile ? &*shape->tile : nullptr;
}

/// The way that the pass's tile stands for.
TileWay way_of(const KernelSpec& pass) {
    const kernels::Tile& tile = *tile_of(pass);
    for (const TileWay& way : tile_ways(pass, tile.crossing))
        if (way.tile.crossing_first == tile.crossing_first) return way;
    throw InternalError("tile of '" + pass.name + "': its sequences are not to be found");
}

/// Elements from one sequence of a group to the next.
std::uint64_t sequence_stride(const KernelSpec& pass, bool is_input) {
    const kernels::Tile* tile = tile_of(pass);
    const auto of = [&](const auto& way) { return is_input ? way.input : way.output; };
    if (!tile) return is_input ? pass.loops[0].input_stride : pass.loops[0].output_stride;
    return of(tile->beside ? way_of(pass).beside : way_of(pass).crossing);
}

/// Points that a thread may have so that neighbours fill a sector of each row.
std::uint32_t most_points(const KernelSpec& pass, bool is_input, const DeviceLimits& limits) {
    const std::uint64_t element_stride = is_input ? pass.input_stride : pass.output_stride;
    if (sequence_stride(pass, is_input) < element_stride) return UINT32_MAX;
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

/// The passes of a kernel, in order.
std::vector<KernelSpec*> passes_of(KernelSpec& spec) {
    std::vector<KernelSpec*> passes{&spec};
    kernels::for_each_then(spec, [&](KernelSpec& next) { passes.push_back(&next); });
    return passes;
}

/// Points of each thread: a butterfly of the largest radix of both passes; more where the threads would be too many.
std::uint32_t points_of_thread(KernelSpec& spec, std::uint64_t held, const DeviceLimits& limits, const Tuning& tuning) {
    KernelSpec& next = spec.then.front();
    std::uint32_t most = std::min(most_points(spec, true, limits), most_points(next, false, limits));
    if (is_of_plane(spec.bins_in) || is_of_plane(next.bins_out)) most = std::max(most, least_points_of_reals);
    if (tuning.radices.empty()) {
        for (KernelSpec* pass : {&spec, &next})
            if (largest_of(pass->radices) > most) pass->radices = factor_into_radices(pass->n, most);
    }
    const std::uint32_t radix = std::max(largest_of(spec.radices), largest_of(next.radices));
    const auto divides = [&](std::uint32_t points) { return spec.n % points == 0 && next.n % points == 0; };
    const bool is_long = std::max(spec.radices.size(), next.radices.size()) > 2;
    const std::uint32_t most_threads =
        is_long ? std::min(most_threads_of_long, limits.max_group_size) : limits.max_group_size;
    std::uint32_t points = radix;
    while (points < 4 * radix && (!divides(points) || held / points > most_threads)) ++points;
    while (!divides(points)) --points;
    for (KernelSpec* pass : {&spec, &next}) {
        const std::vector<std::uint32_t> fewest = factor_into_radices(pass->n, std::min(points, largest_radix_of_few));
        if (tuning.radices.empty() && fewest.size() < pass->radices.size()) pass->radices = fewest;
    }
    if (tuning.radices.empty()) end_with_multiple(spec.radices, std::max(1u, tuning.groups_per_cluster));
    if (spec.bins_in && !is_of_plane(*spec.bins_in)) begin_with_bins(spec, points);
    if (next.bins_out && !is_of_plane(*next.bins_out)) end_with_bins(next, points);
    return points;
}

/// Whether each thread has two butterflies of the radix at the end where bins meet.
bool has_pairs_of_bins(const KernelSpec& spec, std::uint32_t points) {
    if (!spec.bins_in && !spec.bins_out) return true;
    const std::uint32_t radix = spec.bins_in ? spec.radices.front() : spec.radices.back();
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

bool holds_cube(const problem::Canonical& problem, const DeviceLimits& limits) {
    const std::size_t axes = problem.axes.size();
    if (axes < 3) return false;
    std::array<std::uint64_t, 3> lengths = {};
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const problem::Axis& axis = problem.axes[axes - 1 - i];
        if (axis.kind != Kind::c2c) return false;
        lengths[i] = axis.length;
    }
    return holds_cube(lengths, problem.precision, limits);
}

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
    if (tuning.threads_per_transform != 0)
        throw Unsupported("tuning.threads_per_transform: expected 0 beside groups_per_cluster, got " +
                          std::to_string(tuning.threads_per_transform));
    const std::size_t before = schedule.steps.size();
    if ((ranks != 1 || !fuse_cube(schedule, is_in_place, limits)) && !fuse_whole(schedule, is_in_place, limits, tuning))
        fuse_tiles(schedule, is_in_place, limits, tuning);
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
    const TilePair pair{way_of(spec), way_of(spec.then.front())};
    const std::uint64_t wanted = tuning.transforms_per_group;
    if (wanted == 0)
        return transforms_with_room(spec, spec.then.front(), pair, {limits, std::max(1u, tuning.groups_per_cluster)});
    if (pair.first.transforms % wanted != 0)
        throw Unsupported("tuning.transforms_per_group: expected a divisor of the " +
                          std::to_string(pair.first.transforms) + " transforms that lie beside each other, got " +
                          std::to_string(wanted));
    return wanted;
}

/// Whole transforms that a group has, of so many threads and bytes each.
std::uint64_t choose_transforms(std::uint64_t threads, std::uint64_t bytes, const DeviceLimits& limits,
                                const Tuning& tuning) {
    if (tuning.transforms_per_group != 0) return tuning.transforms_per_group;
    std::uint64_t transforms = 1;
    while (threads * transforms * 2 <= wanted_fused_group && bytes * transforms * 2 <= limits.shared_bytes)
        transforms *= 2;
    return transforms;
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
    const bool is_tight = spec.bins_in && (spec.input_real || spec.radices.size() > 2);
    const std::uint64_t of_bins = is_of_plane(spec.bins_in) ? std::min(5 * points, most_beside_planes) : 0;
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
    const KernelSpec &spec = pair.spec, &next = spec.then.front();
    if (!has_pairs_of_bins(spec, points) || !has_pairs_of_bins(next, points) || transforms > 1)
        throw Unsupported(std::string(name) + "expected two butterflies of a thread where bins meet, got " +
                          std::to_string(points) + " points");
    pair.first.columns_meet = spec.bins_in.has_value();
    pair.second.columns_meet = next.bins_out.has_value();
    if (spec.bins_in) pair.first.load_order = ThreadOrder::sequence_fastest;
}

/// Bins of a plane that the groups of a cluster share.
void meet_in_plane(const Shaped& pair) {
    GroupShape& columns = pair.spec.bins_in ? pair.first : pair.second;
    if (columns.sequences % 2 != 0)
        throw Unsupported(std::string(name) + "expected groups of columns and their mirrors, got " +
                          std::to_string(columns.sequences) + " columns of a group");
    columns.columns_meet = true;
    // Results of neighbouring rows go to a neighbour's column in runs.
    if (pair.spec.then.front().bins_out && pair.spec.radices.size() > 1)
        pair.first.store_order = ThreadOrder::sequence_fastest;
}

}  // namespace

namespace {

/// What the passes of a kernel have in common.
struct Held {
    std::uint32_t ranks = 1;
    std::uint64_t points = 1, bytes = 0;  ///< Of a group: points, and what they take in shared memory.
    std::uint64_t transforms = 1;
};

GroupShape shape_of(const KernelSpec& pass, const Held& held, std::uint32_t points, const DeviceLimits& limits) {
    const bool is_input = !pass.is_second;
    GroupShape shape;
    if (tile_of(pass)) shape.tile = *tile_of(pass);
    shape.groups_per_cluster = held.ranks;
    shape.whole_points = true;
    shape.one_by_one = limits.vectors == Vectors::implicit_simd;
    shape.load_order = sequence_stride(pass, is_input) < (is_input ? pass.input_stride : pass.output_stride)
                           ? ThreadOrder::sequence_fastest
                           : ThreadOrder::element_fastest;
    shape.store_order = shape.load_order;
    shape.threads = pass.n / points;
    shape.sequences = static_cast<std::uint32_t>(held.points / pass.n);
    shape.planes = held.bytes <= limits.shared_bytes ? 2 : 1;
    return shape;
}

/// Of the three passes of a cube, each of which has as many threads as its radices ask for.
void choose_cube_shape(KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    const std::vector<KernelSpec*> passes = passes_of(spec);
    Held held;
    for (KernelSpec* pass : passes) {
        pass->radices = radices_of_cube(pass->n, pass->precision);
        held.points *= pass->n;
    }
    std::uint64_t threads = 1;
    for (const KernelSpec* pass : passes) threads = std::max(threads, held.points / points_of(pass->radices));
    held.bytes = bytes_held(spec.precision, held.points);
    held.transforms = choose_transforms(threads, held.bytes, limits, tuning);
    held.points *= held.transforms;
    held.bytes *= held.transforms;
    std::uint64_t most = 1;
    for (const KernelSpec* pass : passes) most = std::max<std::uint64_t>(most, points_of(pass->radices));
    // As groups_beside.
    const std::uint64_t registers = std::bit_ceil(4 * most) * threads * held.transforms;
    const std::uint64_t groups = std::min(registers_per_unit / registers, limits.shared_bytes_per_unit / held.bytes);
    const bool is_bounded = limits.vectors == Vectors::subgroups && spec.precision == Precision::f32 && groups > 1;
    for (KernelSpec* pass : passes) {
        GroupShape shape = shape_of(*pass, held, points_of(pass->radices), limits);
        shape.min_groups_per_unit = is_bounded ? static_cast<std::uint32_t>(groups) : 0;
        pass->shape = shape;
    }
    if (threads * held.transforms > limits.max_group_size || held.bytes > limits.shared_bytes)
        throw Unsupported("a group of " + std::to_string(threads * held.transforms) + " threads for " +
                          std::to_string(held.points) + " points in three passes: expected at most " +
                          std::to_string(limits.max_group_size) + " threads and " +
                          std::to_string(limits.shared_bytes) + " bytes of shared memory");
}

}  // namespace

void choose_fused_shape(KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    KernelSpec& next = spec.then.front();
    if (!next.then.empty()) return choose_cube_shape(spec, limits, tuning);
    Held held;
    held.ranks = std::max(1u, tuning.groups_per_cluster);
    if (spec.n % held.ranks != 0 || next.n % held.ranks != 0)
        throw Unsupported(std::string(name) + "expected a divisor of both passes, of " + std::to_string(spec.n) +
                          " and " + std::to_string(next.n) + " points, got " + std::to_string(held.ranks));
    held.points = std::uint64_t{spec.n} * next.n / held.ranks;
    if (tile_of(spec)) held.points *= held.transforms = choose_tile(spec, limits, tuning);
    const bool has_plane = is_of_plane(spec.bins_in) || is_of_plane(next.bins_out);
    const bool has_columns = !has_plane && (spec.bins_in || next.bins_out);
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

namespace {

/// Whether each thread has at least one butterfly of either pass.
bool keeps_threads_busy(KernelSpec spec, const DeviceLimits& limits, const Tuning& tuning) {
    try {
        choose_fused_shape(spec, limits, tuning);
    } catch (const Unsupported&) {
        return false;
    }
    const std::uint32_t points = spec.n / std::get<GroupShape>(spec.shape).threads;
    return points >= std::max(largest_of(spec.radices), largest_of(spec.then.front().radices));
}

}  // namespace

bool fuse_where_it_pays(Schedule& schedule, bool is_in_place, const DeviceLimits& limits, const Tuning& tuning) {
    Schedule fused = schedule;
    if (tuning.groups_per_cluster == 1 && !tuning.trailing_passes && fuse_cube(fused, is_in_place, limits)) {
        drop_unused_workspaces(fused);
        schedule = fused;
        return true;
    }
    if (!fuse_whole(fused, is_in_place, limits, tuning)) return false;
    const auto step =
        std::find_if(fused.steps.begin(), fused.steps.end(), [](const Step& one) { return !one.spec.then.empty(); });
    if (!keeps_threads_busy(step->spec, limits, tuning)) return false;
    drop_unused_workspaces(fused);
    schedule = fused;
    return true;
}

}  // namespace seiche::planner
