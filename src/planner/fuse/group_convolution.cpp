#include "planner/fuse/group_convolution.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "planner/device_model.hpp"
#include "planner/fuse/parts.hpp"
#include "planner/model/fusing.hpp"
#include "planner/model/registers.hpp"
#include "planner/shape/factorize.hpp"
#include "planner/shape/parts.hpp"
#include "planner/shape/shape.hpp"
#include "support/primes.hpp"

namespace seiche::planner {

namespace {

using kernels::GroupShape;
using kernels::KernelSpec;

std::uint64_t points_of(const KernelSpec& pass) { return kernels::sequence_points(pass, pass.in.stages); }

/// A pass as its group has it.
struct Part {
    KernelSpec& spec;
    std::uint64_t sequences = 1;  ///< Of one transform.
    std::vector<std::uint32_t> radices;
    std::uint32_t threads = 1;  ///< Of a sequence.

    std::uint32_t points() const { return most_points_of_thread(radices, spec.n, threads); }
    /// Places in shared memory: of a prime's points as they come, or of its core and what lies beside.
    std::uint64_t places() const {
        const std::uint64_t row = std::has_single_bit(spec.n) ? spec.n : spec.n + 1;
        return sequences * (spec.convolution.prime != 0 ? std::max(row + 1, points_of(spec)) : row);
    }
};

/// Radices and threads of a core: few stages, few idle threads, points that fit registers.
void distribute(Part& part, std::uint32_t most_points) {
    const std::uint32_t n = part.spec.n;
    double least = 0;
    for (std::uint32_t largest = 2; largest <= std::min(n, most_points); ++largest) {
        const std::vector<std::uint32_t> radices = factor_into_radices(n, largest);
        if (radices.empty() || largest_of(radices) > std::max(largest, most_points)) continue;
        for (std::uint32_t threads = 1; threads <= n; ++threads) {
            const std::uint32_t points = most_points_of_thread(radices, n, threads);
            if (points > std::max(most_points, largest_of(radices))) continue;
            const double cost =
                static_cast<double>(points_with_idle(radices, n, threads)) * (1 + own_threads::points_beside / points);
            if (part.radices.empty() || cost < least) {
                least = cost;
                part.radices = radices;
                part.threads = threads;
            }
        }
    }
    if (part.radices.empty()) {  // a large prime's butterfly
        part.radices = factor_into_radices(n, most_points);
        part.threads = n / largest_of(part.radices);
    }
}

std::vector<Part> parts_of(KernelSpec& spec) {
    std::vector<Part> parts;
    for (KernelSpec* pass : passes_of(spec)) {
        Part& part = parts.emplace_back(Part{*pass, pass->loops[0].count, {}});
        distribute(part, convolutions_in_group::most_points.of(spec.precision));
    }
    return parts;
}

/// Transforms of a group of so many threads each: a few subgroups.
std::uint64_t transforms_of(std::uint64_t threads, std::uint64_t bytes, const DeviceLimits& limits,
                            const Tuning& tuning) {
    if (tuning.transforms_per_group != 0) return tuning.transforms_per_group;
    std::uint64_t transforms = 1;
    while (threads * transforms < convolutions_in_group::least_threads &&
           2 * bytes * transforms <= limits.shared_bytes && 2 * threads * transforms <= limits.max_group_size)
        transforms *= 2;
    return transforms;
}

/// Resident groups to ask for: as many as have registers for their points, and shared memory; 0: the compiler manages.
std::uint32_t resident_groups(std::uint64_t points, std::uint64_t threads, std::uint64_t bytes, Precision precision,
                              const DeviceLimits& limits) {
    if (!is_gpu(limits) || precision != Precision::f32) return 0;
    const auto needed = static_cast<std::uint32_t>(2 * points + convolutions_in_group::registers_beside);
    std::uint32_t groups = 1;
    while (registers_beside_others(static_cast<std::uint32_t>(threads), groups + 1) >= needed) ++groups;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(groups, limits.shared_bytes_per_unit / bytes));
}

}  // namespace

bool is_rader_in_group(std::uint64_t n, Precision precision, const DeviceLimits& limits) {
    return support::is_prime(n) && n > 3 && support::is_smooth(n - 1, largest_prime(limits, precision));
}

std::vector<std::uint32_t> lengths_with_convolution(std::uint64_t n, Precision precision, const DeviceLimits& limits) {
    const std::uint64_t longest = limits.shared_bytes / (2 * stored_bytes(precision, Storage::same));
    if (n > longest) return {};
    const std::uint32_t smooth = largest_prime(limits, precision);
    std::uint64_t rest = n, prime = 1;
    for (std::uint64_t p = 2; rest > 1; ++p)
        for (; rest % p == 0; rest /= p) prime = p;
    if (prime <= smooth || prime == n) return {};
    const auto one = static_cast<std::uint32_t>(n / prime), last = static_cast<std::uint32_t>(prime);
    if (support::is_smooth(one, smooth)) return {one, last};
    if (is_rader_in_group(one, precision, limits)) return {one, last};
    return is_rader_in_group(prime, precision, limits) && support::is_prime(one) ? std::vector{last, one}
                                                                                 : std::vector<std::uint32_t>{};
}

bool has_convolution(const KernelSpec& fused) {
    bool has = !fused.runs_once();
    kernels::for_each_then(fused, [&](const KernelSpec& next) { has = has || !next.runs_once(); });
    return has;
}

bool fuse_convolution(Schedule& schedule, bool is_in_place, const DeviceLimits& limits) {
    if (schedule.steps.size() != 2) return false;
    const Step &first = schedule.steps[0], &second = schedule.steps[1];
    const bool is_any = !first.spec.runs_once() || !second.spec.runs_once();
    const bool is_whole = first.spec.out.kept.ranges.empty() && second.spec.in.kept.ranges.empty();
    const auto may_be = [](const KernelSpec& pass) {
        return pass.convolution.channels.is_single() && !kernels::splits_parity(pass);
    };
    if (!is_any || !is_whole || has_bins(first) || has_bins(second) || !may_be(first.spec) || !may_be(second.spec) ||
        !may_pass_on_chip(first, second) || !is_transposed(first.spec, second.spec))
        return false;
    const bool is_given = first.source == Role::input && second.target == Role::output;
    Step fused = fuse(first, second, first.source == second.target || (is_in_place && is_given));
    fused.spec.on_chip.own_threads = true;
    KernelSpec shaped = fused.spec;
    if (choose_convolution_shape(shaped, limits, {})) return false;
    schedule.steps = {fused};
    return true;
}

Refusal choose_convolution_shape(KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    std::vector<Part> parts = parts_of(spec);
    std::uint64_t threads = 1, points = 1;
    Held held;
    for (const Part& part : parts) {
        threads = std::max(threads, part.sequences * part.threads);
        points = std::max<std::uint64_t>(points, part.points());
        held.points = std::max(held.points, part.places());
    }
    held.bytes = held.points * 2 * stored_bytes(spec.precision, Storage::same);
    held.transforms = transforms_of(threads, held.bytes, limits, tuning);
    threads *= held.transforms;
    held.points *= held.transforms;
    held.bytes *= held.transforms;
    if (threads > limits.max_group_size || held.bytes > 2 * std::uint64_t{limits.shared_bytes})
        return "a group of " + std::to_string(threads) + " threads for " + std::to_string(held.points) +
               " points of a convolution on chip: expected at most " + std::to_string(limits.max_group_size) +
               " threads and " + std::to_string(limits.shared_bytes) + " bytes of shared memory for one part";
    for (Part& part : parts) {
        GroupShape shape = shape_of(part.spec, held, 1, limits);
        shape.threads = part.threads;
        shape.sequences = static_cast<std::uint32_t>(part.sequences * held.transforms);
        shape.min_groups_per_unit =
            resident_groups(points, threads, held.bytes / (3 - shape.exchange.components), spec.precision, limits);
        part.spec.radices = part.radices;
        if (part.spec.convolution.prime != 0) {  // whose points lie in another order in memory
            part.spec.radices.insert(part.spec.radices.begin(), 1u);
            part.spec.radices.push_back(1u);
        }
        part.spec.shape = shape;
    }
    return std::nullopt;
}

}  // namespace seiche::planner
