// The assembler with the few moves that allocation adds, and the frame.
#pragma once

#include <xbyak/xbyak.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "emit/x86/allocate.hpp"
#include "emit/x86/machine.hpp"

namespace seiche::emit::x86 {

/// Numbers of machine registers, as the machine counts them.
using Physical = std::uint8_t;

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

class Encoder {
public:
    using Operands = std::vector<MachineOperand>;

    explicit Encoder(const Machine& machine);

    static MachineOperand general(Physical reg, unsigned bytes);
    static MachineOperand vector(Physical reg, unsigned bytes);
    static MachineOperand fixed(Fixed reg, unsigned bytes);
    static MachineOperand number(std::int64_t value);
    static MachineOperand memory(const Xbyak::RegExp& place, unsigned bytes);
    /// [frame + offset]
    static MachineOperand frame(std::uint64_t offset, unsigned bytes);
    MachineOperand constant(std::uint64_t offset, unsigned bytes);

    void emit(Mnemonic id, const Operands& operands, bool masked = false);
    /// A store which the version of the code that streams does around the caches.
    void emit_streamed(Mnemonic id, const Operands& operands);
    void move(Bank bank, unsigned bytes, Physical to, Physical from);
    void save(Bank bank, unsigned bytes, std::uint64_t offset, Physical from);
    void restore(Bank bank, unsigned bytes, Physical to, std::uint64_t offset);
    void load_constant(unsigned bytes, Physical to, std::uint64_t offset);
    void load_immediate(Physical to, std::uint64_t value);
    void call(const Instruction& call);
    /// Without a change of the flags.
    void clear(Bank bank, unsigned bytes, Physical reg);
    /// The flags that jump_unless and set look at for this relation.
    void compare(const MachineOperand& a, const MachineOperand& b, Relation relation);
    void jump_unless(Relation relation, const Xbyak::Label& to);
    void set(Relation relation, Physical to);

    void bind(Xbyak::Label& label) { code_.L(label); }
    void jump_always(const Xbyak::Label& to) { code_.jmp(to, Xbyak::CodeGenerator::T_NEAR); }
    void jump_if_not_below(const Xbyak::Label& to) { code_.jae(to, Xbyak::CodeGenerator::T_NEAR); }
    void jump_if_below(const Xbyak::Label& to) { code_.jb(to, Xbyak::CodeGenerator::T_NEAR); }
    void jump_if_zero(const Xbyak::Label& to) { code_.jz(to, Xbyak::CodeGenerator::T_NEAR); }

    /// The end of the function, with a frame of so many bytes.
    Code finish(std::uint64_t frame_bytes);
    static std::uint64_t header_of(std::uint32_t word) { return std::uint64_t{8} * word; }
    bool avx() const { return machine_.set != InstructionSet::sse42; }

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
    void begin();
    void choose_version();
    void append_streaming_version();
    std::uint32_t place() const { return static_cast<std::uint32_t>(code_.getSize()); }
    void dispatch(Mnemonic id, const Operands& operands, bool masked);
    const Machine& machine_;
    Plain memory_;
    Xbyak::CodeGenerator code_;
    Xbyak::Label constants_;
    std::size_t frame_at_ = 0;  ///< Where the code says how large the frame is.
    std::size_t body_at_ = 0;   ///< Behind the choice of a version.
    std::size_t jump_at_ = 0;   ///< The distance of the jump to the version that streams; 0: there is none.
    std::size_t fence_at_ = 0;
    std::vector<std::size_t> streamed_at_;  ///< Opcodes of stores.
    Code result_;
};

}  // namespace seiche::emit::x86
