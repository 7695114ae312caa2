// How many groups of pipelined passes can be resident: registers that their threads need.
#include <algorithm>
#include <bit>
#include <variant>

#include "planner/fuse/pipeline_parts.hpp"

namespace seiche::planner {

using kernels::KernelSpec;

namespace {

/// 32-bit registers of a thread beside its points.
constexpr std::uint32_t registers_beside_points = 32, most_resident_groups = 4;
/// Many points in 16-bit storage need fewer: only the first butterflies are as large, and a third resident group gains
/// more than a few spills cost. Measured: LAB-0020.
constexpr std::uint32_t registers_beside_16_bit = 16, many_of_16_bit = 32;
/// More beside twiddles of so many columns that each is a product of two factors (kernels::twiddle_rows).
constexpr std::uint32_t registers_more_for_rows = 16;
constexpr std::uint64_t many_columns = std::uint64_t{1} << 17;

bool has_many_columns(const KernelSpec& spec) {
    return std::any_of(spec.in.stages.begin(), spec.in.stages.end(), [&](const kernels::Stage& stage) {
        const auto* twiddle = std::get_if<kernels::FourStepTwiddle>(&stage);
        return twiddle && spec.loops[twiddle->loop].count >= many_columns;
    });
}

/// Radices of a pass of doubles that leave no registers for two resident groups: two large ones, or an 8 beside large
/// ones that are no powers of two.
bool has_two_large_of_doubles(std::vector<std::uint32_t> radices) {
    constexpr std::uint32_t larger = 15, large = 12;
    std::sort(radices.rbegin(), radices.rend());
    return radices.size() > 1 && radices[0] >= larger && radices[1] >= large;
}

bool mixes_eights(const std::vector<std::uint32_t>& radices) {
    const auto is_other = [](std::uint32_t radix) { return radix > 8 && !std::has_single_bit(radix); };
    return std::count(radices.begin(), radices.end(), 8u) != 0 && std::any_of(radices.begin(), radices.end(), is_other);
}

std::uint32_t registers_of_doubles(std::vector<std::uint32_t> radices) {
    constexpr std::uint32_t large = 12, of_large = 96, of_two_large = 136;
    std::sort(radices.rbegin(), radices.rend());
    if (has_two_large_of_doubles(radices)) return of_two_large;
    return radices.front() >= large || mixes_eights(radices) ? of_large : 0;
}

/// The same for a padded convolution, which keeps the spectrum's points too. Measured: LAB-0020.
std::uint32_t registers_of_convolution(const KernelSpec& spec) {
    constexpr std::uint32_t beside_floats = 44, beside_doubles = 24;
    const std::uint32_t points = most_points_of_thread(spec, threads_of(spec));
    return spec.precision == Precision::f64 ? 8 * points + beside_doubles : 4 * points + beside_floats;
}

/// 32-bit registers with which spills cost less than a launch. Measured: LAB-0020.
std::uint32_t registers_of_thread(const KernelSpec& spec) {
    if (is_convolution(spec)) return registers_of_convolution(spec);
    constexpr std::uint32_t beside_few = 22, few_points = 18;
    constexpr std::uint32_t large = 14, points_of_large = 16, of_large = 72, many_points = 21, of_many_points = 80;
    const std::uint32_t points = (spec.n + threads_of(spec) - 1) / threads_of(spec);
    const std::uint32_t in_points = 2 * points * register_bytes(spec.precision) / 4;
    if (std::has_single_bit(spec.n)) {
        const bool has_few = points >= many_of_16_bit && stores_16_bit(spec) && spec.radices.back() < many_of_16_bit;
        return in_points + (has_few ? registers_beside_16_bit : registers_beside_points);
    }
    if (spec.precision == Precision::f64) return std::max(in_points + beside_few, registers_of_doubles(spec.radices));
    const bool has_large = std::any_of(spec.radices.begin(), spec.radices.end(), [](std::uint32_t radix) {
        return radix >= large && !std::has_single_bit(radix);
    });
    if (has_large && points >= points_of_large) return points < many_points ? of_large : of_many_points;
    return in_points + (points <= few_points ? beside_few : registers_beside_points);
}

/// Whether one resident group more would cost spills. Butterflies that only a few threads have take registers of all,
/// and one group of two hides more latency than one of three. Measured: LAB-0020.
bool would_spill(const KernelSpec& spec, std::uint32_t registers, std::uint32_t groups) {
    constexpr std::uint32_t beside_points = 14, beside_points_of_two = 8, beside_points_of_doubles = 22;
    constexpr std::uint32_t least_threads_left = 384;
    if (std::has_single_bit(spec.n) || is_convolution(spec)) return false;
    const std::uint32_t points = most_points_of_thread(spec, threads_of(spec));
    if (spec.precision == Precision::f32)
        return registers < 2 * points + (groups > 2 ? beside_points : beside_points_of_two);
    return groups > 2 && (groups - 1) * group_size(spec) >= least_threads_left &&
           registers < 4 * points + beside_points_of_doubles;
}

}  // namespace

bool stores_16_bit(const KernelSpec& spec) {
    constexpr std::uint32_t bytes_of_16_bit = 4;
    return kernels::element_bytes(spec, true) == bytes_of_16_bit &&
           kernels::element_bytes(spec, false) == bytes_of_16_bit;
}

std::uint32_t resident_groups(const KernelSpec& spec) {
    const auto groups = [&](std::uint32_t needed) {
        std::uint32_t count = most_resident_groups;
        const auto registers = [&] { return registers_beside_others(group_size(spec), count); };
        while (count > 1 && (registers() < needed || would_spill(spec, registers(), count))) --count;
        return count;
    };
    const std::uint32_t needed = registers_of_thread(spec);
    // A lone group hides no latency.
    const std::uint32_t most = groups(needed);
    return has_many_columns(spec) ? std::max(std::min(most, 2u), groups(needed + registers_more_for_rows)) : most;
}

}  // namespace seiche::planner
