// Rader: a prime length as a cyclic convolution of one point less, in the order of a generator's powers; or its even
// and odd part as two padded ones of half as many.
#include <algorithm>
#include <bit>

#include "planner/design/design.hpp"
#include "planner/device_model.hpp"
#include "planner/model/costs.hpp"
#include "planner/model/passes.hpp"
#include "planner/model/registers.hpp"
#include "planner/policy/butterflies.hpp"
#include "planner/policy/cost.hpp"
#include "planner/shape/factorize.hpp"
#include "planner/shape/measured_cores.hpp"
#include "planner/shape/parts.hpp"
#include "planner/shape/shape.hpp"
#include "support/primes.hpp"

namespace seiche::planner {

namespace {

/// Whether a core with butterflies of 17 to 31 points pays: where it spares a stage. Powers of two have cheaper stages
/// than `cost` knows, of others it counts the saved stage too low. Measured: LAB-0026.
bool spares_a_stage(const Pass& pass, const AxisQuestion& q) {
    const std::optional<Pass> bluestein = bluestein_pass(q);
    if (!bluestein) return true;
    const double price =
        std::has_single_bit(bluestein->core.n) ? rader::price_beside_powers : rader::price_beside_others;
    return pass.core.radices.size() < bluestein->core.radices.size() && cost(pass, q) < price * cost(*bluestein, q);
}

/// In f64, Bluestein's core of as many stages, a power of two that is hardly padded, is faster. Measured: LAB-0026.
bool has_even_bluestein(const Pass& pass, const AxisQuestion& q) {
    if (q.precision != Precision::f64 || q.has_map() || !is_gpu(*q.limits)) return false;
    const std::optional<Pass> bluestein = bluestein_pass(q);
    if (!bluestein) return false;
    const std::uint32_t points = bluestein->core.n;
    return std::has_single_bit(points) && points <= rader::longest_even_bluestein &&
           points <= 2 * q.n + rader::hardly_padded && bluestein->core.radices.size() <= pass.core.radices.size();
}

/// Whether a butterfly of 17 doubles or more spills; floats that spill still win. Measured: LAB-0026.
bool spills(const Pass& rader, const AxisQuestion& q) {
    const std::uint32_t threads =
        threads_for_core(rader.core.radices, {rader.core.n, q.is_strided, true, q.precision}, *q.limits);
    const std::uint32_t sector = std::max(1u, q.limits->sector_bytes / (2 * real_bytes(q.precision)));
    return spills_doubles(rader.core.radices, q.precision, threads * (q.is_strided ? sector : 1));
}

/// Nanoseconds of a transform, by the stages of its core and its largest radix. Measured: LAB-0026.
double nanoseconds_of(const Pass& rader, const AxisQuestion& q) {
    const std::vector<std::uint32_t>& radices = rader.core.radices;
    const std::uint32_t largest = *std::max_element(radices.begin(), radices.end()), n = rader.core.n;
    const bool is_double = q.precision == Precision::f64, is_long = is_double && rader.n >= rader_times::long_f64,
               has_three = radices.size() == 3;
    double time = radices.size() <= 2 ? rader_times::two_stages.of(q.precision)
                  : !has_three        ? rader_times::more_stages.of(q.precision)
                  : is_long           ? rader_times::three_stages_of_long_f64
                                      : rader_times::three_stages.of(q.precision);
    if (!is_double && has_three && (n % 11 == 0 || n % 13 == 0)) time += rader_times::factors_of_11_and_13;
    if (largest >= rader_times::larger)
        time += !is_long    ? rader_times::larger_radix
                : has_three ? rader_times::larger_radix_of_long_f64_in_three_stages
                            : rader_times::larger_radix_of_long_f64;
    else if (largest >= rader_times::large)
        time += is_long && has_three ? rader_times::large_radix_of_long_f64 : rader_times::large_radix.of(q.precision);
    if (spills(rader, q)) time *= rader_times::spilled;
    const double transforms = rader_times::bytes / (2.0 * real_bytes(q.precision) * rader.n);
    return time * 1e6 / transforms;
}

bool is_faster(const Pass& rader, const AxisQuestion& q) {
    const std::uint32_t usual = largest_convolved_prime(*q.limits, q.precision);
    const bool is_contiguous = !q.is_strided && !q.has_map();
    if (is_contiguous && q.precision != Precision::f16) {
        const auto padded = fastest_padded_core(2 * std::uint64_t{q.n} - 1, q.precision, *q.limits);
        const auto parts = fastest_parity_core(q.n, q.precision, *q.limits);
        const double time = nanoseconds_of(rader, q);
        if (padded || parts) return (!padded || time <= padded->nanoseconds) && (!parts || time <= parts->nanoseconds);
    }
    if (spills(rader, q)) return false;
    return !has_even_bluestein(rader, q) && (support::is_smooth(q.n - 1, usual) || spares_a_stage(rader, q));
}

bool is_asked_for(const AxisQuestion& q) { return q.tuning->algorithm == Algorithm::rader; }

std::optional<Pass> whole_pass(const AxisQuestion& q) {
    const std::uint32_t usual = largest_convolved_prime(*q.limits, q.precision);
    const std::uint32_t largest = q.has_map() ? usual : largest_rader_prime(*q.limits, q.precision);
    if (!support::is_smooth(q.n - 1, largest)) return std::nullopt;
    constexpr std::uint64_t largest_place = 2048;  // the table's numbers are exact so far in f16
    if (q.precision == Precision::f16 && q.n - 1 > largest_place) return std::nullopt;
    const CoreQuestion core{q.n - 1, q.is_strided, true, q.precision, q.map, true};
    if (!fits_one_pass(core, *q.limits)) return std::nullopt;
    const std::vector<std::uint32_t>& forced = q.tuning->radices;
    if (!forced.empty() && product(forced) != q.n - 1) return std::nullopt;
    const Pass pass{static_cast<std::uint32_t>(q.n), Algorithm::rader, choose_core(q, core)};
    return is_asked_for(q) || !forced.empty() || is_faster(pass, q) ? std::optional(pass) : std::nullopt;
}

std::optional<Pass> parity_of(const AxisQuestion& q, std::uint64_t padded) {
    const CoreQuestion core{padded, q.is_strided, true, q.precision, CoreMap::none, true};
    if (padded == q.n - 1 || !fits_one_pass(core, *q.limits)) return std::nullopt;
    return Pass{static_cast<std::uint32_t>(q.n), Algorithm::rader, choose_core(q, core)};
}

std::optional<Pass> cheapest_parity(const AxisQuestion& q) {
    const std::uint32_t largest = largest_convolved_prime(*q.limits, q.precision);
    const std::uint64_t longest = longest_pass(*q.limits, q.precision, q.is_strided);  // of cores that run twice
    std::optional<Pass> best;
    if (q.n - 2 > longest) return best;
    const std::uint64_t most = std::min(support::next_power_of_two(q.n - 2), longest);
    for (std::uint64_t m = support::next_smooth(q.n - 2); m <= most; m = support::next_smooth(m + 1)) {
        if (!support::is_smooth(m, largest)) continue;
        const std::optional<Pass> pass = parity_of(q, m);
        if (pass && (!best || cost(*pass, q) < cost(*best, q))) best = pass;
    }
    return best;
}

/// The even and the odd part, each a convolution of half as many points as the padded whole: where that is in the
/// tables, or floats where the whole fits in no kernel and registers suffice. Measured: LAB-0026.
std::optional<Pass> parity_pass(const AxisQuestion& q) {
    const bool is_known = q.precision == Precision::f32 || q.precision == Precision::f64;
    if (!is_gpu(*q.limits) || q.has_map() || !is_known) return std::nullopt;
    const std::vector<std::uint32_t>& forced = q.tuning->radices;
    if (!forced.empty())
        return is_asked_for(q) && product(forced) + 2 >= q.n ? parity_of(q, product(forced)) : std::nullopt;
    if (!is_asked_for(q) && (q.is_strided || scalarises_accesses(*q.limits))) return std::nullopt;
    if (has_parity_cores(q.precision, *q.limits) && !q.is_strided && !q.tuning->threads_per_transform) {
        const std::optional<PaddedCore> parts = fastest_parity_core(q.n, q.precision, *q.limits);
        const std::optional<PaddedCore> padded = fastest_padded_core(2 * q.n - 1, q.precision, *q.limits);
        const bool is_faster = parts && (!padded || parts->nanoseconds < padded->nanoseconds);
        if (is_faster || (parts && is_asked_for(q)))
            return Pass{static_cast<std::uint32_t>(q.n), Algorithm::rader, {parts->n, parts->core.radices}};
        if (!is_asked_for(q)) return std::nullopt;
    }
    const bool is_untimed =
        q.precision != Precision::f32 || q.limits->registers_per_thread < registers::of_parity || bluestein_pass(q);
    return !is_asked_for(q) && is_untimed ? std::nullopt : cheapest_parity(q);
}

}  // namespace

std::optional<Pass> rader_pass(const AxisQuestion& q) {
    constexpr std::uint64_t shortest = 5;  // below, the core would be a single butterfly of 2 points or none
    if (q.n < shortest || !support::is_prime(q.n)) return std::nullopt;
    const std::optional<Pass> whole = whole_pass(q);
    return whole ? whole : parity_pass(q);
}

std::optional<AxisRecipe> design_rader(const AxisQuestion& question) {
    const std::optional<Pass> pass = rader_pass(question);
    if (!pass) return std::nullopt;
    return AxisRecipe{question.axis, question.n, 0, {*pass}};
}

}  // namespace seiche::planner
