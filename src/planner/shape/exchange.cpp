// Exchanges through shared memory: parts or whole points, padding, twiddles, and what a prime keeps there.
#include <algorithm>
#include <bit>

#include "planner/device_model.hpp"
#include "planner/model/groups.hpp"
#include "planner/model/registers.hpp"
#include "planner/shape/parts.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

using kernels::GroupShape;
using kernels::KernelSpec;

namespace {

/// What a driver takes of each group's shared memory, in bytes.
constexpr std::uint64_t reserved_bytes = 1024;

bool has_chirp(const std::vector<kernels::Stage>& side) {
    return std::any_of(side.begin(), side.end(),
                       [](const kernels::Stage& stage) { return std::holds_alternative<kernels::Chirp>(stage); });
}

/// Doubles as whole points: only a prime's scattered ones, with registers left. Measured: LAB-0024.
bool exchanges_whole_doubles(const KernelSpec& spec, const DeviceLimits& limits) {
    const auto stages = std::count_if(spec.radices.begin(), spec.radices.end(), [](std::uint32_t r) { return r > 1; });
    if (spec.convolution.prime == 0 || is_real(spec) || !limits.bounds_registers) return false;
    return kernels::splits_parity(spec) || (spec.convolution.prime >= whole_points::shortest_prime_f64 &&
                                            stages <= whole_points::most_stages_of_prime_f64);
}

/// Resident groups, as far as registers and threads tell.
std::uint64_t resident_groups(const KernelSpec& spec, const GroupShape& shape, const DeviceLimits& limits) {
    if (shape.min_groups_per_unit) return shape.min_groups_per_unit;
    const std::uint32_t subgroups = subgroups_of_group(shape.threads * shape.sequences);
    const std::uint32_t points = registers_of_points(spec, shape.threads);
    const auto beside =
        is_convolution(spec) ? registers_beside::convolution_as_compiled : registers_beside::pass_as_compiled;
    const std::uint32_t taken = std::min(points + beside.of(spec.precision), limits.registers_per_thread);
    const std::uint32_t held = std::min(subgroups_of_unit(taken), most_threads_of_unit / lanes_of_subgroup);
    return std::clamp(held / subgroups, 1u, most_groups_of_unit);
}

}  // namespace

/// Whole points are half as many accesses of twice the size. Bank conflicts stay as many where places are odd multiples
/// apart, and fall where they are scattered. 16-bit storage must be unpacked; columns and long radices gain less.
/// Measured: LAB-0024.
bool exchanges_whole_points(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    if (shape.exchange.components != 2 || shape.is_scalarised) return false;
    if (spec.precision == Precision::f64) return exchanges_whole_doubles(spec, limits);
    if (register_bytes(spec.precision) != 4) return false;
    if (is_real(spec))
        return is_of_spectrum(spec) && shape.has_mirrors_in_thread() && limits.bounds_registers &&
               shape.threads >= whole_points::least_threads_of_spectra;
    if (is_convolution(spec)) return !spec.convolution.prime || !std::has_single_bit(spec.n);
    if (std::count_if(spec.radices.begin(), spec.radices.end(), [](std::uint32_t r) { return r > 1; }) < 2)
        return false;
    const bool is_16_bit = std::max(kernels::element_bytes(spec, true), kernels::element_bytes(spec, false)) == 4;
    const bool is_untimed =
        !limits.bounds_registers && is_long(spec.radices, {spec.n, false, false, spec.precision}, limits);
    if (spec.n % 2 == 1 || (is_16_bit && spec.n >= whole_points::shortest_16_bit && !is_untimed)) return true;
    const bool is_row = spec.in.stride == 1 && spec.out.stride == 1;
    if (is_16_bit || !limits.bounds_registers) return false;
    return is_row ? spec.n >= whole_points::shortest_f32 : has_chirp(spec.in.stages) || has_chirp(spec.out.stages);
}

/// Whether twiddles are products of small tables: where whole tables outgrow the cache that shared memory leaves, and
/// there are registers for the products. Measured: LAB-0028.
bool multiplies_twiddles(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    const bool is_strided = std::max(support::magnitude(spec.in.stride), support::magnitude(spec.out.stride)) > 1;
    const bool is_known = spec.precision == Precision::f32 || spec.precision == Precision::f64;
    if (is_strided || !is_known || shape.is_scalarised || !limits.bounds_registers) return false;
    const std::uint32_t largest = *std::max_element(spec.radices.begin(), spec.radices.end());
    if (is_convolution(spec)) return largest <= twiddle_products::largest_radix_convolved;
    const bool is_double = spec.precision == Precision::f64;
    if (is_real(spec))
        return spec.n >= (is_double ? twiddle_products::shortest_f64 : twiddle_products::shortest_real_f32);
    if (is_double)
        return spec.n >= twiddle_products::shortest_f64 &&
               (largest <= twiddle_products::largest_radix_f64 ||
                shape.threads * shape.sequences <= twiddle_products::most_threads_f64);
    const bool is_power = std::has_single_bit(spec.n % 3 == 0 ? spec.n / 3 : spec.n);
    const bool is_16_bit = kernels::element_bytes(spec, true) < 2 * real_bytes(spec.precision);
    if (is_16_bit)
        return spec.n >= (is_power ? twiddle_products::shortest_power_16_bit : twiddle_products::shortest_16_bit) &&
               spec.n <= twiddle_products::longest_16_bit;
    return spec.n >= (is_power ? twiddle_products::shortest_power_f32 : twiddle_products::shortest_f32);
}

std::uint64_t bytes_of_parity(const KernelSpec& spec, const GroupShape& shape) {
    return std::uint64_t{2} * real_bytes(spec.precision) * kernels::points_of_parity(spec, shape.threads) *
           shape.threads * shape.sequences;
}

std::uint64_t shared_bytes_of_parity(const KernelSpec& spec, const GroupShape& shape) {
    const std::uint64_t points =
        component_bytes(std::max(spec.n, spec.convolution.prime), spec.precision) * shape.sequences;
    return shape.exchange.components * points + bytes_of_parity(spec, shape);
}

std::uint32_t padding_of(const KernelSpec& spec, const GroupShape& shape, const DeviceLimits& limits) {
    const bool is_power = std::has_single_bit(spec.n);
    const bool is_row = spec.in.stride == 1 && spec.out.stride == 1;
    if (is_power && (!limits.bounds_registers || !is_row)) return 0;
    const bool is_full = is_convolution(spec) && !spec.convolution.prime && spec.precision == Precision::f64;
    if (is_full && !is_power) return 0;
    const std::uint64_t number = real_bytes(spec.precision), element = shape.exchange.components * number;
    const std::uint64_t most = is_power ? spec.n / 8 : component_bytes(spec.n, spec.precision) / number - spec.n;
    const std::uint64_t points = std::max(spec.convolution.prime, spec.n);
    const std::uint64_t aside = shape.exchange.holds_parity ? bytes_of_parity(spec, shape) : 0;
    const std::uint64_t bytes = points * element * shape.sequences + aside;
    const std::uint64_t of_unit = std::max<std::uint64_t>(limits.shared_bytes_per_unit, limits.shared_bytes);
    const std::uint64_t groups = std::max<std::uint64_t>(
        1, std::min<std::uint64_t>(resident_groups(spec, shape, limits), of_unit / (bytes + reserved_bytes)));
    const std::uint64_t with_cache =
        of_unit >= padded_memory::least_with_cache ? of_unit - padded_memory::cached_bytes : of_unit;
    const std::uint64_t held = groups * (bytes + reserved_bytes) <= with_cache ? with_cache : of_unit;
    const std::uint64_t of_group = std::min<std::uint64_t>(held / groups - reserved_bytes, limits.shared_bytes);
    if (of_group <= bytes) return 0;
    return static_cast<std::uint32_t>(std::min(most, (of_group - bytes) / (element * shape.sequences)));
}

/// What one part of a prime keeps for the other lies in shared memory where that fits, to free registers: beside both
/// parts of a point, else with parts exchanged apart. Measured: LAB-0024.
void hold_parity(const KernelSpec& spec, const DeviceLimits& limits, GroupShape& shape) {
    const std::uint32_t usual = shape.exchange.components;
    for (const std::uint32_t planes : {2u, 1u}) {
        shape.exchange.components = planes;
        shape.exchange.holds_parity = shared_bytes_of_parity(spec, shape) <= limits.shared_bytes;
        if (shape.exchange.holds_parity) return;
    }
    shape.exchange.components = usual;
}

}  // namespace seiche::planner
