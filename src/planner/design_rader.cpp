// Rader: a prime length as a cyclic convolution of one point less, in the order of a generator's powers.
#include <bit>

#include "planner/cost.hpp"
#include "planner/design.hpp"
#include "planner/shape.hpp"
#include "support/primes.hpp"

namespace seiche::planner {

namespace {

/// Whether a core with butterflies of 17 to 31 points pays. Measured on an H200, of copy, Bluestein's and this: where
/// it spares a stage 137 points 0.32 and 0.49, 311 0.32 and 0.45, 2053 0.20 and 0.35, 3571 0.23 and 0.40, f64 2053 0.21
/// and 0.38; elsewhere 443 0.41 and 0.39, 1117 0.35 and 0.29. Powers of two have cheaper stages than `cost` knows: 239
/// (padded to 512) 0.51 and 0.47, but 4093 (8192) 0.28 and 0.33; of others it counts the saved stage too low: 311 is
/// 1.05 times as dear by it.
bool spares_a_stage(const Pass& rader, const AxisQuestion& q) {
    constexpr double powers_of_two = 0.75, others = 1.25;
    const std::optional<Pass> bluestein = bluestein_pass(q);
    if (!bluestein) return true;
    const double price = std::has_single_bit(bluestein->core.n) ? powers_of_two : others;
    return rader.core.radices.size() < bluestein->core.radices.size() && cost(rader, q) < price * cost(*bluestein, q);
}

/// In f64 a core of as many stages, of a power of two that is hardly longer than it must be, is the faster one: 127
/// points, as Bluestein's 256 or by 126 = 7 x 6 x 3, 0.54 and 0.48. With more room beside them 61 0.52 and 0.59, 67
/// 0.44 and 0.55, 257 0.33 and 0.64.
bool has_even_bluestein(const Pass& rader, const AxisQuestion& q) {
    constexpr std::uint32_t longest = 256, hardly = 2;
    if (q.precision != Precision::f64 || q.is_real || q.limits->vectors != Vectors::subgroups) return false;
    const std::optional<Pass> bluestein = bluestein_pass(q);
    if (!bluestein) return false;
    const std::uint32_t points = bluestein->core.n;
    return std::has_single_bit(points) && points <= longest && points <= 2 * q.n + hardly &&
           bluestein->core.radices.size() <= rader.core.radices.size();
}

}  // namespace

std::optional<Pass> rader_pass(const AxisQuestion& q) {
    constexpr std::uint64_t shortest = 5;  // below, the core would be a single butterfly of 2 points or none
    const std::uint32_t usual = largest_convolved_prime(*q.limits, q.precision);
    const std::uint32_t largest = q.is_real ? usual : largest_rader_prime(*q.limits, q.precision);
    if (q.n < shortest || !support::is_prime(q.n) || !support::is_smooth(q.n - 1, largest)) return std::nullopt;
    constexpr std::uint64_t largest_place = 2048;  // the table's numbers are exact so far in f16
    if (q.precision == Precision::f16 && q.n - 1 > largest_place) return std::nullopt;
    const CoreQuestion core{q.n - 1, q.is_strided, true, q.precision, q.is_real, true};
    if (!fits_one_pass(core, *q.limits)) return std::nullopt;
    const std::vector<std::uint32_t>& forced = q.tuning->radices;
    if (!forced.empty() && q.tuning->algorithm != Algorithm::rader) {
        std::uint64_t product = 1;
        for (const std::uint32_t radix : forced) product *= radix;
        if (product != q.n - 1) return std::nullopt;
    }
    const auto n = static_cast<std::uint32_t>(q.n);
    const Pass pass{n, Algorithm::rader, choose_core(q, core)};
    const bool is_asked_for = q.tuning->algorithm == Algorithm::rader || !forced.empty();
    if (!is_asked_for && has_even_bluestein(pass, q)) return std::nullopt;
    if (support::is_smooth(q.n - 1, usual) || is_asked_for || spares_a_stage(pass, q)) return pass;
    return std::nullopt;
}

std::optional<AxisRecipe> design_rader(const AxisQuestion& question) {
    const std::optional<Pass> pass = rader_pass(question);
    if (!pass) return std::nullopt;
    return AxisRecipe{question.axis, question.n, 0, {*pass}};
}

}  // namespace seiche::planner
