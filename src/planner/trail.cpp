// Which passes share a launch, pipelined: the second works on what the first has just stored, while a cache still holds
// it. Long runs, and a prefetch distance of a slice and a part of the resident groups, gain the most. Measured:
// LAB-0020.
#include "planner/trail.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <tuple>
#include <utility>

#include "planner/factorize.hpp"
#include "planner/fuse.hpp"
#include "planner/fuse_parts.hpp"
#include "planner/measured_cores.hpp"
#include "planner/measured_passes.hpp"
#include "planner/passes_for_bins.hpp"
#include "planner/shape.hpp"
#include "planner/shape_parts.hpp"
#include "planner/slices.hpp"
#include "planner/trail_cost.hpp"
#include "seiche/error.hpp"

namespace seiche::planner {

namespace {

using kernels::GroupShape;
using kernels::KernelSpec;
using kernels::Loop;

/// Of a group's points.
constexpr std::uint64_t tile_bytes = 64 << 10;
constexpr std::uint32_t most_sequences = 16, longest_of_halves_in_lines = 128;
/// Bytes of a thread's points up to which its threads are halved, and the most where group sizes would differ
/// otherwise.
constexpr std::uint32_t bytes_of_thread = 160, most_bytes_of_thread = 256;
/// 32-bit registers of a thread beside its points.
constexpr std::uint32_t registers_beside_points = 32, most_groups_of_unit = 4;
/// Many points in 16-bit storage need fewer: only the first butterflies are as large, and a third resident group gains
/// more than a few spills cost. Measured: LAB-0020.
constexpr std::uint32_t registers_beside_halves = 16, many_of_halves = 32;
/// More beside twiddles of so many columns that each is a product of two factors (kernels::twiddle_rows).
constexpr std::uint32_t registers_more_for_rows = 16;
constexpr std::uint64_t many_columns = std::uint64_t{1} << 17;
/// A slice is at most this part of the cache, and a batch at least so many times the cache. Passes that return to where
/// the first began hold two slices there for one; backends other than CUDA keep results in the cache too. Measured:
/// LAB-0020.
constexpr std::uint64_t slices_of_cache = 3, slices_that_return = 6, least_caches = 2, least_slices = 8;
constexpr std::uint64_t slices_elsewhere = 6, slices_that_return_elsewhere = 16;
/// The same where input and results have arrays of their own, which share the cache. Measured: LAB-0020.
constexpr std::uint64_t slices_beside_others = 16;
/// Larger slices leave no space for input that is read once, so it is streamed past the cache. Measured: LAB-0020.
constexpr std::uint64_t streamed_slices_of_cache = 16;

std::uint32_t sequences_of_tile(const KernelSpec& spec, const DeviceLimits& limits) {
    const std::uint64_t bytes = std::min<std::uint64_t>(tile_bytes, limits.shared_bytes);
    const std::uint64_t sequences =
        std::max<std::uint64_t>(1, bytes / (std::uint64_t{2} * spec.n * real_bytes(spec.precision)));
    const bool has_folded = spec.in.folded() || spec.out.folded();
    const bool has_columns = spec.in.bins() || spec.out.bins() || has_folded;  // in two runs
    // 16-bit storage in whole cache lines, while passes are short. Measured: LAB-0020.
    const bool has_halves = kernels::access_bytes(spec, true) < 2 * real_bytes(spec.precision) &&
                            kernels::access_bytes(spec, false) < 2 * real_bytes(spec.precision);
    const std::uint64_t runs = has_columns || (has_halves && spec.n <= longest_of_halves_in_lines) ? 2 : 1;
    if ((spec.out.bins() || has_folded) && is_of_measured_kind(limits)) {
        const auto most = static_cast<std::uint32_t>(std::min(sequences, runs * most_sequences));
        const std::uint32_t bytes = has_folded ? 2 * real_bytes(spec.precision) : kernels::access_bytes(spec, false);
        return even_part_of(spec.loops[0].count, most, 2 * limits.sector_bytes / bytes);
    }
    auto most = static_cast<std::uint32_t>(std::min(std::bit_floor(sequences), runs * most_sequences));
    while (has_columns && most > 1 && spec.loops[0].count % most != 0) most /= 2;
    return most;
}

bool has_many_columns(const KernelSpec& spec) {
    return std::any_of(spec.in.stages.begin(), spec.in.stages.end(), [&](const kernels::Stage& stage) {
        const auto* twiddle = std::get_if<kernels::FourStepTwiddle>(&stage);
        return twiddle && spec.loops[twiddle->loop].count >= many_columns;
    });
}

std::uint32_t threads_of(const KernelSpec& spec) { return std::get<GroupShape>(spec.shape).threads; }

std::uint32_t group_size(const KernelSpec& spec) {
    const auto& shape = std::get<GroupShape>(spec.shape);
    return shape.threads * shape.sequences;
}

/// Radices of a pass of doubles that leave no registers for two resident groups: two large ones, or an 8 beside large
/// ones that are no powers of two.
bool has_two_large_of_doubles(std::vector<std::uint32_t> radices) {
    constexpr std::uint32_t larger = 15, large = 12;
    std::sort(radices.rbegin(), radices.rend());
    return radices.size() > 1 && radices[0] >= larger && radices[1] >= large;
}

bool mixes_eights(const std::vector<std::uint32_t>& radices) {
    const auto is_other = [](std::uint32_t radix) { return radix > 8 && !std::has_single_bit(radix); };
    return std::count(radices.begin(), radices.end(), 8u) != 0 && std::any_of(radices.begin(), radices.end(), is_other);
}

/// Of a thread, at least, where butterflies are large.
std::uint32_t registers_of_doubles(std::vector<std::uint32_t> radices) {
    constexpr std::uint32_t large = 12, of_large = 96, of_two_large = 136;
    std::sort(radices.rbegin(), radices.rend());
    if (has_two_large_of_doubles(radices)) return of_two_large;
    return radices.front() >= large || mixes_eights(radices) ? of_large : 0;
}

/// Of a thread, in the stage with the most, idle threads included.
std::uint32_t points_in_slots(const KernelSpec& spec) {
    const std::uint32_t threads = threads_of(spec);
    std::uint32_t points = 1;
    for (const std::uint32_t r : spec.radices) points = std::max(points, (spec.n / r + threads - 1) / threads * r);
    return points;
}

/// The same for both cores of a padded convolution, which keeps the spectrum's points and factors too. Measured:
/// LAB-0020.
std::uint32_t registers_of_convolution(const KernelSpec& spec) {
    constexpr std::uint32_t beside_floats = 44, beside_doubles = 24;
    const std::uint32_t points = points_in_slots(spec);
    return spec.precision == Precision::f64 ? 8 * points + beside_doubles : 4 * points + beside_floats;
}

bool is_of_halves(const KernelSpec& spec) {
    constexpr std::uint32_t bytes_of_halves = 4;
    return kernels::element_bytes(spec, true) == bytes_of_halves &&
           kernels::element_bytes(spec, false) == bytes_of_halves;
}

/// 32-bit registers with which the compiler spills little; spills of 140 bytes cost more than a launch. Measured:
/// LAB-0020.
std::uint32_t registers_of_thread(const KernelSpec& spec) {
    if (is_convolution(spec)) return registers_of_convolution(spec);
    constexpr std::uint32_t beside_few = 22, few_points = 18;
    constexpr std::uint32_t large = 14, points_of_large = 16, of_large = 72, many_points = 21, of_many_points = 80;
    const std::uint32_t points = (spec.n + threads_of(spec) - 1) / threads_of(spec);
    const std::uint32_t in_points = 2 * points * register_bytes(spec.precision) / 4;
    if (std::has_single_bit(spec.n)) {
        const bool has_few = points >= many_of_halves && is_of_halves(spec) && spec.radices.back() < many_of_halves;
        return in_points + (has_few ? registers_beside_halves : registers_beside_points);
    }
    if (spec.precision == Precision::f64) return std::max(in_points + beside_few, registers_of_doubles(spec.radices));
    const bool has_large = std::any_of(spec.radices.begin(), spec.radices.end(), [](std::uint32_t radix) {
        return radix >= large && !std::has_single_bit(radix);
    });
    if (has_large && points >= points_of_large) return points < many_points ? of_large : of_many_points;
    return in_points + (points <= few_points ? beside_few : registers_beside_points);
}

/// Whether one resident group more would cost spills. Butterflies that only a few threads have take registers of all,
/// and one group of two hides more latency than one of three. Measured: LAB-0020.
bool spills_in_slots(const KernelSpec& spec, std::uint32_t registers, std::uint32_t groups) {
    constexpr std::uint32_t beside_slots = 14, beside_slots_of_two = 8, beside_slots_of_doubles = 22;
    constexpr std::uint32_t least_threads_left = 384;
    if (std::has_single_bit(spec.n) || is_convolution(spec)) return false;
    const std::uint32_t points = points_in_slots(spec);
    if (spec.precision == Precision::f32)
        return registers < 2 * points + (groups > 2 ? beside_slots : beside_slots_of_two);
    return groups > 2 && (groups - 1) * group_size(spec) >= least_threads_left &&
           registers < 4 * points + beside_slots_of_doubles;
}

std::uint32_t groups_of_unit(const KernelSpec& spec) {
    const auto groups = [&](std::uint32_t needed) {
        std::uint32_t count = most_groups_of_unit;
        const auto registers = [&] { return registers_beside_others(group_size(spec), count); };
        while (count > 1 && (registers() < needed || spills_in_slots(spec, registers(), count))) --count;
        return count;
    };
    const std::uint32_t needed = registers_of_thread(spec);
    // A lone group hides no latency.
    const std::uint32_t most = groups(needed);
    return has_many_columns(spec) ? std::max(std::min(most, 2u), groups(needed + registers_more_for_rows)) : most;
}

/// Sequences of a group, and their threads; 0: as for a pass by itself.
struct Wanted {
    std::uint32_t sequences = 1, threads = 0;
};

/// The same of mirrored columns, which hold conjugate pairs.
bool take_columns(KernelSpec& spec, const Wanted& wanted, const DeviceLimits& limits) {
    std::optional<KernelSpec> met;
    try {
        met = with_columns_of_bins(spec, limits, Columns{wanted.sequences, wanted.threads});
    } catch (const Unsupported&) {
        return false;
    }
    if (met) spec = std::move(*met);
    return met.has_value();
}

/// False: there is no such shape. Folded numbers go by mirrored columns where they can.
bool take_shape(KernelSpec& spec, const Wanted& wanted, const DeviceLimits& limits, Tuning tuning) {
    if (spec.in.bins() || spec.out.bins()) return take_columns(spec, wanted, limits);
    if (spec.in.folded() || spec.out.folded()) {
        if (std::optional<KernelSpec> met = with_columns(spec, limits, Columns{wanted.sequences, wanted.threads})) {
            spec = std::move(*met);
            return true;
        }
    }
    tuning.transforms_per_group = wanted.sequences;
    if (wanted.threads) tuning.threads_per_transform = wanted.threads;
    try {
        choose_shape(spec, limits, tuning, kernels::sequences_per_batch(spec) * spec.loops.back().count);
    } catch (const Unsupported&) {
        return false;
    }
    return true;
}

struct Card {
    const DeviceLimits& limits;
    const Tuning& tuning;
};

/// Two passes: as given, and with their shapes.
struct Pair {
    KernelSpec plain[2], shaped[2];
};

/// A tile's worth of sequences, in few enough threads that two groups are resident. Measured: LAB-0020.
bool take_tile(KernelSpec& spec, const DeviceLimits& limits, const Tuning& tuning) {
    const KernelSpec plain = spec;
    const std::uint32_t given = tuning.transforms_per_group;
    Wanted wanted{given ? given : sequences_of_tile(spec, limits)};
    if (!take_shape(spec, wanted, limits, tuning)) return false;
    std::uint32_t threads = threads_of(spec);
    while (threads % 2 == 0 && 4 * spec.n * real_bytes(spec.precision) <= bytes_of_thread * threads) threads /= 2;
    if (tuning.threads_per_transform || threads == threads_of(spec)) return true;
    spec = plain;
    wanted.threads = threads;
    return take_shape(spec, wanted, limits, tuning);
}

std::uint32_t sequences_of(const KernelSpec& spec) { return std::get<GroupShape>(spec.shape).sequences; }

std::uint32_t sequences_of_sector(const KernelSpec& spec, const DeviceLimits& limits) {
    return std::max(1u, limits.sector_bytes / kernels::access_bytes(spec, false));
}

/// Makes group sizes equal where one is a multiple of the other: more sequences in the smaller, if a tile holds them,
/// else fewer threads or sequences in the larger.
bool match_multiple(Pair& pair, const DeviceLimits& limits, const Tuning& tuning) {
    const std::size_t large = group_size(pair.shaped[0]) > group_size(pair.shaped[1]) ? 0 : 1;
    KernelSpec &larger = pair.shaped[large], &smaller = pair.shaped[1 - large];
    const std::uint32_t ratio = group_size(larger) / group_size(smaller), bytes = 2 * real_bytes(larger.precision);
    const std::uint32_t few = sequences_of(smaller), many = sequences_of(larger), threads = threads_of(larger);
    if (std::uint64_t{few} * ratio * smaller.n * bytes <= tile_bytes) {
        const Wanted more{few * ratio, threads_of(smaller)};
        smaller = pair.plain[1 - large];
        return take_shape(smaller, more, limits, tuning);
    }
    const bool has_room = threads % ratio == 0 && ratio * larger.n * bytes <= most_bytes_of_thread * threads;
    larger = pair.plain[large];
    return many / ratio != 0 &&
           take_shape(larger, has_room ? Wanted{many, threads / ratio} : Wanted{many / ratio, threads}, limits, tuning);
}

/// The same for any two sizes: the largest common one of at most a tile, in whole sectors where possible.
bool match_others(Pair& pair, const DeviceLimits& limits, const Tuning& tuning) {
    const KernelSpec &a = pair.shaped[0], &b = pair.shaped[1];
    const std::uint32_t bytes = 2 * real_bytes(a.precision);
    const std::uint32_t most = std::max(group_size(a), group_size(b));
    std::uint32_t common = std::lcm(threads_of(a), threads_of(b)) * sequences_of_sector(a, limits);
    if (common > most) common = std::lcm(threads_of(a), threads_of(b));
    const auto fits = [&](const KernelSpec& spec, std::uint32_t group) {
        return std::uint64_t{group / threads_of(spec)} * spec.n * bytes <= tile_bytes;
    };
    std::uint32_t group = most / common * common;
    while (group > common && !(fits(a, group) && fits(b, group))) group -= common;
    for (std::size_t i = 0; group != 0 && i < 2; ++i) {
        KernelSpec& spec = pair.shaped[i];
        const Wanted of_group{group / threads_of(spec), threads_of(spec)};
        spec = pair.plain[i];
        if (!take_shape(spec, of_group, limits, tuning)) return false;
    }
    return group != 0;
}

/// Sequences of both passes, and threads of a sequence of the second.
struct BinGroups {
    std::uint32_t first = 1, second = 1, threads = 1;
};

/// Groups of mirrored columns whose count divides all columns, beside groups of the first pass with as many threads;
/// the best first: whole sectors, then long runs.
std::vector<BinGroups> groups_of_bins(const Pair& pair, const DeviceLimits& limits) {
    constexpr std::uint64_t most_bytes = 80 << 10;  // a unit has two
    constexpr std::uint32_t least_group = 128, least_points = 8, most_points = 25, most_group = 512;
    const KernelSpec &a = pair.shaped[0], &b = pair.plain[1];
    const std::uint32_t bytes = 2 * real_bytes(b.precision), sector = sequences_of_sector(b, limits);
    const std::uint64_t columns = b.loops[0].count;
    std::vector<BinGroups> all;
    for (std::uint32_t points = least_points; points <= most_points; ++points) {
        const std::uint32_t threads = b.n / points;
        if (threads * points != b.n) continue;
        for (std::uint32_t many = 4 * sector; many * threads <= most_group; many += 2) {
            const std::uint32_t few = many * threads / threads_of(a);
            const bool is_whole = columns % many == 0 && few * threads_of(a) == many * threads;
            const std::uint64_t most = std::max<std::uint64_t>(std::uint64_t{few} * a.n, std::uint64_t{many} * b.n);
            if (is_whole && many * threads >= least_group && few >= sector && most * bytes <= most_bytes)
                all.push_back({few, many, threads});
        }
    }
    const auto rank = [&](const BinGroups& g) {
        const std::uint64_t points = std::max(std::uint64_t{g.first} * a.n, std::uint64_t{g.second} * b.n);
        return std::tuple(points * bytes <= tile_bytes, g.first % sector == 0, g.second % (2 * sector) == 0, g.second,
                          g.threads);
    };
    std::sort(all.begin(), all.end(), [&](const auto& x, const auto& y) { return rank(x) > rank(y); });
    return all;
}

/// The same where the last pass has bins.
bool match_bins(Pair& pair, const DeviceLimits& limits, const Tuning& tuning) {
    const std::uint32_t threads = threads_of(pair.shaped[0]);
    for (const BinGroups& groups : groups_of_bins(pair, limits)) {
        pair.shaped[0] = pair.plain[0];
        pair.shaped[1] = pair.plain[1];
        if (take_shape(pair.shaped[0], {groups.first, threads}, limits, tuning) &&
            take_shape(pair.shaped[1], {groups.second, groups.threads}, limits, tuning))
            return true;
    }
    return false;
}

bool match(Pair& pair, const DeviceLimits& limits, const Tuning& tuning) {
    const std::uint32_t a = group_size(pair.shaped[0]), b = group_size(pair.shaped[1]);
    const bool has_bins = pair.plain[1].out.bins() != nullptr;
    if (has_bins && divide_columns_of_bins(pair.plain[0].n, pair.plain[1].n)) return match_bins(pair, limits, tuning);
    if (a == b) return true;
    const Pair tiles = pair;
    if (std::max(a, b) % std::min(a, b) == 0 ? match_multiple(pair, limits, tuning)
                                             : match_others(pair, limits, tuning))
        return true;
    pair = tiles;
    return has_bins && match_bins(pair, limits, tuning);
}

bool has_plain_core(const KernelSpec& spec) {
    return !spec.in.bins() && !spec.out.bins() && !spec.in.map() && !spec.out.map() && spec.on_chip.next.empty();
}

/// Whether the two passes are those of a plane, without a third axis.
bool is_lone_plane(const KernelSpec& first, const KernelSpec& second) {
    return has_no_twiddle(second.in.stages) && kernels::sequences_per_batch(first) == second.n &&
           kernels::sequences_per_batch(second) == first.n;
}

/// Whether tiles of a plane's columns of doubles are so large that too few groups are resident. Measured: LAB-0020.
bool has_large_tile_of_doubles(const Pair& pair, const DeviceLimits& limits) {
    if (!is_lone_plane(pair.plain[0], pair.plain[1])) return false;
    constexpr std::uint32_t few = 8, many = 16;
    const auto is_large = [](const KernelSpec& spec) {
        const std::uint64_t large = (sequences_of(spec) >= many ? 48 : 56) * 1024;
        return spec.precision == Precision::f64 && has_plain_core(spec) && sequences_of(spec) >= few &&
               std::uint64_t{sequences_of(spec)} * spec.n * 2 * real_bytes(spec.precision) >= large;
    };
    return has_fast_memory(limits) && is_large(pair.shaped[0]) && is_large(pair.shaped[1]);
}

bool take_tiles(Pair& pair, const DeviceLimits& limits, Tuning tuning) {
    const KernelSpec& first = pair.plain[0];
    const KernelSpec& second = pair.plain[1];
    const bool is_one_axis = has_plain_core(first) && has_plain_core(second) && !has_no_twiddle(second.in.stages),
               is_wide = first.in.storage == Storage::same && second.out.storage == Storage::same;
    if (is_one_axis && is_wide && leaves_trailing_open(tuning))
        tuning.transforms_per_group = measured_transforms(first.precision, first.n, second.n, limits);
    for (KernelSpec& spec : pair.shaped)
        if (!take_tile(spec, limits, tuning)) return false;
    const bool are_of_one_part = has_tile_of_one_part(pair.shaped[0]) && has_tile_of_one_part(pair.shaped[1]);
    if (!is_one_axis && leaves_trailing_open(tuning) && (are_of_one_part || has_large_tile_of_doubles(pair, limits))) {
        tuning.transforms_per_group = sequences_of(pair.shaped[0]) / 2;
        pair.shaped[0] = first;
        pair.shaped[1] = second;
        for (KernelSpec& spec : pair.shaped)
            if (!take_tile(spec, limits, tuning)) return false;
    }
    return match(pair, limits, tuning);
}

/// Two passes fused on chip and a third: as many points in each thread, and two resident groups.
bool take_fused(Pair& pair, const DeviceLimits& limits) {
    KernelSpec &fused = pair.shaped[0], &other = pair.shaped[1];
    Tuning own;
    own.groups_per_cluster = 1;
    try {
        choose_fused_shape(fused, limits, own);
    } catch (const Unsupported&) {
        return false;
    }
    const std::uint32_t points = fused.n / threads_of(fused), group = group_size(fused);
    const std::uint64_t bytes = std::uint64_t{2} * points * group * real_bytes(fused.precision);
    const std::uint32_t threads = other.n / points;
    if (threads * points != other.n || group % threads != 0 || 2 * bytes > limits.shared_bytes_per_unit ||
        !take_shape(other, {group / threads, threads}, limits, {}))
        return false;
    const std::uint32_t planes = std::get<GroupShape>(fused.shape).exchange.components;
    std::get<GroupShape>(other.shape).exchange.components = planes;  // a plane has as many points
    return planes * plane_bytes(other.n, other.precision) * sequences_of(other) <= limits.shared_bytes;
}

/// Stored between the passes, per slice.
std::uint64_t slice_bytes(const KernelSpec& first) {
    return first.slices.sequences * stored_elements(first) * kernels::element_bytes(first, false);
}

/// The prefetch distance beyond a slice, as a fraction of the resident groups. Small groups of small slices can run
/// further ahead: the cache still holds what is between. Measured: LAB-0020.
double lead_of_resident(const KernelSpec& first, const DeviceLimits& limits) {
    constexpr double usual = 0.4, of_small = 0.6;
    constexpr std::uint64_t small_tile = 40 << 10, small_slices_of_cache = 12;
    const std::uint64_t tile = std::uint64_t{2} * real_bytes(first.precision) * sequences_of(first) * first.n;
    const bool is_small = tile <= small_tile && small_slices_of_cache * slice_bytes(first) <= limits.cache_bytes;
    return is_small && !is_greedy(limits) ? of_small : usual;
}

/// Into slices of so many sequences, or of a run of interleaved ones.
void cut(KernelSpec& spec, std::uint64_t sequences, std::uint64_t beside, std::uint32_t run) {
    spec.slices.sequences = beside != 0 ? run * sequences : sequences;
    spec.slices.run = beside != 0 ? run : 0;
    spec.slices.period = beside;
}

/// With shapes that agree; empty: there are none. A prime in a loop has a kernel of its own.
std::optional<KernelSpec> joined(Pair pair, const Slices& slices, const DeviceLimits& limits, const Tuning& tuning) {
    const bool is_fused = !pair.plain[0].on_chip.next.empty();
    if (is_fused ? !take_fused(pair, limits) : !take_tiles(pair, limits, tuning)) return std::nullopt;
    KernelSpec &first = pair.shaped[0], &second = pair.shaped[1];
    const std::uint32_t run = std::lcm(sequences_of(first), sequences_of(second));
    if (slices.beside % run != 0) return std::nullopt;
    cut(first, slices.first, slices.beside, run);
    cut(second, slices.second, slices.beside, run);
    auto& shape = std::get<GroupShape>(first.shape);
    auto& other = std::get<GroupShape>(second.shape);
    if (shape.pairs_in_turn() != 0 || (is_fused && first.slices.sequences % sequences_of(first) != 0))
        return std::nullopt;
    const bool has_map = first.in.map() || first.out.map();
    if (group_size(first) != group_size(second) || (shape.exchange.components != other.exchange.components && has_map))
        return std::nullopt;
    shape.exchange.components = other.exchange.components =
        std::min(shape.exchange.components, other.exchange.components);
    shape.exchange.whole_points = other.exchange.whole_points =
        shape.exchange.whole_points && (other.exchange.whole_points || is_fused);
    shape.min_groups_per_unit = std::min(groups_of_unit(first), groups_of_unit(second));
    const double resident = static_cast<double>(shape.min_groups_per_unit) * limits.compute_units;
    first.pipeline.lead =
        kernels::groups_per_slice(first) + static_cast<std::uint64_t>(lead_of_resident(first, limits) * resident);
    first.pipeline.streams_input = streamed_slices_of_cache * slice_bytes(first) >= limits.cache_bytes;
    first.pipeline.next = {second};
    first.pipeline.has_between = slices.has_between;
    return first;
}

/// Whether passes of any lengths gain: enough points a thread and resident threads to hide latency, and runs of whole
/// sectors, or so long that parts of sectors matter little. Measured: LAB-0020.
bool suits_any_length(const KernelSpec& first, const DeviceLimits& limits) {
    constexpr std::uint32_t least_points = 8, least_groups = 2, least_threads = 400, least_run = 112, least_loaded = 64;
    const std::uint32_t groups = std::get<GroupShape>(first.shape).min_groups_per_unit;
    const bool are_powers = std::has_single_bit(first.n) && std::has_single_bit(first.pipeline.next.front().n);
    if (!limits.bounds_registers || are_powers || first.slices.run != 0 || !first.on_chip.next.empty() ||
        groups < least_groups || groups * group_size(first) < least_threads)
        return false;
    for (const KernelSpec* spec : {&first, &first.pipeline.next.front()}) {
        const bool is_plain = !spec->in.bins() && !spec->out.bins() && !spec->in.map() && !spec->out.map() &&
                              spec->in.storage == Storage::same && spec->out.storage == Storage::same;
        const std::uint32_t run = sequences_of(*spec) * kernels::access_bytes(*spec, false);
        const std::uint32_t least = spec->out.stride == 1 ? least_loaded : least_run;
        const bool has_runs = run % limits.sector_bytes == 0 || run >= least;
        if (!is_plain || !has_runs || spec->n < least_points * threads_of(*spec)) return false;
    }
    return true;
}

bool is_measured_pair(const KernelSpec& first, const DeviceLimits& limits) {
    const bool is_whole = kernels::access_bytes(first, true) == 2 * real_bytes(first.precision);  // halves lose
    const KernelSpec& second = first.pipeline.next.front();
    const bool is_floats = first.precision == Precision::f32;  // of cubes too
    return is_whole && !first.in.map() && first.on_chip.next.empty() && (is_floats || is_lone_plane(first, second)) &&
           are_measured_to_trail(first.precision, first.n, second.n, first.slices.run != 0, limits);
}

/// Types II to IV: powers of two, and measured pairs. Pairs of mirrored butterflies of 15 points and more spill.
/// Measured: LAB-0020.
bool suits_folded(const KernelSpec& first) {
    const KernelSpec& second = first.pipeline.next.front();
    if (std::has_single_bit(first.n) && std::has_single_bit(second.n)) return true;
    const Kind kind = first.in.folded() ? first.in.folded()->kind : second.out.folded()->kind;
    return trail_as_folded(kind, first.precision, first.n, second.n);
}

/// Whether groups of this shape gain: enough threads, whole points in an exchange, whole sectors. Measured: LAB-0020.
bool suits(const KernelSpec& first, const DeviceLimits& limits) {
    constexpr std::uint32_t usual_group = 256, least_of_interleaved = 128, least_points = 8, whole_run = 32;
    const std::uint32_t least_group = first.slices.run != 0 ? least_of_interleaved : usual_group;
    constexpr std::uint64_t bytes_exchanged_apart = 6 << 10;
    const KernelSpec& second = first.pipeline.next.front();
    if (is_convolution(second)) return are_of_trailing_convolution(first.n, second.n, first.precision);
    if (first.pipeline.has_between) return suits_folded(first);
    const bool stores_spectrum = second.out.bins() && second.out.bins()->kind == Kind::r2c;
    const bool has_spectrum = stores_spectrum || (first.in.bins() && first.in.bins()->kind == Kind::c2r);
    if (stores_spectrum && first.precision == Precision::f32 && are_of_trailing_bins(first.n, second.n)) return true;
    if (has_spectrum && are_measured_for_bins(stores_spectrum, first.precision, first.n, second.n)) return true;
    if (has_trailing_cost_of_bins(first, limits) && trailing_cost_of_bins(first) <= most_trailing_cost_of_bins)
        return true;
    if (suits_any_length(first, limits)) return true;
    if (has_trailing_cost(first, limits) && trailing_cost(first) <= most_trailing_cost) return true;
    if (is_measured_pair(first, limits)) return true;
    const std::uint64_t least_bytes = std::uint64_t{2} * real_bytes(first.precision) * std::min(first.n, second.n);
    const bool is_alike = first.n == second.n && first.n >= least_points * threads_of(first);
    const bool has_runs = first.n % whole_run == 0 && second.n % whole_run == 0;
    const bool exchanges_bins =
        (first.in.map() || first.out.map()) && !std::get<GroupShape>(first.shape).has_mirrors_in_thread();
    // In 16-bit storage the first pass, whose results are rows, may load half a sector. Measured: LAB-0020.
    const bool is_narrow = kernels::access_bytes(first, true) < 2 * real_bytes(first.precision);
    const std::uint32_t halves = is_narrow && first.out.stride == 1 ? 2 : 1;
    if (sequences_of(first) * halves % sequences_of_sector(first, limits) != 0 ||
        sequences_of(second) % sequences_of_sector(second, limits) != 0)
        return false;
    // Where parts are exchanged apart for other reasons, middling passes gain all the same. Measured: LAB-0020.
    const bool is_apart_for_others = is_greedy(limits) || first.in.bins() || second.out.bins();
    const bool is_exchanged_well = std::get<GroupShape>(first.shape).exchange.components == 2 ||
                                   least_bytes > bytes_exchanged_apart || is_apart_for_others;
    return group_size(first) >= least_group && (is_alike || has_runs) && is_exchanged_well &&
           !(exchanges_bins && streamed_slices_of_cache * slice_bytes(first) >= limits.cache_bytes);
}

/// Whether the cache holds what this kind of pair shares; other pairs need tuning.trailing_passes. Measured: LAB-0020.
bool is_of_kind_that_gains(const KernelSpec& first, const DeviceLimits& limits) {
    constexpr std::uint64_t small_slice_of_doubles = 128 * 128;
    constexpr std::uint64_t slice_of_fast_memory = 256 * 256;
    const KernelSpec& second = first.pipeline.next.front();
    const bool is_wide = register_bytes(first.precision) > 4;
    const std::uint64_t most_of_doubles = has_fast_memory(limits) ? slice_of_fast_memory : small_slice_of_doubles;
    if (first.slices.run != 0)
        return !is_greedy(limits) && (!is_wide || std::uint64_t{first.n} * second.n <= most_of_doubles);
    if (!first.on_chip.next.empty()) return is_wide;
    if (first.pipeline.has_between) return slices_beside_others * slice_bytes(first) <= limits.cache_bytes;
    const std::uint64_t slices = is_greedy(limits) ? slices_that_return_elsewhere : slices_that_return;
    return first.in_place || second.in_place || slices * slice_bytes(first) <= limits.cache_bytes;
}

/// Adds a third pass in groups of as many threads; empty: it has none. It runs at twice the second's prefetch distance,
/// so that neither waits. Measured: LAB-0020.
std::optional<KernelSpec> with_third(const KernelSpec& both, KernelSpec third, std::uint64_t sequences,
                                     const Card& card) {
    constexpr double lead_of_first = 0.4, lead_of_second = 0.8;
    KernelSpec first = both;
    KernelSpec& second = first.pipeline.next.front();
    if (third.n != first.n || !take_shape(third, {sequences_of(first), threads_of(first)}, card.limits, card.tuning))
        return std::nullopt;
    cut(third, sequences, 0, 0);
    auto& own = std::get<GroupShape>(first.shape);
    auto& other = std::get<GroupShape>(second.shape);
    auto& last = std::get<GroupShape>(third.shape);
    own.exchange.components = other.exchange.components = last.exchange.components =
        std::min(own.exchange.components, last.exchange.components);
    own.exchange.whole_points = other.exchange.whole_points = last.exchange.whole_points =
        own.exchange.whole_points && last.exchange.whole_points;
    own.min_groups_per_unit = std::min(own.min_groups_per_unit, groups_of_unit(third));
    const double resident = static_cast<double>(own.min_groups_per_unit) * card.limits.compute_units;
    second.pipeline.next = {third};
    first.pipeline.has_between = true;
    second.pipeline.lead = kernels::least_lead(second) + static_cast<std::uint64_t>(lead_of_second * resident);
    first.pipeline.lead = kernels::least_lead(first) + static_cast<std::uint64_t>(lead_of_first * resident);
    first.pipeline.streams_input = true;
    return first;
}

/// A third pass too, if it follows a convolution.
std::optional<KernelSpec> chained(const KernelSpec& both, const Schedule& schedule, std::size_t i, bool is_in_place,
                                  const Card& card) {
    if (i + 2 >= schedule.steps.size() || !is_convolution(both.pipeline.next.front()) || both.slices.run != 0)
        return std::nullopt;
    const Step &first = schedule.steps[i], &second = schedule.steps[i + 1], &third = schedule.steps[i + 2];
    const Slices slices{both.slices.sequences, both.pipeline.next.front().slices.sequences};
    const std::optional<std::uint64_t> sequences = find_third(first, second, third, slices, is_in_place);
    if (!sequences || third.target_image) return std::nullopt;
    std::optional<KernelSpec> three = with_third(both, third.spec, *sequences, card);
    if (three) three->in_place = is_in_place;
    return three;
}

/// Counters per slice: the ticket, and one for each pass but the last.
std::uint64_t counters_of_slice(const KernelSpec& first) { return kernels::has_third_pass(first) ? 3 : 2; }

Step clearing(const KernelSpec& first, std::uint64_t slices) {
    constexpr std::uint32_t group = 256;
    const std::uint64_t counters = counters_of_slice(first) * slices;
    Step step;
    step.source = step.target = Role::output;
    KernelSpec& spec = step.spec;
    spec.precision = first.precision;
    spec.in_place = true;
    spec.work.emplace<kernels::Textbook>().work = kernels::Clearing{counters};
    spec.radices = {1};
    spec.loops = {Loop{counters, 0, 0}, Loop{first.loops.back().count, 0, 0}};
    GroupShape shape;
    shape.sequences = group;
    spec.shape = shape;
    return step;
}

/// Whether a cache holds what lies between the passes and the batch is worth one launch more. Storing a spectrum takes
/// twice as long as its bytes, so larger slices gain. Measured: LAB-0020.
bool pays(const KernelSpec& first, const KernelSpec& second, const DeviceLimits& limits) {
    constexpr std::uint64_t slices_of_spectra = 3;
    const std::uint64_t slices = kernels::sequences_per_batch(first) / first.slices.sequences *
                                 std::max<std::uint64_t>(1, first.loops.back().count);
    const bool has_spectrum = second.out.bins() && first.precision == Precision::f32 && first.slices.run == 0;
    // Real rows have large slices. Measured: LAB-0020.
    const bool has_rows = first.in.map() || first.out.map();
    if (has_rows && slices_elsewhere * slice_bytes(first) > limits.cache_bytes) return false;
    return can_pay_to_trail(slice_bytes(first), slices, limits) ||
           (has_spectrum && slices_of_spectra * slice_bytes(first) <= limits.cache_bytes && slices >= least_slices &&
            is_worth_trailing(slices * slice_bytes(first), limits));
}

/// The usual radices, where those of a lone pass leave too few threads for the other pass, or need more registers than
/// two resident groups have. False: they are the same, or there are none. Measured: LAB-0020.
bool take_usual_radices(Pair& pair, const DeviceLimits& limits) {
    bool has_any = false;
    for (std::size_t i = 0; i < 2; ++i) {
        KernelSpec& spec = pair.plain[i];
        std::vector<std::uint32_t> usual = factor_into_radices(spec.n, most_radix(limits, spec.precision));
        if (!has_plain_core(spec) || usual.empty() || spec.radices == usual) continue;
        spec.radices = std::move(usual);
        pair.shaped[i] = spec;
        has_any = true;
    }
    return has_any;
}

/// In 16-bit storage, arithmetic takes longer than memory: radices up to 32 spare each pass an exchange. False: none
/// fit. Measured: LAB-0020.
bool take_large_radices(Pair& pair, const DeviceLimits& limits) {
    constexpr std::uint32_t shortest = 512, longest = 1024, largest = 32;
    if (!is_of_measured_kind(limits)) return false;
    bool has_any = false;
    for (std::size_t i = 0; i < 2; ++i) {
        KernelSpec& spec = pair.plain[i];
        if (!is_of_halves(spec) || !has_plain_core(spec) || is_convolution(spec)) return false;
        if (!std::has_single_bit(spec.n) || spec.n < shortest || spec.n > longest) continue;
        spec.radices = factor_into_radices(spec.n, largest);
        pair.shaped[i] = spec;
        has_any = true;
    }
    return has_any;
}

/// Empty: they cannot be pipelined, or it was not asked for and does not pay.
std::optional<KernelSpec> trailed(const Step& first, const Step& second, const SliceQuestion& question,
                                  const Card& card) {
    const auto& [limits, tuning] = card;
    const std::optional<Slices> slices = find_slices(first, second, question);
    if (!slices || first.spec.on_chip.own_threads || second.spec.on_chip.own_threads) return std::nullopt;
    KernelSpec leading = first.spec;
    cut(leading, slices->first, slices->beside, most_sequences);
    if (!tuning.trailing_passes && !pays(leading, second.spec, limits)) return std::nullopt;
    const auto is_wanted = [&card](const KernelSpec& both) {
        return card.tuning.trailing_passes || gains_by_trailing(both, card.limits);
    };
    Pair pair{{first.spec, second.spec}, {first.spec, second.spec}};
    std::optional<KernelSpec> both;
    if (Pair large = pair; tuning.radices.empty() && take_large_radices(large, limits)) {
        both = joined(large, *slices, limits, tuning);
        if (both && is_wanted(*both)) return both;
    }
    both = joined(pair, *slices, limits, tuning);
    if (both && !is_wanted(*both)) both = std::nullopt;
    if (both && !has_trailing_cost(*both, limits)) return both;
    if (!take_usual_radices(pair, limits)) return both;
    const std::optional<KernelSpec> usual = joined(pair, *slices, limits, tuning);
    if (!usual || !is_wanted(*usual)) return both;
    return both && trailing_cost(*both) <= trailing_cost(*usual) ? both : usual;
}

/// Makes the passes of one launch, from step i on, one step behind one that clears its counters.
void join(Schedule& schedule, std::size_t i, const KernelSpec& both) {
    const std::uint64_t slices = kernels::sequences_per_batch(both) / both.slices.sequences;
    const auto first = schedule.steps.begin() + static_cast<std::ptrdiff_t>(i);
    first->spec = both;
    const std::ptrdiff_t passes = kernels::has_third_pass(both) ? 3 : 2;
    if (both.pipeline.has_between) {
        first->between = first->target;
        first->target = (first + passes - 1)->target;
    }
    schedule.steps.erase(first + 1, first + passes);
    schedule.steps.insert(first, clearing(both, slices));
    const std::uint64_t complex_bytes = 2 * stored_bytes(both.precision, Storage::same);
    schedule.workspace_b_elements =
        (counters_of_slice(both) * slices * sizeof(std::uint32_t) + complex_bytes - 1) / complex_bytes;
}

}  // namespace

/// Known for cards that have clusters, whatever their driver reports. Measured: LAB-0020.
bool is_worth_trailing(std::uint64_t bytes, const DeviceLimits& limits) {
    const bool is_known_card = limits.max_cluster_size > 1 || limits.architecture == "sm_90";
    return limits.waits_for_groups && is_known_card && bytes >= least_caches * limits.cache_bytes;
}

bool can_pay_to_trail(std::uint64_t slice_bytes, std::uint64_t slices, const DeviceLimits& limits) {
    const std::uint64_t of_cache = is_greedy(limits) ? slices_elsewhere : slices_of_cache;
    return of_cache * slice_bytes <= limits.cache_bytes && slices >= least_slices &&
           is_worth_trailing(slices * slice_bytes, limits);
}

bool gains_by_trailing(const KernelSpec& first, const DeviceLimits& limits) {
    const KernelSpec& second = first.pipeline.next.front();
    const bool is_plain = has_plain_core(first) && has_plain_core(second);
    const bool is_measured = first.precision == Precision::f32 || is_lone_plane(first, second);
    if (is_plain && is_measured && are_faster_apart(first.precision, first.n, second.n, limits)) return false;
    // Columns of a plane in runs that begin within sectors. Measured: LAB-0020.
    if (is_plain && is_pointwise(second.in.stages) && second.loops[0].output_stride == 1 &&
        sequences_of(second) * kernels::access_bytes(second, false) % limits.sector_bytes != 0)
        return false;
    return is_of_kind_that_gains(first, limits) && suits(first, limits);
}

bool leaves_trailing_open(const Tuning& tuning) {
    return tuning.radices.empty() && tuning.threads_per_transform == 0 && tuning.transforms_per_group == 0 &&
           !tuning.separate_passes;
}

bool trail_passes(Schedule& schedule, bool is_in_place, const DeviceLimits& limits, const Tuning& tuning) {
    const bool has_room = schedule.workspace_b_elements == 0 && limits.vectors == Vectors::subgroups;
    if (!limits.waits_for_groups || !has_room || (!tuning.trailing_passes && !leaves_trailing_open(tuning)))
        return false;
    // Interleaved slices are the shorter ones.
    for (const bool are_interleaved : {true, false}) {
        for (std::size_t i = 0; i + 1 < schedule.steps.size(); ++i) {
            const Step &first = schedule.steps[i], &second = schedule.steps[i + 1];
            if (first.source_image || second.target_image) continue;
            auto both = trailed(first, second, {are_interleaved, is_in_place}, {limits, tuning});
            if (!both) continue;
            if (both->pipeline.has_between) both->in_place = is_in_place || first.source == second.target;
            const auto three = chained(*both, schedule, i, is_in_place, {limits, tuning});
            join(schedule, i, three ? *three : *both);
            return true;
        }
    }
    return false;
}

}  // namespace seiche::planner
