// One pass where the sequence fits on chip; otherwise several with twiddles between them (four-step, generalised to any
// number of passes: Stockham's autosort at the level of passes, so that the output is in natural order).
#include <algorithm>
#include <bit>
#include <limits>

#include "planner/design/design.hpp"
#include "planner/device_model.hpp"
#include "planner/fuse/fuse.hpp"
#include "planner/fuse/group_convolution.hpp"
#include "planner/fuse/pipeline.hpp"
#include "planner/measured/pairs.hpp"
#include "planner/model/passes.hpp"
#include "planner/policy/butterflies.hpp"
#include "planner/policy/cost.hpp"
#include "planner/policy/measured_passes.hpp"
#include "planner/policy/pipeline_cost.hpp"
#include "planner/policy/pipeline_splits.hpp"
#include "planner/policy/pipelining.hpp"
#include "planner/policy/simd_passes.hpp"
#include "planner/shape/factorize.hpp"
#include "planner/shape/measured_cores.hpp"
#include "planner/shape/parts.hpp"
#include "planner/shape/shape.hpp"
#include "seiche/error.hpp"
#include "support/primes.hpp"
#include "support/text.hpp"

namespace seiche::planner {

namespace {

/// Of three passes a longer first one, which has no twiddles, and short last ones, whose runs are long, and of which a
/// cache may hold several transforms (find_slices). Where it holds none, only the last is short. In 16-bit storage
/// short passes have columns for whole lines. Measured: LAB-0030.
std::vector<std::uint32_t> with_short_last(std::vector<std::uint32_t> passes, std::uint32_t longest, bool is_16_bit) {
    if (passes.size() != 3) return passes;
    const std::uint64_t n = product(passes);
    const std::uint32_t one = three_passes::short_pass, shorter = three_passes::shorter_pass;
    const std::uint64_t longest_16_bit = three_passes::most_with_two_shorter_16_bit;
    const auto rest = static_cast<std::uint32_t>(n / (one * shorter));
    if (is_16_bit && n == longest_16_bit) return {rest, shorter, one};
    if (is_16_bit && std::has_single_bit(n) && n > longest_16_bit && n <= three_passes::most_with_short_16_bit)
        return {rest, one, shorter};
    if (std::has_single_bit(n) && n <= (is_16_bit ? longest_16_bit : three_passes::most_with_two_shorter) &&
        n / three_passes::two_shorter > one)
        return {static_cast<std::uint32_t>(n / three_passes::two_shorter), shorter, shorter};
    std::vector<std::uint32_t> given = passes;
    while (std::uint64_t{passes[1]} * passes[2] > three_passes::most_of_last_two && 2 * passes[0] <= longest) {
        std::uint32_t& longer = passes[1] > passes[2] ? passes[1] : passes[2];
        if (longer % 2 != 0) break;
        longer /= 2;
        passes[0] *= 2;
    }
    if (std::uint64_t{passes[1]} * passes[2] <= three_passes::most_of_last_two) return passes;
    while (given[2] > one && given[2] % 2 == 0 && 2 * given[1] <= given[0]) {
        given[2] /= 2;
        given[1] *= 2;
    }
    return given;
}

/// The cheapest two passes in one launch; empty: none, or the batch is too small. Measured: LAB-0020.
std::vector<std::uint32_t> pipelined_passes(const AxisQuestion& q) {
    if (!q.may_be_lone || !is_cut_by_cost(q)) return {};
    using Rank = std::pair<bool, double>;  // false first
    std::vector<std::uint32_t> best;
    std::optional<Rank> least;
    for (const Split& split : splits_of_two(q)) {
        const std::optional<kernels::KernelSpec> launch = pipelined_launch(q, Kind::c2c, q.n, split);
        if (!launch || !has_pipeline_cost(*launch, *q.limits)) continue;
        const Rank rank{!gains_by_pipelining(*launch, *q.limits), pipeline_cost(*launch)};
        if (least && *least <= rank) continue;
        least = rank;
        best = {static_cast<std::uint32_t>(split.first), static_cast<std::uint32_t>(split.second)};
    }
    return best;
}

/// A prime that needs a convolution is a pass by itself where that is cheaper than one of a multiple of it.
std::vector<std::uint32_t> with_lone_prime(const AxisQuestion& q, const std::vector<std::uint32_t>& passes,
                                           std::uint32_t longest) {
    const auto is_direct = [&](std::uint64_t n) { return has_butterflies(q, n); };
    const bool is_free = q.tuning->algorithm == Algorithm::any && q.tuning->padded_length == 0;
    if (!is_free || passes.size() != 2 || is_direct(passes[0]) == is_direct(passes[1])) return passes;
    const std::uint64_t convolved = is_direct(passes[0]) ? passes[1] : passes[0];
    const std::uint64_t prime = support::prime_factors(convolved).back(), rest = q.n / prime;
    if (prime == convolved || rest > longest || !is_direct(rest)) return passes;
    const auto cost_of = [&](const std::vector<std::uint32_t>& lengths) {
        double all = 0;
        for (const std::uint32_t n : lengths) {
            AxisQuestion part = q;
            part.n = n;
            part.is_one_sided = false;
            part.is_strided = true;
            part.sequences = q.sequences * (q.n / n);
            const std::optional<Pass> pass = choose_pass(part);
            if (!pass) return std::numeric_limits<double>::infinity();
            all += cost(*pass, part) * static_cast<double>(part.sequences);
        }
        return all;
    };
    const std::vector<std::uint32_t> lone{static_cast<std::uint32_t>(prime), static_cast<std::uint32_t>(rest)};
    return cost_of(lone) < cost_of(passes) ? lone : passes;
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
    if (q.tuning->groups_per_cluster == 1 && q.problem.is_alone)
        if (auto lengths = lengths_with_convolution(q.n, q.precision, *q.limits); !lengths.empty()) return lengths;
    if (q.tuning->groups_per_cluster != 0 && q.problem.is_alone) {
        const auto measured =
            q.may_be_lone && !q.is_strided && !q.problem.is_16_bit && leaves_pipelining_open(*q.tuning)
                ? measured_cluster(Kind::c2c, q.precision, q.n, q.sequences, *q.limits)
                : std::nullopt;
        if (measured && measured->groups == q.tuning->groups_per_cluster) return {measured->first, measured->second};
        const std::vector<std::uint32_t> lengths = lengths_in_clusters(q.n, q.precision, *q.limits, *q.tuning);
        if (lengths.empty() && has_butterflies(q, q.n))
            throw Unsupported("tuning.groups_per_cluster: expected groups that hold a part of " + std::to_string(q.n) +
                              " points which leaves one pass more, and divide it, got " +
                              std::to_string(q.tuning->groups_per_cluster));
        return lengths;
    }
    if (const std::vector<std::uint32_t> own = simd_passes(q); !own.empty()) return own;
    const bool fits = fits_one_pass({q.n, q.is_strided, false, q.precision}, *q.limits) &&
                      (q.may_be_lone || q.n <= longest_pass(*q.limits, q.precision, q.is_strided));
    if ((fits || !q.measured.empty()) && has_butterflies(q, q.n)) return {static_cast<std::uint32_t>(q.n)};
    const std::uint32_t longest = longest_split_pass(*q.limits, q.precision);
    if (std::vector<std::uint32_t> two = measured_passes(q); !two.empty()) return two;
    if (std::vector<std::uint32_t> two = pipelined_passes(q); !two.empty()) return two;
    const std::vector<std::uint32_t> lengths = with_lone_prime(q, split_into_passes(q.n, longest), longest);
    return is_gpu(*q.limits) ? with_short_last(lengths, longest, q.problem.is_16_bit) : lengths;
}

/// Whether both passes are one group's, and one of them is a convolution.
bool has_convolution_in_group(const AxisQuestion& q, const std::vector<std::uint32_t>& lengths) {
    return q.tuning->groups_per_cluster == 1 && lengths.size() == 2 &&
           !support::is_smooth(q.n, largest_prime(*q.limits, q.precision)) &&
           holds_convolution(lengths, q.precision, *q.limits);
}

}  // namespace

std::optional<Pass> choose_pass(const AxisQuestion& q) {
    const Algorithm wanted = q.tuning->padded_length ? Algorithm::bluestein : q.tuning->algorithm;
    const auto may_be = [&](Algorithm algorithm) { return wanted == Algorithm::any || wanted == algorithm; };
    if (may_be(Algorithm::direct) && has_butterflies(q, q.n)) {
        const CoreMap map = q.has_map() && !q.problem.is_alone ? CoreMap::real : q.map;
        const CoreQuestion core{q.n, q.is_strided, false, q.precision, map};
        if (q.has_map() && !fits_one_pass(core, *q.limits)) return std::nullopt;
        return Pass{static_cast<std::uint32_t>(q.n), Algorithm::direct, choose_core(q, core)};
    }
    const std::optional<Pass> rader = may_be(Algorithm::rader) ? rader_pass(q) : std::nullopt;
    const std::optional<Pass> bluestein = may_be(Algorithm::bluestein) ? bluestein_pass(q) : std::nullopt;
    if (!rader || !bluestein) return rader ? rader : bluestein;
    return cost(*rader, q) < cost(*bluestein, q) ? rader : bluestein;
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
    const bool is_in_group = has_convolution_in_group(q, lengths);
    for (const std::uint32_t n : lengths) {
        AxisQuestion part = q;
        part.tuning = &of_parts;
        part.n = n;
        part.is_one_sided = q.is_one_sided && lengths.size() == 1;
        part.is_strided = lengths.size() > 1 || q.is_strided;
        part.sequences = q.sequences * (q.n / n);
        const std::optional<Pass> pass = is_in_group ? pass_in_group(n, q.precision, *q.limits) : choose_pass(part);
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
