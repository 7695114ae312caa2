// Shuffles of lanes as instructions of NEON: which ones, on numbered values, without registers or encodings.
#pragma once

#include <cstdint>
#include <vector>

#include "emit/machine/lanes.hpp"

namespace seiche::emit::arm64 {

using machine::LaneSource;

/// Named as in Arm's manual. n is the number of lanes in 16 bytes; lanes of 2, 4 or 8 bytes.
enum class ShuffleOp : std::uint8_t {
    zip1,         ///< a0 b0 a1 b1 ...
    zip2,         ///< The same of the upper halves.
    uzp1,         ///< a0 a2 a4 ... b0 b2 b4 ...
    uzp2,         ///< a1 a3 a5 ... b1 b3 b5 ...
    trn1,         ///< a0 b0 a2 b2 ...
    trn2,         ///< a1 b1 a3 b3 ...
    align,        ///< EXT: lanes `from` to `from` + n - 1 of a followed by b.
    rev64,        ///< Lanes of each 8 bytes, the last first.
    rev32,        ///< Lanes of each 4 bytes.
    duplicate,    ///< DUP: a's lane `from` everywhere.
    insert,       ///< INS: a, but for lane `to`, which is b's lane `from`.
    table,        ///< TBL: byte i is a's byte constant[i].
    table_among,  ///< TBX: a, but for bytes whose constant is below 16, which are b's byte constant[i].
};

/// One step: an instruction that makes a new value from at most two earlier ones.
struct ShuffleStep {
    ShuffleOp op = ShuffleOp::zip1;
    std::uint8_t lane_bytes = 4;
    std::uint16_t a = 0;
    std::uint16_t b = 0;  ///< The same as a where the instruction has no b.
    std::uint8_t from = 0, to = 0;
    std::vector<std::uint8_t> constant;  ///< 16 bytes, or none.
    bool operator==(const ShuffleStep&) const = default;
};

/// Values are numbered: the sources first, then one for each step. results: the value of each register asked for, which
/// may be a source.
struct ShuffleProgram {
    std::vector<ShuffleStep> steps;
    std::vector<std::uint16_t> results;
};

/// The steps to several registers, each given by its lanes, from 1 to 16 sources; all of 16 bytes, lanes of 2, 4 or 8.
/// Equal steps are taken once. As few instructions as were found, then constants. Throws std::invalid_argument for
/// lanes that are not there.
ShuffleProgram lower_shuffles(unsigned lane_bytes, unsigned sources,
                              const std::vector<std::vector<LaneSource>>& registers);

}  // namespace seiche::emit::arm64
