#include "planner/trail_cost.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "planner/shape.hpp"
#include "planner/shape_parts.hpp"

namespace seiche::planner {

using kernels::GroupShape;
using kernels::KernelSpec;

namespace {

/// What runs of so many bytes, each `apart` from the one before, touch of units of so many bytes, for one byte of
/// theirs.
double touched(std::uint64_t run, std::uint64_t apart, std::uint64_t unit) {
    const std::uint64_t step = std::gcd(apart, unit);
    std::uint64_t units = 0;
    for (std::uint64_t begin = 0; begin < unit; begin += step) units += (begin + run - 1) / unit + 1;
    return static_cast<double>(units * step) / static_cast<double>(run);
}

const GroupShape& shape_of(const KernelSpec& spec) { return std::get<GroupShape>(spec.shape); }

/// Butterflies that a thread has slots for, of one radix.
std::uint32_t slots(const KernelSpec& spec, std::uint32_t radix) {
    const std::uint32_t threads = shape_of(spec).threads;
    return (spec.n / radix + threads - 1) / threads;
}

/// The most slots of a stage for one of its butterflies.
double idle(const KernelSpec& spec) {
    double most = 1;
    for (const std::uint32_t radix : spec.radices)
        most = std::max(most, static_cast<double>(slots(spec, radix) * shape_of(spec).threads) / (spec.n / radix));
    return most;
}

/// 32-bit registers of a thread for its points.
std::uint32_t registers_for_points(const KernelSpec& spec) {
    std::uint32_t points = 1;
    for (const std::uint32_t radix : spec.radices) points = std::max(points, slots(spec, radix) * radix);
    return 2 * points * register_bytes(spec.precision) / 4;
}

}  // namespace

bool has_trailing_cost(const KernelSpec& first, const DeviceLimits& limits) {
    if (!limits.bounds_registers || first.trailing.size() != 1 || first.slice_run != 0 || !first.then.empty())
        return false;
    const KernelSpec& second = first.trailing.front();
    const auto is_plain = [](const KernelSpec& spec) {
        return !spec.bins_in && !spec.bins_out && !spec.load_map && !spec.store_map &&
               spec.input_storage == Storage::same && spec.output_storage == Storage::same &&
               std::holds_alternative<GroupShape>(spec.shape);
    };
    const bool are_powers = std::has_single_bit(first.n) && std::has_single_bit(second.n);
    const bool is_one_axis = first.input_stride == second.n && first.output_stride == 1;
    return is_plain(first) && is_plain(second) && !are_powers && is_one_axis;
}

double trailing_cost(const KernelSpec& first) {
    constexpr double of_sectors = 0.144, of_lines = 0.047, of_lone = 0.214, of_resident = -0.084, of_stage = 0.074,
                     of_idle = 0.05, of_registers = 0.451, of_short_first = 0.007, of_doubles = -0.101, of_all = -0.566;
    constexpr std::uint64_t sector = 32, line = 128;
    constexpr std::uint32_t registers_beside = 20, subgroup = 32, most_registers = 255, usual_threads = 1024;
    constexpr double most_missing = 64;
    const KernelSpec& second = first.trailing.front();
    const GroupShape &shape = shape_of(first), &other = shape_of(second);
    const std::uint64_t bytes = std::uint64_t{2} * real_bytes(first.precision);
    const std::uint64_t rows = first.n * bytes, columns = second.n * bytes;
    const double lines = touched(shape.sequences * bytes, columns, line) + touched(shape.threads * bytes, rows, line) +
                         2 * touched(other.sequences * bytes, rows, line);
    const std::uint32_t group = shape.threads * shape.sequences, groups = std::max(1u, shape.min_groups_per_unit);
    const std::uint32_t registers = std::min(most_registers, registers_beside_others(group, groups));
    const double missing = static_cast<double>(std::max(registers_for_points(first), registers_for_points(second))) +
                           registers_beside - registers;
    return of_all + of_sectors * touched(other.sequences * bytes, rows, sector) + of_lines * lines +
           (groups == 1 ? of_lone : 0) + of_resident * std::log2(static_cast<double>(groups * group) / usual_threads) +
           of_stage * static_cast<double>(first.radices.size() + second.radices.size()) +
           of_idle * std::max(idle(first), idle(second)) +
           of_registers * std::clamp(missing, 0.0, most_missing) / subgroup +
           of_short_first * std::max(0.0, std::log2(static_cast<double>(second.n) / first.n)) +
           (first.precision == Precision::f64 ? of_doubles : 0);
}

}  // namespace seiche::planner
