// Which sequences of the launch, and which channel of theirs, a group works on.
#pragma once

#include "kernels/frame.hpp"

namespace seiche::kernels {

/// Of the sequences of a group: which transform, which of its sequences, and which of those beside it.
template <class Index>
struct InTransform {
    Index transform, sequence, beside;
};
template <class Index>
InTransform<Index> in_transform(const KernelSpec& spec, Index sequence_in_group, Index zero) {
    if (!spec.on_chip.next.empty() && spec.on_chip.transposed_loop == 1) {
        const OnChipTranspose own = transpose_of(spec);
        const Index line = sequence_in_group / std::uint64_t{own.beside};
        return {line / std::uint64_t{own.columns}, line % std::uint64_t{own.columns},
                sequence_in_group % std::uint64_t{own.beside}};
    }
    const GroupShape& shape = std::get<GroupShape>(spec.shape);
    const std::uint64_t transforms = transforms_per_group(spec), each = shape.sequences / transforms;
    if (transforms == 1) return {zero, sequence_in_group, zero};
    if (shape.tile && shape.tile->beside) return {sequence_in_group % transforms, sequence_in_group / transforms, zero};
    return {sequence_in_group / each, sequence_in_group % each, zero};
}

class Sequences {
public:
    Sequences(Frame& frame, const KernelSpec& spec)
        : frame_(frame), spec_(spec), shape_(std::get<GroupShape>(spec.shape)) {}

    /// Of the launch, or of the pass that shares it.
    ir::Value group_id() const { return group_ ? group_ : frame_.builder.group_id(); }
    /// The launch's sequence that is the group's first.
    ir::Value first() const { return first_ ? first_ : group() * std::uint64_t{shape_.sequences}; }
    ir::Value of(ir::Value sequence_in_group) const;
    /// Address of the sequence's first point of the channel at work, u64 elements.
    ir::Value origin(ir::Value sequence, Side side) const;
    /// Whether the group has columns 0 and s / 2 of s mirrored columns.
    ir::Value has_own_mirrors() const;

    /// From here on the group is this one of a pipelined pass.
    void take(ir::Value group);
    /// The group that a pass in the same kernel has.
    void follow(const Sequences& first) { group_ = first.group_; }
    void choose_channel(std::uint32_t channel) { channel_ = channel; }

private:
    ir::Value group() const;
    ir::Value tile_sequence(ir::Value sequence_in_group) const;
    ir::Value mirrored_column(ir::Value sequence_in_group) const;

    Frame& frame_;
    const KernelSpec& spec_;
    const GroupShape& shape_;
    ir::Value group_, first_;  // of a pipelined pass; empty: those of the launch
    std::uint32_t channel_ = 0;
};

}  // namespace seiche::kernels
