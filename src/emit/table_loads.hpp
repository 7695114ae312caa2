// Where loads from tables are issued: for an assembler that moves such loads about, and may leave them behind the
// barrier where their values are waited for.
#pragma once

#include <vector>

#include "ir/kernel.hpp"

namespace seiche::emit {

struct PlacedLoads {
    ir::Kernel kernel;
    std::vector<bool> is_placed;  ///< Of each instruction: whether it is a load that is to be issued where it stands.
};

/// An equal kernel whose loads from tables come ahead of the barrier that their stage begins with, where registers hold
/// no points, so that the barrier and the loads of points behind it cover their way. A stage's stay where they would
/// take the registers of a resident group.
PlacedLoads place_table_loads(const ir::Kernel& kernel);

}  // namespace seiche::emit
