// Fusing: which passes may be one kernel, and how its points are distributed to groups and threads.
#include "planner/fuse/fuse.hpp"
#include "planner/device_model.hpp"

#include <algorithm>
#include <string>

#include "planner/fuse/group_convolution.hpp"
#include "planner/fuse/parts.hpp"
#include "planner/fuse/tile.hpp"
#include "planner/model/pipelining.hpp"
#include "planner/shape/parts.hpp"
#include "planner/shape/shape.hpp"
#include "support/primes.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

namespace {

using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::Loop;
using kernels::Stage;

/// Whether a group's shared memory and registers hold so many points.
bool has_room(Precision precision, std::uint64_t points, const DeviceLimits& limits) {
    const std::uint64_t most = std::uint64_t{limits.max_group_size} * points_per_thread(limits, precision);
    return bytes_held(precision, points) <= limits.shared_bytes && points <= most;
}

/// Two lengths whose product is n, as alike as possible, multiples of `ranks` and smooth; empty: there are none.
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
bool may_fuse_all(const Step& first, const Step& second) {
    return first.spec.runs_once() && second.spec.runs_once() && may_pass_on_chip(first, second) &&
           first.spec.out.kept.ranges.empty() && second.spec.in.kept.ranges.empty();
}

/// A tile of these passes that the groups of a cluster hold.
std::optional<TilePair> fitting_tile(const Step& first, const Step& second, const DeviceLimits& limits,
                                     const Tuning& tuning) {
    const KernelSpec &a = first.spec, &b = second.spec;
    const std::uint32_t ranks = tuning.groups_per_cluster;
    if (!may_fuse_all(first, second) || has_bins(first) || has_bins(second) || a.n % ranks != 0 || b.n % ranks != 0)
        return std::nullopt;
    const std::optional<TilePair> pair = find_tile(a, b);
    return pair && transforms_with_room(a, b, *pair, {limits, ranks}) != 0 ? pair : std::nullopt;
}

/// False: there are none.
bool fuse_tiles(Schedule& schedule, bool is_in_place, const DeviceLimits& limits, const Tuning& tuning) {
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
    const bool has_any = steps.size() != schedule.steps.size();
    schedule.steps = steps;
    return has_any;
}

bool has_swap(const std::vector<Stage>& stages) {
    return std::count(stages.begin(), stages.end(), Stage(kernels::SwapParts{})) % 2 != 0;
}

/// Rows of real numbers, as complex points, beside the axis of the spectrum's columns.
struct RealPlane {
    Step &rows, &columns;
};

/// Makes both passes complex, with conjugate pairs of the plane at the spectrum's side. False: they cannot be.
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

/// The two passes of a real plane: the first of r2c, or the last of c2r.
std::optional<std::size_t> find_real_plane(const Schedule& schedule) {
    const std::size_t steps = schedule.steps.size();
    if (steps < 2) return std::nullopt;
    if (schedule.steps.front().spec.out.map()) return 0;
    return schedule.steps.back().spec.in.map() ? std::optional(steps - 2) : std::nullopt;
}

/// c2r needs the spectrum's own values: an exchange of real and imaginary parts moves to another pass.
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
    if (!may_fuse_all(first, second) || !is_transposed(first.spec, second.spec) || !fits ||
        (!is_r2c && !undo_swap(schedule, *at, first)))
        return false;
    const bool is_given = first.source == Role::input && second.target == Role::output;
    schedule.steps[*at] = fuse(first, second, first.source == second.target || (is_in_place && is_given));
    schedule.steps.erase(schedule.steps.begin() + static_cast<std::ptrdiff_t>(*at) + 1);
    return true;
}

/// The first two passes, where a cluster holds what they share, also before other passes.
bool fuse_whole(Schedule& schedule, bool is_in_place, const DeviceLimits& limits, const Tuning& tuning) {
    if (find_real_plane(schedule)) return fuse_real_plane(schedule, is_in_place, limits, tuning);
    if (schedule.steps.size() < 2 || !may_fuse_all(schedule.steps[0], schedule.steps[1])) return false;
    Step first = schedule.steps[0], second = schedule.steps[1];
    if (schedule.steps.size() > 2) {
        if (has_bins(first) || has_bins(second)) return false;
        if (!is_pointwise(first.spec.in.stages) || !is_pointwise(second.spec.in.stages)) return false;
        const std::uint64_t points = std::uint64_t{first.spec.n} * second.spec.n / tuning.groups_per_cluster;
        if (!has_room(first.spec.precision, points, limits)) return false;
        split_loops(first.spec, second.spec.n);
        split_loops(second.spec, first.spec.n);
    }
    if (!is_transposed(first.spec, second.spec)) return false;
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

}  // namespace

std::uint64_t transforms_with_room(const KernelSpec& a, const KernelSpec& b, const TilePair& pair,
                                   const Cluster& cluster) {
    std::uint64_t transforms = transforms_of_tile(a, b, pair, cluster.limits);
    const auto fits = [&] {
        return has_room(a.precision, std::uint64_t{a.n} * b.n / cluster.ranks * transforms, cluster.limits);
    };
    while (transforms % 2 == 0 && !fits()) transforms /= 2;
    return fits() ? transforms : 0;
}

std::vector<std::uint32_t> lengths_in_clusters(std::uint64_t n, Precision precision, const DeviceLimits& limits,
                                               const Tuning& tuning) {
    const std::uint32_t ranks = tuning.groups_per_cluster, largest = largest_prime(limits, precision);
    const std::uint64_t run = std::uint64_t{tiles::sectors_of_run} * limits.sector_bytes;
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

bool fuse_as(FusedAs as, Schedule& schedule, bool is_in_place, const DeviceLimits& limits, const Tuning& tuning) {
    const auto fused = [&] {
        switch (as) {
            case FusedAs::whole: return fuse_whole(schedule, is_in_place, limits, tuning);
            case FusedAs::tiles: return fuse_tiles(schedule, is_in_place, limits, tuning);
            case FusedAs::own_threads:
                return fuse_in_group(schedule, is_in_place, limits, OwnThreads::anywhere) ||
                       fuse_convolution(schedule, is_in_place, limits);
            case FusedAs::whole_rows: return fuse_in_group(schedule, is_in_place, limits, OwnThreads::where_faster);
        }
        return false;
    };
    if (!fused()) return false;
    drop_unused_workspaces(schedule);
    return true;
}

}  // namespace seiche::planner
