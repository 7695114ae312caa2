// What the wave numbers of a middle stage are.
#pragma once

#include <vector>

#include "expression/program.hpp"

namespace seiche::expression {

enum class WaveNumber : std::uint8_t {
    with_sign,  ///< The index, less the length in the upper half.
    index,
    next,  ///< The index and 1.
    half,  ///< The index and 1/2, a real number.
};

/// As `check` without the last argument, which says what k0, k1, ... are; empty: with sign, but along the halved axis.
Program check(const UserStage& stage, const Context& context, const std::vector<WaveNumber>& waves);

}  // namespace seiche::expression
