// A model of a processor's time for an axis: arithmetic by lanes that are filled, twiddles between passes, and moves of
// points through caches. (Frigo and Johnson, "The design and implementation of FFTW3", 2005, choose among the same
// plans by measuring each.)
#include "planner/policy/simd_passes.hpp"
#include "planner/device_model.hpp"
#include "planner/model/processors.hpp"
#include "planner/policy/butterflies.hpp"

#include <algorithm>
#include <optional>

#include "planner/policy/cost.hpp"
#include "planner/shape/factorize.hpp"
#include "planner/shape/parts.hpp"

namespace seiche::planner {

namespace {

/// Of a thread: what two passes find again, input and output together.
std::uint64_t own_cache(const DeviceLimits& limits) {
    return limits.unit_cache_bytes != 0 ? limits.unit_cache_bytes : simd_times::usual_cache_bytes;
}

bool is_known(const AxisQuestion& q) {
    return !has_groups(*q.limits) && (q.precision == Precision::f32 || q.precision == Precision::f64) &&
           q.tuning->passes.empty() && q.tuning->groups_per_cluster == 0 && !q.tuning->trailing_passes &&
           !q.tuning->separate_passes;
}

std::uint64_t scratch_of(const AxisQuestion& q, std::uint64_t points) { return 4 * points * real_bytes(q.precision); }

/// Of each point of a unit that has so many in scratch.
double price_of_stages(const AxisQuestion& q, std::uint64_t points, std::size_t stages) {
    if (scratch_of(q, points) <= simd_times::near_scratch_bytes) return 0;
    return simd_times::stage_byte * real_bytes(q.precision) * static_cast<double>(stages);
}

std::uint64_t bytes_of(const AxisQuestion& q) { return 4 * q.n * q.sequences * real_bytes(q.precision); }

double price_of_move(const AxisQuestion& q) {
    return bytes_of(q) / q.limits->compute_units <= own_cache(*q.limits) ? simd_times::near_move : simd_times::far_move;
}

/// Lanes across `count` neighbouring sequences, and whether each register is full and aligned.
struct Lanes {
    std::uint32_t count = 1;
    bool are_full = true;
};

Lanes lanes_of(const AxisQuestion& q, std::uint64_t neighbours) {
    const std::uint32_t most = simd_lanes(*q.limits, q.precision);
    const std::uint64_t power = neighbours & (~neighbours + 1);
    if (2 * power >= most) return {static_cast<std::uint32_t>(std::min<std::uint64_t>(power, most)), true};
    return {most, false};
}

/// Of the butterflies, and of the way to scratch and back.
double operations_of_point(const std::vector<std::uint32_t>& radices, std::uint32_t n) {
    return operations_of_thread(radices, n, 1) / n + simd::stage_operations * static_cast<double>(radices.size());
}

/// So many units of work, each of so many nanoseconds, on the threads that there are.
double time_of_units(const AxisQuestion& q, std::uint64_t units, double nanoseconds) {
    const std::uint64_t threads =
        bytes_of(q) < simd::least_shared_bytes ? 1 : std::min<std::uint64_t>(q.limits->compute_units, units);
    const auto rounds = static_cast<double>((units + threads - 1) / threads);
    const double driver = q.limits->max_group_size > 1 ? simd_times::driver : 0;
    return rounds * nanoseconds + driver + (threads > 1 ? simd_times::shared_launch : simd_times::launch);
}

/// One pass of n points, of which so many sequences lie side by side.
double time_of_pass(const AxisQuestion& q, std::uint64_t n, std::uint64_t neighbours, bool has_twiddles) {
    const Lanes lanes = lanes_of(q, neighbours);
    const std::uint64_t all = q.sequences * (q.n / n);
    const std::uint64_t units = (all + lanes.count - 1) / lanes.count;
    const std::vector<std::uint32_t> radices = choose_radices({n, true, false, q.precision}, *q.limits);
    double point = simd_times::operation * operations_of_point(radices, static_cast<std::uint32_t>(n)) / lanes.count;
    point += price_of_move(q) + price_of_stages(q, n * lanes.count, radices.size());
    if (has_twiddles) point += lanes.are_full ? simd_times::shared_twiddle : simd_times::own_twiddle;
    // Points of the unit behind the last whole one move alone.
    if (!lanes.are_full) point += simd_times::lone * static_cast<double>(all % lanes.count) / static_cast<double>(all);
    return time_of_units(q, units, point * static_cast<double>(n) * lanes.count);
}

struct Split {
    std::vector<std::uint32_t> passes;
    double nanoseconds = 0;
};

/// The fastest two passes; of equal ones the most even, the longer first.
std::optional<Split> fastest_split(const AxisQuestion& q) {
    const std::uint32_t longest = longest_split_pass(*q.limits, q.precision);
    std::optional<Split> best;
    const auto unevenness = [](std::uint64_t a, std::uint64_t b) { return std::max(a, b) / std::min(a, b); };
    for (std::uint64_t first = std::min<std::uint64_t>(longest, q.n / 2); first >= 2; --first) {
        const std::uint64_t second = q.n / first;
        if (q.n % first != 0 || second > longest || unevenness(first, second) > simd_times::most_apart) continue;
        if (!has_butterflies(q, first) || !has_butterflies(q, second)) continue;
        const double time = time_of_pass(q, first, second, false) + time_of_pass(q, second, first, true);
        if (best && time >= best->nanoseconds) continue;
        best = Split{{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second)}, time};
    }
    return best;
}

std::uint32_t lanes_along(const AxisQuestion& q, const std::vector<std::uint32_t>& radices) {
    std::uint32_t lanes = q.is_strided ? 1 : simd_lanes(*q.limits, q.precision);
    while (lanes > 1 && !fills_lanes(static_cast<std::uint32_t>(q.n), radices, lanes)) lanes /= 2;
    return lanes;
}

std::optional<double> time_in_one_pass(const AxisQuestion& q) {
    if (scratch_of(q, q.n) > q.limits->shared_bytes) return std::nullopt;
    const std::uint32_t most = simd_lanes(*q.limits, q.precision);
    const auto n = static_cast<std::uint32_t>(q.n);
    const std::vector<std::uint32_t> radices = choose_radices({q.n, q.is_strided, false, q.precision}, *q.limits);
    const double operations = simd_times::operation * operations_of_point(radices, n);
    const bool fits_across = 2 * q.sequences >= most && scratch_of(q, most * q.n) <= q.limits->shared_bytes;
    const std::uint32_t along = lanes_along(q, radices);
    if (fits_across && along < most) {
        const std::uint64_t units = (q.sequences + most - 1) / most;
        return time_of_units(
            q, units, n * (operations + most * (price_of_move(q) + price_of_stages(q, most * q.n, radices.size()))));
    }
    if (!fits_one_pass({q.n, q.is_strided, false, q.precision}, *q.limits)) return std::nullopt;
    const double point = operations / along + price_of_stages(q, q.n, radices.size()) + price_of_move(q);
    return time_of_units(q, q.sequences, n * point);
}

}  // namespace

std::vector<std::uint32_t> simd_passes(const AxisQuestion& q) {
    if (!is_known(q) || !has_butterflies(q, q.n) || q.n < 2 || q.n > simd_times::longest) return {};
    const std::optional<double> whole = q.least_passes > 1 ? std::nullopt : time_in_one_pass(q);
    const std::optional<Split> split = fastest_split(q);
    if (whole && (!split || *whole <= split->nanoseconds)) return {static_cast<std::uint32_t>(q.n)};
    return split ? split->passes : std::vector<std::uint32_t>{};
}

bool divides_real_axis(const AxisQuestion& q) {
    return is_known(q) && has_butterflies(q, q.n) && q.problem.is_alone && q.sequences < q.limits->compute_units &&
           scratch_of(q, q.n) > simd_times::near_scratch_bytes;
}

}  // namespace seiche::planner
