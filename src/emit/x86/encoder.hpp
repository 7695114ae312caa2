// The assembler with the few moves that allocation adds, and the frame.
#pragma once

#include <xbyak/xbyak.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <new>
#include <vector>

#include "emit/machine/encoder.hpp"
#include "emit/x86/instruction_set.hpp"
#include "emit/x86/instructions.hpp"

namespace seiche::emit::x86 {

/// An operand with machine registers.
struct MachineOperand {
    enum class Kind : std::uint8_t { general, vector, mask, memory, number };
    Kind kind = Kind::number;
    Xbyak::Reg general;
    Xbyak::Ymm vector;  ///< Of any width.
    Xbyak::Opmask mask;
    Xbyak::Address memory{0, false, Xbyak::RegExp()};
    std::int64_t number = 0;

    /// As one that the assembler reads from a register or from memory.
    const Xbyak::Operand& any() const;
};

class Encoder final : public machine::Encoder {
public:
    using Operands = std::vector<MachineOperand>;

    Encoder(const Machine& machine, InstructionSet set);

    machine::RegisterSets registers() const override;
    void emit(InstructionId id, const machine::Encoder::Operands& operands, bool masked) override;
    void emit_streamed(InstructionId id, const machine::Encoder::Operands& operands) override;
    InstructionId over_sum(InstructionId fused) const override;
    InstructionId over_next(InstructionId id) const override;
    bool is_sum(InstructionId id) const override;
    void add_beside(Physical to, Physical a, const PlacedOperand& b, unsigned bytes) override;
    void move(Bank bank, unsigned bytes, Physical to, Physical from) override;
    void save(Bank bank, unsigned bytes, std::uint64_t place, Physical from) override;
    void restore(Bank bank, unsigned bytes, Physical to, std::uint64_t place) override;
    void load_constant(unsigned bytes, Physical to, std::uint64_t offset) override;
    void load_immediate(Physical to, std::uint64_t value) override;
    void clear(Bank bank, unsigned bytes, Physical reg) override;
    void call(const Instruction& call) override;
    void add_to(Physical counter, const PlacedOperand& step) override;
    void compare(const PlacedOperand& a, const PlacedOperand& b, Relation relation) override;
    void jump_unless(Relation relation, Label to) override;
    void set(Relation relation, Physical to) override;
    Label new_label() override;
    void bind(Label label) override { code_.L(labels_[label]); }
    void jump_always(Label to) override { code_.jmp(labels_[to], Xbyak::CodeGenerator::T_NEAR); }
    void jump_if_below(Label to) override { code_.jb(labels_[to], Xbyak::CodeGenerator::T_NEAR); }
    void jump_if_not_below(Label to) override { code_.jae(labels_[to], Xbyak::CodeGenerator::T_NEAR); }
    void jump_if_zero(Physical condition, Label to) override;
    Code finish(std::uint64_t frame_bytes) override;

private:
    /// Memory for the assembler to write to, which nobody runs.
    struct Plain : Xbyak::Allocator {
        bool useProtect() const override { return false; }
        /// Want of memory is told as everywhere else, not by the assembler's own error.
        std::uint8_t* alloc(std::size_t bytes) override {
            std::uint8_t* const got = Xbyak::Allocator::alloc(bytes);
            if (got == nullptr) throw std::bad_alloc();
            return got;
        }
    };
    bool avx() const { return set_ != InstructionSet::sse42; }
    static MachineOperand general(Physical reg, unsigned bytes);
    static MachineOperand vector(Physical reg, unsigned bytes);
    static MachineOperand fixed(Fixed reg, unsigned bytes);
    static MachineOperand number(std::int64_t value);
    static MachineOperand memory(const Xbyak::RegExp& place, unsigned bytes);
    /// [frame + offset]
    static MachineOperand frame(std::uint64_t offset, unsigned bytes);
    MachineOperand constant(std::uint64_t offset, unsigned bytes);
    MachineOperand operand(const PlacedOperand& placed);
    Operands all(const machine::Encoder::Operands& placed);
    void emit(Mnemonic id, const Operands& operands, bool masked = false);
    void begin();
    void choose_version();
    void append_streaming_version();
    std::uint32_t place() const { return static_cast<std::uint32_t>(code_.getSize()); }
    void dispatch(Mnemonic id, const Operands& operands, bool masked);
    const Machine& machine_;
    const InstructionSet set_;
    Plain memory_;
    Xbyak::CodeGenerator code_;
    Xbyak::Label constants_;
    std::deque<Xbyak::Label> labels_;
    std::size_t frame_at_ = 0;  ///< Where the code says how large the frame is.
    std::size_t body_at_ = 0;   ///< Behind the choice of a version.
    std::size_t jump_at_ = 0;   ///< The distance of the jump to the version that streams; 0: there is none.
    std::size_t fence_at_ = 0;
    std::vector<std::size_t> streamed_at_;  ///< Opcodes of stores.
    Code result_;
};

}  // namespace seiche::emit::x86
