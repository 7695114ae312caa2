// What steps of shuffles do to bytes: a model to test against, and the processor's own instructions.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "emit/x86/shuffle.hpp"

namespace seiche::test {

/// A register of up to 64 bytes; the others are 0.
using RegisterBytes = std::array<std::uint8_t, 64>;

/// The result of one step on its operands.
RegisterBytes model_step(const emit::x86::ShuffleStep& step, unsigned register_bytes, const RegisterBytes& a,
                         const RegisterBytes& b);
/// The values that a program results in.
std::vector<RegisterBytes> model_program(const emit::x86::ShuffleProgram& program, unsigned register_bytes,
                                         const std::vector<RegisterBytes>& sources);

/// Whether this processor, and the compiler of this test, have the instruction set.
bool has_instruction_set(emit::x86::InstructionSet set);
/// The same as model_step, by the instruction itself.
RegisterBytes native_step(const emit::x86::ShuffleStep& step, emit::x86::InstructionSet set, unsigned register_bytes,
                          const RegisterBytes& a, const RegisterBytes& b);

}  // namespace seiche::test
