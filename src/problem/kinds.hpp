// The kinds of a problem's axes, checked.
#pragma once

#include <cstddef>
#include <vector>

#include "seiche/problem.hpp"

namespace seiche::problem {

/// hfft and ihfft, which are planned as c2r and r2c of conjugated values.
bool is_conjugated(Kind kind);
/// c2r for hfft, r2c for ihfft, else the kind itself.
Kind planned_kind(Kind kind);

/// The planned kind, or the first of `axis_kinds`: it tells whether the arrays are real.
Kind leading_kind(const Problem& problem);

/// One flag per axis of the problem: whether it is transformed. Throws InvalidProblem for axes that are not there.
std::vector<bool> transformed_axes(const Problem& problem);

/// One planned kind per axis of the problem; c2c for axes that are not transformed. Throws InvalidProblem for
/// combinations that make no sense.
std::vector<Kind> axis_kinds(const Problem& problem, const std::vector<bool>& transformed);

}  // namespace seiche::problem
