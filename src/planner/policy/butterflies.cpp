#include "planner/policy/butterflies.hpp"

#include <algorithm>
#include "planner/model/cores.hpp"
#include "planner/shape/factorize.hpp"

#include "planner/device_model.hpp"
#include "planner/shape/measured_cores.hpp"
#include "planner/shape/shape.hpp"
#include "seiche/error.hpp"
#include "support/primes.hpp"
#include "support/text.hpp"

namespace seiche::planner {

namespace {

/// Whether an axis's sequences are a prime's in a loop, in one thread or two. A few long ones, without a butterfly of
/// their own size, are Rader's, which has more threads. Columns have no loop, so that doubles would spill.
/// Measured: LAB-0026, LAB-0114.
bool has_turns(const AxisQuestion& q) {
    const bool is_double = q.precision == Precision::f64;
    const std::uint64_t many = is_double ? primes::many_in_loops.doubles : primes::many_in_loops.floats,
                        longest_of_few = largest_complex_prime(*q.limits, q.precision, true);
    const std::optional<PrimeTurns> turns = turns_of_prime(q.n, q.precision, *q.limits);
    const std::uint32_t threads = q.tuning->threads_per_transform;
    const bool would_spill = is_double && q.is_strided;
    return turns && !would_spill && q.longest_in_thread != 0 && q.tuning->radices.empty() &&
           (threads == 0 || threads == turns->threads) && (q.n <= longest_of_few || q.sequences >= many);
}

/// Rows of r2c or c2r, whose conjugate pairs go through shared memory, with butterflies of primes above the usual:
/// faster than convolutions, but for lone ones of the largest, which spill. Measured: LAB-0025.
bool has_paired_butterflies(const AxisQuestion& q, std::uint64_t n) {
    const bool is_alone = support::is_prime(n);
    return (!is_alone || n <= primes::largest_paired_alone) &&
           support::is_smooth(n, largest_complex_prime(*q.limits, q.precision, false));
}

}  // namespace

Stockham choose_core(const AxisQuestion& q, const CoreQuestion& core) {
    const auto n = static_cast<std::uint32_t>(core.n);
    const std::vector<std::uint32_t>& forced = q.tuning->radices;
    const bool may_be_given = forced.empty() && core.is_complex_row() && q.tuning->threads_per_transform <= 1;
    const bool is_slower =
        q.precision == Precision::f64 && (n == cores::slower_in_thread_f64 || n == cores::also_slower_in_thread_f64);
    if (may_be_given && n <= q.longest_in_thread && !is_slower) return {n, {n}};
    if (forced.empty() && !core.runs_twice && n == q.n && has_turns(q)) return {n, {n}};
    if (may_be_given && !q.measured.empty() && n == q.n) return {n, q.measured};
    if (forced.empty()) return {n, choose_radices(core, *q.limits)};
    if (*std::max_element(forced.begin(), forced.end()) > largest_butterfly) {
        throw Unsupported("tuning.radices: expected radices up to 64, got " + support::join_numbers(forced, "x"));
    }
    if (product(forced) != n) {
        throw Unsupported("tuning.radices: expected radices whose product is the pass's length " + std::to_string(n) +
                          ", got " + support::join_numbers(forced, "x"));
    }
    return {n, forced};
}

bool has_butterflies(const AxisQuestion& q, std::uint64_t n) {
    if (q.map == CoreMap::spectrum && !q.is_strided) return has_paired_butterflies(q, n);
    if (q.has_map()) return support::is_smooth(n, largest_prime(*q.limits, q.precision));
    if (n == q.n && has_turns(q)) return true;
    return support::is_smooth(n, largest_complex_prime(*q.limits, q.precision, support::is_prime(n)));
}

}  // namespace seiche::planner
