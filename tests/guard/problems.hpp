// The guard's corpus: problem `number` is drawn from its number alone, on every system and by every compiler alike.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "seiche/convolution.hpp"
#include "seiche/problem.hpp"
#include "seiche/tuning.hpp"

namespace seiche::guard {

/// One problem of the corpus.
struct Drawn {
    std::uint32_t number = 0;
    std::string text;         ///< As `seiche plan` takes it: of a transform, or of a convolution, which has a '*'.
    std::string tuning;       ///< Words of parse_tuning.
    std::string load, store;  ///< Texts of stages, of each direction that there is.
    std::vector<std::string> buffers;  ///< "window=f32:1024".
    std::vector<std::string> scalars;  ///< "gain=f32".

    bool is_convolution() const { return text.find('*') != std::string::npos; }
};

Drawn draw(std::uint32_t number);

/// What it asks for. Throws InvalidProblem where the text means nothing.
Problem problem_of(const Drawn& drawn);
Tuning tuning_of(const Drawn& drawn);

/// The command that shows the plan: seiche plan "4096 c2c f32" --radices 16x16x16.
std::string command_of(const Drawn& drawn);

}  // namespace seiche::guard
