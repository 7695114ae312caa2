// Larger radices than a thread has by default, where they spare a stage of a long transform: fewer exchanges and
// barriers, in an order whose exchanges meet in few banks.
#include <algorithm>
#include <bit>

#include "kernels/spec.hpp"
#include "planner/cost.hpp"
#include "planner/factorize.hpp"
#include "planner/shape.hpp"
#include "support/primes.hpp"

namespace seiche::planner {

namespace {

using Radices = std::vector<std::uint32_t>;

constexpr std::uint32_t largest_of_long = 32, subgroup = 32, bytes_of_number = 4;
/// Of a unit, and what a thread needs beside its points; threads of a group that has 128 of them each.
constexpr std::uint32_t registers_per_unit = 65536, registers_beside = 26, granule = 8, most_threads = 512;
/// Parts of the time of a copy, from 24 kernels of 3000 to 16384 points of f32 on an H200 (1.12 to 2.01 copies): an
/// operation of each point, an access of each point to shared memory that takes a wavefront of its own, and an
/// exchange's barriers; and what a group waits that has its unit for itself.
constexpr double time_of_operation = 0.0113, time_of_wavefront = 1.0, time_of_exchange = 0.1, time_alone = 0.2;
/// Larger radices leave fewer threads to hide what they wait for: what is worth them. 3000 points went from 0.70 to
/// 0.91 of copy, 3125 from 0.65 to 0.81, 6561 from 0.72 to 0.79, 9261 from 0.45 to 0.80, 12000 from 0.50 to 0.66.
constexpr double worthwhile = 0.88;
/// Powers of two meet in no bank, and of two groups on a unit one computes while the other loads: 8192 points went from
/// 0.87 to 0.82. One that has its unit for itself gains: 16384 from 0.69 to 0.77.
constexpr std::uint32_t threads_alone = 1024;
/// Fewer share their group with other transforms, which cost it its second plane: 2187 went from 0.84 to 0.63.
constexpr std::uint32_t least_threads = 96;

/// Whether a unit has registers for so many groups whose threads have so many points.
bool has_registers(std::uint32_t groups, std::uint32_t threads, std::uint32_t points) {
    const std::uint32_t whole = (threads + subgroup - 1) / subgroup * subgroup;
    return registers_per_unit / (groups * whole) / granule * granule >= 2 * points + registers_beside;
}

bool is_alone(const Radices& radices, std::uint32_t n, std::uint32_t threads) {
    std::uint32_t points = 0;  // in all slots
    for (const std::uint32_t r : radices) points = std::max(points, (n / r + threads - 1) / threads * r);
    return !has_registers(2, threads, points);
}

double time_in_threads(const Radices& radices, std::uint32_t n, std::uint32_t threads) {
    return time_of_operation * threads * operations_of_thread(radices, n, threads) / n +
           (is_alone(radices, n, threads) ? time_alone : 0);
}

double time_of(const Radices& radices, std::uint32_t n, const DeviceLimits& limits) {
    const std::uint32_t threads = threads_for_core(radices, {n, false, false, Precision::f32}, limits);
    const double wavefronts =
        2 * static_cast<double>(kernels::exchange_wavefronts(radices, n, threads, bytes_of_number));
    return time_in_threads(radices, n, threads) + time_of_wavefront * wavefronts / n +
           time_of_exchange * static_cast<double>(radices.size() - 1);
}

}  // namespace

bool is_long(const Radices& radices, const CoreQuestion& core, const DeviceLimits& limits) {
    const std::uint32_t radix = *std::max_element(radices.begin(), radices.end());
    return limits.vectors == Vectors::subgroups && core.precision == Precision::f32 && !core.runs_twice &&
           radices.size() > 2 && radix > 16 && !support::is_prime(radix);
}

std::uint32_t threads_of_long(const Radices& radices, std::uint32_t n) {
    const std::uint32_t radix = *std::max_element(radices.begin(), radices.end());
    std::uint32_t best = n / radix;
    for (const std::uint32_t r : radices) {
        const std::uint32_t threads = n / r;
        if (threads <= most_threads && time_in_threads(radices, n, threads) < time_in_threads(radices, n, best))
            best = threads;
    }
    return best;
}

std::uint32_t groups_of_long(const Radices& radices, std::uint32_t n, std::uint32_t threads) {
    if (is_alone(radices, n, threads)) return 1;
    const std::uint32_t radix = *std::max_element(radices.begin(), radices.end());
    return has_registers(3, threads, radix) ? 0 : 2;
}

Radices radices_of_long(const Radices& usual, std::uint32_t n, const DeviceLimits& limits) {
    Radices radices = factor_into_radices(n, largest_of_long);
    const bool has_unit = n / usual.front() >= threads_alone;
    if (radices.size() >= usual.size() || radices.size() < 3 || n / radices.front() < least_threads ||
        (std::has_single_bit(n) && !has_unit))
        return usual;
    std::sort(radices.begin(), radices.end());
    Radices best = usual;
    double least = worthwhile * time_of(usual, n, limits);
    do {
        const double time = time_of(radices, n, limits);
        if (time >= least) continue;
        least = time;
        best = radices;
    } while (std::next_permutation(radices.begin(), radices.end()));
    return best;
}

}  // namespace seiche::planner
