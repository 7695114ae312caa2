// One pass where the sequence fits on chip; otherwise several with twiddles between them (four-step, generalised to any
// number of passes: Stockham's autosort at the level of passes, so that the output is in natural order).
#include <algorithm>
#include <bit>

#include "planner/cost.hpp"
#include "planner/design.hpp"
#include "planner/factorize.hpp"
#include "planner/fuse.hpp"
#include "planner/measured_cores.hpp"
#include "planner/measured_passes.hpp"
#include "planner/pipeline.hpp"
#include "planner/pipeline_cost.hpp"
#include "planner/pipeline_splits.hpp"
#include "planner/shape.hpp"
#include "planner/shape_parts.hpp"
#include "planner/simd_passes.hpp"
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

/// Of three passes a longer first one, which has no twiddles, and short last ones, whose runs are long, and of which a
/// cache may hold several transforms (find_slices). Where it holds none, only the last is short. In 16-bit storage
/// short passes have columns for whole lines. Measured: LAB-0030.
std::vector<std::uint32_t> with_short_last(std::vector<std::uint32_t> passes, std::uint32_t longest, bool is_16_bit) {
    constexpr std::uint64_t most_points = std::uint64_t{1} << 16;
    constexpr std::uint32_t short_pass = 256;
    constexpr std::uint32_t two_short_pass = 128, two_short = two_short_pass * two_short_pass;
    constexpr std::uint64_t most_of_two_short = std::uint64_t{1} << 25,
                            most_of_two_short_16_bit = std::uint64_t{1} << 24,
                            most_of_short_16_bit = std::uint64_t{1} << 25;
    if (passes.size() != 3) return passes;
    const std::uint64_t n = product(passes);
    if (is_16_bit && n == most_of_two_short_16_bit) return {512, two_short_pass, short_pass};
    if (is_16_bit && std::has_single_bit(n) && n > most_of_two_short_16_bit && n <= most_of_short_16_bit)
        return {static_cast<std::uint32_t>(n / (short_pass * two_short_pass)), short_pass, two_short_pass};
    if (std::has_single_bit(n) && n <= (is_16_bit ? most_of_two_short_16_bit : most_of_two_short) &&
        n / two_short > short_pass)
        return {static_cast<std::uint32_t>(n / two_short), two_short_pass, two_short_pass};
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
    const std::vector<std::uint32_t> lengths = split_into_passes(q.n, longest);
    return q.limits->vectors == Vectors::subgroups ? with_short_last(lengths, longest, q.problem.is_16_bit) : lengths;
}

}  // namespace

namespace {

/// Whether an axis's sequences are a prime's in a loop, in one thread or two. A few long ones, without a butterfly of
/// their own size, are Rader's, which has more threads. Measured: LAB-0026.
bool has_turns(const AxisQuestion& q) {
    const bool is_double = q.precision == Precision::f64;
    const std::uint64_t many = is_double ? 65536 : 32768,
                        longest_of_few = largest_complex_prime(*q.limits, q.precision, true);
    const std::optional<PrimeTurns> turns = turns_of_prime(q.n, q.precision, *q.limits);
    const std::uint32_t threads = q.tuning->threads_per_transform;
    return turns && q.longest_in_thread != 0 && q.tuning->radices.empty() &&
           (threads == 0 || threads == turns->threads) && (q.n <= longest_of_few || q.sequences >= many);
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

Stockham choose_core(const AxisQuestion& q, const CoreQuestion& core) {
    const auto n = static_cast<std::uint32_t>(core.n);
    const std::vector<std::uint32_t>& forced = q.tuning->radices;
    const bool may_be_given = forced.empty() && core.is_complex_row() && q.tuning->threads_per_transform <= 1;
    // Two lengths of f64 that lose; their neighbours gain. Measured: LAB-0025.
    const bool is_slower = q.precision == Precision::f64 && (n == 25 || n == 33);
    if (may_be_given && n <= q.longest_in_thread && !is_slower) return {n, {n}};
    if (forced.empty() && !core.runs_twice && n == q.n && has_turns(q)) return {n, {n}};
    if (may_be_given && !q.measured.empty() && n == q.n) return {n, q.measured};
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

namespace {

/// Rows of r2c or c2r, whose conjugate pairs go through shared memory, with butterflies of primes above the usual:
/// faster than convolutions, but for lone ones of the largest, which spill. Measured: LAB-0025.
bool has_paired_butterflies(const AxisQuestion& q, std::uint64_t n) {
    constexpr std::uint64_t largest_alone = 47;
    const bool is_alone = support::is_prime(n);
    return (!is_alone || n <= largest_alone) &&
           support::is_smooth(n, largest_complex_prime(*q.limits, q.precision, false));
}

}  // namespace

bool has_butterflies(const AxisQuestion& q, std::uint64_t n) {
    if (q.map == CoreMap::spectrum && !q.is_strided) return has_paired_butterflies(q, n);
    if (q.has_map()) return support::is_smooth(n, largest_prime(*q.limits, q.precision));
    if (n == q.n && has_turns(q)) return true;
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
        part.is_one_sided = q.is_one_sided && lengths.size() == 1;
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
