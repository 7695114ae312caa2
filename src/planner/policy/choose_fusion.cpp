// Which passes are fused where the tuning leaves that open. A lone group leaves memory idle while it computes, so
// several should be resident: what would need more than a multiprocessor is spread over a cluster in parts of 32 KiB,
// or 64 where clusters have no more groups. Measured: LAB-0022.
#include <algorithm>
#include <bit>
#include <optional>

#include "planner/device_model.hpp"
#include "planner/fuse/fuse.hpp"
#include "planner/fuse/group_convolution.hpp"
#include "planner/fuse/pipeline.hpp"
#include "planner/fuse/register_rows.hpp"
#include "planner/measured/pairs.hpp"
#include "planner/measured/rules.hpp"
#include "planner/model/fusing.hpp"
#include "planner/policy/fusing.hpp"
#include "planner/shape/shape.hpp"
#include "support/primes.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

namespace {

bool is_open(const Tuning& tuning) {
    Tuning other = tuning;
    other.movement_only = false;
    other.buffer_bytes = 0;
    return other == Tuning{};
}

bool is_complex(const problem::Canonical& problem) {
    return !problem.input_is_real && !problem.output_is_real &&
           std::all_of(problem.axes.begin(), problem.axes.end(),
                       [](const problem::Axis& axis) { return axis.kind == Kind::c2c; });
}

std::uint32_t groups_of(std::uint64_t bytes, std::uint64_t wanted, const DeviceLimits& limits) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(limits.max_cluster_size, std::bit_floor(bytes / wanted)));
}

std::uint64_t bytes_of_all(const problem::Canonical& problem) {
    return problem.n * problem.complex_bytes() * problem.transforms_per_array() * problem.batch.count;
}

/// 0: no such cluster. Real transforms with more than 32 KiB a group are as fast pipelined. Measured: LAB-0022.
std::uint32_t groups_for(const problem::Canonical& problem, std::uint64_t bytes, Kind kind,
                         const DeviceLimits& limits) {
    const bool is_power = std::has_single_bit(bytes);
    if (!is_power && kind == Kind::c2c && problem.precision == Precision::f64 && problem.axes.size() == 1)
        return measured_groups(problem.precision, problem.axes.front().length, limits);
    if (!is_power && (problem.precision != Precision::f32 || bytes % clusters::even_bytes != 0 ||
                      bytes > clusters::most_bytes_of_others))
        return 0;
    const std::uint32_t groups =
        groups_of(bytes, is_power ? clusters::wanted_bytes : clusters::wanted_bytes_of_others, limits);
    const bool may_be_wide = !is_power || (kind == Kind::c2c && is_worth_pipelining(bytes_of_all(problem), limits));
    const std::uint64_t most = may_be_wide ? clusters::most_bytes : clusters::wanted_bytes;
    return groups > 1 && bytes / groups <= most ? groups : 0;
}

/// Real transforms of f32 that 16 groups of 32 KiB cannot hold: a few fill 8 lone groups, many are pipelined.
bool is_for_whole_units(std::uint64_t bytes, const problem::Canonical& problem, Kind kind, const DeviceLimits& limits) {
    return kind != Kind::c2c && problem.precision == Precision::f32 &&
           limits.max_cluster_size >= clusters::groups_of_whole_units &&
           bytes == clusters::groups_of_whole_units * clusters::most_plane_bytes &&
           clusters::most_plane_bytes <= limits.shared_bytes;
}

std::uint32_t groups_for_few(const problem::Canonical& problem, const DeviceLimits& limits) {
    const std::uint64_t length = problem.axes.front().length;
    const std::uint64_t transforms = problem.transforms_per_array() * problem.batch.count;
    const bool is_power = std::has_single_bit(length);
    if (is_power ? length < few_in_clusters::least_points
                 : length < few_in_clusters::least_points_of_others || length > few_in_clusters::most_points_of_others)
        return 0;
    const std::uint32_t most = is_power ? few_in_clusters::most_groups : few_in_clusters::most_groups_of_others;
    for (std::uint32_t groups = std::min(most, limits.max_cluster_size); groups > 1; --groups) {
        const std::uint64_t points = length / groups;
        if (length % groups == 0 && points >= few_in_clusters::least_points_of_group &&
            points <= few_in_clusters::most_points_of_group && transforms * groups <= 2 * limits.compute_units)
            return groups;
    }
    return 0;
}

/// Whether the signal's pairs of numbers are points as they lie, which no stage of the user's sees.
bool has_signal_in_pairs(const problem::Canonical& problem) {
    const bool is_r2c = problem.axes.front().kind == Kind::r2c;
    const auto has_stages = [](const problem::DirectionStages& stages) { return stages.load || stages.store; };
    const auto is_even = [&](const problem::Loop& loop) {
        return (is_r2c ? loop.input_stride : loop.output_stride) % 2 == 0;
    };
    const std::uint64_t offset = is_r2c ? problem.input_byte_offset : problem.output_byte_offset;
    return (is_r2c ? problem.batch.input_distance : problem.batch.output_distance) % 2 == 0 &&
           offset % (2 * problem.stored_bytes()) == 0 &&
           std::all_of(problem.loops.begin(), problem.loops.end(), is_even) &&
           std::none_of(problem.stages.begin(), problem.stages.end(), has_stages);
}

/// A real axis of odd length, whose elements are the core's points.
bool is_one_sided_axis(const problem::Canonical& problem) {
    if (problem.axes.size() != 1) return false;
    const problem::Axis& axis = problem.axes.front();
    return (axis.kind == Kind::r2c || axis.kind == Kind::c2r) && axis.length % 2 != 0 && axis.input_stride == 1 &&
           axis.output_stride == 1;
}

/// Whether two passes on chip, one or both of them Rader's, are faster than Bluestein's of the whole, or than two
/// kernels: from so many sequences of the second pass on. Measured: LAB-0119.
bool is_faster_with_convolution(const problem::Canonical& problem, const DeviceLimits& limits,
                                const ByPrecision<std::uint32_t>& least) {
    const Precision precision = problem.precision;
    const std::uint64_t points = problem.axes.front().length;
    const bool are_few = problem.transforms_per_array() * problem.batch.count < limits.compute_units;  // not timed
    if (are_few || !limits.bounds_registers || !holds(Rule::convolutions_beside_passes, limits) ||
        support::is_smooth(points, largest_complex_prime(limits, precision, false)))
        return false;
    const std::vector<std::uint32_t> lengths = lengths_with_convolution(points, precision, limits);
    const auto has_chirps = [&](std::uint32_t n) {
        return pass_in_group(n, precision, limits).algorithm == Algorithm::bluestein;
    };
    return !lengths.empty() && lengths.front() >= least.of(precision) &&
           std::none_of(lengths.begin(), lengths.end(), has_chirps);
}

std::uint32_t groups_for_axis(const problem::Canonical& problem, Kind kind, const DeviceLimits& limits) {
    const problem::Axis& axis = problem.axes.front();
    const bool is_strided = axis.input_stride != 1 || axis.output_stride != 1;
    const std::uint64_t bytes = axis.length * problem.complex_bytes();
    const bool fits = fits_one_pass({axis.length, false, false, problem.precision}, limits);
    if (is_strided) return 0;
    if (const std::uint32_t groups = kind == Kind::c2c ? groups_for_few(problem, limits) : 0) return groups;
    if (fits && (problem.precision == Precision::f32 || bytes <= clusters::most_bytes_in_one)) return 0;
    const std::uint64_t transforms = problem.transforms_per_array() * problem.batch.count;
    if (is_for_whole_units(bytes, problem, kind, limits))
        return transforms * clusters::groups_of_whole_units >= limits.compute_units ? clusters::groups_of_whole_units
                                                                                    : 0;
    if (const auto measured = measured_cluster(kind, problem.precision, axis.length, transforms, limits))
        return measured->groups;
    return groups_for(problem, bytes, kind, limits);
}

/// Groups that share a plane of about as many rows as columns, in whole accesses of neighbouring columns.
bool divides(const problem::Canonical& problem, std::uint32_t groups, const DeviceLimits& limits) {
    const std::uint64_t rows = problem.axes.back().length, columns = problem.axes[problem.axes.size() - 2].length;
    return groups <= limits.max_cluster_size && rows % groups == 0 && columns % groups == 0 &&
           rows / groups >= clusters::least_rows && columns / groups >= clusters::least_rows &&
           rows / groups * problem.complex_bytes() % clusters::access_bytes == 0;
}

/// Whether a row can have threads enough to store whole sectors. Measured: LAB-0021.
bool stores_sectors(const problem::Canonical& problem, const DeviceLimits& limits) {
    const std::uint64_t rows = problem.axes.back().length, columns = problem.axes[problem.axes.size() - 2].length;
    for (std::uint64_t points = plane_rows::least_points; points <= plane_rows::most_points; ++points)
        if (rows % points == 0 && columns % points == 0 &&
            rows / points * problem.complex_bytes() % limits.sector_bytes == 0)
            return true;
    return false;
}

/// Long columns and short rows take half as many groups where each would have one sector of a row, and none where it
/// would have less; nothing: no preference. Measured: LAB-0021.
std::optional<std::uint32_t> groups_with_runs(const problem::Canonical& problem, std::uint32_t groups,
                                              std::uint64_t bytes, const DeviceLimits& limits) {
    const std::uint64_t rows = problem.axes.back().length;
    const bool is_short = groups > 1 && std::has_single_bit(bytes) && problem.precision == Precision::f32 &&
                          rows * problem.complex_bytes() < plane_rows::least_run_bytes * groups;
    if (!is_short || !is_worth_pipelining(bytes_of_all(problem), limits)) return std::nullopt;
    if (rows < plane_rows::shortest) return 0;
    return 2 * bytes / groups <= clusters::most_bytes ? std::optional(groups / 2) : std::nullopt;
}

/// A plane by itself, in a large batch, that could be pipelined instead.
bool is_plane_in_large_batch(const problem::Canonical& problem, const DeviceLimits& limits) {
    const auto has_stages = [](const problem::DirectionStages& stages) { return stages.load || stages.store; };
    return problem.axes.size() == 2 && !problem.in_place() && !problem.input_planar && !problem.output_planar &&
           std::none_of(problem.stages.begin(), problem.stages.end(), has_stages) &&
           is_worth_pipelining(bytes_of_all(problem), limits);
}

/// Measured groups of a real plane: of large batches of planes, and 256 x 256 in cubes too.
std::optional<std::uint32_t> groups_of_real_plane(const problem::Canonical& problem, Kind kind,
                                                  const DeviceLimits& limits) {
    const std::uint64_t rows = problem.axes[problem.axes.size() - 2].length, numbers = 2 * problem.axes.back().length;
    const auto measured = measured_plane(kind, problem.precision, rows, numbers, limits);
    const bool is_of_cube = rows == plane_rows::measured_in_cubes && numbers == plane_rows::measured_in_cubes;
    return measured && (is_plane_in_large_batch(problem, limits) || is_of_cube) ? std::optional(measured->groups)
                                                                                : std::nullopt;
}

/// Of the two fastest axes.
std::uint64_t planes_of(const problem::Canonical& problem) {
    const std::uint64_t points = problem.axes.back().length * problem.axes[problem.axes.size() - 2].length;
    return problem.transforms_per_array() * problem.batch.count * (problem.n / points);
}

/// Whether planes of so many bytes in one block each would leave multiprocessors idle in a wave or two.
bool leaves_units_idle(std::uint64_t planes, std::uint64_t bytes, const DeviceLimits& limits) {
    if (bytes < clusters::least_bytes_beside_idle || !holds(Rule::blocks_for_all_units, limits)) return false;
    const std::uint64_t waves = (planes + limits.compute_units - 1) / limits.compute_units;
    return waves <= 2 &&
           static_cast<double>(planes) < clusters::most_in_use * static_cast<double>(waves) * limits.compute_units;
}

/// Whether so many groups can share each of few planes, with a multiprocessor for each.
bool share_few_planes(const problem::Canonical& problem, std::uint32_t groups, const DeviceLimits& limits) {
    const std::uint64_t rows = problem.axes.back().length, columns = problem.axes[problem.axes.size() - 2].length;
    if (groups == 0 || groups > limits.max_cluster_size || groups * planes_of(problem) > limits.compute_units ||
        rows % groups != 0 || columns % groups != 0)
        return false;
    return groups == clusters::groups_of_few_planes ||
           (std::min(rows, columns) / groups >= clusters::least_rows_of_few &&
            rows / groups * problem.complex_bytes() % clusters::access_bytes == 0);
}

/// Groups of each of few planes of so many bytes, where they divide it; 0: none.
std::uint32_t wanted_of_few_planes(const problem::Canonical& problem, std::uint64_t bytes, Kind kind,
                                   const DeviceLimits& limits) {
    const bool is_real = kind == Kind::r2c || kind == Kind::c2r;
    if (bytes < clusters::least_bytes_of_few) return 0;
    if (bytes <= (is_real ? clusters::most_bytes_of_four_real : clusters::most_bytes_of_four_complex)) return 4;
    if (!is_real && bytes <= clusters::most_plane_bytes)
        return problem.precision == Precision::f32 ? clusters::groups_of_few_planes : 0;
    const bool is_shared = share_few_planes(problem, 8, limits);
    if (bytes <= clusters::most_bytes_of_four_few) return is_shared ? 8 : 4;
    const bool is_few = clusters::groups_of_few_planes * planes_of(problem) <= limits.compute_units;
    return bytes <= clusters::most_bytes_of_eight_few && (is_few || kind != Kind::c2r) ? 8 : 0;
}

/// Few planes: in clusters, so that each has more multiprocessors, or in passes by themselves, of which each has more
/// groups. Nothing: no preference. Measured: LAB-0118, LAB-0123.
std::optional<std::uint32_t> groups_of_few_planes(const problem::Canonical& problem, Kind kind,
                                                  const DeviceLimits& limits) {
    const std::uint64_t points = problem.axes.back().length * problem.axes[problem.axes.size() - 2].length;
    const std::uint64_t bytes = points * problem.complex_bytes();
    const bool is_known = problem.precision == Precision::f32 || problem.precision == Precision::f64;
    if (!is_known || !holds(Rule::blocks_for_all_units, limits)) return std::nullopt;
    const std::uint32_t groups = wanted_of_few_planes(problem, bytes, kind, limits);
    if (share_few_planes(problem, groups, limits)) return groups;
    const bool is_few = clusters::groups_of_few_planes * planes_of(problem) <= limits.compute_units;
    const bool is_long = bytes > clusters::most_plane_bytes && problem.precision == Precision::f32;
    return is_long && is_few ? std::optional(0u) : std::nullopt;
}

/// Whether a plane of doubles that a cluster holds is faster in two pipelined passes.
bool is_pipelined_instead(const problem::Canonical& problem, Kind kind, const DeviceLimits& limits) {
    const auto rows = static_cast<std::uint32_t>(problem.axes.back().length),
               columns = static_cast<std::uint32_t>(problem.axes[problem.axes.size() - 2].length);
    return kind == Kind::c2c && problem.precision == Precision::f64 && is_plane_in_large_batch(problem, limits) &&
           are_measured_to_pipeline(problem.precision, rows, columns, false, limits);
}

/// Of the two fastest axes, whose rows may have elements of others between them; `kind`: of their numbers as given.
std::uint32_t groups_for_plane(const problem::Canonical& problem, Kind kind, const DeviceLimits& limits) {
    const problem::Axis &rows = problem.axes.back(), &columns = problem.axes[problem.axes.size() - 2];
    const auto pitch = static_cast<std::int64_t>(rows.length);
    const bool is_plane = rows.output_stride == 1 && rows.input_stride == 1 && columns.input_stride >= pitch &&
                          columns.output_stride >= pitch;
    const std::uint32_t largest = largest_prime(limits, problem.precision);
    if (!is_plane || !support::is_smooth(rows.length, largest) || !support::is_smooth(columns.length, largest))
        return 0;
    if (const auto groups = groups_of_few_planes(problem, kind, limits)) return *groups;
    if (const auto groups = groups_of_real_plane(problem, kind, limits)) return *groups;
    const std::uint64_t bytes = rows.length * columns.length * problem.complex_bytes();
    const bool is_power = std::has_single_bit(bytes), is_complex = kind == Kind::c2c;
    if (bytes > std::min<std::uint64_t>(clusters::most_plane_bytes, limits.shared_bytes)) {
        const bool is_others = !is_power && is_complex && problem.precision == Precision::f64;
        if (is_others && bytes <= 8 * clusters::most_bytes_of_eight && divides(problem, 8, limits)) return 8;
        if (is_others && bytes <= 4 * clusters::most_bytes_of_four && divides(problem, 4, limits)) return 4;
        const std::uint32_t groups =
            is_pipelined_instead(problem, kind, limits) ? 0 : groups_for(problem, bytes, kind, limits);
        if (const auto fewer = is_complex ? groups_with_runs(problem, groups, bytes, limits) : std::nullopt)
            return *fewer;
        const bool is_wide = groups != 0 && is_power && bytes / groups > clusters::wanted_bytes;
        return is_wide && (rows.length > columns.length || !divides(problem, groups, limits)) ? 0 : groups;
    }
    const bool is_few = bytes == clusters::most_plane_bytes && 2 * planes_of(problem) < limits.compute_units;
    if (is_few && limits.max_cluster_size >= clusters::groups_of_half_planes) return clusters::groups_of_half_planes;
    const bool is_cluster = is_complex && bytes > clusters::most_bytes_of_lone && divides(problem, 4, limits);
    if (is_cluster && (stores_sectors(problem, limits) || !is_worth_pipelining(bytes_of_all(problem), limits)))
        return 4;
    return leaves_units_idle(planes_of(problem), bytes, limits) ? 0 : 1;
}

bool is_cube_of_group(const problem::Canonical& problem, const DeviceLimits& limits) {
    if (!holds_cube(problem, limits)) return false;
    std::int64_t input = 1, output = 1;  // the least strides
    for (std::size_t i = 1; i <= 3; ++i) {
        const problem::Axis& axis = problem.axes[problem.axes.size() - i];
        const bool is_next = i == 1 ? axis.input_stride == 1 && axis.output_stride == 1
                                    : axis.input_stride >= input && axis.output_stride >= output;
        if (!is_next || !support::is_smooth(axis.length, largest_prime(limits, problem.precision))) return false;
        input = support::times(axis.length, axis.input_stride);
        output = support::times(axis.length, axis.output_stride);
    }
    return true;
}

/// A real plane, and axes beside it: both passes have the points of the rows' cores, which lie side by side as pairs.
problem::Canonical with_cores_of_rows(problem::Canonical problem) {
    problem::Axis &rows = problem.axes.back(), &columns = problem.axes[problem.axes.size() - 2];
    const bool is_r2c = rows.kind == Kind::r2c;
    if ((!is_r2c && rows.kind != Kind::c2r) || rows.length % 2 != 0 || rows.length < 4) return problem;
    const auto points = static_cast<std::int64_t>(rows.length / 2);
    const std::int64_t signal = is_r2c ? columns.input_stride : columns.output_stride;
    const std::int64_t spectrum = is_r2c ? columns.output_stride : columns.input_stride;
    if (spectrum <= points || signal < 2 * points || signal % 2 != 0) return problem;
    rows.kind = Kind::c2c;
    problem.n = problem.n / rows.length * (rows.length / 2);
    rows.length /= 2;
    columns.input_stride = columns.output_stride = points;
    problem.input_is_real = problem.output_is_real = false;
    return problem;
}

/// A real axis whose signal lies as its core's points, half as many: conjugate pairs are handled in the core's kernel.
problem::Canonical with_core(problem::Canonical problem) {
    if (problem.axes.size() > 1) return with_cores_of_rows(std::move(problem));
    if (problem.axes.empty()) return problem;
    problem::Axis& axis = problem.axes.front();
    const bool is_natural = kernels::load_way(axis.kind) == kernels::RealWay::natural ||
                            kernels::store_way(axis.kind) == kernels::RealWay::natural;
    const kernels::RealCore core = kernels::real_core(axis.kind, axis.length);
    if (axis.kind == Kind::c2c || !is_natural || !core.is_paired) return problem;
    axis.kind = Kind::c2c;
    axis.length = core.points;
    problem.input_is_real = problem.output_is_real = false;
    return problem;
}

}  // namespace

bool has_whole_arrays(const problem::Canonical& problem) {
    const bool is_whole = std::all_of(problem.axes.begin(), problem.axes.end(), [](const problem::Axis& axis) {
        return axis.signal_kept.empty() && axis.spectrum_kept.empty();
    });
    return is_whole && !problem.axes.empty() && !problem.is_right_angled && problem.storage == Storage::same &&
           problem.spectrum_order == SpectrumOrder::natural && problem.input_image == problem::ArrayImage{} &&
           problem.output_image == problem::ArrayImage{} && problem.input_part_bytes == 0 &&
           problem.output_part_bytes == 0;
}

std::uint32_t choose_fusion(const problem::Canonical& given, const DeviceLimits& limits, const Tuning& tuning) {
    const problem::Canonical problem = with_core(given);
    const bool has_registers = problem.precision == Precision::f32 || problem.precision == Precision::f64;
    if (is_gpu(limits) && is_open(tuning) && has_register_rows(given, limits, tuning)) return 1;
    if (!is_gpu(limits) || !is_open(tuning) || !has_whole_arrays(given) || !has_registers) return 0;
    if (has_rows_in_group(given, limits)) return 1;
    if (is_one_sided_axis(problem))
        return is_faster_with_convolution(problem, limits, convolutions_in_group::least_sequences_of_one_side);
    if (!is_complex(problem)) return 0;
    if (is_cube_of_group(problem, limits)) return 1;
    if (problem.axes.size() > 1) return groups_for_plane(problem, given.axes.back().kind, limits);
    const Kind kind = given.axes.front().kind;
    const std::uint64_t bytes = problem.axes.front().length * problem.complex_bytes();
    const std::uint64_t transforms = problem.transforms_per_array() * problem.batch.count;
    const bool may_pipeline = !given.in_place() && (kind == Kind::r2c || kind == Kind::c2r);
    if (may_pipeline && is_for_whole_units(bytes, problem, kind, limits) &&
        is_worth_pipelining(transforms * bytes, limits))
        return 0;
    const std::uint64_t points = given.axes.front().length;
    const bool is_whole = kind == Kind::c2c ? points >= convolutions_in_group::shortest.of(problem.precision) &&
                                                  points < convolutions_in_group::longest.of(problem.precision)
                                            : (kind == Kind::r2c || kind == Kind::c2r) && has_signal_in_pairs(given);
    const auto& least =
        kind == Kind::c2c ? convolutions_in_group::least_sequences : convolutions_in_group::least_sequences_of_pairs;
    const problem::Axis& axis = problem.axes.front();
    if (is_whole && axis.input_stride == 1 && axis.output_stride == 1 &&
        is_faster_with_convolution(problem, limits, least))
        return 1;
    return groups_for_axis(problem, kind, limits);
}

}  // namespace seiche::planner
