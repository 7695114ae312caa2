// Real axes: one kernel where that fits on chip, else a complex transform of their points, in passes that bins can meet
// in.
#include <algorithm>

#include "planner/design.hpp"
#include "planner/factorize.hpp"
#include "planner/shape.hpp"
#include "planner/trail.hpp"
#include "seiche/error.hpp"

namespace seiche::planner {

namespace {

std::optional<Pass> choose_real_pass(AxisQuestion question) {
    Tuning tuning = *question.tuning;
    if (tuning.passes == std::vector<std::uint64_t>{question.n}) tuning.passes.clear();
    // One that is forced beside is the padded length of a convolution, or none.
    if (tuning.passes.size() > 1 || (!tuning.passes.empty() && has_butterflies(question, question.n)))
        return std::nullopt;
    question.is_real = true;
    question.tuning = &tuning;
    return choose_pass(question);
}

/// Of passes that trail each other: a tile (trail.cpp) has runs of two sectors of them.
constexpr std::uint64_t longest_trailed_f32 = 1024;

bool may_trail(const AxisQuestion& q) {
    const std::uint64_t bytes = q.sequences * q.n * 2 * stored_bytes(q.precision, Storage::same);
    return q.tuning->trailing_passes ||
           (q.is_alone && leaves_trailing_open(*q.tuning) && is_worth_trailing(bytes, *q.limits));
}

/// Of a shorter last pass a group has more columns, whose stored runs are longer. Measured on an H200, of copy: r2c of
/// 2^19 numbers as 512 x 512 0.33, as 1024 x 256 0.36, of 2^20 as 1024 x 512 0.32, as 2048 x 256 0.33, of 2^21 as 1024
/// x 1024 0.29, as 2048 x 512 0.30. A last pass of 2048 points would have runs of a sector only, which are slower than
/// three short passes, one with bins: 2^24 numbers have 0.26 so, 2^23 0.24 of two passes and a map. Empty: as it is.
std::vector<std::uint64_t> with_longer_runs(std::uint64_t first, std::uint64_t last, std::uint64_t most) {
    constexpr std::uint64_t shortest = 256, longest = 1024, of_three = 128;
    if (last > longest) {
        const std::vector<std::uint32_t> others =
            split_into_passes(first * last / of_three, static_cast<std::uint32_t>(most));
        if (others.size() != 2 || first * last % of_three != 0) return {};
        return {others[0], others[1], of_three};
    }
    const std::uint64_t given = last;
    while (last % 4 == 0 && last / 2 >= shortest && 2 * first <= most) {
        first *= 2;
        last /= 2;
    }
    return last == given ? std::vector<std::uint64_t>{} : std::vector<std::uint64_t>{first, last};
}

/// In a cluster: of the pass with the bins, whose radices are smaller, the shorter one where that spares it a stage.
/// Measured on an H200, of copy: r2c of 2^16 numbers as 128 x 256 0.55, as 256 x 128 0.60; c2r of 2^17 as 256 x 256
/// 0.36, as 128 x 512 0.44.
std::vector<std::uint64_t> passes_in_cluster(bool stores_bins, const AxisRecipe& recipe) {
    const std::uint64_t first = recipe.passes[0].n, last = recipe.passes[1].n;
    constexpr std::uint64_t of_two_stages = 128;
    if (stores_bins && first == of_two_stages && last == 2 * first) return {last, first};
    if (!stores_bins && last == first && first == 2 * of_two_stages) return {of_two_stages, 2 * last};
    return {};
}

/// Two passes for a real axis whose bins cannot meet in those that it has: the columns of the one where they would are
/// whole groups' runs of two sectors, of four where they are stored, and their points even. Empty: as it is.
std::vector<std::uint64_t> passes_for_bins(const problem::Axis& axis, const AxisRecipe& recipe, const AxisQuestion& q) {
    const bool stores_bins = kernels::store_way(axis.kind) == kernels::RealWay::spectrum;
    const bool has_bins = stores_bins || kernels::load_way(axis.kind) == kernels::RealWay::spectrum;
    const bool is_open = q.tuning->passes.empty() && q.tuning->radices.empty() && !q.tuning->separate_passes &&
                         q.limits->vectors == Vectors::subgroups;
    if (!has_bins || !is_open || !kernels::real_core(axis.kind, axis.length).is_paired || recipe.padded != 0 ||
        recipe.passes.size() != 2 || !has_butterflies(q, q.n))
        return {};
    if (q.tuning->groups_per_cluster != 0)
        return q.precision == Precision::f32 ? passes_in_cluster(stores_bins, recipe) : std::vector<std::uint64_t>{};
    const std::uint64_t run =
        std::uint64_t{stores_bins ? 4u : 2u} * q.limits->sector_bytes / (2 * stored_bytes(q.precision, Storage::same));
    const auto can_meet = [&](std::uint64_t first, std::uint64_t second) {
        const std::uint64_t columns = stores_bins ? first : second, points = stores_bins ? second : first;
        return columns % run == 0 && points % 2 == 0;
    };
    const std::uint64_t most = longest_split_pass(*q.limits, q.precision);
    if (can_meet(recipe.passes[0].n, recipe.passes[1].n))
        return stores_bins && q.precision == Precision::f32
                   ? with_longer_runs(recipe.passes[0].n, recipe.passes[1].n,
                                      may_trail(q) ? std::min(most, longest_trailed_f32) : most)
                   : std::vector<std::uint64_t>{};
    for (std::uint64_t shorter = std::max(recipe.passes[0].n, recipe.passes[1].n); shorter > 1; --shorter) {
        const std::uint64_t longer = q.n / shorter;
        if (q.n % shorter != 0 || longer < shorter) continue;
        if (longer > most) break;
        if (can_meet(longer, shorter)) return {longer, shorter};
        if (can_meet(shorter, longer)) return {shorter, longer};
    }
    return {};
}

}  // namespace

AxisRecipe design_real_axis(const problem::Axis& axis, AxisQuestion question) {
    // Elements and the numbers of a period are counted in 32 bits.
    const bool is_doubled = axis.kind == Kind::dct1 || axis.kind == Kind::dst1;
    const std::uint64_t longest = std::uint64_t{1} << (is_doubled ? 31 : 32);
    if (axis.length >= longest && (is_doubled || axis.length > longest))
        throw Unsupported(std::string(to_string(axis.kind)) + " of length " + std::to_string(axis.length) +
                          ": expected " + (is_doubled ? "less than 2^31" : "at most 2^32"));
    const std::optional<Pass> pass = choose_real_pass(question);
    AxisRecipe recipe = pass ? AxisRecipe{question.axis, question.n, 0, {*pass}} : design_axis(question);
    Tuning tuning = *question.tuning;
    tuning.passes = passes_for_bins(axis, recipe, question);
    question.tuning = &tuning;
    if (!tuning.passes.empty()) recipe = design_axis(question);
    recipe.in_one_pass = pass.has_value();
    recipe.kind = axis.kind;
    recipe.length = axis.length;
    return recipe;
}

}  // namespace seiche::planner
