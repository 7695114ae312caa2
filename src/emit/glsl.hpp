// The parts of the GLSL dialects that have files of their own.
#pragma once

#include <string>

#include "emit/c_like.hpp"

namespace seiche::emit::glsl {

/// Numbers of 8 and 16 bits are unsigned words with their bits at the low end; vectors of them are packed.
inline bool is_packed(ir::Scalar scalar) { return ir::scalar_bytes(scalar) != 0 && ir::scalar_bytes(scalar) < 4; }
inline bool is_half(ir::Scalar scalar) { return scalar == ir::Scalar::f16 || scalar == ir::Scalar::bf16; }

std::string type_name(ir::Type type);
std::string convert(Writer& writer, const std::string& value, ir::Type from, ir::Type to);
std::string bitcast(Writer& writer, const std::string& value, ir::Type from, ir::Type to);

/// Arithmetic of 64-bit integers, which are pairs of words, low one first; false for any other.
bool wide_integer(Writer& writer, ir::ValueId id);
/// Puts `u64_less(a, b)` and the like before the kernel, with what they call.
void need_wide(Writer& writer, const std::string& function);

}  // namespace seiche::emit::glsl
