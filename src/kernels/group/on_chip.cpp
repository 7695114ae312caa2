// Passes in one kernel, two or the three of a cube: a pass's results cross to the next through the shared memory of a
// group, or of the groups of a cluster, each of which writes to all (Bailey, "FFTs in external or hierarchical memory",
// 1990, with a cluster's memory as the external one).
//
// A transform is n_1 rows of n_2 columns. The first pass has the columns, n_1 points each, the second the rows. Of the
// groups of a cluster each has as many columns as the others, then as many rows: the crossing is all that they share.
// Of a longer transform, or of an axis that is not the last, a cluster has a tile: transforms that lie beside each
// other, so that memory is touched in runs. Of a cube a group has all three axes, and each pass as many threads as
// whole rows of it ask for; of planes of unlike axes too (OnChip::own_threads).
#include <algorithm>
#include <bit>

#include "kernels/group/group.hpp"

namespace seiche::kernels {

using ir::Complex;
using ir::Value;

GroupKernel::InTile GroupKernel::in_tile(Value sequence_in_group) {
    const Value zero = frame_.u32(0);
    if (!spec_.on_chip.next.empty() && spec_.on_chip.crossing_loop == 1) {
        const Crossing own = crossing();
        const Value line = sequence_in_group / std::uint64_t{own.beside};
        return {line / std::uint64_t{own.columns}, line % std::uint64_t{own.columns},
                sequence_in_group % std::uint64_t{own.beside}};
    }
    const std::uint64_t transforms = transforms_per_group(spec_), each = shape_.sequences / transforms;
    if (transforms == 1) return {zero, sequence_in_group, zero};
    if (shape_.tile && shape_.tile->beside)
        return {sequence_in_group % transforms, sequence_in_group / transforms, zero};
    return {sequence_in_group / each, sequence_in_group % each, zero};
}

/// Of the launch.
Value GroupKernel::tile_sequence(const Slot& slot) {
    const Tile& tile = *shape_.tile;
    const std::uint64_t ranks = shape_.groups_per_cluster, transforms = transforms_per_group(spec_);
    const InTile in = in_tile(slot.sequence_in_group);
    Value crossing = in.crossing;
    if (ranks > 1) crossing = crossing + frame_.builder.cluster_rank() * (tile.crossing / ranks);
    const Value first = frame_.builder.group_id() / ranks * transforms;
    if (tile.crossing_first) return (first + in.transform) * std::uint64_t{tile.crossing} + crossing;
    const std::uint64_t each = sequences_per_batch(spec_) / tile.crossing;  // transforms of a batch entry
    return first / each * (each * tile.crossing) + first % each + in.transform + crossing * each;
}

ir::Kernel GroupKernel::build_fused() {
    GroupKernel next(spec_.on_chip.next.front(), Frame(spec_.on_chip.next.front(), frame_));
    const std::size_t loops = next.spec_.on_chip.next.empty() ? 1 : 2;
    frame_.joins_loops = next.frame_.joins_loops = loops == 2 || is_halved(spec_);
    take_whole_transforms(next, loops);
    std::optional<GroupKernel> third;
    std::uint32_t extent = choose_fused_layout(next);
    if (const std::vector<KernelSpec>& behind = next.spec_.on_chip.next; !behind.empty()) {
        third.emplace(behind.front(), Frame(behind.front(), frame_));
        third->frame_.joins_loops = true;
        next.take_whole_transforms(*third, loops);
        extent = std::max(extent, next.choose_layout_behind(*third));
    }
    declare_planes(extent);
    run_fused(next);
    if (third) next.cross_and_run(*third);
    (third ? *third : next).store();
    return frame_.builder.finish();
}

/// Elements of a plane: of a pass of one stage, which exchanges nothing but bins, no more than the next one's, or than
/// its rows take that come by way of it.
std::uint32_t GroupKernel::choose_fused_layout(GroupKernel& next) {
    const bool have_own_threads = !next.spec_.on_chip.next.empty() || is_halved(spec_) || spec_.on_chip.own_threads;
    std::uint32_t own = 0;
    if (const std::uint32_t room = have_own_threads ? 0 : most_room_in_group(false)) {
        own = choose_own_layout(room);
    } else {
        choose_places(patterns());
        own = stages_.size() > 1 || is_of_plane(spec_.in.bins()) ? exchange_extent() : 0;
    }
    const std::uint32_t of_rows = spec_.in.has_rows() ? shape_.sequences * pitch_of_rows(elements_of_row()) : 0;
    return std::max({own, of_rows, choose_layout_behind(next)});
}

/// Of what the pass exchanges by itself, and of its bins, each as suits it. Of planes in one group, whose lengths are
/// no powers of two, about half of all wavefronts were of places that met: of 100 x 100 points 7440 of 15000.
std::uint32_t GroupKernel::choose_own_layout(std::uint32_t room) {
    std::uint32_t extent = 0;
    const auto choose = [&](void (GroupKernel::*add)(Counted, std::vector<AccessPattern>&)) {
        const auto of_pitch = [&] {
            std::vector<AccessPattern> all;
            (this->*add)(Counted::most, all);
            return all;
        };
        pitch_ = places_of_sequence();
        choose_places(of_pitch());
        choose_pitch(room, of_pitch);
    };
    if (is_of_plane(spec_.in.bins()) || is_of_plane(spec_.out.bins())) {
        choose(&GroupKernel::add_bins_patterns);
        bins_layout_ = {swizzle_, pitch_};
        extent = exchange_extent();
    }
    if (stages_.size() < 2) return extent;
    choose(&GroupKernel::add_exchange_patterns);
    if (may_have_blocks()) choose_blocks(room);
    return std::max(extent, exchange_extent());
}

/// Of the pass that this one's results cross to.
std::uint32_t GroupKernel::choose_layout_behind(GroupKernel& next) {
    if (next.spec_.on_chip.next.empty() && next.spec_.out.has_rows()) {
        next.pitch_ = pitch_of_rows(crossing().columns);
        next.power_of_two_ = false;
        return next.exchange_extent();
    }
    const bool have_own_threads =
        spec_.is_second() || !next.spec_.on_chip.next.empty() || is_halved(spec_) || spec_.on_chip.own_threads;
    const std::uint32_t room = next.most_room_in_group(have_own_threads);
    if (room != 0 && !have_own_threads) {
        const auto patterns = [&] { return crossed_patterns(next, Counted::most); };
        next.choose_places(patterns());
        next.choose_pitch(room, patterns);
        next.crossing_layout_ = {next.swizzle_, next.pitch_};
        const std::uint32_t extent = next.exchange_extent();
        return std::max(extent, next.choose_own_layout(room));
    }
    const auto all_patterns = [&] {
        std::vector<AccessPattern> all = next.patterns();
        for (const AccessPattern& pattern : crossed_patterns(next, Counted::few)) all.push_back(pattern);
        return all;
    };
    // Places that both passes have are kept in registers from one to the other: of 2^16 points 12 of 64 spilled, and
    // what a cluster's barrier drops from the first cache came back slowly, 0.78 of copy instead of 0.92. Where columns
    // meet each place is computed anew, and the simplest swizzle takes the least.
    next.choose_places(all_patterns(), next.shape_.has_mirrors_in_group() ? nullptr : &swizzle_);
    if (room != 0) next.choose_pitch(room, all_patterns);
    return next.exchange_extent();
}

/// The layout of the pass's own exchanges and another one, if there is one.
void GroupKernel::exchange_layout(std::optional<Layout>& with) {
    if (!with) return;
    std::swap(swizzle_, with->swizzle);
    std::swap(pitch_, with->pitch);
}

/// Up to the next pass's points; they are to be stored, or to cross once more.
void GroupKernel::run_fused(GroupKernel& next) {
    load();
    run_stages(0, stages_.size());
    cross_and_run(next);
}

void GroupKernel::cross_and_run(GroupKernel& next) {
    std::copy(std::begin(plane_), std::end(plane_), std::begin(next.plane_));
    cross(next);
    next.pass_loaded();
    next.run_stages(0, next.stages_.size());
}

/// Groups have no more sequences than there are, but for the last of those with several transforms. So many loops have
/// the sequences of one.
void GroupKernel::take_whole_transforms(GroupKernel& next, std::size_t loops) {
    std::uint64_t of_transform = 1;
    for (std::size_t i = 0; i < loops; ++i) of_transform *= spec_.loops[i].count;
    const std::uint32_t loop = spec_.on_chip.crossing_loop;
    if (shape_.tile || shape_.sequences <= of_transform)
        frame_.total = {};
    else
        next.frame_.total = frame_.total / spec_.loops[loop].count * next.spec_.loops[loop].count;
}

/// Where bins meet in the second pass, row k of s is in the group of its mirror, s - k, and counted from its other end;
/// row s / 2 is beside row 0.
std::uint32_t GroupKernel::mirrored_row(std::uint32_t k) const {
    const std::uint32_t rows = crossing().rows, half = rows / 2, all = spec_.n;
    const bool is_low = k < all / 2;
    const std::uint32_t mirrored = is_low ? k : k == all / 2 ? 0 : all - k;
    return is_low ? mirrored % half : rows - 1 - mirrored % half;
}

/// The same of result p + leg s of the stage that ends the core.
GroupKernel::RowOf GroupKernel::mirrored_row(const StageDeal& stage, Value p, std::uint32_t leg) {
    ir::Builder& build = frame_.builder;
    const Crossing crossing = this->crossing();
    const std::uint64_t half = crossing.rows / 2, ahead = std::uint64_t{leg} * stage.s, all = spec_.n;
    const bool has_halves = stage.radix % 2 == 0, is_steady = has_halves && half % stage.s == 0;
    if (is_steady && 2 * leg < stage.radix) return {frame_.u32(ahead / half), p + ahead % half};
    const Value k = p + ahead;
    const Value is_beside_0 = build.compare(ir::Op::equal, k, frame_.u32(all / 2));
    const Value back = build.select(is_beside_0, frame_.u32(0), frame_.u32(all) - k);
    const Value is_low = build.less(k, frame_.u32(all / 2));
    const Value mirrored = !has_halves ? build.select(is_low, k, back) : 2 * leg < stage.radix ? k : back;
    const Value low = mirrored % half, high = frame_.u32(crossing.rows - 1) - low;
    const Value row = !has_halves ? build.select(is_low, low, high) : 2 * leg < stage.radix ? low : high;
    return {mirrored / half, row};
}

/// Places in the second pass's order, as write_crossing finds them and as its first stage reads them.
std::vector<AccessPattern> GroupKernel::crossed_patterns(const GroupKernel& next, Counted counted) const {
    const Crossing crossing = this->crossing();
    const std::uint32_t transforms = crossing.transforms;
    const std::uint32_t all_rows = crossing.rows * crossing.ranks, beside = crossing.beside;
    const auto is_beside = [](const GroupShape& shape) { return shape.tile && shape.tile->beside; };
    const bool columns_beside = is_beside(shape_), rows_beside = is_beside(next.shape_);
    std::vector<AccessPattern> all;
    if (counted == Counted::most)
        add_all_patterns(stages_.back(), true, all);
    else
        add_pattern(stages_.back(), true, false, all);
    for (AccessPattern& pattern : all) {
        std::erase_if(pattern, [&](std::uint32_t at) { return at % pitch_ >= all_rows; });
        for (std::uint32_t& at : pattern) {
            const std::uint32_t sequence = at / pitch_, result = at % pitch_;
            const std::uint32_t line = sequence / beside;
            const std::uint32_t transform = columns_beside ? line % transforms : line / crossing.columns;
            const std::uint32_t column = columns_beside ? line / transforms : line % crossing.columns;
            const std::uint32_t row =
                next.shape_.has_mirrors_in_group() ? mirrored_row(result) : result % crossing.rows;
            const std::uint32_t of_lines = rows_beside ? row * transforms + transform : transform * crossing.rows + row;
            const std::uint32_t number = of_lines * beside + sequence % beside;
            at = number * next.pitch_ + column;
        }
    }
    std::erase_if(all, [](const AccessPattern& pattern) { return pattern.empty(); });
    if (counted == Counted::most)
        next.add_all_patterns(next.stages_.front(), false, all);
    else
        next.add_pattern(next.stages_.front(), false, false, all);
    return all;
}

/// Before a write: nobody reads what it overwrites any more. After it: it is there.
void GroupKernel::meet() { crossing().ranks > 1 ? frame_.builder.cluster_barrier() : frame_.builder.group_barrier(); }

/// Bytes of a round that each group of a cluster gets; 0: that is not the same for all, since the last of them have
/// fewer transforms.
std::uint64_t GroupKernel::crossing_bytes(const GroupKernel& next, const Round& round) const {
    const Crossing crossing = this->crossing();
    if (crossing.ranks == 1 || next.frame_.total || frame_.total) return 0;
    const std::uint64_t points =
        std::uint64_t{crossing.rows} * crossing.columns * crossing.ranks * crossing.transforms * crossing.beside;
    const std::uint64_t parts = round.parts.front() == Part::whole ? 2 : round.parts.size();
    return points * parts * type_bytes(frame_.real);
}

/// Twiddles that points are multiplied by as they are loaded: what they take to come, and the products of the tables'
/// entries, are hidden by the wait for the points, which leaves their registers free. The builder numbers both, so that
/// pass_through finds them made. Lengths of other radices have
/// products as late as they need them (40960 points 0.88, 0.83 with products ahead), and of f64 too few registers for
/// the entries (6561 points 0.89, 0.74 with entries ahead).
void GroupKernel::fetch_row_factors() {
    if (spec_.movement_only) return;
    const StageDeal& stage = stages_.front();
    for (const Stage& passed : spec_.in.stages) {
        const auto* twiddle = std::get_if<FourStepTwiddle>(&passed);
        if (!twiddle) continue;
        const bool is_of_two = std::has_single_bit(twiddle->length);
        if (!is_of_two && type_bytes(frame_.real) > 4) continue;
        for (std::uint32_t u = 0; u < stage.slots; ++u) {
            const Slot where = slot(stage, u);
            for (std::uint32_t j = 0; j < stage.radix; ++j) {
                const Value element = where.butterfly + std::uint64_t{j} * stage.butterflies;
                const Place place{element, sequence(where), exists(where)};
                const std::vector<Complex> factors =
                    row_factors(*twiddle, spec_.in.stages, where, place, row_of(stage, u, j));
                if (is_of_two && !factors.empty()) product_of(factors);
            }
        }
    }
}

void GroupKernel::cross(GroupKernel& next) {
    next.points_.assign(std::size_t{next.stages_.front().slots} * next.stages_.front().radix, {});
    StageDeal crossed;  // the sequences, as points of the next pass: the first ones, if not all
    crossed.butterflies = crossing().columns * crossing().ranks;
    crossed.is_deal = crossed.butterflies < next.spec_.n;
    const std::vector<Round> all = rounds();
    next.exchange_layout(next.crossing_layout_);
    for (const Round& round : all) {
        const std::uint64_t bytes = crossing_bytes(next, round);
        // A neighbour's memory is there once the neighbour runs.
        if (bytes != 0)
            frame_.builder.cluster_ready();
        else if (exchanged_ || crossing().ranks > 1)
            meet();
        exchanged_ = next.exchanged_ = true;
        for (const Part part : round.parts) write_crossing(next, part);
        if (bytes != 0) {
            if (&round == &all.back()) next.fetch_row_factors();
            frame_.builder.cluster_arrivals(bytes);
        } else {
            meet();
        }
        for (const Part part : round.parts) next.read_part(next.stages_.front(), crossed, part);
    }
    next.exchange_layout(next.crossing_layout_);
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
    const std::uint64_t rows = crossing.rows, all_rows = rows * crossing.ranks, all_columns = next.pitch_;
    const bool is_beside = next.shape_.tile && next.shape_.tile->beside;
    const std::uint64_t from_row = is_beside ? crossing.transforms : crossing.beside;
    const std::uint64_t from_transform = is_beside ? 1 : rows * crossing.beside;
    const bool is_steady = rows % stage.s == 0;
    const bool is_disjoint = std::has_single_bit(all_columns * rows * from_row);
    for (std::uint32_t u = 0; u < stage.slots; ++u) {
        const Slot where = slot(stage, u);
        const Value p = place_in_run(stage, where);
        const InTile in = in_tile(where.sequence_in_group);
        Value column = in.crossing;
        if (crossing.ranks > 1) column = column + build.cluster_rank() * std::uint64_t{crossing.columns};
        if (shape_.has_mirrors_in_group()) column = frame_.loop_index(sequence(where), 0);
        for (std::uint32_t leg = 0; leg < stage.radix; ++leg) {
            const std::uint64_t ahead = std::uint64_t{leg} * stage.s;
            if (ahead >= all_rows) continue;
            if (next.shape_.has_mirrors_in_group()) {
                const RowOf to = mirrored_row(stage, p, leg);
                const Value place = next.swizzle_.apply(to.row * all_columns + column, 0, false);
                put_for(crossing.ranks > 1 ? to.rank : Value{}, part, place, points_[u * stage.radix + leg],
                        where.owns);
                continue;
            }
            const Value result = p + ahead;
            const Value row = in.transform * from_transform + (is_steady ? p : result % rows) * from_row + in.beside;
            const std::uint64_t constant = is_steady ? ahead % rows * from_row * all_columns : 0;
            const Value at = next.swizzle_.apply(row * all_columns + column, static_cast<std::uint32_t>(constant),
                                                 is_steady && is_disjoint);
            Value rank, crosses = where.owns;
            if (crossing.ranks > 1) rank = is_steady ? frame_.u32(ahead / rows) : result / rows;
            if (ahead + stage.s > all_rows)
                crosses = both(crosses, build.less(result, frame_.u32(static_cast<std::uint32_t>(all_rows))));
            put_for(rank, part, at, points_[u * stage.radix + leg], crosses);
        }
    }
}

}  // namespace seiche::kernels
