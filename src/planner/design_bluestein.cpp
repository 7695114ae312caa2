// Bluestein: any length as a convolution, by two transforms of a padded, smooth length.
#include <algorithm>
#include <limits>

#include "planner/design.hpp"
#include "seiche/error.hpp"

namespace seiche::planner {

namespace {

/// The smallest 2^a {1, 3, 5, 7, 9} that is at least `least`: few stages of cheap radices.
std::uint64_t padded_length(std::uint64_t least) {
    std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
    for (const std::uint64_t odd : {1u, 3u, 5u, 7u, 9u}) {
        std::uint64_t m = odd * 4;
        while (m < least) m *= 2;
        best = std::min(best, m);
    }
    return best;
}

}  // namespace

AxisRecipe design_bluestein(const AxisQuestion& question) {
    constexpr std::uint64_t longest = std::uint64_t{1} << 30;
    if (question.n > longest) {
        throw Unsupported("length " + std::to_string(question.n) +
                          " has a prime factor above 13: expected at most 2^30 for such");
    }
    AxisQuestion inner = question;
    inner.n = padded_length(2 * question.n - 1);
    inner.is_strided = false;
    AxisRecipe recipe = *design_direct(inner);
    recipe.n = question.n;
    recipe.padded = inner.n;
    return recipe;
}

}  // namespace seiche::planner
