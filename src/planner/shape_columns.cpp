// Groups of columns and their mirrors, whose points or bins meet in a thread.
#include <algorithm>
#include <bit>

#include "planner/factorize.hpp"
#include "planner/measured_cores.hpp"
#include "planner/shape_parts.hpp"
#include "seiche/error.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

namespace {

using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::ThreadOrder;

/// The folded side as pairs of neighbouring numbers, whose column has no stride.
void see_as_pairs(KernelSpec& spec) {
    const bool is_input = spec.in.folded() != nullptr;
    spec.side(is_input).set_real(false);
    spec.side(is_input).offset /= 2;
    for (kernels::Loop& loop : spec.loops) (is_input ? loop.input_stride : loop.output_stride) /= 2;
}

/// Radices and threads with which each thread has a pair of mirrored butterflies where numbers are folded, if there are
/// any that leave room in the registers. 0 threads: there are not.
std::uint32_t threads_of_columns(KernelSpec& spec, const DeviceLimits& limits) {
    const std::uint32_t most = most_radix(limits, spec.precision);
    for (const std::uint32_t largest : {most, most / 2}) {
        if (largest != most) spec.radices = factor_into_radices(spec.n, std::max(largest, 2u));
        const std::uint32_t radix = *std::max_element(spec.radices.begin(), spec.radices.end());
        const std::uint32_t butterflies = spec.n / (spec.in.folded() ? spec.radices.front() : spec.radices.back());
        const std::uint32_t threads = std::min(spec.n / radix, butterflies / 2);
        if (spec.radices.size() < 2 || butterflies % 2 != 0 || threads > limits.max_group_size) continue;
        const std::uint32_t points = (spec.n + threads - 1) / threads;
        if (2 * points * register_bytes(spec.precision) / 4 <= most_folded_registers) return threads;
    }
    return 0;
}

/// Mirrored columns of a group, so that a unit has two groups if their runs fill sectors then, else one. Of single
/// numbers a sector's halves may be those of groups that follow each other. A stored run begins and ends within a
/// sector, half of them a point off, and all where a spectrum of n / 2 + 1 numbers follows another; parts of sectors
/// cost a cache as much as whole ones. Measured on an H200, of copy, by bytes of a run: r2c of 2^19 numbers 0.28 (32),
/// 0.32 (64), 0.33 (128), 2^21 0.24 (32), 0.29 (64), 0.30 (128), where a pass of maps beside two makes 0.28; in f64 of
/// 2^20 0.35 (64) and 0.34 (128). Doubles of type II spilled 1400 bytes a thread in groups of 1024 (512 points in 32
/// threads), none in groups of 512.
bool choose_mirrored_sequences(const KernelSpec& spec, const DeviceLimits& limits, GroupShape& shape) {
    constexpr std::uint32_t longest_in_lines = 128, longest_of_doubles = 512;
    const std::uint32_t words = register_bytes(spec.precision) / 4;
    const std::uint32_t points = (spec.n + shape.threads - 1) / shape.threads;
    const std::uint32_t element = std::min(access_bytes(spec, true), access_bytes(spec, false));
    const bool has_numbers = spec.in.bins() ? spec.in.is_real() : spec.out.is_real();
    std::uint32_t roomy = 4 * points * words > most_folded_registers ? folded_group / 2 : folded_group;
    if (spec.out.bins()) roomy = words == 1 || spec.out.bins()->kind == Kind::r2c ? 2 * folded_group : folded_group;
    for (const std::uint32_t most : {roomy, 2 * roomy}) {
        const std::uint32_t threads = std::min(most, limits.max_group_size);
        const auto by_shared = limits.shared_bytes / plane_bytes(spec.n, spec.precision);
        const bool has_longer = words == 1 || (spec.n <= longest_of_doubles && is_of_measured_kind(limits));
        const std::uint32_t runs =
            spec.out.bins() && has_longer ? (words == 1 && spec.n <= longest_in_lines ? 8 : 4) : 2;
        const std::uint32_t wanted = std::max(runs * wanted_run(spec), wanted_group / shape.threads);
        const std::uint32_t columns = std::min(
            {threads / shape.threads, wanted, static_cast<std::uint32_t>(std::max<std::uint64_t>(1, by_shared))});
        Tuning own;
        own.transforms_per_group = std::bit_floor(columns);
        if (spec.out.bins() && is_of_measured_kind(limits)) {
            own.transforms_per_group =
                even_part_of(spec.loops[0].count, columns, 2 * std::max(1u, limits.sector_bytes / element));
        }
        while (own.transforms_per_group > 1 && spec.loops[0].count % own.transforms_per_group != 0)
            own.transforms_per_group /= 2;
        const std::uint32_t run = own.transforms_per_group / 2 * element;
        if (run * (has_numbers ? 2 : 1) < limits.sector_bytes * (spec.out.bins() ? 2 : 1)) continue;
        choose_sequences(spec, limits, own, shape);
        const bool is_one_of_two = 2 * shape.threads * shape.sequences * 64 * words <= registers_per_unit;
        shape.min_groups_per_unit =
            spec.precision == Precision::f64x2 || !is_one_of_two ? 1 : std::max(2u, least_groups(spec, shape, limits));
        return true;
    }
    return false;
}

/// The smallest radix that leaves an even count of butterflies comes last.
void end_in_even_butterflies(std::vector<std::uint32_t>& radices, std::uint32_t n) {
    for (std::size_t i = radices.size(); i-- > 0;) {
        if (n / radices[i] % 2 != 0) continue;
        std::rotate(radices.begin() + static_cast<std::ptrdiff_t>(i),
                    radices.begin() + static_cast<std::ptrdiff_t>(i) + 1, radices.end());
        return;
    }
}

/// Radices and threads with which each thread has the butterflies of a pair of bins, a small radix where these are. 0
/// threads: there are none that leave room in the registers.
std::uint32_t threads_of_bins(KernelSpec& spec, const DeviceLimits& limits, std::uint32_t wanted_points) {
    const std::uint32_t most = most_radix(limits, spec.precision), words = register_bytes(spec.precision) / 4;
    for (const std::uint32_t registers : {most_folded_registers / (words == 1 ? 2 : 1), most_folded_registers}) {
        for (const std::uint32_t largest : {most, most / 2}) {
            spec.radices = factor_into_radices(spec.n, std::max(largest, 2u));
            if (spec.radices.size() < 2) continue;
            end_in_even_butterflies(spec.radices, spec.n);
            const std::uint32_t butterflies = spec.n / spec.radices.back();
            const std::uint32_t wanted = spec.n / std::min(spec.n, wanted_points);
            const std::uint32_t threads = std::max(1u, std::min(wanted, butterflies / 2));
            const std::uint32_t points = (spec.n + threads - 1) / threads;
            if (butterflies % 2 != 0 || threads > limits.max_group_size || 2 * points * words > registers) continue;
            if (spec.in.bins()) std::reverse(spec.radices.begin(), spec.radices.end());
            return threads;
        }
    }
    return 0;
}

bool may_meet_in_columns(const KernelSpec& spec, const DeviceLimits& limits) {
    return limits.vectors == Vectors::subgroups && !is_convolution(spec) && spec.loops[0].count % 2 == 0;
}

GroupShape shape_of_columns(const KernelSpec& spec) {
    GroupShape shape;
    shape.columns_meet = true;
    shape.load_order = shape.store_order = ThreadOrder::sequence_fastest;
    if ((spec.in.bins() || spec.in.folded()) && support::is_closer(spec.out.stride, spec.loops[0].output_stride))
        shape.store_order = ThreadOrder::element_fastest;
    return shape;
}

/// Where bins are stored, fewer threads of more points leave room for more columns, and so longer runs.
std::uint32_t threads_of_bins(KernelSpec& spec, const DeviceLimits& limits) {
    const std::uint32_t many =
        spec.out.bins() ? threads_of_bins(spec, limits, points_per_thread(limits, Precision::f32)) : 0;
    return many != 0 ? many : threads_of_bins(spec, limits, points_per_thread(limits, Precision::f64));
}

}  // namespace

std::uint32_t even_part_of(std::uint64_t count, std::uint32_t most, std::uint32_t of_sectors) {
    std::uint32_t any = 0;
    for (std::uint32_t part = most / 2 * 2; part >= 2; part -= 2) {
        if (count % part != 0 || (any != 0 && part % of_sectors != 0)) continue;
        if (part % of_sectors == 0) return 2 * part >= any ? part : any;
        any = part;
    }
    return std::max(any, 1u);
}

namespace {

/// Points of a pass up to which loads of pairs gain, of powers of two; type IV's numbers fill half of a sector without
/// them, the others' a quarter. On an H100, of copy, numbers by themselves and pairs: trailing, type II of 2^16 0.51
/// and 0.55, 2^17 0.51 and 0.53, 2^18 (512 x 256) 0.49 and 0.51, f64 2^18 0.46 and 0.50; type IV of 2^16 0.54 and 0.58,
/// 2^17 0.55 and 0.56, but 2^18 0.52 and 0.48, 2^19 0.52 and 0.47; apart, f64 2^20 (1024 points) 0.43 and 0.39.
bool gains_by_loading_pairs(const KernelSpec& spec) {
    constexpr std::uint32_t longest = 512, longest_of_type_4 = 256;
    const Kind kind = spec.in.folded()->kind;
    const bool is_type_4 = kind == Kind::dct4 || kind == Kind::dst4;
    return !std::has_single_bit(spec.n) || spec.n <= (is_type_4 ? longest_of_type_4 : longest);
}

/// Of the one side that has folded numbers.
bool may_fold_pairs(const KernelSpec& spec, const DeviceLimits& limits) {
    if (spec.in.folded() && !gains_by_loading_pairs(spec)) return false;
    const kernels::Folded* fold = spec.in.folded() ? spec.in.folded() : spec.out.folded();
    const std::int64_t offset = spec.in.folded() ? spec.in.offset : spec.out.offset;
    return fold && !(spec.in.folded() && spec.out.folded()) && fold->has_pairs && fold->loop == 0 && offset % 2 == 0 &&
           !is_convolution(spec) && 2 * spec.n * fold->element_stride == fold->length && !goes_one_by_one(limits);
}

}  // namespace

std::optional<KernelSpec> with_columns(KernelSpec spec, const DeviceLimits& limits, const Tuning& tuning) {
    const bool is_tuned = !tuning.radices.empty() || tuning.threads_per_transform || tuning.transforms_per_group;
    if (is_tuned || !may_fold_pairs(spec, limits)) return std::nullopt;
    see_as_pairs(spec);
    GroupShape shape = shape_of_columns(spec);
    shape.threads = threads_of_columns(spec, limits);
    if (shape.threads == 0) return std::nullopt;
    choose_sequences(spec, limits, tuning, shape);
    while (spec.loops[0].count % shape.sequences != 0) shape.sequences /= 2;
    if (shape.sequences / 2 * access_bytes(spec, !spec.in.folded()) < limits.sector_bytes) return std::nullopt;
    shape.min_groups_per_unit = least_groups(spec, shape, limits);
    spec.shape = shape;
    return spec;
}

std::optional<KernelSpec> with_columns(KernelSpec spec, const DeviceLimits& limits, const Columns& wanted) {
    const bool is_whole = wanted.sequences % 2 == 0 && spec.loops[0].count % wanted.sequences == 0;
    if (!is_whole || !may_fold_pairs(spec, limits)) return std::nullopt;
    see_as_pairs(spec);
    GroupShape shape = shape_of_columns(spec);
    shape.threads = threads_of_columns(spec, limits);
    const std::uint32_t threads = wanted.threads != 0 ? wanted.threads : shape.threads;
    if (shape.threads == 0 || threads > shape.threads) return std::nullopt;
    shape.threads = threads;
    Tuning own;
    own.transforms_per_group = wanted.sequences;
    choose_sequences(spec, limits, own, shape);
    spec.shape = shape;
    return spec;
}

std::optional<KernelSpec> with_columns_of_bins(KernelSpec spec, const DeviceLimits& limits, const Tuning& tuning) {
    const bool is_tuned = !tuning.radices.empty() || tuning.threads_per_transform || tuning.transforms_per_group;
    if (is_tuned || !may_meet_in_columns(spec, limits)) return std::nullopt;
    GroupShape shape = shape_of_columns(spec);
    shape.threads = threads_of_bins(spec, limits);
    if (shape.threads == 0) return std::nullopt;
    if (!choose_mirrored_sequences(spec, limits, shape)) return std::nullopt;
    spec.shape = shape;
    return spec;
}

std::optional<KernelSpec> with_columns_of_bins(KernelSpec spec, const DeviceLimits& limits, const Columns& wanted) {
    const bool is_whole = wanted.sequences % 2 == 0 && spec.loops[0].count % wanted.sequences == 0;
    if (!is_whole || !may_meet_in_columns(spec, limits)) return std::nullopt;
    GroupShape shape = shape_of_columns(spec);
    const std::uint32_t points =
        wanted.threads != 0 ? spec.n / wanted.threads : points_per_thread(limits, spec.precision);
    shape.threads = threads_of_bins(spec, limits, points);
    if (shape.threads == 0 || (wanted.threads != 0 && shape.threads != wanted.threads)) return std::nullopt;
    Tuning own;
    own.transforms_per_group = wanted.sequences;
    choose_sequences(spec, limits, own, shape);
    spec.shape = shape;
    return spec;
}

}  // namespace seiche::planner
