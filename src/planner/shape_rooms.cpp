// The padding of a group's points in shared memory.
#include <algorithm>
#include <bit>

#include "planner/shape_parts.hpp"

namespace seiche::planner {

using kernels::GroupShape;
using kernels::KernelSpec;

namespace {

constexpr std::uint64_t kibi = 1024;
/// What a driver takes of each group's shared memory.
constexpr std::uint64_t reserved_bytes = kibi;
/// Shared memory is a part of the first cache: some is left to it. Measured: LAB-0024.
constexpr std::uint64_t cached_bytes = 32 * kibi, least_with_cache = 128 * kibi;
constexpr std::uint32_t most_groups = 32, most_threads = 2048, subgroup = 32;
/// A thread's registers beside its points.
constexpr std::uint32_t beside_points = 14, beside_convolved = 64;

/// Resident groups, as far as registers and threads tell.
std::uint64_t groups_of_unit(const KernelSpec& spec, const GroupShape& shape, const DeviceLimits& limits) {
    if (shape.min_groups_per_unit) return shape.min_groups_per_unit;
    const std::uint32_t subgroups = (shape.threads * shape.sequences + subgroup - 1) / subgroup;
    const std::uint32_t points = 2 * points_in_slots(spec, shape.threads) * register_bytes(spec.precision) / 4;
    const std::uint32_t beside = is_convolution(spec) ? beside_convolved : beside_points;
    const std::uint32_t registers = std::min(points + beside, limits.registers_per_thread);
    const std::uint32_t held = std::min(subgroups_of_unit(registers), most_threads / subgroup);
    return std::clamp(held / subgroups, 1u, most_groups);
}

}  // namespace

std::uint64_t bytes_of_parity(const KernelSpec& spec, const GroupShape& shape) {
    return std::uint64_t{2} * real_bytes(spec.precision) * kernels::points_of_parity(spec, shape.threads) *
           shape.threads * shape.sequences;
}

std::uint64_t shared_bytes_of_parity(const KernelSpec& spec, const GroupShape& shape) {
    const std::uint64_t points =
        plane_bytes(std::max(spec.n, spec.convolution.prime), spec.precision) * shape.sequences;
    return shape.exchange.components * points + bytes_of_parity(spec, shape);
}

std::uint32_t room_of(const KernelSpec& spec, const GroupShape& shape, const DeviceLimits& limits) {
    const bool is_power = std::has_single_bit(spec.n);
    const bool is_row = spec.in.stride == 1 && spec.out.stride == 1;
    if (is_power && (!limits.bounds_registers || !is_row)) return 0;
    const bool is_full = is_convolution(spec) && !spec.convolution.prime && spec.precision == Precision::f64;
    if (is_full && !is_power) return 0;
    const std::uint64_t number = real_bytes(spec.precision), element = shape.exchange.components * number;
    const std::uint64_t most = is_power ? spec.n / 8 : plane_bytes(spec.n, spec.precision) / number - spec.n;
    const std::uint64_t points = std::max(spec.convolution.prime, spec.n);
    const std::uint64_t aside = shape.exchange.holds_parity ? bytes_of_parity(spec, shape) : 0;
    const std::uint64_t bytes = points * element * shape.sequences + aside;
    const std::uint64_t of_unit = std::max<std::uint64_t>(limits.shared_bytes_per_unit, limits.shared_bytes);
    const std::uint64_t groups = std::max<std::uint64_t>(
        1, std::min<std::uint64_t>(groups_of_unit(spec, shape, limits), of_unit / (bytes + reserved_bytes)));
    const std::uint64_t with_cache = of_unit >= least_with_cache ? of_unit - cached_bytes : of_unit;
    const std::uint64_t held = groups * (bytes + reserved_bytes) <= with_cache ? with_cache : of_unit;
    const std::uint64_t of_group = std::min<std::uint64_t>(held / groups - reserved_bytes, limits.shared_bytes);
    if (of_group <= bytes) return 0;
    return static_cast<std::uint32_t>(std::min(most, (of_group - bytes) / (element * shape.sequences)));
}

}  // namespace seiche::planner
