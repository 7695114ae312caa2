// Rader: a prime length as a cyclic convolution of one point less, in the order of a generator's powers.
#include "planner/design.hpp"
#include "planner/shape.hpp"
#include "support/primes.hpp"

namespace seiche::planner {

std::optional<Pass> rader_pass(const AxisQuestion& q) {
    constexpr std::uint64_t shortest = 5;  // below, the core would be a single butterfly of 2 points or none
    const std::uint32_t largest = largest_convolved_prime(*q.limits, q.precision);
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
    return Pass{n, Algorithm::rader, choose_core(q, core)};
}

std::optional<AxisRecipe> design_rader(const AxisQuestion& question) {
    const std::optional<Pass> pass = rader_pass(question);
    if (!pass) return std::nullopt;
    return AxisRecipe{question.axis, question.n, 0, {*pass}};
}

}  // namespace seiche::planner
