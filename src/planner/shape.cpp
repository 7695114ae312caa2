// The policy of shapes: threads per sequence from the largest radix, the order in which they move points, and what of
// it depends on the kind of device.
#include "planner/shape.hpp"

#include <algorithm>
#include <bit>

#include "planner/measured_cores.hpp"
#include "planner/shape_parts.hpp"
#include "seiche/error.hpp"
#include "support/primes.hpp"

namespace seiche::planner {

namespace {

using kernels::BundleShape;
using kernels::CoreLoop;
using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::Mirrors;
using kernels::PrimeLoop;
using kernels::ThreadOrder;

/// Points of an f64 core from which conjugate pairs are in one thread, which costs registers and spares an exchange.
/// Measured: LAB-0027.
constexpr std::uint32_t least_meeting_f64 = 4096;
/// The same of r2c and c2r, whose exchange costs less. Their bins begin and end within sectors, so short runs cost more
/// than an exchange does. Measured: LAB-0027.
constexpr std::uint32_t least_meeting_twos_f64 = 8192, sectors_of_twos = 4;

/// Whether the bins of a pair are themselves the elements.
bool has_twos(const KernelSpec& spec) {
    const auto has = [](const kernels::RealMap* map, bool input) {
        return map && kernels::may_meet(*map, input) && !kernels::has_fours(map->kind);
    };
    return has(spec.in.map(), true) || has(spec.out.map(), false);
}

bool is_dense_input(const KernelSpec& spec) {
    const std::uint32_t own =
        spec.in.folded() ? kernels::sequence_points(spec, spec.in.stages) : kernels::dealt_points(spec, true);
    return spec.in.stride == 1 && spec.loops[0].input_stride == own;
}

bool is_dense_output(const KernelSpec& spec) {
    const std::uint32_t own =
        spec.out.folded() ? kernels::sequence_points(spec, spec.out.stages) : kernels::dealt_points(spec, false);
    return spec.out.stride == 1 && spec.loops[0].output_stride == own;
}

bool is_dense(const KernelSpec& spec) {
    return is_dense_input(spec) && is_dense_output(spec) &&
           kernels::sequence_points(spec, spec.in.stages) == kernels::sequence_points(spec, spec.out.stages);
}

/// Where the spec has its radices, and the tuning leaves the rest.
std::optional<MeasuredCore> measured_shape(const KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    if (tuning.threads_per_transform || tuning.transforms_per_group) return std::nullopt;
    std::optional<MeasuredCore> core = measured_core(spec, limits);
    return core && core->radices == spec.radices ? core : std::nullopt;
}

/// Threads of columns of other lengths than powers of two: at most 512 a group, so that several groups are resident,
/// with up to 32 points and few idle butterflies (docs/performance.md, "Columns, planes and cubes of any length").
/// Lengths that are so already stay, and long ones, of which one group is resident, as far as few threads idle.
std::uint32_t threads_of_columns(const KernelSpec& spec, std::uint32_t threads, const DeviceLimits& limits) {
    constexpr std::uint32_t most_points = 32, beside = 3, longest_of_two_groups = 1200;
    constexpr double most_slots = 1.19;
    const bool is_column = is_of_measured_kind(limits) && spec.precision == Precision::f32 && !is_convolution(spec) &&
                           place_of(spec) == CorePlace::columns && !std::has_single_bit(spec.n);
    if (!is_column || spec.radices.size() < 2) return threads;
    const auto points = [&](std::uint32_t count) { return points_in_slots(spec.radices, spec.n, count); };
    const auto slots = [&](std::uint32_t count) {
        double sum = 0;
        for (const std::uint32_t r : spec.radices) sum += (spec.n / r + count - 1) / count * r;
        return sum * count / (spec.n * static_cast<double>(spec.radices.size()));
    };
    const std::uint32_t run = wanted_run(spec);
    const std::uint32_t most_threads = spec.n <= longest_of_two_groups ? 512 : 1024;
    const auto fits = [&](std::uint32_t count) { return points(count) <= most_points && count * run <= most_threads; };
    if (fits(threads) && slots(threads) <= most_slots) return threads;
    std::uint32_t best = threads;
    double least = 0;
    for (const std::uint32_t r : spec.radices) {
        for (std::uint32_t of_thread = 1; of_thread * r <= most_points; ++of_thread) {
            const std::uint32_t count = (spec.n / r + of_thread - 1) / of_thread;
            if (!fits(count)) continue;
            const double cost = slots(count) * (1 + static_cast<double>(beside) / points(count));
            if (least == 0 || cost < least) {
                least = cost;
                best = count;
            }
        }
    }
    return best;
}

/// More points than the registers of any device hold would be a kernel of hundreds of thousands of instructions, which
/// takes seconds to write and minutes to compile.
std::uint32_t checked_threads(const KernelSpec& spec, const Tuning& tuning) {
    constexpr std::uint32_t most_points = 256;
    const std::uint32_t threads = tuning.threads_per_transform, points = points_in_slots(spec, threads);
    if (points > most_points)
        throw Unsupported("tuning.threads_per_transform: expected at most " + std::to_string(most_points) +
                          " points for each thread, got " + std::to_string(points) + " of " + std::to_string(spec.n) +
                          " with " + std::to_string(threads));
    return threads;
}

std::uint32_t threads_for(const KernelSpec& spec, const Mirrored& paired, const DeviceLimits& limits,
                          const Tuning& tuning) {
    if (tuning.threads_per_transform) return checked_threads(spec, tuning);
    if (const std::optional<MeasuredCore> measured = measured_shape(spec, limits, tuning)) return measured->threads;
    CoreQuestion core{spec.n, false, is_convolution(spec), spec.precision};
    core.is_spectrum = core.is_real = is_of_spectrum(spec);
    const std::uint32_t most = most_mirrored_threads(spec.n, spec.radices, paired);
    const std::uint32_t pairs = paired.front && has_twos(spec) ? (spec.n / spec.radices.front() + 1) / 2 : most;
    const std::uint32_t threads =
        std::min({threads_for_core(kernels::core_runs(spec).front(), core, limits), most, pairs});
    return tuning.transforms_per_group ? threads : threads_of_columns(spec, threads, limits);
}

Mirrored with_bins(const KernelSpec& spec, Mirrored ends) {
    ends.front = ends.front || (spec.in.map() && kernels::may_meet(*spec.in.map(), true));
    ends.back = ends.back || (spec.out.map() && kernels::may_meet(*spec.out.map(), false));
    return ends;
}

/// Dense real rows with few threads a sequence are moved as one run; the other side finds its elements' places by
/// itself.
void deal_pairs(KernelSpec& spec, GroupShape& shape) {
    if (!spec.in.map() && is_dense_input(spec)) {
        shape.load_order = ThreadOrder::flat;
        spec.radices.insert(spec.radices.begin(), 1);
    }
    if (!spec.out.map() && is_dense_output(spec)) {
        shape.store_order = ThreadOrder::flat;
        spec.radices.push_back(1);
    }
}

bool fills_sectors(const KernelSpec& spec, const DeviceLimits& limits, std::uint32_t threads,
                   std::uint32_t sectors = 1) {
    const std::uint32_t bytes = threads * std::min(access_bytes(spec, true), access_bytes(spec, false));
    return bytes % (sectors * limits.sector_bytes) == 0;
}

/// Whether a transform has too few threads to fill sectors, so that its points should be moved as one run with others'.
bool has_few(const KernelSpec& spec, const DeviceLimits& limits, std::uint32_t threads) {
    const std::uint32_t element = std::min(access_bytes(spec, true), access_bytes(spec, false));
    return (threads < limits.subgroup_size / 4 || threads * element < limits.sector_bytes) &&
           !fills_sectors(spec, limits, threads);
}

/// More threads, though some idle, that fill a sector, or two at a time, without an exchange. Measured: LAB-0029.
std::uint32_t threads_filling_sectors(const KernelSpec& spec, const DeviceLimits& limits, std::uint32_t threads) {
    if (!is_dense(spec) || is_real(spec) || is_convolution(spec) || spec.convolution.prime) return threads;
    const auto more_threads = [&](std::uint32_t most, std::uint32_t sectors) {
        for (const std::uint32_t radix : spec.radices) {
            const std::uint32_t more = spec.n / radix;
            if (more > threads && more <= most && fills_sectors(spec, limits, more, sectors)) return more;
        }
        return threads;
    };
    if (has_few(spec, limits, threads)) return more_threads(spec.n, 1);
    // Not in 16-bit storage. Measured: LAB-0029.
    const bool is_narrow = access_bytes(spec, true) < 2 * real_bytes(spec.precision);
    const bool is_odd = !is_narrow && threads < limits.subgroup_size / 2 && fills_sectors(spec, limits, threads) &&
                        !fills_sectors(spec, limits, threads, 2);
    return is_odd ? more_threads(2 * threads, 2) : threads;
}

/// Whether two stages store runs that begin or end within sectors, which memory gets in parts: these should be moved as
/// one run. Loads find the rest in a cache. Three stages have longer runs, and an exchange more costs them more.
/// Measured: LAB-0029.
bool stores_parts_of_sectors(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    if (shape.is_scalarised || is_real(spec) || is_convolution(spec) || spec.convolution.prime ||
        spec.radices.size() != 2)
        return false;
    const std::uint32_t last = spec.n / spec.radices.back() % shape.threads;
    return !fills_sectors(spec, limits, shape.threads) || !fills_sectors(spec, limits, last);
}

bool deals_evenly(const KernelSpec& spec, const GroupShape& shape) {
    return spec.n > 1 && (is_convolution(spec) || spec.n % shape.threads == 0);
}

bool has_short_runs(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    return !shape.is_scalarised && has_few(spec, limits, shape.threads) && deals_evenly(spec, shape);
}

/// Whether c2r of two stages has its largest radix last, which stores longer runs; not large butterflies that spill
/// there. Measured: LAB-0029.
bool ends_with_largest(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    constexpr std::uint32_t largest_usual = 16, few_threads = 4, least_of_runs = 53;
    const bool is_of_bins = is_of_spectrum(spec) && spec.in.map() && !shape.has_mirrors_in_thread();
    if (!is_of_bins || spec.radices.size() != 2 || !limits.bounds_registers) return false;
    const std::uint32_t largest = *std::max_element(spec.radices.begin(), spec.radices.end());
    const bool is_double = spec.precision == Precision::f64;
    if (has_short_runs(spec, limits, shape)) return !is_double && largest >= least_of_runs;
    return !is_double || largest <= largest_usual || shape.threads <= few_threads;
}

/// Whether one side's sequences are half as long as the other's: r2c and c2r of odd lengths.
bool has_unequal_sides(const KernelSpec& spec) {
    return !spec.in.folded() && !spec.out.folded() &&
           kernels::dealt_points(spec, true) != kernels::dealt_points(spec, false);
}

/// Whether these may be loaded as one run: not beside radices that leave no registers for it. Measured: LAB-0029.
bool may_load_run(const KernelSpec& spec) {
    constexpr std::uint32_t most = 43;
    return !has_unequal_sides(spec) || *std::max_element(spec.radices.begin(), spec.radices.end()) <= most;
}

/// Whether their results may be stored as one run: where few threads, with short runs of their own, gain. Measured:
/// LAB-0029.
bool may_store_run(const KernelSpec& spec, const GroupShape& shape) {
    constexpr std::uint32_t most_threads = 7, few_threads = 4, largest_of_doubles = 19;
    const std::uint32_t largest = *std::max_element(spec.radices.begin(), spec.radices.end());
    if (!has_unequal_sides(spec)) return true;
    if (shape.threads > most_threads) return false;
    return spec.precision == Precision::f32 || shape.threads <= few_threads || largest <= largest_of_doubles;
}

/// Neighbouring threads move neighbours in memory. A prime's points pass through shared memory anyway, so that a dense
/// array of them is moved as one run.
void choose_orders(KernelSpec& spec, const DeviceLimits& limits, GroupShape& shape) {
    const bool is_short = !is_real(spec) && may_load_run(spec) && has_short_runs(spec, limits, shape) &&
                          (is_convolution(spec) || spec.radices.size() == 1 ||
                           2 * shape.threads * access_bytes(spec, true) <= limits.sector_bytes);
    const auto deal_at_both_ends = [&] {
        spec.radices.insert(spec.radices.begin(), 1);
        spec.radices.push_back(1);
    };
    if (is_dense(spec) && (is_short || (spec.convolution.prime && !is_real(spec)))) {
        shape.load_order = shape.store_order = ThreadOrder::flat;
        deal_at_both_ends();
        return;
    }
    if (is_dense(spec) && may_store_run(spec, shape) && deals_evenly(spec, shape) &&
        stores_parts_of_sectors(spec, limits, shape)) {
        shape.store_order = ThreadOrder::flat;
        spec.radices.push_back(1);
        return;
    }
    const auto order = [](std::uint64_t element_stride, std::uint64_t sequence_stride) {
        return sequence_stride < element_stride ? ThreadOrder::sequence_fastest : ThreadOrder::element_fastest;
    };
    shape.load_order = order(spec.in.stride, spec.loops[0].input_stride);
    shape.store_order = order(spec.out.stride, spec.loops[0].output_stride);
    if (spec.convolution.prime && is_real(spec)) {
        // Real elements find their points' places by themselves.
        if (!spec.in.map() && is_dense_input(spec)) shape.load_order = ThreadOrder::flat;
        if (!spec.out.map() && is_dense_output(spec)) shape.store_order = ThreadOrder::flat;
        if (!spec.in.map()) spec.radices.insert(spec.radices.begin(), 1);
        if (!spec.out.map()) spec.radices.push_back(1);
        return;
    }
    if (spec.convolution.prime) {
        deal_at_both_ends();
        return;
    }
    if (is_real(spec) && !is_convolution(spec) && has_short_runs(spec, limits, shape)) deal_pairs(spec, shape);
    if (shape.load_order != shape.store_order && spec.radices.size() == 1) {
        if (spec.n == 1) {
            shape.store_order = shape.load_order;
        } else {
            spec.radices.push_back(1);
        }
    }
}

/// Whether bins k and m - k are in one thread: where neighbouring threads fill sectors, and the points of two
/// butterflies leave half of the registers.
bool should_meet(KernelSpec spec, const Mirrored& mirrored, const DeviceLimits& limits, const Tuning& tuning) {
    const Mirrored ends = with_bins(spec, mirrored);
    const bool are_twos = has_twos(spec);
    const std::uint32_t least_f64 = are_twos ? least_meeting_twos_f64 : least_meeting_f64;
    if (register_bytes(spec.precision) > 4 && spec.n < least_f64) return false;
    if (ends == mirrored || is_convolution(spec) || (spec.radices.size() == 1 && (mirrored.front || mirrored.back)))
        return false;
    if (tuning.radices.empty()) spec.radices = radices_for(ends, spec.radices);
    const std::uint32_t threads = threads_for(spec, ends, limits, tuning);
    const std::uint32_t points = (spec.n + threads - 1) / threads;
    const std::uint32_t registers = 2 * points * register_bytes(spec.precision) / 4;
    const bool is_input = !mirrored.front && ends.front;
    const std::uint32_t butterflies = spec.n / (is_input ? spec.radices.front() : spec.radices.back());
    const bool is_strided =
        is_input ? spec.in.stride > spec.loops[0].input_stride : spec.out.stride > spec.loops[0].output_stride;
    const std::uint32_t neighbours = std::min(threads, (butterflies + 1) / 2);
    const std::uint32_t run = (are_twos ? sectors_of_twos : 1) * limits.sector_bytes;
    return 2 * registers <= limits.registers_per_thread + 1 && butterflies > 1 &&
           (is_strided || neighbours * kernels::element_bytes(spec, is_input) >= run);
}

bool has_chirp(const std::vector<kernels::Stage>& side) {
    return std::any_of(side.begin(), side.end(),
                       [](const kernels::Stage& stage) { return std::holds_alternative<kernels::Chirp>(stage); });
}

/// Doubles as whole points: only a prime's, whose places are scattered, and only where the core leaves registers.
/// Measured: LAB-0024.
bool exchanges_whole_doubles(const KernelSpec& spec, const DeviceLimits& limits) {
    constexpr std::uint32_t shortest = 1000;
    constexpr std::ptrdiff_t most_stages = 3;
    const auto stages = std::count_if(spec.radices.begin(), spec.radices.end(), [](std::uint32_t r) { return r > 1; });
    if (spec.convolution.prime == 0 || is_real(spec) || !limits.bounds_registers) return false;
    return kernels::splits_parity(spec) || (spec.convolution.prime >= shortest && stages <= most_stages);
}

/// Whole points are half as many accesses of twice the size. Bank conflicts stay as many where places are odd multiples
/// apart, and fall where they are scattered. 16-bit storage must be unpacked; columns and long radices gain less.
/// Measured: LAB-0024.
bool exchanges_whole_points(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    constexpr std::uint32_t shortest_of_halves = 64, shortest_of_floats = 400, least_threads_of_spectra = 8;
    if (shape.exchange.components != 2 || shape.is_scalarised) return false;
    if (spec.precision == Precision::f64) return exchanges_whole_doubles(spec, limits);
    if (register_bytes(spec.precision) != 4) return false;
    if (is_real(spec))
        return is_of_spectrum(spec) && shape.has_mirrors_in_thread() && limits.bounds_registers &&
               shape.threads >= least_threads_of_spectra;
    if (is_convolution(spec)) return !spec.convolution.prime || !std::has_single_bit(spec.n);
    if (std::count_if(spec.radices.begin(), spec.radices.end(), [](std::uint32_t r) { return r > 1; }) < 2)
        return false;
    const bool has_halves = std::max(kernels::element_bytes(spec, true), kernels::element_bytes(spec, false)) == 4;
    const bool is_untimed =
        !limits.bounds_registers && is_long(spec.radices, {spec.n, false, false, spec.precision}, limits);
    if (spec.n % 2 == 1 || (has_halves && spec.n >= shortest_of_halves && !is_untimed)) return true;
    const bool is_row = spec.in.stride == 1 && spec.out.stride == 1;
    if (has_halves || !limits.bounds_registers) return false;
    return is_row ? spec.n >= shortest_of_floats : has_chirp(spec.in.stages) || has_chirp(spec.out.stages);
}

/// Whether twiddles are products of small tables: where whole tables outgrow the cache that shared memory leaves, and
/// there are registers for the products. Measured: LAB-0028.
bool multiplies_twiddles(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    constexpr std::uint32_t shortest = 400, shortest_power_of_two = 8193, shortest_of_doubles = 2048,
                            shortest_of_halves = 2500, shortest_power_of_halves = 6000, longest_of_halves = 14000,
                            shortest_of_numbers = 2500, longest_radix_convolved = 20;
    constexpr std::uint32_t threads_of_doubles = 640, small_radix = 9;
    const bool is_strided = std::max(spec.in.stride, spec.out.stride) > 1;
    const bool is_known = spec.precision == Precision::f32 || spec.precision == Precision::f64;
    if (is_strided || !is_known || shape.is_scalarised || !limits.bounds_registers) return false;
    const std::uint32_t largest = *std::max_element(spec.radices.begin(), spec.radices.end());
    if (is_convolution(spec)) return largest <= longest_radix_convolved;
    const bool is_double = spec.precision == Precision::f64;
    if (is_real(spec)) return spec.n >= (is_double ? shortest_of_doubles : shortest_of_numbers);
    if (is_double)
        return spec.n >= shortest_of_doubles &&
               (largest <= small_radix || shape.threads * shape.sequences <= threads_of_doubles);
    const bool is_power = std::has_single_bit(spec.n % 3 == 0 ? spec.n / 3 : spec.n);
    const bool is_narrow = kernels::element_bytes(spec, true) < 2 * real_bytes(spec.precision);
    if (is_narrow)
        return spec.n >= (is_power ? shortest_power_of_halves : shortest_of_halves) && spec.n <= longest_of_halves;
    return spec.n >= (is_power ? shortest_power_of_two : shortest);
}

/// The loop of a prime's sequences, in one thread or two.
std::optional<PrimeTurns> turns_of(const KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning,
                                   const GroupShape& shape) {
    const bool is_whole = shape.threads == 1 && shape.load_order == ThreadOrder::flat &&
                          shape.store_order == ThreadOrder::flat && !is_convolution(spec) && !is_real(spec);
    std::optional<PrimeTurns> turns =
        is_whole ? turns_of_prime(spec.n, spec.precision, limits) : std::optional<PrimeTurns>();
    if (!turns || (tuning.threads_per_transform && tuning.threads_per_transform != turns->threads)) return std::nullopt;
    const std::uint32_t wanted = tuning.transforms_per_group;
    if (!wanted) return turns;
    turns->sequences = wanted;
    const bool has_room = 2 * plane_bytes(spec.n, spec.precision) * wanted <= limits.shared_bytes &&
                          wanted * turns->threads <= limits.max_group_size;
    const bool is_pair = turns->threads == 2;
    if (!has_room || (is_pair && 2 * wanted % limits.subgroup_size != 0))
        throw Unsupported("tuning.transforms_per_group: expected " +
                          std::string(is_pair ? "whole subgroups of pairs of threads" : "a group") +
                          " that shared memory has room for, of n = " + std::to_string(spec.n) + ", got " +
                          std::to_string(wanted));
    return turns;
}

/// As many resident subgroups as registers allow: left to itself the compiler spills for more. Measured: LAB-0026.
std::uint32_t groups_of_turns(const KernelSpec& spec, const PrimeTurns& turns) {
    constexpr std::uint32_t beside_terms = 40, beside_lanes = 72, lanes = 32;
    const std::uint32_t beside = turns.threads == 1 ? beside_terms : beside_lanes;
    const std::uint32_t terms = (spec.n - 1) * (turns.threads == 1 ? 2 : 1) * register_bytes(spec.precision) / 4;
    return std::max(1u, subgroups_of_unit(terms + beside) * lanes / (turns.threads * turns.sequences));
}

void take_turns(const KernelSpec& spec, const PrimeTurns& turns, GroupShape& shape) {
    shape.threads = turns.threads;
    shape.sequences = turns.sequences;
    shape.form = PrimeLoop{turns.pairs, turns.threads == 2};
    shape.exchange.components = 2;
    shape.rematerialises_indices = false;
    shape.min_groups_per_unit = groups_of_turns(spec, turns);
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

void choose_group(KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    if (tuning.vector_lanes)
        throw Unsupported("tuning.vector_lanes: expected 0 on a device of subgroups, got " +
                          std::to_string(tuning.vector_lanes));
    const bool has_bins = spec.in.bins() || spec.out.bins();
    if (std::optional<KernelSpec> met =
            has_bins ? with_columns_of_bins(spec, limits, tuning) : with_columns(spec, limits, tuning)) {
        spec = std::move(*met);
        return;
    }
    if (has_bins) throw InternalError("a pass with bins: expected columns that meet, got " + kernels::to_string(spec));
    Mirrored paired{kernels::is_mirrored(spec, true), kernels::is_mirrored(spec, false)};
    GroupShape shape;
    if (should_meet(spec, paired, limits, tuning)) {
        shape.mirrors = Mirrors::in_thread;
        paired = with_bins(spec, paired);
    }
    if (tuning.radices.empty() && !measured_shape(spec, limits, tuning))
        spec.radices = radices_for(paired, spec.radices);
    shape.threads = threads_for(spec, paired, limits, tuning);
    shape.is_scalarised = goes_one_by_one(limits);
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
    if (measured) with_measured.transforms_per_group = measured->sequences;
    choose_sequences(spec, limits, with_measured, shape);
    if (kernels::splits_parity(spec)) hold_parity(spec, limits, shape);
    shape.exchange.whole_points = exchanges_whole_points(spec, limits, shape);
    shape.twiddle_products = multiplies_twiddles(spec, limits, shape);
    shape.min_groups_per_unit = shape.is_scalarised            ? 0
                                : measured && measured->groups ? measured->groups
                                                               : least_groups(spec, shape, limits);
    if (measured && measured->in_loop) shape.form = CoreLoop{};
    shape.rematerialises_indices = !shape.is_scalarised && has_few_registers(spec, shape, limits);
    if (const std::optional<PrimeTurns> turns = turns_of(spec, limits, tuning, shape)) take_turns(spec, *turns, shape);
    shape.exchange.padding = room_of(spec, shape, limits);
    spec.shape = shape;
}

/// One item a thread; on a SIMD device a run of items a group.
void choose_map_shape(KernelSpec& spec, const DeviceLimits& limits, std::uint64_t items) {
    if (limits.vectors == Vectors::explicit_simd) {
        const std::uint32_t lanes = simd_lanes(limits, spec.precision);
        const bool goes_in_runs = kernels::has_map_runs(spec) && kernels::map_item_count(spec) > 4 * lanes;
        // Several groups for each thread, of whole registers.
        constexpr std::uint64_t groups_of_thread = 4, least = 1024, multiple = 16;
        const std::uint64_t share = items / (groups_of_thread * limits.compute_units) / multiple * multiple;
        const auto count = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(share, least, points_per_group));
        spec.shape = BundleShape{goes_in_runs ? lanes : 1, false, count};
        return;
    }
    GroupShape shape;
    shape.sequences = std::min(wanted_group, limits.max_group_size);
    spec.shape = shape;
}

}  // namespace

void choose_shape(KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning, std::uint64_t sequences) {
    if (spec.is_repacking()) {
        choose_map_shape(spec, limits, sequences);
        return;
    }
    if (limits.vectors == Vectors::explicit_simd) {
        choose_bundle(spec, limits, tuning, sequences);
    } else {
        choose_group(spec, limits, tuning);
    }
}

}  // namespace seiche::planner
