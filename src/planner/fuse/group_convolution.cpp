#include "planner/fuse/group_convolution.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
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
    std::uint32_t whole = 1;   ///< Sequences that a thread has whole.
    std::uint32_t points = 1;  ///< Of a thread.
    double instructions = 0;   ///< Of a thread.
};

std::uint32_t most_points(Precision precision, Algorithm algorithm) {
    const auto& most = algorithm == Algorithm::bluestein ? convolutions_in_group::most_points_beside_chirps
                       : algorithm == Algorithm::rader   ? convolutions_in_group::most_points
                                                         : convolutions_in_group::most_points_of_butterflies;
    return most.of(precision);
}

/// What a thread does with its points between memory, or the transpose, and the other: once, or for a convolution
/// twice and with a product.
double instructions_of(const Distribution& own, std::uint32_t n, Precision precision, Algorithm algorithm) {
    const double weight = convolutions_in_group::instructions_of_operation.of(precision);
    const auto stages = static_cast<double>(own.radices.size());
    const double points = static_cast<double>(points_with_idle(own.radices, n, own.threads)) / own.threads;
    const double run = weight * operations_of_thread(own.radices, n, own.threads) +
                       convolutions_in_group::instructions_of_point.of(precision) * points +
                       convolutions_in_group::instructions_of_stage * stages;
    return (algorithm == Algorithm::direct ? 1 : 2) * run +
           2 * convolutions_in_group::instructions_of_point.of(precision) * own.points;
}

/// All whose points fit registers.
std::vector<Distribution> distributions(std::uint32_t n, Precision precision, Algorithm algorithm) {
    const std::uint32_t most = most_points(precision, algorithm);
    std::vector<Distribution> all;
    std::vector<std::vector<std::uint32_t>> known;
    for (std::uint32_t largest = 2; largest <= std::min(n, most); ++largest) {
        const std::vector<std::uint32_t> radices = factor_into_radices(n, largest);
        if (radices.empty() || std::find(known.begin(), known.end(), radices) != known.end()) continue;
        known.push_back(radices);
        std::uint32_t before = 0;
        for (std::uint32_t threads = 1; threads <= n / *std::min_element(radices.begin(), radices.end()); ++threads) {
            const std::uint32_t points = most_points_of_thread(radices, n, threads);
            if (points > std::max(most, largest_of(radices)) || points == before) continue;
            before = points;  // more threads of as many points idle
            Distribution own{radices, threads, 1, points};
            own.instructions = instructions_of(own, n, precision, algorithm);
            all.push_back(std::move(own));
        }
    }
    return all;
}

/// The fewest instructions of all threads.
Distribution cheapest(std::uint32_t n, Precision precision, Algorithm algorithm) {
    const std::vector<Distribution> all = distributions(n, precision, algorithm);
    const auto cost = [](const Distribution& own) { return own.instructions * own.threads; };
    const auto least = std::min_element(
        all.begin(), all.end(), [&](const Distribution& a, const Distribution& b) { return cost(a) < cost(b); });
    return least == all.end() ? Distribution{} : *least;
}

/// A pass as its group has it.
struct Part {
    Algorithm algorithm = Algorithm::direct;
    std::uint32_t n = 1;          ///< Of the core.
    std::uint64_t sequences = 1;  ///< Of one transform.
    Distribution distribution;

    std::uint64_t threads() const {
        return (sequences * distribution.threads + distribution.whole - 1) / distribution.whole;
    }
    std::uint64_t points() const { return std::uint64_t{distribution.points} * distribution.whole; }
    double instructions() const { return distribution.instructions * distribution.whole; }
    /// Places in shared memory. A prime has a point beside its core's.
    std::uint64_t places() const {
        const std::uint64_t row = std::has_single_bit(n) ? n : n + 1;
        return sequences * (algorithm == Algorithm::rader ? row + 1 : row);
    }
    /// Registers of a thread that keep the compiler from spilling.
    std::uint64_t registers(Precision precision) const {
        const auto beside = algorithm == Algorithm::bluestein ? convolutions_in_group::registers_beside_chirps
                                                              : convolutions_in_group::registers_beside;
        return registers_of_point(precision) * points() + beside.of(precision);
    }
};
using BothParts = std::array<Part, 2>;

/// What a group needs for a transform.
struct Need {
    std::uint64_t threads = 1, registers = 1;  ///< Registers of a thread.
    std::uint64_t places = 0, bytes = 0;       ///< Of shared memory.
};

Need need_of(const BothParts& parts, Precision precision) {
    Need need;
    for (const Part& part : parts) {
        need.threads = std::max(need.threads, part.threads());
        need.registers = std::max(need.registers, part.registers(precision));
        need.places = std::max(need.places, part.places());
    }
    need.bytes = need.places * 2 * stored_bytes(precision, Storage::same);
    return need;
}

/// Resident groups for which there are registers, and shared memory.
std::uint32_t resident_groups(const Need& need, const DeviceLimits& limits) {
    const auto threads = static_cast<std::uint32_t>(need.threads);
    std::uint32_t groups = 1;
    while (groups < most_groups_of_unit && registers_beside_others(threads, groups + 1) >= need.registers) ++groups;
    const std::uint64_t by_memory = std::max<std::uint64_t>(1, limits.shared_bytes_per_unit / need.bytes);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(groups, by_memory));
}

/// Cycles of a multiprocessor for a transform: what its subgroups issue, and what they wait for one another, as far as
/// other groups do not hide it.
double cycles_of(const BothParts& parts, const Need& need, const DeviceLimits& limits) {
    double issued = 0, waited = convolutions_in_group::cycles_of_memory;
    for (const Part& part : parts) {
        const auto subgroups = static_cast<double>(subgroups_of_group(static_cast<std::uint32_t>(part.threads())));
        issued += subgroups * part.instructions() / convolutions_in_group::instructions_of_cycle;
        waited += part.instructions() * convolutions_in_group::cycles_of_instruction;
    }
    waited /= resident_groups(need, limits);
    const bool spills = registers_beside_others(static_cast<std::uint32_t>(need.threads), 1) < need.registers;
    return std::hypot(issued, waited) * (spills ? convolutions_in_group::price_of_spilling : 1);
}

/// The cheapest distribution of both. False: a group has no threads for them, or no memory for one component.
bool distribute(BothParts& parts, Precision precision, const DeviceLimits& limits) {
    std::array<std::vector<Distribution>, 2> all;
    for (std::size_t i = 0; i < 2; ++i) all[i] = distributions(parts[i].n, precision, parts[i].algorithm);
    std::optional<BothParts> best;
    double least = 0;
    for (const Distribution& second : all[1])
        for (const Distribution& first : all[0]) {
            BothParts own = parts;
            own[0].distribution = first;
            own[1].distribution = second;
            if (first.radices.size() == 1 && own[0].algorithm == Algorithm::direct && is_gpu(limits)) {
                const std::uint64_t most = std::max(1u, most_points(precision, Algorithm::direct) / first.points);
                const std::uint64_t threads = own[1].threads(), wanted = (own[0].sequences + threads - 1) / threads;
                own[0].distribution.whole = static_cast<std::uint32_t>(std::min(most, wanted));
            }
            const Need need = need_of(own, precision);
            if (need.threads > limits.max_group_size || need.bytes > 2 * std::uint64_t{limits.shared_bytes}) continue;
            const double cycles = cycles_of(own, need, limits);
            if (best && least <= cycles) continue;
            best = own;
            least = cycles;
        }
    if (best) parts = *best;
    return best.has_value();
}

Part part_of(const KernelSpec& pass) {
    const Algorithm algorithm = pass.runs_once()              ? Algorithm::direct
                                : pass.convolution.prime != 0 ? Algorithm::rader
                                                              : Algorithm::bluestein;
    return {algorithm, pass.n, pass.loops[0].count, {}};
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

}  // namespace

Pass pass_in_group(std::uint32_t n, Precision precision, const DeviceLimits& limits) {
    const auto pass = [&](Algorithm algorithm, std::uint32_t points) {
        return Pass{n, algorithm, {points, cheapest(points, precision, algorithm).radices}};
    };
    const auto cost = [&](Algorithm algorithm, std::uint64_t points) {
        const Distribution own = cheapest(static_cast<std::uint32_t>(points), precision, algorithm);
        return own.instructions * own.threads;
    };
    const std::uint32_t smooth = largest_prime(limits, precision);
    if (support::is_smooth(n, smooth)) return pass(Algorithm::direct, n);
    const bool may_be_rader = support::is_prime(n) && support::is_smooth(n - 1, smooth);
    if (may_be_rader && support::is_smooth(n - 1)) return pass(Algorithm::rader, n - 1);
    std::uint64_t best = 0;
    const std::uint64_t padded = 2 * std::uint64_t{n} - 1;
    for (std::uint64_t m = support::next_smooth(padded); m <= support::next_power_of_two(padded);
         m = support::next_smooth(m + 1))
        if (best == 0 || cost(Algorithm::bluestein, m) < cost(Algorithm::bluestein, best)) best = m;
    const bool is_rader = may_be_rader && cost(Algorithm::rader, n - 1) <= cost(Algorithm::bluestein, best);
    return is_rader ? pass(Algorithm::rader, n - 1) : pass(Algorithm::bluestein, static_cast<std::uint32_t>(best));
}

bool holds_convolution(const std::vector<std::uint32_t>& lengths, Precision precision, const DeviceLimits& limits) {
    BothParts parts;
    for (std::size_t i = 0; i < 2; ++i) {
        const Pass pass = pass_in_group(lengths[i], precision, limits);
        if (i == 0 && pass.algorithm == Algorithm::bluestein) return false;
        parts[i] = {pass.algorithm, pass.core.n, lengths[1 - i], {}};
    }
    return distribute(parts, precision, limits);
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
    const KernelSpec& second = fused.on_chip.next.front();
    return second.on_chip.next.empty() && (!fused.runs_once() || !second.runs_once());
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
    BothParts parts{part_of(spec), part_of(spec.on_chip.next.front())};
    const bool has_any = distribute(parts, spec.precision, limits);
    Need need = need_of(parts, spec.precision);
    Held held;
    held.transforms = transforms_of(need, limits, tuning);
    need.threads *= held.transforms;
    held.points = need.places * held.transforms;
    held.bytes = need.bytes *= held.transforms;
    if (!has_any || need.threads > limits.max_group_size || need.bytes > 2 * std::uint64_t{limits.shared_bytes})
        return "a group of " + std::to_string(need.threads) + " threads for " + std::to_string(held.points) +
               " points of a convolution on chip: expected at most " + std::to_string(limits.max_group_size) +
               " threads and " + std::to_string(limits.shared_bytes) + " bytes of shared memory for one part";
    std::size_t i = 0;
    for (KernelSpec* pass : passes_of(spec)) {
        const Distribution& own = parts[i].distribution;
        GroupShape shape = shape_of(*pass, held, 1, limits);
        shape.threads = own.threads;
        shape.sequences = static_cast<std::uint32_t>(parts[i++].sequences * held.transforms);
        if (own.whole > 1) {
            shape.form = kernels::WholeSequences{own.whole};
            shape.load_order = shape.store_order = kernels::ThreadOrder::flat;
        }
        need.bytes = held.bytes / (3 - shape.exchange.components);
        shape.min_groups_per_unit = is_gpu(limits) ? resident_groups(need, limits) : 0;
        pass->radices = own.radices;
        if (pass->convolution.prime != 0) {  // whose points lie in another order in memory
            pass->radices.insert(pass->radices.begin(), 1u);
            pass->radices.push_back(1u);
        }
        pass->shape = shape;
    }
    return std::nullopt;
}

}  // namespace seiche::planner
