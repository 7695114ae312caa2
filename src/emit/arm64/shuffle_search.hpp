// The search for the steps that make one register.
#pragma once

#include <cstdint>
#include <tuple>
#include <vector>

#include "emit/arm64/shuffle.hpp"
#include "emit/machine/shuffle_goal.hpp"

namespace seiche::emit::arm64 {

using machine::Goal;

/// What is kept small, the first before the other.
struct Cost {
    std::size_t steps = 0, constants = 0;
    bool operator<(const Cost& other) const {
        return std::tie(steps, constants) < std::tie(other.steps, other.constants);
    }
};

/// Steps and the value that they lead to. Values are numbered as sources, and from first_step on as steps.
struct Draft {
    static constexpr unsigned first_step = 16;

    std::vector<ShuffleStep> steps;
    std::uint16_t result = 0;

    /// The value of the step, which is taken once.
    std::uint16_t add(const ShuffleStep& step);
    /// Takes over another's steps; its result's value here.
    std::uint16_t append(const Draft& other);
    Cost cost() const;
};

/// Which lane of which operand an instruction of two operands puts at lane i, of n.
struct Origin {
    bool of_b = false;
    unsigned place = 0;
};
Origin origin_of(ShuffleOp op, unsigned n, unsigned from, unsigned i);

/// Of a goal with lanes of 2 or 4 bytes. `share`: by ZIP1 and ZIP2 alone where more than one step is needed, so that
/// registers which are made together begin alike.
Draft search_shuffle(const Goal& goal, bool share);

}  // namespace seiche::emit::arm64
