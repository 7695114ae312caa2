// Which instructions of x86-64 may be used.
#pragma once

#include <cstdint>

namespace seiche::emit::x86 {

/// Each has those before it. avx512 is F, BW, DQ and VL; its registers are 32, so that an instruction needs an EVEX
/// form there.
enum class InstructionSet : std::uint8_t { sse42, avx2, avx512 };

/// Bytes of the widest register.
constexpr unsigned widest_register(InstructionSet set) {
    return set == InstructionSet::sse42 ? 16 : set == InstructionSet::avx2 ? 32 : 64;
}

}  // namespace seiche::emit::x86
