// The policy of shapes: threads per sequence from the largest radix, the order in which they move points, and what of
// it depends on the kind of device.
#include "planner/shape.hpp"

#include <algorithm>
#include <bit>

#include "planner/measured_cores.hpp"
#include "planner/shape_parts.hpp"
#include "seiche/error.hpp"
#include "support/primes.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

namespace {

using kernels::BundleShape;
using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::ThreadOrder;

/// Points of a core in f64 from which bins meet in a thread, which costs registers and spares an exchange. Measured on
/// an H200 in times of r2c: type II of 256 numbers takes 2.65 so and 1.03 with the exchange, of 1024 1.10 both ways, of
/// 4096 1.29 and 1.16, and of 8192 1.13, where on an H100 it took 1.28 with it.
constexpr std::uint32_t least_meeting_f64 = 4096;
/// The same of r2c and c2r, whose exchange costs as much less as their arithmetic: 8192 numbers 0.81 of copy with it
/// and 0.75 so, 16384 0.63 and 0.65. Their bins begin and end within a sector in memory, so that short runs of them
/// cost more than they spare: r2c of 512 numbers of f32 in runs of 64 bytes 0.93 and 0.58, 1024 in runs of 256 0.82 and
/// 0.95, 4096 0.80 and 0.85, c2r of 4096 0.79 and 0.95.
constexpr std::uint32_t least_meeting_twos_f64 = 8192, sectors_of_twos = 4;

/// Whether the bins that meet are themselves the elements.
bool has_twos(const KernelSpec& spec) {
    const auto has = [](const kernels::RealMap* map, bool input) {
        return map && kernels::may_meet(*map, input) && !kernels::has_fours(map->kind);
    };
    return has(spec.in.map(), true) || has(spec.out.map(), false);
}

bool is_dense_input(const KernelSpec& spec) {
    const std::uint32_t own =
        spec.in.folded() ? kernels::sequence_points(spec, spec.in.stages) : kernels::dealt_points(spec, true);
    return spec.in.stride == 1 && spec.loops[0].input_stride == std::int64_t{own};
}

bool is_dense_output(const KernelSpec& spec) {
    const std::uint32_t own =
        spec.out.folded() ? kernels::sequence_points(spec, spec.out.stages) : kernels::dealt_points(spec, false);
    return spec.out.stride == 1 && spec.loops[0].output_stride == std::int64_t{own};
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

/// Threads of columns of other lengths than powers of two that leave a unit several groups, of at most 512 threads with
/// up to 32 points each, and few slots empty: what the fastest of 39 lengths of floats have in common
/// (docs/performance.md, "Columns, planes and cubes of any length"). Those that are so already stay, and of those so
/// long that a unit has registers for one group all that leave few slots empty (1296, 1600).
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

/// Those that the tuning asks for. More points than the registers of any device hold would be a kernel of hundreds of
/// thousands of instructions, which takes seconds to write and a compiler minutes.
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

/// These ends and that of the bins.
Mirrored with_bins(const KernelSpec& spec, Mirrored ends) {
    ends.front = ends.front || (spec.in.map() && kernels::may_meet(*spec.in.map(), true));
    ends.back = ends.back || (spec.out.map() && kernels::may_meet(*spec.out.map(), false));
    return ends;
}

/// Points that are pairs of numbers as they lie, where a sequence has few threads: dense ones are moved as one run. The
/// other side finds its elements' places by itself.
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

/// Whether a transform's threads are so few that its points had better be moved as one run with others'.
bool has_few(const KernelSpec& spec, const DeviceLimits& limits, std::uint32_t threads) {
    const std::uint32_t element = std::min(access_bytes(spec, true), access_bytes(spec, false));
    return (threads < limits.subgroup_size / 4 || threads * element < limits.sector_bytes) &&
           !fills_sectors(spec, limits, threads);
}

/// A few more threads, some of which idle in a stage, spare the exchanges of a common run, or fill two sectors at a
/// time: measured on an H200, 48 points as 6 x 8 in 8 threads 0.94 of copy, 0.84 in 6; 32 as 8 x 4 in 8 0.92, 0.82 in
/// 4; 192 as 16 x 12 in 16 0.98, 0.95 in 12.
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
    // 128 halves are slower in 16 threads: 0.75 of copy, 0.82 in 8.
    const bool is_narrow = access_bytes(spec, true) < 2 * real_bytes(spec.precision);
    const bool is_odd = !is_narrow && threads < limits.subgroup_size / 2 && fills_sectors(spec, limits, threads) &&
                        !fills_sectors(spec, limits, threads, 2);
    return is_odd ? more_threads(2 * threads, 2) : threads;
}

/// Whether two stages' results are runs that begin or end within a sector, of which memory is sent the parts: these had
/// better be moved as one run. What is loaded so comes twice from a cache. A third stage has longer runs, and an
/// exchange more costs it more than they. Measured on an H200, of copy: 20 points 0.60 and 1.00, 49 0.80 and 1.00, 65
/// 0.64 and 0.97, 100 0.87 and 0.99, 160 0.70 and 0.98, 225 0.85 and 0.97, but 125 (5 x 5 x 5) 0.92 and 0.87.
bool stores_parts_of_sectors(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    if (shape.one_by_one || is_real(spec) || is_convolution(spec) || spec.convolution.prime || spec.radices.size() != 2)
        return false;
    const std::uint32_t last = spec.n / spec.radices.back() % shape.threads;
    return !fills_sectors(spec, limits, shape.threads) || !fills_sectors(spec, limits, last);
}

bool deals_evenly(const KernelSpec& spec, const GroupShape& shape) {
    return spec.n > 1 && (is_convolution(spec) || spec.n % shape.threads == 0);
}

/// Whether points are moved as one run because a sequence's threads are few.
bool has_short_runs(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    return !shape.one_by_one && has_few(spec, limits, shape.threads) && deals_evenly(spec, shape);
}

/// Whether c2r of two stages has its largest radix last. Measured on an H100, of copy, the largest first and last, of
/// floats 24 pairs 1.00 and 1.07, 72 0.99 and 1.07, 240 0.96 and 1.04, 148 (37 x 4) 0.68 and 0.95, 370 (37 x 10) 0.78
/// and 0.89, but 407 (37 x 11) 0.79 and 0.67; of doubles 108 0.98 and 1.05, 38 (19 x 2) 0.80 and 1.01, but 246 (41 x 6)
/// 0.83 and 0.63, 228 (19 x 12) 0.97 and 0.83. Where the results are moved as one run it is faster of the largest
/// alone: in groups of 32 sequences 265 (53 x 5) 0.53 and 0.70, but 329 (47 x 7) 0.76 and 0.64.
bool ends_with_largest(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    constexpr std::uint32_t largest_usual = 16, few_threads = 4, least_of_runs = 53;
    const bool is_of_bins = is_of_spectrum(spec) && spec.in.map() && !shape.bins_meet;
    if (!is_of_bins || spec.radices.size() != 2 || !limits.bounds_registers) return false;
    const std::uint32_t largest = *std::max_element(spec.radices.begin(), spec.radices.end());
    const bool is_double = spec.precision == Precision::f64;
    if (has_short_runs(spec, limits, shape)) return !is_double && largest >= least_of_runs;
    return !is_double || largest <= largest_usual || shape.threads <= few_threads;
}

/// Whether the sequences of one side are half as long as the other's: r2c and c2r of an odd length.
bool has_unequal_sides(const KernelSpec& spec) {
    return !spec.in.folded() && !spec.out.folded() &&
           kernels::dealt_points(spec, true) != kernels::dealt_points(spec, false);
}

/// Whether these may be loaded as one run: r2c of 93 points (31 x 3) 0.58 and 0.69 of copy, 129 (43 x 3) 0.61 and 0.60,
/// 141 (47 x 3) 0.57 and 0.40.
bool may_load_run(const KernelSpec& spec) {
    constexpr std::uint32_t most = 43;
    return !has_unequal_sides(spec) || *std::max_element(spec.radices.begin(), spec.radices.end()) <= most;
}

/// Whether their results may be stored as one run. Measured on an H200, of copy, as they are and so, r2c
/// and c2r: floats 57 (19 x 3) 0.62 and 0.79, 0.37 and 0.79; 105 (15 x 7) 0.79 and 0.89, 0.59 and 0.80; but 81 (9 x 9)
/// 0.94 and 0.89, 0.83 and 0.80; 165 (15 x 11) 0.84 and 0.78, 0.76 and 0.72. Doubles 57 0.85 and 0.86, 0.55 and 0.63;
/// 105 0.95 and 0.92, 0.80 and 0.88; but 115 (23 x 5) 0.68 and 0.65; 217 (31 x 7) 0.83 and 0.79, 0.70 and 0.68; 81 0.97
/// and 0.94, 0.97 and 0.88.
bool may_store_run(const KernelSpec& spec, const GroupShape& shape) {
    constexpr std::uint32_t most_threads = 7, few_threads = 4, largest_of_doubles = 19;
    const std::uint32_t largest = *std::max_element(spec.radices.begin(), spec.radices.end());
    if (!has_unequal_sides(spec)) return true;
    if (shape.threads > most_threads) return false;
    return spec.precision == Precision::f32 || shape.threads <= few_threads || largest <= largest_of_doubles;
}

/// Neighbouring threads move what is neighbouring in memory. A prime's points always pass through shared memory on
/// their way, so that a dense array of them is moved as one run.
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
    const auto order = [](std::int64_t element_stride, std::int64_t sequence_stride) {
        return support::is_closer(sequence_stride, element_stride) ? ThreadOrder::sequence_fastest
                                                                   : ThreadOrder::element_fastest;
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

/// Whether bins k and m - k meet in one thread. Its neighbours' elements should fill a sector, or some, and the points
/// of two butterflies leave half of the registers to everything else.
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
    const bool is_strided = has_closer_sequences(spec, is_input);
    const std::uint32_t neighbours = std::min(threads, (butterflies + 1) / 2);
    const std::uint32_t run = (are_twos ? sectors_of_twos : 1) * limits.sector_bytes;
    return 2 * registers <= limits.registers_per_thread + 1 && butterflies > 1 &&
           (is_strided || neighbours * kernels::element_bytes(spec, is_input) >= run);
}

bool has_chirp(const std::vector<kernels::Stage>& side) {
    return std::any_of(side.begin(), side.end(),
                       [](const kernels::Stage& stage) { return std::holds_alternative<kernels::Chirp>(stage); });
}

/// Of doubles a prime's places alone, which are as good as random, and of cores that leave registers. Measured on an
/// H100, ms of 256 MiB from the cache, parts apart and whole points: 1009 points 0.247 and 0.234, 1153 0.238 and 0.224,
/// 2053 0.382 and 0.372, in two parts 2551 0.385 and 0.376, 4093 0.427 and 0.392, 6143 0.528 and 0.501, 8179 0.534 and
/// 0.504; but 257 0.196 and 0.198, 421 0.249 and 0.248, of four stages 2593 0.314 and 0.306, 4001 0.363 and 0.426.
bool exchanges_whole_doubles(const KernelSpec& spec, const DeviceLimits& limits) {
    constexpr std::uint32_t shortest = 1000;
    constexpr std::ptrdiff_t most_stages = 3;
    const auto stages = std::count_if(spec.radices.begin(), spec.radices.end(), [](std::uint32_t r) { return r > 1; });
    if (spec.convolution.prime == 0 || is_real(spec) || !limits.bounds_registers) return false;
    return kernels::splits_parity(spec) || (spec.convolution.prime >= shortest && stages <= most_stages);
}

/// Half as many accesses of twice the size meet as often in a bank where places are odd multiples apart, and less often
/// where they are as good as random. Measured on an H200, of copy: 37 points 0.69 and 0.74, 127 0.46 and 0.52, 1009
/// 0.45 and 0.48, but 257 (a core of 256) 0.53 and 0.48; without a convolution 125 0.89 and 0.93, 343 0.91 and 0.94,
/// 2401 0.79 and 0.81, but 192 0.93 and 0.88. Halves have instructions beside, to be packed and unpacked: 100 points
/// 0.73 and 0.82, 1536 0.75 and 0.79, 4096 0.64 and 0.73; long radices (3000), which once lost (0.68 and 0.62), only
/// where registers are bounded, as they were timed since. Rows of floats of even lengths, of which it counts where
/// memory does not (docs/performance.md, "What an H100 tells of an H200" and "Room between blocks"): 500 points 0.240
/// ms and 0.222, 3600 0.230 and 0.204, and with room between their blocks, without which they met more often, 5120
/// 0.102 and 0.098, 13824 0.134 and 0.124; rows of spectra 10000 c2r 0.160 and 0.145, 4096 r2c 0.106 and 0.103. Of
/// columns 65537 points in Bluestein's three passes 0.880 and 0.847, others as much; so are doubles, which are wide
/// already.
bool exchanges_whole_points(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    constexpr std::uint32_t shortest_of_halves = 64, shortest_of_floats = 400, least_threads_of_spectra = 8;
    if (shape.planes != 2 || shape.one_by_one) return false;
    if (spec.precision == Precision::f64) return exchanges_whole_doubles(spec, limits);
    if (register_bytes(spec.precision) != 4) return false;
    if (is_real(spec))
        return is_of_spectrum(spec) && shape.bins_meet && limits.bounds_registers &&
               shape.threads >= least_threads_of_spectra;
    if (is_convolution(spec)) return !spec.convolution.prime || !std::has_single_bit(spec.n);
    if (std::count_if(spec.radices.begin(), spec.radices.end(), [](std::uint32_t r) { return r > 1; }) < 2)
        return false;  // 29 points 0.97 and 0.87
    const bool has_halves = std::max(kernels::element_bytes(spec, true), kernels::element_bytes(spec, false)) == 4;
    const bool is_untimed =
        !limits.bounds_registers && is_long(spec.radices, {spec.n, false, false, spec.precision}, limits);
    if (spec.n % 2 == 1 || (has_halves && spec.n >= shortest_of_halves && !is_untimed)) return true;
    const bool is_row = spec.in.stride == 1 && spec.out.stride == 1;
    if (has_halves || !limits.bounds_registers) return false;
    return is_row ? spec.n >= shortest_of_floats : has_chirp(spec.in.stages) || has_chirp(spec.out.stages);
}

/// Rows whose tables are larger than what a unit caches beside its groups' shared memory: counted on an H100, loads of
/// 19683 points asked for 2.6 times the sectors that the points have, of 6561 2.1 times, where cuFFT, which multiplies
/// too, asked for 1.0 and 1.0 times. Of copy, whole tables and products: 9604 points 0.88 and 0.93, 10000 0.86 and
/// 0.91, 12000 0.91 and 0.98, 14400 0.89 and 0.95, 19683 0.79 and 0.86, f64 6561 0.77 and 0.78, 9216 0.85 and 0.92, r2c
/// of 30000 numbers 0.71 and 0.74, c2r of 10000 0.87 and 0.96, halves 8000 0.74 and 0.83; but halves 1001 0.78 and
/// 0.75, and where registers are few f64 7200 0.74 and 0.64. Where memory does not count, which hides what a unit's own
/// cache does beside it, shorter ones gain as well: 2500 points 0.235 ms and 0.228, 5000 0.248 and 0.234, 8000 0.255
/// and 0.239, halves of 3000 0.359 and 0.340, f64 2187 0.244 and 0.214, 4096 0.215 and 0.194, c2r of 4096 0.229 and
/// 0.223, powers of two of floats nothing (4096 0.200 and 0.204). A convolution has most of its registers free between
/// its butterflies: 101 points 0.88 and 0.96, 1009 0.70 and 0.75, f64 1499 0.25 and 0.28, but 4093, of radices up to
/// 31, 0.466 and 0.461.
bool multiplies_twiddles(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    constexpr std::uint32_t shortest = 400, shortest_power_of_two = 8193, shortest_of_doubles = 2048,
                            shortest_of_halves = 2500, shortest_power_of_halves = 6000, longest_of_halves = 14000,
                            shortest_of_numbers = 2500, longest_radix_convolved = 20;
    constexpr std::uint32_t threads_of_doubles = 640, small_radix = 9;
    const bool is_strided = std::max(support::magnitude(spec.in.stride), support::magnitude(spec.out.stride)) > 1;
    const bool is_known = spec.precision == Precision::f32 || spec.precision == Precision::f64;
    if (is_strided || !is_known || shape.one_by_one || !limits.bounds_registers) return false;
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

/// A prime's sequences in a loop, of one thread or two.
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

/// As many subgroups as a unit's four parts have registers for: left to itself the compiler spills for more. Measured
/// on an H100, doubles, of copy, three in a part and two: 53 points 0.90 and 0.94, 59 0.80 and 0.95, 61 0.77 and 0.94.
std::uint32_t groups_of_turns(const KernelSpec& spec, const PrimeTurns& turns) {
    constexpr std::uint32_t beside_terms = 40, beside_lanes = 72, lanes = 32;
    const std::uint32_t beside = turns.threads == 1 ? beside_terms : beside_lanes;
    const std::uint32_t terms = (spec.n - 1) * (turns.threads == 1 ? 2 : 1) * register_bytes(spec.precision) / 4;
    return std::max(1u, subgroups_of_unit(terms + beside) * lanes / (turns.threads * turns.sequences));
}

void take_turns(const KernelSpec& spec, const PrimeTurns& turns, GroupShape& shape) {
    shape.parts_in_lanes = turns.threads == 2;
    shape.threads = turns.threads;
    shape.sequences = turns.sequences;
    shape.pairs_in_turn = turns.pairs;
    shape.planes = 2;
    shape.remakes_indices = false;
    shape.min_groups_per_unit = groups_of_turns(spec, turns);
}

/// What one part of a prime has for the other lies in shared memory where there is room, whose registers are free for
/// the other then: beside both parts of a point, or else one after the other. Measured on an H100, ms of 256 MiB from
/// the cache, in registers and in shared memory: f64 8179 points 0.611 and 0.535, 4093 0.397 and 0.399, 10639 0.578 and
/// 0.559.
void hold_parity(const KernelSpec& spec, const DeviceLimits& limits, GroupShape& shape) {
    const std::uint32_t usual = shape.planes;
    for (const std::uint32_t planes : {2u, 1u}) {
        shape.planes = planes;
        shape.parity_in_shared = shared_bytes_of_parity(spec, shape) <= limits.shared_bytes;
        if (shape.parity_in_shared) return;
    }
    shape.planes = usual;
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
    shape.bins_meet = should_meet(spec, paired, limits, tuning);
    if (shape.bins_meet) paired = with_bins(spec, paired);
    if (tuning.radices.empty() && !measured_shape(spec, limits, tuning))
        spec.radices = radices_for(paired, spec.radices);
    shape.threads = threads_for(spec, paired, limits, tuning);
    shape.one_by_one = goes_one_by_one(limits);
    if (shape.one_by_one && !tuning.threads_per_transform) {
        shape.neighbours = neighbours_of(spec, limits);
        shape.threads = (shape.threads + shape.neighbours - 1) / shape.neighbours;
    }
    const std::optional<MeasuredCore> measured = measured_shape(spec, limits, tuning);
    if (!tuning.threads_per_transform && !shape.one_by_one && !measured)
        shape.threads = threads_filling_sectors(spec, limits, shape.threads);
    if (tuning.radices.empty() && !measured && ends_with_largest(spec, limits, shape))
        std::sort(spec.radices.begin(), spec.radices.end());
    choose_orders(spec, limits, shape);
    Tuning with_measured = tuning;
    if (measured) with_measured.transforms_per_group = measured->sequences;
    choose_sequences(spec, limits, with_measured, shape);
    if (kernels::splits_parity(spec)) hold_parity(spec, limits, shape);
    shape.whole_points = exchanges_whole_points(spec, limits, shape);
    shape.twiddle_products = multiplies_twiddles(spec, limits, shape);
    shape.min_groups_per_unit = shape.one_by_one               ? 0
                                : measured && measured->groups ? measured->groups
                                                               : least_groups(spec, shape, limits);
    shape.core_in_loop = measured && measured->in_loop;
    shape.remakes_indices = !shape.one_by_one && has_few_registers(spec, shape, limits);
    if (const std::optional<PrimeTurns> turns = turns_of(spec, limits, tuning, shape)) take_turns(spec, *turns, shape);
    shape.room = room_of(spec, shape, limits);
    spec.shape = shape;
}

/// A thread an item; on a SIMD device a run of items a group.
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
