#include "planner/fuse/group_axes.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "planner/fuse/parts.hpp"
#include "planner/model/fusing.hpp"
#include "planner/model/registers.hpp"
#include "planner/shape/factorize.hpp"
#include "planner/shape/parts.hpp"

namespace seiche::planner {

namespace {

/// Radices of n, as few as possible, that all divide a thread's points, so that none idles; empty: none.
std::vector<std::uint32_t> radices_of_points(std::uint32_t n, std::uint32_t points) {
    std::vector<std::uint32_t> radices;
    while (n > 1) {
        std::uint32_t radix = std::min(n, points);
        while (n % radix != 0 || points % radix != 0) --radix;
        if (radix == 1) return {};
        radices.push_back(radix);
        n /= radix;
    }
    return radices;
}

/// Radices of a cube's axis: a short one whole in each thread, without an exchange. Measured: LAB-0021.
std::vector<std::uint32_t> radices_of_cube(std::uint32_t n, Precision precision) {
    const auto whole = own_threads::most_whole_in_complex_cube;
    if (n <= (precision == Precision::f32 ? whole.floats : whole.doubles)) return {n};
    std::vector<std::uint32_t> best;
    for (std::uint32_t points = own_threads::least_points_in_cube; points <= own_threads::most_points_in_cube;
         ++points) {
        if (n % points != 0) continue;
        const std::vector<std::uint32_t> radices = radices_of_points(n, points);
        if (!radices.empty() && (best.empty() || radices.size() < best.size())) best = radices;
    }
    return best;
}

std::uint32_t points_of(const std::vector<std::uint32_t>& radices) {
    return std::accumulate(radices.begin(), radices.end(), 1u, [](auto a, auto b) { return std::lcm(a, b); });
}

AxisDistribution distribution_of_cube(std::uint32_t n, Precision precision) {
    const std::vector<std::uint32_t> radices = radices_of_cube(n, precision);
    return {radices, n / points_of(radices)};
}

/// Whether rows in parts of 4 to 8 points beat whole rows in a thread. Measured: LAB-0021.
bool has_faster_parts(std::uint64_t n, Precision precision, std::uint64_t beside) {
    if (precision != Precision::f64 && n <= own_threads::most_alike * beside) return false;
    return n == own_threads::length_in_parts ||
           (n >= own_threads::shortest_usual_in_parts && n <= own_threads::most_whole_in_plane &&
            n % own_threads::threads_of_parts == 0);
}

/// Whether no thread has more than half as many points again as its share, for which all need registers.
bool are_distributed_evenly(std::uint32_t n, std::uint32_t points, std::uint32_t threads) {
    return 2 * points <= 3 * (n / threads);
}

/// Radices and threads of a longer axis: few stages, few idle threads, points that fit registers.
AxisDistribution distribution_of_long_axis(std::uint32_t n, std::uint32_t most_points, bool is_even_only) {
    AxisDistribution best;
    double least = 0;
    for (std::uint32_t largest = own_threads::least_radix; largest <= std::min(n, most_points); ++largest) {
        const std::vector<std::uint32_t> radices = factor_into_radices(n, largest);
        if (radices.empty() || *std::max_element(radices.begin(), radices.end()) > largest) continue;
        for (std::uint32_t threads = (n + most_points - 1) / most_points; threads <= n / 2; ++threads) {
            const std::uint32_t points = most_points_of_thread(radices, n, threads);
            if (points > most_points || n % threads != 0) continue;
            if (is_even_only && !are_distributed_evenly(n, points, threads)) continue;
            const auto all = static_cast<double>(points_with_idle(radices, n, threads));
            const double cost = all * (1 + own_threads::points_beside / points);
            if (best.radices.empty() || cost < least) {
                least = cost;
                best = {radices, threads};
            }
        }
    }
    return best;
}

/// The most points a thread of such an axis beside one-sided rows.
std::uint32_t most_points_beside_rows(std::uint64_t row, bool is_r2c, Precision precision) {
    const auto usual = own_threads::most_points_beside_rows;
    const std::uint32_t half = static_cast<std::uint32_t>(row / 2) + (is_r2c ? own_threads::points_in_idle_threads : 0);
    return precision == Precision::f64 ? usual.doubles : std::max(usual.floats, half);
}

/// `usual`, or for doubles, where that is none or leaves threads idle, one with a few points more.
AxisDistribution distribution_of_doubles(std::uint32_t n, const AxisDistribution& usual, std::uint32_t most_points) {
    const auto is_even = [&](const AxisDistribution& distribution) {
        return !distribution.radices.empty() &&
               are_distributed_evenly(n, most_points_of_thread(distribution.radices, n, distribution.threads),
                                      distribution.threads);
    };
    if (is_even(usual)) return usual;
    AxisDistribution distribution = distribution_of_long_axis(n, most_points, true);
    if (distribution.radices.empty())
        distribution = distribution_of_long_axis(n, own_threads::most_points_of_uneven_doubles, true);
    return is_even(distribution) ? distribution : usual;
}

AxisDistribution distribution_of_axis(std::uint32_t n, std::uint32_t most_points, Precision precision) {
    const AxisDistribution usual = distribution_of_long_axis(n, most_points, false);
    return precision == Precision::f64 ? distribution_of_doubles(n, usual, most_points) : usual;
}

/// Beside one-sided rows: as in a cube, unless that takes more stages or idles. Measured: LAB-0021.
AxisDistribution distribution_of_one_sided(std::uint32_t n, Precision precision, bool is_plane,
                                           DistributionOrigin origin) {
    const std::uint32_t largest = own_threads::largest_radix_of_one_sided.of(precision);
    const std::uint32_t most_points = precision == Precision::f64 ? own_threads::most_points.doubles : largest;
    if (n <= (is_plane ? own_threads::most_whole_in_plane : own_threads::most_whole_in_cube)) return {{n}, 1};
    AxisDistribution distribution = distribution_of_cube(n, precision);
    if (distribution.radices.empty()) {
        distribution.radices = factor_into_radices(n, largest);
        distribution.threads = n / *std::max_element(distribution.radices.begin(), distribution.radices.end());
    }
    const std::uint32_t points = most_points_of_thread(distribution.radices, n, distribution.threads);
    const bool is_even = precision == Precision::f64 ? are_distributed_evenly(n, points, distribution.threads)
                                                     : 5 * points <= 8 * (n / distribution.threads);
    if (!is_plane || origin == DistributionOrigin::with_idle_threads || (distribution.radices.size() < 3 && is_even))
        return distribution;
    AxisDistribution even = distribution_of_long_axis(n, most_points, true);
    if (precision == Precision::f64) even = distribution_of_doubles(n, even, most_points);
    const bool is_better = !even.radices.empty() && (!is_even || even.radices.size() < distribution.radices.size());
    return is_better ? even : distribution;
}

}  // namespace

// The lengths up to which whole rows beat conjugate pairs between threads. Measured: LAB-0021.
bool has_faster_rows(std::uint64_t n, bool is_r2c, Precision precision) {
    const bool is_double = precision == Precision::f64;
    const std::uint64_t longest = is_double ? own_threads::longest_faster_of_doubles
                                  : is_r2c  ? own_threads::longest_faster_r2c
                                            : own_threads::longest_faster_c2r;
    const std::uint64_t longest_power = own_threads::longest_faster_power_of_two.of(precision);
    return n % 2 == 0 && n <= (std::has_single_bit(n) ? longest_power : longest);
}

AxisDistribution GroupAxes::distribution(std::size_t i) const {
    const auto n = static_cast<std::uint32_t>(lengths[i]);
    if (origin == DistributionOrigin::in_parts)
        return n < own_threads::shortest_in_parts
                   ? AxisDistribution{{n}, 1}
                   : distribution_of_axis(n, own_threads::most_points.of(precision), precision);
    if (is_plane() && has_long_whole_rows()) {
        if (i == one_sided) return {{n}, 1};
        if (n > own_threads::most_whole_in_plane)
            return distribution_of_axis(n, most_points_beside_rows(lengths[*one_sided], one_sided == 0, precision),
                                        precision);
    }
    if (one_sided) return distribution_of_one_sided(n, precision, is_plane(), origin);
    if (!is_plane()) return distribution_of_cube(n, precision);
    if (i == 0 && has_faster_parts(n, precision, lengths[1]))
        return {factor_into_radices(n, n / own_threads::threads_of_parts), own_threads::threads_of_parts};
    return n <= own_threads::most_whole_in_plane
               ? AxisDistribution{{n}, 1}
               : distribution_of_axis(n, own_threads::most_points.of(precision), precision);
}

bool GroupAxes::has_long_whole_rows() const {
    return one_sided && origin != DistributionOrigin::in_parts &&
           lengths[*one_sided] >= own_threads::shortest_long_row &&
           has_faster_rows(lengths[*one_sided], one_sided == 0, precision);
}

// Doubles: few idle butterflies, and few points beside many threads, which share the register file. Measured: LAB-0021.
bool GroupAxes::has_registers(std::size_t i, std::uint64_t threads) const {
    const auto n = static_cast<std::uint32_t>(lengths[i]);
    const AxisDistribution own = distribution(i);
    const std::uint32_t held = most_points_of_thread(own.radices, n, own.threads);
    const bool is_long_row = one_sided == i && own.threads == 1 && n > own_threads::most_whole_in_plane;
    const std::uint32_t points = is_long_row ? 3 * n / 4 : held;
    const std::uint32_t needed = registers_of_point(precision) * points + registers_beside::whole_row.of(precision);
    const bool is_even =
        has_long_whole_rows() ? 3 * held < 4 * (n / own.threads) : are_distributed_evenly(n, held, own.threads);
    const std::uint32_t there_are = registers_beside_others(static_cast<std::uint32_t>(threads), 1);
    const std::uint32_t may_spill = is_long_row ? registers::that_spill_in_long_rows : registers::that_spill_in_plane;
    return needed <= there_are + may_spill && (precision != Precision::f64 || is_even);
}

bool GroupAxes::is_faster_in_rows() const {
    const bool are_whole = std::all_of(lengths.begin(), lengths.end(),
                                       [](std::uint64_t n) { return n <= own_threads::most_whole_in_plane; });
    return are_whole && !(has_faster_parts(lengths[0], precision, lengths[1]) &&
                          has_faster_parts(lengths[1], precision, lengths[0]));
}

GroupAxes axes_of_group(const std::vector<std::uint64_t>& lengths, std::optional<std::size_t> one_sided,
                        Precision precision) {
    GroupAxes axes{lengths, {}, precision, one_sided};
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        std::uint64_t sequences = 1;
        for (std::size_t k = 0; k < lengths.size(); ++k)
            if (k != i) sequences *= one_sided == k ? lengths[k] / 2 + 1 : lengths[k];
        axes.sequences.push_back(sequences);
    }
    return axes;
}

std::uint64_t bytes_in_places(std::uint64_t sequences, std::uint64_t n, Precision precision) {
    const std::uint64_t places = std::has_single_bit(n) ? n : n + 1;
    return sequences * places * 2 * stored_bytes(precision, Storage::same);
}

namespace {

/// Threads of a plane at most: real planes need several resident groups, doubles and even rows in parts too, because
/// their separate kernels have half the arithmetic. Measured: LAB-0021.
std::uint64_t most_threads_of_plane(const GroupAxes& axes, const DeviceLimits& limits) {
    const std::uint64_t most = limits.max_group_size;
    if (!axes.one_sided || axes.is_operator) return most;
    const std::size_t rows = *axes.one_sided;
    const bool has_even_parts = axes.lengths[rows] % 2 == 0 && axes.distribution(rows).threads > 1, is_r2c = rows == 0;
    if (axes.precision == Precision::f64)
        return std::min(most, is_r2c && !has_even_parts ? own_threads::most_of_odd_real_doubles
                                                        : own_threads::most_of_real_doubles);
    if (has_even_parts) return std::min(most, own_threads::most_of_even_parts);
    return is_r2c ? most : std::min(most, own_threads::most_of_c2r);
}

bool holds_as_distributed(const GroupAxes& axes, const DeviceLimits& limits) {
    const std::size_t count = axes.lengths.size();
    std::uint64_t least = UINT64_MAX, most = 0;  // threads
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t n = axes.lengths[i], sequences = axes.sequences[i];
        if (n < 2 || n > own_threads::longest || axes.distribution(i).radices.empty() ||
            axes.threads(i) > limits.max_group_size)
            return false;
        if (std::max(bytes_held(axes.precision, sequences * n), bytes_in_places(sequences, n, axes.precision)) >
            limits.shared_bytes)
            return false;
        least = std::min(least, axes.threads(i));
        most = std::max(most, axes.threads(i));
    }
    if (!axes.is_plane() && !axes.one_sided) return true;
    for (std::size_t i = 0; i < count; ++i)
        if (!axes.has_registers(i, axes.is_plane() ? most : axes.threads(i))) return false;
    return most <= own_threads::most_alike * least && (!axes.is_plane() || most <= most_threads_of_plane(axes, limits));
}

}  // namespace

GroupAxes with_place(GroupAxes axes, const DeviceLimits& limits) {
    if (!axes.is_plane()) return axes;
    for (const DistributionOrigin origin :
         {DistributionOrigin::as_faster, DistributionOrigin::with_idle_threads, DistributionOrigin::in_parts}) {
        axes.origin = origin;
        if (holds_as_distributed(axes, limits)) break;
    }
    return axes;
}

bool holds(const GroupAxes& axes, const DeviceLimits& limits) {
    return holds_as_distributed(with_place(axes, limits), limits);
}

}  // namespace seiche::planner
