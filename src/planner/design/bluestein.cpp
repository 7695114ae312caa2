// Bluestein: any length as a convolution of a padded, smooth length; in one kernel where that fits on chip, else in
// several, of which the middle one has the last pass of the transform and the first of its inverse.
#include <algorithm>
#include <bit>
#include <limits>

#include "planner/design/design.hpp"
#include "planner/device_model.hpp"
#include "planner/fuse/pipeline.hpp"
#include "planner/measured/rules.hpp"
#include "planner/model/passes.hpp"
#include "planner/policy/butterflies.hpp"
#include "planner/policy/cost.hpp"
#include "planner/shape/factorize.hpp"
#include "planner/shape/measured_cores.hpp"
#include "planner/shape/parts.hpp"
#include "planner/shape/shape.hpp"
#include "seiche/error.hpp"
#include "support/primes.hpp"

namespace seiche::planner {

namespace {

/// The smallest 2^a {1, 3, 5, 7, 9} that is at least `least`: few stages of cheap radices in each of several passes.
std::uint64_t padded_for_passes(std::uint64_t least) {
    std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
    for (const std::uint64_t odd : {1u, 3u, 5u, 7u, 9u}) {
        std::uint64_t m = odd * 4;
        while (m < least) m *= 2;
        best = std::min(best, m);
    }
    return best;
}

/// Two passes of a GPU for at least so many points, the second of which is the convolution; empty: they would be longer
/// than `most`. Even splits gain; a long last pass, whose points and spectrum fill the registers, is a power of two,
/// which needs the fewest beside them. Measured: LAB-0026.
std::vector<std::uint64_t> passes_for(const AxisQuestion& q, std::uint64_t least, std::uint64_t most) {
    if (most < 2) return {};
    std::uint64_t first = std::min(bluestein_passes::shortest_first, most);
    const auto is_long = [&] {
        const bool has_room = q.precision == Precision::f32 || first < bluestein_passes::long_first_f64;
        return (least + first - 1) / first > (has_room ? 1u : 4u) * bluestein_passes::wanted_last;
    };
    while (first * 2 <= most && is_long()) first *= 2;
    std::uint64_t best = 0;
    double best_cost = std::numeric_limits<double>::max();
    const std::uint64_t shortest_last = (least + first - 1) / first;
    for (std::uint64_t last = shortest_last + shortest_last % 2; last <= std::min(most, 2 * shortest_last); last += 2) {
        if (!has_butterflies(q, last) || !support::is_smooth(last, largest_convolved_prime(*q.limits, q.precision)))
            continue;
        const bool is_tight = last > bluestein_passes::long_last && !std::has_single_bit(last);
        const double of_factors =
            support::is_smooth(last, 5) ? 1.0 : bluestein_passes::price_of_large_factor.of(q.precision);
        const double cost = static_cast<double>(last) * of_factors * (is_tight ? bluestein_passes::price_of_long : 1.0);
        if (cost >= best_cost) continue;
        best = last;
        best_cost = cost;
    }
    return best == 0 ? std::vector<std::uint64_t>{} : std::vector<std::uint64_t>{first, best};
}

/// Two pipelined passes, the second of which is the convolution; empty: the batch is too small.
std::vector<std::uint64_t> pipelined_passes(const AxisQuestion& q) {
    if (q.has_map() || q.is_strided || !q.problem.is_alone || !leaves_pipelining_open(*q.tuning)) return {};
    const std::vector<std::uint32_t> passes =
        fastest_pipelined_convolution(least_padded_length(q), q.precision, *q.limits);
    const std::uint64_t bytes = std::uint64_t{2} * real_bytes(q.precision);
    if (passes.empty() || !can_pay_to_pipeline(bytes * passes[0] * passes[1], q.sequences, *q.limits)) return {};
    return {passes.begin(), passes.end()};
}

/// The length that the tuning gives, by itself, by radices or by passes; 0: it gives none.
std::uint64_t forced_length(const AxisQuestion& q) {
    const Tuning& tuning = *q.tuning;
    std::uint64_t length = tuning.padded_length;
    if (length == 0 && !tuning.radices.empty()) length = product(tuning.radices);
    if (length == 0 && !tuning.passes.empty()) length = product(tuning.passes);
    if (length != 0 && (length < least_padded_length(q) || !has_butterflies(q, length))) {
        throw Unsupported("tuning: expected a padded length for Bluestein's transform of " + std::to_string(q.n) +
                          " points that is at least " + std::to_string(least_padded_length(q)) +
                          " and has small prime factors only, got " + std::to_string(length));
    }
    // A longer one only costs: tables and workspaces grow with it.
    const std::uint64_t most =
        std::max(bluestein_passes::longest_given, bluestein_passes::most_times_given * least_padded_length(q));
    if (length > most)
        throw Unsupported("tuning: expected a padded length for Bluestein's transform of " + std::to_string(q.n) +
                          " points of at most " + std::to_string(most) + ", got " + std::to_string(length));
    return length;
}

std::optional<Pass> pass_of(const AxisQuestion& q, std::uint64_t padded) {
    const CoreQuestion core{padded, q.is_strided, true, q.precision, q.map};
    if (!fits_one_pass(core, *q.limits)) return std::nullopt;
    return Pass{static_cast<std::uint32_t>(q.n), Algorithm::bluestein, choose_core(q, core)};
}

/// By measurement for contiguous sequences; behind maps of real elements from so many points on. Measured: LAB-0026.
std::optional<Pass> measured_pass(const AxisQuestion& q) {
    const bool is_short = q.has_map() && q.n < bluestein_passes::shortest_measured_of_reals;
    if (q.is_strided || q.tuning->threads_per_transform || is_short) return std::nullopt;
    const std::optional<PaddedCore> core = fastest_padded_core(least_padded_length(q), q.precision, *q.limits);
    if (!core) return std::nullopt;
    if (q.has_map() && !fits_one_pass({core->n, false, true, q.precision, q.map}, *q.limits)) return std::nullopt;
    return Pass{static_cast<std::uint32_t>(q.n), Algorithm::bluestein, {core->n, core->core.radices}};
}

}  // namespace

std::uint64_t least_padded_length(const AxisQuestion& q) { return q.n + (q.is_one_sided ? q.n / 2 : q.n - 1); }

std::optional<Pass> bluestein_pass(const AxisQuestion& question) {
    AxisQuestion q = question;
    if (q.is_one_sided) q.map = CoreMap::none;  // its elements are points
    if (q.n > std::numeric_limits<std::uint32_t>::max() / 4) return std::nullopt;
    if (const std::uint64_t forced = forced_length(q)) {
        return q.tuning->passes.size() > 1 ? std::nullopt : pass_of(q, forced);
    }
    std::optional<Pass> best;
    if (std::optional<Pass> measured = measured_pass(q)) return measured;
    const std::uint64_t least = std::max<std::uint64_t>(least_padded_length(q), 4);
    const std::uint64_t longest = longest_pass(*q.limits, q.precision, q.is_strided);
    if (least > longest) return std::nullopt;
    const std::uint64_t most = std::min(support::next_power_of_two(least), longest);
    for (std::uint64_t m = support::next_smooth(least); m <= most; m = support::next_smooth(m + 1)) {
        if (!support::is_smooth(m, largest_convolved_prime(*q.limits, q.precision))) continue;
        const std::optional<Pass> pass = pass_of(q, m);
        if (pass && (!best || cost(*pass, q) < cost(*best, q))) best = pass;
    }
    return best;
}

AxisRecipe design_bluestein(const AxisQuestion& q) {
    if (q.n > longest_bluestein) {
        throw Unsupported("length " + std::to_string(q.n) +
                          " has a large prime factor: expected at most 2^32 for such");
    }
    if (const std::optional<Pass> pass = bluestein_pass(q)) return {q.axis, q.n, 0, {*pass}};
    const std::uint64_t forced = forced_length(q);
    AxisQuestion inner = q;
    Tuning tuning = *q.tuning;
    if (!forced && is_gpu(*q.limits)) {
        tuning.passes = pipelined_passes(q);
        if (tuning.passes.empty())
            tuning.passes = passes_for(q, least_padded_length(q), longest_split_pass(*q.limits, q.precision));
    }
    inner.tuning = &tuning;
    inner.n = forced                  ? forced
              : tuning.passes.empty() ? padded_for_passes(least_padded_length(q))
                                      : product(tuning.passes);
    inner.is_strided = true;
    inner.is_one_sided = false;
    inner.least_passes = 2;
    std::optional<AxisRecipe> passes = design_direct(inner);
    if (!passes || passes->passes.size() < 2) {
        throw Unsupported("tuning: expected a padded length that fits in one pass or splits in several, got " +
                          std::to_string(inner.n));
    }
    Pass& turning = passes->passes.back();  // whose core runs twice
    if (turning.algorithm != Algorithm::direct)
        throw Unsupported("length " + std::to_string(q.n) + ": expected a device whose registers hold a butterfly of " +
                          "the factors of " + std::to_string(turning.n));
    turning.core.radices = choose_radices({turning.n, true, true, q.precision}, *q.limits);
    return {q.axis, q.n, inner.n, passes->passes};
}

}  // namespace seiche::planner
