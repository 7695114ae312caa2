// The assembler with the few moves that allocation adds, and the frame.
#pragma once

#include <asmjit/x86.h>
#include <cstdint>
#include <vector>

#include "emit/x86/allocate.hpp"
#include "emit/x86/machine.hpp"

namespace seiche::emit::x86 {

/// Numbers of machine registers, as the machine counts them.
using Physical = std::uint8_t;

class Encoder {
public:
    explicit Encoder(const Machine& machine);

    static asmjit::Operand general(Physical reg, unsigned bytes);
    static asmjit::Operand vector(Physical reg, unsigned bytes);
    static asmjit::Operand fixed(Fixed reg, unsigned bytes);
    /// [frame + offset]
    static asmjit::x86::Mem frame(std::uint64_t offset, unsigned bytes);
    asmjit::x86::Mem constant(std::uint64_t offset, unsigned bytes) const;

    void emit(std::uint32_t id, const std::vector<asmjit::Operand>& operands, bool masked = false);
    void move(Bank bank, unsigned bytes, Physical to, Physical from);
    void save(Bank bank, unsigned bytes, std::uint64_t offset, Physical from);
    void restore(Bank bank, unsigned bytes, Physical to, std::uint64_t offset);
    void load_constant(unsigned bytes, Physical to, std::uint64_t offset);
    void load_immediate(Physical to, std::uint64_t value);
    void call(const Instruction& call);

    asmjit::Label label() { return assembler_.newLabel(); }
    void bind(const asmjit::Label& label) { check(assembler_.bind(label)); }
    void jump(std::uint32_t id, const asmjit::Label& label) { check(assembler_.emit(id, label)); }

    /// The end of the function, with a frame of so many bytes.
    Code finish(std::uint64_t frame_bytes);
    std::uint64_t header_of(std::uint32_t word) const { return std::uint64_t{8} * word; }
    bool avx() const { return machine_.set != InstructionSet::sse42; }

private:
    void begin();
    static void check(asmjit::Error error);
    const Machine& machine_;
    asmjit::CodeHolder holder_;
    asmjit::x86::Assembler assembler_;
    asmjit::Label constants_;
    std::size_t frame_at_ = 0;  ///< Where the code says how large the frame is.
    Code code_;
};

}  // namespace seiche::emit::x86
