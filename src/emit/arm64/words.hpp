// Instructions as words, without more than what each says itself.
#pragma once

#include <cstdint>

#include "emit/arm64/instructions.hpp"

namespace seiche::emit::arm64 {

using Operands = machine::Encoder::Operands;

/// The instruction alone, whose operands fit it. Memory: a register and a displacement that is_reached, or two
/// registers, the second shifted by nothing or by the size of what is moved.
std::uint32_t word_of(Mnemonic id, const Operands& operands);
/// The bytes that an instruction moves; 0: it does not touch memory.
unsigned moved_bytes(Mnemonic id);
/// By an instruction that moves so many bytes: a multiple of them, or a few either way.
bool is_reached(std::int64_t displacement, unsigned bytes);

}  // namespace seiche::emit::arm64
