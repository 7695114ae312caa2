// The instruction that makes a goal from sources at once, where there is one.
#pragma once

#include <optional>
#include <vector>

#include "emit/machine/shuffle_goal.hpp"
#include "emit/x86/shuffle.hpp"

namespace seiche::emit::x86 {

using machine::Goal;
using machine::Widths;

/// The registers of a search.
struct Shape {
    InstructionSet set = InstructionSet::sse42;
    unsigned register_bytes = 16;
    unsigned lane_bytes = 4;  ///< Of its goals: 2 or 4.

    unsigned lanes() const { return register_bytes / lane_bytes; }
};

/// A step before it is numbered. The constant is what `wanted` says, where source 0 is a and source 1 is b.
struct DraftStep {
    ShuffleOp op = ShuffleOp::permute_32;
    std::uint16_t a = 0;
    std::uint16_t b = 0;
    std::uint8_t immediate = 0;
    std::uint32_t mask = 0;
    Goal wanted;
};

/// An instruction that chooses lanes by its immediate.
struct Select {
    ShuffleOp op = ShuffleOp::permute_32;
    unsigned lane_bytes = 4;
    unsigned group_bytes = 16;  ///< Lanes are chosen from the same group.
    unsigned bits = 2;          ///< Of the immediate for one lane,
    unsigned stride = 2;        ///< so many apart.
    bool two = false;           ///< The upper half of a group is of b.
    bool shared = true;         ///< All groups choose alike; else each lane has bits of its own.
    unsigned offset_of_b = 0;   ///< Added to the choice for a lane of b.

    unsigned lanes_per_group() const { return group_bytes / lane_bytes; }
    /// Which bits of the immediate choose lane i.
    unsigned slot(unsigned i) const { return shared ? i % lanes_per_group() : i; }
    bool from_b(unsigned i) const { return two && i % lanes_per_group() >= lanes_per_group() / 2; }
    /// A shuffle_128 of 64 bytes.
    bool is_of_four_blocks() const { return group_bytes == 64; }
    unsigned bits_for(unsigned slot, unsigned choice, bool of_b) const {
        return (choice + (of_b ? offset_of_b : 0)) << (slot * stride);
    }
};

/// Those that a shape has, cheap ones first.
const std::vector<Select>& selects_of(const Shape& shape);

/// Which lane an unpack or align puts at lane i: of b or of a, and the lane's place.
struct Origin {
    bool of_b = false;
    unsigned place = 0;
};
Origin unpack_origin(unsigned lane_bytes, bool high, unsigned i);
/// For lanes of one group of `group` lanes, `shift` lanes down.
Origin align_origin(unsigned group, unsigned shift, unsigned i);
/// The unpack of lanes of 2, 4 or 8 bytes.
ShuffleOp unpack_op(unsigned lane_bytes, bool high);

bool has_constant(ShuffleOp op);
bool crosses_blocks(ShuffleOp op);

/// The best single instruction for a goal of one or two sources. The choices of lanes that nobody looks at are 0.
std::optional<DraftStep> one_step(const Shape& shape, const Goal& goal);

}  // namespace seiche::emit::x86
