// Hooks that the dialects of CUDA's language share: vectors live only in memory accesses, and a half is its 16 bits.
#pragma once

#include <string>

#include "emit/c_like.hpp"

namespace seiche::emit::cuda_like {

/// Shared memory that a kernel may declare; more must be given at the launch.
inline constexpr std::uint64_t static_shared_limit = 48 * 1024;

/// How a dialect spells what concerns halves. Each function puts a helper before the kernel and gives its name.
struct Halves {
    std::string (*widen)(Writer& writer, ir::Scalar from);                  ///< To f32.
    std::string (*narrow)(Writer& writer, ir::Scalar from, ir::Scalar to);  ///< Rounded once; empty: cannot.
    std::string (*operation)(Writer& writer, const std::string& name, unsigned operands);  ///< add, sub, mul or fma.
};

bool is_half(ir::Scalar scalar);
std::string type_name(ir::Type type);
std::string function_name(ir::Op op, ir::Scalar scalar);
/// Of halves with f32's exponent, which need nothing but their bits.
std::string widen_bf16(Writer& writer);
std::string narrow_bf16(Writer& writer);
std::string convert(Writer& writer, const std::string& value, ir::Type from, ir::Type to, const Halves& halves);
std::string bitcast(Writer& writer, const std::string& value, ir::Type from, ir::Type to);

/// Halves are bit patterns: sums and products are the dialect's, with their one rounding, signs are bits, and the rest
/// goes by way of f32, which has more than twice the digits, so that a quotient or a root is still rounded as if once.
/// False if the op is none of halves.
bool half_arithmetic(Writer& writer, ir::ValueId id, const Halves& halves);
/// Members and composition of vectors; false if the op is another.
bool lanes(Writer& writer, ir::ValueId id);
const char* memory_fence(ir::Scope scope);
/// `group_suffix` is what the name of an atomic has where only the group need see it.
void atomic(Writer& writer, ir::ValueId id, const char* group_suffix);

std::string group_id(unsigned dimension);
std::string group_count(unsigned dimension);
std::string thread_id(unsigned dimension);
std::string preamble(const Writer& writer);
/// The arguments of a kernel, one a line.
std::string parameters(const Writer& writer);
/// Shared and private arrays, each shared one with the attribute that aligns it to 16 bytes.
void declare_arrays(Writer& writer, const std::string& alignment);
void open_function(Writer& writer);
std::string pair(ir::Type type, const std::string& first, const std::string& second);

}  // namespace seiche::emit::cuda_like
