// Bounds of unsigned values: what follows from the number of threads in a group.
#pragma once

#include <vector>

#include "ir/kernel.hpp"

namespace seiche::ir {

/// What an unsigned value can be: no less, and no greater. Of a vector, each lane.
struct Bounds {
    std::uint64_t least = 0, greatest = 0;
    bool is_single() const { return least == greatest; }
};

/// Of an unsigned integer or a boolean; of another type, which has no bounds, that of u64.
std::uint64_t greatest_of(Scalar scalar);

/// Of the result, which is a `scalar`, of a binary op or a comparison on operands with these bounds.
Bounds bounds_of(Op op, Scalar scalar, Bounds a, Bounds b);

/// Of what an instruction of the kernel makes, where those of all before it are known.
Bounds bounds_of(const Kernel& kernel, const Instruction& instruction, const std::vector<Bounds>& known);

/// Of all instructions; of one that makes no unsigned value they mean nothing.
std::vector<Bounds> bounds(const Kernel& kernel);

}  // namespace seiche::ir
