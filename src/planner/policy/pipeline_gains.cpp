// Which pipelined passes gain: what a cache holds, and shapes by measurement and by cost.
#include <algorithm>
#include <bit>

#include "planner/device_model.hpp"
#include "planner/fuse/parts.hpp"
#include "planner/fuse/pipeline_parts.hpp"
#include "planner/measured/pairs.hpp"
#include "planner/measured/rules.hpp"
#include "planner/model/costs.hpp"
#include "planner/model/pipelining.hpp"
#include "planner/policy/pipeline_cost.hpp"
#include "planner/policy/pipelining.hpp"
#include "planner/shape/measured_cores.hpp"

namespace seiche::planner {

using kernels::GroupShape;
using kernels::KernelSpec;

namespace {

/// Whether passes of any lengths gain: enough points a thread and resident threads to hide latency, and runs of whole
/// sectors, or so long that parts of sectors matter little. Measured: LAB-0020.
bool suits_any_length(const KernelSpec& first, const DeviceLimits& limits) {
    const std::uint32_t groups = std::get<GroupShape>(first.shape).min_groups_per_unit;
    const bool are_powers = std::has_single_bit(first.n) && std::has_single_bit(first.pipeline.next.front().n);
    if (!limits.bounds_registers || are_powers || first.slices.run != 0 || !first.on_chip.next.empty() ||
        groups < pairs_of_any_length::least_groups || groups * group_size(first) < pairs_of_any_length::least_threads)
        return false;
    for (const KernelSpec* spec : {&first, &first.pipeline.next.front()}) {
        const std::uint32_t run = sequences_of(*spec) * kernels::access_bytes(*spec, false);
        const std::uint32_t least =
            spec->out.stride == 1 ? pairs_of_any_length::least_loaded_bytes : pairs_of_any_length::least_run_bytes;
        const bool has_runs = run % limits.sector_bytes == 0 || run >= least;
        const bool has_points = spec->n >= pairs_of_any_length::least_points * threads_of(*spec);
        if (!spec->has_own_points() || spec->is_converted() || !has_runs || !has_points) return false;
    }
    return true;
}

bool is_measured_pair(const KernelSpec& first, const DeviceLimits& limits) {
    const bool is_whole =
        kernels::access_bytes(first, true) == 2 * real_bytes(first.precision);  // 16-bit storage loses
    const KernelSpec& second = first.pipeline.next.front();
    const bool is_floats = first.precision == Precision::f32;  // of cubes too
    return is_whole && !first.in.map() && first.on_chip.next.empty() && (is_floats || is_lone_plane(first, second)) &&
           are_measured_to_pipeline(first.precision, first.n, second.n, first.slices.run != 0, limits);
}

/// Types II to IV: large mirrored butterflies spill but for measured pairs. Measured: LAB-0020.
bool suits_folded(const KernelSpec& first, const DeviceLimits& limits) {
    const KernelSpec& second = first.pipeline.next.front();
    if (std::has_single_bit(first.n) && std::has_single_bit(second.n)) return true;
    const Kind kind = first.in.folded() ? first.in.folded()->kind : second.out.folded()->kind;
    return are_pipelined_as_folded(kind, first.precision, first.n, second.n, limits);
}

/// Whether groups of this shape gain: enough threads, whole points in an exchange, whole sectors. Measured: LAB-0020.
bool suits(const KernelSpec& first, const DeviceLimits& limits) {
    const std::uint32_t least_group =
        first.slices.run != 0 ? usual_pairs::least_interleaved_group : usual_pairs::least_group;
    const KernelSpec& second = first.pipeline.next.front();
    if (is_convolution(second)) return are_of_pipelined_convolution(first.n, second.n, first.precision, limits);
    if (first.pipeline.has_between) return suits_folded(first, limits);
    const bool stores_spectrum = second.out.bins() && second.out.bins()->kind == Kind::r2c;
    const bool has_spectrum = stores_spectrum || (first.in.bins() && first.in.bins()->kind == Kind::c2r);
    if (has_spectrum && are_measured_for_bins(stores_spectrum, first.precision, first.n, second.n, limits)) return true;
    if (has_pipeline_cost_of_bins(first, limits) && pipeline_cost_of_bins(first) <= most_pipeline_cost_of_bins)
        return true;
    if (suits_any_length(first, limits)) return true;
    if (has_pipeline_cost(first, limits) && pipeline_cost(first) <= most_pipeline_cost) return true;
    if (is_measured_pair(first, limits)) return true;
    const std::uint64_t least_bytes = std::uint64_t{2} * real_bytes(first.precision) * std::min(first.n, second.n);
    const bool is_alike = first.n == second.n && first.n >= usual_pairs::least_points * threads_of(first);
    const bool has_runs = first.n % usual_pairs::whole_run == 0 && second.n % usual_pairs::whole_run == 0;
    const bool exchanges_bins =
        (first.in.map() || first.out.map()) && !std::get<GroupShape>(first.shape).has_mirrors_in_thread();
    // In 16-bit storage the first pass, whose results are rows, may load half a sector. Measured: LAB-0020.
    const bool is_16_bit = kernels::access_bytes(first, true) < 2 * real_bytes(first.precision);
    const std::uint32_t shares = is_16_bit && first.out.stride == 1 ? 2 : 1;
    if (sequences_of(first) * shares % sequences_of_sector(first, limits) != 0 ||
        sequences_of(second) % sequences_of_sector(second, limits) != 0)
        return false;
    // Where parts are exchanged apart for other reasons, middling passes gain all the same. Measured: LAB-0020.
    const bool is_apart_for_others = has_unbounded_registers(limits) || first.in.bins() || second.out.bins();
    const bool is_exchanged_well = std::get<GroupShape>(first.shape).exchange.components == 2 ||
                                   least_bytes > usual_pairs::bytes_exchanged_apart || is_apart_for_others;
    return group_size(first) >= least_group && (is_alike || has_runs) && is_exchanged_well &&
           !(exchanges_bins && cached_slices::of_streamed_input * slice_bytes(first) >= limits.cache_bytes);
}

/// Whether the cache holds what this kind of pair shares; other pairs need tuning.trailing_passes. Measured: LAB-0020.
bool is_of_kind_that_gains(const KernelSpec& first, const DeviceLimits& limits) {
    const KernelSpec& second = first.pipeline.next.front();
    const bool is_wide = register_bytes(first.precision) > 4;
    const std::uint64_t most_of_doubles = holds(Rule::large_slices_of_doubles, limits)
                                              ? cached_slices::most_points_of_fast_doubles
                                              : cached_slices::most_points_of_doubles;
    if (first.slices.run != 0)
        return !has_unbounded_registers(limits) && (!is_wide || std::uint64_t{first.n} * second.n <= most_of_doubles);
    if (!first.on_chip.next.empty()) return is_wide;
    if (first.pipeline.has_between) return cached_slices::beside_others * slice_bytes(first) <= limits.cache_bytes;
    const std::uint64_t slices =
        has_unbounded_registers(limits) ? cached_slices::that_return_elsewhere : cached_slices::that_return;
    return first.in_place || second.in_place || slices * slice_bytes(first) <= limits.cache_bytes;
}

}  // namespace

/// Whether a cache holds what lies between the passes and the batch is worth one launch more. Storing a spectrum takes
/// twice as long as its bytes, so larger slices gain. Measured: LAB-0020.
bool pays_to_pipeline(const KernelSpec& first, const KernelSpec& second, const DeviceLimits& limits) {
    const std::uint64_t slices = kernels::sequences_per_batch(first) / first.slices.sequences *
                                 std::max<std::uint64_t>(1, first.loops.back().count);
    const bool has_spectrum = second.out.bins() && first.precision == Precision::f32 && first.slices.run == 0;
    // Real rows have large slices. Measured: LAB-0020.
    const bool has_rows = first.in.map() || first.out.map();
    if (has_rows && cached_slices::elsewhere * slice_bytes(first) > limits.cache_bytes) return false;
    return can_pay_to_pipeline(slice_bytes(first), slices, limits) ||
           (has_spectrum && cached_slices::of_spectra * slice_bytes(first) <= limits.cache_bytes &&
            slices >= cached_slices::least && is_worth_pipelining(slices * slice_bytes(first), limits));
}

bool gains_by_pipelining(const KernelSpec& first, const DeviceLimits& limits) {
    const KernelSpec& second = first.pipeline.next.front();
    const bool are_lone_cores = is_lone_core(first) && is_lone_core(second);
    const bool is_measured = first.precision == Precision::f32 || is_lone_plane(first, second);
    if (are_lone_cores && is_measured && are_faster_apart(first.precision, first.n, second.n, limits)) return false;
    // Columns of a plane in runs that begin within sectors. Measured: LAB-0020.
    if (are_lone_cores && is_pointwise(second.in.stages) && second.loops[0].output_stride == 1 &&
        sequences_of(second) * kernels::access_bytes(second, false) % limits.sector_bytes != 0)
        return false;
    return is_of_kind_that_gains(first, limits) && suits(first, limits);
}

}  // namespace seiche::planner
