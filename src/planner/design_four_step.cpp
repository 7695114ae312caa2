// One pass where the sequence fits on chip; otherwise several passes with twiddles between them (four-step, generalised
// to any number of passes: Stockham's autosort at the level of passes, so that the output is in natural order).
#include <algorithm>

#include "planner/design.hpp"
#include "planner/factorize.hpp"
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

std::vector<std::uint32_t> choose_passes(const AxisQuestion& q) {
    const std::vector<std::uint64_t>& forced = q.tuning->passes;
    if (!forced.empty()) {
        if (product(forced) != q.n) {
            throw Unsupported("tuning.passes: expected lengths whose product is " + std::to_string(q.n) + ", got " +
                              support::join_numbers(forced, "x"));
        }
        const std::uint64_t most = longest_pass(*q.limits, q.precision, forced.size() > 1 || q.is_strided);
        if (*std::max_element(forced.begin(), forced.end()) > most) {
            throw Unsupported("tuning.passes: expected passes of at most " + std::to_string(most) +
                              " points on this device, got " + support::join_numbers(forced, "x"));
        }
        std::vector<std::uint32_t> passes;
        for (const std::uint64_t n : forced) passes.push_back(static_cast<std::uint32_t>(n));
        return passes;
    }
    if (fits_one_pass(q.n, *q.limits, q.precision, q.is_strided)) return {static_cast<std::uint32_t>(q.n)};
    return split_into_passes(q.n, longest_split_pass(*q.limits, q.precision));
}

Stockham one_pass(const AxisQuestion& q, std::uint32_t n, bool is_contiguous) {
    const std::vector<std::uint32_t>& forced = q.tuning->radices;
    if (forced.empty()) return {n, choose_radices(n, *q.limits, q.precision, is_contiguous)};
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

}  // namespace

std::optional<AxisRecipe> design_direct(const AxisQuestion& q) {
    if (!support::is_smooth(q.n)) return std::nullopt;
    const std::vector<std::uint32_t> lengths = choose_passes(q);
    if (lengths.empty()) {
        throw Unsupported("length " + std::to_string(q.n) + ": expected factors that fit in passes of at most " +
                          std::to_string(longest_split_pass(*q.limits, q.precision)) + " points on this device");
    }
    AxisRecipe recipe{q.axis, q.n, 0, {}};
    for (const std::uint32_t n : lengths) recipe.passes.push_back(one_pass(q, n, lengths.size() == 1 && !q.is_strided));
    return recipe;
}

}  // namespace seiche::planner
