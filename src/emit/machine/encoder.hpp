// What allocation asks of a target: its registers, and the bytes of instructions whose registers are known.
#pragma once

#include <cstdint>
#include <vector>

#include "emit/machine/code.hpp"
#include "emit/machine/machine.hpp"

namespace seiche::emit::machine {

/// The number of a machine register in its bank.
using Physical = std::uint8_t;
inline constexpr Physical nowhere = 0xff;

/// A place in the code, by the encoder's number.
using Label = std::uint32_t;

/// An operand with machine registers.
struct PlacedOperand {
    OperandKind kind = OperandKind::none;
    Bank bank = Bank::general;  ///< Of a `reg`.
    std::uint8_t bytes = 0;     ///< As Operand::bytes.
    Physical reg = nowhere, index = nowhere;
    std::uint8_t shift = 0;
    std::uint8_t fixed = 0;
    std::int64_t immediate = 0;
};
inline PlacedOperand placed(Bank bank, Physical reg, unsigned bytes) {
    PlacedOperand o;
    o.kind = OperandKind::reg;
    o.bank = bank;
    o.reg = reg;
    o.bytes = static_cast<std::uint8_t>(bytes);
    return o;
}
inline PlacedOperand placed_number(std::int64_t value) {
    PlacedOperand o;
    o.kind = OperandKind::immediate;
    o.immediate = value;
    return o;
}
/// In the frame, or among the constants.
inline PlacedOperand placed_at(OperandKind kind, std::uint64_t offset, unsigned bytes) {
    PlacedOperand o;
    o.kind = kind;
    o.immediate = static_cast<std::int64_t>(offset);
    o.bytes = static_cast<std::uint8_t>(bytes);
    return o;
}

/// Bit r: register r. By bank.
struct RegisterSets {
    std::uint32_t allocated[2] = {};
    std::uint32_t kept_by_calls[2] = {};
};

class Encoder {
public:
    using Operands = std::vector<PlacedOperand>;

    Encoder() = default;
    virtual ~Encoder() = default;
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    virtual RegisterSets registers() const = 0;

    /// `masked`: under the target's mask.
    virtual void emit(InstructionId id, const Operands& operands, bool masked = false) = 0;
    /// A store which the version of the code that streams does around the caches.
    virtual void emit_streamed(InstructionId id, const Operands& operands) = 0;
    /// The instruction as Form::fused, but it overwrites the fourth.
    virtual InstructionId over_sum(InstructionId fused) const = 0;
    /// Of a tied instruction: the one that does the same and overwrites the next operand; 0: there is none.
    virtual InstructionId over_next(InstructionId) const { return 0; }
    /// Of a tied instruction: whether it is a sum, which add_beside makes in a third register.
    virtual bool is_sum(InstructionId) const { return false; }
    virtual void add_beside(Physical to, Physical a, const PlacedOperand& b, unsigned bytes) = 0;
    virtual void move(Bank bank, unsigned bytes, Physical to, Physical from) = 0;
    virtual void save(Bank bank, unsigned bytes, std::uint64_t place, Physical from) = 0;
    virtual void restore(Bank bank, unsigned bytes, Physical to, std::uint64_t place) = 0;
    virtual void load_constant(unsigned bytes, Physical to, std::uint64_t offset) = 0;
    /// Without a change of the flags, like `clear`.
    virtual void load_immediate(Physical to, std::uint64_t value) = 0;
    virtual void clear(Bank bank, unsigned bytes, Physical reg) = 0;
    virtual void call(const Instruction& call) = 0;
    virtual void add_to(Physical counter, const PlacedOperand& step) = 0;

    /// The flags that jump_unless and set look at for this relation.
    virtual void compare(const PlacedOperand& a, const PlacedOperand& b, Relation relation) = 0;
    /// Over one instruction.
    virtual void jump_unless(Relation relation, Label to) = 0;
    virtual void set(Relation relation, Physical to) = 0;
    virtual Label new_label() = 0;
    virtual void bind(Label label) = 0;
    /// To anywhere, as the rest.
    virtual void jump_always(Label to) = 0;
    virtual void jump_if_below(Label to) = 0;
    virtual void jump_if_not_below(Label to) = 0;
    virtual void jump_if_zero(Physical condition, Label to) = 0;

    /// The end of the function, with a frame of so many bytes.
    virtual Code finish(std::uint64_t frame_bytes) = 0;
};

}  // namespace seiche::emit::machine
