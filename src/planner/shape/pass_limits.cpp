// What one pass can hold, and the radices and threads of its core.
#include <algorithm>
#include <bit>

#include "planner/device_model.hpp"
#include "planner/measured/rules.hpp"
#include "planner/model/cores.hpp"
#include "planner/model/groups.hpp"
#include "planner/model/processors.hpp"
#include "planner/model/registers.hpp"
#include "planner/shape/factorize.hpp"
#include "planner/shape/parts.hpp"
#include "seiche/error.hpp"
#include "support/primes.hpp"

namespace seiche::planner {

namespace {

std::uint32_t points_of_many_registers(Precision precision) {
    switch (precision) {
        case Precision::f16:
        case Precision::f32: return cores::points_per_thread_f32;
        case Precision::f64: return cores::points_per_thread_f64;
        case Precision::f64x2: break;
    }
    return cores::points_per_thread_f64x2;
}

}  // namespace

std::uint32_t points_per_thread(const DeviceLimits& limits, Precision precision) {
    return points_of_many_registers(precision) / (has_few_registers(limits) ? 2 : 1);
}

std::uint32_t most_radix(const DeviceLimits& limits, Precision precision) {
    if (has_few_registers(limits)) return points_per_thread(limits, precision);
    return precision == Precision::f64x2 ? cores::largest_radix_f64x2 : cores::largest_radix;
}

namespace {

std::vector<std::uint32_t> scalarised_radices(const CoreQuestion& core, const DeviceLimits& limits) {
    const auto n = static_cast<std::uint32_t>(core.n);
    const std::vector<std::uint32_t> radices = factor_into_radices(n, scalarised::largest_radix);
    const bool has_neighbours = core.map == CoreMap::none &&
                                2 * component_bytes(n, core.precision) <= limits.shared_bytes &&
                                kernels::can_exchange_neighbours(radices, scalarised::most_neighbours);
    return n < scalarised::shortest_long || has_neighbours ? radices
                                                           : factor_into_radices(n, scalarised::largest_radix_of_long);
}

std::uint32_t least_run(const DeviceLimits& limits, Precision precision, bool is_strided) {
    return is_strided ? std::max(1u, limits.sector_bytes / (2 * real_bytes(precision))) : 1;
}

std::uint32_t longest_in_shared(const DeviceLimits& limits, Precision precision, bool is_strided) {
    return limits.shared_bytes / (real_bytes(precision) * least_run(limits, precision, is_strided));
}

}  // namespace

std::uint32_t chunks_that_fit(std::uint64_t n, Precision precision, const DeviceLimits& limits) {
    for (std::uint32_t chunks = 1; chunks <= cores::most_chunks; chunks *= 2) {
        if (n % chunks == 0 && component_bytes(n / chunks, precision) <= limits.shared_bytes) return chunks;
    }
    return 0;
}

std::uint32_t longest_pass(const DeviceLimits& limits, Precision precision, bool is_strided) {
    if (!has_groups(limits)) {
        const std::uint32_t lanes = is_strided ? simd_lanes(limits, precision) : 1;
        return std::bit_floor(std::min(simd::scratch_bytes, limits.shared_bytes) / (4 * real_bytes(precision) * lanes));
    }
    const std::uint64_t by_registers = std::uint64_t{limits.max_group_size} * points_per_thread(limits, precision) /
                                       least_run(limits, precision, is_strided);
    const std::uint64_t by_shared = longest_in_shared(limits, precision, is_strided);
    return static_cast<std::uint32_t>(std::bit_floor(std::min(by_shared, by_registers)));
}

std::uint32_t longest_forced_pass(const DeviceLimits& limits, Precision precision, bool is_strided) {
    if (!has_groups(limits)) return longest_pass(limits, precision, is_strided);
    return longest_in_shared(limits, precision, is_strided);
}

std::uint32_t longest_split_pass(const DeviceLimits& limits, Precision precision) {
    const std::uint32_t longest = longest_pass(limits, precision, true);
    if (!has_groups(limits)) return longest;
    const std::uint64_t threads = has_unbounded_registers(limits)
                                      ? std::min(limits.max_group_size, cores::largest_unbounded_group)
                                      : limits.max_group_size;
    const std::uint64_t by_registers =
        threads * points_per_thread(limits, precision) * 2 * real_bytes(precision) / run_bytes;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(longest, by_registers));
}

bool fits_one_pass(const CoreQuestion& core, const DeviceLimits& limits) {
    const std::uint64_t n = core.n;
    const Precision precision = core.precision;
    if (n > longest_pass(limits, precision, core.is_strided)) {
        return core.is_complex_row() && chunks_that_fit(n, precision, limits) != 0 &&
               has_lone_radices(n, precision, limits);
    }
    if (has_groups(limits)) {
        const std::uint64_t sequences =
            core.is_strided ? std::max(1u, limits.sector_bytes / (2 * real_bytes(precision))) : 1;
        const std::uint64_t plane = component_bytes(n + (core.has_point_beside ? 1 : 0), precision);
        return plane * std::max<std::uint64_t>(sequences, core.map != CoreMap::none ? 2 : 1) <= limits.shared_bytes;
    }
    // Scratch arrays have padding for registers behind the points: see kernels::scratch_points.
    const std::uint64_t behind = (core.map != CoreMap::none ? 1 : 0) + (core.has_point_beside ? 1 : 0);
    const std::uint64_t points = n + behind * simd_lanes(limits, precision);
    if (points > limits.shared_bytes / (4 * real_bytes(precision))) return false;
    if (n <= longest_pass(limits, precision, true)) return true;
    const LaneQuestion lanes{simd_lanes(limits, precision), most_radix(limits, precision), core.runs_twice};
    return !factor_for_lanes(static_cast<std::uint32_t>(n), lanes).empty();
}

std::vector<std::uint32_t> choose_radices_of_two(std::uint32_t n, Precision precision, const DeviceLimits& limits) {
    const std::uint64_t in_runs = 2 * component_bytes(n, precision) * (2 * run_bytes / (2 * real_bytes(precision)));
    if (!has_bounded_registers(limits) || precision != Precision::f32 || n <= cores::longest_with_usual_radices ||
        in_runs > full_exchange::bytes)
        return {};
    std::vector<std::uint32_t> two = factor_into_radices(n, cores::largest_radix_of_two);
    return two.size() == 2 && two.front() <= cores::largest_radix_of_two ? two : std::vector<std::uint32_t>{};
}

std::vector<std::uint32_t> choose_radices(const CoreQuestion& core, const DeviceLimits& limits) {
    const Precision precision = core.precision;
    const auto n = static_cast<std::uint32_t>(core.n);
    const bool is_tight = core.runs_twice && precision == Precision::f64 && has_groups(limits);
    const std::uint32_t largest = core.runs_twice && has_few_registers(limits) ? most_radix(limits, precision) / 2
                                  : is_tight                                   ? cores::largest_radix_convolved_f64
                                                                               : most_radix(limits, precision);
    if (core.is_strided && !core.runs_twice && core.map == CoreMap::none) {
        const std::vector<std::uint32_t> two = choose_radices_of_two(n, precision, limits);
        if (!two.empty()) return two;
    }
    const bool is_lone = core.is_complex_row() && n > longest_pass(limits, precision, false);
    if (is_lone && has_lone_radices(n, precision, limits)) return radices_of_lone(n, precision, limits);
    if (scalarises_accesses(limits) && !core.runs_twice && precision == Precision::f32)
        return scalarised_radices(core, limits);
    const std::vector<std::uint32_t> fewest = factor_into_radices(n, std::max(largest, 2u));
    if (!has_groups(limits) && !core.is_strided) {
        const LaneQuestion lanes{simd_lanes(limits, precision), most_radix(limits, precision), core.runs_twice};
        const std::vector<std::uint32_t> radices = factor_for_lanes(n, lanes);
        if (!radices.empty() && radices.size() <= fewest.size() + 1) return radices;
    }
    const bool may_be_larger =
        is_gpu(limits) && precision == Precision::f32 && !has_few_registers(limits) && fewest.size() > 3;
    if (core.is_complex_row() && may_be_larger) return radices_of_long(fewest, n, limits);
    const bool are_doubles = precision == Precision::f64 && fewest.size() > 2 && !has_few_registers(limits) &&
                             holds(Rule::large_radices_of_doubles, limits);
    const bool is_spectrum = core.map == CoreMap::spectrum && !core.runs_twice;
    if ((core.is_complex_row() || is_spectrum) && are_doubles) return radices_of_doubles(fewest, core, limits);
    return fewest;
}

std::uint32_t longest_in_thread(const DeviceLimits& limits, Precision precision, Storage storage) {
    if (!has_bounded_registers(limits)) return 0;
    if (precision == Precision::f64) return cores::longest_in_thread.doubles;
    if (precision != Precision::f32) return 0;
    const bool is_16_bit = storage == Storage::f16 || storage == Storage::bf16;
    return is_16_bit ? cores::longest_in_thread_16_bit : cores::longest_in_thread.floats;
}

namespace {

/// A prime of floats, and of wider numbers in proportion.
std::uint32_t with_few_registers(std::uint32_t prime, Precision precision) {
    return std::max(prime * 4 / register_bytes(precision), primes::smallest_largest);
}

}  // namespace

std::uint32_t largest_prime(const DeviceLimits& limits, Precision precision) {
    if (has_few_registers(limits)) return with_few_registers(primes::largest_of_few_registers, precision);
    if (precision == Precision::f64x2) return primes::largest_f64x2;
    const bool is_tight = has_groups(limits) && precision == Precision::f64;
    return is_tight ? primes::largest_f64 : primes::largest;
}

bool can_split_parts(const DeviceLimits& limits) {
    return has_groups(limits) && limits.fixed_subgroups && holds(Rule::parts_in_neighbouring_lanes, limits);
}

std::uint32_t largest_complex_prime(const DeviceLimits& limits, Precision precision, bool is_alone) {
    if (!has_bounded_registers(limits)) return largest_prime(limits, precision);
    if (precision == Precision::f64) return is_alone ? primes::largest_alone_f64 : primes::largest_complex_f64;
    return precision == Precision::f32 ? largest_prime_radix : largest_prime(limits, precision);
}

std::uint32_t largest_convolved_prime(const DeviceLimits& limits, Precision precision) {
    if (has_few_registers(limits)) return with_few_registers(primes::largest_convolved_of_few_registers, precision);
    if (precision == Precision::f64x2) return primes::largest_convolved_f64x2;
    return has_groups(limits) ? primes::largest_convolved.of(precision) : primes::largest_convolved.floats;
}

std::uint32_t largest_rader_prime(const DeviceLimits& limits, Precision precision) {
    const bool is_known = precision == Precision::f32 || precision == Precision::f64;
    return has_bounded_registers(limits) && is_known ? primes::largest_of_rader
                                                     : largest_convolved_prime(limits, precision);
}

namespace {

/// As many threads as another radix has butterflies, where few of them would need a second round: it takes the
/// registers and time of all. Short transforms have their own rules. Example: LAB-0025.
std::uint32_t threads_without_rests(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads,
                                    const DeviceLimits& limits) {
    if (threads < core_threads::least) return threads;
    const std::uint64_t least = points_with_idle(radices, n, threads) * core_threads::worthwhile_percent / 100;
    std::uint32_t best = threads;
    for (const std::uint32_t r : radices) {
        const std::uint32_t count = n / r;
        if (count > limits.max_group_size || points_with_idle(radices, n, count) > least) continue;
        if (best == threads || points_with_idle(radices, n, count) < points_with_idle(radices, n, best)) best = count;
    }
    return best;
}

/// Doubles: as many threads as another large radix has butterflies, where a second one would spill; more than eight
/// subgroups spill the more. Measured: LAB-0025.
std::uint32_t threads_of_two_large(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads,
                                   const DeviceLimits& limits) {
    std::uint32_t best = threads;
    for (const std::uint32_t r : radices) {
        const std::uint32_t count = n / r;
        if (count > std::min(core_threads::most_f64, limits.max_group_size) || 2 * count > 3 * threads) continue;
        const std::uint32_t held = most_points_of_thread(radices, n, best);
        if (held > core_threads::most_points_f64 && most_points_of_thread(radices, n, count) < held) best = count;
    }
    return best;
}

/// Registers that the stage with the most points lacks, even in a block that is alone.
std::uint32_t missing_registers(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads,
                                Precision precision) {
    const std::uint32_t radix = *std::max_element(radices.begin(), radices.end());
    const bool has_sums =
        precision == Precision::f64 && radix >= primes::shortest_with_sums && support::is_prime(radix);
    const auto beside = has_sums ? registers_beside::large_prime : registers_beside::pass;
    const std::uint32_t needed =
        registers_of_point(precision) * most_points_of_thread(radices, n, threads) + beside.of(precision);
    const std::uint32_t had = std::min(registers_beside_others(threads, 1), most_registers_of_thread);
    return needed > had ? needed - had : 0;
}

/// As many threads as another radix has butterflies, where a second one would spill: a few idle threads more cost
/// less. Measured: LAB-0116.
std::uint32_t threads_with_registers(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads,
                                     Precision precision, const DeviceLimits& limits) {
    if (missing_registers(radices, n, threads, precision) <= registers::that_may_lack) return threads;
    std::uint64_t most = points_with_idle(radices, n, threads) * core_threads::idle_percent_for_registers / 100;
    std::uint32_t best = threads;
    for (const std::uint32_t r : radices) {
        const std::uint32_t count = n / r;
        const std::uint64_t points = points_with_idle(radices, n, count);
        if (count > limits.max_group_size || points > most ||
            missing_registers(radices, n, count, precision) > registers::that_may_lack)
            continue;
        most = points;
        best = count;
    }
    return best;
}

/// Operations of all lanes of a small block for each of its sequences.
double operations_of_lanes(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads) {
    const std::uint32_t sequences = std::bit_ceil((group_threads::wanted_dense + threads - 1) / threads);
    return operations_of_thread(radices, n, threads) * lanes_of_subgroup * subgroups_of_group(threads * sequences) /
           sequences;
}

/// Floats whose code outgrows the instruction caches: as many threads as another radix has butterflies, where that
/// spares second butterflies for hardly more operations, idle lanes' included; not so many that a block has no other
/// beside it. Measured: LAB-0116.
std::uint32_t threads_of_short_text(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads,
                                    const DeviceLimits& limits) {
    if (operations_of_thread(radices, n, threads) <= core_threads::longest_text) return threads;
    double most = operations_of_lanes(radices, n, threads) * core_threads::operations_for_short_text;
    std::uint32_t best = threads;
    for (const std::uint32_t r : radices) {
        const std::uint32_t count = n / r;
        const double operations = operations_of_lanes(radices, n, count);
        const bool is_alone = count > group_threads::wanted && threads <= group_threads::wanted;
        if (count <= threads || count > limits.max_group_size || is_alone || operations > most ||
            missing_registers(radices, n, count, Precision::f32) > registers::that_may_lack)
            continue;
        most = operations;
        best = count;
    }
    return best;
}

}  // namespace

/// One butterfly of the largest radix a thread. A core that runs twice has twice the code, so that a second butterfly
/// for a few threads costs more than idle ones: the fewest points, as long as there are registers.
std::uint32_t threads_for_core(const std::vector<std::uint32_t>& radices, const CoreQuestion& core,
                               const DeviceLimits& limits) {
    const auto n = static_cast<std::uint32_t>(core.n);
    if (core.is_complex_row() && n > longest_pass(limits, core.precision, false)) {
        if (const std::uint32_t threads = threads_of_lone(radices, core, limits)) return threads;
    }
    if (is_long(radices, core, limits)) return threads_of_long(radices, n, limits);
    if (are_of_doubles(radices, core, limits))
        if (const std::uint32_t threads = threads_of_doubles(radices, n)) return threads;
    const std::uint32_t radix = *std::max_element(radices.begin(), radices.end());
    std::uint32_t threads = std::max(1u, n / radix);
    while (threads > limits.max_group_size) threads = (threads + 1) / 2;
    const bool runs_once = !core.runs_twice && !core.is_strided && limits.bounds_registers;
    if (runs_once && core.precision == Precision::f64) {
        const std::uint32_t more = threads_of_two_large(radices, n, threads, limits);
        if (more != threads) return more;
    }
    if (!core.runs_twice) return core.is_strided ? threads : threads_without_rests(radices, n, threads, limits);
    const auto weight = [&](std::uint32_t count) {
        std::uint32_t sum = 0, most = 0;
        for (const std::uint32_t r : radices) {
            const std::uint32_t own = butterflies_of_thread(n, r, count) * r;
            sum += own;
            most = std::max(most, own);
        }
        const std::uint32_t needed = 2 * most * registers_of_point(core.precision) +
                                     registers_beside::convolution_with_factors.of(core.precision);
        const std::uint32_t had =
            std::min({registers::most_of_convolution, registers_per_unit / count, limits.registers_per_thread});
        return std::uint64_t{count} * sum + std::uint64_t{n} * (needed > had ? needed - had : 0);
    };
    for (const std::uint32_t r : radices) {
        for (std::uint32_t butterflies = 1; butterflies <= 2; ++butterflies) {
            const std::uint32_t count = (n / r + butterflies - 1) / butterflies;
            if (count <= limits.max_group_size && weight(count) < weight(threads)) threads = count;
        }
    }
    return threads;
}

std::uint32_t threads_of_rows(const std::vector<std::uint32_t>& radices, const CoreQuestion& core,
                              const DeviceLimits& limits) {
    const auto n = static_cast<std::uint32_t>(core.n);
    const std::uint32_t threads = threads_for_core(radices, core, limits);
    const bool is_float = core.precision == Precision::f32;
    const bool has_own_rule = n > longest_pass(limits, core.precision, false) || is_long(radices, core, limits) ||
                              are_of_doubles(radices, core, limits);
    if (core.runs_twice || !limits.bounds_registers || has_own_rule || !(is_float || core.precision == Precision::f64))
        return threads;
    return threads_with_registers(radices, n, is_float ? threads_of_short_text(radices, n, threads, limits) : threads,
                                  core.precision, limits);
}

std::vector<std::uint32_t> radices_for(const Mirrored& mirrored, std::vector<std::uint32_t> radices) {
    if (mirrored.front && !mirrored.back && !std::is_sorted(radices.begin(), radices.end()))
        std::reverse(radices.begin(), radices.end());
    const auto is_behind = [&](std::uint32_t radix) { return radix >= radices.front(); };
    if (mirrored.front && mirrored.back && radices.size() > 2 &&
        !std::all_of(radices.begin(), radices.end() - 1, is_behind))
        std::rotate(radices.begin(), radices.end() - 2, radices.end() - 1);
    return radices;
}

std::uint32_t most_mirrored_threads(std::uint32_t n, const std::vector<std::uint32_t>& radices,
                                    const Mirrored& mirrored) {
    std::uint32_t most = n;
    if (mirrored.front && mirrored.back) most = std::min(most, (n / radices.front() + 1) / 2);
    if (mirrored.back) most = std::min(most, (n / radices.back() + 1) / 2);
    return most;
}

std::uint32_t simd_lanes(const DeviceLimits& limits, Precision precision) {
    // The halves of a double-double are in registers of their own.
    const std::uint32_t lanes = limits.vector_bytes / std::min(real_bytes(precision), 8u);
    return std::clamp(std::bit_floor(lanes), 1u, 16u);
}

}  // namespace seiche::planner
