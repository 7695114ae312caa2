// Shuffles of lanes as instructions of x86: which ones, on numbered values, without registers or encodings.
#pragma once

#include <cstdint>
#include <vector>

#include "emit/machine/lanes.hpp"
#include "emit/x86/instruction_set.hpp"

namespace seiche::emit::x86 {

using machine::LaneSource;

/// Instructions in their form of three operands, named as in Intel's manual: the destination, then a, then b. An SSE
/// form in brackets overwrites a, so that a is copied first; one without brackets leaves it alone. "Block" is 16 bytes,
/// and what is said of one block holds for each. VEX forms are of avx2, EVEX ones of avx512, with the same operands but
/// where two names are given. 32 and 64 are the bits of a lane.
enum class ShuffleOp : std::uint8_t {
    // Inside blocks; a latency of 1 cycle.

    /// Lane i is a's lane (immediate >> 2i & 3). PSHUFD dst, a, imm8. VPERMILPS dst, a, imm8.
    permute_32,
    /// Lanes 0 and 1 are a's, 2 and 3 are b's, chosen as by permute_32. [SHUFPS a, b, imm8]. VSHUFPS dst, a, b, imm8.
    shuffle_32,
    /// Of the whole register, lane i is of a for even i, else of b: the block's lane (immediate >> i & 1).
    /// [SHUFPD a, b, imm8]. VSHUFPD dst, a, b, imm8.
    shuffle_64,
    /// a0 b0 a1 b1 a2 b2 a3 b3. [PUNPCKLWD a, b]. VPUNPCKLWD dst, a, b.
    unpack_low_16,
    /// a4 b4 a5 b5 a6 b6 a7 b7. [PUNPCKHWD a, b]. VPUNPCKHWD dst, a, b.
    unpack_high_16,
    /// a0 b0 a1 b1. [UNPCKLPS a, b]. VUNPCKLPS dst, a, b.
    unpack_low_32,
    /// a2 b2 a3 b3. [UNPCKHPS a, b]. VUNPCKHPS dst, a, b.
    unpack_high_32,
    /// a0 b0. [UNPCKLPD a, b]; MOVLHPS is the same and shorter. VUNPCKLPD dst, a, b.
    unpack_low_64,
    /// a1 b1. [UNPCKHPD a, b]. VUNPCKHPD dst, a, b.
    unpack_high_64,
    /// 16-bit lanes 0 to 3 as by permute_32 among themselves, 4 to 7 as they are. PSHUFLW dst, a, imm8.
    /// VPSHUFLW dst, a, imm8.
    permute_low_16,
    /// 16-bit lanes 4 to 7 as by permute_32 among themselves, 0 to 3 as they are. PSHUFHW dst, a, imm8.
    /// VPSHUFHW dst, a, imm8.
    permute_high_16,
    /// Bytes immediate to immediate + 15 of b's block followed by a's. [PALIGNR a, b, imm8]. VPALIGNR dst, a, b, imm8.
    align_bytes,
    /// Bit i of the immediate: 16-bit lane i of each block is of b, else of a. [PBLENDW a, b, imm8].
    /// VPBLENDW dst, a, b, imm8. Not with avx512.
    blend_16,
    /// Bit i of the immediate: lane i of the whole register is of b, else of a. [BLENDPS a, b, imm8].
    /// VBLENDPS dst, a, b, imm8. Not with avx512.
    blend_32,
    /// Byte i is a's byte (constant[i] & 15) of the same block, or zero for constant[i] = 0x80. [PSHUFB a, constant].
    /// VPSHUFB dst, a, constant. The constant may be an operand in memory, aligned to 16 bytes for SSE.
    shuffle_bytes,
    /// Bitwise a or b. [ORPS a, b]. VORPS dst, a, b.
    bit_or,
    /// Bit i of the mask: lane i is of b, else of a. Of avx512: VPBLENDMW dst{k}, a, b, with the mask in k.
    blend_masked_16,
    /// The same of lanes of 32 bits: VBLENDMPS dst{k}, a, b.
    blend_masked_32,

    // Across blocks; a latency of 3 cycles. Not for SSE.

    /// Every lane is a's lane 0. VPBROADCASTW dst, xmm of a.
    broadcast_16,
    /// VBROADCASTSS dst, xmm of a.
    broadcast_32,
    /// VBROADCASTSD dst, xmm of a. Of 32 and 64 bytes.
    broadcast_64,
    /// In each 32 bytes, 64-bit lane i is a's lane (immediate >> 2i & 3) of the same 32. VPERMPD dst, a, imm8.
    permute_across_64,
    /// The low block is block (immediate & 3) of a's low, a's high, b's low, b's high; the high block is block
    /// (immediate >> 4 & 3) of them. VPERM2F128 dst, a, b, imm8. Of avx2, 32 bytes.
    permute_2x128,
    /// The low half's blocks are a's, the high half's b's. 64 bytes: block i is block (immediate >> 2i & 3). 32 bytes:
    /// block i is block (immediate >> i & 1). VSHUFF32X4 dst, a, b, imm8. Of avx512.
    shuffle_128,
    /// Lane i is lane (i + immediate) of b followed by a, of the whole register. VALIGND dst, a, b, imm8. Of avx512.
    align_across_32,
    /// Lane i is a's lane constant[i], constants of 16 bits. VPERMW dst, constant, a. Of avx512. The constant must be
    /// in a register; it is a that may be in memory.
    permute_across_16,
    /// Lane i is a's lane constant[i], constants of 32 bits. VPERMPS dst, constant, a; operands as above. Not of 16
    /// bytes.
    permute_across_32,
    /// Lane i is lane constant[i] of a followed by b, constants of 16 bits. Of avx512: VPERMI2W index, a, b, where
    /// index holds the constant and becomes the result; or VPERMT2W a, index, b, where a becomes the result.
    permute_two_16,
    /// The same of lanes of 32 bits: VPERMI2PS index, a, b, or VPERMT2PS a, index, b.
    permute_two_32,
};

/// One step: an instruction that makes a new value from at most two earlier ones.
struct ShuffleStep {
    ShuffleOp op = ShuffleOp::permute_32;
    std::uint16_t a = 0;
    std::uint16_t b = 0;  ///< The same as a where the instruction has no b.
    std::uint8_t immediate = 0;
    std::uint32_t mask = 0;              ///< Of a blend_masked.
    std::vector<std::uint8_t> constant;  ///< As many bytes as a register, or none.
    bool operator==(const ShuffleStep&) const = default;
};

/// Whether the instruction looks at b, and whether it takes an immediate byte.
bool takes_two(ShuffleOp op);
bool takes_immediate(ShuffleOp op);
/// Cycles from operands to result, on most processors.
unsigned shuffle_latency(ShuffleOp op);

/// Values are numbered: the sources first, then one for each step. results: the value of each register asked for, which
/// may be a source.
struct ShuffleProgram {
    std::vector<ShuffleStep> steps;
    std::vector<std::uint16_t> results;
};

/// The steps to several registers, each given by its lanes: all of register_bytes (16, 32 or 64, as the set has them)
/// from 1 to 16 sources of as many, lanes of 2, 4 or 8 bytes. Equal steps are taken once, so that registers made
/// together share their beginnings. As few instructions as were found, then constants (a load or a mask each), then
/// latency. Throws std::invalid_argument for lanes that are not there. Patterns that were seen before are looked up.
ShuffleProgram lower_shuffles(InstructionSet set, unsigned register_bytes, unsigned lane_bytes, unsigned sources,
                              const std::vector<std::vector<LaneSource>>& registers);
/// The same for one register.
ShuffleProgram lower_shuffle(InstructionSet set, unsigned register_bytes, unsigned lane_bytes, unsigned sources,
                             const std::vector<LaneSource>& lanes);

}  // namespace seiche::emit::x86
