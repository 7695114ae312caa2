// The shapes of pipelined passes: tiles of whole sectors, in groups that agree.
#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "planner/device_model.hpp"
#include "planner/fuse/fuse.hpp"
#include "planner/fuse/pipeline.hpp"
#include "planner/fuse/pipeline_parts.hpp"
#include "planner/measured/pairs.hpp"
#include "planner/measured/rules.hpp"
#include "planner/model/pipelining.hpp"

namespace seiche::planner {

using kernels::GroupShape;
using kernels::KernelSpec;

namespace {

std::uint32_t sequences_of_tile(const KernelSpec& spec, const DeviceLimits& limits) {
    const std::uint64_t bytes = std::min<std::uint64_t>(tiles::bytes, limits.shared_bytes);
    const std::uint64_t sequences =
        std::max<std::uint64_t>(1, bytes / (std::uint64_t{2} * spec.n * real_bytes(spec.precision)));
    const bool has_folded = spec.in.folded() || spec.out.folded();
    const bool has_columns = spec.in.bins() || spec.out.bins() || has_folded;  // in two runs
    // 16-bit storage in whole cache lines, while passes are short. Measured: LAB-0020.
    const bool is_16_bit = kernels::access_bytes(spec, true) < 2 * real_bytes(spec.precision) &&
                           kernels::access_bytes(spec, false) < 2 * real_bytes(spec.precision);
    const std::uint64_t runs = has_columns || (is_16_bit && spec.n <= tiles::longest_of_16_bit_in_lines) ? 2 : 1;
    if ((spec.out.bins() || has_folded) && holds(Rule::even_parts_of_columns, limits)) {
        const auto most = static_cast<std::uint32_t>(std::min(sequences, runs * tiles::most_sequences));
        const std::uint32_t bytes = has_folded ? 2 * real_bytes(spec.precision) : kernels::access_bytes(spec, false);
        return even_part_of(spec.loops[0].count, most, 2 * limits.sector_bytes / bytes);
    }
    auto most = static_cast<std::uint32_t>(std::min(std::bit_floor(sequences), runs * tiles::most_sequences));
    while (has_columns && most > 1 && spec.loops[0].count % most != 0) most /= 2;
    return most;
}

/// The same of mirrored columns, which hold conjugate pairs.
bool take_columns(KernelSpec& spec, const WantedGroup& wanted, const DeviceLimits& limits) {
    ShapedPass columns = with_columns_of_bins(spec, limits, Columns{wanted.sequences, wanted.threads});
    if (columns.spec) spec = std::move(*columns.spec);
    return columns.spec.has_value();
}

/// A tile's worth of sequences, in few enough threads that two groups are resident. Measured: LAB-0020.
bool take_tile(KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    const KernelSpec plain = spec;
    const std::uint32_t given = tuning.transforms_per_group;
    WantedGroup wanted{given ? given : sequences_of_tile(spec, limits)};
    if (!take_shape(spec, wanted, limits, tuning)) return false;
    std::uint32_t threads = threads_of(spec);
    while (threads % 2 == 0 && 4 * spec.n * real_bytes(spec.precision) <= tiles::bytes_of_thread * threads)
        threads /= 2;
    if (tuning.threads_per_transform || threads == threads_of(spec)) return true;
    spec = plain;
    wanted.threads = threads;
    return take_shape(spec, wanted, limits, tuning);
}

/// Whether tiles of a plane's columns of doubles are so large that too few groups are resident. Measured: LAB-0020.
bool has_large_tile_of_doubles(const PassPair& pair, const DeviceLimits& limits) {
    if (!is_lone_plane(pair.plain[0], pair.plain[1])) return false;
    const auto is_large = [](const KernelSpec& spec) {
        const std::uint64_t large =
            sequences_of(spec) >= tiles::many_sequences ? tiles::large_bytes_of_many : tiles::large_bytes;
        return spec.precision == Precision::f64 && is_lone_core(spec) &&
               sequences_of(spec) >= tiles::least_sequences_of_large &&
               std::uint64_t{sequences_of(spec)} * spec.n * 2 * real_bytes(spec.precision) >= large;
    };
    return holds(Rule::small_tiles_of_doubles, limits) && is_large(pair.shaped[0]) && is_large(pair.shaped[1]);
}

bool take_tiles(PassPair& pair, const DeviceLimits& limits, Tuning tuning) {
    const KernelSpec& first = pair.plain[0];
    const KernelSpec& second = pair.plain[1];
    const bool is_one_axis = is_lone_core(first) && is_lone_core(second) && !has_no_twiddle(second.in.stages),
               is_wide = !first.in.is_converted() && !second.out.is_converted();
    if (is_one_axis && is_wide && leaves_pipelining_open(tuning))
        tuning.transforms_per_group = measured_transforms(first.precision, first.n, second.n, limits);
    for (KernelSpec& spec : pair.shaped)
        if (!take_tile(spec, limits, tuning)) return false;
    const bool are_of_one_part = has_tile_of_one_part(pair.shaped[0]) && has_tile_of_one_part(pair.shaped[1]);
    if (!is_one_axis && leaves_pipelining_open(tuning) &&
        (are_of_one_part || has_large_tile_of_doubles(pair, limits))) {
        tuning.transforms_per_group = sequences_of(pair.shaped[0]) / 2;
        pair.shaped[0] = first;
        pair.shaped[1] = second;
        for (KernelSpec& spec : pair.shaped)
            if (!take_tile(spec, limits, tuning)) return false;
    }
    return match_groups(pair, limits, tuning);
}

/// Two passes fused on chip and a third: as many points in each thread, and two resident groups.
bool take_fused(PassPair& pair, const DeviceLimits& limits) {
    KernelSpec &fused = pair.shaped[0], &other = pair.shaped[1];
    Tuning own;
    own.groups_per_cluster = 1;
    if (choose_fused_shape(fused, limits, own)) return false;
    const std::uint32_t points = fused.n / threads_of(fused), group = group_size(fused);
    const std::uint64_t bytes = std::uint64_t{2} * points * group * real_bytes(fused.precision);
    const std::uint32_t threads = other.n / points;
    if (threads * points != other.n || group % threads != 0 || 2 * bytes > limits.shared_bytes_per_unit ||
        !take_shape(other, {group / threads, threads}, limits, {}))
        return false;
    const std::uint32_t planes = std::get<GroupShape>(fused.shape).exchange.components;
    std::get<GroupShape>(other.shape).exchange.components = planes;  // a plane has as many points
    return planes * component_bytes(other.n, other.precision) * sequences_of(other) <= limits.shared_bytes;
}

/// The prefetch distance beyond a slice, as a fraction of the resident groups. Small groups of small slices can run
/// further ahead: the cache still holds what is between. Measured: LAB-0020.
double distance_of_resident(const KernelSpec& first, const DeviceLimits& limits) {
    const std::uint64_t tile = std::uint64_t{2} * real_bytes(first.precision) * sequences_of(first) * first.n;
    const bool is_small = tile <= prefetch_distance::small_tile_bytes &&
                          cached_slices::of_small * slice_bytes(first) <= limits.cache_bytes;
    return is_small && !has_unbounded_registers(limits) ? prefetch_distance::of_small : prefetch_distance::usual;
}

}  // namespace

std::uint32_t sequences_of_sector(const KernelSpec& spec, const DeviceLimits& limits) {
    return std::max(1u, limits.sector_bytes / kernels::access_bytes(spec, false));
}

bool is_lone_core(const KernelSpec& spec) { return spec.has_own_points() && spec.on_chip.next.empty(); }

bool is_lone_plane(const KernelSpec& first, const KernelSpec& second) {
    return has_no_twiddle(second.in.stages) && kernels::sequences_per_batch(first) == second.n &&
           kernels::sequences_per_batch(second) == first.n;
}

std::uint64_t slice_bytes(const KernelSpec& first) {
    return first.slices.sequences * stored_elements(first) * kernels::element_bytes(first, false);
}

bool take_shape(KernelSpec& spec, const WantedGroup& wanted, const DeviceLimits& limits, Tuning tuning) {
    if (spec.in.bins() || spec.out.bins()) return take_columns(spec, wanted, limits);
    if (spec.in.folded() || spec.out.folded()) {
        ShapedPass columns = with_columns(spec, limits, Columns{wanted.sequences, wanted.threads});
        if (columns.spec) spec = std::move(*columns.spec);
        if (columns.spec || columns.refusal) return !columns.refusal;
    }
    tuning.transforms_per_group = wanted.sequences;
    if (wanted.threads) tuning.threads_per_transform = wanted.threads;
    return !choose_shape(spec, limits, tuning, kernels::sequences_per_batch(spec) * spec.loops.back().count);
}

void cut_into_slices(KernelSpec& spec, std::uint64_t sequences, std::uint64_t beside, std::uint32_t run) {
    spec.slices.sequences = beside != 0 ? run * sequences : sequences;
    spec.slices.run = beside != 0 ? run : 0;
    spec.slices.period = beside;
}

std::optional<KernelSpec> joined(PassPair pair, const Slices& slices, const DeviceLimits& limits,
                                 const Tuning& tuning) {
    const bool is_fused = !pair.plain[0].on_chip.next.empty();
    if (is_fused ? !take_fused(pair, limits) : !take_tiles(pair, limits, tuning)) return std::nullopt;
    KernelSpec &first = pair.shaped[0], &second = pair.shaped[1];
    const std::uint32_t run = std::lcm(sequences_of(first), sequences_of(second));
    if (slices.beside % run != 0) return std::nullopt;
    cut_into_slices(first, slices.first, slices.beside, run);
    cut_into_slices(second, slices.second, slices.beside, run);
    auto& shape = std::get<GroupShape>(first.shape);
    auto& other = std::get<GroupShape>(second.shape);
    if (shape.pairs_in_turn() != 0 || (is_fused && first.slices.sequences % sequences_of(first) != 0))
        return std::nullopt;
    const bool has_map = first.in.map() || first.out.map();
    if (group_size(first) != group_size(second) || (shape.exchange.components != other.exchange.components && has_map))
        return std::nullopt;
    shape.exchange.components = other.exchange.components =
        std::min(shape.exchange.components, other.exchange.components);
    shape.exchange.whole_points = other.exchange.whole_points =
        shape.exchange.whole_points && (other.exchange.whole_points || is_fused);
    shape.min_groups_per_unit = std::min(resident_groups(first), resident_groups(second));
    const double resident = static_cast<double>(shape.min_groups_per_unit) * limits.compute_units;
    first.pipeline.prefetch_distance =
        kernels::groups_per_slice(first) + static_cast<std::uint64_t>(distance_of_resident(first, limits) * resident);
    if (cached_slices::of_streamed_input * slice_bytes(first) >= limits.cache_bytes)
        first.in.hint = ir::CacheHint::streaming;
    first.pipeline.next = {second};
    first.pipeline.has_between = slices.has_between;
    return first;
}

}  // namespace seiche::planner
