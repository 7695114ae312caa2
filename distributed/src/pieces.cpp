#include "pieces.hpp"

#include <algorithm>

#include "regions.hpp"

namespace seiche::distributed {

Cut cut_of(const Step& step, std::size_t rank_count, std::uint64_t count) {
    Cut best;
    if (step.axes.empty()) return best;
    for (std::size_t axis = 0; axis < step.before.front().lower.size(); ++axis) {
        if (std::count(step.axes.begin(), step.axes.end(), static_cast<int>(axis)) != 0) continue;
        std::uint64_t longest = 0;
        for (std::size_t rank = 0; rank < rank_count; ++rank)
            if (!step.before[rank].empty()) longest = std::max(longest, step.before[rank].extent(axis));
        const std::uint64_t possible = std::min(count, longest);
        if (possible > best.count) best = {axis, possible};
    }
    return best;
}

Box pieces_of(const Box& box, const Cut& cut, std::uint64_t first, std::uint64_t last) {
    Box part{box.lower, box.upper};
    const std::uint64_t extent = box.extent(cut.axis);
    part.lower[cut.axis] = box.lower[cut.axis] + extent * first / cut.count;
    part.upper[cut.axis] = box.lower[cut.axis] + extent * last / cut.count;
    return part;
}

std::vector<Box> pieces_of(const std::vector<Box>& boxes, const Cut& cut, std::uint64_t first, std::uint64_t last) {
    std::vector<Box> parts;
    parts.reserve(boxes.size());
    for (const Box& box : boxes) parts.push_back(pieces_of(box, cut, first, last));
    return parts;
}

namespace {

/// How many of the sender's pieces go one by one.
std::uint64_t sent_alone(const Cut& before, const Cut& after) {
    return after.count == 1 ? before.count - 1 : before.count / 2;
}

}  // namespace

std::vector<Stage> stages_of(const Cut& before, const Cut& after) {
    const std::uint64_t alone = sent_alone(before, after);
    std::vector<Stage> stages;
    for (std::uint64_t piece = 0; piece < alone; ++piece) stages.push_back({piece, piece + 1, 0, after.count});
    for (std::uint64_t piece = 0; piece < after.count; ++piece)
        stages.push_back({alone, before.count, piece, piece + 1});
    return stages;
}

Windows windows_of(const std::vector<Box>& from, const std::vector<Box>& to, bool may_be_shared) {
    Windows apart{from, to, false}, shared{{}, {}, true};
    for (std::size_t rank = 0; rank < from.size() && may_be_shared; ++rank) {
        if (from[rank].empty() || to[rank].empty()) return apart;
        Box around{from[rank].lower, from[rank].upper};
        for (std::size_t axis = 0; axis < around.lower.size(); ++axis) {
            around.lower[axis] = std::min(around.lower[axis], to[rank].lower[axis]);
            around.upper[axis] = std::max(around.upper[axis], to[rank].upper[axis]);
        }
        if (around.count() > from[rank].count() + to[rank].count()) return apart;
        shared.from.push_back(around);
    }
    shared.to = shared.from;
    return may_be_shared ? shared : apart;
}

Load load_of(const Step& before, const Step& after, std::size_t rank, std::uint64_t element_bytes) {
    const std::uint64_t bytes = before.after[rank].count() * element_bytes,
                        received = after.before[rank].count() * element_bytes;
    Load load;
    load.kept = intersection(before.after[rank], after.before[rank]).count() * element_bytes;
    load.sent = bytes - load.kept;
    load.before = 2 * bytes * before.axes.size();
    load.after = 2 * received * after.axes.size();
    return load;
}

double time_in_pieces(const Load& load, std::uint64_t pieces, const Speeds& speeds) {
    constexpr double seconds_per_piece = 4.5e-5;  // launches, copies and events of a piece [LAB-0115]
    const double link = static_cast<double>(load.sent) / speeds.link,
                 first = static_cast<double>(load.before) / speeds.memory,
                 second = static_cast<double>(load.after) / speeds.memory;
    const Cut before{0, load.before == 0 ? 1 : pieces}, after{0, load.after == 0 ? 1 : pieces};
    const double made = static_cast<double>(before.count), come = static_cast<double>(after.count),
                 early = static_cast<double>(sent_alone(before, after)) / made * link, late = link - early;
    const double own = pieces == 1 ? 2 * static_cast<double>(load.kept) / speeds.memory : 0;
    return std::max(first, first / made + early) + std::max(late + second / come, late / come + second) + own +
           seconds_per_piece * static_cast<double>(pieces);
}

std::uint64_t best_pieces(const Load& load, const Speeds& speeds) {
    constexpr std::uint64_t most_pieces = 8;  // 16 were never faster [LAB-0115]
    std::uint64_t best = 1;
    for (std::uint64_t count = 2; count <= most_pieces; count *= 2)
        if (time_in_pieces(load, count, speeds) < time_in_pieces(load, best, speeds)) best = count;
    return best;
}

std::uint64_t best_pieces(const Load& load, const DeviceLimits& limits) {
    // Slower links hide more of the passes than is counted here, so that they may have too few pieces, never too many.
    constexpr double link_bytes_per_second = 3.87e11;       // NVLink 4, one direction, by copies alone [LAB-0115]
    constexpr double usual_memory_bytes_per_second = 1e12;  // where the driver does not tell [no note]
    return best_pieces(load,
                       Speeds{limits.memory_bytes_per_second == 0 ? usual_memory_bytes_per_second
                                                                  : static_cast<double>(limits.memory_bytes_per_second),
                              link_bytes_per_second});
}

}  // namespace seiche::distributed
