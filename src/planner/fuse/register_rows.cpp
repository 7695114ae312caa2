#include "planner/fuse/register_rows.hpp"
#include "planner/device_model.hpp"

#include <algorithm>

#include "planner/fuse/fuse.hpp"
#include "planner/model/fusing.hpp"
#include "planner/model/registers.hpp"
#include "planner/shape/parts.hpp"
#include "seiche/error.hpp"
#include "support/primes.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

namespace {

bool has_row(const problem::Axis& axis, Precision precision, std::uint64_t registers) {
    if (!is_real_to_real(axis.kind)) return false;
    const kernels::RealCore core = kernels::real_core(axis.kind, axis.length);
    const std::uint64_t most = precision != Precision::f64 ? register_rows::most_points
                               : core.is_paired            ? register_rows::most_pairs_of_doubles
                                                           : register_rows::most_points_of_doubles;
    const std::uint64_t words = precision == Precision::f64 ? 4 : 2;
    return core.points <= most && words * core.points + registers_beside::whole_row.of(precision) <= registers &&
           support::is_smooth(core.points, register_rows::largest_prime);
}

std::uint64_t bytes_of(const std::vector<std::uint32_t>& lengths, std::uint64_t blocks, Precision precision) {
    return kernels::most_row_places(lengths) * blocks * stored_bytes(precision, Storage::same);
}

/// Threads with rows of each axis, and the share of lanes they fill.
struct Rows {
    std::vector<std::uint64_t> of_axes;
    std::uint64_t most() const { return *std::max_element(of_axes.begin(), of_axes.end()); }
    double share(std::uint64_t blocks, std::uint64_t lanes) const {
        std::uint64_t used = 0, all = 0;
        for (const std::uint64_t rows : of_axes) {
            used += rows * blocks;
            all += (rows * blocks + lanes - 1) / lanes * lanes;
        }
        return static_cast<double>(used) / static_cast<double>(all);
    }
};

/// Blocks of a group: the fewest that leave the fewest lanes idle; of tiny ones as many as fit. Measured: LAB-0021.
std::uint64_t transforms_in_group(const std::vector<std::uint32_t>& lengths, const Rows& rows, Precision precision,
                                  const DeviceLimits& limits) {
    const std::uint64_t lanes = std::max(1u, limits.subgroup_size),
                        most = std::min<std::uint64_t>(register_rows::most_threads, limits.max_group_size);
    std::uint64_t best = 1, last = 1;
    double largest = 0;
    for (std::uint64_t blocks = 1; rows.most() * blocks <= most; ++blocks) {
        const std::uint64_t threads = rows.most() * blocks;
        const std::uint64_t most_bytes = std::min<std::uint64_t>(register_rows::most_bytes, limits.shared_bytes);
        if (blocks > 1 && bytes_of(lengths, blocks, precision) > most_bytes) break;
        if (threads > register_rows::usual_threads && largest >= register_rows::full) break;
        last = blocks;
        const double share = rows.share(blocks, lanes);
        const std::uint64_t numbers = blocks * rows.of_axes.front() * lengths.front();
        if (threads < register_rows::least_threads || numbers < register_rows::least_numbers || share <= largest)
            continue;
        largest = share;
        best = blocks;
    }
    return largest > 0 ? best : last;
}

}  // namespace

bool has_register_rows(const problem::Canonical& problem, const DeviceLimits& limits, const Tuning& tuning) {
    constexpr std::size_t most_axes = 3;
    const std::size_t axes = problem.axes.size();
    const bool is_known = problem.precision == Precision::f32 || problem.precision == Precision::f64;
    const bool may_be = has_groups(limits) && tuning.threads_per_transform == 0 &&
                        (tuning.algorithm == Algorithm::any || tuning.algorithm == Algorithm::direct);
    problem::Canonical of_numbers = problem;
    of_numbers.storage = Storage::same;  // all are as good
    if (axes < 2 || axes > most_axes || !is_known || !may_be || !has_whole_arrays(of_numbers)) return false;
    std::uint64_t numbers = 1, longest = 1, shortest = UINT64_MAX;
    std::vector<std::uint32_t> lengths;
    for (const problem::Axis& axis : problem.axes) {
        numbers *= std::min(axis.length, 2 * register_rows::most_points + 1);
        lengths.insert(lengths.begin(), static_cast<std::uint32_t>(axis.length));
        longest = std::max(longest, axis.length);
        shortest = std::min(shortest, axis.length);
    }
    const std::uint64_t threads = numbers / shortest;
    if (longest > std::min(register_rows::most_alike * shortest, 2 * register_rows::most_points + 1) ||
        threads > limits.max_group_size)
        return false;
    const std::uint64_t registers =
        std::min(limits.registers_per_thread, registers_beside_others(static_cast<std::uint32_t>(threads), 1));
    for (std::size_t i = 0; i < axes; ++i) {
        const problem::Axis& axis = problem.axes[i];
        const bool is_ordered = i == 0 || (support::is_closer(axis.input_stride, problem.axes[i - 1].input_stride) &&
                                           support::is_closer(axis.output_stride, problem.axes[i - 1].output_stride));
        if (!is_ordered || !has_row(axis, problem.precision, registers)) return false;
    }
    const problem::Axis& rows = problem.axes.back();
    return rows.input_stride == 1 && rows.output_stride == 1 &&
           bytes_of(lengths, 1, problem.precision) <= limits.shared_bytes;
}

std::vector<AxisRecipe> design_register_rows(const problem::Canonical& problem) {
    std::vector<AxisRecipe> axes;
    for (std::size_t i = problem.axes.size(); i-- > 0;) {
        const problem::Axis& axis = problem.axes[i];
        const auto points = static_cast<std::uint32_t>(kernels::real_core(axis.kind, axis.length).points);
        AxisRecipe recipe{i, points, 0, {{points, Algorithm::direct, {points, {points}}}}};
        recipe.kind = axis.kind;
        recipe.length = axis.length;
        recipe.in_one_pass = true;
        axes.push_back(recipe);
    }
    return axes;
}

Refusal choose_shape_of_rows(kernels::KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    kernels::GroupShape shape;
    std::vector<std::uint32_t> lengths;
    Rows rows;
    for (std::size_t i = 0; i < spec.register_rows().size(); ++i) {
        lengths.push_back(static_cast<std::uint32_t>(spec.register_rows()[i].map.length));
        rows.of_axes.push_back(kernels::rows_of_axis(spec, i));
    }
    const std::uint64_t threads = rows.most();
    const std::uint64_t blocks = tuning.transforms_per_group
                                     ? tuning.transforms_per_group
                                     : transforms_in_group(lengths, rows, spec.precision, limits);
    const std::uint64_t bytes = bytes_of(lengths, blocks, spec.precision);
    if (threads * blocks > limits.max_group_size || bytes > limits.shared_bytes)
        return "a group of " + std::to_string(threads * blocks) + " threads for " + std::to_string(blocks) +
               " blocks of " + std::to_string(kernels::numbers_of_rows(spec)) + " numbers: expected at most " +
               std::to_string(limits.max_group_size) + " threads and " + std::to_string(limits.shared_bytes) +
               " bytes of shared memory, got " + std::to_string(bytes);
    shape.threads = static_cast<std::uint32_t>(threads);
    shape.sequences = static_cast<std::uint32_t>(blocks);
    shape.exchange.components = 1;
    shape.is_scalarised = scalarises_accesses(limits);
    spec.shape = shape;
    return std::nullopt;
}

}  // namespace seiche::planner
