// Which sequences of the launch, and which channel of theirs, a group works on.
#pragma once

#include "kernels/frame.hpp"
#include "kernels/group/transpose_map.hpp"

namespace seiche::kernels {

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
