// Fusing: which passes may be one kernel, and how its points are dealt to groups and threads.
#include "planner/fuse.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "planner/factorize.hpp"
#include "planner/shape.hpp"
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
/// Threads that a group of several transforms should have.
constexpr std::uint64_t wanted_fused_group = 256;
constexpr const char* name = "tuning.groups_per_cluster: ";

bool is_pointwise(const std::vector<Stage>& stages) {
    return std::all_of(stages.begin(), stages.end(), [](const Stage& stage) {
        return std::holds_alternative<kernels::SwapParts>(stage) || std::holds_alternative<kernels::Multiply>(stage);
    });
}

bool is_core_alone(const KernelSpec& spec) {
    return spec.middle.empty() && !spec.load_map && !spec.store_map && !spec.folded_in && !spec.folded_out &&
           !spec.textbook && !spec.input_halves && !spec.output_halves && !spec.map_only && spec.prime == 0 &&
           spec.texel_points == 0 && spec.precision != Precision::f64x2;
}

/// Whether result k of sequence q of the first is point q of sequence k of the second, in every transform.
bool crosses(const KernelSpec& first, const KernelSpec& second) {
    const std::vector<Loop>&a = first.loops, &b = second.loops;
    if (a.size() < 2 || a.size() != b.size() || a[0].count != second.n || b[0].count != first.n) return false;
    if (first.output_stride != b[0].input_stride || a[0].output_stride != second.input_stride) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!a[i].gaps.empty() || !b[i].gaps.empty()) return false;
        if (i > 0 && (a[i].count != b[i].count || a[i].output_stride != b[i].input_stride)) return false;
    }
    return first.output_offset == second.input_offset;
}

bool may_fuse(const Step& first, const Step& second) {
    return first.target == second.source && is_core_alone(first.spec) && is_core_alone(second.spec) &&
           crosses(first.spec, second.spec) && is_pointwise(first.spec.store) &&
           first.spec.output_kept.ranges.empty() && second.spec.input_kept.ranges.empty();
}

Step fuse(const Step& first, const Step& second, bool is_in_place) {
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
    spec.in_place = next.in_place = step.source == step.target || is_in_place;
    next.movement_only = spec.movement_only;
    next.is_second = true;
    spec.then = {next};
    return step;
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
    const std::uint64_t element_stride = is_input ? pass.input_stride : pass.output_stride;
    const std::uint64_t sequence_stride = is_input ? pass.loops[0].input_stride : pass.loops[0].output_stride;
    if (sequence_stride < element_stride) return UINT32_MAX;
    return std::max(2u, pass.n * access_bytes(pass, is_input) / limits.sector_bytes);
}

/// Points of each thread: a butterfly of the largest radix of both passes; more where the threads would be too many.
std::uint32_t points_of_thread(KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    KernelSpec& next = spec.then.front();
    const std::uint32_t most = std::min(most_points(spec, true, limits), most_points(next, false, limits));
    if (tuning.radices.empty()) {
        for (KernelSpec* pass : {&spec, &next})
            if (largest_of(pass->radices) > most) pass->radices = factor_into_radices(pass->n, most);
    }
    const std::uint32_t radix = std::max(largest_of(spec.radices), largest_of(next.radices));
    const std::uint64_t held = std::uint64_t{spec.n} * next.n / std::max(1u, tuning.groups_per_cluster);
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
    return points;
}

}  // namespace

std::vector<std::uint32_t> lengths_across(std::uint64_t n, std::uint32_t ranks, std::uint32_t largest_prime) {
    std::vector<std::uint32_t> best;
    for (std::uint64_t a = ranks; a * a <= n; a += ranks) {
        if (n % a != 0 || n / a % ranks != 0 || n / a > UINT32_MAX) continue;
        if (!support::is_smooth(a, largest_prime) || !support::is_smooth(n / a, largest_prime)) continue;
        best = {static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(n / a)};
    }
    return best;
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
    if (schedule.steps.size() != 2 || !may_fuse(schedule.steps[0], schedule.steps[1]))
        throw Unsupported(std::string(name) +
                          "expected a transform of two passes, the second across the first's results, got " +
                          std::to_string(schedule.steps.size()) + (schedule.steps.size() == 2 ? " others" : ""));
    schedule.steps = {fuse(schedule.steps[0], schedule.steps[1], is_in_place)};
    drop_unused_workspaces(schedule);
}

void choose_fused_shape(KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    KernelSpec& next = spec.then.front();
    const std::uint32_t ranks = std::max(1u, tuning.groups_per_cluster);
    if (spec.n % ranks != 0 || next.n % ranks != 0)
        throw Unsupported(std::string(name) + "expected a divisor of both passes, of " + std::to_string(spec.n) +
                          " and " + std::to_string(next.n) + " points, got " + std::to_string(ranks));
    const auto order = [](std::uint64_t element_stride, std::uint64_t sequence_stride) {
        return sequence_stride < element_stride ? ThreadOrder::sequence_fastest : ThreadOrder::element_fastest;
    };
    const std::uint32_t points = points_of_thread(spec, limits, tuning);
    GroupShape shape;
    shape.groups_per_cluster = ranks;
    shape.whole_points = true;
    shape.one_by_one = limits.vectors == Vectors::implicit_simd;
    GroupShape other = shape;
    shape.load_order = shape.store_order = order(spec.input_stride, spec.loops[0].input_stride);
    other.load_order = other.store_order = order(next.output_stride, next.loops[0].output_stride);
    shape.threads = spec.n / points;
    other.threads = next.n / points;
    const std::uint64_t held = std::uint64_t{spec.n} * next.n / ranks, threads = held / points;
    const std::uint64_t number = stored_bytes(spec.precision, Storage::same);
    const std::uint64_t both = 2 * number * (std::has_single_bit(held) ? held : held + held / 8);
    std::uint64_t transforms = 1;
    if (ranks == 1)
        while (threads * transforms * 2 <= wanted_fused_group && both * transforms * 2 <= limits.shared_bytes)
            transforms *= 2;
    if (tuning.transforms_per_group != 0) transforms = tuning.transforms_per_group;
    shape.planes = other.planes = both * transforms <= limits.shared_bytes ? 2 : 1;
    if (threads * transforms > limits.max_group_size || both * transforms / (3 - shape.planes) > limits.shared_bytes ||
        (ranks > 1 && transforms > 1))
        throw Unsupported("a group of " + std::to_string(threads * transforms) + " threads for " +
                          std::to_string(held * transforms) + " points in two passes: expected at most " +
                          std::to_string(limits.max_group_size) + " threads and " +
                          std::to_string(limits.shared_bytes) + " bytes of shared memory");
    shape.sequences = static_cast<std::uint32_t>(next.n / ranks * transforms);
    other.sequences = static_cast<std::uint32_t>(spec.n / ranks * transforms);
    spec.shape = shape;
    next.shape = other;
}

}  // namespace seiche::planner
