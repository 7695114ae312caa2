// Pruning: which elements along an axis are taken as 0 or not wanted.
#pragma once

#include <vector>

#include "problem/problem.hpp"

namespace seiche::problem {

/// Every block names a transformed axis. Throws InvalidProblem.
void check_pruning(const Problem& problem, const std::vector<bool>& transformed);

/// What the blocks of axis `number` of the problem leave of it, by the problem's own names of signal and spectrum.
/// Throws InvalidProblem for a block that is empty, reaches beyond the axis or, with the others, leaves nothing.
void add_pruning(const Problem& problem, std::size_t number, Axis& axis);

}  // namespace seiche::problem
