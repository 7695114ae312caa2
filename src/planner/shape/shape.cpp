// The policy of shapes: threads per sequence from the largest radix, the order in which they move points, and what of
// it depends on the kind of device.
#include "planner/shape/shape.hpp"
#include "planner/device_model.hpp"

#include <algorithm>
#include <bit>

#include "planner/measured/rules.hpp"
#include "planner/model/cores.hpp"
#include "planner/model/groups.hpp"
#include "planner/model/processors.hpp"
#include "planner/model/registers.hpp"
#include "planner/shape/measured_cores.hpp"
#include "planner/shape/parts.hpp"
#include "seiche/error.hpp"

namespace seiche::planner {

namespace {

using kernels::CoreLoop;
using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::Mirrors;
using kernels::PrimeLoop;
using kernels::SimdShape;
using kernels::ThreadOrder;

/// Whether the bins of a pair are themselves the elements.
bool has_twos(const KernelSpec& spec) {
    const auto has = [](const kernels::RealMap* map, bool input) {
        return map && kernels::may_pair_in_thread(*map, input) && !kernels::has_fours(map->kind);
    };
    return has(spec.in.map(), true) || has(spec.out.map(), false);
}

/// Where the spec has its radices, and the tuning leaves the rest.
std::optional<MeasuredCore> measured_shape(const KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    if (tuning.threads_per_transform || tuning.transforms_per_group) return std::nullopt;
    std::optional<MeasuredCore> core = measured_core(spec, limits);
    return core && core->radices == spec.radices ? core : std::nullopt;
}

/// Threads of columns of other lengths than powers of two: at most 512 a group, so that several groups are resident,
/// with up to 32 points and few idle butterflies (LAB-0107).
/// Lengths that are so already stay, and long ones, of which one group is resident, as far as few threads idle.
std::uint32_t threads_of_columns(const KernelSpec& spec, std::uint32_t threads, const DeviceLimits& limits) {
    const bool is_column = holds(Rule::columns_without_idle_threads, limits) && spec.precision == Precision::f32 &&
                           !is_convolution(spec) && place_of(spec) == CorePlace::columns &&
                           !std::has_single_bit(spec.n);
    if (!is_column || spec.radices.size() < 2) return threads;
    const auto points = [&](std::uint32_t count) { return most_points_of_thread(spec.radices, spec.n, count); };
    const auto idle_ratio = [&](std::uint32_t count) {
        const auto all = static_cast<double>(points_with_idle(spec.radices, spec.n, count));
        return all / (spec.n * static_cast<double>(spec.radices.size()));
    };
    const std::uint32_t run = wanted_run(spec);
    const bool has_two_groups = spec.n <= column_threads::longest_of_two_groups;
    const std::uint32_t most_threads = has_two_groups ? column_threads::most : column_threads::most_of_long;
    const auto fits = [&](std::uint32_t count) {
        return points(count) <= column_threads::most_points && count * run <= most_threads;
    };
    if (fits(threads) && idle_ratio(threads) <= column_threads::most_idle_ratio) return threads;
    std::uint32_t best = threads;
    double least = 0;
    for (const std::uint32_t r : spec.radices) {
        for (std::uint32_t of_thread = 1; of_thread * r <= column_threads::most_points; ++of_thread) {
            const std::uint32_t count = (spec.n / r + of_thread - 1) / of_thread;
            if (!fits(count)) continue;
            const double beside = static_cast<double>(column_threads::points_beside) / points(count);
            const double cost = idle_ratio(count) * (1 + beside);
            if (least == 0 || cost < least) {
                least = cost;
                best = count;
            }
        }
    }
    return best;
}

Refusal refuse_threads(const KernelSpec& spec, const Tuning& tuning) {
    const std::uint32_t threads = tuning.threads_per_transform;
    const std::uint32_t points = threads ? most_points_of_thread(spec, threads) : 0;
    if (points <= most_points_of_any_thread) return std::nullopt;
    return "tuning.threads_per_transform: expected at most " + std::to_string(most_points_of_any_thread) +
           " points for each thread, got " + std::to_string(points) + " of " + std::to_string(spec.n) + " with " +
           std::to_string(threads);
}

std::uint32_t threads_for(const KernelSpec& spec, const Mirrored& paired, const DeviceLimits& limits,
                          const Tuning& tuning) {
    if (tuning.threads_per_transform) return tuning.threads_per_transform;
    if (const std::optional<MeasuredCore> measured = measured_shape(spec, limits, tuning)) return measured->threads;
    CoreQuestion core{spec.n, false, is_convolution(spec), spec.precision};
    if (is_of_spectrum(spec)) core.map = CoreMap::spectrum;
    const std::uint32_t most = most_mirrored_threads(spec.n, spec.radices, paired);
    const std::uint32_t pairs = paired.front && has_twos(spec) ? (spec.n / spec.radices.front() + 1) / 2 : most;
    const std::vector<std::uint32_t> radices = kernels::core_runs(spec).front();
    const std::uint32_t of_core =
        wanted_run(spec) == 1 ? threads_of_rows(radices, core, limits) : threads_for_core(radices, core, limits);
    const std::uint32_t threads = std::min({of_core, most, pairs});
    return tuning.transforms_per_group ? threads : threads_of_columns(spec, threads, limits);
}

Mirrored with_bins(const KernelSpec& spec, Mirrored ends) {
    ends.front = ends.front || (spec.in.map() && kernels::may_pair_in_thread(*spec.in.map(), true));
    ends.back = ends.back || (spec.out.map() && kernels::may_pair_in_thread(*spec.out.map(), false));
    return ends;
}

/// Whether bins k and m - k are in one thread: where neighbouring threads fill sectors, and the points of two
/// butterflies leave half of the registers.
bool should_pair_in_thread(KernelSpec spec, const Mirrored& mirrored, const DeviceLimits& limits,
                           const Tuning& tuning) {
    const Mirrored ends = with_bins(spec, mirrored);
    const bool are_twos = has_twos(spec);
    const std::uint32_t least_f64 = are_twos ? paired_bins::shortest_spectrum_f64 : paired_bins::shortest_f64;
    if (register_bytes(spec.precision) > 4 && spec.n < least_f64) return false;
    if (ends == mirrored || is_convolution(spec) || (spec.radices.size() == 1 && (mirrored.front || mirrored.back)))
        return false;
    if (tuning.radices.empty()) spec.radices = radices_for(ends, spec.radices);
    const std::uint32_t threads = threads_for(spec, ends, limits, tuning);
    const std::uint32_t points = (spec.n + threads - 1) / threads;
    const std::uint32_t in_points = points * registers_of_point(spec.precision);
    const bool is_input = !mirrored.front && ends.front;
    const std::uint32_t butterflies = spec.n / (is_input ? spec.radices.front() : spec.radices.back());
    const bool is_strided = has_closer_sequences(spec, is_input);
    const std::uint32_t neighbours = std::min(threads, (butterflies + 1) / 2);
    const std::uint32_t run = (are_twos ? paired_bins::sectors_of_spectrum : 1) * limits.sector_bytes;
    return 2 * in_points <= limits.registers_per_thread + 1 && butterflies > 1 &&
           (is_strided || neighbours * kernels::element_bytes(spec, is_input) >= run);
}

std::optional<PrimeTurns> turns_of(const KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning,
                                   const GroupShape& shape) {
    const bool is_whole = shape.threads == 1 && shape.load_order == ThreadOrder::flat &&
                          shape.store_order == ThreadOrder::flat && !is_convolution(spec) && !is_real(spec);
    std::optional<PrimeTurns> turns =
        is_whole ? turns_of_prime(spec.n, spec.precision, limits) : std::optional<PrimeTurns>();
    if (!turns || (tuning.threads_per_transform && tuning.threads_per_transform != turns->threads)) return std::nullopt;
    if (tuning.transforms_per_group) turns->sequences = tuning.transforms_per_group;
    return turns;
}

Refusal refuse_turns(const KernelSpec& spec, const PrimeTurns& turns, const DeviceLimits& limits,
                     const Tuning& tuning) {
    const std::uint32_t wanted = tuning.transforms_per_group;
    const bool has_room = 2 * component_bytes(spec.n, spec.precision) * wanted <= limits.shared_bytes &&
                          wanted * turns.threads <= limits.max_group_size;
    const bool is_pair = turns.threads == 2;
    if (has_room && !(is_pair && 2 * wanted % limits.subgroup_size != 0)) return std::nullopt;
    return "tuning.transforms_per_group: expected " +
           std::string(is_pair ? "whole subgroups of pairs of threads" : "a group") +
           " that shared memory has room for, of n = " + std::to_string(spec.n) + ", got " + std::to_string(wanted);
}

/// As many resident subgroups as registers allow: left to itself the compiler spills for more. Measured: LAB-0026.
std::uint32_t groups_of_turns(const KernelSpec& spec, const PrimeTurns& turns) {
    const auto beside = turns.threads == 1 ? registers_beside::prime_loop : registers_beside::prime_loop_in_two_lanes;
    const std::uint32_t terms = (spec.n - 1) * (turns.threads == 1 ? 2 : 1) * register_bytes(spec.precision) / 4;
    return std::max(1u, subgroups_of_unit(terms + beside.of(spec.precision)) * lanes_of_subgroup /
                            (turns.threads * turns.sequences));
}

void take_turns(const KernelSpec& spec, const PrimeTurns& turns, GroupShape& shape) {
    shape.threads = turns.threads;
    shape.sequences = turns.sequences;
    shape.form = PrimeLoop{turns.pairs, turns.threads == 2};
    shape.exchange.components = 2;
    shape.registers.rematerialises_indices = false;
    shape.min_groups_per_unit = groups_of_turns(spec, turns);
}

Refusal choose_group(KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    if (tuning.vector_lanes)
        return "tuning.vector_lanes: expected 0 on a device of subgroups, got " + std::to_string(tuning.vector_lanes);
    const bool has_bins = spec.in.bins() || spec.out.bins();
    ShapedPass columns = has_bins ? with_columns_of_bins(spec, limits, tuning) : with_columns(spec, limits, tuning);
    if (columns.refusal) return columns.refusal;
    if (columns.spec) {
        spec = std::move(*columns.spec);
        return std::nullopt;
    }
    if (has_bins) throw InternalError("a pass with bins: expected mirrored columns, got " + kernels::to_string(spec));
    if (Refusal refusal = refuse_threads(spec, tuning)) return refusal;
    Mirrored paired{kernels::is_mirrored(spec, true), kernels::is_mirrored(spec, false)};
    GroupShape shape;
    if (should_pair_in_thread(spec, paired, limits, tuning)) {
        shape.mirrors = Mirrors::in_thread;
        paired = with_bins(spec, paired);
    }
    if (tuning.radices.empty() && !measured_shape(spec, limits, tuning))
        spec.radices = radices_for(paired, spec.radices);
    shape.threads = threads_for(spec, paired, limits, tuning);
    shape.is_scalarised = scalarises_accesses(limits);
    if (shape.is_scalarised && !tuning.threads_per_transform) {
        shape.exchange.neighbours = neighbours_of(spec, limits);
        shape.threads = (shape.threads + shape.exchange.neighbours - 1) / shape.exchange.neighbours;
    }
    const std::optional<MeasuredCore> measured = measured_shape(spec, limits, tuning);
    if (!tuning.threads_per_transform && !shape.is_scalarised && !measured)
        shape.threads = threads_filling_sectors(spec, limits, shape.threads);
    if (tuning.radices.empty() && !measured && ends_with_largest(spec, limits, shape))
        std::sort(spec.radices.begin(), spec.radices.end());
    choose_orders(spec, limits, shape);
    Tuning with_measured = tuning;
    if (measured) with_measured.transforms_per_group = spread_over_units(spec, measured->sequences, limits);
    if (Refusal refusal = choose_sequences(spec, limits, with_measured, shape)) return refusal;
    if (kernels::splits_parity(spec)) hold_parity(spec, limits, shape);
    shape.exchange.whole_points = exchanges_whole_points(spec, limits, shape);
    shape.twiddle_products = multiplies_twiddles(spec, limits, shape);
    shape.min_groups_per_unit = shape.is_scalarised            ? 0
                                : measured && measured->groups ? measured->groups
                                                               : least_groups(spec, shape, limits);
    if (measured && measured->in_loop) shape.form = CoreLoop{};
    shape.registers.rematerialises_indices = !shape.is_scalarised && has_few_registers(spec, shape, limits);
    if (const std::optional<PrimeTurns> turns = turns_of(spec, limits, tuning, shape)) {
        if (Refusal refusal = tuning.transforms_per_group ? refuse_turns(spec, *turns, limits, tuning) : std::nullopt)
            return refusal;
        take_turns(spec, *turns, shape);
    }
    shape.exchange.padding = padding_of(spec, shape, limits);
    spec.shape = shape;
    return std::nullopt;
}

/// One item a thread; on a SIMD device a run of items a group.
void choose_map_shape(KernelSpec& spec, const DeviceLimits& limits, std::uint64_t items) {
    if (!has_groups(limits)) {
        const std::uint32_t lanes = simd_lanes(limits, spec.precision);
        const bool goes_in_runs = kernels::has_map_runs(spec) && kernels::map_item_count(spec) > 4 * lanes;
        // Whole registers.
        const std::uint64_t share = items / (simd::map_groups_of_thread * limits.compute_units) /
                                    simd::map_items_multiple * simd::map_items_multiple;
        const auto count =
            static_cast<std::uint32_t>(std::clamp<std::uint64_t>(share, simd::least_map_items, simd::points_per_group));
        spec.shape = SimdShape{goes_in_runs ? lanes : 1, false, count};
        return;
    }
    GroupShape shape;
    shape.sequences = std::min(group_threads::wanted, limits.max_group_size);
    spec.shape = shape;
}

}  // namespace

Refusal choose_shape(KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning, std::uint64_t sequences) {
    if (spec.is_repacking()) {
        choose_map_shape(spec, limits, sequences);
        return std::nullopt;
    }
    return !has_groups(limits) ? choose_simd_shape(spec, limits, tuning, sequences)
                               : choose_group(spec, limits, tuning);
}

}  // namespace seiche::planner
