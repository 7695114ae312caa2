// Real axes: one kernel where that fits on chip, else a complex transform of their points, in passes that bins can meet
// in.
#include <algorithm>

#include "planner/design.hpp"
#include "planner/passes_for_bins.hpp"
#include "planner/shape.hpp"
#include "seiche/error.hpp"

namespace seiche::planner {

namespace {

/// The shortest length whose points are loaded and stored as they are rather than by way of shared memory. Measured of
/// 3 to 14641 points of r2c and c2r on an H100, 64 MiB of each array, against a map (1.0): of floats from 35 points on
/// 1.30 in the geometric mean (c2r of 105 points 0.79, r2c 0.96, all others 1.0 to 2.68), of doubles 0.93 to 1.79;
/// below 35 points 0.16 to 1.6, since a thread's elements lie apart. Real-to-real kinds on an H200 (floats from 35
/// points on: H100): 21 to 27 points 1.01 to 1.46 but types II to IV of floats (0.92 to 1.35), from there on 1.0 to 2.6
/// but type IV of floats below 125 points (0.83 to 1.3), 1.2 to 1.43 in the geometric mean of each kind.
std::uint64_t least_direct_length(Kind kind, bool is_of_doubles) {
    constexpr std::uint64_t usual = 35, c2r_of_doubles = 81, real_to_real = 21, type_4_of_floats = 115;
    if (kind == Kind::c2r && is_of_doubles) return c2r_of_doubles;
    if (kind == Kind::r2hc || kind == Kind::hc2r || kind == Kind::dht) return real_to_real;
    if (kind == Kind::r2c || kind == Kind::c2r) return usual;
    if (is_of_doubles) return real_to_real;
    return kind == Kind::dct4 || kind == Kind::dst4 ? type_4_of_floats : usual;
}

/// PoCL: 3125 and 6561 points of r2c and c2r 4.5 to 10.7 times as fast so, fewer from 0.65 on.
bool has_direct_ends(const problem::Axis& axis, const AxisQuestion& q) {
    constexpr std::uint64_t most_of_doubles = 12500, least_of_simd = 2000;
    if (!q.is_one_sided || !q.is_alone || q.is_strided || q.precision == Precision::f64x2) return false;
    if (q.limits->vectors != Vectors::subgroups) return q.n >= least_of_simd;
    const bool is_of_doubles = q.precision == Precision::f64;
    return q.n >= least_direct_length(axis.kind, is_of_doubles) && (!is_of_doubles || q.n <= most_of_doubles);
}

/// By butterflies between threads: a lone one has all of a sequence's elements.
std::optional<Pass> choose_direct_ends(const AxisQuestion& question) {
    AxisQuestion q = question;
    q.may_be_lone = true;
    if (!has_butterflies(q, q.n) || !fits_one_pass({q.n, false, false, q.precision}, *q.limits)) return std::nullopt;
    std::optional<Pass> pass = choose_pass(q);
    const bool is_of_stages = pass && pass->algorithm == Algorithm::direct && pass->core.radices.size() > 1;
    return is_of_stages ? pass : std::nullopt;
}

struct RealPass {
    Pass pass;
    bool has_map = true;  ///< Between elements and points.
};

std::optional<RealPass> choose_real_pass(const problem::Axis& axis, AxisQuestion question) {
    Tuning tuning = *question.tuning;
    if (tuning.passes == std::vector<std::uint64_t>{question.n}) tuning.passes.clear();
    // One that is forced beside is the padded length of a convolution, or none.
    if (tuning.passes.size() > 1 || (!tuning.passes.empty() && has_butterflies(question, question.n)))
        return std::nullopt;
    question.tuning = &tuning;
    if (has_direct_ends(axis, question))
        if (const std::optional<Pass> pass = choose_direct_ends(question)) return RealPass{*pass, false};
    question.is_real = true;
    const bool has_spectrum = axis.kind == Kind::r2c || axis.kind == Kind::c2r;
    question.is_spectrum = has_spectrum && kernels::real_core(axis.kind, axis.length).is_paired;
    const std::optional<Pass> pass = choose_pass(question);
    if (!pass) return std::nullopt;
    return RealPass{*pass, !question.is_one_sided || pass->algorithm != Algorithm::bluestein};
}

}  // namespace

AxisRecipe design_real_axis(const problem::Axis& axis, AxisQuestion question) {
    // Elements and the numbers of a period are counted in 32 bits.
    const bool is_doubled = axis.kind == Kind::dct1 || axis.kind == Kind::dst1;
    const std::uint64_t longest = std::uint64_t{1} << (is_doubled ? 31 : 32);
    if (axis.length >= longest && (is_doubled || axis.length > longest))
        throw Unsupported(std::string(to_string(axis.kind)) + " of length " + std::to_string(axis.length) +
                          ": expected " + (is_doubled ? "less than 2^31" : "at most 2^32"));
    const std::optional<RealPass> pass = choose_real_pass(axis, question);
    AxisRecipe recipe = pass ? AxisRecipe{question.axis, question.n, 0, {pass->pass}} : design_axis(question);
    Tuning tuning = *question.tuning;
    tuning.passes = passes_for_bins(axis, recipe, question);
    question.tuning = &tuning;
    if (!tuning.passes.empty()) recipe = design_axis(question);
    recipe.in_one_pass = pass.has_value();
    recipe.one_sided = question.is_one_sided && !(pass && pass->has_map);
    recipe.kind = axis.kind;
    recipe.length = axis.length;
    return recipe;
}

}  // namespace seiche::planner
