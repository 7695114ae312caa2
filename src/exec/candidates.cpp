// Which tunings of a problem are worth measuring: other radices, splits, group sizes, padded lengths and clusters than
// the cost model's, as far as they can be had and make other kernels.
#include "exec/inspect.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "planner/recipe.hpp"
#include "problem/problem.hpp"
#include "seiche/error.hpp"
#include "support/primes.hpp"
#include "support/strides.hpp"

namespace seiche::exec {

namespace {

constexpr std::uint32_t largest_radix = 32, largest_factor = 13;
/// A radix to try for lengths that it divides. Measured: LAB-0044.
constexpr std::uint32_t square_of_seven = 49;
constexpr std::size_t most_candidates = 192, most_orders = 120, most_orders_in_groups = 40;
/// Threads beyond which groups of several transforms are too large to be tried, and points of a thread beyond which it
/// has too few registers.
constexpr std::uint32_t most_threads_in_groups = 128, most_points = 34;
/// Of what all threads' butterflies have, times the points: more would idle.
constexpr double most_rounds = 1.22;
constexpr std::uint32_t clusters[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16};

/// Every way to write n as a product of radices up to 32, none above the one before it, at most `most` of them.
void add_products(std::uint64_t n, std::uint32_t below, std::size_t most, std::vector<std::uint32_t>& begun,
                  std::vector<std::vector<std::uint32_t>>& all) {
    if (n == 1 && !begun.empty()) all.push_back(begun);
    if (n == 1 || begun.size() == most) return;
    for (std::uint32_t radix = n < below ? static_cast<std::uint32_t>(n) : below; radix >= 2; --radix) {
        if (n % radix != 0) continue;
        begun.push_back(radix);
        add_products(n / radix, radix, most, begun, all);
        begun.pop_back();
    }
}

/// A core of one pass.
struct Order {
    std::vector<std::uint32_t> radices;
    std::uint32_t threads = 1;
    double rounds =
        1;  // in the mean of all stages, whether or not a thread has something to do in them; times the points
};

/// Every order of these radices, which rise, in as many threads as a radix has butterflies, or half as many.
void add_orders(std::vector<std::uint32_t> radices, std::uint32_t n, std::vector<Order>& all) {
    std::set<std::uint32_t> counts;
    for (const std::uint32_t radix : radices)
        for (std::uint32_t rounds = 1; rounds <= 2; ++rounds) counts.insert((n / radix + rounds - 1) / rounds);
    do {
        for (const std::uint32_t threads : counts) {
            std::uint64_t sum = 0, most = 0;
            for (const std::uint32_t radix : radices) {
                const std::uint64_t points = std::uint64_t{(n / radix + threads - 1) / threads} * radix;
                sum += points;
                most = std::max(most, points);
            }
            const double rounds = static_cast<double>(sum * threads) / static_cast<double>(n * radices.size());
            if (rounds <= most_rounds && (most <= most_points || most == radices.front()))
                all.push_back({radices, threads, rounds});
        }
    } while (std::next_permutation(radices.begin(), radices.end()));
}

class Candidates {
public:
    Candidates(const Problem& problem, const DeviceLimits& limits)
        : problem_(problem), canonical_(problem::normalise(problem)), limits_(limits) {}

    std::vector<Tuning> all() {
        add({});
        const planner::Recipe recipe = planner::design(canonical_, limits_, {});
        if (limits_.vectors == Vectors::explicit_simd && recipe.axes.size() == 1) add_of_simd(recipe.axes.front());
        if (recipe.axes.size() == 1) add_axis(recipe.axes.front());
        const bool is_long = recipe.axes.size() == 1 && recipe.axes.front().passes.size() > 1;
        if (recipe.axes.size() > 1 && limits_.vectors != Vectors::explicit_simd) add_whole();
        if (recipe.groups_per_cluster != 0) add_threads_of_fused(recipe);
        const bool has_groups = limits_.vectors != Vectors::explicit_simd;
        if (has_groups && (recipe.axes.size() > 1 || is_long)) add_clusters();
        add_groups();
        return found_;
    }

private:
    /// On a SIMD device: the whole axis in one kernel or cut in two however uneven, other lanes, and every order of the
    /// radices, of which the first and the last decide what goes through shuffles.
    void add_of_simd(const planner::AxisRecipe& axis) {
        constexpr std::uint64_t shortest = 512, most_apart = 128;
        const std::uint64_t bytes = stored_bytes(canonical_.precision, Storage::same);
        for (const std::uint32_t lanes : {2u, 4u, 8u, 16u}) {
            if (lanes * bytes > limits_.vector_bytes) break;
            Tuning tuning;
            tuning.vector_lanes = lanes;
            add(tuning);
        }
        const planner::Pass& pass = axis.passes.front();
        if (axis.passes.size() == 1 && pass.algorithm == Algorithm::direct) {
            Tuning tuning;
            tuning.radices = pass.core.radices;
            std::sort(tuning.radices.begin(), tuning.radices.end());
            for (std::size_t i = 0; i < most_orders_in_groups; ++i) {
                add(tuning);
                if (!std::next_permutation(tuning.radices.begin(), tuning.radices.end())) break;
            }
        }
        if (axis.padded != 0 || axis.n < shortest || !support::is_smooth(axis.n, largest_factor)) return;
        Tuning tuning;
        tuning.passes = {axis.n};
        add(tuning);
        for (std::uint64_t first = 4; first <= axis.n / 4; ++first) {
            const std::uint64_t second = axis.n / first;
            if (axis.n % first != 0 || first > most_apart * second || second > most_apart * first) continue;
            tuning.passes = {first, second};
            add(tuning);
        }
    }

    /// Of the planner's own lengths.
    void add_clusters() {
        add_launches({});
        for (const std::uint32_t groups : clusters) {
            Tuning tuning;
            tuning.groups_per_cluster = groups;
            add(tuning);
        }
    }

    /// Axes that a group has whole, and how many transforms of them.
    void add_whole() {
        Tuning tuning;
        tuning.groups_per_cluster = 1;
        for (const std::uint32_t count :
             {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 10u, 12u, 14u, 16u, 20u, 24u, 32u, 48u, 64u}) {
            tuning.transforms_per_group = count;
            add(tuning);
        }
    }

    /// Other threads than the planner's of two passes that are one kernel, in its groups, half and twice as many.
    void add_threads_of_fused(const planner::Recipe& recipe) {
        constexpr std::uint64_t most_threads = 128;  // of a sequence
        const std::uint32_t groups = recipe.groups_per_cluster;
        std::set<std::uint64_t> lengths;
        for (const planner::AxisRecipe& axis : recipe.axes)
            for (const planner::Pass& pass : axis.passes) lengths.insert(pass.n);
        Tuning tuning;
        if (recipe.axes.size() == 1)
            for (const planner::Pass& pass : recipe.axes.front().passes) tuning.passes.push_back(pass.n);
        for (const std::uint32_t of_cluster : {groups, groups / 2, 2 * groups}) {
            if (of_cluster == 0) continue;
            tuning.groups_per_cluster = of_cluster;
            for (std::uint32_t threads = 1; threads <= most_threads; ++threads) {
                tuning.threads_per_transform = threads;
                const auto divides = [&](std::uint64_t n) { return n % threads == 0; };
                if (std::any_of(lengths.begin(), lengths.end(), divides)) add(tuning);
            }
        }
    }

    void add_axis(const planner::AxisRecipe& axis) {
        const planner::Pass& pass = axis.passes.front();
        const bool is_direct = pass.algorithm == Algorithm::direct;
        if (axis.passes.size() == 1 && is_direct)
            add_radices(pass, support::magnitude(canonical_.axes[axis.axis].input_stride) > 1);
        if (axis.passes.size() > 1 && axis.padded == 0) {
            add_splits(axis.n);
            if (limits_.vectors != Vectors::explicit_simd) add_three_passes(axis.n);
        }
        if (axis.padded != 0 || !is_direct || support::is_prime(axis.n)) add_convolutions(axis);
    }

    void add_radices(const planner::Pass& pass, bool is_strided) {
        std::vector<std::vector<std::uint32_t>> products;
        std::vector<std::uint32_t> begun;
        const bool has_square = pass.n % square_of_seven == 0 && limits_.vectors == Vectors::subgroups;
        add_products(pass.n, has_square ? square_of_seven : largest_radix, pass.core.radices.size() + 1, begun,
                     products);
        std::vector<Order> orders;
        for (std::vector<std::uint32_t>& radices : products) {
            std::reverse(radices.begin(), radices.end());
            Tuning tuning;
            tuning.radices = radices;
            add(tuning);
            if (limits_.vectors == Vectors::subgroups) add_orders(radices, pass.n, orders);
        }
        std::stable_sort(orders.begin(), orders.end(), [](const Order& a, const Order& b) {
            return std::pair(a.radices.size(), a.rounds) < std::pair(b.radices.size(), b.rounds);
        });
        orders.resize(std::min(orders.size(), most_orders));
        for (std::size_t i = 0; i < orders.size(); ++i) {
            Tuning tuning;
            tuning.radices = orders[i].radices;
            tuning.threads_per_transform = orders[i].threads;
            add(tuning);
            if (i >= most_orders_in_groups || orders[i].threads > most_threads_in_groups) continue;
            const std::uint32_t fewest = is_strided ? 4 : 1;  // columns in runs
            for (tuning.transforms_per_group = fewest; tuning.transforms_per_group <= 8 * fewest;
                 tuning.transforms_per_group *= 2)
                add(tuning);
        }
    }

    void add_splits(std::uint64_t n) {
        constexpr std::uint64_t most_apart = 16;  // times one pass may be longer than the other
        for (std::uint64_t first = 2; first <= n / 2; ++first) {
            if (first * first > n * most_apart) break;
            const std::uint64_t second = n / first;
            if (n % first != 0 || second > first * most_apart) continue;
            if (!support::is_smooth(first, largest_factor) || !support::is_smooth(second, largest_factor)) continue;
            Tuning tuning;
            tuning.passes = {first, second};
            add(tuning);
            if (limits_.vectors == Vectors::explicit_simd) continue;
            add_launches(tuning);
            for (const std::uint32_t groups : clusters) {
                tuning.groups_per_cluster = groups;
                if (first % groups == 0 && second % groups == 0) add(tuning);
            }
        }
    }

    /// Three passes, the last two in one launch.
    void add_three_passes(std::uint64_t n) {
        constexpr std::uint64_t shortest = std::uint64_t{1} << 18, most_below = 4, most_above = 6;  // of the cube root
        if (n < shortest) return;
        const auto root = static_cast<std::uint64_t>(std::cbrt(static_cast<double>(n)));
        const auto may_be = [&](std::uint64_t pass) {
            return pass >= root / most_below && pass <= root * most_above && support::is_smooth(pass, largest_factor);
        };
        Tuning tuning;
        tuning.trailing_passes = true;
        for (std::uint64_t first = root / most_below; first <= root * most_above; ++first) {
            if (n % first != 0 || !may_be(first)) continue;
            for (std::uint64_t second = root / most_below; second <= root * most_above; ++second) {
                if (n / first % second != 0 || !may_be(second) || !may_be(n / first / second)) continue;
                tuning.passes = {first, second, n / first / second};
                add(tuning);
            }
        }
    }

    /// Two passes in a launch each and in one, with the planner's transforms in a group and with 2 to 16.
    void add_launches(Tuning tuning) {
        for (const bool is_trailing : {false, true}) {
            tuning.trailing_passes = is_trailing;
            tuning.separate_passes = !is_trailing;
            for (tuning.transforms_per_group = 0; tuning.transforms_per_group <= 16;
                 tuning.transforms_per_group = std::max(2 * tuning.transforms_per_group, 2u))
                add(tuning);
        }
    }

    void add_convolutions(const planner::AxisRecipe& axis) {
        constexpr unsigned most_lengths = 6;
        const std::uint64_t n = axis.n;
        const bool may_be_one_sided = planner::has_one_side(canonical_, canonical_.axes[axis.axis], limits_);
        Tuning tuning;
        tuning.algorithm = Algorithm::rader;
        add(tuning);
        tuning.algorithm = Algorithm::bluestein;
        add(tuning);
        unsigned count = 0;
        const std::uint64_t least = may_be_one_sided ? n + n / 2 : 2 * n - 1;
        for (std::uint64_t padded = least; count < most_lengths && padded <= 4 * n; ++padded) {
            if (!support::is_smooth(padded, largest_factor)) continue;
            tuning.padded_length = padded;
            add(tuning);
            ++count;
        }
    }

    /// Other counts of transforms in a group, and of threads, of what the cost model chooses.
    void add_groups() {
        for (const std::uint32_t count : {1u, 2u, 4u, 8u, 16u, 32u, 64u}) {
            Tuning tuning;
            tuning.transforms_per_group = count;
            add(tuning);
        }
        if (limits_.vectors == Vectors::explicit_simd) return;  // a transform is one thread's
        for (const std::uint32_t threads : {16u, 32u, 64u, 128u, 256u, 512u, 1024u}) {
            Tuning tuning;
            tuning.threads_per_transform = threads;
            add(tuning);
        }
    }

    void add(const Tuning& tuning) {
        if (found_.size() == most_candidates) return;
        std::string kernels;
        try {
            for (const KernelReport& kernel : describe(problem_, limits_, {Directions::both, tuning}).kernels)
                kernels += kernel.spec + ";";
        } catch (const Unsupported&) {
            if (found_.empty()) throw;  // the cost model's own
            return;
        }
        if (known_.insert(kernels).second) found_.push_back(tuning);
    }

    const Problem& problem_;
    const problem::Canonical canonical_;
    const DeviceLimits& limits_;
    std::vector<Tuning> found_;
    std::set<std::string> known_;
};

}  // namespace

std::vector<Tuning> candidates(const Problem& problem, const DeviceLimits& limits) {
    return Candidates(problem, limits).all();
}

}  // namespace seiche::exec
