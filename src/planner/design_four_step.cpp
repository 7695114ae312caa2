// One pass where the sequence fits on chip; otherwise several passes with twiddles between them (four-step, generalised
// to any number of passes: Stockham's autosort at the level of passes, so that the output is in natural order).
#include <algorithm>

#include "planner/cost.hpp"
#include "planner/design.hpp"
#include "planner/factorize.hpp"
#include "planner/fuse.hpp"
#include "planner/shape.hpp"
#include "seiche/error.hpp"
#include "support/primes.hpp"
#include "support/text.hpp"

namespace seiche::planner {

namespace {

std::uint64_t product(const auto& numbers) {
    std::uint64_t all = 1;
    for (const auto number : numbers) all *= number;
    return all;
}

/// Of three passes a longer first one, whose points have no twiddles, and last ones whose runs are long. Measured on an
/// H200, of copy: 2^26 points as 512 x 512 x 256 0.27, as 1024 x 256 x 256 0.28; 2^27 as 512 x 512 x 512 0.25, as
/// 1024 x 512 x 256 0.26, as 2048 x 256 x 256 0.27. It also leaves a cache room for some of the transforms of the other
/// two, which lie beside each other (find_slices). Where even the longest first one leaves none, the last one alone is
/// short: 2^28 as 1024 x 512 x 512 0.24, as 2048 x 512 x 256 0.25, as 1024 x 1024 x 256 0.26.
std::vector<std::uint32_t> with_short_last(std::vector<std::uint32_t> passes, std::uint32_t longest) {
    constexpr std::uint64_t most_points = std::uint64_t{1} << 16;
    constexpr std::uint32_t short_pass = 256;
    if (passes.size() != 3) return passes;
    std::vector<std::uint32_t> given = passes;
    while (std::uint64_t{passes[1]} * passes[2] > most_points && 2 * passes[0] <= longest) {
        std::uint32_t& longer = passes[1] > passes[2] ? passes[1] : passes[2];
        if (longer % 2 != 0) break;
        longer /= 2;
        passes[0] *= 2;
    }
    if (std::uint64_t{passes[1]} * passes[2] <= most_points) return passes;
    while (given[2] > short_pass && given[2] % 2 == 0 && 2 * given[1] <= given[0]) {
        given[2] /= 2;
        given[1] *= 2;
    }
    return given;
}

/// Empty where there are none. Throws Unsupported for forced passes that are not to be had.
std::vector<std::uint32_t> choose_passes(const AxisQuestion& q) {
    const std::vector<std::uint64_t>& forced = q.tuning->passes;
    if (!forced.empty()) {
        if (product(forced) != q.n) {
            if (!has_butterflies(q, q.n)) return {};  // they may be those of a padded length
            throw Unsupported("tuning.passes: expected lengths whose product is " + std::to_string(q.n) + ", got " +
                              support::join_numbers(forced, "x"));
        }
        const std::uint64_t most = longest_forced_pass(*q.limits, q.precision, forced.size() > 1 || q.is_strided);
        const bool is_whole =
            forced.size() == 1 && !q.is_strided && fits_one_pass({q.n, false, false, q.precision}, *q.limits);
        if (!is_whole && *std::max_element(forced.begin(), forced.end()) > most) {
            throw Unsupported("tuning.passes: expected passes of at most " + std::to_string(most) +
                              " points on this device, got " + support::join_numbers(forced, "x"));
        }
        return {forced.begin(), forced.end()};
    }
    if (q.tuning->groups_per_cluster != 0 && q.is_alone) {
        const std::vector<std::uint32_t> lengths = lengths_in_clusters(q.n, q.precision, *q.limits, *q.tuning);
        if (lengths.empty() && has_butterflies(q, q.n))
            throw Unsupported("tuning.groups_per_cluster: expected groups that hold a part of " + std::to_string(q.n) +
                              " points which leaves one pass more, and divide it, got " +
                              std::to_string(q.tuning->groups_per_cluster));
        return lengths;
    }
    const bool fits = fits_one_pass({q.n, q.is_strided, false, q.precision}, *q.limits) &&
                      (q.may_be_lone || q.n <= longest_pass(*q.limits, q.precision, q.is_strided));
    if ((fits || !q.measured.empty()) && has_butterflies(q, q.n)) return {static_cast<std::uint32_t>(q.n)};
    const std::uint32_t longest = longest_split_pass(*q.limits, q.precision);
    std::vector<std::uint32_t> lengths = split_into_passes(q.n, longest);
    return q.limits->vectors == Vectors::subgroups ? with_short_last(lengths, longest) : lengths;
}

}  // namespace

std::optional<Pass> choose_pass(const AxisQuestion& q) {
    const Algorithm wanted = q.tuning->padded_length ? Algorithm::bluestein : q.tuning->algorithm;
    const auto may_be = [&](Algorithm algorithm) { return wanted == Algorithm::any || wanted == algorithm; };
    if (may_be(Algorithm::direct) && has_butterflies(q, q.n)) {
        const CoreQuestion core{q.n, q.is_strided, false, q.precision, q.is_real};
        if (q.is_real && !fits_one_pass(core, *q.limits)) return std::nullopt;
        return Pass{static_cast<std::uint32_t>(q.n), Algorithm::direct, choose_core(q, core)};
    }
    const std::optional<Pass> rader = may_be(Algorithm::rader) ? rader_pass(q) : std::nullopt;
    const std::optional<Pass> bluestein = may_be(Algorithm::bluestein) ? bluestein_pass(q) : std::nullopt;
    if (!rader || !bluestein) return rader ? rader : bluestein;
    return cost(*rader, q) < cost(*bluestein, q) ? rader : bluestein;
}

Stockham choose_core(const AxisQuestion& q, const CoreQuestion& core) {
    const auto n = static_cast<std::uint32_t>(core.n);
    const std::vector<std::uint32_t>& forced = q.tuning->radices;
    const bool is_plain = !core.is_strided && !core.runs_twice && !core.is_real && q.tuning->threads_per_transform <= 1;
    // Two of f64 that lost, 25 points 0.94 of copy (1.00 in two stages) and 33 0.92 (0.97); their neighbours gained.
    const bool is_slower = q.precision == Precision::f64 && (n == 25 || n == 33);
    if (forced.empty() && is_plain && n <= q.longest_in_thread && !is_slower) return {n, {n}};
    if (forced.empty() && is_plain && !q.measured.empty() && n == q.n) return {n, q.measured};
    if (forced.empty()) return {n, choose_radices(core, *q.limits)};
    constexpr std::uint32_t longest_radix = 64;  // beyond, a butterfly is thousands of instructions
    if (*std::max_element(forced.begin(), forced.end()) > longest_radix) {
        throw Unsupported("tuning.radices: expected radices up to 64, got " + support::join_numbers(forced, "x"));
    }
    if (product(forced) != n) {
        throw Unsupported("tuning.radices: expected radices whose product is the pass's length " + std::to_string(n) +
                          ", got " + support::join_numbers(forced, "x"));
    }
    return {n, forced};
}

bool has_butterflies(const AxisQuestion& q, std::uint64_t n) {
    if (q.is_real) return support::is_smooth(n, largest_prime(*q.limits, q.precision));
    return support::is_smooth(n, largest_complex_prime(*q.limits, q.precision, support::is_prime(n)));
}

std::optional<AxisRecipe> design_direct(const AxisQuestion& q) {
    const bool is_smooth = has_butterflies(q, q.n);
    const std::vector<std::uint32_t> lengths = choose_passes(q);
    if (lengths.empty() || (!is_smooth && lengths.size() == 1)) return std::nullopt;  // one convolution, or none
    Tuning of_parts = *q.tuning;  // what is the whole axis's is obeyed by now
    of_parts.passes.clear();
    of_parts.padded_length = 0;
    of_parts.algorithm = Algorithm::any;
    AxisRecipe recipe{q.axis, q.n, 0, {}};
    for (const std::uint32_t n : lengths) {
        AxisQuestion part = q;
        part.tuning = &of_parts;
        part.n = n;
        part.is_strided = lengths.size() > 1 || q.is_strided;
        part.sequences = q.sequences * (q.n / n);
        const std::optional<Pass> pass = choose_pass(part);
        if (!pass && !q.tuning->passes.empty()) {
            throw Unsupported("tuning.passes: expected passes that fit on this device's chip, got one of " +
                              std::to_string(n) + " points, which needs a longer convolution");
        }
        if (!pass) return std::nullopt;
        recipe.passes.push_back(*pass);
    }
    return recipe;
}

}  // namespace seiche::planner
