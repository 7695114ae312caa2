// Which passes are worth one kernel by themselves, where the tuning leaves that open.
//
// A group that loads, computes and stores leaves memory idle while it computes, so that a unit should have several: of
// a transform that would have more than a unit the groups of a cluster have 32 KiB each. Measured on an H200, of copy:
// 2^15 points of f32 0.66 in 8 groups of 32 KiB, 0.62 in 4 of 64 KiB, 0.61 in 2 of 128 KiB, 0.47 in two kernels; 2^14
// of f64 0.72, 0.65, 0.55, 0.47; 256 x 256 of f32 0.62 in 16 groups of 32 KiB, 0.57 in 8 of 64 KiB, 0.47 in two
// kernels. Of other lengths multiples of 2^13 gain: 24576 points 0.58 in 4 groups, 0.48 in two kernels, 40960 in 8 0.60
// and 0.46, 49152 in 8 0.52 and 0.47, 57344 in 8 0.50 and 0.47; others have short runs, few of them gain and most lose:
// 24000 in 4 0.46 and 0.43, 36864 in 8 0.50 and 0.47, 28672 in 4 0.33 and 0.41, 30000 in 5 0.36 and 0.43, 40000 in 8
// 0.27 and 0.38, 46656 in 4 0.33 and 0.43; from 9 x 2^13 points on two kernels are as fast. A plane that one group
// holds, of any length: 64 x 64 0.93 and 0.47, 100 x 100 0.59 and 0.42, 128 x 128 0.68 and 0.47, of a cube's planes the
// whole 64^3 0.48 and 0.32, 100^3 0.36 and 0.29.
#include <algorithm>
#include <bit>

#include "planner/design.hpp"
#include "planner/fuse.hpp"
#include "planner/shape.hpp"
#include "planner/trail.hpp"
#include "support/primes.hpp"

namespace seiche::planner {

namespace {

constexpr std::uint64_t wanted_bytes = 32 * 1024, most_bytes = 64 * 1024;
/// Multiples of 8192 points of f32, up to so many bytes a group.
constexpr std::uint64_t bytes_of_even = 64 * 1024, most_bytes_of_others = 56 * 1024;
/// That one group holds, alone on its unit.
constexpr std::uint64_t most_plane_bytes = 128 * 1024;
/// Clusters of more leave many units without any (112 of an H200's 132 have one of 16 groups, 120 one of 8): 2^15
/// points of f64 are 0.62 in 8 groups of 64 KiB, 0.58 in 16 of 32 KiB.
constexpr std::uint32_t most_groups_of_others = 8;
/// A transform that one group of a unit could hold: 2^13 points of f64 are 0.77 in 4 groups, 0.72 in one.
constexpr std::uint64_t least_apart_f64 = 128 * 1024;
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

bool is_plain(const problem::Canonical& problem) {
    const bool is_complex = std::all_of(problem.axes.begin(), problem.axes.end(), [](const problem::Axis& axis) {
        return axis.kind == Kind::c2c && axis.signal_kept.empty() && axis.spectrum_kept.empty();
    });
    return is_complex && !problem.axes.empty() && !problem.input_is_real && !problem.output_is_real &&
           !problem.is_right_angled && problem.storage == Storage::same &&
           problem.spectrum_order == SpectrumOrder::natural && problem.input_image == problem::ArrayImage{} &&
           problem.output_image == problem::ArrayImage{} && problem.input_part_bytes == 0 &&
           problem.output_part_bytes == 0;
}

/// Groups of a cluster for so many bytes, a power of two of them; 0: there are no such clusters.
std::uint32_t groups_for(std::uint64_t bytes, Precision precision, const DeviceLimits& limits) {
    const bool is_f64 = precision == Precision::f64, is_power = std::has_single_bit(bytes);
    if (!is_power && (is_f64 || bytes % bytes_of_even != 0)) return 0;
    const std::uint32_t most =
        is_f64 || !is_power ? std::min(most_groups_of_others, limits.max_cluster_size) : limits.max_cluster_size;
    const std::uint64_t groups = std::min<std::uint64_t>(most, std::bit_floor(bytes / wanted_bytes));
    const std::uint64_t most_of_group = is_f64 ? most_bytes : is_power ? wanted_bytes : most_bytes_of_others;
    return groups > 1 && bytes / groups <= most_of_group ? static_cast<std::uint32_t>(groups) : 0;
}

/// Of more bytes than 16 such groups hold: 2^17 points of f32 are 0.48 in 8 groups that have their units for
/// themselves, 0.45 in 16 of 64 KiB and in two kernels, but 0.53 in two passes that trail each other (trail.hpp); r2c
/// of as many 0.43 and 0.45.
bool is_for_whole_units(std::uint64_t bytes, Precision precision, const DeviceLimits& limits) {
    return precision == Precision::f32 && limits.max_cluster_size >= groups_of_whole_units &&
           bytes == groups_of_whole_units * most_plane_bytes && most_plane_bytes <= limits.shared_bytes;
}

/// Whether two passes that trail each other were seen to be faster. Of points of f32 that c2r makes of bins: 2^16 0.45
/// of copy in a cluster and 0.48, 2^17 0.39 and 0.47.
bool should_trail(std::uint64_t bytes, const problem::Canonical& problem, const DeviceLimits& limits) {
    constexpr std::uint64_t least_bytes_of_bins = std::uint64_t{512} << 10;
    const Kind kind = problem.axes.front().kind;
    const bool has_bins = kind == Kind::r2c || kind == Kind::c2r;
    if ((kind != Kind::c2c && !has_bins) || (has_bins && problem.in_place())) return false;
    const bool has_many = kind == Kind::c2r && problem.precision == Precision::f32 && bytes >= least_bytes_of_bins;
    return has_many || is_for_whole_units(bytes, problem.precision, limits);
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

/// Of doubles that are a spectrum's, whose columns meet in pairs. Measured on an H100, of copy, in 4, 8 and 16 groups:
/// r2c of 2^15 numbers 0.83, 0.69, 0.72, c2r 0.62, 0.61, 0.57, c2r of 2^16 0.51, 0.56, 0.60; r2c of 2^16 0.63, 0.71,
/// 0.70 as other points.
std::uint32_t groups_for_spectrum(std::uint64_t bytes, Kind kind, const DeviceLimits& limits) {
    constexpr std::uint64_t bytes_in_four = 256 << 10, bytes_in_sixteen = 512 << 10;
    const std::uint32_t groups = bytes == bytes_in_four ? 4 : bytes == bytes_in_sixteen && kind == Kind::c2r ? 16 : 0;
    return groups <= limits.max_cluster_size && bytes / std::max(groups, 1u) <= limits.shared_bytes ? groups : 0;
}

/// Of one axis in memory.
std::uint32_t groups_for_axis(const problem::Canonical& problem, Kind kind, const DeviceLimits& limits) {
    const problem::Axis& axis = problem.axes.front();
    const bool is_strided = axis.input_stride != 1 || axis.output_stride != 1;
    const std::uint64_t bytes = axis.length * problem.complex_bytes();
    const bool fits = fits_one_pass({axis.length, false, false, problem.precision}, limits);
    if (is_strided) return 0;
    if (const std::uint32_t groups = kind == Kind::c2c ? groups_for_few(problem, limits) : 0) return groups;
    if (fits && (problem.precision == Precision::f32 || bytes < least_apart_f64)) return 0;
    const std::uint64_t transforms = problem.transforms_per_array() * problem.batch.count;
    if (is_for_whole_units(bytes, problem.precision, limits) &&
        transforms * groups_of_whole_units >= limits.compute_units)
        return groups_of_whole_units;
    if (kind != Kind::c2c && problem.precision == Precision::f64) {
        if (const std::uint32_t groups = groups_for_spectrum(bytes, kind, limits)) return groups;
    }
    return groups_for(bytes, problem.precision, limits);
}

/// Of the two axes that vary fastest.
std::uint32_t groups_for_plane(const problem::Canonical& problem, const DeviceLimits& limits) {
    const problem::Axis &rows = problem.axes.back(), &columns = problem.axes[problem.axes.size() - 2];
    const bool is_plane = rows.output_stride == 1 && rows.input_stride == 1 && columns.input_stride == rows.length &&
                          columns.output_stride == rows.length;
    const std::uint32_t largest = largest_prime(limits, problem.precision);
    if (!is_plane || !support::is_smooth(rows.length, largest) || !support::is_smooth(columns.length, largest))
        return 0;
    const std::uint64_t bytes = rows.length * columns.length * problem.complex_bytes();
    if (bytes > std::min<std::uint64_t>(most_plane_bytes, limits.shared_bytes))
        return groups_for(bytes, problem.precision, limits);
    const std::uint64_t planes =
        problem.transforms_per_array() * problem.batch.count * (problem.n / (rows.length * columns.length));
    const bool is_few = bytes == most_plane_bytes && 2 * planes < limits.compute_units;
    return is_few && limits.max_cluster_size >= groups_of_few ? groups_of_few : 1;
}

/// A plane of real numbers, and more axes beside it: of both passes the points are those of the rows' cores, dense. The
/// signal's rows may be as long as the spectrum's.
problem::Canonical with_cores_of_rows(problem::Canonical problem) {
    problem::Axis &rows = problem.axes.back(), &columns = problem.axes[problem.axes.size() - 2];
    const bool is_r2c = rows.kind == Kind::r2c;
    if ((!is_r2c && rows.kind != Kind::c2r) || rows.length % 2 != 0 || rows.length < 4) return problem;
    const std::uint64_t points = rows.length / 2;
    const std::uint64_t signal = is_r2c ? columns.input_stride : columns.output_stride;
    const std::uint64_t spectrum = is_r2c ? columns.output_stride : columns.input_stride;
    if (spectrum != points + 1 || (signal != 2 * points && signal != 2 * spectrum)) return problem;
    problem.n = problem.n / rows.length * points;
    rows.kind = Kind::c2c;
    rows.length = columns.input_stride = columns.output_stride = points;
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

std::uint32_t choose_fusion(const problem::Canonical& given, const DeviceLimits& limits, const Tuning& tuning) {
    const problem::Canonical problem = with_core(given);
    const bool has_registers = problem.precision == Precision::f32 || problem.precision == Precision::f64;
    if (limits.vectors != Vectors::subgroups || !is_open(tuning) || !is_plain(problem) || !has_registers) return 0;
    if (problem.axes.size() > 1) return groups_for_plane(problem, limits);
    const std::uint64_t bytes = problem.axes.front().length * problem.complex_bytes();
    const std::uint64_t transforms = problem.transforms_per_array() * problem.batch.count;
    return should_trail(bytes, given, limits) && is_worth_trailing(transforms * bytes, limits)
               ? 0
               : groups_for_axis(problem, given.axes.front().kind, limits);
}

}  // namespace seiche::planner
