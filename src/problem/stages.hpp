// The user's stages of a problem: parsed, checked, and agreed with one another.
#pragma once

#include "problem/problem.hpp"

namespace seiche::problem {

/// True if any of the four is there.
bool has_stages(const Problem& problem);

/// Fills what Canonical has of stages; its axes and loops are there already. `transformed` has a flag for each axis,
/// `in_order` the loops in the problem's order. Throws InvalidProblem: of a text with line and column, of other fields
/// by their name.
void add_stages(const Problem& problem, const std::vector<bool>& transformed, const std::vector<Loop>& in_order,
                Canonical& canonical);

}  // namespace seiche::problem
