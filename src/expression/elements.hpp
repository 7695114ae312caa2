// Stages that find elements of the array by themselves: modes of a spectrum that is not a box of neighbours in memory.
#pragma once

#include "expression/program.hpp"

namespace seiche::expression {

/// Where an array has the modes that it has.
struct ModePlaces {
    /// Which indices of the whole spectrum there are along an axis: count of them, from `begin` on, those from `reach`
    /// on after a gap.
    struct Axis {
        std::uint64_t begin = 0, count = 1, reach = 0, gap = 0;
    };
    std::vector<Axis> axes;       ///< The problem's.
    std::uint64_t modes = 1;      ///< Elements of one array.
    std::uint64_t positions = 0;  ///< Of a table, by place in the box of the modes; 0: the array is that box.
};

/// The buffer of that table, i32: the plan's own, no argument of an execution. A negative entry stands for no mode.
inline constexpr const char* positions_name = "packed_positions";

/// The modes, on load passed through `own` (null: as they are), on store what `own` returns. They are complex.
Program find_elements(const Program* own, const ModePlaces& places, const Context& context);

/// Whether the program stores to elements that it finds by itself.
bool finds_its_elements(const Program& program);

}  // namespace seiche::expression
