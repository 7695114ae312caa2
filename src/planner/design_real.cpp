// Real axes: one kernel where that fits on chip, else a complex transform of their points, in passes that bins can meet
// in.
#include <algorithm>

#include "planner/design.hpp"
#include "planner/passes_for_bins.hpp"
#include "planner/shape.hpp"
#include "seiche/error.hpp"

namespace seiche::planner {

namespace {

std::optional<Pass> choose_real_pass(const problem::Axis& axis, AxisQuestion question) {
    Tuning tuning = *question.tuning;
    if (tuning.passes == std::vector<std::uint64_t>{question.n}) tuning.passes.clear();
    // One that is forced beside is the padded length of a convolution, or none.
    if (tuning.passes.size() > 1 || (!tuning.passes.empty() && has_butterflies(question, question.n)))
        return std::nullopt;
    question.is_real = true;
    const bool has_spectrum = axis.kind == Kind::r2c || axis.kind == Kind::c2r;
    question.is_spectrum = has_spectrum && kernels::real_core(axis.kind, axis.length).is_paired;
    question.tuning = &tuning;
    return choose_pass(question);
}

}  // namespace

AxisRecipe design_real_axis(const problem::Axis& axis, AxisQuestion question) {
    // Elements and the numbers of a period are counted in 32 bits.
    const bool is_doubled = axis.kind == Kind::dct1 || axis.kind == Kind::dst1;
    const std::uint64_t longest = std::uint64_t{1} << (is_doubled ? 31 : 32);
    if (axis.length >= longest && (is_doubled || axis.length > longest))
        throw Unsupported(std::string(to_string(axis.kind)) + " of length " + std::to_string(axis.length) +
                          ": expected " + (is_doubled ? "less than 2^31" : "at most 2^32"));
    const std::optional<Pass> pass = choose_real_pass(axis, question);
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
