// The policy, on one screen: axes from the fastest to the slowest, each by butterflies alone if its factors are small,
// else by the cheapest of what fits.
#include "planner/design/design.hpp"
#include "planner/device_model.hpp"
#include "planner/model/costs.hpp"
#include "planner/model/passes.hpp"
#include "planner/policy/butterflies.hpp"

#include <algorithm>
#include <numeric>

#include "planner/design/textbook.hpp"
#include "planner/fuse/fuse.hpp"
#include "planner/fuse/group_convolution.hpp"
#include "planner/fuse/register_rows.hpp"
#include "planner/policy/cost.hpp"
#include "planner/policy/fusing.hpp"
#include "planner/shape/measured_cores.hpp"
#include "planner/shape/parts.hpp"
#include "planner/shape/shape.hpp"
#include "problem/bounds.hpp"
#include "seiche/error.hpp"
#include "support/primes.hpp"
#include "support/strides.hpp"
#include "support/text.hpp"

namespace seiche::planner {

namespace {

/// Fastest in the output first, so that the first pass reads rows; but r2c comes before all other axes, and c2r after.
std::vector<std::size_t> axis_order(const problem::Canonical& problem) {
    std::vector<std::size_t> order(problem.axes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto rank = [&](std::size_t i) {
        const Kind kind = problem.axes[i].kind;
        return kind == Kind::r2c ? 0 : kind == Kind::c2r ? 2 : 1;
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (rank(a) != rank(b)) return rank(a) < rank(b);
        return support::is_closer(problem.axes[a].output_stride, problem.axes[b].output_stride);
    });
    return order;
}

bool is_one_run(const problem::Canonical& problem) {
    if (problem.axes.size() != 1 || !problem.loops.empty()) return false;
    const problem::Axis& axis = problem.axes.front();
    return axis.kind == Kind::c2c && axis.input_stride == 1 && axis.output_stride == 1 &&
           problem.batch.input_distance == static_cast<std::int64_t>(axis.length) &&
           problem.batch.output_distance == static_cast<std::int64_t>(axis.length);
}

bool is_16_bit(const problem::Canonical& problem) {
    return problem.storage == Storage::f16 || problem.storage == Storage::bf16;
}

/// Whether the points of a real-to-real kind may be folded from elements: on a GPU, all of them.
bool may_fold_odd(const problem::Axis& axis, const DeviceLimits& limits) {
    constexpr std::uint64_t longest = std::uint64_t{1} << 30;
    const auto is_whole = [&](Direction direction) {
        return axis.kept(direction, true).empty() && axis.kept(direction, false).empty();
    };
    return has_groups(limits) && axis.length <= longest && is_whole(Direction::forward) && is_whole(Direction::inverse);
}

std::vector<std::uint32_t> measured_radices(const problem::Canonical& problem, const DeviceLimits& limits,
                                            const Tuning& tuning) {
    const bool is_free = tuning.passes.empty() && tuning.groups_per_cluster == 0 && !tuning.threads_per_transform &&
                         tuning.algorithm == Algorithm::any && tuning.padded_length == 0;
    const std::optional<MeasuredCore> core =
        is_free ? measured_core({problem.axes.front().length, problem.precision, is_16_bit(problem)}, limits)
                : std::nullopt;
    return core ? core->radices : std::vector<std::uint32_t>{};
}

/// Complex axes: in a cluster a plane's columns come first, whose results then go to neighbours in runs.
bool has_plane(const problem::Canonical& problem) {
    return problem.axes.size() > 1 && std::all_of(problem.axes.begin(), problem.axes.end(),
                                                  [](const problem::Axis& axis) { return axis.kind == Kind::c2c; });
}

/// Axes in order where so many groups share what lies between them; 0: none do.
std::vector<std::size_t> order_of_groups(const problem::Canonical& problem, std::uint32_t groups, bool has_rows) {
    std::vector<std::size_t> order = axis_order(problem);
    if (has_plane(problem) && groups > 1) std::swap(order[0], order[1]);
    // The axes beside the rows of c2r come right before them, so that all may be one kernel.
    if (groups != 0 && order.size() > 2 && problem.axes[order.back()].kind == Kind::c2r) {
        if (has_rows)
            std::reverse(order.begin(), order.end() - 1);
        else
            std::rotate(order.begin(), order.begin() + 1, order.end() - 1);
    }
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

void check_double_double(const problem::Canonical& problem, const DeviceLimits& limits) {
    if (!limits.exact_fp64) {
        throw Unsupported(
            "f64x2 on a device whose fp64 is not exact: expected sums, products and fused multiply-adds rounded once "
            "to "
            "nearest and denormals kept, or f64");
    }
    for (const problem::DirectionStages& stages : problem.stages)
        for (const auto& program : {stages.load, stages.store})
            if (program && !expression::is_conjugation(*program))
                throw Unsupported("user stages: expected arithmetic in f16, f32 or f64, got f64x2");
}

void check_half(const problem::Canonical& problem, const DeviceLimits& limits) {
    if (!limits.fp16_arithmetic)
        throw Unsupported(
            "f16-arithmetic on a device without it: expected a device that adds and multiplies halves (OpenCL: "
            "cl_khr_fp16), or f32 arithmetic on f16 storage");
    if (problem.storage != Storage::same) throw InternalError("f16 arithmetic: expected no storage beside it");
}

void check(const problem::Canonical& problem, const DeviceLimits& limits, const Tuning& tuning) {
    if (problem.precision == Precision::f16) check_half(problem, limits);
    const bool is_wide = problem.precision == Precision::f64 || problem.precision == Precision::f64x2;
    if (is_wide && !limits.fp64) {
        throw Unsupported(std::string(to_string(problem.precision)) +
                          " on a device without fp64: expected a device with it, or f32");
    }
    if (problem.precision == Precision::f64x2) check_double_double(problem, limits);
    if (!limits.fp64) check_stages(problem);
    if ((problem.storage == Storage::f16 || problem.storage == Storage::bf16) && !limits.fp16_storage) {
        throw Unsupported(std::string(to_string(problem.storage)) +
                          " storage on a device without 16-bit storage: expected a device with it, or f32");
    }
    if (tuning.recipe.empty() && tuning.twiddles != TwiddleMethod::any)
        throw Unsupported("tuning.twiddles: expected a textbook recipe that they are of, got none");
    if (tuning.separate_passes && tuning.groups_per_cluster != 0)
        throw Unsupported("tuning.separate_passes: expected no groups_per_cluster beside it, got " +
                          std::to_string(tuning.groups_per_cluster));
    if (tuning.trailing_passes && (tuning.separate_passes || tuning.groups_per_cluster != 0))
        throw Unsupported("tuning.trailing_passes: expected neither separate_passes nor groups_per_cluster beside it");
    if (tuning.trailing_passes && !limits.waits_for_groups)
        throw Unsupported("tuning.trailing_passes: expected a device whose groups may wait for each other, got " +
                          limits.architecture);
    const bool forces_one_axis = !tuning.radices.empty() || !tuning.passes.empty() || tuning.padded_length != 0;
    if (forces_one_axis && problem.axes.size() != 1) {
        throw Unsupported(
            "tuning.radices, tuning.passes and tuning.padded_length: expected a problem with one transformed axis, "
            "got " +
            std::to_string(problem.axes.size()));
    }
    if (tuning.padded_length != 0 && tuning.algorithm != Algorithm::any && tuning.algorithm != Algorithm::bluestein) {
        throw Unsupported("tuning.padded_length: expected Algorithm::any or bluestein beside it");
    }
}

AxisRecipe design_forced(const AxisQuestion& q, Algorithm algorithm) {
    if (algorithm == Algorithm::bluestein) return design_bluestein(q);
    if (algorithm == Algorithm::direct) {
        if (has_butterflies(q, q.n)) {
            if (const std::optional<AxisRecipe> direct = design_direct(q)) return *direct;
        }
        throw Unsupported("tuning.algorithm: expected a length of small prime factors for the direct one, got " +
                          std::to_string(q.n));
    }
    if (const std::optional<AxisRecipe> rader = design_rader(q)) return *rader;
    const std::vector<std::uint32_t>& radices = q.tuning->radices;
    throw Unsupported(
        "tuning.algorithm: expected a prime that fits in one pass for Rader's, with radices of n - 1 points or of at "
        "least n - 2 where some are given; got " +
        std::to_string(q.n) + (radices.empty() ? "" : " with radices " + support::join_numbers(radices, "x")));
}

/// Whether passes with convolutions or large primes lose to Bluestein's one kernel. Measured: LAB-0026.
bool is_slower_in_passes(const AxisQuestion& q, const AxisRecipe& passes) {
    const bool is_free = q.tuning->passes.empty() && q.tuning->radices.empty() && q.tuning->groups_per_cluster == 0 &&
                         !q.tuning->separate_passes && !q.tuning->trailing_passes;
    const bool are_few = q.sequences < q.limits->compute_units;  // which passes spread over the units: not timed
    if (passes.passes.size() < 2 || q.is_strided || are_few || !is_free) return false;
    const std::optional<PaddedCore> core = fastest_padded_core(least_padded_length(q), q.precision, *q.limits);
    const double copy = (q.is_one_sided ? 3.0 : 4.0) * real_bytes(q.precision) * static_cast<double>(q.n) /
                        passes_beside_bluestein::bytes_of_nanosecond;
    const bool has_large = !support::is_smooth(q.n, passes_beside_bluestein::largest_usual_prime) &&
                           support::is_smooth(q.n, passes_beside_bluestein::largest_prime);
    const double copies = has_large ? passes_beside_bluestein::of_large_primes : passes_beside_bluestein::usual;
    return core && core->nanoseconds < copies * copy;
}

}  // namespace

bool has_one_side(const problem::Canonical& problem, const problem::Axis& axis, const DeviceLimits& limits) {
    if (is_16_bit(problem) && axis.length < direct_ends::shortest_16_bit) return false;
    const bool is_halved = axis.kind == Kind::r2c || axis.kind == Kind::c2r;
    const bool may = is_halved || (is_real_to_real(axis.kind) && may_fold_odd(axis, limits));
    return may && !kernels::real_core(axis.kind, axis.length).is_paired && problem.precision != Precision::f16 &&
           !problem.input_image && !problem.output_image;
}

AxisRecipe design_axis(const AxisQuestion& q) {
    const Tuning& tuning = *q.tuning;
    if (tuning.padded_length != 0) return design_forced(q, Algorithm::bluestein);
    if (tuning.algorithm != Algorithm::any) return design_forced(q, tuning.algorithm);
    std::optional<AxisRecipe> best = design_direct(q);
    const bool is_in_group = q.tuning->groups_per_cluster == 1 && q.problem.is_alone &&
                             !lengths_with_convolution(q.n, q.precision, *q.limits).empty();
    if (best && is_in_group) return *best;
    if (best && is_slower_in_passes(q, *best)) return design_bluestein(q);
    if (best && (has_butterflies(q, q.n) || !tuning.passes.empty())) return *best;
    if (const std::optional<AxisRecipe> rader = design_rader(q)) {
        if (!best || cost(*rader, q) < cost(*best, q)) best = rader;
    }
    if (best && (best->passes.size() == 1 || q.n > longest_bluestein)) return *best;
    const AxisRecipe bluestein = design_bluestein(q);
    return best && cost(*best, q) <= cost(bluestein, q) ? *best : bluestein;
}

bool has_own_inverse(const Recipe& recipe) {
    return std::any_of(recipe.axes.begin(), recipe.axes.end(), [](const AxisRecipe& axis) {
        return is_real_to_real(axis.kind) && inverse_of(axis.kind) != axis.kind && !axis.in_one_pass;
    });
}

Recipe design(const problem::Canonical& problem, const DeviceLimits& limits, const Tuning& given, Direction direction) {
    problem::check_tuning(given);
    problem::check_limits(limits);
    problem::check_size(problem);
    check(problem, limits, given);
    if (!given.recipe.empty()) return {{}, design_textbook(problem, limits, given)};
    const std::uint64_t transforms = problem.transforms_per_array() * problem.batch.count;
    Recipe recipe;
    Tuning tuning = given;
    recipe.groups_per_cluster =
        given.groups_per_cluster ? given.groups_per_cluster : choose_fusion(problem, limits, given);
    tuning.groups_per_cluster = recipe.groups_per_cluster;
    if (recipe.groups_per_cluster == 1 && has_register_rows(problem, limits, given))
        return {design_register_rows(problem), {}, 1, true};
    const bool has_rows = recipe.groups_per_cluster == 1 && has_rows_in_group(problem, limits);
    for (const std::size_t index : order_of_groups(problem, recipe.groups_per_cluster, has_rows)) {
        const problem::Axis& axis = problem.axes[index];
        const std::uint64_t points =
            axis.kind == Kind::c2c ? axis.length : kernels::real_core(axis.kind, axis.length).points;
        AxisQuestion question{index, points, false, problem.precision, 1, &limits, &tuning};
        const auto are_neighbours = [&](std::int64_t stride) {
            // Registers of SIMD lanes hold neighbours in rising order only.
            return stride == 1 || (stride == -1 && has_groups(limits));
        };
        question.is_strided = !are_neighbours(axis.input_stride) || !are_neighbours(axis.output_stride);
        question.sequences = transforms * (problem.n / axis.length);
        question.problem.is_alone = problem.axes.size() == 1;
        question.problem.is_16_bit = is_16_bit(problem);
        question.problem.is_in_place = problem.in_place();
        question.direction = direction;
        question.is_one_sided = has_one_side(problem, axis, limits);
        if (has_rows && axis.kind != Kind::c2c) {
            recipe.axes.push_back(design_rows_of_group(axis, question));
            continue;
        }
        // Groups of few threads and registers may hold no two passes.
        if (given.groups_per_cluster == 0 && tuning.groups_per_cluster != 0 && question.problem.is_alone &&
            has_butterflies(question, points) && lengths_in_clusters(points, problem.precision, limits, tuning).empty())
            recipe.groups_per_cluster = tuning.groups_per_cluster = 0;
        question.may_be_lone = axis.kind == Kind::c2c && !problem.is_right_angled && !tuning.separate_passes;
        if (is_one_run(problem)) {
            question.longest_in_thread = longest_in_thread(limits, problem.precision, problem.storage);
            question.measured = measured_radices(problem, limits, tuning);
        }
        recipe.axes.push_back(axis.kind == Kind::c2c ? design_axis(question) : design_real_axis(axis, question));
    }
    return recipe;
}

}  // namespace seiche::planner
