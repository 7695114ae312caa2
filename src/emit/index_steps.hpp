// Indices that are a value and a constant behind it.
#pragma once

#include <vector>

#include "ir/kernel.hpp"

namespace seiche::emit {

struct IndexSteps {
    std::vector<bool> is_step;  ///< Of each value: a u32 and a constant, whose sum cannot carry.
    std::vector<bool> is_idle;  ///< And only an index into shared memory, or widened to one of another.
};

IndexSteps find_index_steps(const ir::Kernel& kernel);

}  // namespace seiche::emit
