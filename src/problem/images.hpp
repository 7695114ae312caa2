// Arrays that are images of a graphics API.
#pragma once

#include "problem/problem.hpp"

namespace seiche::problem {

/// Checks what a problem says of images but for distances, and fills in the canonical form's, which knows which arrays
/// are real. `kinds` are those of all axes. Throws InvalidProblem.
void add_images(const Problem& problem, const std::vector<Kind>& kinds, Canonical& canonical);

/// Checks that an output of two numbers a texel fills its texels.
void check_whole_texels(const Canonical& canonical);

/// Throws InvalidProblem for more texels than 32 bits count.
void check_texels(const Canonical& canonical, std::uint64_t batch_count);

}  // namespace seiche::problem
