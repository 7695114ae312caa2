// Planes and cubes in one group: two or three axes in one kernel, each with as many threads as suit it. Real rows have
// one-sided spectra there (OnChip): half of the spectrum is transposed.
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>
#include <string>

#include "planner/device_model.hpp"
#include "planner/fuse/fuse.hpp"
#include "planner/fuse/group_axes.hpp"
#include "planner/fuse/group_convolution.hpp"
#include "planner/fuse/parts.hpp"
#include "planner/model/fusing.hpp"
#include "planner/model/registers.hpp"
#include "planner/shape/parts.hpp"
#include "planner/shape/shape.hpp"
#include "seiche/error.hpp"
#include "support/primes.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

namespace {

using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::Stage;
using kernels::ThreadOrder;

/// The same, or of one-sided rows, or the user's.
bool is_of_elements(const std::vector<Stage>& stages) {
    return std::all_of(stages.begin(), stages.end(), [](const Stage& stage) {
        const auto* one_sided = std::get_if<kernels::OneSided>(&stage);
        const bool is_users = std::holds_alternative<kernels::UserProgram>(stage);
        return one_sided ? one_sided->loop < 0 : is_users || is_pointwise({stage});
    });
}

/// Passes of a plane or a cube from `at` on, one of real rows, or all complex. Of an operator those of all axes but the
/// last come again behind it, in the other order.
struct GroupPasses {
    std::size_t at = 0, count = 3;
    std::optional<std::size_t> rows;  ///< The axis of one-sided ones, the first or the last.
    bool is_operator = false;

    std::size_t axes() const { return is_operator ? count / 2 + 1 : count; }
    std::size_t axis(std::size_t pass) const { return pass < axes() ? pass : count - 1 - pass; }
};

/// r2c rows come first, c2r rows last. At most so many passes.
std::optional<GroupPasses> find_group_passes(const std::vector<Step>& steps, std::size_t most) {
    const auto is_r2c = [](const Step& step) { return step.spec.in.is_real() && !step.spec.out.kept.ranges.empty(); };
    const auto is_c2r = [](const Step& step) { return step.spec.out.is_real() && !step.spec.in.kept.ranges.empty(); };
    if (steps.size() < 2) return std::nullopt;
    const std::size_t count = std::min(most, steps.size());
    if (is_r2c(steps.front())) return GroupPasses{0, count, 0};
    if (is_c2r(steps.back())) return GroupPasses{steps.size() - count, count, count - 1};
    return GroupPasses{0, count, std::nullopt};
}

/// Loops of each pass with the sequences of one transform, and those that are transposed from each to the next. Complex
/// and r2c rows come before the columns, c2r rows after.
struct TransposeOrder {
    std::array<std::array<std::size_t, 2>, 3> loops;  ///< Passes whose points the fastest loops of a pass have.
    std::array<std::uint32_t, 2> transposed;
};
constexpr TransposeOrder rows_first = {{{{1, 2}, {0, 2}, {0, 1}}}, {0, 1}};
constexpr TransposeOrder rows_last = {{{{2, 1}, {2, 0}, {1, 0}}}, {1, 0}};

/// Splits the passes' loops so that each has the sequences of one transform. False: they are no transposes of each
/// other.
bool divide_transforms(std::vector<Step>& passes, const GroupPasses& found, const std::vector<std::uint64_t>& lengths) {
    const bool has_planes = found.axes() == 2;
    const TransposeOrder& order = found.rows == found.axes() - 1 ? rows_last : rows_first;
    const auto points = [&](std::size_t k) { return found.rows == k ? lengths[k] / 2 + 1 : lengths[k]; };
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const std::size_t axis = found.axis(i);
        split_loops(passes[i].spec, points(has_planes ? 1 - axis : order.loops[axis][0]));
        if (!has_planes) split_loops(passes[i].spec, points(order.loops[axis][1]), 1);
    }
    for (std::size_t i = 0; i + 1 < passes.size(); ++i) {
        kernels::OnChip& on_chip = passes[i].spec.on_chip;
        on_chip.own_threads = true;
        on_chip.transposed_loop = has_planes ? 0 : order.transposed[std::min(found.axis(i), found.axis(i + 1))];
        if (!is_transposed(passes[i].spec, passes[i + 1].spec, on_chip.transposed_loop)) return false;
    }
    return true;
}

/// False, and the schedule is unchanged, where a group cannot hold what they share.
bool fuse_these(Schedule& schedule, const GroupPasses& found, bool is_in_place, const DeviceLimits& limits,
                OwnThreads which) {
    const auto begin = schedule.steps.begin() + static_cast<std::ptrdiff_t>(found.at);
    std::vector<Step> passes(begin, begin + static_cast<std::ptrdiff_t>(found.count));
    std::vector<std::uint64_t> lengths;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const KernelSpec& pass = passes[i].spec;
        const bool has_middle = found.is_operator && i + 1 == found.axes();
        if (has_bins(passes[i]) || (!pass.runs_once() && !has_middle) || !pass.convolution.channels.is_single() ||
            !is_of_elements(pass.in.stages))
            return false;
        if (i < found.axes()) lengths.push_back(pass.n);
        if (i > 0 && !may_pass_on_chip(passes[i - 1], passes[i])) return false;
    }
    GroupAxes axes = axes_of_group(lengths, found.rows, passes[0].spec.precision);
    axes.is_operator = found.is_operator;
    const bool is_plane = passes.size() == 2;
    if (is_plane && !found.rows && which == OwnThreads::where_faster && !axes.is_faster_in_rows()) return false;
    if (!holds(axes, limits) || !divide_transforms(passes, found, lengths)) return false;
    const bool is_given = passes[0].source == Role::input && passes.back().target == Role::output;
    const bool is_same = passes[0].source == passes.back().target || (is_in_place && is_given);
    Step fused = passes.back();
    for (std::size_t i = passes.size() - 1; i-- > 0;) fused = fuse(passes[i], fused, i == 0 && is_same);
    schedule.steps[found.at] = fused;
    schedule.steps.erase(begin + 1, begin + static_cast<std::ptrdiff_t>(found.count));
    return true;
}

}  // namespace

bool fuse_in_group(Schedule& schedule, bool is_in_place, const DeviceLimits& limits, OwnThreads which) {
    constexpr std::size_t axes = 3;
    const std::optional<GroupPasses> found = find_group_passes(schedule.steps, axes);
    if (!found) return false;
    if (fuse_these(schedule, *found, is_in_place, limits, which)) return true;
    // The planes of a cube that is too large.
    return found->count == axes &&
           fuse_these(schedule, *find_group_passes(schedule.steps, axes - 1), is_in_place, limits, which);
}

bool fuse_operator(Schedule& schedule, const DeviceLimits& limits) {
    const bool is_real = schedule.steps.front().spec.in.is_real();
    const GroupPasses all{0, schedule.steps.size(), is_real ? std::optional<std::size_t>(0) : std::nullopt, true};
    return all.count == 3 && fuse_these(schedule, all, false, limits, OwnThreads::anywhere);
}

namespace {

/// Whether the array of real numbers begins at a whole pair of them.
bool begins_at_pair(const problem::Canonical& problem, bool is_r2c) {
    return (is_r2c ? problem.input_byte_offset : problem.output_byte_offset) % (2 * problem.stored_bytes()) == 0;
}

/// Whether its planes are whole pairs apart.
bool repeats_in_pairs(const problem::Canonical& problem, bool is_r2c) {
    const auto is_even = [&](const problem::Loop& loop) {
        return (is_r2c ? loop.input_stride : loop.output_stride) % 2 == 0;
    };
    return (is_r2c ? problem.batch.input_distance : problem.batch.output_distance) % 2 == 0 &&
           std::all_of(problem.loops.begin(), problem.loops.end(), is_even);
}

/// Whether a thread has registers for a row of so many numbers and its butterflies.
bool has_registers_for_row(std::uint64_t n, Precision precision, const DeviceLimits& limits) {
    const std::uint64_t words = precision == Precision::f64 ? 2 : 1;
    return 3 * words * n / 2 + registers_beside::whole_row.of(precision) <= limits.registers_per_thread;
}

/// Whether both axes of such a plane can have butterflies of as many points in all threads.
bool may_pair_in_plane(std::uint64_t half, std::uint64_t columns) {
    const std::uint64_t common = std::gcd(half, columns);
    return support::is_smooth(half, static_cast<std::uint32_t>(common)) &&
           support::is_smooth(columns, static_cast<std::uint32_t>(common));
}

/// Whether a group holds the `count` fastest axes, the last of which has real rows.
bool holds_rows(const problem::Canonical& problem, std::size_t count, const DeviceLimits& limits) {
    const std::size_t axes = problem.axes.size();
    const problem::Axis& rows = problem.axes.back();
    const bool is_r2c = rows.kind == Kind::r2c;
    // The least strides. Numbers of rows of even lengths are taken in pairs.
    auto signal = static_cast<std::int64_t>(rows.length), spectrum = static_cast<std::int64_t>(rows.length / 2 + 1);
    std::vector<std::uint64_t> lengths{rows.length};
    for (std::size_t i = 2; i <= count; ++i) {
        const problem::Axis& axis = problem.axes[axes - i];
        const std::int64_t of_signal = is_r2c ? axis.input_stride : axis.output_stride;
        const std::int64_t of_spectrum = is_r2c ? axis.output_stride : axis.input_stride;
        const bool is_next =
            of_signal >= signal && of_spectrum >= spectrum && (rows.length % 2 != 0 || of_signal % 2 == 0);
        if (axis.kind != Kind::c2c || !is_next ||
            !support::is_smooth(axis.length, largest_prime(limits, problem.precision)))
            return false;
        lengths.push_back(axis.length);
        signal = support::times(axis.length, of_signal);
        spectrum = support::times(axis.length, of_spectrum);
    }
    if (!is_r2c) std::reverse(lengths.begin(), lengths.end());
    const bool is_even = rows.length % 2 == 0, is_long = rows.length > own_threads::shortest_long_row;
    // Otherwise conjugate pairs are handled in the plane, where possible.
    const bool is_whole = has_faster_rows(rows.length, is_r2c, problem.precision);
    if (count == 2 && is_even && !is_whole && may_pair_in_plane(rows.length / 2, problem.axes[axes - 2].length))
        return false;
    if (count == 2 && is_even && is_whole && is_long &&
        !(repeats_in_pairs(problem, is_r2c) && has_registers_for_row(rows.length, problem.precision, limits)))
        return false;
    return holds(axes_of_group(lengths, is_r2c ? 0 : lengths.size() - 1, problem.precision), limits);
}

}  // namespace

bool has_rows_in_group(const problem::Canonical& problem, const DeviceLimits& limits) {
    const bool has_registers = problem.precision == Precision::f32 || problem.precision == Precision::f64;
    if (problem.axes.size() < 2 || !has_whole_arrays(problem) || !has_registers) return false;
    const problem::Axis& rows = problem.axes.back();
    const bool is_r2c = rows.kind == Kind::r2c;
    if ((!is_r2c && rows.kind != Kind::c2r) || rows.input_stride != 1 || rows.output_stride != 1) return false;
    if (rows.length % 2 == 0 && !begins_at_pair(problem, is_r2c)) return false;
    return support::is_smooth(rows.length, largest_prime(limits, problem.precision)) &&
           ((problem.axes.size() > 2 && holds_rows(problem, 3, limits)) || holds_rows(problem, 2, limits));
}

bool holds_cube(const problem::Canonical& problem, const DeviceLimits& limits) {
    const std::size_t axes = problem.axes.size();
    if (axes < 3) return false;
    std::vector<std::uint64_t> lengths;
    for (std::size_t i = 1; i <= 3; ++i) {
        const problem::Axis& axis = problem.axes[axes - i];
        if (axis.kind != Kind::c2c) return false;
        lengths.push_back(axis.length);
    }
    return holds(axes_of_group(lengths, std::nullopt, problem.precision), limits);
}

namespace {

/// Real rows too short for a shape of their own, beside columns that no thread has whole.
bool is_short_beside_long(std::uint64_t row, std::uint64_t column) {
    return row < own_threads::shortest_long_row && column > own_threads::most_whole_in_plane;
}

struct GroupPass {
    KernelSpec& spec;
    AxisDistribution distribution;
    std::uint64_t sequences = 1;   ///< Of one transform.
    std::uint64_t places = 1;      ///< Of a sequence in shared memory.
    std::uint64_t row_places = 0;  ///< Of a row that comes by way of it (RowAccess::rows).
    bool has_rows_out = false, has_pairs_out = false;
};

/// Whether whole rows go through shared memory, which coalesces accesses. Measured: LAB-0021.
bool has_rows_in(const KernelSpec& rows, bool is_cube) {
    const std::uint64_t bytes = rows.n * stored_bytes(rows.precision, Storage::same) * (rows.in.is_real() ? 1 : 2);
    if (bytes < planes_together::least_row_bytes || !kernels::may_have_rows(rows)) return false;
    if (!rows.in.is_real()) return true;
    if (is_cube || std::has_single_bit(rows.n)) return std::has_single_bit(rows.n);
    return !is_short_beside_long(rows.n, rows.on_chip.next.front().n);
}

std::vector<GroupPass> passes_of_group(KernelSpec& spec, const DeviceLimits& limits) {
    const std::vector<KernelSpec*> passes = passes_of(spec);
    std::vector<GroupPass> all;
    const std::size_t last = passes.size() - 1, loops = kernels::loops_on_chip(spec);
    const bool has_rows_first = passes[0]->in.is_real(), has_rows_last = passes[last]->out.is_real();
    GroupAxes axes;
    axes.precision = spec.precision;
    axes.is_operator = last > loops;
    if (has_rows_first || has_rows_last) axes.one_sided = has_rows_first ? 0 : last;
    const auto sequences_of = [loops](const KernelSpec& pass) {
        std::uint64_t sequences = 1;
        for (std::size_t k = 0; k < loops; ++k) sequences *= pass.loops[k].count;
        return sequences;
    };
    for (std::size_t i = 0; i <= loops; ++i) {
        axes.lengths.push_back(passes[i]->n);
        axes.sequences.push_back(sequences_of(*passes[i]));
    }
    axes = with_place(axes, limits);
    for (std::size_t i = 0; i < passes.size(); ++i) {
        KernelSpec& pass = *passes[i];
        const std::size_t axis = i <= loops ? i : last - i;  // of an operator the first ones come again
        GroupPass own{pass, axes.distribution(axis), sequences_of(pass)};
        pass.radices = own.distribution.radices;
        const bool has_pairs = i == 0 && has_rows_first && kernels::may_have_pairs(pass, true);
        pass.in.set_access(has_pairs, false);
        pass.in.set_access(has_pairs, i == 0 && has_rows_in(pass, loops > 1));
        const std::uint64_t row_places = (pass.in.is_real() ? pass.n / 2 : pass.n) | 1;
        const std::uint64_t bytes = own.sequences * row_places * 2 * stored_bytes(pass.precision, Storage::same);
        if (bytes > limits.shared_bytes) pass.in.set_access(has_pairs, false);
        if (pass.in.has_rows()) own.row_places = row_places;
        own.has_rows_out =
            i == last && has_rows_last && own.distribution.radices.size() == 1 && pass.out.kept.ranges.empty();
        own.has_pairs_out = own.has_rows_out && kernels::may_have_pairs(pass, false);
        const bool is_power = std::has_single_bit(pass.n);
        own.places = own.has_rows_out ? (pass.n / 2 + 1) | 1 : is_power ? pass.n : pass.n | 1;
        all.push_back(own);
    }
    return all;
}

struct Needs {
    std::uint64_t threads = 1, points_of_thread = 1, places = 1;
    std::uint64_t points_with_idle = 1;  ///< Of a thread, in its butterflies: more than its share where some idle.
    bool is_operator = false;
    std::uint64_t bytes = 0;         ///< Of shared memory, sequences one element apart.
    std::uint64_t with_padding = 0;  ///< And with what spreads them over the banks.
};

/// Resident groups for which there are registers: two for each point of a thread, and some beside, which few points do
/// not need. Butterflies that idle in some threads have fewer beside: a few spills are cheap.
/// Measured: LAB-0021, LAB-0116.
std::uint64_t groups_with_registers(const Needs& needs, std::uint64_t threads) {
    std::uint64_t needed = std::max(2 * needs.points_of_thread + registers_beside::whole_row.floats,
                                    2 * needs.points_with_idle + registers_beside::idle_butterflies.floats);
    if (needs.is_operator)
        needed = 2 * needs.points_with_idle + own_threads::registers_beside_operator;
    else
        needed = std::min(needed, std::bit_ceil(4 * needs.points_of_thread));
    const auto has_room = [&](std::uint64_t groups) {
        return registers_beside_others(static_cast<std::uint32_t>(threads), static_cast<std::uint32_t>(groups)) >=
               needed;
    };
    std::uint64_t groups = 1;
    while (has_room(groups + 1)) ++groups;
    return groups;
}

/// Complex planes of a group: few threads, which wait for few others, and several sectors for each. Measured: LAB-0021.
std::uint64_t planes_of_group(std::uint64_t threads, std::uint64_t points, const DeviceLimits& limits) {
    const bool has_more = threads > planes_together::few_threads && threads < lanes_of_subgroup;
    const std::uint64_t least = has_more ? planes_together::least_threads_of_more : planes_together::least_threads;
    std::uint64_t planes = 1;
    while ((threads * planes < least || points * planes < planes_together::least_points) &&
           2 * threads * planes <= limits.max_group_size)
        planes *= 2;
    return planes;
}

/// Real planes, whose rows go through shared memory: few threads, and few idle lanes. Measured: LAB-0021.
std::uint64_t planes_beside_rows(std::uint64_t threads, const DeviceLimits& limits) {
    std::uint64_t planes = 1;
    const auto is_full = [&] {
        const std::uint64_t lanes = lanes_of_subgroup, all = threads * planes,
                            launched = (all + lanes - 1) / lanes * lanes;
        return all >= planes_together::least_threads &&
               static_cast<double>(all) >= planes_together::least_busy * static_cast<double>(launched);
    };
    while (!is_full() && 2 * threads * planes <= limits.max_group_size) planes *= 2;
    return planes;
}

/// 0: no preference. Planes of short c2r rows and of odd rows are many to a group. Measured: LAB-0021.
std::uint64_t wanted_planes(const std::vector<GroupPass>& passes, std::uint64_t threads, std::uint64_t points,
                            const DeviceLimits& limits) {
    const KernelSpec &first = passes.front().spec, &last = passes.back().spec;
    if (kernels::loops_on_chip(first) > 1) return 0;
    if (!first.in.is_real() && !last.out.is_real()) return planes_of_group(threads, points, limits);
    const bool is_in = first.in.has_rows() && first.in.has_pairs(), is_out = passes.back().has_pairs_out;
    const std::uint64_t row = first.in.is_real() ? first.n : last.n,
                        column = first.in.is_real() ? passes[1].spec.n : first.n;
    if (is_short_beside_long(row, column)) return 0;
    return is_in || (is_out && row >= planes_together::shortest_of_c2r) ? planes_beside_rows(threads, limits) : 0;
}

Needs needs_of(const std::vector<GroupPass>& passes) {
    Needs all;
    for (const GroupPass& pass : passes) {
        const Precision precision = pass.spec.precision;
        all.threads = std::max(all.threads, pass.sequences * pass.distribution.threads);
        const AxisDistribution& own = pass.distribution;
        all.points_of_thread = std::max<std::uint64_t>(all.points_of_thread, pass.spec.n / own.threads);
        all.points_with_idle =
            std::max<std::uint64_t>(all.points_with_idle, most_points_of_thread(own.radices, pass.spec.n, own.threads));
        all.places = std::max(all.places, pass.sequences * pass.row_places);
        const bool exchanges = &pass != &passes.front() || pass.distribution.radices.size() > 1;
        if (exchanges) {
            all.places = std::max(all.places, pass.sequences * pass.places);
            all.bytes = std::max(all.bytes, bytes_in_places(pass.sequences, pass.spec.n, precision));
            all.with_padding = std::max(all.with_padding, bytes_held(precision, pass.sequences * pass.spec.n));
        }
        all.bytes = std::max(all.bytes, all.places * 2 * stored_bytes(precision, Storage::same));
    }
    all.with_padding = std::max(all.with_padding, all.bytes);
    return all;
}

/// Whether the threads of a row store whole sectors of it as they are; of complex ones at least as many bytes.
bool stores_sectors(const GroupPass& pass, const DeviceLimits& limits) {
    const std::uint64_t bytes = element_bytes(pass.spec, false);
    const bool is_aligned = pass.spec.n * bytes % limits.sector_bytes == 0 && pass.spec.out.kept.ranges.empty();
    return pass.distribution.threads * bytes >= limits.sector_bytes && (is_aligned || !pass.spec.out.is_real());
}

/// Transforms of a group: by the tuning, by measurement, or by the rules above.
std::uint64_t transforms_of_group(const std::vector<GroupPass>& passes, const Needs& needs, const DeviceLimits& limits,
                                  const Tuning& tuning) {
    const std::uint64_t wanted = wanted_planes(passes, needs.threads, needs.places, limits);
    Tuning own = tuning;
    if (own.transforms_per_group == 0 && wanted * needs.with_padding <= limits.shared_bytes)
        own.transforms_per_group = static_cast<std::uint32_t>(wanted);
    std::uint64_t transforms = choose_transforms(needs.threads, needs.bytes, limits, own);
    // Doubles: not so many that only one group is resident. Measured: LAB-0021.
    const std::uint64_t needed =
        registers_of_point(Precision::f64) * needs.points_of_thread + registers_beside::plane.doubles;
    const KernelSpec& first = passes.front().spec;
    const bool is_double = first.precision == Precision::f64 && kernels::loops_on_chip(first) == 1;
    while (is_double && own.transforms_per_group == 0 && transforms > 1 &&
           2 * transforms * needs.threads * needed > registers_per_unit)
        transforms /= 2;
    while (own.transforms_per_group == 0 && transforms > 1 && transforms * needs.with_padding > limits.shared_bytes)
        --transforms;
    return transforms;
}

}  // namespace

Refusal choose_group_shape(KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    if (has_convolution(spec)) return choose_convolution_shape(spec, limits, tuning);
    std::vector<GroupPass> passes = passes_of_group(spec, limits);
    Needs needs = needs_of(passes);
    needs.is_operator = passes.size() > kernels::loops_on_chip(spec) + 1;
    Held held;
    held.transforms = transforms_of_group(passes, needs, limits, tuning);
    held.points = needs.places;
    held.bytes = held.points * 2 * stored_bytes(spec.precision, Storage::same);
    held.points *= held.transforms;
    held.bytes *= held.transforms;
    const std::uint64_t groups = std::min(groups_with_registers(needs, needs.threads * held.transforms),
                                          limits.shared_bytes_per_unit / held.bytes);
    const bool is_bounded = is_gpu(limits) && spec.precision == Precision::f32 && groups > 1;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const GroupPass& pass = passes[i];
        GroupShape shape = shape_of(pass.spec, held, pass.spec.n / pass.distribution.threads, limits);
        shape.threads = pass.distribution.threads;
        shape.sequences = static_cast<std::uint32_t>(pass.sequences * held.transforms);
        shape.min_groups_per_unit = is_bounded ? static_cast<std::uint32_t>(groups) : 0;
        // A thread has whole rows; in memory its neighbours' elements lie between.
        const bool is_apart = needs.is_operator ? !stores_sectors(pass, limits) : pass.spec.out.is_real();
        if (i + 1 == passes.size() && is_apart && !pass.has_rows_out) {
            pass.spec.radices.push_back(1);
            shape.store_order = ThreadOrder::flat;
        }
        pass.spec.out.set_access(pass.has_pairs_out, pass.has_rows_out);
        pass.spec.shape = shape;
    }
    spec.out.set_access(passes.back().has_pairs_out, spec.out.has_rows());
    if (needs.threads * held.transforms <= limits.max_group_size &&
        std::max(held.bytes, held.transforms * needs.with_padding) <= limits.shared_bytes)
        return std::nullopt;
    return "a group of " + std::to_string(needs.threads * held.transforms) + " threads for " +
           std::to_string(held.points) + " points in " + std::to_string(passes.size()) + " passes: expected at most " +
           std::to_string(limits.max_group_size) + " threads and " + std::to_string(limits.shared_bytes) +
           " bytes of shared memory";
}

}  // namespace seiche::planner
