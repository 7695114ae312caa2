// The instructions of AArch64 that selection chooses from, and the words that it says them in.
#pragma once

#include "emit/machine/encoder.hpp"
#include "emit/machine/machine.hpp"

namespace seiche::emit::arm64 {

using machine::at_frame;
using machine::Bank;
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

/// Machine instructions by name; `none` where the form says what is done.
enum class Mnemonic : InstructionId {
    none,
#define SEICHE_ARM64(name, shape, bits, syntax) name,
#include "emit/arm64/mnemonics.def"
#undef SEICHE_ARM64
};

/// What a jump or a choice asks the flags; two that differ in the last bit are opposites.
enum class Condition : std::uint8_t { eq = 0, ne = 1, lo = 3, mi = 4, hi = 8, ls = 9, lt = 11, gt = 12, le = 13 };

constexpr Condition condition_of(Relation relation) {
    switch (relation) {
        case Relation::none:
        case Relation::equal: break;
        case Relation::not_equal: return Condition::ne;
        case Relation::below: return Condition::lo;
        case Relation::below_equal: return Condition::ls;
        case Relation::less: return Condition::lt;
        case Relation::less_equal: return Condition::le;
    }
    return Condition::eq;
}
constexpr std::uint32_t number_of(Condition condition) { return static_cast<std::uint32_t>(condition); }
constexpr std::uint32_t opposite_of(Condition condition) { return number_of(condition) ^ 1u; }

/// Bytes of a vector register.
inline constexpr unsigned vector_bytes = 16;
/// The greatest number that a sum or a comparison takes as it is.
inline constexpr std::uint64_t most_immediate = 4095;

}  // namespace seiche::emit::arm64
