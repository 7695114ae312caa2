// The policy of shapes: threads per sequence from the largest radix, sequences per group from what fills sectors and
// subgroups.
#include "planner/shape.hpp"

#include <algorithm>
#include <bit>

#include "planner/factorize.hpp"
#include "seiche/error.hpp"

namespace seiche::planner {

namespace {

using kernels::BundleShape;
using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::ThreadOrder;

constexpr std::uint32_t largest_radix = 16;
/// A double-double is twice the registers, and its operations 8 to 15 times the text.
constexpr std::uint32_t largest_radix_f64x2 = 8;
/// Values alive in a butterfly of 16 points with its twiddles, counted by the analyser: a GPU with fewer registers has
/// butterflies of half as many points, in a convolution of a quarter, and smaller primes.
constexpr std::uint32_t registers_of_largest = 100;
constexpr std::uint32_t largest_prime_of_few = 11, largest_convolved_of_few = 7;
/// Of a convolution in f64, whose points and the spectrum's are in registers together.
constexpr std::uint32_t largest_convolved_f64 = 12;
/// Where lanes go to memory one after the other an exchange costs more than registers that are spilled. From the first
/// length on larger ones save an exchange again, and take twice as long to compile. Measured on lavapipe (2 cores):
/// 1024 points went from 200 to 148 ms, 4096 points from 205 to 141.
constexpr std::uint32_t largest_radix_one_by_one = 32, largest_radix_of_long = 64, long_one_by_one = 1025;
/// Complex values per thread that leave half of the register file to everything else in a group of the largest size.
constexpr std::uint32_t points_per_thread_f32 = 16, points_per_thread_f64 = 8, points_per_thread_f64x2 = 4;
/// Bytes of neighbouring sequences that a strided pass takes together: two sectors where there is room, one where not.
constexpr std::uint32_t run_bytes = 64;
/// Threads that a group should have for a compute unit to be filled by several groups: not more, where a power of two
/// of transforms gives a choice. Measured on an H200, of copy: 243 points 0.73 in groups of 432 threads, 0.91 of 216;
/// 343 points 0.68 of 392, 0.90 of 196; 384 points 0.88 of 384, 0.97 of 192.
constexpr std::uint32_t wanted_group = 256;
/// Short transforms whose points are moved as one run, and points of a group of them: 32 groups fill a unit, and a
/// larger one starts all its threads at once. 12 points went from 0.88 of copy in groups of 256 to 1.00 of 64, 25 from
/// 0.84 (of 128) to 0.98 of 32, 49 from 0.63 to 0.89, 60 from 0.64 to 0.96.
constexpr std::uint32_t least_run_together = 32, points_of_run_together = 1024;
/// The same of real kinds, whose groups wait for memory on both sides of a barrier: many small ones do not wait
/// together. Measured on an H100: 4096 numbers of type III went from 1.34 to 1.17 times the time of r2c.
constexpr std::uint32_t wanted_real_group = 64;
/// The same of convolutions, which compute for longer between their barriers. Measured on an H100: 1009 points went
/// from 0.49 to 0.63 of copy, 101 in f64 from 0.48 to 0.61; of groups of 64, 101 points from 0.64 to 0.53.
constexpr std::uint32_t wanted_convolved_group = 128;
/// The same of a CPU, on which a group is no more than a loop over its subgroups.
constexpr std::uint32_t wanted_cpu_group = 64;
/// 32-bit registers of a unit, and what a thread needs beside its points. Measured on an H200: 8192
/// points went from 0.90 to 0.94 of copy, 2^15 points from 0.42 to 0.49, 2^26 points from 0.19 to 0.26.
constexpr std::uint32_t registers_per_unit = 65536, registers_beside_points = 32, registers_beside_twiddles = 40;
/// That are worth a second group on a unit: 4000 points of f64 went from 0.62 of copy to 0.74, 32 bytes of a thread
/// spilled.
constexpr std::uint32_t registers_that_may_lack = 16;
/// Halves are packed and unpacked on their way.
constexpr std::uint32_t registers_beside_halves = 16;
/// What a thread of a convolution has beside its points and as many factors, and the most that it should have.
constexpr std::uint32_t registers_beside_convolved = 64, most_registers = 128;
/// Up to here both parts are exchanged at once; a sequence that has its unit for itself has more.
constexpr std::uint32_t two_plane_bytes = 64 * 1024, lone_two_plane_bytes = 128 * 1024;
/// Threads of all groups that a unit's shared memory should hold: where both parts at once leave room for fewer, they
/// are exchanged one after the other. Measured on an H200 through Vulkan, which tells of 48 KiB: 1024 points went from
/// 0.58 to 0.95 of copy, 4096 from 0.55 to 0.80, 16384 (two passes) from 0.33 to 0.47.
constexpr std::uint32_t wanted_threads_of_unit = 512;
/// Points of a core in f64 from which bins meet in a thread, which costs registers and spares an exchange. Measured on
/// an H200 in times of r2c: type II of 256 numbers takes 2.65 so and 1.03 with the exchange, of 1024 1.10 both ways, of
/// 4096 1.29 and 1.16, and of 8192 1.13, where on an H100 it took 1.28 with it.
constexpr std::uint32_t least_meeting_f64 = 4096;
/// Registers for a thread's points where mirrored columns meet, and threads of their groups: both halves of a group's
/// columns are runs of their own, for which it may be so large.
constexpr std::uint32_t most_folded_registers = 64, folded_group = 512;
/// Scratch of a SIMD kernel that should stay in the second cache.
constexpr std::uint32_t scratch_bytes = 512 * 1024;
/// Points that one group of a SIMD kernel should work on, to make its launch worthwhile.
constexpr std::uint64_t points_per_group = 8192;

std::uint32_t real_bytes(Precision precision) {
    return static_cast<std::uint32_t>(stored_bytes(precision, Storage::same));
}

/// A half takes a register of its own.
std::uint32_t register_bytes(Precision precision) { return std::max(real_bytes(precision), 4u); }

bool has_few_registers(const DeviceLimits& limits) {
    return limits.vectors != Vectors::explicit_simd && limits.registers_per_thread < registers_of_largest;
}

std::uint32_t points_of_many_registers(Precision precision) {
    switch (precision) {
        case Precision::f16:
        case Precision::f32: return points_per_thread_f32;
        case Precision::f64: return points_per_thread_f64;
        case Precision::f64x2: break;
    }
    return points_per_thread_f64x2;
}

}  // namespace

std::uint32_t points_per_thread(const DeviceLimits& limits, Precision precision) {
    return points_of_many_registers(precision) / (has_few_registers(limits) ? 2 : 1);
}

namespace {

std::uint32_t most_radix(const DeviceLimits& limits, Precision precision) {
    if (has_few_registers(limits)) return points_per_thread(limits, precision);
    return precision == Precision::f64x2 ? largest_radix_f64x2 : largest_radix;
}

bool goes_one_by_one(const DeviceLimits& limits) { return limits.vectors == Vectors::implicit_simd; }

std::uint32_t most_radix_one_by_one(const CoreQuestion& core, const DeviceLimits& limits) {
    if (core.runs_twice || core.precision != Precision::f32) return most_radix(limits, core.precision);
    return core.n < long_one_by_one ? largest_radix_one_by_one : largest_radix_of_long;
}

bool is_convolution(const KernelSpec& spec) { return !spec.middle.empty(); }

bool is_dense_input(const KernelSpec& spec) {
    return spec.input_stride == 1 && spec.loops[0].input_stride == kernels::sequence_points(spec, spec.load);
}

bool is_dense_output(const KernelSpec& spec) {
    return spec.output_stride == 1 && spec.loops[0].output_stride == kernels::sequence_points(spec, spec.store);
}

bool is_dense(const KernelSpec& spec) {
    return is_dense_input(spec) && is_dense_output(spec) &&
           kernels::sequence_points(spec, spec.load) == kernels::sequence_points(spec, spec.store);
}

std::uint32_t threads_for(const KernelSpec& spec, const Mirrored& paired, const DeviceLimits& limits,
                          const Tuning& tuning) {
    if (tuning.threads_per_transform) return tuning.threads_per_transform;
    const CoreQuestion core{spec.n, false, is_convolution(spec), spec.precision};
    return std::min(threads_for_core(kernels::core_runs(spec).front(), core, limits),
                    most_mirrored_threads(spec.n, spec.radices, paired));
}

/// These ends and that of the bins of types II and III.
Mirrored with_bins(const KernelSpec& spec, Mirrored ends) {
    ends.front = ends.front || (spec.load_map && kernels::may_meet(*spec.load_map, true));
    ends.back = ends.back || (spec.store_map && kernels::may_meet(*spec.store_map, false));
    return ends;
}

/// Of neighbouring sequences' points, with what of mirrored ones lies between them.
std::uint32_t point_bytes(const KernelSpec& spec, bool input) {
    const std::optional<kernels::Folded>& fold = input ? spec.folded_in : spec.folded_out;
    const std::uint32_t access = access_bytes(spec, input);
    if (!fold) return access;
    const std::uint32_t number = (input ? spec.input_real : spec.output_real) ? access : access / 2;
    return number * (fold->kind == Kind::dct4 || fold->kind == Kind::dst4 ? 2 : 4);
}

/// Sequences that neighbouring threads should cover so that an access moves whole sectors; 1 where a sequence's own
/// points do.
std::uint32_t wanted_run(const KernelSpec& spec) {
    std::uint32_t run = 1;
    if (spec.input_stride > spec.loops[0].input_stride) run = std::max(1u, run_bytes / point_bytes(spec, true));
    if (spec.output_stride > spec.loops[0].output_stride) run = std::max(run, run_bytes / point_bytes(spec, false));
    return run;
}

/// Real numbers meet the points in both planes at once.
bool is_real(const KernelSpec& spec) { return spec.load_map || spec.store_map; }

bool has_no_twiddle(const std::vector<kernels::Stage>& stages) {
    for (const kernels::Stage& stage : stages) {
        if (std::holds_alternative<kernels::FourStepTwiddle>(stage)) return false;
    }
    return true;
}

/// Complex points that lie apart on either side take one sector's worth of neighbours where more would have a unit for
/// themselves: of two smaller groups one loads while the other computes. Measured on an H100: 2048 x 2048 f32 went from
/// 0.406 to 0.416 of copy, with half of each axis zero from 0.616 to 0.689; on an H200 2^22 points from 0.30 to 0.32.
std::uint32_t shared_run(const KernelSpec& spec, const DeviceLimits& limits, std::uint32_t threads) {
    std::uint32_t run = wanted_run(spec);
    const std::uint32_t sector = limits.sector_bytes / std::min(access_bytes(spec, true), access_bytes(spec, false));
    const std::uint32_t words = register_bytes(spec.precision) / 4;
    while (!is_convolution(spec) && !is_real(spec) && run > sector && 2 * run * threads * words > limits.max_group_size)
        run /= 2;
    return run;
}

/// Shared memory for one part of a sequence. Other lengths than powers of two are padded by up to an eighth.
std::uint64_t plane_bytes(std::uint64_t n, Precision precision) {
    return (std::has_single_bit(n) ? n : n + n / 8) * real_bytes(precision);
}

void choose_sequences(const KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning, GroupShape& shape) {
    const std::uint64_t plane = plane_bytes(spec.prime ? spec.prime : spec.n, spec.precision);
    const std::uint32_t most_threads = std::max(1u, limits.max_group_size / shape.threads);
    const std::uint64_t least = is_real(spec) ? 2 * plane : plane;
    const auto most_shared = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, limits.shared_bytes / least));
    const std::uint32_t least_threads = shape.one_by_one       ? wanted_cpu_group
                                        : is_convolution(spec) ? wanted_convolved_group
                                        : is_real(spec)        ? wanted_real_group
                                                               : wanted_group;
    std::uint32_t wanted = std::max({shared_run(spec, limits, shape.threads), least_threads / shape.threads, 1u});
    const bool is_run_together = shape.load_order == ThreadOrder::flat && !is_convolution(spec);
    if (is_run_together) wanted = std::clamp(points_of_run_together / spec.n, least_run_together, wanted_group);
    if (shape.columns_meet)
        wanted = std::max(wanted, std::min(2 * wanted_run(spec), std::max(1u, folded_group / shape.threads)));
    wanted = wanted_run(spec) == 1 && !is_run_together ? std::bit_floor(wanted) : std::bit_ceil(wanted);
    shape.sequences = std::min({wanted, std::bit_floor(most_threads), std::bit_floor(most_shared)});
    if (tuning.transforms_per_group) shape.sequences = tuning.transforms_per_group;
    const std::uint64_t both = 2 * plane * shape.sequences;
    const bool needs_both = is_real(spec);
    const std::uint64_t most =
        std::min(shape.sequences == 1 ? lone_two_plane_bytes : two_plane_bytes, limits.shared_bytes);
    const std::uint64_t threads_of_unit = limits.shared_bytes_per_unit / both * shape.threads * shape.sequences;
    const bool has_room = shape.one_by_one || threads_of_unit >= wanted_threads_of_unit;
    shape.planes = needs_both || (both <= most && has_room) ? 2 : 1;
    const bool needs_shared = spec.radices.size() > 1 || needs_both;
    if (shape.threads * shape.sequences > limits.max_group_size ||
        (needs_shared && both / (3 - shape.planes) > limits.shared_bytes)) {
        throw Unsupported("a group of " + std::to_string(shape.threads) + " x " + std::to_string(shape.sequences) +
                          " threads for n = " + std::to_string(spec.n) + ": expected at most " +
                          std::to_string(limits.max_group_size) + " threads and " +
                          std::to_string(limits.shared_bytes) + " bytes of shared memory");
    }
}

/// Of the stage whose threads have the most, with the slots that only some of them fill: 1536 points of f64 as
/// 16 x 12 x 8 in 96 threads take 24, and 0.97 of copy with registers for them, 0.72 without.
std::uint32_t points_in_slots(const KernelSpec& spec, std::uint32_t threads) {
    std::uint32_t most = 1;
    for (const std::uint32_t r : spec.radices) most = std::max(most, (spec.n / r + threads - 1) / threads * r);
    return most;
}

/// Groups that a unit should hold at least, so that one loads or stores while another computes; 0: the compiler may
/// choose. Asked for where it chooses badly: for strided passes, which it starves of the registers that keep loads in
/// flight, and for groups that would else be alone on their unit. Nothing need be spilled for it.
std::uint32_t least_groups(const KernelSpec& spec, const GroupShape& shape, const DeviceLimits& limits) {
    const std::uint32_t real = real_bytes(spec.precision), group = shape.threads * shape.sequences;
    const std::uint32_t in_registers = register_bytes(spec.precision);
    const std::uint32_t points = points_in_slots(spec, shape.threads);
    const std::uint32_t needed = 2 * points * in_registers / 4 +
                                 (has_no_twiddle(spec.load) ? registers_beside_points : registers_beside_twiddles) +
                                 (spec.precision == Precision::f16 ? registers_beside_halves : 0);
    const std::uint64_t exchanged = std::uint64_t{shape.planes} * spec.n * real * shape.sequences;
    const bool would_be_alone = registers_per_unit / (2 * group) < 32 * in_registers;
    // A convolution keeps places and factors beside its points, a prime's butterfly sums and differences of them: where
    // that is tight, asked for one group the compiler spills the least.
    const std::uint32_t radix = *std::max_element(spec.radices.begin(), spec.radices.end());
    const bool is_tight = in_registers > 4 || group > wanted_group;
    if (spec.precision == Precision::f64x2) return 1;
    if (is_long(spec.radices, {spec.n, false, is_convolution(spec), spec.precision}, limits) && shape.sequences == 1)
        return groups_of_long(spec.radices, spec.n, shape.threads);
    if (is_convolution(spec) || radix > largest_radix) return is_tight ? 1 : 0;
    if (wanted_run(spec) == 1 && !would_be_alone) return 0;
    constexpr std::uint32_t most = 4;
    const std::uint64_t by_registers = registers_per_unit / (group * needed);
    const std::uint32_t room = registers_per_unit / (2 * group);
    const bool may_be_two = by_registers == 1 && needed <= room + registers_that_may_lack;
    const auto groups = std::min<std::uint64_t>(may_be_two ? 2 : by_registers, limits.shared_bytes / exchanged);
    return groups < 2 ? 0 : std::min(most, static_cast<std::uint32_t>(groups));
}

/// Points that are pairs of numbers as they lie, where a sequence has few threads: dense ones are moved as one run. The
/// other side finds its elements' places by itself.
void deal_pairs(KernelSpec& spec, GroupShape& shape) {
    if (!spec.load_map && is_dense_input(spec)) {
        shape.load_order = ThreadOrder::flat;
        spec.radices.insert(spec.radices.begin(), 1);
    }
    if (!spec.store_map && is_dense_output(spec)) {
        shape.store_order = ThreadOrder::flat;
        spec.radices.push_back(1);
    }
}

bool fills_sectors(const KernelSpec& spec, const DeviceLimits& limits, std::uint32_t threads) {
    return threads * std::min(access_bytes(spec, true), access_bytes(spec, false)) % limits.sector_bytes == 0;
}

/// Whether a transform's threads are so few that its points had better be moved as one run with others'.
bool has_few(const KernelSpec& spec, const DeviceLimits& limits, std::uint32_t threads) {
    const std::uint32_t element = std::min(access_bytes(spec, true), access_bytes(spec, false));
    return (threads < limits.subgroup_size / 4 || threads * element < limits.sector_bytes) &&
           !fills_sectors(spec, limits, threads);
}

/// A few more threads, some of which idle in a stage, spare the exchanges of a common run: measured on an H200, 48
/// points as 6 x 8 in 8 threads 0.94 of copy, 0.84 in 6.
std::uint32_t threads_filling_sectors(const KernelSpec& spec, const DeviceLimits& limits, std::uint32_t threads) {
    if (!is_dense(spec) || is_real(spec) || is_convolution(spec) || spec.prime || !has_few(spec, limits, threads))
        return threads;
    for (const std::uint32_t radix : spec.radices) {
        if (spec.n / radix > threads && fills_sectors(spec, limits, spec.n / radix)) return spec.n / radix;
    }
    return threads;
}

/// Whether two stages' results are runs that begin or end within a sector, of which memory is sent the parts: these had
/// better be moved as one run. What is loaded so comes twice from a cache. A third stage has longer runs, and an
/// exchange more costs it more than they. Measured on an H200, of copy: 20 points 0.60 and 1.00, 49 0.80 and 1.00, 65
/// 0.64 and 0.97, 100 0.87 and 0.99, 160 0.70 and 0.98, 225 0.85 and 0.97, but 125 (5 x 5 x 5) 0.92 and 0.87.
bool stores_parts_of_sectors(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    if (shape.one_by_one || is_real(spec) || is_convolution(spec) || spec.prime || spec.radices.size() != 2)
        return false;
    const std::uint32_t last = spec.n / spec.radices.back() % shape.threads;
    return !fills_sectors(spec, limits, shape.threads) || !fills_sectors(spec, limits, last);
}

/// Neighbouring threads move what is neighbouring in memory. A prime's points always pass through shared memory on
/// their way, so that a dense array of them is moved as one run.
void choose_orders(KernelSpec& spec, const DeviceLimits& limits, GroupShape& shape) {
    const bool deals_evenly = spec.n > 1 && (is_convolution(spec) || spec.n % shape.threads == 0);
    const bool has_short_runs = !shape.one_by_one && has_few(spec, limits, shape.threads) && deals_evenly;
    const bool is_short = !is_real(spec) && has_short_runs &&
                          (is_convolution(spec) || spec.radices.size() == 1 ||
                           2 * shape.threads * access_bytes(spec, true) <= limits.sector_bytes);
    const auto deal_at_both_ends = [&] {
        spec.radices.insert(spec.radices.begin(), 1);
        spec.radices.push_back(1);
    };
    if (is_dense(spec) && (is_short || (spec.prime && !is_real(spec)))) {
        shape.load_order = shape.store_order = ThreadOrder::flat;
        deal_at_both_ends();
        return;
    }
    if (is_dense(spec) && deals_evenly && stores_parts_of_sectors(spec, limits, shape)) {
        shape.store_order = ThreadOrder::flat;
        spec.radices.push_back(1);
        return;
    }
    const auto order = [](std::uint64_t element_stride, std::uint64_t sequence_stride) {
        return sequence_stride < element_stride ? ThreadOrder::sequence_fastest : ThreadOrder::element_fastest;
    };
    shape.load_order = order(spec.input_stride, spec.loops[0].input_stride);
    shape.store_order = order(spec.output_stride, spec.loops[0].output_stride);
    if (spec.prime && is_real(spec)) {
        // Real elements find their points' places by themselves.
        if (!spec.load_map && is_dense_input(spec)) shape.load_order = ThreadOrder::flat;
        if (!spec.store_map && is_dense_output(spec)) shape.store_order = ThreadOrder::flat;
        if (!spec.load_map) spec.radices.insert(spec.radices.begin(), 1);
        if (!spec.store_map) spec.radices.push_back(1);
        return;
    }
    if (spec.prime) {
        deal_at_both_ends();
        return;
    }
    if (is_real(spec) && has_short_runs && !is_convolution(spec)) deal_pairs(spec, shape);
    if (shape.load_order != shape.store_order && spec.radices.size() == 1) {
        if (spec.n == 1) {
            shape.store_order = shape.load_order;
        } else {
            spec.radices.push_back(1);
        }
    }
}

/// Whether bins k and m - k of types II and III meet in one thread. Its neighbours' numbers should fill a sector, and
/// the points of two butterflies leave half of the registers to everything else.
bool should_meet(KernelSpec spec, const Mirrored& mirrored, const DeviceLimits& limits, const Tuning& tuning) {
    const Mirrored ends = with_bins(spec, mirrored);
    if (register_bytes(spec.precision) > 4 && spec.n < least_meeting_f64) return false;
    if (ends == mirrored || is_convolution(spec) || (spec.radices.size() == 1 && (mirrored.front || mirrored.back)))
        return false;
    if (tuning.radices.empty()) spec.radices = radices_for(ends, spec.radices);
    const std::uint32_t threads = threads_for(spec, ends, limits, tuning);
    const std::uint32_t points = (spec.n + threads - 1) / threads;
    const std::uint32_t registers = 2 * points * register_bytes(spec.precision) / 4;
    const bool is_input = !mirrored.front && ends.front;
    const std::uint32_t butterflies = spec.n / (is_input ? spec.radices.front() : spec.radices.back());
    const bool is_strided =
        is_input ? spec.input_stride > spec.loops[0].input_stride : spec.output_stride > spec.loops[0].output_stride;
    const std::uint32_t neighbours = std::min(threads, (butterflies + 1) / 2);
    return 2 * registers <= limits.registers_per_thread + 1 && butterflies > 1 &&
           (is_strided || neighbours * kernels::element_bytes(spec, is_input) >= limits.sector_bytes);
}

/// The folded output as pairs of neighbouring numbers, whose column has no stride.
void see_as_pairs(KernelSpec& spec) {
    spec.output_real = false;
    spec.output_offset /= 2;
    for (kernels::Loop& loop : spec.loops) loop.output_stride /= 2;
}

/// Radices and threads with which each thread has a pair of mirrored butterflies at the end, if there are any that
/// leave room in the registers. 0 threads: there are not.
std::uint32_t threads_of_columns(KernelSpec& spec, const DeviceLimits& limits) {
    const std::uint32_t most = most_radix(limits, spec.precision);
    for (const std::uint32_t largest : {most, most / 2}) {
        if (largest != most) spec.radices = factor_into_radices(spec.n, std::max(largest, 2u));
        const std::uint32_t radix = *std::max_element(spec.radices.begin(), spec.radices.end());
        const std::uint32_t butterflies = spec.n / spec.radices.back();
        const std::uint32_t threads = std::min(spec.n / radix, butterflies / 2);
        if (spec.radices.size() < 2 || butterflies % 2 != 0 || threads > limits.max_group_size) continue;
        const std::uint32_t points = (spec.n + threads - 1) / threads;
        if (2 * points * register_bytes(spec.precision) / 4 <= most_folded_registers) return threads;
    }
    return 0;
}

/// A folded output's kernel in which mirrored columns meet: what a thread stores are pairs of neighbours, where else
/// each number asks for a sector of its own. Nothing where their threads, or a group of both, are not to be had.
std::optional<KernelSpec> with_columns(KernelSpec spec, const DeviceLimits& limits, const Tuning& tuning) {
    const std::optional<kernels::Folded>& fold = spec.folded_out;
    const bool is_tuned = !tuning.radices.empty() || tuning.threads_per_transform || tuning.transforms_per_group;
    if (!fold || !fold->has_pairs || fold->loop != 0 || spec.output_offset % 2 != 0 || is_convolution(spec) ||
        2 * spec.n * fold->element_stride != fold->length || is_tuned || goes_one_by_one(limits))
        return std::nullopt;
    see_as_pairs(spec);
    GroupShape shape;
    shape.columns_meet = true;
    shape.threads = threads_of_columns(spec, limits);
    if (shape.threads == 0) return std::nullopt;
    shape.load_order = shape.store_order = ThreadOrder::sequence_fastest;
    choose_sequences(spec, limits, tuning, shape);
    while (spec.loops[0].count % shape.sequences != 0) shape.sequences /= 2;
    if (shape.sequences / 2 * access_bytes(spec, true) < limits.sector_bytes) return std::nullopt;
    shape.min_groups_per_unit = least_groups(spec, shape, limits);
    spec.shape = shape;
    return spec;
}

/// Mirrored columns of a group, so that a unit has two groups if their runs fill sectors then, else one. Of single
/// numbers a sector's halves may be those of groups that follow each other.
bool choose_mirrored_sequences(const KernelSpec& spec, const DeviceLimits& limits, GroupShape& shape) {
    const std::uint32_t words = register_bytes(spec.precision) / 4;
    const std::uint32_t points = (spec.n + shape.threads - 1) / shape.threads;
    const std::uint32_t element = std::min(access_bytes(spec, true), access_bytes(spec, false));
    const bool has_numbers = spec.bins_in ? spec.input_real : spec.output_real;
    const std::uint32_t roomy = 4 * points * words > most_folded_registers ? folded_group / 2 : folded_group;
    for (const std::uint32_t most : {roomy, 2 * roomy}) {
        const std::uint32_t threads = std::min(most, limits.max_group_size);
        const auto by_shared = limits.shared_bytes / plane_bytes(spec.n, spec.precision);
        const std::uint32_t wanted = std::max(2 * wanted_run(spec), wanted_group / shape.threads);
        Tuning own;
        own.transforms_per_group = std::bit_floor(std::min(
            {threads / shape.threads, wanted, static_cast<std::uint32_t>(std::max<std::uint64_t>(1, by_shared))}));
        while (own.transforms_per_group > 1 && spec.loops[0].count % own.transforms_per_group != 0)
            own.transforms_per_group /= 2;
        const std::uint32_t run = own.transforms_per_group / 2 * element;
        if (run * (has_numbers ? 2 : 1) < limits.sector_bytes) continue;
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
std::uint32_t threads_of_bins(KernelSpec& spec, const DeviceLimits& limits) {
    const std::uint32_t most = most_radix(limits, spec.precision), words = register_bytes(spec.precision) / 4;
    for (const std::uint32_t registers : {most_folded_registers / (words == 1 ? 2 : 1), most_folded_registers}) {
        for (const std::uint32_t largest : {most, most / 2}) {
            spec.radices = factor_into_radices(spec.n, std::max(largest, 2u));
            if (spec.radices.size() < 2) continue;
            end_in_even_butterflies(spec.radices, spec.n);
            const std::uint32_t butterflies = spec.n / spec.radices.back();
            const std::uint32_t wanted = spec.n / std::min(spec.n, points_per_thread(limits, Precision::f64));
            const std::uint32_t threads = std::max(1u, std::min(wanted, butterflies / 2));
            const std::uint32_t points = (spec.n + threads - 1) / threads;
            if (butterflies % 2 != 0 || threads > limits.max_group_size || 2 * points * words > registers) continue;
            if (spec.bins_in) std::reverse(spec.radices.begin(), spec.radices.end());
            return threads;
        }
    }
    return 0;
}

void choose_group(KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    if (tuning.vector_lanes)
        throw Unsupported("tuning.vector_lanes: expected 0 on a device of subgroups, got " +
                          std::to_string(tuning.vector_lanes));
    const bool has_bins = spec.bins_in || spec.bins_out;
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
    if (tuning.radices.empty()) spec.radices = radices_for(paired, spec.radices);
    shape.threads = threads_for(spec, paired, limits, tuning);
    shape.one_by_one = goes_one_by_one(limits);
    if (!tuning.threads_per_transform && !shape.one_by_one)
        shape.threads = threads_filling_sectors(spec, limits, shape.threads);
    choose_orders(spec, limits, shape);
    choose_sequences(spec, limits, tuning, shape);
    // A prime's places are as good as random: of half as many accesses to points fewer meet in a bank. Those of doubles
    // are wide already.
    shape.whole_points = is_convolution(spec) && !is_real(spec) && shape.planes == 2 && !shape.one_by_one &&
                         register_bytes(spec.precision) == 4;
    shape.min_groups_per_unit = shape.one_by_one ? 0 : least_groups(spec, shape, limits);
    spec.shape = shape;
}

/// Lanes that divide the fastest loop, so that a register always holds neighbours; 0 if fewer than half of the device's
/// would.
std::uint32_t lanes_across(const KernelSpec& spec, std::uint32_t most) {
    if (spec.loops.size() < 2) return 0;
    const std::uint64_t count = spec.loops[0].count;
    const std::uint64_t power = count & (~count + 1);
    const auto lanes = static_cast<std::uint32_t>(std::min<std::uint64_t>(power, most));
    return 2 * lanes >= most ? lanes : 0;
}

void check_bundle(const Tuning& tuning) {
    if (tuning.threads_per_transform) {
        throw Unsupported(
            "tuning.threads_per_transform: expected 0 on a SIMD device, where one thread has whole transforms, got " +
            std::to_string(tuning.threads_per_transform));
    }
    if (tuning.vector_lanes && (tuning.vector_lanes > 16 || !std::has_single_bit(tuning.vector_lanes))) {
        throw Unsupported("tuning.vector_lanes: expected 1, 2, 4, 8 or 16, got " + std::to_string(tuning.vector_lanes));
    }
}

/// Of both scratch arrays together, as if they were needed.
std::uint64_t scratch_bytes_of(KernelSpec spec, const BundleShape& shape) {
    spec.shape = shape;
    return std::uint64_t{4} * kernels::scratch_points(spec) * (shape.across ? shape.lanes : 1) *
           real_bytes(spec.precision);
}

void check_scratch(const KernelSpec& spec, const BundleShape& shape, const DeviceLimits& limits) {
    const std::uint64_t bytes = scratch_bytes_of(spec, shape);
    if ((spec.radices.size() > 1 || is_real(spec) || spec.prime) && bytes > limits.shared_bytes) {
        throw Unsupported("a pass of " + std::to_string(spec.n) + " points on this device: expected at most " +
                          std::to_string(limits.shared_bytes) + " bytes of scratch, got " + std::to_string(bytes));
    }
}

void choose_bundle(KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning, std::uint64_t sequences) {
    check_bundle(tuning);
    const std::uint32_t most = tuning.vector_lanes ? tuning.vector_lanes : simd_lanes(limits, spec.precision);
    BundleShape shape;
    std::uint32_t along = most;
    const auto fills = [&] {
        const std::vector<std::vector<std::uint32_t>> runs = kernels::core_runs(spec);
        return std::all_of(runs.begin(), runs.end(), [&](const auto& run) { return fills_lanes(spec.n, run, along); });
    };
    while (along > 1 && !fills()) along /= 2;
    const bool is_contiguous = spec.input_stride == 1 && spec.output_stride == 1 && has_no_twiddle(spec.load);
    const bool prefers_across = is_real(spec) && sequences >= most / 2;
    if (is_contiguous && !prefers_across && (along == most || sequences < most / 2)) {
        shape.lanes = along;
    } else if (sequences < 2) {
        shape.lanes = has_no_twiddle(spec.load) ? along : 1;
    } else {
        const std::uint32_t dividing = lanes_across(spec, most);
        shape.across = true;
        shape.lanes = dividing ? dividing : most;
    }
    while (shape.across && shape.lanes > 1 && scratch_bytes_of(spec, shape) > limits.shared_bytes) shape.lanes /= 2;
    if (shape.lanes == 1) shape.across = false;
    const std::uint64_t per_unit = std::uint64_t{spec.n} * (shape.across ? shape.lanes : 1);
    const std::uint64_t units = sequences / (shape.across ? shape.lanes : 1);
    const std::uint64_t busy = std::max<std::uint64_t>(1, units / (std::uint64_t{8} * limits.compute_units));
    shape.units_per_group = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(points_per_group / per_unit, 1, busy));
    if (tuning.transforms_per_group) {
        const std::uint32_t per_bundle = shape.across ? shape.lanes : 1;
        if (tuning.transforms_per_group % per_bundle != 0) {
            throw Unsupported("tuning.transforms_per_group: expected a multiple of the " + std::to_string(per_bundle) +
                              " lanes, got " + std::to_string(tuning.transforms_per_group));
        }
        shape.units_per_group = tuning.transforms_per_group / per_bundle;
    }
    check_scratch(spec, shape, limits);
    spec.shape = shape;
}

}  // namespace

namespace {

/// Sequences whose neighbouring points fill a sector.
std::uint32_t least_run(const DeviceLimits& limits, Precision precision, bool is_strided) {
    return is_strided ? std::max(1u, limits.sector_bytes / (2 * real_bytes(precision))) : 1;
}

std::uint32_t longest_in_shared(const DeviceLimits& limits, Precision precision, bool is_strided) {
    return limits.shared_bytes / (real_bytes(precision) * least_run(limits, precision, is_strided));
}

}  // namespace

std::uint32_t longest_pass(const DeviceLimits& limits, Precision precision, bool is_strided) {
    if (limits.vectors == Vectors::explicit_simd) {
        const std::uint32_t lanes = is_strided ? simd_lanes(limits, precision) : 1;
        return std::bit_floor(std::min(scratch_bytes, limits.shared_bytes) / (4 * real_bytes(precision) * lanes));
    }
    const std::uint32_t by_registers =
        limits.max_group_size * points_per_thread(limits, precision) / least_run(limits, precision, is_strided);
    return std::bit_floor(std::min(longest_in_shared(limits, precision, is_strided), by_registers));
}

std::uint32_t longest_forced_pass(const DeviceLimits& limits, Precision precision, bool is_strided) {
    if (limits.vectors == Vectors::explicit_simd) return longest_pass(limits, precision, is_strided);
    return longest_in_shared(limits, precision, is_strided);
}

std::uint32_t longest_split_pass(const DeviceLimits& limits, Precision precision) {
    const std::uint32_t longest = longest_pass(limits, precision, true);
    if (limits.vectors == Vectors::explicit_simd) return longest;
    return std::min(
        longest, limits.max_group_size * points_per_thread(limits, precision) * 2 * real_bytes(precision) / run_bytes);
}

namespace {

bool is_plain(const CoreQuestion& core) {
    return !core.is_strided && !core.runs_twice && !core.is_real && !core.has_point_beside;
}

}  // namespace

bool fits_one_pass(const CoreQuestion& core, const DeviceLimits& limits) {
    const std::uint64_t n = core.n;
    const Precision precision = core.precision;
    if (n > longest_pass(limits, precision, core.is_strided)) {
        return is_plain(core) && plane_bytes(n, precision) <= limits.shared_bytes &&
               has_lone_radices(n, precision, limits);
    }
    if (limits.vectors != Vectors::explicit_simd) {
        const std::uint64_t sequences =
            core.is_strided ? std::max(1u, limits.sector_bytes / (2 * real_bytes(precision))) : 1;
        const std::uint64_t plane = plane_bytes(n + (core.has_point_beside ? 1 : 0), precision);
        return plane * std::max<std::uint64_t>(sequences, core.is_real ? 2 : 1) <= limits.shared_bytes;
    }
    // Both scratch arrays have room for registers behind the points: see kernels::scratch_points.
    const std::uint64_t behind = (core.is_real ? 1 : 0) + (core.has_point_beside ? 1 : 0);
    const std::uint64_t points = n + behind * simd_lanes(limits, precision);
    if (points > limits.shared_bytes / (4 * real_bytes(precision))) return false;
    if (n <= longest_pass(limits, precision, true)) return true;
    const LaneQuestion lanes{simd_lanes(limits, precision), most_radix(limits, precision), core.runs_twice};
    return !factor_for_lanes(static_cast<std::uint32_t>(n), lanes).empty();
}

std::vector<std::uint32_t> choose_radices(const CoreQuestion& core, const DeviceLimits& limits) {
    const Precision precision = core.precision;
    const auto n = static_cast<std::uint32_t>(core.n);
    const bool is_tight = core.runs_twice && precision == Precision::f64 && limits.vectors != Vectors::explicit_simd;
    const std::uint32_t largest = core.runs_twice && has_few_registers(limits) ? most_radix(limits, precision) / 2
                                  : is_tight                                   ? largest_convolved_f64
                                  : goes_one_by_one(limits)                    ? most_radix_one_by_one(core, limits)
                                                                               : most_radix(limits, precision);
    const bool is_lone = is_plain(core) && n > longest_pass(limits, precision, false);
    if (is_lone && has_lone_radices(n, precision, limits)) return radices_of_lone(n, precision, limits);
    const std::vector<std::uint32_t> fewest = factor_into_radices(n, std::max(largest, 2u));
    if (limits.vectors == Vectors::explicit_simd && !core.is_strided) {
        const LaneQuestion lanes{simd_lanes(limits, precision), most_radix(limits, precision), core.runs_twice};
        const std::vector<std::uint32_t> radices = factor_for_lanes(n, lanes);
        if (!radices.empty() && radices.size() <= fewest.size() + 1) return radices;
    }
    const bool may_be_larger = limits.vectors == Vectors::subgroups && precision == Precision::f32 &&
                               !has_few_registers(limits) && fewest.size() > 3;
    if (is_plain(core) && may_be_larger) return radices_of_long(fewest, n, limits);
    return fewest;
}

std::uint32_t largest_prime(const DeviceLimits& limits, Precision precision) {
    constexpr std::uint32_t largest_in_f64x2 = 13;
    constexpr std::uint32_t largest_in_f64 = 23;  // the points and their sums take 184 of a GPU's 255 registers
    if (has_few_registers(limits)) return std::max(largest_prime_of_few * 4 / register_bytes(precision), 5u);
    if (precision == Precision::f64x2) return largest_in_f64x2;
    const bool is_tight = limits.vectors != Vectors::explicit_simd && precision == Precision::f64;
    return is_tight ? largest_in_f64 : largest_prime_radix;
}

std::uint32_t largest_convolved_prime(const DeviceLimits& limits, Precision precision) {
    if (has_few_registers(limits)) return std::max(largest_convolved_of_few * 4 / register_bytes(precision), 5u);
    if (precision == Precision::f64x2) return 7;
    return limits.vectors != Vectors::explicit_simd && precision == Precision::f64 ? 11 : 13;
}

/// A core that runs once has a butterfly of its largest radix in each thread. One that runs twice has twice the text,
/// so that a second slot for a few threads of a stage costs more than threads that idle: the fewest points in all
/// slots, as long as there are registers for them.
std::uint32_t threads_for_core(const std::vector<std::uint32_t>& radices, const CoreQuestion& core,
                               const DeviceLimits& limits) {
    const auto n = static_cast<std::uint32_t>(core.n);
    if (is_plain(core) && n > longest_pass(limits, core.precision, false)) {
        if (const std::uint32_t threads = threads_of_lone(radices, core, limits)) return threads;
    }
    if (is_long(radices, core, limits)) return threads_of_long(radices, n);
    const std::uint32_t radix = *std::max_element(radices.begin(), radices.end());
    std::uint32_t threads = std::max(1u, n / radix);
    while (threads > limits.max_group_size) threads = (threads + 1) / 2;
    if (!core.runs_twice) return threads;
    const auto weight = [&](std::uint32_t count) {
        std::uint32_t sum = 0, most = 0;
        for (const std::uint32_t r : radices) {
            const std::uint32_t own = (n / r + count - 1) / count * r;
            sum += own;
            most = std::max(most, own);
        }
        const std::uint32_t needed = 4 * most * register_bytes(core.precision) / 4 + registers_beside_convolved;
        const std::uint32_t had = std::min({most_registers, registers_per_unit / count, limits.registers_per_thread});
        return std::uint64_t{count} * sum + std::uint64_t{n} * (needed > had ? needed - had : 0);
    };
    for (const std::uint32_t r : radices) {
        for (std::uint32_t slots = 1; slots <= 2; ++slots) {
            const std::uint32_t count = (n / r + slots - 1) / slots;
            if (count <= limits.max_group_size && weight(count) < weight(threads)) threads = count;
        }
    }
    return threads;
}

std::vector<std::uint32_t> radices_for(const Mirrored& mirrored, std::vector<std::uint32_t> radices) {
    if (mirrored.front && !mirrored.back) std::reverse(radices.begin(), radices.end());
    if (mirrored.front && mirrored.back && radices.size() > 2)
        std::rotate(radices.begin(), radices.end() - 2, radices.end() - 1);
    return radices;
}

std::uint32_t most_mirrored_threads(std::uint32_t n, const std::vector<std::uint32_t>& radices,
                                    const Mirrored& mirrored) {
    std::uint32_t most = n;
    if (mirrored.front && mirrored.back) most = std::min(most, (n / radices.front() + 1) / 2);
    if (mirrored.back) most = std::min(most, (n / radices.back() + 1) / 2);
    return most;
}

std::uint32_t simd_lanes(const DeviceLimits& limits, Precision precision) {
    // The halves of a double-double are in registers of their own.
    const std::uint32_t lanes = limits.vector_bytes / std::min(real_bytes(precision), 8u);
    return std::clamp(std::bit_floor(lanes), 1u, 16u);
}

std::optional<KernelSpec> with_columns_of_bins(KernelSpec spec, const DeviceLimits& limits, const Tuning& tuning) {
    const bool is_tuned = !tuning.radices.empty() || tuning.threads_per_transform || tuning.transforms_per_group;
    const std::uint64_t columns = spec.loops[0].count;
    if (is_tuned || limits.vectors != Vectors::subgroups || is_convolution(spec) || columns % 2 != 0)
        return std::nullopt;
    GroupShape shape;
    shape.columns_meet = true;
    shape.threads = threads_of_bins(spec, limits);
    if (shape.threads == 0) return std::nullopt;
    shape.load_order = shape.store_order = ThreadOrder::sequence_fastest;
    if (spec.bins_in && spec.output_stride < spec.loops[0].output_stride)
        shape.store_order = ThreadOrder::element_fastest;
    if (!choose_mirrored_sequences(spec, limits, shape)) return std::nullopt;
    spec.shape = shape;
    return spec;
}

/// A thread an item; on a SIMD device a run of items a group.
void choose_map_shape(KernelSpec& spec, const DeviceLimits& limits) {
    if (limits.vectors == Vectors::explicit_simd) {
        spec.shape = BundleShape{1, false, static_cast<std::uint32_t>(points_per_group)};
        return;
    }
    GroupShape shape;
    shape.sequences = std::min(wanted_group, limits.max_group_size);
    spec.shape = shape;
}

void choose_shape(KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning, std::uint64_t sequences) {
    if (spec.map_only) {
        choose_map_shape(spec, limits);
        return;
    }
    if (limits.vectors == Vectors::explicit_simd) {
        choose_bundle(spec, limits, tuning, sequences);
    } else {
        choose_group(spec, limits, tuning);
    }
}

}  // namespace seiche::planner
