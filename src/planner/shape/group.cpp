// Sequences of a GPU's group, from what fills sectors and subgroups, and how many groups should be resident.
#include <algorithm>
#include <bit>

#include "planner/device_model.hpp"
#include "planner/measured/rules.hpp"
#include "planner/model/cores.hpp"
#include "planner/model/groups.hpp"
#include "planner/model/processors.hpp"
#include "planner/model/registers.hpp"
#include "planner/shape/parts.hpp"
#include "support/layout.hpp"
#include "support/primes.hpp"

namespace seiche::planner {

std::uint32_t most_points_of_thread(const kernels::KernelSpec& spec, std::uint32_t threads) {
    return most_points_of_thread(spec.radices, spec.n, threads);
}

bool has_tile_of_one_part(const kernels::KernelSpec& spec) {
    const auto& shape = std::get<kernels::GroupShape>(spec.shape);
    const bool is_complex = !is_real(spec) && spec.runs_once() && !spec.is_converted();
    return is_complex && spec.precision == Precision::f32 && !std::has_single_bit(spec.n) &&
           shape.exchange.components == 1 && shape.sequences == full_exchange::sequences_of_large_tile;
}

bool spills_doubles(const std::vector<std::uint32_t>& radices, Precision precision, std::uint32_t group) {
    const std::uint32_t largest = *std::max_element(radices.begin(), radices.end());
    return precision == Precision::f64 && largest >= primes::shortest_that_spills &&
           subgroups_of_group(group) >
               subgroups_of_unit(registers_of_point(Precision::f64) * largest + registers_beside::pass.doubles);
}

namespace {

using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::ThreadOrder;

/// Bytes of neighbouring sequences' points, with mirrored ones' between.
std::uint32_t point_bytes(const KernelSpec& spec, bool input) {
    const kernels::Folded* fold = spec.side(input).folded();
    const std::uint32_t access = access_bytes(spec, input);
    if (!fold) return access;
    const std::uint32_t number = spec.side(input).is_real() ? access : access / 2;
    const bool is_type_4 = fold->kind == Kind::dct4 || fold->kind == Kind::dst4;
    return number * (is_type_4 != fold->is_odd() ? 2 : 4);
}

/// Complex points apart on one side take one sector's neighbours where two would leave a lone group: of two groups one
/// loads while the other computes. Apart on both sides, with bounded registers, two sectors are worth more. A prime's
/// doubles take one where registers lack. Measured: LAB-0023.
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
        const bool has_many = has_unbounded_registers(limits) && spec.n >= occupancy::points_of_unbounded * threads;
        return 2 * weight > limits.max_group_size || (has_many && weight >= occupancy::group_of_unbounded);
    };
    while (!is_convolution(spec) && !is_real(spec) && run > sector && would_be_alone(run)) run /= 2;
    return run;
}

std::ptrdiff_t stages_of_prime(const KernelSpec& spec) {
    if (spec.convolution.prime == 0) return 0;
    return std::count_if(spec.radices.begin(), spec.radices.end(), [](std::uint32_t radix) { return radix > 1; });
}

/// Small radices in many stages wait often: fewer registers and more resident threads gain, even with some spills; not
/// so few that a thread's points do not fit, nor with butterflies of 17 points and more. Measured: LAB-0026.
std::uint32_t most_registers_of_doubles(const KernelSpec& spec, const GroupShape& shape) {
    const std::ptrdiff_t stages = stages_of_prime(spec);
    const std::uint32_t radix = *std::max_element(spec.radices.begin(), spec.radices.end());
    if (stages < occupancy::few_stages_of_prime || radix > occupancy::largest_radix_of_prime) return UINT32_MAX;
    const bool has_more = stages > occupancy::few_stages_of_prime && spec.n >= occupancy::shortest_of_many_stages;
    return std::max(has_more ? registers::of_many_stages : registers::of_three_stages,
                    registers_of_point(Precision::f64) * most_points_of_thread(spec, shape.threads) +
                        registers_beside::convolution_of_many_stages.doubles);
}

/// A convolution keeps places and factors beside its points. The compiler alone takes few registers for floats and all
/// for doubles, so that few groups are resident. Measured: LAB-0026.
std::uint32_t groups_of_convolution(const KernelSpec& spec, const GroupShape& shape) {
    const std::uint32_t group = shape.threads * shape.sequences, subgroups = subgroups_of_group(group);
    const auto with_registers = [&](std::uint32_t needed) {
        return std::max(1u, subgroups_of_unit(needed) / subgroups);
    };
    const bool is_wide = register_bytes(spec.precision) > 4, is_strided = support::magnitude(spec.in.stride) > 1;
    const std::uint32_t radix = *std::max_element(spec.radices.begin(), spec.radices.end());
    const auto beside = registers_beside::convolution;
    if (is_wide) return with_registers(std::min(4 * radix + beside.doubles, most_registers_of_doubles(spec, shape)));
    if (is_strided && group >= group_threads::wanted) return with_registers(4 * radix + beside.floats);
    if (group <= group_threads::wanted) return 0;
    if (stages_of_prime(spec) <= occupancy::few_stages_of_prime) return 1;
    return with_registers(std::max(registers::of_many_stages, 2 * most_points_of_thread(spec, shape.threads) +
                                                                  registers_beside::convolution_of_many_stages.floats));
}

}  // namespace

namespace {

std::uint32_t sequences_of_run(const KernelSpec& spec, const DeviceLimits& limits) {
    if (spec.n >= run_together::long_prime && support::is_prime(spec.n)) return run_together::of_long_prime;
    const std::uint32_t least = std::max(run_together::least, limits.subgroup_size);
    return std::clamp(run_together::points / spec.n, least, group_threads::wanted);
}

/// r2c and c2r in several stages: groups of 64 threads, or of 128 where a quarter of the lanes would idle. One run has
/// as many sequences as others where butterflies are small, or large in floats. Measured: LAB-0023.
std::uint32_t sequences_of_spectrum(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    const std::uint32_t largest = *std::max_element(spec.radices.begin(), spec.radices.end());
    const bool is_large = spec.precision == Precision::f32 && largest > spectrum_rows::largest_of_few;
    const bool has_run = shape.load_order == ThreadOrder::flat || (is_large && shape.store_order == ThreadOrder::flat);
    if (has_run && (largest <= spectrum_rows::largest_of_runs || is_large)) return sequences_of_run(spec, limits);
    const std::uint32_t count = std::max(1u, std::bit_floor(group_threads::wanted_real / shape.threads));
    const std::uint32_t group = count * shape.threads, lanes = limits.subgroup_size;
    const std::uint32_t all = (group + lanes - 1) / lanes * lanes;
    const bool has_idle = spectrum_rows::lanes_of_idle * (all - group) >= all;
    return group <= group_threads::wanted_real && has_idle ? 2 * count : count;
}

/// Whether each thread has a whole sequence and overwrites its points with results. Measured: LAB-0024.
bool has_places_of_its_own(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    const bool is_whole = shape.load_order == ThreadOrder::flat && !is_convolution(spec) && shape.threads == 1;
    const std::uint64_t both = 2 * component_bytes(spec.n, spec.precision) * shape.sequences;
    const std::uint64_t touched = std::uint64_t{2} * (spec.n + 1) * real_bytes(spec.precision) * shape.sequences;
    const bool is_faster_apart =
        spec.n < run_together::long_prime && support::is_prime(spec.n) && spec.precision == Precision::f32;
    return is_whole && !is_faster_apart && both <= limits.shared_bytes &&
           limits.shared_bytes_per_unit / touched * shape.sequences >= occupancy::wanted_rewriting_threads_of_unit;
}

/// Short real-to-real sequences apart on both sides take whole cache lines, in larger groups. Measured: LAB-0029.
bool gains_by_lines(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    const std::uint32_t largest_group =
        std::has_single_bit(spec.n) ? group_threads::most_in_lines_of_twos : group_threads::most_in_lines;
    return holds(Rule::whole_lines_of_real_columns, limits) && is_real(spec) && spec.convolution.prime == 0 &&
           spec.in.is_real() && spec.out.is_real() && has_closer_sequences(spec, true) &&
           has_closer_sequences(spec, false) && 2 * wanted_run(spec) * shape.threads <= largest_group;
}

}  // namespace

std::uint32_t wanted_run(const KernelSpec& spec) {
    std::uint32_t run = 1;
    if (has_closer_sequences(spec, true)) run = std::max(1u, run_bytes / point_bytes(spec, true));
    if (has_closer_sequences(spec, false)) run = std::max(run, run_bytes / point_bytes(spec, false));
    return run;
}

std::uint32_t neighbours_of(const KernelSpec& spec, const DeviceLimits& limits) {
    const bool has_room = 2 * component_bytes(spec.n, spec.precision) <= limits.shared_bytes;
    const std::uint32_t radix = *std::max_element(spec.radices.begin(), spec.radices.end());
    if (!has_room || spec.precision != Precision::f32) return 1;
    std::uint32_t count = scalarised::most_neighbours;
    const auto fits = [&] {
        return count * radix <= scalarised::most_points_of_neighbours && kernels::can_exchange_neighbours(spec, count);
    };
    while (count > 1 && !fits()) count /= 2;
    return count;
}

namespace {

/// Columns with butterflies of primes above the usual spill in groups of more than eight subgroups. Measured: LAB-0025.
bool are_too_many_doubles(const KernelSpec& spec, std::uint32_t group) {
    const bool is_large = *std::max_element(spec.radices.begin(), spec.radices.end()) > primes::largest_in_large_groups;
    return is_large && wanted_run(spec) > 1 && spills_doubles(spec.radices, spec.precision, group);
}

bool has_stages(const KernelSpec& spec) {
    return std::count_if(spec.radices.begin(), spec.radices.end(), [](std::uint32_t r) { return r > 1; }) > 1;
}

bool waits_in_small_groups(const KernelSpec& spec, const GroupShape& shape) {
    const bool may_gain = register_bytes(spec.precision) == 4 ||
                          (spec.precision == Precision::f64 && shape.threads < 2 * group_threads::wanted_dense);
    return may_gain && !shape.is_scalarised && !is_real(spec) && !is_convolution(spec) && wanted_run(spec) == 1 &&
           has_stages(spec);
}

}  // namespace

std::uint32_t spread_over_units(const KernelSpec& spec, std::uint32_t wanted, const DeviceLimits& limits) {
    const std::uint64_t all = support::size(spec.loops), bytes = 2 * real_bytes(spec.precision);
    const bool is_known = spec.precision == Precision::f32 || spec.precision == Precision::f64;
    const bool is_complex = kernels::element_bytes(spec, true) == bytes && kernels::element_bytes(spec, false) == bytes;
    if (wanted_run(spec) == 1 || is_real(spec) || is_convolution(spec) || !is_known || !is_complex ||
        !holds(Rule::blocks_for_all_units, limits))
        return wanted;
    // Each half of a planar array has runs of its own.
    const std::uint32_t accessed = std::min(kernels::access_bytes(spec, true), kernels::access_bytes(spec, false));
    const std::uint32_t least = std::max(1u, limits.sector_bytes / accessed);
    const auto groups = [all](std::uint32_t sequences) { return (all + sequences - 1) / sequences; };
    while (wanted >= 2 * least && wanted % 2 == 0 && groups(wanted / 2) <= limits.compute_units) wanted /= 2;
    return wanted;
}

namespace {

/// Sequences of a group, as far as it holds them.
std::uint32_t wanted_sequences(const KernelSpec& spec, const DeviceLimits& limits, const GroupShape& shape) {
    const std::uint32_t least_threads = shape.exchange.neighbours > 1 ? scalarised::wanted_group_of_neighbours
                                        : shape.is_scalarised         ? scalarised::wanted_group
                                        : is_convolution(spec)        ? group_threads::wanted_convolved
                                        : is_real(spec)               ? group_threads::wanted_real
                                                                      : group_threads::wanted;
    std::uint32_t wanted = std::max({shared_run(spec, limits, shape.threads), least_threads / shape.threads, 1u});
    // A prime's threads that are a subgroup, or half of one, wait for nobody else. Measured: LAB-0026.
    const bool is_subgroup = spec.convolution.prime && limits.subgroup_size % shape.threads == 0 &&
                             2 * shape.threads >= limits.subgroup_size && !shape.is_scalarised;
    if (is_subgroup && !is_real(spec) && wanted_run(spec) == 1) wanted = limits.subgroup_size / shape.threads;
    if (waits_in_small_groups(spec, shape))
        wanted = std::bit_ceil((group_threads::wanted_dense + shape.threads - 1) / shape.threads);
    const bool is_run_together = shape.load_order == ThreadOrder::flat && !is_convolution(spec);
    if (is_run_together) wanted = sequences_of_run(spec, limits);
    if (is_of_spectrum(spec) && has_stages(spec) && limits.bounds_registers)
        wanted = sequences_of_spectrum(spec, limits, shape);
    if (gains_by_lines(spec, limits, shape)) wanted = std::max(wanted, 2 * wanted_run(spec));
    if (shape.has_mirrors_in_group())
        wanted = std::max(wanted,
                          std::min(2 * wanted_run(spec), std::max(1u, group_threads::wanted_mirrored / shape.threads)));
    wanted = wanted_run(spec) == 1 && !is_run_together ? std::bit_floor(wanted) : std::bit_ceil(wanted);
    while (wanted > 1 && are_too_many_doubles(spec, shape.threads * wanted)) wanted /= 2;
    return shape.has_mirrors_in_group() ? wanted : spread_over_units(spec, wanted, limits);
}

/// Whether the real and imaginary parts of so many bytes are exchanged at once.
bool exchanges_both(const KernelSpec& spec, std::uint64_t both, const DeviceLimits& limits, const GroupShape& shape) {
    const std::uint32_t lone = is_convolution(spec) ? full_exchange::lone_bytes_convolved : full_exchange::lone_bytes;
    const std::uint64_t most = std::min(shape.sequences == 1 ? lone : full_exchange::bytes, limits.shared_bytes);
    const std::uint64_t threads_of_unit = limits.shared_bytes_per_unit / both * shape.threads * shape.sequences;
    const bool is_of_two = spec.radices.size() == 2 && access_bytes(spec, false) < 2 * real_bytes(spec.precision);
    const bool may_pipeline =
        limits.bounds_registers && spec.n <= (is_of_two ? 2u : 1u) * occupancy::longest_pipelined_pass;
    const bool wants_more = wanted_run(spec) > 1 && !may_pipeline;
    const std::uint32_t wanted_threads =
        wants_more ? occupancy::wanted_strided_threads_of_unit : occupancy::wanted_threads_of_unit;
    const bool has_room = shape.is_scalarised || threads_of_unit >= wanted_threads;
    return is_real(spec) || (both <= most && has_room) || has_places_of_its_own(spec, limits, shape);
}

}  // namespace

Refusal choose_sequences(const KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning, GroupShape& shape) {
    const std::uint64_t plane = component_bytes(std::max(spec.convolution.prime, spec.n), spec.precision);
    const std::uint32_t most_threads = std::max(1u, limits.max_group_size / shape.threads);
    const std::uint64_t least = is_real(spec) || shape.exchange.neighbours > 1 ? 2 * plane : plane;
    const auto most_shared = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, limits.shared_bytes / least));
    const std::uint32_t wanted = wanted_sequences(spec, limits, shape);
    shape.sequences = std::min({wanted, std::bit_floor(most_threads), std::bit_floor(most_shared)});
    if (tuning.transforms_per_group) shape.sequences = tuning.transforms_per_group;
    const std::uint64_t both = 2 * plane * shape.sequences;
    shape.exchange.components = exchanges_both(spec, both, limits, shape) ? 2 : 1;
    const bool needs_both = is_real(spec);
    const bool needs_shared = spec.radices.size() > 1 || needs_both;
    const std::uint32_t chunks = needs_both ? 1 : chunks_that_fit(spec.n, spec.precision, limits);
    if (shape.sequences == 1 && both / (3 - shape.exchange.components) > limits.shared_bytes && chunks != 0 &&
        kernels::can_exchange_in_chunks(spec, chunks))
        shape.exchange.chunks = chunks;
    if (shape.threads * shape.sequences <= limits.max_group_size &&
        !(needs_shared && both / (3 - shape.exchange.components) / shape.exchange.chunks > limits.shared_bytes))
        return std::nullopt;
    return "a group of " + std::to_string(shape.threads) + " x " + std::to_string(shape.sequences) +
           " threads for n = " + std::to_string(spec.n) + ": expected at most " +
           std::to_string(limits.max_group_size) + " threads and " + std::to_string(limits.shared_bytes) +
           " bytes of shared memory";
}

namespace {

/// Rows of floats for which the compiler alone takes too few registers: as many groups as a group of whole subgroups
/// leaves registers for, or more where fewer threads than lanes leave theirs, as long as a thread's points fit.
/// Measured: LAB-0023, LAB-0114.
std::uint32_t groups_with_registers(const KernelSpec& spec, const GroupShape& shape, const DeviceLimits& limits) {
    const bool is_complex = spec.precision == Precision::f32 && !is_real(spec) && !std::has_single_bit(spec.n) &&
                            kernels::element_bytes(spec, true) == 2 * real_bytes(spec.precision) &&
                            kernels::element_bytes(spec, false) == 2 * real_bytes(spec.precision);
    const bool may_bound = limits.bounds_registers && holds(Rule::bounded_registers_of_rows, limits);
    if (!may_bound || !is_complex || spec.n < occupancy::shortest_of_bounded_rows) return 0;
    const std::uint32_t group = shape.threads * shape.sequences;
    const std::uint32_t points = most_points_of_thread(spec, shape.threads);
    const std::uint32_t wanted =
        registers_of_point(spec.precision) * points + registers_beside::bounded_rows.of(spec.precision);
    std::uint32_t groups = registers_per_unit / (group * registers::of_bounded_rows) + 1;
    while (groups > 1 && registers_beside_others(group, groups) < wanted) --groups;
    return groups;
}

/// Rows of doubles of several stages, in groups of one sequence.
bool has_large_radices_of_doubles(const KernelSpec& spec, const GroupShape& shape) {
    const std::uint32_t radix = *std::max_element(spec.radices.begin(), spec.radices.end());
    return spec.precision == Precision::f64 && (!is_real(spec) || is_of_spectrum(spec)) && wanted_run(spec) == 1 &&
           shape.sequences == 1 && spec.radices.size() > 2 && radix > cores::largest_radix &&
           radix <= occupancy::largest_radix_of_doubles;
}

/// As many groups as registers allow: asked for one, the compiler takes all. A prime's butterfly from 29 on needs more,
/// for its sums and differences. Measured: LAB-0023.
std::uint32_t groups_of_doubles(const KernelSpec& spec, const GroupShape& shape, const DeviceLimits& limits) {
    const std::uint32_t radix = *std::max_element(spec.radices.begin(), spec.radices.end());
    const bool has_sums = radix >= primes::shortest_with_sums && support::is_prime(radix);
    const auto beside = has_sums ? registers_beside::large_prime : registers_beside::large_radices;
    const std::uint32_t needed =
        registers_of_point(Precision::f64) * most_points_of_thread(spec, shape.threads) + beside.doubles;
    const std::uint64_t exchanged =
        std::uint64_t{shape.exchange.components} * spec.n / shape.exchange.chunks * real_bytes(spec.precision);
    const auto in_shared = static_cast<std::uint32_t>(limits.shared_bytes / exchanged);
    return std::max(1u, std::min(subgroups_of_unit(needed) / subgroups_of_group(shape.threads), in_shared));
}

}  // namespace

std::uint32_t least_groups(const KernelSpec& spec, const GroupShape& shape, const DeviceLimits& limits) {
    const std::uint32_t real = real_bytes(spec.precision), group = shape.threads * shape.sequences;
    const std::uint32_t in_registers = register_bytes(spec.precision);
    const std::uint32_t points = most_points_of_thread(spec, shape.threads);
    const auto beside = has_no_twiddle(spec.in.stages) ? registers_beside::pass : registers_beside::pass_with_twiddles;
    const std::uint32_t needed =
        2 * points * in_registers / 4 + beside.of(spec.precision) +
        (spec.precision == Precision::f16 ? registers_beside::more_for_packing.of(spec.precision) : 0);
    const std::uint64_t exchanged =
        std::uint64_t{shape.exchange.components} * spec.n / shape.exchange.chunks * real * shape.sequences;
    const bool would_be_alone = registers_per_unit / (2 * group) < 32 * in_registers;
    // A prime's butterfly has sums and differences beside its points: where that is tight, asking for one group spills
    // least.
    const std::uint32_t radix = *std::max_element(spec.radices.begin(), spec.radices.end());
    const bool is_tight = in_registers > 4 || group > group_threads::wanted;
    if (spec.precision == Precision::f64x2) return 1;
    if (is_long(spec.radices, {spec.n, false, is_convolution(spec), spec.precision}, limits) && shape.sequences == 1)
        return groups_of_long(spec.radices, spec.n, shape.threads);
    if (is_convolution(spec)) return groups_of_convolution(spec, shape);
    if (has_large_radices_of_doubles(spec, shape)) return groups_of_doubles(spec, shape, limits);
    const bool is_of_two = radix > primes::largest_in_large_groups && radix <= primes::largest_in_two_groups;
    if (is_of_two && spec.n > radix && !is_tight) return 2;
    if (radix > cores::largest_radix) return is_tight || group < group_threads::wanted ? 1 : 0;
    if (wanted_run(spec) == 1 && !would_be_alone) return groups_with_registers(spec, shape, limits);
    const std::uint64_t by_registers = registers_per_unit / (group * needed);
    const std::uint32_t room = registers_per_unit / (2 * group);
    const bool may_lack = spec.precision == Precision::f64 && wanted_run(spec) == 1;
    const bool may_be_two = may_lack && by_registers == 1 && needed <= room + registers::that_may_lack;
    auto groups = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        {may_be_two ? 2 : by_registers, limits.shared_bytes / exchanged, occupancy::most_asked_groups}));
    // Each part of a compute unit has whole subgroups. Measured: LAB-0116.
    const auto is_short = [&] {
        return registers_beside_others(group, groups) + registers::that_may_lack_in_third < needed;
    };
    while (spec.precision == Precision::f64 && groups > 2 && is_short()) --groups;
    return groups < 2 ? 0 : groups;
}

bool has_few_registers(const KernelSpec& spec, const GroupShape& shape, const DeviceLimits& limits) {
    const std::uint32_t points = registers_of_points(spec, shape.threads);
    return limits.registers_per_thread <= registers::few || 2 * points > limits.registers_per_thread;
}

}  // namespace seiche::planner
