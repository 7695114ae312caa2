// Two passes in one kernel: the first pass's results cross to the second through the shared memory of a group, or of
// the groups of a cluster, each of which writes to all (Bailey, "FFTs in external or hierarchical memory", 1990, with
// a cluster's memory as the external one).
//
// A transform is n_1 rows of n_2 columns. The first pass has the columns, n_1 points each, the second the rows. Of the
// groups of a cluster each has as many columns as the others, then as many rows: the crossing is all that they share.
#include <algorithm>
#include <bit>

#include "kernels/group.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

GroupKernel::Crossing GroupKernel::crossing() const {
    const std::uint32_t ranks = shape_.groups_per_cluster, transforms = transforms_per_group(spec_);
    const auto columns = static_cast<std::uint32_t>(spec_.loops[0].count);
    return {columns / ranks, spec_.n / ranks, transforms, ranks};
}

ir::Kernel GroupKernel::build_fused() {
    GroupKernel next(spec_.then.front(), Frame(spec_.then.front(), frame_));
    take_whole_transforms(next);
    choose_places(patterns());
    std::vector<AccessPattern> crossed = next.patterns();
    for (const AccessPattern& pattern : crossing_patterns()) crossed.push_back(pattern);
    next.add_pattern(next.stages_.front(), false, false, crossed);
    next.choose_places(crossed);
    declare_planes(std::max(exchange_extent(), next.exchange_extent()));
    std::copy(std::begin(plane_), std::end(plane_), std::begin(next.plane_));
    load();
    run_stages(0, stages_.size());
    cross(next);
    next.pass_loaded();
    next.run_stages(0, next.stages_.size());
    next.store();
    return frame_.builder.finish();
}

/// Groups have no more sequences than there are, but for the last of those with several transforms.
void GroupKernel::take_whole_transforms(GroupKernel& next) {
    if (crossing().transforms == 1)
        frame_.total = {};
    else
        next.frame_.total = frame_.total / spec_.loops[0].count * std::uint64_t{spec_.n};
}

/// Places in the second pass's order, as write_crossing finds them.
std::vector<AccessPattern> GroupKernel::crossing_patterns() const {
    const Crossing crossing = this->crossing();
    const std::uint32_t all_columns = crossing.columns * crossing.ranks;
    std::vector<AccessPattern> all;
    add_pattern(stages_.back(), true, false, all);
    for (AccessPattern& pattern : all) {
        for (std::uint32_t& at : pattern) {
            const std::uint32_t sequence = at / spec_.n, result = at % spec_.n;
            const std::uint32_t transform = sequence / crossing.columns, column = sequence % crossing.columns;
            at = (transform * crossing.rows + result % crossing.rows) * all_columns + column;
        }
    }
    return all;
}

/// Before a write: nobody reads what it overwrites any more. After it: it is there.
void GroupKernel::meet() {
    shape_.groups_per_cluster > 1 ? frame_.builder.cluster_barrier() : frame_.builder.group_barrier();
}

void GroupKernel::cross(GroupKernel& next) {
    next.points_.assign(std::size_t{next.stages_.front().slots} * next.stages_.front().radix, {});
    for (const Round& round : rounds()) {
        // A neighbour's memory is there once the neighbour runs.
        if (exchanged_ || shape_.groups_per_cluster > 1) meet();
        exchanged_ = next.exchanged_ = true;
        for (const Part part : round) write_crossing(next, part);
        meet();
        for (const Part part : round) next.read_part(next.stages_.front(), {}, part);
    }
}

void GroupKernel::put_for(Value rank, Part part, Value at, const Complex& point, Value predicate) {
    ir::Builder& build = frame_.builder;
    if (!rank) {
        put(part, at, point, predicate);
        return;
    }
    const Value number = part == Part::whole  ? build.compose({point.re, point.im})
                         : part == Part::real ? point.re
                                              : point.im;
    build.cluster_store(rank, plane_[part == Part::imaginary ? 1 : 0], at, number, predicate);
}

/// Result k of column q goes to row k: of a stage that ends a core k is p + leg s, p below s, so that where s divides
/// the rows of a group the rank and the way from the first leg's place are constants.
void GroupKernel::write_crossing(const GroupKernel& next, Part part) {
    ir::Builder& build = frame_.builder;
    const StageDeal& stage = stages_.back();
    const Crossing crossing = this->crossing();
    const std::uint64_t rows = crossing.rows, all_columns = std::uint64_t{crossing.columns} * crossing.ranks;
    const bool is_steady = rows % stage.s == 0;
    const bool is_disjoint = std::has_single_bit(all_columns) && std::has_single_bit(rows);
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        const Value p = place_in_run(stage, where);
        const bool has_several = crossing.transforms > 1;
        const Value transform = has_several ? where.sequence_in_group / std::uint64_t{crossing.columns} : frame_.u32(0);
        Value column =
            has_several ? where.sequence_in_group % std::uint64_t{crossing.columns} : where.sequence_in_group;
        if (crossing.ranks > 1) column = column + build.cluster_rank() * std::uint64_t{crossing.columns};
        for (std::uint32_t leg = 0; leg < stage.radix; ++leg) {
            const std::uint64_t ahead = std::uint64_t{leg} * stage.s;
            const Value result = p + ahead;
            const Value row = transform * rows + (is_steady ? p : result % rows);
            const std::uint64_t constant = is_steady ? ahead % rows * all_columns : 0;
            const Value at = next.swizzle_.apply(row * all_columns + column, static_cast<std::uint32_t>(constant),
                                                 is_steady && is_disjoint);
            Value rank;
            if (crossing.ranks > 1) rank = is_steady ? frame_.u32(ahead / rows) : result / rows;
            put_for(rank, part, at, points_[u * stage.radix + leg], where.owns);
        }
    }
}

}  // namespace seiche::kernels
