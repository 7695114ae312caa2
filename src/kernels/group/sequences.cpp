#include "kernels/group/sequences.hpp"

namespace seiche::kernels {

using ir::Value;

Value Sequences::of(Value sequence_in_group) const {
    if (shape_.has_mirrors_in_group()) return mirrored_column(sequence_in_group);
    if (shape_.tile) return tile_sequence(sequence_in_group);
    return first() + sequence_in_group;
}

Value Sequences::origin(Value sequence, Side side) const {
    const Channels& channels = spec_.convolution.channels;
    const std::uint64_t stride = side == Side::input ? channels.input_stride : channels.output_stride;
    return frame_.origin(sequence, side) + channel_ * stride;
}

Value Sequences::has_own_mirrors() const {
    const Value place = group_id() % (spec_.loops[0].count / shape_.sequences);
    return frame_.builder.compare(ir::Op::equal, place, frame_.u32(0));
}

/// Groups of mirrored sequences of folded elements follow each other, so that a cache puts their halves of the sectors
/// together.
Value Sequences::group() const {
    const Value group = group_id();
    const Folded* fold = spec_.in.folded() ? spec_.in.folded() : spec_.out.folded();
    if (!fold || fold->loop != 0 || spec_.loops[0].count % shape_.sequences != 0) return group;
    const std::uint64_t groups = spec_.loops[0].count / shape_.sequences;
    const Value place = group % groups, pair = place >> 1;
    const Value is_odd = frame_.builder.compare(ir::Op::equal, place & std::uint64_t{1}, frame_.u32(1));
    return group - place + frame_.builder.select(is_odd, frame_.u32(groups - 1) - pair, pair);
}

/// A group takes half of its sequences from the first columns that are left, and their mirrors.
Value Sequences::mirrored_column(Value sequence_in_group) const {
    const std::uint64_t columns = spec_.loops[0].count, sequences = shape_.sequences, half = sequences / 2;
    const Value group = group_id(), place = group % (columns / sequences);
    const Value is_first = frame_.builder.less(sequence_in_group, frame_.u32(half));
    const Value first = place * half;
    if (!spec_.in.bins() && !spec_.out.bins()) {
        const Value start = frame_.builder.select(is_first, first, frame_.u32(columns - sequences) - first);
        return (group - place) * sequences + start + sequence_in_group;
    }
    // Of bins column c has columns - c for its mirror, but 0 the middle one beside it.
    const Value mirror = frame_.u32(columns - sequences + 1) - first + sequence_in_group;
    const Value is_beside_0 = frame_.builder.compare(ir::Op::equal, mirror, frame_.u32(columns));
    const Value second = frame_.builder.select(is_beside_0, frame_.u32(columns / 2), mirror);
    return (group - place) * sequences + frame_.builder.select(is_first, first + sequence_in_group, second);
}

Value Sequences::tile_sequence(Value sequence_in_group) const {
    const Tile& tile = *shape_.tile;
    const std::uint64_t ranks = shape_.groups_per_cluster, transforms = transforms_per_group(spec_);
    const InTransform<Value> in = in_transform(spec_, sequence_in_group, frame_.u32(0));
    Value transposed = in.sequence;
    if (ranks > 1) transposed = transposed + frame_.builder.cluster_rank() * (tile.transposed / ranks);
    const Value first = frame_.builder.group_id() / ranks * transforms;
    if (tile.transposed_first) return (first + in.transform) * std::uint64_t{tile.transposed} + transposed;
    const std::uint64_t each = sequences_per_batch(spec_) / tile.transposed;  // transforms of a batch entry
    return first / each * (each * tile.transposed) + first % each + in.transform + transposed * each;
}

/// The last group of a slice has what is left of it.
void Sequences::take(Value group) {
    const std::uint64_t sequences = shape_.sequences, slice = spec_.slices.sequences,
                        groups = (slice + sequences - 1) / sequences;
    group_ = group;
    frame_.total = {};
    if (const std::uint64_t run = spec_.slices.run) {
        const std::uint64_t beside = spec_.slices.period / run, of_run = run / sequences;
        const Value of_slice = group / groups, in_slice = group % groups;
        first_ = of_slice / beside * (beside * slice) + of_slice % beside * run +
                 in_slice / of_run * spec_.slices.period + in_slice % of_run * sequences;
        return;
    }
    if (slice % sequences == 0) return;
    const Value begin = group / groups * slice;
    first_ = begin + group % groups * sequences;
    frame_.total = begin + slice;
}

}  // namespace seiche::kernels
