// Radices of long transforms: larger than usual where they spare a stage, so exchanges and barriers, in an order with
// few bank conflicts; and those with which one group holds more points than usual ones would.
#include <algorithm>
#include <bit>
#include <limits>

#include "kernels/contract/generate.hpp"
#include "kernels/contract/spec.hpp"
#include "planner/device_model.hpp"
#include "planner/measured/rules.hpp"
#include "planner/shape/factorize.hpp"
#include "planner/shape/parts.hpp"
#include "support/primes.hpp"

namespace seiche::planner {

namespace {

using Radices = std::vector<std::uint32_t>;

constexpr std::uint32_t largest_of_long = 32, largest_of_lone_f64 = 20;
constexpr std::size_t most_stages = 5;
/// Of a thread; the device's multiprocessor has as many as below.
constexpr std::uint32_t least_registers = 128;
constexpr std::uint32_t most_butterflies = 4;
constexpr double any_time = std::numeric_limits<double>::max();
/// The most of a thread, and beside its points; threads of a group that has 128 each.
constexpr std::uint32_t most_registers = 248, registers_beside = 26, most_threads = 512;
/// A lone group may use more of its registers; beside 16 it spills.
constexpr std::uint32_t registers_beside_alone = 24;
/// Fewer threads with more points wait for one another.
constexpr std::uint32_t least_threads_alone = 480;
/// A model of time, in copies: an operation of each point; a shared-memory access of each that takes a wavefront of its
/// own; an exchange's barriers; and the waiting of a lone group. Measured: LAB-0025.
constexpr double time_of_operation = 0.0113, time_of_wavefront = 1.0, time_of_exchange = 0.1, time_alone = 0.2;
/// Larger radices leave fewer threads to hide latency; a gain of so much outweighs it. Measured: LAB-0025.
constexpr double worthwhile = 0.88;
/// Less even radices than the evenest shortest ones idle more than the model knows. Measured: LAB-0025.
constexpr double uneven = 0.94;
/// Powers of two have no bank conflicts to spare: only lone groups gain. Measured: LAB-0025.
constexpr std::uint32_t threads_of_unit = 1024;
/// The same where shared memory holds at most three groups. Measured: LAB-0025.
constexpr std::uint32_t groups_to_alternate = 4;
/// Fewer share their group with other transforms, which costs whole exchanges. Measured: LAB-0025.
constexpr std::uint32_t least_threads = 96;

/// The same for doubles. Measured: LAB-0025.
constexpr double time_of_wavefront_of_doubles = 0.3, worthwhile_of_doubles = 0.97;
/// Beside a lone group's points: no compiler spills with so many.
constexpr std::uint32_t registers_of_lone_doubles = 32;
/// The same of usual radices, of which two groups are resident for a few spills (least_groups).
constexpr std::uint32_t registers_beside_usual = 16;
/// A lone group loses to two resident ones of usual radices. Measured: LAB-0025.
constexpr double time_of_lone_doubles = 0.5;
constexpr unsigned bytes_of_double = 8;
/// Of two exchanges without bank conflicts.
constexpr double least_time_of_places = time_of_wavefront_of_doubles / 4;
/// From here on a prime's butterfly has registers only in groups of four subgroups. Measured: LAB-0025.
constexpr std::uint32_t prime_of_few_threads = 29;
constexpr std::uint32_t largest_of_doubles = 30, usual_radix = 16, shortest_of_doubles = 1750,
                        shortest_spectrum_of_doubles = 800, longest_of_doubles = 10000;

struct Long {
    std::uint32_t n;
    Precision precision;
    std::uint32_t beside = registers_beside;  ///< A thread's points.
    double waits_alone = time_alone;

    std::uint32_t registers_of_point() const { return precision == Precision::f64 ? 4 : 2; }
    std::uint32_t bytes_of_number() const { return precision == Precision::f64 ? 8 : 4; }
    /// Beyond, the compiler spills whatever it is given. Measured: LAB-0025.
    std::uint32_t most_registers_of_points() const { return precision == Precision::f64 ? 96 : 70; }
};

std::uint32_t registers_of_thread(std::uint32_t groups, std::uint32_t threads) {
    return std::min(registers_beside_others(threads, groups), most_registers);
}

bool is_alone(const Radices& radices, const Long& of, std::uint32_t threads) {
    return registers_of_thread(2, threads) <
           of.registers_of_point() * most_points_of_thread(radices, of.n, threads) + of.beside;
}

double time_in_threads(const Radices& radices, const Long& of, std::uint32_t threads) {
    return time_of_operation * threads * operations_of_thread(radices, of.n, threads) / of.n +
           (is_alone(radices, of, threads) ? of.waits_alone : 0) +
           time_of_exchange * static_cast<double>(radices.size() - 1);
}

double time_of(const Radices& radices, const Long& of, const DeviceLimits& limits) {
    const std::uint32_t threads = threads_for_core(radices, {of.n, false, false, of.precision}, limits);
    const double wavefronts = 2 * kernels::exchange_wavefronts(radices, of.n, threads, of.bytes_of_number());
    return time_in_threads(radices, of, threads) + time_of_wavefront * wavefronts * 4 / of.bytes_of_number() / of.n;
}

/// Threads that hold all points in their registers, the fastest such; 0: there are none.
std::uint32_t threads_alone(const Radices& radices, const Long& of, std::uint32_t most) {
    std::uint32_t best = 0;
    for (const std::uint32_t r : radices) {
        for (std::uint32_t butterflies = 1; butterflies <= most_butterflies; ++butterflies) {
            const std::uint32_t threads = (of.n / r + butterflies - 1) / butterflies;
            const std::uint32_t needed = of.registers_of_point() * most_points_of_thread(radices, of.n, threads);
            if (threads < least_threads_alone || threads > most) continue;
            if (registers_of_thread(1, threads) < needed + registers_beside_alone ||
                needed > of.most_registers_of_points())
                continue;
            if (best == 0 || time_in_threads(radices, of, threads) < time_in_threads(radices, of, best)) best = threads;
        }
    }
    return best;
}

/// The fastest order of the fastest few of these.
Radices fastest_order(std::vector<Radices> choices, const Long& of, const DeviceLimits& limits, double least) {
    constexpr std::size_t few = 3;
    const auto in_threads = [&](const Radices& radices) {
        return time_in_threads(radices, of, threads_for_core(radices, {of.n, false, false, of.precision}, limits));
    };
    std::sort(choices.begin(), choices.end(),
              [&](const Radices& a, const Radices& b) { return in_threads(a) < in_threads(b); });
    choices.resize(std::min(choices.size(), few));
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
    return is_gpu(limits) && core.precision == Precision::f32 && !core.runs_twice && radices.size() > 2 && radix > 16 &&
           !support::is_prime(radix);
}

std::uint32_t threads_of_long(const Radices& radices, std::uint32_t n, const DeviceLimits& limits) {
    const Long of{n, Precision::f32};
    const std::uint32_t radix = *std::max_element(radices.begin(), radices.end());
    const std::uint32_t most = std::min(most_threads, limits.max_group_size);
    std::uint32_t best = n / radix;
    for (const std::uint32_t r : radices) {
        const std::uint32_t threads = n / r;
        if (threads <= most && time_in_threads(radices, of, threads) < time_in_threads(radices, of, best))
            best = threads;
    }
    return best;
}

namespace {

Long with_large_radices(std::uint32_t n) { return {n, Precision::f64, registers_beside_doubles, time_of_lone_doubles}; }

}  // namespace

bool are_of_doubles(const Radices& radices, const CoreQuestion& core, const DeviceLimits& limits) {
    const bool is_row = !core.is_strided && !core.runs_twice && !core.has_point_beside;
    const bool has_pairs = core.map == CoreMap::spectrum;
    const std::uint32_t shortest = has_pairs ? shortest_spectrum_of_doubles : shortest_of_doubles;
    const std::uint32_t largest = *std::max_element(radices.begin(), radices.end());
    return holds(Rule::large_radices_of_doubles, limits) && !has_few_registers(limits) &&
           core.precision == Precision::f64 && is_row && (has_pairs || core.map == CoreMap::none) &&
           core.n >= shortest && core.n <= longest_of_doubles && radices.size() == 3 && largest > usual_radix &&
           largest <= largest_of_doubles && largest != prime_of_few_threads;
}

/// As many as a radix has butterflies, none with more points than the largest radix or 30; 0: there are none.
std::uint32_t threads_of_doubles(const Radices& radices, std::uint32_t n) {
    const Long of = with_large_radices(n);
    std::uint32_t best = 0;
    for (const std::uint32_t r : radices) {
        const std::uint32_t threads = n / r;
        const std::uint32_t points = most_points_of_thread(radices, n, threads);
        const std::uint32_t needed = of.registers_of_point() * points + registers_of_lone_doubles;
        const bool has_room = threads <= most_threads && points <= largest_of_doubles;
        if (!has_room || registers_of_thread(1, threads) < needed) continue;
        if (best == 0 || time_in_threads(radices, of, threads) < time_in_threads(radices, of, best)) best = threads;
    }
    return best;
}

Radices radices_of_doubles(const Radices& usual, const CoreQuestion& core, const DeviceLimits& limits) {
    const auto n = static_cast<std::uint32_t>(core.n);
    const auto time_of_places = [&](const Radices& radices, std::uint32_t threads) {
        const double wavefronts = 2 * kernels::exchange_wavefronts(radices, n, threads, bytes_of_double);
        return time_of_wavefront_of_doubles * wavefronts * 4 / bytes_of_double / n;
    };
    const Long of = with_large_radices(n), of_usual{n, Precision::f64, registers_beside_usual, time_of_lone_doubles};
    const std::uint32_t threads_of_usual = threads_for_core(usual, core, limits);
    Radices best = usual;
    double least = worthwhile_of_doubles *
                   (time_in_threads(usual, of_usual, threads_of_usual) + time_of_places(usual, threads_of_usual));
    for (Radices radices : factorizations(n, largest_of_doubles, 3)) {
        const std::uint32_t threads = threads_of_doubles(radices, n);
        if (threads == 0 || !are_of_doubles(radices, core, limits)) continue;
        std::sort(radices.begin(), radices.end());
        do {
            const double in_threads = time_in_threads(radices, of, threads);
            if (in_threads + least_time_of_places >= least) continue;  // counting places takes a tenth of a millisecond
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
    return registers_of_thread(3, threads) >= 2 * radix + registers_beside ? 0 : 2;
}

Radices radices_of_long(const Radices& usual, std::uint32_t n, const DeviceLimits& limits) {
    const Radices fewest = factor_into_radices(n, largest_of_long);
    const bool has_unit = n / usual.front() >= threads_of_unit ||
                          groups_to_alternate * component_bytes(n, Precision::f32) > limits.shared_bytes_per_unit;
    if (fewest.size() < 3 || n / fewest.front() < least_threads || (std::has_single_bit(n) && !has_unit)) return usual;
    const Long of{n, Precision::f32};
    const Radices even = fastest_order({fewest}, of, limits, worthwhile * time_of(usual, of, limits));
    const double least = even.empty() ? worthwhile * time_of(usual, of, limits) : uneven * time_of(even, of, limits);
    const Radices best = fastest_order(factorizations(n, largest_of_long, fewest.size()), of, limits, least);
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
    const bool is_known = is_gpu(limits) && limits.registers_per_thread >= least_registers &&
                          (precision == Precision::f32 || precision == Precision::f64);
    const std::uint32_t largest = precision == Precision::f64 ? largest_of_lone_f64 : largest_of_long;
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
