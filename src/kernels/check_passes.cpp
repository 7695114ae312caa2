// What holds of several passes in one launch: on chip, and pipelined.
#include "kernels/check_spec.hpp"
#include "kernels/contract/parameters.hpp"

namespace seiche::kernels {

namespace {

bool has_pairs(const KernelSpec& spec) { return spec.in.bins() || spec.out.bins(); }

/// Points that come to a second pass: all, or those that it keeps.
std::uint64_t points_taken(const KernelSpec& second) {
    const std::vector<Range>& kept = second.in.kept.ranges;
    return kept.empty() ? sequence_points(second, second.in.stages) : kept.front().end;
}

/// Both passes exchange points in the same way, so that they have the same shared memory.
bool exchange_alike(const GroupShape& a, const GroupShape& b) {
    return a.exchange.components == b.exchange.components && a.exchange.whole_points == b.exchange.whole_points;
}

std::uint32_t threads_of(const GroupShape& shape) { return shape.group_threads(); }

void check_kinds(const KernelSpec& spec, const KernelSpec& second) {
    const auto *shape = std::get_if<GroupShape>(&spec.shape), *other = std::get_if<GroupShape>(&second.shape);
    // What a first pass stores by a chirp would come after the second one's results.
    const auto may_share = [&spec](const KernelSpec& pass) {
        const bool may_convolve = spec.on_chip.own_threads && pass.convolution.channels.is_single() &&
                                  !splits_parity(pass) && (pass.convolution.prime != 0 || pass.is_second());
        return pass.has_core() && (pass.runs_once() || may_convolve);
    };
    expect(spec,
           spec.on_chip.next.size() == 1 && second.is_second() && shape && other &&
               (second.on_chip.next.empty() || (!spec.in.bins() && !shape->tile && shape->groups_per_cluster == 1)),
           "at most a second pass, or of what a group has whole more, all of groups");
    expect(
        spec,
        may_share(spec) && may_share(second) && spec.out.has<Points>() && second.in.has<Points>() &&
            spec.in.has<Points, ConjugatePairs>() && second.out.has<Points, ConjugatePairs>(),
        "two passes without maps, of convolutions those that have threads of their own, conjugate pairs on the sides "
        "of memory");
    const auto is_of_columns = [](const RealMap* bins) { return bins && !is_of_plane(bins); };
    const bool has_columns =
        !spec.on_chip.own_threads && (is_of_columns(spec.in.bins()) || is_of_columns(second.out.bins()));
    expect(spec, !has_columns || (!shape->tile && transforms_per_group(spec) == 1),
           "conjugate pairs of one transform in a group or a cluster");
}

void check_tile(const KernelSpec& spec, const KernelSpec& pass, std::uint32_t transposed) {
    const auto& shape = std::get<GroupShape>(pass.shape);
    expect(spec,
           shape.tile->transposed == transposed && transposed % shape.groups_per_cluster == 0 &&
               sequences_per_batch(pass) % (std::uint64_t{shape.sequences} * shape.groups_per_cluster) == 0,
           "whole tiles");
}

/// The loops, or tiles, of both passes are those of one transpose.
void check_transpose(const KernelSpec& spec, const KernelSpec& second) {
    const auto &shape = std::get<GroupShape>(spec.shape), &other = std::get<GroupShape>(second.shape);
    expect(spec, shape.tile.has_value() == other.tile.has_value(), "a tile of both passes or of none");
    if (shape.tile) {
        check_tile(spec, spec, second.n);
        check_tile(spec, second, spec.n);
    } else {
        const std::size_t loop = spec.on_chip.transposed_loop;
        expect(spec,
               loop < 2 && loop < spec.loops.size() && loop < second.loops.size() &&
                   spec.loops[loop].count == points_taken(second) &&
                   second.loops[loop].count <= sequence_points(spec, spec.in.stages) &&
                   second.loops[0].count % transpose_of(spec).beside == 0,
               "a second pass whose points are the sequences of the first");
    }
    expect(spec,
           !is_halved(spec) || (shape.groups_per_cluster == 1 && !shape.tile && !has_pairs(spec) && !has_pairs(second)),
           "a part of the points to the second pass in one group, without conjugate pairs and tiles");
}

/// Both passes divide the same transforms among the same groups and threads.
void check_division(const KernelSpec& spec, const KernelSpec& second) {
    const auto &shape = std::get<GroupShape>(spec.shape), &other = std::get<GroupShape>(second.shape);
    const OnChipTranspose transpose = transpose_of(spec);
    const bool may_differ =
        spec.is_second() || !second.on_chip.next.empty() || is_halved(spec) || spec.on_chip.own_threads;
    expect(spec, may_differ || sequences_per_batch(spec) * spec.n == sequences_per_batch(second) * second.n,
           "a second pass of as many points");
    const std::uint64_t ranks = transpose.ranks, of_transform = ranks * transpose.beside;
    const std::uint64_t columns = shape.sequences * ranks, rows = other.sequences * ranks;
    const std::uint64_t of_columns = transpose.columns * of_transform, of_rows = transpose.rows * of_transform;
    expect(spec,
           shape.groups_per_cluster == other.groups_per_cluster && exchange_alike(shape, other) &&
               columns % of_columns == 0 && rows % of_rows == 0 && columns / of_columns == rows / of_rows &&
               (shape.tile || ranks == 1 || columns == of_columns) &&
               (threads_of(shape) == threads_of(other) || may_differ),
           "two passes that divide the same transforms among the same groups and threads");
}

bool has_whole_slices(const KernelSpec& spec) {
    const auto& shape = std::get<GroupShape>(spec.shape);
    const std::uint64_t run = spec.slices.run, period = spec.slices.period;
    const bool are_runs =
        run == 0 || (run % shape.sequences == 0 && spec.slices.sequences % run == 0 && period % run == 0 &&
                     sequences_per_batch(spec) % (period * (spec.slices.sequences / run)) == 0);
    return spec.slices.sequences != 0 && sequences_per_batch(spec) % spec.slices.sequences == 0 && are_runs &&
           (!shape.has_mirrors_in_group() || (spec.slices.sequences % shape.sequences == 0 && run == 0));
}

/// A pass and one pipelined behind it, wherever that stores.
void check_pair(const KernelSpec& spec, const KernelSpec& second) {
    const auto *shape = std::get_if<GroupShape>(&spec.shape), *other = std::get_if<GroupShape>(&second.shape);
    expect(spec,
           spec.pipeline.next.size() == 1 && shape && other && second.on_chip.next.empty() &&
               !user_stage(spec.in.stages) && !user_stage(spec.out.stages) && !user_stage(second.in.stages) &&
               !user_stage(second.out.stages),
           "at most one pass behind another, both of groups and without stages of the user's");
    expect(spec, threads_of(*shape) == threads_of(*other) && exchange_alike(*shape, *other),
           "a second pass of as many threads that exchanges its points alike");
    expect(spec,
           has_whole_slices(spec) && has_whole_slices(second) &&
               sequences_per_batch(spec) / spec.slices.sequences ==
                   sequences_per_batch(second) / second.slices.sequences &&
               spec.pipeline.prefetch_distance >= least_prefetch_distance(spec),
           "whole slices, as many of both passes, and a prefetch distance with which no group waits for a later one");
    KernelSpec alone = second;
    alone.pipeline.next.clear();
    check_spec(alone);
}

}  // namespace

void check_on_chip(const KernelSpec& spec) {
    const KernelSpec& second = spec.on_chip.next.front();
    check_kinds(spec, second);
    check_transpose(spec, second);
    check_division(spec, second);
    check_spec(second);
}

void check_pipeline(const KernelSpec& spec) {
    const KernelSpec& second = spec.pipeline.next.front();
    const bool has_between = spec.pipeline.has_between;
    const auto* shape = std::get_if<GroupShape>(&spec.shape);
    expect(spec, !spec.in_place || second.in_place || has_between, "a second pass in place behind one in place");
    expect(spec,
           second.in_place || has_between ||
               (spec.on_chip.next.empty() && !spec.in.is_real() && !second.out.is_real() &&
                spec.in.is_planar() == second.out.is_planar() && spec.in.storage == second.out.storage),
           "a second pass in place, or back to memory of the same elements");
    expect(spec,
           spec.on_chip.next.empty() ||
               (shape && shape->groups_per_cluster == 1 && !shape->tile &&
                spec.on_chip.next.front().on_chip.next.empty() && spec.slices.sequences % shape->sequences == 0),
           "two passes of one group before a pipelined one, in whole groups");
    check_pair(spec, second);
    expect(spec, !has_third_pass(spec) || (second.in_place && has_between), "a third pass behind one in place");
    if (!has_between) return;
    const KernelSpec& last = pass_of_output(spec);
    expect(spec,
           spec.on_chip.next.empty() && spec.out.format == Format::interleaved && !last.in_place &&
               last.in.format == Format::interleaved && last.pipeline.next.empty(),
           "a last pass between memory of interleaved points and the output");
    if (has_third_pass(spec)) check_pair(second, last);
}

}  // namespace seiche::kernels
