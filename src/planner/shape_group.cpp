// Sequences of a group on a GPU, from what fills sectors and subgroups, and groups of a unit.
#include <algorithm>
#include <bit>

#include "planner/measured_cores.hpp"
#include "planner/shape_parts.hpp"
#include "seiche/error.hpp"
#include "support/primes.hpp"

namespace seiche::planner {

std::uint32_t points_in_slots(const std::vector<std::uint32_t>& radices, std::uint32_t n, std::uint32_t threads) {
    std::uint32_t most = 1;
    for (const std::uint32_t r : radices) most = std::max(most, (n / r + threads - 1) / threads * r);
    return most;
}

std::uint32_t points_in_slots(const kernels::KernelSpec& spec, std::uint32_t threads) {
    return points_in_slots(spec.radices, spec.n, threads);
}

bool has_tile_of_one_part(const kernels::KernelSpec& spec) {
    constexpr std::uint32_t sequences = 16;
    const auto& shape = std::get<kernels::GroupShape>(spec.shape);
    const bool is_plain = !is_real(spec) && !is_convolution(spec) && spec.in.storage == Storage::same &&
                          spec.out.storage == Storage::same;
    return is_plain && spec.precision == Precision::f32 && !std::has_single_bit(spec.n) && shape.planes == 1 &&
           shape.sequences == sequences;
}

bool spills_doubles(const std::vector<std::uint32_t>& radices, Precision precision, std::uint32_t group) {
    constexpr std::uint32_t large = 17, of_point = 4, beside_points = 32, lanes = 32;
    const std::uint32_t largest = *std::max_element(radices.begin(), radices.end());
    return precision == Precision::f64 && largest >= large &&
           (group + lanes - 1) / lanes > subgroups_of_unit(of_point * largest + beside_points);
}

namespace {

using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::ThreadOrder;

/// Short transforms whose points are moved as one run, and points of a group of them: 32 groups fill a unit, and a
/// larger one starts all its threads at once. 12 points went from 0.88 of copy in groups of 256 to 1.00 of 64, 25 from
/// 0.84 (of 128) to 0.98 of 32, 49 from 0.63 to 0.89, 60 from 0.64 to 0.96.
constexpr std::uint32_t least_run_together = 32, points_of_run_together = 1024;
/// Of a prime's butterfly so long that the text of its group's subgroups, which go through it together, no longer fits
/// in the first caches of instructions. Measured on an H200, of copy, in groups of 32, 64 and 128: 53 points 0.93,
/// 0.95, 0.95, 59 0.76, 0.78, 0.80, 61 0.84, 0.86, 0.87, but 47 0.97, 0.94, 0.95, 58 0.97, 0.95, 0.94.
constexpr std::uint32_t long_in_thread = 53, run_of_long_in_thread = 128;
/// Threads that a group of real kinds should have, whose groups wait for memory on both sides of a barrier: many small
/// ones do not wait together. Measured on an H100: 4096 numbers of type III went from 1.34 to 1.17 times the time of
/// r2c.
constexpr std::uint32_t wanted_real_group = 64;
/// Of dense complex sequences with exchanges between their stages, up to twice as many: while one group waits at a
/// barrier others load. Measured on an H200, of the fastest group of each of 140 kernels of three stages: 0.98 of 32 to
/// 63 threads, 0.98 of 64 to 127, 0.97 of 128 to 255, 0.85 of 256 and more; of halves 0.96, 0.99, 0.98 and 0.89.
/// Through Vulkan 64 points went from 0.140 ms to 0.137, 256 from 0.144 to 0.141, 512 from 0.148 to 0.137. Of doubles
/// 1024 points gained (0.93 and 0.95 of copy), 1536 (0.95 and 0.98), 1000 and 1001 (by 0.01), but 2048 lost (0.92 and
/// 0.87). On an H100 72 lengths of doubles from 24 to 805 points are 1.08 times as fast so in the geometric mean, none
/// of them slower by more than 0.02 of copy: 143 points (13 x 11) 0.89 and 1.03, 240 0.87 and 1.01, 115 (23 x 5) 0.81
/// and 1.00, 391 (23 x 17) 0.71 and 0.91, 232 (29 x 8) 0.91 and 1.02.
constexpr std::uint32_t wanted_dense_group = 64;
/// Of convolutions, which compute for longer between their barriers. Measured on an H100: 1009 points went
/// from 0.49 to 0.63 of copy, 101 in f64 from 0.48 to 0.61; of groups of 64, 101 points from 0.64 to 0.53.
constexpr std::uint32_t wanted_convolved_group = 128;
/// Of a CPU, on which a group is no more than a loop over its subgroups.
constexpr std::uint32_t wanted_cpu_group = 64;
/// Of one whose threads have neighbouring butterflies. Fastest of 5 runs on lavapipe, 2^22 points in groups of 8, 16
/// and 32 threads: 1024 each 13.2, 12.2, 11.9 ms, 512 each 18.3, 16.4, 16.0.
constexpr std::uint32_t wanted_group_of_neighbours = 32;
/// What a thread needs beside its points. Measured on an H200: 8192
/// points went from 0.90 to 0.94 of copy, 2^15 points from 0.42 to 0.49, 2^26 points from 0.19 to 0.26.
constexpr std::uint32_t registers_beside_points = 32, registers_beside_twiddles = 40;
/// That are worth a second group on a unit: 4000 points of f64 went from 0.62 of copy to 0.74, 32 bytes of a thread
/// spilled.
constexpr std::uint32_t registers_that_may_lack = 16;
/// Halves are packed and unpacked on their way.
constexpr std::uint32_t registers_beside_halves = 16;
/// As two_plane_bytes, of a sequence that has its unit for itself.
constexpr std::uint32_t lone_two_plane_bytes = 128 * 1024;
/// Of both cores of a convolution, whose registers have room for little else: on an H100 10007 points (20480) took 0.71
/// ms one part after the other and 0.60 both at once, f64 5003 (10240) 0.77 and 0.67; but f64 6011, whose 192 KiB leave
/// a cache little, 0.73 and 0.81.
constexpr std::uint32_t lone_two_plane_bytes_convolved = 192 * 1024;
/// Threads of all groups that a unit's shared memory should hold: where both parts at once leave room for fewer, they
/// are exchanged one after the other. Measured on an H200 through Vulkan, which tells of 48 KiB: 1024 points went from
/// 0.58 to 0.95 of copy, 4096 from 0.55 to 0.80, 16384 (two passes) from 0.33 to 0.47. Strided passes want more:
/// through Vulkan 2^17 points went from 0.32 to 0.43 of copy, 2^18 from 0.27 to 0.39, through OpenCL 2^16 from 0.42 to
/// 0.48; but where registers can be bounded, short ones do not, which then trail each other: f64 2^16 0.49 and 0.56,
/// 2^17 0.48 and 0.57, 256 x 256 0.49 and 0.57; longer ones do, which do not trail: f64 2^21 0.38, with both at once
/// 0.37. Of threads that have whole sequences and rewrite their places 256 will do: they wait for nobody.
constexpr std::uint32_t wanted_threads_of_unit = 512, wanted_strided_threads_of_unit = 1024,
                        wanted_rewriting_threads_of_unit = 256;
constexpr std::uint32_t longest_trailing_pass = 512;
/// Points of a thread for which a compiler that is not told of groups takes so many registers (82 through OpenCL) that
/// a unit has no room for two groups of this size.
constexpr std::uint32_t points_of_many_registers = 16, group_of_many_registers = 512;

/// Of neighbouring sequences' points, with what of mirrored ones lies between them.
std::uint32_t point_bytes(const KernelSpec& spec, bool input) {
    const kernels::Folded* fold = spec.side(input).folded();
    const std::uint32_t access = access_bytes(spec, input);
    if (!fold) return access;
    const std::uint32_t number = spec.side(input).is_real() ? access : access / 2;
    const bool is_type_4 = fold->kind == Kind::dct4 || fold->kind == Kind::dst4;
    return number * (is_type_4 != fold->is_odd() ? 2 : 4);
}

/// Complex points that lie apart on either side take one sector's worth of neighbours where more would have a unit for
/// themselves: of two smaller groups one loads while the other computes. Measured on an H100: 2048 x 2048 f32 went from
/// 0.406 to 0.416 of copy, with half of each axis zero from 0.616 to 0.689; on an H200 2^22 points from 0.30 to 0.32,
/// through OpenCL and Vulkan, where no bound of registers can be stated, 2^20 from 0.31 and 0.29 to 0.36. Not so where
/// points lie apart on both sides, half of a unit's registers hold the group's, and the compiler can be told of it:
/// there runs of two sectors are worth more than the second group. On an H200 the second pass of 2^22 points took 426
/// us of one sector and 395 of two (the first, whose results lie together, 323 and 358), 2048 x 2048 went from 0.385 of
/// copy to 0.401, f64 2^22 from 0.327 to 0.339. Nor more than one sector's where a prime's doubles have no registers
/// then: columns of 3163 (31 x 17 x 6) took 2.61 ms of 256 MiB in groups of 744 threads and take 0.52 in groups of 372,
/// 2857 (17 x 7 x 6 x 4) 0.92 and 0.45.
std::uint32_t shared_run(const KernelSpec& spec, const DeviceLimits& limits, std::uint32_t threads) {
    std::uint32_t run = wanted_run(spec);
    const std::uint32_t sector = limits.sector_bytes / std::min(access_bytes(spec, true), access_bytes(spec, false));
    while (spec.convolution.prime != 0 && run > sector && spills_doubles(spec.radices, spec.precision, threads * run))
        run /= 2;
    const bool is_pruned = spec.in.kept != kernels::Kept{} || spec.out.kept != kernels::Kept{};
    const bool is_apart_on_both = has_closer_sequences(spec, true) && has_closer_sequences(spec, false);
    const std::uint32_t words = register_bytes(spec.precision) / 4;
    const bool has_registers = std::uint64_t{4} * spec.n * run * words <= registers_per_unit;
    if (is_apart_on_both && has_registers && limits.bounds_registers && !is_pruned) return run;
    const auto would_be_alone = [&](std::uint32_t neighbours) {
        const std::uint32_t weight = neighbours * threads * words;
        const bool has_many = is_greedy(limits) && spec.n >= points_of_many_registers * threads;
        return 2 * weight > limits.max_group_size || (has_many && weight >= group_of_many_registers);
    };
    while (!is_convolution(spec) && !is_real(spec) && run > sector && would_be_alone(run)) run /= 2;
    return run;
}

/// Stages of a prime's core that have butterflies.
std::ptrdiff_t stages_of_prime(const KernelSpec& spec) {
    if (spec.convolution.prime == 0) return 0;
    return std::count_if(spec.radices.begin(), spec.radices.end(), [](std::uint32_t radix) { return radix > 1; });
}

/// Radices of many stages are small, and their threads wait often: with fewer registers more of them share a unit, even
/// where some spill. Measured on an H100, ms of 256 MiB of which the input is in the cache, alone and so: f32 2593
/// points 0.41 and 0.34, 6301 0.42 and 0.37, f64 2017 0.42 and 0.35, 2593 0.40 and 0.33, 3329 0.42 and 0.36, 4001 0.41
/// and 0.38 (but 1409 0.33 and 0.35); of doubles in three stages 211 0.264 and 0.250, 421 0.269 and 0.253, 521 0.30 and
/// 0.28, 1153 0.258 and 0.247, but in two 97 0.176 and 0.182. Not so few that a thread's points have no room, with
/// which it spills a thousand bytes, or butterflies of 17 points and more: bounded and not, 4621 (11 x 10 x 7 x 6, 14
/// points) 0.65 and 0.40, 6553 (18 points) 1.40 and 0.39, 523 (29 x 6 x 3) 1.66 and 0.45, but 3329 (13 points) 0.37 and
/// 0.40, 3001 (10 points) 0.40 and 0.43.
constexpr std::ptrdiff_t few_stages_of_prime = 3;
std::uint32_t most_registers_of_doubles(const KernelSpec& spec, const GroupShape& shape) {
    constexpr std::uint32_t of_three_stages = 96, of_more = 64, shortest_of_more = 2000, largest_bounded = 16,
                            of_point = 4, beside = 20;
    const std::ptrdiff_t stages = stages_of_prime(spec);
    const std::uint32_t radix = *std::max_element(spec.radices.begin(), spec.radices.end());
    if (stages < few_stages_of_prime || radix > largest_bounded) return UINT32_MAX;
    const std::uint32_t most = stages == few_stages_of_prime || spec.n < shortest_of_more ? of_three_stages : of_more;
    return std::max(most, of_point * points_in_slots(spec, shape.threads) + beside);
}

/// A convolution keeps places and factors beside its points. Left to itself the compiler takes few registers for
/// floats and all for doubles, so that few groups share a unit. Counted, what the largest butterfly of r points needs:
/// 97 to 128 of r = 12 in f64, 80 of 8. Measured on an H200, of copy: 1009 points of f64 0.23 for one group, 0.38 for
/// two, 0.41 for three; 257 0.49, 0.49, 0.60, of four 0.62; 37 0.69 and for six 0.79.
std::uint32_t groups_of_convolution(const KernelSpec& spec, const GroupShape& shape) {
    constexpr std::uint32_t beside_floats = 32, beside_doubles = 72;
    constexpr std::uint32_t beside_points = 24, least = 64;  // of many stages
    constexpr std::uint32_t lanes = 32;
    const std::uint32_t group = shape.threads * shape.sequences, subgroups = (group + lanes - 1) / lanes;
    const auto with_registers = [&](std::uint32_t needed) {
        return std::max(1u, subgroups_of_unit(needed) / subgroups);
    };
    const bool is_wide = register_bytes(spec.precision) > 4, is_strided = support::magnitude(spec.in.stride) > 1;
    const std::uint32_t radix = *std::max_element(spec.radices.begin(), spec.radices.end());
    if (is_wide) return with_registers(std::min(4 * radix + beside_doubles, most_registers_of_doubles(spec, shape)));
    if (is_strided && group >= wanted_group) return with_registers(4 * radix + beside_floats);
    if (group <= wanted_group) return 0;
    if (stages_of_prime(spec) <= few_stages_of_prime) return 1;
    return with_registers(std::max(least, 2 * points_in_slots(spec, shape.threads) + beside_points));
}

}  // namespace

namespace {

/// Of a group that moves its sequences as one run.
std::uint32_t sequences_of_run(const KernelSpec& spec, const DeviceLimits& limits) {
    if (spec.n >= long_in_thread && support::is_prime(spec.n)) return run_of_long_in_thread;
    const std::uint32_t least = std::max(least_run_together, limits.subgroup_size);
    return std::clamp(points_of_run_together / spec.n, least, wanted_group);
}

/// Of r2c and c2r in several stages: groups of 64 threads, or of twice as many where a quarter of their lanes would
/// idle. Those that move one run have as many sequences as other runs where butterflies are small, and of floats where
/// they are the largest. Measured on an H100,
/// of copy, r2c in groups of 32 sequences and in these: pairs of floats 161 (23 x 7) 0.69 and 0.97, 133 0.94 and 1.01,
/// of doubles 217 (31 x 7) 0.65 and 0.96, 115 0.71 and 0.95; but of floats 259 (37 x 7) 0.86 and 0.79. c2r in groups of
/// 64 threads at most and in these: 145 (29 x 5) 0.62 and 0.82, 25 0.97 and 1.08, 259 0.60 and 0.78, of doubles 95 0.88
/// and 0.96, but 45 1.05 and 1.01. Without runs r2c of 120 pairs of floats, in 10 threads each, 0.95 and 1.03.
std::uint32_t sequences_of_spectrum(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    constexpr std::uint32_t largest_of_runs = 16, largest_of_few = 31, of_idle = 4;
    const std::uint32_t largest = *std::max_element(spec.radices.begin(), spec.radices.end());
    const bool is_large = spec.precision == Precision::f32 && largest > largest_of_few;
    const bool has_run = shape.load_order == ThreadOrder::flat || (is_large && shape.store_order == ThreadOrder::flat);
    if (has_run && (largest <= largest_of_runs || is_large)) return sequences_of_run(spec, limits);
    const std::uint32_t count = std::max(1u, std::bit_floor(wanted_real_group / shape.threads));
    const std::uint32_t group = count * shape.threads, lanes = limits.subgroup_size;
    const std::uint32_t all = (group + lanes - 1) / lanes * lanes;
    return group <= wanted_real_group && of_idle * (all - group) >= all ? 2 * count : count;
}

/// Whether each thread has a whole sequence and a place for both parts: it puts its results where its points were.
/// Measured on an H200, of copy, both at once and one part after the other: 53 points 0.96 and 0.95, 61 0.88 and 0.87,
/// but 43 0.98 and 0.99, 47 0.84 and 0.97.
bool has_places_of_its_own(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    const bool is_whole = shape.load_order == ThreadOrder::flat && !is_convolution(spec) && shape.threads == 1;
    const std::uint64_t both = 2 * plane_bytes(spec.n, spec.precision) * shape.sequences;
    const std::uint64_t touched = std::uint64_t{2} * (spec.n + 1) * real_bytes(spec.precision) * shape.sequences;
    const bool is_faster_apart =
        spec.n < long_in_thread && support::is_prime(spec.n) && spec.precision == Precision::f32;
    return is_whole && !is_faster_apart && both <= limits.shared_bytes &&
           limits.shared_bytes_per_unit / touched * shape.sequences >= wanted_rewriting_threads_of_unit;
}

/// Short real-to-real sequences that lie apart on both sides take whole lines of memory in larger groups. Measured on
/// an H100, of copy, by runs of 64 and of 128 bytes: types II to IV of 64^3 0.27 and 0.32, 128^3 0.26 and 0.31, 256^3
/// 0.27 and 0.31, 256 x 256 0.43 and 0.47, 512 x 512 0.44 and 0.47; but columns of 480, in groups of 480, 0.42 and
/// 0.41.
bool gains_by_lines(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    constexpr std::uint32_t largest_of_twos = 512, largest = 400;
    const std::uint32_t largest_group = std::has_single_bit(spec.n) ? largest_of_twos : largest;
    return is_of_measured_kind(limits) && is_real(spec) && spec.convolution.prime == 0 && spec.in.is_real() &&
           spec.out.is_real() && has_closer_sequences(spec, true) && has_closer_sequences(spec, false) &&
           2 * wanted_run(spec) * shape.threads <= largest_group;
}

}  // namespace

std::uint32_t wanted_run(const KernelSpec& spec) {
    std::uint32_t run = 1;
    if (has_closer_sequences(spec, true)) run = std::max(1u, run_bytes / point_bytes(spec, true));
    if (has_closer_sequences(spec, false)) run = std::max(run, run_bytes / point_bytes(spec, false));
    return run;
}

std::uint32_t neighbours_of(const KernelSpec& spec, const DeviceLimits& limits) {
    constexpr std::uint32_t most_points = 128;  // of a thread
    const bool has_room = 2 * plane_bytes(spec.n, spec.precision) <= limits.shared_bytes;
    const std::uint32_t radix = *std::max_element(spec.radices.begin(), spec.radices.end());
    if (!has_room || spec.precision != Precision::f32) return 1;
    std::uint32_t count = most_neighbours;
    while (count > 1 && (count * radix > most_points || !kernels::can_exchange_neighbours(spec, count))) count /= 2;
    return count;
}

namespace {

/// Columns whose butterflies, of primes above the usual, spill where a group has more than eight subgroups: counted by
/// the assembler, 1073 points (37 x 29) in groups of 296 threads 848 bytes, of 148 216.
bool are_too_many_doubles(const KernelSpec& spec, std::uint32_t group) {
    constexpr std::uint32_t largest_usual = 31;
    const bool is_large = *std::max_element(spec.radices.begin(), spec.radices.end()) > largest_usual;
    return is_large && wanted_run(spec) > 1 && spills_doubles(spec.radices, spec.precision, group);
}

bool has_stages(const KernelSpec& spec) {
    return std::count_if(spec.radices.begin(), spec.radices.end(), [](std::uint32_t r) { return r > 1; }) > 1;
}

/// See wanted_dense_group.
bool waits_in_small_groups(const KernelSpec& spec, const GroupShape& shape) {
    const bool may_gain = register_bytes(spec.precision) == 4 ||
                          (spec.precision == Precision::f64 && shape.threads < 2 * wanted_dense_group);
    return may_gain && !shape.one_by_one && !is_real(spec) && !is_convolution(spec) && wanted_run(spec) == 1 &&
           has_stages(spec);
}

}  // namespace

void choose_sequences(const KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning, GroupShape& shape) {
    const std::uint64_t plane = plane_bytes(std::max(spec.convolution.prime, spec.n), spec.precision);
    const std::uint32_t most_threads = std::max(1u, limits.max_group_size / shape.threads);
    const std::uint64_t least = is_real(spec) || shape.neighbours > 1 ? 2 * plane : plane;
    const auto most_shared = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, limits.shared_bytes / least));
    const std::uint32_t least_threads = shape.neighbours > 1   ? wanted_group_of_neighbours
                                        : shape.one_by_one     ? wanted_cpu_group
                                        : is_convolution(spec) ? wanted_convolved_group
                                        : is_real(spec)        ? wanted_real_group
                                                               : wanted_group;
    std::uint32_t wanted = std::max({shared_run(spec, limits, shape.threads), least_threads / shape.threads, 1u});
    // A prime's threads that are a subgroup, or half of one, wait for nobody beside them. Measured on an H200: 257
    // points went from 0.48 of copy to 0.58, in f64 from 0.49 to 0.62.
    const bool is_subgroup = spec.convolution.prime && limits.subgroup_size % shape.threads == 0 &&
                             2 * shape.threads >= limits.subgroup_size && !shape.one_by_one;
    if (is_subgroup && !is_real(spec) && wanted_run(spec) == 1) wanted = limits.subgroup_size / shape.threads;
    if (waits_in_small_groups(spec, shape))
        wanted = std::bit_ceil((wanted_dense_group + shape.threads - 1) / shape.threads);
    const bool is_run_together = shape.load_order == ThreadOrder::flat && !is_convolution(spec);
    if (is_run_together) wanted = sequences_of_run(spec, limits);
    if (is_of_spectrum(spec) && has_stages(spec) && limits.bounds_registers)
        wanted = sequences_of_spectrum(spec, limits, shape);
    if (gains_by_lines(spec, limits, shape)) wanted = std::max(wanted, 2 * wanted_run(spec));
    if (shape.columns_meet)
        wanted = std::max(wanted, std::min(2 * wanted_run(spec), std::max(1u, folded_group / shape.threads)));
    wanted = wanted_run(spec) == 1 && !is_run_together ? std::bit_floor(wanted) : std::bit_ceil(wanted);
    while (wanted > 1 && are_too_many_doubles(spec, shape.threads * wanted)) wanted /= 2;
    shape.sequences = std::min({wanted, std::bit_floor(most_threads), std::bit_floor(most_shared)});
    if (tuning.transforms_per_group) shape.sequences = tuning.transforms_per_group;
    const std::uint64_t both = 2 * plane * shape.sequences;
    const bool needs_both = is_real(spec);
    const std::uint32_t lone = is_convolution(spec) ? lone_two_plane_bytes_convolved : lone_two_plane_bytes;
    const std::uint64_t most = std::min(shape.sequences == 1 ? lone : two_plane_bytes, limits.shared_bytes);
    const std::uint64_t threads_of_unit = limits.shared_bytes_per_unit / both * shape.threads * shape.sequences;
    const bool is_of_two = spec.radices.size() == 2 && access_bytes(spec, false) < 2 * real_bytes(spec.precision);
    const bool may_trail =
        limits.bounds_registers && spec.n <= (is_of_two ? 2 * longest_trailing_pass : longest_trailing_pass);
    const bool wants_more = wanted_run(spec) > 1 && !may_trail;
    const std::uint32_t wanted_threads = wants_more ? wanted_strided_threads_of_unit : wanted_threads_of_unit;
    const bool has_room = shape.one_by_one || threads_of_unit >= wanted_threads;
    shape.planes = needs_both || (both <= most && has_room) || has_places_of_its_own(spec, limits, shape) ? 2 : 1;
    const bool needs_shared = spec.radices.size() > 1 || needs_both;
    const std::uint32_t pieces = needs_both ? 1 : pieces_with_room(spec.n, spec.precision, limits);
    if (shape.sequences == 1 && both / (3 - shape.planes) > limits.shared_bytes && pieces != 0 &&
        kernels::can_exchange_in_pieces(spec, pieces))
        shape.pieces = pieces;
    if (shape.threads * shape.sequences > limits.max_group_size ||
        (needs_shared && both / (3 - shape.planes) / shape.pieces > limits.shared_bytes)) {
        throw Unsupported("a group of " + std::to_string(shape.threads) + " x " + std::to_string(shape.sequences) +
                          " threads for n = " + std::to_string(spec.n) + ": expected at most " +
                          std::to_string(limits.max_group_size) + " threads and " +
                          std::to_string(limits.shared_bytes) + " bytes of shared memory");
    }
}

namespace {

/// Left to itself the compiler takes few registers for rows of floats of radices that are no powers of two: 343 points
/// 32, 2187 34, 1331 40, and with as many groups asked for as have 64 each 48, 48 and 64. Measured on an H100, of copy,
/// so and so: 343 points 1.00 and 1.02, 1000 1.01 and 1.02, 1331 0.99 and 1.00, 2187 0.98 and 0.99, out of the cache
/// 1.08, 1.00, 1.01 and 1.10 times as fast; halves of 1000 0.93 and 0.90.
std::uint32_t groups_with_registers(const KernelSpec& spec, std::uint32_t group, const DeviceLimits& limits) {
    constexpr std::uint32_t shortest = 300, registers = 72;
    const bool is_plain = spec.precision == Precision::f32 && !is_real(spec) && !std::has_single_bit(spec.n) &&
                          kernels::element_bytes(spec, true) == 2 * real_bytes(spec.precision) &&
                          kernels::element_bytes(spec, false) == 2 * real_bytes(spec.precision);
    if (!is_of_measured_kind(limits) || !is_plain || spec.n < shortest) return 0;
    return registers_per_unit / (group * registers) + 1;
}

/// Rows of doubles of several stages, in groups of one sequence.
bool has_large_radices_of_doubles(const KernelSpec& spec, const GroupShape& shape) {
    constexpr std::uint32_t largest = 32;
    const std::uint32_t radix = *std::max_element(spec.radices.begin(), spec.radices.end());
    return spec.precision == Precision::f64 && (!is_real(spec) || is_of_spectrum(spec)) && wanted_run(spec) == 1 &&
           shape.sequences == 1 && spec.radices.size() > 2 && radix > largest_radix && radix <= largest;
}

/// As many groups as a unit's four parts have registers for: asked for one, the compiler takes what it likes. Measured
/// on an H100, 123 lengths from 500 to 5400 are 1.08 times as fast so in the geometric mean by the estimate of an H200
/// (docs/performance.md, "Doubles of any length"); with 24 registers beside the points, of which some spill, 1.075. A
/// prime's butterfly, with sums and differences beside its points, wants more from 29 on: r2c of 3306 numbers (29 x 19
/// x 3) 0.62 of copy and 0.84, 2668 points (29 x 23 x 4) 0.78 and 0.99, 1856 (29 x 8 x 8 in 64 threads) 0.81 and 1.02.
std::uint32_t groups_of_doubles(const KernelSpec& spec, const GroupShape& shape, const DeviceLimits& limits) {
    constexpr std::uint32_t of_point = 4, lanes = 32, large_prime = 29, beside_sums = 56;
    const std::uint32_t radix = *std::max_element(spec.radices.begin(), spec.radices.end());
    const bool has_sums = radix >= large_prime && support::is_prime(radix);
    const std::uint32_t registers =
        of_point * points_in_slots(spec, shape.threads) + (has_sums ? beside_sums : registers_beside_doubles);
    const std::uint64_t exchanged = std::uint64_t{shape.planes} * spec.n / shape.pieces * real_bytes(spec.precision);
    const auto in_shared = static_cast<std::uint32_t>(limits.shared_bytes / exchanged);
    return std::max(1u, std::min(subgroups_of_unit(registers) / ((shape.threads + lanes - 1) / lanes), in_shared));
}

}  // namespace

std::uint32_t least_groups(const KernelSpec& spec, const GroupShape& shape, const DeviceLimits& limits) {
    const std::uint32_t real = real_bytes(spec.precision), group = shape.threads * shape.sequences;
    const std::uint32_t in_registers = register_bytes(spec.precision);
    const std::uint32_t points = points_in_slots(spec, shape.threads);
    const std::uint32_t needed =
        2 * points * in_registers / 4 +
        (has_no_twiddle(spec.in.stages) ? registers_beside_points : registers_beside_twiddles) +
        (spec.precision == Precision::f16 ? registers_beside_halves : 0);
    const std::uint64_t exchanged = std::uint64_t{shape.planes} * spec.n / shape.pieces * real * shape.sequences;
    const bool would_be_alone = registers_per_unit / (2 * group) < 32 * in_registers;
    // A prime's butterfly has sums and differences of its points beside them: where that is tight, asked for one group
    // the compiler spills the least.
    const std::uint32_t radix = *std::max_element(spec.radices.begin(), spec.radices.end());
    const bool is_tight = in_registers > 4 || group > wanted_group;
    // Measured on an H200, of copy, in one group and in two: 592 points (37 x 16) 0.72 and 0.85, 1849 (43 x 43) 0.46
    // and 0.58, 3008 (47 x 8 x 8) 0.65 and 0.73, but 848 (53 x 16) 0.71 and 0.47.
    constexpr std::uint32_t largest_usual = 31, largest_in_two_groups = 47;
    if (spec.precision == Precision::f64x2) return 1;
    if (is_long(spec.radices, {spec.n, false, is_convolution(spec), spec.precision}, limits) && shape.sequences == 1)
        return groups_of_long(spec.radices, spec.n, shape.threads);
    if (is_convolution(spec)) return groups_of_convolution(spec, shape);
    if (has_large_radices_of_doubles(spec, shape)) return groups_of_doubles(spec, shape, limits);
    if (radix > largest_usual && radix <= largest_in_two_groups && spec.n > radix && !is_tight) return 2;
    if (radix > largest_radix) return is_tight || group < wanted_group ? 1 : 0;
    if (wanted_run(spec) == 1 && !would_be_alone) return groups_with_registers(spec, group, limits);
    constexpr std::uint32_t most = 4;
    const std::uint64_t by_registers = registers_per_unit / (group * needed);
    const std::uint32_t room = registers_per_unit / (2 * group);
    const bool may_lack = spec.precision == Precision::f64 && wanted_run(spec) == 1;
    const bool may_be_two = may_lack && by_registers == 1 && needed <= room + registers_that_may_lack;
    const auto groups = std::min<std::uint64_t>(may_be_two ? 2 : by_registers, limits.shared_bytes / exchanged);
    return groups < 2 ? 0 : std::min(most, static_cast<std::uint32_t>(groups));
}

bool has_few_registers(const KernelSpec& spec, const GroupShape& shape, const DeviceLimits& limits) {
    constexpr std::uint32_t few = 64;
    const std::uint32_t points = 2 * points_in_slots(spec, shape.threads) * register_bytes(spec.precision) / 4;
    return limits.registers_per_thread <= few || 2 * points > limits.registers_per_thread;
}

}  // namespace seiche::planner
