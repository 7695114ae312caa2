// Real axes: one kernel where that fits on chip, else a complex transform of their points, whose passes may handle
// conjugate pairs.
#include <algorithm>

#include "planner/design/design.hpp"
#include "planner/device_model.hpp"
#include "planner/fuse/group_convolution.hpp"
#include "planner/model/passes.hpp"
#include "planner/policy/butterflies.hpp"
#include "planner/policy/passes_for_bins.hpp"
#include "planner/policy/simd_passes.hpp"
#include "planner/shape/shape.hpp"
#include "seiche/error.hpp"

namespace seiche::planner {

namespace {

/// Whether single points are loaded and stored directly rather than through shared memory: that spares an exchange, but
/// very short and very long sequences lack threads or registers. Measured: LAB-0027.
bool has_direct_ends(const AxisQuestion& q) {
    if (!q.is_one_sided || q.is_strided || q.precision == Precision::f64x2) return false;
    if (!is_gpu(*q.limits)) return q.n >= direct_ends::shortest_of_processor;
    return q.n >= direct_ends::shortest && (q.precision != Precision::f64 || q.n <= direct_ends::longest_f64);
}

/// A few threads with large prime butterflies: a convolution is faster. Measured: LAB-0027.
bool has_few_large(const Pass& pass, Precision precision) {
    const std::uint32_t largest = *std::max_element(pass.core.radices.begin(), pass.core.radices.end());
    return precision == Precision::f32 && largest >= direct_ends::large_radix &&
           pass.n / largest < direct_ends::least_threads;
}

/// By butterflies between threads: a lone thread has all elements anyway.
std::optional<Pass> choose_direct_ends(const AxisQuestion& question) {
    AxisQuestion q = question;
    q.may_be_lone = true;
    if (!has_butterflies(q, q.n) || !fits_one_pass({q.n, false, false, q.precision}, *q.limits)) return std::nullopt;
    std::optional<Pass> pass = choose_pass(q);
    const bool is_of_stages = pass && pass->algorithm == Algorithm::direct && pass->core.radices.size() > 1;
    return is_of_stages && !has_few_large(*pass, q.precision) ? pass : std::nullopt;
}

/// Whether the core is two passes of a group, one of them a convolution.
bool has_convolution_in_group(const AxisQuestion& q) {
    return q.tuning->groups_per_cluster == 1 && q.problem.is_alone &&
           !lengths_with_convolution(q.n, q.precision, *q.limits).empty();
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
    if (divides_real_axis(question) || has_convolution_in_group(question)) return std::nullopt;
    if (has_direct_ends(question))
        if (const std::optional<Pass> pass = choose_direct_ends(question)) return RealPass{*pass, false};
    const bool has_spectrum = axis.kind == Kind::r2c || axis.kind == Kind::c2r;
    const bool is_paired = kernels::real_core(axis.kind, axis.length).is_paired;
    question.map = has_spectrum && is_paired ? CoreMap::spectrum : CoreMap::real;
    const std::optional<Pass> pass = choose_pass(question);
    if (!pass) return std::nullopt;
    return RealPass{*pass, !question.is_one_sided || pass->algorithm != Algorithm::bluestein};
}

}  // namespace

AxisRecipe design_rows_of_group(const problem::Axis& axis, AxisQuestion question) {
    question.n = axis.length;
    AxisRecipe recipe = design_axis(question);
    recipe.in_one_pass = recipe.one_sided = true;
    recipe.kind = axis.kind;
    recipe.length = axis.length;
    return recipe;
}

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
    problem::Axis asked = axis;
    if (is_real_to_real(axis.kind) && question.direction == Direction::inverse) asked.kind = inverse_of(axis.kind);
    tuning.passes = passes_for_bins(asked, recipe, question);
    question.tuning = &tuning;
    if (!tuning.passes.empty()) recipe = design_axis(question);
    recipe.in_one_pass = pass.has_value();
    recipe.one_sided = question.is_one_sided && !(pass && pass->has_map);
    recipe.kind = axis.kind;
    recipe.length = axis.length;
    return recipe;
}

}  // namespace seiche::planner
