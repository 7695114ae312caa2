// Radices of long transforms: larger than usual where they spare a stage, so exchanges and barriers, in an order with
// few bank conflicts; and those with which one group holds more points than usual ones would.
#include <algorithm>
#include <bit>
#include <limits>

#include "kernels/contract/generate.hpp"
#include "kernels/contract/spec.hpp"
#include "planner/device_model.hpp"
#include "planner/measured/rules.hpp"
#include "planner/model/cores.hpp"
#include "planner/model/registers.hpp"
#include "planner/shape/factorize.hpp"
#include "planner/shape/parts.hpp"
#include "support/primes.hpp"

namespace seiche::planner {

namespace {

using Radices = std::vector<std::uint32_t>;

/// More than these are not tried.
constexpr std::size_t most_stages = 5;
constexpr std::uint32_t most_butterflies = 4;
constexpr double any_time = std::numeric_limits<double>::max();

struct Long {
    std::uint32_t n;
    Precision precision;
    std::uint32_t beside = registers_beside::long_row.floats;  ///< Registers, beside a thread's points.
    double waits_alone = long_rows::time_alone;
};

std::uint32_t registers_of_thread(std::uint32_t groups, std::uint32_t threads) {
    return std::min(registers_beside_others(threads, groups), registers::most_of_long_row);
}

bool is_alone(const Radices& radices, const Long& of, std::uint32_t threads) {
    return registers_of_thread(2, threads) <
           registers_of_point(of.precision) * most_points_of_thread(radices, of.n, threads) + of.beside;
}

double time_in_threads(const Radices& radices, const Long& of, std::uint32_t threads) {
    return long_rows::time_of_operation * threads * operations_of_thread(radices, of.n, threads) / of.n +
           (is_alone(radices, of, threads) ? of.waits_alone : 0) +
           long_rows::time_of_exchange * static_cast<double>(radices.size() - 1);
}

double time_of(const Radices& radices, const Long& of, const DeviceLimits& limits) {
    const std::uint32_t threads = threads_for_core(radices, {of.n, false, false, of.precision}, limits);
    const double wavefronts = 2 * kernels::exchange_wavefronts(radices, of.n, threads, real_bytes(of.precision));
    return time_in_threads(radices, of, threads) +
           long_rows::time_of_wavefront * wavefronts * 4 / real_bytes(of.precision) / of.n;
}

/// Threads that hold all points in their registers, the fastest such; 0: there are none.
std::uint32_t threads_alone(const Radices& radices, const Long& of, std::uint32_t most) {
    std::uint32_t best = 0;
    for (const std::uint32_t r : radices) {
        for (std::uint32_t butterflies = 1; butterflies <= most_butterflies; ++butterflies) {
            const std::uint32_t threads = (of.n / r + butterflies - 1) / butterflies;
            const std::uint32_t needed =
                registers_of_point(of.precision) * most_points_of_thread(radices, of.n, threads);
            if (threads < long_rows::least_threads_alone || threads > most) continue;
            if (registers_of_thread(1, threads) < needed + registers_beside::lone_row.of(of.precision) ||
                needed > registers::most_of_long_row_points.of(of.precision))
                continue;
            if (best == 0 || time_in_threads(radices, of, threads) < time_in_threads(radices, of, best)) best = threads;
        }
    }
    return best;
}

/// The fastest order of the fastest few of these.
Radices fastest_order(std::vector<Radices> choices, const Long& of, const DeviceLimits& limits, double least) {
    const auto in_threads = [&](const Radices& radices) {
        return time_in_threads(radices, of, threads_for_core(radices, {of.n, false, false, of.precision}, limits));
    };
    std::sort(choices.begin(), choices.end(),
              [&](const Radices& a, const Radices& b) { return in_threads(a) < in_threads(b); });
    choices.resize(std::min(choices.size(), long_rows::choices_to_order));
    const std::uint32_t chunks = std::max(1u, chunks_that_fit(of.n, of.precision, limits));
    Radices best;
    for (Radices& radices : choices) {
        std::sort(radices.begin(), radices.end());
        do {
            if (!kernels::can_exchange_in_chunks(radices, chunks)) continue;
            const double time = time_of(radices, of, limits);
            if (time >= least) continue;
            least = time;
            best = radices;
        } while (std::next_permutation(radices.begin(), radices.end()));
    }
    return best;
}

}  // namespace

bool is_long(const Radices& radices, const CoreQuestion& core, const DeviceLimits& limits) {
    const std::uint32_t radix = *std::max_element(radices.begin(), radices.end());
    return is_gpu(limits) && core.precision == Precision::f32 && !core.runs_twice && radices.size() > 2 &&
           radix > cores::largest_radix && !support::is_prime(radix);
}

std::uint32_t threads_of_long(const Radices& radices, std::uint32_t n, const DeviceLimits& limits) {
    const Long of{n, Precision::f32};
    const std::uint32_t radix = *std::max_element(radices.begin(), radices.end());
    const std::uint32_t most = std::min(long_rows::most_threads, limits.max_group_size);
    std::uint32_t best = n / radix;
    for (const std::uint32_t r : radices) {
        const std::uint32_t threads = n / r;
        if (threads <= most && time_in_threads(radices, of, threads) < time_in_threads(radices, of, best))
            best = threads;
    }
    return best;
}

namespace {

Long with_large_radices(std::uint32_t n) {
    return {n, Precision::f64, registers_beside::large_radices.doubles, long_rows_of_doubles::time_alone};
}

}  // namespace

bool are_of_doubles(const Radices& radices, const CoreQuestion& core, const DeviceLimits& limits) {
    const bool is_row = !core.is_strided && !core.runs_twice && !core.has_point_beside;
    const bool has_pairs = core.map == CoreMap::spectrum;
    const std::uint32_t shortest = has_pairs ? long_rows_of_doubles::shortest_spectrum : long_rows_of_doubles::shortest;
    const std::uint32_t largest = *std::max_element(radices.begin(), radices.end());
    return holds(Rule::large_radices_of_doubles, limits) && !has_few_registers(limits) &&
           core.precision == Precision::f64 && is_row && (has_pairs || core.map == CoreMap::none) &&
           core.n >= shortest && core.n <= long_rows_of_doubles::longest && radices.size() == 3 &&
           largest > cores::largest_radix && largest <= long_rows_of_doubles::largest_radix &&
           largest != long_rows_of_doubles::prime_of_few_threads;
}

/// As many as a radix has butterflies, none with more points than the largest radix or 30; 0: there are none.
std::uint32_t threads_of_doubles(const Radices& radices, std::uint32_t n) {
    const Long of = with_large_radices(n);
    std::uint32_t best = 0;
    for (const std::uint32_t r : radices) {
        const std::uint32_t threads = n / r;
        const std::uint32_t points = most_points_of_thread(radices, n, threads);
        const std::uint32_t needed =
            registers_of_point(of.precision) * points + registers_beside::large_radices_alone.doubles;
        const bool has_room = threads <= long_rows::most_threads && points <= long_rows_of_doubles::largest_radix;
        if (!has_room || registers_of_thread(1, threads) < needed) continue;
        if (best == 0 || time_in_threads(radices, of, threads) < time_in_threads(radices, of, best)) best = threads;
    }
    return best;
}

Radices radices_of_doubles(const Radices& usual, const CoreQuestion& core, const DeviceLimits& limits) {
    const auto n = static_cast<std::uint32_t>(core.n);
    const auto time_of_places = [&](const Radices& radices, std::uint32_t threads) {
        const double wavefronts = 2 * kernels::exchange_wavefronts(radices, n, threads, sizeof(double));
        return long_rows_of_doubles::time_of_wavefront * wavefronts * 4 / sizeof(double) / n;
    };
    const Long of = with_large_radices(n),
               of_usual{n, Precision::f64, registers_beside::usual_radices.doubles, long_rows_of_doubles::time_alone};
    const std::uint32_t threads_of_usual = threads_for_core(usual, core, limits);
    Radices best = usual;
    double least = long_rows_of_doubles::worthwhile *
                   (time_in_threads(usual, of_usual, threads_of_usual) + time_of_places(usual, threads_of_usual));
    for (Radices radices : factorizations(n, long_rows_of_doubles::largest_radix, 3)) {
        const std::uint32_t threads = threads_of_doubles(radices, n);
        if (threads == 0 || !are_of_doubles(radices, core, limits)) continue;
        std::sort(radices.begin(), radices.end());
        do {
            const double in_threads = time_in_threads(radices, of, threads);
            // Counting places takes long.
            if (in_threads + long_rows_of_doubles::least_time_of_places >= least) continue;
            const double own = in_threads + time_of_places(radices, threads);
            if (own >= least) continue;
            least = own;
            best = radices;
        } while (std::next_permutation(radices.begin(), radices.end()));
    }
    return best;
}

std::uint32_t groups_of_long(const Radices& radices, std::uint32_t n, std::uint32_t threads) {
    if (is_alone(radices, {n, Precision::f32}, threads)) return 1;
    const std::uint32_t radix = *std::max_element(radices.begin(), radices.end());
    return registers_of_thread(3, threads) >= 2 * radix + registers_beside::long_row.floats ? 0 : 2;
}

Radices radices_of_long(const Radices& usual, std::uint32_t n, const DeviceLimits& limits) {
    const Radices fewest = factor_into_radices(n, long_rows::largest_radix);
    const bool has_unit =
        n / usual.front() >= long_rows::threads_of_unit ||
        long_rows::groups_to_alternate * component_bytes(n, Precision::f32) > limits.shared_bytes_per_unit;
    if (fewest.size() < 3 || n / fewest.front() < long_rows::least_threads || (std::has_single_bit(n) && !has_unit))
        return usual;
    const Long of{n, Precision::f32};
    const Radices even = fastest_order({fewest}, of, limits, long_rows::worthwhile * time_of(usual, of, limits));
    const double least = even.empty() ? long_rows::worthwhile * time_of(usual, of, limits)
                                      : long_rows::uneven * time_of(even, of, limits);
    const Radices best = fastest_order(factorizations(n, long_rows::largest_radix, fewest.size()), of, limits, least);
    return !best.empty() ? best : even.empty() ? usual : even;
}

std::uint32_t threads_of_lone(const Radices& radices, const CoreQuestion& core, const DeviceLimits& limits) {
    return threads_alone(radices, {static_cast<std::uint32_t>(core.n), core.precision}, limits.max_group_size);
}

namespace {

/// At most one radix may be no multiple of the chunks: the first.
bool has_no_order(Radices radices, std::uint32_t chunks) {
    std::sort(radices.begin(), radices.end(),
              [&](std::uint32_t a, std::uint32_t b) { return a % chunks > b % chunks; });
    return !kernels::can_exchange_in_chunks(radices, chunks);
}

std::vector<Radices> choices_of_lone(std::uint64_t n, Precision precision, const DeviceLimits& limits) {
    const bool is_known = is_gpu(limits) && limits.registers_per_thread >= registers::least_of_lone_row &&
                          (precision == Precision::f32 || precision == Precision::f64);
    const std::uint32_t largest =
        precision == Precision::f64 ? long_rows::largest_radix_lone_f64 : long_rows::largest_radix;
    if (!is_known || n > std::uint64_t{limits.max_group_size} * largest) return {};
    const Long of{static_cast<std::uint32_t>(n), precision};
    const std::uint32_t chunks = chunks_that_fit(n, precision, limits);
    if (chunks == 0) return {};
    std::vector<Radices> choices;
    for (std::size_t count = 3; count <= most_stages; ++count) {
        for (Radices& radices : factorizations(of.n, largest, count)) {
            if (has_no_order(radices, chunks)) continue;
            if (threads_alone(radices, of, limits.max_group_size) != 0) choices.push_back(std::move(radices));
        }
    }
    return choices;
}

}  // namespace

bool has_lone_radices(std::uint64_t n, Precision precision, const DeviceLimits& limits) {
    return !choices_of_lone(n, precision, limits).empty();
}

Radices radices_of_lone(std::uint32_t n, Precision precision, const DeviceLimits& limits) {
    std::vector<Radices> choices = choices_of_lone(n, precision, limits);
    return choices.empty() ? Radices{} : fastest_order(std::move(choices), {n, precision}, limits, any_time);
}

}  // namespace seiche::planner
