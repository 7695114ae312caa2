// How many groups of pipelined passes can be resident: registers that their threads need.
#include <algorithm>
#include <bit>
#include <variant>

#include "planner/fuse/pipeline_parts.hpp"
#include "planner/model/pipelining.hpp"
#include "planner/model/registers.hpp"

namespace seiche::planner {

using kernels::KernelSpec;

namespace {

bool has_many_columns(const KernelSpec& spec) {
    return std::any_of(spec.in.stages.begin(), spec.in.stages.end(), [&](const kernels::Stage& stage) {
        const auto* twiddle = std::get_if<kernels::FourStepTwiddle>(&stage);
        return twiddle && spec.loops[twiddle->loop].count >= pipelined_radices::many_columns;
    });
}

/// Radices of a pass of doubles that leave no registers for two resident groups: two large ones, or an 8 beside large
/// ones that are no powers of two.
bool has_two_large_of_doubles(std::vector<std::uint32_t> radices) {
    std::sort(radices.rbegin(), radices.rend());
    return radices.size() > 1 && radices[0] >= pipelined_radices::larger_f64 &&
           radices[1] >= pipelined_radices::large_f64;
}

bool mixes_eights(const std::vector<std::uint32_t>& radices) {
    const auto is_other = [](std::uint32_t radix) { return radix > 8 && !std::has_single_bit(radix); };
    return std::count(radices.begin(), radices.end(), 8u) != 0 && std::any_of(radices.begin(), radices.end(), is_other);
}

std::uint32_t registers_of_doubles(std::vector<std::uint32_t> radices) {
    std::sort(radices.rbegin(), radices.rend());
    if (has_two_large_of_doubles(radices)) return registers::of_pipelined_two_large;
    const bool has_large = radices.front() >= pipelined_radices::large_f64 || mixes_eights(radices);
    return has_large ? registers::of_pipelined_doubles : 0;
}

/// The same for a padded convolution, which keeps the spectrum's points too. Measured: LAB-0020.
std::uint32_t registers_of_convolution(const KernelSpec& spec) {
    const std::uint32_t points = most_points_of_thread(spec, threads_of(spec));
    const auto of_spectrum = spec.precision == Precision::f64 ? 8 * points : 4 * points;
    return of_spectrum + registers_beside::pipelined_convolution.of(spec.precision);
}

/// 32-bit registers with which spills cost less than a launch. Measured: LAB-0020.
std::uint32_t registers_of_thread(const KernelSpec& spec) {
    if (is_convolution(spec)) return registers_of_convolution(spec);
    const std::uint32_t points = (spec.n + threads_of(spec) - 1) / threads_of(spec);
    const std::uint32_t in_points = points * registers_of_point(spec.precision);
    const auto usual = registers_beside::pass, few = registers_beside::pipelined_with_few_points;
    if (std::has_single_bit(spec.n)) {
        const std::uint32_t many = pipelined_radices::many_points_16_bit;
        const bool has_few = points >= many && stores_16_bit(spec) && spec.radices.back() < many;
        return in_points + (has_few ? registers_beside::pipelined_in_16_bits.floats : usual.of(spec.precision));
    }
    if (spec.precision == Precision::f64) return std::max(in_points + few.doubles, registers_of_doubles(spec.radices));
    const bool has_large = std::any_of(spec.radices.begin(), spec.radices.end(), [](std::uint32_t radix) {
        return radix >= pipelined_radices::large_f32 && !std::has_single_bit(radix);
    });
    if (has_large && points >= pipelined_radices::points_of_large)
        return points < pipelined_radices::points_of_larger ? registers::of_pipelined_large
                                                            : registers::of_pipelined_larger;
    return in_points + (points <= pipelined_radices::few_points ? few : usual).of(spec.precision);
}

/// Whether one resident group more would cost spills. Butterflies that only a few threads have take registers of all,
/// and one group of two hides more latency than one of three. Measured: LAB-0020.
bool would_spill(const KernelSpec& spec, std::uint32_t had, std::uint32_t groups) {
    if (std::has_single_bit(spec.n) || is_convolution(spec)) return false;
    const std::uint32_t points = most_points_of_thread(spec, threads_of(spec));
    if (spec.precision == Precision::f32)
        return had < 2 * points + (groups > 2 ? registers_beside::third_pipelined_block.floats
                                              : registers_beside::second_pipelined_block.floats);
    return groups > 2 && (groups - 1) * group_size(spec) >= pipelined_radices::least_threads_left &&
           had < 4 * points + registers_beside::third_pipelined_block.doubles;
}

}  // namespace

bool stores_16_bit(const KernelSpec& spec) {
    constexpr std::uint32_t bytes_of_16_bit = 4;
    return kernels::element_bytes(spec, true) == bytes_of_16_bit &&
           kernels::element_bytes(spec, false) == bytes_of_16_bit;
}

std::uint32_t resident_groups(const KernelSpec& spec) {
    const auto groups = [&](std::uint32_t needed) {
        std::uint32_t count = pipelined_radices::most_resident_groups;
        const auto registers = [&] { return registers_beside_others(group_size(spec), count); };
        while (count > 1 && (registers() < needed || would_spill(spec, registers(), count))) --count;
        return count;
    };
    const std::uint32_t needed = registers_of_thread(spec);
    const std::uint32_t more = registers_beside::more_for_twiddle_rows.of(spec.precision);
    // A lone group hides no latency.
    const std::uint32_t most = groups(needed);
    return has_many_columns(spec) ? std::max(std::min(most, 2u), groups(needed + more)) : most;
}

}  // namespace seiche::planner
