// Groups of as many threads for two pipelined passes.
#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include "planner/device_model.hpp"
#include "planner/fuse/pipeline_parts.hpp"
#include "planner/measured/pairs.hpp"
#include "planner/model/pipelining.hpp"

namespace seiche::planner {

using kernels::KernelSpec;

namespace {

/// Makes group sizes equal where one is a multiple of the other: more sequences in the smaller, if a tile holds them,
/// else fewer threads or sequences in the larger.
bool match_multiple(PassPair& pair, const DeviceLimits& limits, const Tuning& tuning) {
    const std::size_t large = group_size(pair.shaped[0]) > group_size(pair.shaped[1]) ? 0 : 1;
    KernelSpec &larger = pair.shaped[large], &smaller = pair.shaped[1 - large];
    const std::uint32_t ratio = group_size(larger) / group_size(smaller), bytes = 2 * real_bytes(larger.precision);
    const std::uint32_t few = sequences_of(smaller), many = sequences_of(larger), threads = threads_of(larger);
    if (std::uint64_t{few} * ratio * smaller.n * bytes <= tiles::bytes) {
        const WantedGroup more{few * ratio, threads_of(smaller)};
        smaller = pair.plain[1 - large];
        return take_shape(smaller, more, limits, tuning);
    }
    const bool has_room = threads % ratio == 0 && ratio * larger.n * bytes <= tiles::most_bytes_of_thread * threads;
    larger = pair.plain[large];
    return many / ratio != 0 &&
           take_shape(larger, has_room ? WantedGroup{many, threads / ratio} : WantedGroup{many / ratio, threads},
                      limits, tuning);
}

/// The same for any two sizes: the largest common one of at most a tile, in whole sectors where possible.
bool match_others(PassPair& pair, const DeviceLimits& limits, const Tuning& tuning) {
    const KernelSpec &a = pair.shaped[0], &b = pair.shaped[1];
    const std::uint32_t bytes = 2 * real_bytes(a.precision);
    const std::uint32_t most = std::max(group_size(a), group_size(b));
    std::uint32_t common = std::lcm(threads_of(a), threads_of(b)) * sequences_of_sector(a, limits);
    if (common > most) common = std::lcm(threads_of(a), threads_of(b));
    const auto fits = [&](const KernelSpec& spec, std::uint32_t group) {
        return std::uint64_t{group / threads_of(spec)} * spec.n * bytes <= tiles::bytes;
    };
    std::uint32_t group = most / common * common;
    while (group > common && !(fits(a, group) && fits(b, group))) group -= common;
    for (std::size_t i = 0; group != 0 && i < 2; ++i) {
        KernelSpec& spec = pair.shaped[i];
        const WantedGroup of_group{group / threads_of(spec), threads_of(spec)};
        spec = pair.plain[i];
        if (!take_shape(spec, of_group, limits, tuning)) return false;
    }
    return group != 0;
}

struct BinGroups {
    std::uint32_t first = 1, second = 1, threads = 1;
};

/// Groups of mirrored columns whose count divides all columns, beside groups of the first pass with as many threads;
/// the best first: whole sectors, then long runs.
std::vector<BinGroups> groups_of_bins(const PassPair& pair, const DeviceLimits& limits) {
    const KernelSpec &a = pair.shaped[0], &b = pair.plain[1];
    const std::uint32_t bytes = 2 * real_bytes(b.precision), sector = sequences_of_sector(b, limits);
    const std::uint64_t columns = b.loops[0].count;
    std::vector<BinGroups> all;
    for (std::uint32_t points = column_blocks::least_points; points <= column_blocks::most_points; ++points) {
        const std::uint32_t threads = b.n / points;
        if (threads * points != b.n) continue;
        for (std::uint32_t many = 4 * sector; many * threads <= column_blocks::most_threads; many += 2) {
            const std::uint32_t few = many * threads / threads_of(a);
            const bool is_whole = columns % many == 0 && few * threads_of(a) == many * threads;
            const std::uint64_t most = std::max<std::uint64_t>(std::uint64_t{few} * a.n, std::uint64_t{many} * b.n);
            if (is_whole && many * threads >= column_blocks::least_threads && few >= sector &&
                most * bytes <= column_blocks::most_bytes)
                all.push_back({few, many, threads});
        }
    }
    const auto rank = [&](const BinGroups& g) {
        const std::uint64_t points = std::max(std::uint64_t{g.first} * a.n, std::uint64_t{g.second} * b.n);
        return std::tuple(points * bytes <= tiles::bytes, g.first % sector == 0, g.second % (2 * sector) == 0, g.second,
                          g.threads);
    };
    std::sort(all.begin(), all.end(), [&](const auto& x, const auto& y) { return rank(x) > rank(y); });
    return all;
}

bool match_bins(PassPair& pair, const DeviceLimits& limits, const Tuning& tuning) {
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

}  // namespace

bool match_groups(PassPair& pair, const DeviceLimits& limits, const Tuning& tuning) {
    const std::uint32_t a = group_size(pair.shaped[0]), b = group_size(pair.shaped[1]);
    const bool has_bins = pair.plain[1].out.bins() != nullptr;
    if (has_bins && divide_columns_of_bins(pair.plain[0].n, pair.plain[1].n, limits))
        return match_bins(pair, limits, tuning);
    if (a == b) return true;
    const PassPair tiles = pair;
    if (std::max(a, b) % std::min(a, b) == 0 ? match_multiple(pair, limits, tuning)
                                             : match_others(pair, limits, tuning))
        return true;
    pair = tiles;
    return has_bins && match_bins(pair, limits, tuning);
}

}  // namespace seiche::planner
