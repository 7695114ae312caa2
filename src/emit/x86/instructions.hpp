// The instructions of x86-64 that selection chooses from, and the words that it says them in.
#pragma once

#include "emit/machine/encoder.hpp"
#include "emit/machine/machine.hpp"

namespace seiche::emit::x86 {

using machine::at_frame;
using machine::Bank;
using machine::Call;
using machine::Code;
using machine::Form;
using machine::HeaderWord;
using machine::immediate;
using machine::in_register;
using machine::Instruction;
using machine::InstructionId;
using machine::Label;
using machine::Machine;
using machine::no_reg;
using machine::Operand;
using machine::OperandKind;
using machine::Physical;
using machine::PlacedOperand;
using machine::Reg;
using machine::RegInfo;
using machine::Relation;

/// Machine registers that have a fixed meaning and are never allocated.
enum class Fixed : std::uint8_t { rax, rcx, rdx, k1 };

inline Operand in_fixed(Fixed fixed, unsigned bytes) {
    Operand o;
    o.kind = OperandKind::fixed;
    o.fixed = static_cast<std::uint8_t>(fixed);
    o.bytes = static_cast<std::uint8_t>(bytes);
    return o;
}

/// Machine instructions by name; `none` where the form says what is done.
enum class Mnemonic : InstructionId {
    none,
#define SEICHE_X86(name, shape) name,
#include "emit/x86/mnemonics.def"
#undef SEICHE_X86
};

/// The signs of a * b and of c in a fused product and sum.
enum class FusedSigns : std::uint8_t { madd, msub, nmadd, nmsub };

}  // namespace seiche::emit::x86
