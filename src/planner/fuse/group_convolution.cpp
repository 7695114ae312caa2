#include "planner/fuse/group_convolution.hpp"

#include <algorithm>
#include <bit>
#include <optional>
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

/// A core's radices and the threads of a sequence.
struct Distribution {
    std::vector<std::uint32_t> radices;
    std::uint32_t threads = 1;
    double cost = 0;  ///< Operations of all threads, idle ones too, and what each point costs at each stage.
};

/// Few stages, few idle threads, points that fit registers. No radices: so many threads do not suffice.
Distribution distribute(std::uint32_t n, Precision precision, Algorithm algorithm,
                        std::uint64_t most_threads = UINT32_MAX) {
    const bool has_chirps = algorithm == Algorithm::bluestein;
    const std::uint32_t most =
        (has_chirps ? convolutions_in_group::most_points_beside_chirps : convolutions_in_group::most_points)
            .of(precision);
    const double beside = convolutions_in_group::operations_beside;
    Distribution best;
    for (std::uint32_t largest = 2; largest <= std::min(n, most); ++largest) {
        const std::vector<std::uint32_t> radices = factor_into_radices(n, largest);
        if (radices.empty()) continue;
        const std::uint32_t most_points = std::max(most, largest_of(radices));
        for (std::uint32_t threads = std::max(1u, n / most_points); threads <= std::min<std::uint64_t>(n, most_threads);
             ++threads) {
            if (most_points_of_thread(radices, n, threads) > most_points) continue;
            const double cost =
                threads * operations_of_thread(radices, n, threads) +
                beside * static_cast<double>(points_with_idle(radices, n, threads)) +
                convolutions_in_group::operations_of_thread * threads * static_cast<double>(radices.size());
            if (best.radices.empty() || cost < best.cost) best = {radices, threads, cost};
        }
    }
    return best;
}

/// A pass as its group has it.
struct Part {
    Algorithm algorithm = Algorithm::direct;
    std::uint32_t n = 1;          ///< Of the core.
    std::uint64_t sequences = 1;  ///< Of one transform.
    Distribution distribution;

    std::uint64_t threads() const { return sequences * distribution.threads; }
    /// Places in shared memory. A prime has a point beside its core's.
    std::uint64_t places() const {
        const std::uint64_t row = std::has_single_bit(n) ? n : n + 1;
        return sequences * (algorithm == Algorithm::rader ? row + 1 : row);
    }
    /// Registers of a thread that keep the compiler from spilling.
    std::uint64_t registers(Precision precision) const {
        const auto beside = algorithm == Algorithm::bluestein ? convolutions_in_group::registers_beside_chirps
                                                              : convolutions_in_group::registers_beside;
        return std::uint64_t{registers_of_point(precision)} *
                   most_points_of_thread(distribution.radices, n, distribution.threads) +
               beside.of(precision);
    }
};

Part part_of(const KernelSpec& pass, const DeviceLimits& limits) {
    const Algorithm algorithm = pass.runs_once()              ? Algorithm::direct
                                : pass.convolution.prime != 0 ? Algorithm::rader
                                                              : Algorithm::bluestein;
    const std::uint64_t sequences = pass.loops[0].count;
    return {algorithm, pass.n, sequences,
            distribute(pass.n, pass.precision, algorithm, limits.max_group_size / sequences)};
}

std::vector<Part> parts_of(const KernelSpec& spec, const DeviceLimits& limits) {
    std::vector<Part> parts{part_of(spec, limits)};
    kernels::for_each_then(spec, [&](const KernelSpec& next) { parts.push_back(part_of(next, limits)); });
    return parts;
}

/// What a group needs for a transform.
struct Need {
    std::uint64_t threads = 1, registers = 1;  ///< Registers of a thread.
    std::uint64_t places = 0, bytes = 0;       ///< Of shared memory.
    bool has_threads = true;                   ///< There are enough.
};

Need need_of(const std::vector<Part>& parts, Precision precision) {
    Need need;
    for (const Part& part : parts) {
        if (part.distribution.radices.empty()) {
            need.has_threads = false;
            continue;
        }
        need.threads = std::max(need.threads, part.threads());
        need.registers = std::max(need.registers, part.registers(precision));
        need.places = std::max(need.places, part.places());
    }
    need.bytes = need.places * 2 * stored_bytes(precision, Storage::same);
    return need;
}

/// Whether a group holds real and imaginary parts one after the other at least.
bool fits(const Need& need, const DeviceLimits& limits) {
    return need.has_threads && need.threads <= limits.max_group_size &&
           need.bytes <= 2 * std::uint64_t{limits.shared_bytes};
}

/// Transforms of a group: a few subgroups.
std::uint64_t transforms_of(const Need& need, const DeviceLimits& limits, const Tuning& tuning) {
    if (tuning.transforms_per_group != 0) return tuning.transforms_per_group;
    std::uint64_t transforms = 1;
    while (need.threads * transforms < convolutions_in_group::least_threads &&
           2 * need.bytes * transforms <= limits.shared_bytes && 2 * need.threads * transforms <= limits.max_group_size)
        transforms *= 2;
    return transforms;
}

/// Resident groups to ask for: as many as have registers, and shared memory.
std::uint32_t resident_groups(const Need& need, std::uint64_t bytes, const DeviceLimits& limits) {
    if (!is_gpu(limits)) return 0;
    std::uint32_t groups = 1;
    while (registers_beside_others(static_cast<std::uint32_t>(need.threads), groups + 1) >= need.registers) ++groups;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(groups, limits.shared_bytes_per_unit / bytes));
}

}  // namespace

Pass pass_in_group(std::uint32_t n, Precision precision, const DeviceLimits& limits) {
    const auto pass = [&](Algorithm algorithm, std::uint32_t points) {
        return Pass{n, algorithm, {points, distribute(points, precision, algorithm).radices}};
    };
    const std::uint32_t smooth = largest_prime(limits, precision);
    if (support::is_smooth(n, smooth)) return pass(Algorithm::direct, n);
    std::optional<std::uint32_t> best;
    double least = 0;
    const std::uint64_t padded = 2 * std::uint64_t{n} - 1;
    for (std::uint64_t m = support::next_smooth(padded); m <= support::next_power_of_two(padded);
         m = support::next_smooth(m + 1)) {
        const double cost = distribute(static_cast<std::uint32_t>(m), precision, Algorithm::bluestein).cost;
        if (best && least <= cost) continue;
        best = static_cast<std::uint32_t>(m);
        least = cost;
    }
    const bool is_rader =
        support::is_prime(n) && support::is_smooth(n - 1, smooth) &&
        distribute(n - 1, precision, Algorithm::rader).cost <= convolutions_in_group::price_of_bluestein * least;
    return is_rader ? pass(Algorithm::rader, n - 1) : pass(Algorithm::bluestein, *best);
}

bool holds_convolution(const std::vector<std::uint32_t>& lengths, Precision precision, const DeviceLimits& limits) {
    std::vector<Part> parts;
    for (std::size_t i = 0; i < 2; ++i) {
        const Pass pass = pass_in_group(lengths[i], precision, limits);
        if (i == 0 && pass.algorithm == Algorithm::bluestein) return false;
        parts.push_back({pass.algorithm, pass.core.n, lengths[1 - i],
                         distribute(pass.core.n, precision, pass.algorithm, limits.max_group_size / lengths[1 - i])});
    }
    return fits(need_of(parts, precision), limits);
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
    for (const std::vector<std::uint32_t>& lengths : {std::vector{one, last}, std::vector{last, one}})
        if (holds_convolution(lengths, precision, limits)) return lengths;
    return {};
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
    if (!is_any || !is_whole || !may_be(first.spec) || !may_be(second.spec) || !may_pass_on_chip(first, second) ||
        !is_transposed(first.spec, second.spec))
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
    const std::vector<Part> parts = parts_of(spec, limits);
    Need need = need_of(parts, spec.precision);
    Held held;
    held.transforms = transforms_of(need, limits, tuning);
    need.threads *= held.transforms;
    held.points = need.places * held.transforms;
    held.bytes = need.bytes *= held.transforms;
    if (!fits(need, limits))
        return "a group of " + std::to_string(need.threads) + " threads for " + std::to_string(held.points) +
               " points of a convolution on chip: expected at most " + std::to_string(limits.max_group_size) +
               " threads and " + std::to_string(limits.shared_bytes) + " bytes of shared memory for one part";
    std::size_t i = 0;
    for (KernelSpec* pass : passes_of(spec)) {
        const Part& part = parts[i++];
        GroupShape shape = shape_of(*pass, held, 1, limits);
        shape.threads = part.distribution.threads;
        shape.sequences = static_cast<std::uint32_t>(part.sequences * held.transforms);
        shape.min_groups_per_unit = resident_groups(need, held.bytes / (3 - shape.exchange.components), limits);
        pass->radices = part.distribution.radices;
        if (pass->convolution.prime != 0) {  // whose points lie in another order in memory
            pass->radices.insert(pass->radices.begin(), 1u);
            pass->radices.push_back(1u);
        }
        pass->shape = shape;
    }
    return std::nullopt;
}

}  // namespace seiche::planner
