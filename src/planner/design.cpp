// The policy, on one screen: axes from the fastest to the slowest, each directly if its factors are small, else by
// Bluestein.
#include "planner/design.hpp"
#include "planner/shape.hpp"

#include <algorithm>
#include <numeric>

#include "seiche/error.hpp"
#include "support/primes.hpp"

namespace seiche::planner {

namespace {

/// Fastest in the output first, so that the first pass reads rows; but the axis that makes real numbers complex comes
/// before all others, and the one that makes them real again after.
std::vector<std::size_t> axis_order(const problem::Canonical& problem) {
    std::vector<std::size_t> order(problem.axes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto rank = [&](std::size_t i) {
        const Kind kind = problem.axes[i].kind;
        return kind == Kind::r2c ? 0 : kind == Kind::c2r ? 2 : 1;
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (rank(a) != rank(b)) return rank(a) < rank(b);
        return problem.axes[a].output_stride < problem.axes[b].output_stride;
    });
    return order;
}

void check_stages(const problem::Canonical& problem) {
    const auto is_wide = [](const auto& symbol) { return symbol.type == StageType::f64; };
    for (const problem::DirectionStages& stages : problem.stages)
        for (const auto& program : {stages.load, stages.store})
            if (program && (std::any_of(program->buffers.begin(), program->buffers.end(), is_wide) ||
                            std::any_of(program->scalars.begin(), program->scalars.end(), is_wide)))
                throw Unsupported("a stage with f64 on a device without fp64: expected a device with it, or f32");
}

void check(const problem::Canonical& problem, const DeviceLimits& limits, const Tuning& tuning) {
    if (problem.precision == Precision::f64 && !limits.fp64) {
        throw Unsupported("f64 on a device without fp64: expected a device with it, or f32");
    }
    if (!limits.fp64) check_stages(problem);
    if ((problem.storage == Storage::f16 || problem.storage == Storage::bf16) && !limits.fp16_storage) {
        throw Unsupported(std::string(to_string(problem.storage)) +
                          " storage on a device without 16-bit storage: expected a device with it, or f32");
    }
    for (const problem::Axis& axis : problem.axes) {
        if (axis.kind != Kind::c2c && problem.stages != decltype(problem.stages){})
            throw Unsupported(std::string("user stages: expected kind c2c, got ") + to_string(axis.kind));
    }
    const bool forces_one_axis = !tuning.radices.empty() || !tuning.passes.empty();
    if (forces_one_axis && problem.axes.size() != 1) {
        throw Unsupported("tuning.radices and tuning.passes: expected a problem with one transformed axis, got " +
                          std::to_string(problem.axes.size()));
    }
}

void set_real(const problem::Axis& axis, const AxisQuestion& question, AxisRecipe& recipe) {
    recipe.kind = axis.kind;
    recipe.length = axis.length;
    recipe.in_one_pass = recipe.padded == 0 && recipe.passes.size() == 1 &&
                         fits_real_pass(question.n, *question.limits, question.precision, question.is_strided);
    // The maps between elements and points count in 32 bits, type IV up to eight times the length.
    constexpr std::uint64_t longest = std::uint64_t{1} << 28;
    if (axis.length > longest)
        throw Unsupported(std::string(to_string(axis.kind)) + " of length " + std::to_string(axis.length) +
                          ": expected at most 2^28");
}

}  // namespace

Recipe design(const problem::Canonical& problem, const DeviceLimits& limits, const Tuning& tuning) {
    check(problem, limits, tuning);
    Recipe recipe;
    for (const std::size_t index : axis_order(problem)) {
        const problem::Axis& axis = problem.axes[index];
        const bool is_strided = axis.input_stride != 1 || axis.output_stride != 1;
        const std::uint64_t points =
            axis.kind == Kind::c2c ? axis.length : kernels::real_core(axis.kind, axis.length).points;
        const AxisQuestion question{index, points, is_strided, problem.precision, &limits, &tuning};
        std::optional<AxisRecipe> direct;
        if (!tuning.force_bluestein) direct = design_direct(question);
        recipe.axes.push_back(direct ? *direct : design_bluestein(question));
        if (axis.kind != Kind::c2c) set_real(axis, question, recipe.axes.back());
    }
    return recipe;
}

}  // namespace seiche::planner
