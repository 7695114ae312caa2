// Mirrored columns in one group, whose conjugate pairs are one thread's.
#include <algorithm>
#include <bit>

#include "planner/device_model.hpp"
#include "planner/measured/rules.hpp"
#include "planner/model/groups.hpp"
#include "planner/model/registers.hpp"
#include "planner/shape/factorize.hpp"
#include "planner/shape/parts.hpp"
#include "seiche/error.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

namespace {

using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::Mirrors;
using kernels::ThreadOrder;

/// The folded side as pairs of neighbours, whose column has no stride.
void see_as_pairs(KernelSpec& spec) {
    const bool is_input = spec.in.folded() != nullptr;
    spec.side(is_input).set_real(false);
    spec.side(is_input).offset /= 2;
    for (kernels::Loop& loop : spec.loops) (is_input ? loop.input_stride : loop.output_stride) /= 2;
}

/// Radices and threads with mirrored butterflies in each thread; 0 threads: registers do not suffice.
std::uint32_t threads_of_columns(KernelSpec& spec, const DeviceLimits& limits) {
    const std::uint32_t most = most_radix(limits, spec.precision);
    for (const std::uint32_t largest : {most, most / 2}) {
        if (largest != most) spec.radices = factor_into_radices(spec.n, std::max(largest, 2u));
        const std::uint32_t radix = *std::max_element(spec.radices.begin(), spec.radices.end());
        const std::uint32_t butterflies = spec.n / (spec.in.folded() ? spec.radices.front() : spec.radices.back());
        const std::uint32_t threads = std::min(spec.n / radix, butterflies / 2);
        if (spec.radices.size() < 2 || butterflies % 2 != 0 || threads > limits.max_group_size) continue;
        const std::uint32_t points = (spec.n + threads - 1) / threads;
        if (points * registers_of_point(spec.precision) <= registers::of_mirrored_points) return threads;
    }
    return 0;
}

/// Mirrored columns of a group: two resident groups if runs fill sectors then, else one. Single numbers may share a
/// sector with the next group. Stored runs end within sectors, and parts of sectors cost as much as whole ones, so long
/// runs gain. Measured: LAB-0027.
ShapedPass with_mirrored_sequences(KernelSpec spec, const DeviceLimits& limits, GroupShape shape) {
    const std::uint32_t words = register_bytes(spec.precision) / 4;
    const std::uint32_t points = (spec.n + shape.threads - 1) / shape.threads;
    const std::uint32_t element = std::min(access_bytes(spec, true), access_bytes(spec, false));
    const bool has_numbers = spec.in.bins() ? spec.in.is_real() : spec.out.is_real();
    std::uint32_t roomy = 4 * points * words > registers::of_mirrored_points ? group_threads::wanted_mirrored / 2
                                                                             : group_threads::wanted_mirrored;
    if (spec.out.bins())
        roomy = words == 1 || spec.out.bins()->kind == Kind::r2c ? 2 * group_threads::wanted_mirrored
                                                                 : group_threads::wanted_mirrored;
    for (const std::uint32_t most : {roomy, 2 * roomy}) {
        const std::uint32_t threads = std::min(most, limits.max_group_size);
        const auto by_shared = limits.shared_bytes / component_bytes(spec.n, spec.precision);
        const bool has_longer =
            words == 1 || (spec.n <= mirrored_columns::longest_of_doubles && holds(Rule::long_runs_of_doubles, limits));
        const bool has_lines = words == 1 && spec.n <= mirrored_columns::longest_in_lines;
        const std::uint32_t longer = has_lines ? mirrored_columns::runs_in_lines : mirrored_columns::long_runs;
        const std::uint32_t runs = spec.out.bins() && has_longer ? longer : mirrored_columns::usual_runs;
        const std::uint32_t wanted = std::max(runs * wanted_run(spec), group_threads::wanted / shape.threads);
        const std::uint32_t columns = std::min(
            {threads / shape.threads, wanted, static_cast<std::uint32_t>(std::max<std::uint64_t>(1, by_shared))});
        Tuning own;
        own.transforms_per_group = std::bit_floor(columns);
        if (spec.out.bins() && holds(Rule::even_parts_of_columns, limits)) {
            own.transforms_per_group =
                even_part_of(spec.loops[0].count, columns, 2 * std::max(1u, limits.sector_bytes / element));
        }
        while (own.transforms_per_group > 1 && spec.loops[0].count % own.transforms_per_group != 0)
            own.transforms_per_group /= 2;
        const std::uint32_t run = own.transforms_per_group / 2 * element;
        if (run * (has_numbers ? 2 : 1) < limits.sector_bytes * (spec.out.bins() ? 2 : 1)) continue;
        if (Refusal refusal = choose_sequences(spec, limits, own, shape)) return {{}, refusal};
        const bool is_one_of_two =
            2 * shape.threads * shape.sequences * registers::of_mirrored_thread * words <= registers_per_unit;
        shape.min_groups_per_unit =
            spec.precision == Precision::f64x2 || !is_one_of_two ? 1 : std::max(2u, least_groups(spec, shape, limits));
        spec.shape = shape;
        return {spec};
    }
    return {};
}

/// The smallest radix with an even count of butterflies comes last.
void end_in_even_butterflies(std::vector<std::uint32_t>& radices, std::uint32_t n) {
    for (std::size_t i = radices.size(); i-- > 0;) {
        if (n / radices[i] % 2 != 0) continue;
        std::rotate(radices.begin() + static_cast<std::ptrdiff_t>(i),
                    radices.begin() + static_cast<std::ptrdiff_t>(i) + 1, radices.end());
        return;
    }
}

/// Radices and threads with both butterflies of a pair of bins; 0 threads: registers do not suffice.
std::uint32_t threads_of_bins(KernelSpec& spec, const DeviceLimits& limits, std::uint32_t wanted_points) {
    const std::uint32_t most = most_radix(limits, spec.precision), words = register_bytes(spec.precision) / 4;
    for (const std::uint32_t registers :
         {registers::of_mirrored_points / (words == 1 ? 2 : 1), registers::of_mirrored_points}) {
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

bool may_mirror_columns(const KernelSpec& spec, const DeviceLimits& limits) {
    return is_gpu(limits) && !is_convolution(spec) && spec.loops[0].count % 2 == 0;
}

GroupShape shape_of_columns(const KernelSpec& spec) {
    GroupShape shape;
    shape.mirrors = Mirrors::in_group;
    shape.load_order = shape.store_order = ThreadOrder::sequence_fastest;
    if ((spec.in.bins() || spec.in.folded()) && support::is_closer(spec.out.stride, spec.loops[0].output_stride))
        shape.store_order = ThreadOrder::element_fastest;
    return shape;
}

/// Where bins are stored, fewer threads of more points leave memory for more columns, so longer runs.
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

/// Whether loads of pairs gain: they spare half of each sector, type IV less than others, but long passes lack the
/// registers. Measured: LAB-0027.
bool gains_by_loading_pairs(const KernelSpec& spec) {
    const Kind kind = spec.in.folded()->kind;
    const bool is_type_4 = kind == Kind::dct4 || kind == Kind::dst4;
    return !std::has_single_bit(spec.n) ||
           spec.n <= (is_type_4 ? mirrored_columns::longest_loaded_of_type_4 : mirrored_columns::longest_loaded);
}

bool may_fold_pairs(const KernelSpec& spec, const DeviceLimits& limits) {
    if (spec.in.folded() && !gains_by_loading_pairs(spec)) return false;
    const kernels::Folded* fold = spec.in.folded() ? spec.in.folded() : spec.out.folded();
    const std::int64_t offset = spec.in.folded() ? spec.in.offset : spec.out.offset;
    return fold && !(spec.in.folded() && spec.out.folded()) && fold->has_pairs && fold->loop == 0 && offset % 2 == 0 &&
           !is_convolution(spec) && 2 * spec.n * fold->element_stride == fold->length && !scalarises_accesses(limits);
}

}  // namespace

ShapedPass with_columns(KernelSpec spec, const DeviceLimits& limits, const Tuning& tuning) {
    const bool is_tuned = !tuning.radices.empty() || tuning.threads_per_transform || tuning.transforms_per_group;
    if (is_tuned || !may_fold_pairs(spec, limits)) return {};
    see_as_pairs(spec);
    GroupShape shape = shape_of_columns(spec);
    shape.threads = threads_of_columns(spec, limits);
    if (shape.threads == 0) return {};
    if (Refusal refusal = choose_sequences(spec, limits, tuning, shape)) return {{}, refusal};
    while (spec.loops[0].count % shape.sequences != 0) shape.sequences /= 2;
    if (shape.sequences / 2 * access_bytes(spec, !spec.in.folded()) < limits.sector_bytes) return {};
    shape.min_groups_per_unit = least_groups(spec, shape, limits);
    spec.shape = shape;
    return {spec};
}

ShapedPass with_columns(KernelSpec spec, const DeviceLimits& limits, const Columns& wanted) {
    const bool is_whole = wanted.sequences % 2 == 0 && spec.loops[0].count % wanted.sequences == 0;
    if (!is_whole || !may_fold_pairs(spec, limits)) return {};
    see_as_pairs(spec);
    GroupShape shape = shape_of_columns(spec);
    shape.threads = threads_of_columns(spec, limits);
    const std::uint32_t threads = wanted.threads != 0 ? wanted.threads : shape.threads;
    if (shape.threads == 0 || threads > shape.threads) return {};
    shape.threads = threads;
    Tuning own;
    own.transforms_per_group = wanted.sequences;
    if (Refusal refusal = choose_sequences(spec, limits, own, shape)) return {{}, refusal};
    spec.shape = shape;
    return {spec};
}

ShapedPass with_columns_of_bins(KernelSpec spec, const DeviceLimits& limits, const Tuning& tuning) {
    const bool is_tuned = !tuning.radices.empty() || tuning.threads_per_transform || tuning.transforms_per_group;
    if (is_tuned || !may_mirror_columns(spec, limits)) return {};
    GroupShape shape = shape_of_columns(spec);
    shape.threads = threads_of_bins(spec, limits);
    if (shape.threads == 0) return {};
    return with_mirrored_sequences(std::move(spec), limits, shape);
}

ShapedPass with_columns_of_bins(KernelSpec spec, const DeviceLimits& limits, const Columns& wanted) {
    const bool is_whole = wanted.sequences % 2 == 0 && spec.loops[0].count % wanted.sequences == 0;
    if (!is_whole || !may_mirror_columns(spec, limits)) return {};
    GroupShape shape = shape_of_columns(spec);
    const std::uint32_t points =
        wanted.threads != 0 ? spec.n / wanted.threads : points_per_thread(limits, spec.precision);
    shape.threads = threads_of_bins(spec, limits, points);
    if (shape.threads == 0 || (wanted.threads != 0 && shape.threads != wanted.threads)) return {};
    Tuning own;
    own.transforms_per_group = wanted.sequences;
    if (Refusal refusal = choose_sequences(spec, limits, own, shape)) return {{}, refusal};
    spec.shape = shape;
    return {spec};
}

}  // namespace seiche::planner
