// Radices of long transforms: larger ones than a thread has by default where they spare a stage, so fewer exchanges and
// barriers, in an order whose exchanges meet in few banks; and those with which one group holds more points than its
// largest size would have with the usual ones.
#include <algorithm>
#include <bit>
#include <limits>

#include "kernels/contract/generate.hpp"
#include "kernels/contract/spec.hpp"
#include "planner/cost.hpp"
#include "planner/factorize.hpp"
#include "planner/measured_cores.hpp"
#include "planner/shape_parts.hpp"
#include "support/primes.hpp"

namespace seiche::planner {

namespace {

using Radices = std::vector<std::uint32_t>;

constexpr std::uint32_t largest_of_long = 32, largest_of_lone_f64 = 20, subgroup = 32;
constexpr std::size_t most_stages = 5;
/// Of a thread, on a device whose unit has as many as is said below.
constexpr std::uint32_t least_registers = 128;
constexpr std::uint32_t most_slots = 4;
constexpr double any_time = std::numeric_limits<double>::max();
/// Of a unit, and what a thread needs beside its points; threads of a group that has 128 of them each.
constexpr std::uint32_t registers_per_unit = 65536, most_registers = 255, registers_beside = 26, granule = 8,
                        most_threads = 512;
/// What the compiler finds place for in a group that has its unit for itself: with 16 registers it spills.
constexpr std::uint32_t registers_beside_alone = 24;
/// Fewer threads with more points each wait for one another's operations.
constexpr std::uint32_t least_threads_alone = 480;
/// Parts of the time of a copy, from 24 kernels of 3000 to 16384 points of f32 on an H200 (1.12 to 2.01 copies): an
/// operation of each point, an access of each point to shared memory that takes a wavefront of its own, and an
/// exchange's barriers; and what a group waits that has its unit for itself.
constexpr double time_of_operation = 0.0113, time_of_wavefront = 1.0, time_of_exchange = 0.1, time_alone = 0.2;
/// Larger radices leave fewer threads to hide what they wait for: what is worth them. 3000 points went from 0.70 to
/// 0.91 of copy, 3125 from 0.65 to 0.81, 6561 from 0.72 to 0.79, 9261 from 0.45 to 0.80, 12000 from 0.50 to 0.66.
constexpr double worthwhile = 0.88;
/// Less even ones than the fewest as even as possible leave more threads idle than the model knows: 2000 points as
/// 5 x 20 x 20 take 1.10 copies where 10 x 20 x 10 take 1.03, at 0.95 of its time; but 7776 points went from 0.66 to
/// 0.84 of copy (at 0.74), 9000 from 0.64 to 0.78 (0.85), 14400 from 0.57 to 0.71 (0.75), 12288 from 0.74 to 0.78
/// (0.935).
constexpr double uneven = 0.94;
/// Powers of two meet in no bank, and of two groups on a unit one computes while the other loads: 8192 points went from
/// 0.87 to 0.82 (measured_cores.cpp has a faster one for it since). One that has its unit for itself gains: 16384 from
/// 0.69 to 0.77.
constexpr std::uint32_t threads_of_unit = 1024;
/// Nor has a unit others where shared memory has no room for more than three: 8192 points went from 0.80 to 0.88 of
/// copy through OpenCL (48 KiB a group), from 0.63 to 0.67 through Vulkan.
constexpr std::uint32_t groups_to_alternate = 4;
/// Fewer share their group with other transforms, which cost it its second plane: 2187 went from 0.84 to 0.63.
constexpr std::uint32_t least_threads = 96;

/// Of doubles: of 87 lengths whose fastest of 14 to 192 candidates is known (measured_cores.cpp) it is 3 % slower by
/// the same model, with this cost of a wavefront, than the model's own in the mean.
constexpr double time_of_wavefront_of_doubles = 0.3, worthwhile_of_doubles = 0.97;
/// Beside a thread's points: what no compiler spilled with, and what a group must have that has its unit for itself.
constexpr std::uint32_t registers_of_lone_doubles = 32;
/// The same of the usual radices, of which two groups share a unit for a few registers spilled (least_groups).
constexpr std::uint32_t registers_beside_usual = 16;
/// Where the usual radices leave room for two groups of a unit, one that is alone loses: on an H100 4095 points as 15 x
/// 13 x 21 take 1.16 times as long as 13 x 9 x 7 x 5 do.
constexpr double time_of_lone_doubles = 0.5;
constexpr unsigned bytes_of_double = 8;
/// Of two exchanges whose accesses meet in no bank.
constexpr double least_time_of_places = time_of_wavefront_of_doubles / 4;
/// Whose butterfly leaves registers only to groups of four subgroups, as many as it has. Measured on an H100, of copy,
/// 2871 points as 29 x 11 x 9 in 261 threads 0.61, in 99 0.97, 2088 as 29 x 9 x 8 in 232 0.67, in 72 0.95, 3393 0.62
/// and 0.94, r2c of 2784 numbers in 174 0.61, in 48 0.97.
constexpr std::uint32_t prime_of_few_threads = 29;
constexpr std::uint32_t largest_of_doubles = 30, usual_radix = 16, shortest_of_doubles = 1750,
                        shortest_spectrum_of_doubles = 800, longest_of_doubles = 10000;

/// What a stage of a transform has in each thread.
struct Long {
    std::uint32_t n;
    Precision precision;
    std::uint32_t beside = registers_beside;  ///< A thread's points.
    double waits_alone = time_alone;

    std::uint32_t registers_of_point() const { return precision == Precision::f64 ? 4 : 2; }
    std::uint32_t bytes_of_number() const { return precision == Precision::f64 ? 8 : 4; }
    /// Beyond, the compiler spills whatever it is given: 20736 points of f32 with 36 in a thread take 2.2 to 2.9 times
    /// the time of a copy, 20480 with 35 1.67, 19683 with 27 1.65; 10240 of f64 with 24 1.50.
    std::uint32_t most_registers_of_points() const { return precision == Precision::f64 ? 96 : 70; }
};

/// Registers of a thread where a unit holds so many groups of so many threads: the unit's four parts have as many
/// subgroups each.
std::uint32_t registers_of_thread(std::uint32_t groups, std::uint32_t threads) {
    constexpr std::uint32_t parts = 4;
    const std::uint32_t subgroups = groups * ((threads + subgroup - 1) / subgroup);
    const std::uint32_t whole = (subgroups + parts - 1) / parts * parts;
    return std::min(registers_per_unit / (whole * subgroup), most_registers) / granule * granule;
}

bool is_alone(const Radices& radices, const Long& of, std::uint32_t threads) {
    return registers_of_thread(2, threads) <
           of.registers_of_point() * points_in_slots(radices, of.n, threads) + of.beside;
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
        for (std::uint32_t slots = 1; slots <= most_slots; ++slots) {
            const std::uint32_t threads = (of.n / r + slots - 1) / slots;
            const std::uint32_t needed = of.registers_of_point() * points_in_slots(radices, of.n, threads);
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
    const std::uint32_t pieces = std::max(1u, chunks_that_fit(of.n, of.precision, limits));
    Radices best;
    for (Radices& radices : choices) {
        std::sort(radices.begin(), radices.end());
        do {
            if (!kernels::can_exchange_in_chunks(radices, pieces)) continue;
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
    return limits.vectors == Vectors::subgroups && core.precision == Precision::f32 && !core.runs_twice &&
           radices.size() > 2 && radix > 16 && !support::is_prime(radix);
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
    const bool is_plain = is_row && (!core.is_real || core.is_spectrum);
    const std::uint32_t shortest = core.is_spectrum ? shortest_spectrum_of_doubles : shortest_of_doubles;
    const std::uint32_t largest = *std::max_element(radices.begin(), radices.end());
    return is_of_measured_kind(limits) && core.precision == Precision::f64 && is_plain && core.n >= shortest &&
           core.n <= longest_of_doubles && radices.size() == 3 && largest > usual_radix &&
           largest <= largest_of_doubles && largest != prime_of_few_threads;
}

/// As many as a radix has butterflies, none with more points than the largest radix or 30; 0: there are none.
std::uint32_t threads_of_doubles(const Radices& radices, std::uint32_t n) {
    const Long of = with_large_radices(n);
    std::uint32_t best = 0;
    for (const std::uint32_t r : radices) {
        const std::uint32_t threads = n / r;
        const std::uint32_t points = points_in_slots(radices, n, threads);
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
                          groups_to_alternate * plane_bytes(n, Precision::f32) > limits.shared_bytes_per_unit;
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

/// At most one radix may be none of the pieces' multiples: the first.
bool has_no_order(Radices radices, std::uint32_t pieces) {
    std::sort(radices.begin(), radices.end(),
              [&](std::uint32_t a, std::uint32_t b) { return a % pieces > b % pieces; });
    return !kernels::can_exchange_in_chunks(radices, pieces);
}

/// Those whose points have room.
std::vector<Radices> choices_of_lone(std::uint64_t n, Precision precision, const DeviceLimits& limits) {
    const bool is_known = limits.vectors == Vectors::subgroups && limits.registers_per_thread >= least_registers &&
                          (precision == Precision::f32 || precision == Precision::f64);
    const std::uint32_t largest = precision == Precision::f64 ? largest_of_lone_f64 : largest_of_long;
    if (!is_known || n > std::uint64_t{limits.max_group_size} * largest) return {};
    const Long of{static_cast<std::uint32_t>(n), precision};
    const std::uint32_t pieces = chunks_that_fit(n, precision, limits);
    if (pieces == 0) return {};
    std::vector<Radices> choices;
    for (std::size_t count = 3; count <= most_stages; ++count) {
        for (Radices& radices : factorizations(of.n, largest, count)) {
            if (has_no_order(radices, pieces)) continue;
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
