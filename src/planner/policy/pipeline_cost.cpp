#include "planner/policy/pipeline_cost.hpp"
#include "planner/device_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "planner/model/costs.hpp"
#include "planner/model/registers.hpp"
#include "planner/shape/parts.hpp"
#include "planner/shape/shape.hpp"

namespace seiche::planner {

using kernels::GroupShape;
using kernels::KernelSpec;

namespace {

/// Bytes of units (sectors, lines) touched for each byte of runs that are `apart` from one another.
double touched(std::uint64_t run, std::uint64_t apart, std::uint64_t unit) {
    const std::uint64_t step = std::gcd(apart, unit);
    std::uint64_t units = 0;
    for (std::uint64_t begin = 0; begin < unit; begin += step) units += (begin + run - 1) / unit + 1;
    return static_cast<double>(units * step) / static_cast<double>(run);
}

const GroupShape& shape_of(const KernelSpec& spec) { return std::get<GroupShape>(spec.shape); }

/// The most butterflies, idle ones included, for each real one, of any stage.
double idle(const KernelSpec& spec) {
    const std::uint32_t threads = shape_of(spec).threads;
    double most = 1;
    for (const std::uint32_t radix : spec.radices)
        most = std::max(
            most, static_cast<double>(butterflies_of_thread(spec.n, radix, threads) * threads) / (spec.n / radix));
    return most;
}

std::uint32_t registers_for_points(const KernelSpec& spec) { return registers_of_points(spec, shape_of(spec).threads); }

std::uint32_t asked_groups(const KernelSpec& first) { return std::max(1u, shape_of(first).min_groups_per_unit); }

/// What a launch's threads cost, beside memory accesses.
double cost_of_unit(const KernelSpec& first, const PipelineFit& fit) {
    const std::uint32_t threads = asked_groups(first) * shape_of(first).threads * shape_of(first).sequences;
    const std::size_t stages = first.radices.size() + first.pipeline.next.front().radices.size();
    return (asked_groups(first) == 1 ? fit.alone : 0) +
           fit.threads * std::log2(static_cast<double>(threads) / usual_pipelined_threads) +
           fit.stage * static_cast<double>(stages) + (first.precision == Precision::f64 ? fit.doubles : 0);
}

/// Registers a thread lacks, in steps.
double missing_registers(const KernelSpec& first, std::uint32_t wanted) {
    const std::uint32_t group = shape_of(first).threads * shape_of(first).sequences;
    const std::uint32_t had = std::min(most_registers_of_thread, registers_beside_others(group, asked_groups(first)));
    return std::clamp(static_cast<double>(wanted) - had, 0.0, registers::most_missing) / registers::step_of_missing;
}

bool is_one_pair(const KernelSpec& first, const DeviceLimits& limits) {
    return limits.bounds_registers && first.pipeline.next.size() == 1 && first.slices.run == 0 &&
           first.on_chip.next.empty();
}

}  // namespace

bool has_pipeline_cost(const KernelSpec& first, const DeviceLimits& limits) {
    if (!is_one_pair(first, limits)) return false;
    const KernelSpec& second = first.pipeline.next.front();
    const auto has_group = [](const KernelSpec& spec) {
        return spec.has_own_points() && !spec.is_converted() && std::holds_alternative<GroupShape>(spec.shape);
    };
    const bool are_powers = std::has_single_bit(first.n) && std::has_single_bit(second.n);
    const bool is_one_axis = first.in.stride == second.n && first.out.stride == 1;
    return has_group(first) && has_group(second) && !are_powers && is_one_axis;
}

double pipeline_cost(const KernelSpec& first) {
    const KernelSpec& second = first.pipeline.next.front();
    const GroupShape &shape = shape_of(first), &other = shape_of(second);
    const std::uint64_t bytes = std::uint64_t{2} * real_bytes(first.precision);
    const std::uint64_t rows = first.n * bytes, columns = second.n * bytes;
    const double lines = touched(shape.sequences * bytes, columns, line_bytes) +
                         touched(shape.threads * bytes, rows, line_bytes) +
                         2 * touched(other.sequences * bytes, rows, line_bytes);
    const std::uint32_t points = std::max(registers_for_points(first), registers_for_points(second));
    const std::uint32_t needed = points + registers_beside::costed_pass.of(first.precision);
    const PipelineFit& fit = pipeline_fit;
    return fit.all + fit.sectors * touched(other.sequences * bytes, rows, sector_bytes) + fit.lines * lines +
           fit.idle * std::max(idle(first), idle(second)) + fit.registers * missing_registers(first, needed) +
           fit.is_longer * std::max(0.0, std::log2(static_cast<double>(second.n) / first.n)) + cost_of_unit(first, fit);
}

bool has_pipeline_cost_of_bins(const KernelSpec& first, const DeviceLimits& limits) {
    if (!is_one_pair(first, limits)) return false;
    const KernelSpec& second = first.pipeline.next.front();
    const auto is_of_core = [](const KernelSpec& spec) {
        return !is_real(spec) && !spec.is_converted() && std::holds_alternative<GroupShape>(spec.shape);
    };
    const bool stores = second.out.bins() && second.out.bins()->kind == Kind::r2c,
               loads = first.in.bins() && first.in.bins()->kind == Kind::c2r;
    if (!is_of_core(first) || !is_of_core(second) || stores == loads) return false;
    const bool is_power = std::has_single_bit(first.n) && std::has_single_bit(second.n);
    return !is_power && shape_of(stores ? second : first).has_mirrors_in_group();
}

double pipeline_cost_of_bins(const KernelSpec& first) {
    const KernelSpec& second = first.pipeline.next.front();
    const bool stores_bins = second.out.bins() != nullptr;
    const PipelineFit& fit = stores_bins ? pipeline_fit_of_r2c : pipeline_fit_of_c2r;
    const std::uint64_t bytes = std::uint64_t{2} * real_bytes(first.precision), rows = first.n * bytes;
    // Mirrored columns are two runs; those of a spectrum begin anywhere.
    const std::uint64_t sequences = shape_of(second).sequences;
    const std::uint64_t run = (stores_bins ? std::max<std::uint64_t>(1, sequences / 2) : sequences) * bytes;
    const std::uint32_t bins = registers_for_points(stores_bins ? second : first),
                        others = registers_for_points(stores_bins ? first : second);
    const double lines = touched(run, rows, line_bytes) + touched(shape_of(first).threads * bytes, rows, line_bytes);
    return fit.all + fit.sectors * touched(run, stores_bins ? bytes : rows, sector_bytes) + fit.lines * lines +
           fit.pairs * missing_registers(first, bins + registers_beside::costed_pairs.of(first.precision)) +
           fit.registers * missing_registers(first, others + registers_beside::costed_pass.of(first.precision)) +
           cost_of_unit(first, fit);
}

}  // namespace seiche::planner
