// Which passes are worth one kernel by themselves, where the tuning leaves that open.
//
// A group that loads, computes and stores leaves memory idle while it computes, so that a unit should have several: of
// a transform that would have more than a unit the groups of a cluster have 32 KiB each, or 64 where there are no
// clusters of more groups. Measured on an H100, of copy, with stores that are counted where they arrive (fewer groups
// than are chosen, 2^18, 512 x 512, 30000, 40000 and 46656 without the fence ahead of them, which is a bound): 2^15
// points of f32 0.92 in 8 groups of 32 KiB, 0.87 in 4 of 64 KiB, 0.80 in 2 of 128 KiB; 2^16 0.81 in 16 of 32 KiB, 0.76
// in 8; 2^17 0.75 in 16 of 64 KiB, 0.66 in 8 of 128 KiB, 0.71 in two passes that trail each other, but 2^18 0.53 and
// 0.64; f64 2^14 0.95 in 8, 2^15 0.86 in 16 and 0.85 in 8, 2^16 0.72 and 0.67 trailing; 256 x 256 0.93 in 16, 0.87 in
// 8, f64 0.73 in 16 of 64 KiB and 0.69 trailing; 512 x 256 0.80 and 0.69, but 256 x 512 0.65 and 0.72, 512 x 512 0.59
// and 0.70. A few of 64 KiB leave units idle, and lie in a cache: f64 2^16 alone 9.1 us and 8.2 in two kernels, 17 of
// 2^17 21.5 and 20.1. Of other lengths multiples of 2^13 gain, in groups of 24 KiB and more: 24576 points 0.90 in 8
// groups, 0.83 in 4 and 0.70 in 16, 40960 in 8 0.85, 49152 0.79 in 16 and 0.71 in 8, 57344 0.73 and 0.70; others have
// short runs, few of them gain and most lose: 30000 in 5 0.49 and 0.60, 40000 in 4 0.45 and 0.65, 46656 in 4 0.39 and
// 0.66, 20000 in 2 0.62 and, in one group, 0.86. A plane that one group holds: 64 x 64 0.98 and 1.00 in 2, 128 x 128
// 0.92 and 0.98 in 4, 96 x 96 0.85 and 0.96, 112 x 112 0.85 and 0.88, but 100 x 100, whose runs are of 200 bytes, 0.84
// and 0.62; larger ones of other lengths: f64 96 x 96 0.69 in two kernels and 0.89 in 8, 100 x 100 0.67 and 0.84 in 4,
// but f32 160 x 160 0.66 both, 192 x 192 0.67 and 0.62, 200 x 200 0.55 and 0.53.
#include <algorithm>
#include <bit>
#include <optional>

#include "planner/blocks.hpp"
#include "planner/design.hpp"
#include "planner/fuse.hpp"
#include "planner/measured_cores.hpp"
#include "planner/measured_passes.hpp"
#include "planner/shape.hpp"
#include "planner/trail.hpp"
#include "support/primes.hpp"
#include "support/strides.hpp"

namespace seiche::planner {

namespace {

constexpr std::uint64_t wanted_bytes = 32 * 1024, most_bytes = 64 * 1024;
/// Multiples of 8192 points of f32, up to so many bytes in all.
constexpr std::uint64_t bytes_of_even = 64 * 1024, wanted_bytes_of_others = 24 * 1024,
                        most_bytes_of_others = 448 * 1024;
/// That one group holds, alone on its unit, and of those planes that are as fast there.
constexpr std::uint64_t most_plane_bytes = 128 * 1024, most_bytes_of_lone = 63 * 1024;
/// Of a group's part of planes of f64 whose lengths are no powers of two, in 8 groups and in 4.
constexpr std::uint64_t most_bytes_of_eight = 32 * 1024, most_bytes_of_four = 40 * 1024;
/// Transforms of f64 that one group of a unit can hold: 2^13 points are 0.370 ms in one and 0.365 in a cluster of 4 on
/// an H100, but 0.250 and 0.278 where memory does not count, 6561 points 0.394 in one and 0.432 in 3.
constexpr std::uint64_t most_in_one_group = 128 * 1024;
/// One plane that leaves all units but one idle should have so many.
constexpr std::uint32_t groups_of_few = 8, groups_of_whole_units = 8;

/// Of few transforms, alone on an H200 in microseconds, in one group and in the best cluster: f32 4096 4.6 and 3.9 in
/// 4 (3.9 is what the host takes to enqueue a launch), 8192 5.8 and 3.9 in 4 or 8, 10000 8.9 and 4.7 in 10, 16384 10.4
/// and 4.2 in 16 (16 of them 10.8 and 5.9, 32 11.3 and 7.3, 64 11.4 and 12.1), 32768 5.0 in 16 (8: 5.5); f64 4096 5.9
/// and 4.3 in 4, 8192 4.5 in 8 (2: 7.6), 16384 5.5 in 16; f32 2048 5.3 and 4.8 in 4. Of other lengths, whose groups
/// have shorter runs, 12288 7.4 and 4.6 in 8 (12: 6.0), but 5000 4.0 and 4.4 in 5, 20000 9.4 and 12.5 in 16; 9000 has
/// no two passes in a cluster and takes 5.3.
constexpr std::uint64_t least_points_of_few = 4096, least_points_of_few_group = 1000, most_points_of_few_group = 2048;
constexpr std::uint32_t most_groups_of_few = 16;
constexpr std::uint64_t least_points_of_few_others = 7000, most_points_of_few_others = 12500;
constexpr std::uint32_t most_groups_of_few_others = 10;

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

/// Groups of a cluster for so many bytes, a power of two of them, each with at least so many.
std::uint32_t groups_of(std::uint64_t bytes, std::uint64_t wanted, const DeviceLimits& limits) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(limits.max_cluster_size, std::bit_floor(bytes / wanted)));
}

/// All of a problem's transforms.
std::uint64_t bytes_of_all(const problem::Canonical& problem) {
    return problem.n * problem.complex_bytes() * problem.transforms_per_array() * problem.batch.count;
}

/// Of doubles whose number is no power of two. Two passes that trail each other, and a cluster, 256 MiB of each array
/// on an H100: 18000 points 0.279 and 0.254 ms, 20480 0.252 and 0.210, 24576 0.253 and 0.216, 27648 0.283 and 0.259,
/// 30720 0.276 and 0.240, 40960 0.295 and 0.229; but 49152 the same, 36864 0.258 and 0.273, 28672 0.258 and 0.315,
/// 21600 0.280 and 0.308, longer ones 0.26 to 0.32 and 0.29 and more.
std::uint32_t groups_of_doubles(std::uint64_t points, const DeviceLimits& limits) {
    struct Row {
        std::uint64_t points;
        std::uint32_t groups;
    };
    constexpr Row rows[] = {{18000, 10}, {20480, 8}, {24576, 16}, {27648, 8}, {30720, 16}, {40960, 16}};
    for (const Row& row : rows)
        if (row.points == points && row.groups <= limits.max_cluster_size) return row.groups;
    return 0;
}

/// For transforms of so many bytes; 0: there are no such clusters. Points of real numbers whose groups have more than
/// 32 KiB are faster in two passes that trail each other: of 2^17 points r2c 0.58 and 0.58 of copy, f64 of 2^16 r2c
/// 0.61 and 0.62, c2r 0.57 and 0.63.
std::uint32_t groups_for(const problem::Canonical& problem, std::uint64_t bytes, Kind kind,
                         const DeviceLimits& limits) {
    const bool is_power = std::has_single_bit(bytes);
    if (!is_power && kind == Kind::c2c && problem.precision == Precision::f64 && problem.axes.size() == 1)
        return groups_of_doubles(problem.axes.front().length, limits);
    if (!is_power &&
        (problem.precision != Precision::f32 || bytes % bytes_of_even != 0 || bytes > most_bytes_of_others))
        return 0;
    const std::uint32_t groups = groups_of(bytes, is_power ? wanted_bytes : wanted_bytes_of_others, limits);
    const bool may_be_wide = !is_power || (kind == Kind::c2c && is_worth_trailing(bytes_of_all(problem), limits));
    return groups > 1 && bytes / groups <= (may_be_wide ? most_bytes : wanted_bytes) ? groups : 0;
}

/// Points of f32 that are real numbers', more than 16 groups of 32 KiB hold: few of them are in 8 groups that have
/// their units for themselves, many in two passes that trail each other.
bool is_for_whole_units(std::uint64_t bytes, const problem::Canonical& problem, Kind kind, const DeviceLimits& limits) {
    return kind != Kind::c2c && problem.precision == Precision::f32 &&
           limits.max_cluster_size >= groups_of_whole_units && bytes == groups_of_whole_units * most_plane_bytes &&
           most_plane_bytes <= limits.shared_bytes;
}

/// A few transforms leave most units idle: the groups of a cluster bring more of them to each.
std::uint32_t groups_for_few(const problem::Canonical& problem, const DeviceLimits& limits) {
    const std::uint64_t length = problem.axes.front().length;
    const std::uint64_t transforms = problem.transforms_per_array() * problem.batch.count;
    const bool is_power = std::has_single_bit(length);
    if (is_power ? length < least_points_of_few
                 : length < least_points_of_few_others || length > most_points_of_few_others)
        return 0;
    const std::uint32_t most = is_power ? most_groups_of_few : most_groups_of_few_others;
    for (std::uint32_t groups = std::min(most, limits.max_cluster_size); groups > 1; --groups) {
        const std::uint64_t points = length / groups;
        if (length % groups == 0 && points >= least_points_of_few_group && points <= most_points_of_few_group &&
            transforms * groups <= 2 * limits.compute_units)
            return groups;
    }
    return 0;
}

/// Of one axis in memory.
std::uint32_t groups_for_axis(const problem::Canonical& problem, Kind kind, const DeviceLimits& limits) {
    const problem::Axis& axis = problem.axes.front();
    const bool is_strided = axis.input_stride != 1 || axis.output_stride != 1;
    const std::uint64_t bytes = axis.length * problem.complex_bytes();
    const bool fits = fits_one_pass({axis.length, false, false, problem.precision}, limits);
    if (is_strided) return 0;
    if (const std::uint32_t groups = kind == Kind::c2c ? groups_for_few(problem, limits) : 0) return groups;
    if (fits && (problem.precision == Precision::f32 || bytes <= most_in_one_group)) return 0;
    const std::uint64_t transforms = problem.transforms_per_array() * problem.batch.count;
    if (is_for_whole_units(bytes, problem, kind, limits))
        return transforms * groups_of_whole_units >= limits.compute_units ? groups_of_whole_units : 0;
    if (const auto measured = measured_cluster(kind, problem.precision, axis.length, transforms, limits))
        return measured->groups;
    return groups_for(problem, bytes, kind, limits);
}

/// Groups that share a plane of about as many rows as columns, each with whole accesses of neighbouring columns.
bool divides(const problem::Canonical& problem, std::uint32_t groups, const DeviceLimits& limits) {
    constexpr std::uint64_t access_bytes = 16, least = 12;
    const std::uint64_t rows = problem.axes.back().length, columns = problem.axes[problem.axes.size() - 2].length;
    return groups <= limits.max_cluster_size && rows % groups == 0 && columns % groups == 0 && rows / groups >= least &&
           columns / groups >= least && rows / groups * problem.complex_bytes() % access_bytes == 0;
}

/// Whether the threads of a row, which stores its points by itself, may be so many that they are whole sectors.
/// Measured on an H200, of copy, planes in four groups and in one: 128 x 96, of 6 threads, 0.55 and 0.65; but 96 x 96,
/// of 8, 0.75 and 0.69.
bool stores_sectors(const problem::Canonical& problem, const DeviceLimits& limits) {
    constexpr std::uint64_t least_points = 10, most_points = 24;
    const std::uint64_t rows = problem.axes.back().length, columns = problem.axes[problem.axes.size() - 2].length;
    for (std::uint64_t points = least_points; points <= most_points; ++points)
        if (rows % points == 0 && columns % points == 0 &&
            rows / points * problem.complex_bytes() % limits.sector_bytes == 0)
            return true;
    return false;
}

/// Of long columns and short rows half as many groups where each has only a sector of a row's points, and none where
/// the threads of a row would have less than a sector each way; nothing: they are as good as others. Measured on an
/// H200, of copy, in runs of a sector and of two: 1024 x 64 0.37 (16 groups) and 0.55 (8); 1024 x 32 0.39 (8), and in
/// two passes of one launch 0.49.
std::optional<std::uint32_t> groups_with_runs(const problem::Canonical& problem, std::uint32_t groups,
                                              std::uint64_t bytes, const DeviceLimits& limits) {
    constexpr std::uint64_t least_run = 64, shortest = 64;
    const std::uint64_t rows = problem.axes.back().length;
    const bool is_short = groups > 1 && std::has_single_bit(bytes) && problem.precision == Precision::f32 &&
                          rows * problem.complex_bytes() < least_run * groups;
    if (!is_short || !is_worth_trailing(bytes_of_all(problem), limits)) return std::nullopt;
    if (rows < shortest) return 0;
    return 2 * bytes / groups <= most_bytes ? std::optional(groups / 2) : std::nullopt;
}

/// A plane by itself, many times, without what keeps passes from trailing each other.
bool is_lone_plane(const problem::Canonical& problem, const DeviceLimits& limits) {
    const auto has_stages = [](const problem::DirectionStages& stages) { return stages.load || stages.store; };
    return problem.axes.size() == 2 && !problem.in_place() && !problem.input_planar && !problem.output_planar &&
           std::none_of(problem.stages.begin(), problem.stages.end(), has_stages) &&
           is_worth_trailing(bytes_of_all(problem), limits);
}

/// Groups of a plane of real numbers that were measured: many planes by themselves, 256 x 256 in cubes too.
std::optional<std::uint32_t> groups_of_real_plane(const problem::Canonical& problem, Kind kind,
                                                  const DeviceLimits& limits) {
    constexpr std::uint64_t of_cubes = 256;
    const std::uint64_t rows = problem.axes[problem.axes.size() - 2].length, numbers = 2 * problem.axes.back().length;
    const auto measured = measured_plane(kind, problem.precision, rows, numbers, limits);
    const bool is_of_cube = rows == of_cubes && numbers == of_cubes;
    return measured && (is_lone_plane(problem, limits) || is_of_cube) ? std::optional(measured->groups) : std::nullopt;
}

/// Whether a plane of doubles that a cluster holds is faster in two passes that trail each other.
bool trails_instead(const problem::Canonical& problem, Kind kind, const DeviceLimits& limits) {
    const auto rows = static_cast<std::uint32_t>(problem.axes.back().length),
               columns = static_cast<std::uint32_t>(problem.axes[problem.axes.size() - 2].length);
    return kind == Kind::c2c && problem.precision == Precision::f64 && is_lone_plane(problem, limits) &&
           are_measured_to_trail(problem.precision, rows, columns, false, limits);
}

/// Of the two axes that vary fastest; `kind`: of their numbers as given.
std::uint32_t groups_for_plane(const problem::Canonical& problem, Kind kind, const DeviceLimits& limits) {
    const problem::Axis &rows = problem.axes.back(), &columns = problem.axes[problem.axes.size() - 2];
    const bool is_plane = rows.output_stride == 1 && rows.input_stride == 1 &&
                          columns.input_stride == static_cast<std::int64_t>(rows.length) &&
                          columns.output_stride == static_cast<std::int64_t>(rows.length);
    const std::uint32_t largest = largest_prime(limits, problem.precision);
    if (!is_plane || !support::is_smooth(rows.length, largest) || !support::is_smooth(columns.length, largest))
        return 0;
    if (const auto groups = groups_of_real_plane(problem, kind, limits)) return *groups;
    const std::uint64_t bytes = rows.length * columns.length * problem.complex_bytes();
    const bool is_power = std::has_single_bit(bytes), is_complex = kind == Kind::c2c;
    if (bytes > std::min<std::uint64_t>(most_plane_bytes, limits.shared_bytes)) {
        const bool is_others = !is_power && is_complex && problem.precision == Precision::f64;
        if (is_others && bytes <= 8 * most_bytes_of_eight && divides(problem, 8, limits)) return 8;
        if (is_others && bytes <= 4 * most_bytes_of_four && divides(problem, 4, limits)) return 4;
        const std::uint32_t groups =
            trails_instead(problem, kind, limits) ? 0 : groups_for(problem, bytes, kind, limits);
        if (const auto fewer = is_complex ? groups_with_runs(problem, groups, bytes, limits) : std::nullopt)
            return *fewer;
        const bool is_wide = groups != 0 && is_power && bytes / groups > wanted_bytes;
        return is_wide && (rows.length > columns.length || !divides(problem, groups, limits)) ? 0 : groups;
    }
    const std::uint64_t planes =
        problem.transforms_per_array() * problem.batch.count * (problem.n / (rows.length * columns.length));
    const bool is_few = bytes == most_plane_bytes && 2 * planes < limits.compute_units;
    if (is_few && limits.max_cluster_size >= groups_of_few) return groups_of_few;
    const bool is_cluster = is_complex && bytes > most_bytes_of_lone && divides(problem, 4, limits);
    return is_cluster && (stores_sectors(problem, limits) || !is_worth_trailing(bytes_of_all(problem), limits)) ? 4 : 1;
}

/// The three axes that vary fastest, dense, in one group.
bool is_cube_of_group(const problem::Canonical& problem, const DeviceLimits& limits) {
    if (!holds_cube(problem, limits)) return false;
    std::int64_t points = 1;
    for (std::size_t i = 1; i <= 3; ++i) {
        const problem::Axis& axis = problem.axes[problem.axes.size() - i];
        if (axis.input_stride != points || axis.output_stride != points ||
            !support::is_smooth(axis.length, largest_prime(limits, problem.precision)))
            return false;
        points = support::times(axis.length, points);
    }
    return true;
}

/// A plane of real numbers, and more axes beside it: of both passes the points are those of the rows' cores, dense. The
/// signal's rows may be as long as the spectrum's.
problem::Canonical with_cores_of_rows(problem::Canonical problem) {
    problem::Axis &rows = problem.axes.back(), &columns = problem.axes[problem.axes.size() - 2];
    const bool is_r2c = rows.kind == Kind::r2c;
    if ((!is_r2c && rows.kind != Kind::c2r) || rows.length % 2 != 0 || rows.length < 4) return problem;
    const auto points = static_cast<std::int64_t>(rows.length / 2);
    const std::int64_t signal = is_r2c ? columns.input_stride : columns.output_stride;
    const std::int64_t spectrum = is_r2c ? columns.output_stride : columns.input_stride;
    if (spectrum != points + 1 || (signal != 2 * points && signal != 2 * spectrum)) return problem;
    rows.kind = Kind::c2c;
    problem.n = problem.n / rows.length * (rows.length / 2);
    rows.length /= 2;
    columns.input_stride = columns.output_stride = points;
    problem.input_is_real = problem.output_is_real = false;
    return problem;
}

/// A real axis whose signal lies as the points of its core, which is half as long: bins meet in the core's own kernel.
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

bool is_plain(const problem::Canonical& problem) {
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
    if (limits.vectors == Vectors::subgroups && is_open(tuning) && has_block(given, limits, tuning)) return 1;
    if (limits.vectors != Vectors::subgroups || !is_open(tuning) || !is_plain(given) || !has_registers) return 0;
    if (has_rows_in_group(given, limits)) return 1;
    if (!is_complex(problem)) return 0;
    if (is_cube_of_group(problem, limits)) return 1;
    if (problem.axes.size() > 1) return groups_for_plane(problem, given.axes.back().kind, limits);
    const Kind kind = given.axes.front().kind;
    const std::uint64_t bytes = problem.axes.front().length * problem.complex_bytes();
    const std::uint64_t transforms = problem.transforms_per_array() * problem.batch.count;
    const bool may_trail = !given.in_place() && (kind == Kind::r2c || kind == Kind::c2r);
    if (may_trail && is_for_whole_units(bytes, problem, kind, limits) && is_worth_trailing(transforms * bytes, limits))
        return 0;
    return groups_for_axis(problem, kind, limits);
}

}  // namespace seiche::planner
